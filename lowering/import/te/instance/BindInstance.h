// Binds a function of a body to its contract, for one type row and shape key: checks arguments and results, marks them
// with what the contract says of their tensors, and takes the forms that need the contract (parts, windows, gathers,
// tensors of a count) out of the body. The function then has phase `bound`.

#ifndef OPC_LOWERING_IMPORT_TE_INSTANCE_BINDINSTANCE_H
#define OPC_LOWERING_IMPORT_TE_INSTANCE_BINDINSTANCE_H

#include "ops/contract/Contract.h"
#include "ops/contract/domain/ShapeKeys.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc {

/// Reports arguments and results that are not those of the contract (bind_c3 to bind_c5, bind_c11), and warns of inputs
/// and attributes that no operation reads (bind_c15), once for each place whatever the type rows.
mlir::LogicalResult bindInstance(mlir::func::FuncOp function, const Contract &contract, unsigned typeRow,
                                 const ShapeKey &key, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_TE_INSTANCE_BINDINSTANCE_H

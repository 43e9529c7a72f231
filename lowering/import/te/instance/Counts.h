// Finds the kernel's loop of each te.iota, te.scan and te.sort in an instance of a body. te.arg_max and te.arg_min
// count along the reduced loop.

#ifndef OPC_LOWERING_IMPORT_TE_INSTANCE_COUNTS_H
#define OPC_LOWERING_IMPORT_TE_INSTANCE_COUNTS_H

#include "ops/contract/domain/ShapeKeys.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc {

/// Sets the loop of each te.iota, te.scan and te.sort. Fails with iota_c2, scan_c2 or sort_c2 if a dimension is not a
/// loop of the kernel, with scan_c3 or sort_c3 for a combination that no kernel supports, and with arg_c1 for a
/// position along two loops.
mlir::LogicalResult nameLoops(mlir::func::FuncOp function, const Contract &contract, const ShapeKey &key);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_TE_INSTANCE_COUNTS_H

// te.gather and te.scatter in an instance of a body. The gathered argument gets the loops of its indices, so that later
// passes see an ordinary input, whose rows the kernel finds by the indices (KernelTensor::indices). For te.scatter the
// same holds for its result.

#ifndef OPC_LOWERING_IMPORT_TE_INSTANCE_GATHERS_H
#define OPC_LOWERING_IMPORT_TE_INSTANCE_GATHERS_H

#include "ops/contract/domain/ShapeKeys.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc {

/// Replaces gathers by the inputs that they read. Fails with gather_c2 or gather_c3 at the op that breaks the rule.
mlir::LogicalResult takeGathers(mlir::func::FuncOp function, const Contract &contract, const ShapeKey &key);

/// Replaces te.scatter by the operation on one element and its update, and marks the result with the input that
/// initialises it (te.scattered). Fails with scatter_c2 or scatter_c3 if no kernel supports it.
mlir::LogicalResult takeScatter(mlir::func::FuncOp function, const Contract &contract, const ShapeKey &key);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_TE_INSTANCE_GATHERS_H

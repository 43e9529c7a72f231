// te.gather in an instance of a body: the argument that is gathered from has the loops of its indices too, so that
// everything below sees an input like any other, whose rows lie where the kernel reads (KernelTensor::indices).
// Likewise te.scatter, whose result is the one that does.

#ifndef OPC_LOWERING_IMPORT_GATHERS_H
#define OPC_LOWERING_IMPORT_GATHERS_H

#include "ops/contract/domain/ShapeKeys.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc {

/// Replaces gathers by the inputs that they read. Fails with gather_c2 or gather_c3 at the op that breaks the rule.
mlir::LogicalResult takeGathers(mlir::func::FuncOp function, const Contract &contract, const ShapeKey &key);

/// Replaces te.scatter by what becomes of one element and its update, and marks the result with the input that it
/// begins as (te.scattered). Fails with scatter_c2 or scatter_c3 at one that no kernel has.
mlir::LogicalResult takeScatter(mlir::func::FuncOp function, const Contract &contract, const ShapeKey &key);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_GATHERS_H

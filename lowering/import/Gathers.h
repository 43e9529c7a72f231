// te.gather in an instance of a body: the argument that is gathered from has the loops of its indices too, so that
// everything below sees an input like any other, whose rows lie where the kernel reads (KernelTensor::indices).

#ifndef OPC_LOWERING_IMPORT_GATHERS_H
#define OPC_LOWERING_IMPORT_GATHERS_H

#include "ops/contract/ShapeKeys.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc {

/// Replaces gathers by the inputs that they read. Fails with gather_c2 or gather_c3 at the op that breaks the rule.
mlir::LogicalResult takeGathers(mlir::func::FuncOp function, const Contract &contract, const ShapeKey &key);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_GATHERS_H

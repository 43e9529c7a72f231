// The invariant of phase `bound`, for its verifier pass and for the pass that relies on it.

#ifndef OPC_LOWERING_TE_VERIFYBOUND_H
#define OPC_LOWERING_TE_VERIFYBOUND_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc::te {

/// Checks the rules bound_c1 to bound_c10 for a kernel.
mlir::LogicalResult verifyBound(mlir::func::FuncOp kernel);

} // namespace opc::te

#endif // OPC_LOWERING_TE_VERIFYBOUND_H

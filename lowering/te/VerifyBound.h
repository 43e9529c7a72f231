// The invariant of phase `bound`, for its pass and for the pass that relies on it.

#ifndef OPC_LOWERING_TE_VERIFYBOUND_H
#define OPC_LOWERING_TE_VERIFYBOUND_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc::te {

/// Rules bound_c1 to bound_c8 of one kernel.
mlir::LogicalResult verifyBound(mlir::func::FuncOp kernel);

} // namespace opc::te

#endif // OPC_LOWERING_TE_VERIFYBOUND_H

// Rules of phase `placed` for ops of the cube and of its copies.

#ifndef OPC_LOWERING_AICORE_VERIFY_CUBERULES_H
#define OPC_LOWERING_AICORE_VERIFY_CUBERULES_H

#include "dialect/aicore/AICoreOps.h"
#include "lowering/aicore/verify/values/Facts.h"
#include "runtime/target/Target.h"

namespace opc::aicore {

/// Whether an op is one of the cube; the rules below apply to it.
bool isCubeOp(mlir::Operation *op);

/// Checks the rules placed_c23 (accesses of an op are within its tiles), placed_c24 (limits of the target's calls),
/// placed_c26 (products of one row), placed_c8 (rows in gm have the sizes of the op) and placed_c15 (rows in UB).
mlir::LogicalResult verifyCubeOp(mlir::Operation *op, const Target &target, const Facts &facts);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_VERIFY_CUBERULES_H

// Rules of phase `placed` for a single intrinsic on a chip.

#ifndef OPC_LOWERING_AICORE_VERIFY_INTRINSICRULES_H
#define OPC_LOWERING_AICORE_VERIFY_INTRINSICRULES_H

#include "dialect/aicore/AICoreOps.h"
#include "lowering/aicore/verify/values/Facts.h"
#include "runtime/target/Target.h"

namespace opc::aicore {

/// Checks the rules placed_c6 (types), placed_c7 (rounding), placed_c12 (scratch), placed_c13 (comparisons),
/// placed_c19 (lengths in units), placed_c20 (lengths of results) and placed_c21 (operands that must not overlap).
mlir::LogicalResult verifyIntrinsic(VectorOpInterface op, const Target &target, const Facts &facts);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_VERIFY_INTRINSICRULES_H

// The operations and types that a kernel of each phase may contain: one table for the verifiers of all phases.

#ifndef OPC_LOWERING_AICORE_VERIFY_LEGALITY_H
#define OPC_LOWERING_AICORE_VERIFY_LEGALITY_H

#include "dialect/aicore/AICoreOps.h"

namespace opc::aicore {

/// Checks the rules placed_c1 (operations) and placed_c2 (types) for everything in a kernel of `phase`.
mlir::LogicalResult verifyLegality(mlir::Operation *kernel, Phase phase);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_VERIFY_LEGALITY_H

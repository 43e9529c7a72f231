// Rules of one intrinsic on one chip: part of phase `placed`.

#ifndef OPC_LOWERING_AICORE_VERIFY_INTRINSICRULES_H
#define OPC_LOWERING_AICORE_VERIFY_INTRINSICRULES_H

#include "dialect/aicore/AICoreOps.h"
#include "lowering/aicore/verify/Facts.h"
#include "runtime/target/Target.h"

namespace opc::aicore {

/// Rules placed_c6 (types), placed_c7 (rounding), placed_c12 (scratch) and placed_c13
/// (comparisons).
mlir::LogicalResult verifyIntrinsic(VectorOpInterface op, const Target &target, const Facts &facts);

/// The tiles of an intrinsic that have one element for each element of the result (placed_c8).
llvm::SmallVector<mlir::Value> tilesOfOneLength(VectorOpInterface op);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_VERIFY_INTRINSICRULES_H

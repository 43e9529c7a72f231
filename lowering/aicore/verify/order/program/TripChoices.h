// The trip counts for which a kernel is walked.

#ifndef OPC_LOWERING_AICORE_VERIFY_ORDER_PROGRAM_TRIPCHOICES_H
#define OPC_LOWERING_AICORE_VERIFY_ORDER_PROGRAM_TRIPCHOICES_H

#include "lowering/aicore/verify/order/program/Unrolling.h"

#include "llvm/ADT/MapVector.h"

namespace opc::aicore::proof {

/// The trip counts of the loops with one bound.
struct TripRange {
  int64_t most;         ///< largest trip count to be tried
  int64_t least;        ///< smallest; equal to `most` for a constant bound
  bool changes = false; ///< recomputed in an outer loop
};

using TripRanges = llvm::MapVector<mlir::Value, TripRange>;

/// Calls `visit` for all combinations of trip counts, the first bound fastest. A bound that changes has the same count
/// each time, and mixed counts in some additional walks. Returns false as soon as `visit` does.
bool forEachChoice(const TripRanges &ranges, llvm::function_ref<bool(const TripCounts &)> visit);

/// The number of combinations, at most `limit`.
size_t numberOfChoices(const TripRanges &ranges, size_t limit);

} // namespace opc::aicore::proof

#endif // OPC_LOWERING_AICORE_VERIFY_ORDER_PROGRAM_TRIPCHOICES_H

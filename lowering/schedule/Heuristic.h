// The schedule of a kernel: the author's numbers, and for the rest what fits the target's UB.
//
//   slots      2, so that DMA and the vector unit work on two tiles; 1 if several passes over a
//              row would take more event ids than a pair of pipes has
//   tile       as many elements as UB holds beside the buffers of fixed size
//   rows       one per 64 elements of a tile; shorter rows leave a part of it unused
//   prefetch   if the scalar unit waits for values of rows
//   alias      never by default: results over loaded tiles save bytes, but loads wait for them
//   expansion  float32 by default: float16 saves bytes and loses digits

#ifndef OPC_LOWERING_SCHEDULE_HEURISTIC_H
#define OPC_LOWERING_SCHEDULE_HEURISTIC_H

#include "ops/contract/domain/ShapeKeys.h"
#include "runtime/target/Target.h"

#include "dialect/aicore/AICoreOps.h"

#include <string>
#include <vector>

namespace opc {

struct ScheduleChoice {
  /// Null if even the smallest tile does not fit, or if the author's choice does not.
  aicore::ScheduleAttr schedule;
  /// The requested schedule, whether or not it fits; with the smallest tile if no tile was requested.
  aicore::ScheduleAttr asked;
  int64_t largestTile = 0;      ///< largest that fits with these slots and rows; none if below 256
  int64_t bytes = 0;            ///< taken by the chosen tile and rows
  std::vector<std::string> why; ///< one sentence for each decision
};

/// What computes the operands of a matrix product; null for one that is multiplied as it lies in memory.
struct OperandNeeds {
  aicore::NeedsAttr left, right;
};

/// `needs` must be those for the alias and expansion that the author requests (needsFor).
ScheduleChoice chooseSchedule(aicore::NeedsAttr needs, const ShapeKey &key, const ContractSchedule &author,
                              const Target &target, const OperandNeeds &operands = {});

/// The needs of an instance under a schedule with this alias and expansion; those without, if it makes no difference
/// for this kernel.
aicore::NeedsAttr needsFor(llvm::ArrayRef<aicore::NeedsAttr> variants, bool alias, int64_t expansion);

/// Cycles for 2^20 elements, in rows of 1024 if the key has rows, by the target's cost model. This is a formula and
/// not a simulation.
///
///   L, V, S   of a tile: loads, computation, stores
///   2 slots   tiles * max(L, V, S)          loads and stores overlap with computation
///   1 slot    tiles * max(V, L + a V, b V + S)   the bytes of a tile are filled, read, filled again;
///                                           a and b are the shares of the computation in between
///                                           (the reach of loads and of stores in #aicore.needs)
///   alias     adds the store: with two slots at least (L + V + S) / 2, with one L + V + S
int64_t estimateCycles(aicore::NeedsAttr needs, aicore::ScheduleAttr schedule, const ShapeKey &key,
                       const Target &target);

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_HEURISTIC_H

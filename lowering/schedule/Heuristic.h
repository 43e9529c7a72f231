// The schedule of one kernel: what the author says, and the rest from what the target's UB holds.
//
//   slots      2, so that DMA and the vector unit work on two tiles; 1 where several passes over a
//              row would take more event ids than a pair of pipes has
//   tile       as many elements as UB holds beside what does not depend on the tile
//   rows       one for 64 elements of a tile: shorter rows leave a part of it empty
//   prefetch   where the scalar unit waits for values of rows
//   alias      never of itself: results over loaded tiles save bytes, and loads wait for them
//   expansion  float32 of itself: float16 saves bytes and costs digits

#ifndef OPC_LOWERING_SCHEDULE_HEURISTIC_H
#define OPC_LOWERING_SCHEDULE_HEURISTIC_H

#include "ops/contract/ShapeKeys.h"
#include "runtime/target/Target.h"

#include "dialect/aicore/AICoreOps.h"

#include <string>
#include <vector>

namespace opc {

struct ScheduleChoice {
  /// Null: not even the smallest tile fits, or what the author chose does not.
  aicore::ScheduleAttr schedule;
  /// What was asked for, whether or not it fits; the smallest tile, where no tile was.
  aicore::ScheduleAttr asked;
  int64_t largestTile = 0;      ///< that fits beside the slots and rows; below 256: none
  int64_t bytes = 0;            ///< that the chosen tile and rows take
  std::vector<std::string> why; ///< a sentence for each decision
};

/// `needs` are those under the alias and expansion that the author asks for (needsFor).
ScheduleChoice chooseSchedule(aicore::NeedsAttr needs, const ShapeKey &key, const ContractSchedule &author,
                              const Target &target);

/// Of an instance's needs those under a schedule with these two; those without, where it changes nothing
/// for this kernel.
aicore::NeedsAttr needsFor(llvm::ArrayRef<aicore::NeedsAttr> variants, bool alias, int64_t expansion);

/// Cycles for 2^20 elements, in rows of 1024 where the key has rows, by the target's cost model: a formula,
/// not a simulation.
///
///   L, V, S   of a tile: loads, computation, stores
///   2 slots   tiles * max(L, V, S)          loads and stores beside the computation
///   1 slot    tiles * max(V, L + a V, b V + S)   a tile's bytes are filled, read, filled again;
///                                           a, b of the computation lie in between (the reach of
///                                           loads and of stores in #aicore.needs)
///   alias     the store joins: with two slots at least (L + V + S) / 2, with one L + V + S
int64_t estimateCycles(aicore::NeedsAttr needs, aicore::ScheduleAttr schedule, const ShapeKey &key,
                       const Target &target);

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_HEURISTIC_H

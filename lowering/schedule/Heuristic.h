// The schedule of one kernel: what the author says, and the rest from what the target's UB holds.
//
//   slots      2, so that DMA and the vector unit work on two tiles; 1 where several passes over a
//              row would take more event ids than a pair of pipes has
//   tile       as many elements as UB holds beside what does not depend on the tile
//   rows       one for 32 elements of a tile: shorter rows leave a part of it empty
//   prefetch   where the scalar unit waits for values of rows

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
  int64_t largestTile = 0;      ///< that fits beside the slots and rows; below 256: none
  int64_t bytes = 0;            ///< that the chosen tile and rows take
  std::vector<std::string> why; ///< a sentence for each decision
};

ScheduleChoice chooseSchedule(aicore::NeedsAttr needs, const ShapeKey &key,
                              const ContractSchedule &author, const Target &target);

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_HEURISTIC_H

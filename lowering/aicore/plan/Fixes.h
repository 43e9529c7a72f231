// What would make a kernel fit whose capacities are its author's: the smallest changes, and what each costs
// by the cost model.

#ifndef OPC_LOWERING_AICORE_PLAN_FIXES_H
#define OPC_LOWERING_AICORE_PLAN_FIXES_H

#include "lowering/aicore/plan/PipeClock.h"
#include "lowering/aicore/plan/Planner.h"

#include <string>

namespace opc::aicore {

struct PlanFix {
  std::string text;   ///< "tiles of 15872 elements instead of 24576"
  int64_t bytes = 0;  ///< of UB that the kernel takes then
  int64_t cycles = 0; ///< for as many elements as a tile has now
  ClockVariant variant;
};

struct PlanFixes {
  int64_t cycles = 0;         ///< of a tile as it is, if UB were large enough
  std::vector<PlanFix> fixes; ///< the cheapest first
  /// "depends on assumed ...": figures at half or double of which another one is the cheapest.
  std::string dependsOn;
};

PlanFixes fixesOf(mlir::func::FuncOp kernel, const KernelRanges &ranges, const PlanRequest &request);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLAN_FIXES_H

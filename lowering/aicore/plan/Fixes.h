// Suggestions for a kernel with explicit capacities that does not fit UB: the smallest changes that make it fit, and
// the cost of each by the cost model.

#ifndef OPC_LOWERING_AICORE_PLAN_FIXES_H
#define OPC_LOWERING_AICORE_PLAN_FIXES_H

#include "lowering/aicore/plan/PipeClock.h"
#include "lowering/aicore/plan/Planner.h"

#include <string>

namespace opc::aicore {

struct PlanFix {
  std::string text;   ///< "tiles of 15872 elements instead of 24576"
  int64_t bytes = 0;  ///< bytes of UB that the kernel then takes
  int64_t cycles = 0; ///< for as many elements as a tile has now
  ClockVariant variant;
};

struct PlanFixes {
  int64_t cycles = 0;         ///< of a tile without the change, if UB were large enough
  std::vector<PlanFix> fixes; ///< cheapest first
  /// "depends on assumed ...": the figures that, halved or doubled, would make another fix the cheapest.
  std::string dependsOn;
};

PlanFixes fixesOf(mlir::func::FuncOp kernel, const KernelRanges &ranges, const PlanRequest &request);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLAN_FIXES_H

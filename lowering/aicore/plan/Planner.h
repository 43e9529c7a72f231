// From live ranges to addresses: which degree of sharing, which algorithm, and what it costs.
//
//   1. each buffer has bytes of its own (kernels whose capacities were chosen to fit side by side)
//   2. buffers share where no pipe waits for another: first fit, then the exact search
//   3. buffers share where the order of the text allows it: of the pairs for which pipes wait, those that cost most by
//      the cost model are kept apart again, as long as a plan is found
//
// Capacities are given: bytes that sharing saves are of no use to anyone unless something does not fit. So a later
// step is taken only where the one before finds nothing.

#ifndef OPC_LOWERING_AICORE_PLAN_PLANNER_H
#define OPC_LOWERING_AICORE_PLAN_PLANNER_H

#include "lowering/aicore/plan/LiveRanges.h"
#include "runtime/target/Target.h"

namespace opc::aicore {

struct KernelPlan {
  PlanSolution solution;   ///< addresses by buffer
  Sharing sharing{};       ///< that it took
  bool searched = false;   ///< first fit found nothing
  int64_t cycles = 0;      ///< of a tile (PipeClock)
  int64_t cyclesApart = 0; ///< of a tile if nothing shared bytes
};

/// Why there is no plan.
struct PlanFailure {
  int64_t needed = 0;  ///< bytes of the least that was found, or of the peak
  bool proved = false; ///< no plan exists; else the search came to its limit
};

struct PlanRequest {
  const Target *target = nullptr;
  int64_t alignment = 32;
  bool sideBySide = false; ///< try a place of its own for each buffer first
};

/// A plan, or why there is none. The problem is checked and the plan verified; what is wrong there is a
/// failure that is proved.
std::optional<KernelPlan> planKernel(mlir::func::FuncOp kernel, const KernelRanges &ranges, const PlanRequest &request,
                                     PlanFailure &failure);

/// The request for a kernel: its schedule's alignment, and side by side where there is a schedule.
PlanRequest planRequestOf(mlir::func::FuncOp kernel, const Target &target);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLAN_PLANNER_H

// From live ranges to addresses: chooses the degree of sharing and the algorithm, and computes what the plan costs.
//
//   1. each buffer has bytes of its own (for kernels whose capacities were chosen to fit side by side)
//   2. buffers share if no pipe waits for another: first fit, then the exact search
//   3. buffers share if program order allows it: of the pairs for which pipes wait, the most expensive by the cost
//      model are kept apart again, as long as a plan is found
//
// Capacities are given, so the bytes that sharing saves are useless unless something does not fit. A later step is
// taken only if the previous one finds no plan.

#ifndef OPC_LOWERING_AICORE_PLAN_PLANNER_H
#define OPC_LOWERING_AICORE_PLAN_PLANNER_H

#include "lowering/aicore/plan/LiveRanges.h"
#include "runtime/target/Target.h"

namespace opc::aicore {

struct KernelPlan {
  PlanSolution solution;   ///< by buffer
  Sharing sharing{};       ///< the degree of sharing that was needed
  bool searched = false;   ///< whether first fit failed
  int64_t cycles = 0;      ///< of one tile (PipeClock)
  int64_t cyclesApart = 0; ///< of one tile if no buffers shared bytes
};

/// Why there is no plan.
struct PlanFailure {
  int64_t needed = 0;  ///< bytes of the smallest plan that was found, or of the peak
  bool proved = false; ///< no plan exists; otherwise the search reached its limit
};

struct PlanRequest {
  const Target *target = nullptr;
  int64_t alignment = 32;
  bool sideBySide = false; ///< first try without sharing
};

/// A plan, or the reason why there is none. The problem is checked before and the plan verified afterwards; an error
/// there is reported as a proved failure.
std::optional<KernelPlan> planKernel(mlir::func::FuncOp kernel, const KernelRanges &ranges, const PlanRequest &request,
                                     PlanFailure &failure);

/// Addresses of the buffers of a memory other than UB: buffers share bytes first only if no pipe has to wait for
/// another, then wherever program order allows it. Nullopt if there is no plan.
std::optional<PlanSolution> planMemory(const KernelRanges &ranges, Memory memory, const Target &target);

/// The request for a kernel: the alignment of its schedule, and side by side if it has a schedule.
PlanRequest planRequestOf(mlir::func::FuncOp kernel, const Target &target);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLAN_PLANNER_H

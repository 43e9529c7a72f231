// Planning: from `rotated` to `planned`. LiveRanges.h states the problem of a kernel and Planner.h finds addresses.
// This pass writes them into the IR, or reports the buffers that are live at the peak. It is written by hand because
// it is a global decision: all addresses of a kernel are chosen at once, in a fixed order of attempts.

#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/Passes.h"
#include "lowering/aicore/plan/Fixes.h"
#include "lowering/aicore/plan/PeakTable.h"
#include "runtime/diagnostic/Kilobytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace opc;
using namespace opc::aicore;

namespace opc::aicore {
#define GEN_PASS_DEF_PLANPASS
#include "lowering/aicore/Passes.h.inc"
} // namespace opc::aicore

/// More buffers than any kernel has; the planner compares all pairs.
static constexpr int64_t kMostBuffers = 512;

static void reportPeak(func::FuncOp kernel, const KernelRanges &ranges, const PlanRequest &request,
                       const PlanFailure &failure) {
  const Target &target = *request.target;
  PeakTable peak = peakOf(kernel, ranges, Sharing::Text, request);
  InFlightDiagnostic diagnostic = peak.place->emitError("[ub_c1] expects tiles that live at one time to fit the ")
                                  << kilobytes(target.ubBytes()) << " of UB on " << target.name() << ", found "
                                  << kilobytes(std::max(failure.needed, peak.bytes)) << " here";
  if (peak.bytes <= target.ubBytes())
    diagnostic.attachNote(peak.place->getLoc())
        << kilobytes(peak.bytes) << " live here, but no addresses were found for all " << ranges.buffers.size()
        << " buffers" << (failure.proved ? ": there are none" : " within the search's limit");
  for (auto [range, lives] : llvm::zip(ranges.buffers, peak.lives))
    if (lives)
      diagnostic.attachNote(placeOf(range.buffer)) << takenText(range.buffer);
  PlanFixes fixes = fixesOf(kernel, ranges, request);
  for (const PlanFix &fix : fixes.fixes) {
    mlir::Diagnostic &note = diagnostic.attachNote(kernel.getLoc());
    note << "would fit: " << fix.text << ", " << kilobytes(fix.bytes) << "; about " << fix.cycles
         << " cycles for as many elements instead of " << fixes.cycles << ", by the cost model";
    if (&fix == &fixes.fixes.front() && !fixes.dependsOn.empty())
      note << "; that it is the cheapest " << fixes.dependsOn;
  }
}

/// Reports the buffers of a memory that is too small, at the time of the most live bytes.
static LogicalResult reportMemory(func::FuncOp kernel, const KernelRanges &ranges, Memory memory,
                                  const Target &target) {
  const PlanProblem problem =
      problemOf(ranges, Sharing::Text, target.memoryBytes(memory), target.memoryAlignment(memory));
  auto [bytes, time] = problem.peak();
  Operation *place = time / 2 < ranges.ops.size() ? ranges.ops[time / 2] : kernel.getOperation();
  InFlightDiagnostic diagnostic = place->emitError("[plan_c4] expects tiles that live at one time to fit the ")
                                  << kilobytes(problem.capacity) << " of " << StringRef(memoryName(memory)) << " on "
                                  << target.name() << ", found " << kilobytes(bytes) << " here";
  for (auto [range, item] : llvm::zip(ranges.buffers, problem.items))
    if (llvm::is_contained(item.times, time))
      diagnostic.attachNote(placeOf(range.buffer)) << takenText(range.buffer);
  return diagnostic;
}

namespace {
struct PlanPass : opc::aicore::impl::PlanPassBase<PlanPass> {
  using PlanPassBase::PlanPassBase;

  LogicalResult plan(func::FuncOp kernel, const Target &chip) {
    int64_t buffers = 0;
    kernel.walk([&](BufferOp) { ++buffers; });
    if (buffers > kMostBuffers)
      return kernel.emitError("[unroll_c2] expects at most ")
             << kMostBuffers << " buffers in one kernel, found " << buffers;
    const KernelRanges all = liveRangesOf(kernel);
    KernelRanges ranges = rangesIn(all, Space::UB);
    PlanRequest request = planRequestOf(kernel, chip);
    PlanFailure failure;
    std::optional<KernelPlan> plan = planKernel(kernel, ranges, request, failure);
    if (!plan) {
      reportPeak(kernel, ranges, request, failure);
      return mlir::failure();
    }
    int64_t total = 0;
    for (auto [range, address] : llvm::zip(ranges.buffers, plan->solution.addresses)) {
      range.buffer.setAddress(address);
      total += range.buffer.getBytes();
      ++numPlanned;
    }
    for (Space space : {Space::L1, Space::L0A, Space::L0B, Space::L0C, Space::BT}) {
      const KernelRanges inMemory = rangesIn(all, space);
      if (inMemory.buffers.empty())
        continue;
      std::optional<PlanSolution> solution = planMemory(inMemory, toTarget(space), chip);
      if (!solution)
        return reportMemory(kernel, inMemory, toTarget(space), chip);
      for (auto [range, address] : llvm::zip(inMemory.buffers, solution->addresses))
        BufferOp(range.buffer).setAddress(address);
      numPlanned += inMemory.buffers.size();
    }
    bytesShared += std::max<int64_t>(0, total - plan->solution.bytes);
    numSearched += plan->searched;
    numWaiting += plan->cycles > plan->cyclesApart && plan->sharing == Sharing::Text;
    setPhase(kernel, Phase::Planned);
    return success();
  }

  void runOnOperation() override {
    const Target *chip = targetByName(getOperation(), target);
    if (!chip)
      return signalPassFailure();
    FailureOr<SmallVector<func::FuncOp>> kernels = kernelsAt(getOperation(), Phase::Rotated);
    if (failed(kernels))
      return signalPassFailure();
    for (func::FuncOp kernel : *kernels)
      if (failed(plan(kernel, *chip)))
        return signalPassFailure();
  }
};
} // namespace

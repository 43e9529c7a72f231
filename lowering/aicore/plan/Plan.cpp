// Planning: from `rotated` to `planned`. LiveRanges.h states what a kernel asks for, Planner.h
// finds addresses; here they are written down, or an error says who lives at the peak.

#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/Passes.h"
#include "lowering/aicore/plan/Fixes.h"

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

/// Beyond what any kernel has; the planner looks at all pairs.
static constexpr int64_t kMostBuffers = 512;

/// "12 KB", "12.5 KB": bytes for a message, in units of 1024.
static std::string kilobytes(int64_t bytes) {
  std::string text = std::to_string(bytes / 1024);
  if (int64_t tenth = bytes % 1024 * 10 / 1024)
    text += "." + std::to_string(tenth);
  return text + " KB";
}

static void reportPeak(func::FuncOp kernel, const KernelRanges &ranges, const PlanRequest &request,
                       const PlanFailure &failure) {
  const Target &target = *request.target;
  PlanProblem problem = problemOf(ranges, Sharing::Text, target.ubBytes(), request.alignment);
  auto [bytes, time] = problem.peak();
  Operation *place = time / 2 < ranges.ops.size() ? ranges.ops[time / 2] : kernel.getOperation();
  InFlightDiagnostic diagnostic =
      place->emitError("[ub_c1] expects tiles that live at one time to fit the ")
      << kilobytes(target.ubBytes()) << " of UB on " << target.name() << ", found "
      << kilobytes(std::max(failure.needed, bytes)) << " here";
  if (bytes <= target.ubBytes())
    diagnostic.attachNote(place->getLoc())
        << kilobytes(bytes) << " live here, but no addresses were found for all "
        << ranges.buffers.size() << " buffers"
        << (failure.proved ? ": there are none" : " within the search's limit");
  for (auto [range, item] : llvm::zip(ranges.buffers, problem.items)) {
    if (!llvm::is_contained(item.times, time))
      continue;
    BufferOp buffer = range.buffer;
    mlir::Diagnostic &note = diagnostic.attachNote(buffer->getLoc());
    note << "'" << buffer.getName() << "' takes " << kilobytes(buffer.getBytes());
    if (buffer.getSlots() > 1)
      note << ", " << buffer.getSlots() << " slots of " << kilobytes(buffer.getSlotBytes());
  }
  PlanFixes fixes = fixesOf(kernel, ranges, request);
  for (const PlanFix &fix : fixes.fixes)
    diagnostic.attachNote(kernel.getLoc())
        << "would fit: " << fix.text << ", " << kilobytes(fix.bytes) << "; about " << fix.cycles
        << " cycles for as many elements instead of " << fixes.cycles << ", by the cost model";
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
    KernelRanges ranges = liveRangesOf(kernel);
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

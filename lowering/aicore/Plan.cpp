// Planning: from `rotated` to `planned`. LiveRanges.h states the problem, FirstFit.cpp solves it;
// here the answer becomes addresses, or an error that says who lives at the peak.
//
// Sharing bytes between pipes would be legal too (flags are inserted by address), but each such
// sharing makes one pipe wait for another. So what DMA touches shares with nothing that its loop
// uses.

#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/LiveRanges.h"
#include "lowering/aicore/Passes.h"

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

/// "12 KB", "12.5 KB": bytes for a message, in units of 1024.
static std::string kilobytes(int64_t bytes) {
  std::string text = std::to_string(bytes / 1024);
  if (int64_t tenth = bytes % 1024 * 10 / 1024)
    text += "." + std::to_string(tenth);
  return text + " KB";
}

/// Bytes that live at one position.
static int64_t liveAt(const PlanProblem &problem, unsigned position) {
  int64_t bytes = 0;
  for (const PlannedBuffer &buffer : problem.buffers)
    if (buffer.first <= position && position <= buffer.last)
      bytes += buffer.bytes;
  return bytes;
}

static void reportPeak(func::FuncOp kernel, const PlanProblem &problem, const Target &target,
                       int64_t needed) {
  unsigned peak = 0;
  for (unsigned position = 1; position < problem.positions.size(); ++position)
    if (liveAt(problem, position) > liveAt(problem, peak))
      peak = position;
  Operation *place = problem.positions.empty() ? kernel.getOperation() : problem.positions[peak];
  InFlightDiagnostic diagnostic =
      place->emitError("[ub_c1] expects tiles that live at one time to fit the ")
      << kilobytes(target.ubBytes()) << " of UB on " << target.name() << ", found "
      << kilobytes(std::max(needed, liveAt(problem, peak))) << " here";
  for (const PlannedBuffer &planned : problem.buffers) {
    if (peak < planned.first || planned.last < peak)
      continue;
    BufferOp buffer = planned.buffer;
    mlir::Diagnostic &note = diagnostic.attachNote(buffer->getLoc());
    note << "'" << buffer.getName() << "' takes " << kilobytes(planned.bytes);
    if (buffer.getSlots() > 1)
      note << ", " << buffer.getSlots() << " slots of " << kilobytes(buffer.getSlotBytes());
  }
}

namespace {
struct PlanPass : opc::aicore::impl::PlanPassBase<PlanPass> {
  using PlanPassBase::PlanPassBase;

  LogicalResult plan(func::FuncOp kernel, const Target &chip) {
    PlanProblem problem = liveRangesOf(kernel);
    auto schedule = kernel->getAttrOfType<ScheduleAttr>(AICoreDialect::kScheduleAttr);
    int64_t alignment =
        std::max<int64_t>(chip.ubAlignment(), schedule ? schedule.getAlignment() : 0);
    int64_t needed = planFirstFit(problem, alignment, chip.ubBytes());
    if (needed > chip.ubBytes()) {
      reportPeak(kernel, problem, chip, needed);
      return failure();
    }
    int64_t total = 0;
    for (PlannedBuffer &buffer : problem.buffers) {
      buffer.buffer.setAddress(buffer.address);
      total += buffer.bytes;
      ++numPlanned;
    }
    bytesShared += std::max<int64_t>(0, total - needed);
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

// The invariant of phase `rotated`, rules rotated_c1 to rotated_c4 (Passes.td): buffers are in the kernel's entry
// block, only buffers that DMA accesses have slots, and every view of such a buffer selects an existing slot.

#include "lowering/aicore/verify/Rules.h"
#include "lowering/aicore/verify/values/Facts.h"

#include "lowering/aicore/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace opc::aicore {
#define GEN_PASS_DEF_VERIFYROTATEDPASS
#include "lowering/aicore/Passes.h.inc"

static LogicalResult verifySlot(memref::SubViewOp view, BufferOp buffer, const Facts &facts) {
  bool picksOne = view.getType().getRank() == 1 && getConstantIntValue(view.getMixedSizes().front()) == 1;
  if (!picksOne)
    return view.emitError("[rotated_c2] expects a view of a buffer with slots to pick one of them, found ")
           << view.getType();
  Fact slot = facts.of(view.getMixedOffsets().front());
  if (slot.min >= 0 && slot.max < buffer.getSlots())
    return success();
  InFlightDiagnostic diagnostic = view.emitError("[rotated_c3] expects a slot between 0 and ")
                                  << buffer.getSlots() - 1 << ", found one in " << toText(slot);
  diagnostic.attachNote(buffer.getLoc()) << "'" << buffer.getName() << "' has " << buffer.getSlots() << " slots";
  return diagnostic;
}

/// Checks that all views of the buffer select a slot. `movedByDma` is set if a pipe that moves data uses one.
static LogicalResult verifySlots(BufferOp buffer, const Facts &facts, bool &movedByDma) {
  SmallVector<Value> views;
  for (Operation *user : buffer.getMemref().getUsers()) {
    auto view = dyn_cast<memref::SubViewOp>(user);
    if (!view)
      return user->emitError("[rotated_c2] expects a view of a buffer with slots to pick one of "
                             "them, found the whole of '")
             << buffer.getName() << "'";
    if (failed(verifySlot(view, buffer, facts)))
      return failure();
    views.push_back(view.getResult());
  }
  while (!views.empty()) {
    Value view = views.pop_back_val();
    for (Operation *user : view.getUsers()) {
      if (auto pipeOp = dyn_cast<PipeOpInterface>(user))
        movedByDma |= pipeOp.getPipe() != Pipe::V && pipeOp.getPipe() != Pipe::S && pipeOp.getPipe() != Pipe::M;
      views.append(user->result_begin(), user->result_end());
    }
  }
  return success();
}

LogicalResult verifyRotatedRules(func::FuncOp kernel, const Target &) {
  Facts facts(kernel);
  WalkResult result = kernel.walk([&](BufferOp buffer) -> WalkResult {
    if (buffer->getParentOp() != kernel)
      return buffer.emitError("[rotated_c1] expects buffers at the entry of the kernel, found '")
             << buffer.getName() << "' in '" << buffer->getParentOp()->getName() << "'";
    if (buffer.getType().getRank() == 1)
      return WalkResult::advance();
    bool movedByDma = false;
    if (failed(verifySlots(buffer, facts, movedByDma)))
      return WalkResult::interrupt();
    if (!movedByDma)
      return buffer.emitError("[rotated_c4] expects buffers with slots to be touched by DMA; '")
             << buffer.getName() << "' is not; one slot is enough";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct VerifyRotatedPass : impl::VerifyRotatedPassBase<VerifyRotatedPass> {
  using VerifyRotatedPassBase::VerifyRotatedPassBase;
  void runOnOperation() override {
    if (failed(verifyKernelsAt(getOperation(), target, Phase::Rotated)))
      return signalPassFailure();
  }
};
} // namespace

} // namespace opc::aicore

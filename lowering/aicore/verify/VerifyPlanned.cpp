// The invariant of phase `planned`, rules plan_c1 to plan_c3 and ub_c2 (Passes.td): every buffer has a legal address,
// and buffers that are live at the same time do not overlap. Liveness follows program order (Liveness.h): no write
// destroys what is read later. Phase `synced` proves, by address, that the pipes keep this order.

#include "lowering/aicore/verify/Liveness.h"
#include "lowering/aicore/verify/Rules.h"

#include "lowering/aicore/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace opc::aicore {
#define GEN_PASS_DEF_VERIFYPLANNEDPASS
#include "lowering/aicore/Passes.h.inc"

static LogicalResult verifyAddress(BufferOp buffer, const Target &target) {
  if (!buffer.getAddress())
    return buffer.emitError("[plan_c1] expects every buffer to have an address; '") << buffer.getName() << "' has none";
  int64_t address = *buffer.getAddress();
  const Memory memory = toTarget(buffer.getSpace());
  const int64_t bytes = target.memoryBytes(memory), alignment = target.memoryAlignment(memory);
  if (address % alignment != 0)
    return buffer.emitError("[plan_c2] expects an address that is a multiple of ")
           << alignment << "; '" << buffer.getName() << "' is at " << address;
  if (address > bytes || buffer.getBytes() > bytes - address)
    return buffer.emitError("[ub_c2] expects buffers to end within the ")
           << bytes << " bytes of " << StringRef(memoryName(memory)) << " on " << target.name() << "; '"
           << buffer.getName() << "' of " << buffer.getBytes() << " bytes is at " << address;
  return success();
}

static bool share(BufferOp a, BufferOp b) {
  return a.getSpace() == b.getSpace() && *a.getAddress() < *b.getAddress() + b.getBytes() &&
         *b.getAddress() < *a.getAddress() + a.getBytes();
}

LogicalResult verifyPlannedRules(func::FuncOp kernel, const Target &target) {
  WalkResult result = kernel.walk([&](BufferOp buffer) { return WalkResult(verifyAddress(buffer, target)); });
  if (result.wasInterrupted())
    return failure();
  for (const Interference &pair : interferencesOf(kernel)) {
    BufferOp a = pair.a, b = pair.b;
    if (!share(a, b) || (pair.inPlaceIsFine && a.getAddress() == b.getAddress()))
      continue;
    auto place = [](BufferOp buffer) {
      return std::to_string(*buffer.getAddress()) + " to " +
             std::to_string(*buffer.getAddress() + buffer.getBytes() - 1);
    };
    InFlightDiagnostic diagnostic =
        a.emitError("[plan_c3] expects buffers that are live at the same time to share no bytes; '")
        << a.getName() << "' is at " << place(a) << ", '" << b.getName() << "' at " << place(b);
    diagnostic.attachNote(b.getLoc()) << "'" << b.getName() << "' is here";
    diagnostic.attachNote(pair.at->getLoc()) << "both are live here";
    return diagnostic;
  }
  return success();
}

namespace {
struct VerifyPlannedPass : impl::VerifyPlannedPassBase<VerifyPlannedPass> {
  using VerifyPlannedPassBase::VerifyPlannedPassBase;
  void runOnOperation() override {
    if (failed(verifyKernelsAt(getOperation(), target, Phase::Planned)))
      return signalPassFailure();
  }
};
} // namespace

} // namespace opc::aicore

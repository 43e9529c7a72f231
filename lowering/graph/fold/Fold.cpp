// --graph-fold: the order of the foldings. Patterns are functions over a Folder and not RewritePatterns of MLIR: each
// reports near misses (--explain-folding), asks the contracts whether its result exists, and may compute constants by
// kernels; a greedy driver would try and report in an arbitrary order.

#include "lowering/graph/Passes.h"
#include "lowering/graph/fold/FoldPass.h"
#include "lowering/graph/fold/Patterns.h"
#include "lowering/graph/memory/Overwrites.h"

#include "mlir/IR/BuiltinOps.h"

namespace opc::graph {

#define GEN_PASS_DEF_FOLDPASS
#include "lowering/graph/Passes.h.inc"

} // namespace opc::graph

using namespace mlir;
using namespace opc;
using namespace opc::graph;

static FoldReport fold(ModelOp model, const onnx::ContractSet &contracts, const RunInstance &run) {
  Folder folder(model, contracts);
  using Pattern = void (*)(Folder &, InstanceOp);
  auto each = [&](std::initializer_list<Pattern> patterns) {
    for (Pattern pattern : patterns)
      folder.forEach([&](InstanceOp instance) { pattern(folder, instance); });
  };
  // Patterns compare values, so equal values are merged first.
  foldEqual(folder, model);
  if (run)
    foldConstants(folder, model, run);
  each({foldNothing});
  foldEqual(folder, model);
  // Operators in pieces come before foldings that could use their pieces.
  each({foldNorm, foldSoftmax, foldGate});
  // Factors of channels are between a convolution and its activation.
  each({foldChannels, foldConvolution, foldProduct, foldDequantised, foldSum, tellAttention});
  // Attention is told of in its pieces.
  each({foldScores});
  foldEqual(folder, model);
  if (size_t dead = folder.eraseDead())
    folder.note({"dead", "", true, dead, {}});
  model.setPhaseAttr(PhaseAttr::get(model.getContext(), Phase::Folded));
  return folder.report();
}

namespace {

struct FoldPass : opc::graph::impl::FoldPassBase<FoldPass> {
  using FoldPassBase::FoldPassBase;
  FoldPass(const onnx::ContractSet &contracts, RunInstance run, FoldReport *report)
      : given(&contracts), run(std::move(run)), report(report) {}

  void runOnOperation() override {
    onnx::ContractSet read;
    if (!given && failed(readContracts(contracts, getOperation(), read)))
      return signalPassFailure();
    for (auto model : getOperation().getOps<ModelOp>()) {
      if (model.getPhase().getValue() != Phase::Legal)
        continue;
      FoldReport found = fold(model, given ? *given : read, run);
      if (explain)
        for (const FoldNote &note : found) {
          InFlightDiagnostic remark = mlir::emitRemark(model.getLoc());
          remark << (note.found ? "found " : "nearly ") << note.what << " at '" << note.node << "'";
          if (note.found)
            remark << " of " << note.pieces;
          else
            remark << ": " << note.reason;
        }
      if (report)
        *report = std::move(found);
    }
  }

  const onnx::ContractSet *given = nullptr;
  RunInstance run;
  FoldReport *report = nullptr;
};

} // namespace

std::unique_ptr<Pass> opc::graph::createFoldPass(const onnx::ContractSet &contracts, RunInstance run,
                                                 FoldReport *report) {
  return std::make_unique<FoldPass>(contracts, std::move(run), report);
}

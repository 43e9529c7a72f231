#include "lowering/aicore/Passes.h"
#include "lowering/pipelines/Pipelines.h"

#include "mlir/Pass/PassRegistry.h"

using namespace opc::aicore;

void opc::buildAicorePipeline(mlir::OpPassManager &passes, const AicorePipelineOptions &options) {
  const std::string &target = options.target;

  // What the host computes before each launch comes first: every bound that kernels state rests on
  // it.
  passes.addPass(createVerifyTilingPass());
  passes.addPass(createVerifyPlacedPass({target}));
  if (options.stopAfter == AicoreStop::Placed)
    return;

  // Slots before addresses: how much memory a buffer takes depends on how many it has.
  passes.addPass(createRotatePass());
  passes.addPass(createVerifyRotatedPass({target}));
  if (options.stopAfter == AicoreStop::Rotated)
    return;

  // Addresses before flags: buffers that share bytes depend on each other, and only addresses show
  // it.
  passes.addPass(createPlanPass({target}));
  passes.addPass(createVerifyPlannedPass({target}));
  if (options.stopAfter == AicoreStop::Planned)
    return;

  // Flags last: nothing may move past a flag that was placed for what stood there.
  passes.addPass(createInsertSyncPass({target, options.explainSync, options.portable}));
  if (options.prove)
    passes.addPass(createVerifySyncedPass({target, options.portable}));
}

std::optional<opc::AicoreStop> opc::aicoreStopByName(llvm::StringRef name) {
  static constexpr llvm::StringLiteral names[] = {"placed", "rotated", "planned", "synced"};
  for (auto [index, known] : llvm::enumerate(names))
    if (name == known)
      return static_cast<AicoreStop>(index);
  return std::nullopt;
}

namespace {
struct TextOptions : mlir::PassPipelineOptions<TextOptions> {
  Option<std::string> target{*this, "target", llvm::cl::desc("the chip, by its soc version"),
                             llvm::cl::init("Ascend310B1")};
  Option<opc::AicoreStop> stopAfter{
      *this, "stop-after", llvm::cl::desc("the last phase that is reached"), llvm::cl::init(opc::AicoreStop::Synced),
      llvm::cl::values(clEnumValN(opc::AicoreStop::Placed, "placed", "tiles, DMA, intrinsics"),
                       clEnumValN(opc::AicoreStop::Rotated, "rotated", "slots"),
                       clEnumValN(opc::AicoreStop::Planned, "planned", "addresses"),
                       clEnumValN(opc::AicoreStop::Synced, "synced", "flags and barriers"))};
  Option<bool> portable{*this, "portable", llvm::cl::desc("barriers of the vector pipe too, for other chips"),
                        llvm::cl::init(false)};
};
} // namespace

void opc::registerAicorePipeline() {
  mlir::PassPipelineRegistration<TextOptions>("aicore-pipeline",
                                              "from placed to synced, each phase behind its verifier",
                                              [](mlir::OpPassManager &passes, const TextOptions &options) {
                                                AicorePipelineOptions chosen;
                                                chosen.target = options.target;
                                                chosen.stopAfter = options.stopAfter;
                                                chosen.portable = options.portable;
                                                buildAicorePipeline(passes, chosen);
                                              });
}

#include "lowering/pipelines/Pipelines.h"

#include "lowering/aicore/Passes.h"
#include "lowering/cpu/Passes.h"
#include "lowering/graph/Passes.h"
#include "lowering/graph/legalize/Legalize.h"
#include "lowering/graph/memory/Overwrites.h"
#include "lowering/schedule/Passes.h"
#include "lowering/te/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace opc;
using mlir::OpPassManager;

//===----------------------------------------------------------------------===//
// te bodies
//===----------------------------------------------------------------------===//

void opc::buildTePipeline(OpPassManager &passes, TeStop stopAfter) {
  passes.addPass(te::createVerifyBoundPass());
  if (stopAfter == TeStop::Bound)
    return;

  // CSE runs before chains are cut into generics: two copies of a value would count as two users of its operands.
  passes.addPass(mlir::createCSEPass());
  passes.addPass(te::createTeToLinalgPass());
  passes.addPass(te::createVerifyFusedPass());
}

/// Needs come before schedules: a tile is as large as UB allows for what the body computes. `schedule` is the pass of
/// that name, created with a contract or with the path of one.
static void addSchedulePasses(OpPassManager &passes, const std::string &target, std::unique_ptr<mlir::Pass> schedule) {
  passes.addPass(aicore::createMeasurePass({target}));
  passes.addPass(std::move(schedule));
  passes.addPass(aicore::createVerifyTiledPass({target}));
}

void opc::buildSchedulePipeline(OpPassManager &passes, const ScheduleRequest &request) {
  addSchedulePasses(passes, std::string(request.target.name()), createSchedulePass(request));
}

//===----------------------------------------------------------------------===//
// The CPU
//===----------------------------------------------------------------------===//

// lowering/cpu/vector then emits LLVM IR. The loops of a fused kernel are known, so no pass is needed for them.
void opc::buildCpuTePipeline(OpPassManager &passes, const Contract &contract, const StaticShapes &shapes) {
  passes.addPass(createCpuSchedulePass(contract, shapes));
}

void opc::buildCpuLoopsPipeline(OpPassManager &passes) {
  passes.addPass(aicore::createExpandMultiplyPass());
  passes.addPass(cpu::createAICoreToLoopsPass());
  // Before LLVM, which would call the C library for functions without an instruction.
  passes.addPass(cpu::createExpandMathPass());
  passes.addPass(cpu::createLoopsToLLVMPass());
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

void opc::buildGraphPipeline(OpPassManager &passes, const GraphPipelineOptions &options) {
  passes.addPass(graph::createVerifyImportedPass());
  if (options.stopAfter == GraphStop::Imported)
    return;

  // Shapes, shape arithmetic and contracts depend on each other, so one pass handles all three.
  graph::LegalizePassOptions folders;
  folders.contracts.assign(options.contracts.begin(), options.contracts.end());
  passes.addPass(options.set ? graph::createLegalizePass(options.set->forms(), options.run, options.legal)
                             : graph::createLegalizePass(folders));
  passes.addPass(graph::createVerifyLegalPass());
  if (options.stopAfter == GraphStop::Legal)
    return;

  // Folding removes values that would need memory.
  graph::FoldPassOptions folding;
  folding.contracts = folders.contracts;
  folding.explain = options.explainFolding;
  passes.addPass(options.set ? graph::createFoldPass(*options.set, options.run, options.report)
                             : graph::createFoldPass(folding));
  passes.addPass(graph::createVerifyFoldedPass());
  if (options.stopAfter == GraphStop::Folded)
    return;

  graph::PlacePassOptions placing;
  placing.contracts = folders.contracts;
  graph::VerifyPlacedPassOptions verifying;
  verifying.contracts = folders.contracts;
  passes.addPass(options.set ? graph::createPlacePass(*options.set) : graph::createPlacePass(placing));
  passes.addPass(options.set ? graph::createVerifyPlacedPass(*options.set) : graph::createVerifyPlacedPass(verifying));
}

//===----------------------------------------------------------------------===//
// The AI Core
//===----------------------------------------------------------------------===//

void opc::buildPreviewPipeline(OpPassManager &passes, llvm::StringRef target) {
  passes.addPass(aicore::createPlacePass({target.str()}));
  passes.addPass(aicore::createRotatePass());
}

void opc::buildAicorePipeline(OpPassManager &passes, const AicorePipelineOptions &options) {
  const std::string &target = options.target;
  passes.addPass(aicore::createPlacePass({target}));

  // Constants come before any proof: the constant sizes of a static operator are bounds that verifiers may use.
  if (options.isStatic)
    passes.addPass(aicore::createSpecializePass());

  // No verifier knows products of operands in L1: it sees their steps.
  passes.addPass(aicore::createExpandMultiplyPass({target}));

  // Tiling functions, which the host runs before each launch, come first: every bound that kernels state depends on
  // them.
  passes.addPass(aicore::createVerifyTilingPass());
  passes.addPass(aicore::createVerifyPlacedPass({target}));
  if (options.stopAfter == AicoreStop::Placed)
    return;

  // Slots come before addresses: the size of a buffer depends on the number of its slots.
  passes.addPass(aicore::createRotatePass());
  passes.addPass(aicore::createVerifyRotatedPass({target}));
  if (options.stopAfter == AicoreStop::Rotated)
    return;

  // Addresses come before flags: buffers that share bytes depend on each other, and only addresses show that.
  passes.addPass(aicore::createPlanPass({target}));
  passes.addPass(aicore::createVerifyPlannedPass({target}));
  if (options.stopAfter == AicoreStop::Planned)
    return;

  // Flags come last: nothing may move across a flag, which orders the ops that exist when it is inserted.
  passes.addPass(aicore::createInsertSyncPass({target, options.explainSync, options.portable, options.fixToV}));
  if (options.prove)
    passes.addPass(aicore::createVerifySyncedPass({target, options.portable}));

  // Nests are joined last, since they are independent of each other.
  if (options.joinsNests)
    passes.addPass(aicore::createJoinNestsPass({target}));
}

//===----------------------------------------------------------------------===//
// Text and names
//===----------------------------------------------------------------------===//

PipelineText opc::pipelineText(std::string name, mlir::MLIRContext &context,
                               llvm::function_ref<void(OpPassManager &)> build) {
  mlir::PassManager passes(&context, mlir::ModuleOp::getOperationName());
  build(passes);
  PipelineText text{std::move(name), {}};
  llvm::raw_string_ostream os(text.text);
  passes.printAsTextualPipeline(os);
  return text;
}

std::optional<TeStop> opc::teStopByName(llvm::StringRef name) {
  if (name == "bound")
    return TeStop::Bound;
  if (name == "fused")
    return TeStop::Fused;
  return std::nullopt;
}

std::optional<GraphStop> opc::graphStopByName(llvm::StringRef name) {
  static constexpr llvm::StringLiteral names[] = {"imported", "legal", "folded", "placed"};
  for (auto [index, known] : llvm::enumerate(names))
    if (name == known)
      return static_cast<GraphStop>(index);
  return std::nullopt;
}

std::optional<AicoreStop> opc::aicoreStopByName(llvm::StringRef name) {
  static constexpr llvm::StringLiteral names[] = {"placed", "rotated", "planned", "synced"};
  for (auto [index, known] : llvm::enumerate(names))
    if (name == known)
      return static_cast<AicoreStop>(index);
  return std::nullopt;
}

namespace {

struct TargetOption {
  static constexpr const char *kStandard = "Ascend310B1";
  static constexpr const char *kHelp = "the chip, by its soc version";
};

struct TeTextOptions : mlir::PassPipelineOptions<TeTextOptions> {
  Option<std::string> contract{*this, "contract", llvm::cl::desc("the operator's contract, which 'tiled' needs")};
  Option<std::string> target{*this, "target", llvm::cl::desc(TargetOption::kHelp),
                             llvm::cl::init(TargetOption::kStandard)};
  Option<std::string> stopAfter{*this, "stop-after",
                                llvm::cl::desc("the last phase that is reached: bound, fused, tiled"),
                                llvm::cl::init("fused")};
};

struct CpuTeTextOptions : mlir::PassPipelineOptions<CpuTeTextOptions> {
  Option<std::string> contract{*this, "contract", llvm::cl::desc("the operator's contract, a path")};
};

struct AicoreTextOptions : mlir::PassPipelineOptions<AicoreTextOptions> {
  Option<std::string> target{*this, "target", llvm::cl::desc(TargetOption::kHelp),
                             llvm::cl::init(TargetOption::kStandard)};
  Option<AicoreStop> stopAfter{*this, "stop-after", llvm::cl::desc("the last phase that is reached"),
                               llvm::cl::init(AicoreStop::Synced),
                               llvm::cl::values(clEnumValN(AicoreStop::Placed, "placed", "tiles, DMA, intrinsics"),
                                                clEnumValN(AicoreStop::Rotated, "rotated", "slots"),
                                                clEnumValN(AicoreStop::Planned, "planned", "addresses"),
                                                clEnumValN(AicoreStop::Synced, "synced", "flags and barriers"))};
  Option<bool> isStatic{*this, "static", llvm::cl::desc("constants of the tiling function become constants of kernels"),
                        llvm::cl::init(false)};
  Option<bool> portable{*this, "portable", llvm::cl::desc("barriers of the vector pipe too, for other chips"),
                        llvm::cl::init(false)};
  Option<FixToV> fixToV{*this, "fix-to-v", llvm::cl::desc("how FIX and V are ordered"), llvm::cl::init(FixToV::Relay),
                        llvm::cl::values(clEnumValN(FixToV::Relay, "relay", "two flags through MTE1"),
                                         clEnumValN(FixToV::Direct, "direct", "a flag of the pair"))};
};

struct GraphTextOptions : mlir::PassPipelineOptions<GraphTextOptions> {
  ListOption<std::string> contracts{*this, "contracts", llvm::cl::desc("folders with contracts")};
  Option<GraphStop> stopAfter{*this, "stop-after", llvm::cl::desc("the last phase that is reached"),
                              llvm::cl::init(GraphStop::Placed),
                              llvm::cl::values(clEnumValN(GraphStop::Imported, "imported", "nodes of the file"),
                                               clEnumValN(GraphStop::Legal, "legal", "instances of contracts"),
                                               clEnumValN(GraphStop::Folded, "folded", "fewer instances"),
                                               clEnumValN(GraphStop::Placed, "placed", "memory"))};
};

} // namespace

static void buildTeText(OpPassManager &passes, const TeTextOptions &options) {
  buildTePipeline(passes, teStopByName(options.stopAfter).value_or(TeStop::Fused));
  if (options.stopAfter == "tiled")
    addSchedulePasses(passes, options.target, createSchedulePass({options.contract, options.target}));
}

static void buildAicoreText(OpPassManager &passes, const AicoreTextOptions &options) {
  AicorePipelineOptions chosen;
  chosen.target = options.target;
  chosen.stopAfter = options.stopAfter;
  chosen.isStatic = options.isStatic;
  chosen.portable = options.portable;
  chosen.fixToV = options.fixToV;
  buildAicorePipeline(passes, chosen);
}

void opc::registerPipelines() {
  mlir::PassPipelineRegistration<TeTextOptions>(
      "te-pipeline", "a te body from bound to fused, or to tiled, each phase followed by its verifier", buildTeText);
  mlir::PassPipelineRegistration<AicoreTextOptions>(
      "aicore-pipeline", "from tiled or placed to synced, each phase followed by its verifier", buildAicoreText);
  mlir::PassPipelineRegistration<CpuTeTextOptions>("cpu-te-pipeline",
                                                   "a te body at fused, as the CPU's code generator takes it",
                                                   [](OpPassManager &passes, const CpuTeTextOptions &options) {
                                                     passes.addPass(createCpuSchedulePass({options.contract}));
                                                   });
  mlir::PassPipelineRegistration<>("cpu-loops-pipeline", "kernels by hand to the LLVM dialect", buildCpuLoopsPipeline);
  mlir::PassPipelineRegistration<GraphTextOptions>(
      "graph-pipeline", "a model from imported to placed, each phase followed by its verifier",
      [](OpPassManager &passes, const GraphTextOptions &options) {
        GraphPipelineOptions chosen;
        chosen.stopAfter = options.stopAfter;
        chosen.contracts.assign(options.contracts.begin(), options.contracts.end());
        buildGraphPipeline(passes, chosen);
      });
}

// The order of the passes in every pipeline, and the reason for each position. No other file orders passes.
//
//   te body ─► buildTePipeline ─► fused ─► buildSchedulePipeline ─► tiled ─► buildAicorePipeline ─► synced
//                                   └────► buildCpuTePipeline ─► LLVM IR
//   kernel by hand ─► placed, or later ─► buildAicorePipeline ─► synced
//                                   └───► buildCpuLoopsPipeline ─► LLVM dialect
//   model ─► imported ─► buildGraphPipeline ─► placed
//
// Each pipeline is registered for opc-opt, with the contract as an option: te-pipeline, aicore-pipeline,
// cpu-te-pipeline, cpu-loops-pipeline, graph-pipeline. Passes run on a module.

#ifndef OPC_LOWERING_PIPELINES_PIPELINES_H
#define OPC_LOWERING_PIPELINES_PIPELINES_H

#include "lowering/graph/fold/FoldPass.h"
#include "lowering/graph/legalize/LegalReport.h"
#include "lowering/pipelines/PipelineText.h"
#include "lowering/schedule/Schedule.h"

#include "mlir/Pass/PassManager.h"

#include <optional>
#include <string>
#include <vector>

namespace opc {

/// The phases of te bodies that need no contract, in order; --stop-after accepts their names.
enum class TeStop { Bound, Fused };

/// "bound", "fused"; nullopt for any other name.
std::optional<TeStop> teStopByName(llvm::StringRef name);

/// From `bound` to `fused`, each phase followed by its verifier.
void buildTePipeline(mlir::OpPassManager &passes, TeStop stopAfter = TeStop::Fused);

/// From `fused` to `tiled`. The request must outlive the passes.
void buildSchedulePipeline(mlir::OpPassManager &passes, const ScheduleRequest &request);

/// The CPU pipeline for a te body at phase `fused`, which adds tiling functions. Both arguments must outlive the
/// passes.
void buildCpuTePipeline(mlir::OpPassManager &passes, const Contract &contract, const StaticShapes &shapes);

/// From kernels by hand, at any phase, to the LLVM dialect.
void buildCpuLoopsPipeline(mlir::OpPassManager &passes);

/// The phases of models, in order.
enum class GraphStop { Imported, Legal, Folded, Placed };

/// "imported", "legal", "folded", "placed"; nullopt for any other name.
std::optional<GraphStop> graphStopByName(llvm::StringRef name);

struct GraphPipelineOptions {
  GraphStop stopAfter = GraphStop::Placed; ///< the last phase to be reached
  const onnx::ContractSet *set = nullptr;  ///< must outlive the passes; null: read from `contracts`
  std::vector<std::string> contracts;      ///< folders
  graph::RunInstance run;                  ///< computes constants; none: they stay steps
  FoldReport *report = nullptr;            ///< receives the results of folding
  LegalReport *legal = nullptr;            ///< gets what became of each node
  bool explainFolding = false;             ///< a remark for each match and near miss
};

/// A model after its import, at phase `imported`, to `placed`, each phase followed by its verifier.
void buildGraphPipeline(mlir::OpPassManager &passes, const GraphPipelineOptions &options);

/// Places a scheduled kernel and gives its buffers slots, without verifiers: to inspect kernels that do not fit.
void buildPreviewPipeline(mlir::OpPassManager &passes, llvm::StringRef target);

/// The phases of the AI Core pipeline, in order; --stop-after accepts their names.
enum class AicoreStop { Placed, Rotated, Planned, Synced };

/// "placed", ...; nullopt for any other name.
std::optional<AicoreStop> aicoreStopByName(llvm::StringRef name);

struct AicorePipelineOptions {
  std::string target = "Ascend310B1";        ///< name of the chip (soc version)
  AicoreStop stopAfter = AicoreStop::Synced; ///< the last phase to be reached
  bool isStatic = false;                     ///< the operator has a single shape, whose constants the kernels get
  bool explainSync = false;                  ///< a remark for each flag and barrier
  bool prove = true;                         ///< prove flags and barriers; earlier phases are always verified
  bool portable = false;                     ///< also insert barriers on the vector pipe, for other chips
  FixToV fixToV = FixToV::Relay;             ///< how FIX and V are ordered
  bool joinsNests = false;                   ///< for emission: joins the nests of a launch into one kernel
};

/// From `tiled`, or from the phase at which a body by hand is written, to `synced`, each phase followed by its
/// verifier. A kernel at a later phase is left unchanged until that phase, and verified there.
void buildAicorePipeline(mlir::OpPassManager &passes, const AicorePipelineOptions &options = {});

/// The text of the passes that `build` adds.
PipelineText pipelineText(std::string name, mlir::MLIRContext &context,
                          llvm::function_ref<void(mlir::OpPassManager &)> build);

/// Registers the pipelines for opc-opt: --te-pipeline="contract=op_contract.yaml stop-after=tiled",
/// --aicore-pipeline="target=... stop-after=planned".
void registerPipelines();

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_PIPELINES_H

// The order of the passes of every way, and why each has its place. No other file has an order of passes.
//
//   te body ─► buildTePipeline ─► fused ─► buildSchedulePipeline ─► tiled ─► buildAicorePipeline ─► synced
//                                   └────► buildCpuTePipeline ─► LLVM IR
//   kernel by hand ─► placed, or later ─► buildAicorePipeline ─► synced
//                                   └───► buildCpuLoopsPipeline ─► LLVM dialect
//
// Each is registered for opc-opt under its name, with the contract as an option: te-pipeline, aicore-pipeline,
// cpu-te-pipeline, cpu-loops-pipeline. Passes run on a module.

#ifndef OPC_LOWERING_PIPELINES_PIPELINES_H
#define OPC_LOWERING_PIPELINES_PIPELINES_H

#include "lowering/schedule/Schedule.h"

#include "mlir/Pass/PassManager.h"

#include <optional>
#include <string>

namespace opc {

/// The phases of te bodies that need no contract, in order; --stop-after takes their names.
enum class TeStop { Bound, Fused };

/// "bound", "fused"; nullopt for any other name.
std::optional<TeStop> teStopByName(llvm::StringRef name);

/// From `bound` to `fused`, each phase followed by its verifier.
void buildTePipeline(mlir::OpPassManager &passes, TeStop stopAfter = TeStop::Fused);

/// From `fused` to `tiled`. The request lives longer than the passes.
void buildSchedulePipeline(mlir::OpPassManager &passes, const ScheduleRequest &request);

/// What a te body takes at phase `fused` on its way to the CPU: tiling functions. Both arguments live longer
/// than the passes.
void buildCpuTePipeline(mlir::OpPassManager &passes, const Contract &contract, const StaticShapes &shapes);

/// Kernels by hand, at any phase, to the LLVM dialect.
void buildCpuLoopsPipeline(mlir::OpPassManager &passes);

/// A scheduled kernel with the slots that it would have, without any verifier: for a look at kernels that do not fit.
void buildPreviewPipeline(mlir::OpPassManager &passes, llvm::StringRef target);

/// The phases of the AI Core way, in order; --stop-after takes their names.
enum class AicoreStop { Placed, Rotated, Planned, Synced };

/// "placed", ...; nullopt for any other name.
std::optional<AicoreStop> aicoreStopByName(llvm::StringRef name);

struct AicorePipelineOptions {
  std::string target = "Ascend310B1";        ///< the chip, by its soc version
  AicoreStop stopAfter = AicoreStop::Synced; ///< the last phase that is reached
  bool isStatic = false;                     ///< the operator takes one shape: kernels get its constants
  bool explainSync = false;                  ///< a remark for each flag and barrier
  bool prove = true;                         ///< flags and barriers; the phases before always are
  bool portable = false;                     ///< barriers of the vector pipe too, for other chips
};

/// From `tiled`, or from the phase that a body by hand is written at, to `synced`, each phase followed by its
/// verifier. A kernel of a later phase is left alone until there, and verified there.
void buildAicorePipeline(mlir::OpPassManager &passes, const AicorePipelineOptions &options = {});

/// Registers the pipelines for opc-opt: --te-pipeline="contract=op_contract.yaml
/// stop-after=tiled", --aicore-pipeline="target=... stop-after=planned".
void registerPipelines();

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_PIPELINES_H

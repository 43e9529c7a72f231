// The order of the passes, and why each stands where it does: the only place that knows it.

#ifndef OPC_LOWERING_PIPELINES_PIPELINES_H
#define OPC_LOWERING_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"

#include <optional>
#include <string>

namespace opc {

/// The phases of te bodies, in order; --stop-after takes their names.
enum class TeStop { Bound, Fused };

/// "bound", "fused"; nullopt for any other name.
std::optional<TeStop> teStopByName(llvm::StringRef name);

/// From `bound` to `fused`, each phase behind its verifier. Passes run on a module.
void buildTePipeline(mlir::OpPassManager &passes, TeStop stopAfter = TeStop::Fused);

/// The phases of the AI Core way, in order; --stop-after takes their names.
enum class AicoreStop { Placed, Rotated, Planned, Synced };

/// "placed", ...; nullopt for any other name.
std::optional<AicoreStop> aicoreStopByName(llvm::StringRef name);

struct AicorePipelineOptions {
  std::string target = "Ascend310B1";        ///< the chip, by its soc version
  AicoreStop stopAfter = AicoreStop::Synced; ///< the last phase that is reached
  bool explainSync = false;                  ///< a remark for each flag and barrier
  bool prove = true;                         ///< flags and barriers; the phases before always are
  bool portable = false;                     ///< barriers of the vector pipe too, for other chips
};

/// From `placed` to `synced`, each phase behind its verifier. A kernel that enters at a later phase
/// is left alone until there, and verified there. Passes run on a module.
void buildAicorePipeline(mlir::OpPassManager &passes, const AicorePipelineOptions &options = {});

/// Registers the pipeline for opc-opt: --aicore-pipeline="target=... stop-after=planned".
void registerAicorePipeline();

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_PIPELINES_H

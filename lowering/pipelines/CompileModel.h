// Compiles a model to its plan: the kernels that it needs, and their operands. The caller compiles the kernels one by
// one, with or without the kernel cache.

#ifndef OPC_LOWERING_PIPELINES_COMPILEMODEL_H
#define OPC_LOWERING_PIPELINES_COMPILEMODEL_H

#include "lowering/graph/fold/FoldReport.h"
#include "lowering/graph/legalize/LegalReport.h"
#include "lowering/import/onnx/ConstantHashes.h"
#include "lowering/pipelines/PipelineText.h"
#include "ops/onnx/coverage/ContractSet.h"
#include "runtime/compiler.h"
#include "runtime/program/model/ModelManifest.h"
#include "runtime/program/model/ModelPlan.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace opc {

/// A launch of a kernel on constants.
struct KernelCall {
  struct Operand {
    ElementType type;
    std::vector<int64_t> shape;
    std::string_view bytes; ///< empty: of a result
  };
  KernelRequest request;                                       ///< `contract` is the path of the contract in the set
  std::vector<std::pair<std::string, std::string>> attributes; ///< of the launch
  std::vector<std::optional<Operand>> operands;                ///< nullopt: omitted
  std::vector<Operand> results;
};

/// The bytes of each result; nullopt when the kernel cannot be made or run.
using RunKernel = std::function<std::optional<std::vector<std::string>>(const KernelCall &call)>;

struct ModelCompileOptions {
  std::string target = "Ascend310B1"; ///< soc version
  /// Stop after this phase (one of modelPhaseNames()) and print the module; empty: make the plan.
  std::string stopAfter;
  /// Hashes of the constants of one model, shared by its compilations, so that the bytes are read once.
  ConstantHashes *hashes = nullptr;
  RunKernel run; ///< computes nodes of constants; none: they stay steps
  /// Receives the result for each node, also if the model cannot be compiled; with it, compilation stops after
  /// legalisation.
  LegalReport *legal = nullptr;
};

/// A part of the file of weights.
struct ModelWeight {
  uint64_t offset = 0;
  std::string_view bytes; ///< of the model's file, or of `CompiledModel::owned`
};

struct CompiledModel {
  std::string module; ///< with stopAfter: the module, large constants elided
  std::string name;
  ModelPlan plan;
  std::vector<ModelTensor> inputs, outputs;
  /// A request for each of the plan's kernels; `contract` is the path of the contract in the set.
  std::vector<KernelRequest> kernels;
  std::vector<ModelWeight> weights; ///< by offset
  std::vector<std::unique_ptr<std::string>> owned;
  uint64_t arenaLowerBound = 0; ///< bytes: no arena of these values is smaller
  FoldReport folded;            ///< also with stopAfter
};

/// The phases that --stop-after of a model accepts, in order. Inline, since the program needs them before it opens
/// the compiler.
inline const std::vector<std::string> &modelPhaseNames() {
  static const std::vector<std::string> names = {"imported", "legal", "folded", "placed"};
  return names;
}

/// The passes that compileModel runs on a model up to `stopAfter` (one of modelPhaseNames(); empty: to the last phase).
/// `contracts` are folders with contracts: opc-opt, which runs the text, uses only these.
PipelineText modelPipeline(const std::string &stopAfter, const std::vector<std::string> &contracts);

/// nullopt after reporting E1011 for each node that cannot be compiled. `model` must outlive the result. Sizes of its
/// inputs must be numbers (tools set them by --input_shape).
std::optional<CompiledModel> compileModel(const onnx::Model &model, const onnx::ContractSet &contracts,
                                          const ModelCompileOptions &options, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_COMPILEMODEL_H

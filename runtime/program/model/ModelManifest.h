// model.json of a model folder: the name, inputs, outputs and files of a compiled model.
//
//   <folder>/model.json             this file
//   <folder>/plan.opcplan           the launches (ModelPlan.h)
//   <folder>/plans/<form>.opcplan   instead, in a model with open sizes: a plan for each choice of them (ModelSizes.h)
//   <folder>/weights.bin            constants, mapped when the model runs
//   <folder>/kernels/<kernel>/      an op folder for each kernel (Manifest.h)
//   <folder>/kernels.opckernels     the manifests of all of them, for loading (KernelTable.h)

#ifndef OPC_RUNTIME_PROGRAM_MODEL_MODELMANIFEST_H
#define OPC_RUNTIME_PROGRAM_MODEL_MODELMANIFEST_H

#include "runtime/target/ElementType.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace opc {

inline constexpr const char *kModelManifestName = "model.json";
inline constexpr const char *kModelPlanName = "plan.opcplan";
inline constexpr const char *kModelWeightsName = "weights.bin";
inline constexpr const char *kModelKernelsName = "kernels.opckernels";
inline constexpr const char *kModelLibraryName = "kernels.so";

/// Marks a size of a tensor that each run chooses.
inline constexpr int64_t kOpenSize = -1;

/// A size that a run chooses: from, from + step, ..., to.
struct ModelSize {
  std::string name; ///< different from all others
  int64_t from = 0, to = 0, step = 1;

  /// The number of choices. Expects a checked manifest.
  int64_t choices() const { return (to - from) / step + 1; }
};

struct ModelTensor {
  std::string name;
  ElementType type = ElementType::Float32;
  /// In a model with open sizes: kOpenSize for a size that differs between choices.
  std::vector<int64_t> shape;
  /// For an output: the first size is the maximum number of rows, and each run gives the actual number.
  bool rowsDependOnData = false;
  /// For an input with open sizes: for each dimension the name of its size, empty for a number. Else empty.
  std::vector<std::string> sizes = {};
};

struct ModelFile {
  std::string path;   ///< in the folder
  std::string sha256; ///< of its bytes, 64 lower-case hex digits
  uint64_t size = 0;  ///< bytes
};

struct ModelManifest {
  std::string name;             ///< of the graph in the model's file; may be empty
  std::string compiler;         ///< version of opc that wrote it
  std::string target;           ///< soc version
  std::vector<ModelSize> sizes; ///< the open sizes, which a run chooses
  uint64_t arenaBytes = 0;      ///< the largest arena of a plan
  std::vector<ModelTensor> inputs, outputs;
  std::vector<std::string> kernels; ///< op folders, in the order of the plan's numbers
  std::string cpuLibrary;           ///< the CPU kernels of all op folders in that order; empty: each folder has its own
  std::vector<ModelFile> files;     ///< every other file of the folder

  const ModelFile *findFile(std::string_view path) const;
};

/// Why a manifest is refused, empty when it is valid: paths stay in the folder and are listed once, the plans, the
/// weights and the table of kernels are listed, names of inputs and of outputs differ, and rows that depend on data are
/// those of an output that has rows. Open sizes have at most kMostForms choices together, different names, and
/// each has a dimension of an input.
std::string checkModelManifest(const ModelManifest &manifest);
/// JSON text with keys in a fixed order: equal manifests give equal bytes.
std::string writeModelManifest(const ModelManifest &manifest);
/// Parses and checks an untrusted text. Returns the error, empty on success.
std::string readModelManifest(const std::string &text, ModelManifest &manifest);

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_MODEL_MODELMANIFEST_H

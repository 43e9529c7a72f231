// The forms of a model: one for each choice of its open sizes, each with its own plan.
//
//   sizes   seq: 16, 32, ..., 512     batch: 1, 2
//   forms   0: seq 16, batch 1   1: seq 16, batch 2   2: seq 32, batch 1   ...   last: the largest of each size
//
// A model without open sizes has only form 0.

#ifndef OPC_RUNTIME_PROGRAM_MODEL_MODELSIZES_H
#define OPC_RUNTIME_PROGRAM_MODEL_MODELSIZES_H

#include "runtime/program/model/ModelManifest.h"

#include <optional>
#include <string>
#include <vector>

namespace opc {

/// The largest number of forms of a model: each is compiled, and has a plan in the folder.
inline constexpr int64_t kMostForms = 4096;
/// The largest number of open sizes: shapes are compared with each of them.
inline constexpr size_t kMostSizes = 64;

/// Why a list of open sizes is refused, empty if it is valid: each is a range of sizes that are not negative, with
/// whole steps from its first to its last; names are not empty and differ; there are at most kMostSizes sizes with
/// kMostForms choices together.
std::string checkModelSizes(const std::vector<ModelSize> &sizes);

/// The number of forms. This function and those below expect checked sizes.
size_t numForms(const std::vector<ModelSize> &sizes);
/// The sizes of a form, in the order of `sizes`.
std::vector<int64_t> sizesOfForm(const std::vector<ModelSize> &sizes, size_t form);
/// The plan of a form: its path in the folder.
std::string planPath(const std::vector<ModelSize> &sizes, size_t form);

/// The form whose inputs have these shapes. nullopt if there is none; `why` then has the input, the expected and the
/// found shape.
std::optional<size_t> formOfInputs(const ModelManifest &manifest, const std::vector<std::vector<int64_t>> &shapes,
                                   std::string &why);

/// "16", "16 to 512", "16, 32, ... 512".
std::string sizeText(const ModelSize &size);
/// What an input of a manifest expects: "int64 [1, seq] with seq 16 to 512".
std::string inputText(const ModelTensor &input, const std::vector<ModelSize> &sizes);

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_MODEL_MODELSIZES_H

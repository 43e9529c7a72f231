// The parts of `opc test` and `opc model extract` that use ONNX Runtime, in a separate process.

#ifndef OPC_TOOLS_OPC_MODEL_REFERENCE_MODELPYTHON_H
#define OPC_TOOLS_OPC_MODEL_REFERENCE_MODELPYTHON_H

#include "ops/onnx/Model.h"
#include "runtime/core/tensor/Tensor.h"
#include "runtime/diagnostic/Diagnostic.h"
#include "tools/opc/Assignment.h"
#include "tools/opc/compile/InputConstants.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

/// An input of a model, from its file or a manifest.
struct ModelInput {
  std::string name;
  ElementType type;
  std::vector<int64_t> shape;
};

/// Makes the tensor of each input: from its file among `given` ("name=@file.npy"), or from the seed. Each is written to
/// `folder`/input.N.npy and named in `request`["inputs"]. nullopt after E0523, E0901 or an error of a file.
std::optional<std::vector<Tensor>> writeModelInputs(const std::vector<ModelInput> &inputs, const std::string &model,
                                                    const std::vector<std::string> &given, uint64_t seed,
                                                    const std::string &folder, nlohmann::ordered_json &request,
                                                    Diagnostics &diagnostics);

/// The same for inputs that are constants of the compiled model, and inputs in the file.
bool writeModelConstants(const InputConstants &constants, const std::string &folder, nlohmann::ordered_json &request,
                         Diagnostics &diagnostics);

/// Writes request.json, runs a script on model and folder, and reads its answer.json. `python` as --python has it.
/// nullopt after an error: E0602 for no answer, E1013 if ONNX Runtime refuses the model; or after a signal.
std::optional<nlohmann::ordered_json> askOnnxRuntime(const char *script, const std::string &python,
                                                     const std::string &model, const std::string &folder,
                                                     const nlohmann::ordered_json &request, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_MODEL_REFERENCE_MODELPYTHON_H

#include "tools/opc/model/reference/ModelPython.h"

#include "runtime/core/File.h"
#include "runtime/core/tensor/Npy.h"
#include "runtime/program/format/JsonText.h"
#include "tools/opc/model/reference/ModelInputs.h"
#include "tools/opc/process/DeferredSignals.h"
#include "tools/opc/process/Process.h"
#include "tools/opc/process/Python.h"

#include <algorithm>

namespace opc::tool {

using Json = nlohmann::ordered_json;

/// ONNX Runtime of a large model is slow to start on a busy machine.
static constexpr unsigned kSeconds = 600;

/// Writes a file of an input, and names it in the request.
static bool writeForPython(const std::string &file, const std::string &input, const Tensor &tensor,
                           const std::string &folder, Json &request, Diagnostics &diagnostics) {
  std::optional<AtomicFile> written = AtomicFile::create(folder + "/" + file, diagnostics);
  if (!written)
    return false;
  writeNpy(*written, tensor);
  request["inputs"][input] = file;
  return written->commitUnflushed(diagnostics);
}

std::optional<std::vector<Tensor>> writeModelInputs(const std::vector<ModelInput> &inputs, const std::string &model,
                                                    const std::vector<std::string> &given, uint64_t seed,
                                                    const std::string &folder, Json &request,
                                                    Diagnostics &diagnostics) {
  std::vector<std::string> names;
  for (const ModelInput &input : inputs)
    names.push_back(input.name);
  std::vector<TensorFile> files = parseTensorFiles(given, "input", model, names, diagnostics);
  if (diagnostics.hasErrors())
    return std::nullopt;
  std::vector<Tensor> tensors;
  request["inputs"] = Json::object();
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ModelInput &wanted = inputs[i];
    auto file =
        std::find_if(files.begin(), files.end(), [&](const TensorFile &each) { return each.name == wanted.name; });
    std::optional<Tensor> tensor = file != files.end() ? readNpy(file->path, file->bfloat16, diagnostics)
                                                       : Tensor::create(wanted.type, wanted.shape);
    if (!tensor) {
      if (file == files.end())
        diagnostics.error(Code::E0901, {}, "no memory holds the input '" + printable(wanted.name) + "'");
      return std::nullopt;
    }
    if (tensor->type() != wanted.type || tensor->shape() != wanted.shape) {
      diagnostics.error(Code::E0523, {},
                        "the model expects '" + printable(wanted.name) + "' to be " +
                            std::string(elementTypeName(wanted.type)) + " " + shapeText(wanted.shape) + ": found " +
                            std::string(elementTypeName(tensor->type())) + " " + shapeText(tensor->shape()));
      return std::nullopt;
    }
    if (file == files.end())
      fillModelInput(*tensor, seed + i);
    if (!writeForPython("input." + std::to_string(i) + ".npy", wanted.name, *tensor, folder, request, diagnostics))
      return std::nullopt;
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

bool writeModelConstants(const InputConstants &constants, const std::string &folder, Json &request,
                         Diagnostics &diagnostics) {
  for (size_t i = 0; i < constants.size(); ++i)
    if (!writeForPython("constant." + std::to_string(i) + ".npy", constants[i].first, constants[i].second, folder,
                        request, diagnostics))
      return false;
  return true;
}

std::optional<Json> askOnnxRuntime(const char *script, const std::string &python, const std::string &model,
                                   const std::string &folder, const Json &request, Diagnostics &diagnostics) {
  const std::optional<Python> found = requirePython(python, {"numpy", "onnx", "onnxruntime"}, diagnostics);
  if (!found)
    return std::nullopt;
  const std::string asked = writeJson(request);
  std::optional<AtomicFile> file = AtomicFile::create(folder + "/request.json", diagnostics);
  if (!file || !file->write(asked.data(), asked.size()) || !file->commitUnflushed(diagnostics))
    return std::nullopt;
  ProcessResult done = runProcess({found->path, "-B", "-c", script, model, folder}, kSeconds);
  if (DeferredSignals::arrived())
    return std::nullopt;
  Diagnostics ignored;
  std::optional<std::string> text = readFile(folder + "/answer.json", 16 << 20, ignored);
  Json answer;
  JsonProblem problem;
  JsonLimits limits;
  limits.keys = 1 << 20;
  if (!done.started || done.exitCode != 0 || !text || !parseJson(*text, limits, answer, problem)) {
    diagnostics.error(Code::E0602, {},
                      "ONNX Runtime gave no answer: " + printable(done.timedOut  ? "it took too long"
                                                                  : done.started ? done.err
                                                                                 : done.error,
                                                                  400));
    return std::nullopt;
  }
  if (answer.contains("error")) {
    diagnostics.error(Code::E1013, {model, 0, 0},
                      "ONNX Runtime refuses the model: " + printable(answer["error"].get<std::string>(), 400));
    return std::nullopt;
  }
  return answer;
}

} // namespace opc::tool

#include "tools/opc/model/ModelExtract.h"

#include "ops/onnx/Reader.h"
#include "runtime/core/File.h"
#include "runtime/program/format/JsonText.h"
#include "tools/opc/compile/InputConstants.h"
#include "tools/opc/compile/InputShapes.h"
#include "tools/opc/compile/OutputFolder.h"
#include "tools/opc/model/reference/ModelPython.h"
#include "tools/opc/process/DeferredSignals.h"
#include "tools/opc/process/TemporaryFolder.h"

#include <algorithm>
#include <iostream>
#include <set>

namespace opc::tool {

using Json = nlohmann::ordered_json;

/// The script and its text.
static const std::pair<const char *, const char *> kPythonPart[] = {
#include "tools/opc/ModelExtractPy.inc"
};

/// The node with a name, or the node with a result of that name; null after an error.
static const onnx::Node *findNode(const onnx::Model &model, const std::string &name, Diagnostics &diagnostics) {
  const onnx::Node *byResult = nullptr;
  std::vector<std::string> names;
  for (const onnx::Node &node : model.graph.nodes) {
    if (!node.name.empty() && node.name == name)
      return &node;
    names.emplace_back(node.name);
    for (std::string_view output : node.outputs) {
      if (!output.empty() && output == name)
        byResult = &node;
      names.emplace_back(output);
    }
  }
  if (byResult)
    return byResult;
  const std::string nearest = nearestName(name, names);
  diagnostics.error(Code::E0104, {model.path, 0, 0},
                    "--node expects the name of a node of the model's graph, or of a result of one: found '" +
                        printable(name, 200) + "'",
                    {}, nearest.empty() ? "" : "did you mean '" + printable(nearest, 200) + "'?");
  return nullptr;
}

/// The inputs that a caller gives, after setInputShapes; nullopt after an error.
static std::optional<std::vector<ModelInput>> inputsOf(const onnx::Model &model, Diagnostics &diagnostics) {
  std::set<std::string_view> defaults;
  for (const onnx::Tensor &tensor : model.graph.initializers)
    defaults.insert(tensor.name);
  std::vector<ModelInput> inputs;
  for (const onnx::Value &value : model.graph.inputs) {
    if (defaults.count(value.name) != 0)
      continue;
    const bool isTensor = value.type && value.type->kind == onnx::Type::Tensor && value.type->hasRank;
    std::optional<ElementType> type = isTensor ? onnx::opcType(value.type->element) : std::nullopt;
    std::vector<int64_t> shape;
    if (isTensor)
      for (const onnx::Dim &dim : value.type->shape)
        shape.push_back(dim.size.value_or(-1));
    if (!type || std::find(shape.begin(), shape.end(), -1) != shape.end()) {
      diagnostics.error(Code::E1012, {model.path, 0, 0},
                        "expects inputs to be tensors of a known type and shape, found '" + printable(value.name, 200) +
                            "'",
                        {}, "--input_shape gives sizes");
      return std::nullopt;
    }
    inputs.push_back({std::string(value.name), *type, std::move(shape)});
  }
  return inputs;
}

ExitCode extractNode(const ModelExtractFlags &flags, Context &context) {
  DeferredSignals signals;
  Diagnostics diagnostics;
  TemporaryFolder temporary("extract");
  std::unique_ptr<onnx::Model> model = onnx::loadModel(flags.model, diagnostics);
  const std::optional<InputConstants> constants =
      model && temporary.isThere(diagnostics) ? setInputConstants(*model, flags.constants, diagnostics) : std::nullopt;
  if (!constants || !setInputShapes(*model, flags.inputShape, diagnostics))
    return context.finish(diagnostics);
  const onnx::Node *node = findNode(*model, flags.node, diagnostics);
  std::optional<std::vector<ModelInput>> inputs = node ? inputsOf(*model, diagnostics) : std::nullopt;
  Json request;
  if (!inputs ||
      !writeModelInputs(*inputs, std::string(model->graph.name), flags.inputs, flags.seed, temporary.path(), request,
                        diagnostics) ||
      !writeModelConstants(*constants, temporary.path(), request, diagnostics))
    return context.finish(diagnostics);
  request["node"] = node->index;
  std::optional<Json> answer =
      askOnnxRuntime(kPythonPart[0].second, flags.python, flags.model, temporary.path(), request, diagnostics);
  if (DeferredSignals::arrived())
    return ExitCode::CheckFailed;
  if (!answer)
    return context.finish(diagnostics);
  std::vector<CompiledFile> files;
  auto add = [&](const std::string &name) {
    constexpr int64_t kMostBytes = int64_t(2) << 30; // a message of protobuf is no larger
    std::optional<std::string> bytes = readFile(temporary.path() + "/" + name, kMostBytes, diagnostics);
    if (bytes)
      files.push_back({name, std::move(*bytes)});
    return bytes.has_value();
  };
  bool all = add("node.onnx");
  std::string command = "opc test " + printablePath(flags.output) + "/node.onnx";
  for (const auto &[name, file] : (*answer)["inputs"].items()) {
    all = all && add(file.get<std::string>());
    command +=
        " --input '" + printable(name, 200) + "=@" + printablePath(flags.output) + "/" + file.get<std::string>() + "'";
  }
  for (const auto &[name, file] : (*answer)["outputs"].items())
    all = all && add(file.get<std::string>());
  if (!all || !writeOutputFolder(flags.output, files, diagnostics))
    return DeferredSignals::arrived() ? ExitCode::CheckFailed : context.finish(diagnostics);
  context.info("wrote '" + printablePath(flags.output) + "': " + node->qualifiedOp() + " with " +
               std::to_string((*answer)["inputs"].size()) + " inputs; compare it with\n  " + command);
  if (context.json())
    std::cout << writeJson(Json{{"schema_version", 1},
                                {"model", flags.output + "/node.onnx"},
                                {"operator", node->qualifiedOp()},
                                {"inputs", (*answer)["inputs"]},
                                {"outputs", (*answer)["outputs"]}})
              << '\n';
  return context.finish(diagnostics);
}

} // namespace opc::tool

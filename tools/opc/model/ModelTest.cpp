#include "tools/opc/model/ModelTest.h"

#include "ops/onnx/Reader.h"
#include "runtime/core/File.h"
#include "runtime/core/model/LoadedModel.h"
#include "runtime/core/tensor/Npy.h"
#include "runtime/device/registry/Devices.h"
#include "runtime/program/JsonText.h"
#include "tools/opc/Assignment.h"
#include "tools/opc/RandomInputs.h"
#include "tools/opc/TextTable.h"
#include "tools/opc/compile/CompileOptions.h"
#include "tools/opc/compile/InputShapes.h"
#include "tools/opc/compile/ModelCompile.h"
#include "tools/opc/libraries/Libraries.h"
#include "tools/opc/model/ValueDifference.h"
#include "tools/opc/process/DeferredSignals.h"
#include "tools/opc/process/Process.h"
#include "tools/opc/process/Python.h"
#include "tools/opc/process/TemporaryFolder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <set>

namespace opc::tool {

using Json = nlohmann::ordered_json;

/// model_test.py, which opc carries with it: its name and its text.
static const std::pair<const char *, const char *> kPythonPart[] = {
#include "tools/opc/ModelTestPy.inc"
};

/// ONNX Runtime of a large model is slow to start on a busy machine.
static constexpr unsigned kSeconds = 600;

namespace {

/// A value that was compared, in the order of the plan.
struct Compared {
  std::string name, node;
  ValueDifference difference;
  bool isOutput = false;
};

class ModelTest {
public:
  ModelTest(const ModelTestFlags &flags, Context &context) : flags(flags), context(context), temporary("test") {}
  ExitCode run();

private:
  bool prepare();
  bool makeInputs();
  bool askReference();
  bool runModel();
  void compare(size_t step);
  ExitCode report();
  std::string fileOf(const std::string &name) const { return temporary.path() + "/" + name; }

  const ModelTestFlags &flags;
  Context &context;
  DeferredSignals signals;
  Diagnostics diagnostics;
  TemporaryFolder temporary;
  std::unique_ptr<LoadedModel> model;
  std::vector<Tensor> inputs, outputs;
  std::map<std::string, std::string> references; ///< files by the names of values
  std::vector<Compared> compared;
  size_t without = 0; ///< results that the reference does not have
};

} // namespace

bool ModelTest::prepare() {
  const Target *target = chooseTarget(flags.socVersion, diagnostics);
  std::shared_ptr<Device> device = createDevice(flags.device, 0, diagnostics);
  if (!target || !device || !temporary.isThere(diagnostics))
    return false;
  std::unique_ptr<onnx::Model> source = onnx::loadModel(flags.model, diagnostics);
  ModelContracts contracts;
  if (!source || !contracts.read(flags.contracts, diagnostics) ||
      !setInputShapes(*source, flags.inputShape, diagnostics))
    return false;
  std::optional<CacheSettings> settings = settingsOf({}, diagnostics);
  if (!settings)
    return false;
  ModelKernels kernels(*settings);
  std::optional<CompiledModel> compiled =
      compileFolded(*source, contracts, target->name(), "", kernels, diagnostics, context);
  if (DeferredSignals::arrived() || !compiled ||
      !writeModelFolder(*compiled, std::string(target->name()), fileOf("model"), kernels, diagnostics, context))
    return false;
  model = LoadedModel::open(fileOf("model"), device, diagnostics);
  return model != nullptr;
}

/// Floats from -4 to 4; integers and truth values 0 or 1, which are places in any list and values of a mask.
static void fill(Tensor &tensor, uint64_t seed) {
  switch (tensor.type()) {
  case ElementType::Float16:
  case ElementType::BFloat16:
  case ElementType::Float32:
  case ElementType::Float64:
    fillRandom(tensor, seed);
    return;
  default:
    break;
  }
  std::optional<Tensor> bits = Tensor::create(ElementType::UInt8, {tensor.numElements()});
  if (!bits)
    return;
  fillRandom(*bits, seed);
  const size_t size = elementSize(tensor.type());
  auto *to = static_cast<uint8_t *>(tensor.data());
  std::fill(to, to + tensor.numBytes(), uint8_t(0));
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    to[static_cast<size_t>(i) * size] = static_cast<const uint8_t *>(bits->data())[i] & 1;
}

bool ModelTest::makeInputs() {
  const ModelManifest &manifest = model->manifest();
  std::vector<std::string> names;
  for (const ModelTensor &tensor : manifest.inputs)
    names.push_back(tensor.name);
  std::vector<TensorFile> given = parseTensorFiles(flags.inputs, "input", manifest.name, names, diagnostics);
  Json request = {{"inputs", Json::object()}};
  for (size_t i = 0; i < manifest.inputs.size(); ++i) {
    const ModelTensor &wanted = manifest.inputs[i];
    auto file =
        std::find_if(given.begin(), given.end(), [&](const TensorFile &each) { return each.name == wanted.name; });
    std::optional<Tensor> tensor = file != given.end() ? readNpy(file->path, file->bfloat16, diagnostics)
                                                       : Tensor::create(wanted.type, wanted.shape);
    if (!tensor) {
      if (file == given.end())
        diagnostics.error(Code::E0901, {}, "no memory holds the input '" + printable(wanted.name) + "'");
      return false;
    }
    if (tensor->type() != wanted.type || tensor->shape() != wanted.shape) {
      diagnostics.error(Code::E0523, {},
                        "the model expects '" + printable(wanted.name) + "' to be " +
                            std::string(elementTypeName(wanted.type)) + " " + shapeText(wanted.shape) + ": found " +
                            std::string(elementTypeName(tensor->type())) + " " + shapeText(tensor->shape()));
      return false;
    }
    if (file == given.end())
      fill(*tensor, flags.seed + i);
    const std::string name = "input." + std::to_string(i) + ".npy";
    std::optional<AtomicFile> written = AtomicFile::create(fileOf(name), diagnostics);
    if (!written)
      return false;
    writeNpy(*written, *tensor);
    if (!written->commitUnflushed(diagnostics))
      return false;
    request["inputs"][wanted.name] = name;
    inputs.push_back(std::move(*tensor));
  }
  std::set<std::string> values;
  for (const PlanStep &step : model->plan().steps)
    for (uint32_t result : step.results)
      if (const std::string &name = model->plan().values[result].name; !name.empty())
        values.insert(name);
  for (const ModelTensor &tensor : manifest.outputs) {
    values.insert(tensor.name);
    std::optional<Tensor> made = Tensor::create(tensor.type, tensor.shape);
    if (!made) {
      diagnostics.error(Code::E0901, {}, "no memory holds the output '" + printable(tensor.name) + "'");
      return false;
    }
    outputs.push_back(std::move(*made));
  }
  request["values"] = values;
  const std::string text = writeJson(request);
  std::optional<AtomicFile> file = AtomicFile::create(fileOf("request.json"), diagnostics);
  return file && file->write(text.data(), text.size()) && file->commitUnflushed(diagnostics);
}

bool ModelTest::askReference() {
  const std::optional<Python> python = requirePython(flags.python, {"numpy", "onnx", "onnxruntime"}, diagnostics);
  if (!python)
    return false;
  ProcessResult done =
      runProcess({python->path, "-B", "-c", kPythonPart[0].second, flags.model, temporary.path()}, kSeconds);
  if (DeferredSignals::arrived())
    return false;
  Diagnostics ignored;
  std::optional<std::string> text = readFile(fileOf("answer.json"), 16 << 20, ignored);
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
    return false;
  }
  if (answer.contains("error")) {
    diagnostics.error(Code::E1013, {flags.model, 0, 0},
                      "ONNX Runtime refuses the model: " + printable(answer["error"].get<std::string>(), 400));
    return false;
  }
  for (const auto &[name, file] : answer["values"].items())
    references[name] = fileOf(file.get<std::string>());
  return true;
}

void ModelTest::compare(size_t number) {
  const PlanStep &step = model->plan().steps[number];
  for (uint32_t result : step.results) {
    const PlanValue &value = model->plan().values[result];
    auto reference = references.find(value.name);
    if (reference == references.end()) {
      without += step.kind == PlanStep::Launch;
      continue;
    }
    Diagnostics ignored;
    std::optional<Tensor> expected = readNpy(reference->second, false, ignored);
    if (!expected) {
      ++without;
      continue;
    }
    const void *data = value.memory == PlanValue::Output ? outputs[value.offset].data() : model->addressOf(value);
    compared.push_back({value.name, step.node, compareValue(value.type, value.shape, data, *expected), false});
  }
}

bool ModelTest::runModel() {
  std::vector<void *> inputData, outputData;
  for (Tensor &tensor : inputs)
    inputData.push_back(tensor.data());
  for (Tensor &tensor : outputs)
    outputData.push_back(tensor.data());
  if (!model->run(inputData.data(), outputData.data(), [this](size_t step) { compare(step); }, diagnostics))
    return false;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const ModelTensor &tensor = model->manifest().outputs[i];
    auto reference = references.find(tensor.name);
    std::optional<Tensor> expected =
        reference == references.end() ? std::nullopt : readNpy(reference->second, false, diagnostics);
    if (!expected) {
      diagnostics.error(Code::E1013, {flags.model, 0, 0},
                        "ONNX Runtime has no output '" + printable(tensor.name) + "' to compare with");
      return false;
    }
    compared.push_back({tensor.name, "", compareValue(tensor.type, tensor.shape, outputs[i].data(), *expected), true});
  }
  return true;
}

static std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

/// What is wrong with a value, in a sentence.
static std::string explain(const Compared &value) {
  const ValueDifference &difference = value.difference;
  std::string who =
      value.isOutput ? "output '" + printable(value.name, 80) + "'"
                     : "node '" + printable(value.node, 80) + "', whose result is '" + printable(value.name, 80) + "',";
  if (!difference.sameForm)
    return who + " has another type or shape than with ONNX Runtime";
  std::string at = "; element " + std::to_string(difference.at) + " is " + number(difference.found) + " instead of " +
                   number(difference.expected);
  if (!difference.sameEnds)
    return who + " has infinities or NaN in other places" + at;
  return who + " is off by " + number(difference.relative) + " of its root mean square, " + number(difference.bound) +
         " is allowed" + at;
}

ExitCode ModelTest::report() {
  const Compared *first = nullptr, *worst = nullptr;
  for (const Compared &value : compared) {
    if (!first && !value.difference.holds())
      first = &value;
    if (!worst || value.difference.relative > worst->difference.relative)
      worst = &value;
  }
  std::vector<TextRow> table = {{"output", "type", "off by", "allowed"}};
  Json list = Json::array();
  for (const Compared &value : compared) {
    list.push_back({{"name", value.name},
                    {"node", value.node},
                    {"output", value.isOutput},
                    {"holds", value.difference.holds()},
                    {"off_by", std::isfinite(value.difference.relative) ? Json(value.difference.relative) : Json()},
                    {"allowed", value.difference.bound}});
    if (value.isOutput)
      for (const ModelTensor &tensor : model->manifest().outputs)
        if (tensor.name == value.name)
          table.push_back({printable(value.name, 60),
                           std::string(elementTypeName(tensor.type)) + " " + shapeText(tensor.shape),
                           number(value.difference.relative), number(value.difference.bound)});
  }
  if (context.json())
    std::cout << writeJson({{"schema_version", 1},
                            {"model", flags.model},
                            {"device", flags.device},
                            {"seed", flags.seed},
                            {"without_reference", without},
                            {"values", std::move(list)}})
              << '\n';
  else
    std::cout << textTable(table, {false, false, true, true});
  if (first)
    diagnostics.error(Code::E1013, {flags.model, 0, 0}, explain(*first), {},
                      first->isOutput ? "" : "later nodes compute with what it gave them");
  size_t nodes = static_cast<size_t>(
      std::count_if(compared.begin(), compared.end(), [](const Compared &value) { return !value.isOutput; }));
  context.info(
      "compared " + std::to_string(nodes) + " results of nodes and " + std::to_string(outputs.size()) +
      " outputs with ONNX Runtime" +
      (worst ? ", worst '" + printable(worst->name, 60) + "' off by " + number(worst->difference.relative) : "") +
      (without != 0 ? "; " + std::to_string(without) + " results have no counterpart there" : ""));
  return context.finish(diagnostics);
}

ExitCode ModelTest::run() {
  bool done = prepare() && makeInputs() && askReference() && runModel();
  if (DeferredSignals::arrived())
    return ExitCode::CheckFailed;
  if (!done || diagnostics.hasErrors())
    return context.finish(diagnostics);
  return report();
}

ExitCode testModel(const ModelTestFlags &flags, Context &context) {
  return ModelTest(flags, context).run();
}

} // namespace opc::tool

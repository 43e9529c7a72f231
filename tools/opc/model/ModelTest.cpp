#include "tools/opc/model/ModelTest.h"

#include "ops/onnx/Reader.h"
#include "runtime/core/model/LoadedModel.h"
#include "runtime/core/tensor/Npy.h"
#include "runtime/device/registry/Devices.h"
#include "runtime/device/sim/SimDevice.h"
#include "runtime/program/format/JsonText.h"
#include "tools/opc/compile/CompileOptions.h"
#include "tools/opc/compile/InputConstants.h"
#include "tools/opc/compile/InputShapes.h"
#include "tools/opc/compile/ModelCompile.h"
#include "tools/opc/libraries/Libraries.h"
#include "tools/opc/model/ModelRun.h"
#include "tools/opc/model/reference/ModelInputs.h"
#include "tools/opc/model/reference/ModelPython.h"
#include "tools/opc/model/reference/PlannedValue.h"
#include "tools/opc/model/reference/ValueDifference.h"
#include "tools/opc/process/DeferredSignals.h"
#include "tools/opc/process/TemporaryFolder.h"
#include "tools/opc/text/TextTable.h"
#include "tools/opc/text/Words.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iostream>
#include <map>
#include <set>

namespace opc::tool {

using Json = nlohmann::ordered_json;

/// model_test.py, which is embedded in opc: its name and its text.
static const std::pair<const char *, const char *> kPythonPart[] = {
#include "tools/opc/ModelTestPy.inc"
};

/// Values alone whose movements are asked for: each is a session of its own in ONNX Runtime.
static constexpr size_t kMostAlone = 64;

namespace {

/// A value that was compared, in the order of the plan.
struct Compared {
  std::string name, node;
  ValueDifference difference;
  bool isOutput = false;
  /// The difference if the operands of its node are those of ONNX Runtime. For an output it equals `difference`.
  ValueDifference alone = {};
  std::string form = {};  ///< type and shape
  std::string sizes = {}; ///< the open sizes of the model
  /// How far it moves in ONNX Runtime itself if weights, inputs and results are rounded once more, in the model and in
  /// its node alone. 0 if that was not asked.
  ValueDifference moves = {}, movesAlone = {};

  bool holds() const { return isSettled(difference, moves) && (isOutput || isSettled(alone, movesAlone)); }
  bool isWithinBound() const { return difference.holds() && (isOutput || alone.holds()); }
};

class ModelTest {
public:
  ModelTest(const ModelTestFlags &flags, Context &context) : flags(flags), context(context), temporary("test") {}
  ExitCode run();

private:
  bool prepare();
  bool testForms();
  bool choose(size_t form);
  bool makeInputs();
  bool askReference();
  /// The address of a result of a step.
  void *dataOf(const PlanValue &value) {
    return value.memory == PlanValue::Output ? static_cast<char *>(outputs[value.offset].data()) + value.start
                                             : const_cast<void *>(model->addressOf(value));
  }
  bool runModel();
  void compare(size_t step);
  void compareAlone(size_t step);
  void askMovements(size_t first);
  ExitCode report();
  std::string fileOf(const std::string &name) const { return temporary.path() + "/" + name; }

  const ModelTestFlags &flags;
  Context &context;
  DeferredSignals signals;
  Diagnostics diagnostics;
  TemporaryFolder temporary;
  std::unique_ptr<LoadedModel> model;
  std::vector<ModelTensor> folderInputs; ///< with their open sizes
  std::string sizesText;                 ///< the sizes of the form
  InputConstants constants;
  std::vector<Tensor> inputs, outputs;
  Json request;
  std::map<std::string, std::string> references; ///< files by the names of values
  std::map<std::string, std::string> fileNames;  ///< the same without their folder
  std::map<std::string, double> ofReference;     ///< its own absolute errors, by names of values
  std::vector<Compared> compared;
  size_t nextAlone = 0; ///< of `compared`
  size_t without = 0;   ///< results that the reference does not have
};

} // namespace

bool ModelTest::prepare() {
  const Target *target = chooseTarget(flags.socVersion, diagnostics);
  std::shared_ptr<Device> device = createDevice(flags.device, 0, diagnostics);
  if (device && flags.device == "sim") {
    SimSettings settings;
    settings.sanitize = Sanitize::all();
    device = createSimDevice(settings);
  }
  if (!target || !device || !temporary.isThere(diagnostics))
    return false;
  std::unique_ptr<onnx::Model> source = onnx::loadModel(flags.model, diagnostics);
  ModelContracts contracts;
  if (!source || !contracts.read(flags.contracts, diagnostics))
    return false;
  std::optional<InputConstants> given = setInputConstants(*source, flags.constants, diagnostics);
  std::optional<InputForms> forms = given ? readInputForms(*source, flags.inputShape, diagnostics) : std::nullopt;
  std::optional<CacheSettings> settings = forms ? settingsOf({}, diagnostics) : std::nullopt;
  if (!settings)
    return false;
  if (!forms->sizes.empty() && !flags.inputs.empty()) {
    diagnostics.error(Code::E0104, {}, "--input goes with sizes that are numbers, found ranges in --input_shape", {},
                      "without --input each of the sizes that are tested has inputs of its own");
    return false;
  }
  ModelKernels kernels(*settings);
  FormCompiler compiler(*source, *forms, contracts, *target, kernels, diagnostics, context);
  std::optional<CompiledModel> compiled = compiler.compile(compiler.largest());
  std::optional<ModelFamily> family = compiled ? compiler.family(*compiled) : std::nullopt;
  if (!family ||
      !writeModelFolder(*family, std::string(target->name()), fileOf("model"), kernels, diagnostics, context))
    return false;
  model = LoadedModel::open(fileOf("model"), device, diagnostics, hostBeside(*device, diagnostics));
  if (!model)
    return false;
  folderInputs = family->inputs;
  constants = std::move(*given);
  return true;
}

/// Binds a form, and drops the tensors of the previous one.
bool ModelTest::choose(size_t form) {
  const std::vector<ModelSize> &sizes = model->manifest().sizes;
  const std::vector<int64_t> chosen = sizesOfForm(sizes, form);
  std::vector<Shape> shapes;
  for (const ModelTensor &input : folderInputs) {
    shapes.push_back(input.shape);
    for (size_t d = 0; d < input.sizes.size(); ++d)
      for (size_t s = 0; s < sizes.size(); ++s)
        if (sizes[s].name == input.sizes[d])
          shapes.back()[d] = chosen[s];
  }
  sizesText = formText(sizes, form);
  inputs.clear();
  outputs.clear();
  request = Json();
  references.clear();
  ofReference.clear();
  nextAlone = compared.size();
  return model->setShapes(shapes, diagnostics);
}

/// The smallest form, one between and the largest; the other forms are compiled in the same way.
bool ModelTest::testForms() {
  const size_t forms = numForms(model->manifest().sizes);
  for (size_t form : std::set<size_t>{0, forms / 2, forms - 1}) {
    const size_t first = compared.size();
    if (!choose(form) || !makeInputs() || !askReference() || !runModel() || DeferredSignals::arrived())
      return false;
    askMovements(first);
  }
  return true;
}

bool ModelTest::makeInputs() {
  const ModelManifest &manifest = model->manifest();
  std::vector<ModelInput> wanted;
  for (const ModelTensor &tensor : manifest.inputs)
    wanted.push_back({tensor.name, tensor.type, tensor.shape});
  std::optional<std::vector<Tensor>> made =
      writeModelInputs(wanted, manifest.name, flags.inputs, flags.seed, temporary.path(), request, diagnostics);
  if (!made || !writeModelConstants(constants, temporary.path(), request, diagnostics))
    return false;
  inputs = std::move(*made);
  std::set<std::string> values;
  for (const PlanStep &step : model->plan().steps)
    for (uint32_t result : step.results)
      if (const std::string &name = model->plan().values[result].name; !name.empty())
        values.insert(name);
  for (const ModelTensor &tensor : manifest.outputs)
    values.insert(tensor.name);
  if (!addModelTensors(manifest.outputs, outputs, diagnostics))
    return false;
  request["values"] = values;
  return true;
}

bool ModelTest::askReference() {
  std::optional<Json> answer =
      askOnnxRuntime(kPythonPart[0].second, flags.python, flags.model, temporary.path(), request, diagnostics);
  if (!answer)
    return false;
  for (const auto &[name, file] : (*answer)["values"].items())
    references[name] = fileOf(fileNames[name] = file.get<std::string>());
  for (const auto &[name, error] : (*answer)["errors"].items())
    ofReference[name] = error.get<double>();
  return true;
}

static std::string formOf(ElementType type, const Shape &shape) {
  return std::string(elementTypeName(type)) + " " + shapeText(shape);
}

void ModelTest::compare(size_t number) {
  const PlanStep &step = model->plan().steps[number];
  // Results of a function of the host are outputs, and compared as such.
  if (step.kind == PlanStep::Host)
    return;
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
    compared.push_back({value.name,
                        step.node,
                        comparePlanned(model->plan(), value, dataOf(value), *expected, ofReference[value.name]),
                        false,
                        {},
                        formOf(value.type, value.shape),
                        sizesText});
  }
}

/// The same in a run in which earlier results were replaced by those of the reference; then replaces this step's
/// results too.
void ModelTest::compareAlone(size_t number) {
  for (uint32_t result : model->plan().steps[number].results) {
    const PlanValue &value = model->plan().values[result];
    if (nextAlone == compared.size() || compared[nextAlone].isOutput || compared[nextAlone].name != value.name)
      continue;
    Compared &known = compared[nextAlone++];
    Diagnostics ignored;
    std::optional<Tensor> expected = readNpy(references[value.name], false, ignored);
    if (!expected)
      continue;
    known.alone = comparePlanned(model->plan(), value, dataOf(value), *expected, ofReference[value.name]);
    if (!known.alone.sameForm)
      continue;
    const auto *data = static_cast<const char *>(dataOf(value));
    std::vector<char> whole(data, data + value.bytes());
    putReference(model->plan(), value, *expected, whole.data());
    if (value.memory == PlanValue::Output)
      std::memcpy(dataOf(value), whole.data(), whole.size());
    else
      model->replace(value, whole.data());
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
    compared.push_back(
        {tensor.name,
         "",
         compareValue(tensor.type, model->shapeOfOutput(i), outputs[i].data(), *expected, ofReference[tensor.name]),
         true,
         {},
         formOf(tensor.type, tensor.shape),
         sizesText});
  }
  return model->run(inputData.data(), outputData.data(), [this](size_t step) { compareAlone(step); }, diagnostics);
}

/// The largest movement of a value among the runs whose files are given.
static ValueDifference largestMovement(const std::vector<std::string> &files, const Tensor &expected) {
  ValueDifference largest;
  for (const std::string &file : files) {
    Diagnostics ignored;
    std::optional<Tensor> moved = readNpy(file, false, ignored);
    if (!moved)
      continue;
    ValueDifference each = compareValue(moved->type(), moved->shape(), moved->data(), expected);
    if (each.sameForm && each.sameEnds &&
        std::tie(each.relative, each.units) > std::tie(largest.relative, largest.units))
      largest = each;
  }
  return largest;
}

/// Asks ONNX Runtime how far values from `first` on that exceed their bound move there.
void ModelTest::askMovements(size_t first) {
  Json moves = Json::array(), alone = Json::array(), known = Json::object();
  for (size_t i = first; i < compared.size(); ++i) {
    const Compared &value = compared[i];
    known[value.name] = fileNames[value.name];
    if (!value.difference.holds() && value.difference.sameForm)
      moves.push_back(value.name);
    if (!value.isOutput && !value.alone.holds() && value.alone.sameForm && alone.size() < kMostAlone)
      alone.push_back(value.name);
  }
  if (moves.empty() && alone.empty())
    return;
  request["moves"] = std::move(moves);
  request["alone"] = std::move(alone);
  request["known"] = std::move(known);
  // Without an answer the bounds stay as they are.
  Diagnostics ignored;
  std::optional<Json> answer =
      askOnnxRuntime(kPythonPart[0].second, flags.python, flags.model, temporary.path(), request, ignored);
  if (!answer)
    return;
  auto movement = [&](const char *key, const Compared &value) {
    std::vector<std::string> files;
    if (auto found = (*answer)[key].find(value.name); found != (*answer)[key].end())
      for (const Json &file : *found)
        files.push_back(fileOf(file.get<std::string>()));
    std::optional<Tensor> expected = readNpy(references[value.name], false, ignored);
    return files.empty() || !expected ? ValueDifference() : largestMovement(files, *expected);
  };
  for (size_t i = first; i < compared.size(); ++i) {
    compared[i].moves = movement("moves", compared[i]);
    compared[i].movesAlone = movement("alone", compared[i]);
  }
}

/// Describes the error of a value in a sentence.
static std::string explain(const Compared &value) {
  const ValueDifference &difference = value.difference.holds() ? value.alone : value.difference;
  std::string who =
      value.isOutput ? "output '" + printable(value.name, 80) + "'"
                     : "node '" + printable(value.node, 80) + "', whose result is '" + printable(value.name, 80) + "',";
  if (!value.sizes.empty())
    who = "with " + value.sizes + " " + who;
  if (!difference.sameForm)
    return who + " has another type or shape than with ONNX Runtime";
  std::string at = "; element " + std::to_string(difference.at) + " is " + numberText("%.3g", difference.found) +
                   " instead of " + numberText("%.3g", difference.expected);
  if (!difference.sameEnds)
    return who + " has infinities or NaN in other places" + at;
  std::string alone;
  if (!value.isOutput && value.alone.sameForm)
    alone = value.difference.holds()
                ? ", where its operands are those of ONNX Runtime"
                : " (" + numberText("%.3g", value.alone.relative) + " where its operands are those of ONNX Runtime)";
  const ValueDifference &moves = value.difference.holds() ? value.movesAlone : value.moves;
  std::string own;
  if (moves.units != 0)
    own =
        ", and ONNX Runtime's own result moves by up to " + numberText("%.3g", moves.units) + " with another rounding";
  else if (moves.relative != 0)
    own = ", and ONNX Runtime's own result moves by " + numberText("%.3g", moves.relative) + " with another rounding";
  return who + " is off by " + numberText("%.3g", difference.relative) + " of its root mean square" + alone + ", " +
         numberText("%.3g", difference.bound) + " is allowed" + own + at;
}

/// Describes the values that exceed their bound as ONNX Runtime's own do: empty if there are none.
static std::string explainMovements(const std::vector<Compared> &compared) {
  size_t count = 0;
  const Compared *worst = nullptr;
  for (const Compared &value : compared) {
    if (value.isWithinBound() || !value.holds())
      continue;
    ++count;
    if (value.difference.units == 0 && (!worst || value.difference.relative > worst->difference.relative))
      worst = &value;
  }
  if (count == 0)
    return "";
  return std::to_string(count) +
         " of them exceed their bound, since the model amplifies roundings: ONNX Runtime's own " +
         (count == 1 ? "moves" : "move") + " as far if it rounds each weight and result once more" +
         (worst ? ", '" + printable(worst->name, 60) + "' by " + numberText("%.3g", worst->moves.relative) : "");
}

ExitCode ModelTest::report() {
  const Compared *first = nullptr, *worst = nullptr, *alone = nullptr;
  for (const Compared &value : compared) {
    if (!first && !value.holds())
      first = &value;
    if (!value.isOutput && (!alone || value.alone.relative > alone->alone.relative))
      alone = &value;
    if (!worst || value.difference.relative > worst->difference.relative)
      worst = &value;
  }
  auto figure = [](double relative) { return std::isfinite(relative) ? Json(relative) : Json(); };
  auto movement = [](const ValueDifference &moves) {
    return moves.units != 0 ? Json(moves.units) : moves.relative != 0 ? Json(moves.relative) : Json();
  };
  std::vector<TextRow> table = {{"output", "type", "off by", "allowed"}};
  const std::string amplified = explainMovements(compared);
  Json list = Json::array();
  for (const Compared &value : compared) {
    list.push_back({{"name", value.name},
                    {"node", value.node},
                    {"sizes", value.sizes},
                    {"output", value.isOutput},
                    {"holds", value.holds()},
                    {"off_by", figure(value.difference.relative)},
                    {"off_by_alone", value.isOutput ? Json() : figure(value.alone.relative)},
                    {"moves", movement(value.moves)},
                    {"moves_alone", movement(value.movesAlone)},
                    {"allowed", value.difference.bound}});
    if (value.isOutput)
      table.push_back({printable(value.name, 60), value.form, numberText("%.3g", value.difference.relative),
                       numberText("%.3g", value.difference.bound)});
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
                      first->isOutput ? ""
                                      : "later nodes compute with what it gave them; 'opc model extract " +
                                            printablePath(flags.model) + " --node='" +
                                            printable(first->node.empty() ? first->name : first->node, 80) +
                                            "' --output=DIR' makes a model of it alone");
  size_t nodes = static_cast<size_t>(
      std::count_if(compared.begin(), compared.end(), [](const Compared &value) { return !value.isOutput; }));
  context.info(
      "compared " + std::to_string(nodes) + " results of nodes and " + std::to_string(compared.size() - nodes) +
      " outputs with ONNX Runtime" +
      (worst ? ", worst '" + printable(worst->name, 60) + "' off by " + numberText("%.3g", worst->difference.relative)
             : "") +
      (alone ? "; of nodes alone '" + printable(alone->name, 60) + "' by " + numberText("%.3g", alone->alone.relative)
             : "") +
      (amplified.empty() ? "" : "; " + amplified) +
      (without != 0 ? "; " + std::to_string(without) + " results have no counterpart there" : "") +
      hostStepsText(*model, flags.device));
  return context.finish(diagnostics);
}

ExitCode ModelTest::run() {
  bool done = prepare() && testForms();
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

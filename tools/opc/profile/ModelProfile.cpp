// A run of the model provides the operands of each step. After each step on the simulator the same launch runs again,
// through the interface that reports cycles, with unused results; so each layer is measured with its actual operands.

#include "tools/opc/profile/ModelProfile.h"

#include "runtime/core/launch/Launch.h"
#include "runtime/core/model/LoadedModel.h"
#include "runtime/core/operator/Operator.h"
#include "runtime/core/tensor/Npy.h"
#include "runtime/device/registry/Devices.h"
#include "runtime/program/format/JsonText.h"
#include "runtime/program/model/HostFunction.h"
#include "runtime/target/Target.h"
#include "tools/opc/Assignment.h"
#include "tools/opc/model/ModelRun.h"
#include "tools/opc/model/reference/ModelInputs.h"
#include "tools/opc/profile/Profile.h"
#include "tools/opc/text/TextTable.h"
#include "tools/opc/text/Words.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <tuple>

namespace opc::tool {

using Json = nlohmann::ordered_json;

namespace {

/// A step that ran.
struct Layer {
  size_t step = 0;
  std::string op;     ///< "Conv2dBiasRelu", "copy", "NonMaxSuppression"
  int64_t bytes = 0;  ///< of operands and results
  int64_t cycles = 0; ///< 0 on the host
  std::string pipe;   ///< that was busy longest; empty on the host
  double busy = 0;    ///< share of the cycles that it was
  bool isOnHost = false;
};

class ModelProfile {
public:
  ModelProfile(const ModelProfileFlags &flags, Context &context) : flags(flags), context(context) {}
  ExitCode run();

private:
  bool open();
  bool makeTensors();
  bool readGiven();
  void *addressOf(const PlanValue &value);
  Operator *operatorOf(uint32_t kernel);
  bool measure(size_t number);
  double microseconds(int64_t cycles) const { return double(cycles) / target->clockMHz(); }
  std::string shapeOf(const Layer &layer) const;
  Json json() const;
  std::string text() const;

  const ModelProfileFlags &flags;
  Context &context;
  Diagnostics diagnostics;
  std::shared_ptr<Device> device;
  const Target *target = nullptr;
  std::unique_ptr<LoadedModel> model;
  std::vector<Tensor> inputs, outputs;
  std::map<uint32_t, std::shared_ptr<Operator>> operators; ///< by number of the kernel
  std::vector<Layer> layers;
  int64_t cycles = 0;
};

} // namespace

bool ModelProfile::open() {
  device = createDevice("sim", 0, diagnostics);
  if (!device)
    return false;
  model = openWithShapes(flags.folder, flags.shapes, device, diagnostics);
  if (!model)
    return false;
  target = findTarget(model->manifest().target);
  if (!target)
    diagnostics.error(Code::E0120, {},
                      "the model was compiled for '" + printable(model->manifest().target) +
                          "', which is no chip here");
  return target != nullptr;
}

bool ModelProfile::readGiven() {
  std::vector<std::string> names;
  for (const ModelTensor &tensor : model->manifest().inputs)
    names.push_back(tensor.name);
  for (const TensorFile &file : parseTensorFiles(flags.inputs, "input", model->manifest().name, names, diagnostics)) {
    const auto number = static_cast<size_t>(std::find(names.begin(), names.end(), file.name) - names.begin());
    std::optional<Tensor> tensor = readNpy(file.path, file.bfloat16, diagnostics);
    if (!tensor)
      continue;
    const Tensor &wanted = inputs[number];
    if (tensor->type() != wanted.type() || tensor->shape() != wanted.shape())
      diagnostics.error(tensor->type() != wanted.type() ? Code::E0522 : Code::E0523, {},
                        "the model expects '" + printable(names[number]) + "' to be " +
                            std::string(elementTypeName(wanted.type())) + " " + shapeText(wanted.shape()) + ": found " +
                            std::string(elementTypeName(tensor->type())) + " " + shapeText(tensor->shape()));
    inputs[number] = std::move(*tensor);
  }
  return !diagnostics.hasErrors();
}

bool ModelProfile::makeTensors() {
  if (!addModelTensors(model->manifest().inputs, inputs, diagnostics) ||
      !addModelTensors(model->manifest().outputs, outputs, diagnostics))
    return false;
  for (size_t i = 0; i < inputs.size(); ++i)
    fillModelInput(inputs[i], flags.seed + i);
  return readGiven();
}

void *ModelProfile::addressOf(const PlanValue &value) {
  if (value.memory == PlanValue::Input || value.memory == PlanValue::Output) {
    Tensor &tensor = (value.memory == PlanValue::Input ? inputs : outputs)[value.offset];
    return static_cast<char *>(tensor.data()) + value.start;
  }
  return const_cast<void *>(model->addressOf(value));
}

Operator *ModelProfile::operatorOf(uint32_t kernel) {
  std::shared_ptr<Operator> &known = operators[kernel];
  if (!known) {
    std::optional<OpFolder> folder = openOpFolder(flags.folder + "/" + model->manifest().kernels[kernel], diagnostics);
    if (folder)
      known = Operator::create(std::move(*folder), device);
  }
  return known.get();
}

/// Measures a step that has just run: its operands are unchanged.
bool ModelProfile::measure(size_t number) {
  const PlanStep &step = model->plan().steps[number];
  if (step.kind == PlanStep::Join || step.kind == PlanStep::Branch)
    return true;
  Layer layer;
  layer.step = number;
  const std::vector<PlanValue> &values = model->plan().values;
  for (int32_t operand : step.operands)
    layer.bytes += operand < 0 ? 0 : static_cast<int64_t>(values[static_cast<size_t>(operand)].bytes());
  for (uint32_t result : step.results)
    layer.bytes += static_cast<int64_t>(values[result].bytes());
  layer.isOnHost = true;
  if (step.kind != PlanStep::Launch) {
    layer.op = step.kind == PlanStep::Copy ? "copy" : hostFunctionName(static_cast<HostFunction>(step.kernel));
    layers.push_back(std::move(layer));
    return true;
  }
  Operator *op = operatorOf(step.kernel);
  if (!op)
    return false;
  layer.op = op->manifest().opType;
  const std::vector<ManifestKernel> &kernels = device->kernels(op->manifest());
  if (kernels.empty()) {
    layers.push_back(std::move(layer));
    return true;
  }
  std::vector<std::optional<Tensor>> tensors;
  for (int32_t operand : step.operands) {
    const PlanValue *value = operand < 0 ? nullptr : &values[static_cast<size_t>(operand)];
    tensors.push_back(value ? Tensor::over(value->type, value->shape, addressOf(*value)) : std::nullopt);
  }
  std::vector<const Tensor *> given;
  for (const std::optional<Tensor> &tensor : tensors)
    given.push_back(tensor ? &*tensor : nullptr);
  LaunchTarget launchTarget{device->maxBlocks(), &kernels, std::nullopt, {}};
  for (uint32_t result : step.results)
    launchTarget.outputTypes.emplace_back(values[result].type);
  std::optional<BoundLaunch> bound = bindLaunch(op->manifest(), given, step.attributes, launchTarget, diagnostics);
  Kernel *kernel = bound ? op->load(*bound->kernel, diagnostics) : nullptr;
  LaunchReport report;
  if (!kernel || !kernel->launch(launchArguments(given, *bound), report, diagnostics))
    return false;
  layer.isOnHost = false;
  layer.cycles = std::max<int64_t>(report.cycles, 0);
  layer.pipe = report.boundPipe;
  layer.busy = report.boundShare;
  cycles += layer.cycles;
  layers.push_back(std::move(layer));
  return true;
}

std::string ModelProfile::shapeOf(const Layer &layer) const {
  const PlanStep &step = model->plan().steps[layer.step];
  if (step.results.empty())
    return {};
  const PlanValue &value = model->plan().values[step.results.front()];
  return std::string(elementTypeName(value.type)) + " " + shapeText(value.shape);
}

Json ModelProfile::json() const {
  Json list = Json::array();
  for (const Layer &layer : layers)
    list.push_back({{"step", layer.step},
                    {"node", model->plan().steps[layer.step].node},
                    {"operator", layer.op},
                    {"result", shapeOf(layer)},
                    {"on_host", layer.isOnHost},
                    {"cycles", layer.isOnHost ? Json() : Json(layer.cycles)},
                    {"microseconds", layer.isOnHost ? Json() : Json(microseconds(layer.cycles))},
                    {"bound_by", layer.pipe},
                    {"busy", layer.busy},
                    {"bytes", layer.bytes}});
  return {{"schema_version", 1},
          {"model", model->manifest().name},
          {"target", model->manifest().target},
          {"clock_mhz", target->clockMHz()},
          {"cycles", cycles},
          {"microseconds", microseconds(cycles)},
          {"host_steps", model->hostSteps()},
          {"arena_bytes", model->plan().arenaBytes},
          {"weight_bytes", model->plan().weightBytes},
          {"layers", std::move(list)}};
}

std::string ModelProfile::text() const {
  struct Sum {
    size_t steps = 0;
    int64_t cycles = 0, bytes = 0;
    bool isOnHost = false;
  };
  std::map<std::string, Sum> sums;
  auto share = [&](int64_t part) {
    return numberText("%.1f %%", cycles == 0 ? 0 : 100 * double(part) / double(cycles));
  };
  std::vector<TextRow> rows = {{"step", "node", "operator", "result", "us", "share", "bound by", "busy", "kB"}};
  for (const Layer &layer : layers) {
    const std::string &node = model->plan().steps[layer.step].node;
    rows.push_back({std::to_string(layer.step), printable(node, 40), printable(layer.op, 40), shapeOf(layer),
                    layer.isOnHost ? "" : numberText("%.2f", microseconds(layer.cycles)),
                    layer.isOnHost ? "" : share(layer.cycles), layer.isOnHost ? "(host)" : layer.pipe,
                    layer.isOnHost ? "" : numberText("%.2f", layer.busy),
                    numberText("%.1f", double(layer.bytes) / 1e3)});
    Sum &sum = sums[layer.op + (layer.isOnHost ? " (host)" : "")];
    ++sum.steps;
    sum.cycles += layer.cycles;
    sum.bytes += layer.bytes;
    sum.isOnHost = layer.isOnHost;
  }
  std::string text = textTable(rows, {true, false, false, false, true, true, false, true, true}) + "\n";
  std::vector<std::pair<std::string, Sum>> byTime(sums.begin(), sums.end());
  std::sort(byTime.begin(), byTime.end(), [](const auto &a, const auto &b) {
    return std::tie(b.second.cycles, a.first) < std::tie(a.second.cycles, b.first);
  });
  rows = {{"operator", "steps", "us", "share", "kB"}};
  for (const auto &[op, sum] : byTime)
    rows.push_back({printable(op, 48), std::to_string(sum.steps),
                    sum.isOnHost ? "" : numberText("%.2f", microseconds(sum.cycles)),
                    sum.isOnHost ? "" : share(sum.cycles), numberText("%.1f", double(sum.bytes) / 1e3)});
  text += textTable(rows, {false, true, true, true, true}) + "\n";
  return text + printable(model->manifest().name, 80) + " on " + model->manifest().target + ": " +
         std::to_string(cycles) + " cycles by the model, " + numberText("%.1f", microseconds(cycles)) + " us at " +
         numberText("%g", target->clockMHz()) + " MHz, one kernel after the other, without launching them; arena " +
         numberText("%.1f", double(model->plan().arenaBytes) / 1e3) + " kB, weights " +
         numberText("%.1f", double(model->plan().weightBytes) / 1e3) + " kB\n";
}

ExitCode ModelProfile::run() {
  if (!open() || !makeTensors())
    return context.finish(diagnostics);
  std::vector<void *> from, to;
  for (Tensor &tensor : inputs)
    from.push_back(tensor.data());
  for (Tensor &tensor : outputs)
    to.push_back(tensor.data());
  bool isWhole = true;
  auto after = [&](size_t step) { isWhole = isWhole && measure(step); };
  if (!model->run(from.data(), to.data(), after, diagnostics) || !isWhole)
    return context.finish(diagnostics);
  const Json record = json();
  if (!flags.output.empty()) {
    if (!writeProfileFolder(flags.output, "profile", {{"profile.json", writeJson(record, 2) + "\n"}}, diagnostics))
      return context.finish(diagnostics);
    context.info("wrote " + printablePath(flags.output) + ": profile.json");
  }
  context.print(diagnostics);
  std::cout << (context.json() ? writeJson(record, -1) + "\n" : text());
  if (std::string host = hostStepsText(*model, "sim"); !host.empty())
    context.info(host.substr(2) + "; they have no estimate");
  return ExitCode::Done;
}

ExitCode profileModelFolder(const ModelProfileFlags &flags, Context &context) {
  return ModelProfile(flags, context).run();
}

} // namespace opc::tool

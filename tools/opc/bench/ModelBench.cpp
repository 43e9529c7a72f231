// Three measurements: loads, whole runs without reading the clock between steps, and as many runs that read it after
// each step, whose medians give each kernel's share of a run.

#include "tools/opc/bench/ModelBench.h"

#include "runtime/core/File.h"
#include "runtime/device/registry/Devices.h"
#include "runtime/program/format/Sha256.h"
#include "runtime/program/model/HostFunction.h"
#include "runtime/program/model/ModelSizes.h"
#include "tools/opc/CacheFlags.h"
#include "tools/opc/bench/BenchMachine.h"
#include "tools/opc/model/ModelRun.h"
#include "tools/opc/model/reference/ModelInputs.h"
#include "tools/opc/text/TextTable.h"
#include "tools/opc/text/Words.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <tuple>

namespace opc::tool {

using Clock = std::chrono::steady_clock;

/// Loads of a model: enough for a median.
static constexpr size_t kLoads = 5;

static double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

static double median(std::vector<double> values) {
  auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

namespace {

class ModelBench {
public:
  ModelBench(const ModelBenchFlags &flags, Context &context) : flags(flags), context(context) {}
  ExitCode run();

private:
  bool load();
  bool makeTensors();
  bool measure();
  void describe();
  void print() const;

  const ModelBenchFlags &flags;
  Context &context;
  Diagnostics diagnostics;
  std::optional<PackedStore> packed;
  std::unique_ptr<LoadedModel> model;
  std::vector<Tensor> inputs, outputs;
  BenchRecord record;
};

} // namespace

bool ModelBench::load() {
  std::vector<double> loads;
  std::optional<std::vector<Shape>> shapes;
  if (!flags.shapes.empty() && !(shapes = readModelShapes(flags.folder, flags.shapes, diagnostics)))
    return false;
  packed = packedStore(diagnostics);
  if (diagnostics.hasErrors())
    return false;
  for (size_t i = 0; i < kLoads; ++i) {
    // A new device for each load, since a device keeps kernels.
    std::shared_ptr<Device> device = createDevice(flags.device, 0, diagnostics);
    if (!device)
      return false;
    model.reset();
    const auto start = Clock::now();
    model = LoadedModel::open(flags.folder, device, diagnostics, hostBeside(*device, diagnostics),
                              shapes ? &*shapes : nullptr, packed ? &*packed : nullptr);
    if (!model)
      return false;
    loads.push_back(millisecondsSince(start));
  }
  record.loadMs = median(std::move(loads));
  return true;
}

bool ModelBench::makeTensors() {
  if (!addModelTensors(model->manifest().inputs, inputs, diagnostics) ||
      !addModelTensors(model->manifest().outputs, outputs, diagnostics))
    return false;
  for (size_t i = 0; i < inputs.size(); ++i)
    fillModelInput(inputs[i], flags.seed + i);
  for (const auto *tensors : {&inputs, &outputs})
    for (const Tensor &tensor : *tensors)
      record.gmBytes += tensor.numBytes();
  record.elements = outputs.empty() ? 0 : outputs.front().numElements();
  return true;
}

bool ModelBench::measure() {
  std::vector<void *> from, to;
  for (Tensor &tensor : inputs)
    from.push_back(tensor.data());
  for (Tensor &tensor : outputs)
    to.push_back(tensor.data());
  std::vector<double> whole;
  for (unsigned i = 0; i < flags.warmups + flags.runs; ++i) {
    const auto start = Clock::now();
    if (!model->run(from.data(), to.data(), diagnostics))
      return false;
    if (i >= flags.warmups)
      whole.push_back(millisecondsSince(start));
  }
  record.statistics = statisticsOf(std::move(whole));
  const ModelPlan &plan = model->plan();
  std::vector<std::vector<double>> steps(plan.steps.size());
  for (unsigned i = 0; i < flags.runs; ++i) {
    auto last = Clock::now();
    auto after = [&](size_t step) {
      steps[step].push_back(millisecondsSince(last));
      last = Clock::now();
    };
    if (!model->run(from.data(), to.data(), after, diagnostics))
      return false;
  }
  // After the kernels a row for copies, and a row for each function of the host.
  std::vector<BenchKernel> kernels(plan.kernels + 1 + kNumHostFunctions);
  for (uint32_t i = 0; i < plan.kernels; ++i)
    kernels[i].name = model->manifest().kernels[i];
  kernels[plan.kernels].name = "(copies)";
  for (uint32_t i = 0; i < kNumHostFunctions; ++i)
    kernels[plan.kernels + 1 + i].name = std::string(hostFunctionName(static_cast<HostFunction>(i))) + " (host)";
  for (size_t i = 0; i < steps.size(); ++i) {
    const PlanStep &step = plan.steps[i];
    // Steps of the list of a branch that was not taken did not run.
    if (step.kind == PlanStep::Join || step.kind == PlanStep::Branch || steps[i].empty())
      continue;
    BenchKernel &kernel = kernels[step.kind == PlanStep::Launch ? step.kernel
                                  : step.kind == PlanStep::Host ? plan.kernels + 1 + step.kernel
                                                                : plan.kernels];
    ++kernel.steps;
    kernel.milliseconds += median(std::move(steps[i]));
  }
  for (BenchKernel &kernel : kernels)
    if (kernel.steps != 0)
      record.kernels.push_back(std::move(kernel));
  std::sort(record.kernels.begin(), record.kernels.end(), [](const BenchKernel &a, const BenchKernel &b) {
    return std::tie(b.milliseconds, a.name) < std::tie(a.milliseconds, b.name);
  });
  return true;
}

static std::string formsText(const std::vector<ModelTensor> &tensors) {
  std::string text;
  for (const ModelTensor &tensor : tensors)
    text += (text.empty() ? "" : " ") + std::string(elementTypeName(tensor.type)) + shapeText(tensor.shape);
  return text;
}

void ModelBench::describe() {
  const ModelManifest &manifest = model->manifest();
  const ModelFile *plan = manifest.findFile(planPath(manifest.sizes, model->formNumber()));
  const ModelFile *weights = manifest.findFile(kModelWeightsName);
  auto &conditions = record.conditions;
  conditions["model"] = manifest.name;
  conditions["weights_sha256"] = weights ? weights->sha256 : "";
  conditions["inputs"] = formsText(manifest.inputs);
  conditions["device"] = flags.device;
  conditions["target"] = manifest.target;
  conditions["seed"] = std::to_string(flags.seed);
  conditions["warmups"] = std::to_string(flags.warmups);
  conditions["runs"] = std::to_string(flags.runs);
  record.versions["plan_sha256"] = plan ? plan->sha256 : "";
  record.versions["compiler"] = manifest.compiler;
  // The memory of the running model: its arena, and the tensors of the caller.
  record.memoryPeakMb = static_cast<double>(record.gmBytes + static_cast<int64_t>(model->plan().arenaBytes)) / 1e6;
  const auto &first = manifest.inputs.empty() ? std::vector<int64_t>() : manifest.inputs.front().shape;
  describeMachine(record, manifest.name + " " + formsText(manifest.inputs), first.size() > 1 ? first.front() : 1,
                  flags.commit);
}

void ModelBench::print() const {
  const ModelPlan &plan = model->plan();
  const BenchStatistics &times = record.statistics;
  std::printf("| model | device | steps | kernels | load ms | mean ms | p50 | p95 | p99 | cv | arena | weights |\n"
              "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
              "| %s | %s | %zu | %u | %.4g | %.4g | %.4g | %.4g | %.4g | %.3f | %s | %s |\n\n",
              printable(model->manifest().name, 80).c_str(), flags.device.c_str(), plan.steps.size(), plan.kernels,
              *record.loadMs, times.mean, times.p50, times.p95, times.p99, times.cv, byteText(plan.arenaBytes).c_str(),
              byteText(plan.weightBytes).c_str());
  double sum = 0;
  for (const BenchKernel &kernel : record.kernels)
    sum += kernel.milliseconds;
  std::vector<TextRow> rows = {{"kernel", "steps", "ms", "share"}};
  for (const BenchKernel &kernel : record.kernels)
    rows.push_back({printable(kernel.name, 80), std::to_string(kernel.steps), numberText("%.4g", kernel.milliseconds),
                    numberText("%.1f %%", sum > 0 ? 100 * kernel.milliseconds / sum : 0)});
  std::printf("%s\n%s", textTable(rows, {false, true, true, true}).c_str(), reportText(record).c_str());
  std::fflush(stdout);
}

ExitCode ModelBench::run() {
  if (!load() || !makeTensors() || !measure())
    return context.finish(diagnostics);
  describe();
  if (!flags.output.empty() && !writeBenchFile(record, flags.output, diagnostics))
    return context.finish(diagnostics);
  if (context.json())
    std::cout << writeBenchRecord(record, -1);
  else
    print();
  return context.finish(diagnostics);
}

ExitCode benchModelFolder(const ModelBenchFlags &flags, Context &context) {
  return ModelBench(flags, context).run();
}

} // namespace opc::tool

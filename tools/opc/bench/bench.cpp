// `opc bench`: measures the time of an operator and records the conditions for later comparisons.
//
//   contract -> kernel cache -> tensors from the device's pool, filled from a seed
//            -> constants of the contract, warm-ups, runs -> statistics -> Markdown on stdout, benchmark.json, findings
//
// A time is that of the launch alone, without compilation, files and conversions. On `cpu` and `sim` there are no
// copies to a device and no conversions, so both ratios of the report are 0. Values that the machine does not provide
// (a temperature) are "unknown".

#include "ops/contract/read/Reader.h"
#include "ops/contract/write/Canonical.h"
#include "runtime/core/cache/KernelCache.h"
#include "runtime/core/launch/Launch.h"
#include "runtime/core/launch/PreparedLaunch.h"
#include "runtime/core/pool/MemoryPool.h"
#include "runtime/device/registry/Devices.h"
#include "runtime/program/format/Sha256.h"
#include "tools/opc/Assignment.h"
#include "tools/opc/CacheFlags.h"
#include "tools/opc/Command.h"
#include "tools/opc/bench/BenchMachine.h"
#include "tools/opc/bench/ModelBench.h"
#include "tools/opc/compile/CompileOptions.h"
#include "tools/opc/libraries/Libraries.h"
#include "tools/opc/run/RepeatedLaunch.h"
#include "tools/opc/tensors/RandomInputs.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>

namespace opc::tool {

struct BenchOptions {
  std::string contract, device = "cpu", target = "Ascend310B", dtype, body, shapes, output, commit;
  std::vector<std::string> attributes;
  unsigned warmups = 3, runs = 50;
  uint64_t seed = 310;
  CacheFlags cache;
};

static std::string shapesText(const std::vector<std::optional<Shape>> &shapes) {
  std::string text;
  for (const std::optional<Shape> &shape : shapes)
    text += (text.empty() ? "" : " ") + (shape ? shapeText(*shape) : "none");
  return text;
}

namespace {
/// A measurement in progress.
class Bench {
public:
  Bench(const BenchOptions &options, Context &context) : options(options), context(context) {}
  ExitCode run();

private:
  bool prepare();
  bool chooseShapes();
  bool makeTensors();
  bool measure();
  void describe();
  void print() const;

  const BenchOptions &options;
  Context &context;
  Diagnostics diagnostics;
  std::optional<Contract> contract;
  unsigned row = 0;
  std::vector<std::optional<Shape>> shapes;
  std::unique_ptr<MemoryPool> pool;
  std::shared_ptr<Device> device;
  std::unique_ptr<KernelCache> cache;
  std::shared_ptr<Operator> op;
  std::vector<std::optional<Tensor>> inputs;
  std::optional<BoundLaunch> launch;
  std::vector<double> milliseconds;
  BenchRecord record;
};
} // namespace

bool Bench::chooseShapes() {
  if (!options.shapes.empty()) {
    auto given = chooseInputShapes(*contract, options.shapes, diagnostics);
    if (!given)
      return false;
    for (const ContractTensor &input : contract->inputs) {
      auto found = given->find(input.name);
      shapes.push_back(found == given->end() ? std::nullopt : std::optional<Shape>(found->second));
    }
    return !diagnostics.hasErrors();
  }
  // A million elements if the contract allows any shape, else the first test shape of its author.
  bool open = true;
  for (const ContractTensor &input : contract->inputs)
    open &= input.shape.size() == 1 && input.shape.front().kind == ContractDim::Pack;
  if (open) {
    shapes.assign(contract->inputs.size(), Shape{1 << 20});
    return true;
  }
  if (!contract->testShapes.empty()) {
    for (const auto &shape : contract->testShapes.front().inputs)
      shapes.push_back(shape);
    return true;
  }
  diagnostics.error(Code::E0103, {}, "expects --input_shape: the contract has no test_shapes");
  return false;
}

bool Bench::prepare() {
  device = createDevice(options.device, 0, diagnostics);
  std::optional<CacheSettings> settings = settingsOf(options.cache, diagnostics);
  contract = loadContract(options.contract, diagnostics);
  if (!device || !settings || !contract || !chooseTarget(options.target, diagnostics))
    return false;
  std::vector<unsigned> rows = chooseTypeRows(*contract, options.dtype, diagnostics);
  if (diagnostics.hasErrors())
    return false;
  if (rows.size() > 1) {
    diagnostics.error(Code::E0104, {}, "--dtype expects one row of the type table here");
    return false;
  }
  row = rows.empty() ? 0 : rows.front();
  std::vector<NamedValue> attributes = parseAttributes(options.attributes, diagnostics);
  if (diagnostics.hasErrors() || !bindCompileAttributes(*contract, attributes, diagnostics) || !chooseShapes())
    return false;
  registerKernelCompiler(compiler().createCacheCompiler());
  cache = std::make_unique<KernelCache>(*settings, device);
  std::string label = launchLabel(contract->opType, shapes.front() ? &*shapes.front() : nullptr);
  op = cache->get(requestFor(*contract, row, options.target, options.body, attributes), label, diagnostics).op;
  return op && makeTensors();
}

bool Bench::makeTensors() {
  pool = std::make_unique<MemoryPool>(createMmapAllocator());
  MemoryRelease toPool{[](void *context, void *memory) { static_cast<MemoryPool *>(context)->release(memory); },
                       pool.get()};
  auto make = [&](ElementType type, const Shape &shape) -> std::optional<Tensor> {
    std::optional<Tensor> form = Tensor::over(type, shape, nullptr);
    void *memory = form ? pool->allocate(size_t(form->numBytes()), diagnostics) : nullptr;
    return memory ? Tensor::over(type, shape, memory, toPool) : std::nullopt;
  };
  std::string bytes;
  std::vector<const Tensor *> given;
  for (size_t i = 0; i < shapes.size(); ++i) {
    inputs.emplace_back();
    if (!shapes[i])
      continue;
    inputs.back() = make(contract->inputs[i].types[row], *shapes[i]);
    if (!inputs.back()) {
      diagnostics.error(Code::E0527, {},
                        "no memory for '" + contract->inputs[i].name + "' of shape " + shapeText(*shapes[i]));
      return false;
    }
    fillRandom(*inputs.back(), options.seed + i, op->manifest().inputs[i]);
    bytes += sha256({static_cast<const char *>(inputs.back()->data()), size_t(inputs.back()->numBytes())});
    record.gmBytes += inputs.back()->numBytes();
  }
  for (const std::optional<Tensor> &input : inputs)
    given.push_back(input ? &*input : nullptr);
  record.conditions["inputs_sha256"] = sha256(bytes);
  std::vector<NamedValue> attributes = parseAttributes(options.attributes, diagnostics);
  if (diagnostics.hasErrors())
    return false;
  launch = bindLaunch(op->manifest(), given, attributes,
                      {device->maxBlocks(), &device->kernels(op->manifest()), std::nullopt}, diagnostics, make);
  if (!launch)
    return false;
  for (const Tensor &output : launch->outputs)
    record.gmBytes += output.numBytes();
  record.elements = launch->outputs.front().numElements();
  return true;
}

bool Bench::measure() {
  Kernel *kernel = op->load(*launch->kernel, diagnostics);
  if (!kernel)
    return false;
  std::vector<const Tensor *> given;
  for (const std::optional<Tensor> &input : inputs)
    given.push_back(input ? &*input : nullptr);
  const LaunchArguments arguments = launchArguments(given, *launch);
  const std::vector<bool> constant = constantsOf(op->manifest(), arguments);
  std::optional<RepeatedLaunch> repeated = RepeatedLaunch::create(*device, *kernel, arguments, constant, diagnostics);
  if (!repeated)
    return false;
  if (const std::string names = constantNames(op->manifest(), given); device->runsHostCode() && !names.empty())
    record.conditions["constants"] = names;
  for (unsigned i = 0; i < options.warmups + options.runs; ++i) {
    LaunchReport report;
    if (!repeated->run(/*trace=*/false, report, diagnostics))
      return false;
    if (i >= options.warmups)
      milliseconds.push_back(report.seconds * 1e3);
    record.cycles = report.cycles;
  }
  return true;
}

void Bench::describe() {
  auto &conditions = record.conditions;
  conditions["operator"] = contract->opType;
  conditions["contract_sha256"] = contractHash(*contract);
  conditions["device"] = options.device;
  conditions["target"] = op->manifest().target;
  conditions["type_row"] = contract->typeRowName(row);
  conditions["shapes"] = shapesText(shapes);
  std::string attributes;
  for (const std::string &attribute : options.attributes)
    attributes += (attributes.empty() ? "" : " ") + attribute;
  conditions["attributes"] = attributes;
  conditions["seed"] = std::to_string(options.seed);
  conditions["warmups"] = std::to_string(options.warmups);
  conditions["runs"] = std::to_string(options.runs);
  record.versions = {{"kernel", launch->kernel->name}, {"body", op->manifest().body}};
  record.statistics = statisticsOf(milliseconds);
  record.memoryPeakMb = double(pool->statistics().peak) / 1e6;
  // The leading dimension is the batch if the rank is above 1.
  int64_t batch = shapes.front() && shapes.front()->size() > 1 ? shapes.front()->front() : 1;
  describeMachine(record, contract->opType + " " + contract->typeRowName(row) + " " + shapesText(shapes), batch,
                  options.commit);
}

void Bench::print() const {
  const BenchStatistics &times = record.statistics;
  double gigabytes = times.mean > 0 ? double(record.gmBytes) / times.mean / 1e6 : 0;
  std::printf("| operator | types | shapes | device | mean ms | p50 | p95 | p99 | cv | GB/s | GM bytes "
              "| peak MB |%s\n",
              record.cycles >= 0 ? " cycles |" : "");
  std::printf("|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|%s\n", record.cycles >= 0 ? "---:|" : "");
  std::printf("| %s | %s | %s | %s | %.4g | %.4g | %.4g | %.4g | %.3f | %.3g | %lld | %.3f |", contract->opType.c_str(),
              contract->typeRowName(row).c_str(), shapesText(shapes).c_str(), options.device.c_str(), times.mean,
              times.p50, times.p95, times.p99, times.cv, gigabytes, static_cast<long long>(record.gmBytes),
              record.memoryPeakMb);
  if (record.cycles >= 0)
    std::printf(" %lld |", static_cast<long long>(record.cycles));
  std::printf("\n\n%s", reportText(record).c_str());
  std::fflush(stdout);
}

ExitCode Bench::run() {
  if (!prepare() || !measure())
    return context.finish(diagnostics);
  describe();
  if (!options.output.empty() && !writeBenchFile(record, options.output, diagnostics))
    return context.finish(diagnostics);
  if (context.json())
    std::cout << writeBenchRecord(record, -1);
  else
    print();
  return context.finish(diagnostics);
}

static ExitCode executeModel(const BenchOptions &options, const Arguments &arguments, Context &context) {
  if (const std::string stray =
          arguments.firstGiven({"--soc_version", "--dtype", "--body", "--attr", "--cache-path", "--cache-setting"});
      !stray.empty())
    return context.fail(Code::E0104,
                        stray + " goes with an operator, found the model '" + printablePath(options.contract) + "'");
  ModelBenchFlags flags;
  flags.folder = options.contract;
  flags.device = options.device;
  flags.shapes = options.shapes;
  flags.output = options.output;
  flags.commit = options.commit;
  flags.warmups = options.warmups;
  flags.runs = options.runs;
  flags.seed = options.seed;
  return benchModelFolder(flags, context);
}

static Action declare(Declaration &declaration) {
  auto options = std::make_shared<BenchOptions>();
  Arguments &arguments = declaration.arguments;
  arguments.option("contract", options->contract, "op_contract.yaml of the operator, or a model folder")
      .required()
      .typeName("FILE|DIR");
  arguments.option("--device", options->device, "device to run on: cpu, sim or null (default cpu)")
      .typeName("cpu|sim|null");
  addChip(arguments, options->target, "default Ascend310B");
  arguments.option("--dtype", options->dtype, "row of the type table (default the first)").typeName("ROW");
  addBody(arguments, options->body, "level of the body (default the first)");
  addInputShape(
      arguments, options->shapes,
      "shapes of the inputs: NAME:SIZE,SIZE;... (default a million elements, else the first entry of test_shapes; "
      "of a model the largest)");
  addAttributes(arguments, options->attributes);
  arguments.option("--warmups", options->warmups, "number of warm-up runs (default 3)")
      .typeName("N")
      .check(wholeNumber(0, 1000000));
  arguments.option("--runs", options->runs, "number of measured runs (default 50)")
      .typeName("N")
      .check(wholeNumber(1, 1000000));
  addSeed(arguments, options->seed, "seed of the inputs (default 310)");
  arguments.option("--commit", options->commit, "commit to name in the report").typeName("ID");
  addOutput(arguments, options->output, "write the record to this file: benchmark.json");
  addCacheFlags(arguments, options->cache);
  return [options, arguments](Context &context) {
    return isModelFolder(options->contract) ? executeModel(*options, arguments, context)
                                            : Bench(*options, context).run();
  };
}

const Command &benchCommand() {
  static const Command command = {"bench", "measure an operator or a model",
                                  "  opc bench op_contract.yaml\n"
                                  "  opc bench op_contract.yaml --dtype=float16 --input_shape='x1:64,1024;x2:64,1024' "
                                  "--output=benchmark.json\n"
                                  "  opc bench op_contract.yaml --device=sim --runs=5\n"
                                  "  opc bench model_folder --format=json",
                                  declare};
  return command;
}

} // namespace opc::tool

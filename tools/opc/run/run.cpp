// `opc run`: runs an operator on .npy files, on one device.
//
//   names to the manifest's order -> inputs read -> launch bound -> outputs staged -> kernel -> outputs renamed
//
// All checks are done before the kernel runs, including those for unwritable files; output files change only
// on success.

#include "runtime/core/launch/LaunchRows.h"
#include "runtime/core/launch/Presence.h"
#include "runtime/core/operator/OpFolder.h"
#include "runtime/core/tensor/Npy.h"
#include "runtime/device/registry/Devices.h"
#include "runtime/program/format/JsonText.h"
#include "runtime/target/Sensitivity.h"
#include "tools/opc/Assignment.h"
#include "tools/opc/Command.h"
#include "tools/opc/OperatorSource.h"
#include "tools/opc/SimFlags.h"
#include "tools/opc/compile/OutputFolder.h"
#include "tools/opc/model/ModelRun.h"
#include "tools/opc/run/Expected.h"
#include "tools/opc/run/KernelProcess.h"
#include "tools/opc/run/RepeatedLaunch.h"
#include "tools/opc/run/RunSource.h"
#include "tools/opc/text/Words.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace opc::tool {

struct RunOptions {
  std::string folder;
  std::string device = "cpu";
  std::vector<std::string> inputs, outputs, attributes;
  std::string trace, dtype;
  unsigned loop = 1;
  SimFlags sim;
  ExpectedFlags expected;
  SourceRunOptions source;
  bool allRows = false; ///< with --source
  CacheFlags cache;
};

static std::vector<std::string> namesOf(const std::vector<ManifestTensor> &tensors) {
  std::vector<std::string> names;
  for (const ManifestTensor &tensor : tensors)
    names.push_back(tensor.name);
  return names;
}

namespace {
/// The state of a run.
struct Run {
  OpFolder folder;
  std::vector<std::optional<Tensor>> inputs; ///< in the manifest's order
  std::vector<const Tensor *> given;
  std::vector<TensorFile> outputFiles;
  std::unique_ptr<Device> device;
  BoundLaunch launch;
  LaunchOutcome outcome;
};
} // namespace

static bool readInputs(const RunOptions &options, const OperatorSource &source, Run &run, Diagnostics &diagnostics) {
  const Manifest &manifest = source.manifest();
  std::vector<std::string> names = namesOf(manifest.inputs);
  std::vector<TensorFile> files = parseTensorFiles(options.inputs, "input", manifest.opType, names, diagnostics);
  run.outputFiles =
      parseTensorFiles(options.outputs, "output", manifest.opType, namesOf(manifest.outputs), diagnostics);
  std::vector<std::string> written;
  for (const TensorFile &file : run.outputFiles)
    written.push_back(file.path);
  if (!options.trace.empty())
    written.push_back(options.trace);
  for (size_t i = 0; i < written.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (isSameFile(written[i], written[j]))
        diagnostics.error(Code::E0529, {},
                          "expects a file of its own for each output and the trace: '" + printablePath(written[i]) +
                              "' is named twice");
  // An output must not overwrite the operator: the next run would find a damaged kernel.
  for (const std::string &path : written)
    for (const std::string &file : source.files())
      if (isSameFile(path, file))
        diagnostics.error(Code::E0529, {},
                          "expects an output apart from the operator's files: '" + printablePath(path) + "' is '" +
                              printablePath(file) + "'");
  if (diagnostics.hasErrors())
    return false;
  run.inputs.resize(names.size());
  run.given.resize(names.size());
  for (const TensorFile &file : files) {
    size_t index = size_t(std::find(names.begin(), names.end(), file.name) - names.begin());
    run.inputs[index] = readInput(file, manifest.opType, diagnostics);
    run.given[index] = run.inputs[index] ? &*run.inputs[index] : nullptr;
  }
  return !diagnostics.hasErrors();
}

/// Creates temporary files for all outputs and the trace, so that unwritable ones are reported before the kernel runs.
static std::optional<std::vector<AtomicFile>> stage(const RunOptions &options, const Run &run,
                                                    Diagnostics &diagnostics) {
  std::vector<AtomicFile> files;
  std::vector<std::string> paths;
  for (const TensorFile &file : run.outputFiles)
    paths.push_back(file.path);
  if (!options.trace.empty())
    paths.push_back(options.trace);
  for (const std::string &path : paths) {
    std::optional<AtomicFile> file = AtomicFile::create(path, diagnostics);
    if (!file)
      return std::nullopt;
    files.push_back(std::move(*file));
  }
  return files;
}

/// The launches as a Chrome trace, for devices without a timeline.
static std::string launchTrace(const Run &run) {
  nlohmann::ordered_json events = nlohmann::ordered_json::array();
  double start = 0;
  for (double seconds : run.outcome.seconds) {
    events.push_back({{"name", run.launch.kernel->name},
                      {"ph", "X"},
                      {"ts", start * 1e6},
                      {"dur", seconds * 1e6},
                      {"pid", run.device->name()},
                      {"tid", "launches"}});
    start += seconds;
  }
  nlohmann::ordered_json trace = {{"schema_version", 1}, {"displayTimeUnit", "ns"}};
  trace["traceEvents"] = std::move(events);
  return trace.dump() + "\n";
}

static bool launchAll(const RunOptions &options, Run &run, Diagnostics &diagnostics) {
  bool trace = !options.trace.empty();
  std::optional<LaunchOutcome> outcome =
      launchKernel(*run.device, run.folder, run.given, run.launch, options.loop, trace, diagnostics);
  if (!outcome)
    return false;
  run.outcome = std::move(*outcome);
  if (trace && run.outcome.report.trace.empty())
    run.outcome.report.trace = launchTrace(run);
  return true;
}

static bool writeOutputs(const RunOptions &options, const Run &run, std::vector<AtomicFile> files,
                         Diagnostics &diagnostics) {
  std::vector<std::string> names = namesOf(run.folder.manifest.outputs);
  for (size_t i = 0; i < run.outputFiles.size(); ++i) {
    size_t index = size_t(std::find(names.begin(), names.end(), run.outputFiles[i].name) - names.begin());
    writeNpy(files[i], run.launch.outputs[index]);
  }
  if (!options.trace.empty())
    files.back().write(run.outcome.report.trace.data(), run.outcome.report.trace.size());
  for (const AtomicFile &file : files)
    if (file.failed(diagnostics))
      return false;
  for (AtomicFile &file : files)
    if (!file.commit(diagnostics))
      return false;
  return true;
}

static double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + long(values.size() / 2), values.end());
  return values[values.size() / 2];
}

static void summarise(const RunOptions &options, const Run &run, const nlohmann::ordered_json &expected,
                      Context &context) {
  const Manifest &manifest = run.folder.manifest;
  const std::vector<double> &launches = run.outcome.seconds;
  double seconds = median(launches);
  const LaunchReport &report = run.outcome.report;
  std::string line = "ran '" + run.launch.kernel->name + "' on " + std::string(run.device->name());
  if (report.cycles >= 0) {
    line += " (" + manifest.target + "): " + std::to_string(report.cycles) + " cycles";
    if (!report.boundPipe.empty())
      line += ", bound by " + report.boundPipe + ", busy " + numberText("%.2f", report.boundShare) + " of the time";
    // The figures that the bounding pipe depends on.
    if (!report.boundDepends.empty())
      line += " (" + dependsText(report.boundDepends) + ")";
    line += "; simulated in " + numberText("%.1f ms", seconds * 1e3);
  } else {
    line += ": " + numberText("%.3f ms", seconds * 1e3);
  }
  const std::string constants =
      options.loop > 1 && run.device->runsHostCode() ? constantNames(manifest, run.given) : std::string();
  if (options.loop > 1)
    line += ", median of " + std::to_string(options.loop) + " launches" +
            (constants.empty() ? "" : " with constants kept: " + printable(constants));
  context.info(line);
  if (!context.json())
    return;
  nlohmann::ordered_json record = {{"schema_version", 1},
                                   {"operator", manifest.opType},
                                   {"kernel", run.launch.kernel->name},
                                   {"device", run.device->name()},
                                   {"target", manifest.target},
                                   {"blocks", run.launch.blockNum},
                                   {"launches", launches.size()},
                                   {"median_ms", seconds * 1e3},
                                   {"min_ms", *std::min_element(launches.begin(), launches.end()) * 1e3}};
  if (!constants.empty())
    record["constants"] = constants;
  if (report.cycles >= 0)
    record["cycles"] = report.cycles;
  if (!report.boundPipe.empty()) {
    record["bound_pipe"] = report.boundPipe;
    record["bound_share"] = report.boundShare;
    record["bound_depends_on"] = report.boundDepends;
  }
  nlohmann::ordered_json outputs = nlohmann::ordered_json::array();
  for (size_t i = 0; i < run.launch.outputs.size(); ++i)
    outputs.push_back({{"name", manifest.outputs[i].name},
                       {"type", elementTypeName(run.launch.outputs[i].type())},
                       {"shape", run.launch.outputs[i].shape()}});
  record["outputs"] = std::move(outputs);
  if (!expected.empty())
    record["expected"] = expected;
  std::cout << writeJson(record) << '\n';
}

static ExitCode executeSource(const RunOptions &options, const Arguments &arguments, Context &context) {
  if (arguments.given("operator"))
    return context.fail(Code::E0104, "--source expects no op folder");
  if (arguments.given("--device") && options.device != "sim")
    return context.fail(Code::E0104, "--source expects --device=sim, found --device=" + printable(options.device));
  SourceRunOptions source = options.source;
  SourceRunFiles files;
  files.inputs.inputs = options.inputs;
  files.inputs.attributes = options.attributes;
  files.inputs.dtype = options.dtype;
  files.outputs = options.outputs;
  files.expected = options.expected;
  files.trace = options.trace;
  files.sim = options.sim;
  files.loop = options.loop;
  files.allRows = options.allRows;
  return runSource(source, files, context);
}

static ExitCode execute(const RunOptions &options, Context &context) {
  Diagnostics diagnostics;
  if (const std::string stray = options.allRows ? "--all-rows" : options.source.stray(); !stray.empty())
    return context.fail(Code::E0104, stray + " goes with --source");
  if (options.folder.empty())
    return context.fail(Code::E0103, "expects an operator, or --source with a kernel, found neither");
  Run run;
  run.device = createDevice(options.device, 0, diagnostics);
  std::optional<Target> settingsTarget;
  if (run.device && options.sim.given()) {
    SimSettings settings = simSettings(options.sim, options.device, diagnostics);
    if (settings.order == SimOrder::Adversarial && !options.trace.empty())
      diagnostics.error(Code::E0104, {}, "--trace is a record of times, and --order=adversarial has none");
    settingsTarget = settings.target;
    run.device = createSimDevice(settings);
  }
  if (diagnostics.hasErrors())
    return context.finish(diagnostics);
  std::optional<OperatorSource> source = OperatorSource::open(options.folder, options.cache, diagnostics);
  if (!source || !readInputs(options, *source, run, diagnostics))
    return context.finish(diagnostics);
  const std::optional<ExpectedOutputs> expected = ExpectedOutputs::read(
      options.expected, source->manifest().opType, namesOf(source->manifest().outputs), diagnostics);
  std::vector<NamedValue> attributes = parseAttributes(options.attributes, diagnostics);
  std::optional<unsigned> row;
  if (!options.dtype.empty())
    row = findTypeRow(source->manifest(), options.dtype, diagnostics);
  if (diagnostics.hasErrors())
    return context.finish(diagnostics);
  std::optional<OpFolder> folder = source->folderFor(run.given, row, attributes, diagnostics);
  if (!folder)
    return context.finish(diagnostics);
  run.folder = std::move(*folder);
  const Manifest &manifest = run.folder.manifest;
  run.given = takePlaces(manifest, source->manifest(), std::move(run.given));
  if (settingsTarget && !targetOf(manifest.target, settingsTarget, options.sim.figures, diagnostics))
    return context.finish(diagnostics);
  LaunchTarget target{run.device->maxBlocks(), &run.device->kernels(manifest), row};
  std::optional<BoundLaunch> launch =
      bindLaunch(manifest, run.given, attributes, target, diagnostics, makeSharedTensor);
  if (!launch)
    return context.finish(diagnostics);
  run.launch = std::move(*launch);
  for (const TensorFile &file : run.outputFiles)
    for (size_t i = 0; i < manifest.outputs.size(); ++i)
      if (file.bfloat16 && manifest.outputs[i].name == file.name &&
          run.launch.outputs[i].type() != ElementType::BFloat16)
        diagnostics.error(Code::E0108, {},
                          "output '" + file.name + "' is " +
                              std::string(elementTypeName(run.launch.outputs[i].type())) +
                              " in this row, not bfloat16");
  if (diagnostics.hasErrors())
    return context.finish(diagnostics);
  std::optional<std::vector<AtomicFile>> files = stage(options, run, diagnostics);
  if (!files)
    return context.finish(diagnostics);
  if (!launchAll(options, run, diagnostics) || !writeOutputs(options, run, std::move(*files), diagnostics))
    return context.finish(diagnostics);
  auto outputOf = [&](const std::string &name) -> const Tensor * {
    for (size_t i = 0; i < manifest.outputs.size(); ++i)
      if (manifest.outputs[i].name == name)
        return &run.launch.outputs[i];
    return nullptr;
  };
  context.print(diagnostics);
  Diagnostics differences;
  const nlohmann::ordered_json agreement = expected->check(outputOf, context, differences);
  summarise(options, run, agreement, context);
  return context.finish(differences);
}

static ExitCode executeModel(const RunOptions &options, const Arguments &arguments, Context &context) {
  if (const std::string stray =
          arguments.firstGiven({"--dtype", "--attr", "--expected", "--max_ulp", "--trace", "--target-figures",
                                "--all-rows", "--cache-path", "--cache-setting"});
      !stray.empty())
    return context.fail(Code::E0104,
                        stray + " goes with an operator, found the model '" + printablePath(options.folder) + "'");
  ModelRunFlags flags;
  flags.folder = options.folder;
  flags.device = options.device;
  flags.inputs = options.inputs;
  flags.outputs = options.outputs;
  flags.loop = options.loop;
  flags.sim = options.sim;
  return runModelFolder(flags, context);
}

static Action declare(Declaration &declaration) {
  auto options = std::make_shared<RunOptions>();
  Arguments &arguments = declaration.arguments;
  arguments.option("operator", options->folder, std::string(kOperatorSourceHelp) + "; or a model folder")
      .typeName("OPERATOR");
  arguments.option("--device", options->device, "device to run on: cpu, sim, or null, which does nothing (default cpu)")
      .typeName("cpu|sim|null");
  addInputs(arguments, options->inputs);
  arguments.option("--dtype", options->dtype, "row of the type table, if the types of the inputs match several rows")
      .typeName("ROW");
  addAttributes(arguments, options->attributes);
  arguments.option("-o,--output", options->outputs, "file for an output: NAME=@FILE.npy; an existing file is replaced")
      .typeName("NAME=@FILE")
      .oneEach();
  addExpectedFlags(arguments, options->expected);
  arguments.option("--trace", options->trace, "write a Chrome trace of the launch").typeName("FILE");
  arguments
      .option("--loop", options->loop,
              "number of launches; the median time is printed (default 1). Of several, the CPU packs constants "
              "once, before the first")
      .typeName("N")
      .check(wholeNumber(1, 1000000));
  addCacheFlags(arguments, options->cache);
  addSimFlags(arguments, options->sim);
  addSourceOptions(arguments, options->source);
  arguments.flag("--all-rows", options->allRows,
                 "with --source: run every row of the operator's types, inputs converted; output FILE.npy is written "
                 "as FILE.<row>.npy");
  return [options, arguments](Context &context) {
    if (options->source.given())
      return executeSource(*options, arguments, context);
    return isModelFolder(options->folder) ? executeModel(*options, arguments, context) : execute(*options, context);
  };
}

const Command &runCommand() {
  static const Command command = {
      "run", "run an operator over .npy files",
      "  opc run out --device=sim --input x1=@a.npy --input x2=@b.npy --output y=@y.npy\n"
      "  opc run out --device=cpu --input x=@a.npy --attr beta=1.5 --output y=@y.npy\n"
      "  opc run out --device=sim --input x=@a.npy --expected y=@numpy.npy --max_ulp=2\n"
      "  opc run op_contract.yaml --device=sim --input x=@a.npy --output y=@y.npy\n"
      "  opc run out --device=sim --input x=@a.npy --trace=t.json\n"
      "  opc run out --device=sim --input x=@a.npy --sanitize=mem,race,init,sync\n"
      "  opc run out --device=sim --input x=@a.npy --output y=@y.npy --order=adversarial --seed=7\n"
      "  opc run model --device=cpu --input ids=@ids.npy --output y=@y.npy --loop=100\n"
      "  opc run --source AddCustom --input x=@a.npy --input y=@b.npy --output z=@z.npy\n"
      "  opc run --source kernel.cpp --input x=@a.npy --output y=@y.npy "
      "--sanitize=mem,race,init,sync",
      declare};
  return command;
}

} // namespace opc::tool

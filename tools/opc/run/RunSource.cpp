// All checks are done before the simulation, and output files change only when the kernel ends.

#include "tools/opc/run/RunSource.h"

#include "runtime/core/launch/LaunchRows.h"
#include "runtime/core/tensor/Npy.h"
#include "runtime/program/format/JsonText.h"
#include "tools/opc/compile/OutputFolder.h"
#include "tools/opc/text/Words.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace opc::tool {

namespace {
/// The arguments of a command, checked.
struct SourceCommand {
  const SourceRunFiles &files;
  const SimSettings settings;
  SourceProject &project;
};
} // namespace

/// Creates the files of outputs and of the trace before the kernel runs.
static bool stageFiles(const std::vector<TensorFile> &outputs, const SourceRunFiles &files,
                       std::vector<AtomicFile> &staged, Diagnostics &diagnostics) {
  std::vector<std::string> paths;
  for (const TensorFile &file : outputs)
    paths.push_back(file.path);
  if (!files.trace.empty())
    paths.push_back(files.trace);
  for (size_t i = 0; i < paths.size(); ++i) {
    for (size_t j = 0; j < i; ++j)
      if (isSameFile(paths[i], paths[j]))
        diagnostics.error(Code::E0529, {},
                          "expects a file of its own for each output and the trace: '" + printablePath(paths[i]) +
                              "' is named twice");
    std::optional<AtomicFile> file = AtomicFile::create(paths[i], diagnostics);
    if (!file || diagnostics.hasErrors())
      return false;
    staged.push_back(std::move(*file));
  }
  return true;
}

static Pipe boundPipe(const SimResult &result) {
  Pipe bound = Pipe::S;
  for (unsigned pipe = 0; pipe < kNumPipes; ++pipe)
    if (result.pipes[pipe].busyCycles > result.usage(bound).busyCycles)
      bound = Pipe(pipe);
  return bound;
}

static void summarise(const SourceCommand &command, const SourceRun &run, const SourceOutcome &outcome,
                      const nlohmann::ordered_json &expected, const Context &context) {
  const SimResult &result = outcome.result;
  const std::string simulated = numberText("%.1f ms", outcome.seconds * 1e3);
  const HostOperator *op = command.project.definition();
  const KernelSource &source = *run.launch.source;
  const Target &chip = command.project.target();
  std::string line = "ran '" + printable(source.kernel.name) + "'";
  if (run.row && command.files.allRows)
    line += " with " + typeRowName(op->manifest, *run.row);
  line += " on sim";
  const Pipe bound = boundPipe(result);
  const bool timed = command.settings.order == SimOrder::Time && result.cycles > 0;
  if (timed) {
    const double share = double(result.usage(bound).busyCycles) / double(result.cycles);
    line += " (" + std::string(chip.name()) + "): " + std::to_string(result.cycles) + " cycles, bound by " +
            std::string(pipeName(bound)) + ", busy " + numberText("%.2f", share) + " of the time; simulated in " +
            simulated;
  } else {
    line += ": " + simulated;
  }
  if (command.files.loop > 1)
    line += ", median of " + std::to_string(command.files.loop) + " runs";
  if (outcome.hasFindings)
    line += "; the warnings above say what the results depend on";
  context.info(line);
  if (!context.json())
    return;
  nlohmann::ordered_json record = {
      {"schema_version", 1},       {"kernel", source.kernel.name},      {"device", "sim"},
      {"target", chip.name()},     {"blocks", run.launch.blocks},       {"compiler", source.compiler},
      {"headers", source.headers}, {"median_ms", outcome.seconds * 1e3}};
  if (op) {
    record["operator"] = op->manifest.opType;
    record["row"] = typeRowName(op->manifest, *run.row);
    record["tiling_key"] = run.launch.tilingKey;
  }
  if (timed) {
    record["cycles"] = result.cycles;
    record["bound_pipe"] = pipeName(bound);
  }
  record["has_findings"] = outcome.hasFindings;
  nlohmann::ordered_json outputs = nlohmann::ordered_json::array();
  for (const KernelParameter &parameter : run.launch.parameters)
    if (parameter.kind == KernelParameter::Output && parameter.tensor)
      outputs.push_back({{"name", parameter.name},
                         {"type", elementTypeName(parameter.tensor->type())},
                         {"shape", parameter.tensor->shape()}});
  record["outputs"] = std::move(outputs);
  if (!expected.empty())
    record["expected"] = expected;
  std::cout << writeJson(record) << '\n';
}

/// Names FILE.npy of an output FILE.<row>.npy.
static void nameByRow(const std::string &row, std::vector<TensorFile> &files) {
  for (TensorFile &file : files) {
    const std::filesystem::path path = file.path;
    file.path = (path.parent_path() / (path.stem().string() + "." + row + path.extension().string())).string();
  }
}

/// The median time of further simulations of a launch that has run.
static double repeat(const SourceCommand &command, SourceRun &run, double first, Diagnostics &diagnostics) {
  std::vector<double> seconds = {first};
  for (unsigned i = 1; i < command.files.loop; ++i) {
    const std::optional<SourceOutcome> outcome =
        runSourceLaunch(run.launch, command.project.target(), command.settings, nullptr, diagnostics);
    if (!outcome)
      return first;
    seconds.push_back(outcome->seconds);
  }
  std::nth_element(seconds.begin(), seconds.begin() + long(seconds.size() / 2), seconds.end());
  return seconds[seconds.size() / 2];
}

/// Records, simulates and writes the outputs of one row of types, or of a kernel alone.
static ExitCode runRow(const SourceCommand &command, std::optional<unsigned> row, Context &context) {
  Diagnostics diagnostics;
  SourceProject &project = command.project;
  std::vector<TensorFile> outputs =
      parseTensorFiles(command.files.outputs, "output", project.name(), project.outputNames(), diagnostics);
  const std::optional<ExpectedOutputs> expected =
      ExpectedOutputs::read(command.files.expected, project.name(), project.outputNames(), diagnostics);
  SourceRun run;
  SourceInputs inputs = command.files.inputs;
  for (const TensorFile &file : outputs)
    inputs.stored.push_back(file.name);
  // For a kernel alone the outputs are not known.
  if (expected)
    for (const std::string &name : expected->names())
      inputs.stored.push_back(name);
  if (diagnostics.hasErrors() || !project.prepare(inputs, row, run, diagnostics))
    return context.finish(diagnostics);
  if (row)
    nameByRow(typeRowName(project.definition()->manifest, *row), outputs);
  for (const TensorFile &file : outputs)
    if (!run.launch.output(file.name))
      diagnostics.error(Code::E0804, {}, "expects '" + file.name + "' as an output, found it as an input alone");
  context.say(LogLevel::Debug, "compiled by " + run.launch.source->compiler + " with the headers in " +
                                   kernelHeaderFolder(run.launch.source->headers));
  std::vector<AtomicFile> staged;
  if (diagnostics.hasErrors() || !stageFiles(outputs, command.files, staged, diagnostics))
    return context.finish(diagnostics);
  std::string trace;
  std::optional<SourceOutcome> outcome = runSourceLaunch(run.launch, project.target(), command.settings,
                                                         command.files.trace.empty() ? nullptr : &trace, diagnostics);
  if (!outcome)
    return context.finish(diagnostics);
  for (size_t i = 0; i < outputs.size(); ++i)
    writeNpy(staged[i], *run.launch.output(outputs[i].name));
  if (!command.files.trace.empty())
    staged.back().write(trace.data(), trace.size());
  for (const AtomicFile &file : staged)
    if (file.failed(diagnostics))
      return context.finish(diagnostics);
  for (AtomicFile &file : staged)
    if (!file.commit(diagnostics))
      return context.finish(diagnostics);
  Diagnostics unheard; // of further runs, which find the same
  outcome->seconds = repeat(command, run, outcome->seconds, unheard);
  context.print(diagnostics);
  Diagnostics differences;
  const nlohmann::ordered_json agreement =
      expected->check([&run](const std::string &name) { return run.launch.output(name); }, context, differences);
  summarise(command, run, *outcome, agreement, context);
  const ExitCode code = context.finish(differences);
  return code == ExitCode::Done && outcome->hasFindings ? ExitCode::CheckFailed : code;
}

ExitCode runSource(const SourceRunOptions &options, const SourceRunFiles &files, Context &context) {
  Diagnostics diagnostics;
  const SimSettings settings = simSettings(files.sim, "sim", diagnostics);
  const Target *target = checkSourceOptions(options, diagnostics);
  if (settings.order == SimOrder::Adversarial && !files.trace.empty())
    diagnostics.error(Code::E0104, {}, "--trace is a record of times, and --order=adversarial has none");
  if (files.allRows && (!files.inputs.dtype.empty() || !files.trace.empty()))
    diagnostics.error(Code::E0104, {}, "--all-rows expects no --dtype and no --trace: it runs each row of types");
  if (diagnostics.hasErrors())
    return context.finish(diagnostics);
  const std::unique_ptr<SourceProject> project = SourceProject::open(
      options, withRates(settings.portable ? target->portable() : *target, settings.memory), diagnostics);
  if (!project)
    return context.finish(diagnostics);
  const SourceCommand command{files, settings, *project};
  const HostOperator *op = project->definition();
  if (!op && (files.allRows || !files.inputs.dtype.empty()))
    return context.fail(Code::E0104, "--dtype and --all-rows expect an operator's definition, found a kernel alone",
                        "--source names the folder that has op_host and op_kernel, or --host the folder op_host");
  context.print(diagnostics); // remarks of the compiler
  if (!files.allRows)
    return runRow(command, std::nullopt, context);
  ExitCode code = ExitCode::Done;
  for (unsigned row = 0; row < op->manifest.outputs.front().types.size(); ++row) {
    const ExitCode ended = runRow(command, row, context);
    code = code == ExitCode::Done ? ended : code;
  }
  return code;
}

} // namespace opc::tool

// `opc compile`: compiles a contract and its body to an op folder, or to the module at a phase; an ONNX model to a
// model folder (tools/opc/compile/ModelCompile.h).
//
// Options have the vendor's names where the meaning is the same. `--op_mode=static` with `--input_shape` makes a
// folder whose operator takes those shapes only; `dynamic`, the default, takes all that the contract allows.

#include "ops/contract/AttributeText.h"
#include "ops/contract/read/Reader.h"
#include "runtime/core/File.h"
#include "runtime/program/format/JsonText.h"
#include "tools/opc/Assignment.h"
#include "tools/opc/Command.h"
#include "tools/opc/compile/ApplySchedule.h"
#include "tools/opc/compile/CompileOptions.h"
#include "tools/opc/compile/ModelCompile.h"
#include "tools/opc/compile/OutputFolder.h"
#include "tools/opc/compile/PlanTable.h"
#include "tools/opc/compile/ScheduleTable.h"
#include "tools/opc/libraries/Libraries.h"
#include "tools/opc/process/DeferredSignals.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>

namespace opc::tool {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string contract, socVersion, output, stopAfter, dtype, body, opMode = "dynamic", inputShape, implMode, cpuLevels,
                                                                    fixToV = "relay";
  std::vector<std::string> attributes;
  bool timing = false, explainSchedule = false, explainPlan = false, explainSync = false, unproved = false,
       apply = false, portable = false, printPipeline = false;
  // Of models.
  std::vector<std::string> contracts, constants;
  bool explainMemory = false, explainFolding = false;
  CacheFlags cache;
  bool explains() const { return explainSchedule || explainPlan; }
};

static double milliseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

static void refuseOutput(Diagnostics &diagnostics) {
  diagnostics.error(Code::E0104, {}, "--print-pipeline and --output exclude each other: found both", {},
                    "leave out --output: --print-pipeline compiles nothing");
}

/// Checks combinations of options before any file is read.
static void checkOptions(const Options &options, Diagnostics &diagnostics) {
  if (options.output.empty() && options.stopAfter.empty() && !options.explains() && !options.printPipeline)
    diagnostics.error(Code::E0103, {},
                      "'opc compile' expects --output=DIR, --stop-after=PHASE to print a module, "
                      "--explain-schedule, --explain-plan or --print-pipeline");
  if (options.printPipeline && !options.output.empty())
    refuseOutput(diagnostics);
  if (options.explains() && !options.stopAfter.empty())
    diagnostics.error(Code::E0104, {},
                      std::string(options.explainSchedule ? "--explain-schedule" : "--explain-plan") +
                          " and --stop-after exclude each other: found both",
                      {}, "leave out --stop-after");
  if (options.apply && (options.stopAfter == "bound" || options.stopAfter == "fused"))
    diagnostics.error(Code::E0104, {},
                      "--apply expects a later phase than '" + options.stopAfter +
                          "': what a kernel takes of UB is not known there",
                      {}, "--stop-after=tiled, or leave it out");
  checkOpMode(options.opMode, options.inputShape, diagnostics);
  const std::vector<std::string> &phases = compiler().phaseNames();
  if (!options.stopAfter.empty() && std::find(phases.begin(), phases.end(), options.stopAfter) == phases.end()) {
    std::string names, nearest = nearestName(options.stopAfter, phases);
    for (const std::string &phase : phases)
      names += (names.empty() ? "" : ", ") + phase;
    diagnostics.error(Code::E0104, {},
                      "--stop-after expects a phase (" + names + "): found '" + printable(options.stopAfter) + "'", {},
                      nearest.empty() ? "" : "did you mean '" + nearest + "'?");
  }
}

static void reportTimes(const std::vector<std::pair<std::string, double>> &times, double total, Context &context) {
  char line[96];
  for (const auto &[stage, time] : times) {
    std::snprintf(line, sizeof line, "  %-24s %8.2f ms", stage.c_str(), time);
    context.info(line);
  }
  std::snprintf(line, sizeof line, "  %-24s %8.2f ms", "all", total);
  context.info(line);
}

static void report(const Options &options, const Contract &contract, const Target &target, const CompileResult &result,
                   const std::vector<std::pair<std::string, double>> &times, double total, Context &context) {
  char time[32];
  std::snprintf(time, sizeof time, "%.0f ms", total);
  context.info("compiled '" + contract.opType + "' for " + std::string(target.name()) + " into '" +
               printablePath(options.output) + "': " + std::to_string(result.files.size()) + " files, " + time +
               fewerLevelsNote(options.cpuLevels));
  if (options.timing)
    reportTimes(times, total, context);
  if (!context.json())
    return;
  nlohmann::ordered_json record = {
      {"schema_version", 1}, {"operator", contract.opType}, {"target", target.name()}, {"output", options.output}};
  record["files"] = nlohmann::ordered_json::array();
  for (const CompiledFile &file : result.files)
    record["files"].push_back(file.path);
  if (options.timing) {
    nlohmann::ordered_json stages;
    for (const auto &[stage, milliseconds] : times)
      stages[stage] = milliseconds;
    record["milliseconds"] = std::move(stages);
    record["total_ms"] = total;
  }
  std::cout << writeJson(record) << '\n';
}

/// Writes the module after a phase to the file of --output, else to stdout, as a record with --format=json.
static ExitCode finishAtPhase(const Options &options, const Contract &contract, const Target &target,
                              const CompileResult &result, Diagnostics &diagnostics, Context &context) {
  if (!options.output.empty()) {
    std::vector<std::string> sources = {contract.path, contract.filePath(contract.reference)};
    for (const ContractBody &body : contract.bodies)
      for (const std::string &file : body.files())
        sources.push_back(contract.filePath(file));
    if (!contract.schedule.empty())
      sources.push_back(contract.filePath(contract.schedule));
    for (const std::string &source : sources)
      if (isSameFile(options.output, source)) {
        diagnostics.error(Code::E0104, {},
                          "--output expects a file of its own for the module: '" + printablePath(options.output) +
                              "' is a source of the operator");
        return context.finish(diagnostics);
      }
    std::optional<AtomicFile> file = AtomicFile::create(options.output, diagnostics);
    if (!file)
      return context.finish(diagnostics);
    file->write(result.module.data(), result.module.size());
    if (!file->commitUnflushed(diagnostics))
      return context.finish(diagnostics);
    context.info("wrote the module after '" + options.stopAfter + "' to '" + printablePath(options.output) + "'");
  } else if (!context.json()) {
    std::cout << result.module;
  }
  if (context.json()) {
    nlohmann::ordered_json record = {
        {"schema_version", 1}, {"operator", contract.opType}, {"target", target.name()}, {"phase", options.stopAfter}};
    if (options.output.empty())
      record["module"] = result.module;
    else
      record["output"] = options.output;
    std::cout << writeJson(record) << '\n';
  }
  context.print(diagnostics);
  return ExitCode::Done;
}

/// Prints the requested explanations of schedule and plan on stdout, or one record with both. Kernels by hand have no
/// schedule: their loops are in the text.
static ExitCode explain(const Options &options, const Contract &contract, const Target &target,
                        const CompileResult &result, const Diagnostics &diagnostics, Context &context) {
  if (context.json()) {
    nlohmann::ordered_json record;
    if (options.explainSchedule)
      record = scheduleRecord(result.schedules, contract, target);
    if (options.explainPlan)
      record.update(planRecord(result.ubTables, contract, target));
    std::cout << writeJson(record) << '\n';
  } else {
    if (options.explainSchedule && result.schedules.empty())
      std::cout << "'" << contract.opType << "' has a body by hand: its tiles, slots and loops are those of its text\n";
    else if (options.explainSchedule)
      std::cout << scheduleTable(result.schedules, contract, target);
    if (options.explainSchedule && options.explainPlan)
      std::cout << '\n';
    if (options.explainPlan)
      std::cout << planTable(result.ubTables, contract, target);
  }
  context.print(diagnostics);
  return ExitCode::Done;
}

/// Prints the passes that would run: one line for each pipeline, or `record` with all.
static ExitCode printPipelines(const std::vector<PipelineText> &pipelines, nlohmann::ordered_json record,
                               Context &context) {
  for (const PipelineText &pipeline : pipelines) {
    record["pipelines"][pipeline.name] = pipeline.text;
    if (!context.json())
      std::cout << pipeline.name << '\t' << pipeline.text << '\n';
  }
  if (context.json())
    std::cout << writeJson(record) << '\n';
  return ExitCode::Done;
}

/// Whether the only errors are kernels that do not fit UB.
static bool onlyRefused(const CompileResult &result, const Diagnostics &diagnostics) {
  return !result.refused.empty() &&
         std::all_of(diagnostics.all().begin(), diagnostics.all().end(), [](const auto &other) {
           return other.severity != Severity::Error || other.code == Code::E0403 || other.code == Code::E0400;
         });
}

/// Sets the contract's attributes to the values of --attr.
static bool bindGiven(const Options &options, Contract &contract, Diagnostics &diagnostics) {
  std::map<std::string, std::string> values;
  for (const auto &[name, value] : parseAttributes(options.attributes, diagnostics))
    if (!values.emplace(name, value).second)
      diagnostics.error(Code::E0109, {}, "--attr names '" + printable(name) + "' twice");
  return !diagnostics.hasErrors() && bindAttributes(contract, values, diagnostics);
}

/// Applies --apply after a failed compilation: returns the compilation with the changed schedule, or `failed` after
/// an error.
static CompileResult compileApplied(const Options &options, std::optional<Contract> &contract, CompileOptions &compile,
                                    CompileResult failed, Diagnostics &diagnostics, Context &context) {
  if (!onlyRefused(failed, diagnostics)) {
    bool byHand = compile.body->level == BodyLevel::AICore;
    if (byHand && diagnostics.exitCode() == ExitCode::Resources)
      diagnostics.error(
          Code::E0104, {},
          "--apply expects a body at level te, found one by hand: its text defines its capacities and slots", {},
          "make one of the changes above there");
    return failed;
  }
  Diagnostics changed;
  std::optional<AppliedSchedule> applied = applySchedule(*contract, failed.refused, compile, changed);
  if (!applied) {
    for (const Diagnostic &other : changed.all())
      diagnostics.add(other);
    return failed;
  }
  for (const std::string &line : applied->lines)
    context.info(line);
  diagnostics = {};
  contract = std::move(applied->contract);
  compile.body = contract->findBody(BodyLevel::Te);
  if (!bindGiven(options, *contract, diagnostics)) // the values were valid before
    return failed;
  return compiler().compileOperator(*contract, compile, diagnostics);
}

static ExitCode execute(const Options &options, Context &context) {
  auto start = Clock::now();
  // Defer signals, so that the compiler and the linker leave no files and the folder is complete or missing.
  DeferredSignals signals;
  Diagnostics diagnostics;
  checkOptions(options, diagnostics);
  CompileOptions compile;
  compile.target = chooseTarget(options.socVersion, diagnostics);
  compile.stopAfter = options.stopAfter;
  compile.cpuKernels = asksForCpuKernels(options.cpuLevels);
  if (compile.cpuKernels)
    compile.cpuLevels = chooseCpuLevels(options.cpuLevels, diagnostics);
  compile.explainOnly = options.explains() && options.output.empty();
  compile.explainPlan = options.explainPlan;
  // Choose flags too, since a lack of event ids is explained; verification is not needed for an explanation.
  if (compile.explainOnly)
    compile.stopAfter = "synced";
  compile.explainSync = options.explainSync;
  compile.prove = !options.unproved && !compile.explainOnly;
  compile.portable = options.portable;
  compile.fixToV = options.fixToV == "direct" ? FixToV::Direct : FixToV::Relay;
  if (diagnostics.hasErrors())
    return context.finish(diagnostics);
  std::optional<Contract> contract = loadContract(options.contract, diagnostics);
  if (!contract || !bindGiven(options, *contract, diagnostics))
    return context.finish(diagnostics);
  compile.body = chooseBody(*contract, options.body, diagnostics);
  compile.typeRows = chooseTypeRows(*contract, options.dtype, diagnostics);
  if (!options.inputShape.empty())
    if (auto shapes = chooseInputShapes(*contract, options.inputShape, diagnostics))
      compile.shapes = std::move(*shapes);
  if (diagnostics.hasErrors())
    return context.finish(diagnostics);
  if (options.printPipeline)
    return printPipelines(compiler().pipelinesOf(*contract, compile),
                          {{"schema_version", 1}, {"operator", contract->opType}, {"target", compile.target->name()}},
                          context);
  std::vector<std::pair<std::string, double>> times = {{"contract", milliseconds(start)}};
  if (options.unproved)
    context.info("flags and barriers are not proved: this is for --device=sim --sanitize alone");
  if (options.socVersion != compile.target->name())
    context.info("'" + options.socVersion + "' stands for " + std::string(compile.target->name()));

  CompileResult result = compiler().compileOperator(*contract, compile, diagnostics);
  if (options.apply && !DeferredSignals::arrived()) {
    if (diagnostics.hasErrors())
      result = compileApplied(options, contract, compile, std::move(result), diagnostics, context);
    else
      context.info("all kernels fit UB: --apply has nothing to change");
  }
  // The linker receives the terminal's signal as well and fails.
  if (diagnostics.hasErrors() && !DeferredSignals::arrived())
    return context.finish(diagnostics);
  if (DeferredSignals::arrived())
    return ExitCode::CheckFailed;
  times.insert(times.end(), result.timings.begin(), result.timings.end());
  if (compile.explainOnly)
    return explain(options, *contract, *compile.target, result, diagnostics, context);
  if (!options.stopAfter.empty()) {
    ExitCode exit = finishAtPhase(options, *contract, *compile.target, result, diagnostics, context);
    if (options.timing)
      reportTimes(times, milliseconds(start), context);
    return exit;
  }
  auto writing = Clock::now();
  if (!writeOutputFolder(options.output, result.files, diagnostics))
    return context.finish(diagnostics);
  times.emplace_back("write", milliseconds(writing));
  if (options.explains())
    explain(options, *contract, *compile.target, result, {}, context);
  context.print(diagnostics);
  report(options, *contract, *compile.target, result, times, milliseconds(start), context);
  return ExitCode::Done;
}

/// The first given option that does not apply to a model, or to an operator; empty: there is none.
static std::string strayOption(const Arguments &arguments, bool isModel) {
  if (isModel)
    return arguments.firstGiven({"--dtype", "--body", "--op_mode", "--attr", "--cpu-levels", "--impl_mode", "--apply",
                                 "--explain-schedule", "--explain-plan", "--explain-sync", "--portable", "--fix-to-v",
                                 "--unproved", "--timing"});
  return arguments.firstGiven(
      {"--contracts", "--constant", "--explain-folding", "--explain-memory", "--cache-path", "--cache-setting"});
}

static ExitCode executeModel(const Options &options, Context &context) {
  ModelCompileFlags flags;
  flags.model = options.contract;
  flags.socVersion = options.socVersion;
  flags.output = options.output;
  flags.stopAfter = options.stopAfter;
  flags.inputShape = options.inputShape;
  flags.contracts = options.contracts;
  flags.constants = options.constants;
  flags.explainMemory = options.explainMemory;
  flags.explainFolding = options.explainFolding;
  flags.printPipeline = options.printPipeline;
  flags.cache = options.cache;
  if (!options.printPipeline)
    return compileModelFile(flags, context);
  Diagnostics diagnostics;
  chooseTarget(options.socVersion, diagnostics);
  if (!options.output.empty())
    refuseOutput(diagnostics);
  if (!checkModelFlags(flags, diagnostics))
    return context.finish(diagnostics);
  std::vector<std::string> contracts = {libraryFolder()};
  contracts.insert(contracts.end(), flags.contracts.begin(), flags.contracts.end());
  return printPipelines({compiler().modelPipeline(flags.stopAfter, contracts)},
                        {{"schema_version", 1}, {"model", options.contract}}, context);
}

static Action declare(Declaration &declaration) {
  auto options = std::make_shared<Options>();
  Arguments &arguments = declaration.arguments;
  arguments.option("contract", options->contract, "op_contract.yaml of the operator, or a model in ONNX")
      .required()
      .typeName("FILE");
  addChip(arguments, options->socVersion, "").required();
  addOutput(arguments, options->output,
            "op folder or model folder to write, replacing an existing one; with --stop-after, the file of the module");
  arguments
      .option("--stop-after", options->stopAfter,
              "write the module after this phase to stdout or --output instead of an op folder")
      .typeName("PHASE");
  addTypeRows(arguments, options->dtype);
  addBody(arguments, options->body, "level of the body to compile (default the first of the contract)");
  addOpMode(arguments, options->opMode, options->inputShape,
            "dynamic: any shape of the contract; static: only the shapes of --input_shape");
  arguments
      .option("--attr", options->attributes,
              "value of an attribute that is bound at compile time, instead of its default: NAME=VALUE")
      .typeName("NAME=VALUE")
      .oneEach();
  addCpuLevels(arguments, options->cpuLevels);
  arguments
      .option("--impl_mode", options->implMode,
              "high_performance or high_precision; an operator has one implementation, so both have the same effect")
      .typeName("MODE")
      .check(oneOf({"high_performance", "high_precision", "high_performance,optional", "high_precision,optional"}));
  arguments.flag("--explain-schedule", options->explainSchedule,
                 "print the schedule of each kernel (tile, rows, slots, bytes of UB) and the reasons; without "
                 "--output, do nothing else");
  arguments.flag("--explain-plan", options->explainPlan,
                 "print the buffers of each kernel in UB and those that are live at the peak, with the lines of the "
                 "body; without --output, do nothing else");
  arguments.flag("--apply", options->apply,
                 "if kernels of a te body do not fit UB, write the cheapest change that fits into the contract's "
                 "schedule file and continue with it");
  arguments.flag(
      "--explain-sync", options->explainSync,
      "print a remark for each flag and barrier: the two accesses that it orders and their distance in iterations");
  arguments.flag("--portable", options->portable,
                 "insert and verify barriers on the vector pipe too; this chip does not need them, but other chips "
                 "that run the emitted sources may");
  arguments
      .option(
          "--fix-to-v", options->fixToV,
          "how kernels order the pipes FIX and V: relay, through MTE1, or direct, by flags that no source shows the "
          "chip to have")
      .typeName("FORM")
      .check(oneOf({"relay", "direct"}));
  arguments.flag("--unproved", options->unproved,
                 "accept a kernel whose flags and barriers are not proved, to inspect it with 'opc run --device=sim "
                 "--sanitize=...'; not for the board");
  arguments.flag("--print-pipeline", options->printPipeline,
                 "print the passes that would run, in the form of --pass-pipeline of opc-opt, and compile nothing");
  arguments.flag("--timing", options->timing, "print the time of each stage");
  arguments
      .option("--contracts", options->contracts,
              "with a model: folder with contracts of your own; may be given several times")
      .typeName("DIR")
      .oneEach();
  addConstants(arguments, options->constants, "with a model: ");
  arguments.flag(
      "--explain-folding", options->explainFolding,
      "with a model: print which operators were found in pieces, and which nearly were; without --output, do "
      "nothing else");
  arguments.flag("--explain-memory", options->explainMemory,
                 "with a model: print the memory of each value, and the lower bound of the arena; without --output, do "
                 "nothing else");
  addCacheFlags(arguments, options->cache);
  return [options, arguments](Context &context) {
    const bool isModel = isModelFile(options->contract);
    if (std::string stray = strayOption(arguments, isModel); !stray.empty())
      return context.fail(Code::E0104, stray + " goes with " + (isModel ? "an operator" : "a model") + ", found '" +
                                           printablePath(options->contract) + "'");
    return isModel ? executeModel(*options, context) : execute(*options, context);
  };
}

const Command &compileCommand() {
  static const Command command = {
      "compile", "compile an operator into an op folder, or a model into a model folder",
      "  opc compile op_contract.yaml --soc_version=Ascend310B --output=out\n"
      "  opc compile op_contract.yaml --soc_version=Ascend310B4 --dtype=float16 -o out\n"
      "  opc compile op_contract.yaml --soc_version=Ascend310B --stop-after=planned\n"
      "  opc compile op_contract.yaml --soc_version=Ascend310B --op_mode=static "
      "--input_shape=\"x:16,32\" -o out\n"
      "  opc compile op_contract.yaml --soc_version=Ascend310B --explain-schedule --explain-plan\n"
      "  opc compile op_contract.yaml --soc_version=Ascend310B --apply -o out\n"
      "  opc compile model.onnx --soc_version=Ascend310B --input_shape=\"ids:1,128;mask:1,128\" -o model",
      declare};
  return command;
}

} // namespace opc::tool

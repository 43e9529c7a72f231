// compile -> inputs read, outputs made -> record in a child -> simulate -> outputs written
//
// All checks are done before the simulation, and output files change only on success, as for op folders.

#include "tools/opc/run/RunSource.h"

#include "runtime/core/tensor/Npy.h"
#include "runtime/program/JsonText.h"
#include "tools/opc/Assignment.h"
#include "tools/opc/compile/OutputFolder.h"
#include "tools/opc/run/KernelRecorder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>

namespace opc::tool {

static constexpr int64_t kLongestTiling = int64_t(1) << 20;

std::string SourceRunOptions::stray() const {
  return !tiling.empty()           ? "--tiling"
         : !outputShapes.empty()   ? "--output_shape"
         : !outputTypes.empty()    ? "--output_dtype"
         : !source.kernel.empty()  ? "--kernel"
         : !source.defines.empty() ? "--define"
         : !cann.empty()           ? "--cann"
         : autoSync != "on"        ? "--auto-sync"
                                   : "";
}

void addSourceOptions(Arguments &arguments, SourceRunOptions &options) {
  arguments
      .option("--source", options.source.path,
              "kernel in Ascend C instead of an op folder; it is compiled here, recorded, and run on sim")
      .typeName("FILE");
  arguments.option("--kernel", options.source.kernel, "with --source: name of the kernel, if there are several")
      .typeName("NAME");
  arguments.option("--tiling", options.tiling, "with --source: file with the bytes of the kernel's tiling structure")
      .typeName("FILE");
  arguments.option("--tiling_key", options.tilingKey, "with --source: tiling key for TILING_KEY_IS (default 0)")
      .typeName("N");
  arguments.option("--block_dim", options.blocks, "with --source: number of logical blocks (default 1)").typeName("N");
  arguments
      .option("--output_shape", options.outputShapes,
              "with --source: shapes of outputs, 'y:2,3;z:4' (default the shape of the first input)")
      .typeName("NAME:SIZE,SIZE");
  arguments
      .option("--output_dtype", options.outputTypes,
              "with --source: types of outputs, 'y:float32' (default the type of the first input)")
      .typeName("NAME:TYPE");
  arguments.option("--soc_version", options.chip, "with --source: chip (default Ascend310B1)").typeName("CHIP");
  arguments
      .option("--cann", options.cann,
              "with --source: reject calls that this version of the toolkit lacks (default: accept the calls of all "
              "versions, and report those that only one has)")
      .typeName("8.1|9.1");
  arguments
      .option(
          "--auto-sync", options.autoSync,
          "with --source: 'on' adds the flags between the scalar unit and other pipes that the vendor's compiler adds "
          "on this chip, and reports them; 'off' adds none, so that a kernel has to have them (default on)")
      .typeName("on|off");
  arguments.option("--include", options.source.includes, "with --source: folder with headers")
      .typeName("DIR")
      .oneEach();
  arguments.option("--define", options.source.defines, "with --source: definition of a macro")
      .typeName("NAME=VALUE")
      .oneEach();
  arguments
      .option("--cxx", options.source.compiler,
              "with --source: C++ compiler (default CXX, else clang++-22, clang++, c++, g++)")
      .typeName("FILE");
  arguments
      .option("--timeout", options.timeout,
              "with --source: limit of CPU time for the kernel's own code, in seconds (default 10)")
      .typeName("SECONDS")
      .check(wholeNumber(1, 3600));
}

namespace {
struct SourceRun {
  std::unique_ptr<KernelSource> source;
  std::map<std::string, Tensor> tensors; ///< by parameter
  std::vector<KernelParameter> parameters;
  std::vector<TensorFile> outputFiles;
  std::string tiling;
};
} // namespace

/// Parses "y:2,3;z:4" to names and the texts after the colons; reports E0104 for other texts.
static std::map<std::string, std::string> parsePairs(const std::string &text, const char *option,
                                                     const std::vector<std::string> &known, Diagnostics &diagnostics) {
  std::map<std::string, std::string> pairs;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ';');) {
    const size_t colon = part.find(':');
    const std::string name = part.substr(0, colon);
    if (colon == std::string::npos) {
      diagnostics.error(Code::E0104, {},
                        std::string(option) + " expects NAME:VALUE with ';' between outputs, found '" +
                            printable(part) + "'");
    } else if (std::find(known.begin(), known.end(), name) == known.end()) {
      const std::string near = nearestName(name, known);
      diagnostics.error(Code::E0804, {},
                        std::string(option) + " expects a parameter of the kernel, found '" + printable(name) + "'", {},
                        near.empty() ? "" : "did you mean '" + near + "'?");
    } else if (!pairs.emplace(name, part.substr(colon + 1)).second) {
      diagnostics.error(Code::E0109, {}, std::string(option) + " names '" + name + "' twice");
    }
  }
  return pairs;
}

static std::optional<Shape> parseShapeText(const std::string &text) {
  Shape shape;
  for (size_t begin = 0; begin <= text.size() && !text.empty();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    int64_t size = 0;
    const auto [last, error] = std::from_chars(text.data() + begin, text.data() + end, size);
    if (error != std::errc() || last != text.data() + end || size < 0)
      return std::nullopt;
    shape.push_back(size);
    begin = end + 1;
  }
  return shape;
}

static bool makeOutput(const std::string &name, const Tensor *first, const std::string *shapeText,
                       const std::string *typeText, SourceRun &run, Diagnostics &diagnostics) {
  std::optional<Shape> shape = first ? std::optional(first->shape()) : std::nullopt;
  if (shapeText && !(shape = parseShapeText(*shapeText))) {
    diagnostics.error(Code::E0104, {},
                      "--output_shape expects sizes with ',' between them, found '" + printable(*shapeText) +
                          "' for '" + name + "'");
    return false;
  }
  std::optional<ElementType> type = first ? std::optional(first->type()) : std::nullopt;
  if (typeText && !(type = parseElementType(*typeText))) {
    diagnostics.error(Code::E0104, {},
                      "--output_dtype expects a type, found '" + printable(*typeText) + "' for '" + name + "'");
    return false;
  }
  if (!shape || !type) {
    diagnostics.error(Code::E0804, {},
                      "output '" + name + "' expects a shape and a type, found no input to take them from", {},
                      "--output_shape=\"" + name + ":16\" --output_dtype=\"" + name + ":float16\"");
    return false;
  }
  std::optional<Tensor> tensor = Tensor::create(*type, *shape);
  if (!tensor) {
    diagnostics.error(Code::E0527, {}, "there is no memory for output '" + name + "'");
    return false;
  }
  std::memset(tensor->data(), 0, size_t(tensor->numBytes()));
  run.tensors.emplace(name, std::move(*tensor));
  return true;
}

/// Binds each parameter to an input, an output, the workspace or the tiling data.
static bool bindParameters(const SourceRunOptions &options, const SourceRunFiles &files, SourceRun &run,
                           Diagnostics &diagnostics) {
  const SourceFunction &kernel = run.source->kernel;
  std::vector<std::string> names;
  for (const std::string &name : kernel.parameters)
    if (name != "workspace" && name != "tiling")
      names.push_back(name);
  const std::vector<TensorFile> inputs = parseTensorFiles(files.inputs, "input", kernel.name, names, diagnostics);
  run.outputFiles = parseTensorFiles(files.outputs, "output", kernel.name, names, diagnostics);
  const auto shapes = parsePairs(options.outputShapes, "--output_shape", names, diagnostics);
  const auto types = parsePairs(options.outputTypes, "--output_dtype", names, diagnostics);
  if (diagnostics.hasErrors())
    return false;
  const Tensor *first = nullptr;
  for (const TensorFile &file : inputs) {
    std::optional<Tensor> tensor = readNpy(file.path, file.bfloat16, diagnostics);
    if (tensor)
      run.tensors.emplace(file.name, std::move(*tensor));
  }
  if (diagnostics.hasErrors())
    return false;
  for (const std::string &name : names)
    if (auto found = run.tensors.find(name); found != run.tensors.end() && !first)
      first = &found->second;
  for (const std::string &name : names) {
    if (run.tensors.count(name))
      continue;
    auto text = [&name](const std::map<std::string, std::string> &texts) {
      auto found = texts.find(name);
      return found == texts.end() ? nullptr : &found->second;
    };
    if (!makeOutput(name, first, text(shapes), text(types), run, diagnostics))
      return false;
  }
  auto isInput = [&inputs](const std::string &name) {
    return std::any_of(inputs.begin(), inputs.end(), [&name](const TensorFile &file) { return file.name == name; });
  };
  for (const TensorFile &file : run.outputFiles)
    if (isInput(file.name))
      diagnostics.error(Code::E0804, {}, "expects '" + file.name + "' as an input or an output, found it as both");
  for (const std::string &name : kernel.parameters) {
    KernelParameter parameter;
    parameter.name = name;
    parameter.kind = name == "workspace" ? KernelParameter::Workspace
                     : name == "tiling"  ? KernelParameter::Tiling
                     : isInput(name)     ? KernelParameter::Input
                                         : KernelParameter::Output;
    if (auto found = run.tensors.find(name); found != run.tensors.end())
      parameter.tensor = &found->second;
    run.parameters.push_back(parameter);
  }
  if (!options.tiling.empty())
    if (std::optional<std::string> bytes = readFile(options.tiling, kLongestTiling, diagnostics))
      run.tiling = std::move(*bytes);
  return !diagnostics.hasErrors();
}

/// Reports outputs that the kernel never stores to: an --input may be missing.
static void checkStores(const SourceRun &run, const SimulatorProgram &program, Diagnostics &diagnostics) {
  std::vector<bool> stored(program.numTensors, false), loaded(program.numTensors, false);
  for (const PipeInstruction &instruction : program.instructions) {
    if (instruction.destination.space == ProgramOperand::GM)
      stored[instruction.destination.tensor] = true;
    if (instruction.sources[0].space == ProgramOperand::GM)
      loaded[instruction.sources[0].tensor] = true;
  }
  size_t tensor = 0;
  for (const KernelParameter &parameter : run.parameters) {
    if (!parameter.tensor)
      continue;
    if (parameter.kind == KernelParameter::Output && loaded[tensor] && !stored[tensor])
      diagnostics.error(Code::E0804, run.source->kernel.location,
                        "expects --input for parameter '" + printable(parameter.name) +
                            "', which the kernel reads and does not store to, found none",
                        {}, "--input " + parameter.name + "=@FILE.npy");
    ++tensor;
  }
}

static SimResult simulateRecording(const SourceRun &run, const Target &target, const SourceRunOptions &options,
                                   const SimSettings &settings, const ascendc::Recording &recording, std::string *trace,
                                   Diagnostics &diagnostics) {
  std::vector<SimTensor> tensors;
  for (const KernelParameter &parameter : run.parameters)
    if (parameter.tensor)
      tensors.push_back({parameter.name, const_cast<void *>(parameter.tensor->data()), parameter.tensor->numBytes(),
                         parameter.tensor->type(), parameter.kind == KernelParameter::Output});
  SimOptions sim;
  sim.traceText = trace;
  sim.perturbUlps = settings.perturbUlps;
  sim.perturbSeed = settings.perturbSeed;
  sim.order = settings.order;
  sim.orderSeed = settings.orderSeed;
  sim.numerics = settings.numerics;
  sim.numericsSeed = settings.numericsSeed;
  sim.sanitize = settings.sanitize;
  sim.reservedEvents = true;
  std::vector<uint64_t> reads;
  sim.scalarReads = &reads;
  const SimResult result = simulate(recording.program, target, tensors, {}, options.blocks, sim, diagnostics);
  if (!result.completed || diagnostics.hasErrors())
    return result;
  const size_t count = std::min(reads.size(), recording.reads.size());
  for (size_t i = 0; i < count; ++i) {
    if (reads[i] == recording.reads[i])
      continue;
    Location place = run.source->kernel.location;
    for (const PipeInstruction &instruction : recording.program.instructions)
      if (instruction.kind == PipeInstruction::ScalarRead) {
        const ProgramLocation &at = recording.program.locations[instruction.location];
        place = Location{at.file, at.line, at.column};
        break;
      }
    diagnostics.error(Code::E0822, place,
                      "race (unordered): GetValue number " + std::to_string(i) +
                          " of the kernel expects one value, found another in this order",
                      "ascendc_c18",
                      "SetFlag and WaitFlag<HardEvent::V_S>, or MTE2_S after a load; "
                      "--sanitize=race names both lines");
    break;
  }
  if (recording.stopped && !diagnostics.hasErrors())
    diagnostics.error(Code::E0900, run.source->kernel.location,
                      "recording stopped at an access that the simulation takes");
  return result;
}

/// Creates the files of outputs and of the trace before the kernel runs.
static bool stageFiles(const SourceRun &run, const SourceRunFiles &files, std::vector<AtomicFile> &staged,
                       Diagnostics &diagnostics) {
  std::vector<std::string> paths;
  for (const TensorFile &file : run.outputFiles)
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

static void summarise(const SourceRun &run, const Target &target, const SourceRunOptions &options,
                      const SimSettings &settings, const SimResult &result, double seconds, const Context &context) {
  char simulated[64];
  std::snprintf(simulated, sizeof simulated, "%.1f ms", seconds * 1e3);
  std::string line = "ran '" + printable(run.source->kernel.name) + "' on sim";
  Pipe bound = Pipe::S;
  for (unsigned pipe = 0; pipe < kNumPipes; ++pipe)
    if (result.pipes[pipe].busyCycles > result.usage(bound).busyCycles)
      bound = Pipe(pipe);
  const bool timed = settings.order == SimOrder::Time && result.cycles > 0;
  if (timed) {
    char share[32];
    std::snprintf(share, sizeof share, "%.2f", double(result.usage(bound).busyCycles) / double(result.cycles));
    line += " (" + std::string(target.name()) + "): " + std::to_string(result.cycles) + " cycles, bound by " +
            std::string(pipeName(bound)) + ", busy " + share + " of the time; simulated in " + simulated;
  } else {
    line += std::string(": ") + simulated;
  }
  context.info(line);
  if (!context.json())
    return;
  nlohmann::ordered_json record = {{"schema_version", 1},
                                   {"kernel", run.source->kernel.name},
                                   {"device", "sim"},
                                   {"target", target.name()},
                                   {"blocks", options.blocks},
                                   {"compiler", run.source->compiler},
                                   {"headers", run.source->headers},
                                   {"median_ms", seconds * 1e3}};
  if (timed) {
    record["cycles"] = result.cycles;
    record["bound_pipe"] = pipeName(bound);
  }
  nlohmann::ordered_json outputs = nlohmann::ordered_json::array();
  for (const KernelParameter &parameter : run.parameters)
    if (parameter.kind == KernelParameter::Output)
      outputs.push_back({{"name", parameter.name},
                         {"type", elementTypeName(parameter.tensor->type())},
                         {"shape", parameter.tensor->shape()}});
  record["outputs"] = std::move(outputs);
  std::cout << writeJson(record) << '\n';
}

ExitCode runSource(const SourceRunOptions &options, const SourceRunFiles &files, Context &context) {
  Diagnostics diagnostics;
  const SimSettings settings = simSettings(files.sim, "sim", diagnostics);
  if (settings.order == SimOrder::Adversarial && !files.trace.empty())
    diagnostics.error(Code::E0104, {}, "--trace is a record of times, and --order=adversarial has none");
  const Target *target = findTarget(options.chip);
  if (!target) {
    const std::string near = nearestName(options.chip, targetNames());
    diagnostics.error(Code::E0106, {}, "there is no chip '" + printable(options.chip) + "'", {},
                      near.empty() ? "" : "did you mean '" + near + "'?");
  } else if (options.blocks < 1 || options.blocks > target->maxBlocks()) {
    diagnostics.error(Code::E0104, {},
                      "--block_dim expects 1 to " + std::to_string(target->maxBlocks()) + ", found " +
                          std::to_string(options.blocks));
  }
  SourceOptions source = options.source;
  source.cann = findCann(options.cann);
  if (!options.cann.empty() && !source.cann)
    diagnostics.error(Code::E0104, {}, "--cann expects 8.1 or 9.1, found '" + printable(options.cann) + "'");
  if (options.autoSync != "on" && options.autoSync != "off")
    diagnostics.error(Code::E0104, {}, "--auto-sync expects on or off, found '" + printable(options.autoSync) + "'");
  if (diagnostics.hasErrors())
    return context.finish(diagnostics);

  const Target chip = settings.portable ? target->portable() : *target;
  SourceRun run;
  run.source = compileKernelSource(source, diagnostics);
  if (!run.source)
    return context.finish(diagnostics);
  context.say(LogLevel::Debug, "compiled by " + run.source->compiler + " with the headers in " +
                                   kernelHeaderFolder(run.source->headers));
  std::vector<AtomicFile> staged;
  if (!bindParameters(options, files, run, diagnostics) || !stageFiles(run, files, staged, diagnostics))
    return context.finish(diagnostics);

  RecordRequest request;
  request.source = run.source.get();
  request.parameters = run.parameters;
  request.tiling = run.tiling;
  request.tilingKey = options.tilingKey;
  request.blockNum = options.blocks;
  request.seconds = options.timeout;
  request.autoSync = options.autoSync == "on";
  request.target = &chip;
  std::optional<ascendc::Recording> recording = recordKernel(request, diagnostics);
  if (recording)
    checkStores(run, recording->program, diagnostics);
  if (diagnostics.hasErrors())
    return context.finish(diagnostics);

  std::string trace;
  const auto start = std::chrono::steady_clock::now();
  const SimResult result =
      simulateRecording(run, chip, options, settings, *recording, files.trace.empty() ? nullptr : &trace, diagnostics);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!result.completed || diagnostics.hasErrors())
    return context.finish(diagnostics);
  for (size_t i = 0; i < run.outputFiles.size(); ++i)
    writeNpy(staged[i], run.tensors.at(run.outputFiles[i].name));
  if (!files.trace.empty())
    staged.back().write(trace.data(), trace.size());
  for (const AtomicFile &file : staged)
    if (file.failed(diagnostics))
      return context.finish(diagnostics);
  for (AtomicFile &file : staged)
    if (!file.commit(diagnostics))
      return context.finish(diagnostics);
  context.print(diagnostics);
  summarise(run, chip, options, settings, result, seconds, context);
  return ExitCode::Done;
}

} // namespace opc::tool

// `opc profile`: profiles a launch on the simulator.
//
//   inputs given or random -> launch bound -> one run with a profiler -> figures
//                                         \-> runs with each assumed figure halved and doubled
//   text or JSON on stdout; with --output=DIR all results as files, including the page
//
// A run with a changed figure computes the same values in a different time. Its outputs go to separate memory and
// are ignored.

#include "tools/opc/profile/Profile.h"
#include "runtime/core/File.h"
#include "runtime/core/launch/LaunchRows.h"
#include "runtime/core/operator/OpFolder.h"
#include "runtime/core/tensor/Npy.h"
#include "runtime/device/registry/Devices.h"
#include "runtime/device/sim/SimDevice.h"
#include "runtime/program/JsonText.h"
#include "runtime/target/Sensitivity.h"
#include "tools/opc/Assignment.h"
#include "tools/opc/Command.h"
#include "tools/opc/OperatorSource.h"
#include "tools/opc/RandomInputs.h"
#include "tools/opc/compile/CompileOptions.h"
#include "tools/opc/run/SimFlags.h"
#include "tools/opc/run/SimLaunch.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <tuple>

namespace opc::tool {

namespace fs = std::filesystem;

struct ProfileOptions {
  std::string folder, device = "sim", shapes, dtype, figures, output;
  std::vector<std::string> inputs, attributes;
  uint64_t seed = 310;
  size_t steps = 200'000;
  bool noEffects = false;
  CacheFlags cache;
};

namespace {
class ProfileRun {
public:
  ProfileRun(const ProfileOptions &options, Context &context) : options(options), context(context) {}
  ExitCode run();

private:
  bool open();
  bool makeInputs();
  bool readGiven();
  bool findKernels();
  bool bind();
  bool simulateOnce(const Target &chip, const SimOptions &simOptions, SimResult &result);
  bool measureEffects(const SimResult &result, Profile &profile);
  bool write(const std::vector<ProfileFile> &files);
  bool writeInto(const std::filesystem::path &path, const std::vector<ProfileFile> &files);

  const ProfileOptions &options;
  Context &context;
  Diagnostics diagnostics;
  std::optional<OperatorSource> source;
  OpFolder folder;
  std::optional<Target> figures;
  std::vector<NamedValue> attributes;
  std::optional<Target> target;
  std::optional<unsigned> row;
  std::vector<std::optional<Tensor>> inputs;
  std::vector<bool> random;
  std::optional<BoundLaunch> launch;
  std::optional<SimulatorProgram> program;
};
} // namespace

bool ProfileRun::open() {
  std::unique_ptr<Device> device = createDevice(options.device, 0, diagnostics);
  if (device && device->name() != "sim")
    diagnostics.error(Code::E0104, {},
                      "'opc profile' profiles on the simulator: found --device=" + printable(options.device), {},
                      "--device=sim; 'opc bench' measures on the others");
  figures = readFigures(options.figures, diagnostics);
  if (diagnostics.hasErrors())
    return false;
  source = OperatorSource::open(options.folder, options.cache, diagnostics);
  if (source && !options.dtype.empty())
    row = findTypeRow(source->manifest(), options.dtype, diagnostics);
  return !diagnostics.hasErrors();
}

bool ProfileRun::readGiven() {
  const Manifest &manifest = source->manifest();
  std::vector<std::string> names;
  for (const ManifestTensor &input : manifest.inputs)
    names.push_back(input.name);
  for (const TensorFile &file : parseTensorFiles(options.inputs, "input", manifest.opType, names, diagnostics)) {
    const size_t index = size_t(std::find(names.begin(), names.end(), file.name) - names.begin());
    inputs[index] = readNpy(file.path, file.bfloat16, diagnostics);
  }
  return !diagnostics.hasErrors();
}

/// The type row of the first kernel; binding the launch refuses a folder without kernels.
static unsigned firstRow(const Manifest &manifest) {
  return manifest.kernels.empty() ? 0 : manifest.kernels.front().typeRow;
}

/// Makes the inputs: the given ones, and random ones with the shapes of --input_shape and the types of the selected
/// row, by default the folder's first.
bool ProfileRun::makeInputs() {
  const Manifest &manifest = source->manifest();
  inputs.resize(manifest.inputs.size());
  random.assign(manifest.inputs.size(), false);
  if (!readGiven())
    return false;
  std::vector<NamedInput> named;
  std::string missing;
  for (size_t i = 0; i < inputs.size(); ++i) {
    named.push_back({manifest.inputs[i].name, manifest.inputs[i].required && !inputs[i]});
    if (named.back().required && missing.empty())
      missing = named.back().name;
  }
  if (options.shapes.empty()) {
    if (!missing.empty())
      diagnostics.error(Code::E0103, {}, "expects --input for every input, or --input_shape for random ones", {},
                        "--input_shape=\"" + missing + ":1024,1024\"");
    return missing.empty();
  }
  auto shapes = parseInputShapes(manifest.opType, named, options.shapes, diagnostics);
  if (!shapes)
    return false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    auto found = shapes->find(manifest.inputs[i].name);
    if (found == shapes->end())
      continue;
    if (inputs[i]) {
      diagnostics.error(Code::E0109, {},
                        "input '" + manifest.inputs[i].name + "' is given twice: by --input and by --input_shape");
      return false;
    }
    const ElementType type = manifest.inputs[i].types[row.value_or(firstRow(manifest))];
    inputs[i] = Tensor::create(type, found->second);
    if (!inputs[i]) {
      diagnostics.error(Code::E0527, {},
                        "no memory for '" + manifest.inputs[i].name + "' of shape " + shapeText(found->second));
      return false;
    }
    fillRandom(*inputs[i], options.seed + i);
    random[i] = true;
  }
  return true;
}

static std::vector<const Tensor *> given(const std::vector<std::optional<Tensor>> &inputs) {
  std::vector<const Tensor *> list;
  for (const std::optional<Tensor> &input : inputs)
    list.push_back(input ? &*input : nullptr);
  return list;
}

bool ProfileRun::findKernels() {
  attributes = parseAttributes(options.attributes, diagnostics);
  if (diagnostics.hasErrors())
    return false;
  // Random inputs have the types of the selected row, by default the first.
  if (!row && std::all_of(random.begin(), random.end(), [](bool value) { return value; }))
    row = firstRow(source->manifest());
  std::optional<OpFolder> found = source->folderFor(given(inputs), row, attributes, diagnostics);
  if (!found)
    return false;
  folder = std::move(*found);
  target = targetOf(folder.manifest.target, figures, options.figures, diagnostics);
  return target.has_value();
}

bool ProfileRun::bind() {
  const Manifest &manifest = folder.manifest;
  launch = bindLaunch(manifest, given(inputs), attributes, {1, nullptr, row}, diagnostics);
  if (!launch)
    return false;
  program = loadSimulatorProgram(folder.path, manifest, *launch->kernel, diagnostics);
  return program.has_value();
}

bool ProfileRun::simulateOnce(const Target &chip, const SimOptions &simOptions, SimResult &result) {
  return simulateLaunch(folder.manifest, *program, chip, given(inputs), *launch, simOptions, result, diagnostics);
}

/// Whether a changed figure can change the cost of this launch; otherwise it is not run again.
static bool matters(const ChangedTarget &changed, const Target &target, const WorkTally &work) {
  return work.cost(changed.target) != work.cost(target) || changed.target.flagCycles() != target.flagCycles() ||
         changed.target.barrierCycles(Pipe::MTE2) != target.barrierCycles(Pipe::MTE2);
}

bool ProfileRun::measureEffects(const SimResult &result, Profile &profile) {
  SimOptions bare;
  bare.sanitize = Sanitize{}; // only bounds: the first run had all checks
  for (const ChangedTarget &changed : changedTargets(*target)) {
    if (!matters(changed, *target, result.work))
      continue;
    SimResult other;
    if (!simulateOnce(changed.target, bare, other))
      return false;
    if (profile.effects.empty() || profile.effects.back().name != changed.figure) {
      const auto &figures = target->figures();
      const auto figure =
          std::find_if(figures.begin(), figures.end(), [&](const Figure &each) { return each.name == changed.figure; });
      profile.effects.push_back(
          {figure->name, figure->unit, figure->source, figure->value, profile.cycles, profile.cycles});
    }
    FigureEffect &effect = profile.effects.back();
    (changed.factor < 1 ? effect.halfCycles : effect.doubleCycles) = other.cycles;
  }
  auto &effects = profile.effects;
  auto size = [&](const FigureEffect &effect) {
    return std::max(std::abs(effect.halfCycles - profile.cycles), std::abs(effect.doubleCycles - profile.cycles));
  };
  effects.erase(
      std::remove_if(effects.begin(), effects.end(), [&](const FigureEffect &effect) { return size(effect) == 0; }),
      effects.end());
  std::sort(effects.begin(), effects.end(), [&](const FigureEffect &a, const FigureEffect &b) {
    const int64_t sizes[] = {size(a), size(b)};
    return std::tie(sizes[1], a.name) < std::tie(sizes[0], b.name);
  });
  return true;
}

/// Writes to a new folder, an empty one, or one with a profile.
bool ProfileRun::write(const std::vector<ProfileFile> &files) {
  std::error_code error;
  const fs::path path(options.output);
  if (fs::exists(path, error) && !fs::is_directory(path, error)) {
    diagnostics.error(Code::E0601, {},
                      "cannot write '" + printablePath(options.output) + "': it is there and is no folder");
    return false;
  }
  if (fs::exists(path, error) && !fs::is_empty(path, error) && !fs::is_regular_file(path / "profile.json", error)) {
    diagnostics.error(Code::E0604, {},
                      "expects a new folder, an empty one, or one with a profile: '" + printablePath(options.output) +
                          "' holds something else");
    return false;
  }
  const bool isNew = !fs::exists(path, error);
  fs::create_directories(path, error);
  if (error) {
    diagnostics.error(Code::E0601, {}, "cannot write '" + printablePath(options.output) + "': " + error.message());
    return false;
  }
  if (writeInto(path, files))
    return true;
  if (isNew)
    fs::remove(path, error); // only if it is empty
  return false;
}

/// Writes all files as temporary ones before it renames the first.
bool ProfileRun::writeInto(const fs::path &path, const std::vector<ProfileFile> &files) {
  std::vector<AtomicFile> staged;
  for (const ProfileFile &file : files) {
    std::optional<AtomicFile> out = AtomicFile::create((path / file.name).string(), diagnostics);
    if (!out)
      return false;
    out->write(file.bytes.data(), file.bytes.size());
    if (out->failed(diagnostics))
      return false;
    staged.push_back(std::move(*out));
  }
  return std::all_of(staged.begin(), staged.end(), [&](AtomicFile &file) { return file.commit(diagnostics); });
}

ExitCode ProfileRun::run() {
  if (!open() || !makeInputs() || !findKernels() || !bind())
    return context.finish(diagnostics);
  Profiler profiler(*program, options.steps);
  std::string trace;
  SimOptions simOptions;
  simOptions.observers = {&profiler};
  if (!options.output.empty())
    simOptions.traceText = &trace;
  SimResult result;
  if (!simulateOnce(*target, simOptions, result))
    return context.finish(diagnostics);
  const ProfiledLaunch launched{
      folder.manifest, *program,         *target,     *launch->kernel,
      given(inputs),   launch->outputs,  random,      typeRowName(folder.manifest, launch->kernel->typeRow),
      options.figures, launch->blockNum, options.seed};
  Profile profile = makeProfile(launched, result, profiler);
  if (!options.noEffects && !measureEffects(result, profile))
    return context.finish(diagnostics);
  const nlohmann::ordered_json json = profileJson(launched, profile);
  auto dump = [&](int indent) { return writeJson(json, indent) + "\n"; };
  if (!options.output.empty()) {
    std::vector<ProfileFile> files = {{"profile.json", dump(2)}, {"trace.json", std::move(trace)}};
    for (ProfileFile &table : profileTables(launched, profile, profiler))
      files.push_back(std::move(table));
    files.push_back({"profile.html", profilePage(launched, profile, profiler)});
    if (!write(files))
      return context.finish(diagnostics);
    context.info("wrote " + printablePath(options.output) + ": profile.html, and " + std::to_string(files.size() - 1) +
                 " other files");
  }
  context.print(diagnostics);
  std::cout << (context.json() ? dump(-1) : profileText(launched, profile));
  if (profile.droppedSteps || profile.droppedLives)
    context.info("the timeline holds the first " + std::to_string(options.steps) +
                 " steps, the sums all; --steps=N holds more");
  return ExitCode::Done;
}

static Action declare(Declaration &declaration) {
  auto options = std::make_shared<ProfileOptions>();
  Arguments &arguments = declaration.arguments;
  arguments.option("operator", options->folder, kOperatorSourceHelp).required().typeName("OPERATOR");
  arguments.option("--device", options->device, "device to profile on: sim (default)").typeName("sim");
  addInputs(arguments, options->inputs);
  addInputShape(arguments, options->shapes,
                "shapes of the inputs without --input, which are filled with random numbers: \"x1:2,3;x2:2,3\"");
  arguments.option("--dtype", options->dtype, "row of the type table (default for random inputs the first)")
      .typeName("ROW");
  addAttributes(arguments, options->attributes);
  addCacheFlags(arguments, options->cache);
  addSeed(arguments, options->seed, "seed of random inputs (default 310)");
  addTargetFigures(arguments, options->figures);
  arguments.flag("--no-effects", options->noEffects, "omit the runs with half and double of each assumed figure");
  arguments
      .option("--steps", options->steps, "maximum number of steps in the timeline and the storyboard (default 200000)")
      .typeName("N")
      .check(wholeNumber(1, 10'000'000));
  addOutput(arguments, options->output,
            "write profile.html, profile.json, trace.json and the vendor's tables to this folder");
  return [options](Context &context) { return ProfileRun(*options, context).run(); };
}

const Command &profileCommand() {
  static const Command command = {"profile", "profile a launch on the simulator",
                                  "  opc profile out --device=sim --input_shape='x:1024,1000' --dtype=float16\n"
                                  "  opc profile op_contract.yaml --input_shape='x:1024,1000' --dtype=float16\n"
                                  "  opc profile out --input x=@a.npy --attr beta=1.5 --format=json\n"
                                  "  opc profile out --input_shape='x:1024,1000' --output=prof   # prof/profile.html",
                                  declare};
  return command;
}

} // namespace opc::tool

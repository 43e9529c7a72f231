#include "tools/opc/compile/ModelCompile.h"

#include "ops/onnx/Reader.h"
#include "runtime/core/File.h"
#include "runtime/program/format/JsonText.h"
#include "runtime/program/format/Sha256.h"
#include "runtime/program/model/KernelTable.h"
#include "runtime/program/model/MappedFile.h"
#include "tools/opc/compile/CompileOptions.h"
#include "tools/opc/compile/InputConstants.h"
#include "tools/opc/compile/InputShapes.h"
#include "tools/opc/compile/OutputFolder.h"
#include "tools/opc/libraries/Libraries.h"
#include "tools/opc/process/DeferredSignals.h"
#include "tools/opc/text/TextTable.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <map>

namespace opc::tool {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

bool isModelFile(const std::string &path) {
  return fs::path(path).extension() == ".onnx";
}

/// Reports the progress of long work, once a second.
namespace {
class Progress {
public:
  /// `all` is the total; 0: unknown.
  Progress(const Context &context, std::string what, size_t all = 0)
      : context(context), what(std::move(what)), all(all) {}
  void at(size_t done) {
    if (Clock::now() - told < std::chrono::seconds(1))
      return;
    told = Clock::now();
    context.info(what + ": " + std::to_string(done) + (all == 0 ? "" : " of " + std::to_string(all)));
  }

private:
  const Context &context;
  std::string what;
  size_t all;
  Clock::time_point told = Clock::now();
};
} // namespace

/// The files of one kernel's op folder, below `folder` of the model's. If it contains the objects of its CPU library,
/// they go to `archive`, and the folder gets no library: the model has one for all kernels.
static bool addKernel(ModelKernels &kernels, const KernelRequest &request, const std::string &folder,
                      std::vector<CompiledFile> &files, std::vector<Manifest> &manifests, std::string &archive,
                      Diagnostics &diagnostics) {
  constexpr int64_t kMostBytes = 256 << 20;
  std::shared_ptr<Operator> kernel = kernels.get(request, folder, diagnostics);
  if (!kernel)
    return false;
  Manifest manifest = kernel->manifest();
  const std::string library = manifest.cpuLibrary;
  const std::string objects = library.substr(0, library.rfind('.')) + ".a";
  manifest.cpuLibrary.clear();
  manifest.files.erase(
      std::remove_if(manifest.files.begin(), manifest.files.end(),
                     [&](const ManifestFile &file) { return file.path == library || file.path == objects; }),
      manifest.files.end());
  auto read = [&](const std::string &name) { return readFile(kernel->path() + "/" + name, kMostBytes, diagnostics); };
  if (!library.empty()) {
    std::optional<std::string> bytes = read(objects);
    if (!bytes)
      return false;
    archive = std::move(*bytes);
  }
  for (const ManifestFile &file : manifest.files) {
    std::optional<std::string> bytes = read(file.path);
    if (!bytes)
      return false;
    files.push_back({folder + "/" + file.path, std::move(*bytes)});
  }
  files.push_back({folder + "/manifest.json", writeManifest(manifest)});
  manifests.push_back(std::move(manifest));
  return true;
}

/// Adds the table of kernels; false after reporting that a reader would refuse it.
static bool addKernelTable(const std::vector<Manifest> &manifests, std::vector<CompiledFile> &files,
                           Diagnostics &diagnostics) {
  std::vector<uint8_t> table = writeKernelTable(manifests);
  std::vector<Manifest> again;
  if (std::string why = readKernelTable(table.data(), table.size(), again); !why.empty()) {
    diagnostics.error(Code::E0900, {}, "the table of the model's kernels is not valid: " + why);
    return false;
  }
  files.push_back({kModelKernelsName, std::string(table.begin(), table.end())});
  return true;
}

/// Writes the constants, each at its offset, and zeros between them.
static bool writeWeights(const fs::path &path, const ModelFamily &family, Diagnostics &diagnostics) {
  std::optional<AtomicFile> file = AtomicFile::create(path.string(), diagnostics);
  if (!file)
    return false;
  uint64_t end = 0;
  const std::string zeros(4096, '\0');
  auto fillTo = [&](uint64_t offset) {
    while (end < offset) {
      uint64_t bytes = std::min<uint64_t>(offset - end, zeros.size());
      file->write(zeros.data(), bytes);
      end += bytes;
    }
  };
  for (const ModelWeight &weight : family.weights) {
    fillTo(weight.offset);
    file->write(weight.bytes.data(), weight.bytes.size());
    end += weight.bytes.size();
  }
  fillTo(family.weightBytes);
  return !file->failed(diagnostics) && file->commitUnflushed(diagnostics);
}

/// Writes the files that are not held in memory: the weights, and last the manifest with all checksums.
static bool fillFolder(const fs::path &staged, const ModelFamily &family, ModelManifest manifest,
                       Diagnostics &diagnostics) {
  const std::string path = (staged / kModelWeightsName).string();
  if (!writeWeights(path, family, diagnostics))
    return false;
  std::string found;
  std::unique_ptr<MappedFile> weights = MappedFile::open(path, found);
  if (!weights) {
    diagnostics.error(Code::E0601, {}, "cannot read back the weights: found " + found);
    return false;
  }
  manifest.files.push_back({kModelWeightsName, sha256(weights->bytes()), weights->bytes().size()});
  std::sort(manifest.files.begin(), manifest.files.end(),
            [](const ModelFile &a, const ModelFile &b) { return a.path < b.path; });
  if (std::string why = checkModelManifest(manifest); !why.empty()) {
    diagnostics.error(Code::E0900, {}, "the manifest of the model is not valid: " + why);
    return false;
  }
  const std::string text = writeModelManifest(manifest);
  std::optional<AtomicFile> file = AtomicFile::create((staged / kModelManifestName).string(), diagnostics);
  return file && file->write(text.data(), text.size()) && file->commitUnflushed(diagnostics);
}

std::string formText(const std::vector<ModelSize> &sizes, size_t form) {
  const std::vector<int64_t> chosen = sizesOfForm(sizes, form);
  std::string text;
  for (size_t i = 0; i < sizes.size(); ++i)
    text += (i == 0 ? "" : ", ") + printable(sizes[i].name) + " " + std::to_string(chosen[i]);
  return text;
}

std::optional<CompiledModel> FormCompiler::compile(size_t form, const std::string &stopAfter) {
  forms.apply(form);
  ModelCompileOptions options;
  options.hashes = &hashes;
  options.target = target.name();
  options.stopAfter = stopAfter;
  Progress progress(context, "constants");
  size_t done = 0;
  options.run = [&](const KernelCall &call) -> std::optional<std::vector<std::string>> {
    if (DeferredSignals::arrived())
      return std::nullopt;
    progress.at(done++);
    return kernels.run(call);
  };
  std::optional<CompiledModel> compiled = compiler().compileModel(model, contracts, options, diagnostics);
  if (DeferredSignals::arrived())
    return std::nullopt;
  if (!compiled && !forms.sizes.empty())
    diagnostics.error(Code::E1012, {model.path, 0, 0},
                      "the model cannot be compiled with " + formText(forms.sizes, form), {},
                      "--input_shape with a range of sizes that it can have");
  return compiled;
}

bool FormCompiler::add(ModelFamily &family, size_t form, CompiledModel &compiled) {
  if (const std::string differs = family.checkOutputs(compiled); !differs.empty()) {
    diagnostics.error(Code::E1012, {model.path, 0, 0}, "with " + formText(forms.sizes, form) + " " + differs, {},
                      "--input_shape with a range of sizes in which types and ranks of the outputs stay the same");
    return false;
  }
  const std::string why = family.add(form, compiled);
  if (!why.empty())
    diagnostics.error(Code::E0900, {model.path, 0, 0}, "the plan of the model cannot be run: " + why);
  return why.empty();
}

// From the largest form on: constants are often the beginnings of those of larger forms.
std::optional<ModelFamily> FormCompiler::family(CompiledModel &ofLargest) {
  ModelFamily family(forms.sizes, forms.inputs);
  if (!add(family, largest(), ofLargest))
    return std::nullopt;
  Progress progress(context, "sizes", largest() + 1);
  for (size_t form = largest(); form-- > 0;) {
    progress.at(largest() - form);
    std::optional<CompiledModel> compiled = compile(form);
    if (!compiled || !add(family, form, *compiled))
      return std::nullopt;
  }
  return family;
}

bool writeModelFolder(const ModelFamily &family, const std::string &target, const std::string &output,
                      ModelKernels &kernels, Diagnostics &diagnostics, Context &context) {
  ModelManifest manifest;
  manifest.name = family.name;
  manifest.compiler = compiler().build();
  manifest.target = target;
  manifest.sizes = family.sizes;
  manifest.arenaBytes = family.arenaBytes;
  manifest.inputs = family.inputs;
  manifest.outputs = family.outputs;
  std::vector<CompiledFile> files;
  std::vector<Manifest> manifests; // of the kernels
  std::vector<std::string> archives(family.kernels.size());
  Progress progress(context, "kernels", family.kernels.size());
  for (size_t i = 0; i < family.kernels.size(); ++i) {
    progress.at(i);
    std::string name = fs::path(family.kernels[i].contract).parent_path().filename().string();
    manifest.kernels.push_back("kernels/" + std::to_string(i) + "-" + name);
    if (!addKernel(kernels, family.kernels[i], manifest.kernels.back(), files, manifests, archives[i], diagnostics) ||
        DeferredSignals::arrived())
      return false;
  }
  if (!archives.empty()) {
    std::optional<std::string> library = compiler().bundleKernels(archives, diagnostics);
    if (!library)
      return false;
    manifest.cpuLibrary = kModelLibraryName;
    files.push_back({kModelLibraryName, std::move(*library)});
  }
  if (!addKernelTable(manifests, files, diagnostics))
    return false;
  for (const auto &[path, bytes] : family.plans)
    files.push_back({path, bytes});
  for (const CompiledFile &file : files)
    manifest.files.push_back({file.path, sha256(file.bytes), file.bytes.size()});
  return writeOutputFolder(
      output, files, [&](const fs::path &staged) { return fillFolder(staged, family, manifest, diagnostics); },
      diagnostics);
}

/// The memory of each value that is not the caller's, and the total.
static std::string memoryTable(const CompiledModel &compiled) {
  const ModelPlan &plan = compiled.plan;
  std::vector<TextRow> rows = {{"value", "memory", "offset", "bytes", "written by", "last read by"}};
  auto nodeName = [&](size_t step) {
    return "#" + std::to_string(step) +
           (plan.steps[step].node.empty() ? "" : " " + printable(plan.steps[step].node, 40));
  };
  // For each value: the step that writes it, the last that reads it, the join that contains it.
  constexpr size_t kNone = SIZE_MAX;
  std::vector<size_t> writers(plan.values.size(), kNone), readers = writers, joins = writers;
  for (size_t s = 0; s < plan.steps.size(); ++s) {
    const PlanStep &step = plan.steps[s];
    const bool isJoin = step.kind == PlanStep::Join;
    for (uint32_t result : step.results)
      writers[result] = s;
    for (int32_t operand : step.operands)
      if (operand >= 0)
        (isJoin ? joins : readers)[static_cast<size_t>(operand)] = isJoin ? step.results[0] : s;
  }
  uint64_t sum = 0;
  for (size_t i = 0; i < plan.values.size(); ++i) {
    const PlanValue &value = plan.values[i];
    if (value.memory != PlanValue::Arena && joins[i] == kNone)
      continue;
    const size_t writer = writers[i];
    const bool isJoin = writer != kNone && plan.steps[writer].kind == PlanStep::Join;
    // A part of a join is in the bytes of the join.
    sum += writer == kNone || joins[i] != kNone ? 0 : value.bytes();
    std::string memory = value.memory == PlanValue::Arena ? "arena" : "output " + std::to_string(value.offset);
    if (joins[i] != kNone)
      memory += ", in '" + printable(plan.values[joins[i]].name, 40) + "'";
    rows.push_back({!value.name.empty() ? printable(value.name, 40)
                    : writer == kNone   ? "(a view)"
                                        : "(without a name)",
                    memory, std::to_string(value.memory == PlanValue::Arena ? value.offset : value.start),
                    std::to_string(value.bytes()),
                    isJoin            ? "its parts"
                    : writer == kNone ? ""
                                      : nodeName(writer),
                    readers[i] == kNone ? "" : nodeName(readers[i])});
  }
  std::string text = rows.size() > 1 ? textTable(rows, {false, false, true, true, false, false}) + "\n" : "";
  auto line = [&](const char *what, uint64_t bytes) { text += std::string(what) + std::to_string(bytes) + " bytes\n"; };
  line("values between, each by itself  ", sum);
  line("arena                           ", plan.arenaBytes);
  line("lower bound of the arena        ", compiled.arenaLowerBound);
  line("weights                         ", plan.weightBytes);
  return text;
}

/// The matches of folding by kind: "2 Gelu, 5 LayerNorm".
static std::string foldingSummary(const FoldReport &report) {
  std::map<std::string, size_t> counts;
  for (const FoldNote &note : report)
    if (note.found)
      counts[note.what] += note.what == "dead" ? note.pieces : 1;
  std::string text;
  for (const auto &[what, count] : counts)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
  return text;
}

/// The matches and near misses of folding.
static std::string foldingTable(const FoldReport &report) {
  std::vector<TextRow> rows = {{"", "what", "node", "of nodes", "why not"}};
  for (const FoldNote &note : report)
    rows.push_back({note.found ? "found" : "nearly", note.what, printable(note.node, 60),
                    note.found ? std::to_string(note.pieces) : "", printable(note.reason, 200)});
  return rows.size() > 1 ? textTable(rows, {false, false, false, true, false}) + "\n" : "nothing was folded\n";
}

static nlohmann::ordered_json foldingJson(const FoldReport &report) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const FoldNote &note : report)
    list.push_back({{"what", note.what},
                    {"node", note.node},
                    {"found", note.found},
                    {"pieces", note.pieces},
                    {"reason", note.reason}});
  return list;
}

bool checkModelFlags(const ModelCompileFlags &flags, Diagnostics &diagnostics) {
  const bool explains = flags.explainMemory || flags.explainFolding;
  if (flags.output.empty() && flags.stopAfter.empty() && !explains && !flags.printPipeline)
    diagnostics.error(Code::E0103, {},
                      "'opc compile' of a model expects --output=DIR, --stop-after=PHASE to print a module, "
                      "--explain-folding, --explain-memory or --print-pipeline");
  const std::vector<std::string> &phases = modelPhaseNames();
  if (!flags.stopAfter.empty() && std::find(phases.begin(), phases.end(), flags.stopAfter) == phases.end()) {
    std::string names, nearest = nearestName(flags.stopAfter, phases);
    for (const std::string &phase : phases)
      names += (names.empty() ? "" : ", ") + phase;
    diagnostics.error(Code::E0104, {},
                      "--stop-after expects a phase of models (" + names + "): found '" + printable(flags.stopAfter) +
                          "'",
                      {}, nearest.empty() ? "" : "did you mean '" + nearest + "'?");
  }
  if (!flags.stopAfter.empty() && (!flags.output.empty() || explains))
    diagnostics.error(
        Code::E0104, {},
        "--stop-after prints the module of a model, and goes with none of --output, --explain-folding and "
        "--explain-memory");
  return !diagnostics.hasErrors();
}

static void report(const ModelCompileFlags &flags, const Target &target, const CompiledModel &largest,
                   const ModelFamily &family, double milliseconds, Context &context) {
  const std::string forms = family.sizes.empty()
                                ? ""
                                : ", " + std::to_string(family.plans.size()) + " plans, the largest with " +
                                      formText(family.sizes, numForms(family.sizes) - 1);
  context.info("compiled '" + printablePath(flags.model) + "' for " + std::string(target.name()) + " into '" +
               printablePath(flags.output) + "': " + std::to_string(largest.plan.steps.size()) + " steps, " +
               std::to_string(family.kernels.size()) + " kernels, arena " + byteText(family.arenaBytes) + ", weights " +
               byteText(family.weightBytes) + ", " + std::to_string(static_cast<long>(milliseconds)) + " ms" + forms +
               fewerLevelsNote(""));
  if (std::string summary = foldingSummary(largest.folded); !summary.empty())
    context.info("folded: " + summary + "; --explain-folding lists where, and what was nearly found");
  if (context.json())
    std::cout << writeJson({{"schema_version", 1},
                            {"model", flags.model},
                            {"target", target.name()},
                            {"output", flags.output},
                            {"steps", largest.plan.steps.size()},
                            {"kernels", family.kernels.size()},
                            {"plans", family.plans.size()},
                            {"arena_bytes", family.arenaBytes},
                            {"arena_lower_bound", largest.arenaLowerBound},
                            {"weight_bytes", family.weightBytes},
                            {"folded", foldingJson(largest.folded)}})
              << '\n';
}

ExitCode compileModelFile(const ModelCompileFlags &flags, Context &context) {
  auto start = Clock::now();
  // After a signal at any time, the folder is complete or missing.
  DeferredSignals signals;
  Diagnostics diagnostics;
  const Target *target = chooseTarget(flags.socVersion, diagnostics);
  if (!checkModelFlags(flags, diagnostics))
    return context.finish(diagnostics);
  std::unique_ptr<onnx::Model> model = onnx::loadModel(flags.model, diagnostics);
  ModelContracts contracts;
  if (!model || !contracts.read(flags.contracts, diagnostics))
    return context.finish(diagnostics);
  const std::optional<InputConstants> constants = setInputConstants(*model, flags.constants, diagnostics);
  std::optional<InputForms> forms = constants ? readInputForms(*model, flags.inputShape, diagnostics) : std::nullopt;
  std::optional<CacheSettings> settings = forms ? settingsOf(flags.cache, diagnostics) : std::nullopt;
  if (!settings)
    return context.finish(diagnostics);
  ModelKernels kernels(*settings);
  FormCompiler compiler(*model, std::move(*forms), contracts, *target, kernels, diagnostics, context);
  std::optional<CompiledModel> compiled = compiler.compile(compiler.largest(), flags.stopAfter);
  if (DeferredSignals::arrived())
    return ExitCode::CheckFailed;
  if (!compiled)
    return context.finish(diagnostics);
  if (flags.explainFolding)
    std::cout << foldingTable(compiled->folded);
  if (!flags.stopAfter.empty()) {
    std::cout << compiled->module;
    return context.finish(diagnostics);
  }
  if (flags.explainMemory)
    std::cout << memoryTable(*compiled);
  if (flags.output.empty())
    return context.finish(diagnostics);
  std::optional<ModelFamily> family = compiler.family(*compiled);
  bool written =
      family && writeModelFolder(*family, std::string(target->name()), flags.output, kernels, diagnostics, context);
  if (DeferredSignals::arrived())
    return ExitCode::CheckFailed;
  if (!written)
    return context.finish(diagnostics);
  context.print(diagnostics);
  report(flags, *target, *compiled, *family, std::chrono::duration<double, std::milli>(Clock::now() - start).count(),
         context);
  return ExitCode::Done;
}

} // namespace opc::tool

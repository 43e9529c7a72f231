// `opc compare`: two kernels on the same tensors, side by side on the simulator.
//
//   A, B: an op folder, a contract, or a kernel in Ascend C
//   the one with a contract is bound first; the other gets its inputs, and its outputs' shapes and types, by name
//
// Different outputs are a result and not an error, unless --max_ulp limits the differences.

#include "runtime/program/format/JsonText.h"
#include "tools/opc/Command.h"
#include "tools/opc/compare/Comparison.h"
#include "tools/opc/profile/ProfiledKernel.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

namespace opc::tool {

/// Number of time intervals in the page's strips.
static constexpr size_t kParts = 240;

namespace {
/// Options only for B, if both kernels are sources.
struct SecondOptions {
  std::string kernel, tiling;
  std::vector<std::string> defines;
  std::optional<uint64_t> tilingKey;
  std::optional<int64_t> blocks;
};

struct CompareOptions {
  std::array<std::string, 2> paths;
  LaunchFlags launch;
  SourceRunOptions source;
  SecondOptions second;
  std::string output;
  std::optional<int64_t> maxUlp; ///< nullopt: outputs may differ
  size_t steps = 200'000;
};

class CompareRun {
public:
  CompareRun(const CompareOptions &options, const Arguments &arguments, Context &context)
      : options(options), arguments(arguments), context(context) {}
  ExitCode run();

private:
  bool checkOptions();
  std::unique_ptr<ProfiledKernel> open(size_t index, const ProfiledLaunch *like);
  bool compareTensors(Comparison &comparison);
  bool write(const Comparison &comparison, const nlohmann::ordered_json &json);

  const CompareOptions &options;
  const Arguments &arguments;
  Context &context;
  Diagnostics diagnostics;
  std::array<std::unique_ptr<ProfiledKernel>, 2> kernels;
};
} // namespace

/// Whether a path is a source or the folder of an operator, and not an op folder or contract.
static bool isSource(const std::string &path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return !std::filesystem::exists(path + "/manifest.json", error);
  const std::string extension = std::filesystem::path(path).extension().string();
  return extension == ".cpp" || extension == ".cc" || extension == ".cxx";
}

bool CompareRun::checkOptions() {
  const bool a = isSource(options.paths[0]), b = isSource(options.paths[1]);
  if (const std::string stray = options.source.stray(); !a && !b && !stray.empty())
    diagnostics.error(Code::E0104, {}, stray + " goes with a kernel in Ascend C, found two op folders");
  for (const char *option : {"--kernel_b", "--tiling_b", "--tiling_key_b", "--block_dim_b", "--define_b"})
    if (!b && arguments.given(option))
      diagnostics.error(Code::E0104, {},
                        std::string(option) + " goes with a kernel in Ascend C as B, found '" +
                            printablePath(options.paths[1]) + "'");
  if (options.launch.inputs.empty() && options.launch.shapes.empty())
    diagnostics.error(Code::E0103, {}, "expects --input for every input, or --input_shape for random ones, found none",
                      {}, "--input_shape=\"x:1024\"");
  return !diagnostics.hasErrors();
}

std::unique_ptr<ProfiledKernel> CompareRun::open(size_t index, const ProfiledLaunch *like) {
  const std::string &path = options.paths[index];
  LaunchFlags flags = options.launch;
  flags.like = like;
  if (like) {
    flags.inputs.clear();
    flags.shapes.clear();
    flags.dtype.clear();
  }
  if (!isSource(path))
    return openFolderKernel(path, flags, diagnostics);
  std::error_code error;
  if (!std::filesystem::is_directory(path, error))
    flags.attributes.clear(); // of the other one's contract
  SourceRunOptions source = options.source;
  source.source.path = path;
  if (like) // known from the other kernel
    source.outputShapes = source.outputTypes = "";
  if (index == 1) {
    const SecondOptions &own = options.second;
    if (arguments.given("--kernel_b"))
      source.source.kernel = own.kernel;
    if (arguments.given("--tiling_b"))
      source.tiling = own.tiling;
    source.tilingKey = own.tilingKey ? own.tilingKey : source.tilingKey;
    source.blocks = own.blocks ? own.blocks : source.blocks;
    if (arguments.given("--define_b"))
      source.source.defines = own.defines;
  }
  return openSourceKernel(source, flags, diagnostics);
}

/// Compares the outputs of both runs, in the order of A.
bool CompareRun::compareTensors(Comparison &comparison) {
  const std::vector<ProfiledTensor> &others = kernels[1]->launch().tensors;
  for (const ProfiledTensor &of : kernels[0]->launch().tensors) {
    if (of.role != ProfiledTensor::Output || !of.tensor)
      continue;
    const auto found = std::find_if(others.begin(), others.end(), [&of](const ProfiledTensor &other) {
      return other.name == of.name && other.role == ProfiledTensor::Output && other.tensor;
    });
    const std::string name = "output '" + printable(of.name) + "'";
    if (found == others.end()) {
      diagnostics.error(Code::E0804, {}, "expects " + name + " in B as in A, found none");
      continue;
    }
    auto describe = [](const Tensor &tensor) {
      return std::string(elementTypeName(tensor.type())) + " " + shapeText(tensor.shape());
    };
    if (of.tensor->type() != found->tensor->type() || of.tensor->shape() != found->tensor->shape()) {
      diagnostics.error(Code::E0804, {},
                        "expects one type and shape of " + name + ", found " + describe(*of.tensor) + " in A and " +
                            describe(*found->tensor) + " in B");
      continue;
    }
    comparison.outputs.push_back(compareOutputs(of.name, *of.tensor, *found->tensor));
  }
  return !diagnostics.hasErrors();
}

bool CompareRun::write(const Comparison &comparison, const nlohmann::ordered_json &json) {
  const std::vector<ProfileFile> files = {{"comparison.json", writeJson(json, 2) + "\n"},
                                          {"comparison.html", comparisonPage(comparison)}};
  if (!writeProfileFolder(options.output, "comparison", files, diagnostics))
    return false;
  context.info("wrote " + printablePath(options.output) + ": comparison.html, comparison.json");
  return true;
}

ExitCode CompareRun::run() {
  if (!checkOptions())
    return context.finish(diagnostics);
  // A contract has more information than a source.
  const size_t first = isSource(options.paths[0]) && !isSource(options.paths[1]) ? 1 : 0;
  kernels[first] = open(first, nullptr);
  if (kernels[first])
    kernels[1 - first] = open(1 - first, &kernels[first]->launch());
  if (!kernels[0] || !kernels[1])
    return context.finish(diagnostics);
  Comparison comparison;
  std::array<std::unique_ptr<Profiler>, 2> profilers;
  for (size_t i = 0; i < 2; ++i) {
    profilers[i] = std::make_unique<Profiler>(*kernels[i]->launch().program, options.steps);
    std::optional<Profile> profile = profileKernel(*kernels[i], *profilers[i], /*effects=*/false, nullptr, diagnostics);
    if (!profile)
      return context.finish(diagnostics);
    comparison.kernels[i].launch = &kernels[i]->launch();
    comparison.kernels[i].profile = std::move(*profile);
    comparison.kernels[i].name = options.paths[i];
  }
  const int64_t cycles = std::max(comparison.kernels[0].profile.cycles, comparison.kernels[1].profile.cycles);
  for (size_t i = 0; i < 2; ++i)
    comparison.kernels[i].busy = busyParts(kernels[i]->launch(), *profilers[i], cycles, kParts);
  if (!compareTensors(comparison))
    return context.finish(diagnostics);
  const nlohmann::ordered_json json = comparisonJson(comparison);
  if (!options.output.empty() && !write(comparison, json))
    return context.finish(diagnostics);
  std::cout << (context.json() ? writeJson(json) + "\n" : comparisonText(comparison));
  for (const OutputDifference &difference : comparison.outputs)
    if (options.maxUlp && difference.largestUlp > double(*options.maxUlp))
      diagnostics.error(Code::E0700, {},
                        "output '" + printable(difference.name) + "' of A and of B expects a difference of at most " +
                            std::to_string(*options.maxUlp) + " ulp, found " + std::to_string(difference.differing) +
                            " of " + std::to_string(difference.elements) + " elements that differ, one at element " +
                            std::to_string(difference.first) + ": " + std::to_string(difference.firstA) + " and " +
                            std::to_string(difference.firstB));
  return context.finish(diagnostics);
}

static Action declare(Declaration &declaration) {
  auto options = std::make_shared<CompareOptions>();
  Arguments &arguments = declaration.arguments;
  const char *kinds = "op folder, op_contract.yaml, or kernel in Ascend C (.cpp)";
  arguments.option("a", options->paths[0], kinds).required().typeName("A");
  arguments.option("b", options->paths[1], kinds).required().typeName("B");
  addInputs(arguments, options->launch.inputs);
  addInputShape(arguments, options->launch.shapes, "shapes of inputs with random elements: \"x1:2,3;x2:2,3\"");
  arguments
      .option("--dtype", options->launch.dtype,
              "row of the type table of an op folder (default for random inputs the first); of two sources the type of "
              "random inputs (default float32)")
      .typeName("ROW");
  addAttributes(arguments, options->launch.attributes);
  addCacheFlags(arguments, options->launch.cache);
  addSeed(arguments, options->launch.seed, "seed of random inputs (default 310)");
  addMemoryFlags(arguments, options->launch.memory);
  addTargetFigures(arguments, options->launch.figures);
  addOutput(arguments, options->output, "write comparison.html and comparison.json to this folder");
  arguments
      .option("--max_ulp", options->maxUlp,
              "fail if an output differs by more units in the last place, or as an integer by more")
      .typeName("N")
      .check(wholeNumber(0, INT64_MAX));
  addSourceOptions(arguments, options->source, "a source");
  arguments.option("--kernel_b", options->second.kernel, "as --kernel, only for B").typeName("NAME");
  arguments.option("--tiling_b", options->second.tiling, "as --tiling, only for B").typeName("FILE");
  arguments.option("--tiling_key_b", options->second.tilingKey, "as --tiling_key, only for B").typeName("N");
  arguments.option("--block_dim_b", options->second.blocks, "as --block_dim, only for B").typeName("N");
  arguments.option("--define_b", options->second.defines, "as --define, only for B").typeName("NAME=VALUE").oneEach();
  return [options, arguments](Context &context) { return CompareRun(*options, arguments, context).run(); };
}

const Command &compareCommand() {
  static const Command command = {
      "compare", "compare two kernels on the simulator",
      "  opc compare out kernel.cpp --input x=@x.npy --tiling t.bin\n"
      "  opc compare old.cpp new.cpp --input_shape='x:65536' --tiling t.bin --block_dim_b 4 --output=cmp",
      declare};
  return command;
}

} // namespace opc::tool

// Compiles operators and launches them on every device, for a test that has the numbers: one process for hundreds of
// operators, so that words_test.py can ask of each word of the language what it computes.
//
//   word_runner --levels                 levels of CPU that this machine runs, one a line
//   word_runner FOLDER                   reads requests from stdin, a line of JSON each
//
//   {"contract": FILE, "levels": ["x86-64-v3"],
//    "launches": [{"inputs": [{"type": "float16", "shape": [3], "file": FILE}], "attributes": {"k": "1.5"}}]}
//   -> {"errors": [{"code", "message", "file", "line", "column", "fix"}],
//       "launches": [{DEVICE: [FILE of each output] or [] where the launch failed}]}
//
// Devices are "sim" and the levels that the request names, each compiled for alone. Tensors are files of raw elements;
// outputs lie in FOLDER until the next request. Nothing here knows what a word means.

#include "lowering/pipelines/Compile.h"
#include "ops/contract/read/Reader.h"
#include "runtime/core/launch/Launch.h"
#include "runtime/core/operator/OpFolder.h"
#include "runtime/device/cpu/CpuDevice.h"
#include "runtime/device/sim/SimDevice.h"

#include <nlohmann/json.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

using namespace opc;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> levelsHere() {
  std::vector<std::string> levels;
#if defined(__x86_64__)
  levels.emplace_back("x86-64-v3");
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    levels.emplace_back("x86-64-v4");
#endif
  return levels;
}

class Runner {
public:
  explicit Runner(fs::path folder) : folder(std::move(folder)) {}

  Json answer(const Json &request) {
    Json launches = Json::array();
    Diagnostics diagnostics;
    fs::remove_all(folder);
    fs::create_directories(folder);
    for (size_t i = 0; i < request["launches"].size(); ++i)
      launches.push_back(Json::object());
    const auto levels = request["levels"].get<std::vector<std::string>>();
    if (std::optional<Contract> contract = loadContract(request["contract"].get<std::string>(), diagnostics))
      for (const std::string &level : levels)
        run(*contract, level, level == levels.front(), request["launches"], launches, diagnostics);
    Json errors = Json::array();
    for (const Diagnostic &found : diagnostics.all())
      if (found.severity == Severity::Error)
        errors.push_back({{"code", std::string(codeInfo(found.code).name)},
                          {"message", (found.rule.empty() ? "" : "[" + found.rule + "] ") + found.message},
                          {"file", found.location.file},
                          {"line", found.location.line},
                          {"column", found.location.column},
                          {"fix", found.fix}});
    return {{"errors", errors}, {"launches", launches}};
  }

private:
  /// Compiles for one level; launches there, and where `simulates` on the simulator.
  void run(const Contract &contract, const std::string &level, bool simulates, const Json &requests, Json &launches,
           Diagnostics &diagnostics) {
    CompileOptions options;
    options.target = findTarget("Ascend310B");
    options.cpuLevels = {level};
    options.prove = false; // what flags order is asked elsewhere
    CompileResult result = compileOperator(contract, options, diagnostics);
    if (diagnostics.hasErrors())
      return;
    const fs::path op = folder / level;
    for (const CompiledFile &file : result.files) {
      fs::create_directories((op / file.path).parent_path());
      std::ofstream(op / file.path, std::ios::binary) << file.bytes;
    }
    std::optional<OpFolder> opened = openOpFolder(op.string(), diagnostics);
    if (!opened)
      return;
    std::unique_ptr<Device> cpu = createCpuDevice(1), sim = createSimDevice();
    for (size_t i = 0; i < requests.size(); ++i) {
      launches[i][level] = launch(*opened, *cpu, level, i, requests[i], diagnostics);
      // A body may serve the CPU alone.
      if (simulates && !sim->kernels(opened->manifest).empty())
        launches[i]["sim"] = launch(*opened, *sim, "sim", i, requests[i], diagnostics);
    }
  }

  Json launch(const OpFolder &op, Device &device, const std::string &name, size_t number, const Json &request,
              Diagnostics &diagnostics) {
    Json files = Json::array();
    std::vector<Tensor> tensors;
    for (const Json &input : request["inputs"]) {
      std::optional<Tensor> tensor =
          Tensor::create(*parseElementType(input["type"].get<std::string>()), input["shape"].get<Shape>());
      std::ifstream file(input["file"].get<std::string>(), std::ios::binary);
      const std::string bytes(std::istreambuf_iterator<char>(file), {});
      if (!tensor || int64_t(bytes.size()) != tensor->numBytes())
        throw std::runtime_error("an input's file has not the size of its shape");
      if (!bytes.empty())
        std::memcpy(tensor->data(), bytes.data(), bytes.size());
      tensors.push_back(std::move(*tensor));
    }
    std::vector<const Tensor *> inputs;
    for (const Tensor &tensor : tensors)
      inputs.push_back(&tensor);
    std::vector<NamedValue> attributes;
    for (const auto &[key, value] : request["attributes"].items())
      attributes.emplace_back(key, value.get<std::string>());
    LaunchTarget target;
    target.maxBlocks = device.maxBlocks();
    target.kernels = &device.kernels(op.manifest);
    std::optional<BoundLaunch> bound = bindLaunch(op.manifest, inputs, attributes, target, diagnostics);
    if (!bound)
      return files;
    std::unique_ptr<Kernel> kernel = device.load(op.path, op.manifest, *bound->kernel, diagnostics);
    LaunchReport report;
    if (!kernel || !kernel->launch(launchArguments(inputs, *bound), report, diagnostics))
      return files;
    for (size_t i = 0; i < bound->outputs.size(); ++i) {
      const fs::path path = folder / (name + "." + std::to_string(number) + "." + std::to_string(i));
      std::ofstream(path, std::ios::binary)
          .write(static_cast<const char *>(bound->outputs[i].data()), bound->outputs[i].numBytes());
      files.push_back(path.string());
    }
    return files;
  }

  fs::path folder;
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  if (std::string(argv[1]) == "--levels") {
    for (const std::string &level : levelsHere())
      std::cout << level << "\n";
    return 0;
  }
  Runner runner(argv[1]);
  for (std::string line; std::getline(std::cin, line);)
    std::cout << runner.answer(Json::parse(line)).dump() << std::endl;
  return 0;
}

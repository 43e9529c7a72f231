#include "runtime/device/sim/SimDevice.h"

#include "runtime/device/sim/Simulator.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace opc {

/// Largest simulator program that is read.
static constexpr long kMaxProgram = 64 << 20;

namespace {
class SimKernel : public Kernel {
public:
  SimKernel(const Manifest &manifest, const Target &target, SimulatorProgram program, const SimSettings &settings)
      : manifest(manifest), target(target), program(std::move(program)), settings(settings) {}

  bool launch(const LaunchArguments &arguments, LaunchReport &report, Diagnostics &diagnostics) override {
    std::vector<SimTensor> tensors;
    for (size_t i = 0; i < arguments.tensors.size(); ++i) {
      const LaunchTensor &tensor = arguments.tensors[i];
      bool input = i < manifest.inputs.size();
      tensors.push_back({manifest.tensorAt(i).name, tensor.data, tensor.bytes, tensor.type, !input});
    }
    SimOptions options;
    options.perturbUlps = settings.perturbUlps;
    options.perturbSeed = settings.perturbSeed;
    options.order = settings.order;
    options.orderSeed = settings.orderSeed;
    options.numerics = settings.numerics;
    options.numericsSeed = settings.numericsSeed;
    options.sanitize = settings.sanitize;
    options.l2 = settings.memory.l2;
    if (arguments.trace)
      options.traceText = &report.trace;
    size_t before = diagnostics.errorCount();
    auto start = std::chrono::steady_clock::now();
    SimResult result = simulate(program, target, tensors, arguments.tiling, arguments.blockNum, options, diagnostics);
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (settings.order == SimOrder::Time)
      report.cycles = result.cycles;
    int64_t most = 0;
    for (unsigned pipe = 0; pipe < kNumPipes; ++pipe) {
      int64_t busy = result.pipes[pipe].busyCycles;
      if (busy <= most)
        continue;
      most = busy;
      report.boundPipe = pipeName(static_cast<Pipe>(pipe));
      report.boundShare = result.cycles > 0 ? double(busy) / double(result.cycles) : 0;
    }
    report.boundDepends = most > 0 ? figuresThatDecideBound(result.work, target) : std::vector<std::string_view>();
    return result.completed && diagnostics.errorCount() == before;
  }

private:
  const Manifest &manifest;
  const Target target; ///< a copy, since SimSettings::target may have other figures
  SimulatorProgram program;
  SimSettings settings;
};

class SimDevice : public Device {
public:
  explicit SimDevice(const SimSettings &settings) : settings(settings) {}
  std::string_view name() const override { return "sim"; }
  int64_t maxBlocks() const override { return 1; }
  std::unique_ptr<Kernel> load(const std::string &folder, const Manifest &manifest, const ManifestKernel &kernel,
                               Diagnostics &diagnostics) override;

private:
  SimSettings settings;
};
} // namespace

/// The file's bytes; empty when it cannot be read or is too long.
static std::vector<uint8_t> readProgramFile(const std::string &path) {
  std::vector<uint8_t> bytes;
  FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    return bytes;
  uint8_t buffer[1 << 16];
  while (size_t count = std::fread(buffer, 1, sizeof buffer, file)) {
    bytes.insert(bytes.end(), buffer, buffer + count);
    if (long(bytes.size()) > kMaxProgram)
      break;
  }
  bool whole = !std::ferror(file) && long(bytes.size()) <= kMaxProgram;
  std::fclose(file);
  if (!whole)
    bytes.clear();
  return bytes;
}

std::optional<SimulatorProgram> loadSimulatorProgram(const std::string &folder, const Manifest &manifest,
                                                     const ManifestKernel &kernel, Diagnostics &diagnostics) {
  if (kernel.simulatorProgram.empty()) {
    diagnostics.error(Code::E0502, {},
                      "kernel '" + printable(kernel.name) + "' has no simulator program in this folder");
    return std::nullopt;
  }
  std::string path = folder + "/" + kernel.simulatorProgram;
  std::vector<uint8_t> bytes = readProgramFile(path);
  SimulatorProgram program;
  std::string why = bytes.empty() ? "it cannot be read" : readProgram(bytes.data(), bytes.size(), program);
  if (why.empty())
    why = checkProgram(program);
  if (why.empty() && program.numTensors != manifest.numTensors())
    why = "it has " + std::to_string(program.numTensors) + " tensors, the manifest another number";
  if (why.empty())
    return program;
  diagnostics.error(Code::E0501, {path}, "a simulator program of the folder is damaged: " + printable(why, 300));
  return std::nullopt;
}

std::unique_ptr<Kernel> SimDevice::load(const std::string &folder, const Manifest &manifest,
                                        const ManifestKernel &kernel, Diagnostics &diagnostics) {
  const Target *target = findTarget(manifest.target);
  if (!target) {
    diagnostics.error(Code::E0500, {},
                      "the manifest names the chip '" + printable(manifest.target) +
                          "' that the simulator does not know");
    return nullptr;
  }
  if (settings.target && settings.target->name() == target->name())
    target = &*settings.target;
  std::optional<SimulatorProgram> program = loadSimulatorProgram(folder, manifest, kernel, diagnostics);
  if (!program)
    return nullptr;
  const Target chip = withRates(settings.portable ? target->portable() : *target, settings.memory);
  return std::make_unique<SimKernel>(manifest, chip, std::move(*program), settings);
}

std::unique_ptr<Device> createSimDevice(const SimSettings &settings) {
  return std::make_unique<SimDevice>(settings);
}

} // namespace opc

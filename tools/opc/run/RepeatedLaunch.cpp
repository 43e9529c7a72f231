#include "tools/opc/run/RepeatedLaunch.h"

#include <algorithm>
#include <chrono>

namespace opc::tool {

std::vector<bool> constantsOf(const Manifest &manifest, const LaunchArguments &arguments) {
  std::vector<bool> constant(arguments.tensors.size());
  for (size_t i = 0; i < std::min(manifest.inputs.size(), constant.size()); ++i)
    constant[i] = manifest.inputs[i].isConstant && arguments.tensors[i].bytes != 0;
  return constant;
}

std::string constantNames(const Manifest &manifest, const std::vector<const Tensor *> &inputs) {
  std::string names;
  for (size_t i = 0; i < std::min(manifest.inputs.size(), inputs.size()); ++i)
    if (manifest.inputs[i].isConstant && inputs[i] && inputs[i]->numBytes() != 0)
      names += (names.empty() ? "" : ", ") + manifest.inputs[i].name;
  return names;
}

std::optional<RepeatedLaunch> RepeatedLaunch::create(const Device &device, Kernel &kernel,
                                                     const LaunchArguments &arguments,
                                                     const std::vector<bool> &constant, Diagnostics &diagnostics) {
  RepeatedLaunch launch(kernel, arguments);
  if (!device.runsHostCode() || std::find(constant.begin(), constant.end(), true) == constant.end())
    return launch;
  launch.prepared = kernel.prepare(arguments, diagnostics);
  if (!launch.prepared)
    return std::nullopt;
  for (const LaunchTensor &tensor : arguments.tensors)
    launch.tensors.push_back(tensor.data);
  launch.prepared->keepConstants(launch.tensors.data(), constant);
  return launch;
}

bool RepeatedLaunch::run(bool trace, LaunchReport &report, Diagnostics &diagnostics) {
  using Clock = std::chrono::steady_clock;
  report = LaunchReport();
  if (!prepared) {
    arguments.trace = trace;
    return kernel->launch(arguments, report, diagnostics);
  }
  const Clock::time_point start = Clock::now();
  const bool done = prepared->run(tensors.data(), diagnostics);
  report.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return done;
}

} // namespace opc::tool

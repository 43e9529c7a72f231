// Launches of a kernel one after another, with the constants of its contract given before, as a program has them that
// calls opc_launch_keep_constants. `opc run --loop`, `opc bench` and the child process of `opc test` launch so.

#ifndef OPC_TOOLS_OPC_RUN_REPEATEDLAUNCH_H
#define OPC_TOOLS_OPC_RUN_REPEATEDLAUNCH_H

#include "runtime/core/tensor/Tensor.h"
#include "runtime/device/Device.h"
#include "runtime/program/Manifest.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

/// Which tensors of a launch, inputs then outputs, are constants of the contract. Inputs without bytes are not.
std::vector<bool> constantsOf(const Manifest &manifest, const LaunchArguments &arguments);

/// The names of those among the inputs of a launch, null where one is not given, separated by ", "; empty for none.
std::string constantNames(const Manifest &manifest, const std::vector<const Tensor *> &inputs);

class RepeatedLaunch {
public:
  /// Keeps the tensors that `constant` marks, one flag for each tensor, on a device whose kernels are machine code; no
  /// other device keeps any. `kernel` and the tensors must outlive the result. Nullopt after reporting an error when
  /// the arguments do not match the kernel.
  static std::optional<RepeatedLaunch> create(const Device &device, Kernel &kernel, const LaunchArguments &arguments,
                                              const std::vector<bool> &constant, Diagnostics &diagnostics);

  /// Launches once. With constants the report has nothing but seconds.
  bool run(bool trace, LaunchReport &report, Diagnostics &diagnostics);

private:
  RepeatedLaunch(Kernel &kernel, const LaunchArguments &arguments) : kernel(&kernel), arguments(arguments) {}

  Kernel *kernel;
  LaunchArguments arguments;
  std::unique_ptr<PreparedKernel> prepared; ///< with constants; else null
  std::vector<void *> tensors;              ///< with constants
};

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_RUN_REPEATEDLAUNCH_H

// Launches of a kernel, in a process of their own where the kernel is machine code.
//
// A kernel library that was damaged behind its checksums, or that somebody else wrote, can crash or never end.
// `opc run` and `opc test` survive it: a child loads the library and launches it, outputs lie in memory that both
// share, and what the child found comes back through a pipe. It is no sandbox: code of the library runs with the
// rights of the user.

#ifndef OPC_TOOLS_OPC_RUN_KERNELPROCESS_H
#define OPC_TOOLS_OPC_RUN_KERNELPROCESS_H

#include "runtime/core/launch/Launch.h"
#include "runtime/core/operator/OpFolder.h"
#include "runtime/device/Device.h"

#include <chrono>
#include <optional>
#include <vector>

namespace opc::tool {

/// For bindLaunch: an output that a launch in another process can write.
std::optional<Tensor> makeSharedTensor(ElementType type, const Shape &shape);

struct LaunchOutcome {
  std::vector<double> seconds; ///< of each launch
  LaunchReport report;         ///< of the last
};

/// Loads the kernel of `launch` and launches it `times` times. Its outputs were made by makeSharedTensor. Nothing,
/// with an error, when one of the launches failed; E0594 when the kernel ended its process, E0595 when it did not end
/// within `patience`, by default a minute and 10 us for each element. Of devices that run host code the report has
/// nothing but seconds.
std::optional<LaunchOutcome> launchKernel(Device &device, const OpFolder &folder,
                                          const std::vector<const Tensor *> &inputs, BoundLaunch &launch,
                                          unsigned times, bool trace, Diagnostics &diagnostics,
                                          std::optional<std::chrono::milliseconds> patience = std::nullopt);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_RUN_KERNELPROCESS_H

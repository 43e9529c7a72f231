// Launches a kernel, in a child process if the kernel is machine code.
//
// A kernel library with errors, or from an unknown source, can crash or run forever. `opc run` and `opc test` survive
// this: a child process loads and launches the library, outputs are in shared memory, and the child's results come
// back through a pipe. This is not a sandbox: the library's code runs with the rights of the user.

#ifndef OPC_TOOLS_OPC_RUN_KERNELPROCESS_H
#define OPC_TOOLS_OPC_RUN_KERNELPROCESS_H

#include "runtime/core/launch/Launch.h"
#include "runtime/core/operator/OpFolder.h"
#include "runtime/device/Device.h"

#include <chrono>
#include <optional>
#include <vector>

namespace opc::tool {

/// Allocates an output in shared memory, which a child process can write; for bindLaunch.
std::optional<Tensor> makeSharedTensor(ElementType type, const Shape &shape);

struct LaunchOutcome {
  std::vector<double> seconds; ///< of each launch
  LaunchReport report;         ///< of the last
};

/// Loads the kernel of `launch` and launches it `times` times, more than once with the constants of its contract kept
/// (RepeatedLaunch.h). The outputs must be from makeSharedTensor. Returns
/// nullopt after reporting an error when a launch failed: E0594 when the kernel ended its process, E0595 when it did
/// not end within `patience`, by default a minute and 10 us per element. For devices that run host code the report
/// contains only seconds.
std::optional<LaunchOutcome> launchKernel(Device &device, const OpFolder &folder,
                                          const std::vector<const Tensor *> &inputs, BoundLaunch &launch,
                                          unsigned times, bool trace, Diagnostics &diagnostics,
                                          std::optional<std::chrono::milliseconds> patience = std::nullopt);

/// The time that a launch may take by default.
std::chrono::milliseconds patienceFor(const std::vector<const Tensor *> &inputs, const std::vector<Tensor> &outputs);

/// Reports E0594, that a kernel ended its process with `status` of waitpid.
Diagnostic &reportEnd(const ManifestKernel &kernel, const OpFolder &folder, int status, Diagnostics &diagnostics);
/// Reports E0595, that a kernel did not end within `limit`.
Diagnostic &reportLate(const ManifestKernel &kernel, const OpFolder &folder, std::chrono::milliseconds limit,
                       Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_RUN_KERNELPROCESS_H

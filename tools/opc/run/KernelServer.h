// A child process that launches kernels of machine code, one launch after another.
//
// A child for each launch (KernelProcess.h) costs a fork, copies of written pages, and loading the library. `opc test`
// has thousands of short launches of the same few kernels: here one child loads each kernel once, and runs all launches
// until one crashes or hangs. Tensors are in shared memory; the child can only read inputs, so a kernel that writes to
// them crashes.
//
// A launch can damage the memory of the child. So if a launch ends a child that ran others before, it is repeated in a
// fresh child, and the error says whether it fails there too. Bytes around an output are compared after each launch:
// writes there would corrupt another tensor without a visible error.

#ifndef OPC_TOOLS_OPC_RUN_KERNELSERVER_H
#define OPC_TOOLS_OPC_RUN_KERNELSERVER_H

#include "runtime/core/launch/Launch.h"
#include "runtime/core/operator/OpFolder.h"
#include "runtime/device/Device.h"
#include "tools/opc/process/LineChild.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace opc::tool {

/// Memory that child processes see, for the tensors of one case after another.
class SharedMemory {
public:
  SharedMemory();
  ~SharedMemory();
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;

  /// Allocates a tensor in this memory, which must outlive it, or elsewhere if it does not fit. Nullopt if there is
  /// no memory.
  std::optional<Tensor> make(ElementType type, const Shape &shape);
  /// Frees the memory of all tensors.
  void reset();
  /// Whether these bytes are in this memory; true for zero bytes.
  bool holds(const void *data, int64_t bytes) const;
  /// Makes this memory read-only for this process.
  void protect();

  /// Fills the bytes around a tensor of this memory, at least a page on either side, with a pattern. Does nothing for a
  /// tensor elsewhere.
  void guard(Tensor &tensor);
  /// The offset of a changed byte around a guarded tensor, from its first byte: negative before it. Nullopt if
  /// guard()'s pattern is intact.
  std::optional<int64_t> findOverrun(const Tensor &tensor) const;

private:
  bool isMine(const Tensor &tensor) const;

  char *begin = nullptr; ///< null: the system gave none
  size_t used;           ///< the first page is never a tensor's
};

class KernelServer {
public:
  /// `folder` must outlive this.
  explicit KernelServer(const OpFolder &folder) : folder(folder) {}
  ~KernelServer();

  SharedMemory inputs, outputs; ///< tensors of launches; those elsewhere are launched by launchKernel()

  /// Launches once, in this process if the device runs no host code. Returns false after reporting an error, as
  /// launchKernel() does.
  bool launch(Device &device, const std::vector<const Tensor *> &given, BoundLaunch &launch, Diagnostics &diagnostics,
              std::optional<std::chrono::milliseconds> patience = std::nullopt);
  /// Whether `launch` uses a child.
  bool isShared(Device &device, const std::vector<const Tensor *> &given, const BoundLaunch &launch) const;
  /// Launches once more, in the child, with the constants of the contract given before. Expects a launch that isShared
  /// and has just succeeded. Returns false after reporting an error.
  bool launchWithConstants(Device &device, const std::vector<const Tensor *> &given, BoundLaunch &launch,
                           Diagnostics &diagnostics);

private:
  bool start(Device &device, Diagnostics &diagnostics);
  void stop();
  bool send(const LaunchArguments &arguments, size_t kernel, bool keeps = false);
  void guardOutputs(BoundLaunch &launch);
  bool isWithinOutputs(const BoundLaunch &launch, Diagnostics &diagnostics) const;
  void serve(Device &device, const LineChild::Say &say);

  const OpFolder &folder;
  std::optional<LineChild> child;
  const Device *deviceOfChild = nullptr;
  int requests = -1;          ///< socket to the child
  size_t launchesOfChild = 0; ///< that the child has answered
};

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_RUN_KERNELSERVER_H

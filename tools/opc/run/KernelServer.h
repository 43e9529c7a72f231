// A child process that launches kernels which are machine code, one launch after another.
//
// A child for each launch (KernelProcess.h) costs a fork, the pages that both then write, and the loading of the
// library. `opc test` has thousands of short launches of the same few kernels: here one child loads each kernel once,
// and launches it until a launch ends the child or does not end. Tensors are in memory that both share; the child can
// only read inputs, so a kernel that writes to them ends it.
//
// What a launch damages stays in the child. So a launch that ends a child which launched others before is repeated in a
// child of its own, and the error says whether it fails there, too. Bytes around an output are compared after each
// launch: what a kernel writes there would end up in somebody else's tensor, and no result shows it.

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

  /// A tensor in this memory, which must outlive it; elsewhere where it does not fit. Nullopt when there is no memory.
  std::optional<Tensor> make(ElementType type, const Shape &shape);
  /// Takes back the memory of all tensors.
  void reset();
  /// Whether these bytes are in this memory; true of no bytes.
  bool holds(const void *data, int64_t bytes) const;
  /// Makes this memory read-only for this process.
  void protect();

  /// Fills the bytes around a tensor of this memory, at least a page on either side, with a pattern. One that lies
  /// elsewhere is left alone.
  void guard(Tensor &tensor);
  /// The number of a byte around a guarded tensor that has changed, counted from its first: negative in front of it.
  /// Nullopt when all are as guard() left them.
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

private:
  bool start(Device &device, Diagnostics &diagnostics);
  void stop();
  bool send(const LaunchArguments &arguments, size_t kernel);
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

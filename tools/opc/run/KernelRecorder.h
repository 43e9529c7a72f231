// Records a kernel in Ascend C in a process of its own.
//
// The kernel is native code of somebody: it may crash, recurse or never end. A child loads the object and calls it
// block by block, with limits on time, memory and stack; tensors lie where a pointer that is used as one is noticed.
// What was recorded comes back as a program in its file form, which is checked like any other. It is no sandbox: the
// code runs with the rights of the user.

#ifndef OPC_TOOLS_OPC_RUN_KERNELRECORDER_H
#define OPC_TOOLS_OPC_RUN_KERNELRECORDER_H

#include "runtime/ascendc/Recorder.h"
#include "runtime/core/tensor/Tensor.h"
#include "tools/opc/run/KernelSource.h"

#include <optional>

namespace opc::tool {

/// A parameter of the kernel.
struct KernelParameter {
  enum Kind { Input, Output, Tiling, Workspace } kind = Input;
  std::string name;
  const Tensor *tensor = nullptr; ///< inputs and outputs
};

struct RecordRequest {
  const KernelSource *source = nullptr;
  std::vector<KernelParameter> parameters; ///< in the kernel's order
  std::string tiling;                      ///< bytes of the tiling data
  uint64_t tilingKey = 0;
  int64_t blockNum = 1;
  unsigned seconds = 10; ///< CPU time of the kernel's own code
  const Target *target = nullptr;
};

/// What the kernel did, its places in the source's lines; tensors are the inputs and outputs in the order of the
/// parameters. Nothing, with an error, when the kernel did not come to its end and no simulation can say more.
std::optional<ascendc::Recording> recordKernel(const RecordRequest &request, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_RUN_KERNELRECORDER_H

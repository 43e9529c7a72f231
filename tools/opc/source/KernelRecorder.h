// Records a kernel in Ascend C in a child process.
//
// The kernel is arbitrary native code: it may crash, recurse or run forever. A child process loads the object and
// calls it block by block, with limits on time, memory and stack; tensors are placed so that dereferencing their
// pointers directly is detected. The recorded program comes back in its file format and is checked like any other.
// This is not a sandbox: the code runs with the rights of the user.

#ifndef OPC_TOOLS_OPC_SOURCE_KERNELRECORDER_H
#define OPC_TOOLS_OPC_SOURCE_KERNELRECORDER_H

#include "runtime/ascendc/Recorder.h"
#include "runtime/core/tensor/Tensor.h"
#include "tools/opc/source/KernelSource.h"

#include <optional>

namespace opc::tool {

/// A parameter of the kernel.
struct KernelParameter {
  /// Absent: an omitted optional input, a null pointer.
  enum Kind { Input, Output, Tiling, Workspace, Absent } kind = Input;
  std::string name;
  const Tensor *tensor = nullptr; ///< inputs and outputs
  bool inPlace = false;           ///< an output that is an input as well: the tensor holds its first values
  int sameAs = -1;                ///< index of an earlier parameter whose memory it is; it has no tensor of its own
};

/// The bytes of a tensor's memory on the device: aclrtMalloc rounds sizes up to blocks of 32 bytes and adds one.
int64_t deviceBytes(const Tensor &tensor);
/// The contents of unwritten memory: a NaN in any float type.
inline constexpr uint8_t kUnwritten = 0xff;

struct RecordRequest {
  const KernelSource *source = nullptr;
  std::vector<KernelParameter> parameters; ///< in the kernel's order
  std::string tiling;                      ///< bytes of the tiling data
  uint64_t tilingKey = 0;
  int64_t blockNum = 1;
  unsigned seconds = 10; ///< CPU time of the kernel's own code
  bool autoSync = false; ///< RecordSettings::autoSync
  const Target *target = nullptr;
};

/// The recorded program, with locations in the source; its tensors are the inputs and outputs in the order of the
/// parameters. Returns nullopt after reporting an error when the kernel did not finish and simulating it would give
/// no better error.
std::optional<ascendc::Recording> recordKernel(const RecordRequest &request, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_SOURCE_KERNELRECORDER_H

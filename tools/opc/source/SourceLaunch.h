// A kernel in Ascend C bound to tensors and tiling data: it is recorded, then simulated.

#ifndef OPC_TOOLS_OPC_SOURCE_SOURCELAUNCH_H
#define OPC_TOOLS_OPC_SOURCE_SOURCELAUNCH_H

#include "runtime/core/tensor/Tensor.h"
#include "runtime/device/sim/Simulator.h"
#include "tools/opc/SimFlags.h"
#include "tools/opc/source/KernelRecorder.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

struct SourceLaunch {
  const KernelSource *source = nullptr;
  std::map<std::string, Tensor> tensors; ///< inputs and outputs by name
  std::vector<KernelParameter> parameters;
  std::string tiling;
  uint64_t tilingKey = 0;
  int64_t blocks = 1;
  unsigned seconds = 10;
  bool autoSync = true;
  ascendc::Recording recording;
  /// The bytes of tensors in place, as they were when the launch was recorded.
  std::map<const Tensor *, std::string> before;

  /// The tensor of an output by its name, or of the input whose memory it has; null if there is none.
  const Tensor *output(const std::string &name) const;
};

struct SourceOutcome {
  SimResult result;
  double seconds = 0; ///< of simulating
  /// Without --sanitize, a finding that does not stop the kernel is a warning: the results are those of one order.
  bool hasFindings = false;
};

/// Records a launch; false after reporting an error. Reports E0804 when an output is read and never stored to.
bool recordLaunch(SourceLaunch &launch, const Target &target, Diagnostics &diagnostics);

/// Simulates a recorded launch; first, outputs are set to zero, and tensors in place to what they were. Reports E0822
/// if a read of the kernel has another value than during recording.
SimResult simulateLaunch(SourceLaunch &launch, const Target &target, SimOptions sim, Diagnostics &diagnostics);

/// The simulator's options of a command, without observers.
SimOptions simOptions(const SimSettings &settings);

/// Records and simulates a launch; its outputs are in `launch.tensors`. `trace` receives a Chrome trace unless null.
/// Returns nullopt after reporting an error: the kernel cannot be recorded or continued, or `settings.sanitize` is set
/// and there is a finding.
std::optional<SourceOutcome> runSourceLaunch(SourceLaunch &launch, const Target &target, const SimSettings &settings,
                                             std::string *trace, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_SOURCE_SOURCELAUNCH_H

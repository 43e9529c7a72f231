// What runs kernels: the one interface that every device implements, and the launch code sees nothing else.
//
//   Device::load    takes a kernel of an op folder and makes it ready; what is slow happens here
//   Kernel::launch  runs it over bound memory; may be called any number of times, by one thread at a time
//   Kernel::prepare settles all but the memory once; what it gives runs on any thread, several at once
//
// A device gets tensors as plain memory and tiling data as finished numbers. Shapes, types, attributes and the tiling
// function were settled before, in runtime/core/launch/Launch.h, in the same way for every device. A board or a
// remote device fits behind the same classes; null/ is the skeleton to copy, and
// test/unit/runtime/device/ConformanceTest.cpp is what every device passes.

#ifndef OPC_RUNTIME_DEVICE_DEVICE_H
#define OPC_RUNTIME_DEVICE_DEVICE_H

#include "runtime/diagnostic/Diagnostic.h"
#include "runtime/program/Manifest.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace opc {

/// A tensor of a launch: contiguous, `bytes` long, aligned to its element type. Devices may read and write outside of
/// [data, data + bytes) under no circumstances. `data` may be null when `bytes` is 0.
struct LaunchTensor {
  void *data = nullptr;
  int64_t bytes = 0;
  ElementType type = ElementType::Float32;
};

struct LaunchArguments {
  std::vector<LaunchTensor> tensors; ///< inputs, then outputs, in the manifest's order
  /// Tiling data, one slot a field: outputs of the tiling function, then launch attributes (f32 bits in the low half).
  std::vector<int64_t> tiling;
  int64_t blockNum = 1; ///< logical blocks; the first field of the tiling data says the same
  bool trace = false;   ///< collect a timeline in LaunchReport::trace
};

/// What a launch cost.
struct LaunchReport {
  double seconds = 0;    ///< wall time of the launch alone
  int64_t cycles = -1;   ///< simulated cycles; -1 when the device has none
  std::string boundPipe; ///< pipe that was busy longest ("mte2"); empty when the device has none
  double boundShare = 0; ///< share of the cycles that it was busy, 0 to 1
  std::string trace;     ///< Chrome trace JSON when asked for
  /// Assumed figures at half or double of which another pipe would be busy longest.
  std::vector<std::string_view> boundDepends;
};

/// A launch with nothing open but its memory: sizes, types, tiling data and blocks are settled.
class PreparedKernel {
public:
  virtual ~PreparedKernel() = default;
  /// Runs over `tensors`, the first element of each in the order of the launch it was prepared from (null only where
  /// that tensor has no bytes). Safe from any number of threads at once, each with outputs of its own. False when the
  /// kernel failed; the diagnostics then have an error.
  virtual bool run(void *const *tensors, Diagnostics &diagnostics) = 0;
};

/// A loaded kernel.
class Kernel {
public:
  virtual ~Kernel() = default;
  /// False when the kernel failed; the diagnostics then have an error. Outputs are undefined after a failure.
  virtual bool launch(const LaunchArguments &arguments, LaunchReport &report, Diagnostics &diagnostics) = 0;
  /// The launch without its memory: `data` of the tensors is not looked at. The kernel outlives the result. Nullptr
  /// with an error when the arguments do not fit. What a device does not override takes turns through `launch`.
  virtual std::unique_ptr<PreparedKernel> prepare(const LaunchArguments &arguments, Diagnostics &diagnostics);
};

class Device {
public:
  virtual ~Device() = default;
  /// As --device spells it: "cpu", "sim".
  virtual std::string_view name() const = 0;
  /// Whether kernels are machine code that runs in this process: a damaged one can end it.
  virtual bool runsHostCode() const { return false; }
  /// Blocks the device can use at once: TilingInput::MaxBlocks.
  virtual int64_t maxBlocks() const = 0;
  /// The kernels of an op folder as this device runs them, with the tiling functions they were tuned for: what a
  /// launch is bound with (LaunchTarget).
  virtual const std::vector<ManifestKernel> &kernels(const Manifest &manifest) const { return manifest.kernels; }
  /// Loads a kernel of the op folder at `folder`; nullptr with an error when it cannot. `manifest` and `kernel`, one
  /// of `kernels`, outlive the result.
  virtual std::unique_ptr<Kernel> load(const std::string &folder, const Manifest &manifest,
                                       const ManifestKernel &kernel, Diagnostics &diagnostics) = 0;
};

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_DEVICE_H

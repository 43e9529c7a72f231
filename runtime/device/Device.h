// The interface of a device, which runs kernels. Launch code uses devices through this interface only.
//
//   Device::load    loads a kernel of an op folder; all slow work happens here
//   Kernel::launch  runs it on bound memory; may be called any number of times, by one thread at a time
//   Kernel::prepare fixes all but the memory once; the result runs on any thread, several at once
//
// A device receives tensors as plain memory and tiling data as numbers. runtime/core/launch/Launch.h has
// resolved shapes, types and attributes and has run the tiling function before, in the same way for every
// device. A board or a remote device can implement the same classes; null/ is a skeleton to copy, and every
// device passes test/unit/runtime/device/conformance/ConformanceTest.cpp.

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

/// A tensor of a launch: contiguous, `bytes` long, aligned to its element type. Devices must not read or write
/// outside [data, data + bytes). `data` may be null when `bytes` is 0. The caller owns the memory.
struct LaunchTensor {
  void *data = nullptr;
  int64_t bytes = 0;
  ElementType type = ElementType::Float32;
};

struct LaunchArguments {
  std::vector<LaunchTensor> tensors; ///< inputs, outputs, then the workspace, in the manifest's order
  /// Tiling data, one slot per field: outputs of the tiling function, then launch attributes (f32 bits in the
  /// low half).
  std::vector<int64_t> tiling;
  int64_t blockNum = 1; ///< logical blocks; equal to the first field of the tiling data
  bool trace = false;   ///< collect a timeline in LaunchReport::trace
};

/// The cost of a launch.
struct LaunchReport {
  double seconds = 0;    ///< wall time of the launch, without loading
  int64_t cycles = -1;   ///< simulated cycles; -1 when the device has none
  std::string boundPipe; ///< pipe that was busy longest ("mte2"); empty when the device has none
  double boundShare = 0; ///< share of the cycles that it was busy, 0 to 1
  std::string trace;     ///< Chrome trace JSON when LaunchArguments::trace is set
  /// Assumed figures that boundPipe depends on: at half or double their value another pipe would be busy longest.
  std::vector<std::string_view> boundDepends;
};

/// A constant in the form that a launch keeps it in.
struct PackedConstant {
  std::shared_ptr<const void> memory; ///< aligned to 64 bytes; null: the launch keeps none
  size_t bytes = 0;
};

/// A launch in which only the memory is open: sizes, types, tiling data and blocks are fixed.
class PreparedKernel {
public:
  virtual ~PreparedKernel() = default;
  /// Runs the kernel and waits for it. `tensors` points to the first element of each tensor in the order of
  /// LaunchArguments::tensors; null only for a tensor without bytes. Thread-safe as long as calls use different
  /// outputs. Returns false after reporting an error when the kernel failed.
  virtual bool run(void *const *tensors, Diagnostics &diagnostics) = 0;
  /// Declares that some tensors (`constant`, one flag for each) are at these addresses with the same contents in every
  /// following run, so that a device may keep them in a form of its own. Call it before any run.
  virtual void keepConstants(void *const *, const std::vector<bool> &) {}
  /// What keepConstants has kept, for takePacked of the same launch in another process; nothing may write to it.
  virtual PackedConstant packed() const { return {}; }
  /// Replaces keepConstants: takes what `packed` returned for the same launch, with the same constants and kernels of
  /// the same `packedForm`. Wrong bytes give wrong results, but no access outside of tensors. Returns false, and takes
  /// nothing, if they cannot be of this launch.
  virtual bool takePacked(const std::vector<bool> &, const PackedConstant &) { return false; }
};

/// A loaded kernel.
class Kernel {
public:
  virtual ~Kernel() = default;
  /// Runs the kernel and waits for it. One thread at a time. Returns false after reporting an error when the kernel
  /// failed; the contents of outputs are then undefined.
  virtual bool launch(const LaunchArguments &arguments, LaunchReport &report, Diagnostics &diagnostics) = 0;
  /// Prepares a launch without its memory; ignores `data` of the tensors. The kernel must outlive the result. Returns
  /// null after reporting an error when the arguments do not match the kernel. The default implementation calls
  /// `launch` under a lock.
  virtual std::unique_ptr<PreparedKernel> prepare(const LaunchArguments &arguments, Diagnostics &diagnostics);
};

class Device {
public:
  virtual ~Device() = default;
  /// The name for --device: "cpu", "sim".
  virtual std::string_view name() const = 0;
  /// Whether kernels are machine code that runs in this process, so that a faulty one can crash it.
  virtual bool runsHostCode() const { return false; }
  /// Number of blocks that the device can run at once: TilingInput::MaxBlocks.
  virtual int64_t maxBlocks() const = 0;
  /// The kernels of an op folder for this device, with their tiling functions. Launches are bound with
  /// them (LaunchTarget).
  virtual const std::vector<ManifestKernel> &kernels(const Manifest &manifest) const { return manifest.kernels; }
  /// The name of the forms in which kernels of this device keep constants. Kernels of one file keep the same constants
  /// in the same bytes wherever the name is the same. Empty: they keep none, or the name is not known.
  virtual std::string packedForm() const { return {}; }
  /// Loads a kernel of the op folder at `folder`; null after reporting an error. `kernel` is an element of `kernels`.
  /// It and `manifest` must outlive the result.
  virtual std::unique_ptr<Kernel> load(const std::string &folder, const Manifest &manifest,
                                       const ManifestKernel &kernel, Diagnostics &diagnostics) = 0;
};

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_DEVICE_H

// A complete device without the work. Comments that begin with "Yours:" say what another device does there.

#include "runtime/device/null/NullDevice.h"

#include <chrono>

namespace opc {

namespace {

/// The arguments that a kernel expects. Every device refuses others before it accesses memory.
struct Expected {
  std::string name;
  size_t tensors, fields;

  bool check(const LaunchArguments &arguments, Diagnostics &diagnostics) const {
    if (arguments.tensors.size() == tensors && arguments.tiling.size() == fields && arguments.blockNum >= 1)
      return true;
    // The runtime's launch code determines these numbers for every device: a mismatch is an internal error.
    diagnostics.error(Code::E0900, {},
                      "a launch of '" + printable(name) + "' expects " + std::to_string(tensors) + " tensors and " +
                          std::to_string(fields) + " fields of tiling data, found " +
                          std::to_string(arguments.tensors.size()) + " and " + std::to_string(arguments.tiling.size()));
    return false;
  }
};

class NullPrepared : public PreparedKernel {
public:
  /// Yours: pass the pointers to the kernel and wait until it is done.
  bool run(void *const *, Diagnostics &) override { return true; }
};

class NullKernel : public Kernel {
public:
  explicit NullKernel(Expected expected) : expected(std::move(expected)) {}

  bool launch(const LaunchArguments &arguments, LaunchReport &report, Diagnostics &diagnostics) override {
    if (!expected.check(arguments, diagnostics))
      return false;
    auto start = std::chrono::steady_clock::now();
    // Yours: run blocks 0 to blockNum - 1 on the tensors.
    report = LaunchReport();
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return true;
  }

  /// Yours: may omit this function; prepared launches then call `launch` under a lock.
  std::unique_ptr<PreparedKernel> prepare(const LaunchArguments &arguments, Diagnostics &diagnostics) override {
    if (!expected.check(arguments, diagnostics))
      return nullptr;
    return std::make_unique<NullPrepared>();
  }

private:
  Expected expected;
};

class NullDevice : public Device {
public:
  std::string_view name() const override { return "null"; }
  /// Yours: the number of cores or other units that run blocks at once. It is an input of tiling functions, so it
  /// must not change from run to run.
  int64_t maxBlocks() const override { return 1; }
  /// In your device: omit this function. An operator for the CPU alone has only the CPU's kernels.
  const std::vector<ManifestKernel> &kernels(const Manifest &manifest) const override {
    return manifest.kernels.empty() ? manifest.cpuKernels : manifest.kernels;
  }
  /// Yours: load the kernel's file below `folder`. The file is untrusted: check it first.
  std::unique_ptr<Kernel> load(const std::string &, const Manifest &manifest, const ManifestKernel &kernel,
                               Diagnostics &) override {
    return std::make_unique<NullKernel>(
        Expected{kernel.name, manifest.numTensors(), kernel.tiling.outputs.size() + kernel.launchAttributes.size()});
  }
};

} // namespace

std::unique_ptr<Device> createNullDevice() {
  return std::make_unique<NullDevice>();
}

} // namespace opc

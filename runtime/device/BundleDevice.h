// Devices that can load the kernels of several op folders from one file, as models have them.

#ifndef OPC_RUNTIME_DEVICE_BUNDLEDEVICE_H
#define OPC_RUNTIME_DEVICE_BUNDLEDEVICE_H

#include "runtime/device/Device.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace opc {

/// An additional interface of such a Device: test for it with dynamic_cast.
class BundleDevice {
public:
  virtual ~BundleDevice() = default;
  /// Opens such a file: returns a device for each op folder, in the order of the file, which is like this device but
  /// loads kernels from the file; nullopt after reporting an error.
  virtual std::optional<std::vector<std::shared_ptr<Device>>> openBundle(const std::string &path,
                                                                         Diagnostics &diagnostics) = 0;
};

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_BUNDLEDEVICE_H

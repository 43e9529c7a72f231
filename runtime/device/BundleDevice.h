// Devices that can have the kernels of several op folders in one file, as a model has them.

#ifndef OPC_RUNTIME_DEVICE_BUNDLEDEVICE_H
#define OPC_RUNTIME_DEVICE_BUNDLEDEVICE_H

#include "runtime/device/Device.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace opc {

/// What a Device is beside if it can: ask with dynamic_cast.
class BundleDevice {
public:
  virtual ~BundleDevice() = default;
  /// Opens such a file: a device for each op folder, in the order of the file, which is this device but loads kernels
  /// from there. nullopt after reporting an error.
  virtual std::optional<std::vector<std::shared_ptr<Device>>> openBundle(const std::string &path,
                                                                         Diagnostics &diagnostics) = 0;
};

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_BUNDLEDEVICE_H

// The devices of this build, by name.

#ifndef OPC_RUNTIME_DEVICE_REGISTRY_DEVICES_H
#define OPC_RUNTIME_DEVICE_REGISTRY_DEVICES_H

#include "runtime/device/Device.h"

#include <memory>
#include <string>
#include <vector>

namespace opc {

/// "cpu", "sim", "null".
const std::vector<std::string> &deviceNames();

/// Creates a device by name. `threads` is the number of threads of devices that have them, 0 for their default.
/// Returns null after reporting E0107 with the nearest name when the name is unknown.
std::unique_ptr<Device> createDevice(const std::string &name, int threads, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_REGISTRY_DEVICES_H

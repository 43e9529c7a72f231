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

/// A device; `threads` is for those that have threads, 0 leaves it to them. Nullptr, with E0107 and the nearest name,
/// when there is none of that name.
std::unique_ptr<Device> createDevice(const std::string &name, int threads, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_REGISTRY_DEVICES_H

// The devices that --device names.

#ifndef OPC_TOOLS_OPC_DEVICES_H
#define OPC_TOOLS_OPC_DEVICES_H

#include "runtime/device/Device.h"

#include <memory>
#include <string>
#include <vector>

namespace opc::tool {

/// "cpu", "sim".
const std::vector<std::string> &deviceNames();

/// Null, with E0107 and the nearest name, when there is no such device.
std::unique_ptr<Device> makeDevice(const std::string &name, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_DEVICES_H

// A device that does nothing: the skeleton of a device, and the measure of what a launch costs without its kernel.

#ifndef OPC_RUNTIME_DEVICE_NULL_NULLDEVICE_H
#define OPC_RUNTIME_DEVICE_NULL_NULLDEVICE_H

#include "runtime/device/Device.h"

namespace opc {

/// Takes every kernel of a folder, whatever it was compiled for. Outputs of a launch keep what they held.
std::unique_ptr<Device> createNullDevice();

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_NULL_NULLDEVICE_H

// A device that does nothing: a skeleton for new devices, and a baseline for the cost of a launch without its kernel.

#ifndef OPC_RUNTIME_DEVICE_NULL_NULLDEVICE_H
#define OPC_RUNTIME_DEVICE_NULL_NULLDEVICE_H

#include "runtime/device/Device.h"

namespace opc {

/// A device that accepts every kernel for any target. Launches do not change their outputs.
std::unique_ptr<Device> createNullDevice();

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_NULL_NULLDEVICE_H

// The simulator as a device: loads a kernel's simulator program and runs it on the chip that the
// manifest names.

#ifndef OPC_RUNTIME_DEVICE_SIM_SIMDEVICE_H
#define OPC_RUNTIME_DEVICE_SIM_SIMDEVICE_H

#include "runtime/device/Device.h"

namespace opc {

/// One simulated AI Core.
std::unique_ptr<Device> createSimDevice();

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_SIM_SIMDEVICE_H

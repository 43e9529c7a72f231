// The simulator as a device: loads a kernel's simulator program and runs it on the chip that the
// manifest names.

#ifndef OPC_RUNTIME_DEVICE_SIM_SIMDEVICE_H
#define OPC_RUNTIME_DEVICE_SIM_SIMDEVICE_H

#include "runtime/device/Device.h"

namespace opc {

/// One simulated AI Core. With `perturbUlps` results of units whose rounding is assumed move by up
/// to so many units in the last place (Perturb.h).
std::unique_ptr<Device> createSimDevice(unsigned perturbUlps = 0, uint64_t perturbSeed = 0);

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_SIM_SIMDEVICE_H

// The simulator as a device: loads a kernel's simulator program and runs it on the chip that the
// manifest names.

#ifndef OPC_RUNTIME_DEVICE_SIM_SIMDEVICE_H
#define OPC_RUNTIME_DEVICE_SIM_SIMDEVICE_H

#include "runtime/device/Device.h"
#include "runtime/device/sim/Simulator.h"

namespace opc {

/// How the device runs every launch; fields as in SimOptions.
struct SimSettings {
  unsigned perturbUlps = 0;
  uint64_t perturbSeed = 0;
  SimOrder order = SimOrder::Time;
  uint64_t orderSeed = 0;
  std::optional<Sanitize> sanitize;
};

/// One simulated AI Core.
std::unique_ptr<Device> createSimDevice(const SimSettings &settings = {});

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_SIM_SIMDEVICE_H

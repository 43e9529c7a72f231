// The simulator as a device: loads a kernel's simulator program and runs it on the chip that the manifest names.

#ifndef OPC_RUNTIME_DEVICE_SIM_SIMDEVICE_H
#define OPC_RUNTIME_DEVICE_SIM_SIMDEVICE_H

#include "runtime/device/Device.h"
#include "runtime/device/sim/Simulator.h"
#include "runtime/target/MemoryModel.h"

namespace opc {

/// How the device runs every launch; fields as in SimOptions.
struct SimSettings {
  unsigned perturbUlps = 0;
  uint64_t perturbSeed = 0;
  SimOrder order = SimOrder::Time;
  uint64_t orderSeed = 0;
  SimNumerics numerics = SimNumerics::Exact;
  uint64_t numericsSeed = 0;
  std::optional<Sanitize> sanitize;
  bool portable = false; ///< run on Target::portable()
  MemoryModel memory;    ///< rates of loads and stores, and L2
  /// The chip with other figures of its cost model; does not apply to kernels of other chips.
  std::optional<Target> target;
};

/// Reads and checks the simulator program of a kernel of the op folder at `folder`; nullopt after reporting E0501
/// or E0502.
std::optional<SimulatorProgram> loadSimulatorProgram(const std::string &folder, const Manifest &manifest,
                                                     const ManifestKernel &kernel, Diagnostics &diagnostics);

/// One simulated AI Core.
std::unique_ptr<Device> createSimDevice(const SimSettings &settings = {});

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_SIM_SIMDEVICE_H

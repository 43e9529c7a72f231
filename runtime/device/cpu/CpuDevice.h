// The host as a device: runs the kernel library of an op folder on all cores.

#ifndef OPC_RUNTIME_DEVICE_CPU_CPUDEVICE_H
#define OPC_RUNTIME_DEVICE_CPU_CPUDEVICE_H

#include "runtime/device/Device.h"

namespace opc {

/// Most blocks of a launch. A constant, since results must not depend on the number of cores.
inline constexpr int64_t kCpuMaxBlocks = 64;

/// A device that runs blocks on up to `threads` threads; 0: one per core. Results do not depend on `threads`.
std::unique_ptr<Device> createCpuDevice(int threads = 0);

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_CPU_CPUDEVICE_H

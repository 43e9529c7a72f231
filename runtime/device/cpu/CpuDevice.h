// The host as a device: runs the kernel library of an op folder on all cores.

#ifndef OPC_RUNTIME_DEVICE_CPU_CPUDEVICE_H
#define OPC_RUNTIME_DEVICE_CPU_CPUDEVICE_H

#include "runtime/device/Device.h"

namespace opc {

/// Blocks that a launch is cut into at most. A constant: what a kernel computes must not depend on the machine's cores.
inline constexpr int64_t kCpuMaxBlocks = 64;

/// A device that runs blocks on up to `threads` threads; 0: as many as the machine has. The results are the same.
std::unique_ptr<Device> createCpuDevice(int threads = 0);

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_CPU_CPUDEVICE_H

// The size from which on kernels use non-temporal stores. Smaller outputs stay in the cache, where the next kernel
// reads them; non-temporal stores would move them to memory and back.

#ifndef OPC_RUNTIME_DEVICE_CPU_STREAMTHRESHOLD_H
#define OPC_RUNTIME_DEVICE_CPU_STREAMTHRESHOLD_H

#include <cstdint>
#include <string>

namespace opc {

/// Half of the machine's largest cache, in bytes, and at most 64 MiB; the other half is left to other cores and to
/// older contents. 1 MiB when the size is unknown. Read once per process.
int64_t streamThresholdBytes();

/// The threshold by a folder like /sys/devices/system/cpu/cpu0/cache; 0 when the folder has no sizes.
int64_t streamThresholdOf(const std::string &folder);

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_CPU_STREAMTHRESHOLD_H

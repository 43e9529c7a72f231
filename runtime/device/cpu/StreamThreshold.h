// From how many bytes on kernels write past the caches: what fits is read from there by whoever comes next, and
// stores past the caches would take it to memory and back.

#ifndef OPC_RUNTIME_DEVICE_CPU_STREAMTHRESHOLD_H
#define OPC_RUNTIME_DEVICE_CPU_STREAMTHRESHOLD_H

#include <cstdint>
#include <string>

namespace opc {

/// Half of the largest cache of the machine, in bytes, and at most 64 MiB: the other half is for other cores and for
/// what was there before. 1 MiB on a machine that does not say. Read once in a process.
int64_t streamThresholdBytes();

/// The same for a folder like /sys/devices/system/cpu/cpu0/cache; 0 where it does not say.
int64_t streamThresholdOf(const std::string &folder);

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_CPU_STREAMTHRESHOLD_H

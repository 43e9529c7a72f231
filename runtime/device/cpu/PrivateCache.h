// The largest cache that one core has for itself: the second level, on machines of today. Past it
// kernels write around the caches.

#ifndef OPC_RUNTIME_DEVICE_CPU_PRIVATECACHE_H
#define OPC_RUNTIME_DEVICE_CPU_PRIVATECACHE_H

#include <cstdint>

namespace opc {

/// In bytes; read once in a process. 1 MiB on a machine that does not say.
int64_t privateCacheBytes();

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_CPU_PRIVATECACHE_H

// Memory of a device, handed out again: what is given back is kept for the next one who asks.
//
//   up to 1 KiB, 4 KiB, 16 KiB, 64 KiB    blocks of that size, cut from slabs of the device's memory
//   above                                 pieces of whole pages, kept and taken again where they are at most
//                                         a quarter too large
//
// Blocks of 1 KiB start on 512 bytes, all others on 4 KiB. A limit bounds what the pool holds, handed out or kept:
// before an allocation is refused, everything that nobody holds goes back. With `poison` released memory is filled
// with a pattern and looked at before it is handed out again: a write through a dead pointer is found. All calls are
// safe from any number of threads.

#ifndef OPC_RUNTIME_CORE_POOL_MEMORYPOOL_H
#define OPC_RUNTIME_CORE_POOL_MEMORYPOOL_H

#include "runtime/diagnostic/Diagnostic.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace opc {

/// Where a pool gets memory from: whole pages, aligned to them.
class DeviceAllocator {
public:
  virtual ~DeviceAllocator() = default;
  /// Null when there is none. `bytes` is a multiple of 4096.
  virtual void *allocate(size_t bytes) = 0;
  virtual void release(void *memory, size_t bytes) = 0;
};

/// The host's pages: mmap and munmap.
std::unique_ptr<DeviceAllocator> createMmapAllocator();

struct PoolOptions {
  size_t limit = SIZE_MAX; ///< bytes held, handed out or kept
  bool poison = false;     ///< fill and check released memory: slow, for debugging
};

struct PoolStatistics {
  size_t requested = 0; ///< bytes that callers asked for and hold
  size_t used = 0;      ///< bytes of the blocks that they hold
  size_t cached = 0;    ///< bytes held by the pool and by nobody else
  size_t peak = 0;      ///< most of `used` so far
  uint64_t allocations = 0;
  uint64_t hits = 0; ///< allocations that needed nothing from the device
  uint64_t refused = 0;

  size_t held() const { return used + cached; }
  /// Share of what is held that no caller asked for, 0 to 1.
  double fragmentation() const { return held() ? 1 - double(requested) / double(held()) : 0; }
  double hitRate() const { return allocations ? double(hits) / double(allocations) : 0; }
};

class MemoryPool {
public:
  explicit MemoryPool(std::unique_ptr<DeviceAllocator> device, PoolOptions options = {});
  /// Gives everything back, also what callers still hold.
  ~MemoryPool();
  MemoryPool(const MemoryPool &) = delete;
  MemoryPool &operator=(const MemoryPool &) = delete;

  /// At least `bytes` bytes, not initialised; 0 bytes are taken for 1. Null, with E0460 when there is no memory
  /// within the limit, or E0461 when the pattern of poisoned memory is broken.
  void *allocate(size_t bytes, Diagnostics &diagnostics);
  /// Takes memory of `allocate` back; false when it is none, and nothing happens then. Null is taken.
  bool release(void *memory);
  /// Gives back to the device what nobody holds; how many bytes.
  size_t trim();
  void setLimit(size_t bytes);
  PoolStatistics statistics() const;

private:
  static constexpr unsigned kNumClasses = 4;
  struct Slab {
    void *memory;
    size_t bytes, free; ///< free: blocks
  };
  struct FreeBlock {
    void *memory;
    Slab *slab;
  };
  struct Held {
    size_t requested, bytes;
    Slab *slab; ///< null for a large piece
  };
  void *take(size_t bytes, size_t &blockBytes, Slab *&slab, bool &fromDevice);
  bool grow(unsigned sizeClass);
  void *fromDevice(size_t bytes);
  size_t trimLocked();

  mutable std::mutex mutex;
  std::unique_ptr<DeviceAllocator> device;
  PoolOptions options;
  std::vector<FreeBlock> freeBlocks[kNumClasses];
  std::vector<std::unique_ptr<Slab>> slabs[kNumClasses];
  std::multimap<size_t, void *> freeLarge; ///< by bytes
  std::unordered_map<void *, Held> held;
  PoolStatistics numbers;
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_POOL_MEMORYPOOL_H

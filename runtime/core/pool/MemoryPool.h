// A pool of device memory: keeps released memory for later allocations.
//
//   up to 1 KiB, 4 KiB, 16 KiB, 64 KiB    blocks of that size, cut from slabs of the device's memory
//   above                                 pieces of whole pages; a kept piece is reused where it is at most a
//                                         quarter too large
//
// Blocks of 1 KiB are aligned to 512 bytes, all others to 4 KiB. A limit bounds the memory of the pool, allocated or
// cached: before the pool refuses an allocation, it returns all cached memory to the device. With `poison` the pool
// fills released memory with a pattern and checks it before the next allocation, which detects writes through
// dangling pointers. All functions are thread-safe.

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

/// Allocates the memory of a pool: whole pages, aligned to pages.
class DeviceAllocator {
public:
  virtual ~DeviceAllocator() = default;
  /// Returns null when there is no memory. `bytes` is a multiple of 4096.
  virtual void *allocate(size_t bytes) = 0;
  virtual void release(void *memory, size_t bytes) = 0;
};

/// The host's pages: mmap and munmap.
std::unique_ptr<DeviceAllocator> createMmapAllocator();

struct PoolOptions {
  size_t limit = SIZE_MAX; ///< bytes, allocated and cached together
  bool poison = false;     ///< fill and check released memory: slow, for debugging
};

struct PoolStatistics {
  size_t requested = 0; ///< bytes that callers asked for and have not released
  size_t used = 0;      ///< bytes of their blocks
  size_t cached = 0;    ///< bytes that the pool keeps for later allocations
  size_t peak = 0;      ///< largest value of `used`
  uint64_t allocations = 0;
  uint64_t hits = 0; ///< allocations that needed nothing from the device
  uint64_t refused = 0;

  size_t held() const { return used + cached; }
  /// Share of held() that no caller asked for, 0 to 1.
  double fragmentation() const { return held() ? 1 - double(requested) / double(held()) : 0; }
  double hitRate() const { return allocations ? double(hits) / double(allocations) : 0; }
};

class MemoryPool {
public:
  explicit MemoryPool(std::unique_ptr<DeviceAllocator> device, PoolOptions options = {});
  /// Returns all memory to the device, including memory that callers have not released.
  ~MemoryPool();
  MemoryPool(const MemoryPool &) = delete;
  MemoryPool &operator=(const MemoryPool &) = delete;

  /// Allocates at least `bytes` bytes, not initialised; 0 counts as 1. Returns null after reporting E0460 when there
  /// is no memory within the limit, or E0461 when the pattern of poisoned memory is damaged.
  void *allocate(size_t bytes, Diagnostics &diagnostics);
  /// Releases memory of `allocate`; null is ignored. Returns false, and does nothing, for any other pointer.
  bool release(void *memory);
  /// Returns cached memory to the device; the result is the number of bytes.
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

#include "runtime/core/pool/MemoryPool.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace opc {

namespace {
class MmapAllocator : public DeviceAllocator {
public:
  void *allocate(size_t bytes) override {
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
  }
  void release(void *memory, size_t bytes) override { munmap(memory, bytes); }
};
} // namespace

std::unique_ptr<DeviceAllocator> createMmapAllocator() {
  return std::make_unique<MmapAllocator>();
}

static constexpr size_t kPage = 4096;
static constexpr size_t kClassBytes[] = {1024, 4096, 16384, 65536};
/// Blocks per slab: large enough that slabs are rarely allocated, small enough that whole slabs become free again.
static constexpr size_t kSlabBlocks[] = {256, 128, 64, 16};
static constexpr unsigned char kPoison = 0xa5;

/// The size class of an allocation; kNumClasses for a large one.
static unsigned classOf(size_t bytes) {
  unsigned sizeClass = 0;
  while (sizeClass < 4 && bytes > kClassBytes[sizeClass])
    ++sizeClass;
  return sizeClass;
}

MemoryPool::MemoryPool(std::unique_ptr<DeviceAllocator> device, PoolOptions options)
    : device(std::move(device)), options(options) {
}

MemoryPool::~MemoryPool() {
  for (auto &[memory, block] : held)
    if (!block.slab)
      device->release(memory, block.bytes);
  for (auto &[bytes, memory] : freeLarge)
    device->release(memory, bytes);
  for (auto &list : slabs)
    for (std::unique_ptr<Slab> &slab : list)
      device->release(slab->memory, slab->bytes);
}

void *MemoryPool::fromDevice(size_t bytes) {
  auto fits = [&] { return bytes <= options.limit && numbers.held() <= options.limit - bytes; };
  if (!fits())
    trimLocked();
  if (!fits())
    return nullptr;
  void *memory = device->allocate(bytes);
  if (!memory && trimLocked())
    memory = device->allocate(bytes);
  if (memory && options.poison)
    std::memset(memory, kPoison, bytes);
  return memory;
}

bool MemoryPool::grow(unsigned sizeClass) {
  // Near the limit, try a slab of as few blocks as fill a page.
  for (size_t blocks : {kSlabBlocks[sizeClass], std::max<size_t>(1, kPage / kClassBytes[sizeClass])}) {
    size_t bytes = kClassBytes[sizeClass] * blocks;
    void *memory = fromDevice(bytes);
    if (!memory)
      continue;
    slabs[sizeClass].push_back(std::make_unique<Slab>(Slab{memory, bytes, blocks}));
    Slab *slab = slabs[sizeClass].back().get();
    for (size_t i = blocks; i-- > 0;)
      freeBlocks[sizeClass].push_back({static_cast<char *>(memory) + i * kClassBytes[sizeClass], slab});
    numbers.cached += bytes;
    return true;
  }
  return false;
}

void *MemoryPool::take(size_t bytes, size_t &blockBytes, Slab *&slab, bool &fresh) {
  fresh = false;
  slab = nullptr;
  unsigned sizeClass = classOf(bytes);
  if (sizeClass < kNumClasses) {
    blockBytes = kClassBytes[sizeClass];
    if (freeBlocks[sizeClass].empty()) {
      fresh = true;
      if (!grow(sizeClass))
        return nullptr;
    }
    FreeBlock block = freeBlocks[sizeClass].back();
    freeBlocks[sizeClass].pop_back();
    slab = block.slab;
    --slab->free;
    numbers.cached -= blockBytes;
    return block.memory;
  }
  if (bytes > SIZE_MAX - kPage)
    return nullptr;
  blockBytes = (bytes + kPage - 1) / kPage * kPage;
  auto found = freeLarge.lower_bound(blockBytes);
  if (found != freeLarge.end() && found->first - blockBytes <= blockBytes / 4) {
    void *memory = found->second;
    blockBytes = found->first;
    freeLarge.erase(found);
    numbers.cached -= blockBytes;
    return memory;
  }
  fresh = true;
  return fromDevice(blockBytes);
}

static bool isPoisoned(const void *memory, size_t bytes) {
  const auto *begin = static_cast<const unsigned char *>(memory);
  return std::all_of(begin, begin + bytes, [](unsigned char byte) { return byte == kPoison; });
}

void *MemoryPool::allocate(size_t bytes, Diagnostics &diagnostics) {
  bytes = std::max<size_t>(bytes, 1);
  std::lock_guard<std::mutex> lock(mutex);
  ++numbers.allocations;
  size_t blockBytes = 0;
  Slab *slab = nullptr;
  bool fresh = false;
  void *memory = take(bytes, blockBytes, slab, fresh);
  if (!memory) {
    ++numbers.refused;
    std::string limit = options.limit == SIZE_MAX ? std::string("has no limit")
                                                  : "has a limit of " + std::to_string(options.limit) + " bytes";
    diagnostics.error(Code::E0460, {},
                      "no memory for " + std::to_string(bytes) + " bytes: the pool " + limit + ", " +
                          std::to_string(numbers.used) + " are held by callers and " + std::to_string(numbers.cached) +
                          " are kept",
                      "pool_c1", "release tensors, raise the limit, or use smaller shapes");
    return nullptr;
  }
  numbers.hits += !fresh;
  numbers.requested += bytes;
  numbers.used += blockBytes;
  numbers.peak = std::max(numbers.peak, numbers.used);
  held.emplace(memory, Held{bytes, blockBytes, slab});
  if (options.poison && !isPoisoned(memory, blockBytes)) {
    diagnostics.error(Code::E0461, {},
                      "released memory was written to: a block of " + std::to_string(blockBytes) +
                          " bytes changed after its release",
                      "pool_c2");
    return nullptr; // the block stays out of use, so that its contents can be inspected
  }
  return memory;
}

bool MemoryPool::release(void *memory) {
  if (!memory)
    return true;
  std::lock_guard<std::mutex> lock(mutex);
  auto found = held.find(memory);
  if (found == held.end())
    return false;
  Held block = found->second;
  held.erase(found);
  if (options.poison)
    std::memset(memory, kPoison, block.bytes);
  numbers.requested -= block.requested;
  numbers.used -= block.bytes;
  numbers.cached += block.bytes;
  if (block.slab) {
    ++block.slab->free;
    freeBlocks[classOf(block.bytes)].push_back({memory, block.slab});
  } else {
    freeLarge.emplace(block.bytes, memory);
  }
  return true;
}

size_t MemoryPool::trimLocked() {
  size_t before = numbers.cached;
  for (auto &[bytes, memory] : freeLarge) {
    device->release(memory, bytes);
    numbers.cached -= bytes;
  }
  freeLarge.clear();
  for (unsigned sizeClass = 0; sizeClass < kNumClasses; ++sizeClass) {
    auto isFree = [sizeClass](const Slab &slab) { return slab.free * kClassBytes[sizeClass] == slab.bytes; };
    auto &blocks = freeBlocks[sizeClass];
    blocks.erase(
        std::remove_if(blocks.begin(), blocks.end(), [&](const FreeBlock &block) { return isFree(*block.slab); }),
        blocks.end());
    auto &list = slabs[sizeClass];
    for (std::unique_ptr<Slab> &slab : list) {
      if (!isFree(*slab))
        continue;
      device->release(slab->memory, slab->bytes);
      numbers.cached -= slab->bytes;
      slab = nullptr;
    }
    list.erase(std::remove(list.begin(), list.end(), nullptr), list.end());
  }
  return before - numbers.cached;
}

size_t MemoryPool::trim() {
  std::lock_guard<std::mutex> lock(mutex);
  return trimLocked();
}

void MemoryPool::setLimit(size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  options.limit = bytes;
  if (numbers.held() > bytes)
    trimLocked();
}

PoolStatistics MemoryPool::statistics() const {
  std::lock_guard<std::mutex> lock(mutex);
  return numbers;
}

} // namespace opc

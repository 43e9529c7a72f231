#include "runtime/device/cpu/PackedCopies.h"

#include "runtime/program/opc_kernel_library.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <sys/mman.h>
#include <unistd.h>

namespace opc {

static constexpr size_t kAlignment = 64, kElement = 4;
/// From this size on memory is mapped, so that it is returned when it is freed; the allocator does so late or never.
static constexpr size_t kMapped = size_t(1) << 14;
/// Bytes of a chunk, and of a large page, to which it is aligned. A larger copy has a separate chunk.
static constexpr size_t kChunk = size_t(1) << 25, kLargePage = size_t(1) << 21;
/// The minimum number of entries for removing dead ones.
static constexpr size_t kSweepLeast = 64;

static size_t roundUp(size_t size, size_t to) {
  return (size + to - 1) / to * to;
}

/// Copies begin at a page, so that each can be returned.
static size_t pageBytes() {
  static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

/// Memory with copies one after another. It is unmapped with the last of them.
class PackedCopies::Chunk {
public:
  /// Null without memory.
  static std::shared_ptr<Chunk> create(size_t bytes) {
    // Mapped with a large page more, so that one can begin at a large page.
    const size_t whole = roundUp(bytes, kLargePage) + kLargePage;
    void *mapped = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
      return nullptr;
    // The system may use large pages: panels of a large weight are read once a launch, each from pages of its own.
    (void)madvise(mapped, whole, MADV_HUGEPAGE);
    return std::shared_ptr<Chunk>(new Chunk(static_cast<char *>(mapped), whole));
  }
  ~Chunk() { munmap(mapped, whole); }

  /// The next bytes, all 0; null when the chunk is full.
  char *take(size_t bytes) {
    const size_t rounded = roundUp(bytes, pageBytes());
    std::lock_guard<std::mutex> lock(mutex);
    if (rounded > static_cast<size_t>(mapped + whole - next))
      return nullptr;
    char *taken = next;
    next += rounded;
    return taken;
  }
  /// Returns bytes. If they were the last taken ones, they are reused, and are 0 again.
  void giveBack(char *taken, size_t bytes) {
    const size_t rounded = roundUp(bytes, pageBytes());
    const bool isGone = madvise(taken, rounded, MADV_DONTNEED) == 0;
    std::lock_guard<std::mutex> lock(mutex);
    if (isGone && taken + rounded == next)
      next = taken;
  }

private:
  Chunk(char *mapped, size_t whole)
      : mapped(mapped), whole(whole),
        next(mapped + roundUp(reinterpret_cast<uintptr_t>(mapped), kLargePage) - reinterpret_cast<uintptr_t>(mapped)) {}
  std::mutex mutex;
  char *mapped;
  size_t whole;
  char *next;
};

PackedCopy PackedCopies::create(size_t elements) {
  if (elements > (SIZE_MAX / 2 - OPC_KERNEL_BEHIND_PACKED) / kElement)
    return nullptr;
  const size_t bytes = elements * kElement + OPC_KERNEL_BEHIND_PACKED;
  if (bytes < kMapped) {
    const size_t rounded = roundUp(bytes, kAlignment);
    void *memory = std::aligned_alloc(kAlignment, rounded);
    if (!memory)
      return nullptr;
    // Forms may be smaller than the memory, and copies are compared as a whole.
    std::memset(memory, 0, rounded);
    return PackedCopy(memory, &std::free);
  }
  std::shared_ptr<Chunk> home;
  char *memory = nullptr;
  {
    std::lock_guard<std::mutex> lock(mutex);
    home = chunk.lock();
    memory = home ? home->take(bytes) : nullptr;
    if (!memory) {
      home = Chunk::create(std::max(bytes, kChunk));
      memory = home ? home->take(bytes) : nullptr;
      if (bytes < kChunk)
        chunk = home;
    }
  }
  if (!memory)
    return nullptr;
  return PackedCopy(memory, [home, bytes](void *taken) { home->giveBack(static_cast<char *>(taken), bytes); });
}

PackedCopy PackedCopies::shared(const void *tensor, PackedCopy copy, size_t elements) {
  const size_t bytes = elements * kElement;
  std::lock_guard<std::mutex> lock(mutex);
  auto [begin, end] = known.equal_range(tensor);
  for (auto each = begin; each != end;) {
    PackedCopy other = each->second.copy.lock();
    if (!other) {
      each = known.erase(each);
      continue;
    }
    if (each->second.bytes == bytes && std::memcmp(other.get(), copy.get(), bytes) == 0)
      return other;
    ++each;
  }
  // Tensors of closed models, which are not requested again.
  if (known.size() >= sweepFrom) {
    for (auto each = known.begin(); each != known.end();)
      each = each->second.copy.expired() ? known.erase(each) : std::next(each);
    sweepFrom = std::max(kSweepLeast, 2 * known.size());
  }
  known.emplace(tensor, Known{bytes, copy});
  return copy;
}

size_t PackedCopies::size() {
  std::lock_guard<std::mutex> lock(mutex);
  return known.size();
}

} // namespace opc

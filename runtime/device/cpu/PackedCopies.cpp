#include "runtime/device/cpu/PackedCopies.h"

#include "runtime/program/opc_kernel_library.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <sys/mman.h>

namespace opc {

static constexpr size_t kAlignment = 64, kElement = 4;
// From this size on memory is mapped. It is given back where it is freed, which the allocator does late or never, and
// the system may use large pages for it: panels of a large weight are read once a launch, each from pages of its own.
static constexpr size_t kMapped = size_t(1) << 18;
/// The fewest entries of which the dead ones are looked for.
static constexpr size_t kSweepLeast = 64;

PackedCopy PackedCopies::create(size_t elements) {
  if (elements > (SIZE_MAX - OPC_KERNEL_BEHIND_PACKED - kAlignment) / kElement)
    return nullptr;
  const size_t bytes = elements * kElement + OPC_KERNEL_BEHIND_PACKED;
  const size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (rounded >= kMapped) {
    void *mapped = mmap(nullptr, rounded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
      return nullptr;
    (void)madvise(mapped, rounded, MADV_HUGEPAGE);
    return PackedCopy(mapped, [rounded](void *memory) { munmap(memory, rounded); });
  }
  void *memory = std::aligned_alloc(kAlignment, rounded);
  if (!memory)
    return nullptr;
  // Forms may be smaller than this, and copies are compared as a whole.
  std::memset(memory, 0, rounded);
  return PackedCopy(memory, &std::free);
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
  // Tensors of models that were closed, which nobody asks for again.
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

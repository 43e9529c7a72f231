#include "runtime/device/cpu/PackedCopies.h"

#include "runtime/program/opc_kernel_library.h"

#include <cstdint>
#include <cstring>

namespace opc {

static constexpr size_t kAlignment = 64, kElement = 4;

PackedCopy PackedCopies::create(size_t elements) {
  if (elements > (SIZE_MAX - OPC_KERNEL_BEHIND_PACKED - kAlignment) / kElement)
    return nullptr;
  const size_t bytes = elements * kElement + OPC_KERNEL_BEHIND_PACKED;
  const size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
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
  known.emplace(tensor, Known{bytes, copy});
  return copy;
}

} // namespace opc

#include "runtime/core/launch/WorkspacePool.h"

#include <algorithm>
#include <cstdint>
#include <new>

namespace opc {

/// The size from which on no memory is asked for: 512 GiB, more than machines with this chip have.
static constexpr size_t kMostBytes = size_t(1) << 39;

WorkspacePool::WorkspacePool(const std::vector<int64_t> &bytes) : size(kAlignment) {
  for (int64_t own : bytes) {
    starts.push_back(size - kAlignment);
    const size_t padded = (size_t(own) + kAlignment - 1) / kAlignment * kAlignment;
    // No memory has half of all addresses.
    size = std::min(size + std::min(padded, size_t(PTRDIFF_MAX)), size_t(PTRDIFF_MAX));
  }
}

WorkspacePool::Lease::Lease(WorkspacePool &pool) : pool(pool) {
  {
    std::lock_guard lock(pool.mutex);
    if (!pool.free.empty()) {
      memory = std::move(pool.free.back());
      pool.free.pop_back();
    }
  }
  if (!memory && pool.size < kMostBytes)
    memory.reset(new (std::nothrow) char[pool.size]);
}

WorkspacePool::Lease::~Lease() {
  if (!memory)
    return;
  std::lock_guard lock(pool.mutex);
  pool.free.push_back(std::move(memory));
}

void WorkspacePool::Lease::appendTo(std::vector<void *> &tensors) const {
  const auto at = reinterpret_cast<uintptr_t>(memory.get());
  char *first = memory.get() + (kAlignment - at % kAlignment) % kAlignment;
  for (size_t start : pool.starts)
    tensors.push_back(first + start);
}

} // namespace opc

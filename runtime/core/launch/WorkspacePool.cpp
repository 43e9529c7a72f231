#include "runtime/core/launch/WorkspacePool.h"

#include <algorithm>

namespace opc {

/// The size from which on no memory is asked for: 512 GiB, more than machines with this chip have.
static constexpr size_t kMostBytes = size_t(1) << 39;

WorkspacePool::WorkspacePool(const std::vector<int64_t> &bytes, std::string op, std::shared_ptr<WorkspaceMemory> memory)
    : op(std::move(op)), bounded(std::move(memory)) {
  for (int64_t own : bytes) {
    starts.push_back(size);
    const size_t padded = (size_t(own) + kAlignment - 1) / kAlignment * kAlignment;
    // No memory has half of all addresses.
    size = std::min(size + std::min(padded, size_t(PTRDIFF_MAX)), size_t(PTRDIFF_MAX));
  }
}

WorkspacePool::Lease::Lease(WorkspacePool &pool, Diagnostics &diagnostics) : pool(pool) {
  if (pool.size == 0)
    return;
  const std::string who =
      "the workspace of '" + printable(pool.op) + "', which has " + std::to_string(pool.size) + " bytes";
  if (pool.bounded && pool.size < kMostBytes) {
    Diagnostics reported;
    memory = pool.bounded->allocate(pool.size, reported);
    for (Diagnostic record : reported.all()) {
      record.notes.push_back({{}, "for " + who});
      diagnostics.add(std::move(record));
    }
    return;
  }
  if (!pool.bounded) {
    std::lock_guard lock(pool.mutex);
    if (!pool.free.empty()) {
      memory = pool.free.back().release();
      pool.free.pop_back();
    }
  }
  if (!memory && pool.size < kMostBytes)
    memory = ::operator new(pool.size, std::align_val_t(kAlignment), std::nothrow);
  if (!memory)
    diagnostics.error(Code::E0527, {}, "no memory for " + who);
}

WorkspacePool::Lease::~Lease() {
  if (!memory)
    return;
  if (pool.bounded) {
    pool.bounded->release(memory);
    return;
  }
  std::lock_guard lock(pool.mutex);
  pool.free.emplace_back(memory);
}

void WorkspacePool::Lease::appendTo(std::vector<void *> &tensors) const {
  for (size_t start : pool.starts)
    tensors.push_back(memory ? static_cast<char *>(memory) + start : nullptr);
}

} // namespace opc

#include "runtime/core/operator/Operator.h"

#include <atomic>

namespace opc {

uint64_t Operator::nextId() {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

Operator::Operator(OpFolder folder, std::shared_ptr<Device> device)
    : folder(std::move(folder)), owner(std::move(device)), number(nextId()) {
}

std::shared_ptr<Operator> Operator::create(OpFolder folder, std::shared_ptr<Device> device) {
  return std::shared_ptr<Operator>(new Operator(std::move(folder), std::move(device)));
}

Kernel *Operator::load(const ManifestKernel &kernel, Diagnostics &diagnostics) {
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<Kernel> &loaded = kernels[&kernel];
  if (!loaded)
    loaded = owner->load(folder.path, folder.manifest, kernel, diagnostics);
  return loaded.get();
}

} // namespace opc

// Inputs in the form of a kernel (opc_kernel_library.h), shared by all launches that need the same bytes.
//
// What a form depends on is known to its entry alone, so copies are compared by their contents: layers that share a
// weight have it packed once, also if their kernels or their other sizes differ. A copy lives as long as a launch reads
// it.
//
// Copies lie in chunks of 32 MiB, one after another from page to page, so that the system gives memory in large pages:
// with a mapping for each copy the pages of small ones were most of what loading a model cost.

#ifndef OPC_RUNTIME_DEVICE_CPU_PACKEDCOPIES_H
#define OPC_RUNTIME_DEVICE_CPU_PACKEDCOPIES_H

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace opc {

using PackedCopy = std::shared_ptr<void>;

class PackedCopies {
public:
  /// Memory for an input of `elements`, and OPC_KERNEL_BEHIND_PACKED after it, all of it 0; null without memory. What
  /// is 16 KiB and more is mapped, on large pages where there are some, and given back with the copy. Thread-safe.
  PackedCopy create(size_t elements);
  /// `copy`, which was made from the tensor at `tensor` and is not written again, or an earlier one with the same
  /// contents. Thread-safe.
  PackedCopy shared(const void *tensor, PackedCopy copy, size_t elements);
  /// Copies that it knows, those that nobody reads any more included: at most twice as many as are read, and 64.
  size_t size();

private:
  class Chunk;
  struct Known {
    size_t bytes;
    std::weak_ptr<void> copy;
  };
  std::mutex mutex;
  /// By the address of the tensor. That only limits what is compared: memory may be another tensor's by now.
  std::unordered_multimap<const void *, Known> known;
  std::weak_ptr<Chunk> chunk; ///< the one that copies are put into
  size_t sweepFrom = 0;       ///< entries from which on the dead ones are removed
};

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_CPU_PACKEDCOPIES_H

// Inputs packed into the form of a kernel (opc_kernel_library.h), shared by all launches that need the same bytes.
//
// Only the entry that packs knows which arguments the form depends on, so copies are compared by their contents: layers
// that share a weight keep one packed copy, even if their kernels or other sizes differ. A copy lives as long as a
// launch reads it.
//
// Copies are in chunks of 32 MiB, one after another at page boundaries, so that the system can use large pages: with a
// mapping for each copy, page faults of small copies dominated the time of loading a model.

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
  /// Memory for an input of `elements`, and OPC_KERNEL_BEHIND_PACKED after it, all 0; null if there is no memory.
  /// Copies of 16 KiB and more are mapped, on large pages if available, and unmapped with the copy. Thread-safe.
  PackedCopy create(size_t elements);
  /// Returns an earlier copy with the same contents, or `copy`, which was made from the tensor at `tensor` and must not
  /// be written again. Thread-safe.
  PackedCopy shared(const void *tensor, PackedCopy copy, size_t elements);
  /// The number of registered copies, unused ones included: at most twice the number of used ones, plus 64.
  size_t size();

private:
  class Chunk;
  struct Known {
    size_t bytes;
    std::weak_ptr<void> copy;
  };
  std::mutex mutex;
  /// By the address of the tensor. This only limits the comparisons: the memory may belong to another tensor by now.
  std::unordered_multimap<const void *, Known> known;
  std::weak_ptr<Chunk> chunk; ///< the chunk for new copies
  size_t sweepFrom = 0;       ///< number of entries at which dead ones are removed
};

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_CPU_PACKEDCOPIES_H

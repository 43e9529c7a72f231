// Checks the rules of memory at each launch, for all tensors at once.
//
// launch_c10: each tensor with bytes has memory; launch_c11: it is aligned to its element; launch_c12: no output
// overlaps another tensor, except inputs that it overwrites. Facts of tensors that are known before the launch are
// stored in columns, so that the check is branch-free and handles as many tensors at a time as a vector has lanes.

#ifndef OPC_RUNTIME_CORE_TENSOR_MEMORYRULES_H
#define OPC_RUNTIME_CORE_TENSOR_MEMORYRULES_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace opc {

class MemoryRules {
public:
  /// Implementations of the check; all give the same results.
  enum class Form { Plain, Avx2 };
  static bool has(Form form);
  /// The widest form that this machine has.
  static Form best();

  explicit MemoryRules(Form form = best());
  /// Adds the next tensor, inputs first: its size in bytes and that of an element, a power of two.
  void add(int64_t bytes, int64_t elementBytes, bool output);

  /// Declares that an output begins where an input of the same size does, and that nothing else overlaps either.
  void overwrite(size_t input, size_t output);

  size_t numTensors() const { return sizes.size(); }
  size_t numInputs() const { return inputs; }
  int64_t bytes(size_t tensor) const { return sizes[tensor]; }
  int64_t elementBytes(size_t tensor) const { return int64_t(masks[tensor]) + 1; }
  bool aligned(size_t tensor, const void *memory) const {
    return (reinterpret_cast<uintptr_t>(memory) & masks[tensor]) == 0;
  }
  /// Whether the rules are known to hold for the addresses of inputs, then outputs. Conservative: returns false for
  /// addresses that it cannot compare (those in the upper half of the address space, such as tagged pointers).
  bool hold(void *const *tensors) const {
    return holds(*this, tensors) && (__builtin_expect(overwritten.empty(), true) || beginTogether(tensors));
  }
  /// Whether an output overwrites an input.
  bool overwrites(size_t input, size_t output) const;

private:
  static bool plain(const MemoryRules &rules, void *const *tensors);
  static bool withAvx2(const MemoryRules &rules, void *const *tensors);

  bool beginTogether(void *const *tensors) const;

  bool (*holds)(const MemoryRules &rules, void *const *tensors);
  size_t inputs = 0;
  std::vector<int64_t> sizes;
  // Padded to whole vectors with tensors that every address satisfies.
  std::vector<uint64_t> masks;                        ///< bits of an address that must be 0
  std::vector<uint64_t> needed;                       ///< all bits set where the tensor has bytes, else 0
  std::vector<uint64_t> reach;                        ///< bytes, or a large negative number where there are none
  std::vector<std::pair<size_t, size_t>> overwritten; ///< input and output
  uint64_t tooFar = 0;                                ///< highest bit: a tensor has too many bytes for the sums
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_TENSOR_MEMORYRULES_H

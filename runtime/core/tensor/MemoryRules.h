// The rules of a launch's memory, asked at each launch, for all tensors at once.
//
// launch_c10 each tensor with bytes has memory, launch_c11 it is aligned to its element, launch_c12 no output
// overlaps another tensor. What is known of a tensor before the launch stands in columns, so that a machine looks at
// as many tensors at a time as its vectors have lanes, without a branch.

#ifndef OPC_RUNTIME_CORE_TENSOR_MEMORYRULES_H
#define OPC_RUNTIME_CORE_TENSOR_MEMORYRULES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace opc {

class MemoryRules {
public:
  /// What a machine may have; each form gives the same answers.
  enum class Form { Plain, Avx2 };
  static bool has(Form form);
  /// The widest that this machine has.
  static Form best();

  explicit MemoryRules(Form form = best());
  /// The next tensor, inputs first: its bytes, and those of an element, a power of two.
  void add(int64_t bytes, int64_t elementBytes, bool output);

  size_t numTensors() const { return sizes.size(); }
  size_t numInputs() const { return inputs; }
  int64_t bytes(size_t tensor) const { return sizes[tensor]; }
  bool aligned(size_t tensor, const void *memory) const {
    return (reinterpret_cast<uintptr_t>(memory) & masks[tensor]) == 0;
  }
  /// Whether the rules hold for sure over the first elements of inputs, then outputs. What it cannot tell (addresses
  /// in the upper half, as tagged pointers have) it denies.
  bool hold(void *const *tensors) const { return holds(*this, tensors); }

private:
  static bool plain(const MemoryRules &rules, void *const *tensors);
  static bool withAvx2(const MemoryRules &rules, void *const *tensors);

  bool (*holds)(const MemoryRules &rules, void *const *tensors);
  size_t inputs = 0;
  std::vector<int64_t> sizes;
  // Filled up to whole vectors with tensors that no rule asks anything of.
  std::vector<uint64_t> masks;  ///< bits of an address that must be 0
  std::vector<uint64_t> needed; ///< all bits where the tensor has bytes, else none
  std::vector<uint64_t> reach;  ///< bytes, or far below 0 where there are none
  uint64_t tooFar = 0;          ///< highest bit: some tensor has more bytes than fit sums
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_TENSOR_MEMORYRULES_H

// A tensor in host memory: element type, shape, contiguous elements in row-major order. It owns its memory, 64-byte
// aligned, unless it was laid over memory of somebody else.
//
// Rank 0 has one element, a dimension of 0 makes none; both are ordinary tensors. DLPack.h describes
// one across the ABI.

#ifndef OPC_RUNTIME_CORE_TENSOR_TENSOR_H
#define OPC_RUNTIME_CORE_TENSOR_TENSOR_H

#include "runtime/target/ElementType.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace opc {

using Shape = std::vector<int64_t>;

/// Product of the dimensions, 1 for rank 0; nothing when a dimension is negative or the product, times `factor`, does
/// not fit 63 bits.
std::optional<int64_t> checkedElements(const Shape &shape, int64_t factor = 1);
/// "[2, 3]", "[]".
std::string shapeText(const Shape &shape);

/// What gives memory back that the tensor did not get itself.
struct MemoryRelease {
  void (*function)(void *context, void *memory) = nullptr; ///< null: nobody is told
  void *context = nullptr;
  void operator()(void *memory) const {
    if (function)
      function(context, memory);
  }
};

class Tensor {
public:
  Tensor() = default;
  /// Memory is not initialised. Nothing when the size overflows or the memory is not there.
  static std::optional<Tensor> create(ElementType type, Shape shape);
  /// A tensor over memory of somebody else, for which `release` is called at the end. `data` may be null when nobody
  /// reads elements: shape and type alone bind a launch. Nothing when the size overflows; nothing is released then.
  static std::optional<Tensor> over(ElementType type, Shape shape, void *data, MemoryRelease release = {});

  ElementType type() const { return elementType; }
  const Shape &shape() const { return dims; }
  int64_t numElements() const { return elements; }
  int64_t numBytes() const { return elements * int64_t(elementSize(elementType)); }
  void *data() { return memory.get(); }
  const void *data() const { return memory.get(); }

private:
  ElementType elementType = ElementType::Float32;
  Shape dims;
  int64_t elements = 0;
  std::unique_ptr<void, MemoryRelease> memory;
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_TENSOR_TENSOR_H

// A tensor in host memory: element type, shape, contiguous elements in row-major order, owned,
// 64-byte aligned.
//
// Rank 0 has one element, a dimension of 0 makes none; both are ordinary tensors. DLPack.h
// describes one across the ABI.

#ifndef OPC_RUNTIME_CORE_TENSOR_H
#define OPC_RUNTIME_CORE_TENSOR_H

#include "runtime/target/ElementType.h"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace opc {

using Shape = std::vector<int64_t>;

/// Product of the dimensions, 1 for rank 0; nothing when a dimension is negative or the product,
/// times `factor`, does not fit 63 bits.
std::optional<int64_t> checkedElements(const Shape &shape, int64_t factor = 1);
/// "[2, 3]", "[]".
std::string shapeText(const Shape &shape);

class Tensor {
public:
  Tensor() = default;
  /// Memory is not initialised. Nothing when the size overflows or the memory is not there.
  static std::optional<Tensor> create(ElementType type, Shape shape);

  ElementType type() const { return elementType; }
  const Shape &shape() const { return dims; }
  int64_t numElements() const { return elements; }
  int64_t numBytes() const { return elements * int64_t(elementSize(elementType)); }
  void *data() { return memory.get(); }
  const void *data() const { return memory.get(); }

private:
  struct Free {
    void operator()(void *pointer) const { std::free(pointer); }
  };
  ElementType elementType = ElementType::Float32;
  Shape dims;
  int64_t elements = 0;
  std::unique_ptr<void, Free> memory;
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_TENSOR_H

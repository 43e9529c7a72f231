// A tensor in host memory: element type, shape, contiguous elements in row-major order. It owns its memory, which is
// 64-byte aligned, or refers to memory of the caller.
//
// A matrix may instead be in columns of fractals, as the cube of the AI Core reads it (isPacked); its shape is that of
// the matrix. Matrices of a batch follow each other, each padded by itself.
//
// A tensor of rank 0 has one element, a tensor with a dimension of 0 has none. DLPack.h describes tensors across
// the ABI.

#ifndef OPC_RUNTIME_CORE_TENSOR_TENSOR_H
#define OPC_RUNTIME_CORE_TENSOR_TENSOR_H

#include "runtime/target/ElementType.h"
#include "runtime/target/PackedForm.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace opc {

using Shape = std::vector<int64_t>;

/// Product of the dimensions, 1 for rank 0; nullopt when a dimension is negative or the product times `factor` does
/// not fit 63 bits.
std::optional<int64_t> checkedElements(const Shape &shape, int64_t factor = 1);
/// The matrices that a form packs, with all dimensions before the last two: `shape` itself, or [filters, elements of
/// one]. nullopt for ranks below 2 and for sizes that do not fit 63 bits.
std::optional<Shape> packedMatrices(const Shape &shape, PackedForm form);
/// The bytes of a packed tensor, in columns of fractals of its matrices; a column has 32 bytes of every row, with rows
/// padded to a multiple of 16. nullopt for ranks below 2 and for sizes that do not fit 63 bits.
std::optional<int64_t> packedBytes(ElementType type, const Shape &shape, PackedForm form = PackedForm::Matrices);
/// "[2, 3]", "[]".
std::string shapeText(const Shape &shape);

/// The deleter of memory that the tensor did not allocate: a callback and its context.
struct MemoryRelease {
  void (*function)(void *context, void *memory) = nullptr; ///< null: no callback
  void *context = nullptr;
  void operator()(void *memory) const {
    if (function)
      function(context, memory);
  }
};

class Tensor {
public:
  Tensor() = default;
  /// Allocates a tensor; its memory is not initialised. Returns nullopt when the size overflows or memory is short.
  static std::optional<Tensor> create(ElementType type, Shape shape);
  /// A tensor that refers to memory of the caller; its destructor calls `release` unless `data` is null. `data` may
  /// be null when no elements are accessed: binding a launch needs only shape and type. Returns nullopt, without
  /// calling `release`, when the size overflows.
  static std::optional<Tensor> over(ElementType type, Shape shape, void *data, MemoryRelease release = {});

  /// A packed weight of the caller, with `packedBytes` of memory; with PackedForm::None as `over`. Returns nullopt,
  /// without calling `release`, for shapes of less than two dimensions.
  static std::optional<Tensor> overPacked(ElementType type, Shape shape, PackedForm form, void *data,
                                          MemoryRelease release = {});

  ElementType type() const { return elementType; }
  const Shape &shape() const { return dims; }
  int64_t numElements() const { return elements; }
  int64_t numBytes() const { return bytes; }
  /// Whether it is in columns of fractals, and not in row-major order.
  bool isPacked() const { return form != PackedForm::None; }
  PackedForm packedForm() const { return form; }
  void *data() { return memory.get(); }
  const void *data() const { return memory.get(); }

private:
  ElementType elementType = ElementType::Float32;
  Shape dims;
  int64_t elements = 0, bytes = 0;
  PackedForm form = PackedForm::None;
  std::unique_ptr<void, MemoryRelease> memory;
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_TENSOR_TENSOR_H

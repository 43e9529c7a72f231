#include "runtime/core/tensor/Tensor.h"

#include "runtime/target/Memories.h"

#include <algorithm>
#include <cstdlib>

namespace opc {

std::optional<int64_t> checkedElements(const Shape &shape, int64_t factor) {
  int64_t elements = 1;
  bool empty = false;
  for (int64_t size : shape) {
    if (size < 0)
      return std::nullopt;
    empty |= size == 0;
  }
  if (empty)
    return 0;
  for (int64_t size : shape)
    if (__builtin_mul_overflow(elements, size, &elements))
      return std::nullopt;
  int64_t product = 0;
  if (__builtin_mul_overflow(elements, factor, &product))
    return std::nullopt;
  return elements;
}

std::optional<Shape> packedMatrices(const Shape &shape, PackedForm form) {
  if (shape.size() < 2 || form != PackedForm::Filters)
    return shape.size() < 2 ? std::nullopt : std::optional(shape);
  const std::optional<int64_t> columns = checkedElements(Shape(shape.begin() + 1, shape.end()));
  return columns ? std::optional(Shape{shape.front(), *columns}) : std::nullopt;
}

std::optional<int64_t> packedBytes(ElementType type, const Shape &dims, PackedForm form) {
  constexpr int64_t most = INT64_MAX / 2;
  const std::optional<Shape> matrices = packedMatrices(dims, form);
  if (!matrices || std::any_of(matrices->begin(), matrices->end(), [](int64_t size) { return size < 0; }))
    return std::nullopt;
  const Shape &shape = *matrices;
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    return 0;
  const int64_t height = shape[shape.size() - 2], width = shape.back();
  if (height > most / 2 || width > most / 8)
    return std::nullopt;
  int64_t blocks = (height + kFractalRows - 1) / kFractalRows * kFractalRows;
  const int64_t columns = (width * int64_t(elementSize(type)) + kFractalRowBytes - 1) / kFractalRowBytes;
  bool fits = !__builtin_mul_overflow(blocks, columns, &blocks);
  for (size_t i = 0; i + 2 < shape.size(); ++i)
    fits &= !__builtin_mul_overflow(blocks, shape[i], &blocks);
  return fits && blocks <= most / kFractalRowBytes ? std::optional(blocks * kFractalRowBytes) : std::nullopt;
}

std::string shapeText(const Shape &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

/// Bytes that `create` allocates: whole lines of 64 bytes, at least one.
static size_t roomFor(int64_t bytes) {
  return (size_t(bytes) + 127) / 64 * 64;
}

std::optional<Tensor> Tensor::over(ElementType type, Shape shape, void *data, MemoryRelease release) {
  // Room for rounding the allocation up to whole lines of 64 bytes.
  std::optional<int64_t> elements = checkedElements(shape, int64_t(elementSize(type)) * 2);
  if (!elements)
    return std::nullopt;
  Tensor tensor;
  tensor.elementType = type;
  tensor.dims = std::move(shape);
  tensor.elements = *elements;
  tensor.bytes = *elements * int64_t(elementSize(type));
  tensor.memory = {data, release};
  return tensor;
}

std::optional<Tensor> Tensor::overPacked(ElementType type, Shape shape, PackedForm form, void *data,
                                         MemoryRelease release) {
  if (form == PackedForm::None)
    return over(type, std::move(shape), data, release);
  const std::optional<int64_t> bytes = packedBytes(type, shape, form);
  std::optional<Tensor> tensor = bytes ? over(type, std::move(shape), data, release) : std::nullopt;
  if (tensor) {
    tensor->form = form;
    tensor->bytes = *bytes;
  }
  return tensor;
}

std::optional<Tensor> Tensor::create(ElementType type, Shape shape) {
  std::optional<Tensor> tensor = over(type, std::move(shape), nullptr);
  if (!tensor)
    return std::nullopt;
  auto free = [](void *, void *memory) { std::free(memory); };
  tensor->memory = {std::aligned_alloc(64, roomFor(tensor->numBytes())), MemoryRelease{free, nullptr}};
  if (!tensor->memory)
    return std::nullopt;
  return tensor;
}

} // namespace opc

// Shapes and formats of the tensors of a launch.

#ifndef OPC_RUNTIME_ASCENDC_HOST_SHAPES_H
#define OPC_RUNTIME_ASCENDC_HOST_SHAPES_H

#include "runtime/ascendc/host/Graph.h"

#include <initializer_list>
#include <string>

namespace gert {

class Shape {
public:
  static constexpr size_t kMaxDimNum = 25;
  static constexpr int64_t kInvalidDimValue = INT64_MIN;

  Shape() = default;
  Shape(std::initializer_list<int64_t> values) {
    for (int64_t value : values)
      AppendDim(value);
  }
  bool operator==(const Shape &other) const {
    if (rank != other.rank)
      return false;
    for (size_t i = 0; i < rank; ++i)
      if (sizes[i] != other.sizes[i])
        return false;
    return true;
  }
  bool operator!=(const Shape &other) const { return !(*this == other); }
  /// The number of elements; 1 for a scalar.
  int64_t GetShapeSize() const {
    int64_t count = 1;
    for (size_t i = 0; i < rank; ++i)
      if (__builtin_mul_overflow(count, sizes[i], &count))
        return -1;
    return count;
  }
  bool IsScalar() const { return rank == 0; }
  void SetScalar() { rank = 0; }
  size_t GetDimNum() const { return rank; }
  void SetDimNum(size_t count) { rank = count < kMaxDimNum ? count : kMaxDimNum; }
  int64_t GetDim(size_t index) const { return index < kMaxDimNum ? sizes[index] : kInvalidDimValue; }
  int64_t operator[](size_t index) const { return GetDim(index); }
  int64_t &operator[](size_t index) { return sizes[index < kMaxDimNum ? index : kMaxDimNum]; }
  void SetDim(size_t index, int64_t value) { (*this)[index] = value; }
  Shape &AppendDim(int64_t value) {
    if (rank < kMaxDimNum)
      sizes[rank++] = value;
    return *this;
  }

private:
  size_t rank = 0;
  int64_t sizes[kMaxDimNum + 1] = {}; // one more, for writes past the end
};

inline std::string ToString(const Shape &shape) {
  std::string text;
  for (size_t i = 0; i < shape.GetDimNum(); ++i)
    text += (i ? "," : "") + std::to_string(shape.GetDim(i));
  return text;
}

/// The shape of a tensor in the framework and in memory: here both are the same.
class StorageShape {
public:
  StorageShape() = default;
  StorageShape(const Shape &origin, const Shape &storage) : origin(origin), storage(storage) {}
  const Shape &GetOriginShape() const { return origin; }
  const Shape &GetStorageShape() const { return storage; }
  Shape &MutableOriginShape() { return origin; }
  Shape &MutableStorageShape() { return storage; }
  bool operator==(const StorageShape &other) const { return origin == other.origin && storage == other.storage; }

private:
  Shape origin, storage;
};

class StorageFormat {
public:
  StorageFormat() = default;
  explicit StorageFormat(ge::Format format) : format(format) {}
  ge::Format GetOriginFormat() const { return format; }
  ge::Format GetStorageFormat() const { return format; }

private:
  ge::Format format = ge::FORMAT_ND;
};

} // namespace gert

#endif // OPC_RUNTIME_ASCENDC_HOST_SHAPES_H

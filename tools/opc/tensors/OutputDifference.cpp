#include "tools/opc/tensors/OutputDifference.h"

#include "runtime/target/Half.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace opc::tool {

namespace {
/// An element as a number and as its rank among the numbers of its type.
struct Element {
  double value = 0;
  double place = 0;
};
} // namespace

/// The rank of a float with these bits among the floats of its width; both zeros have rank 0.
static double placeOf(uint64_t bits, unsigned width) {
  const uint64_t sign = uint64_t(1) << (width - 1);
  return bits & sign ? -double(bits & (sign - 1)) : double(bits);
}

template <typename T> static T load(const void *data, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + size_t(index) * sizeof(T), sizeof(T));
  return value;
}

static Element integer(double value) {
  return {value, value};
}

static Element elementOf(const Tensor &tensor, int64_t i) {
  const void *data = tensor.data();
  switch (tensor.type()) {
  case ElementType::Float16: {
    const auto bits = load<uint16_t>(data, i);
    return {double(toFloat(Half{bits})), placeOf(bits, 16)};
  }
  case ElementType::BFloat16: {
    const auto bits = load<uint16_t>(data, i);
    return {double(toFloat(BFloat16{bits})), placeOf(bits, 16)};
  }
  case ElementType::Float32:
    return {double(load<float>(data, i)), placeOf(load<uint32_t>(data, i), 32)};
  case ElementType::Float64:
    return {load<double>(data, i), placeOf(load<uint64_t>(data, i), 64)};
  case ElementType::Int16:
    return integer(load<int16_t>(data, i));
  case ElementType::UInt16:
    return integer(load<uint16_t>(data, i));
  case ElementType::Int32:
    return integer(load<int32_t>(data, i));
  case ElementType::UInt32:
    return integer(load<uint32_t>(data, i));
  case ElementType::Int64:
    return integer(double(load<int64_t>(data, i)));
  case ElementType::UInt64:
    return integer(double(load<uint64_t>(data, i)));
  case ElementType::Int8:
    return integer(load<int8_t>(data, i));
  default:
    return integer(load<uint8_t>(data, i));
  }
}

OutputDifference compareOutputs(const std::string &name, const Tensor &a, const Tensor &b,
                                const AllowedDifference &allowed) {
  OutputDifference result;
  result.name = name;
  result.elements = a.numElements();
  const auto size = size_t(elementSize(a.type()));
  for (int64_t i = 0; i < result.elements; ++i) {
    if (std::memcmp(static_cast<const char *>(a.data()) + size_t(i) * size,
                    static_cast<const char *>(b.data()) + size_t(i) * size, size) == 0)
      continue;
    const Element left = elementOf(a, i), right = elementOf(b, i);
    const bool isNaN = std::isnan(left.value), isOther = std::isnan(right.value);
    if ((isNaN && isOther) || left.value == right.value)
      continue;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    // The difference of two infinities of one sign is NaN; they are equal and are handled before.
    const double distance = isNaN || isOther ? infinity : std::fabs(left.value - right.value);
    const double ulp = isNaN || isOther ? infinity : std::fabs(left.place - right.place);
    result.largest = std::max(result.largest, distance);
    result.largestUlp = std::max(result.largestUlp, ulp);
    if (ulp <= allowed.ulp || distance <= allowed.absolute)
      continue;
    if (result.differing++ == 0) {
      result.first = i;
      result.firstA = left.value;
      result.firstB = right.value;
    }
  }
  return result;
}

} // namespace opc::tool

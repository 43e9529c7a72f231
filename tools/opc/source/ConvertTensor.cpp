#include "tools/opc/source/ConvertTensor.h"

#include "runtime/target/Half.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace opc::tool {

namespace {
struct Truth {
  uint8_t byte;
};
} // namespace

/// Calls `use` with a null pointer to the C++ type of an element type.
template <typename Use> static void withType(ElementType type, Use use) {
  switch (type) {
  case ElementType::Float16:
    return use(static_cast<Half *>(nullptr));
  case ElementType::BFloat16:
    return use(static_cast<BFloat16 *>(nullptr));
  case ElementType::Float32:
    return use(static_cast<float *>(nullptr));
  case ElementType::Float64:
    return use(static_cast<double *>(nullptr));
  case ElementType::Int8:
    return use(static_cast<int8_t *>(nullptr));
  case ElementType::UInt8:
    return use(static_cast<uint8_t *>(nullptr));
  case ElementType::Int16:
    return use(static_cast<int16_t *>(nullptr));
  case ElementType::UInt16:
    return use(static_cast<uint16_t *>(nullptr));
  case ElementType::Int32:
    return use(static_cast<int32_t *>(nullptr));
  case ElementType::UInt32:
    return use(static_cast<uint32_t *>(nullptr));
  case ElementType::Int64:
    return use(static_cast<int64_t *>(nullptr));
  case ElementType::UInt64:
    return use(static_cast<uint64_t *>(nullptr));
  case ElementType::Bool:
    return use(static_cast<Truth *>(nullptr));
  }
}

// long double holds every 64-bit integer and every float on x86; elsewhere large integers are rounded.
template <typename T> static long double valueOf(const T &element) {
  if constexpr (std::is_same_v<T, Truth>)
    return element.byte ? 1 : 0;
  else if constexpr (std::is_arithmetic_v<T>)
    return static_cast<long double>(element);
  else
    return static_cast<long double>(toFloat(element));
}

template <typename T> static T elementOf(long double value) {
  if constexpr (std::is_same_v<T, Truth>) {
    return {uint8_t(value != 0)};
  } else if constexpr (std::is_integral_v<T>) {
    if (std::isnan(value))
      return 0;
    value = std::nearbyint(value);
    if (value <= static_cast<long double>(std::numeric_limits<T>::min()))
      return std::numeric_limits<T>::min();
    return value >= static_cast<long double>(std::numeric_limits<T>::max()) ? std::numeric_limits<T>::max() : T(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else if constexpr (std::is_same_v<T, Half>) {
    return toHalf(static_cast<float>(value));
  } else {
    return toBFloat16(static_cast<float>(value));
  }
}

std::optional<Tensor> convertTensor(const Tensor &tensor, ElementType type) {
  std::optional<Tensor> result = Tensor::create(type, tensor.shape());
  if (!result)
    return std::nullopt;
  const int64_t count = tensor.numElements();
  withType(tensor.type(), [&](auto *from) {
    withType(type, [&](auto *to) {
      using From = std::remove_pointer_t<decltype(from)>;
      using To = std::remove_pointer_t<decltype(to)>;
      const auto *source = static_cast<const From *>(tensor.data());
      auto *target = static_cast<To *>(result->data());
      for (int64_t i = 0; i < count; ++i)
        target[i] = elementOf<To>(valueOf(source[i]));
    });
  });
  return result;
}

} // namespace opc::tool

// Small functions of the base library of the newer operator libraries, and bounded functions of the C library, for
// host files.

#ifndef OPC_RUNTIME_ASCENDC_HOST_UTILITIES_H
#define OPC_RUNTIME_ASCENDC_HOST_UTILITIES_H

#include "runtime/ascendc/host/Contexts.h"
#include "runtime/ascendc/host/Messages.h"
#include "runtime/ascendc/host/Platform.h"

#include <type_traits>

namespace Ops::Base {

/// Quotients and multiples of whole numbers, rounded up or down; a divisor of 0 returns the number itself.
template <typename T, typename U> constexpr std::common_type_t<T, U> FloorDiv(T number, U divisor) {
  using R = std::common_type_t<T, U>;
  return divisor == 0 ? R(number) : R(number) / R(divisor);
}
template <typename T, typename U> constexpr std::common_type_t<T, U> CeilDiv(T number, U divisor) {
  using R = std::common_type_t<T, U>;
  return divisor == 0 ? R(number) : R(number) / R(divisor) + R(R(number) % R(divisor) != 0);
}
template <typename T, typename U> constexpr std::common_type_t<T, U> FloorAlign(T number, U unit) {
  return unit == 0 ? std::common_type_t<T, U>(number) : FloorDiv(number, unit) * unit;
}
template <typename T, typename U> constexpr std::common_type_t<T, U> CeilAlign(T number, U unit) {
  return unit == 0 ? std::common_type_t<T, U>(number) : CeilDiv(number, unit) * unit;
}

/// The unit of addresses in UB, in bytes.
template <typename Context> uint32_t GetUbBlockSize(const Context *) {
  return 32;
}

} // namespace Ops::Base

// Each library has its own names for the same functions.
namespace Ops::Math::OpTiling {
using namespace Ops::Base;
/// The shape of a tensor for kernels: a scalar has one element.
inline gert::Shape EnsureNotScalar(const gert::Shape &shape) {
  return shape.IsScalar() ? gert::Shape{1} : shape;
}
} // namespace Ops::Math::OpTiling
namespace Ops::NN::OpTiling {
using namespace Ops::Math::OpTiling;
}
namespace Ops::NN::Optiling {
using namespace Ops::Math::OpTiling;
}
namespace Ops::Cv::OpTiling {
using namespace Ops::Math::OpTiling;
}
namespace Ops::Transformer::OpTiling {
using namespace Ops::Math::OpTiling;
}

using errno_t = int;
#ifndef EOK
#define EOK 0
#endif

/// Like memset and memcpy; refuses to write past the end of `target`.
inline errno_t memset_s(void *target, size_t capacity, int value, size_t count) {
  if (!target || count > capacity)
    return 34; // ERANGE
  std::memset(target, value, count);
  return EOK;
}
inline errno_t memcpy_s(void *target, size_t capacity, const void *from, size_t count) {
  if (!target || (!from && count != 0) || count > capacity)
    return 34;
  if (count != 0)
    std::memcpy(target, from, count);
  return EOK;
}

#endif // OPC_RUNTIME_ASCENDC_HOST_UTILITIES_H

#include "tools/opc/model/reference/ValueDifference.h"

#include "runtime/target/Half.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>
#include <vector>

namespace opc::tool {

double boundOf(ElementType type) {
  switch (type) {
  case ElementType::Float32:
  case ElementType::Float64:
    return 1e-4;
  case ElementType::Float16:
    return 1e-2;
  case ElementType::BFloat16:
    return 8e-2;
  default:
    return 0;
  }
}

template <typename T> static T load(const void *data, int64_t i) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + static_cast<size_t>(i) * sizeof(T), sizeof(T));
  return value;
}

/// An element as a number.
static double numberAt(ElementType type, const void *data, int64_t i) {
  switch (type) {
  case ElementType::Float16:
    return toFloat(load<Half>(data, i));
  case ElementType::BFloat16: {
    uint32_t bits = uint32_t(load<uint16_t>(data, i)) << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  case ElementType::Float32:
    return load<float>(data, i);
  case ElementType::Float64:
    return load<double>(data, i);
  case ElementType::Int8:
    return load<int8_t>(data, i);
  case ElementType::UInt8:
  case ElementType::Bool:
    return load<uint8_t>(data, i);
  case ElementType::Int16:
    return load<int16_t>(data, i);
  case ElementType::UInt16:
    return load<uint16_t>(data, i);
  case ElementType::Int32:
    return load<int32_t>(data, i);
  case ElementType::UInt32:
    return load<uint32_t>(data, i);
  case ElementType::Int64:
    return static_cast<double>(load<int64_t>(data, i));
  case ElementType::UInt64:
    return static_cast<double>(load<uint64_t>(data, i));
  }
  return 0;
}

/// The threshold for large magnitudes, a thousand times the median of elements that are not 0: numbers such as the -1e9
/// of attention masks would hide all other differences in a root mean square.
static double largeFrom(ElementType type, const Tensor &reference) {
  std::vector<double> magnitudes;
  for (int64_t i = 0; i < reference.numElements(); ++i)
    if (double magnitude = std::fabs(numberAt(type, reference.data(), i)); magnitude > 0 && std::isfinite(magnitude))
      magnitudes.push_back(magnitude);
  if (magnitudes.empty())
    return INFINITY;
  auto middle = magnitudes.begin() + ptrdiff_t(magnitudes.size() / 2);
  std::nth_element(magnitudes.begin(), middle, magnitudes.end());
  return 1e3 * *middle;
}

ValueDifference compareValue(ElementType type, const Shape &shape, const void *data, const Tensor &reference,
                             double ofReference) {
  ValueDifference result;
  result.bound = boundOf(type);
  if (type != reference.type() || shape != reference.shape()) {
    result.sameForm = false;
    return result;
  }
  const int64_t count = reference.numElements();
  if (result.bound == 0) {
    // Integers are compared by their bits: two may be one number of float64.
    const size_t size = elementSize(type);
    for (int64_t i = 0; i < count; ++i) {
      const size_t at = static_cast<size_t>(i) * size;
      if (std::memcmp(static_cast<const char *>(data) + at, static_cast<const char *>(reference.data()) + at, size) ==
          0)
        continue;
      const double found = numberAt(type, data, i), expected = numberAt(type, reference.data(), i);
      const double units = std::max(1.0, std::fabs(found - expected));
      if (units > result.units) {
        result.units = units;
        result.relative = INFINITY;
        result.found = found;
        result.expected = expected;
        result.at = i;
      }
    }
    return result;
  }
  const double large = largeFrom(type, reference);
  double squares = 0, largest = 0;
  int64_t finite = 0;
  std::tuple<double, double, int64_t> ofLarge;
  for (int64_t i = 0; i < count; ++i) {
    double found = numberAt(type, data, i), expected = numberAt(type, reference.data(), i);
    if (!std::isfinite(expected) || !std::isfinite(found)) {
      bool same = std::isnan(expected) ? std::isnan(found) : found == expected;
      if (!same && result.sameEnds) {
        result.sameEnds = false;
        result.at = i;
        result.found = found;
        result.expected = expected;
      }
      continue;
    }
    // In units of the root mean square, or of a large element itself.
    double difference = std::max(0.0, std::fabs(found - expected) - ofReference);
    if (std::fabs(expected) > large) {
      difference /= std::fabs(expected);
      if (difference > result.relative) {
        result.relative = difference;
        ofLarge = {found, expected, i};
      }
      continue;
    }
    squares += expected * expected;
    ++finite;
    if (difference > largest) {
      largest = difference;
      if (result.sameEnds) {
        result.at = i;
        result.found = found;
        result.expected = expected;
      }
    }
  }
  double rms = finite > 0 ? std::sqrt(squares / static_cast<double>(finite)) : 0;
  const double ofOthers = largest == 0 ? 0 : rms == 0 ? INFINITY : largest / rms;
  if (result.relative > ofOthers && result.sameEnds)
    std::tie(result.found, result.expected, result.at) = ofLarge;
  result.relative = std::max(result.relative, ofOthers);
  return result;
}

bool isSettled(const ValueDifference &difference, const ValueDifference &moves) {
  if (difference.holds() || !difference.sameForm || !difference.sameEnds)
    return difference.holds();
  return difference.units != 0 ? difference.units <= kUnitsAllowed * moves.units
                               : difference.relative <= kMovesAllowed * moves.relative;
}

} // namespace opc::tool

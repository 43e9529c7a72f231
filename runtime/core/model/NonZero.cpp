#include "runtime/core/model/NonZero.h"

#include <algorithm>
#include <cstring>

namespace opc {

NonZero::NonZero(const PlanStep &step, const std::vector<PlanValue> &values)
    : type(values[static_cast<size_t>(step.operands[0])].type),
      shape(values[static_cast<size_t>(step.operands[0])].shape), place(shape.size()),
      room(values[step.results[0]].shape[0]) {
  // Sizes beside a 0 may be arbitrary.
  const bool isEmpty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  for (int64_t size : shape)
    elements = isEmpty ? 0 : elements * size;
}

template <typename T, typename IsZero> int64_t NonZero::find(const void *data, IsZero isZero, int64_t *rows) {
  std::fill(place.begin(), place.end(), 0);
  int64_t count = 0;
  for (int64_t i = 0; i < elements && count < room; ++i) {
    T value;
    std::memcpy(&value, static_cast<const char *>(data) + static_cast<size_t>(i) * sizeof value, sizeof value);
    if (!isZero(value))
      std::copy(place.begin(), place.end(), rows + count++ * static_cast<int64_t>(place.size()));
    for (size_t d = place.size(); d-- != 0 && ++place[d] == shape[d];)
      place[d] = 0;
  }
  return count;
}

void NonZero::run(void *const *tensors) {
  auto *rows = static_cast<int64_t *>(tensors[1]);
  // Both zeros have only a sign.
  auto isZero = [](auto value) { return value == 0; };
  auto isZeroOfHalf = [](uint16_t bits) { return (bits & 0x7fff) == 0; };
  int64_t count = 0;
  switch (type) {
  case ElementType::Float16:
  case ElementType::BFloat16:
    count = find<uint16_t>(tensors[0], isZeroOfHalf, rows);
    break;
  case ElementType::Float32:
    count = find<float>(tensors[0], isZero, rows);
    break;
  case ElementType::Float64:
    count = find<double>(tensors[0], isZero, rows);
    break;
  default:
    switch (elementSize(type)) {
    case 1:
      count = find<uint8_t>(tensors[0], isZero, rows);
      break;
    case 2:
      count = find<uint16_t>(tensors[0], isZero, rows);
      break;
    case 4:
      count = find<uint32_t>(tensors[0], isZero, rows);
      break;
    default:
      count = find<uint64_t>(tensors[0], isZero, rows);
      break;
    }
  }
  const auto numbers = static_cast<int64_t>(place.size());
  std::fill(rows + count * numbers, rows + room * numbers, 0);
  *static_cast<int64_t *>(tensors[2]) = count;
}

} // namespace opc

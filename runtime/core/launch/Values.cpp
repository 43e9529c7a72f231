// Checks values of inputs: indices out of range.

#include "runtime/core/launch/Launch.h"

#include <cstdint>

namespace opc {

/// The first element out of its bounds; the number of elements if there is none. `least` is 0 or -`size`, so one
/// unsigned comparison checks both sides.
template <typename Integer> static int64_t findOutside(const void *memory, int64_t count, int64_t least, int64_t size) {
  const auto *elements = static_cast<const Integer *>(memory);
  const auto from = static_cast<uint64_t>(least), span = static_cast<uint64_t>(size) - from;
  constexpr int64_t kStretch = 4096; // without a branch in each element
  for (int64_t begin = 0; begin < count; begin += kStretch) {
    const int64_t end = begin + kStretch < count ? begin + kStretch : count;
    bool any = false;
    for (int64_t i = begin; i < end; ++i)
      any |= static_cast<uint64_t>(static_cast<int64_t>(elements[i])) - from >= span;
    for (int64_t i = begin; any && i < end; ++i)
      if (static_cast<uint64_t>(static_cast<int64_t>(elements[i])) - from >= span)
        return i;
  }
  return count;
}

/// "[3, 1]": the indices of an element.
static std::string placeText(const Shape &shape, int64_t element) {
  std::string text;
  for (size_t i = shape.size(); i-- > 0; element /= shape[i])
    text = std::to_string(element % shape[i]) + (text.empty() ? "" : ", ") + text;
  return "[" + text + "]";
}

bool checkValues(const Manifest &manifest, const std::vector<ValueBounds> &bounds, const void *const *tensors,
                 Diagnostics &diagnostics) {
  for (const ValueBounds &bound : bounds) {
    int64_t count = 1;
    for (int64_t size : bound.shape)
      count *= size;
    const void *memory = tensors[bound.input];
    const bool isLong = bound.type == ElementType::Int64;
    const int64_t found = isLong ? findOutside<int64_t>(memory, count, bound.least, bound.size)
                                 : findOutside<int32_t>(memory, count, bound.least, bound.size);
    if (found == count)
      continue;
    const int64_t value =
        isLong ? static_cast<const int64_t *>(memory)[found] : int64_t(static_cast<const int32_t *>(memory)[found]);
    const ManifestTensor &input = manifest.inputs[bound.input];
    const std::string along = input.values ? "'" + printable(input.values->along) + "'" : "a dimension";
    diagnostics.error(
        Code::E0536, {},
        "'" + printable(manifest.opType) + "' expects places along " + along + " in '" + printable(input.name) +
            "', from " + std::to_string(bound.least) + " to " + std::to_string(bound.size - 1) + ": found " +
            std::to_string(value) + " at " + placeText(bound.shape, found),
        "launch_c20", "the contract says 'outside: refused'; without it such a value counts as the nearest place");
    return false;
  }
  return true;
}

} // namespace opc

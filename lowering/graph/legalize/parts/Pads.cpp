// Pad as borders that are joined, or as slices that repeat.

#include "lowering/graph/legalize/parts/Decomposer.h"

#include <algorithm>

using namespace mlir;
using namespace opc;
using namespace opc::graph;

bool Decomposer::pad() {
  RankedTensorType type = typeOf(0);
  std::optional<Shape> pads = list("pads", 1), axes = list("", 3);
  auto mode = dyn_cast_or_null<StringAttr>(parameter("mode"));
  if (mode && mode.getValue() != "constant")
    return padByPlaces(mode.getValue());
  if (!type || !pads || (has(3) && !axes))
    return false;
  double number = 0;
  if (auto given = dyn_cast_or_null<FloatAttr>(parameter("value"))) {
    number = given.getValueAsDouble();
  } else if (has(2)) {
    auto dense = dyn_cast_or_null<DenseElementsAttr>(constantOf(node.getOperand(2)));
    if (!dense || dense.getNumElements() != 1 || dense.getElementType() != type.getElementType())
      return false;
    if (auto real = dyn_cast<FloatType>(type.getElementType()))
      number = dense.getSplatValue<APFloat>().convertToDouble();
    else
      number = static_cast<double>(dense.getSplatValue<APInt>().getSExtValue());
  }
  if (!axes) {
    axes.emplace();
    for (int64_t i = 0; i < type.getRank(); ++i)
      axes->push_back(i);
  }
  const size_t half = axes->size();
  if (pads->size() != 2 * half)
    return false;
  Shape shape(type.getShape());
  // All is looked at before anything is written.
  for (size_t i = 0; i < half; ++i) {
    std::optional<size_t> axis = place((*axes)[i], type.getRank());
    auto isTooFar = [](int64_t width) { return width < -kMostWritten || width > kMostWritten; };
    if (!axis || isTooFar((*pads)[i]) || isTooFar((*pads)[half + i]))
      return false;
    (*axes)[i] = static_cast<int64_t>(*axis);
    // Negative numbers take slices away, which have to be there.
    if (shape[*axis] + std::min<int64_t>((*pads)[i], 0) + std::min<int64_t>((*pads)[half + i], 0) < 0)
      return false;
    shape[*axis] += (*pads)[i] + (*pads)[half + i];
    if (!elementsOf(shape, kMostWritten))
      return false;
  }
  Value from = node.getOperand(0);
  shape = Shape(type.getShape());
  for (size_t i = 0; i < half; ++i) {
    const auto axis = static_cast<size_t>((*axes)[i]);
    auto border = [&](int64_t width) {
      Shape own = shape;
      own[axis] = width;
      return splat(own, type.getElementType(), number);
    };
    const int64_t before = (*pads)[i], behind = (*pads)[half + i];
    if (before < 0 || behind < 0) {
      const int64_t first = std::max<int64_t>(-before, 0), end = shape[axis] - std::max<int64_t>(-behind, 0);
      from = sliced(from, first, end, axis);
      shape[axis] = end - first;
    }
    if (before > 0)
      from = joined({border(before), from}, axis);
    if (behind > 0)
      from = joined({from, border(behind)}, axis);
    shape[axis] += std::max<int64_t>(before, 0) + std::max<int64_t>(behind, 0);
  }
  finish(0, from);
  return true;
}

// Along each axis the slices that the border repeats, and those that are left of the operand.
bool Decomposer::padByPlaces(StringRef mode) {
  RankedTensorType type = typeOf(0);
  std::optional<Shape> pads = list("pads", 1), axes = list("", 3);
  if (!type || !pads || (has(3) && !axes) || (mode != "edge" && mode != "reflect" && mode != "wrap"))
    return false;
  if (!axes) {
    axes.emplace();
    for (int64_t i = 0; i < type.getRank(); ++i)
      axes->push_back(i);
  }
  const size_t half = axes->size();
  if (pads->size() != 2 * half)
    return false;
  SmallVector<std::pair<size_t, Shape>> placesOf;
  int64_t written = 0; // places of all axes, each of which may be far
  for (size_t i = 0; i < half; ++i) {
    std::optional<size_t> axis = place((*axes)[i], type.getRank());
    const int64_t before = (*pads)[i], behind = (*pads)[half + i];
    const int64_t whole = axis ? type.getDimSize(static_cast<unsigned>(*axis)) : 0;
    auto isTooFar = [](int64_t pad) { return pad < -kMostWritten || pad > kMostWritten; };
    if (whole < 1 || whole > kMostWritten || isTooFar(before) || isTooFar(behind))
      return false;
    // Negative numbers take slices away, and the border repeats what is left.
    const int64_t first = std::max<int64_t>(-before, 0), size = whole - first - std::max<int64_t>(-behind, 0);
    if (size < 1)
      return false;
    if (before == 0 && behind == 0)
      continue;
    written += size + std::max<int64_t>(before, 0) + std::max<int64_t>(behind, 0);
    if (written > kMostWritten)
      return false;
    Shape places;
    const int64_t period = mode == "wrap" ? size : std::max<int64_t>(2 * (size - 1), 1);
    for (int64_t at = -std::max<int64_t>(before, 0); at < size + std::max<int64_t>(behind, 0); ++at) {
      int64_t turn = ((at % period) + period) % period;
      turn = mode == "reflect" && turn >= size ? period - turn : turn;
      places.push_back(first + (mode == "edge" ? std::clamp<int64_t>(at, 0, size - 1) : turn));
    }
    placesOf.emplace_back(*axis, std::move(places));
  }
  Value from = node.getOperand(0);
  for (const auto &[axis, places] : placesOf)
    from = gathered(from, places, axis);
  finish(0, from);
  return true;
}

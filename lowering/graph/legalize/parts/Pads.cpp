// Rewrites Pad as joined borders, or as repeated slices.

#include "lowering/graph/legalize/parts/Decomposer.h"

#include <algorithm>

using namespace mlir;
using namespace opc;
using namespace opc::graph;

std::optional<SmallVector<Decomposer::Border>> Decomposer::borders(RankedTensorType type) {
  std::optional<Shape> pads = list("pads", 1), axes = type ? this->axes("", 3, type.getRank()) : std::nullopt;
  if (!pads || !axes || pads->size() != 2 * axes->size())
    return std::nullopt;
  SmallVector<Border> borders;
  for (size_t i = 0; i < axes->size(); ++i) {
    std::optional<size_t> axis = place((*axes)[i], type.getRank());
    const int64_t before = (*pads)[i], behind = (*pads)[axes->size() + i];
    auto isTooFar = [](int64_t width) { return width < -kMostWritten || width > kMostWritten; };
    if (!axis || isTooFar(before) || isTooFar(behind))
      return std::nullopt;
    borders.push_back({*axis, before, behind});
  }
  return borders;
}

/// The value of the border of a Pad: an attribute, a constant of one element or 0; null if it is not known.
Attribute Decomposer::fillOf(Type element) {
  if (auto given = dyn_cast_or_null<FloatAttr>(parameter("value")))
    return isa<FloatType>(element) ? FloatAttr::get(element, given.getValueAsDouble()) : Attribute();
  if (!has(2))
    return isa<FloatType, IntegerType>(element) ? builder.getZeroAttr(element) : Attribute();
  auto dense = dyn_cast_or_null<DenseElementsAttr>(constantOf(node.getOperand(2)));
  const bool isOne = dense && dense.getNumElements() == 1 && dense.getElementType() == element;
  return isOne ? dense.getSplatValue<Attribute>() : Attribute();
}

bool Decomposer::pad() {
  auto mode = dyn_cast_or_null<StringAttr>(parameter("mode"));
  if (mode && mode.getValue() != "constant")
    return padByPlaces(mode.getValue());
  RankedTensorType type = typeOf(0);
  const std::optional<SmallVector<Border>> all = type ? borders(type) : std::nullopt;
  const Attribute fill = all ? fillOf(type.getElementType()) : Attribute();
  // A number that is computed while the model runs is repeated over each border.
  RankedTensorType number = typeOf(2);
  if (!all || (!fill && !(number && number.getNumElements() == 1 && number.getElementType() == type.getElementType())))
    return false;
  // The form of a contract has the number as an operand.
  const bool isOfPlanes = type.getRank() == 4 && llvm::all_of(*all, [](const Border &border) {
                            const bool isNone = border.before == 0 && border.behind == 0;
                            return isNone || (border.axis >= 2 && border.before >= 0 && border.behind >= 0);
                          });
  if (isOfPlanes && fill && !has(2)) {
    Shape pads(8, 0);
    for (const Border &border : *all) {
      pads[border.axis] = border.before;
      pads[4 + border.axis] = border.behind;
    }
    const auto number = DenseElementsAttr::get(RankedTensorType::get({}, type.getElementType()), fill);
    finish(0, value("Pad", {node.getOperand(0), wholes(pads), constant(number)}));
    return true;
  }
  Shape shape(type.getShape());
  // All borders are checked before anything is written.
  for (auto [axis, before, behind] : *all) {
    // Negative numbers remove slices, which must exist.
    if (shape[axis] + std::min<int64_t>(before, 0) + std::min<int64_t>(behind, 0) < 0)
      return false;
    shape[axis] += before + behind;
    if (!elementsOf(shape, kMostWritten))
      return false;
  }
  Value from = node.getOperand(0);
  shape = Shape(type.getShape());
  for (const Border &border : *all) {
    const size_t axis = border.axis;
    auto filled = [&](int64_t width) {
      Shape own = shape;
      own[axis] = width;
      if (!fill)
        return value("Expand", {reshaped(node.getOperand(2), {}), wholes(own)});
      return constant(DenseElementsAttr::get(RankedTensorType::get(own, type.getElementType()), fill));
    };
    const int64_t before = border.before, behind = border.behind;
    if (before < 0 || behind < 0) {
      const int64_t first = std::max<int64_t>(-before, 0), end = shape[axis] - std::max<int64_t>(-behind, 0);
      from = sliced(from, first, end, axis);
      shape[axis] = end - first;
    }
    if (before > 0)
      from = joined({filled(before), from}, axis);
    if (behind > 0)
      from = joined({from, filled(behind)}, axis);
    shape[axis] += std::max<int64_t>(before, 0) + std::max<int64_t>(behind, 0);
  }
  finish(0, from);
  return true;
}

// Along each axis the slices that the border repeats, and the remaining slices of the operand.
bool Decomposer::padByPlaces(StringRef mode) {
  RankedTensorType type = typeOf(0);
  const std::optional<SmallVector<Border>> all = borders(type);
  if (!all || (mode != "edge" && mode != "reflect" && mode != "wrap"))
    return false;
  SmallVector<std::pair<size_t, Shape>> placesOf;
  int64_t written = 0; // indices of all axes, each of which may be long
  for (auto [axis, before, behind] : *all) {
    const int64_t whole = type.getDimSize(static_cast<unsigned>(axis));
    if (whole < 1 || whole > kMostWritten)
      return false;
    // Negative numbers remove slices, and the border repeats the remaining ones.
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
    placesOf.emplace_back(axis, std::move(places));
  }
  Value from = node.getOperand(0);
  for (const auto &[axis, places] : placesOf)
    from = gathered(from, places, axis);
  finish(0, from);
  return true;
}

/// The middle of an axis that is too long, between zeros where one is too short.
bool Decomposer::centerCropPad() {
  RankedTensorType type = typeOf(0);
  std::optional<Shape> wanted = list("", 1);
  auto given = dyn_cast_or_null<DenseI64ArrayAttr>(parameter("axes"));
  if (!type || !wanted || (parameter("axes") && !given))
    return false;
  const Shape axes = given ? Shape(given.asArrayRef()) : Shape(llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
  if (axes.size() != wanted->size())
    return false;
  Shape before(static_cast<size_t>(type.getRank()), 0), behind = before, starts = before, ends(type.getShape());
  SmallVector<bool> isCut(before.size(), false);
  for (auto [each, size] : llvm::zip(axes, *wanted)) {
    std::optional<size_t> axis = place(each, type.getRank());
    if (!axis || isCut[*axis] || size < 1 || size > kMostWritten)
      return false;
    isCut[*axis] = true;
    const int64_t own = type.getShape()[*axis];
    starts[*axis] = std::max<int64_t>(own - size, 0) / 2;
    ends[*axis] = starts[*axis] + std::min(own, size);
    before[*axis] = std::max<int64_t>(size - own, 0) / 2;
    behind[*axis] = std::max<int64_t>(size - own, 0) - before[*axis];
  }
  Value made = value("Slice", {node.getOperand(0), wholes(starts), wholes(ends)});
  llvm::append_range(before, behind);
  if (llvm::any_of(before, [](int64_t pad) { return pad != 0; }))
    made = value("Pad", {made, wholes(before)});
  finish(0, made);
  return true;
}

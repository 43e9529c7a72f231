// Rewrites Concat, Slice, Split, Expand, Gather and Tile as simpler nodes.

#include "lowering/graph/legalize/parts/Decomposer.h"

#include <algorithm>

using namespace mlir;
using namespace opc;
using namespace opc::graph;

bool Decomposer::concat() {
  RankedTensorType first = typeOf(0);
  std::optional<size_t> axis = first ? place(integer("axis", 0), first.getRank()) : std::nullopt;
  // A contract joins up to kMaxCount operands.
  if (!axis || (node.getNumOperands() > 1 && node.getNumOperands() <= kMaxCount))
    return false;
  const NamedAttribute along = named("axis", static_cast<int64_t>(*axis));
  finish(0, joined(inGroups("Concat", along), *axis));
  return true;
}

/// A slice of no elements: a constant, for any operand.
bool Decomposer::nothing(RankedTensorType type, ArrayRef<Range> ranges) {
  Shape shape(type.getShape());
  for (const Range &range : ranges) {
    const int64_t length = range.step > 0 ? range.end - range.start : range.start - range.end,
                  step = range.step > 0               ? range.step
                         : range.step < -kMostWritten ? kMostWritten
                                                      : -range.step;
    shape[range.axis] = length <= 0 ? 0 : (length - 1) / step + 1;
  }
  if (!isa<FloatType, IntegerType>(type.getElementType()))
    return false;
  finish(0, splat(shape, type.getElementType(), 0));
  return true;
}

bool Decomposer::slice() {
  RankedTensorType type = typeOf(0);
  std::optional<Shape> starts = list("starts", 1), ends = list("ends", 2), steps = list("", 4);
  if (!type || !starts || !ends || starts->size() != ends->size() || (has(4) && !steps))
    return false;
  const std::optional<Shape> axes = this->axes("axes", 3, static_cast<int64_t>(starts->size()));
  if (!steps)
    steps = Shape(starts->size(), 1);
  if (!axes || axes->size() != starts->size() || steps->size() != starts->size())
    return false;
  SmallVector<Range> ranges;
  bool isPlain = starts->size() == 1 && has(3), isEmpty = false;
  for (size_t i = 0; i < starts->size(); ++i) {
    std::optional<size_t> axis = place((*axes)[i], type.getRank());
    if (!axis || (*steps)[i] == 0 || (*steps)[i] == INT64_MIN)
      return false;
    const int64_t size = type.getDimSize(static_cast<unsigned>(*axis));
    if ((*steps)[i] < 0) {
      // From the start backwards to the end, which may be before the first index.
      auto back = [&](int64_t at) {
        return std::clamp<int64_t>(at < 0 ? (at < -size ? -1 : at + size) : at, -1, size - 1);
      };
      const Range range = {*axis, back((*starts)[i]), back((*ends)[i]), (*steps)[i]};
      if (range.start - range.end > kMostWritten)
        return false;
      isPlain = false;
      isEmpty |= range.start <= range.end;
      ranges.push_back(range);
      continue;
    }
    auto clamp = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? (at < -size ? 0 : at + size) : at, 0, size); };
    const Range range = {*axis, clamp((*starts)[i]), clamp((*ends)[i]), (*steps)[i]};
    isPlain &= range.start == (*starts)[i] && range.end == (*ends)[i] && range.step == 1;
    isEmpty |= range.end <= range.start;
    if (range.start != 0 || range.end != size || range.step != 1)
      ranges.push_back(range);
  }
  if (isEmpty)
    return nothing(type, ranges);
  if (isPlain && !ranges.empty())
    return false;
  Value from = node.getOperand(0);
  Shape shape(type.getShape());
  for (const Range &range : ranges) {
    if (range.step < 0) {
      Shape places;
      for (int64_t at = range.start; at > range.end; at += std::max(range.step, -type.getDimSize(unsigned(range.axis))))
        places.push_back(at);
      from = gathered(from, places, range.axis);
      shape[range.axis] = static_cast<int64_t>(places.size());
      continue;
    }
    const int64_t size = shape[range.axis], count = (range.end - range.start - 1) / range.step + 1;
    if (range.step == 1) {
      from = sliced(from, range.start, range.end, range.axis);
    } else {
      // The step becomes a separate dimension; the last index may have no whole step after it.
      const int64_t whole = range.start + count * range.step <= size ? count : count - 1;
      SmallVector<Value> parts;
      if (whole > 0) {
        Value run = from;
        if (range.start != 0 || whole * range.step != size)
          run = sliced(from, range.start, range.start + whole * range.step, range.axis);
        Shape apart = shape, together = shape;
        apart[range.axis] = whole;
        apart.insert(apart.begin() + static_cast<std::ptrdiff_t>(range.axis) + 1, range.step);
        together[range.axis] = whole;
        run = sliced(reshaped(run, apart), 0, 1, range.axis + 1);
        parts.push_back(reshaped(run, together));
      }
      if (whole != count) {
        const int64_t last = range.start + whole * range.step;
        parts.push_back(sliced(from, last, last + 1, range.axis));
      }
      from = joined(parts, range.axis);
    }
    shape[range.axis] = count;
  }
  finish(0, from);
  return true;
}

bool Decomposer::split() {
  RankedTensorType type = typeOf(0);
  std::optional<size_t> axis = type ? place(integer("axis", 0), type.getRank()) : std::nullopt;
  std::optional<Shape> sizes =
      axis ? splitSizes(type.getDimSize(static_cast<unsigned>(*axis))) : std::optional<Shape>();
  if (!sizes)
    return false;
  int64_t start = 0;
  for (unsigned i = 0; i < node.getNumResults(); ++i) {
    finish(i, sliced(node.getOperand(0), start, start + (*sizes)[i], *axis));
    start += (*sizes)[i];
  }
  return true;
}
bool Decomposer::expand() {
  RankedTensorType type = typeOf(0);
  std::optional<Shape> wanted = list("", 1);
  if (!type || !wanted || !isa<FloatType, IntegerType>(type.getElementType()))
    return false;
  const size_t rank = std::max<size_t>(wanted->size(), static_cast<size_t>(type.getRank()));
  if (rank > kMostRank)
    return false;
  Shape ones(rank, 1), made(rank, 1);
  int64_t elements = 1;
  bool isEmpty = false;
  for (size_t i = 0; i < rank; ++i) {
    // From the last dimension.
    const int64_t own =
        i < static_cast<size_t>(type.getRank()) ? type.getShape()[static_cast<size_t>(type.getRank()) - 1 - i] : 1;
    const int64_t to = i < wanted->size() ? (*wanted)[wanted->size() - 1 - i] : 1;
    if (to < 0 || (own != to && own != 1 && to != 1))
      return false;
    made[rank - 1 - i] = own == 1 ? to : own;
    isEmpty |= made[rank - 1 - i] == 0;
    if (own == 1 && to > 1)
      ones[rank - 1 - i] = to;
    if (elements > kMostWritten / std::max<int64_t>(ones[rank - 1 - i], 1))
      return false;
    elements *= ones[rank - 1 - i];
  }
  if (isEmpty)
    finish(0, splat(made, type.getElementType(), 0));
  else if (elements == 1 && rank == static_cast<size_t>(type.getRank()))
    finish(0, node.getOperand(0));
  else if (!isa<FloatType>(type.getElementType()))
    finish(0, value("Where",
                    {splat(ones, builder.getI1Type(), 1), node.getOperand(0), splat({}, type.getElementType(), 0)}));
  else
    finish(0, value("Mul", {node.getOperand(0), splat(ones, type.getElementType(), 1)}));
  return true;
}

/// For more dimensions than contracts have: reshaped to one dimension before the axis and one after it.
bool Decomposer::gather() {
  RankedTensorType type = typeOf(0), places = typeOf(1);
  std::optional<size_t> axis = type && places ? place(integer("axis", 0), type.getRank()) : std::nullopt;
  if (!axis)
    return false;
  ArrayRef<int64_t> shape = type.getShape();
  const bool areNested = places.getRank() > 2;
  if ((*axis <= 3 && shape.size() - *axis <= 4 && !areNested) ||
      shape.size() - 1 + static_cast<size_t>(places.getRank()) > kMostRank)
    return false;
  std::optional<int64_t> before = elementsOf(shape.take_front(*axis), INT64_MAX),
                         behind = elementsOf(shape.drop_front(*axis + 1), INT64_MAX);
  if (!before || !behind)
    return false;
  Value rows = reshaped(node.getOperand(0), {*before, shape[*axis], *behind}), indices = node.getOperand(1);
  if (areNested)
    indices = reshaped(indices, places.getNumElements());
  Value found = value("Gather", {rows, indices}, named("axis", 1));
  Shape made(shape.take_front(*axis));
  llvm::append_range(made, places.getShape());
  llvm::append_range(made, shape.drop_front(*axis + 1));
  finish(0, reshaped(found, made));
  return true;
}

/// Each repeated dimension becomes two, the first of which is expanded.
bool Decomposer::tile() {
  RankedTensorType type = typeOf(0);
  std::optional<Shape> repeats = list("", 1);
  if (!type || !repeats || static_cast<int64_t>(repeats->size()) != type.getRank() ||
      llvm::any_of(*repeats, [](int64_t count) { return count < 0 || count > kMostWritten; }))
    return false;
  Shape apart, expanded, made;
  for (auto [size, count] : llvm::zip(type.getShape(), *repeats)) {
    if (count != 1) {
      apart.push_back(1);
      expanded.push_back(count);
    }
    apart.push_back(size);
    expanded.push_back(size);
    if (!elementsOf({size, count}, kMostWritten))
      return false;
    made.push_back(size * count);
  }
  if (apart == expanded)
    finish(0, node.getOperand(0));
  else if (llvm::is_contained(made, 0) && isa<FloatType, IntegerType>(type.getElementType()))
    finish(0, splat(made, type.getElementType(), 0));
  else
    finish(0, reshaped(value("Expand", {reshaped(node.getOperand(0), apart), wholes(expanded)}), made));
  return true;
}

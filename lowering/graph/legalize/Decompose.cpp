#include "lowering/graph/legalize/Decompose.h"

#include "dialect/aicore/Tiles.h"
#include "lowering/graph/NodeFacts.h"

#include "llvm/ADT/StringSwitch.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace opc;
using namespace opc::graph;

namespace {

using Shape = SmallVector<int64_t>;

/// Most elements of a constant that is written for a node.
constexpr int64_t kMostWritten = int64_t(1) << 24;

class Decomposer : NodeReader {
public:
  Decomposer(NodeOp node, OpBuilder &builder) : NodeReader(node), builder(builder) {}
  bool run();

private:
  bool concat();
  bool slice();
  bool split();
  bool pad();
  bool padByPlaces(StringRef mode);
  bool resize();
  bool expand();
  bool convTranspose();
  bool castTo();
  bool reduce();
  bool clip();
  bool gemm();

  bool isDefault(StringRef name, ArrayRef<int64_t> value) {
    auto found = dyn_cast_or_null<DenseI64ArrayAttr>(parameter(name));
    return !parameter(name) || (found && llvm::equal(found.asArrayRef(), value));
  }
  NodeOp emit(StringRef op, ArrayRef<Value> operands, ArrayRef<NamedAttribute> parameters = {});
  /// The value of an emitted node.
  Value value(StringRef op, ArrayRef<Value> operands, ArrayRef<NamedAttribute> parameters = {}) {
    return emit(op, operands, parameters).getResult(0);
  }
  NamedAttribute named(StringRef name, int64_t number) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(number));
  }
  Value constant(ElementsAttr elements) {
    return ConstantOp::create(builder, node.getLoc(), elements.getShapedType(), builder.getStringAttr(nextName()),
                              elements, /*overridable=*/false, PlaceAttr());
  }
  Value integers(ArrayRef<int64_t> numbers) {
    return constant(DenseElementsAttr::get(
        RankedTensorType::get(static_cast<int64_t>(numbers.size()), builder.getI64Type()), numbers));
  }
  /// One number in each place.
  Value splat(ArrayRef<int64_t> shape, Type element, double number) {
    auto type = RankedTensorType::get(shape, element);
    if (auto real = dyn_cast<FloatType>(element))
      return constant(DenseElementsAttr::get(type, FloatAttr::get(real, number).getValue()));
    auto whole = llvm::cast<IntegerType>(element);
    return constant(DenseElementsAttr::get(
        type, APInt(whole.getWidth(), static_cast<uint64_t>(static_cast<int64_t>(number)), false, true)));
  }
  Value sliced(Value from, int64_t start, int64_t end, size_t axis) {
    return value("Slice", {from, integers(start), integers(end), integers(static_cast<int64_t>(axis))});
  }
  /// The slices of a value that lie at places along an axis.
  Value gathered(Value from, ArrayRef<int64_t> places, size_t axis) {
    return value("Gather", {from, integers(places)}, named("axis", static_cast<int64_t>(axis)));
  }
  Value joined(ArrayRef<Value> parts, size_t axis);
  /// Puts a value in the place of a result; where a node was emitted for it, with the name of the result.
  void finish(unsigned result, Value made);
  std::string nextName() {
    std::string own = node.getName().value_or("").empty() ? node.getOp().str() : node.getName()->str();
    return own + "/" + std::to_string(emitted++);
  }

  OpBuilder &builder;
  unsigned emitted = 0;
};

} // namespace

NodeOp Decomposer::emit(StringRef op, ArrayRef<Value> operands, ArrayRef<NamedAttribute> parameters) {
  StringAttr name = builder.getStringAttr(nextName());
  return NodeOp::create(builder, node.getLoc(), TypeRange(UnknownType::get(builder.getContext())),
                        builder.getStringAttr(op), StringAttr(), operands, builder.getStrArrayAttr(name.getValue()),
                        name, parameters.empty() ? DictionaryAttr() : builder.getDictionaryAttr(parameters),
                        ArrayAttr(), 0);
}

void Decomposer::finish(unsigned result, Value made) {
  Value old = node.getResult(result);
  auto last = made.getDefiningOp<NodeOp>();
  const bool isOwn = last && last->getBlock() == node->getBlock() && last.getLoc() == node.getLoc() &&
                     !llvm::is_contained(node.getOperands(), made);
  if (isOwn) {
    last.setResultNamesAttr(builder.getArrayAttr(node.getResultNames()[result]));
    if (node.getNameAttr())
      last.setNameAttr(node.getNameAttr());
    made.setType(old.getType());
  }
  old.replaceAllUsesWith(made);
}

Value Decomposer::joined(ArrayRef<Value> parts, size_t axis) {
  if (parts.size() == 1)
    return parts.front();
  const size_t half = (parts.size() + 1) / 2;
  Value left = joined(parts.take_front(half), axis), right = joined(parts.drop_front(half), axis);
  return value("Concat", {left, right}, named("axis", static_cast<int64_t>(axis)));
}

bool Decomposer::concat() {
  RankedTensorType first = typeOf(0);
  std::optional<size_t> axis = first ? place(integer("axis", 0), first.getRank()) : std::nullopt;
  if (!axis || node.getNumOperands() == 2)
    return false;
  finish(0, joined(SmallVector<Value>(node.getOperands()), *axis));
  return true;
}

bool Decomposer::slice() {
  RankedTensorType type = typeOf(0);
  std::optional<Shape> starts = list("starts", 1), ends = list("ends", 2), axes = list("axes", 3), steps = list("", 4);
  if (!type || !starts || !ends || starts->size() != ends->size() || (has(3) && !axes) || (has(4) && !steps))
    return false;
  if (!axes) {
    axes.emplace();
    for (size_t i = 0; i < starts->size(); ++i)
      axes->push_back(static_cast<int64_t>(i));
  }
  if (!steps)
    steps = Shape(starts->size(), 1);
  if (axes->size() != starts->size() || steps->size() != starts->size())
    return false;
  struct Range {
    size_t axis;
    int64_t start, end, step;
  };
  SmallVector<Range> ranges;
  bool isPlain = starts->size() == 1 && has(3);
  for (size_t i = 0; i < starts->size(); ++i) {
    std::optional<size_t> axis = place((*axes)[i], type.getRank());
    if (!axis || (*steps)[i] == 0 || (*steps)[i] == INT64_MIN)
      return false;
    const int64_t size = type.getDimSize(static_cast<unsigned>(*axis));
    if ((*steps)[i] < 0) {
      // From the start backwards to the place behind the end, which may be before the first one.
      auto back = [&](int64_t at) {
        return std::clamp<int64_t>(at < 0 ? (at < -size ? -1 : at + size) : at, -1, size - 1);
      };
      const Range range = {*axis, back((*starts)[i]), back((*ends)[i]), (*steps)[i]};
      if (range.start <= range.end || range.start - range.end > kMostWritten)
        return false;
      isPlain = false;
      ranges.push_back(range);
      continue;
    }
    auto clamp = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? (at < -size ? 0 : at + size) : at, 0, size); };
    const Range range = {*axis, clamp((*starts)[i]), clamp((*ends)[i]), (*steps)[i]};
    isPlain &= range.start == (*starts)[i] && range.end == (*ends)[i] && range.step == 1;
    if (range.end <= range.start)
      return false;
    if (range.start != 0 || range.end != size || range.step != 1)
      ranges.push_back(range);
  }
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
      // Places that lie a whole step apart become a dimension of their own; the last may have no whole step behind it.
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
        run = sliced(value("Reshape", {run, integers(apart)}), 0, 1, range.axis + 1);
        parts.push_back(value("Reshape", {run, integers(together)}));
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
    if (!axis || (*pads)[i] < 0 || (*pads)[half + i] < 0 || (*pads)[i] > kMostWritten ||
        (*pads)[half + i] > kMostWritten)
      return false;
    (*axes)[i] = static_cast<int64_t>(*axis);
    shape[*axis] += (*pads)[i] + (*pads)[half + i];
    int64_t elements = 1;
    for (int64_t size : shape)
      if (elements > kMostWritten || size > kMostWritten)
        return false;
      else
        elements *= std::max<int64_t>(size, 1);
    if (elements > kMostWritten)
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
    if (before > 0)
      from = joined({border(before), from}, axis);
    if (behind > 0)
      from = joined({from, border(behind)}, axis);
    shape[axis] += before + behind;
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

// Planes whose last two dimensions get other sizes. Which place of the operand a place of the result has is
// (place + shift) * multiply / divide + offset, as ONNX computes it in float32.
bool Decomposer::resize() {
  RankedTensorType type = typeOf(0);
  auto word = [&](StringRef name, StringRef otherwise) {
    auto found = dyn_cast_or_null<StringAttr>(parameter(name));
    return found ? found.getValue() : otherwise;
  };
  const StringRef mode = word("mode", "nearest"), nearest = word("nearest_mode", "round_prefer_floor"),
                  coordinates = word("coordinate_transformation_mode", "half_pixel");
  // Opset 10 has scales behind the operand, and fewer words.
  if (!type || type.getRank() < 1 || node.getNumOperands() < 3 || (mode != "nearest" && mode != "linear") ||
      integer("antialias", 0) != 0 || word("keep_aspect_ratio_policy", "stretch") != "stretch")
    return false;
  const auto rank = static_cast<size_t>(type.getRank());
  Shape axes;
  if (auto given = dyn_cast_or_null<DenseI64ArrayAttr>(parameter("axes")))
    axes.assign(given.asArrayRef().begin(), given.asArrayRef().end());
  else
    for (size_t i = 0; i < rank; ++i)
      axes.push_back(static_cast<int64_t>(i));
  std::optional<Shape> sizes = has(3) ? list("", 3) : std::nullopt;
  auto scales = has(2) ? dyn_cast_or_null<DenseElementsAttr>(constantOf(node.getOperand(2))) : DenseElementsAttr();
  if (scales && (!scales.getElementType().isF32() || scales.getNumElements() == 0))
    scales = {};
  if (!sizes == !scales || (sizes ? sizes->size() : static_cast<size_t>(scales.getNumElements())) != axes.size())
    return false;
  Shape made(type.getShape());
  SmallVector<float> scaleOf(rank, 1.0f);
  for (size_t i = 0; i < axes.size(); ++i) {
    std::optional<size_t> axis = place(axes[i], type.getRank());
    if (!axis)
      return false;
    const int64_t size = made[*axis];
    if (scales)
      scaleOf[*axis] = (*(scales.getValues<APFloat>().begin() + static_cast<std::ptrdiff_t>(i))).convertToFloat();
    if (!(scaleOf[*axis] > 0) || size < 1 || size > kMostWritten || float(size) * scaleOf[*axis] > float(kMostWritten))
      return false;
    made[*axis] = sizes ? (*sizes)[i] : static_cast<int64_t>(std::floor(float(size) * scaleOf[*axis]));
    if (made[*axis] < 1 || made[*axis] > kMostWritten)
      return false;
    if (sizes)
      scaleOf[*axis] = float(made[*axis]) / float(size);
  }
  // Planes of the last two dimensions, the first of which may have size 1.
  Shape planes = {1, 1, 1, type.getShape().back()}, resized = {made[rank - 1]};
  SmallVector<float> multiply, divide;
  float shift = 0, offset = 0;
  if (rank > 1) {
    planes[2] = type.getDimSize(static_cast<unsigned>(rank - 2));
    resized.insert(resized.begin(), made[rank - 2]);
  } else {
    resized.insert(resized.begin(), 1);
  }
  for (size_t i = 0; i + 2 < rank; ++i) {
    if (made[i] != type.getDimSize(static_cast<unsigned>(i)) || scaleOf[i] != 1.0f)
      return false;
    planes[1] *= made[i];
  }
  for (size_t i = 0; i < 2; ++i) {
    const int64_t from = planes[2 + i], to = resized[i];
    const float scale = rank + i < 2 ? 1.0f : scaleOf[rank - 2 + i];
    float times = 1, by = scale;
    if (coordinates == "align_corners") {
      // ONNX counts from the size before it is rounded, which corners do not have.
      if (scales && float(from) * scale != float(to))
        return false;
      times = to == 1 ? 0.0f : float(from - 1);
      by = to == 1 ? 1.0f : float(to - 1);
    } else if (coordinates == "half_pixel" || coordinates == "pytorch_half_pixel") {
      // A plane of one element is at its first place in PyTorch; elsewhere the centres of places meet.
      const bool isFirst = to == 1 && coordinates == "pytorch_half_pixel";
      if (isFirst)
        return false;
      shift = 0.5f;
      offset = -0.5f;
    } else if (coordinates != "asymmetric") {
      return false;
    }
    multiply.push_back(times);
    divide.push_back(by);
  }
  SmallVector<NamedAttribute> parameters = {builder.getNamedAttr("size", builder.getDenseI64ArrayAttr(resized)),
                                            builder.getNamedAttr("multiply", builder.getDenseF32ArrayAttr(multiply)),
                                            builder.getNamedAttr("divide", builder.getDenseF32ArrayAttr(divide)),
                                            builder.getNamedAttr("shift", builder.getF32FloatAttr(shift)),
                                            builder.getNamedAttr("offset", builder.getF32FloatAttr(offset))};
  if (mode == "nearest") {
    // sign * floor(sign * place + nudge)
    const bool up = nearest == "ceil" || nearest == "round_prefer_floor", half = nearest.starts_with("round_prefer");
    if (!half && nearest != "ceil" && nearest != "floor")
      return false;
    parameters.push_back(builder.getNamedAttr("sign", builder.getF32FloatAttr(up ? -1.0f : 1.0f)));
    parameters.push_back(builder.getNamedAttr("nudge", builder.getF32FloatAttr(half ? 0.5f : 0.0f)));
  }
  Value from = node.getOperand(0);
  if (planes != Shape(type.getShape()))
    from = value("Reshape", {from, integers(planes)});
  NodeOp plane = emit(mode == "nearest" ? "ResizeNearest2d" : "ResizeLinear2d", from, parameters);
  plane.setDomainAttr(builder.getStringAttr(kOwnDomain));
  from = plane.getResult(0);
  planes[2] = resized[0];
  planes[3] = resized[1];
  if (planes != made)
    from = value("Reshape", {from, integers(made)});
  finish(0, from);
  return true;
}

bool Decomposer::expand() {
  RankedTensorType type = typeOf(0);
  std::optional<Shape> wanted = list("", 1);
  if (!type || !wanted || !(isa<FloatType>(type.getElementType()) || type.getElementType().isSignlessInteger()))
    return false;
  const size_t rank = std::max<size_t>(wanted->size(), static_cast<size_t>(type.getRank()));
  if (rank > kMostRank)
    return false;
  Shape ones(rank, 1);
  int64_t elements = 1;
  for (size_t i = 0; i < rank; ++i) {
    // From the last dimension.
    const int64_t own =
        i < static_cast<size_t>(type.getRank()) ? type.getShape()[static_cast<size_t>(type.getRank()) - 1 - i] : 1;
    const int64_t to = i < wanted->size() ? (*wanted)[wanted->size() - 1 - i] : 1;
    if (to < 1 || (own != to && own != 1 && to != 1))
      return false;
    if (own == 1 && to > 1)
      ones[rank - 1 - i] = to;
    if (elements > kMostWritten / std::max<int64_t>(ones[rank - 1 - i], 1))
      return false;
    elements *= ones[rank - 1 - i];
  }
  if (elements == 1 && rank == static_cast<size_t>(type.getRank()))
    finish(0, node.getOperand(0));
  else if (!isa<FloatType>(type.getElementType()))
    finish(0, value("Where",
                    {splat(ones, builder.getI1Type(), 1), node.getOperand(0), splat({}, type.getElementType(), 0)}));
  else
    finish(0, value("Mul", {node.getOperand(0), splat(ones, type.getElementType(), 1)}));
  return true;
}

bool Decomposer::convTranspose() {
  RankedTensorType type = typeOf(0), weights = typeOf(1);
  auto strides = dyn_cast_or_null<DenseI64ArrayAttr>(parameter("strides"));
  auto autoPad = dyn_cast_or_null<StringAttr>(parameter("auto_pad"));
  if (!type || !weights || type.getRank() != 4 || weights.getRank() != 4 || !strides || strides.size() != 2 ||
      integer("group", 1) != 1 || parameter("output_shape") || (autoPad && autoPad.getValue() != "NOTSET") ||
      !isDefault("pads", {0, 0, 0, 0}) || !isDefault("dilations", {1, 1}) || !isDefault("output_padding", {0, 0}))
    return false;
  const int64_t inputs = weights.getDimSize(0), outputs = weights.getDimSize(1), block = weights.getDimSize(2);
  if (inputs != type.getDimSize(1) || weights.getDimSize(3) != block || strides[0] != block || strides[1] != block ||
      block < 1 || inputs < 1 || outputs < 1)
    return false;
  // Windows do not overlap: each place of the operand gives a block of each channel of the result.
  Value order =
      value("Transpose", node.getOperand(1), builder.getNamedAttr("perm", builder.getDenseI64ArrayAttr({1, 2, 3, 0})));
  Value filters = value("Reshape", {order, integers({outputs * block * block, inputs, 1, 1})});
  Value blocks = value("Conv", {node.getOperand(0), filters});
  Value result = value("DepthToSpace", blocks,
                       {named("blocksize", block), builder.getNamedAttr("mode", builder.getStringAttr("CRD"))});
  if (has(2))
    result = value("Add", {result, value("Reshape", {node.getOperand(2), integers({outputs, 1, 1})})});
  finish(0, result);
  return true;
}

bool Decomposer::castTo() {
  RankedTensorType type = typeOf(0);
  std::optional<onnx::ElementType> to = onnx::elementTypeOf(integer("to", 0));
  std::optional<opc::ElementType> known = to ? onnx::opcType(*to) : std::nullopt;
  if (!type || !known)
    return false;
  Type wanted = aicore::mlirTypeOf(*known, node.getContext());
  if (wanted == type.getElementType()) {
    finish(0, node.getOperand(0));
    return true;
  }
  if (!type.getElementType().isInteger(1) || !(wanted.isF16() || wanted.isF32() || wanted.isBF16()))
    return false;
  finish(0, value("Where", {node.getOperand(0), splat({}, wanted, 1), splat({}, wanted, 0)}));
  return true;
}

bool Decomposer::reduce() {
  std::optional<Shape> axes = list("axes", 1);
  if (integer("noop_with_empty_axes", 0) == 0 || !axes || axes->empty())
    return false;
  SmallVector<NamedAttribute> kept;
  for (NamedAttribute own : node.getParametersAttr())
    if (own.getName() != "noop_with_empty_axes")
      kept.push_back(own);
  finish(0, value(node.getOp(), SmallVector<Value>(node.getOperands()), kept));
  return true;
}

bool Decomposer::clip() {
  // Older opsets have bounds as attributes.
  if (node.getParametersAttr() && !node.getParametersAttr().empty())
    return false;
  Value made = node.getOperand(0);
  if (has(1))
    made = value("Max", {made, node.getOperand(1)});
  if (has(2))
    made = value("Min", {made, node.getOperand(2)});
  finish(0, made);
  return true;
}

bool Decomposer::gemm() {
  RankedTensorType type = typeOf(0);
  auto factor = [&](StringRef name) {
    auto found = dyn_cast_or_null<FloatAttr>(parameter(name));
    return found ? found.getValueAsDouble() : 1.0;
  };
  const double alpha = factor("alpha"), beta = factor("beta");
  const int64_t turnsA = integer("transA", 0), turnsB = integer("transB", 0);
  // A product alone that turns an operand would be this node again.
  const bool isProduct = !has(2) && alpha == 1;
  if (!type || !isa<FloatType>(type.getElementType()) || (isProduct && (turnsA != 0 || turnsB != 0)))
    return false;
  auto scaled = [&](Value from, double by) {
    return by == 1 ? from : value("Mul", {from, splat({}, type.getElementType(), by)});
  };
  SmallVector<Value> factors = {node.getOperand(0), node.getOperand(1)};
  Value made = turnsA == 0 && turnsB == 0 ? value("MatMul", factors)
                                          : value("Gemm", factors, {named("transA", turnsA), named("transB", turnsB)});
  made = scaled(made, alpha);
  if (has(2))
    made = value("Add", {made, scaled(node.getOperand(2), beta)});
  finish(0, made);
  return true;
}

bool Decomposer::run() {
  if (node.getDomain().value_or("ai.onnx") != "ai.onnx" || !node.getBodies().empty() || node.getNumResults() == 0 ||
      (node.getNumResults() != 1 && node.getOp() != "Split"))
    return false;
  using Function = bool (Decomposer::*)();
  const auto function = llvm::StringSwitch<Function>(node.getOp())
                            .Case("Concat", &Decomposer::concat)
                            .Case("Slice", &Decomposer::slice)
                            .Case("Split", &Decomposer::split)
                            .Case("Pad", &Decomposer::pad)
                            .Case("Expand", &Decomposer::expand)
                            .Case("Resize", &Decomposer::resize)
                            .Case("ConvTranspose", &Decomposer::convTranspose)
                            .Case("Cast", &Decomposer::castTo)
                            .Case("Clip", &Decomposer::clip)
                            .Case("Gemm", &Decomposer::gemm)
                            .StartsWith("Reduce", &Decomposer::reduce)
                            .Default(nullptr);
  if (!function || !(this->*function)())
    return false;
  node.erase();
  return true;
}

bool opc::graph::decompose(NodeOp node, OpBuilder &builder) {
  return Decomposer(node, builder).run();
}

bool opc::graph::mayDecompose(NodeOp node) {
  if (node.getDomain().value_or("ai.onnx") != "ai.onnx" || !node.getBodies().empty())
    return false;
  DictionaryAttr parameters = node.getParametersAttr();
  StringRef op = node.getOp();
  if (op == "Pad") {
    auto mode = parameters ? parameters.getAs<StringAttr>("mode") : StringAttr();
    return !mode || llvm::is_contained({"constant", "edge", "reflect", "wrap"}, mode.getValue());
  }
  if (op == "Concat")
    return node.getNumOperands() != 2;
  if (op == "Clip")
    return !parameters || parameters.empty();
  if (op.starts_with("Reduce"))
    return parameters && parameters.contains("noop_with_empty_axes");
  if (op == "Resize") {
    auto mode = parameters ? parameters.getAs<StringAttr>("mode") : StringAttr();
    return !mode || mode.getValue() == "nearest" || mode.getValue() == "linear";
  }
  return op == "Slice" || op == "Split" || op == "Expand" || op == "ConvTranspose" || op == "Cast" || op == "Gemm";
}

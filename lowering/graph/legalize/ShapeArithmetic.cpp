#include "lowering/graph/legalize/ShapeArithmetic.h"

#include "lowering/graph/NodeFacts.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"

#include <algorithm>
#include <functional>

using namespace mlir;
using namespace opc::graph;

static constexpr int64_t kMostElements = 4096;

namespace {

/// A small tensor of integers; truth values are 0 and 1.
struct Whole {
  IntegerType type;
  SmallVector<int64_t> shape;
  SmallVector<int64_t> values; ///< row-major

  int64_t elements() const {
    int64_t product = 1;
    for (int64_t size : shape)
      product *= size;
    return product;
  }
};

class Evaluator : NodeReader {
public:
  explicit Evaluator(NodeOp node) : NodeReader(node), context(node.getContext()) {}
  ElementsAttr run();
  bool knows() { return static_cast<bool>(chosen()); }

private:
  using Result = std::optional<Whole>;
  using F = std::function<Result()>;

  /// The function that computes the node; empty for unsupported operators.
  F chosen();

  Result operand(unsigned number);
  /// The axes of a list that is an attribute or, from opset 13 on, an operand, counted from the front; nullopt if one
  /// is unknown or out of range.
  std::optional<SmallVector<int64_t>> axes(unsigned number, int64_t rank);
  Whole listOf(ArrayRef<int64_t> values);
  ElementsAttr attributeOf(const Whole &value);

  Result shape();
  Result constantOfShape();
  Result gather();
  Result concat();
  Result slice();
  Result transpose();
  Result castTo();
  Result range();
  Result expand();
  Result reduceProd();
  Result where();
  Result one(std::function<int64_t(int64_t)> compute);
  Result two(std::function<std::optional<int64_t>(int64_t, int64_t)> compute, bool isTruth = false);
  Result broadcast(const Whole &value, ArrayRef<int64_t> shape);

  MLIRContext *context;
};

} // namespace

/// The product of sizes, at most kMostElements; nullopt for more, and for sizes below 0.
static std::optional<int64_t> smallElements(ArrayRef<int64_t> shape) {
  int64_t product = 1;
  for (int64_t size : shape) {
    if (size < 0 || size > kMostElements)
      return std::nullopt;
    product *= size;
    if (product > kMostElements)
      return std::nullopt;
  }
  return product;
}

/// A number wrapped to a type.
static int64_t wrap(int64_t value, IntegerType type) {
  if (type.getWidth() == 1)
    return value != 0;
  unsigned unused = 64 - type.getWidth();
  auto bits = static_cast<uint64_t>(value) << unused;
  return type.isUnsigned() ? static_cast<int64_t>(bits >> unused) : static_cast<int64_t>(bits) >> unused;
}

static std::optional<SmallVector<int64_t>> broadcastShape(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  SmallVector<int64_t> shape(std::max(a.size(), b.size()), 1);
  for (size_t i = 0; i < shape.size(); ++i) {
    auto sizeOf = [&](ArrayRef<int64_t> from) {
      size_t missing = shape.size() - from.size();
      return i < missing ? 1 : from[i - missing];
    };
    int64_t one = sizeOf(a), other = sizeOf(b);
    if (one != other && one != 1 && other != 1)
      return std::nullopt;
    shape[i] = one == 1 ? other : one;
  }
  return smallElements(shape) ? std::optional(shape) : std::nullopt;
}

Evaluator::Result Evaluator::operand(unsigned number) {
  if (!has(number))
    return std::nullopt;
  ElementsAttr elements = constantOf(node.getOperand(number));
  std::optional<SmallVector<int64_t>> values = integersOf(elements);
  // Numbers of uint64 may not fit.
  if (!values || elements.getShapedType().getElementType().isUnsignedInteger(64))
    return std::nullopt;
  return Whole{cast<IntegerType>(elements.getShapedType().getElementType()),
               SmallVector<int64_t>(elements.getShapedType().getShape()), std::move(*values)};
}

Whole Evaluator::listOf(ArrayRef<int64_t> values) {
  return {IntegerType::get(context, 64), {static_cast<int64_t>(values.size())}, SmallVector<int64_t>(values)};
}

ElementsAttr Evaluator::attributeOf(const Whole &value) {
  auto type = RankedTensorType::get(value.shape, value.type);
  SmallVector<APInt> numbers;
  for (int64_t number : value.values)
    numbers.emplace_back(value.type.getWidth(), static_cast<uint64_t>(number), /*isSigned=*/false,
                         /*implicitTrunc=*/true);
  return DenseElementsAttr::get(type, numbers);
}

std::optional<SmallVector<int64_t>> Evaluator::axes(unsigned number, int64_t rank) {
  SmallVector<int64_t> found;
  if (Attribute given = parameter("axes")) {
    auto wholes = dyn_cast<DenseI64ArrayAttr>(given);
    if (!wholes)
      return std::nullopt;
    found = SmallVector<int64_t>(wholes.asArrayRef());
  } else if (has(number)) {
    Result operands = operand(number);
    if (!operands)
      return std::nullopt;
    found = operands->values;
  }
  for (int64_t &axis : found) {
    if (axis < -rank || axis >= rank)
      return std::nullopt;
    axis += axis < 0 ? rank : 0;
  }
  return found;
}

Evaluator::Result Evaluator::shape() {
  RankedTensorType type = typeOf(0);
  if (!type)
    return std::nullopt;
  int64_t rank = type.getRank();
  auto clamp = [&](int64_t axis) { return std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank); };
  int64_t start = clamp(integer("start", 0)), end = clamp(integer("end", rank));
  SmallVector<int64_t> sizes;
  for (int64_t i = start; i < end; ++i) {
    if (type.isDynamicDim(static_cast<unsigned>(i)))
      return std::nullopt;
    sizes.push_back(type.getDimSize(static_cast<unsigned>(i)));
  }
  return listOf(sizes);
}

Evaluator::Result Evaluator::constantOfShape() {
  Result sizes = operand(0);
  std::optional<int64_t> count = sizes ? smallElements(sizes->values) : std::nullopt;
  ElementsAttr value = dyn_cast_or_null<ElementsAttr>(parameter("value"));
  std::optional<SmallVector<int64_t>> number = integersOf(value);
  // The default is zeros of float32.
  if (!count || !number || number->size() != 1)
    return std::nullopt;
  return Whole{cast<IntegerType>(value.getShapedType().getElementType()), sizes->values,
               SmallVector<int64_t>(static_cast<size_t>(*count), number->front())};
}

Evaluator::Result Evaluator::gather() {
  Result data = operand(0), places = operand(1);
  if (!data || !places || data->shape.empty())
    return std::nullopt;
  auto rank = static_cast<int64_t>(data->shape.size());
  int64_t axis = integer("axis", 0);
  if (axis < -rank || axis >= rank)
    return std::nullopt;
  axis += axis < 0 ? rank : 0;
  int64_t outer = 1, inner = 1, size = data->shape[static_cast<size_t>(axis)];
  for (int64_t i = 0; i < rank; ++i)
    (i < axis ? outer : inner) *= i == axis ? 1 : data->shape[static_cast<size_t>(i)];
  Whole result{data->type, {}, {}};
  result.shape.append(data->shape.begin(), data->shape.begin() + axis);
  result.shape.append(places->shape.begin(), places->shape.end());
  result.shape.append(data->shape.begin() + axis + 1, data->shape.end());
  if (!smallElements(result.shape))
    return std::nullopt;
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t place : places->values) {
      if (place < -size || place >= size)
        return std::nullopt;
      const int64_t *from = data->values.begin() + (o * size + (place < 0 ? place + size : place)) * inner;
      result.values.append(from, from + inner);
    }
  return result;
}

Evaluator::Result Evaluator::concat() {
  SmallVector<Whole> parts;
  for (unsigned i = 0; i < node.getNumOperands(); ++i) {
    Result part = operand(i);
    if (!part || part->shape.empty() || (i > 0 && part->shape.size() != parts[0].shape.size()))
      return std::nullopt;
    parts.push_back(std::move(*part));
  }
  if (parts.empty())
    return std::nullopt;
  auto rank = static_cast<int64_t>(parts[0].shape.size());
  int64_t axis = integer("axis", 0);
  if (axis < -rank || axis >= rank)
    return std::nullopt;
  auto along = static_cast<size_t>(axis < 0 ? axis + rank : axis);
  Whole result{parts[0].type, parts[0].shape, {}};
  for (size_t i = 1; i < parts.size(); ++i) {
    for (size_t d = 0; d < result.shape.size(); ++d)
      if (d != along && parts[i].shape[d] != result.shape[d])
        return std::nullopt;
    result.shape[along] += parts[i].shape[along];
  }
  if (!smallElements(result.shape))
    return std::nullopt;
  int64_t outer = 1;
  for (size_t d = 0; d < along; ++d)
    outer *= result.shape[d];
  for (int64_t o = 0; o < outer; ++o)
    for (const Whole &part : parts) {
      int64_t length = part.elements() / outer;
      result.values.append(part.values.begin() + o * length, part.values.begin() + (o + 1) * length);
    }
  return result;
}

/// The indices of a range in an axis of that size, with the meaning of Slice.
static SmallVector<int64_t> placesOf(int64_t size, int64_t start, int64_t end, int64_t by) {
  auto clamp = [&](int64_t at, int64_t low, int64_t high) {
    return std::clamp(at < 0 ? (at < -size ? low : at + size) : at, low, high);
  };
  SmallVector<int64_t> places;
  if (size == 0)
    return places;
  start = by > 0 ? clamp(start, 0, size) : clamp(start, 0, size - 1);
  end = by > 0 ? clamp(end, 0, size) : clamp(end, -1, size - 1);
  for (int64_t i = start; by > 0 ? i < end : i > end;) {
    places.push_back(i);
    if (by > size || by < -size)
      break;
    i += by;
  }
  return places;
}

/// Slices of shapes, also reversed: exporters write PyTorch's paddings this way.
Evaluator::Result Evaluator::slice() {
  Result data = operand(0);
  // An empty tensor may have any other sizes, so only lists are small.
  if (!data || data->shape.empty() || (data->values.empty() && data->shape.size() != 1))
    return std::nullopt;
  const auto rank = static_cast<int64_t>(data->shape.size());
  auto numbers = [&](StringRef name, unsigned number) -> std::optional<SmallVector<int64_t>> {
    if (auto wholes = dyn_cast_or_null<DenseI64ArrayAttr>(parameter(name)))
      return SmallVector<int64_t>(wholes.asArrayRef());
    Result found = operand(number);
    return found ? std::optional(found->values) : std::nullopt;
  };
  auto starts = numbers("starts", 1), ends = numbers("ends", 2);
  std::optional<SmallVector<int64_t>> along = axes(3, rank);
  if (!starts || !ends || !along || starts->size() != ends->size())
    return std::nullopt;
  if (along->empty())
    for (int64_t i = 0; i < static_cast<int64_t>(starts->size()); ++i)
      along->push_back(i);
  SmallVector<int64_t> steps(starts->size(), 1);
  if (has(4)) {
    Result given = operand(4);
    if (!given)
      return std::nullopt;
    steps = given->values;
  }
  if (along->size() != starts->size() || steps.size() != starts->size() || along->size() > data->shape.size())
    return std::nullopt;
  for (size_t i = 0; i < along->size(); ++i) {
    const int64_t by = steps[i], axis = (*along)[i];
    if (by == 0 || by == std::numeric_limits<int64_t>::min() || axis < 0 || axis >= rank)
      return std::nullopt;
    const int64_t size = data->shape[static_cast<size_t>(axis)];
    const SmallVector<int64_t> places = placesOf(size, (*starts)[i], (*ends)[i], by);
    int64_t outer = 1, inner = 1;
    for (int64_t d = 0; d < rank; ++d)
      (d < axis ? outer : inner) *= d == axis ? 1 : data->shape[static_cast<size_t>(d)];
    Whole result{data->type, data->shape, {}};
    result.shape[static_cast<size_t>(axis)] = static_cast<int64_t>(places.size());
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t place : places) {
        const int64_t *from = data->values.begin() + (o * size + place) * inner;
        result.values.append(from, from + inner);
      }
    data = std::move(result);
  }
  return data;
}

Evaluator::Result Evaluator::transpose() {
  Result data = operand(0);
  if (!data || data->values.empty())
    return std::nullopt;
  const size_t rank = data->shape.size();
  SmallVector<int64_t> order;
  if (auto given = dyn_cast_or_null<DenseI64ArrayAttr>(parameter("perm")))
    order.assign(given.asArrayRef().begin(), given.asArrayRef().end());
  else
    for (size_t i = rank; i-- > 0;)
      order.push_back(static_cast<int64_t>(i));
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  if (order.size() != rank)
    return std::nullopt;
  for (size_t i = 0; i < rank; ++i)
    if (sorted[i] != static_cast<int64_t>(i))
      return std::nullopt;
  SmallVector<int64_t> strides(rank, 1);
  for (size_t i = rank; i-- > 1;)
    strides[i - 1] = strides[i] * data->shape[i];
  Whole result{data->type, {}, {}};
  for (int64_t from : order)
    result.shape.push_back(data->shape[static_cast<size_t>(from)]);
  for (int64_t i = 0; i < data->elements(); ++i) {
    int64_t rest = i, at = 0;
    for (size_t d = rank; d-- > 0;) {
      at += rest % result.shape[d] * strides[static_cast<size_t>(order[d])];
      rest /= result.shape[d];
    }
    result.values.push_back(data->values[static_cast<size_t>(at)]);
  }
  return result;
}

Evaluator::Result Evaluator::castTo() {
  Result data = operand(0);
  std::optional<opc::onnx::ElementType> to = opc::onnx::elementTypeOf(integer("to", 0));
  std::optional<opc::ElementType> known = to ? opc::onnx::opcType(*to) : std::nullopt;
  if (!data || !known)
    return std::nullopt;
  switch (*known) {
  case opc::ElementType::Bool:
    data->type = IntegerType::get(context, 1);
    break;
  case opc::ElementType::Int32:
    data->type = IntegerType::get(context, 32);
    break;
  case opc::ElementType::Int64:
    data->type = IntegerType::get(context, 64);
    break;
  default:
    return std::nullopt;
  }
  for (int64_t &value : data->values)
    value = wrap(value, data->type);
  return data;
}

Evaluator::Result Evaluator::range() {
  Result start = operand(0), limit = operand(1), delta = operand(2);
  if (!start || !limit || !delta || start->values.size() != 1 || limit->values.size() != 1 ||
      delta->values.size() != 1 || delta->values[0] == 0)
    return std::nullopt;
  Whole result{start->type, {}, {}};
  int64_t by = delta->values[0], end = limit->values[0];
  for (int64_t at = start->values[0]; by > 0 ? at < end : at > end;) {
    if (result.values.size() == static_cast<size_t>(kMostElements))
      return std::nullopt;
    result.values.push_back(at);
    std::optional<int64_t> next = llvm::checkedAdd(at, by);
    if (!next)
      return std::nullopt;
    at = *next;
  }
  result.shape = {static_cast<int64_t>(result.values.size())};
  return result;
}

Evaluator::Result Evaluator::broadcast(const Whole &value, ArrayRef<int64_t> shape) {
  Whole result{value.type, SmallVector<int64_t>(shape), {}};
  std::optional<int64_t> count = smallElements(shape);
  if (!count)
    return std::nullopt;
  for (int64_t i = 0; i < *count; ++i) {
    int64_t rest = i, from = 0, stride = 1;
    for (size_t d = 0; d < shape.size(); ++d) {
      size_t axis = shape.size() - 1 - d;
      int64_t at = rest % shape[axis];
      rest /= shape[axis];
      if (d < value.shape.size()) {
        int64_t size = value.shape[value.shape.size() - 1 - d];
        from += (size == 1 ? 0 : at) * stride;
        stride *= size;
      }
    }
    result.values.push_back(value.values[static_cast<size_t>(from)]);
  }
  return result;
}

Evaluator::Result Evaluator::expand() {
  Result data = operand(0), sizes = operand(1);
  if (!data || !sizes || !smallElements(sizes->values))
    return std::nullopt;
  std::optional<SmallVector<int64_t>> shape = broadcastShape(data->shape, sizes->values);
  return shape ? broadcast(*data, *shape) : std::nullopt;
}

Evaluator::Result Evaluator::reduceProd() {
  Result data = operand(0);
  // For a list, over its only axis.
  if (!data || data->shape.size() > 1 || integer("noop_with_empty_axes", 0) != 0 ||
      !axes(1, static_cast<int64_t>(data->shape.size())))
    return std::nullopt;
  int64_t product = 1;
  for (int64_t value : data->values) {
    std::optional<int64_t> next = llvm::checkedMul(product, value);
    if (!next)
      return std::nullopt;
    product = *next;
  }
  Whole result{data->type, {}, {wrap(product, data->type)}};
  if (integer("keepdims", 1) != 0 && !data->shape.empty())
    result.shape = {1};
  return result;
}

Evaluator::Result Evaluator::where() {
  Result condition = operand(0), yes = operand(1), no = operand(2);
  if (!condition || !yes || !no)
    return std::nullopt;
  std::optional<SmallVector<int64_t>> shape = broadcastShape(yes->shape, no->shape);
  shape = shape ? broadcastShape(condition->shape, *shape) : std::nullopt;
  if (!shape)
    return std::nullopt;
  Result c = broadcast(*condition, *shape), y = broadcast(*yes, *shape), n = broadcast(*no, *shape);
  for (size_t i = 0; i < y->values.size(); ++i)
    if (!c->values[i])
      y->values[i] = n->values[i];
  return y;
}

Evaluator::Result Evaluator::one(std::function<int64_t(int64_t)> compute) {
  Result data = operand(0);
  if (data)
    for (int64_t &value : data->values)
      value = wrap(compute(value), data->type);
  return data;
}

Evaluator::Result Evaluator::two(std::function<std::optional<int64_t>(int64_t, int64_t)> compute, bool isTruth) {
  Result a = operand(0), b = operand(1);
  if (!a || !b || node.getNumOperands() != 2)
    return std::nullopt;
  std::optional<SmallVector<int64_t>> shape = broadcastShape(a->shape, b->shape);
  if (!shape)
    return std::nullopt;
  Result left = broadcast(*a, *shape), right = broadcast(*b, *shape);
  Whole result{isTruth ? IntegerType::get(context, 1) : a->type, *shape, {}};
  for (auto [x, y] : llvm::zip(left->values, right->values)) {
    std::optional<int64_t> value = compute(x, y);
    if (!value)
      return std::nullopt;
    result.values.push_back(wrap(*value, result.type));
  }
  return result;
}

Evaluator::F Evaluator::chosen() {
  if (node.getNumResults() != 1 || node.getDomain().value_or("ai.onnx") != "ai.onnx")
    return {};
  using Optional = std::optional<int64_t>;
  auto divide = [](int64_t x, int64_t y) -> Optional {
    if (y == 0 || (x == std::numeric_limits<int64_t>::min() && y == -1))
      return std::nullopt;
    return x / y;
  };
  return llvm::StringSwitch<F>(node.getOp())
      .Case("Shape", [this] { return shape(); })
      .Case("Size",
            [this]() -> Result {
              RankedTensorType type = typeOf(0);
              if (!type || !type.hasStaticShape())
                return std::nullopt;
              return Whole{IntegerType::get(context, 64), {}, {type.getNumElements()}};
            })
      .Case("ConstantOfShape", [this] { return constantOfShape(); })
      .Case("Gather", [this] { return gather(); })
      .Case("Concat", [this] { return concat(); })
      .Case("Slice", [this] { return slice(); })
      .Case("Transpose", [this] { return transpose(); })
      .Case("Cast", [this] { return castTo(); })
      .Case("Range", [this] { return range(); })
      .Case("Expand", [this] { return expand(); })
      .Case("ReduceProd", [this] { return reduceProd(); })
      .Case("Where", [this] { return where(); })
      .Case("Neg", [this] { return one([](int64_t x) { return static_cast<int64_t>(-static_cast<uint64_t>(x)); }); })
      .Case("Not", [this] { return one([](int64_t x) { return x == 0; }); })
      .Case("Add", [this] { return two([](int64_t x, int64_t y) -> Optional { return llvm::checkedAdd(x, y); }); })
      .Case("Sub", [this] { return two([](int64_t x, int64_t y) -> Optional { return llvm::checkedSub(x, y); }); })
      .Case("Mul", [this] { return two([](int64_t x, int64_t y) -> Optional { return llvm::checkedMul(x, y); }); })
      .Case("Div", [this, divide] { return two(divide); })
      .Case("Min", [this] { return two([](int64_t x, int64_t y) -> Optional { return std::min(x, y); }); })
      .Case("Max", [this] { return two([](int64_t x, int64_t y) -> Optional { return std::max(x, y); }); })
      .Case("Equal", [this] { return two([](int64_t x, int64_t y) -> Optional { return x == y; }, true); })
      .Case("Less", [this] { return two([](int64_t x, int64_t y) -> Optional { return x < y; }, true); })
      .Case("Greater", [this] { return two([](int64_t x, int64_t y) -> Optional { return x > y; }, true); })
      .Case("And", [this] { return two([](int64_t x, int64_t y) -> Optional { return x && y; }, true); })
      .Case("Or", [this] { return two([](int64_t x, int64_t y) -> Optional { return x || y; }, true); })
      .Default(F());
}

ElementsAttr Evaluator::run() {
  F compute = chosen();
  Result result = compute ? compute() : std::nullopt;
  // Each operator bounds the elements of its result, and some add dimensions of size 1.
  return result && result->shape.size() <= kMostRank ? attributeOf(*result) : ElementsAttr();
}

ElementsAttr opc::graph::evaluateShapes(NodeOp node) {
  return Evaluator(node).run();
}

bool opc::graph::mayComputeShapes(NodeOp node) {
  return Evaluator(node).knows();
}

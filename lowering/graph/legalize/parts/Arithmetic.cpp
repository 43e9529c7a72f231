// Rewrites casts, reductions, bounds, products and norms as simpler nodes.

#include "lowering/graph/legalize/parts/Decompose.h"
#include "lowering/graph/legalize/parts/Decomposer.h"

#include "dialect/aicore/Tiles.h"

using namespace mlir;
using namespace opc;
using namespace opc::graph;

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
  std::optional<Shape> axes = has(1) ? list("axes", 1) : std::optional(Shape());
  if (integer("noop_with_empty_axes", 0) == 0 || !axes)
    return false;
  if (axes->empty()) {
    // A reduction without axes works on each element alone; further arithmetic is a separate computation.
    if (!llvm::is_contained({"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd"}, node.getOp()))
      return false;
    finish(0, node.getOperand(0));
    return true;
  }
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
  // A plain product with a transposed operand would be this node again.
  const bool isProduct = !has(2) && alpha == 1;
  if (!type || !has(1) || !isa<FloatType>(type.getElementType()) || (isProduct && (turnsA != 0 || turnsB != 0)))
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

/// Vectors become matrices, and broadcast stacks of matrices are expanded.
bool Decomposer::matMul() {
  RankedTensorType left = typeOf(0), right = typeOf(1);
  if (!left || !right || left.getRank() < 1 || right.getRank() < 1)
    return false;
  Shape a(left.getShape()), b(right.getShape());
  const bool isRow = a.size() == 1, isColumn = b.size() == 1;
  if (isRow)
    a.insert(a.begin(), 1);
  if (isColumn)
    b.push_back(1);
  Shape stack, made;
  const size_t depth = std::max(a.size(), b.size()) - 2;
  for (size_t i = 0; i < depth; ++i) {
    auto sizeOf = [&](ArrayRef<int64_t> shape) {
      const size_t missing = depth + 2 - shape.size();
      return i < missing ? 1 : shape[i - missing];
    };
    const int64_t one = sizeOf(a), other = sizeOf(b);
    if (one != other && one != 1 && other != 1)
      return false;
    stack.push_back(one == 1 ? other : one);
  }
  auto onStack = [&](ArrayRef<int64_t> shape) {
    Shape whole = stack;
    whole.append(shape.end() - 2, shape.end());
    return whole;
  };
  // One matrix on the right serves all rows of a stack.
  const bool hasStacks = b.size() > 2, repeats = hasStacks && (onStack(a) != a || onStack(b) != b);
  if ((!repeats && !isRow && !isColumn) || !elementsOf(onStack(a), kMostWritten) ||
      !elementsOf(onStack(b), kMostWritten))
    return false;
  auto prepared = [&](unsigned number, ArrayRef<int64_t> from, ArrayRef<int64_t> shape) {
    Value operand = node.getOperand(number);
    if (from.size() != shape.size())
      operand = reshaped(operand, shape);
    return hasStacks && onStack(shape) != Shape(shape) ? value("Expand", {operand, wholes(onStack(shape))}) : operand;
  };
  Value first = prepared(0, left.getShape(), a), second = prepared(1, right.getShape(), b);
  Value product = value("MatMul", {first, second});
  made = stack;
  if (!isRow)
    made.push_back(a[a.size() - 2]);
  if (!isColumn)
    made.push_back(b.back());
  finish(0, isRow || isColumn ? reshaped(product, made) : product);
  return true;
}

bool Decomposer::sum() {
  if (node.getNumOperands() > kMaxCount) {
    finish(0, value("Sum", inGroups("Sum")));
    return true;
  }
  Value made = node.getOperand(0);
  for (Value operand : node.getOperands().drop_front())
    made = value("Add", {made, operand});
  finish(0, made);
  return true;
}

/// The mean of one is it; of more than a contract takes it is their sum by their number.
bool Decomposer::mean() {
  RankedTensorType type = typeOf(0);
  const unsigned count = node.getNumOperands();
  if (count == 1) {
    finish(0, node.getOperand(0));
    return true;
  }
  if (!type || !isa<FloatType>(type.getElementType()) || count <= kMaxCount)
    return false;
  Value sum = value("Sum", inGroups("Sum"));
  finish(0, value("Mul", {sum, splat({}, type.getElementType(), 1.0 / count)}));
  return true;
}

/// Floats with exponents that are integers, as floats.
bool Decomposer::power() {
  RankedTensorType base = typeOf(0), exponent = typeOf(1);
  if (!base || !exponent || !isa<FloatType>(base.getElementType()) ||
      base.getElementType() == exponent.getElementType())
    return false;
  finish(0, value("Pow", {node.getOperand(0), cast(node.getOperand(1), base.getElementType())}));
  return true;
}

/// Max and Min of integers become selects, and those of more than two operands become chains.
bool Decomposer::bounds() {
  RankedTensorType type = typeOf(0);
  if (!type)
    return false;
  if (node.getNumOperands() > kMaxCount) {
    finish(0, value(node.getOp(), inGroups(node.getOp())));
    return true;
  }
  if (node.getNumOperands() != 2) {
    Value made = node.getOperand(0);
    for (Value operand : node.getOperands().drop_front())
      made = value(node.getOp(), {made, operand});
    finish(0, made);
    return true;
  }
  if (!isa<IntegerType>(type.getElementType()) || type.getElementType().isInteger(1))
    return false;
  Value first = node.getOperand(0), second = node.getOperand(1);
  Value isLess = value("Less", {first, second});
  finish(0, value("Where", node.getOp() == "Max" ? ArrayRef<Value>{isLess, second, first}
                                                 : ArrayRef<Value>{isLess, first, second}));
  return true;
}

/// Quotients of bytes in float32, which is exact up to the truncation.
bool Decomposer::quotient() {
  RankedTensorType type = typeOf(0);
  if (!type || !has(1) || !(type.getElementType().isSignlessInteger(8) || type.getElementType().isUnsignedInteger(8)))
    return false;
  Type real = builder.getF32Type();
  Value made = value("Div", {cast(node.getOperand(0), real), cast(node.getOperand(1), real)});
  finish(0, cast(made, type.getElementType()));
  return true;
}

/// Along another axis than the last: the channel form, or transposes around it. Before opset 13 along all dimensions
/// from the axis on.
bool Decomposer::softmax() {
  RankedTensorType type = typeOf(0);
  std::optional<size_t> axis = type ? place(integer("axis", opset < 13 ? 1 : -1), type.getRank()) : std::nullopt;
  if (!axis)
    return false;
  const auto rank = static_cast<size_t>(type.getRank());
  ArrayRef<int64_t> shape = type.getShape();
  auto product = [](ArrayRef<int64_t> sizes) { return elementsOf(sizes, INT64_MAX); };
  std::optional<int64_t> before = product(shape.take_front(*axis)),
                         behind = product(shape.drop_front(opset < 13 ? *axis : *axis + 1));
  if (!before || !behind)
    return false;
  if (opset < 13) {
    Value rows = reshaped(node.getOperand(0), {*before, *behind});
    finish(0, reshaped(value(node.getOp(), rows, named("axis", -1)), shape));
    return true;
  }
  if (*axis + 1 == rank)
    return false;
  if (node.getOp() == "Softmax") {
    if (*axis == 1)
      return false;
    Value channels = reshaped(node.getOperand(0), {*before, shape[*axis], *behind});
    finish(0, reshaped(value("Softmax", channels, named("axis", 1)), shape));
    return true;
  }
  Shape order = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  std::swap(order[*axis], order.back());
  Value rows = value(node.getOp(), transposed(node.getOperand(0), order), named("axis", -1));
  finish(0, transposed(rows, order));
  return true;
}

/// Over the dimensions from `axis` on as rows of a matrix; mean and deviation by reductions, if they are used.
bool Decomposer::layerNormalization() {
  RankedTensorType type = typeOf(0);
  std::optional<size_t> axis = type ? place(integer("axis", -1), type.getRank()) : std::nullopt;
  auto given = dyn_cast_or_null<FloatAttr>(parameter("epsilon"));
  if (!axis || !isa<FloatType>(type.getElementType()) || !has(1) || integer("stash_type", 1) != 1 ||
      node.getNumResults() > 3)
    return false;
  ArrayRef<int64_t> shape = type.getShape();
  std::optional<int64_t> rows = elementsOf(shape.take_front(*axis), INT64_MAX),
                         columns = elementsOf(shape.drop_front(*axis), INT64_MAX);
  if (!rows || !columns || *columns < 1 || *columns > kMostWritten)
    return false;
  const bool readsMoments = node.getNumResults() > 1 && !llvm::all_of(node.getResults().drop_front(),
                                                                      [](Value result) { return result.use_empty(); });
  const bool isLast = *axis + 1 == shape.size();
  if (isLast && has(2) && node.getNumResults() == 1)
    return false;
  const Shape normal(shape.drop_front(*axis)), matrix = {*rows, *columns};
  auto column = [&](unsigned number, double otherwise) {
    if (!has(number))
      return splat(*columns, type.getElementType(), otherwise);
    RankedTensorType own = typeOf(number);
    Value operand = node.getOperand(number);
    if (own && own.getShape() != ArrayRef(normal))
      operand = value("Expand", {operand, wholes(normal)});
    return isLast ? operand : reshaped(operand, *columns);
  };
  Value from = isLast && !readsMoments ? node.getOperand(0) : reshaped(node.getOperand(0), matrix);
  SmallVector<NamedAttribute> parameters = {named("axis", -1)};
  if (given)
    parameters.push_back(builder.getNamedAttr("epsilon", given));
  Value made = value("LayerNormalization", {from, column(1, 1), column(2, 0)}, parameters);
  finish(0, from == node.getOperand(0) ? made : reshaped(made, shape));
  if (!readsMoments)
    return true;
  // In float32, for operands of any type.
  Type real = builder.getF32Type();
  Value wide = type.getElementType() == real ? from : cast(from, real);
  auto mean = [&](Value of) { return value("ReduceMean", {of, wholes(1)}, named("keepdims", 1)); };
  Value middle = mean(wide);
  Value apart = value("Sub", {wide, middle});
  Value variance = mean(value("Mul", {apart, apart}));
  const double epsilon = given ? given.getValueAsDouble() : 1e-5;
  Value deviation = value("Sqrt", value("Add", {variance, splat({}, real, epsilon)}));
  Shape kept(shape.take_front(*axis));
  kept.append(shape.size() - *axis, 1);
  if (!node.getResult(1).use_empty())
    finish(1, reshaped(middle, kept));
  if (node.getNumResults() > 2 && !node.getResult(2).use_empty())
    finish(2, reshaped(value("Reciprocal", deviation), kept));
  return true;
}

/// Positions of the kernel, converted to ONNX's type.
bool Decomposer::position() {
  RankedTensorType type = typeOf(0);
  std::optional<size_t> axis = type ? place(integer("axis", 0), type.getRank()) : std::nullopt;
  if (!axis)
    return false;
  const Named parameters[] = {named("axis", static_cast<int64_t>(*axis)),
                              named("select_last_index", integer("select_last_index", 0))};
  NodeOp found = emit(node.getOp(), node.getOperand(0), parameters, kOwnDomain);
  Shape kept(type.getShape());
  kept[*axis] = 1;
  if (integer("keepdims", 1) == 0)
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(*axis));
  finish(0, cast(reshaped(found.getResult(0), kept), builder.getI64Type()));
  return true;
}

/// Normalises by the mean and the variance of this batch, and updates the node's running statistics.
bool Decomposer::batchNormalization() {
  RankedTensorType type = typeOf(0);
  if (!type || !type.getElementType().isF32() || type.getRank() < 2 || integer("training_mode", 0) == 0 ||
      node.getNumResults() != 3)
    return false;
  for (unsigned i = 1; i < 5; ++i)
    if (!typeOf(i) || typeOf(i).getElementType() != type.getElementType() || typeOf(i).getRank() != 1)
      return false;
  SmallVector<NamedAttribute> parameters;
  if (Attribute epsilon = parameter("epsilon"))
    parameters.push_back(builder.getNamedAttr("epsilon", epsilon));
  NodeOp made = emit("BatchNormTraining", {node.getOperand(0), node.getOperand(1), node.getOperand(2)}, parameters,
                     kOwnDomain, 3);
  finish(0, made.getResult(0));
  auto given = dyn_cast_or_null<FloatAttr>(parameter("momentum"));
  const double momentum = given ? given.getValueAsDouble() : 0.9;
  for (unsigned i = 1; i < 3; ++i) {
    Value kept = value("Mul", {node.getOperand(2 + i), splat({}, type.getElementType(), momentum)});
    Value own = value("Mul", {made.getResult(i), splat({}, type.getElementType(), 1 - momentum)});
    finish(i, value("Add", {kept, own}));
  }
  return true;
}

/// x / (bias + alpha * mean of the squares around a channel) ^ beta: channels as rows of planes; padding zeros count.
bool Decomposer::localNormalization() {
  RankedTensorType type = typeOf(0);
  const int64_t size = integer("size", 0);
  if (!type || type.getRank() < 3 || !isa<FloatType>(type.getElementType()) || size < 1 || size > kMostWritten)
    return false;
  std::optional<int64_t> plane = elementsOf(type.getShape().drop_front(2), INT64_MAX);
  if (!plane)
    return false;
  auto number = [&](StringRef name, double otherwise) {
    auto given = dyn_cast_or_null<FloatAttr>(parameter(name));
    return splat({}, type.getElementType(), given ? given.getValueAsDouble() : otherwise);
  };
  Value own = node.getOperand(0);
  Value squares = reshaped(value("Mul", {own, own}), {type.getDimSize(0), 1, type.getDimSize(1), *plane});
  const Named windows[] = {named("kernel_shape", {size, 1}), named("strides", {1, 1}), named("count_include_pad", 1),
                           named("pads", {(size - 1) / 2, 0, size / 2, 0})};
  Value mean = reshaped(value("AveragePool", squares, windows), type.getShape());
  Value base = value("Add", {value("Mul", {mean, number("alpha", 1e-4)}), number("bias", 1)});
  finish(0, value("Div", {own, value("Pow", {base, number("beta", 0.75)})}));
  return true;
}

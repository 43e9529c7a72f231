// Rewrites norms and softmax along any axes as those of rows and as simpler nodes.

#include "lowering/graph/legalize/parts/Decompose.h"
#include "lowering/graph/legalize/parts/Decomposer.h"

using namespace mlir;
using namespace opc;
using namespace opc::graph;

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
  Attribute given = parameter("epsilon");
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
  Type wideType = builder.getF32Type();
  Value wide = converted(from, type.getElementType(), wideType);
  auto mean = [&](Value of) { return value("ReduceMean", {of, wholes(1)}, named("keepdims", 1)); };
  Value middle = mean(wide);
  Value apart = value("Sub", {wide, middle});
  Value variance = mean(value("Mul", {apart, apart}));
  Value deviation = value("Sqrt", value("Add", {variance, splat({}, wideType, real("epsilon", 1e-5))}));
  Shape kept(shape.take_front(*axis));
  kept.append(shape.size() - *axis, 1);
  if (!node.getResult(1).use_empty())
    finish(1, reshaped(middle, kept));
  if (node.getNumResults() > 2 && !node.getResult(2).use_empty())
    finish(2, reshaped(value("Reciprocal", deviation), kept));
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
  const double momentum = real("momentum", 0.9);
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
    return splat({}, type.getElementType(), real(name, otherwise));
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

/// Over the dimensions from `axis` on as rows of a matrix, with a scale for each element of a row.
bool Decomposer::rmsNormalization() {
  RankedTensorType type = typeOf(0), scale = typeOf(1);
  std::optional<size_t> axis = type ? place(integer("axis", -1), type.getRank()) : std::nullopt;
  if (!axis || !scale || integer("stash_type", 1) != 1 || !isa<FloatType>(type.getElementType()))
    return false;
  ArrayRef<int64_t> shape = type.getShape(), normal = shape.drop_front(*axis);
  std::optional<int64_t> rows = elementsOf(shape.take_front(*axis), INT64_MAX), columns = elementsOf(normal, INT64_MAX);
  // Rows with a scale for each element would be rewritten as this node again.
  if (!rows || !columns || *columns < 1 || *columns > kMostWritten ||
      (normal.size() == 1 && scale.getShape() == normal))
    return false;
  Value factors = node.getOperand(1);
  if (scale.getShape() != normal)
    factors = value("Expand", {factors, wholes(normal)});
  SmallVector<NamedAttribute> parameters = {named("axis", -1)};
  if (Attribute epsilon = parameter("epsilon"))
    parameters.push_back(builder.getNamedAttr("epsilon", epsilon));
  const Value operands[] = {reshaped(node.getOperand(0), {*rows, *columns}), reshaped(factors, *columns)};
  finish(0, reshaped(value("RMSNormalization", operands, parameters), shape));
  return true;
}

/// 1 at the first largest element along an axis, 0 elsewhere; before opset 13 along all dimensions from the axis on.
bool Decomposer::hardmax() {
  RankedTensorType type = typeOf(0);
  std::optional<size_t> axis = type ? place(integer("axis", opset < 13 ? 1 : -1), type.getRank()) : std::nullopt;
  if (!axis || !isa<FloatType>(type.getElementType()))
    return false;
  ArrayRef<int64_t> shape = type.getShape();
  std::optional<int64_t> before = elementsOf(shape.take_front(*axis), INT64_MAX),
                         along = elementsOf(opset < 13 ? shape.drop_front(*axis) : shape.slice(*axis, 1), kMostWritten),
                         behind = elementsOf(opset < 13 ? ArrayRef<int64_t>() : shape.drop_front(*axis + 1), INT64_MAX);
  if (!before || !along || !behind || *along < 1)
    return false;
  const Named parameters[] = {named("axis", 1), named("select_last_index", 0)};
  NodeOp found = emit("ArgMax", reshaped(node.getOperand(0), {*before, *along, *behind}), parameters, kOwnDomain);
  Value places = wholes(llvm::to_vector(llvm::seq<int64_t>(0, *along)), {*along, 1}, 32);
  Value isFirst = value("Equal", {reshaped(found.getResult(0), {*before, 1, *behind}), places});
  finish(0, reshaped(cast(isFirst, type.getElementType()), shape));
  return true;
}

/// x less its mean, divided by its deviation with 1e-9 added, as ONNX defines it; in float32, where 1e-9 is not 0.
bool Decomposer::meanVarianceNormalization() {
  RankedTensorType type = typeOf(0);
  auto given = dyn_cast_or_null<DenseI64ArrayAttr>(parameter("axes"));
  if (!type || !isa<FloatType>(type.getElementType()) || type.getElementType().isF64() || (parameter("axes") && !given))
    return false;
  const Type wide = builder.getF32Type(), element = type.getElementType();
  auto mean = [&](Value from) {
    Value over = given ? wholes(given.asArrayRef()) : wholes({0, 2, 3});
    return value("ReduceMean", {from, over}, named("keepdims", 1));
  };
  Value own = converted(node.getOperand(0), element, wide);
  Value apart = value("Sub", {own, mean(own)});
  Value deviation = value("Sqrt", mean(value("Mul", {apart, apart})));
  Value made = value("Div", {apart, value("Add", {deviation, splat({}, wide, 1e-9)})});
  finish(0, converted(made, wide, element));
  return true;
}

/// x divided by the sum of its magnitudes, or by the root of the sum of its squares, along an axis; zeros stay zeros.
bool Decomposer::lpNormalization() {
  RankedTensorType type = typeOf(0);
  std::optional<size_t> axis = type ? place(integer("axis", -1), type.getRank()) : std::nullopt;
  const int64_t power = integer("p", 2);
  if (!axis || !isa<FloatType>(type.getElementType()) || (power != 1 && power != 2))
    return false;
  const Type element = type.getElementType();
  Value own = node.getOperand(0);
  Value norm =
      value(power == 1 ? "ReduceL1" : "ReduceL2", {own, wholes(static_cast<int64_t>(*axis))}, named("keepdims", 1));
  Value isNone = value("Equal", {norm, splat({}, element, 0)});
  finish(0, value("Div", {own, value("Where", {isNone, splat({}, element, 1), norm})}));
  return true;
}

/// Over any axes as over rows: after a transpose that makes these axes the last ones, and a reshape that joins them.
bool Decomposer::logSumExp() {
  RankedTensorType type = typeOf(0);
  std::optional<Shape> listed = type ? reducedAxes(type.getRank()) : std::nullopt;
  if (!listed || !isa<FloatType>(type.getElementType()))
    return false;
  ArrayRef<int64_t> shape = type.getShape();
  const bool keeps = integer("keepdims", 1) != 0;
  Shape order, reduced, made, rows;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    const bool isReduced = llvm::is_contained(*listed, i);
    (isReduced ? reduced : order).push_back(i);
    if (!isReduced || keeps)
      made.push_back(isReduced ? 1 : shape[static_cast<size_t>(i)]);
    if (!isReduced)
      rows.push_back(shape[static_cast<size_t>(i)]);
  }
  llvm::append_range(order, reduced);
  int64_t elements = 1;
  for (int64_t axis : reduced)
    elements *= shape[static_cast<size_t>(axis)];
  // Rows whose dimension stays would be this node again.
  if (const std::optional<Shape> written = list("axes", 1); keeps && has(1) && written && *written == Shape{-1})
    return false;
  Value from = node.getOperand(0);
  if (!llvm::is_sorted(order))
    from = transposed(from, order);
  rows.push_back(elements);
  from = reshaped(from, rows);
  finish(0, reshaped(value("ReduceLogSumExp", {from, wholes(-1)}, named("keepdims", 1)), made));
  return true;
}

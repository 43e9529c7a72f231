// Rewrites casts, reductions, bounds, comparisons and products as simpler nodes.

#include "lowering/graph/legalize/parts/Decompose.h"
#include "lowering/graph/legalize/parts/Decomposer.h"

#include "dialect/aicore/Tiles.h"

#include <limits>

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

/// A Cast to the type of the second operand, which is not read.
bool Decomposer::castLike() {
  RankedTensorType type = typeOf(0), like = typeOf(1);
  if (!type || !like || onnxElementType(like.getElementType()) == onnx::ElementType::Undefined)
    return false;
  finish(0, converted(node.getOperand(0), type.getElementType(), like.getElementType()));
  return true;
}

/// The axes of a reduction in order; all axes if the node names none. nullopt if they are not known.
std::optional<NodeReader::Shape> Decomposer::reducedAxes(int64_t rank) {
  std::optional<Shape> listed = axes("axes", 1, rank);
  if (!listed)
    return std::nullopt;
  if (listed->empty())
    return llvm::to_vector(llvm::seq<int64_t>(0, rank));
  Shape found;
  for (int64_t each : *listed) {
    std::optional<size_t> axis = place(each, rank);
    if (!axis || llvm::is_contained(found, static_cast<int64_t>(*axis)))
      return std::nullopt;
    found.push_back(static_cast<int64_t>(*axis));
  }
  llvm::sort(found);
  return found;
}

/// The maximum or the minimum of no floats, or the logarithm of their sum: an infinity. Results without elements are
/// constants too.
bool Decomposer::reduceNothing(RankedTensorType type) {
  std::optional<Shape> listed = reducedAxes(type.getRank());
  const bool isMinimum = node.getOp() == "ReduceMin";
  if (!listed || !isa<FloatType>(type.getElementType()) ||
      !llvm::is_contained({"ReduceMax", "ReduceMin", "ReduceLogSumExp"}, node.getOp()))
    return false;
  Shape made;
  bool isOfNothing = false;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    const bool isReduced = llvm::is_contained(*listed, i);
    isOfNothing |= isReduced && type.getDimSize(static_cast<unsigned>(i)) == 0;
    if (!isReduced || integer("keepdims", 1) != 0)
      made.push_back(isReduced ? 1 : type.getDimSize(static_cast<unsigned>(i)));
  }
  if ((!isOfNothing && !llvm::is_contained(made, 0)) || !elementsOf(made, kMostWritten))
    return false;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  finish(0, splat(made, type.getElementType(), isMinimum ? infinity : -infinity));
  return true;
}

bool Decomposer::reduce() {
  RankedTensorType type = typeOf(0);
  std::optional<Shape> axes = has(1) ? list("axes", 1) : std::optional(Shape());
  if (!type || !axes)
    return false;
  if (integer("noop_with_empty_axes", 0) == 0)
    return reduceNothing(type) || (node.getOp() == "ReduceLogSumExp" && logSumExp());
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
  const double alpha = real("alpha", 1), beta = real("beta", 1);
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

/// Vectors become matrices. Stacks of matrices that broadcast are expanded for a library whose products do not
/// broadcast at launch.
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
  if (isRow || isColumn) {
    auto matrix = [&](unsigned number, bool isVector, ArrayRef<int64_t> shape) {
      return isVector ? reshaped(node.getOperand(number), shape) : node.getOperand(number);
    };
    Value product = value("MatMul", {matrix(0, isRow, a), matrix(1, isColumn, b)});
    made = stack;
    if (!isRow)
      made.push_back(a[a.size() - 2]);
    if (!isColumn)
      made.push_back(b.back());
    finish(0, reshaped(product, made));
    return true;
  }
  auto onStack = [&](ArrayRef<int64_t> shape) {
    Shape whole = stack;
    whole.append(shape.end() - 2, shape.end());
    return whole;
  };
  // One matrix on the right serves all rows of a stack.
  const bool repeats = b.size() > 2 && (onStack(a) != a || onStack(b) != b);
  if (!repeats || !elementsOf(onStack(a), kMostWritten) || !elementsOf(onStack(b), kMostWritten))
    return false;
  auto expanded = [&](unsigned number, ArrayRef<int64_t> shape) {
    Value operand = node.getOperand(number);
    return onStack(shape) != Shape(shape) ? value("Expand", {operand, wholes(onStack(shape))}) : operand;
  };
  finish(0, value("MatMul", {expanded(0, a), expanded(1, b)}));
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

/// The mean of one operand is the operand; that of more operands than a contract accepts is their sum divided by their
/// number.
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

/// Powers of floats with integer exponents: the exponents become floats. Of two integers the narrower one is widened:
/// the last digits of a product are those of a wider one.
bool Decomposer::power() {
  RankedTensorType base = typeOf(0), exponent = typeOf(1);
  if (!base || !exponent || base.getElementType() == exponent.getElementType())
    return false;
  const Type own = base.getElementType(), other = exponent.getElementType();
  if (isa<FloatType>(own)) {
    finish(0, value("Pow", {node.getOperand(0), cast(node.getOperand(1), own)}));
    return true;
  }
  if (!own.isSignlessInteger() || !other.isSignlessInteger())
    return false;
  const Type wide = own.getIntOrFloatBitWidth() < other.getIntOrFloatBitWidth() ? other : own;
  Value made = value("Pow", {converted(node.getOperand(0), own, wide), converted(node.getOperand(1), other, wide)});
  finish(0, converted(made, wide, own));
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

/// In order, which serves a node that takes the results in any.
bool Decomposer::topK() {
  RankedTensorType type = typeOf(0);
  std::optional<size_t> axis = type ? place(integer("axis", -1), type.getRank()) : std::nullopt;
  if (!axis || node.getNumOperands() != 2 || !has(1))
    return false;
  const Named parameters[] = {named("axis", static_cast<int64_t>(*axis)), named("largest", integer("largest", 1))};
  NodeOp found = emit("TopK", {node.getOperand(0), node.getOperand(1)}, parameters, kOwnDomain, /*results=*/2);
  finish(0, found.getResult(0));
  if (node.getNumResults() > 1)
    finish(1, cast(found.getResult(1), builder.getI64Type()));
  return true;
}

/// Infinities of one sign are equal to it; those of no sign are none.
bool Decomposer::isInfinite() {
  RankedTensorType type = typeOf(0);
  const bool ofPositive = integer("detect_positive", 1) != 0, ofNegative = integer("detect_negative", 1) != 0;
  if (!type || !isa<FloatType>(type.getElementType()) || (ofPositive && ofNegative) ||
      (!ofPositive && !ofNegative && !elementsOf(type.getShape(), kMostWritten)))
    return false;
  if (!ofPositive && !ofNegative) {
    finish(0, splat(type.getShape(), builder.getI1Type(), 0));
    return true;
  }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  finish(0, value("Equal", {node.getOperand(0), splat({}, type.getElementType(), ofPositive ? infinity : -infinity)}));
  return true;
}

/// Integers are never unordered: x > y is y < x, and x >= y is not x < y.
bool Decomposer::comparison() {
  RankedTensorType type = typeOf(0);
  if (!type || !has(1) || !isa<IntegerType>(type.getElementType()))
    return false;
  const StringRef op = node.getOp();
  Value first = node.getOperand(0), second = node.getOperand(1);
  if (op == "Greater" || op == "LessOrEqual")
    std::swap(first, second);
  Value isLess = value("Less", {first, second});
  finish(0, op == "Greater" ? isLess : value("Not", isLess));
  return true;
}

/// The sine divided by the cosine.
bool Decomposer::tangent() {
  RankedTensorType type = typeOf(0);
  if (!type || !isa<FloatType>(type.getElementType()))
    return false;
  Value own = node.getOperand(0);
  finish(0, value("Div", {value("Sin", own), value("Cos", own)}));
  return true;
}

/// a * sigmoid(alpha * a) * b.
bool Decomposer::swiGlu() {
  RankedTensorType type = typeOf(0);
  if (!type || !isa<FloatType>(type.getElementType()) || !has(1) || typeOf(1) != type)
    return false;
  Value gate = node.getOperand(0), inner = gate;
  const double alpha = real("alpha", 1);
  if (alpha != 1)
    inner = value("Mul", {gate, splat({}, type.getElementType(), alpha)});
  Value open = value("Mul", {gate, value("Sigmoid", inner)});
  finish(0, value("Mul", {open, node.getOperand(1)}));
  return true;
}

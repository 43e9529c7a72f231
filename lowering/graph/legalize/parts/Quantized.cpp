// Integers that stand for numbers: products of bytes with zero points, convolutions of bytes, and numbers as bytes by
// the least and the largest of them.

#include "lowering/graph/legalize/parts/Windows.h"

using namespace mlir;
using namespace opc;
using namespace opc::graph;

static bool isByte(Type type) {
  return type.isSignlessInteger(8) || type.isUnsignedInteger(8);
}

/// A zero point as int32, of any shape; null where it is left out, or is a constant of zeros.
Value Decomposer::zeroPoint(unsigned operand) {
  if (!has(operand))
    return {};
  std::optional<Shape> known = graph::integersOf(constantOf(node.getOperand(operand)));
  if (known && llvm::all_of(*known, [](int64_t number) { return number == 0; }))
    return {};
  return cast(node.getOperand(operand), builder.getI32Type());
}

bool Decomposer::areReal(ArrayRef<unsigned> operands) {
  return llvm::all_of(
      operands, [&](unsigned operand) { return typeOf(operand) && isa<FloatType>(typeOf(operand).getElementType()); });
}

/// A scale as float32.
Value Decomposer::scaleOf(unsigned operand) {
  Value own = node.getOperand(operand);
  return typeOf(operand).getElementType().isF32() ? own : cast(own, builder.getF32Type());
}

/// Whether an operand is left out, or is one number, or one for each of `columns`.
bool Decomposer::isOneOr(unsigned operand, int64_t columns) {
  RankedTensorType type = typeOf(operand);
  return !has(operand) || (type && type.getRank() <= 1 &&
                           (type.getNumElements() == 1 || (type.getRank() == 1 && type.getNumElements() == columns)));
}

/// (a - p)(b - q) = a b - p (sums of columns of b) - (sums of rows of a) q + K p q, each a product of bytes.
bool Decomposer::matMulInteger() {
  RankedTensorType left = typeOf(0), right = typeOf(1);
  if (!left || !right || left.getRank() < 2 || right.getRank() != 2 || !isByte(left.getElementType()) ||
      !isByte(right.getElementType()) || left.getShape().back() != right.getDimSize(0) ||
      right.getDimSize(0) > kMostWritten || node.getNumOperands() < 3 || !isOneOr(2, 1) ||
      !isOneOr(3, right.getDimSize(1)))
    return false;
  finish(0, productOfBytes(node.getOperand(0), node.getOperand(1), right.getShape(), zeroPoint(2), zeroPoint(3)));
  return true;
}

Value Decomposer::productOfBytes(Value left, Value right, ArrayRef<int64_t> shape, Value leftZero, Value rightZero) {
  const int64_t depth = shape[0];
  Type byte = builder.getI8Type(), whole = builder.getI32Type();
  Value made = value("MatMulInteger", {left, right});
  if (leftZero) {
    Value columns = value("MatMulInteger", {splat({1, depth}, byte, 1), right});
    made = value("Sub", {made, value("Mul", {columns, leftZero})});
  }
  if (rightZero) {
    Value rows = value("MatMulInteger", {left, splat({depth, 1}, byte, 1)});
    made = value("Sub", {made, value("Mul", {rows, rightZero})});
  }
  if (leftZero && rightZero)
    made = value("Add", {made, value("Mul", {value("Mul", {leftZero, rightZero}), splat({}, whole, double(depth))})});
  return made;
}

/// The elements of each window side by side, padding as the zero point, and a product of bytes. Operands are the places
/// of x, its zero point, the filters and their zero point; null where the node is not of this form.
Value Decomposer::convOfBytes(unsigned x, unsigned xZero, unsigned w, unsigned wZero) {
  RankedTensorType type = typeOf(x), weights = typeOf(w);
  Windows windows;
  if (!type || !weights || type.getRank() < 3 || weights.getRank() != type.getRank() ||
      !isByte(type.getElementType()) || !isByte(weights.getElementType()) || integer("group", 1) != 1 ||
      weights.getDimSize(1) != type.getDimSize(1) || type.getDimSize(0) < 1 || type.getDimSize(1) < 1 ||
      weights.getDimSize(0) < 1 || !isOneOr(xZero, 1) || !isOneOr(wZero, weights.getDimSize(0)) ||
      !readWindows(type.getShape().drop_front(2), weights.getShape().drop_front(2), windows) ||
      llvm::any_of(windows.counts(), [](int64_t count) { return count < 1; }))
    return {};
  const int64_t batch = type.getDimSize(0), channels = type.getDimSize(1), filters = weights.getDimSize(0);
  const Shape counts = windows.counts();
  std::optional<int64_t> made = elementsOf(counts, kMostWritten), taps = elementsOf(windows.kernel, kMostWritten),
                         plane = elementsOf(windows.sizes, kMostWritten);
  if (!made || !taps || !plane || !elementsOf({batch, channels, *made, *taps}, kMostWritten * 4) ||
      !elementsOf({*made, *taps}, kMostWritten))
    return {};
  Shape places;
  SmallVector<bool> isPadding;
  for (int64_t window = 0; window < *made; ++window)
    for (int64_t tap = 0; tap < *taps; ++tap) {
      const std::optional<int64_t> place = windows.placeOf(window, tap);
      places.push_back(place.value_or(0));
      isPadding.push_back(!place);
    }
  Value from = reshaped(node.getOperand(x), {batch, channels, *plane});
  from = gathered(from, places, 2, {*made, *taps});
  if (llvm::is_contained(isPadding, true)) {
    Value padding =
        constant(DenseElementsAttr::get(RankedTensorType::get({*made, *taps}, builder.getI1Type()), isPadding));
    Value zero = has(xZero) ? reshaped(node.getOperand(xZero), {}) : splat({}, type.getElementType(), 0);
    from = value("Where", {padding, zero, from});
  }
  from = reshaped(transposed(from, {0, 2, 1, 3}), {batch * *made, channels * *taps});
  Value rows = transposed(reshaped(node.getOperand(w), {filters, channels * *taps}), {1, 0});
  Value product = productOfBytes(from, rows, {channels * *taps, filters}, zeroPoint(xZero), zeroPoint(wZero));
  Shape shape = {batch, filters};
  llvm::append_range(shape, counts);
  return reshaped(transposed(reshaped(product, {batch, *made, filters}), {0, 2, 1}), shape);
}

bool Decomposer::convInteger() {
  Value made = convOfBytes(0, 2, 1, 3);
  if (!made)
    return false;
  finish(0, made);
  return true;
}

/// Sums of products as numbers, and these as bytes.
bool Decomposer::quantizedConv() {
  RankedTensorType scale = typeOf(4);
  if (!scale || !typeOf(3) || !isOneOr(4, typeOf(3).getDimSize(0)) || !isOneOr(1, 1) || !isOneOr(6, 1) ||
      !isOneOr(7, 1) || !has(1) || !has(6) || !has(7))
    return false;
  if (!areReal({1, 4, 6}))
    return false;
  Value made = convOfBytes(0, 2, 3, 5);
  if (!made)
    return false;
  Shape channel(static_cast<size_t>(typeOf(0).getRank()) - 1, 1);
  auto ofChannels = [&](unsigned operand) {
    channel[0] = typeOf(operand).getNumElements();
    return reshaped(operand == 4 ? scaleOf(operand) : node.getOperand(operand), channel);
  };
  if (has(8))
    made = value("Add", {made, ofChannels(8)});
  finish(0, requantized(made, value("Mul", {reshaped(scaleOf(1), {}), ofChannels(4)}), 6, 7));
  return true;
}

bool Decomposer::quantizedMatMul() {
  RankedTensorType left = typeOf(0), right = typeOf(3);
  if (!left || !right || left.getRank() < 2 || right.getRank() != 2 || !isByte(left.getElementType()) ||
      !isByte(right.getElementType()) || left.getShape().back() != right.getDimSize(0))
    return false;
  for (unsigned operand : {1u, 2u, 6u, 7u})
    if (!has(operand) || !isOneOr(operand, 1))
      return false;
  for (unsigned operand : {4u, 5u})
    if (!has(operand) || !isOneOr(operand, right.getDimSize(1)))
      return false;
  if (!areReal({1, 4, 6}))
    return false;
  Value made = productOfBytes(node.getOperand(0), node.getOperand(3), right.getShape(), zeroPoint(2), zeroPoint(5));
  finish(0, requantized(made, value("Mul", {scaleOf(1), scaleOf(4)}), 6, 7));
  return true;
}

/// Sums by the scale of their products, as bytes of another scale and zero point, which are operands.
Value Decomposer::requantized(Value sums, Value scale, unsigned own, unsigned zero) {
  Value number = value("Mul", {cast(sums, builder.getF32Type()), scale});
  return value("QuantizeLinear", {number, reshaped(scaleOf(own), {}), reshaped(node.getOperand(zero), {})});
}

/// The range of numbers, with 0 in it, as 0 to 255. Of zeros alone the scale is 1.
bool Decomposer::dynamicQuantize() {
  RankedTensorType type = typeOf(0);
  if (!type || !type.getElementType().isF32() || type.getNumElements() < 1 || node.getNumResults() != 3)
    return false;
  Type real = type.getElementType();
  auto number = [&](double of) { return splat({}, real, of); };
  Value flat = reshaped(node.getOperand(0), type.getNumElements());
  Value most = value("Max", {value("ReduceMax", {flat, wholes(0)}, named("keepdims", int64_t(0))), number(0)});
  Value least = value("Min", {value("ReduceMin", {flat, wholes(0)}, named("keepdims", int64_t(0))), number(0)});
  Value step = value("Div", {value("Sub", {most, least}), number(255)});
  step = value("Where", {value("Equal", {step, number(0)}), number(1), step});
  Value zero = value("Round", value("Div", {value("Sub", {number(0), least}), step}));
  zero = cast(value("Min", {value("Max", {zero, number(0)}), number(255)}), builder.getIntegerType(8, false));
  finish(0, value("QuantizeLinear", {node.getOperand(0), step, zero}));
  finish(1, step);
  finish(2, zero);
  return true;
}

// Rewrites quantised operators: products of bytes with zero points, convolutions of bytes, and quantisation by the
// minimum and maximum.

#include "lowering/graph/legalize/parts/Decompose.h"
#include "lowering/graph/legalize/parts/Windows.h"

#include "dialect/aicore/Tiles.h"

using namespace mlir;
using namespace opc;
using namespace opc::graph;

static bool isByte(Type type) {
  return type.isSignlessInteger(8) || type.isUnsignedInteger(8);
}

/// Whether all elements of a constant are 0.
static bool isZero(Value value) {
  std::optional<SmallVector<int64_t>> known = graph::integersOf(constantOf(value));
  return known && llvm::all_of(*known, [](int64_t number) { return number == 0; });
}

/// A zero point as int32, or a scale as float32, of the rows of a product, [1] or [M, 1], or of its columns, [1] or
/// [N]. Null if it is omitted, or is a constant of zeros.
Value Decomposer::meeting(unsigned operand, Type type, bool isOfRows) {
  if (!has(operand) || isZero(node.getOperand(operand)))
    return {};
  RankedTensorType own = typeOf(operand);
  Value found = converted(node.getOperand(operand), own.getElementType(), type);
  if (own.getNumElements() == 1)
    return reshaped(found, {1});
  return isOfRows && own.getRank() == 1 ? reshaped(found, {own.getDimSize(0), 1}) : found;
}

bool Decomposer::areReal(ArrayRef<unsigned> operands) {
  return llvm::all_of(
      operands, [&](unsigned operand) { return typeOf(operand) && isa<FloatType>(typeOf(operand).getElementType()); });
}

/// A scale as float32.
Value Decomposer::scaleOf(unsigned operand) {
  return converted(node.getOperand(operand), typeOf(operand).getElementType(), builder.getF32Type());
}

/// Whether an operand is omitted, or is one number, or one for each of `columns`.
bool Decomposer::isOneOr(unsigned operand, int64_t columns) {
  RankedTensorType type = typeOf(operand);
  return !has(operand) || (type && type.getRank() <= 1 &&
                           (type.getNumElements() == 1 || (type.getRank() == 1 && type.getNumElements() == columns)));
}

/// Whether a zero point is omitted, or has the type of an operand and no more dimensions.
bool Decomposer::isZeroOf(unsigned zero, RankedTensorType type) {
  RankedTensorType own = typeOf(zero);
  return !has(zero) ||
         (own && type && own.getElementType() == type.getElementType() && own.getRank() <= type.getRank());
}

/// Whether operands are bytes that a product supports, their zero points have their types, and the ones for their sums
/// are few enough to be written.
bool Decomposer::isProductOfBytes(unsigned a, unsigned b, unsigned aZero, unsigned bZero) {
  RankedTensorType left = typeOf(a), right = typeOf(b);
  auto isOfBytes = [](RankedTensorType type) {
    return type && isByte(type.getElementType()) && type.getRank() >= 2 && type.hasStaticShape();
  };
  auto areFew = [&](RankedTensorType type) {
    Shape ones(type.getShape().drop_back(2));
    ones.push_back(left.getShape().back());
    return elementsOf(ones, kMostWritten).has_value();
  };
  return isOfBytes(left) && isOfBytes(right) && isZeroOf(aZero, left) && isZeroOf(bZero, right) &&
         left.getShape().back() == right.getShape()[size_t(right.getRank()) - 2] && areFew(right) &&
         (right.getRank() == 2 || (right.getRank() == left.getRank() && areFew(left)));
}

bool Decomposer::matMulInteger() {
  if (node.getNumOperands() < 3 || !isProductOfBytes(0, 1, 2, 3))
    return false;
  Type whole = builder.getI32Type();
  finish(0, productOfBytes(node.getOperand(0), typeOf(0).getShape(), node.getOperand(1), typeOf(1).getShape(),
                           meeting(2, whole, true), meeting(3, whole, false), isOneOr(2, 1)));
  return true;
}

/// The sum of (a - p)(b - q) as the sum of a b - p (sum of b) - (sum of a - K p) q, each a product of bytes: sums are
/// products with ones. It is exact, since int32 wraps around. `shapes` are those of the operands; `ofRows` is p,
/// `ofColumns` is q, both from meeting(); `isOne`: p is one number.
Value Decomposer::productOfBytes(Value left, ArrayRef<int64_t> leftShape, Value right, ArrayRef<int64_t> rightShape,
                                 Value ofRows, Value ofColumns, bool isOne) {
  const int64_t depth = leftShape.back(), columns = rightShape.back();
  const bool isMatrix = rightShape.size() == 2;
  Shape row(rightShape), column(leftShape);
  row[row.size() - 2] = 1;
  row.back() = depth;
  // One matrix for all of a batch, unless the right operand is a batch too.
  if (isMatrix)
    column.resize(2);
  column[column.size() - 2] = depth;
  column.back() = 1;
  Type byte = IntegerType::get(builder.getContext(), 8, IntegerType::Unsigned), whole = builder.getI32Type();
  Value offset;
  if (ofRows)
    offset = value("Mul", {ofRows, value("MatMulInteger", {splat(row, byte, 1), right})});
  if (offset && !ofColumns && isOne && isMatrix)
    return emit("MatMulIntegerOffset", {left, right, reshaped(offset, {columns})}, {}, kOwnDomain).getResult(0);
  Value sums = value("MatMulInteger", {left, right});
  if (offset)
    sums = value("Sub", {sums, offset});
  if (!ofColumns)
    return sums;
  Value ofLeft = value("MatMulInteger", {left, splat(column, byte, 1)});
  if (ofRows)
    ofLeft = value("Sub", {ofLeft, value("Mul", {ofRows, splat({1}, whole, double(depth))})});
  return value("Sub", {sums, value("Mul", {ofLeft, ofColumns})});
}

/// The elements of each window side by side, with the zero point as padding, and a product of bytes. Arguments are the
/// operand numbers of x, its zero point, the filters and their zero point; null if the node does not have this form.
Value Decomposer::convOfBytes(unsigned x, unsigned xZero, unsigned w, unsigned wZero) {
  RankedTensorType type = typeOf(x), weights = typeOf(w);
  Windows windows;
  if (!type || !weights || type.getRank() < 3 || weights.getRank() != type.getRank() ||
      !isByte(type.getElementType()) || !isByte(weights.getElementType()) || integer("group", 1) != 1 ||
      weights.getDimSize(1) != type.getDimSize(1) || type.getDimSize(0) < 1 || type.getDimSize(1) < 1 ||
      weights.getDimSize(0) < 1 || !isOneOr(xZero, 1) || !isOneOr(wZero, weights.getDimSize(0)) ||
      !isZeroOf(xZero, type) || !isZeroOf(wZero, weights) ||
      !readWindows(type.getShape().drop_front(2), weights.getShape().drop_front(2), windows) ||
      llvm::any_of(windows.counts(), [](int64_t count) { return count < 1; }))
    return {};
  const int64_t batch = type.getDimSize(0), channels = type.getDimSize(1), filters = weights.getDimSize(0);
  const Shape counts = windows.counts();
  std::optional<int64_t> made = elementsOf(counts, kMostWritten), taps = elementsOf(windows.kernel, kMostWritten),
                         plane = elementsOf(windows.sizes, kMostWritten);
  if (!made || !taps || !plane || !elementsOf({batch, channels, *made, *taps}, kMostWritten * 4) ||
      !elementsOf({*made, *taps}, kMostWritten) || !elementsOf({channels, *taps}, kMostWritten))
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
  Type whole = builder.getI32Type();
  Value product = productOfBytes(from, {batch * *made, channels * *taps}, rows, {channels * *taps, filters},
                                 meeting(xZero, whole, true), meeting(wZero, whole, false), /*isOne=*/true);
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

/// Converts sums of products to floats, and these to bytes.
bool Decomposer::quantizedConv() {
  RankedTensorType scale = typeOf(4), weights = typeOf(3);
  if (!scale || !weights || weights.getRank() < 1 || !isOneOr(4, weights.getDimSize(0)) || !isOneOr(1, 1) ||
      !isOneOr(6, 1) || !isOneOr(7, 1) || !has(1) || !has(6) || !has(7) || !isOneOr(8, weights.getDimSize(0)))
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
  if (!isProductOfBytes(0, 3, 2, 5) || !areReal({1, 4, 6}))
    return false;
  for (unsigned operand : {1u, 2u, 4u, 5u, 6u, 7u})
    if (!has(operand) || !typeOf(operand))
      return false;
  if (!isOneOr(6, 1) || !isOneOr(7, 1))
    return false;
  Type real = builder.getF32Type(), whole = builder.getI32Type();
  Value scale = value("Mul", {meeting(1, real, true), meeting(4, real, false)});
  Value made = productOfBytes(node.getOperand(0), typeOf(0).getShape(), node.getOperand(3), typeOf(3).getShape(),
                              meeting(2, whole, true), meeting(5, whole, false), isOneOr(2, 1));
  finish(0, requantized(made, scale, 6, 7));
  return true;
}

/// Scales sums of products, and converts them to bytes with another scale and zero point, which are operands.
Value Decomposer::requantized(Value sums, Value scale, unsigned own, unsigned zero) {
  Value number = value("Mul", {cast(sums, builder.getF32Type()), scale});
  return value("QuantizeLinear", {number, reshaped(scaleOf(own), {}), reshaped(node.getOperand(zero), {})});
}

/// Maps the range of the numbers, including 0, to 0 to 255. If all are zeros the scale is 1.
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

/// The layout of a node's scales: the shape of its operand with the blocks of the axis as a separate dimension, the
/// axis, and the number of elements of a block, 0 without blocks.
struct Decomposer::Blocks {
  Shape shape;
  size_t axis = 0;
  int64_t size = 0;
};

bool Decomposer::readBlocks(Blocks &blocks) {
  RankedTensorType type = typeOf(0), scale = typeOf(1);
  blocks.size = integer("block_size", 0);
  if (!type || !scale || blocks.size < 0)
    return false;
  blocks.shape = Shape(type.getShape());
  std::optional<size_t> axis = place(integer("axis", 1), type.getRank());
  blocks.axis = axis.value_or(0);
  Shape scales(type.getShape());
  if (blocks.size != 0) {
    if (!axis || scales[*axis] % blocks.size != 0)
      return false;
    scales[*axis] /= blocks.size;
    blocks.shape[*axis] = scales[*axis];
    blocks.shape.insert(blocks.shape.begin() + static_cast<std::ptrdiff_t>(*axis) + 1, blocks.size);
  }
  auto isOne = [&](ArrayRef<int64_t> shape) {
    return blocks.size == 0 && (shape.empty() || shape == ArrayRef<int64_t>(1) ||
                                (axis && shape.size() == 1 && shape.front() == type.getShape()[*axis]));
  };
  auto fits = [&](RankedTensorType own) {
    return own && (isOne(own.getShape()) || (blocks.size != 0 && own.getShape() == ArrayRef(scales)));
  };
  return areReal({1}) && fits(scale) && (!has(2) || fits(typeOf(2)));
}

/// A scale or a zero point as float32, in a shape that broadcasts to the operand in blocks.
Value Decomposer::ofBlocks(unsigned operand, const Blocks &blocks) {
  RankedTensorType own = typeOf(operand);
  Value from = converted(node.getOperand(operand), own.getElementType(), builder.getF32Type());
  if (blocks.size != 0) {
    Shape shape = blocks.shape;
    shape[blocks.axis + 1] = 1;
    return reshaped(from, shape);
  }
  if (own.getNumElements() == 1)
    return reshaped(from, {});
  Shape shape(blocks.shape.size() - blocks.axis, 1);
  shape.front() = own.getNumElements();
  return reshaped(from, shape);
}

/// In blocks, to 16 bits or without a zero point: rounded, shifted and clamped in float32, which represents all values.
bool Decomposer::quantize() {
  Blocks blocks;
  if (!readBlocks(blocks) || !areReal({0}))
    return false;
  Type wanted = has(2) ? typeOf(2).getElementType() : Type(builder.getIntegerType(8, false));
  if (const int64_t output = integer("output_dtype", 0); output != 0 && !has(2)) {
    std::optional<onnx::ElementType> to = onnx::elementTypeOf(output);
    std::optional<opc::ElementType> known = to ? onnx::opcType(*to) : std::nullopt;
    wanted = known ? aicore::mlirTypeOf(*known, node.getContext()) : Type();
  }
  auto whole = dyn_cast_or_null<IntegerType>(wanted);
  if (!whole || (whole.getWidth() != 8 && whole.getWidth() != 16))
    return false;
  const bool isUnsigned = whole.isUnsigned();
  const double reach = static_cast<double>(int64_t(1) << (whole.getWidth() - (isUnsigned ? 0 : 1)));
  Type real = builder.getF32Type();
  auto number = [&](double of) { return splat({}, real, of); };
  Value from = converted(node.getOperand(0), typeOf(0).getElementType(), real);
  Value made = value("Round", value("Div", {reshaped(from, blocks.shape), ofBlocks(1, blocks)}));
  if (has(2))
    made = value("Add", {made, ofBlocks(2, blocks)});
  made = value("Min", {value("Max", {made, number(isUnsigned ? 0 : -reach)}), number(reach - 1)});
  finish(0, cast(reshaped(made, typeOf(0).getShape()), wanted));
  return true;
}

bool Decomposer::dequantize() {
  Blocks blocks;
  if (!readBlocks(blocks))
    return false;
  RankedTensorType type = typeOf(0);
  auto whole = dyn_cast<IntegerType>(type.getElementType());
  if (!whole || (whole.getWidth() != 8 && whole.getWidth() != 16) || integer("output_dtype", 0) != 0)
    return false;
  Value made = reshaped(cast(node.getOperand(0), builder.getF32Type()), blocks.shape);
  if (has(2))
    made = value("Sub", {made, ofBlocks(2, blocks)});
  made = reshaped(value("Mul", {made, ofBlocks(1, blocks)}), type.getShape());
  finish(0, converted(made, builder.getF32Type(), typeOf(1).getElementType()));
  return true;
}

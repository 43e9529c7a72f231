#include "lowering/graph/legalize/Quantized.h"

#include "lowering/graph/legalize/Decompose.h"
#include "lowering/graph/legalize/NodeWriter.h"

#include "ops/onnx/ElementType.h"

#include <algorithm>

using namespace mlir;
using namespace opc;
using namespace opc::graph;

namespace {

/// Most elements of a matrix of ones that is written for a node.
constexpr int64_t kMostOnes = int64_t(1) << 24;

class Quantized : NodeWriter {
public:
  Quantized(NodeOp node, OpBuilder &builder) : NodeWriter(node, builder) {}

  bool run();

private:
  bool product();
  bool scaledProduct();
  bool dynamicScale();

  Value productOf(unsigned a, unsigned b, unsigned aZero, unsigned bZero);
  bool isProduct(unsigned a, unsigned b, unsigned aZero, unsigned bZero);
  /// A zero point, or a scale, as `type`: of one element or none, of each row or of each column. Null: there is none, or it
  /// is the constant 0.
  Value perRow(unsigned operand, Type type) { return meeting(operand, type, true); }
  Value perColumn(unsigned operand, Type type) { return meeting(operand, type, false); }
  Value meeting(unsigned operand, Type type, bool isOfRows);
  bool hasOne(unsigned operand) { return typeOf(operand).getNumElements() == 1; }
  Value cast(Value from, Type type) {
    return value("Cast", from, named("to", static_cast<int64_t>(onnxElementType(type))));
  }
  Value reshaped(Value from, ArrayRef<int64_t> shape) { return value("Reshape", {from, integers(shape)}); }
};

} // namespace

/// Whether a constant is 0 in all places.
static bool isZero(Value value) {
  auto dense = dyn_cast_or_null<DenseIntElementsAttr>(constantOf(value));
  return dense && llvm::all_of(dense.getValues<APInt>(), [](const APInt &each) { return each.isZero(); });
}

Value Quantized::meeting(unsigned operand, Type type, bool isOfRows) {
  if (!has(operand) || isZero(node.getOperand(operand)))
    return {};
  RankedTensorType own = typeOf(operand);
  Value found = own.getElementType() == type ? node.getOperand(operand) : cast(node.getOperand(operand), type);
  if (hasOne(operand))
    return reshaped(found, {1});
  return isOfRows && own.getRank() == 1 ? reshaped(found, {own.getDimSize(0), 1}) : found;
}

/// Whether two operands are bytes that a product without zero points takes, with zero points of their types.
bool Quantized::isProduct(unsigned a, unsigned b, unsigned aZero, unsigned bZero) {
  RankedTensorType left = typeOf(a), right = typeOf(b);
  auto isOfBytes = [](RankedTensorType type) {
    return type && type.getElementType().isInteger(8) && type.getRank() >= 2 && type.hasStaticShape() &&
           type.getNumElements() / std::max<int64_t>(type.getShape().back(), 1) <= kMostOnes &&
           type.getNumElements() / std::max<int64_t>(type.getShape()[size_t(type.getRank()) - 2], 1) <= kMostOnes;
  };
  auto isZeroOf = [&](unsigned zero, RankedTensorType type) {
    return !has(zero) || (typeOf(zero) && typeOf(zero).getElementType() == type.getElementType());
  };
  return isOfBytes(left) && isOfBytes(right) && isZeroOf(aZero, left) && isZeroOf(bZero, right) &&
         left.getShape().back() == right.getShape()[size_t(right.getRank()) - 2] &&
         (right.getRank() == 2 || right.getRank() == left.getRank());
}

/// The product of two operands less their zero points, in int32.
Value Quantized::productOf(unsigned a, unsigned b, unsigned aZero, unsigned bZero) {
  Value left = node.getOperand(a), right = node.getOperand(b);
  const int64_t depth = typeOf(a).getShape().back(), columns = typeOf(b).getShape().back();
  auto ones = [&](ArrayRef<int64_t> shape) {
    auto bytes = IntegerType::get(builder.getContext(), 8, IntegerType::Unsigned);
    return constant(DenseElementsAttr::get(RankedTensorType::get(shape, bytes), APInt(8, 1)));
  };
  Type whole = builder.getI32Type();
  Value ofRows = perRow(aZero, whole), ofColumns = perColumn(bZero, whole), offset;
  Shape row(typeOf(b).getShape()), column(typeOf(a).getShape());
  row[row.size() - 2] = 1;
  row.back() = depth;
  if (ofRows)
    offset = value("Mul", {ofRows, value("MatMulInteger", {ones(row), right})});
  if (offset && !ofColumns && hasOne(aZero) && typeOf(b).getRank() == 2) {
    NodeOp fused = emit("MatMulIntegerOffset", {left, right, reshaped(offset, {columns})});
    fused.setDomainAttr(builder.getStringAttr(kOwnDomain));
    return fused.getResult(0);
  }
  Value sums = value("MatMulInteger", {left, right});
  if (offset)
    sums = value("Sub", {sums, offset});
  if (!ofColumns)
    return sums;
  // One matrix for all of a batch, unless b is a batch too.
  if (typeOf(b).getRank() == 2)
    column.resize(2);
  column[column.size() - 2] = depth;
  column.back() = 1;
  Value ofA = value("MatMulInteger", {left, ones(column)});
  if (ofRows)
    ofA = value("Sub", {ofA, value("Mul", {ofRows, splat({1}, whole, double(depth))})});
  return value("Sub", {sums, value("Mul", {ofA, ofColumns})});
}

bool Quantized::product() {
  if (!isProduct(0, 1, 2, 3))
    return false;
  finish(0, productOf(0, 1, 2, 3));
  return true;
}

// a, its scale and zero point, the same of b, the scale and the zero point of the result.
bool Quantized::scaledProduct() {
  if (!isProduct(0, 3, 2, 5))
    return false;
  for (unsigned operand : {1u, 2u, 4u, 5u, 6u, 7u})
    if (!has(operand) || !typeOf(operand))
      return false;
  for (unsigned scale : {1u, 4u, 6u})
    if (!isa<FloatType>(typeOf(scale).getElementType()))
      return false;
  if (!hasOne(6) || !hasOne(7))
    return false;
  Type real = builder.getF32Type();
  Value scale = value("Mul", {perRow(1, real), perColumn(4, real)});
  scale = value("Div", {scale, reshaped(cast(node.getOperand(6), real), {1})});
  Value units = value("Mul", {cast(productOf(0, 3, 2, 5), real), scale});
  finish(0, value("QuantizeLinear", {units, splat({}, real, 1), reshaped(node.getOperand(7), {})}));
  return true;
}

// The range of the elements and 0 in 255 steps. Of zeros alone it is 0, and any scale would do.
bool Quantized::dynamicScale() {
  RankedTensorType type = typeOf(0);
  if (!type || !type.getElementType().isF32() || node.getNumResults() != 3)
    return false;
  Type real = type.getElementType();
  Value zero = splat({}, real, 0), x = node.getOperand(0);
  auto extreme = [&](StringRef reduction, StringRef with) {
    return value(with, {value(reduction, x, named("keepdims", 0)), zero});
  };
  Value least = extreme("ReduceMin", "Min"), range = value("Sub", {extreme("ReduceMax", "Max"), least});
  Value scale =
      value("Where", {value("Equal", {range, zero}), splat({}, real, 1), value("Div", {range, splat({}, real, 255)})});
  auto bytes = IntegerType::get(builder.getContext(), 8, IntegerType::Unsigned);
  Value none = constant(DenseElementsAttr::get(RankedTensorType::get({}, bytes), APInt(8, 0)));
  Value zeroPoint = value("QuantizeLinear", {value("Sub", {zero, least}), scale, none});
  Value y = value("QuantizeLinear", {x, scale, zeroPoint});
  finish(0, y);
  finish(1, scale);
  finish(2, zeroPoint);
  return true;
}

bool Quantized::run() {
  const StringRef op = node.getOp();
  const bool isMade = op == "MatMulInteger" ? product() : op == "QLinearMatMul" ? scaledProduct() : dynamicScale();
  if (isMade)
    node.erase();
  return isMade;
}

bool opc::graph::isQuantized(NodeOp node) {
  if (node.getDomain().value_or("ai.onnx") != "ai.onnx" || !node.getBodies().empty())
    return false;
  return node.getOp() == "QLinearMatMul" || node.getOp() == "DynamicQuantizeLinear" ||
         (node.getOp() == "MatMulInteger" && node.getNumOperands() > 2);
}

bool opc::graph::decomposeQuantized(NodeOp node, OpBuilder &builder) {
  return Quantized(node, builder).run();
}

// Nodes whose value is in the file, or follows from sizes: Constant, shape arithmetic, ConstantOfShape, Range; and Cast
// of constants of types without kernels.

#include "lowering/graph/legalize/Legalizer.h"

#include "dialect/aicore/Tiles.h"
#include "lowering/graph/legalize/ShapeArithmetic.h"

#include "llvm/ADT/APSInt.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

using namespace mlir;
using namespace opc;
using namespace opc::graph;

/// Maximum number of elements of a cast constant of a type without kernels: each is temporarily an attribute.
static constexpr int64_t kMostCast = int64_t(1) << 20;

/// The value of a Constant in any of its forms; null for texts and sparse tensors.
static ElementsAttr valueOfConstant(NodeOp node) {
  Builder builder(node.getContext());
  DictionaryAttr parameters = node.getParametersAttr();
  if (!parameters || parameters.size() != 1)
    return {};
  StringRef name = parameters.getValue().front().getName();
  Attribute value = parameters.getValue().front().getValue();
  if (auto elements = dyn_cast<ElementsAttr>(value); elements && name == "value")
    return elements;
  if (auto real = dyn_cast<FloatAttr>(value); real && name == "value_float")
    return DenseElementsAttr::get(RankedTensorType::get({}, builder.getF32Type()), value);
  if (auto whole = dyn_cast<IntegerAttr>(value); whole && name == "value_int")
    return DenseElementsAttr::get(RankedTensorType::get({}, builder.getI64Type()), value);
  if (auto reals = dyn_cast<DenseF32ArrayAttr>(value); reals && name == "value_floats")
    return DenseElementsAttr::get(RankedTensorType::get({reals.size()}, builder.getF32Type()), reals.asArrayRef());
  if (auto wholes = dyn_cast<DenseI64ArrayAttr>(value); wholes && name == "value_ints")
    return DenseElementsAttr::get(RankedTensorType::get({wholes.size()}, builder.getI64Type()), wholes.asArrayRef());
  return {};
}

/// The value of a ConstantOfShape whose shape is known, of any unpacked type, with at most `most` elements. Null
/// for others.
static ElementsAttr valueOfShape(NodeOp node, int64_t most) {
  if (node.getOp() != "ConstantOfShape" || node.getDomain().value_or("ai.onnx") != "ai.onnx" ||
      node.getNumOperands() != 1)
    return {};
  std::optional<SmallVector<int64_t>> sizes = integersOf(constantOf(node.getOperand(0)));
  if (!sizes || sizes->size() > kMostRank)
    return {};
  int64_t product = 1;
  for (int64_t size : *sizes) {
    if (size < 0 || (size != 0 && product > most / size))
      return {};
    product *= size;
  }
  DictionaryAttr parameters = node.getParametersAttr();
  auto value = parameters ? parameters.getAs<DenseIntOrFPElementsAttr>("value") : DenseIntOrFPElementsAttr();
  Builder builder(node.getContext());
  if (!parameters || !parameters.contains("value"))
    return DenseElementsAttr::get(RankedTensorType::get(*sizes, builder.getF32Type()), 0.0f);
  if (!value || value.getNumElements() != 1)
    return {};
  return value.reshape(RankedTensorType::get({}, value.getElementType()))
      .resizeSplat(RankedTensorType::get(*sizes, value.getElementType()));
}

/// The number that a constant of one element has, in double; nullopt for integers that it does not hold.
static std::optional<double> numberOf(ElementsAttr elements) {
  Type type = elements.getElementType();
  if (elements.getNumElements() != 1 || !isa<FloatType, IntegerType>(type) || type.getIntOrFloatBitWidth() % 8 != 0)
    return std::nullopt;
  const unsigned width = type.getIntOrFloatBitWidth();
  ConstantBytes bytes(elements);
  if (bytes.get().size() != width / 8 || width > 64)
    return std::nullopt;
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.get().data(), bytes.get().size());
  if (auto real = dyn_cast<FloatType>(type)) {
    APFloat number(real.getFloatSemantics(), APInt(width, bits));
    bool isInexact = false;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &isInexact);
    return number.convertToDouble();
  }
  const std::optional<int64_t> whole = APSInt(APInt(width, bits), type.isUnsignedInteger()).tryExtValue();
  constexpr int64_t kMostExact = int64_t(1) << 53;
  return whole && *whole > -kMostExact && *whole < kMostExact ? std::optional(double(*whole)) : std::nullopt;
}

/// The elements of a Range in its type: floats are rounded once.
static ElementsAttr rangeOf(Type type, double start, double step, int64_t count) {
  const size_t size = type.getIntOrFloatBitWidth() / 8;
  std::vector<char> bytes(static_cast<size_t>(count) * size);
  for (int64_t i = 0; i < count; ++i) {
    const double number = start + static_cast<double>(i) * step;
    uint64_t bits = 0;
    if (auto real = dyn_cast<FloatType>(type)) {
      APFloat rounded(number);
      bool isInexact = false;
      rounded.convert(real.getFloatSemantics(), APFloat::rmNearestTiesToEven, &isInexact);
      bits = rounded.bitcastToAPInt().getZExtValue();
    } else {
      bits = static_cast<uint64_t>(static_cast<int64_t>(number));
    }
    std::memcpy(bytes.data() + static_cast<size_t>(i) * size, &bits, size);
  }
  return DenseElementsAttr::getFromRawBuffer(RankedTensorType::get(count, type), bytes);
}

/// The value of a Range with known operands and at most `most` elements: its size is known only if its operands are.
/// Null for others.
static ElementsAttr valueOfRange(NodeOp node, int64_t most) {
  if (node.getOp() != "Range" || node.getDomain().value_or("ai.onnx") != "ai.onnx" || node.getNumOperands() != 3)
    return {};
  double numbers[3];
  Type type;
  for (unsigned i = 0; i < 3; ++i) {
    ElementsAttr elements = constantOf(node.getOperand(i));
    std::optional<double> number = elements ? numberOf(elements) : std::nullopt;
    if (!number || (type && elements.getElementType() != type))
      return {};
    type = elements.getElementType();
    numbers[i] = *number;
  }
  const double count = std::ceil((numbers[1] - numbers[0]) / numbers[2]);
  if (std::isnan(count) || count > static_cast<double>(most))
    return {};
  return rangeOf(type, numbers[0], numbers[2], static_cast<int64_t>(std::max(count, 0.0)));
}

/// Whether no kernel reads a type or writes it: float64, and floats of 8 bits and fewer.
static bool hasNoKernels(Type type) {
  return isa<FloatType>(type) && (type.isF64() || type.getIntOrFloatBitWidth() < 16);
}

/// The value of a Cast of a constant with at most `most` elements, from or to a float type without kernels; rounded
/// once, or truncated for integers. Null for others.
static ElementsAttr valueOfCast(NodeOp node, int64_t most) {
  if (node.getOp() != "Cast" || node.getDomain().value_or("ai.onnx") != "ai.onnx" || node.getNumOperands() != 1)
    return {};
  auto from = dyn_cast_or_null<ElementsAttr>(constantOf(node.getOperand(0)));
  DictionaryAttr parameters = node.getParametersAttr();
  auto to = parameters ? parameters.getAs<IntegerAttr>("to") : IntegerAttr();
  std::optional<onnx::ElementType> code = to ? onnx::elementTypeOf(to.getInt()) : std::nullopt;
  std::optional<opc::ElementType> known = code ? onnx::opcType(*code) : std::nullopt;
  if (!from || !known || from.getNumElements() > most)
    return {};
  Type source = from.getElementType(), target = aicore::mlirTypeOf(*known, node.getContext());
  auto real = dyn_cast<FloatType>(source);
  // The bytes of a resource are those of the file, row-major and not packed.
  if (!real || !(hasNoKernels(source) || hasNoKernels(target)) || source.getIntOrFloatBitWidth() % 8 != 0)
    return {};
  const size_t size = source.getIntOrFloatBitWidth() / 8;
  ConstantBytes bytes(from);
  if (bytes.get().size() != static_cast<size_t>(from.getNumElements()) * size)
    return {};
  SmallVector<Attribute> values;
  for (size_t at = 0; at < bytes.get().size(); at += size) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.get().data() + at, size);
    APFloat number(real.getFloatSemantics(), APInt(source.getIntOrFloatBitWidth(), bits));
    bool isExact = false;
    if (auto wanted = dyn_cast<FloatType>(target)) {
      number.convert(wanted.getFloatSemantics(), APFloat::rmNearestTiesToEven, &isExact);
      values.push_back(FloatAttr::get(target, number));
    } else if (auto whole = cast<IntegerType>(target); whole.getWidth() == 1) {
      values.push_back(IntegerAttr::get(target, number.isZero() ? 0 : 1));
    } else {
      APSInt cut(whole.getWidth(), /*isUnsigned=*/whole.isUnsigned());
      number.convertToInteger(cut, APFloat::rmTowardZero, &isExact);
      values.push_back(IntegerAttr::get(target, cut));
    }
  }
  return DenseElementsAttr::get(RankedTensorType::get(from.getShapedType().getShape(), target), values);
}

bool Legalizer::foldConstant(NodeOp node) {
  bool isConstant = node.getOp() == "Constant" && node.getDomain().value_or("ai.onnx") == "ai.onnx";
  ElementsAttr value = isConstant ? valueOfConstant(node) : evaluateShapes(node);
  const bool isSaid = value != nullptr;
  if (!value)
    value = valueOfShape(node, canMake);
  if (!value)
    value = valueOfRange(node, canMake);
  if (!value)
    value = valueOfCast(node, std::min(canMake, kMostCast));
  if (!value || node.getNumResults() != 1)
    return false;
  if (!isSaid)
    canMake -= value.getNumElements();
  auto name = cast<StringAttr>(node.getResultNames()[0]);
  Value made = ConstantOp::create(builder, node.getLoc(), value.getShapedType(), name, value,
                                  /*overridable=*/false, PlaceAttr());
  note(originOf(node), {LegalNode::Constant, nullptr, "", ""});
  replace(node, made);
  return true;
}

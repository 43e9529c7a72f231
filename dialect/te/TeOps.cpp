// Verifiers that inference does not cover.

#include "dialect/te/TeOps.h"
#include "dialect/te/Axes.h"
#include "dialect/te/Syntax.h"

using namespace mlir;
using namespace opc::te;

//===----------------------------------------------------------------------===//
// te.constant
//===----------------------------------------------------------------------===//

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::string opc::te::outOfReach(Type type, bool tooLarge) {
  return "expects a number that " + textOf(type) + " can hold: this one " +
         (tooLarge ? "is too large" : "is so small that it would be zero");
}

std::string opc::te::wrongConstant(TypedAttr value, Type type) {
  if (!isNumberType(type))
    return "expects the type of a number, found " + textOf(type);
  if (auto real = dyn_cast<FloatAttr>(value); real && real.getType().isF64()) {
    auto floatType = dyn_cast<FloatType>(type);
    if (!floatType)
      return "expects a whole number for " + textOf(type);
    APFloat number = real.getValue();
    bool loses = false;
    number.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven, &loses);
    if (number.isInfinity() && !real.getValue().isInfinity())
      return outOfReach(type, /*tooLarge=*/true);
    if (number.isZero() && !real.getValue().isZero())
      return outOfReach(type, /*tooLarge=*/false);
    return {};
  }
  auto integer = dyn_cast<IntegerAttr>(value);
  if (!integer || !integer.getType().isSignlessInteger(64))
    return "expects a value of f64 or i64";
  auto integerType = dyn_cast<IntegerType>(type);
  if (!integerType)
    return "expects a value of f64 for " + textOf(type);
  int64_t number = integer.getInt();
  unsigned width = integerType.getWidth();
  bool isUnsigned = integerType.isUnsigned() || width == 1;
  bool fits = isUnsigned
                  ? number >= 0 && (width == 64 || number < (int64_t(1) << width))
                  : width == 64 || (number >= -(int64_t(1) << (width - 1)) && number < (int64_t(1) << (width - 1)));
  if (!fits)
    return "expects a number that " + textOf(type) + " can hold, found " + std::to_string(number);
  return {};
}

LogicalResult ConstantOp::verify() {
  if (std::string wrong = wrongConstant(getValue(), getElement()); !wrong.empty())
    return emitOpError("[constant_c1] ") << wrong;
  return success();
}

#include "dialect/te/TeInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "dialect/te/TeOps.cpp.inc"

#include "lowering/te/Payload.h"

#include "dialect/te/TeOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;

namespace opc::te {

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value Constants::get(TypedAttr value) {
  Value &constant = known[value];
  if (!constant)
    constant = arith::ConstantOp::create(entry, entry.getUnknownLoc(), value);
  return constant;
}

Value Constants::get(Type type, double value) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return get(IntegerAttr::get(type, APInt(integer.getWidth(), uint64_t(int64_t(value)),
                                            /*isSigned=*/true, /*implicitTrunc=*/true)));
  APFloat number(value);
  bool loses = false;
  number.convert(cast<FloatType>(type).getFloatSemantics(), APFloat::rmNearestTiesToEven, &loses);
  return get(FloatAttr::get(type, number));
}

Value Constants::get(Type type, Attribute value) {
  if (auto real = dyn_cast<FloatAttr>(value))
    return get(type, real.getValueAsDouble());
  int64_t number = cast<IntegerAttr>(value).getInt();
  if (isa<FloatType>(type))
    return get(type, double(number));
  return get(IntegerAttr::get(type, APInt(type.getIntOrFloatBitWidth(), uint64_t(number),
                                          /*isSigned=*/true, /*implicitTrunc=*/true)));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Value Payload::resize(Location location, Value value, Type type, bool isUnsigned) {
  Type from = value.getType();
  if (from == type)
    return value;
  unsigned before = from.getIntOrFloatBitWidth(), after = type.getIntOrFloatBitWidth();
  if (isa<FloatType>(type)) {
    // Neither of f16 and bf16 holds the values of the other, so the conversion goes through f32.
    if (before == after)
      return resize(location, resize(location, value, builder.getF32Type()), type);
    if (after > before)
      return arith::ExtFOp::create(builder, location, type, value);
    if (auto wide = value.getDefiningOp<arith::ExtFOp>(); wide && wide.getIn().getType() == type)
      return wide.getIn();
    return arith::TruncFOp::create(builder, location, type, value);
  }
  if (after < before)
    return arith::TruncIOp::create(builder, location, type, value);
  if (isUnsigned)
    return arith::ExtUIOp::create(builder, location, type, value);
  return arith::ExtSIOp::create(builder, location, type, value);
}

Value Payload::read(Location location, Value stored, Type element) {
  if (element.isInteger(1)) {
    // Any nonzero byte is true.
    Value zero = constants.get(stored.getType(), 0.0);
    return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ne, stored, zero);
  }
  return resize(location, stored, precision.computed(element), isUnsigned(element));
}

Value Payload::write(Location location, Value computed, Type element) {
  return resize(location, computed, storedType(element), isUnsigned(element));
}

/// Integer to integer: wraps or saturates.
static Value castInteger(Payload &payload, OpBuilder &builder, Constants &constants, CastOp op, Value value, Type from,
                         Type to) {
  Location location = op.getLoc();
  unsigned width = to.getIntOrFloatBitWidth();
  bool fromUnsigned = isUnsigned(from), toUnsigned = isUnsigned(to);
  if (op.getSaturate()) {
    // Clamp in the type of the source, to those limits of the destination that the source can exceed.
    unsigned sourceWidth = value.getType().getIntOrFloatBitWidth();
    auto limit = [&](APInt bound) { return constants.get(IntegerAttr::get(value.getType(), bound)); };
    unsigned room = fromUnsigned ? sourceWidth : sourceWidth - 1;
    unsigned reach = toUnsigned ? width : width - 1;
    if (reach < room) {
      Value most = limit(APInt::getLowBitsSet(sourceWidth, reach));
      value = fromUnsigned ? Value(arith::MinUIOp::create(builder, location, value, most))
                           : Value(arith::MinSIOp::create(builder, location, value, most));
    }
    if (!fromUnsigned && (toUnsigned || width < sourceWidth)) {
      APInt least = toUnsigned ? APInt::getZero(sourceWidth) : APInt::getSignedMinValue(width).sext(sourceWidth);
      value = arith::MaxSIOp::create(builder, location, value, limit(least));
    }
  }
  return payload.resize(location, value, storedType(to), fromUnsigned);
}

/// Clamps to the finite range of the float type `to`, in the wider of both types; NaN is preserved.
static Value clampFinite(Payload &payload, OpBuilder &builder, Constants &constants, Location location, Value value,
                         Type to) {
  auto width = [](Type type) { return type.getIntOrFloatBitWidth(); };
  Type type = value.getType();
  if (type != to)
    type = width(type) == 64 || width(to) == 64 ? Type(builder.getF64Type()) : Type(builder.getF32Type());
  value = payload.resize(location, value, type);
  APFloat most = APFloat::getLargest(cast<FloatType>(to).getFloatSemantics());
  Value high = constants.get(type, most.convertToDouble());
  Value low = constants.get(type, -most.convertToDouble());
  value = arith::MinimumFOp::create(builder, location, value, high);
  return arith::MaximumFOp::create(builder, location, value, low);
}

Value Payload::cast(Operation *op, Value value) {
  auto castOp = llvm::cast<CastOp>(op);
  Location location = op->getLoc();
  Type from = elementOf(castOp.getOperand().getType()), to = castOp.getElement();
  Type computed = precision.computed(to), given = value.getType();
  if (to.isInteger(1)) {
    if (from.isInteger(1))
      return value;
    Value zero = constants.get(given, 0.0);
    if (isa<FloatType>(given))
      return arith::CmpFOp::create(builder, location, arith::CmpFPredicate::UNE, value, zero);
    return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ne, value, zero);
  }
  if (isa<IntegerType>(given) && isa<IntegerType>(to))
    return castInteger(*this, builder, constants, castOp, value, from, to);
  if (isa<IntegerType>(given)) {
    // Rounded to the type of the result, even if it is computed in a wider type.
    Value number = isUnsigned(from) ? Value(arith::UIToFPOp::create(builder, location, to, value))
                                    : Value(arith::SIToFPOp::create(builder, location, to, value));
    if (castOp.getSaturate() && to.isF16())
      number = clampFinite(*this, builder, constants, location, number, to);
    return resize(location, number, computed);
  }
  if (isa<IntegerType>(to))
    return CastOp::create(builder, location, storedType(to), value, storedType(to), castOp.getRounding(),
                          castOp.getSaturate(), isUnsigned(to));
  if (op->hasAttr(TeDialect::kUnroundedAttr))
    return resize(location, value, computed);
  // Float to float: rounded to the type of the result, even if it is computed in a wider type. A saturating cast
  // clamps before that, in a type that holds the range.
  if (castOp.getSaturate())
    value = clampFinite(*this, builder, constants, location, value, to);
  given = value.getType();
  if (castOp.getRounding() != Rounding::NearestEven && given != to)
    value = CastOp::create(builder, location, to, value, to, castOp.getRounding(),
                           /*saturate=*/false, /*isUnsigned=*/false);
  else
    value = resize(location, value, to);
  return resize(location, value, computed);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Type Payload::operandType(Operation *op, unsigned operand) const {
  Type result = elementOf(op->getResult(0).getType());
  return llvm::TypeSwitch<Operation *, Type>(op)
      .Case<CompareOp, IsNanOp, IsInfOp>([&](auto) { return precision.computed(commonElement(op->getOperands())); })
      .Case<SelectOp>([&](SelectOp) { return operand == 0 ? builder.getI1Type() : precision.computed(result); })
      .Case<CastOp>([&](CastOp cast) { return precision.computed(elementOf(cast.getOperand().getType())); })
      .Default([&](Operation *) { return precision.computed(result); });
}

static arith::CmpFPredicate floatPredicate(Predicate predicate) {
  switch (predicate) {
  case Predicate::Eq:
    return arith::CmpFPredicate::OEQ;
  case Predicate::Ne:
    return arith::CmpFPredicate::UNE;
  case Predicate::Lt:
    return arith::CmpFPredicate::OLT;
  case Predicate::Le:
    return arith::CmpFPredicate::OLE;
  case Predicate::Gt:
    return arith::CmpFPredicate::OGT;
  case Predicate::Ge:
    return arith::CmpFPredicate::OGE;
  }
  return arith::CmpFPredicate::AlwaysFalse;
}

static arith::CmpIPredicate integerPredicate(Predicate predicate, bool isUnsigned) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case Predicate::Eq:
    return P::eq;
  case Predicate::Ne:
    return P::ne;
  case Predicate::Lt:
    return isUnsigned ? P::ult : P::slt;
  case Predicate::Le:
    return isUnsigned ? P::ule : P::sle;
  case Predicate::Gt:
    return isUnsigned ? P::ugt : P::sgt;
  case Predicate::Ge:
    return isUnsigned ? P::uge : P::sge;
  }
  return P::eq;
}

/// Creates the op for floats, for signed integers or for unsigned integers.
template <typename Float, typename Signed, typename Unsigned = Signed>
static Value choose(OpBuilder &builder, Location location, Type element, Value lhs, Value rhs) {
  if (isa<FloatType>(element))
    return Float::create(builder, location, lhs, rhs);
  if (isUnsigned(element))
    return Unsigned::create(builder, location, lhs, rhs);
  return Signed::create(builder, location, lhs, rhs);
}

/// The sign: -1, 0 or 1. Devices expand it for floats.
static Value signOf(OpBuilder &b, Constants &constants, Location location, Type element, Value x) {
  if (isa<FloatType>(element))
    return SignOp::create(b, location, x);
  Value one = constants.get(x.getType(), 1.0);
  if (isUnsigned(element))
    return arith::MinUIOp::create(b, location, x, one);
  Value bounded = arith::MaxSIOp::create(b, location, x, constants.get(x.getType(), -1.0));
  return arith::MinSIOp::create(b, location, bounded, one);
}

/// Powers as products and quotients, which round once, or twice in float32; null for other exponents.
static Value smallPower(OpBuilder &b, Constants &constants, Location location, Value x, Value exponent) {
  FloatAttr constant;
  if (!matchPattern(exponent, m_Constant(&constant)))
    return {};
  double power = constant.getValueAsDouble();
  if (power == 1.0)
    return x;
  if (power == -1.0) {
    // A zero counts as positive.
    Value positive = arith::AddFOp::create(b, location, x, constants.get(x.getType(), 0.0));
    return arith::DivFOp::create(b, location, constants.get(x.getType(), 1.0), positive);
  }
  const bool cubes = power == 3.0 && x.getType().getIntOrFloatBitWidth() >= 32;
  if (power != 2.0 && !cubes)
    return {};
  Value square = arith::MulFOp::create(b, location, x, x);
  return power == 2.0 ? square : Value(arith::MulFOp::create(b, location, square, x));
}

/// The power of integers. Those of bytes are computed in 16 bits. math.ipowi takes a signed exponent; an unsigned one
/// is halved, which leaves it a sign bit of 0, and the power of the half is squared. `hasTile`: it is no power of
/// numbers of the launch, whose products no scalar unit wraps.
static Value wholePower(OpBuilder &b, Constants &constants, Location location, Type element, Value x, Value exponent,
                        bool hasTile) {
  auto times = [&](Value lhs, Value rhs) { return arith::MulIOp::create(b, location, lhs, rhs); };
  IntegerAttr constant;
  const bool isConstant = hasTile && matchPattern(exponent, m_Constant(&constant));
  if (isConstant && (isUnsigned(element) || !constant.getValue().isNegative())) {
    // The digits of the exponent, from the second one: a square for each, and a product for each 1.
    const APInt &number = constant.getValue();
    if (number.isZero())
      return constants.get(x.getType(), 1.0);
    Value product = x;
    for (unsigned digit = number.getActiveBits() - 1; digit-- > 0;) {
      product = times(product, product);
      if (number[digit])
        product = times(product, x);
    }
    return product;
  }
  const unsigned width = x.getType().getIntOrFloatBitWidth();
  if (width == 8) {
    Type wide = b.getIntegerType(16);
    auto widened = [&](Value byte) -> Value {
      if (isUnsigned(element))
        return arith::ExtUIOp::create(b, location, wide, byte);
      return arith::ExtSIOp::create(b, location, wide, byte);
    };
    Value power = math::IPowIOp::create(b, location, widened(x), widened(exponent));
    return arith::TruncIOp::create(b, location, x.getType(), power);
  }
  if (!isUnsigned(element))
    return math::IPowIOp::create(b, location, x, exponent);
  Value one = constants.get(x.getType(), 1.0);
  Value half = math::IPowIOp::create(b, location, x, arith::ShRUIOp::create(b, location, exponent, one));
  Value isOdd =
      arith::CmpIOp::create(b, location, arith::CmpIPredicate::ne, arith::AndIOp::create(b, location, exponent, one),
                            constants.get(x.getType(), 0.0));
  return times(times(half, half), arith::SelectOp::create(b, location, isOdd, x, one));
}

/// The remainder of integers with the sign of `x`, or of `y`: `y` is added to a remainder of the other sign.
static Value remainderOf(OpBuilder &b, Constants &constants, Location location, Type element, Value x, Value y,
                         bool hasSignOfDivisor) {
  if (isUnsigned(element))
    return arith::RemUIOp::create(b, location, x, y);
  Value rest = arith::RemSIOp::create(b, location, x, y);
  if (!hasSignOfDivisor)
    return rest;
  Value zero = constants.get(rest.getType(), 0.0);
  auto isNegative = [&](Value number) {
    return arith::CmpIOp::create(b, location, arith::CmpIPredicate::slt, number, zero);
  };
  Value differs = arith::CmpIOp::create(b, location, arith::CmpIPredicate::ne, isNegative(rest), isNegative(y));
  Value isLeft = arith::CmpIOp::create(b, location, arith::CmpIPredicate::ne, rest, zero);
  Value moves = arith::AndIOp::create(b, location, differs, isLeft);
  return arith::SelectOp::create(b, location, moves, arith::AddIOp::create(b, location, rest, y), rest);
}

/// A number for an op on numbers alone, which it replaces, as of what fills a range: the scalar unit of the AI Core
/// does not compute floats of 16 bits. Functions that are not folded stay.
static Value folded(Value value, Constants &constants) {
  Operation *op = value ? value.getDefiningOp() : nullptr;
  if (!op || op->getNumOperands() == 0)
    return value;
  SmallVector<Attribute> given(op->getNumOperands());
  for (auto [operand, number] : llvm::zip_equal(op->getOperands(), given))
    if (!matchPattern(operand, m_Constant(&number)))
      return value;
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(given, results)) || results.size() != 1)
    return value;
  auto number = dyn_cast_or_null<TypedAttr>(dyn_cast<Attribute>(results.front()));
  if (!number)
    return value;
  if (op->use_empty())
    op->erase();
  return constants.get(number);
}

Value Payload::apply(Operation *op, ValueRange operands) {
  return folded(computed(op, operands), constants);
}

Value Payload::computed(Operation *op, ValueRange operands) {
  Location location = op->getLoc();
  OpBuilder &b = builder;
  Type element = elementOf(op->getResult(0).getType());
  Value x = operands.front(), y = operands.size() > 1 ? operands[1] : Value();
  auto number = [&](double value) { return constants.get(x.getType(), value); };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](AddOp) { return choose<arith::AddFOp, arith::AddIOp>(b, location, element, x, y); })
      .Case([&](SubOp) { return choose<arith::SubFOp, arith::SubIOp>(b, location, element, x, y); })
      .Case([&](MulOp) { return choose<arith::MulFOp, arith::MulIOp>(b, location, element, x, y); })
      .Case([&](DivOp) { return choose<arith::DivFOp, arith::DivSIOp, arith::DivUIOp>(b, location, element, x, y); })
      .Case([&](MaximumOp) {
        return choose<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(b, location, element, x, y);
      })
      .Case([&](MinimumOp) {
        return choose<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>(b, location, element, x, y);
      })
      .Case([&](ReluOp) {
        return choose<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(b, location, element, x, number(0.0));
      })
      .Case([&](LeakyReluOp) -> Value {
        Value scaled = arith::MulFOp::create(b, location, x, y);
        Value positive = arith::CmpFOp::create(b, location, arith::CmpFPredicate::OGE, x, number(0.0));
        return arith::SelectOp::create(b, location, positive, x, scaled);
      })
      .Case([&](NegOp) -> Value {
        if (isa<FloatType>(element))
          return arith::NegFOp::create(b, location, x);
        return arith::SubIOp::create(b, location, number(0.0), x);
      })
      .Case([&](AbsOp) -> Value {
        if (isa<FloatType>(element))
          return math::AbsFOp::create(b, location, x);
        return isUnsigned(element) ? x : Value(math::AbsIOp::create(b, location, x));
      })
      .Case([&](SignOp) { return signOf(b, constants, location, element, x); })
      .Case([&](FloorOp) -> Value { return math::FloorOp::create(b, location, x); })
      .Case([&](CeilOp) -> Value { return math::CeilOp::create(b, location, x); })
      .Case([&](RoundOp) -> Value { return math::RoundEvenOp::create(b, location, x); })
      .Case([&](TruncOp) -> Value { return math::TruncOp::create(b, location, x); })
      .Case([&](ModOp mod) -> Value {
        if (isa<IntegerType>(element))
          return remainderOf(b, constants, location, element, x, y, mod.getForm() == ModForm::Floor);
        return ModOp::create(b, location, mod.getForm(), x, y);
      })
      .Case([&](PowOp) -> Value {
        if (isa<IntegerType>(element))
          return wholePower(b, constants, location, element, x, y, isa<ShapedType>(op->getResult(0).getType()));
        Value product = smallPower(b, constants, location, x, y);
        return product ? product : Value(math::PowFOp::create(b, location, x, y));
      })
      .Case([&](Expm1Op) -> Value { return math::ExpM1Op::create(b, location, x); })
      .Case([&](Log1pOp) -> Value { return math::Log1pOp::create(b, location, x); })
      .Case([&](SinOp) -> Value { return math::SinOp::create(b, location, x); })
      .Case([&](CosOp) -> Value { return math::CosOp::create(b, location, x); })
      .Case([&](SoftplusOp) -> Value { return SoftplusOp::create(b, location, x); })
      .Case([&](ExpOp) -> Value { return math::ExpOp::create(b, location, x); })
      .Case([&](LogOp) -> Value { return math::LogOp::create(b, location, x); })
      .Case([&](SqrtOp) -> Value { return math::SqrtOp::create(b, location, x); })
      .Case([&](RsqrtOp) -> Value { return math::RsqrtOp::create(b, location, x); })
      .Case([&](ReciprocalOp) -> Value { return arith::DivFOp::create(b, location, number(1.0), x); })
      .Case([&](SigmoidOp) -> Value { return SigmoidOp::create(b, location, x); })
      .Case([&](TanhOp) -> Value { return TanhOp::create(b, location, x); })
      .Case([&](ErfOp) -> Value { return ErfOp::create(b, location, x); })
      .Case([&](GeluOp gelu) -> Value { return GeluOp::create(b, location, x, gelu.getForm()); })
      .Case([&](SwishOp) -> Value { return SwishOp::create(b, location, x, y); })
      .Case([&](CompareOp compare) -> Value {
        Type compared = commonElement(op->getOperands());
        if (isa<FloatType>(compared))
          return arith::CmpFOp::create(b, location, floatPredicate(compare.getPredicate()), x, y);
        return arith::CmpIOp::create(b, location, integerPredicate(compare.getPredicate(), isUnsigned(compared)), x, y);
      })
      .Case([&](IsNanOp) -> Value { return arith::CmpFOp::create(b, location, arith::CmpFPredicate::UNE, x, x); })
      .Case([&](IsInfOp) -> Value {
        Value magnitude = math::AbsFOp::create(b, location, x);
        Value infinity = number(std::numeric_limits<double>::infinity());
        return arith::CmpFOp::create(b, location, arith::CmpFPredicate::OEQ, magnitude, infinity);
      })
      .Case([&](AndOp) -> Value { return arith::AndIOp::create(b, location, x, y); })
      .Case([&](OrOp) -> Value { return arith::OrIOp::create(b, location, x, y); })
      .Case([&](XorOp) -> Value { return arith::CmpIOp::create(b, location, arith::CmpIPredicate::ne, x, y); })
      .Case([&](NotOp) -> Value { return arith::XOrIOp::create(b, location, x, number(1.0)); })
      .Case([&](SelectOp) -> Value { return arith::SelectOp::create(b, location, x, y, operands[2]); })
      .Case([&](CastOp) { return cast(op, x); })
      .Case([&](BroadcastOp) { return x; })
      .Default([](Operation *) { return Value(); });
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

Value Payload::combine(Operation *reduction, Value sum, Value value) {
  Location location = reduction->getLoc();
  Type element = elementOf(reduction->getOperand(0).getType());
  if (isa<ReduceMaxOp, ReduceAnyOp, ArgMaxOp>(reduction))
    return choose<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(builder, location, element, value, sum);
  if (isa<ReduceMinOp, ReduceAllOp, ArgMinOp>(reduction))
    return choose<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>(builder, location, element, value, sum);
  if (isa<ReduceProdOp>(reduction))
    return choose<arith::MulFOp, arith::MulIOp>(builder, location, element, sum, value);
  return choose<arith::AddFOp, arith::AddIOp>(builder, location, element, sum, value);
}

Value Payload::neutral(Operation *reduction, Type type) {
  bool isMax = isa<ReduceMaxOp, ArgMaxOp>(reduction), isMin = isa<ReduceMinOp, ArgMinOp>(reduction);
  if (!isMax && !isMin)
    return constants.get(type, isa<ReduceProdOp, ReduceAllOp>(reduction) ? 1.0 : 0.0);
  if (isa<FloatType>(type))
    return constants.get(type,
                         isMax ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity());
  unsigned width = type.getIntOrFloatBitWidth();
  bool noSign = isUnsigned(elementOf(reduction->getOperand(0).getType()));
  APInt value = isMax ? (noSign ? APInt::getZero(width) : APInt::getSignedMinValue(width))
                      : (noSign ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width));
  return constants.get(IntegerAttr::get(type, value));
}

/// Whether the last position is wanted.
static bool takesLast(Operation *arg) {
  if (auto most = dyn_cast<ArgMaxOp>(arg))
    return most.getLast();
  return llvm::cast<ArgMinOp>(arg).getLast();
}

Value Payload::locate(Operation *arg, Value value, Value extreme, Value index, Value position) {
  Location location = arg->getLoc();
  const bool isLast = takesLast(arg);
  Value here = arith::IndexCastOp::create(builder, location, position.getType(), index);
  Value found = noPosition(arg);
  Value hit;
  if (isa<FloatType>(value.getType()))
    hit = arith::CmpFOp::create(builder, location, arith::CmpFPredicate::OEQ, value, extreme);
  else
    hit = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::eq, value, extreme);
  found = arith::SelectOp::create(builder, location, hit, here, found);
  if (isa<FloatType>(value.getType())) {
    Value isNaN = arith::CmpFOp::create(builder, location, arith::CmpFPredicate::UNE, value, value);
    found = arith::SelectOp::create(builder, location, isNaN, here, found);
  }
  if (isLast)
    return arith::MaxSIOp::create(builder, location, position, found);
  return arith::MinSIOp::create(builder, location, position, found);
}

Value Payload::noPosition(Operation *arg) {
  Type type = builder.getI32Type();
  return constants.get(
      IntegerAttr::get(type, takesLast(arg) ? APInt::getSignedMinValue(32) : APInt::getSignedMaxValue(32)));
}

} // namespace opc::te

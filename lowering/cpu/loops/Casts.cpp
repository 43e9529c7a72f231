// Conversions between element types under a rounding mode.
//
//   wide value x --to nearest even--> narrow n --exact--> back
//
// Comparing `back` with x shows on which side of x the nearest number is, and incrementing or decrementing the bits
// of n gives its neighbour. So each directed mode takes one comparison and one step from the mode that the machine
// has. A step beyond the largest number gives infinity, and a step down from infinity gives the largest number, as
// the modes require.

#include "lowering/cpu/loops/Lanes.h"

#include "dialect/aicore/Tiles.h"
#include "runtime/target/ElementKind.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using opc::aicore::Rounding;

namespace opc::cpu {

static Value select(ImplicitLocOpBuilder &b, Value condition, Value yes, Value no) {
  return arith::SelectOp::create(b, condition, yes, no);
}

static Value compare(ImplicitLocOpBuilder &b, arith::CmpFPredicate predicate, Value lhs, Value rhs) {
  return arith::CmpFOp::create(b, predicate, lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Float to a narrower float
//===----------------------------------------------------------------------===//

namespace {
/// A number rounded to nearest in the narrow type, with the operations that the other modes need.
struct Rounded {
  ImplicitLocOpBuilder &b;
  Value wide;     ///< the exact value
  Value narrowed; ///< nearest, ties to even
  Value back;     ///< `narrowed`, in the wide type
  Type bitsType;  ///< integer type of the narrow type's width

  Value bits() { return arith::BitcastOp::create(b, bitsType, narrowed); }
  Value fromBits(Value bits) { return arith::BitcastOp::create(b, narrowed.getType(), bits); }
  Value constant(int64_t value) { return integerConstant(b, bitsType, value); }
  Value where(arith::CmpFPredicate predicate) { return compare(b, predicate, back, wide); }
  Value magnitude(Value x) { return math::AbsFOp::create(b, x); }
  /// The bits of the next number away from zero (1) or towards zero (-1).
  Value step(Value bits, int64_t direction) { return arith::AddIOp::create(b, bits, constant(direction)); }
};
} // namespace

// The bits of the nearest number, or of its neighbour towards zero if it is larger in magnitude than the value.
static Value truncatedBits(Rounded &r) {
  Value larger = compare(r.b, arith::CmpFPredicate::OGT, r.magnitude(r.back), r.magnitude(r.wide));
  return select(r.b, larger, r.step(r.bits(), -1), r.bits());
}

// The bits of the nearest number, or of its neighbour on the other side if it is on the wrong side of the value: the
// neighbour below for OGT and -1, the one above for OLT and 1.
static Value directedBits(Rounded &r, arith::CmpFPredicate wrongSide, int64_t stepOfPositive) {
  Value negative = arith::CmpIOp::create(r.b, arith::CmpIPredicate::slt, r.bits(), r.constant(0));
  Value stepped = select(r.b, negative, r.step(r.bits(), -stepOfPositive), r.step(r.bits(), stepOfPositive));
  return select(r.b, r.where(wrongSide), stepped, r.bits());
}

// A tie was rounded towards zero if the value is as far from the nearest number as from the next larger one in
// magnitude.
static Value tiesAwayBits(Rounded &r, function_ref<Value(Value)> exact) {
  Value next = r.step(r.bits(), 1);
  Value value = r.magnitude(r.wide);
  Value below = arith::SubFOp::create(r.b, value, r.magnitude(r.back));
  Value above = arith::SubFOp::create(r.b, r.magnitude(exact(r.fromBits(next))), value);
  Value tie = compare(r.b, arith::CmpFPredicate::OEQ, below, above);
  Value towardZero = compare(r.b, arith::CmpFPredicate::OGT, below, floatConstant(r.b, r.wide.getType(), 0));
  return select(r.b, arith::AndIOp::create(r.b, tie, towardZero), next, r.bits());
}

static Value oddBits(Rounded &r) {
  Value inexact = r.where(arith::CmpFPredicate::ONE);
  Value truncated = truncatedBits(r);
  return select(r.b, inexact, arith::OrIOp::create(r.b, truncated, r.constant(1)), truncated);
}

static Value adjusted(Rounded r, Rounding mode, function_ref<Value(Value)> exact) {
  switch (mode) {
  case Rounding::None:
  case Rounding::Rint:
    return r.narrowed;
  case Rounding::Floor:
    return r.fromBits(directedBits(r, arith::CmpFPredicate::OGT, -1));
  case Rounding::Ceil:
    return r.fromBits(directedBits(r, arith::CmpFPredicate::OLT, 1));
  case Rounding::Round:
    return r.fromBits(tiesAwayBits(r, exact));
  case Rounding::Trunc:
    return r.fromBits(truncatedBits(r));
  case Rounding::Odd:
    return r.fromBits(oddBits(r));
  }
  return r.narrowed;
}

// f64 to f32.
static Value toFloat32(ImplicitLocOpBuilder &b, Value wide, Rounding mode) {
  auto exact = [&](Value value) -> Value { return arith::ExtFOp::create(b, b.getF64Type(), value); };
  Value nearest = arith::TruncFOp::create(b, b.getF32Type(), wide);
  return adjusted({b, wide, nearest, exact(nearest), b.getI32Type()}, mode, exact);
}

// f32 to f16 or bf16.
static Value toHalfWidth(ImplicitLocOpBuilder &b, Value wide, ElementType type, Rounding mode) {
  auto exact = [&](Value value) -> Value { return widen(b, value, type); };
  Value nearest = narrow(b, wide, type);
  return adjusted({b, wide, nearest, exact(nearest), b.getI16Type()}, mode, exact);
}

//===----------------------------------------------------------------------===//
// To integers
//===----------------------------------------------------------------------===//

// The value rounded to an integer, as a float.
static Value integral(ImplicitLocOpBuilder &b, Value x, Rounding mode) {
  switch (mode) {
  case Rounding::Floor:
    return math::FloorOp::create(b, x);
  case Rounding::Ceil:
    return math::CeilOp::create(b, x);
  case Rounding::Round: {
    // Half away from zero: the fraction is exact, so comparing it is exact.
    Value whole = math::TruncOp::create(b, x);
    Value rest = math::AbsFOp::create(b, arith::SubFOp::create(b, x, whole));
    Value one = math::CopySignOp::create(b, floatConstant(b, x.getType(), 1), x);
    Value up = compare(b, arith::CmpFPredicate::OGE, rest, floatConstant(b, x.getType(), 0.5));
    return select(b, up, arith::AddFOp::create(b, whole, one), whole);
  }
  case Rounding::Trunc:
  case Rounding::Odd:
    return math::TruncOp::create(b, x);
  case Rounding::None:
  case Rounding::Rint:
    break;
  }
  return math::RoundEvenOp::create(b, x);
}

static std::pair<int64_t, int64_t> rangeOf(ElementType type) {
  switch (type) {
  case ElementType::Int8:
    return {-128, 127};
  case ElementType::UInt8:
    return {0, 255};
  case ElementType::Int16:
    return {-32768, 32767};
  case ElementType::UInt16:
    return {0, 65535};
  default:
    return {INT32_MIN, INT32_MAX};
  }
}

// An integral f32 as an integer. The bounds are powers of two or small numbers, hence exact. The upper bound of 32
// bits is not, so values that reach it are replaced after the conversion.
static Value saturated(ImplicitLocOpBuilder &b, Value x, ElementType type) {
  auto [low, high] = rangeOf(type);
  Type f32 = b.getF32Type(), i32 = b.getI32Type();
  Value isNumber = compare(b, arith::CmpFPredicate::ORD, x, x);
  x = select(b, isNumber, x, floatConstant(b, f32, 0));
  Value lowest = floatConstant(b, f32, static_cast<double>(low));
  x = select(b, compare(b, arith::CmpFPredicate::OLT, x, lowest), lowest, x);
  if (elementSize(type) < 4) {
    Value highest = floatConstant(b, f32, static_cast<double>(high));
    x = select(b, compare(b, arith::CmpFPredicate::OGT, x, highest), highest, x);
    Value word = arith::FPToSIOp::create(b, i32, x);
    return arith::TruncIOp::create(b, b.getIntegerType(elementSize(type) * 8), word);
  }
  Value tooLarge = compare(b, arith::CmpFPredicate::OGE, x, floatConstant(b, f32, 0x1p31));
  Value word = arith::FPToSIOp::create(b, i32, select(b, tooLarge, floatConstant(b, f32, 0), x));
  return select(b, tooLarge, integerConstant(b, i32, high), word);
}

Value saturate(ImplicitLocOpBuilder &b, Value value, ElementType type) {
  return saturated(b, integral(b, value, Rounding::Rint), type);
}

static Value floatToInteger(ImplicitLocOpBuilder &b, Value x, ElementType type, Rounding mode) {
  Value whole = integral(b, x, mode);
  Value result = saturated(b, whole, type);
  if (mode != Rounding::Odd)
    return result;
  Value inexact = compare(b, arith::CmpFPredicate::ONE, whole, x);
  Value one = integerConstant(b, result.getType(), 1);
  return select(b, inexact, arith::OrIOp::create(b, result, one), result);
}

// f32 to 64 bits: the low bits of the whole number; NaN and infinities give 0. From 2^23 on every float is whole, and
// its significand is shifted.
static Value floatToLong(ImplicitLocOpBuilder &b, Value x, Rounding mode) {
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  auto word = [&](int64_t value) { return integerConstant(b, i32, value); };
  Value bits = arith::BitcastOp::create(b, i32, x);
  Value exponent = arith::AndIOp::create(b, arith::ShRUIOp::create(b, bits, word(23)), word(0xff));
  Value isSmall = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, exponent, word(150));
  Value whole = integral(b, select(b, isSmall, x, floatConstant(b, b.getF32Type(), 0)), mode);
  Value small = arith::FPToSIOp::create(b, i64, whole);
  Value shift = arith::SubIOp::create(b, exponent, word(150));
  Value fits = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, shift, word(64));
  Value significand = arith::OrIOp::create(b, arith::AndIOp::create(b, bits, word(0x7fffff)), word(0x800000));
  Value large = arith::ShLIOp::create(b, arith::ExtUIOp::create(b, i64, significand),
                                      arith::ExtUIOp::create(b, i64, select(b, fits, shift, word(0))));
  Value zero = integerConstant(b, i64, 0);
  large = select(b, fits, large, zero);
  Value isNegative = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, bits, word(0));
  large = select(b, isNegative, arith::SubIOp::create(b, zero, large), large);
  return select(b, isSmall, small, large);
}

// i64 in an f64 from which every rounding to f32 is correct: beyond 2^53 rounded to odd in units of 2^11.
static Value longToFloat64(ImplicitLocOpBuilder &b, Value x) {
  Type i64 = b.getI64Type();
  auto word = [&](int64_t value) { return integerConstant(b, i64, value); };
  Value lost = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, arith::AndIOp::create(b, x, word(0x7ff)), word(0));
  Value kept = arith::AndIOp::create(b, x, word(~int64_t(0x7ff)));
  Value odd = arith::OrIOp::create(b, kept, select(b, lost, word(0x800), word(0)));
  Value low = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, x, word(-(int64_t(1) << 53)));
  Value high = arith::CmpIOp::create(b, arith::CmpIPredicate::sle, x, word(int64_t(1) << 53));
  Value exact = select(b, arith::AndIOp::create(b, low, high), x, odd);
  return arith::SIToFPOp::create(b, b.getF64Type(), exact);
}

// i32 to i16, i64 to i32.
static Value narrowInteger(ImplicitLocOpBuilder &b, Value x, ElementType type) {
  auto [low, high] = rangeOf(type);
  x = arith::MaxSIOp::create(b, x, integerConstant(b, x.getType(), low));
  x = arith::MinSIOp::create(b, x, integerConstant(b, x.getType(), high));
  return arith::TruncIOp::create(b, b.getIntegerType(elementSize(type) * 8), x);
}

//===----------------------------------------------------------------------===//
// All conversions
//===----------------------------------------------------------------------===//

static Value integerToFloat(ImplicitLocOpBuilder &b, Value x, ElementType source, Type type) {
  if (source == ElementType::UInt8 || source == ElementType::UInt16)
    return arith::UIToFPOp::create(b, type, x);
  return arith::SIToFPOp::create(b, type, x);
}

Value convert(ImplicitLocOpBuilder &b, Value x, TypeRow types, Rounding mode) {
  ElementType to = types.destination;
  if (types.source == ElementType::Int32 && to == ElementType::Int64)
    return arith::ExtSIOp::create(b, b.getI64Type(), x);
  if (!isFloat(types.source) && !isFloat(to))
    return narrowInteger(b, x, to);
  if (to == ElementType::Int64)
    return floatToLong(b, x, mode);
  if (!isFloat(to))
    return floatToInteger(b, x, to, mode);
  if (types.source == ElementType::Float32 && to == ElementType::Float32)
    return integral(b, x, mode);

  // To a float. Integers that f32 may not hold are converted to f64 first; rounding that to odd makes the second
  // rounding correct.
  if (types.source == ElementType::Int64)
    x = longToFloat64(b, x);
  else if (types.source == ElementType::Int32)
    x = integerToFloat(b, x, types.source, b.getF64Type());
  else if (!isFloat(types.source))
    x = integerToFloat(b, x, types.source, b.getF32Type());
  if (to == ElementType::Float32)
    return x.getType().isF64() ? toFloat32(b, x, mode) : x;
  if (x.getType().isF64())
    x = toFloat32(b, x, Rounding::Odd);
  return toHalfWidth(b, x, to, mode);
}

} // namespace opc::cpu

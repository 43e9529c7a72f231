// Expansions of whole numbers, remainders, powers, sines and logarithms, always in float32: for float16 operands the
// steps are exact, and narrowing the result is the only rounding.
//
// The polynomials were fitted for this file. Errors stated beside the functions were measured on the simulator, with
// intrinsics that give the nearest number; with --numerics=worst they grow by the errors that Accuracy.def allows.

#include "lowering/aicore/place/program/Expand.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace opc::aicore {

static constexpr double kLargest = std::numeric_limits<float>::max();

static TileId widened(TileProgramBuilder &steps, TileId x) {
  return steps.cast(x, ElementType::Float32, Rounding::None);
}

static TileId narrowed(TileProgramBuilder &steps, TileId result, ElementType type) {
  return steps.cast(result, type, Rounding::Rint);
}

static TileId plus(TileProgramBuilder &steps, TileId x, double number) {
  return steps.scalar(Intrinsic::vadds, x, number);
}
static TileId times(TileProgramBuilder &steps, TileId x, double number) {
  return steps.scalar(Intrinsic::vmuls, x, number);
}
static TileId add(TileProgramBuilder &steps, TileId x, TileId y) {
  return steps.binary(Intrinsic::vadd, x, y);
}
static TileId subtract(TileProgramBuilder &steps, TileId x, TileId y) {
  return steps.binary(Intrinsic::vsub, x, y);
}
static TileId multiply(TileProgramBuilder &steps, TileId x, TileId y) {
  return steps.binary(Intrinsic::vmul, x, y);
}
static TileId divide(TileProgramBuilder &steps, TileId x, TileId y) {
  return steps.binary(Intrinsic::vdiv, x, y);
}

/// A row or column beside a full tile is repeated once, instead of by every step and mask that combines the two. A
/// single element is not repeated: computations on it alone cost nothing.
static TileId repeated(TileProgramBuilder &steps, TileId x, Spread spread) {
  return steps[x].spread == Spread::One ? x : steps.widen(x, spread);
}

/// The mask of a comparison with a number.
static TileId compare(TileProgramBuilder &steps, Comparison comparison, TileId x, double number, Spread spread) {
  return steps.compare(comparison, x, steps.scalarConstant(steps[x].type, number), spread);
}

static TileId select(TileProgramBuilder &steps, TileId mask, TileId x, double number) {
  return steps.select(mask, x, steps.scalarConstant(steps[x].type, number));
}

//===----------------------------------------------------------------------===//
// Whole numbers
//===----------------------------------------------------------------------===//

// One conversion from float32 to float32, for numbers of any size. float16 represents every whole number next to a
// fraction that it represents.
TileId expandWhole(TileProgramBuilder &steps, TileId x, Rounding rounding) {
  ElementType type = steps[x].type;
  return narrowed(steps, steps.whole(widened(steps, x), rounding), type);
}

// The smallest number of either type, multiplied twice, is 1 or more; no mask is needed.
TileId expandSign(TileProgramBuilder &steps, TileId x) {
  double factor = steps[x].type == ElementType::Float16 ? 0x1p12 : 0x1p127;
  TileId grown = times(steps, times(steps, x, factor), factor);
  return steps.scalar(Intrinsic::vmaxs, steps.scalar(Intrinsic::vmins, grown, 1.0), -1.0);
}

//===----------------------------------------------------------------------===//
// Exponentials and logarithms near zero
//===----------------------------------------------------------------------===//

// Near zero x + x^2 P(x), |x| < 0.5, where exp(x) - 1 would lose digits. Error: 1.5 ulp; from 0.5 on up to 4 times that
// of the exponential.
TileId expandExpm1(TileProgramBuilder &steps, TileId x) {
  static constexpr double kSmall[] = {0.5000000596046448,   0.1666666865348816,    0.04166495427489281,
                                      0.008332852274179459, 0.0014011029852554202, 0.00020086450967937708};
  ElementType type = steps[x].type;
  TileId wide = widened(steps, x);
  TileId curve = multiply(steps, polynomial(steps, wide, kSmall), multiply(steps, wide, wide));
  TileId small = add(steps, curve, wide);
  TileId large = plus(steps, steps.unary(Intrinsic::vexp, wide), -1.0);
  return narrowed(steps, chooseByMagnitude(steps, wide, 0.5, small, large), type);
}

/// log(1 + x) = log(u) x / (u - 1), u = 1 + x rounded: the quotient corrects the rounding of u. Where u is 1 the result
/// is x. `bounded`: x is at most 1, not infinity. Error: 2.5 ulp; 3 more with the errors of logarithm and quotient.
static TileId logOfOneMore(TileProgramBuilder &steps, TileId x, bool bounded) {
  TileId sum = plus(steps, x, 1.0), logarithm = steps.unary(Intrinsic::vln, sum);
  TileId rest = plus(steps, sum, -1.0);
  if (!bounded)
    rest = steps.scalar(Intrinsic::vmins, rest, kLargest);
  TileId large = multiply(steps, logarithm, divide(steps, x, rest));
  return chooseByMagnitude(steps, x, 0x1p-23, x, large);
}

TileId expandLog1p(TileProgramBuilder &steps, TileId x) {
  ElementType type = steps[x].type;
  return narrowed(steps, logOfOneMore(steps, widened(steps, x), /*bounded=*/false), type);
}

// max(x, 0) + log(1 + exp(-|x|)): the exponential is at most 1.
TileId expandSoftplus(TileProgramBuilder &steps, TileId x) {
  ElementType type = steps[x].type;
  TileId wide = widened(steps, x);
  TileId below = times(steps, steps.unary(Intrinsic::vabs, wide), -1.0);
  TileId soft = logOfOneMore(steps, steps.unary(Intrinsic::vexp, below), /*bounded=*/true);
  return narrowed(steps, add(steps, steps.scalar(Intrinsic::vmaxs, wide, 0.0), soft), type);
}

//===----------------------------------------------------------------------===//
// Sine and cosine
//===----------------------------------------------------------------------===//

// x = q pi + r with |r| <= pi / 2: q is whole for the sine and a half more for the cosine, whose value is then a sine
// of r too, and its parity is the sign. pi is split so that q times each part is exact: 2 q has 17 bits and times 201,
// the significand of the first part, less than 24. Each difference is exact until r is small. All parts together hold
// 63 bits of pi after its leading one, so r is right to 2^-36. The quotient is right to 2^-8 near 2^17, so r may be
// larger than pi / 2 by 0.007; the polynomial is as good there.
//
// Error up to 2^17: 2.5 ulp, or 2^-34. Beyond, products are rounded, and the bound keeps the polynomial finite.
TileId expandSine(TileProgramBuilder &steps, TileId x, bool cosine) {
  static constexpr double kPi[] = {0x1.92p+1, 0x1.fcp-11, -0x1.58p-20};
  static constexpr double kCurve[] = {-0.1666666716337204, 0.008333350531756878, -0.00019843093468807638,
                                      2.7627049803413684e-06, -2.5502592814508145e-08};
  ElementType type = steps[x].type;
  const bool mayBeLarge = !steps.isFromHalf(x);
  TileId wide = widened(steps, x);
  TileId turns = times(steps, wide, 0.3183098861837907);
  TileId whole = steps.whole(cosine ? plus(steps, turns, -0.5) : turns, Rounding::Rint);
  TileId quotient = cosine ? plus(steps, whole, 0.5) : whole;
  TileId rest = wide;
  for (double part : kPi)
    rest = subtract(steps, rest, times(steps, quotient, part));
  // The last two parts are far below the digits of r, and are subtracted together.
  rest = subtract(steps, rest, add(steps, times(steps, quotient, 0x1.1p-29), times(steps, quotient, 0x1.68c234p-38)));
  if (mayBeLarge)
    rest = steps.scalar(Intrinsic::vmaxs, steps.scalar(Intrinsic::vmins, rest, 1.6), -1.6);
  TileId square = multiply(steps, rest, rest);
  TileId curve = multiply(steps, multiply(steps, polynomial(steps, square, kCurve), square), rest);
  TileId sine = add(steps, curve, rest);
  // At the ends of its range the polynomial rounds to more than 1.
  sine = steps.scalar(Intrinsic::vmaxs, steps.scalar(Intrinsic::vmins, sine, 1.0), -1.0);
  // Half of an odd number is one half away from a whole one.
  TileId half = times(steps, whole, 0.5);
  TileId odd = steps.unary(Intrinsic::vabs, subtract(steps, half, steps.whole(half, Rounding::Rint)));
  TileId sign = plus(steps, times(steps, odd, cosine ? 4.0 : -4.0), cosine ? -1.0 : 1.0);
  return narrowed(steps, multiply(steps, sine, sign), type);
}

//===----------------------------------------------------------------------===//
// Remainders
//===----------------------------------------------------------------------===//

/// A divisor in one part, or in two whose significands have 12 bits each.
struct Divisor {
  TileId whole;
  SmallVector<TileId, 2> parts;
};

/// dividend - q 2^shift divisor, exact: q is the whole number nearest to the quotient, or its neighbour if the quotient
/// is almost halfway.
static TileId divisionStep(TileProgramBuilder &steps, TileId dividend, const Divisor &divisor, int shift) {
  double power = std::ldexp(1.0, shift);
  TileId scaled = shift ? times(steps, divisor.whole, power) : divisor.whole;
  TileId quotient = steps.whole(divide(steps, dividend, scaled), Rounding::Rint);
  if (shift)
    quotient = times(steps, quotient, power);
  for (TileId part : divisor.parts)
    dividend = subtract(steps, dividend, multiply(steps, quotient, part));
  return dividend;
}

// |lhs| - q |rhs| in steps of 11 or 12 bits of q. Each leaves little more than half of what it divides by, of either
// sign, and so is exact: a rest beyond the divisor may need a bit more than the divisor has. Numbers of float16 have 11
// bits: a product with 13 bits of a quotient fits float32. Those of float32 are split in two halves, 4097 b - (4097 b -
// b) having the upper 12 bits; a factor keeps it from overflowing.
TileId expandMod(TileProgramBuilder &steps, TileId lhs, TileId rhs, bool floor) {
  ElementType type = steps[lhs].type;
  const bool halves = steps.isFromHalf(lhs) && steps.isFromHalf(rhs);
  Spread spread = join(steps[lhs].spread, steps[rhs].spread);
  TileId x = repeated(steps, widened(steps, lhs), spread), y = repeated(steps, widened(steps, rhs), spread);
  TileId size = steps.unary(Intrinsic::vabs, x), divisor = steps.unary(Intrinsic::vabs, y);
  std::optional<TileId> isLarge;
  if (!halves) {
    // The product of a quotient and the upper half may be little more than twice the dividend, and overflows beside the
    // largest ones. Both numbers are divided by 4, which is exact where the quotient is below the limit.
    isLarge = compare(steps, Comparison::Ge, size, 0x1p125, spread);
    TileId quarter = steps.fill(steps.scalarConstant(ElementType::Float32, 0.25), ElementType::Float32, spread);
    TileId factor = select(steps, *isLarge, quarter, 1.0);
    size = multiply(steps, size, factor);
    divisor = multiply(steps, divisor, factor);
  }
  Divisor parts{divisor, {divisor}};
  if (!halves) {
    TileId small = times(steps, divisor, 0x1p-13), large = times(steps, small, 4097.0);
    TileId upper = times(steps, subtract(steps, large, subtract(steps, large, small)), 0x1p13);
    upper = steps.scalar(Intrinsic::vmins, upper, 0x1.ffep127); // the largest divisors round up to infinity
    parts.parts = {upper, subtract(steps, divisor, upper)};
  }
  TileId rest = size;
  const SmallVector<int, 3> shifts = halves ? SmallVector<int, 3>{24, 12, 0} : SmallVector<int, 3>{11, 0};
  for (int shift : shifts)
    rest = divisionStep(steps, rest, parts, shift);
  TileId more = add(steps, rest, divisor);
  rest = steps.select(compare(steps, Comparison::Lt, rest, 0.0, spread), more, rest);
  // If the dividend is smaller than the divisor, it is the remainder; this includes an infinite divisor, for which the
  // steps give NaN.
  rest = steps.select(steps.compare(Comparison::Lt, size, divisor, spread), size, rest);
  if (!halves) {
    TileId limit = times(steps, divisor, 0x1p22);
    rest = select(steps, steps.compare(Comparison::Lt, size, limit, spread), rest,
                  std::numeric_limits<double>::quiet_NaN());
  }
  TileId minus = times(steps, rest, -1.0);
  TileId result = steps.select(compare(steps, Comparison::Lt, x, 0.0, spread), minus, rest);
  if (floor) {
    // In terms of a positive divisor: a negative remainder is added to it.
    TileId negative = compare(steps, Comparison::Lt, y, 0.0, spread);
    TileId turned = steps.select(negative, times(steps, result, -1.0), result);
    TileId below = compare(steps, Comparison::Lt, turned, 0.0, spread);
    TileId positive = steps.select(below, add(steps, turned, divisor), turned);
    result = steps.select(negative, times(steps, positive, -1.0), positive);
  }
  if (isLarge)
    result = steps.select(*isLarge, times(steps, result, 4.0), result);
  return narrowed(steps, result, type);
}

//===----------------------------------------------------------------------===//
// Quotients of integers
//===----------------------------------------------------------------------===//

// Bytes and int16 are whole numbers of float32, and so is all that is computed from them. Int32 takes two rounds: the
// first quotient is off by 2^-22 of itself, up to 2^9; what its product leaves fits int32, and its own quotient is off
// by less than 2^-12. Quotients are rounded to the nearest number, so that in the end the rest is at most a little more
// than half of the divisor. If its sign is not that of the dividend, the quotient is one too large.
TileId expandWholeQuotient(TileProgramBuilder &steps, TileId lhs, TileId rhs, ElementType type, bool remainder) {
  const bool isWide = type == ElementType::Int32;
  const Spread spread = join(steps[lhs].spread, steps[rhs].spread);
  auto inFloat = [&](TileId x) {
    return expandCast(steps, x, ElementType::Float32, Rounding::Rint, /*saturate=*/false);
  };
  auto inWhole = [&](TileId x) { return steps.cast(x, ElementType::Int32, Rounding::Rint); };
  TileId x = repeated(steps, inFloat(lhs), spread), y = repeated(steps, inFloat(rhs), spread);
  TileId given = compare(steps, Comparison::Ne, y, 0.0, spread);
  TileId divisor = select(steps, given, y, 1.0);
  TileId rest = isWide ? lhs : x, factor = isWide ? rhs : y, quotient = rest;
  for (int round = 0; round < (isWide ? 2 : 1); ++round) {
    TileId near = divide(steps, isWide ? inFloat(rest) : rest, divisor);
    TileId whole = isWide ? inWhole(near) : steps.whole(near, Rounding::Rint);
    rest = subtract(steps, rest, multiply(steps, whole, factor));
    quotient = round == 0 ? whole : add(steps, quotient, whole);
  }
  TileId isNegative = compare(steps, Comparison::Lt, multiply(steps, x, divisor), 0.0, spread);
  TileId one = steps.fill(steps.scalarConstant(ElementType::Float32, 1.0), ElementType::Float32, spread);
  TileId sign = steps.select(isNegative, times(steps, one, -1.0), one);
  TileId rests = isWide ? inFloat(rest) : rest;
  TileId isBeyond = compare(steps, Comparison::Lt, multiply(steps, rests, x), 0.0, spread);
  TileId step = select(steps, isBeyond, sign, 0.0);
  if (isWide)
    step = inWhole(step);
  TileId result = remainder ? add(steps, rest, multiply(steps, step, factor)) : subtract(steps, quotient, step);
  if (isWide)
    return multiply(steps, result, inWhole(select(steps, given, one, 0.0)));
  return expandCast(steps, inWhole(select(steps, given, result, 0.0)), type, Rounding::Rint, /*saturate=*/false);
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

/// 1 where a number is odd, else 0; `half` is the number shifted by one.
static TileId lastDigit(TileProgramBuilder &steps, TileId x, TileId half) {
  return subtract(steps, x, steps.scalar(Intrinsic::vshl, half, 1.0));
}

// A square for each digit of the exponent, and a product where it is 1. An odd x squared k times is 1 + 2^(k + 2) t,
// so the power of that with a further exponent m is 1 + m 2^(k + 2) t, if twice k + 2 digits are beyond the type: a
// product takes the place of all rounds from there on. An even x squared k times is 0 then, and so is its power,
// unless m is 0. All of this holds for negative exponents of 1 and -1, too, and other powers with them are 0.
TileId expandWholePower(TileProgramBuilder &steps, TileId lhs, TileId rhs) {
  const ElementType type = steps[lhs].type;
  const int rounds = type == ElementType::Int32 ? 14 : 6;
  const Spread spread = join(steps[lhs].spread, steps[rhs].spread);
  TileId base = repeated(steps, lhs, spread), exponent = repeated(steps, rhs, spread);
  auto halved = [&](TileId x) { return steps.scalar(Intrinsic::vshr, x, 1.0); };
  std::optional<TileId> power;
  // power * (digit ? base : 1), as 1 + digit (base - 1).
  auto include = [&](TileId digit) {
    TileId factor = plus(steps, multiply(steps, plus(steps, base, -1.0), digit), 1.0);
    power = power ? multiply(steps, *power, factor) : factor;
  };
  TileId x = base, rest = exponent;
  for (int round = 0; round < rounds; ++round) {
    TileId half = halved(rest);
    include(lastDigit(steps, rest, half));
    base = multiply(steps, base, base);
    rest = half;
  }
  TileId isOdd = lastDigit(steps, x, halved(x));
  TileId least = steps.scalar(Intrinsic::vmins, rest, 1.0);
  include(add(steps, least, multiply(steps, isOdd, subtract(steps, rest, least))));
  // Whether |x| is other than 1: (x^2 - 1)^2 is 0, or at least 1. Numbers beyond 2 count as 2, whose squares fit.
  TileId near = steps.scalar(Intrinsic::vmaxs, steps.scalar(Intrinsic::vmins, x, 2.0), -2.0);
  TileId beyond = plus(steps, multiply(steps, near, near), -1.0);
  TileId isOther = steps.scalar(Intrinsic::vmins, multiply(steps, beyond, beyond), 1.0);
  TileId isNegative = steps.scalar(Intrinsic::vshr, exponent, type == ElementType::Int32 ? 31.0 : 15.0); // -1 or 0
  return multiply(steps, *power, plus(steps, multiply(steps, isOther, isNegative), 1.0));
}

// exp(y log |x|) is 1 where |x| is 1 or y is 0, for any other operand. For a negative x it is multiplied by 1 or -1 as
// y is even or odd, and by NaN if y has a fraction; only -infinity has such powers. Values that depend only on y are
// computed on a separate tile, which for a scalar is one element.
TileId expandPow(TileProgramBuilder &steps, TileId lhs, TileId rhs) {
  ElementType type = steps[lhs].type;
  Spread spread = join(steps[lhs].spread, steps[rhs].spread);
  TileId x = repeated(steps, widened(steps, lhs), spread), y = repeated(steps, widened(steps, rhs), spread);
  TileId size = steps.unary(Intrinsic::vabs, x);
  TileId exponent = multiply(steps, steps.unary(Intrinsic::vln, size), y);
  exponent = select(steps, compare(steps, Comparison::Ne, size, 1.0, spread), exponent, 0.0);
  exponent = select(steps, compare(steps, Comparison::Ne, y, 0.0, spread), exponent, 0.0);
  TileId power = steps.unary(Intrinsic::vexp, exponent);

  // From 2^24 on every number is even. The root of a negative fraction is NaN, that of zero is zero.
  TileId bounded = steps.scalar(Intrinsic::vmaxs, steps.scalar(Intrinsic::vmins, y, 0x1p25), -0x1p25);
  TileId fraction = subtract(steps, bounded, steps.whole(bounded, Rounding::Rint));
  TileId broken = steps.unary(Intrinsic::vsqrt, times(steps, steps.unary(Intrinsic::vabs, fraction), -1.0));
  TileId half = times(steps, bounded, 0.5);
  TileId odd = steps.unary(Intrinsic::vabs, subtract(steps, half, steps.whole(half, Rounding::Rint)));
  TileId isOdd = steps.whole(times(steps, odd, 2.0), Rounding::Floor); // it is 0 for a fraction, too
  TileId sign = plus(steps, times(steps, isOdd, -2.0), 1.0);
  TileId finite = compare(steps, Comparison::Ge, x, -kLargest, spread);
  TileId factor = add(steps, sign, select(steps, finite, broken, 0.0));
  factor = select(steps, compare(steps, Comparison::Lt, x, 0.0, spread), factor, 1.0);
  return narrowed(steps, multiply(steps, power, factor), type);
}

} // namespace opc::aicore

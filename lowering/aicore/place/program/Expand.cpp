// Expansions compute in float32: float16 operands are widened first and the result is narrowed at the end, which
// costs two casts and keeps the error of each expansion far below the resolution of float16. A schedule may ask for
// float16 where the operand came from float16: that needs half the bytes, and errors become visible in float16.
//
// The polynomials were fitted for this file, weighted for the least relative error of the whole function in float32
// arithmetic. The errors stated beside the tables were measured over 400000 points against float64.

#include "lowering/aicore/place/program/Expand.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace opc::aicore {

static Rounding roundingTo(ElementType type) {
  return type == ElementType::Float32 ? Rounding::None : Rounding::Rint;
}

/// Applies an expansion in the type in which functions of `x` are computed.
static TileId inExpansionType(TileProgramBuilder &steps, TileId x, llvm::function_ref<TileId(TileId)> recipe) {
  ElementType type = steps[x].type, computed = steps.expansionOf(x);
  if (type == computed)
    return recipe(x);
  TileId result = recipe(steps.cast(x, computed, roundingTo(computed)));
  return steps.cast(result, type, roundingTo(type));
}

TileId polynomial(TileProgramBuilder &steps, TileId x, ArrayRef<double> c) {
  TileId sum = steps.scalar(Intrinsic::vmuls, x, c.back());
  for (double coefficient : llvm::reverse(c.drop_back().drop_front()))
    sum = steps.binary(Intrinsic::vmul, steps.scalar(Intrinsic::vadds, sum, coefficient), x);
  return steps.scalar(Intrinsic::vadds, sum, c.front());
}

TileId expandNeg(TileProgramBuilder &steps, TileId x) {
  return steps.scalar(Intrinsic::vmuls, x, -1.0);
}

TileId expandAbs(TileProgramBuilder &steps, TileId x) {
  if (steps.supports(Intrinsic::vabs, {steps[x].type, steps[x].type}))
    return steps.unary(Intrinsic::vabs, x);
  return steps.binary(Intrinsic::vmax, x, expandNeg(steps, x));
}

// The difference of two int32 numbers does not fit 32 bits, and float32 does not hold every int32. The differences of
// the upper and of the lower halves are exact in float32. The upper one is weighted so that it exceeds any lower one.
// The rounded sum then has the right sign, and is zero only if both are zero.
TileId expandDifference(TileProgramBuilder &steps, TileId lhs, TileId rhs) {
  auto upper = [&](TileId x) { return steps.scalar(Intrinsic::vshr, x, 16.0); };
  auto lower = [&](TileId x, TileId high) {
    return steps.binary(Intrinsic::vsub, x, steps.scalar(Intrinsic::vshl, high, 16.0));
  };
  TileId highLeft = upper(lhs), highRight = upper(rhs);
  TileId high = steps.binary(Intrinsic::vsub, highLeft, highRight);
  TileId low = steps.binary(Intrinsic::vsub, lower(lhs, highLeft), lower(rhs, highRight));
  TileId weighed = steps.scalar(Intrinsic::vmuls, steps.cast(high, ElementType::Float32, Rounding::Rint), 131072.0);
  return steps.binary(Intrinsic::vadd, weighed, steps.cast(low, ElementType::Float32, Rounding::Rint));
}

TileId expandDivide(TileProgramBuilder &steps, TileId lhs, Value scalar) {
  TileId divisor = steps.fill(scalar, steps[lhs].type, steps[lhs].spread);
  return steps.binary(Intrinsic::vdiv, lhs, divisor);
}

TileId expandDivide(TileProgramBuilder &steps, Value scalar, TileId rhs) {
  TileId dividend = steps.fill(scalar, steps[rhs].type, steps[rhs].spread);
  return steps.binary(Intrinsic::vdiv, dividend, rhs);
}

TileId expandRsqrt(TileProgramBuilder &steps, TileId x) {
  return inExpansionType(steps, x, [&](TileId wide) {
    TileId root = steps.unary(Intrinsic::vsqrt, wide);
    return expandDivide(steps, steps.scalarConstant(steps[wide].type, 1.0), root);
  });
}

// x / (1 + exp(-s)); `exponent` gives a multiple of s.
//
// If x came from float16, the quotient falls below the smallest float16 long before exp(-s) overflows, and the formula
// is computed directly. In float16 the exponent is split at 10, in two quotients with an exponential each.
//
// In float32 exp(-s) overflows at s = -88, where x * exp(s) may be a normal number. There one exponential g = exp(s
// / 2) suffices: x * (g / (1 + g^2)) * g. The quotient is at most one half, and no step overflows or underflows
// before the result does. Beyond s = 18 the result is x, so g is bounded by 2^13: then 1 + g^2 is a power of two,
// and the result x itself. Error: less than 4 ulp and |s| ulp of the exponent's rounding (6e7 random numbers: at
// most 0.93 of that).
using Exponent = llvm::function_ref<TileId(double)>;

static TileId swishByHalves(TileProgramBuilder &steps, TileId x, TileId half) {
  TileId g = steps.scalar(Intrinsic::vmins, steps.unary(Intrinsic::vexp, half), 8192.0);
  TileId sum = steps.scalar(Intrinsic::vadds, steps.binary(Intrinsic::vmul, g, g), 1.0);
  TileId quotient = steps.binary(Intrinsic::vdiv, g, sum);
  return steps.binary(Intrinsic::vmul, steps.binary(Intrinsic::vmul, x, quotient), g);
}

static TileId swishOf(TileProgramBuilder &steps, TileId x, bool fromHalf, Exponent exponent) {
  constexpr double limit = 10.0;
  if (fromHalf) {
    TileId sum = steps.scalar(Intrinsic::vadds, steps.unary(Intrinsic::vexp, exponent(-1.0)), 1.0);
    return steps.binary(Intrinsic::vdiv, x, sum);
  }
  if (steps[x].type == ElementType::Float32)
    return swishByHalves(steps, x, exponent(0.5));
  TileId t = exponent(-1.0);
  TileId above = steps.scalar(Intrinsic::vmaxs, t, limit);
  TileId below = steps.unary(Intrinsic::vexp, steps.scalar(Intrinsic::vmins, t, limit));
  TileId quotient = steps.binary(Intrinsic::vdiv, x, steps.scalar(Intrinsic::vadds, below, 1.0));
  TileId rest = steps.unary(Intrinsic::vexp, steps.scalar(Intrinsic::vadds, above, -limit));
  return steps.binary(Intrinsic::vdiv, quotient, rest);
}

TileId expandSwish(TileProgramBuilder &steps, TileId x, Value beta) {
  bool fromHalf = steps.isFromHalf(x);
  auto timesBeta = [&](TileId wide, double factor) {
    OpBuilder &scalars = steps.scalars();
    Location place = steps.getLocation();
    Value scale =
        factor == -1.0
            ? Value(arith::NegFOp::create(scalars, place, beta))
            : Value(arith::MulFOp::create(scalars, place, beta, steps.scalarConstant(ElementType::Float32, factor)));
    return steps.scalar(Intrinsic::vmuls, wide, scale);
  };
  if (steps.expansionOf(x) == ElementType::Float16) {
    // The scalar is a float32, so the product is computed in float32.
    TileId wide = steps.cast(x, ElementType::Float32, Rounding::None);
    TileId half = steps.cast(x, ElementType::Float16, Rounding::Rint);
    auto exponent = [&](double factor) {
      return steps.cast(timesBeta(wide, factor), ElementType::Float16, Rounding::Rint);
    };
    return steps.cast(swishOf(steps, half, /*fromHalf=*/false, exponent), steps[x].type, Rounding::None);
  }
  return inExpansionType(steps, x, [&](TileId wide) {
    return swishOf(steps, wide, fromHalf, [&](double factor) { return timesBeta(wide, factor); });
  });
}

TileId expandSwish(TileProgramBuilder &steps, TileId x, TileId beta) {
  bool fromHalf = steps.isFromHalf(x) && steps.isFromHalf(beta);
  ElementType type = steps[x].type;
  TileId wide = steps.cast(x, ElementType::Float32, Rounding::None);
  TileId wideBeta = steps.cast(beta, ElementType::Float32, Rounding::None);
  TileId product = steps.binary(Intrinsic::vmul, wide, wideBeta);
  TileId result =
      swishOf(steps, wide, fromHalf, [&](double factor) { return steps.scalar(Intrinsic::vmuls, product, factor); });
  return steps.cast(result, type, Rounding::Rint);
}

TileId expandSigmoid(TileProgramBuilder &steps, TileId x) {
  return inExpansionType(steps, x, [&](TileId wide) {
    TileId exponential = steps.unary(Intrinsic::vexp, expandNeg(steps, wide));
    ElementType type = steps[wide].type;
    TileId one = steps.fill(steps.scalarConstant(type, 1.0), type, steps[wide].spread);
    return steps.binary(Intrinsic::vdiv, one, steps.scalar(Intrinsic::vadds, exponential, 1.0));
  });
}

TileId chooseByMagnitude(TileProgramBuilder &steps, TileId x, double limit, TileId small, TileId large) {
  TileId magnitude = steps.unary(Intrinsic::vabs, x);
  TileId mask = steps.compare(Comparison::Lt, magnitude, steps.scalarConstant(steps[x].type, limit), steps[x].spread);
  return steps.select(mask, small, large);
}

// Near zero x + x^3 P(x^2). From 0.625 on 1 - 2 / (exp(2 |x|) + 1) with the sign of x: the quotient is less than one
// half, which scales its error down, and the exponential may overflow to infinity.
TileId expandTanh(TileProgramBuilder &steps, TileId x) {
  static constexpr double kSmall[] = {-0.3333323001861572, 0.1333041489124298, -0.053665295243263245,
                                      0.020415231585502625, -0.005468300078064203};
  return inExpansionType(steps, x, [&](TileId wide) {
    TileId square = steps.binary(Intrinsic::vmul, wide, wide);
    TileId curve = steps.binary(Intrinsic::vmul, polynomial(steps, square, kSmall), square);
    TileId small = steps.binary(Intrinsic::vadd, steps.binary(Intrinsic::vmul, curve, wide), wide);
    TileId magnitude = steps.unary(Intrinsic::vabs, wide);
    TileId exponential = steps.unary(Intrinsic::vexp, steps.scalar(Intrinsic::vmuls, magnitude, 2.0));
    TileId divisor = steps.scalar(Intrinsic::vadds, exponential, 1.0);
    TileId quotient = expandDivide(steps, steps.scalarConstant(steps[wide].type, -2.0), divisor);
    TileId positive = steps.scalar(Intrinsic::vadds, quotient, 1.0);
    TileId isNegative =
        steps.compare(Comparison::Lt, wide, steps.scalarConstant(steps[wide].type, 0.0), steps[wide].spread);
    TileId large = steps.select(isNegative, expandNeg(steps, positive), positive);
    return chooseByMagnitude(steps, wide, 0.625, small, large);
  });
}

/// erf(z) near zero: z + z P(z^2), for |z| < 0.85. Error: 1.1 ulp.
static TileId erfNearZero(TileProgramBuilder &steps, TileId z) {
  static constexpr double kSmall[] = {0.12837915122509003,  -0.3761252462863922,  0.11282140761613846,
                                      -0.02677891217172146, 0.005011966917663813, -0.0006090379320085049};
  TileId square = steps.binary(Intrinsic::vmul, z, z);
  TileId curve = polynomial(steps, square, kSmall);
  return steps.binary(Intrinsic::vadd, steps.binary(Intrinsic::vmul, curve, z), z);
}

/// 1 - erf(|z|) = exp(Q(|z|) - z^2), for |z| >= 0.85. The polynomial is valid up to 6, where the result is 2e-17;
/// beyond, the square drives the result to zero. Error of 1 minus it: 1.3 ulp.
static TileId erfcOfMagnitude(TileProgramBuilder &steps, TileId magnitude) {
  static constexpr double kLarge[] = {-6.601140194106847e-05, -1.128535509109497,     0.3650819659233093,
                                      -0.10704342275857925,   0.02466347999870777,    -0.004144481848925352,
                                      0.00046914463746361434, -3.160998676321469e-05, 9.502952593720693e-07};
  TileId bounded = steps.scalar(Intrinsic::vmins, magnitude, 6.0);
  TileId curve = polynomial(steps, bounded, kLarge);
  TileId square = steps.binary(Intrinsic::vmul, magnitude, magnitude);
  return steps.unary(Intrinsic::vexp, steps.binary(Intrinsic::vsub, curve, square));
}

TileId expandErf(TileProgramBuilder &steps, TileId x) {
  return inExpansionType(steps, x, [&](TileId z) {
    TileId small = erfNearZero(steps, z);
    TileId magnitude = steps.unary(Intrinsic::vabs, z);
    TileId minus = steps.scalar(Intrinsic::vadds, erfcOfMagnitude(steps, magnitude), -1.0);
    TileId plus = expandNeg(steps, minus);
    TileId negative = steps.compare(Comparison::Lt, z, steps.scalarConstant(steps[z].type, 0.0), steps[z].spread);
    TileId large = steps.select(negative, minus, plus);
    return chooseByMagnitude(steps, z, 0.85, small, large);
  });
}

// x times the normal distribution function at x. Far below zero that function is computed as half of erfc, so nothing
// cancels.
static TileId geluByErf(TileProgramBuilder &steps, TileId x) {
  TileId z = steps.scalar(Intrinsic::vmuls, x, 0.70710678118654752);
  TileId middle = steps.scalar(Intrinsic::vadds, steps.scalar(Intrinsic::vmuls, erfNearZero(steps, z), 0.5), 0.5);
  TileId magnitude = steps.unary(Intrinsic::vabs, z);
  TileId lower = steps.scalar(Intrinsic::vmuls, erfcOfMagnitude(steps, magnitude), 0.5);
  TileId upper = steps.scalar(Intrinsic::vadds, expandNeg(steps, lower), 1.0);
  TileId negative = steps.compare(Comparison::Lt, z, steps.scalarConstant(steps[z].type, 0.0), steps[z].spread);
  TileId far = steps.select(negative, lower, upper);
  // At -20 the distribution function is already zero. The limit avoids minus infinity times zero, which is NaN.
  TileId bounded = steps.scalar(Intrinsic::vmaxs, x, -20.0);
  return steps.binary(Intrinsic::vmul, bounded, chooseByMagnitude(steps, z, 0.85, middle, far));
}

// (1 + tanh(u)) / 2 is the sigmoid of 2 u.
static TileId geluByTanh(TileProgramBuilder &steps, TileId x) {
  constexpr double twiceRoot = 1.5957691216057308; // 2 sqrt(2 / pi)
  TileId square = steps.binary(Intrinsic::vmul, x, x);
  auto exponent = [&](double factor) {
    TileId scaled = steps.scalar(Intrinsic::vmuls, square, 0.044715 * twiceRoot * factor);
    return steps.binary(Intrinsic::vmul, steps.scalar(Intrinsic::vadds, scaled, twiceRoot * factor), x);
  };
  bool fromHalf = steps.isFromHalf(x) && steps[x].type == ElementType::Float32;
  return swishOf(steps, x, fromHalf, exponent);
}

TileId expandGelu(TileProgramBuilder &steps, TileId x, bool byTanh) {
  return inExpansionType(steps, x,
                         [&](TileId wide) { return byTanh ? geluByTanh(steps, wide) : geluByErf(steps, wide); });
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// The largest finite number of a float type that is narrower than float32.
static double largest(ElementType type) {
  return type == ElementType::Float16 ? 65504.0 : 3.38953138925153547590470800371487866880e38;
}

/// Casts between float types. Casts between 16-bit types go through float32.
static TileId castFloat(TileProgramBuilder &steps, TileId x, ElementType type, Rounding rounding, bool saturate) {
  TileId wide = steps.cast(x, ElementType::Float32, Rounding::None);
  if (type == ElementType::Float32)
    return wide;
  if (saturate && steps[x].type != type) {
    wide = steps.scalar(Intrinsic::vmins, wide, largest(type));
    wide = steps.scalar(Intrinsic::vmaxs, wide, -largest(type));
  }
  return steps.cast(wide, type, rounding);
}

/// Narrows int32 numbers that the type holds. The chip converts to bytes only from float16.
static TileId narrowTo(TileProgramBuilder &steps, TileId x, ElementType type) {
  if (type == ElementType::Int16)
    return steps.cast(x, type, Rounding::None);
  return steps.cast(steps.cast(x, ElementType::Float16, Rounding::Rint), type, Rounding::Rint);
}

/// Widens bytes, int16 and int32 to int32.
static TileId widenToInt32(TileProgramBuilder &steps, TileId x) {
  if (steps[x].type == ElementType::Int32)
    return x;
  if (steps[x].type == ElementType::Int16) {
    TileId wide = steps.cast(x, ElementType::Float32, Rounding::None);
    return steps.cast(wide, ElementType::Int32, Rounding::Rint);
  }
  TileId half = steps.cast(x, ElementType::Float16, Rounding::None);
  return steps.cast(half, ElementType::Int32, Rounding::Rint);
}

/// Clamps int32 to the range of a narrower integer type.
static TileId clampTo(TileProgramBuilder &steps, TileId x, ElementType type) {
  double most = type == ElementType::Int16 ? 32767.0 : type == ElementType::Int8 ? 127.0 : 255.0;
  TileId below = steps.scalar(Intrinsic::vmins, x, most);
  return steps.scalar(Intrinsic::vmaxs, below, type == ElementType::UInt8 ? 0.0 : -most - 1.0);
}

/// Wraps int32 to a narrower integer type: keeps the low bits.
static TileId wrapTo(TileProgramBuilder &steps, TileId x, ElementType type) {
  const double missing = type == ElementType::Int16 ? 16.0 : 24.0;
  TileId high = steps.scalar(Intrinsic::vshl, x, missing);
  TileId wrapped = steps.scalar(Intrinsic::vshr, high, missing);
  if (type != ElementType::UInt8)
    return wrapped;
  // `high` shifted by 31 bits is -1 for a negative number, which then needs 256 added.
  TileId sign = steps.scalar(Intrinsic::vshr, high, 31.0);
  return steps.binary(Intrinsic::vadd, wrapped, steps.scalar(Intrinsic::vmuls, sign, -256.0));
}

TileId expandCast(TileProgramBuilder &steps, TileId x, ElementType type, Rounding rounding, bool saturate) {
  ElementType from = steps[x].type;
  if (from == type)
    return x;
  if (isFloat(from) && isFloat(type))
    return castFloat(steps, x, type, rounding, saturate);
  if (isFloat(type)) {
    if (from == ElementType::Int32 && type == ElementType::BFloat16)
      return steps.cast(steps.cast(x, ElementType::Float32, Rounding::Rint), type, Rounding::Rint);
    if (from == ElementType::Int32)
      return steps.cast(x, type, Rounding::Rint);
    if (from == ElementType::Int16)
      return castFloat(steps, steps.cast(x, ElementType::Float32, Rounding::None), type, Rounding::Rint,
                       /*saturate=*/false);
    // Bytes are exact in every float type.
    return castFloat(steps, steps.cast(x, ElementType::Float16, Rounding::None), type, Rounding::Rint,
                     /*saturate=*/false);
  }
  if (isFloat(from)) {
    // Round only once: float16 holds few whole numbers, so bytes are narrowed from int32.
    TileId wide = from == ElementType::BFloat16 ? steps.cast(x, ElementType::Float32, Rounding::None) : x;
    TileId whole = steps.cast(wide, ElementType::Int32, rounding);
    return type == ElementType::Int32 ? whole : narrowTo(steps, clampTo(steps, whole, type), type);
  }
  TileId whole = widenToInt32(steps, x);
  if (type == ElementType::Int32)
    return whole;
  return narrowTo(steps, saturate ? clampTo(steps, whole, type) : wrapTo(steps, whole, type), type);
}

} // namespace opc::aicore

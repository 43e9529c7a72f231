// Indices that a body computes, for a whole tile: arithmetic on int32 maps any index to a valid one.

#include "lowering/aicore/place/program/Expand.h"

namespace opc::aicore {

/// 1 where a number is below zero, else 0.
static TileId isNegative(TileProgramBuilder &steps, TileId x) {
  TileId opposite = steps.scalar(Intrinsic::vmuls, steps.scalar(Intrinsic::vmaxs, x, -1.0), -1.0);
  return steps.scalar(Intrinsic::vmaxs, steps.scalar(Intrinsic::vmins, opposite, 1.0), 0.0);
}

// The chip has no remainder of integers. The quotient in float32 is off by 2^-22 of itself, and so by up to 2^9 if
// the divisor is 1. After subtracting its product, the rest has the same remainder and fits float32: the second
// quotient is off by at most one, and so is the third, which a correction brings into the range. Products and
// differences wrap around.
TileId expandRemainder(TileProgramBuilder &steps, TileId x, const PlaceCount &divisor) {
  for (int round = 0; round < 2; ++round) {
    TileId number = steps.cast(x, ElementType::Float32, Rounding::Rint);
    TileId quotient =
        steps.cast(steps.scalar(Intrinsic::vmuls, number, divisor.reciprocal), ElementType::Int32, Rounding::Floor);
    x = steps.binary(Intrinsic::vadd, x, steps.scalar(Intrinsic::vmuls, quotient, divisor.negative));
  }
  x = steps.binary(Intrinsic::vadd, x, steps.scalar(Intrinsic::vmuls, isNegative(steps, x), divisor.number));
  TileId beyond = isNegative(steps, steps.scalar(Intrinsic::vadds, x, divisor.negative));
  // It is 1 within the range: the divisor is subtracted from numbers outside.
  TileId lowered = steps.scalar(Intrinsic::vadds, x, divisor.negative);
  return steps.binary(Intrinsic::vadd, lowered, steps.scalar(Intrinsic::vmuls, beyond, divisor.number));
}

TileId expandPlace(TileProgramBuilder &steps, TileId index, te::Beyond beyond, const PlaceCount &count,
                   const PlaceCount &period) {
  switch (beyond) {
  case te::Beyond::Nearest:
    break;
  case te::Beyond::FromEnd: {
    // No sum overflows: indices far below the range are clamped to just below it.
    index = steps.scalar(Intrinsic::vmaxs, index, count.negative);
    TileId added = steps.scalar(Intrinsic::vmuls, isNegative(steps, index), count.number);
    index = steps.binary(Intrinsic::vadd, index, added);
    break;
  }
  case te::Beyond::Wrap:
    index = expandRemainder(steps, index, count);
    break;
  case te::Beyond::Reflect: {
    // There and back again.
    index = expandRemainder(steps, index, period);
    TileId back = steps.scalar(Intrinsic::vadds, steps.scalar(Intrinsic::vmuls, index, -1.0), period.number);
    index = steps.binary(Intrinsic::vmin, index, back);
    break;
  }
  }
  // For any index, these two steps come last.
  return steps.scalar(Intrinsic::vmaxs, steps.scalar(Intrinsic::vmins, index, count.last), 0.0);
}

// The intrinsic may be off by a unit in the last place. The product of its result and the divisor is split into
// exact products of halves, so that the error of the quotient is known to 12 digits: the corrected quotient is
// correctly rounded.
TileId expandExactQuotient(TileProgramBuilder &steps, TileId lhs, TileId rhs) {
  auto minus = [&](TileId a, TileId b) { return steps.binary(Intrinsic::vsub, a, b); };
  auto times = [&](TileId a, TileId b) { return steps.binary(Intrinsic::vmul, a, b); };
  auto upper = [&](TileId x) {
    TileId scaled = steps.scalar(Intrinsic::vmuls, x, 4097.0);
    return minus(scaled, minus(scaled, x));
  };
  TileId quotient = steps.binary(Intrinsic::vdiv, lhs, rhs);
  TileId highLeft = upper(quotient), lowLeft = minus(quotient, highLeft);
  TileId highRight = upper(rhs), lowRight = minus(rhs, highRight);
  TileId product = times(quotient, rhs);
  TileId rest = minus(lhs, product);
  rest = minus(rest, minus(times(highLeft, highRight), product));
  rest = minus(rest, times(highLeft, lowRight));
  rest = minus(rest, times(lowLeft, highRight));
  rest = minus(rest, times(lowLeft, lowRight));
  return steps.binary(Intrinsic::vadd, quotient, steps.binary(Intrinsic::vdiv, rest, rhs));
}

} // namespace opc::aicore

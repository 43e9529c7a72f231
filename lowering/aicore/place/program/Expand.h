// Expansions of scalar functions for which the chip has no intrinsic, or none that is exact enough, into other
// intrinsics.

#ifndef OPC_LOWERING_AICORE_PLACE_PROGRAM_EXPAND_H
#define OPC_LOWERING_AICORE_PLACE_PROGRAM_EXPAND_H

#include "lowering/aicore/place/program/TileProgram.h"

namespace opc::aicore {

/// c[0] + c[1] x + ..., by Horner's rule.
TileId polynomial(TileProgramBuilder &steps, TileId x, llvm::ArrayRef<double> c);
/// where(|x| < limit) ? small : large
TileId chooseByMagnitude(TileProgramBuilder &steps, TileId x, double limit, TileId small, TileId large);

TileId expandNeg(TileProgramBuilder &steps, TileId x);
/// max(x, -x) where the chip has no vabs; the smallest integer is its own result.
TileId expandAbs(TileProgramBuilder &steps, TileId x);
/// A float32 that compares with zero as lhs compares with rhs; both are int32.
TileId expandDifference(TileProgramBuilder &steps, TileId lhs, TileId rhs);
/// lhs / scalar and scalar / rhs. The chip divides only tiles by tiles.
TileId expandDivide(TileProgramBuilder &steps, TileId lhs, mlir::Value scalar);
TileId expandDivide(TileProgramBuilder &steps, mlir::Value scalar, TileId rhs);
/// lhs / rhs, correctly rounded if both and their quotient are normal numbers below 2^115.
TileId expandExactQuotient(TileProgramBuilder &steps, TileId lhs, TileId rhs);

/// The size of an indexed dimension, at least 1, as scalars of the kernel's entry.
struct PlaceCount {
  mlir::Value number, negative, last; ///< int32
  mlir::Value reciprocal;             ///< float32
};
/// The remainder of an int32, with the sign of the divisor, which is at least 1.
TileId expandRemainder(TileProgramBuilder &steps, TileId x, const PlaceCount &divisor);
/// Maps any index to the range from 0 to count - 1. `period`: twice the last index, or 1.
TileId expandPlace(TileProgramBuilder &steps, TileId index, te::Beyond beyond, const PlaceCount &count,
                   const PlaceCount &period);
/// 1 / sqrt(x). The chip's own Rsqrt has errors of 1e-3 and more (runtime/target/accuracy/Accuracy.def).
TileId expandRsqrt(TileProgramBuilder &steps, TileId x);
/// x / (1 + exp(-beta * x)). In float32 it is correct even where exp overflows and the quotient does not.
TileId expandSwish(TileProgramBuilder &steps, TileId x, mlir::Value beta);
TileId expandSwish(TileProgramBuilder &steps, TileId x, TileId beta);
TileId expandSigmoid(TileProgramBuilder &steps, TileId x);
TileId expandTanh(TileProgramBuilder &steps, TileId x);
TileId expandErf(TileProgramBuilder &steps, TileId x);
/// x / 2 * (1 + erf(x / sqrt 2)), with its limits at the infinities; or the approximation by tanh.
TileId expandGelu(TileProgramBuilder &steps, TileId x, bool byTanh);
/// A float rounded to a whole number.
TileId expandWhole(TileProgramBuilder &steps, TileId x, Rounding rounding);
/// The sign: -1, 0 or 1; NaN for NaN.
TileId expandSign(TileProgramBuilder &steps, TileId x);
TileId expandExpm1(TileProgramBuilder &steps, TileId x);
TileId expandLog1p(TileProgramBuilder &steps, TileId x);
/// log(1 + exp(x)) without overflow.
TileId expandSoftplus(TileProgramBuilder &steps, TileId x);
/// The sine, or the cosine, of angles up to 2^17; a number from -1 to 1 beyond.
TileId expandSine(TileProgramBuilder &steps, TileId x, bool cosine);
/// The remainder of lhs / rhs with the sign of rhs (`floor`) or of lhs. Exact for float16; otherwise NaN from a
/// quotient of 2^22 on.
TileId expandMod(TileProgramBuilder &steps, TileId lhs, TileId rhs, bool floor);
/// lhs / rhs of integers, truncated, or its remainder, which has the sign of lhs; 0 where rhs is 0. The result is of
/// `type`, that of both operands, and wraps: the least number divided by -1 is itself.
TileId expandWholeQuotient(TileProgramBuilder &steps, TileId lhs, TileId rhs, ElementType type, bool remainder);
/// lhs raised to the power of rhs, of int16 or int32, which wraps. With a negative rhs it is 1, -1 or, where lhs is
/// neither, 0.
TileId expandWholePower(TileProgramBuilder &steps, TileId lhs, TileId rhs);
/// exp(rhs * log |lhs|) with the signs and limits of a power.
TileId expandPow(TileProgramBuilder &steps, TileId lhs, TileId rhs);
/// A cast from any number type to any other; integers saturate or wrap.
TileId expandCast(TileProgramBuilder &steps, TileId x, ElementType type, Rounding rounding, bool saturate);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_PROGRAM_EXPAND_H

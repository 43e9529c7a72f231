// Scalar functions that the chip has no intrinsic for, or none that is exact enough, as recipes of those it has.

#ifndef OPC_LOWERING_AICORE_PLACE_EXPAND_H
#define OPC_LOWERING_AICORE_PLACE_EXPAND_H

#include "lowering/aicore/place/TileProgram.h"

namespace opc::aicore {

TileId expandNeg(TileProgramBuilder &steps, TileId x);
/// The larger of x and -x where the chip has no such intrinsic; the smallest integer stays.
TileId expandAbs(TileProgramBuilder &steps, TileId x);
/// Float32 whose order against zero is that of lhs against rhs, both int32.
TileId expandDifference(TileProgramBuilder &steps, TileId lhs, TileId rhs);
/// lhs / scalar, scalar / rhs: the chip divides tiles by tiles.
TileId expandDivide(TileProgramBuilder &steps, TileId lhs, mlir::Value scalar);
TileId expandDivide(TileProgramBuilder &steps, mlir::Value scalar, TileId rhs);
/// 1 / sqrt(x): the chip's Rsqrt errs by 1e-3 and more (runtime/target/Accuracy.def).
TileId expandRsqrt(TileProgramBuilder &steps, TileId x);
/// x / (1 + exp(-beta * x)); in float32 right where exp overflows and the quotient does not.
TileId expandSwish(TileProgramBuilder &steps, TileId x, mlir::Value beta);
TileId expandSwish(TileProgramBuilder &steps, TileId x, TileId beta);
TileId expandSigmoid(TileProgramBuilder &steps, TileId x);
TileId expandTanh(TileProgramBuilder &steps, TileId x);
TileId expandErf(TileProgramBuilder &steps, TileId x);
/// x / 2 * (1 + erf(x / sqrt 2)), at the infinities its limits; or the form with tanh.
TileId expandGelu(TileProgramBuilder &steps, TileId x, bool byTanh);
/// Any number type to any other; integers saturate or wrap.
TileId expandCast(TileProgramBuilder &steps, TileId x, ElementType type, Rounding rounding, bool saturate);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_EXPAND_H

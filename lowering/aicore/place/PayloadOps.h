// What the scalar operations of a linalg.generic are called on the vector unit, one for one. What takes several
// intrinsics is FusedBody's and Expand's.

#ifndef OPC_LOWERING_AICORE_PLACE_PAYLOADOPS_H
#define OPC_LOWERING_AICORE_PLACE_PAYLOADOPS_H

#include "dialect/aicore/AICoreOps.h"
#include "dialect/te/TeOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace opc::aicore {

/// The intrinsic of an operation on two values, or on one; nullopt where there is none.
std::optional<Intrinsic> binaryIntrinsic(mlir::Operation *op);
std::optional<Intrinsic> unaryIntrinsic(mlir::Operation *op);

/// nullopt for what compares otherwise, by orders that NaN takes part in.
std::optional<Comparison> comparisonOf(mlir::Operation *op);
/// The comparison with its sides exchanged.
Comparison mirrored(Comparison comparison);

/// What a reducing payload folds in with its output's element; null when it is more than that.
mlir::Operation *combinerOf(mlir::linalg::GenericOp generic, mlir::Value &folded);

Rounding roundingOf(te::Rounding rounding);

/// The operation as its author wrote it: where te's operations became MLIR's, both have one name, "math.exp" of
/// te.exp and "arith.negf" of te.neg. MLIR's name where te has none like it.
std::string authorsName(mlir::Operation *op);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_PAYLOADOPS_H

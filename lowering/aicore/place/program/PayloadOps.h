// The vector intrinsics that correspond one to one to scalar operations in the body of a linalg.generic. PayloadReader
// and Expand handle operations that take several intrinsics.

#ifndef OPC_LOWERING_AICORE_PLACE_PROGRAM_PAYLOADOPS_H
#define OPC_LOWERING_AICORE_PLACE_PROGRAM_PAYLOADOPS_H

#include "dialect/aicore/AICoreOps.h"
#include "dialect/te/TeOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace opc::aicore {

/// The intrinsic of an operation with two operands, or with one; nullopt if there is none.
std::optional<Intrinsic> binaryIntrinsic(mlir::Operation *op);
std::optional<Intrinsic> unaryIntrinsic(mlir::Operation *op);

/// How an operation reads bytes: as Int8 or as UInt8; nullopt if the result has the same bits either way.
std::optional<ElementType> signOfBytes(mlir::Operation *op);

/// nullopt for comparisons that the chip lacks, such as orders in which NaN takes part.
std::optional<Comparison> comparisonOf(mlir::Operation *op);
/// The comparison with exchanged operands.
Comparison mirrored(Comparison comparison);

/// The operation that combines an element with the output's element in a reducing payload, and the value that it
/// folds in; null if the payload is more than that.
mlir::Operation *combinerOf(mlir::linalg::GenericOp generic, mlir::Value &folded);

Rounding roundingOf(te::Rounding rounding);

/// The name of the te operation that computes the same: te.exp for "math.exp", te.neg for "arith.negf". MLIR's name if
/// te has no such operation.
llvm::StringRef authorsName(mlir::Operation *op);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_PROGRAM_PAYLOADOPS_H

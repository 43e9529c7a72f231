// The one evaluator of index arithmetic on the compiling side: numbers by the scalar machine's rules, so that what a
// pass computes is what a launch computes. Overflow and division by less than 1 give no number.

#ifndef OPC_DIALECT_AICORE_INDEX_EVALUATE_H
#define OPC_DIALECT_AICORE_INDEX_EVALUATE_H

#include "dialect/aicore/index/ScalarOps.h"

#include <optional>

namespace opc {

/// The number of an instruction of two operands.
std::optional<int64_t> evaluateBinary(ScalarOp instruction, int64_t a, int64_t b);

/// The number of an op of two operands: arithmetic, or a comparison (0 or 1). None where one of the operands has none.
std::optional<int64_t> evaluateOp(mlir::Operation *op, std::optional<int64_t> a, std::optional<int64_t> b);

/// The number of a value, by what defines it; `known` gives those of values that are known otherwise, and is asked
/// first. Definitions are followed at most `depth` deep, which bounds the time that shared operands could cost.
std::optional<int64_t> evaluate(mlir::Value value, llvm::function_ref<std::optional<int64_t>(mlir::Value)> known,
                                unsigned depth);

} // namespace opc

#endif // OPC_DIALECT_AICORE_INDEX_EVALUATE_H

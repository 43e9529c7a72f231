// Evaluates index arithmetic in the compiler, by the rules of the scalar machine, so that passes compute the same
// numbers as launches. Overflow and division by less than 1 give nullopt.

#ifndef OPC_DIALECT_AICORE_INDEX_EVALUATE_H
#define OPC_DIALECT_AICORE_INDEX_EVALUATE_H

#include "dialect/aicore/index/ScalarOps.h"

#include <optional>

namespace opc {

/// Evaluates an instruction with two operands.
std::optional<int64_t> evaluateBinary(ScalarOp instruction, int64_t a, int64_t b);

/// An op with two operands, arithmetic or a comparison, in terms of the scalar machine. What it takes to find them, as
/// whether operands of an unsigned op may be negative, is done once for any number of evaluations.
struct EvaluatedOp {
  ScalarOp instruction;
  bool swapped = false, negated = false; ///< of a comparison (IntegerComparison)
  /// A comparison is 0 or 1. nullopt if an operand is nullopt.
  std::optional<int64_t> evaluate(std::optional<int64_t> a, std::optional<int64_t> b) const;
};
/// nullopt for an op that the scalar machine does not have.
std::optional<EvaluatedOp> evaluatedOp(mlir::Operation *op);

/// Evaluates a value by its definition. `known` is called first and returns the number of values that are known
/// otherwise. Follows definitions up to `depth` levels, which bounds the time for shared operands.
std::optional<int64_t> evaluate(mlir::Value value, llvm::function_ref<std::optional<int64_t>(mlir::Value)> known,
                                unsigned depth);

} // namespace opc

#endif // OPC_DIALECT_AICORE_INDEX_EVALUATE_H

#include "dialect/aicore/index/Evaluate.h"

#include "dialect/aicore/index/IndexBuilder.h"

using namespace mlir;

namespace opc {

std::optional<int64_t> evaluateBinary(ScalarOp instruction, int64_t a, int64_t b) {
  int64_t result = 0;
  return evalInteger(instruction, a, b, 0, result) == EvalStatus::Ok ? std::optional(result) : std::nullopt;
}

std::optional<int64_t> evaluateOp(Operation *op, std::optional<int64_t> a, std::optional<int64_t> b) {
  if (!a || !b || op->getNumOperands() != 2)
    return std::nullopt;
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    std::optional<IntegerComparison> comparison = integerComparison(compare);
    if (!comparison)
      return std::nullopt;
    std::optional<int64_t> holds =
        comparison->swapped ? evaluateBinary(comparison->op, *b, *a) : evaluateBinary(comparison->op, *a, *b);
    return comparison->negated ? 1 - *holds : *holds;
  }
  std::optional<ScalarOp> instruction = binaryInstruction(op);
  return instruction ? evaluateBinary(*instruction, *a, *b) : std::nullopt;
}

std::optional<int64_t> evaluate(Value value, llvm::function_ref<std::optional<int64_t>(Value)> known, unsigned depth) {
  if (std::optional<int64_t> number = known(value))
    return number;
  if (std::optional<int64_t> number = knownNumber(value))
    return number;
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0 || op->getNumOperands() != 2)
    return std::nullopt;
  return evaluateOp(op, evaluate(op->getOperand(0), known, depth - 1), evaluate(op->getOperand(1), known, depth - 1));
}

} // namespace opc

#include "dialect/aicore/index/Evaluate.h"

#include "dialect/aicore/index/IndexBuilder.h"

using namespace mlir;

namespace opc {

std::optional<int64_t> evaluateBinary(ScalarOp instruction, int64_t a, int64_t b) {
  int64_t result = 0;
  return evalInteger(instruction, a, b, 0, result) == EvalStatus::Ok ? std::optional(result) : std::nullopt;
}

std::optional<int64_t> EvaluatedOp::evaluate(std::optional<int64_t> a, std::optional<int64_t> b) const {
  if (!a || !b)
    return std::nullopt;
  const std::optional<int64_t> result =
      swapped ? evaluateBinary(instruction, *b, *a) : evaluateBinary(instruction, *a, *b);
  return result && negated ? 1 - *result : result;
}

std::optional<EvaluatedOp> evaluatedOp(Operation *op) {
  if (op->getNumOperands() != 2)
    return std::nullopt;
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    const std::optional<IntegerComparison> comparison = integerComparison(compare);
    return comparison ? std::optional(EvaluatedOp{comparison->op, comparison->swapped, comparison->negated})
                      : std::nullopt;
  }
  const std::optional<ScalarOp> instruction = binaryInstruction(op);
  return instruction ? std::optional(EvaluatedOp{*instruction}) : std::nullopt;
}

std::optional<int64_t> evaluate(Value value, llvm::function_ref<std::optional<int64_t>(Value)> known, unsigned depth) {
  if (std::optional<int64_t> number = known(value))
    return number;
  if (std::optional<int64_t> number = knownNumber(value))
    return number;
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0 || op->getNumOperands() != 2)
    return std::nullopt;
  const std::optional<int64_t> lhs = evaluate(op->getOperand(0), known, depth - 1);
  const std::optional<int64_t> rhs = lhs ? evaluate(op->getOperand(1), known, depth - 1) : std::nullopt;
  const std::optional<EvaluatedOp> evaluated = rhs ? evaluatedOp(op) : std::nullopt;
  return evaluated ? evaluated->evaluate(lhs, rhs) : std::nullopt;
}

} // namespace opc

// Evaluates size expressions and compiles them for the scalar machine. evalInteger alone defines each operation.

#include "ops/contract/Shapes.h"

namespace opc {

static ScalarOp scalarOp(SizeExpression::Op op) {
  switch (op) {
  case SizeExpression::Add:
    return ScalarOp::Add;
  case SizeExpression::Sub:
    return ScalarOp::Sub;
  case SizeExpression::Mul:
    return ScalarOp::Mul;
  case SizeExpression::FloorDiv:
    return ScalarOp::FloorDiv;
  case SizeExpression::CeilDiv:
    return ScalarOp::CeilDiv;
  case SizeExpression::Rem:
    return ScalarOp::Rem;
  case SizeExpression::Min:
    return ScalarOp::Min;
  case SizeExpression::Max:
    return ScalarOp::Max;
  case SizeExpression::Lt:
    return ScalarOp::Lt;
  case SizeExpression::Eq:
    return ScalarOp::Eq;
  case SizeExpression::Select:
    return ScalarOp::Select;
  case SizeExpression::Const:
  case SizeExpression::Symbol:
    return ScalarOp::Const;
  }
  return ScalarOp::Const;
}

EvalStatus evaluate(const SizeExpression &expression, const std::map<std::string, int64_t> &symbols, int64_t &result) {
  if (expression.op == SizeExpression::Const) {
    result = expression.value;
    return EvalStatus::Ok;
  }
  if (expression.op == SizeExpression::Symbol) {
    auto position = symbols.find(expression.symbol);
    if (position == symbols.end())
      return EvalStatus::BadProgram;
    result = position->second;
    return EvalStatus::Ok;
  }
  int64_t values[3] = {0, 0, 0};
  for (size_t i = 0; i < expression.operands.size(); ++i) {
    EvalStatus status = evaluate(expression.operands[i], symbols, values[i]);
    if (status != EvalStatus::Ok)
      return status;
  }
  return evalInteger(scalarOp(expression.op), values[0], values[1], values[2], result);
}

static void collectSymbols(const SizeExpression &size, std::vector<std::string> &inputs) {
  if (size.op == SizeExpression::Symbol) {
    for (const std::string &input : inputs)
      if (input == size.symbol)
        return;
    inputs.push_back(size.symbol);
  }
  for (const SizeExpression &operand : size.operands)
    collectSymbols(operand, inputs);
}

/// Appends the code of one node and returns its register. Every node has a register of its own.
static uint16_t compileNode(const SizeExpression &size, SizeCode &result) {
  if (size.op == SizeExpression::Symbol)
    for (size_t i = 0; i < result.inputs.size(); ++i)
      if (result.inputs[i] == size.symbol)
        return static_cast<uint16_t>(i);
  uint16_t registers[3] = {0, 0, 0};
  for (size_t i = 0; i < size.operands.size(); ++i)
    registers[i] = compileNode(size.operands[i], result);
  ScalarInstruction instruction{scalarOp(size.op)};
  instruction.dst = result.numRegisters++;
  instruction.a = registers[0];
  instruction.b = registers[1];
  instruction.imm = size.op == SizeExpression::Const ? size.value : registers[2];
  result.code.push_back(instruction);
  return instruction.dst;
}

SizeCode compileSize(const SizeExpression &expression) {
  SizeCode result;
  collectSymbols(expression, result.inputs);
  result.numRegisters = static_cast<uint16_t>(result.inputs.size());
  compileNode(expression, result);
  if (!result.code.empty())
    return result;
  // A single symbol writes no register, but the format demands one: add 0 to it.
  SizeExpression zero;
  uint16_t right = compileNode(zero, result);
  ScalarInstruction add{ScalarOp::Add};
  add.dst = result.numRegisters++;
  add.b = right;
  result.code.push_back(add);
  return result;
}

} // namespace opc

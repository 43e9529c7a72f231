// The scalar machine: integer operations, checker and interpreter of straight-line code.
//
// Code is checked once and run often: `checkTiling` proves that every register and opcode is in bounds and that no
// register is read before it is written. `runTiling` therefore needs neither bounds checks nor cleared registers and
// takes about 20 ns.

#include "runtime/program/Bytecode.h"

#include <algorithm>
#include <array>
#include <limits>

using namespace opc;

static constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();

std::string_view opc::evalStatusText(EvalStatus status) {
  switch (status) {
  case EvalStatus::Ok:
    return "ok";
  case EvalStatus::Overflow:
    return "a number leaves its range";
  case EvalStatus::DivisionByZero:
    return "division by zero";
  case EvalStatus::BadProgram:
    return "the program is not valid";
  }
  return "the program is not valid";
}

/// Quotient and remainder toward zero, if they exist.
static EvalStatus divide(int64_t a, int64_t b, int64_t &quotient, int64_t &remainder) {
  if (b == 0)
    return EvalStatus::DivisionByZero;
  if (a == kLeast && b == -1)
    return EvalStatus::Overflow;
  quotient = a / b;
  remainder = a % b;
  return EvalStatus::Ok;
}

EvalStatus opc::evalInteger(ScalarOp op, int64_t a, int64_t b, int64_t c, int64_t &result) {
  int64_t quotient, remainder;
  switch (op) {
  case ScalarOp::Add:
    return __builtin_add_overflow(a, b, &result) ? EvalStatus::Overflow : EvalStatus::Ok;
  case ScalarOp::Sub:
    return __builtin_sub_overflow(a, b, &result) ? EvalStatus::Overflow : EvalStatus::Ok;
  case ScalarOp::Mul:
    return __builtin_mul_overflow(a, b, &result) ? EvalStatus::Overflow : EvalStatus::Ok;
  case ScalarOp::FloorDiv:
    if (EvalStatus status = divide(a, b, quotient, remainder); status != EvalStatus::Ok)
      return status;
    result = quotient - (remainder != 0 && (remainder < 0) != (b < 0));
    return EvalStatus::Ok;
  case ScalarOp::CeilDiv:
    if (EvalStatus status = divide(a, b, quotient, remainder); status != EvalStatus::Ok)
      return status;
    result = quotient + (remainder != 0 && (remainder < 0) == (b < 0));
    return EvalStatus::Ok;
  case ScalarOp::Rem:
    if (EvalStatus status = divide(a, b, quotient, remainder); status != EvalStatus::Ok)
      return status;
    result = remainder;
    return EvalStatus::Ok;
  case ScalarOp::Min:
    result = std::min(a, b);
    return EvalStatus::Ok;
  case ScalarOp::Max:
    result = std::max(a, b);
    return EvalStatus::Ok;
  case ScalarOp::Lt:
    result = a < b;
    return EvalStatus::Ok;
  case ScalarOp::Eq:
    result = a == b;
    return EvalStatus::Ok;
  case ScalarOp::Select:
    result = a != 0 ? b : c;
    return EvalStatus::Ok;
  default:
    return EvalStatus::BadProgram;
  }
}

static std::string at(size_t index, const std::string &text) {
  return "instruction " + std::to_string(index) + ": " + text;
}

std::string opc::checkStraightLine(const std::vector<ScalarInstruction> &code, size_t numInputs,
                                   unsigned numRegisters) {
  if (numRegisters > kMaxTilingRegisters)
    return "expects at most " + std::to_string(kMaxTilingRegisters) + " registers, found " +
           std::to_string(numRegisters);
  if (numInputs > numRegisters)
    return "expects a register for each input, found " + std::to_string(numRegisters) + " registers for " +
           std::to_string(numInputs) + " inputs";
  if (code.size() > kMaxTilingInstructions)
    return "expects at most " + std::to_string(kMaxTilingInstructions) + " instructions, found " +
           std::to_string(code.size());

  std::vector<bool> written(numRegisters, false);
  std::fill(written.begin(), written.begin() + static_cast<std::ptrdiff_t>(numInputs), true);
  auto readable = [&](int64_t reg) { return reg >= 0 && reg < numRegisters && written[static_cast<size_t>(reg)]; };
  for (size_t i = 0; i < code.size(); ++i) {
    const ScalarInstruction &instruction = code[i];
    if (static_cast<uint16_t>(instruction.op) > static_cast<uint16_t>(ScalarOp::Eq))
      return at(i, "expects an opcode of a tiling function, found " +
                       std::to_string(static_cast<unsigned>(instruction.op)));
    bool isConst = instruction.op == ScalarOp::Const;
    bool isSelect = instruction.op == ScalarOp::Select;
    if (!isConst && (!readable(instruction.a) || !readable(instruction.b)))
      return at(i, "reads a register that nothing has written");
    if (isSelect && !readable(instruction.imm))
      return at(i, "selects a register that nothing has written");
    if (instruction.dst >= numRegisters)
      return at(i, "writes register " + std::to_string(instruction.dst) + " of " + std::to_string(numRegisters));
    written[instruction.dst] = true;
  }
  return {};
}

EvalStatus opc::runStraightLine(const std::vector<ScalarInstruction> &code, int64_t *registers) {
  for (const ScalarInstruction &instruction : code) {
    if (instruction.op == ScalarOp::Const) {
      registers[instruction.dst] = instruction.imm;
      continue;
    }
    int64_t other = instruction.op == ScalarOp::Select ? registers[instruction.imm] : 0;
    int64_t result = 0;
    EvalStatus status = evalInteger(instruction.op, registers[instruction.a], registers[instruction.b], other, result);
    if (status != EvalStatus::Ok)
      return status;
    registers[instruction.dst] = result;
  }
  return EvalStatus::Ok;
}

std::string opc::checkTiling(const TilingFunction &function) {
  std::string problem = checkStraightLine(function.code, function.inputs.size(), function.numRegisters);
  if (!problem.empty())
    return problem;
  for (const TilingInput &input : function.inputs)
    if (input.kind > TilingInput::Reduced)
      return "expects a known kind of input, found " + std::to_string(input.kind);

  std::vector<bool> written(function.numRegisters, false);
  std::fill(written.begin(), written.begin() + static_cast<std::ptrdiff_t>(function.inputs.size()), true);
  for (const ScalarInstruction &instruction : function.code)
    written[instruction.dst] = true;
  if (function.outputs.empty() || function.outputs.front().field.name != "block_num")
    return "expects \"block_num\" as the first output";
  for (const TilingFunction::Output &output : function.outputs) {
    if (output.field.type != TilingField::UInt32 && output.field.type != TilingField::UInt64)
      return "expects an output of type uint32 or uint64, found type " + std::to_string(output.field.type);
    if (output.reg >= function.numRegisters || !written[output.reg])
      return "expects every output in a register that is written, found register " + std::to_string(output.reg);
  }
  return {};
}

EvalStatus opc::runTiling(const TilingFunction &function, const int64_t *inputs, int64_t *outputs) {
  // Not initialised: checked code does not read a register before it writes it.
  int64_t registers[kMaxTilingRegisters];
  std::copy_n(inputs, function.inputs.size(), registers);
  EvalStatus status = runStraightLine(function.code, registers);
  if (status != EvalStatus::Ok)
    return status;
  for (size_t i = 0; i < function.outputs.size(); ++i) {
    const TilingFunction::Output &output = function.outputs[i];
    int64_t value = registers[output.reg];
    bool fits =
        value >= 0 && (output.field.type == TilingField::UInt64 || value <= std::numeric_limits<uint32_t>::max());
    if (!fits)
      return EvalStatus::Overflow;
    outputs[i] = value;
  }
  return EvalStatus::Ok;
}

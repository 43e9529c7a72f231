// Builds scalar code. Jumps refer to labels until the end, when constants are placed first and labels become positions.

#include "lowering/emit/simulator/ScalarCode.h"

#include "dialect/aicore/index/Evaluate.h"

#include <algorithm>

using namespace opc;

// Beyond the last register the number is kNoRegister, which no instruction may use, and `finish` refuses the program.
uint16_t ScalarCode::newRegister() {
  return static_cast<uint16_t>(std::min<uint32_t>(numRegisters++, kNoRegister));
}

uint16_t ScalarCode::constant(int64_t value) {
  auto [entry, isNew] = constantRegisters.try_emplace(value, uint16_t(0));
  if (isNew) {
    entry->second = newRegister();
    constants.push_back({ScalarOp::Const, entry->second, 0, 0, value});
  }
  return entry->second;
}

void ScalarCode::append(ScalarOp op, uint16_t dst, uint16_t a, uint16_t b, int64_t imm) {
  code.push_back({op, dst, a, b, imm});
}

// Whether the result of an earlier instruction may be reused: the operation has no effect and no state.
static bool isRepeatable(ScalarOp op) {
  return op >= ScalarOp::Add && op <= ScalarOp::Eq;
}

uint16_t ScalarCode::compute(ScalarOp op, uint16_t a, uint16_t b, int64_t imm) {
  auto [entry, isNew] = available.try_emplace({op, a, b, imm}, uint16_t(0));
  if (!isNew && isRepeatable(op))
    return entry->second;
  entry->second = newRegister();
  append(op, entry->second, a, b, imm);
  return entry->second;
}

// There is no move. The minimum of a value and itself is the value, also for the bits of a float.
void ScalarCode::copy(uint16_t dst, uint16_t source) {
  append(ScalarOp::Min, dst, source, source);
  available.clear();
}

Term ScalarCode::fold(ScalarOp op, Term a, Term b) {
  if (a.known && b.known)
    if (std::optional<int64_t> result = evaluateBinary(op, *a.known, *b.known))
      return Term::constant(*result);
  return Term::inRegister(compute(op, registerOf(a), registerOf(b)));
}

Term ScalarCode::add(Term a, Term b) {
  if (a.known == 0)
    return b;
  if (b.known == 0)
    return a;
  return fold(ScalarOp::Add, a, b);
}

Term ScalarCode::multiply(Term a, Term b) {
  if (a.known == 0 || b.known == 0)
    return Term::constant(0);
  if (a.known == 1)
    return b;
  if (b.known == 1)
    return a;
  return fold(ScalarOp::Mul, a, b);
}

ScalarCode::Label ScalarCode::newLabel() {
  labels.push_back(0);
  return labels.size() - 1;
}

void ScalarCode::place(Label label) {
  labels[label] = code.size();
  available.clear();
}

void ScalarCode::jump(Label label) {
  available.clear();
  append(ScalarOp::Jump, 0, 0, 0, static_cast<int64_t>(label));
}

void ScalarCode::jumpIfZero(uint16_t condition, Label label) {
  available.clear();
  append(ScalarOp::JumpIfZero, 0, condition, 0, static_cast<int64_t>(label));
}

bool ScalarCode::finish(SimulatorProgram &program) {
  append(ScalarOp::Halt, 0);
  if (numRegisters >= kNoRegister)
    return false;
  for (ScalarInstruction &instruction : code)
    if (instruction.op == ScalarOp::Jump || instruction.op == ScalarOp::JumpIfZero)
      instruction.imm = static_cast<int64_t>(labels[instruction.imm] + constants.size());
  program.code = std::move(constants);
  program.code.insert(program.code.end(), code.begin(), code.end());
  program.numRegisters = static_cast<uint16_t>(numRegisters);
  return true;
}

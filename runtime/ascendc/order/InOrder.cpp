// InOrder.

#include "runtime/ascendc/order/InOrder.h"

#include "runtime/device/sim/launch/Capture.h"

namespace opc::ascendc {

InOrder::InOrder(const SimulatorProgram &program, const Target &target, const std::vector<SimTensor> &tensors)
    : program(program), launch{program, target, tensors, tiling, options, unheard}, executor(launch),
      check(launch, executor.ub()), registers(program.numRegisters) {
  options.recorded = true;
  executor.poison();
}

bool InOrder::catchUp() {
  if (!executor.takeInstructions())
    return false;
  for (; pc < program.code.size(); ++pc) {
    const ScalarInstruction &step = program.code[pc];
    if (step.op == ScalarOp::Const) {
      registers[step.dst] = step.imm;
      continue;
    }
    if (step.op == ScalarOp::Halt) { // another block
      executor.poison();
      continue;
    }
    if (step.op == ScalarOp::Work)
      continue;
    SimInstruction op;
    sim::capture(launch, uint32_t(step.imm), registers.data(), op);
    if (op.numAccesses == 0)
      continue;
    if (!check.issued(op) || !check.performs(op))
      return false;
    if (step.op == ScalarOp::Read)
      lastRead = executor.read(op);
    else
      executor.perform(op);
  }
  return true;
}

std::optional<uint64_t> InOrder::element(const ProgramOperand &operand, int64_t address) {
  const int64_t size = elementSize(operand.type);
  const int64_t bytes =
      operand.space == ProgramOperand::GM ? launch.tensors[operand.tensor].bytes : launch.target.ubBytes();
  if (address < 0 || address > bytes - size)
    return std::nullopt;
  SimInstruction op;
  op.numAccesses = 1;
  op.accesses[0] = SimAccess{&operand, false, address, size};
  return executor.read(op);
}

} // namespace opc::ascendc

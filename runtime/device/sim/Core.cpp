// Core.

#include "runtime/device/sim/Core.h"

#include "runtime/device/sim/launch/Capture.h"

namespace opc::sim {

bool Core::startBlock(int64_t index, int64_t cycle) {
  block = index;
  executor.poison();
  flags.clear();
  scalarUnit.start(block, cycle);
  scalar = Scalar::Running;
  return checks.blockStarts(block, cycle);
}

bool Core::take(SimInstruction &op) {
  const uint32_t index = scalarUnit.issued();
  if (result.pipeInstructions >= launch.options.instructionLimit)
    return refuseMoreInstructions(launch, launch.program.instructions[index]);
  capture(launch, index, scalarUnit.values(), op);
  op.block = block;
  op.sequence = sequence++;
  ++result.pipeInstructions;
  return true;
}

bool Core::admit(const SimInstruction &op) {
  const PipeInstruction::Kind kind = op.instruction->kind;
  const bool flag = kind == PipeInstruction::SetFlag || kind == PipeInstruction::WaitFlag;
  return (!flag || flags.checkId(op)) && checks.issued(op);
}

uint64_t Core::readScalar(const SimInstruction &op) {
  const uint64_t value = executor.read(op);
  if (launch.options.scalarReads)
    launch.options.scalarReads->push_back(value);
  return value;
}

void Core::account(const SimInstruction &op) {
  PipeUsage &used = result.pipes[indexOf(op.instruction->pipe)];
  ++used.instructions;
  result.work.add(op);
  for (unsigned i = 0; i < op.numAccesses; ++i)
    used.bytes += op.accesses[i].rows * op.accesses[i].rowBytes;
}

} // namespace opc::sim

// Steps arrive in the order of time, so intervals of work are merged on the fly.

#include "runtime/device/sim/profile/Profiler.h"

#include "runtime/device/sim/launch/Capture.h"

#include <algorithm>

namespace opc {

Profiler::Profiler(const SimulatorProgram &program, size_t limit)
    : program(program), limit(limit), instructionSums(program.instructions.size()) {
}

static bool isCopy(const PipeInstruction &instruction) {
  return instruction.kind == PipeInstruction::Load || instruction.kind == PipeInstruction::Store;
}

bool Profiler::blockStarts(int64_t block, int64_t cycle) {
  workedTo = std::max(workedTo, cycle);
  return true;
}

bool Profiler::performs(const SimInstruction &op) {
  const PipeInstruction &instruction = *op.instruction;
  ProfiledStep step;
  step.instruction = op.index;
  step.start = op.start;
  step.end = op.end;
  step.flagId = op.flagId;
  if (isCopy(instruction)) {
    const SimAccess &global = op.accesses[instruction.kind == PipeInstruction::Load ? op.numAccesses - 1 : 0];
    step.bytes = global.rows * global.rowBytes;
    step.count = op.count * op.rows;
  } else if (!isSync(instruction)) {
    step.count = op.count * (sim::reducesRows(instruction) ? op.rows : 1);
  }
  InstructionSums &sums = instructionSums[op.index];
  ++sums.calls;
  sums.cycles += op.end - op.start;
  sums.elements += step.count;
  sums.bytes += step.bytes;
  sums.rows += isCopy(instruction) ? op.rows : 0;
  if (allSteps.size() < limit)
    allSteps.push_back(step);
  else
    ++stepsDropped;
  if (isSync(instruction))
    return true;
  if (instruction.pipe != Pipe::S) {
    worked += std::max<int64_t>(0, op.end - std::max(op.start, workedTo));
    workedTo = std::max(workedTo, op.end);
  }
  for (unsigned i = 0; i < op.numAccesses; ++i)
    if (op.accesses[i].operand->space == ProgramOperand::UB && !op.accesses[i].write)
      touch(op, op.accesses[i], true);
  for (unsigned i = 0; i < op.numAccesses; ++i) {
    const SimAccess &access = op.accesses[i];
    if (access.operand->space == ProgramOperand::UB && access.write)
      touch(op, access, access.operand == &instruction.scratch);
  }
  return true;
}

/// `alsoRead` is set for reads, and for scratch, which its own instruction reads.
void Profiler::touch(const SimInstruction &op, const SimAccess &access, bool alsoRead) {
  const int64_t from = access.address, to = access.end();
  if (from == to)
    return;
  const ProgramBuffer &buffer = program.buffers[access.operand->buffer];
  const int64_t slot = buffer.slotBytes > 0 ? std::max<int64_t>(0, from - buffer.address) / buffer.slotBytes : 0;
  auto [found, isNew] = open.try_emplace(Slot{access.operand->buffer, slot});
  BufferLife &life = found->second;
  bool inPlace = false;
  if (!isNew && access.write) {
    for (unsigned i = 0; i < op.numAccesses; ++i) {
      const SimAccess &other = op.accesses[i];
      inPlace |= !other.write && other.operand->space == ProgramOperand::UB && other.address < to && from < other.end();
    }
    if (!inPlace && from < life.readTo && life.readFrom < to) {
      close(life);
      isNew = true;
    }
  }
  if (isNew) {
    life = BufferLife();
    life.buffer = access.operand->buffer;
    life.address = from;
    life.start = op.start;
    life.writer = op.index;
  }
  const int64_t end = std::max(life.address + life.bytes, to);
  life.address = std::min(life.address, from);
  life.bytes = end - life.address;
  life.end = std::max(life.end, op.end);
  life.last = op.index;
  if (alsoRead) {
    const bool first = life.readFrom == life.readTo;
    life.readFrom = first ? from : std::min(life.readFrom, from);
    life.readTo = first ? to : std::max(life.readTo, to);
  }
}

void Profiler::close(const BufferLife &life) {
  if (allLives.size() < limit)
    allLives.push_back(life);
  else
    ++livesDropped;
}

bool Profiler::blockEnds(int64_t, int64_t) {
  for (const auto &[slot, life] : open)
    close(life);
  open.clear();
  return true;
}

int64_t Profiler::peakBytes(Memory memory) const {
  std::vector<std::pair<int64_t, int64_t>> changes; // at equal times, ends come before starts
  for (const BufferLife &life : allLives) {
    if (program.buffers[life.buffer].memory() != memory)
      continue;
    changes.emplace_back(life.start, life.bytes);
    changes.emplace_back(life.end, -life.bytes);
  }
  std::sort(changes.begin(), changes.end());
  int64_t held = 0, most = 0;
  for (const auto &[time, bytes] : changes) {
    held += bytes;
    most = std::max(most, held);
  }
  return most;
}

} // namespace opc

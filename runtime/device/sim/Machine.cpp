// The machine's rounds: choice of the next step, steps of pipes, and the end of a block.

#include "runtime/device/sim/Machine.h"
#include "runtime/device/sim/launch/Capture.h"
#include "runtime/target/MemoryModel.h"

#include <algorithm>

namespace opc::sim {

Machine::Machine(const Launch &launch, SimResult &result) : Core(launch, result) {
  if (launch.options.l2)
    l2.emplace(launch.target);
}

bool Machine::run(int64_t blockNum) {
  if (!executor.ready())
    return false;
  bool ok = true;
  for (int64_t i = 0; i < blockNum && ok; ++i)
    ok = runBlock(i);
  usage(Pipe::S).busyCycles = scalarUnit.busyCycles();
  result.work.setScalar(result.scalarSteps - result.pipeInstructions, result.pipeInstructions - notIssued);
  return ok && checks.launchEnds();
}

bool Machine::runBlock(int64_t index) {
  const int64_t begin = result.cycles;
  for (PipeState &pipe : pipes)
    pipe.free = pipe.complete = begin;
  if (!startBlock(index, begin))
    return false;

  for (;;) {
    const Step step = pickNext();
    if (step.kind == Step::None)
      break;
    if (!checkCycles(step.time))
      return false;
    result.cycles = std::max(result.cycles, step.time);
    bool ok = true;
    switch (step.kind) {
    case Step::ScalarUnit:
      ok = scalar == Scalar::Running ? stepScalar(step.time) : endScalarWait();
      break;
    case Step::PipeHead:
      ok = stepPipe(step.pipe);
      break;
    case Step::FlagVisible:
      ok = showFlag(step.pipe);
      break;
    case Step::None:
      break;
    }
    if (!ok)
      return false;
  }
  if (scalar != Scalar::Halted ||
      std::any_of(pipes.begin(), pipes.end(), [](const PipeState &pipe) { return !pipe.queue.empty(); }))
    return deadlock();

  for (const PipeState &pipe : pipes)
    result.cycles = std::max({result.cycles, pipe.free, pipe.complete});
  result.cycles = std::max(result.cycles, scalarUnit.now());
  if (checks.flags() && !flags.checkEnd())
    return false;
  return checks.blockEnds(block, result.cycles);
}

/// The earliest step; among steps of one time flags come first, then pipes in their order, then the scalar unit.
Machine::Step Machine::pickNext() const {
  Step best;
  auto offer = [&best](Step::Kind kind, unsigned pipe, int64_t time) {
    if (time < best.time)
      best = Step{kind, pipe, time};
  };
  for (unsigned i = 0; i < kNumPipes; ++i)
    if (!pipes[i].sets.empty())
      offer(Step::FlagVisible, i, pipes[i].sets.front().complete);
  for (unsigned i = 0; i < kNumPipes; ++i)
    offer(Step::PipeHead, i, pipes[i].ready);
  if (scalar == Scalar::Running)
    offer(Step::ScalarUnit, 0, scalarUnit.now());
  else if (scalar == Scalar::Waiting && flags.isSet(current))
    offer(Step::ScalarUnit, 0, std::max(scalarUnit.now(), flags.time(current)));
  return best;
}

void Machine::updateReady(unsigned index) {
  PipeState &pipe = pipes[index];
  pipe.ready = kNever;
  if (pipe.queue.empty())
    return;
  const SimInstruction &head = pipe.queue.front();
  const int64_t start = std::max(pipe.free, head.dispatched);
  if (head.instruction->kind != PipeInstruction::WaitFlag)
    pipe.ready = start;
  else if (flags.isSet(head))
    pipe.ready = std::max(start, flags.time(head));
}

/// Stores take their time whether L2 has their bytes or not, and leave them in it.
void Machine::touchL2(SimInstruction &op) {
  for (unsigned i = 0; i < op.numAccesses; ++i)
    if (op.accesses[i].operand->space == ProgramOperand::GM) {
      const int64_t found = l2->touch(op.accesses[i]);
      op.cached += op.accesses[i].write ? 0 : found;
    }
}

int64_t Machine::costOf(const SimInstruction &op) const {
  const PipeInstruction &instruction = *op.instruction;
  switch (instruction.kind) {
  case PipeInstruction::Load:
    return copyCycles(launch.target, instruction.pipe, op.rows, op.accesses[1].rowBytes, op.cached);
  case PipeInstruction::Store:
    return launch.target.copyCycles(instruction.pipe, op.rows, op.accesses[0].rowBytes);
  case PipeInstruction::Vector:
    if (takesRows(instruction))
      return rowsCycles(launch.target, instruction.intrinsic, typeRowOf(instruction), op.count,
                        op.accesses[2].rowBytes / kBlockBytes);
    if (reducesRows(instruction))
      return reducedRowsOf(op).cost(instruction.intrinsic, [&](Intrinsic intrinsic, int64_t count) {
        return launch.target.vectorCycles(intrinsic, typeRowOf(instruction), count);
      });
    return launch.target.vectorCycles(instruction.intrinsic, typeRowOf(instruction), op.count);
  case PipeInstruction::LoadNz:
    if (instruction.pipe == Pipe::MTE3)
      return launch.target.fillCycles(op.rows * op.accesses[1].rowBytes);
    return copyCycles(launch.target, instruction.pipe, op.rows, op.accesses[1].rowBytes, op.cached);
  case PipeInstruction::Fill:
    return launch.target.fillCycles(op.rows * op.accesses[0].rowBytes);
  case PipeInstruction::LoadFractals:
    return launch.target.fractalCycles(memoryAt(op.accesses[0].address), op.rows * instruction.repeatBytes());
  case PipeInstruction::LoadIm2col:
    return launch.target.im2colCycles(op.accesses[0].rowBytes);
  case PipeInstruction::LoadBias:
    return launch.target.biasCycles(op.accesses[0].rowBytes);
  case PipeInstruction::Mmad:
    return launch.target.cubeCycles(op.rows, op.depth, op.count, instruction.sources[0].type);
  case PipeInstruction::Fixpipe:
    return launch.target.fixpipeCycles(op.rows, op.count);
  case PipeInstruction::ScalarRead:
    return launch.target.scalarReadCycles();
  case PipeInstruction::ScalarWrite:
    return launch.target.scalarWriteCycles();
  case PipeInstruction::Barrier:
    return launch.target.barrierCycles(instruction.pipe);
  case PipeInstruction::SetFlag:
  case PipeInstruction::WaitFlag:
    return launch.target.flagCycles();
  case PipeInstruction::ScalarWork: // takes no time beyond that of ScalarOp::Work
    return 0;
  }
  return 0;
}

/// Performs the head of a pipe's queue and updates the times of the instruction and of the pipe.
bool Machine::stepPipe(unsigned index) {
  PipeState &pipe = pipes[index];
  SimInstruction &op = pipe.queue.front();
  op.start = std::max(pipe.free, op.dispatched);
  if (!perform(op))
    return false;
  if (scalar == Scalar::QueueFull && fullPipe == index) {
    scalarUnit.waitUntil(op.start);
    scalar = Scalar::Running;
  }
  pipe.queue.pop();
  updateReady(index);
  return true;
}

bool Machine::perform(SimInstruction &op) {
  const unsigned index = indexOf(op.instruction->pipe);
  PipeState &pipe = pipes[index];
  PipeUsage &used = usage(op.instruction->pipe);
  if (l2)
    touchL2(op);
  const int64_t cost = costOf(op);
  op.end = op.start + cost;
  op.complete = op.end;
  switch (op.instruction->kind) {
  case PipeInstruction::SetFlag:
    op.complete = std::max(op.end, pipe.complete);
    break;
  case PipeInstruction::WaitFlag:
    op.end = op.complete = std::max(op.start, flags.time(op)) + cost;
    break;
  case PipeInstruction::Barrier:
    op.end = op.complete = std::max(op.end, pipe.complete);
    break;
  default:
    op.complete = op.end + launch.target.barrierCycles(op.instruction->pipe);
  }
  if (!checkCycles(op.complete) || !checks.starts(op) || !checks.performs(op))
    return false;

  pipe.free = op.end;
  switch (op.instruction->kind) {
  case PipeInstruction::SetFlag:
    pipe.sets.push(op);
    used.syncCycles += op.end - op.start;
    return true;
  case PipeInstruction::WaitFlag:
    flags.take(op);
    used.syncCycles += op.end - op.start;
    return true;
  case PipeInstruction::Barrier:
    used.syncCycles += op.end - op.start;
    return true;
  default:
    break;
  }
  pipe.complete = std::max(pipe.complete, op.complete);
  used.busyCycles += cost;
  account(op);
  executor.perform(op);
  return true;
}

bool Machine::showFlag(unsigned index) {
  const SimInstruction &op = pipes[index].sets.front();
  const unsigned other = indexOf(op.instruction->other);
  if (!flags.set(op, op.complete))
    return false;
  pipes[index].sets.pop();
  updateReady(other);
  return true;
}

/// Apart from checkCycles: each step asks it, and has no room for texts on its stack.
bool Machine::refuseCycles() const {
  launch.diagnostics.error(Code::E0452, scalarUnit.nextLocation(),
                           "kernel '" + printable(launch.program.kernel) + "' expects to end within " +
                               std::to_string(launch.options.cycleLimit) + " modelled cycles, found work beyond them",
                           "sim_c43");
  return false;
}

} // namespace opc::sim

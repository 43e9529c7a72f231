// The machine's scalar side: instructions on their way to the pipes, waits and reads of the scalar
// unit, and deadlock.

#include "runtime/device/sim/Capture.h"
#include "runtime/device/sim/Machine.h"
#include "runtime/device/sim/Semantics.h"

#include <algorithm>

namespace opc::sim {

/// Runs scalar code up to the time at which something else could happen: until then nothing can
/// become ready but by what the scalar unit itself issues.
bool Machine::stepScalar(int64_t now) {
  int64_t next = kNever;
  for (const PipeState &pipe : pipes)
    next = std::min({next, pipe.ready, pipe.sets.empty() ? kNever : pipe.sets.front().complete});
  const int64_t bound = std::max(now, std::min(next - 1, launch.options.cycleLimit));
  const ScalarUnit::Stop stop = scalarUnit.run(bound);
  result.scalarSteps = scalarUnit.steps();
  switch (stop) {
  case ScalarUnit::Stop::Time:
    return true;
  case ScalarUnit::Stop::Issue:
    return issue();
  case ScalarUnit::Stop::Read:
    return scalarRead();
  case ScalarUnit::Stop::Halt:
    scalar = Scalar::Halted;
    return true;
  case ScalarUnit::Stop::Error:
    return false;
  }
  return false;
}

bool Machine::issue() {
  const uint32_t index = scalarUnit.issued();
  const PipeInstruction &instruction = launch.program.instructions[index];
  const unsigned target = indexOf(instruction.pipe);
  if (instruction.pipe != Pipe::S && pipes[target].queue.size() >= kQueueDepth) {
    fullPipe = target;
    scalar = Scalar::QueueFull;
    return true;
  }
  if (result.pipeInstructions >= launch.options.instructionLimit) {
    launch.error(Code::E0451, instruction,
                 "kernel '" + printable(launch.program.kernel) + "' expects to end within " +
                     std::to_string(launch.options.instructionLimit) +
                     " pipe instructions, found another one",
                 "sim_c42");
    return false;
  }
  capture(launch, index, scalarUnit.values(), current);
  current.block = block;
  current.sequence = sequence++;
  ++result.pipeInstructions;
  scalarUnit.didIssue(launch.target.issueCycles());
  current.dispatched = scalarUnit.now();
  const bool flag =
      instruction.kind == PipeInstruction::SetFlag || instruction.kind == PipeInstruction::WaitFlag;
  if ((flag && !flags.checkId(current)) || !tellIssued(current))
    return false;
  if (instruction.pipe == Pipe::S)
    return issueToScalar(current);
  pipes[target].queue.push_back(current);
  updateReady(target);
  return true;
}

/// Flags, barriers and writes of the scalar unit itself: it performs them in place.
bool Machine::issueToScalar(SimInstruction &op) {
  op.start = scalarUnit.now();
  if (op.instruction->kind == PipeInstruction::WaitFlag) {
    scalar = Scalar::Waiting;
    return true;
  }
  pipes[indexOf(Pipe::S)].complete = scalarUnit.now();
  if (!perform(op))
    return false;
  scalarUnit.waitUntil(op.end);
  return true;
}

bool Machine::endScalarWait() {
  current.start = scalarUnit.now();
  scalar = Scalar::Running;
  if (!perform(current))
    return false;
  scalarUnit.waitUntil(current.end);
  return true;
}

/// A scalar read waits for nothing: it sees UB as it is now.
bool Machine::scalarRead() {
  SimInstruction op;
  capture(launch, scalarUnit.issued(), scalarUnit.values(), op);
  op.block = block;
  op.sequence = sequence++;
  op.dispatched = op.start = scalarUnit.now();
  if (!tellIssued(op) || !perform(op))
    return false;
  ++result.pipeInstructions;
  scalarUnit.didRead(executor.read(op), op.end - op.start);
  return true;
}

/// Nothing can move: who waits for what, one note a pipe.
bool Machine::deadlock() const {
  std::vector<const SimInstruction *> waiting;
  if (scalar == Scalar::Waiting)
    waiting.push_back(&current);
  for (const PipeState &pipe : pipes)
    if (!pipe.queue.empty())
      waiting.push_back(&pipe.queue.front());
  if (waiting.empty())
    return false;
  auto wish = [&](const SimInstruction &op) {
    const PipeInstruction &instruction = *op.instruction;
    return "pipe " + std::string(pipeName(instruction.pipe)) + " waits for event " +
           std::to_string(op.flagId) + " from pipe " + std::string(pipeName(instruction.other));
  };
  std::string found;
  for (const SimInstruction *op : waiting)
    found += (found.empty() ? "" : ", ") + wish(*op);
  if (scalar == Scalar::QueueFull)
    found += ", and the scalar unit for room in the queue of pipe " +
             std::string(pipeName(Pipe(fullPipe)));
  Diagnostic &diagnostic = launch.error(
      Code::E0572, *waiting.front()->instruction,
      "kernel '" + printable(launch.program.kernel) +
          "' expects a set for every wait, found that " + found + ", which nobody will set",
      "sim_c33", "set the flag on the other pipe before, or take the wait away");
  for (size_t i = 1; i < waiting.size(); ++i)
    diagnostic.notes.push_back(
        Note{launch.locationOf(*waiting[i]->instruction), wish(*waiting[i]) + " here"});
  return false;
}

} // namespace opc::sim

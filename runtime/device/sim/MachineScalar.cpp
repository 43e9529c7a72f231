// Steps of the machine's scalar unit: issue to pipes, waits, reads, and the report of a deadlock.

#include "runtime/device/sim/Machine.h"
#include "runtime/device/sim/Semantics.h"
#include "runtime/device/sim/launch/Capture.h"
#include "runtime/device/sim/sanitize/Deadlock.h"

#include <algorithm>

namespace opc::sim {

/// Runs scalar code up to the time of the next step elsewhere: before that, only instructions that the scalar unit
/// itself issues can become ready.
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
  case ScalarUnit::Stop::Work:
    return scalarWork();
  case ScalarUnit::Stop::Halt:
    scalar = Scalar::Halted;
    return true;
  case ScalarUnit::Stop::Error:
    return false;
  }
  return false;
}

bool Machine::issue() {
  const PipeInstruction &instruction = launch.program.instructions[scalarUnit.issued()];
  const unsigned target = indexOf(instruction.pipe);
  if (instruction.pipe != Pipe::S && pipes[target].queue.size() >= kQueueDepth) {
    fullPipe = target;
    scalar = Scalar::QueueFull;
    return true;
  }
  if (!take(current))
    return false;
  // A barrier on a pipe that completes in order is not an instruction of the chip.
  const bool nothing = instruction.kind == PipeInstruction::Barrier && launch.target.completesInOrder(instruction.pipe);
  notIssued += nothing;
  scalarUnit.didIssue(nothing ? 0 : launch.target.issueCycles());
  current.dispatched = scalarUnit.now();
  if (!admit(current))
    return false;
  if (instruction.pipe == Pipe::S)
    return issueToScalar(current);
  pipes[target].queue.push(current);
  updateReady(target);
  return true;
}

/// The scalar unit performs its own flags, barriers and writes immediately.
bool Machine::issueToScalar(SimInstruction &op) {
  op.start = scalarUnit.now();
  if (op.instruction->kind == PipeInstruction::WaitFlag) {
    scalar = Scalar::Waiting;
    return true;
  }
  pipes[indexOf(Pipe::S)].complete = scalarUnit.now();
  if (!perform(op))
    return false;
  if (op.instruction->kind == PipeInstruction::ScalarWrite)
    scalarUnit.work(op.end - op.start);
  else
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

/// A scalar read does not wait: it reads UB as it is now.
bool Machine::scalarRead() {
  SimInstruction op;
  if (!take(op))
    return false;
  op.dispatched = op.start = scalarUnit.now();
  if (!admit(op) || !perform(op))
    return false;
  scalarUnit.didRead(readScalar(op), op.end - op.start);
  return true;
}

/// Scalar code outside of the program takes time; it accesses nothing, so only the launch's own observers are notified.
bool Machine::scalarWork() {
  SimInstruction op;
  capture(launch, placeOfWork(scalarUnit.worked()), scalarUnit.values(), op);
  op.block = block;
  op.count = scalarUnit.worked().imm;
  op.dispatched = op.start = scalarUnit.now();
  scalarUnit.didWork(op.count * launch.target.scalarCycles());
  op.end = op.complete = scalarUnit.now();
  return checkCycles(op.end) && std::all_of(launch.options.observers.begin(), launch.options.observers.end(),
                                            [&op](SimObserver *observer) { return observer->performs(op); });
}

/// Reports that no step can start.
bool Machine::deadlock() const {
  std::vector<const SimInstruction *> waiting;
  if (scalar == Scalar::Waiting)
    waiting.push_back(&current);
  for (const PipeState &pipe : pipes)
    if (!pipe.queue.empty())
      waiting.push_back(&pipe.queue.front());
  reportDeadlock(launch, waiting, scalar == Scalar::QueueFull ? std::optional(Pipe(fullPipe)) : std::nullopt);
  return false;
}

} // namespace opc::sim

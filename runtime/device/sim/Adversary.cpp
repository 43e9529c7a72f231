// The adversary's steps.

#include "runtime/device/sim/Adversary.h"

#include "runtime/device/sim/Semantics.h"
#include "runtime/device/sim/sanitize/Deadlock.h"

#include <algorithm>
#include <numeric>

namespace opc::sim {

/// Beyond the clock of any launch within its limits, so that time never stops the scalar unit.
static constexpr int64_t kNoBound = int64_t(1) << 62;
/// Ranks are shuffled after 1 to this many steps.
static constexpr uint64_t kLongestDeal = 64;

static bool isSync(const SimInstruction &op, PipeInstruction::Kind kind) {
  return op.instruction->kind == kind;
}

Adversary::Adversary(const Launch &launch, SimResult &result) : Core(launch, result), random(launch.options.orderSeed) {
}

bool Adversary::run(int64_t blockNum) {
  if (!executor.ready())
    return false;
  bool ok = true;
  for (int64_t i = 0; i < blockNum && ok; ++i)
    ok = runBlock(i);
  return ok && checks.launchEnds();
}

void Adversary::deal() {
  std::iota(ranks.begin(), ranks.end(), 0u);
  for (unsigned i = kActors; i > 1; --i)
    std::swap(ranks[i - 1], ranks[draw(i)]);
  stepsToDeal = 1 + draw(kLongestDeal);
  newestFirst = draw(4) != 0;
}

bool Adversary::runBlock(int64_t index) {
  stepsToDeal = 0;
  if (!startBlock(index, 0))
    return false;
  for (;;) {
    if (stepsToDeal-- == 0)
      deal();
    const auto actor = std::find_if(ranks.begin(), ranks.end(), [this](unsigned actor) { return canAct(actor); });
    if (actor == ranks.end())
      break;
    if (!act(*actor))
      return false;
  }
  if (scalar != Scalar::Halted || std::any_of(pipes.begin(), pipes.end(), [](const PipeState &p) {
        return !p.queue.empty() || !p.underWay.empty();
      }))
    return deadlock();
  if (checks.flags() && !flags.checkEnd())
    return false;
  return checks.blockEnds(block, 0);
}

bool Adversary::canAct(unsigned actor) const {
  if (actor == 0)
    return scalar == Scalar::Running || (scalar == Scalar::Waiting && flags.isSet(current));
  const unsigned pipe = (actor - 1) % kNumPipes;
  return actor <= kNumPipes ? canStart(pipe) : nextEffect(pipe) < pipes[pipe].underWay.size();
}

bool Adversary::act(unsigned actor) {
  if (actor == 0)
    return stepScalar();
  const unsigned pipe = (actor - 1) % kNumPipes;
  return actor <= kNumPipes ? start(pipe) : takeEffect(pipe);
}

//===----------------------------------------------------------------------===//
// Pipes
//===----------------------------------------------------------------------===//

bool Adversary::canStart(unsigned index) const {
  const PipeState &pipe = pipes[index];
  if (pipe.queue.empty())
    return false;
  const SimInstruction &head = pipe.queue.front();
  if (isSync(head, PipeInstruction::WaitFlag))
    return flags.isSet(head);
  return !isSync(head, PipeInstruction::Barrier) || pipe.underWay.empty();
}

bool Adversary::start(unsigned index) {
  PipeState &pipe = pipes[index];
  const SimInstruction op = pipe.queue.front();
  pipe.queue.pop();
  if (scalar == Scalar::QueueFull)
    scalar = Scalar::Running;
  if (!checks.starts(op))
    return false;
  if (isSync(op, PipeInstruction::WaitFlag)) {
    flags.take(op);
    return checks.performs(op);
  }
  if (isSync(op, PipeInstruction::Barrier))
    return checks.performs(op);
  pipe.underWay.push_back(op);
  return true;
}

size_t Adversary::nextEffect(unsigned index) const {
  const std::vector<SimInstruction> &underWay = pipes[index].underWay;
  const bool first = !newestFirst || launch.target.completesInOrder(Pipe(index)) || underWay.size() < 2;
  if (first)
    return 0;
  // Skip flags: a flag becomes visible only after everything that started before it, so it is never the newest
  // of several.
  for (size_t i = underWay.size(); i-- > 0;)
    if (!isSync(underWay[i], PipeInstruction::SetFlag))
      return i;
  return 0;
}

bool Adversary::takeEffect(unsigned index) {
  PipeState &pipe = pipes[index];
  const size_t place = nextEffect(index);
  const SimInstruction op = pipe.underWay[place];
  pipe.underWay.erase(pipe.underWay.begin() + long(place));
  if (!isSync(op, PipeInstruction::SetFlag))
    return perform(op);
  return checks.performs(op) && flags.set(op, 0);
}

bool Adversary::perform(const SimInstruction &op) {
  if (!checks.performs(op))
    return false;
  account(op);
  executor.perform(op);
  return true;
}

//===----------------------------------------------------------------------===//
// The scalar unit
//===----------------------------------------------------------------------===//

bool Adversary::stepScalar() {
  if (scalar == Scalar::Waiting) {
    scalar = Scalar::Running;
    flags.take(current);
    return checks.starts(current) && checks.performs(current);
  }
  const ScalarUnit::Stop stop = scalarUnit.run(kNoBound);
  result.scalarSteps = scalarUnit.steps();
  switch (stop) {
  case ScalarUnit::Stop::Issue:
    return issue(/*read=*/false);
  case ScalarUnit::Stop::Read:
    return issue(/*read=*/true);
  case ScalarUnit::Stop::Work:
    scalarUnit.didWork(0);
    return true;
  case ScalarUnit::Stop::Halt:
  case ScalarUnit::Stop::Time:
    scalar = Scalar::Halted;
    return true;
  case ScalarUnit::Stop::Error:
    break;
  }
  return false;
}

bool Adversary::issue(bool read) {
  const PipeInstruction &instruction = launch.program.instructions[scalarUnit.issued()];
  PipeState &pipe = pipes[indexOf(instruction.pipe)];
  if (instruction.pipe != Pipe::S && pipe.queue.size() >= kQueueDepth) {
    scalar = Scalar::QueueFull;
    return true;
  }
  SimInstruction op;
  if (!take(op) || !admit(op))
    return false;
  if (read) {
    if (!checks.starts(op) || !perform(op))
      return false;
    scalarUnit.didRead(readScalar(op), 0);
    return true;
  }
  scalarUnit.didIssue(0);
  if (instruction.pipe != Pipe::S) {
    pipe.queue.push(op);
    return true;
  }
  // The scalar unit performs its own flags, barriers and writes immediately.
  if (isSync(op, PipeInstruction::WaitFlag)) {
    current = op;
    scalar = Scalar::Waiting;
    return true;
  }
  if (!checks.starts(op))
    return false;
  if (isSync(op, PipeInstruction::SetFlag))
    return checks.performs(op) && flags.set(op, 0);
  return isSync(op, PipeInstruction::Barrier) ? checks.performs(op) : perform(op);
}

bool Adversary::deadlock() const {
  std::vector<const SimInstruction *> standing;
  if (scalar == Scalar::Waiting)
    standing.push_back(&current);
  std::optional<Pipe> full;
  for (unsigned i = 0; i < kNumPipes; ++i) {
    if (!pipes[i].queue.empty())
      standing.push_back(&pipes[i].queue.front());
    if (scalar == Scalar::QueueFull && pipes[i].queue.size() >= kQueueDepth)
      full = Pipe(i);
  }
  reportDeadlock(launch, standing, full);
  return false;
}

} // namespace opc::sim

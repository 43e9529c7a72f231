// Clocks of the pipes.

#include "runtime/device/sim/sanitize/state/PipeClocks.h"

#include <algorithm>

namespace opc::sim {

PipeClocks::PipeClocks(const Launch &launch)
    : ids(size_t(launch.eventIds())), issueOrders(launch.options.recorded),
      carried(size_t(kNumPipes) * kNumPipes * ids) {
  for (unsigned pipe = 0; pipe < kNumPipes; ++pipe)
    inOrder[pipe] = launch.target.completesInOrder(Pipe(pipe));
}

void PipeClocks::blockStarts() {
  clocks.fill(counts);
  known.clear();
  taken.fill(0);
  for (std::deque<Clock> &sets : carried)
    sets.clear();
}

size_t PipeClocks::flagIndex(const SimInstruction &flag) const {
  const PipeInstruction &instruction = *flag.instruction;
  const bool set = instruction.kind == PipeInstruction::SetFlag;
  const Pipe from = set ? instruction.pipe : instruction.other, to = set ? instruction.other : instruction.pipe;
  return (size_t(from) * kNumPipes + size_t(to)) * ids + size_t(flag.flagId);
}

void PipeClocks::arrives(const SimInstruction &op) {
  const unsigned pipe = indexOf(op.instruction->pipe);
  size_t &next = taken[pipe];
  const size_t before = next;
  while (next < known.size() && known[next].sequence < op.sequence)
    ++next;
  if (next == before)
    return;
  // The scalar unit's own accesses need a flag: its stores may be under way.
  for (unsigned other = 0; other < kNumPipes; ++other)
    if (other != indexOf(Pipe::S))
      clocks[pipe][other] = std::max(clocks[pipe][other], known[next - 1].clock[other]);
}

void PipeClocks::step(const SimInstruction &op) {
  const unsigned pipe = indexOf(op.instruction->pipe);
  Clock &clock = clocks[pipe];
  const uint32_t place = counts[pipe]++;
  switch (op.instruction->kind) {
  case PipeInstruction::SetFlag: {
    Clock flag = clock;
    flag[pipe] = place;
    carried[flagIndex(op)].push_back(flag);
    break;
  }
  case PipeInstruction::WaitFlag: {
    std::deque<Clock> &sets = carried[flagIndex(op)];
    if (sets.empty())
      break; // the machine never completes a wait without a set
    for (unsigned other = 0; other < kNumPipes; ++other)
      clock[other] = std::max(clock[other], sets.front()[other]);
    sets.pop_front();
    if (issueOrders && op.instruction->pipe == Pipe::S)
      known.push_back({op.sequence, clock});
    break;
  }
  case PipeInstruction::Barrier:
    clock[pipe] = place;
    break;
  default:
    break;
  }
  if (inOrder[pipe])
    clock[pipe] = counts[pipe];
}

} // namespace opc::sim

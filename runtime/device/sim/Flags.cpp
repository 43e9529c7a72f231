// Flags between pipes.

#include "runtime/device/sim/Flags.h"

#include <algorithm>

namespace opc::sim {

Flags::Flags(const Launch &launch)
    : launch(launch), ids(launch.eventIds()), flags(size_t(kNumPipes) * kNumPipes * ids) {
}

void Flags::clear() {
  std::fill(flags.begin(), flags.end(), Flag{});
}

bool Flags::checkId(const SimInstruction &op) const {
  if (op.flagId >= 0 && op.flagId < int64_t(ids))
    return true;
  launch.error(Code::E0573, *op.instruction,
               launch.describe(*op.instruction) + " expects an event id from 0 to " + std::to_string(ids - 1) +
                   ", found " + std::to_string(op.flagId),
               "sim_c30");
  return false;
}

bool Flags::set(const SimInstruction &op, int64_t time) {
  Flag &flag = flags[index(op.instruction->pipe, op.instruction->other, op.flagId)];
  if (flag.set) {
    Diagnostic &diagnostic = launch.error(
        Code::E0570, *op.instruction,
        launch.describe(*op.instruction) + " expects event " + std::to_string(op.flagId) +
            " to have been waited for since it was last set, found it set since cycle " + std::to_string(flag.time),
        "sim_c31", "one wait for each set, or another event id");
    launch.note(diagnostic, launch.program.instructions[flag.setter], "set it before");
    return false;
  }
  flag = Flag{true, op.index, time};
  return true;
}

void Flags::take(const SimInstruction &wait) {
  flags[index(wait.instruction->other, wait.instruction->pipe, wait.flagId)].set = false;
}

bool Flags::checkEnd() const {
  bool clean = true;
  for (size_t i = 0; i < flags.size(); ++i) {
    if (!flags[i].set)
      continue;
    const PipeInstruction &setter = launch.program.instructions[flags[i].setter];
    launch.error(Code::E0571, setter,
                 launch.describe(setter) + " expects a wait for event " + std::to_string(i % ids) +
                     " before the kernel ends, found none",
                 "sim_c32", "a wait on pipe " + std::string(pipeName(setter.other)) + " at the end");
    clean = false;
  }
  return clean;
}

} // namespace opc::sim

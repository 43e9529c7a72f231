// The report of a deadlock.

#include "runtime/device/sim/sanitize/Deadlock.h"

namespace opc::sim {

void reportDeadlock(const Launch &launch, const std::vector<const SimInstruction *> &standing,
                    std::optional<Pipe> fullPipe) {
  if (standing.empty())
    return;
  auto wish = [](const SimInstruction &op) {
    const PipeInstruction &instruction = *op.instruction;
    return "pipe " + std::string(pipeName(instruction.pipe)) + " waits for event " + std::to_string(op.flagId) +
           " from pipe " + std::string(pipeName(instruction.other));
  };
  std::string found;
  for (const SimInstruction *op : standing)
    found += (found.empty() ? "" : ", ") + wish(*op);
  if (fullPipe)
    found += ", and the scalar unit for room in the queue of pipe " + std::string(pipeName(*fullPipe));
  Diagnostic &diagnostic =
      launch.error(Code::E0572, *standing.front()->instruction,
                   "deadlock: kernel '" + printable(launch.program.kernel) +
                       "' expects a set for every wait, found that " + found + ", which is never set",
                   "sim_c33", "set the flag on the other pipe before, or remove the wait");
  for (size_t i = 1; i < standing.size(); ++i)
    diagnostic.notes.push_back(Note{launch.locationOf(*standing[i]->instruction), wish(*standing[i]) + " here"});
}

} // namespace opc::sim

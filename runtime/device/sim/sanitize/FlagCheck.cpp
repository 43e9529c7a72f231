// FlagCheck.

#include "runtime/device/sim/sanitize/FlagCheck.h"

namespace opc::sim {

bool FlagCheck::refuse(const SimInstruction &set, const Flag &flag, Code code, const char *rule, std::string found,
                       std::string fix) const {
  Diagnostic &diagnostic =
      launch.error(code, *set.instruction,
                   launch.describe(*set.instruction) + " of event " + std::to_string(set.flagId) +
                       " expects to come after the wait for the previous set, found " + std::move(found),
                   rule, std::move(fix));
  launch.note(diagnostic, *flag.set, "set it before");
  if (flag.wait)
    launch.note(diagnostic, *flag.wait, "waits for that");
  return false;
}

bool FlagCheck::step(const SimInstruction &op) {
  const PipeInstruction &instruction = *op.instruction;
  if (instruction.kind == PipeInstruction::WaitFlag) {
    Flag &flag = flags[clocks.flagIndex(op)];
    flag.pending -= flag.pending != 0;
    flag.wait = &instruction;
    flag.waitPlace = clocks.started(instruction.pipe);
    return true;
  }
  if (instruction.kind != PipeInstruction::SetFlag)
    return true;
  Flag &flag = flags[clocks.flagIndex(op)];
  if (flag.pending != 0)
    return refuse(op, Flag{flag.pending, flag.set, nullptr, 0}, Code::E0570, "sync_c11", "no wait between the two",
                  "one wait for each set, or another event id");
  // The scalar unit issues nothing while it waits, so it issued this set after its wait. Kernels by hand rely on it.
  const bool isBehind = launch.options.recorded && instruction.other == Pipe::S;
  const bool certain = !flag.wait || isBehind || clocks.complete(instruction.pipe, instruction.other) > flag.waitPlace;
  const std::string from(pipeName(instruction.other)), to(pipeName(instruction.pipe));
  if (!certain && flag.set == &instruction)
    return refuse(op, flag, Code::E0570, "sync_c12", "that it may overtake it when pipe " + to + " is early",
                  "more event ids in turn, or a flag from pipe " + from + " to pipe " + to + " after the wait");
  if (!certain)
    return refuse(op, flag, Code::E0570, "sync_c13", "that another flag uses the event and its wait may come later",
                  "another event id, or a flag from pipe " + from + " to pipe " + to + " after the wait");
  flag.pending = 1;
  flag.set = &instruction;
  return true;
}

} // namespace opc::sim

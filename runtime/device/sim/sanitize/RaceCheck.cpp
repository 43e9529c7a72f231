// Finds races, and reports them with the lines of both instructions and the missing edge.

#include "runtime/device/sim/sanitize/RaceCheck.h"

#include "runtime/device/sim/sanitize/OverlapCheck.h"

#include <algorithm>

namespace opc::sim {

RaceCheck::RaceCheck(const Launch &launch, const PipeClocks &clocks) : launch(launch), clocks(clocks), shadow(launch) {
}

static bool mayMeet(Way a, Way b) {
  return a == b && a != Way::Write;
}

/// "set_flag V -> MTE3" or "pipe_barrier V".
static std::string missingEdge(Pipe from, Pipe to) {
  auto upper = [](Pipe pipe) {
    std::string name(pipeName(pipe));
    for (char &c : name)
      c = c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
    return name;
  };
  if (from == to)
    return "pipe_barrier " + upper(from);
  return "set_flag " + upper(from) + " -> " + upper(to);
}

static std::string doing(const Launch &launch, const PipeInstruction &instruction, const SimAccess &access) {
  const Way way = wayOf(instruction, access);
  return std::string(way == Way::Read    ? "reads "
                     : way == Way::Write ? "writes "
                                         : "adds to ") +
         launch.describe(*access.operand);
}

/// The access of `other` that shares a byte with `access`; null when none does.
static const SimAccess *meeting(const SimAccess &access, const SimInstruction &other, Way way) {
  for (unsigned i = 0; i < other.numAccesses; ++i)
    if (wayOf(*other.instruction, other.accesses[i]) == way && accessesMeet(access, other.accesses[i]))
      return &other.accesses[i];
  return nullptr;
}

bool RaceCheck::refuse(const SimInstruction &op, const SimAccess &access, const Shadow::Row &row,
                       uint32_t place) const {
  const std::vector<SimInstruction> &remembered = last[indexOf(row.pipe)];
  const bool known = size_t(clocks.started(row.pipe)) - place <= kRemembered && place % kRemembered < remembered.size();
  if (!known) {
    const std::string edge = missingEdge(row.pipe, op.instruction->pipe);
    launch.error(Code::E0574, *op.instruction,
                 launch.describe(*op.instruction) + " " + doing(launch, *op.instruction, access) +
                     ", and nothing orders it and instruction " + std::to_string(place) + " of pipe " +
                     std::string(pipeName(row.pipe)) + " in the same bytes",
                 "race_c1",
                 "missing edge: " + edge + (row.pipe == op.instruction->pipe ? launch.onOtherChips(row.pipe) : ""));
    return false;
  }
  const SimInstruction &other = remembered[place % kRemembered];
  const SimAccess *met = meeting(access, other, row.way);
  if (!met)
    return true; // they access different bytes of the block
  const bool swapped = op.sequence < other.sequence;
  const SimInstruction &before = swapped ? op : other, &after = swapped ? other : op;
  const SimAccess &first = swapped ? access : *met, &second = swapped ? *met : access;
  const Pipe from = before.instruction->pipe, to = after.instruction->pipe;
  const std::string edge = missingEdge(from, to);
  Diagnostic &diagnostic =
      launch.error(Code::E0574, *after.instruction,
                   launch.describe(*after.instruction) + " " + doing(launch, *after.instruction, second) +
                       ", and nothing makes it come after " + launch.describe(*before.instruction) + ", which " +
                       doing(launch, *before.instruction, first) + " in the same bytes",
                   "race_c1",
                   "missing edge: " + edge +
                       (from == to ? " between the two" + launch.onOtherChips(from)
                                   : " after " + launch.describe(*before.instruction) + ", with its wait_flag before " +
                                         launch.describe(*after.instruction)));
  launch.note(diagnostic, *before.instruction, "is the other one");
  return false;
}

bool RaceCheck::compare(const SimInstruction &op, const SimAccess &access) const {
  const Shadow::Memory &memory = shadow.of(access);
  const Way way = wayOf(*op.instruction, access);
  // Check other pipes first: when both race, the missing flag between pipes is the more likely mistake.
  for (const bool own : {false, true})
    for (const Shadow::Row &row : memory.rows)
      if ((row.pipe == op.instruction->pipe) == own && !mayMeet(way, row.way) && !compareRow(op, access, memory, row))
        return false;
  return true;
}

bool RaceCheck::compareRow(const SimInstruction &op, const SimAccess &access, const Shadow::Memory &memory,
                           const Shadow::Row &row) const {
  const uint32_t complete = clocks.complete(op.instruction->pipe, row.pipe);
  if (row.newest <= complete || Shadow::latest(memory, row, access) <= complete)
    return true;
  for (const uint32_t place : Shadow::later(memory, row, access, complete))
    if (!refuse(op, access, row, place - 1))
      return false;
  return true;
}

void RaceCheck::remember(const SimInstruction &op, uint32_t place) {
  std::vector<SimInstruction> &list = last[indexOf(op.instruction->pipe)];
  const size_t index = place % kRemembered;
  if (list.size() <= index)
    list.resize(index + 1);
  list[index] = op;
}

bool RaceCheck::step(const SimInstruction &op) {
  if (op.numAccesses == 0)
    return true;
  for (unsigned i = 0; i < op.numAccesses; ++i)
    if (!compare(op, op.accesses[i]))
      return false;
  const uint32_t place = clocks.started(op.instruction->pipe);
  for (unsigned i = 0; i < op.numAccesses; ++i) {
    const SimAccess &access = op.accesses[i];
    const Way way = wayOf(*op.instruction, access);
    Shadow::Memory &memory = shadow.of(access);
    for (Shadow::Row &row : memory.rows)
      if (row.pipe == op.instruction->pipe && row.way == way)
        Shadow::note(memory, row, access, place + 1);
  }
  remember(op, place);
  return true;
}

} // namespace opc::sim

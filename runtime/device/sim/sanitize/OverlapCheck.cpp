// Checks each instruction against those that have not completed when it starts.

#include "runtime/device/sim/sanitize/OverlapCheck.h"

namespace opc::sim {

bool accessesMeet(const SimAccess &a, const SimAccess &b) {
  const ProgramOperand &left = *a.operand, &right = *b.operand;
  if (left.space != right.space || (left.space == ProgramOperand::GM && left.tensor != right.tensor))
    return false;
  if (a.end() <= b.address || b.end() <= a.address)
    return false;
  // Both lists of rows are sorted: advance past the row that ends first.
  for (int64_t i = 0, j = 0; i < a.rows && j < b.rows;) {
    const int64_t first = a.address + i * a.stride, second = b.address + j * b.stride;
    if (first < second + b.rowBytes && second < first + a.rowBytes)
      return a.rowBytes != 0 && b.rowBytes != 0;
    if (first + a.rowBytes <= second + b.rowBytes)
      ++i;
    else
      ++j;
  }
  return false;
}

bool OverlapCheck::blockStarts(int64_t, int64_t) {
  for (std::deque<SimInstruction> &list : underWay)
    list.clear();
  return true;
}

/// Reports the error at the instruction that was issued later, which should have waited for the earlier one.
bool OverlapCheck::refuse(const SimInstruction &before, const SimAccess &first, const SimInstruction &after,
                          const SimAccess &second) const {
  const std::string from(pipeName(before.instruction->pipe)), to(pipeName(after.instruction->pipe));
  Diagnostic &diagnostic = launch.error(
      Code::E0574, *after.instruction,
      launch.describe(*after.instruction) + " expects " + launch.describe(*second.operand) + " to itself while it " +
          (second.write ? "writes" : "reads") + " it, found " + launch.describe(*before.instruction) +
          " under way, which " + (first.write ? "writes " : "reads ") + launch.describe(*first.operand) +
          " in the same bytes",
      "sim_c22",
      from == to
          ? "a barrier on pipe " + from + " between the two" + launch.onOtherChips(before.instruction->pipe)
          : "a flag from pipe " + from + " to pipe " + to + ", set after the one and waited for before the other");
  launch.note(diagnostic, *before.instruction,
              "runs from cycle " + std::to_string(before.start) + " to " + std::to_string(before.complete) +
                  ", the other one starts at cycle " + std::to_string(after.start));
  return false;
}

bool OverlapCheck::compare(const SimInstruction &op, const SimInstruction &other) const {
  if (op.instruction->atomicAdd && other.instruction->atomicAdd)
    return true;
  for (unsigned i = 0; i < op.numAccesses; ++i)
    for (unsigned j = 0; j < other.numAccesses; ++j) {
      const SimAccess &a = op.accesses[i], &b = other.accesses[j];
      if ((!a.write && !b.write) || !accessesMeet(a, b))
        continue;
      return other.sequence < op.sequence ? refuse(other, b, op, a) : refuse(op, a, other, b);
    }
  return true;
}

bool OverlapCheck::performs(const SimInstruction &op) {
  if (op.numAccesses == 0)
    return true;
  for (std::deque<SimInstruction> &list : underWay) {
    while (!list.empty() && list.front().complete <= op.start)
      list.pop_front();
    for (const SimInstruction &other : list)
      if (!compare(op, other))
        return false;
  }
  underWay[indexOf(op.instruction->pipe)].push_back(op);
  return true;
}

} // namespace opc::sim

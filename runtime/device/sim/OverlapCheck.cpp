// OverlapCheck: each instruction against the few that have not completed when it starts.

#include "runtime/device/sim/OverlapCheck.h"

namespace opc::sim {

bool accessesMeet(const SimAccess &a, const SimAccess &b) {
  const ProgramOperand &left = *a.operand, &right = *b.operand;
  if (left.space != right.space || (left.space == ProgramOperand::GM && left.tensor != right.tensor))
    return false;
  if (a.end() <= b.address || b.end() <= a.address)
    return false;
  // Both lists of rows ascend: step past the row that ends first.
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

bool OverlapCheck::compare(const SimInstruction &op, const SimInstruction &other) const {
  if (op.instruction->atomicAdd && other.instruction->atomicAdd)
    return true;
  for (unsigned i = 0; i < op.numAccesses; ++i)
    for (unsigned j = 0; j < other.numAccesses; ++j) {
      const SimAccess &a = op.accesses[i], &b = other.accesses[j];
      if ((!a.write && !b.write) || !accessesMeet(a, b))
        continue;
      const bool samePipe = op.instruction->pipe == other.instruction->pipe;
      const std::string pipe(pipeName(other.instruction->pipe));
      Diagnostic &diagnostic = launch.error(
          Code::E0574, *op.instruction,
          launch.describe(*op.instruction) + " expects " + launch.describe(*a.operand) + " to itself while it " +
              (a.write ? "writes" : "reads") + " it, found " + launch.describe(*other.instruction) +
              " under way, which " + (b.write ? "writes " : "reads ") + launch.describe(*b.operand) +
              " in the same bytes",
          "sim_c22",
          samePipe ? "a barrier on pipe " + pipe + " between the two"
                   : "a flag from pipe " + pipe + " to pipe " + std::string(pipeName(op.instruction->pipe)) +
                         ", set after the one and waited for before the other");
      launch.note(diagnostic, *other.instruction,
                  "runs from cycle " + std::to_string(other.start) + " to " + std::to_string(other.complete) +
                      ", this one starts at cycle " + std::to_string(op.start));
      return false;
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

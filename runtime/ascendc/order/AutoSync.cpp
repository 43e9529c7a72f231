#include "runtime/ascendc/order/AutoSync.h"

#include <algorithm>
#include <iterator>

namespace opc::ascendc {

template <typename Visitor> void AutoSync::eachBlock(const SimAccess &access, Visitor &&visit) {
  if (!access.operand || access.operand->space != ProgramOperand::UB || access.rowBytes <= 0)
    return;
  const auto bytes = int64_t(blocks.size()) * kBlock;
  for (int64_t row = 0; row < access.rows; ++row) {
    // An access outside of UB is reported by the simulator, which does not perform it.
    const __int128 begin = access.address + __int128(row) * access.stride, end = begin + access.rowBytes;
    if (begin < 0 || end > bytes)
      return;
    for (int64_t block = int64_t(begin) / kBlock; block * kBlock < int64_t(end); ++block)
      visit(blocks[size_t(block)]);
  }
}

/// Whether an instruction of `pipe` conflicts with an access of another pipe for which it has not waited.
bool AutoSync::conflicts(Pipe from, Pipe pipe, const SimInstruction &op) {
  const int64_t since = clocks[unsigned(pipe)].of[unsigned(from)];
  bool found = false;
  for (unsigned i = 0; i < op.numAccesses; ++i)
    eachBlock(op.accesses[i], [&](const Accesses &block) {
      found |= block.writes[unsigned(from)] > since || (op.accesses[i].write && block.reads[unsigned(from)] > since);
    });
  return found;
}

/// The clock of a flag that a pipe sets now: all instructions of the pipe so far, and everything that it has
/// waited for.
AutoSync::Clock AutoSync::clockAfter(Pipe pipe) const {
  Clock clock = clocks[unsigned(pipe)];
  clock.of[unsigned(pipe)] = now;
  return clock;
}

void AutoSync::join(Pipe to, const Clock &clock) {
  for (unsigned i = 0; i < kNumPipes; ++i)
    clocks[unsigned(to)].of[i] = std::max(clocks[unsigned(to)].of[i], clock.of[i]);
}

// Two reserved ids are used. If a pipe may still have to wait for both, the scalar unit waits for the pipe first.
void AutoSync::addEdge(Pipe from, Pipe to, std::vector<Edge> &edges) {
  int64_t id = kIds[0];
  if (from == Pipe::S) {
    auto isFree = [&](int64_t candidate) {
      auto last = waits.find({to, candidate});
      return last == waits.end() || last->second <= clocks[unsigned(Pipe::S)].of[unsigned(to)];
    };
    const auto *found = std::find_if(std::begin(kIds), std::end(kIds), isFree);
    if (found != std::end(kIds)) {
      id = *found;
    } else {
      addEdge(to, Pipe::S, edges);
      edges.back().freesId = true;
    }
  }
  edges.push_back({from, to, id, false});
  join(to, clockAfter(from));
  if (from == Pipe::S)
    waits[{to, id}] = ++now;
}

std::vector<AutoSync::Edge> AutoSync::issue(Pipe pipe, const SimInstruction &op) {
  std::vector<Edge> edges;
  const bool isOther = std::find(std::begin(kPipes), std::end(kPipes), pipe) != std::end(kPipes);
  if (pipe == Pipe::S) {
    for (Pipe other : kPipes)
      if (conflicts(other, pipe, op))
        addEdge(other, pipe, edges);
  } else if (isOther && conflicts(Pipe::S, pipe, op)) {
    addEdge(Pipe::S, pipe, edges);
  }
  ++now;
  for (unsigned i = 0; i < op.numAccesses; ++i) {
    const SimAccess &access = op.accesses[i];
    eachBlock(access, [&](Accesses &block) { (access.write ? block.writes : block.reads)[unsigned(pipe)] = now; });
  }
  return edges;
}

void AutoSync::set(Pipe from, Pipe to, int64_t id) {
  pending[{from, to, id}] = clockAfter(from);
}

void AutoSync::wait(Pipe from, Pipe to, int64_t id) {
  auto found = pending.find({from, to, id});
  if (found == pending.end())
    return;
  join(to, found->second);
  pending.erase(found);
  if (from == Pipe::S)
    waits[{to, id}] = ++now;
}

} // namespace opc::ascendc

// Reachability by sets of bits, dataflow by ranges of bytes.

#include "test/mutants/Trace.h"

#include "runtime/target/Intrinsics.h"

#include <algorithm>

namespace opc::mutants {

Recorder::Recorder(const SimulatorProgram &program, std::vector<unsigned> ops, size_t limit)
    : ops(std::move(ops)), limit(limit) {
  for (const ProgramBuffer &buffer : program.buffers)
    trace.bases.push_back(buffer.address);
}

bool Recorder::issued(const SimInstruction &instruction) {
  if (trace.steps.size() >= limit || instruction.index >= ops.size())
    return false;
  Step &step = trace.steps.emplace_back();
  step.op = ops[instruction.index];
  step.kind = instruction.instruction->kind;
  step.pipe = instruction.instruction->pipe;
  step.other = instruction.instruction->other;
  step.event = instruction.flagId;
  step.block = instruction.block;
  if (step.kind == PipeInstruction::Fill)
    step.filled = instruction.scalar;
  const bool isComparison =
      step.kind == PipeInstruction::Vector && writesMask(intrinsicInfo(instruction.instruction->intrinsic).form);
  for (unsigned i = 0; i < instruction.numAccesses; ++i) {
    const SimAccess &access = instruction.accesses[i];
    Touch touch;
    touch.inUB = access.operand->space == ProgramOperand::UB;
    touch.write = access.write;
    touch.home = touch.inUB ? access.operand->buffer : access.operand->tensor;
    touch.address = access.address - (touch.inUB ? trace.bases[touch.home] : 0);
    touch.rowBytes = access.rowBytes;
    // A comparison compares whole vectors, but nobody reads what it says of the lanes after its count.
    if (isComparison && !touch.write)
      touch.rowBytes = std::min(touch.rowBytes, instruction.count * int64_t(elementSize(access.operand->type)));
    touch.rows = access.rows;
    touch.stride = access.stride;
    step.touches.push_back(touch);
  }
  return true;
}

Facts::Facts(const Trace &trace, const Target &target) : trace(trace) {
  nameSteps();
  before.resize(trace.steps.size());
  blockOf.resize(trace.steps.size());
  for (size_t begin = 0; begin < trace.steps.size();) {
    size_t end = begin;
    while (end < trace.steps.size() && trace.steps[end].block == trace.steps[begin].block)
      blockOf[end++] = begin;
    matchFlags(begin, end);
    if (runnable)
      order(begin, end, target);
    const size_t first = conflicts.size();
    flow(begin, end);
    if (runnable && !checkOrder(first, begin))
      inOrder = false;
    begin = end;
  }
}

void Facts::nameSteps() {
  std::map<unsigned, unsigned> counts;
  for (const Step &step : trace.steps)
    names.emplace_back(step.op, counts[step.op]++);
}

void Facts::matchFlags(size_t begin, size_t end) {
  std::map<std::tuple<Pipe, Pipe, int64_t>, std::pair<std::vector<size_t>, std::vector<size_t>>> events;
  for (size_t i = begin; i < end; ++i) {
    const Step &step = trace.steps[i];
    if (step.kind == PipeInstruction::SetFlag)
      events[{step.pipe, step.other, step.event}].first.push_back(i);
    if (step.kind == PipeInstruction::WaitFlag)
      events[{step.other, step.pipe, step.event}].second.push_back(i);
  }
  for (const auto &[event, ends] : events) {
    runnable &= ends.first.size() == ends.second.size();
    for (size_t i = 0; i < std::min(ends.first.size(), ends.second.size()); ++i)
      matched.emplace_back(ends.first[i], ends.second[i]);
  }
}

void Facts::order(size_t begin, size_t end, const Target &target) {
  const size_t count = end - begin, words = (count + 63) / 64;
  // start, done, all of each step
  std::vector<std::vector<size_t>> next(3 * count);
  std::vector<unsigned> waiting(3 * count);
  auto edge = [&](size_t from, size_t to) {
    next[from].push_back(to);
    ++waiting[to];
  };
  auto start = [](size_t i) { return 3 * i; };
  auto done = [](size_t i) { return 3 * i + 1; };
  auto all = [](size_t i) { return 3 * i + 2; };
  std::map<Pipe, size_t> last;
  for (size_t i = 0; i < count; ++i) {
    const Step &step = trace.steps[begin + i];
    edge(start(i), done(i));
    edge(done(i), all(i));
    if (auto previous = last.find(step.pipe); previous != last.end()) {
      const size_t p = previous->second;
      const Step &earlier = trace.steps[begin + p];
      edge(start(p), start(i));
      edge(all(p), all(i));
      if (step.kind == PipeInstruction::SetFlag || step.kind == PipeInstruction::Barrier)
        edge(all(p), done(i));
      if (earlier.kind == PipeInstruction::WaitFlag || earlier.kind == PipeInstruction::Barrier ||
          target.completesInOrder(step.pipe))
        edge(done(p), start(i));
    }
    last[step.pipe] = i;
  }
  for (const auto &[set, wait] : matched)
    if (set >= begin && set < end)
      edge(done(set - begin), start(wait - begin));

  std::vector<std::vector<uint64_t>> reached(3 * count, std::vector<uint64_t>(words));
  std::vector<size_t> ready;
  for (size_t node = 0; node < 3 * count; ++node)
    if (waiting[node] == 0)
      ready.push_back(node);
  size_t visited = 0;
  while (!ready.empty()) {
    const size_t node = ready.back();
    ready.pop_back();
    ++visited;
    if (node % 3 == 1)
      reached[node][node / 3 / 64] |= uint64_t(1) << (node / 3 % 64);
    for (size_t to : next[node]) {
      for (size_t word = 0; word < words; ++word)
        reached[to][word] |= reached[node][word];
      if (--waiting[to] == 0)
        ready.push_back(to);
    }
    if (node % 3 == 0)
      before[begin + node / 3] = std::move(reached[node]);
    else
      std::vector<uint64_t>().swap(reached[node]);
  }
  runnable &= visited == 3 * count;
}

bool Facts::ordered(size_t first, size_t second) const {
  const size_t place = first - blockOf[first];
  return (before[second][place / 64] >> (place % 64)) & 1;
}

bool Facts::checkOrder(size_t first, size_t begin) {
  for (size_t i = first; i < conflicts.size(); ++i)
    if (!ordered(conflicts[i].first, conflicts[i].second))
      return false;
  // Pairs of one event stand in the order of their sets.
  for (size_t i = 1; i < matched.size(); ++i) {
    const auto &[set, wait] = matched[i - 1];
    const Step &a = trace.steps[set], &b = trace.steps[matched[i].first];
    const bool same =
        a.pipe == b.pipe && a.other == b.other && a.event == b.event && a.block == b.block && set >= begin;
    if (same && !ordered(wait, matched[i].first))
      return false;
  }
  return true;
}

namespace {
/// A memory cut where any access begins or ends.
struct Memory {
  std::vector<int64_t> cuts;
  struct Part {
    size_t writer = ~size_t(0);
    uint16_t home = 0; ///< through which buffer it wrote
    int64_t from = 0;  ///< where its destination begins
    std::vector<size_t> readers;
  };
  std::vector<Part> parts;

  template <typename Visit> void visit(int64_t begin, int64_t end, Visit visit) {
    auto cut = std::lower_bound(cuts.begin(), cuts.end(), begin);
    for (size_t i = size_t(cut - cuts.begin()); i + 1 < cuts.size() && cuts[i] < end; ++i)
      visit(parts[i], cuts[i], cuts[i + 1]);
  }
};
} // namespace

/// Rows in memory, as `visit(begin, end)`; `base` is where the buffer begins.
template <typename Visit> static void forRows(const Touch &touch, int64_t base, Visit visit) {
  if (touch.rowBytes <= 0)
    return;
  for (int64_t row = 0; row < touch.rows; ++row) {
    const int64_t begin = base + touch.address + row * touch.stride;
    visit(begin, begin + touch.rowBytes);
  }
}

void Facts::flow(size_t begin, size_t end) {
  // One memory for UB, one for each tensor.
  std::map<int, Memory> memories;
  auto keyOf = [](const Touch &touch) { return touch.inUB ? -1 : int(touch.home); };
  auto baseOf = [&](const Touch &touch) { return touch.inUB ? trace.bases[touch.home] : 0; };
  for (size_t i = begin; i < end; ++i)
    for (const Touch &touch : trace.steps[i].touches)
      forRows(touch, baseOf(touch), [&](int64_t first, int64_t last) {
        std::vector<int64_t> &cuts = memories[keyOf(touch)].cuts;
        cuts.push_back(first);
        cuts.push_back(last);
      });
  for (auto &[key, memory] : memories) {
    std::sort(memory.cuts.begin(), memory.cuts.end());
    memory.cuts.erase(std::unique(memory.cuts.begin(), memory.cuts.end()), memory.cuts.end());
    memory.parts.resize(memory.cuts.size());
  }

  std::vector<size_t> earlier; // of the step, by others
  for (size_t i = begin; i < end; ++i) {
    const Step &step = trace.steps[i];
    earlier.clear();
    for (unsigned number = 0; number < step.touches.size(); ++number) {
      const Touch &touch = step.touches[number];
      if (touch.write)
        continue;
      std::vector<Piece> &pieces = found[{names[i], number}];
      const int64_t origin = baseOf(touch) + touch.address;
      forRows(touch, baseOf(touch), [&](int64_t first, int64_t last) {
        memories[keyOf(touch)].visit(first, last, [&](Memory::Part &part, int64_t b, int64_t e) {
          // What was written through another buffer was not written for this reader.
          const bool written = part.writer != ~size_t(0) && part.home == touch.home;
          Piece piece = {b - origin, e - origin, kNobody, 0, std::nullopt};
          if (part.writer != ~size_t(0))
            earlier.push_back(part.writer);
          if (written) {
            piece = {piece.begin, piece.end, names[part.writer], b - part.from, trace.steps[part.writer].filled};
            (piece.filled ? usedFillOps : usedOps).insert(names[part.writer].first);
          }
          part.readers.push_back(i);
          Piece *previous = pieces.empty() ? nullptr : &pieces.back();
          if (previous && previous->end == piece.begin && previous->writer == piece.writer &&
              (!written || piece.from - previous->from == piece.begin - previous->begin))
            previous->end = piece.end;
          else
            pieces.push_back(piece);
        });
      });
    }
    for (const Touch &touch : step.touches)
      if (touch.write)
        forRows(touch, baseOf(touch), [&](int64_t first, int64_t last) {
          memories[keyOf(touch)].visit(first, last, [&](Memory::Part &part, int64_t, int64_t) {
            if (part.writer != ~size_t(0))
              earlier.push_back(part.writer);
            earlier.insert(earlier.end(), part.readers.begin(), part.readers.end());
            part.readers.clear();
            part.writer = i;
            part.home = touch.home;
            part.from = baseOf(touch) + touch.address;
          });
        });
    std::sort(earlier.begin(), earlier.end());
    earlier.erase(std::unique(earlier.begin(), earlier.end()), earlier.end());
    for (size_t other : earlier)
      if (other != i)
        conflicts.push_back({other, i});
  }
  // What the launch leaves in tensors.
  for (auto &[key, memory] : memories) {
    if (key < 0)
      continue;
    std::vector<Piece> &pieces = found[{{~0u, unsigned(trace.steps[begin].block)}, unsigned(key)}];
    for (size_t i = 0; i + 1 < memory.cuts.size(); ++i)
      if (memory.parts[i].writer != ~size_t(0))
        pieces.push_back({memory.cuts[i], memory.cuts[i + 1], names[memory.parts[i].writer],
                          memory.cuts[i] - memory.parts[i].from, std::nullopt});
  }
}

/// Whether the pieces say the same of the bytes that `part` has; nothing where one of them says that nobody wrote
/// what somebody had written.
static Verdict comparePieces(const std::vector<Facts::Piece> &whole, const std::vector<Facts::Piece> &part,
                             bool byValue) {
  // Rows may overlap; if they do not, pieces are in order.
  const bool isSorted = std::adjacent_find(whole.begin(), whole.end(),
                                           [](const auto &a, const auto &b) { return b.begin < a.end; }) == whole.end();
  Verdict verdict = Verdict::Same;
  for (const Facts::Piece &piece : part) {
    int64_t covered = piece.begin;
    auto first = whole.begin();
    if (isSorted)
      first = std::partition_point(first, whole.end(), [&](const auto &was) { return was.end <= piece.begin; });
    for (auto next = first; next != whole.end() && !(isSorted && next->begin >= piece.end); ++next) {
      const Facts::Piece &was = *next;
      const int64_t begin = std::max(piece.begin, was.begin), end = std::min(piece.end, was.end);
      if (begin >= end)
        continue;
      covered += end - begin;
      if (piece.writer == Facts::kNobody && was.writer != Facts::kNobody)
        return Verdict::Different;
      const bool same =
          piece.writer == was.writer &&
          (piece.writer == Facts::kNobody || piece.from + begin - piece.begin == was.from + begin - was.begin);
      if (!same && !(byValue && piece.filled && piece.filled == was.filled))
        verdict = Verdict::OtherFlow;
    }
    if (covered != piece.end && piece.writer == Facts::kNobody)
      return Verdict::Different;
  }
  return verdict;
}

static int64_t bytesOf(const std::vector<Facts::Piece> &pieces) {
  int64_t bytes = 0;
  for (const Facts::Piece &piece : pieces)
    bytes += piece.end - piece.begin;
  return bytes;
}

Verdict compare(const Facts &original, const Facts &changed, bool byValue) {
  if (!changed.allOrdered() || original.reads().size() != changed.reads().size())
    return Verdict::Different;
  auto includes = [](const std::set<unsigned> &all, const std::set<unsigned> &some) {
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
  };
  if (!includes(changed.used(), original.used()) || (!byValue && !includes(changed.usedFills(), original.usedFills())))
    return Verdict::Different;
  Verdict verdict = Verdict::Same;
  for (const auto &[key, pieces] : changed.reads()) {
    auto was = original.reads().find(key);
    if (was == original.reads().end())
      return Verdict::Different;
    // An output is what it was when all of it is.
    if (key.first.first == ~0u && bytesOf(pieces) != bytesOf(was->second))
      return Verdict::Different;
    const Verdict one = comparePieces(was->second, pieces, byValue);
    if (one == Verdict::Different)
      return one;
    if (one == Verdict::OtherFlow)
      verdict = one;
  }
  return verdict;
}

} // namespace opc::mutants

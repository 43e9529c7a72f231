#include "lowering/aicore/plan/LiveRanges.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

#include <numeric>
#include <set>

using namespace mlir;

namespace opc::aicore {

namespace {

/// The accesses of one pipe op to one buffer, through all its views.
struct Touch {
  bool reads = false, writes = false;
};

class Ranges {
public:
  explicit Ranges(func::FuncOp kernel) : kernel(kernel) {}
  KernelRanges run();

private:
  using Ops = llvm::SmallSetVector<unsigned, 4>;

  void collect();
  Ops link(Block &block, const Ops &before);
  void followReads(unsigned buffer);
  void addTimes(unsigned buffer);
  void addInPlace();
  bool worksInPlace(unsigned op, unsigned source, unsigned result) const;

  func::FuncOp kernel;
  KernelRanges result;
  llvm::DenseMap<Operation *, unsigned> numberOf, bufferNumber;
  /// For each outermost loop, and each op outside of loops: its first and last pipe op. Those in between are
  /// consecutive.
  llvm::DenseMap<const Operation *, std::pair<unsigned, unsigned>> runs;
  std::vector<Ops> before;                              ///< by op: ops that may run immediately before it
  std::vector<llvm::SmallDenseMap<unsigned, Touch>> of; ///< by op: the buffers that it accesses
  /// By buffer: all accesses cover the same part of the same slot, so each write replaces the whole contents.
  std::vector<bool> onePart;
  std::vector<llvm::BitVector> keptBefore, keptBehind; ///< by buffer, over ops
};

} // namespace

void Ranges::collect() {
  kernel.walk([&](BufferOp buffer) {
    bufferNumber[buffer] = result.buffers.size();
    result.buffers.push_back({buffer, {}, {}});
  });
  std::vector<std::optional<TileView>> part(result.buffers.size());
  onePart.assign(result.buffers.size(), true);
  kernel.walk([&](PipeOpInterface op) {
    numberOf[op] = result.ops.size();
    result.ops.push_back(op);
    auto &touches = of.emplace_back();
    for (const Access &access : accessesOf(op)) {
      std::optional<TileView> view = tileViewOf(access.memref());
      if (!view)
        continue;
      unsigned buffer = bufferNumber.lookup(view->buffer);
      Touch &touch = touches[buffer];
      touch.reads |= access.reads;
      touch.writes |= access.writes;
      std::optional<TileView> &known = part[buffer];
      bool whole = access.memref() == view->buffer.getMemref();
      if (!known)
        known = view;
      // A single element, a view of a view, or another part or slot: a write leaves the bytes beside it as they are.
      bool same = known->offset == view->offset && known->size == view->size && known->slot == view->slot &&
                  (whole || view->offset) && !isa<ScalarWriteOp>(op.getOperation());
      if (!same)
        onePart[buffer] = false;
    }
  });
  before.resize(result.ops.size());
}

/// Links the ops of a block to the ops that may run immediately before them. Returns those that may be the last of
/// the block.
Ranges::Ops Ranges::link(Block &block, const Ops &first) {
  Ops last = first;
  for (Operation &op : block) {
    if (auto number = numberOf.find(&op); number != numberOf.end()) {
      before[number->second].insert_range(last);
      last.clear();
      last.insert(number->second);
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      // The body is entered from before the loop and from its own end. The loop may run zero times.
      Ops round = link(*loop.getBody(), last);
      round.insert_range(last);
      last = link(*loop.getBody(), round);
      last.insert_range(round);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      Ops ends = link(*branch.thenBlock(), last);
      Ops other = branch.elseBlock() ? link(*branch.elseBlock(), last) : last;
      ends.insert_range(other);
      last = ends;
    }
  }
  return last;
}

/// The outermost loop around an op, or the op itself.
static Operation *runOf(Operation *op) {
  Operation *outermost = op;
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (isa<scf::ForOp>(parent))
      outermost = parent;
  return outermost;
}

/// Walks back from each read to the writes that may reach it. The walk does not go beyond the first write of the
/// buffer, or beyond the outermost loop around that write, since there is nothing to keep before it.
void Ranges::followReads(unsigned buffer) {
  unsigned first = of.size();
  for (unsigned op = 0; op < of.size() && first == of.size(); ++op)
    if (auto touch = of[op].find(buffer); touch != of[op].end() && touch->second.writes)
      first = op;
  // A loop comes back to any op in it.
  const Operation *around = first < of.size() ? runOf(result.ops[first]) : nullptr;
  const bool again = around && around != result.ops[first];
  if (again)
    first = runs.lookup(around).first;
  llvm::BitVector &kept = keptBefore[buffer];
  llvm::SmallVector<unsigned> open;
  for (unsigned op = 0; op < of.size(); ++op)
    if (auto touch = of[op].find(buffer); touch != of[op].end() && touch->second.reads) {
      kept.set(op);
      open.push_back(op);
    }
  while (!open.empty()) {
    unsigned op = open.pop_back_val();
    for (unsigned earlier : before[op]) {
      if (earlier < first)
        continue;
      keptBehind[buffer].set(earlier);
      auto touch = of[earlier].find(buffer);
      bool replaces = touch != of[earlier].end() && touch->second.writes && !touch->second.reads && onePart[buffer];
      bool begins = earlier == first && !again;
      if (!replaces && !begins && !kept.test(earlier)) {
        kept.set(earlier);
        open.push_back(earlier);
      }
    }
  }
}

/// Whether the result `written` of an op may begin at the address of `source`, which the op reads.
bool Ranges::worksInPlace(unsigned op, unsigned source, unsigned written) const {
  auto intrinsic = dyn_cast<VectorOpInterface>(result.ops[op]);
  IntrinsicForm form = intrinsic ? intrinsicInfo(intrinsic.getIntrinsic()).form : IntrinsicForm::Merge;
  if (!worksByLane(form) || hasByteScratch(form))
    return false;
  BufferOp from = result.buffers[source].buffer, to = result.buffers[written].buffer;
  if (from.getSlots() != to.getSlots() || (from.getSlots() > 1 && from.getSlotBytes() != to.getSlotBytes()))
    return false;
  std::optional<TileView> read, write;
  for (const Access &access : accessesOf(cast<PipeOpInterface>(result.ops[op]))) {
    std::optional<TileView> view = tileViewOf(access.memref());
    if (!view || (view->buffer != from && view->buffer != to))
      continue;
    std::optional<TileView> &known = view->buffer == from ? read : write;
    bool expected = view->buffer == from ? access.reads && !access.writes : access.writes;
    if (known || !expected)
      return false; // read and written, or scratch
    known = view;
  }
  auto width = [](BufferOp buffer) { return elementSize(*elementTypeOf(buffer.getType().getElementType())); };
  return read && write && width(from) == width(to) && read->offset == write->offset && read->size == write->size &&
         read->slot == write->slot;
}

// An op reads at its first time and writes at its second. A buffer that it reads lives at the second time too, unless
// each result of the op may begin at the same address.
void Ranges::addTimes(unsigned buffer) {
  std::vector<unsigned> &times = result.buffers[buffer].times;
  for (unsigned op = 0; op < of.size(); ++op) {
    auto touch = of[op].find(buffer);
    bool touched = touch != of[op].end();
    bool reads = touched && touch->second.reads, writes = touched && touch->second.writes;
    bool lives = keptBehind[buffer].test(op);
    if (keptBefore[buffer].test(op))
      times.push_back(2 * op);
    bool busy = lives || writes;
    if (reads && !busy)
      for (auto &[other, what] : of[op])
        busy |= other != buffer && what.writes && !worksInPlace(op, buffer, other);
    if (busy)
      times.push_back(2 * op + 1);
  }
}

void Ranges::addInPlace() {
  std::set<std::pair<unsigned, unsigned>> pairs;
  for (unsigned op = 0; op < of.size(); ++op)
    for (auto &[source, what] : of[op])
      for (auto &[written, how] : of[op])
        if (source != written && what.reads && !what.writes && how.writes && worksInPlace(op, source, written))
          pairs.insert({source, written});
  result.inPlace.assign(pairs.begin(), pairs.end());
}

KernelRanges Ranges::run() {
  collect();
  link(kernel.getBody().front(), {});
  for (auto [number, op] : llvm::enumerate(result.ops)) {
    auto [run, added] = runs.try_emplace(runOf(op), std::pair<unsigned, unsigned>(number, number));
    run->second.second = number;
  }
  size_t count = result.buffers.size();
  keptBefore.assign(count, llvm::BitVector(result.ops.size()));
  keptBehind = keptBefore;
  for (unsigned buffer = 0; buffer < count; ++buffer) {
    followReads(buffer);
    addTimes(buffer);
  }
  addInPlace();
  for (auto [buffer, range] : llvm::enumerate(result.buffers)) {
    std::set<unsigned> times(range.times.begin(), range.times.end());
    SmallVector<PipeOpInterface> users = usersOf(range.buffer);
    if (llvm::any_of(users, [](PipeOpInterface user) { return isDma(user.getPipe()); }))
      for (PipeOpInterface user : users) {
        auto [first, last] = runs.lookup(runOf(user));
        for (unsigned time = 2 * first; time <= 2 * last + 1; ++time)
          times.insert(time);
      }
    range.pipeTimes.assign(times.begin(), times.end());
  }
  return std::move(result);
}

KernelRanges liveRangesOf(func::FuncOp kernel) {
  return Ranges(kernel).run();
}

KernelRanges rangesIn(const KernelRanges &ranges, Space space) {
  KernelRanges part;
  part.ops = ranges.ops;
  llvm::DenseMap<unsigned, unsigned> numbers;
  for (auto [number, range] : llvm::enumerate(ranges.buffers))
    if (BufferOp(range.buffer).getSpace() == space) {
      numbers[number] = part.buffers.size();
      part.buffers.push_back(range);
    }
  for (auto [source, written] : ranges.inPlace)
    if (numbers.contains(source) && numbers.contains(written))
      part.inPlace.push_back({numbers.lookup(source), numbers.lookup(written)});
  return part;
}

PlanProblem problemOf(const KernelRanges &ranges, Sharing sharing, int64_t capacity, int64_t alignment) {
  PlanProblem problem;
  problem.capacity = capacity;
  problem.alignment = alignment;
  for (const LiveRange &range : ranges.buffers) {
    BufferOp buffer = range.buffer;
    PlanItem item{buffer.getName().str(), buffer.getBytes(), {}};
    if (sharing == Sharing::None)
      item.times = {0};
    else
      item.times = sharing == Sharing::Pipes ? range.pipeTimes : range.times;
    problem.items.push_back(std::move(item));
  }
  if (sharing != Sharing::None)
    problem.coincident = ranges.inPlace;
  return problem;
}

} // namespace opc::aicore

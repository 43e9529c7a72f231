// Vector clocks over lists of instructions (KernelList.h).
//
// The inserter's sets stand in front of their waits in the text, so one pass over a list in that order sees all.

#include "lowering/aicore/sync/RedundantSync.h"
#include "lowering/aicore/sync/InstructionList.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/BitVector.h"

#include <array>
#include <numeric>

using namespace mlir;

namespace opc::aicore {

namespace {

/// Bounds of loops past which lists are not worth their time.
constexpr size_t kMostBounds = 8;
/// Bounds up to which each takes each of its numbers with each of the others.
constexpr size_t kFewBounds = 3;
/// The longest period of slots and ids that is followed.
constexpr int64_t kMostPeriod = 12;

using Instruction = ListedInstruction;

/// Vector clocks over a list: clock[p][q] is how many instructions of q are complete before p starts its next one.
class Clocks {
public:
  Clocks(const Target &target, unsigned channels) : state(channels) {
    for (unsigned pipe = 0; pipe < kNumPipes; ++pipe)
      inOrder[pipe] = target.completesInOrder(opc::Pipe(pipe));
  }

  /// Whether the list is in order without the groups that are gone.
  bool holds(ArrayRef<Instruction> list, const llvm::BitVector &gone) {
    for (Clock &clock : clocks)
      clock.fill(0);
    for (Channel &channel : state)
      channel = Channel();
    for (const Instruction &instruction : list) {
      if (instruction.group >= 0 && gone.test(unsigned(instruction.group)))
        continue;
      if (!step(list, instruction))
        return false;
    }
    return true;
  }

private:
  using Clock = std::array<unsigned, kNumPipes>;
  struct Channel {
    bool pending = false, waited = false;
    Clock carried{};
    unsigned waitPipe = 0, waitPlace = 0;
  };

  bool step(ArrayRef<Instruction> list, const Instruction &now) {
    Clock &clock = clocks[now.pipe];
    switch (now.kind) {
    case Instruction::Work:
      for (unsigned earlier : now.after)
        if (clock[list[earlier].pipe] <= list[earlier].place)
          return false;
      break;
    case Instruction::Set: {
      Channel &channel = state[now.channel];
      if (channel.pending || (channel.waited && clock[channel.waitPipe] <= channel.waitPlace))
        return false;
      channel.pending = true;
      channel.carried = clock;
      channel.carried[now.pipe] = now.place;
      break;
    }
    case Instruction::Wait: {
      Channel &channel = state[now.channel];
      if (!channel.pending)
        return false;
      for (unsigned pipe = 0; pipe < kNumPipes; ++pipe)
        clock[pipe] = std::max(clock[pipe], channel.carried[pipe]);
      channel.pending = false;
      channel.waited = true;
      channel.waitPipe = now.pipe;
      channel.waitPlace = now.place;
      break;
    }
    case Instruction::Barrier:
      clock[now.pipe] = now.place;
      break;
    }
    if (inOrder[now.pipe])
      clock[now.pipe] = now.place + 1;
    return true;
  }

  std::array<bool, kNumPipes> inOrder{};
  std::array<Clock, kNumPipes> clocks{};
  std::vector<Channel> state;
};

/// The kernel's lists, made as they are asked for.
class KernelLists {
public:
  KernelLists(func::FuncOp kernel, const Target &target, ArrayRef<OpOrder> orders, const SyncNests &nests,
              const DenseMap<Operation *, int> &groupOf)
      : kernel(kernel), lister(kernel, target, orders, nests, groupOf),
        clocks(target, kNumPipes * kNumPipes * target.eventIds()) {}

  /// Chooses the numbers of trips; false when there are too many.
  bool choose();
  /// Whether all lists are in order without the groups that are gone. False for a list that cannot be made.
  bool hold(const llvm::BitVector &gone) {
    for (size_t i = 0; i < counts.size(); ++i) {
      if (lists.size() <= i && !make(i))
        return false;
      // What one candidate broke, others break too: that list is asked first next time.
      size_t place = order[i];
      if (!clocks.holds(lists[place], gone)) {
        std::rotate(order.begin(), order.begin() + long(i), order.begin() + long(i) + 1);
        return false;
      }
    }
    return true;
  }

private:
  bool make(size_t index) {
    auto list = lister.list(counts[index]);
    if (!list)
      return false;
    lists.push_back(std::move(*list));
    order.push_back(index);
    return true;
  }

  func::FuncOp kernel;
  KernelLister lister;
  Clocks clocks;
  std::vector<Trips> counts;
  std::vector<std::vector<Instruction>> lists;
  std::vector<size_t> order; ///< in which the lists are asked
};

} // namespace

// A loop alone runs from 0 to twice the period and one, as far as distances and ids reach. Two or three loops run as
// often as that, not at all, once and twice, in all combinations; of more each runs or does not, in all combinations,
// and each once and twice beside the others: what covers an order in one loop does not where that loop does not run.
// A constant bound has its own number, or one that is as good; a bound that changes while the kernel runs also takes
// the most and none in turn.
bool KernelLists::choose() {
  int64_t period = 1;
  SmallVector<Value> constants, bounds;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::APInt divisor;
    int64_t factor = 1;
    if (auto buffer = dyn_cast<BufferOp>(op))
      factor = buffer.getSlots();
    else if (isa<arith::RemSIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&divisor)))
      factor = divisor.getSExtValue();
    if (factor >= 1 && period <= kMostPeriod)
      period = factor > kMostPeriod ? kMostPeriod + 1 : std::lcm(period, factor);
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      SmallVector<Value> &kind = matchPattern(loop.getUpperBound(), m_Constant()) ? constants : bounds;
      if (!llvm::is_contained(kind, loop.getUpperBound()))
        kind.push_back(loop.getUpperBound());
    }
  });
  if (period > kMostPeriod || bounds.size() > kMostBounds)
    return false;
  const int64_t enough = 2 * period + 1;
  Trips most;
  for (Value bound : constants) {
    llvm::APInt number;
    matchPattern(bound, m_ConstantInt(&number));
    const int64_t trips = std::max<int64_t>(0, number.getSExtValue());
    most.counts[bound] = trips <= enough ? trips : enough + (trips - enough) % period;
  }
  for (Value bound : bounds)
    most.counts[bound] = enough;
  // The longest list comes first: most that is needed is needed there.
  auto add = [&](function_ref<int64_t(unsigned)> tripsOf) {
    counts.push_back(most);
    for (auto [index, bound] : llvm::enumerate(bounds))
      counts.back().counts[bound] = tripsOf(unsigned(index));
  };
  if (bounds.size() > 1 && bounds.size() <= kFewBounds) {
    const int64_t digits[] = {enough, 0, 1, 2};
    for (unsigned number = 0; number < 1u << (2 * bounds.size()); ++number)
      add([&](unsigned index) { return digits[(number >> (2 * index)) & 3]; });
  } else {
    for (unsigned none = 0; none < 1u << bounds.size(); ++none)
      add([&](unsigned index) { return (none >> index) & 1 ? 0 : enough; });
    for (int64_t trips = 1; trips < (bounds.size() == 1 ? enough : 3); ++trips) {
      for (unsigned one = 0; one < bounds.size(); ++one)
        add([&](unsigned index) { return index == one ? trips : enough; });
      if (bounds.size() > 1)
        add([&](unsigned) { return trips; });
    }
  }
  const bool changes = llvm::any_of(bounds, [&](Value bound) { return bound.getParentRegion() != &kernel.getBody(); });
  for (unsigned mixture = 1; changes && mixture <= 2; ++mixture) {
    counts.push_back(most);
    counts.back().mixture = mixture;
  }
  return true;
}

SmallVector<unsigned> needlessGroups(func::FuncOp kernel, const Target &target, ArrayRef<OpOrder> orders,
                                     const SyncNests &nests, ArrayRef<SyncGroup> groups) {
  DenseMap<Operation *, int> groupOf;
  llvm::SmallPtrSet<Block *, 4> regions;
  for (auto [index, group] : llvm::enumerate(groups))
    for (Operation *op : group.ops)
      groupOf[op] = int(index);
  kernel.walk([&](PipeOpInterface op) {
    if (!isa<SetFlagOp, WaitFlagOp, PipeBarrierOp>(op.getOperation()))
      regions.insert(op->getBlock());
  });
  if (regions.size() < 2)
    return {};
  KernelLists lists(kernel, target, orders, nests, groupOf);
  llvm::BitVector gone(groups.size());
  if (!lists.choose())
    return {};

  SmallVector<unsigned> candidates(groups.size());
  std::iota(candidates.begin(), candidates.end(), 0u);
  // What runs most often first; of one place flags before barriers.
  llvm::sort(candidates, [&](unsigned a, unsigned b) {
    return std::tuple(-int(groups[a].depth), groups[a].barrier, a) <
           std::tuple(-int(groups[b].depth), groups[b].barrier, b);
  });
  // A flag that held another one's wait and set apart can go after that.
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned candidate : candidates) {
      if (gone.test(candidate))
        continue;
      gone.set(candidate);
      if (lists.hold(gone))
        changed = true;
      else
        gone.reset(candidate);
    }
  }
  return SmallVector<unsigned>(gone.set_bits_begin(), gone.set_bits_end());
}

} // namespace opc::aicore

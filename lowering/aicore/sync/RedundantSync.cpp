// Vector clocks over instruction lists (InstructionList.h).
//
// Each set precedes its wait in program order, so a single pass over a list in that order suffices.

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

/// With more bounds of loops, lists are not worth their time.
constexpr size_t kMostBounds = 8;
/// Up to this number, trip counts of bounds are tried in all combinations.
constexpr size_t kFewBounds = 3;
/// The longest supported period of slots and ids.
constexpr int64_t kMostPeriod = 12;

using Instruction = ListedInstruction;

/// Vector clocks over a list: clock[p][q] is the number of instructions of q that are complete before p starts its
/// next one.
class Clocks {
public:
  Clocks(const Target &target, unsigned channels) : state(channels) {
    for (unsigned pipe = 0; pipe < kNumPipes; ++pipe)
      inOrder[pipe] = target.completesInOrder(opc::Pipe(pipe));
  }

  /// Whether all orders of the list hold without the groups in `gone`.
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

/// The instruction lists of a kernel, made on demand.
class KernelLists {
public:
  KernelLists(func::FuncOp kernel, const Target &target, ArrayRef<OpOrder> orders, const SyncNests &nests,
              const DenseMap<Operation *, int> &groupOf)
      : kernel(kernel), lister(kernel, target, orders, nests, groupOf),
        clocks(target, kNumPipes * kNumPipes * target.eventIds()) {}

  /// Chooses the trip counts; false when there are too many.
  bool choose();
  /// Whether all lists keep their orders without the groups in `gone`. False if a list cannot be made.
  bool hold(const llvm::BitVector &gone) {
    for (size_t i = 0; i < counts.size(); ++i) {
      if (lists.size() <= i && !make(i))
        return false;
      // A list that fails for one group often fails for others, so it is checked first next time.
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
  std::vector<size_t> order; ///< the order in which the lists are checked
};

} // namespace

/// The minimum trip count of a bound: the smallest value of a field, or its known lower bound.
static int64_t leastTrips(Value bound) {
  llvm::APInt number;
  if (auto field = bound.getDefiningOp<TilingDataOp>())
    return std::max<int64_t>(0, field.getMin().value_or(0));
  if (auto maximum = bound.getDefiningOp<arith::MaxSIOp>())
    if (matchPattern(maximum.getRhs(), m_ConstantInt(&number)) ||
        matchPattern(maximum.getLhs(), m_ConstantInt(&number)))
      return std::max<int64_t>(0, number.getSExtValue());
  return 0;
}

/// The maximum trip count of a bound, if it is a field that states one.
static int64_t mostTrips(Value bound) {
  auto field = bound.getDefiningOp<TilingDataOp>();
  return field && field.getMost() ? std::max<int64_t>(*field.getMost(), 0) : INT64_MAX;
}

// A single bound takes 0 to 2 * period + 1 trips; distances and ids reach no further. Two bounds take the largest of
// these and 0 to 5, three the largest and 0 to 2, in all combinations. With more bounds, each takes the largest or 0 in
// all combinations, and 1 and 2 while the others take the largest, and all take 1 and 2 together: synchronisation in a
// loop covers an order only if the loop runs. A constant bound takes its own number, or a smaller one that is equal
// modulo the period; a bound with a minimum takes no smaller number, one with a maximum no larger one. If a bound is
// computed in a loop, lists in which it alternates between the largest number and the smallest are added.
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
  for (Value bound : bounds) {
    most.counts[bound] = std::min(enough, mostTrips(bound));
    most.least[bound] = std::min(most.counts[bound], leastTrips(bound));
  }
  // The longest list comes first: it shows most of what is needed.
  auto add = [&](function_ref<int64_t(unsigned)> tripsOf) {
    counts.push_back(most);
    for (auto [index, bound] : llvm::enumerate(bounds))
      counts.back().counts[bound] = std::min(std::max(tripsOf(unsigned(index)), most.least[bound]), mostTrips(bound));
  };
  if (bounds.size() > 1 && bounds.size() <= kFewBounds) {
    SmallVector<int64_t> digits = {enough};
    for (int64_t trips = 0; trips < std::min<int64_t>(enough, bounds.size() == 2 ? 6 : 3); ++trips)
      digits.push_back(trips);
    SmallVector<unsigned> chosen(bounds.size());
    for (bool more = true; more;) {
      add([&](unsigned index) { return digits[chosen[index]]; });
      more = llvm::any_of(chosen, [&](unsigned &digit) {
        digit = digit + 1 < digits.size() ? digit + 1 : 0;
        return digit != 0;
      });
    }
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
  // The groups that run most often come first; at equal depth, flags come before barriers.
  llvm::sort(candidates, [&](unsigned a, unsigned b) {
    return std::tuple(-int(groups[a].depth), groups[a].barrier, a) <
           std::tuple(-int(groups[b].depth), groups[b].barrier, b);
  });
  // Removing a flag may make another one redundant whose wait and set it kept apart.
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

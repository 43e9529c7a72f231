// Unrolled lists of instructions, and vector clocks over them.
//
// The inserter's sets stand in front of their waits in the text, so one pass over a list in that
// order sees all. Of two ops that depend on each other, the later one's first instruction at the
// distance or behind it is what has to come after: its pipe starts the others later still.

#include "lowering/aicore/KernelOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <array>
#include <numeric>

using namespace mlir;

namespace opc::aicore {

namespace {

/// Instructions of a list, and bounds of loops, past which it is not worth its time.
constexpr size_t kMostInstructions = 1 << 14, kMostBounds = 8;
/// The longest period of slots and ids that is followed.
constexpr int64_t kMostPeriod = 12;

using Count = std::optional<int64_t>;

/// One instruction of a list.
struct Instruction {
  enum Kind { Work, Set, Wait, Barrier } kind = Work;
  unsigned pipe = 0;
  unsigned place = 0;   ///< on its pipe
  unsigned channel = 0; ///< of a flag
  int group = -1;       ///< of a flag or barrier
  /// Instructions that have to be complete before this one starts.
  SmallVector<unsigned, 2> after;
};

/// Where an instruction of an op stands: the run of a region, and the iteration in it.
struct Occurrence {
  unsigned instruction;
  SmallVector<std::pair<unsigned, int64_t>, 3>
      iterations; ///< of the regions around, outermost first
};

/// How often loops run, by bound.
struct Trips {
  DenseMap<Value, int64_t> counts;
  /// With 1 and 2 a bound that is computed in a loop is 0 every other time.
  unsigned mixture = 0;
};

/// Walks the kernel for given numbers of trips.
class Lister {
public:
  Lister(func::FuncOp kernel, const Target &target, const SyncNests &nests,
         const DenseMap<Operation *, int> &groupOf, const Trips &trips)
      : kernel(kernel), target(target), nests(nests), groupOf(groupOf), trips(trips) {}

  /// False when a number is not known.
  bool run(ArrayRef<OpOrder> orders) {
    enter(&kernel.getBody().front());
    block(kernel.getBody().front());
    leave();
    if (known)
      for (const OpOrder &order : orders)
        connect(order);
    return known && list.size() <= kMostInstructions;
  }
  std::vector<Instruction> list;

private:
  void block(Block &block);
  void loop(scf::ForOp loop);
  void issue(PipeOpInterface op);
  void connect(const OpOrder &order);
  Count evaluate(Operation *op) const;
  Count valueOf(Value value) const {
    auto entry = values.find(value);
    return entry == values.end() ? Count() : Count(entry->second);
  }
  void enter(Block *region) {
    depthOf[region] = around.size();
    around.push_back({runs++, 0});
  }
  void leave() { around.pop_back(); }

  func::FuncOp kernel;
  const Target &target;
  const SyncNests &nests;
  const DenseMap<Operation *, int> &groupOf;
  DenseMap<Value, int64_t> values;
  const Trips &trips;
  DenseMap<Value, unsigned> computed; ///< how often each bound was
  bool known = true;
  unsigned runs = 0;
  std::array<unsigned, kNumPipes> places{};
  SmallVector<std::pair<unsigned, int64_t>, 3> around;
  DenseMap<Block *, unsigned> depthOf;
  DenseMap<Operation *, std::vector<Occurrence>> occurrences;
};

} // namespace

Count Lister::evaluate(Operation *op) const {
  llvm::APInt constant;
  if (op->getNumResults() == 1 && matchPattern(op->getResult(0), m_ConstantInt(&constant)))
    return constant.getSignificantBits() <= 64 ? Count(constant.getSExtValue()) : Count();
  if (op->getNumOperands() != 2)
    return std::nullopt;
  Count lhs = valueOf(op->getOperand(0)), rhs = valueOf(op->getOperand(1));
  // Counters, trips and ids: anything larger is no number of these.
  auto small = [](Count value) { return value && *value >= INT32_MIN && *value <= INT32_MAX; };
  if (!small(lhs) || !small(rhs))
    return std::nullopt;
  int64_t a = *lhs, b = *rhs;
  return llvm::TypeSwitch<Operation *, Count>(op)
      .Case<arith::AddIOp>([&](Operation *) { return a + b; })
      .Case<arith::SubIOp>([&](Operation *) { return a - b; })
      .Case<arith::MulIOp>([&](Operation *) { return a * b; })
      .Case<arith::MinSIOp>([&](Operation *) { return std::min(a, b); })
      .Case<arith::MaxSIOp>([&](Operation *) { return std::max(a, b); })
      .Case<arith::RemSIOp>([&](Operation *) { return b > 0 && a >= 0 ? Count(a % b) : Count(); })
      .Case<arith::CmpIOp>([&](arith::CmpIOp compare) {
        return Count(arith::applyCmpPredicate(compare.getPredicate(), APInt(64, a, true),
                                              APInt(64, b, true)));
      })
      .Default([](Operation *) { return Count(); });
}

void Lister::loop(scf::ForOp loop) {
  // A constant that bounds a loop has other uses: it keeps its value there.
  Value bound = loop.getUpperBound();
  const int64_t count =
      matchPattern(bound, m_Constant()) ? trips.counts.lookup(bound) : values.lookup(bound);
  // A nest's region is the innermost body: it is entered with the outermost loop.
  Block *entered = nullptr;
  Block *innermost = loop.getBody();
  for (auto &[region, nest] : nests) {
    if (nest.front() == loop)
      entered = region;
    if (nest.back() == loop)
      innermost = region;
  }
  if (entered) {
    enter(entered);
    around.back().second = -1;
  }
  const bool counts = nests.contains(innermost) && nests.lookup(innermost).back() == loop;
  for (int64_t i = 0; i < count && known; ++i) {
    values[loop.getInductionVar()] = i;
    if (counts)
      ++around.back().second;
    block(*loop.getBody());
  }
  if (entered)
    leave();
}

void Lister::block(Block &block) {
  for (Operation &op : block) {
    if (!known || list.size() > kMostInstructions)
      return;
    if (auto inner = dyn_cast<scf::ForOp>(op)) {
      loop(inner);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      Count condition = valueOf(branch.getCondition());
      known &= condition.has_value();
      Region &taken = condition && *condition ? branch.getThenRegion() : branch.getElseRegion();
      if (known && !taken.empty()) {
        enter(&taken.front());
        this->block(taken.front());
        leave();
      }
    } else if (auto pipeOp = dyn_cast<PipeOpInterface>(op)) {
      issue(pipeOp);
    } else if (op.getNumResults() == 1 && trips.counts.contains(op.getResult(0)) &&
               !isa<arith::ConstantOp>(op)) {
      const unsigned before = computed[op.getResult(0)]++;
      const bool none =
          trips.mixture && &block != &kernel.getBody().front() && (before + trips.mixture) % 2 == 0;
      values[op.getResult(0)] = none ? 0 : trips.counts.lookup(op.getResult(0));
    } else if (op.getNumResults() == 1) {
      if (Count value = evaluate(&op))
        values[op.getResult(0)] = *value;
      else
        values.erase(op.getResult(0));
    }
  }
}

void Lister::issue(PipeOpInterface op) {
  Instruction next;
  next.pipe = static_cast<unsigned>(op.getPipe());
  next.place = places[next.pipe]++;
  if (auto group = groupOf.find(op); group != groupOf.end())
    next.group = group->second;
  auto flag = [&](Instruction::Kind kind, Pipe from, Pipe to, Value id) {
    Count number = valueOf(id);
    known &= number && *number >= 0 && *number < int64_t(target.eventIds());
    next.kind = kind;
    next.channel = (unsigned(from) * kNumPipes + unsigned(to)) * target.eventIds() +
                   unsigned(number.value_or(0));
  };
  if (auto set = dyn_cast<SetFlagOp>(op.getOperation()))
    flag(Instruction::Set, set.getFrom(), set.getTo(), set.getId());
  else if (auto wait = dyn_cast<WaitFlagOp>(op.getOperation()))
    flag(Instruction::Wait, wait.getFrom(), wait.getTo(), wait.getId());
  else if (isa<PipeBarrierOp>(op))
    next.kind = Instruction::Barrier;
  else
    occurrences[op].push_back({unsigned(list.size()), around});
  list.push_back(std::move(next));
}

void Lister::connect(const OpOrder &order) {
  auto depth = depthOf.find(order.region);
  auto before = occurrences.find(order.first), behind = occurrences.find(order.second);
  if (depth == depthOf.end() || before == occurrences.end() || behind == occurrences.end())
    return; // one of them never ran
  const std::vector<Occurrence> &firsts = before->second, &seconds = behind->second;
  auto keyOf = [&](const Occurrence &occurrence) { return occurrence.iterations[depth->second]; };
  for (const Occurrence &first : firsts) {
    auto [run, iteration] = keyOf(first);
    auto second = std::partition_point(
        seconds.begin(), seconds.end(), [&, run = run, iteration = iteration](const Occurrence &o) {
          return keyOf(o) < std::pair(run, iteration + int64_t(order.distance));
        });
    if (second != seconds.end() && keyOf(*second).first == run)
      list[second->instruction].after.push_back(first.instruction);
  }
}

namespace {

/// Vector clocks over a list: clock[p][q] is how many instructions of q are complete before p
/// starts its next one.
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
  KernelLists(func::FuncOp kernel, const Target &target, ArrayRef<OpOrder> orders,
              const SyncNests &nests, const DenseMap<Operation *, int> &groupOf)
      : kernel(kernel), target(target), orders(orders), nests(nests), groupOf(groupOf),
        clocks(target, kNumPipes * kNumPipes * target.eventIds()) {}

  /// Chooses the numbers of trips; false when there are too many.
  bool choose();
  /// Whether all lists are in order without the groups that are gone. False for a list that cannot
  /// be made.
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
    Lister lister(kernel, target, nests, groupOf, counts[index]);
    if (!lister.run(orders))
      return false;
    lists.push_back(std::move(lister.list));
    order.push_back(index);
    return true;
  }

  func::FuncOp kernel;
  const Target &target;
  ArrayRef<OpOrder> orders;
  const SyncNests &nests;
  const DenseMap<Operation *, int> &groupOf;
  Clocks clocks;
  std::vector<Trips> counts;
  std::vector<std::vector<Instruction>> lists;
  std::vector<size_t> order; ///< in which the lists are asked
};

} // namespace

// A loop alone runs from 0 to twice the period and one, as far as distances and ids reach. Of
// several loops each runs either as often as that or not at all, in all combinations, and each once
// and twice beside the others: what covers an order in one loop does not where that loop does not
// run. A constant bound has its own number, or one that is as good; a bound that changes while the
// kernel runs also takes the most and none in turn.
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
      SmallVector<Value> &kind =
          matchPattern(loop.getUpperBound(), m_Constant()) ? constants : bounds;
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
  for (unsigned none = 0; none < 1u << bounds.size(); ++none) {
    counts.push_back(most);
    for (auto [index, bound] : llvm::enumerate(bounds))
      if ((none >> index) & 1)
        counts.back().counts[bound] = 0;
  }
  for (int64_t trips = 1; trips < (bounds.size() == 1 ? enough : 3); ++trips) {
    for (Value bound : bounds) {
      counts.push_back(most);
      counts.back().counts[bound] = trips;
    }
    if (bounds.size() < 2)
      continue;
    counts.push_back(most);
    for (Value bound : bounds)
      counts.back().counts[bound] = trips;
  }
  const bool changes = llvm::any_of(
      bounds, [&](Value bound) { return bound.getParentRegion() != &kernel.getBody(); });
  for (unsigned mixture = 1; changes && mixture <= 2; ++mixture) {
    counts.push_back(most);
    counts.back().mixture = mixture;
  }
  return true;
}

SmallVector<unsigned> needlessGroups(func::FuncOp kernel, const Target &target,
                                     ArrayRef<OpOrder> orders, const SyncNests &nests,
                                     ArrayRef<SyncGroup> groups) {
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

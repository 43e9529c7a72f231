// An interpreter of the kernel's counters, and the orders of its regions between instructions.
//
// Of two ops that depend on each other, the later one's first instruction at the distance or behind
// it that meets the earlier one is what has to come after: its pipe starts the others later still.

#include "lowering/aicore/KernelList.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <array>

using namespace mlir;

namespace opc::aicore {

namespace {

/// Instructions of a list past which it is not worth its time.
constexpr size_t kMostInstructions = 1 << 14;

using Count = std::optional<int64_t>;
using Numbers = DenseMap<Value, int64_t>;
using Instruction = ListedInstruction;

/// Tiling data without a `max`: sizes and strides of tensors, past all that a list walks over.
constexpr int64_t kLarge = int64_t(1) << 24;

/// Bytes of UB or elements of a tensor, from `begin` to before `end`.
struct Span {
  Value tensor; ///< null in UB
  bool writes = false;
  int64_t begin = INT64_MIN, end = INT64_MAX; ///< anything
};

/// Where an instruction of an op stands: the run of a region, and the iteration in it.
struct Occurrence {
  unsigned instruction;
  SmallVector<Span, 4> spans;
  SmallVector<std::pair<unsigned, int64_t>, 3>
      iterations; ///< of the regions around, outermost first
};

Count numberOf(OpFoldResult value, const Numbers &numbers) {
  if (!value)
    return std::nullopt;
  if (Count constant = getConstantIntValue(value))
    return constant;
  auto entry = numbers.find(cast<Value>(value));
  return entry == numbers.end() ? Count() : Count(entry->second);
}

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
  static Count evaluate(Operation *op, const Numbers &numbers);
  Count valueOf(Value value) const { return numberOf(value, values); }
  void define(Value value, Count number, Count guess);
  Span spanOf(const Access &access) const;
  void enter(Block *region) {
    depthOf[region] = around.size();
    around.push_back({runs++, 0});
  }
  void leave() { around.pop_back(); }

  func::FuncOp kernel;
  const Target &target;
  const SyncNests &nests;
  const DenseMap<Operation *, int> &groupOf;
  Numbers values;  ///< what branches and ids follow from
  Numbers guesses; ///< those, and for addresses: tiling data without a `max`, which are large
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

Count Lister::evaluate(Operation *op, const Numbers &numbers) {
  llvm::APInt constant;
  if (op->getNumResults() == 1 && matchPattern(op->getResult(0), m_ConstantInt(&constant)))
    return constant.getSignificantBits() <= 64 ? Count(constant.getSExtValue()) : Count();
  if (op->getNumOperands() != 2)
    return std::nullopt;
  Count lhs = numberOf(op->getOperand(0), numbers), rhs = numberOf(op->getOperand(1), numbers);
  // Counters, trips, ids and places in tensors: anything larger is no number of these.
  auto small = [](Count value) {
    return value && *value >= -(int64_t(1) << 62) && *value <= int64_t(1) << 62;
  };
  if (!small(lhs) || !small(rhs))
    return std::nullopt;
  int64_t a = *lhs, b = *rhs, product;
  return llvm::TypeSwitch<Operation *, Count>(op)
      .Case<arith::AddIOp>([&](Operation *) { return a + b; })
      .Case<arith::SubIOp>([&](Operation *) { return a - b; })
      .Case<arith::MulIOp>(
          [&](Operation *) { return llvm::MulOverflow(a, b, product) ? Count() : Count(product); })
      .Case<arith::MinSIOp>([&](Operation *) { return std::min(a, b); })
      .Case<arith::MaxSIOp>([&](Operation *) { return std::max(a, b); })
      .Case<arith::RemSIOp>([&](Operation *) { return b > 0 && a >= 0 ? Count(a % b) : Count(); })
      .Case<arith::FloorDivSIOp>(
          [&](Operation *) { return b > 0 ? Count(llvm::divideFloorSigned(a, b)) : Count(); })
      .Case<arith::CeilDivSIOp>(
          [&](Operation *) { return b > 0 ? Count(llvm::divideCeilSigned(a, b)) : Count(); })
      .Case<arith::CmpIOp>([&](arith::CmpIOp compare) {
        return Count(arith::applyCmpPredicate(compare.getPredicate(), APInt(64, a, true),
                                              APInt(64, b, true)));
      })
      .Default([](Operation *) { return Count(); });
}

void Lister::define(Value value, Count number, Count guess) {
  auto set = [value](Numbers &numbers, Count known) {
    if (known)
      numbers[value] = *known;
    else
      numbers.erase(value);
  };
  set(values, number);
  set(guesses, guess);
}

/// Whole slots, as everywhere; of a tensor what a flat view has, and all of it for rows: how far
/// apart those lie is the launch's to say.
Span Lister::spanOf(const Access &access) const {
  Span span;
  span.writes = access.writes;
  Value memref = access.memref();
  if (std::optional<TileView> view = tileViewOf(memref)) {
    const int64_t begin = *view->buffer.getAddress();
    span.begin = begin;
    span.end = begin + view->buffer.getBytes();
    Count slot = numberOf(view->slot, guesses);
    if (!slot || *slot < 0 || *slot >= view->buffer.getSlots())
      return span;
    span.begin = begin + *slot * view->buffer.getSlotBytes();
    span.end = span.begin + view->buffer.getSlotBytes();
    return span;
  }
  span.tensor = tensorViewOf(memref)->tensor;
  Count offset, size;
  if (auto part = memref.getDefiningOp<memref::SubViewOp>();
      part && isa<BlockArgument>(part.getSource())) {
    offset = numberOf(part.getMixedOffsets().front(), guesses);
    size = numberOf(part.getMixedSizes().front(), guesses);
  }
  int64_t end;
  if (offset && size && *size > 0 && !llvm::AddOverflow(*offset, *size, end)) {
    span.begin = *offset;
    span.end = end;
  }
  return span;
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
    define(loop.getInductionVar(), i, i);
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
      const int64_t count = none ? 0 : trips.counts.lookup(op.getResult(0));
      define(op.getResult(0), count, count);
    } else if (auto data = dyn_cast<TilingDataOp>(op)) {
      // One with a `max` may also be small: what is computed from it is not known.
      define(data, std::nullopt,
             data.getMax() ? Count() : std::max(kLarge, int64_t(data.getMin().value_or(0))));
    } else if (isa<BlockIdxOp>(op)) {
      define(op.getResult(0), std::nullopt, 0);
    } else if (op.getNumResults() == 1) {
      define(op.getResult(0), evaluate(&op, values), evaluate(&op, guesses));
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
  else {
    Occurrence &occurrence = occurrences[op].emplace_back();
    occurrence.instruction = unsigned(list.size());
    occurrence.iterations = around;
    for (const Access &access : accessesOf(op))
      occurrence.spans.push_back(spanOf(access));
  }
  list.push_back(std::move(next));
}

/// Whether two instructions touch something in common. Places in a tensor are told apart for the
/// instructions of one op alone: those of two ops may meet for numbers of trips that no list has.
static bool meet(const Occurrence &first, const Occurrence &second, bool oneOp) {
  for (const Span &a : first.spans)
    for (const Span &b : second.spans)
      if ((a.writes || b.writes) && a.tensor == b.tensor &&
          ((a.tensor && !oneOp) || (a.begin < b.end && b.begin < a.end)))
        return true;
  return false;
}

// A region sees all slots of a tile that its counter alone does not choose: here each instruction
// has its own.
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
    while (second != seconds.end() && keyOf(*second).first == run &&
           !meet(first, *second, order.first == order.second))
      ++second;
    if (second != seconds.end() && keyOf(*second).first == run)
      list[second->instruction].after.push_back(first.instruction);
  }
}

std::optional<std::vector<ListedInstruction>>
listKernel(func::FuncOp kernel, const Target &target, ArrayRef<OpOrder> orders,
           const SyncNests &nests, const DenseMap<Operation *, int> &groupOf, const Trips &trips) {
  Lister lister(kernel, target, nests, groupOf, trips);
  if (!lister.run(orders))
    return std::nullopt;
  return std::move(lister.list);
}

} // namespace opc::aicore

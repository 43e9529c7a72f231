// An interpreter of the kernel's counters, which turns the dependences of its regions into orders between instructions.
//
// For each instruction of the first op of a dependence, in iteration i, the lister takes the earliest instruction of
// the second op that is in iteration i + distance or later and touches common bytes. That one must come after the
// first. Later instructions of the second op need no entry, since their pipe starts them later.

#include "lowering/aicore/sync/InstructionList.h"

#include "dialect/aicore/index/Evaluate.h"
#include "dialect/aicore/index/IndexBuilder.h"

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

/// Longer lists are not worth their time.
constexpr size_t kMostInstructions = 1 << 14;

using Count = std::optional<int64_t>;
using Instruction = ListedInstruction;

/// The guess for tiling data without a `max`: sizes and strides of tensors, beyond any offset that a list reaches.
constexpr int64_t kLarge = int64_t(1) << 24;

/// The half-open range [begin, end) of bytes of UB or of elements of a tensor.
struct Span {
  Value tensor; ///< null in UB
  bool writes = false;
  int64_t begin = INT64_MIN, end = INT64_MAX; ///< the whole range
};

/// The range of an access, in terms of values of the kernel: `size` elements of a slot of a buffer, or of a tensor,
/// from `offset` on.
struct SpanView {
  Span all; ///< if nothing else is known
  OpFoldResult slot;
  int64_t slots = 0, slotBytes = 0, elementBytes = 0;
  OpFoldResult offset, size;
};

/// One execution of an op: its instruction, and the run and the iteration of each region around it.
struct Occurrence {
  unsigned instruction;
  SmallVector<Span, 4> spans;
  SmallVector<std::pair<unsigned, int64_t>, 3> iterations; ///< (run, iteration) of the regions around, outermost first
};

/// A value: the number that branches and ids depend on, and a guess for addresses, in which tiling data without a
/// `max` are large.
struct Known {
  Count number, guess;
};

/// A loop's part in nests: the regions that are entered together with the loop (several nests may start with it), and
/// whether its iterations are the iterations of its body's region.
struct LoopView {
  SmallVector<Block *, 1> entered;
  bool counts = false;
};

} // namespace

/// The data that all lists of a kernel share.
struct ListedKernel {
  ListedKernel(Block &body, const Target &target, ArrayRef<OpOrder> orders, const DenseMap<Operation *, int> &groupOf)
      : body(body), target(target), orders(orders), groupOf(groupOf) {}

  Block &body;
  const Target &target;
  ArrayRef<OpOrder> orders;
  const DenseMap<Operation *, int> &groupOf;
  DenseMap<Operation *, SmallVector<SpanView, 4>> spansOf;
  DenseMap<Operation *, LoopView> loops;
};

namespace {

/// Executes the kernel for given trip counts.
class Lister {
public:
  Lister(const ListedKernel &kernel, const Trips &trips) : kernel(kernel), trips(trips) {}

  /// False when a number is unknown or the list is too long.
  bool run() {
    enter(&kernel.body);
    block(kernel.body);
    leave();
    if (known)
      for (const OpOrder &order : kernel.orders)
        connect(order);
    return known && list.size() <= kMostInstructions;
  }
  std::vector<Instruction> list;

private:
  void block(Block &block);
  Known knownOf(Operation *op);
  void loop(scf::ForOp loop);
  void issue(PipeOpInterface op);
  void connect(const OpOrder &order);
  Count valueOf(Value value) const { return values.lookup(value).number; }
  Count numberOf(OpFoldResult value) const;
  Count guessOf(OpFoldResult value) const;
  Span spanOf(const SpanView &view) const;
  void enter(Block *region) {
    depthOf[region] = around.size();
    around.push_back({runs++, 0});
  }
  void leave() { around.pop_back(); }

  const ListedKernel &kernel;
  const Trips &trips;
  DenseMap<Value, Known> values;
  DenseMap<Value, unsigned> computed; ///< how often each bound was computed
  bool known = true;
  unsigned runs = 0;
  std::array<unsigned, kNumPipes> places{};
  SmallVector<std::pair<unsigned, int64_t>, 3> around;
  DenseMap<Block *, unsigned> depthOf;
  DenseMap<Operation *, std::vector<Occurrence>> occurrences;
};

} // namespace

Count Lister::numberOf(OpFoldResult value) const {
  if (!value)
    return std::nullopt;
  if (auto attribute = dyn_cast<Attribute>(value))
    return cast<IntegerAttr>(attribute).getInt();
  return valueOf(cast<Value>(value));
}

Count Lister::guessOf(OpFoldResult value) const {
  if (!value)
    return std::nullopt;
  if (auto attribute = dyn_cast<Attribute>(value))
    return cast<IntegerAttr>(attribute).getInt();
  return values.lookup(cast<Value>(value)).guess;
}

/// In a buffer an access touches a part of a slot whose offset and size follow from counters and constants alone, or
/// else the whole slot. In a tensor it touches the range of a flat view; a view of rows touches the whole tensor,
/// because the distance between rows is known only at launch.
static SpanView spanViewOf(const Access &access) {
  SpanView view;
  view.all.writes = access.writes;
  Value memref = access.memref();
  if (std::optional<TileView> tile = tileViewOf(memref)) {
    view.all.begin = tile->buffer.getWindowAddress();
    view.all.end = view.all.begin + tile->buffer.getBytes();
    view.slot = tile->slot;
    view.slots = tile->buffer.getSlots();
    view.slotBytes = tile->buffer.getSlotBytes();
    view.elementBytes = view.slotBytes / tile->buffer.getCapacity();
    view.offset = tile->offset;
    view.size = tile->size;
    return view;
  }
  const TensorView tensor = *tensorViewOf(memref);
  view.all.tensor = tensor.tensor;
  view.offset = tensor.offset;
  view.size = tensor.size;
  return view;
}

Span Lister::spanOf(const SpanView &view) const {
  Span span = view.all;
  if (!span.tensor) {
    const Count slot = view.slot ? guessOf(view.slot) : Count(0);
    if (!slot || *slot < 0 || *slot >= view.slots)
      return span;
    span.begin += *slot * view.slotBytes;
    span.end = span.begin + view.slotBytes;
    const Count offset = numberOf(view.offset), size = numberOf(view.size);
    const int64_t capacity = view.slotBytes / view.elementBytes;
    if (offset && size && *offset >= 0 && *size >= 0 && *offset <= capacity && *size <= capacity - *offset) {
      span.begin += *offset * view.elementBytes;
      span.end = span.begin + *size * view.elementBytes;
    }
    return span;
  }
  Count offset = guessOf(view.offset), size = guessOf(view.size);
  int64_t end;
  if (offset && size && *size > 0 && !llvm::AddOverflow(*offset, *size, end)) {
    span.begin = *offset;
    span.end = end;
  }
  return span;
}

void Lister::loop(scf::ForOp loop) {
  // A constant bound may have other uses, where it keeps its value; so its trip count is not in `values`.
  Value bound = loop.getUpperBound();
  const int64_t count = matchPattern(bound, m_Constant()) ? trips.counts.lookup(bound) : valueOf(bound).value_or(0);
  const LoopView &view = kernel.loops.find(loop)->second;
  for (Block *region : view.entered) {
    enter(region);
    around.back().second = -1;
  }
  for (int64_t i = 0; i < count && known; ++i) {
    values[loop.getInductionVar()] = {i, i};
    if (view.counts)
      ++around[depthOf.lookup(loop.getBody())].second;
    block(*loop.getBody());
  }
  for (size_t region = 0; region < view.entered.size(); ++region)
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
    } else if (op.getNumResults() == 1 && op.getResult(0).getType().isIntOrIndex()) {
      values[op.getResult(0)] = knownOf(&op);
    }
  }
}

/// The result of an op of index arithmetic.
Known Lister::knownOf(Operation *op) {
  Value result = op->getResult(0);
  if (isa<arith::ConstantOp>(op))
    return {knownNumber(result), knownNumber(result)};
  if (auto trip = trips.counts.find(result); trip != trips.counts.end()) {
    const unsigned before = computed[result]++;
    const bool few = trips.mixture && op->getBlock() != &kernel.body && (before + trips.mixture) % 2 == 0;
    const int64_t count = few ? trips.least.lookup(result) : trip->second;
    return {count, count};
  }
  // A field with a `max` may also be small, so there is no guess for it.
  if (auto data = dyn_cast<TilingDataOp>(op))
    return {std::nullopt, data.getMost() ? Count() : std::max(kLarge, data.getLeast())};
  if (isa<BlockIdxOp>(op))
    return {std::nullopt, 0};
  if (op->getNumOperands() != 2)
    return {};
  const Known lhs = values.lookup(op->getOperand(0)), rhs = values.lookup(op->getOperand(1));
  Known known = {evaluateOp(op, lhs.number, rhs.number), std::nullopt};
  // A known number is its own guess.
  known.guess = known.number ? known.number : evaluateOp(op, lhs.guess, rhs.guess);
  return known;
}

void Lister::issue(PipeOpInterface op) {
  Instruction next;
  next.pipe = static_cast<unsigned>(op.getPipe());
  next.place = places[next.pipe]++;
  if (auto group = kernel.groupOf.find(op); group != kernel.groupOf.end())
    next.group = group->second;
  auto flag = [&](Instruction::Kind kind, Pipe from, Pipe to, Value id) {
    Count number = valueOf(id);
    known &= number && *number >= 0 && *number < int64_t(kernel.target.eventIds());
    next.kind = kind;
    next.channel =
        (unsigned(from) * kNumPipes + unsigned(to)) * kernel.target.eventIds() + unsigned(number.value_or(0));
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
    for (const SpanView &view : kernel.spansOf.find(op)->second)
      occurrence.spans.push_back(spanOf(view));
  }
  list.push_back(std::move(next));
}

/// Whether two instructions touch common bytes. Ranges of a tensor are compared only for instructions of one op:
/// those of two ops may meet for trip counts that no list has.
static bool meet(const Occurrence &first, const Occurrence &second, bool oneOp) {
  for (const Span &a : first.spans)
    for (const Span &b : second.spans)
      if ((a.writes || b.writes) && a.tensor == b.tensor &&
          ((a.tensor && !oneOp) || (a.begin < b.end && b.begin < a.end)))
        return true;
  return false;
}

// A region treats a slot that its own counter does not choose as all slots; here each instruction has its own slot.
void Lister::connect(const OpOrder &order) {
  auto depth = depthOf.find(order.region);
  auto before = occurrences.find(order.first), behind = occurrences.find(order.second);
  if (depth == depthOf.end() || before == occurrences.end() || behind == occurrences.end())
    return; // one of them never ran
  const std::vector<Occurrence> &firsts = before->second, &seconds = behind->second;
  auto keyOf = [&](const Occurrence &occurrence) { return occurrence.iterations[depth->second]; };
  for (const Occurrence &first : firsts) {
    auto [run, iteration] = keyOf(first);
    auto second = std::partition_point(seconds.begin(), seconds.end(),
                                       [&, run = run, iteration = iteration](const Occurrence &o) {
                                         return keyOf(o) < std::pair(run, iteration + int64_t(order.distance));
                                       });
    while (second != seconds.end() && keyOf(*second).first == run && !meet(first, *second, order.first == order.second))
      ++second;
    if (second != seconds.end() && keyOf(*second).first == run)
      list[second->instruction].after.push_back(first.instruction);
  }
}

KernelLister::KernelLister(func::FuncOp function, const Target &target, ArrayRef<OpOrder> orders,
                           const SyncNests &nests, const DenseMap<Operation *, int> &groupOf) {
  auto made = std::make_unique<ListedKernel>(function.getBody().front(), target, orders, groupOf);
  function.walk([&](PipeOpInterface op) {
    SmallVector<SpanView, 4> &spans = made->spansOf[op];
    for (const Access &access : accessesOf(op))
      spans.push_back(spanViewOf(access));
  });
  function.walk([&](scf::ForOp loop) { made->loops[loop]; });
  // A nest's region is its innermost body, but it is entered with the outermost loop.
  for (const auto &[region, nest] : nests) {
    made->loops[nest.front()].entered.push_back(region);
    made->loops[nest.back()].counts = true;
  }
  kernel = std::move(made);
}

KernelLister::~KernelLister() = default;

std::optional<std::vector<ListedInstruction>> KernelLister::list(const Trips &trips) const {
  Lister lister(*kernel, trips);
  if (!lister.run())
    return std::nullopt;
  return std::move(lister.list);
}

} // namespace opc::aicore

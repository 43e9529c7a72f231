// An interpreter of the kernel's counters, which turns the dependences of its regions into orders between instructions.
//
// For each instruction of the first op of a dependence, in iteration i, the lister takes the earliest instruction of
// the second op that is in iteration i + distance or later and touches common bytes. That one must come after the
// first. Later instructions of the second op need no entry, since their pipe starts them later.

#include "lowering/aicore/sync/InstructionList.h"
#include "lowering/aicore/sync/ListedKernel.h"

#include "llvm/Support/MathExtras.h"

#include <array>

using namespace mlir;

namespace opc::aicore {

namespace {

/// Longer lists are not worth their time.
constexpr size_t kMostInstructions = 1 << 14;

using Count = std::optional<int64_t>;

/// One execution of an op: its instruction, and the run and the iteration of each region around it.
struct Occurrence {
  unsigned instruction;
  SmallVector<ListedSpan, 4> spans;
  SmallVector<std::pair<unsigned, int64_t>, 6> iterations; ///< (run, iteration) of the regions around, outermost first
};

/// Executes the kernel for given trip counts.
class Lister {
public:
  Lister(const ListedKernel &kernel, const Trips &trips)
      : kernel(kernel), trips(trips), values(kernel.numValues()), computed(kernel.numValues()),
        occurrences(kernel.workOf.size()) {}

  /// False when a number is unknown or the list is too long.
  bool run() {
    enter(&kernel.body);
    block(kernel.blocks.front());
    leave();
    if (known)
      for (const OpOrder &order : kernel.orders)
        connect(order);
    return known && list.size() <= kMostInstructions;
  }
  std::vector<ListedInstruction> list;

private:
  void block(const std::vector<ListedStep> &steps);
  ListedNumber boundOf(const ListedStep &step);
  ListedNumber computedOf(const ListedStep &step) const;
  void loop(const ListedStep &step);
  void issue(const ListedStep &step);
  void connect(const OpOrder &order);
  ListedNumber valueOf(const ListedOperand &operand) const {
    return operand.place == ListedOperand::kNumber    ? ListedNumber::of(operand.number)
           : operand.place == ListedOperand::kNothing ? ListedNumber()
                                                      : values[operand.place];
  }
  ListedRange rangeOf(const ListedView &view, Count ListedNumber::*which) const;
  ListedSpan spanOf(const ListedView &view) const;
  void enter(Block *region) {
    depthOf[region] = around.size();
    around.push_back({runs++, 0});
  }
  void leave() { around.pop_back(); }

  const ListedKernel &kernel;
  const Trips &trips;
  std::vector<ListedNumber> values;
  std::vector<unsigned> computed; ///< how often each bound was computed
  bool known = true;
  unsigned runs = 0;
  std::array<unsigned, kNumPipes> places{};
  SmallVector<std::pair<unsigned, int64_t>, 6> around;
  DenseMap<Block *, unsigned> depthOf;
  std::vector<std::vector<Occurrence>> occurrences; ///< by ListedStep::work
};

} // namespace

/// The elements of a tensor that a flat view has; all if the numbers are unknown.
ListedRange Lister::rangeOf(const ListedView &view, Count ListedNumber::*which) const {
  const Count offset = valueOf(view.offset).*which, size = valueOf(view.size).*which;
  int64_t end;
  if (offset && size && *size > 0 && !llvm::AddOverflow(*offset, *size, end))
    return {*offset, end};
  return {};
}

ListedSpan Lister::spanOf(const ListedView &view) const {
  ListedSpan span = view.all;
  if (span.tensor) {
    span.most = rangeOf(view, &ListedNumber::most);
    span.least = rangeOf(view, &ListedNumber::least);
    return span;
  }
  const Count slot = valueOf(view.slot).guess;
  if (!slot || *slot < 0 || *slot >= view.slots)
    return span;
  ListedRange &bytes = span.most;
  bytes.begin += *slot * view.slotBytes;
  bytes.end = bytes.begin + view.slotBytes;
  span.reach = bytes;
  const Count offset = valueOf(view.offset).number, size = valueOf(view.size).number;
  const int64_t capacity = view.slotBytes / view.elementBytes;
  if (offset && size && *offset >= 0 && *size >= 0 && *offset <= capacity && *size <= capacity - *offset) {
    bytes.begin += *offset * view.elementBytes;
    bytes.end = bytes.begin + *size * view.elementBytes;
  }
  span.least = bytes;
  if (view.offset.place == ListedOperand::kNumber && view.size.place == ListedOperand::kNumber)
    span.reach = bytes;
  return span;
}

void Lister::loop(const ListedStep &step) {
  // A constant bound may have other uses, where it keeps its value; so its trip count is not in `values`.
  const int64_t count = step.bound ? trips.counts.lookup(step.bound) : valueOf(step.lhs).number.value_or(0);
  for (Block *region : step.entered) {
    enter(region);
    around.back().second = -1;
  }
  for (int64_t i = 0; i < count && known; ++i) {
    values[step.result] = ListedNumber::of(i);
    if (step.counts)
      ++around[depthOf.lookup(step.region)].second;
    block(kernel.blocks[step.inner]);
  }
  for (size_t region = 0; region < step.entered.size(); ++region)
    leave();
}

void Lister::block(const std::vector<ListedStep> &steps) {
  for (const ListedStep &step : steps) {
    if (!known || list.size() > kMostInstructions)
      return;
    switch (step.kind) {
    case ListedStep::Loop:
      loop(step);
      break;
    case ListedStep::Branch: {
      const Count condition = valueOf(step.lhs).number;
      known &= condition.has_value();
      Block *taken = condition && *condition ? step.region : step.otherRegion;
      if (known && taken) {
        enter(taken);
        block(kernel.blocks[*condition ? step.inner : step.other]);
        leave();
      }
      break;
    }
    case ListedStep::Issue:
      issue(step);
      break;
    case ListedStep::Given:
      values[step.result] = step.given;
      break;
    case ListedStep::Bound:
      values[step.result] = boundOf(step);
      break;
    case ListedStep::Computed:
      values[step.result] = computedOf(step);
      break;
    }
  }
}

ListedNumber Lister::boundOf(const ListedStep &step) {
  const unsigned before = computed[step.result]++;
  const bool few = trips.mixture && step.isRepeated && (before + trips.mixture) % 2 == 0;
  return ListedNumber::of(few ? trips.least.lookup(step.bound) : trips.counts.lookup(step.bound));
}

ListedNumber Lister::computedOf(const ListedStep &step) const {
  const ListedNumber lhs = valueOf(step.lhs), rhs = valueOf(step.rhs);
  // A known number is its own guess.
  if (const Count number = step.op.evaluate(lhs.number, rhs.number))
    return ListedNumber::of(number);
  return {std::nullopt, step.op.evaluate(lhs.guess, rhs.guess), step.op.evaluate(lhs.most, rhs.most),
          step.op.evaluate(lhs.least, rhs.least)};
}

void Lister::issue(const ListedStep &step) {
  ListedInstruction next = step.instruction;
  next.place = places[next.pipe]++;
  if (next.kind == ListedInstruction::Set || next.kind == ListedInstruction::Wait) {
    const Count number = valueOf(step.lhs).number;
    known &= number && *number >= 0 && *number < int64_t(kernel.target.eventIds());
    next.channel += unsigned(number.value_or(0));
  } else if (next.kind == ListedInstruction::Work) {
    Occurrence &occurrence = occurrences[step.work].emplace_back();
    occurrence.instruction = unsigned(list.size());
    occurrence.iterations = around;
    for (const ListedView &view : step.spans)
      occurrence.spans.push_back(spanOf(view));
  }
  list.push_back(std::move(next));
}

/// Whether two instructions touch common bytes. Ranges of a tensor are compared only for instructions of one op:
/// those of two ops may meet for trip counts that no list has.
static bool meet(const Occurrence &first, const Occurrence &second, bool oneOp) {
  for (const ListedSpan &a : first.spans)
    for (const ListedSpan &b : second.spans)
      if ((a.writes || b.writes) && a.tensor == b.tensor && ((a.tensor && !oneOp) || a.meets(b)))
        return true;
  return false;
}

// A region treats a slot that its own counter does not choose as all slots; here each instruction has its own slot.
void Lister::connect(const OpOrder &order) {
  auto depth = depthOf.find(order.region);
  auto before = kernel.workOf.find(order.first), behind = kernel.workOf.find(order.second);
  if (depth == depthOf.end() || before == kernel.workOf.end() || behind == kernel.workOf.end())
    return; // the region never ran, or one of them is no work
  const std::vector<Occurrence> &firsts = occurrences[before->second], &seconds = occurrences[behind->second];
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
                           const SyncNests &nests, const DenseMap<Operation *, int> &groupOf)
    : kernel(std::make_unique<const ListedKernel>(function, target, orders, nests, groupOf)) {
}

KernelLister::~KernelLister() = default;

std::optional<std::vector<ListedInstruction>> KernelLister::list(const Trips &trips) const {
  Lister lister(*kernel, trips);
  if (!lister.run())
    return std::nullopt;
  return std::move(lister.list);
}

} // namespace opc::aicore

// Dependences by address: which bytes each node touches in which iteration, and the smallest distance at which two
// nodes touch common bytes.
//
// Addresses are the planned ones. Slots follow from the loop counter: slot expressions are evaluated for each counter
// value of one period, the least common multiple of all slot counts. A counter that continues through loops around
// the nest is the counter of the nest plus a shift. The first slot is then unknown, but buffers with the same shift
// take their slots in step. Any other slot that is not a function of the counter counts as all slots. A short last tile
// counts as a whole tile. Within a slot, rows are distinct if the view has offset row counter * L and a length of at
// most L; otherwise an access touches the whole slot.
//
// GM: two tensors never share bytes (the launch guarantees it). Tiles of one tensor in different iterations are
// disjoint if offset and length have one of the forms
//
//   offset = base + counter * L                       length = min(..., L)
//   offset = base + (first + row) * L + part * P      length = min(L - part * P, P, ...)
//
// where the second requires a loop over the parts of a row inside a loop over rows. All other tiles of a tensor are
// assumed to overlap.

#include "lowering/aicore/sync/SyncProblem.h"

#include "dialect/aicore/index/Evaluate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

#include <map>
#include <numeric>

using namespace mlir;

namespace opc::aicore {

SmallVector<scf::ForOp> syncNestOf(scf::ForOp loop) {
  SmallVector<scf::ForOp> nest = {loop};
  while (true) {
    SmallVector<Operation *> working;
    for (Operation &op : *nest.back().getBody())
      if (isa<PipeOpInterface>(op) || op.walk([](PipeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted())
        working.push_back(&op);
    auto inner = working.size() == 1 ? dyn_cast<scf::ForOp>(working.front()) : scf::ForOp();
    if (!inner || !loop.isDefinedOutsideOfLoop(inner.getUpperBound()))
      return nest;
    nest.push_back(inner);
  }
}

//===----------------------------------------------------------------------===//
// Iterations
//===----------------------------------------------------------------------===//

/// The longest period that is evaluated. With two or three slots the period is 2, 3 or 6.
static constexpr int64_t kMaxPeriod = 64;
/// Slot expressions are a few ops deep. The limit bounds the time that shared operands could cost.
static constexpr unsigned kSlotDepth = 8;

namespace {

/// Evaluates slots for given values of a nest's counter.
class Counter {
public:
  explicit Counter(ArrayRef<scf::ForOp> nest) : nest(nest) {}

  /// Whether the value is the running counter of the nest: iv, or outer counter * trip count + iv.
  bool is(Value value) const { return isCounterOf(nest, value); }

  bool isInvariant(Value value) const { return nest.empty() || scf::ForOp(nest.front()).isDefinedOutsideOfLoop(value); }

  /// Whether a value is invariant in the nest, even if it is computed inside.
  bool staysSame(Value value, unsigned depth = 0) const {
    if (isInvariant(value))
      return true;
    Operation *op = value.getDefiningOp();
    return depth < 4 && isa_and_nonnull<arith::AddIOp, arith::MulIOp>(op) && staysSame(op->getOperand(0), depth + 1) &&
           staysSame(op->getOperand(1), depth + 1);
  }

  /// A nest of two loops: over rows, and over the parts of each row.
  struct Rows {
    Value row;
    scf::ForOp parts;
  };
  std::optional<Rows> rows() const {
    if (nest.size() != 2)
      return std::nullopt;
    return Rows{scf::ForOp(nest.front()).getInductionVar(), nest.back()};
  }

  /// Whether a value is `row`, or `row` plus an invariant value.
  bool isShifted(Value value, Value row) const {
    auto sum = value.getDefiningOp<arith::AddIOp>();
    return value == row || (sum && ((sum.getLhs() == row && staysSame(sum.getRhs())) ||
                                    (sum.getRhs() == row && staysSame(sum.getLhs()))));
  }

  /// (shift + counter) mod slots, with an invariant shift.
  struct Turn {
    Value shift;
    int64_t slots;
  };
  std::optional<Turn> turnOf(OpFoldResult expression) const {
    auto value = dyn_cast<Value>(expression);
    auto remainder = value ? value.getDefiningOp<arith::RemSIOp>() : arith::RemSIOp();
    auto sum = remainder ? remainder.getLhs().getDefiningOp<arith::AddIOp>() : arith::AddIOp();
    std::optional<int64_t> slots = remainder ? getConstantIntValue(OpFoldResult(remainder.getRhs())) : std::nullopt;
    if (!sum || !slots || *slots < 1 || !is(sum.getRhs()) || !staysSame(sum.getLhs()))
      return std::nullopt;
    return Turn{sum.getLhs(), *slots};
  }

  std::optional<int64_t> evaluate(OpFoldResult expression, int64_t iteration) const {
    if (std::optional<int64_t> constant = getConstantIntValue(expression))
      return constant;
    auto known = [&](Value value) { return is(value) ? std::optional(iteration) : std::nullopt; };
    return opc::evaluate(cast<Value>(expression), known, kSlotDepth);
  }

private:
  static bool isCounterOf(ArrayRef<scf::ForOp> loops, Value value) {
    if (loops.empty())
      return false;
    scf::ForOp inner = loops.back();
    if (loops.size() == 1)
      return value == inner.getInductionVar();
    auto sum = value.getDefiningOp<arith::AddIOp>();
    if (!sum || sum.getRhs() != inner.getInductionVar())
      return false;
    auto product = sum.getLhs().getDefiningOp<arith::MulIOp>();
    return product && product.getRhs() == inner.getUpperBound() && isCounterOf(loops.drop_back(), product.getLhs());
  }

  ArrayRef<scf::ForOp> nest;
};

/// The half-open range [begin, end).
struct Bytes {
  int64_t begin, end;
  bool meets(Bytes other) const { return begin < other.end && other.begin < end; }
};

/// One access of a node, in the form in which two accesses are compared.
struct Touch {
  bool writes = false;
  SmallVector<Bytes> bytes; ///< UB: for each iteration of one period
  Value shift;              ///< UB: `bytes` is rotated by this many iterations; null for none
  /// UB: if each iteration touches a row of its own, the buffer, its slot and the distance between rows; otherwise
  /// null.
  Value rowsOf;
  OpFoldResult slot;
  Value step;
  // GM:
  Value tensor;
  OpFoldResult offset, size;
  bool separate = false; ///< different iterations touch disjoint elements
};

/// The accesses of all nodes of a problem, by node.
class Touches {
public:
  Touches(const SyncProblem &problem) : counter(problem.nest), iterated(problem.iterated()) {
    for (const SyncNode &node : problem.nodes)
      for (const auto &[op, access] : node.touches)
        if (std::optional<TileView> view = tileViewOf(access.memref()); view && iterated)
          lengthenPeriod(view->buffer.getSlots());
    for (const SyncNode &node : problem.nodes) {
      auto &touches = ofNode.emplace_back();
      for (const auto &[op, access] : node.touches)
        touches.push_back(touchOf(access));
    }
  }

  /// The dependence of b on a at the smallest distance of at least `least`.
  std::optional<Dependence> dependence(unsigned a, unsigned b, unsigned least) const {
    int64_t most = iterated ? period : 0;
    for (int64_t distance = least; distance <= most; ++distance)
      for (unsigned first = 0; first < ofNode[a].size(); ++first)
        for (unsigned second = 0; second < ofNode[b].size(); ++second) {
          const Touch &before = ofNode[a][first], &after = ofNode[b][second];
          if ((before.writes || after.writes) && meet(before, after, distance))
            return Dependence{a, b, static_cast<unsigned>(distance), std::pair(first, second)};
        }
    return std::nullopt;
  }

  /// The smallest distance of at least `least` at which the two accesses meet, if one of them writes.
  std::optional<unsigned> distance(unsigned a, unsigned first, unsigned b, unsigned second, unsigned least) const {
    const Touch &before = ofNode[a][first], &after = ofNode[b][second];
    if (!before.writes && !after.writes)
      return std::nullopt;
    int64_t most = iterated ? period : 0;
    for (int64_t distance = least; distance <= most; ++distance)
      if (meet(before, after, distance))
        return distance;
    return std::nullopt;
  }

private:
  // Beyond a period that occurs in no kernel, slots count as unknown.
  void lengthenPeriod(int64_t slots) {
    slotsKnown &= slots <= kMaxPeriod && std::lcm(period, slots) <= kMaxPeriod;
    period = slotsKnown ? std::lcm(period, slots) : 1;
  }

  Touch touchOf(const Access &access) const;
  bool isSeparate(const TensorView &view) const;
  Value rowStepOf(const TileView &view) const;
  bool meet(const Touch &first, const Touch &second, int64_t distance) const;

  Counter counter;
  bool iterated;
  bool slotsKnown = true;
  int64_t period = 1;
  std::vector<SmallVector<Touch>> ofNode;
};

} // namespace

/// The addends of a sum.
static void collectAddends(Value value, SmallVectorImpl<Value> &addends, unsigned depth = 0) {
  auto sum = value.getDefiningOp<arith::AddIOp>();
  if (!sum || depth > 8) {
    addends.push_back(value);
    return;
  }
  collectAddends(sum.getLhs(), addends, depth + 1);
  collectAddends(sum.getRhs(), addends, depth + 1);
}

/// Whether a value is known to be `least` or more.
static bool isAtLeast(Value value, int64_t least) {
  if (auto read = value.getDefiningOp<TilingDataOp>())
    return read.getLeast() >= least;
  if (auto most = value.getDefiningOp<arith::MaxSIOp>())
    return isAtLeast(most.getLhs(), least) || isAtLeast(most.getRhs(), least);
  std::optional<int64_t> constant = getConstantIntValue(OpFoldResult(value));
  return constant && *constant >= least;
}

/// Whether two values are computed alike: by the same ops, from the same values or the same tiling data.
static bool isSame(Value a, Value b, unsigned depth = 0) {
  if (a == b)
    return true;
  Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
  if (!first || !second || depth > 4 || first->getNumRegions() > 0 || !isMemoryEffectFree(first) ||
      first->getNumOperands() != second->getNumOperands())
    return false;
  return OperationEquivalence::isEquivalentTo(
      first, second, [depth](Value left, Value right) { return success(isSame(left, right, depth + 1)); },
      /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

/// Whether `size` is at most `bound`: it is the same number, a minimum that includes it, or `bound` is `size` rounded
/// up.
static bool isAtMost(OpFoldResult size, Value bound) {
  auto value = dyn_cast<Value>(size);
  std::optional<int64_t> constant = getConstantIntValue(size), limit = getConstantIntValue(OpFoldResult(bound));
  if (constant)
    return limit ? *constant <= *limit : isAtLeast(bound, *constant);
  if (!value)
    return false;
  if (isSame(value, bound))
    return true;
  if (auto least = bound.getDefiningOp<arith::MinSIOp>())
    return isAtMost(size, least.getLhs()) && isAtMost(size, least.getRhs());
  if (auto most = value.getDefiningOp<arith::MaxSIOp>())
    return isAtMost(most.getLhs(), bound) && isAtMost(most.getRhs(), bound);
  // (x ceildiv c) * c
  auto product = bound.getDefiningOp<arith::MulIOp>();
  auto quotient = product ? product.getLhs().getDefiningOp<arith::CeilDivSIOp>() : arith::CeilDivSIOp();
  llvm::APInt unit;
  if (quotient && quotient.getRhs() == product.getRhs() && matchPattern(quotient.getRhs(), m_ConstantInt(&unit)) &&
      unit.isStrictlyPositive() && isAtMost(size, quotient.getLhs()))
    return true;
  auto minimum = value.getDefiningOp<arith::MinSIOp>();
  return minimum && (isAtMost(minimum.getLhs(), bound) || isAtMost(minimum.getRhs(), bound));
}

// offset = counter * L with length <= L: each iteration touches one row of the tile.
Value Touches::rowStepOf(const TileView &view) const {
  auto offset = view.offset ? dyn_cast<Value>(view.offset) : Value();
  auto product = offset ? offset.getDefiningOp<arith::MulIOp>() : arith::MulIOp();
  if (!iterated || !product || !counter.is(product.getLhs()))
    return {};
  Value step = product.getRhs();
  return counter.isInvariant(step) && isAtMost(view.size, step) ? step : Value();
}

/// Whether `size` elements from `start` stay within a row of `length` elements: start = part * P in a loop of
/// ceildiv(length, P) trips over `part`, and size = min(length - start, ...), or 1 if that is less.
static bool staysInRow(arith::MulIOp start, OpFoldResult size, Value length, scf::ForOp parts) {
  auto trips = parts.getUpperBound().getDefiningOp<arith::CeilDivSIOp>();
  if (start.getLhs() != parts.getInductionVar() || !isAtLeast(start.getRhs(), 1) || !trips ||
      trips.getLhs() != length || trips.getRhs() != start.getRhs())
    return false;
  auto value = dyn_cast<Value>(size);
  auto most = value ? value.getDefiningOp<arith::MaxSIOp>() : arith::MaxSIOp();
  if (most && getConstantIntValue(OpFoldResult(most.getRhs())) == 1)
    value = most.getLhs();
  auto least = value ? value.getDefiningOp<arith::MinSIOp>() : arith::MinSIOp();
  auto isRest = [&](Value candidate) {
    auto rest = candidate.getDefiningOp<arith::SubIOp>();
    return rest && rest.getLhs() == length && rest.getRhs() == start.getResult();
  };
  return least && (isRest(least.getLhs()) || isRest(least.getRhs()));
}

// The forms in the header comment. All other addends must be invariant.
bool Touches::isSeparate(const TensorView &view) const {
  if (!iterated || !view.offset || !isa<Value>(view.offset))
    return false;
  SmallVector<Value> addends;
  collectAddends(cast<Value>(view.offset), addends);
  SmallVector<arith::MulIOp> steps;
  for (Value addend : addends) {
    if (counter.staysSame(addend))
      continue;
    steps.push_back(addend.getDefiningOp<arith::MulIOp>());
    if (!steps.back())
      return false;
  }
  if (steps.size() == 1) {
    Value step = counter.is(steps[0].getLhs())   ? steps[0].getRhs()
                 : counter.is(steps[0].getRhs()) ? steps[0].getLhs()
                                                 : Value();
    return step && counter.isInvariant(step) && isAtMost(view.size, step);
  }
  std::optional<Counter::Rows> rows = counter.rows();
  if (steps.size() != 2 || !rows)
    return false;
  for (unsigned part : {0, 1}) {
    Value length = steps[1 - part].getRhs();
    if (counter.isShifted(steps[1 - part].getLhs(), rows->row) && counter.isInvariant(length) &&
        staysInRow(steps[part], view.size, length, rows->parts) && isAtMost(view.size, steps[part].getRhs()))
      return true;
  }
  return false;
}

Touch Touches::touchOf(const Access &access) const {
  Touch touch;
  touch.writes = access.writes;
  if (std::optional<TensorView> view = tensorViewOf(access.memref())) {
    touch.tensor = view->tensor;
    touch.offset = view->offset;
    touch.size = view->size;
    touch.separate = isSeparate(*view);
    return touch;
  }
  std::optional<TileView> view = tileViewOf(access.memref());
  std::optional<Counter::Turn> turn;
  if (view->slot && iterated && slotsKnown && !counter.evaluate(view->slot, 0))
    turn = counter.turnOf(view->slot);
  if (turn && period % turn->slots == 0)
    touch.shift = turn->shift;
  touch.step = rowStepOf(*view);
  if (touch.step) {
    touch.rowsOf = view->buffer.getMemref();
    touch.slot = view->slot;
  }
  for (int64_t iteration = 0; iteration < period; ++iteration) {
    BufferOp buffer = view->buffer;
    int64_t begin = buffer.getWindowAddress();
    std::optional<int64_t> slot;
    if (touch.shift)
      slot = iteration % turn->slots;
    else if (view->slot && slotsKnown)
      slot = iterated ? counter.evaluate(view->slot, iteration) : getConstantIntValue(view->slot);
    bool known = slot && *slot >= 0 && *slot < buffer.getSlots();
    if (known)
      begin += *slot * buffer.getSlotBytes();
    touch.bytes.push_back({begin, begin + (known ? buffer.getSlotBytes() : buffer.getBytes())});
  }
  return touch;
}

bool Touches::meet(const Touch &first, const Touch &second, int64_t distance) const {
  if (static_cast<bool>(first.tensor) != static_cast<bool>(second.tensor))
    return false;
  if (first.tensor) {
    if (first.tensor != second.tensor)
      return false;
    bool alike = first.offset == second.offset && first.size == second.size && first.separate && second.separate;
    return distance == 0 || !alike;
  }
  bool ownRows = first.step && first.step == second.step && first.rowsOf == second.rowsOf && first.slot == second.slot;
  if (ownRows && distance != 0)
    return false;
  for (int64_t iteration = 0; iteration < period; ++iteration)
    for (int64_t apart = 0; apart < (first.shift == second.shift ? 1 : period); ++apart)
      if (first.bytes[iteration].meets(second.bytes[(iteration + distance + apart) % period]))
        return true;
  return false;
}

//===----------------------------------------------------------------------===//
// The problem of a block
//===----------------------------------------------------------------------===//

static void appendNodes(Operation *item, unsigned position, SmallVectorImpl<SyncNode> &nodes) {
  std::map<Pipe, SyncNode> byPipe;
  item->walk([&](PipeOpInterface op) {
    SyncNode &node = byPipe[op.getPipe()];
    for (const Access &access : accessesOf(op))
      node.touches.push_back({op, access});
  });
  for (auto &[pipe, node] : byPipe) {
    node.item = item;
    node.pipe = pipe;
    node.position = position;
    nodes.push_back(std::move(node));
  }
}

/// Appends the ops of two nodes that depend on each other, each pair at its smallest distance.
static void appendOrders(const SyncProblem &problem, const Touches &touches, unsigned from, unsigned to, unsigned least,
                         Block *region, SmallVectorImpl<OpOrder> &orders) {
  const SyncNode &a = problem.nodes[from], &b = problem.nodes[to];
  llvm::MapVector<std::pair<Operation *, Operation *>, unsigned> found;
  for (unsigned first = 0; first < a.touches.size(); ++first)
    for (unsigned second = 0; second < b.touches.size(); ++second)
      if (std::optional<unsigned> distance = touches.distance(from, first, to, second, least)) {
        PipeOpInterface earlier = a.touches[first].first, later = b.touches[second].first;
        auto [entry, inserted] = found.try_emplace(std::pair(earlier.getOperation(), later.getOperation()), *distance);
        if (!inserted)
          entry->second = std::min(entry->second, *distance);
      }
  for (const auto &[ops, distance] : found)
    orders.push_back({ops.first, ops.second, region, distance});
}

SyncProblem buildSyncProblem(Block &block, ArrayRef<scf::ForOp> nest, const CarriedLoops &carried, const Target &target,
                             SmallVectorImpl<OpOrder> *orders) {
  SyncProblem problem;
  problem.nest.assign(nest.begin(), nest.end());
  for (auto [position, op] : llvm::enumerate(block))
    appendNodes(&op, position, problem.nodes);
  Touches touches(problem);
  for (unsigned from = 0; from < problem.nodes.size(); ++from)
    for (unsigned to = 0; to < problem.nodes.size(); ++to) {
      const SyncNode &a = problem.nodes[from], &b = problem.nodes[to];
      if (a.pipe == b.pipe && target.completesInOrder(toTarget(a.pipe)))
        continue;
      if (a.item == b.item && carried.contains(a.item))
        continue;
      // Distance 0 within one item is covered by the item's own region.
      unsigned least = a.position < b.position ? 0 : 1;
      std::optional<Dependence> dependence = touches.dependence(from, to, least);
      if (!dependence)
        continue;
      problem.dependences.push_back(*dependence);
      if (orders)
        appendOrders(problem, touches, from, to, least, &block, *orders);
    }
  return problem;
}

} // namespace opc::aicore

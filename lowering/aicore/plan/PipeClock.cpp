#include "lowering/aicore/plan/PipeClock.h"

#include "dialect/aicore/index/Evaluate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include <set>

using namespace mlir;

namespace opc::aicore {

/// Trip counts of outermost loops that are compared, and of inner loops.
static constexpr int64_t kFewTrips = 4, kManyTrips = 8, kInnerTrips = 2;

/// Slot expressions are a few ops deep. The limit bounds the time that shared operands could cost.
static constexpr unsigned kSlotDepth = 16;

using Values = llvm::DenseMap<Value, int64_t>;

/// Elements of a tile. A view of unknown length counts as its whole slot, and in an inner loop as its share of the
/// slot.
int64_t PipeClock::elementsOf(Value memref, unsigned depth) const {
  int64_t length = cast<MemRefType>(memref.getType()).getShape().back();
  bool isKnown = !ShapedType::isDynamic(length);
  std::optional<TileView> view = tileViewOf(memref);
  int64_t elements = isKnown ? length : view ? view->buffer.getCapacity() : 1;
  if (variant.elements > 0 && elements == variant.elements)
    elements = variant.instead;
  if (isKnown)
    return elements;
  for (unsigned level = 1; level < depth; ++level)
    elements = std::max<int64_t>(elements / kInnerTrips, 1);
  return elements;
}

PipeClock::KnownEvent PipeClock::knownEventOf(PipeOpInterface op, unsigned depth) {
  KnownEvent made{{toTarget(op.getPipe()), target.scalarReadCycles(), {}}, {}};
  Event &event = made.event;
  int64_t bytes = 0;
  for (const Access &access : accessesOf(op)) {
    std::optional<TileView> view = tileViewOf(access.memref());
    if (!view)
      continue;
    int64_t width = elementSize(*elementTypeOf(view->buffer.getType().getElementType()));
    bytes = std::max(bytes, width * elementsOf(access.memref(), depth));
    auto number = bufferNumber.find(view->buffer);
    if (number == bufferNumber.end())
      continue; // of another memory
    std::optional<int64_t> slot = view->slot ? getConstantIntValue(view->slot) : std::nullopt;
    bool isKnown = slot && *slot >= 0 && *slot < view->buffer.getSlots();
    event.uses.push_back({number->second, variant.oneSlot ? 0 : isKnown ? *slot : -1, access.writes});
    made.slots.push_back(variant.oneSlot || slot || !view->slot ? Value() : cast<Value>(view->slot));
  }
  if (auto vector = dyn_cast<VectorOpInterface>(op.getOperation())) {
    FailureOr<TypeRow> types = vector.getTypeRow();
    Value counted = vector.getCountedTile();
    if (succeeded(types) && counted)
      event.cycles = target.vectorCycles(vector.getIntrinsic(), *types, elementsOf(counted, depth));
  } else if (isDma(op.getPipe())) {
    event.cycles = target.copyCycles(event.pipe, 1, bytes);
  }
  return made;
}

PipeClock::Event PipeClock::eventOf(PipeOpInterface op, unsigned depth, const Values &values) {
  auto found = known.find(op);
  if (found == known.end())
    found = known.try_emplace(op, knownEventOf(op, depth)).first;
  Event event = found->second.event;
  auto valueOf = [&](Value value) {
    auto given = values.find(value);
    return given == values.end() ? std::nullopt : std::optional(given->second);
  };
  for (auto [use, value] : llvm::zip_equal(event.uses, found->second.slots)) {
    std::optional<int64_t> slot = value ? evaluate(value, valueOf, kSlotDepth) : std::nullopt;
    if (slot && *slot >= 0 && *slot < BufferOp(ranges.buffers[use.buffer].buffer).getSlots())
      use.slot = *slot;
  }
  return event;
}

void PipeClock::unroll(Block &block, int64_t trips, unsigned depth, Values &values, std::vector<Event> &events) {
  for (Operation &op : block) {
    if (auto pipeOp = dyn_cast<PipeOpInterface>(op)) {
      events.push_back(eventOf(pipeOp, depth, values));
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      int64_t rounds = depth == 0 ? trips : kInnerTrips;
      if (std::optional<int64_t> known = getConstantIntValue(OpFoldResult(loop.getUpperBound())))
        rounds = std::clamp<int64_t>(*known, 0, rounds);
      else
        values[loop.getUpperBound()] = rounds;
      for (int64_t trip = 0; trip < rounds; ++trip) {
        values[loop.getInductionVar()] = trip;
        unroll(*loop.getBody(), trips, depth + 1, values, events);
      }
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      unroll(*branch.thenBlock(), trips, depth, values, events);
    }
  }
}

PipeClock::PipeClock(func::FuncOp kernel, const KernelRanges &ranges, const Target &target, ClockVariant variant)
    : ranges(ranges), target(target), variant(variant) {
  for (auto [number, range] : llvm::enumerate(ranges.buffers))
    bufferNumber[range.buffer] = number;
  Values values;
  Block &body = kernel.getBody().front();
  unroll(body, kFewTrips, 0, values, few);
  if (!llvm::any_of(body, [](Operation &op) { return isa<scf::ForOp>(op); }))
    return;
  unroll(body, kManyTrips, 0, values, many);
  tiles = kManyTrips - kFewTrips;
}

int64_t PipeClock::run(const std::vector<Event> &events, const std::vector<int64_t> &addresses) const {
  // Bytes between two bounds of buffers or slots are always accessed together.
  std::set<int64_t> bounds;
  for (auto [number, range] : llvm::enumerate(ranges.buffers)) {
    BufferOp buffer = range.buffer;
    for (int64_t slot = 0; slot <= buffer.getSlots(); ++slot)
      bounds.insert(addresses[number] + slot * buffer.getSlotBytes());
  }
  std::vector<int64_t> cells(bounds.begin(), bounds.end());
  struct Last {
    int64_t written[kNumPipes] = {}, read[kNumPipes] = {};
  };
  std::vector<Last> last(cells.size());
  int64_t free[kNumPipes] = {}, issued = 0, end = 0;
  int64_t flag = 2 * target.flagCycles();
  int64_t barrier[kNumPipes];
  for (unsigned pipe = 0; pipe < kNumPipes; ++pipe)
    barrier[pipe] = target.barrierCycles(static_cast<opc::Pipe>(pipe));
  for (const Event &event : events) {
    auto pipe = static_cast<unsigned>(event.pipe);
    issued += target.issueCycles();
    int64_t start = std::max(free[pipe], issued);
    auto eachCell = [&](const Use &use, auto &&visit) {
      BufferOp buffer = ranges.buffers[use.buffer].buffer;
      int64_t begin = addresses[use.buffer] + std::max<int64_t>(use.slot, 0) * buffer.getSlotBytes();
      int64_t length = use.slot < 0 ? buffer.getBytes() : buffer.getSlotBytes();
      auto cell = std::lower_bound(cells.begin(), cells.end(), begin);
      for (; cell != cells.end() && *cell < begin + length; ++cell)
        visit(last[static_cast<size_t>(cell - cells.begin())]);
    };
    for (const Use &use : event.uses)
      eachCell(use, [&](const Last &before) {
        for (unsigned other = 0; other < kNumPipes; ++other) {
          int64_t done = before.written[other];
          if (use.writes)
            done = std::max(done, before.read[other]);
          if (done == 0)
            continue;
          int64_t wait = other != pipe ? flag : barrier[pipe];
          start = std::max(start, done + wait);
        }
      });
    int64_t done = start + event.cycles;
    free[pipe] = done;
    end = std::max(end, done);
    // While the scalar unit waits, it issues nothing.
    if (event.pipe == opc::Pipe::S)
      issued = std::max(issued, done);
    for (const Use &use : event.uses)
      eachCell(use, [&](Last &after) {
        int64_t &mark = use.writes ? after.written[pipe] : after.read[pipe];
        mark = std::max(mark, done);
      });
  }
  return end;
}

int64_t PipeClock::cyclesOfTile(const std::vector<int64_t> &addresses) const {
  if (many.empty())
    return run(few, addresses);
  return std::max<int64_t>(run(many, addresses) - run(few, addresses), 0) / tiles;
}

int64_t PipeClock::cyclesApart() const {
  std::vector<int64_t> addresses;
  int64_t next = 0;
  for (const LiveRange &range : ranges.buffers) {
    addresses.push_back(next);
    next += BufferOp(range.buffer).getBytes();
  }
  return cyclesOfTile(addresses);
}

} // namespace opc::aicore

#include "lowering/aicore/verify/Unrolling.h"

#include "lowering/aicore/verify/Facts.h"
#include "lowering/aicore/verify/Views.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

using namespace mlir;

namespace opc::aicore {

/// Tiling data without a `max`: more elements than all tiles of an unrolling together, and small
/// enough that products of three of them fit 63 bits.
static constexpr int64_t kLarge = int64_t(1) << 20;

// A constant that bounds a loop has other uses: it is never set to anything.
static bool isConstant(Value value) {
  return matchPattern(value, m_Constant());
}

namespace {

using Number = std::optional<int64_t>;

/// A view of one row: from counter * step on, or from (counter + 1) * step on.
struct RowView {
  scf::ForOp loop;
  Value step;
  bool behindFirst = false;
};

class Interpreter {
public:
  Interpreter(func::FuncOp kernel, const TripCounts &trips, size_t limit)
      : kernel(kernel), trips(trips), limit(limit) {}

  Unrolling run() {
    kernel.walk([&](scf::ForOp loop) {
      if (!isConstant(loop.getUpperBound()))
        bounds.insert(loop.getUpperBound());
    });
    findRows();
    runBlock(kernel.getBody().front());
    return std::move(result);
  }

private:
  bool going() const { return result.status == UnrollStatus::Done; }
  void stop(UnrollStatus status, Operation *op) {
    result.status = status;
    result.unknownAt = op;
  }

  void runBlock(Block &block);
  void runLoop(scf::ForOp loop);
  void runBranch(scf::IfOp branch);
  void issue(Operation *op);
  void define(Value value, Number number);
  void findRows();
  Span spanOf(const Access &access) const;
  Number evaluate(Operation *op) const;
  Number valueOf(OpFoldResult value) const;

  func::FuncOp kernel;
  const TripCounts &trips;
  size_t limit;
  Unrolling result;
  llvm::DenseMap<Value, Number> values;
  llvm::DenseSet<Value> bounds;
  llvm::DenseMap<Value, unsigned> settings; ///< how often each bound got a value
  SmallVector<int64_t, 2> iteration;
  llvm::DenseMap<Value, RowView> rows;          ///< by view
  llvm::DenseMap<Value, Value> stepOf;          ///< by buffer with rows: their step; null: several
  llvm::DenseMap<Operation *, int64_t> tripsOf; ///< of the loops around what runs
};

} // namespace

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

Number Interpreter::valueOf(OpFoldResult value) const {
  if (auto attribute = dyn_cast<Attribute>(value))
    return cast<IntegerAttr>(attribute).getInt();
  auto known = values.find(cast<Value>(value));
  return known == values.end() ? Number() : known->second;
}

static Number compare(arith::CmpIPredicate predicate, int64_t a, int64_t b) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a < b;
  case arith::CmpIPredicate::sle:
    return a <= b;
  case arith::CmpIPredicate::sgt:
    return a > b;
  case arith::CmpIPredicate::sge:
    return a >= b;
  default:
    return std::nullopt;
  }
}

static Number fitted(__int128 value) {
  if (value < INT64_MIN || value > INT64_MAX)
    return std::nullopt;
  return static_cast<int64_t>(value);
}

Number Interpreter::evaluate(Operation *op) const {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto integer = dyn_cast<IntegerAttr>(constant.getValue());
    if (!integer || integer.getValue().getSignificantBits() > 64)
      return std::nullopt;
    return integer.getType().isInteger(1) ? int64_t(integer.getValue().getBoolValue())
                                          : integer.getValue().getSExtValue();
  }
  if (auto read = dyn_cast<TilingDataOp>(op))
    return read.getMax().value_or(std::max(kLarge, read.getMin().value_or(0)));
  if (isa<BlockIdxOp>(op))
    return 0;
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    Number condition = valueOf(OpFoldResult(select.getCondition()));
    if (!condition)
      return std::nullopt;
    return valueOf(OpFoldResult(*condition ? select.getTrueValue() : select.getFalseValue()));
  }
  if (isa<arith::IndexCastOp, arith::ExtUIOp, arith::ExtSIOp, arith::IndexCastUIOp>(op))
    return valueOf(OpFoldResult(op->getOperand(0)));
  if (op->getNumOperands() != 2 || !op->getOperand(0).getType().isIntOrIndex())
    return std::nullopt;
  Number lhs = valueOf(OpFoldResult(op->getOperand(0))),
         rhs = valueOf(OpFoldResult(op->getOperand(1)));
  if (!lhs || !rhs)
    return std::nullopt;
  __int128 a = *lhs, b = *rhs;
  bool divides = isa<arith::FloorDivSIOp, arith::CeilDivSIOp, arith::RemSIOp>(op);
  if (divides && b < 1)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, Number>(op)
      .Case<arith::AddIOp>([&](Operation *) { return fitted(a + b); })
      .Case<arith::SubIOp>([&](Operation *) { return fitted(a - b); })
      .Case<arith::MulIOp>([&](Operation *) { return fitted(a * b); })
      .Case<arith::FloorDivSIOp>([&](Operation *) { return fitted(a / b - (a % b < 0)); })
      .Case<arith::CeilDivSIOp>([&](Operation *) { return fitted(a / b + (a % b > 0)); })
      .Case<arith::RemSIOp>([&](Operation *) { return fitted(a % b); })
      .Case<arith::MinSIOp, arith::AndIOp>([&](Operation *) { return fitted(std::min(a, b)); })
      .Case<arith::MaxSIOp, arith::OrIOp>([&](Operation *) { return fitted(std::max(a, b)); })
      .Case<arith::XOrIOp>([&](Operation *) { return fitted(a != b); })
      .Case<arith::CmpIOp>([&](arith::CmpIOp op) { return compare(op.getPredicate(), *lhs, *rhs); })
      .Default([](Operation *) { return Number(); });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static std::optional<RowView> rowViewOf(Value memref, const Facts &facts) {
  auto view = memref.getDefiningOp<memref::SubViewOp>();
  if (!view || view.getSource().getDefiningOp<memref::SubViewOp>())
    return std::nullopt;
  auto offset = dyn_cast<Value>(view.getMixedOffsets().back());
  auto product = offset ? offset.getDefiningOp<arith::MulIOp>() : arith::MulIOp();
  if (!product)
    return std::nullopt;
  RowView row;
  row.step = product.getRhs();
  Value counter = product.getLhs();
  if (auto next = counter.getDefiningOp<arith::AddIOp>()) {
    llvm::APInt one;
    if (!matchPattern(next.getRhs(), m_ConstantInt(&one)) || !one.isOne())
      return std::nullopt;
    row.behindFirst = true;
    counter = next.getLhs();
  }
  auto argument = dyn_cast<BlockArgument>(counter);
  row.loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  if (!row.loop || counter != row.loop.getInductionVar() ||
      !row.loop.isDefinedOutsideOfLoop(row.step) || isConstant(row.step) ||
      !facts.atMost(view.getMixedSizes().back(), row.step))
    return std::nullopt;
  return row;
}

void Interpreter::findRows() {
  Facts facts(kernel);
  kernel.walk([&](PipeOpInterface op) {
    SmallVector<Access> accesses;
    op.getAccesses(accesses);
    for (const Access &access : accesses) {
      BufferOp buffer = bufferOfView(access.memref());
      std::optional<RowView> row = buffer ? rowViewOf(access.memref(), facts) : std::nullopt;
      if (!row)
        continue;
      rows[access.memref()] = *row;
      auto [step, first] = stepOf.try_emplace(buffer.getMemref(), row->step);
      if (!first && step->second != row->step)
        step->second = Value();
    }
  });
}

// Follows the view down to its home, adding offsets in elements. What cannot be known is taken for
// the whole slot or tensor.
Span Interpreter::spanOf(const Access &access) const {
  Span span;
  span.reads = access.reads;
  span.writes = access.writes;
  Value memref = access.memref();
  auto type = cast<MemRefType>(memref.getType());
  int64_t size = elementSize(*elementTypeOf(type.getElementType()));
  Number length, offset = 0;
  if (!memref.getDefiningOp<memref::SubViewOp>() && type.hasStaticShape())
    length = type.getNumElements();
  int64_t slot = -1;
  for (bool outermost = true; auto view = memref.getDefiningOp<memref::SubViewOp>();
       outermost = false, memref = view.getSource()) {
    Number own = valueOf(view.getMixedOffsets().back());
    offset = offset && own ? fitted(__int128(*offset) + *own) : Number();
    if (outermost)
      length = valueOf(view.getMixedSizes().back());
    if (view.getSourceType().getRank() == 2)
      slot = valueOf(view.getMixedOffsets().front()).value_or(-1);
  }
  // Rows of a tensor: how far apart they and their batches lie is the launch's to say, and no number
  // that stands for it here would prove anything.
  if (auto rows = memref.getDefiningOp<memref::ReinterpretCastOp>()) {
    offset = length = Number();
    memref = rows.getSource();
  }
  // How many rows a tile has is set by the loops that work on them; what is loaded for a later tile
  // counts them on its own. The whole slot is.
  if (auto load = dyn_cast<LoadOp>(access.operand->getOwner());
      load && load.getRowStride() && access.writes)
    offset = Number();
  span.home = memref;
  auto buffer = memref.getDefiningOp<BufferOp>();
  span.inUB = bool(buffer);
  int64_t from = buffer ? *buffer.getAddress() : 0,
          to = buffer ? from + buffer.getBytes() : INT64_MAX;
  if (buffer && slot >= 0 && slot < buffer.getSlots()) {
    from += slot * buffer.getSlotBytes();
    to = from + buffer.getSlotBytes();
  }
  if (auto step = stepOf.find(memref); step != stepOf.end()) {
    auto row = rows.find(access.memref());
    span.begin = from;
    span.end = to;
    if (!step->second || row == rows.end() || (slot < 0 && buffer.getSlots() > 1))
      return span;
    RowView view = row->second;
    __int128 number =
        values.lookup(view.loop.getInductionVar()).value_or(0) + int64_t(view.behindFirst);
    int64_t count = tripsOf.lookup(view.loop) + int64_t(view.behindFirst);
    span.isRow = true;
    span.slot = from;
    span.begin = from + static_cast<int64_t>((to - from) * number / count);
    span.end = from + static_cast<int64_t>((to - from) * (number + 1) / count);
    return span;
  }
  bool known = offset && *offset >= 0 && (!buffer || *offset < buffer.getCapacity());
  span.begin =
      known ? std::min<int64_t>(to - 1, fitted(from + __int128(*offset) * size).value_or(to - 1))
            : from;
  span.end = known && length && *length > 0
                 ? std::min<int64_t>(to, fitted(span.begin + __int128(*length) * size).value_or(to))
                 : to;
  return span;
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

void Interpreter::issue(Operation *op) {
  Event event;
  event.op = op;
  event.pipe = cast<PipeOpInterface>(op).getPipe();
  event.iteration = iteration;
  Value id;
  if (auto set = dyn_cast<SetFlagOp>(op)) {
    event.kind = Event::Set;
    event.other = set.getTo();
    id = set.getId();
  } else if (auto wait = dyn_cast<WaitFlagOp>(op)) {
    event.kind = Event::Wait;
    event.other = wait.getFrom();
    id = wait.getId();
  } else if (isa<PipeBarrierOp>(op)) {
    event.kind = Event::Barrier;
  }
  if (id) {
    Number number = valueOf(OpFoldResult(id));
    if (!number)
      return stop(UnrollStatus::Unknown, op);
    event.id = *number;
  }
  SmallVector<Access> accesses;
  cast<PipeOpInterface>(op).getAccesses(accesses);
  for (const Access &access : accesses)
    event.spans.push_back(spanOf(access));
  result.events.push_back(std::move(event));
}

void Interpreter::runLoop(scf::ForOp loop) {
  Value bound = loop.getUpperBound();
  Number count = isConstant(bound) ? trips(bound, 0) : valueOf(OpFoldResult(bound));
  if (!count)
    return stop(UnrollStatus::Unknown, loop);
  iteration.push_back(0);
  tripsOf[loop] = *count;
  for (int64_t i = 0; i < *count && going(); ++i) {
    iteration.back() = i;
    values[loop.getInductionVar()] = i;
    runBlock(*loop.getBody());
  }
  iteration.pop_back();
}

void Interpreter::runBranch(scf::IfOp branch) {
  Number condition = valueOf(OpFoldResult(branch.getCondition()));
  if (!condition)
    return stop(UnrollStatus::Unknown, branch);
  Region &taken = *condition ? branch.getThenRegion() : branch.getElseRegion();
  if (!taken.empty())
    runBlock(taken.front());
}

// Whatever a bound would be, it is the number of trips that the caller wants.
void Interpreter::define(Value value, Number number) {
  values[value] = bounds.contains(value) ? trips(value, settings[value]++) : number;
}

void Interpreter::runBlock(Block &block) {
  for (Operation &op : block) {
    if (!going())
      return;
    if (++result.steps > limit)
      return stop(UnrollStatus::TooLong, &op);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      runLoop(loop);
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      runBranch(branch);
    else if (isa<PipeOpInterface>(op))
      issue(&op);
    else if (op.getNumResults() == 1)
      define(op.getResult(0), evaluate(&op));
  }
}

Unrolling unroll(func::FuncOp kernel, const TripCounts &trips, size_t limit) {
  return Interpreter(kernel, trips, limit).run();
}

} // namespace opc::aicore

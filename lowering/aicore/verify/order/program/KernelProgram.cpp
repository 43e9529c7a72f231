// Blocks are translated from the last op to the first, so that for each op it is known whether a later op needs its
// result.

#include "lowering/aicore/verify/order/program/KernelProgram.h"

#include "lowering/aicore/verify/order/program/Repetition.h"
#include "lowering/aicore/verify/values/Facts.h"
#include "lowering/aicore/verify/values/Views.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace opc::aicore::proof {

/// The number for tiling data without a `max`. It exceeds the elements of all tiles of an unrolling together, and the
/// product of three such numbers fits 63 bits.
static constexpr int64_t kLarge = int64_t(1) << 20;

// A constant that bounds a loop has other uses, so it is never set to a trip count.
static bool isConstant(Value value) {
  return matchPattern(value, m_Constant());
}

namespace {

/// A view of one row: starting at counter * step, or at (counter + 1) * step.
struct RowView {
  scf::ForOp loop;
  Value step;
  bool behindFirst = false;
};

class Translator {
public:
  Translator(func::FuncOp kernel, KernelProgram &program)
      : kernel(kernel), program(program), repetition(kernel), facts(kernel) {}

  void run() {
    kernel.walk([&](TilingDataOp read) {
      if (read.getCases() && fieldOf.try_emplace(read.getName(), program.fields.size()).second)
        program.fields.push_back({read.getName().str(), SmallVector<int64_t>(*read.getCases()), {}});
    });
    kernel.walk([&](scf::ForOp loop) {
      loopOf.try_emplace(loop, loopOf.size());
      Value bound = loop.getUpperBound();
      if (!isConstant(bound) && boundOf.try_emplace(bound, program.bounds.size()).second)
        program.bounds.push_back(bound);
    });
    program.loops.resize(loopOf.size());
    findRows();
    program.body = block(kernel.getBody().front());
    findCrowds();
  }

private:
  Body block(Block &block);
  std::optional<Step> scalar(Operation *op);
  Step loop(scf::ForOp loop);
  Step branch(scf::IfOp branch);
  Step instruction(PipeOpInterface op);
  AccessPlan accessPlan(const Access &access);
  void planRow(Value memref, AccessPlan &plan);
  unsigned homeOf(Value memref);
  Slot lengthSlot(OpFoldResult length);
  Slot slotOf(OpFoldResult value);
  Slot newSlot(Number number) {
    program.numbers.push_back(number);
    return program.numbers.size() - 1;
  }
  void findRows();
  void findCrowds();

  func::FuncOp kernel;
  KernelProgram &program;
  const Repetition repetition;
  const Facts facts;
  llvm::StringMap<unsigned> fieldOf;
  DenseMap<Value, Slot> slots;
  DenseMap<int64_t, Slot> constants;
  DenseMap<Value, unsigned> boundOf;
  DenseMap<Operation *, unsigned> loopOf;
  DenseMap<Value, unsigned> homes;
  DenseMap<Value, RowView> rows; ///< by view
  DenseMap<Value, Value> stepOf; ///< by buffer with rows: the step of its rows; null if they have several
};

} // namespace

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// The value of an op that is known before the program runs.
static Number numberOf(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto integer = dyn_cast<IntegerAttr>(constant.getValue());
    if (!integer || integer.getValue().getSignificantBits() > 64)
      return std::nullopt;
    return integer.getType().isInteger(1) ? int64_t(integer.getValue().getBoolValue())
                                          : integer.getValue().getSExtValue();
  }
  if (auto read = dyn_cast<TilingDataOp>(op))
    return read.getMost().value_or(std::max(kLarge, read.getLeast()));
  if (isa<BlockIdxOp>(op))
    return 0;
  return std::nullopt;
}

Slot Translator::slotOf(OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value)) {
    int64_t number = cast<IntegerAttr>(attribute).getInt();
    auto [slot, isNew] = constants.try_emplace(number);
    if (isNew)
      slot->second = newSlot(number);
    return slot->second;
  }
  Value wanted = cast<Value>(value);
  auto [slot, isNew] = slots.try_emplace(wanted);
  if (isNew) {
    Operation *op = wanted.getDefiningOp();
    slot->second = newSlot(op && !boundOf.contains(wanted) ? numberOf(op) : Number());
    if (auto read = dyn_cast_or_null<TilingDataOp>(op); read && !boundOf.contains(wanted))
      if (auto field = fieldOf.find(read.getName()); field != fieldOf.end())
        program.fields[field->second].slots.push_back(slot->second);
  }
  return slot->second;
}

/// The step that computes the result of an op, if the result is needed; nullopt if the result is unknown or known
/// beforehand.
std::optional<Step> Translator::scalar(Operation *op) {
  Step step;
  auto bound = boundOf.find(op->getResult(0));
  if (bound != boundOf.end()) {
    step.kind = Step::Bound;
    step.index = bound->second;
    step.result = slotOf(op->getResult(0));
    return step;
  }
  auto needed = slots.find(op->getResult(0));
  if (needed == slots.end())
    return std::nullopt;
  step.result = needed->second;
  auto kind = llvm::TypeSwitch<Operation *, std::optional<Step::Kind>>(op)
                  .Case<arith::AddIOp>([](Operation *) { return Step::Add; })
                  .Case<arith::SubIOp>([](Operation *) { return Step::Sub; })
                  .Case<arith::MulIOp>([](Operation *) { return Step::Mul; })
                  .Case<arith::FloorDivSIOp>([](Operation *) { return Step::FloorDiv; })
                  .Case<arith::CeilDivSIOp>([](Operation *) { return Step::CeilDiv; })
                  .Case<arith::RemSIOp>([](Operation *) { return Step::Rem; })
                  .Case<arith::MinSIOp>([](Operation *) { return Step::Min; })
                  .Case<arith::MaxSIOp>([](Operation *) { return Step::Max; })
                  .Case<arith::AndIOp>([](Operation *) { return Step::And; })
                  .Case<arith::OrIOp>([](Operation *) { return Step::Or; })
                  .Case<arith::XOrIOp>([](Operation *) { return Step::Xor; })
                  .Case<arith::CmpIOp>([](Operation *) { return Step::Compare; })
                  .Case<arith::SelectOp>([](Operation *) { return Step::Select; })
                  .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp, arith::ExtSIOp>(
                      [](Operation *) { return Step::Copy; })
                  .Default([](Operation *) { return std::nullopt; });
  if (!kind || !op->getOperand(0).getType().isIntOrIndex())
    return std::nullopt;
  step.kind = *kind;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    step.predicate = compare.getPredicate();
  step.a = slotOf(op->getOperand(0));
  step.b = op->getNumOperands() > 1 ? slotOf(op->getOperand(1)) : kNoSlot;
  step.c = op->getNumOperands() > 2 ? slotOf(op->getOperand(2)) : kNoSlot;
  return step;
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
  if (!row.loop || counter != row.loop.getInductionVar() || !row.loop.isDefinedOutsideOfLoop(row.step) ||
      isConstant(row.step) || !facts.atMost(view.getMixedSizes().back(), row.step))
    return std::nullopt;
  return row;
}

void Translator::findRows() {
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

/// Finds the buffers that share bytes with another one such that trip counts decide which bytes are common.
void Translator::findCrowds() {
  SmallVector<bool> moves(program.homes.size());
  for (const Instruction &instruction : program.instructions)
    for (const AccessPlan &plan : instruction.accesses)
      moves[plan.home] |= plan.moves;
  for (auto [number, home] : llvm::enumerate(program.homes))
    for (auto [otherNumber, other] : llvm::enumerate(program.homes))
      home.isCrowded |= number != otherNumber && home.inUB && other.inUB && home.begin < other.end &&
                        other.begin < home.end && (moves[number] || moves[otherNumber]);
}

unsigned Translator::homeOf(Value memref) {
  auto [known, isNew] = homes.try_emplace(memref, program.homes.size());
  if (isNew) {
    Home &home = program.homes.emplace_back();
    home.memref = memref;
    if (auto buffer = memref.getDefiningOp<BufferOp>()) {
      home.inUB = true;
      home.begin = windowOf(toTarget(buffer.getSpace())) + *buffer.getAddress();
      home.end = home.begin + buffer.getBytes();
      home.slots = buffer.getSlots();
      home.slotBytes = buffer.getSlotBytes();
      home.capacity = buffer.getCapacity();
      home.firstSlot = program.slots;
      program.slots += unsigned(home.slots);
    }
  }
  return known->second;
}

/// The slot of a length. A length that walks do not know counts as its maximum, and is unknown without one.
Slot Translator::lengthSlot(OpFoldResult length) {
  if (repetition.isWalked(length))
    return slotOf(length);
  const Fact fact = facts.of(length);
  return fact.hasMax() ? slotOf(Builder(kernel.getContext()).getIndexAttr(fact.max)) : kNoSlot;
}

// Follows the view to its home and collects offsets.
AccessPlan Translator::accessPlan(const Access &access) {
  AccessPlan plan;
  plan.number = program.accesses++;
  // A read of an op that may start a new sum needs no writer; for the order, the write of the same op represents it.
  plan.reads = access.reads && !access.mayStartAnew;
  plan.writes = access.writes;
  Value memref = access.memref();
  auto type = cast<MemRefType>(memref.getType());
  plan.elementBytes = elementSize(*elementTypeOf(type.getElementType()));
  if (!memref.getDefiningOp<memref::SubViewOp>() && type.hasStaticShape())
    plan.length = slotOf(Builder(memref.getContext()).getIndexAttr(type.getNumElements()));
  const bool inUB = bool(bufferOfView(memref));
  for (bool outermost = true; auto view = memref.getDefiningOp<memref::SubViewOp>();
       outermost = false, memref = view.getSource()) {
    // In a tile, an offset that walks do not know may be any offset.
    plan.hasOffset &= !inUB || repetition.isWalked(view.getMixedOffsets().back());
    plan.offsets.push_back(slotOf(view.getMixedOffsets().back()));
    plan.moves |= inUB && repetition.isTripDependent(view.getMixedOffsets().back());
    plan.moves |= inUB && outermost && repetition.isTripDependent(view.getMixedSizes().back());
    if (outermost)
      plan.length = inUB ? lengthSlot(view.getMixedSizes().back()) : slotOf(view.getMixedSizes().back());
    if (view.getSourceType().getRank() == 2)
      plan.slot = slotOf(view.getMixedOffsets().front());
  }
  // Rows of a tensor: the distances between rows and between batches are known only at launch, and no number in their
  // place would prove anything.
  if (auto rows = memref.getDefiningOp<memref::ReinterpretCastOp>()) {
    plan.hasOffset = false;
    memref = rows.getSource();
  }
  // The number of rows in a tile follows from the loops that work on the rows; a load for a later tile counts its
  // rows independently. So a strided load touches the whole slot.
  if (auto load = dyn_cast<LoadOp>(access.operand->getOwner()); load && load.getRowStride() && access.writes)
    plan.hasOffset = false;
  plan.home = homeOf(memref);
  if (auto step = stepOf.find(memref); step != stepOf.end()) {
    plan.ofRows = true;
    if (auto row = rows.find(access.memref()); step->second && row != rows.end()) {
      plan.row = slotOf(row->second.loop.getInductionVar());
      plan.rowLoop = loopOf.lookup(row->second.loop);
      plan.behindFirst = row->second.behindFirst;
      plan.moves = true;
    }
  }
  return plan;
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

Step Translator::instruction(PipeOpInterface op) {
  Instruction &instruction = program.instructions.emplace_back();
  instruction.op = op;
  instruction.pipe = op.getPipe();
  if (auto set = dyn_cast<SetFlagOp>(op.getOperation())) {
    instruction.kind = Instruction::Set;
    instruction.other = set.getTo();
    instruction.id = slotOf(OpFoldResult(set.getId()));
  } else if (auto wait = dyn_cast<WaitFlagOp>(op.getOperation())) {
    instruction.kind = Instruction::Wait;
    instruction.other = wait.getFrom();
    instruction.id = slotOf(OpFoldResult(wait.getId()));
  } else if (isa<PipeBarrierOp>(op.getOperation())) {
    instruction.kind = Instruction::Barrier;
  }
  SmallVector<Access> accesses;
  op.getAccesses(accesses);
  for (const Access &access : accesses)
    instruction.accesses.push_back(accessPlan(access));
  Step step;
  step.kind = Step::Issue;
  step.index = program.instructions.size() - 1;
  return step;
}

Step Translator::loop(scf::ForOp loop) {
  Step step;
  step.kind = Step::Loop;
  step.index = loopOf.lookup(loop);
  step.a = slotOf(OpFoldResult(loop.getUpperBound()));
  step.result = slotOf(OpFoldResult(loop.getInductionVar()));
  program.loops[step.index] = {loop, block(*loop.getBody()), isConstant(loop.getUpperBound())};
  return step;
}

Step Translator::branch(scf::IfOp branch) {
  Step step;
  step.kind = Step::Branch;
  step.a = slotOf(OpFoldResult(branch.getCondition()));
  KernelProgram::Branch translated = {branch, {}, {}};
  if (!branch.getThenRegion().empty())
    translated.taken = block(branch.getThenRegion().front());
  if (!branch.getElseRegion().empty())
    translated.other = block(branch.getElseRegion().front());
  step.index = program.branches.size();
  program.branches.push_back(std::move(translated));
  return step;
}

Body Translator::block(Block &block) {
  Body body;
  for (Operation &op : llvm::reverse(block)) {
    ++body.ops;
    if (auto inner = dyn_cast<scf::ForOp>(op))
      body.steps.push_back(loop(inner));
    else if (auto choice = dyn_cast<scf::IfOp>(op))
      body.steps.push_back(branch(choice));
    else if (auto pipeOp = dyn_cast<PipeOpInterface>(op))
      body.steps.push_back(instruction(pipeOp));
    else if (op.getNumResults() == 1)
      if (std::optional<Step> step = scalar(&op))
        body.steps.push_back(*step);
  }
  std::reverse(body.steps.begin(), body.steps.end());
  return body;
}

KernelProgram::KernelProgram(func::FuncOp kernel) {
  Translator(kernel, *this).run();
}

} // namespace opc::aicore::proof

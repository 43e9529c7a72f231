#include "lowering/aicore/sync/ListedKernel.h"

#include "dialect/aicore/index/IndexBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace opc::aicore {

/// The guess for tiling data without a `max`: sizes and strides of tensors, beyond any offset that a list reaches.
constexpr int64_t kLarge = int64_t(1) << 24;

ListedKernel::ListedKernel(func::FuncOp kernel, const Target &target, ArrayRef<OpOrder> orders, const SyncNests &nests,
                           const DenseMap<Operation *, int> &groupOf)
    : body(kernel.getBody().front()), target(target), orders(orders), nests(nests), groupOf(groupOf) {
  kernel.walk([&](scf::ForOp loop) { bounds.insert(loop.getUpperBound()); });
  read(body);
  dropNeedless();
}

ListedOperand ListedKernel::operandOf(OpFoldResult value) {
  if (!value)
    return {};
  if (auto attribute = dyn_cast<Attribute>(value))
    return {ListedOperand::kNumber, cast<IntegerAttr>(attribute).getInt()};
  return {placeOf(cast<Value>(value))};
}

/// In a buffer an access touches a part of a slot whose offset and size follow from counters and constants alone, or
/// else the whole slot. In a tensor it touches the range of a flat view; a view of rows touches the whole tensor,
/// because the distance between rows is known only at launch.
ListedView ListedKernel::viewOf(const Access &access) {
  ListedView view;
  view.all.writes = access.writes;
  Value memref = access.memref();
  if (std::optional<TileView> tile = tileViewOf(memref)) {
    view.all.most.begin = tile->buffer.getWindowAddress();
    view.all.most.end = view.all.most.begin + tile->buffer.getBytes();
    view.all.least = view.all.reach = view.all.most;
    view.all.buffer = tile->buffer.getMemref();
    view.slot = operandOf(tile->slot ? tile->slot : OpFoldResult(Builder(memref.getContext()).getIndexAttr(0)));
    view.slots = tile->buffer.getSlots();
    view.slotBytes = tile->buffer.getSlotBytes();
    view.elementBytes = view.slotBytes / tile->buffer.getCapacity();
    view.offset = operandOf(tile->offset);
    view.size = operandOf(tile->size);
    return view;
  }
  const TensorView tensor = *tensorViewOf(memref);
  view.all.tensor = tensor.tensor;
  view.offset = operandOf(tensor.offset);
  view.size = operandOf(tensor.size);
  return view;
}

/// Returns the block's place in `blocks`.
unsigned ListedKernel::read(Block &block) {
  const auto at = unsigned(blocks.size());
  blocks.emplace_back();
  std::vector<ListedStep> steps;
  for (Operation &op : block) {
    if (auto inner = dyn_cast<scf::ForOp>(op))
      steps.push_back(stepOf(inner));
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      steps.push_back(stepOf(branch));
    else if (auto pipeOp = dyn_cast<PipeOpInterface>(op))
      steps.push_back(stepOf(pipeOp));
    else if (op.getNumResults() == 1 && op.getResult(0).getType().isIntOrIndex())
      steps.push_back(stepOf(op.getResult(0)));
  }
  blocks[at] = std::move(steps);
  return at;
}

ListedStep ListedKernel::stepOf(scf::ForOp loop) {
  ListedStep step;
  step.kind = ListedStep::Loop;
  step.result = placeOf(loop.getInductionVar());
  if (matchPattern(loop.getUpperBound(), m_Constant()))
    step.bound = loop.getUpperBound();
  step.lhs = operandOf(loop.getUpperBound());
  step.region = loop.getBody();
  step.inner = read(*loop.getBody());
  // A nest's region is its innermost body, but it is entered with the outermost loop.
  for (const auto &[region, nest] : nests) {
    if (nest.front() == loop)
      step.entered.push_back(region);
    step.counts |= nest.back() == loop;
  }
  return step;
}

ListedStep ListedKernel::stepOf(scf::IfOp branch) {
  ListedStep step;
  step.kind = ListedStep::Branch;
  step.lhs = operandOf(branch.getCondition());
  auto take = [&](Region &region, Block *&block, unsigned &place) {
    if (region.empty())
      return;
    block = &region.front();
    place = read(region.front());
  };
  take(branch.getThenRegion(), step.region, step.inner);
  take(branch.getElseRegion(), step.otherRegion, step.other);
  return step;
}

ListedStep ListedKernel::stepOf(PipeOpInterface op) {
  ListedStep step;
  step.kind = ListedStep::Issue;
  step.instruction.pipe = static_cast<unsigned>(op.getPipe());
  if (auto group = groupOf.find(op); group != groupOf.end())
    step.instruction.group = group->second;
  auto flag = [&](ListedInstruction::Kind kind, Pipe from, Pipe to, Value id) {
    step.instruction.kind = kind;
    step.instruction.channel = (unsigned(from) * kNumPipes + unsigned(to)) * target.eventIds();
    step.lhs = operandOf(id);
  };
  if (auto set = dyn_cast<SetFlagOp>(op.getOperation())) {
    flag(ListedInstruction::Set, set.getFrom(), set.getTo(), set.getId());
  } else if (auto wait = dyn_cast<WaitFlagOp>(op.getOperation())) {
    flag(ListedInstruction::Wait, wait.getFrom(), wait.getTo(), wait.getId());
  } else if (isa<PipeBarrierOp>(op)) {
    step.instruction.kind = ListedInstruction::Barrier;
  } else {
    step.work = workOf.try_emplace(op, unsigned(workOf.size())).first->second;
    for (const Access &access : accessesOf(op))
      step.spans.push_back(viewOf(access));
  }
  return step;
}

/// The result of an op of index arithmetic.
ListedStep ListedKernel::stepOf(Value result) {
  ListedStep step;
  step.result = placeOf(result);
  Operation *op = result.getDefiningOp();
  if (isa<arith::ConstantOp>(op)) {
    step.given = ListedNumber::of(knownNumber(result));
  } else if (bounds.contains(result)) {
    step.kind = ListedStep::Bound;
    step.bound = result;
    step.isRepeated = op->getBlock() != &body;
  } else if (auto data = dyn_cast<TilingDataOp>(op)) {
    // A field with a `max` may also be small, so there is no guess of slots for it.
    const int64_t large = std::max(kLarge, data.getLeast());
    if (const std::optional<int64_t> most = data.getMost())
      step.given = {std::nullopt, std::nullopt, most, data.getLeast()};
    else
      step.given = {std::nullopt, large, large, large};
  } else if (isa<BlockIdxOp>(op)) {
    step.given = {std::nullopt, 0, 0, 0};
  } else if (const std::optional<EvaluatedOp> evaluated = evaluatedOp(op)) {
    step.kind = ListedStep::Computed;
    step.op = *evaluated;
    step.lhs = operandOf(op->getOperand(0));
    step.rhs = operandOf(op->getOperand(1));
  }
  return step;
}

/// Removes steps whose values no loop, branch, flag or access needs.
void ListedKernel::dropNeedless() {
  std::vector<bool> isNeeded(places.size());
  std::vector<SmallVector<unsigned, 2>> sources(places.size());
  SmallVector<unsigned> found;
  auto need = [&](const ListedOperand &operand) {
    if (operand.place >= places.size() || isNeeded[operand.place])
      return;
    isNeeded[operand.place] = true;
    found.push_back(operand.place);
  };
  for (const std::vector<ListedStep> &steps : blocks)
    for (const ListedStep &step : steps) {
      if (step.kind == ListedStep::Computed) {
        for (const ListedOperand &operand : {step.lhs, step.rhs})
          if (operand.place < places.size())
            sources[step.result].push_back(operand.place);
        continue;
      }
      need(step.lhs);
      for (const ListedView &view : step.spans)
        for (const ListedOperand &operand : {view.slot, view.offset, view.size})
          need(operand);
    }
  while (!found.empty())
    for (unsigned source : sources[found.pop_back_val()])
      need({source});
  for (std::vector<ListedStep> &steps : blocks)
    llvm::erase_if(steps,
                   [&](const ListedStep &step) { return step.kind >= ListedStep::Given && !isNeeded[step.result]; });
}

} // namespace opc::aicore

#include "lowering/cpu/vector/planes/PositionValues.h"

#include "dialect/te/TeOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace opc::cpu {

// Buffers of a kernel: 35 KB, which stay in the L1 or L2 cache.
static constexpr size_t kMostBuffers = 8;
// Results of this many operations and more cost more than a load.
static constexpr unsigned kLeastCost = 2;

/// The operation in the payload of a generic that defines a value; null for arguments and for outer values.
static Operation *payloadOp(Value value) {
  Operation *op = value.getDefiningOp();
  return op && isa_and_nonnull<linalg::GenericOp>(op->getParentOp()) ? op : nullptr;
}

unsigned PositionValues::dependence(Value value) {
  if (auto found = dependences.find(value); found != dependences.end())
    return found->second;
  unsigned result = 0;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    // Arguments of the kernel itself are numbers of the launch.
    result = isa_and_nonnull<linalg::GenericOp>(argument.getOwner()->getParentOp()) ? unsigned(Elements) : 0;
  } else if (Operation *op = payloadOp(value)) {
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      std::optional<unsigned> loop = countedLoop(index);
      result = loop == 0u ? unsigned(Row) : loop == 1u ? unsigned(Column) : unsigned(Elements);
    } else if (isa<te::GatherOp, te::ScanOp, te::SortOp>(op)) {
      result = Elements;
    } else {
      for (Value operand : op->getOperands())
        result |= dependence(operand);
    }
  }
  return dependences[value] = result;
}

/// The number of operations that compute a value from positions, at most kLeastCost.
unsigned PositionValues::costOf(Value value) {
  Operation *op = payloadOp(value);
  if (!op || isa<linalg::IndexOp>(op))
    return 0;
  unsigned cost = isa<arith::IndexCastOp>(op) ? 0 : 1;
  for (Value operand : op->getOperands())
    cost = cost < kLeastCost ? cost + costOf(operand) : cost;
  return cost;
}

Element PositionValues::elementOf(Operation &op, llvm::LLVMContext &context) {
  if (isa<te::GatherOp>(op)) {
    llvm::Type *word = llvm::Type::getInt32Ty(context);
    return {Element::Plain, word, word, 4};
  }
  return *Element::of(op.getResult(0).getType(), context);
}

void PositionValues::keep(Operation *op) {
  if (kept.size() < kMostBuffers && !is_contained(kept, op))
    kept.push_back(op);
}

std::optional<unsigned> PositionValues::bufferOf(Operation &op) const {
  const auto *found = find(kept, &op);
  return found == kept.end() ? std::nullopt : std::optional(unsigned(found - kept.begin()));
}

void PositionValues::need(Value value) {
  Operation *op = payloadOp(value);
  if (!op || isOfRow(value) || (!isa<te::GatherOp>(op) && bufferOf(*op)) || !needed.insert(op).second)
    return;
  for (Value operand : op->getOperands())
    if (!(isa<te::GatherOp>(op) && bufferOf(*op) && isOfColumn(operand)))
      need(operand);
}

PositionValues::PositionValues(const FusedKernel &kernel) {
  if (!kernel.counts())
    return;
  for (linalg::GenericOp generic : kernel.generics)
    for (Operation &op : *generic.getBody()) {
      if (isa<te::GatherOp>(op) && llvm::any_of(op.getOperands(), [&](Value operand) { return isOfColumn(operand); }))
        keep(&op);
      // An operation on a value of columns and another value.
      const bool isOfColumns = op.getNumResults() == 1 && isOfColumn(op.getResult(0));
      if (isOfColumns || isa<te::GatherOp>(op))
        continue;
      for (Value operand : op.getOperands()) {
        Type type = operand.getType();
        if (isOfColumn(operand) && (type.isF32() || type.isInteger(32)) && costOf(operand) >= kLeastCost)
          keep(payloadOp(operand));
      }
    }
  for (linalg::GenericOp generic : kernel.generics)
    for (Value value : generic.getBody()->getTerminator()->getOperands())
      need(value);
}

} // namespace opc::cpu

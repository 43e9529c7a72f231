#include "lowering/import/te/instance/Each.h"

#include "dialect/te/TeOps.h"
#include "ops/contract/Places.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace opc {

using te::ConcatOp;
using te::FoldForm;
using te::FoldOp;
using te::StackOp;

static Value combined(OpBuilder &builder, mlir::Location at, FoldForm form, Value left, Value right) {
  switch (form) {
  case FoldForm::Add:
    return te::AddOp::create(builder, at, left, right);
  case FoldForm::Mul:
    return te::MulOp::create(builder, at, left, right);
  case FoldForm::Maximum:
    return te::MaximumOp::create(builder, at, left, right);
  case FoldForm::Minimum:
    return te::MinimumOp::create(builder, at, left, right);
  case FoldForm::And:
    return te::AndOp::create(builder, at, left, right);
  case FoldForm::Or:
    return te::OrOp::create(builder, at, left, right);
  }
  return {};
}

namespace {

/// Expands a body for a number of tensors.
class EachTaker {
public:
  EachTaker(const Contract &contract, size_t count) : contract(contract), count(count) {}
  LogicalResult take(Operation &op);
  void bind(Value all, ArrayRef<Value> values) { each[all].assign(values.begin(), values.end()); }

private:
  bool isOfEach(Operation &op) const {
    return llvm::any_of(op.getOperands(), [&](Value operand) { return each.count(operand) != 0; });
  }
  void takeFold(FoldOp fold);
  LogicalResult takeParts(Operation &op, StringRef dim);
  LogicalResult takeElementwise(Operation &op);

  const Contract &contract;
  size_t count;
  llvm::DenseMap<Value, SmallVector<Value>> each; ///< the values that replace a value of the text
};

} // namespace

void EachTaker::takeFold(FoldOp fold) {
  OpBuilder builder(fold);
  ArrayRef<Value> values = each.at(fold.getOperand());
  Value all = values.front();
  for (Value next : values.drop_front())
    all = combined(builder, fold.getLoc(), fold.getForm(), all, next);
  fold.getResult().replaceAllUsesWith(all);
}

/// A concat or a stack of all tensors, along the dimension that its name gives for this count.
LogicalResult EachTaker::takeParts(Operation &op, StringRef dim) {
  SmallVector<Value> parts;
  for (Value operand : op.getOperands())
    if (auto found = each.find(operand); found != each.end())
      llvm::append_range(parts, found->second);
    else
      parts.push_back(operand);
  const std::string along = boundParts(dim.str(), countedInput(contract)->count, count);
  // With one tensor, the sum is the tensor, and so the result.
  if (isa<ConcatOp>(op) && parts.size() == 1 && along.find('+') == std::string::npos) {
    op.getResult(0).replaceAllUsesWith(parts.front());
    return success();
  }
  OpBuilder builder(&op);
  OperationState state(op.getLoc(), op.getName());
  SmallVector<Type> types;
  state.addOperands(parts);
  state.addAttribute("dim", builder.getStringAttr(along));
  auto infer = cast<InferTypeOpInterface>(op);
  if (failed(infer.inferReturnTypes(op.getContext(), op.getLoc(), parts, op.getDiscardableAttrDictionary(),
                                    op.getPropertiesStorage(), op.getRegions(), types)))
    return failure();
  state.addTypes(types);
  op.getResult(0).replaceAllUsesWith(builder.create(state)->getResult(0));
  return success();
}

LogicalResult EachTaker::takeElementwise(Operation &op) {
  OpBuilder builder(&op);
  SmallVector<Value> results;
  for (size_t i = 0; i < count; ++i) {
    IRMapping mapping;
    for (Value operand : op.getOperands())
      if (auto found = each.find(operand); found != each.end())
        mapping.map(operand, found->second[i]);
    Operation *own = builder.clone(op, mapping);
    // One tensor may broadcast along a dimension where another does not.
    SmallVector<Type> types;
    if (failed(cast<InferTypeOpInterface>(own).inferReturnTypes(own->getContext(), own->getLoc(), own->getOperands(),
                                                                own->getDiscardableAttrDictionary(),
                                                                own->getPropertiesStorage(), own->getRegions(), types)))
      return failure();
    own->getResult(0).setType(types.front());
    results.push_back(own->getResult(0));
  }
  each[op.getResult(0)] = std::move(results);
  return success();
}

LogicalResult EachTaker::take(Operation &op) {
  if (auto concat = dyn_cast<ConcatOp>(op))
    return takeParts(op, concat.getDim());
  if (!isOfEach(op))
    return success();
  if (auto fold = dyn_cast<FoldOp>(op)) {
    takeFold(fold);
    return success();
  }
  if (auto stack = dyn_cast<StackOp>(op))
    return takeParts(op, stack.getDim());
  if (op.getNumResults() == 1 && te::isOfEach(op.getResult(0).getType()))
    return takeElementwise(op);
  return op.emitOpError("[fold_c2] expects one value, found one for each '")
         << countedInput(contract)->name << "', of which there are '" << countedInput(contract)->count << "'";
}

LogicalResult takeEach(func::FuncOp function, const Contract &contract, ArrayRef<Type> types) {
  if (!countedInput(contract))
    return success();
  const auto first = unsigned(contract.inputs.size() - types.size());
  BlockArgument all = function.getArgument(first);
  SmallVector<Value> values;
  for (auto [i, type] : llvm::enumerate(types)) {
    const unsigned place = first + 1 + unsigned(i);
    if (failed(function.insertArgument(place, type, DictionaryAttr(), all.getLoc())))
      return failure();
    values.push_back(function.getArgument(place));
  }
  EachTaker taker(contract, types.size());
  taker.bind(all, values);
  SmallVector<Operation *> written;
  for (Operation &op : function.front())
    written.push_back(&op);
  for (Operation *op : written)
    if (failed(taker.take(*op)))
      return failure();
  // From the last on: the expanded values replace them.
  for (Operation *op : llvm::reverse(written))
    if (op->use_empty() && (isa<ConcatOp>(op) || isa<FoldOp>(op) || llvm::any_of(op->getOperandTypes(), te::isOfEach)))
      op->erase();
  return function.eraseArgument(first);
}

} // namespace opc

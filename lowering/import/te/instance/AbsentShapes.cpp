#include "lowering/import/te/instance/AbsentShapes.h"

#include "dialect/te/TeOps.h"
#include "ops/contract/Places.h"
#include "ops/contract/domain/ShapeKeys.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace opc {

namespace {

/// The shapes that the values of a body have with all inputs.
class WholeShapes {
public:
  WholeShapes(func::FuncOp function, const Contract &contract);

  LogicalResult read(Operation &op);

private:
  using Shape = SmallVector<int64_t, 4>;
  Shape broadcast(Operation &op) const;
  LogicalResult restore(te::ReductionOpInterface reduction, ArrayRef<int64_t> whole);
  Value valueOfShape(Operation *before, ArrayRef<int64_t> shape);

  func::FuncOp function;
  llvm::DenseMap<Value, Shape> shapes; ///< of tensors, and of absent inputs
  llvm::DenseSet<Value> changed;       ///< values whose dimensions depend on absent inputs
};

} // namespace

WholeShapes::WholeShapes(func::FuncOp function, const Contract &contract) : function(function) {
  for (BlockArgument argument : function.getArguments())
    if (auto tensor = dyn_cast<RankedTensorType>(argument.getType()))
      shapes[argument] = Shape(tensor.getShape());
  for (auto [i, input] : llvm::enumerate(writtenInputs(contract))) {
    if (!isAbsent(contract, input))
      continue;
    BlockArgument argument = function.getArgument(unsigned(i));
    changed.insert(argument);
    // An input of another shape has no place in a contract of rows, but may be absent from one.
    for (int loop : rowsDims(input.shape, *wholeRows(contract)).value_or(std::vector<int>()))
      shapes[argument].push_back(loop < 0 ? 1 : ShapedType::kDynamic);
  }
}

/// The shape to which the operands of an elementwise operation broadcast.
WholeShapes::Shape WholeShapes::broadcast(Operation &op) const {
  Shape result;
  for (Value operand : op.getOperands()) {
    const auto found = shapes.find(operand);
    if (found == shapes.end())
      continue;
    const Shape &own = found->second;
    if (own.size() > result.size())
      result.insert(result.begin(), own.size() - result.size(), 1);
    for (size_t back = 1; back <= own.size(); ++back)
      if (int64_t size = own[own.size() - back]; size != 1)
        result[result.size() - back] = size;
  }
  return result;
}

/// A value before an operation with that shape.
Value WholeShapes::valueOfShape(Operation *before, ArrayRef<int64_t> shape) {
  auto fits = [&](Value value) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    return tensor && tensor.getShape() == shape && !tensor.getEncoding();
  };
  for (BlockArgument argument : function.getArguments())
    if (fits(argument))
      return argument;
  for (Operation &op : function.front()) {
    if (&op == before)
      break;
    if (op.getNumResults() == 1 && fits(op.getResult(0)))
      return op.getResult(0);
  }
  return {};
}

/// `whole`: the shape of the operand with all inputs.
LogicalResult WholeShapes::restore(te::ReductionOpInterface reduction, ArrayRef<int64_t> whole) {
  Value operand = reduction.getOperand();
  Shape shape(cast<RankedTensorType>(operand.getType()).getShape());
  bool isWhole = true;
  for (int64_t axis : te::normalisedAxes(reduction.getAxes(), int64_t(shape.size()))) {
    // Shapes match from the right.
    const size_t back = shape.size() - size_t(axis);
    if (shape[size_t(axis)] != 1 || back > whole.size() || whole[whole.size() - back] == 1)
      continue;
    shape[size_t(axis)] = whole[whole.size() - back];
    isWhole = false;
  }
  if (isWhole)
    return success();
  Value like = valueOfShape(reduction, shape);
  if (!like) {
    InFlightDiagnostic error = reduction->emitOpError(
        "[axes_c1] expects a tensor that has the reduced dimensions; without its absent inputs this one has none");
    error.attachNote() << "fix: 'te.broadcast' gives it the shape of another value";
    return error;
  }
  OpBuilder builder(reduction);
  reduction->setOperand(0, te::BroadcastOp::create(builder, reduction->getLoc(), operand, like, TypeAttr()));
  return success();
}

LogicalResult WholeShapes::read(Operation &op) {
  if (op.getNumResults() != 1)
    return success();
  Value result = op.getResult(0);
  auto reduction = dyn_cast<te::ReductionOpInterface>(op);
  const bool followsOperands = op.hasTrait<te::Elementwise>() || isa<te::BroadcastOp>(op) || reduction;
  if (!followsOperands || llvm::none_of(op.getOperands(), [&](Value operand) { return changed.contains(operand); })) {
    if (auto tensor = dyn_cast<RankedTensorType>(result.getType()))
      shapes[result] = Shape(tensor.getShape());
    return success();
  }
  changed.insert(result);
  shapes[result] = broadcast(op);
  if (!reduction)
    return success();
  Shape &left = shapes[result];
  const int64_t rank = cast<RankedTensorType>(reduction.getOperand().getType()).getRank();
  if (failed(restore(reduction, left)))
    return failure();
  const auto axes = te::normalisedAxes(reduction.getAxes(), rank);
  for (int64_t axis : llvm::reverse(axes)) {
    auto *at = left.end() - (rank - axis);
    if (reduction.getKeep())
      *at = 1;
    else
      left.erase(at);
  }
  return success();
}

LogicalResult keepReducedShapes(func::FuncOp function, const Contract &contract) {
  std::string reason;
  auto isGone = [&](const ContractTensor &input) { return isAbsent(contract, input); };
  if (llvm::none_of(writtenInputs(contract), isGone) || contractKind(contract, reason) != ContractKind::Rows)
    return success();
  WholeShapes shapes(function, contract);
  for (Operation &op : function.front().without_terminator())
    if (failed(shapes.read(op)))
      return failure();
  return success();
}

} // namespace opc

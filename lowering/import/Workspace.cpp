#include "lowering/import/Workspace.h"

#include "dialect/te/TeOps.h"

using namespace mlir;

namespace opc {

using te::TeDialect;

/// The last value of a function with this name.
static Value valueNamed(func::FuncOp function, StringRef name) {
  Value found;
  for (Operation &op : function.front())
    for (Value result : op.getResults())
      if (auto named = dyn_cast<NameLoc>(result.getLoc()); named && named.getName() == name)
        found = result;
  return found;
}

static Value castUnrounded(OpBuilder &builder, Value value, Type element) {
  if (cast<RankedTensorType>(value.getType()).getElementType() == element)
    return value;
  auto op = te::CastOp::create(builder, value.getLoc(), value, TypeAttr::get(element), te::Rounding::NearestEven);
  op->setAttr(TeDialect::kUnroundedAttr, builder.getUnitAttr());
  return op;
}

LogicalResult returnWorkspace(func::FuncOp function, const Contract &contract) {
  for (Operation &op : function.front())
    if (op.hasAttr(TeDialect::kUnroundedAttr)) {
      InFlightDiagnostic error = op.emitOpError("[bound_c10] expects no attributes in braces, found '")
                                 << TeDialect::kUnroundedAttr << "'";
      error.attachNote() << "fix: leave the braces out";
      return error;
    }
  if (contract.workspace.empty() || function.getNumResults() != contract.outputs.size())
    return success();
  Operation *ret = function.front().getTerminator();
  OpBuilder builder(ret);
  SmallVector<Value> returned(ret->getOperands());
  for (const ContractTensor &tensor : contract.workspace) {
    Value value = valueNamed(function, tensor.summary);
    if (!value) {
      InFlightDiagnostic error =
          function.emitOpError("[bind_c21] expects a name of letters, digits and '_' for the value '%")
          << tensor.summary << "', which reductions over other dimensions read and which the body "
          << "does not return";
      error.attachNote() << "fix: name it, as in '%mean = te.reduce_mean'";
      return error;
    }
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !(type.getElementType().isF16() || type.getElementType().isBF16() || type.getElementType().isF32())) {
      Operation *at = value.getDefiningOp();
      InFlightDiagnostic error = at->emitOpError("[bind_c21] expects floats in '")
                                 << tensor.summary << "', which reductions over other dimensions read and which the "
                                 << "body does not return, found another type";
      error.attachNote() << "fix: return it as a result, or reduce a te.cast to f32";
      return error;
    }
    returned.push_back(castUnrounded(builder, value, builder.getF32Type()));
  }
  ret->setOperands(returned);
  function.setType(
      FunctionType::get(function.getContext(), function.getArgumentTypes(), ValueRange(returned).getTypes()));
  return success();
}

Value valueOfWorkspace(Value returned) {
  auto op = returned.getDefiningOp<te::CastOp>();
  return op && op->hasAttr(TeDialect::kUnroundedAttr) ? op.getOperand() : returned;
}

Value readWorkspace(BlockArgument argument, Value value) {
  auto builder = OpBuilder::atBlockBegin(argument.getOwner());
  return castUnrounded(builder, argument, cast<RankedTensorType>(value.getType()).getElementType());
}

} // namespace opc

#include "lowering/import/Workspace.h"

#include "dialect/te/TeOps.h"
#include "ops/contract/check/Devices.h"

#include "mlir/AsmParser/AsmParser.h"

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

/// The type in which a value lies in the workspace: floats as they are computed, whole numbers and truth values in a
/// type that holds them all.
static ElementType typeInWorkspace(Type element, const Contract &contract) {
  if (element.isF64() || (isa<FloatType>(element) && contract.precision.compute == ElementType::Float64))
    return ElementType::Float64;
  if (isa<FloatType>(element))
    return ElementType::Float32;
  const unsigned width = element.getIntOrFloatBitWidth();
  if (width < 32 || !element.isUnsignedInteger())
    return width <= 32 ? ElementType::Int32 : ElementType::Int64;
  return width == 32 ? ElementType::UInt32 : ElementType::UInt64;
}

std::vector<ElementType> typesOfWorkspace(func::FuncOp function, const Contract &contract) {
  std::vector<ElementType> types;
  for (const ContractTensor &tensor : contract.workspace) {
    Value value = valueNamed(function, tensor.summary);
    auto type = value ? dyn_cast<RankedTensorType>(value.getType()) : RankedTensorType();
    types.push_back(type ? typeInWorkspace(type.getElementType(), contract) : ElementType::Float32);
  }
  return types;
}

static Value castUnrounded(OpBuilder &builder, Value value, Type element) {
  if (cast<RankedTensorType>(value.getType()).getElementType() == element)
    return value;
  auto op = te::CastOp::create(builder, value.getLoc(), value, TypeAttr::get(element), te::Rounding::NearestEven);
  op->setAttr(TeDialect::kUnroundedAttr, builder.getUnitAttr());
  return op;
}

LogicalResult returnWorkspace(func::FuncOp function, const Contract &contract, unsigned typeRow) {
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
    const ElementType type = tensor.types[typeRow];
    if (type != ElementType::Float32 && type != ElementType::Int32 &&
        !isForCpuAlone(contract, *contract.findBody(BodyLevel::Te), typeRow)) {
      InFlightDiagnostic error = value.getDefiningOp()->emitOpError("[bind_c21] expects a type of at most 32 bits in '")
                                 << tensor.summary << "', which reductions over other dimensions read, found "
                                 << cast<RankedTensorType>(value.getType()).getElementType()
                                 << ", which kernels of the AI Core do not work on";
      error.attachNote() << "fix: 'te.cast ... to i32' or to f32 before the reduction; or 'devices: cpu' below the "
                         << "body in the contract";
      return error;
    }
    returned.push_back(
        castUnrounded(builder, value, parseType(std::string(mlirTypeName(type)), function.getContext())));
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

void takeFromWorkspace(BlockArgument argument, Value value) {
  const Type element = cast<RankedTensorType>(value.getType()).getElementType();
  for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
    if (use.getOperandNumber() != 0 || !isa<te::SortOp, te::GatherOp>(use.getOwner()))
      continue;
    use.set(argument);
    Value taken = use.getOwner()->getResult(0);
    auto type = cast<RankedTensorType>(taken.getType());
    if (type.getElementType() != element)
      continue; // places
    taken.setType(type.clone(cast<RankedTensorType>(argument.getType()).getElementType()));
    OpBuilder builder(use.getOwner()->getContext());
    builder.setInsertionPointAfter(use.getOwner());
    const Value converted = castUnrounded(builder, taken, element);
    taken.replaceUsesWithIf(converted, [&](OpOperand &other) { return other.getOwner() != converted.getDefiningOp(); });
  }
}

Value readWorkspace(BlockArgument argument, Value value) {
  auto builder = OpBuilder::atBlockBegin(argument.getOwner());
  return castUnrounded(builder, argument, cast<RankedTensorType>(value.getType()).getElementType());
}

} // namespace opc

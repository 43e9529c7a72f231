#include "lowering/import/Gathers.h"

#include "dialect/te/TeOps.h"
#include "ops/contract/Shapes.h"
#include "runtime/diagnostic/Diagnostic.h"

using namespace mlir;

namespace opc {

using te::GatherOp;
using te::ScatterOp;
using te::TeDialect;

/// The input of the contract that a value is; null for a value that is computed.
static const ContractTensor *inputOf(const Contract &contract, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getArgNumber() < contract.inputs.size() ? &contract.inputs[argument.getArgNumber()]
                                                                      : nullptr;
}

static LogicalResult checkGather(GatherOp gather, const Contract &contract) {
  const std::string name = gather.getDim().str();
  auto note = [](InFlightDiagnostic &error, const std::string &fix) -> InFlightDiagnostic & {
    error.attachNote() << "fix: " << fix;
    return error;
  };
  std::vector<std::string> known;
  const ContractTensor *places = nullptr, *whole = nullptr;
  for (const ContractTensor &input : contract.inputs)
    if (input.values) {
      known.push_back(input.values->along);
      if (input.values->along == name)
        places = &input;
    }
  if (!places) {
    InFlightDiagnostic error = gather.emitOpError("[gather_c2] expects a dimension along which the values of an input "
                                                  "are places, found '")
                               << name << "'";
    std::string nearest = nearestName(name, known);
    return note(error, nearest.empty() ? "'values:' with 'along: " + name + "' below the indices in the contract"
                                       : "did you mean '" + nearest + "'?");
  }
  for (const ContractTensor &input : contract.inputs)
    for (const ContractDim &dim : input.shape)
      if (dim.kind == ContractDim::Symbol && dim.name == name)
        whole = &input;
  const ContractTensor *operand = inputOf(contract, gather.getOperand()),
                       *indices = inputOf(contract, gather.getIndices());
  auto has = [&](const ContractTensor *input) {
    return input && llvm::any_of(input->shape, [&](const ContractDim &dim) {
             return dim.kind == ContractDim::Symbol && dim.name == name;
           });
  };
  if (!has(operand)) {
    InFlightDiagnostic error = gather.emitOpError("[gather_c2] expects an input that has '") << name << "', as it is";
    return note(error, whole ? "gather from '%" + whole->name + "', and compute with what comes of it"
                             : "a shape of the contract with '" + name + "'");
  }
  if (indices != places) {
    InFlightDiagnostic error = gather.emitOpError("[gather_c2] expects the input whose values are places along '")
                               << name << "', as it is";
    return note(error, "'%" + places->name + "'");
  }
  return success();
}

LogicalResult takeGathers(func::FuncOp function, const Contract &contract, const ShapeKey &key) {
  for (Operation &op : llvm::make_early_inc_range(function.front()))
    if (auto gather = dyn_cast<GatherOp>(op)) {
      if (failed(checkGather(gather, contract)))
        return failure();
      if (key.kind != ShapeKey::Gather && key.kind != ShapeKey::Scattered)
        return gather.emitOpError("[gather_c2] expects a body without another op that takes tensors apart");
    }
  for (const ShapeKey::Operand &operand : key.operands) {
    if (!operand.indices || key.kind != ShapeKey::Gather)
      continue;
    for (Operation *user : function.getArgument(unsigned(operand.tensor)).getUsers())
      if (!isa<GatherOp>(user)) {
        InFlightDiagnostic error = user->emitOpError("[gather_c3] expects '")
                                   << operand.name
                                   << "', from which indices of the contract choose, in te.gather alone";
        error.attachNote() << "fix: '%g = te.gather %" << operand.name << ", %"
                           << contract.inputs[*operand.indices].name << " along "
                           << contract.inputs[*operand.indices].values->along << "', and compute with it";
        return error;
      }
  }
  for (Operation &op : llvm::make_early_inc_range(function.front()))
    if (auto gather = dyn_cast<GatherOp>(op)) {
      gather.getResult().replaceAllUsesWith(gather.getOperand());
      gather.erase();
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Scatters
//===----------------------------------------------------------------------===//

static bool hasDimension(const ContractTensor &tensor, StringRef name) {
  return llvm::any_of(tensor.shape,
                      [&](const ContractDim &dim) { return dim.kind == ContractDim::Symbol && dim.name == name; });
}

static LogicalResult withFix(InFlightDiagnostic error, const Twine &fix) {
  error.attachNote() << "fix: " << fix;
  return failure();
}

static LogicalResult checkScatter(ScatterOp scatter, const Contract &contract, const ShapeKey &key) {
  const StringRef name = scatter.getDim();
  const ContractTensor *places = nullptr;
  std::vector<std::string> known;
  for (const ContractTensor &input : contract.inputs)
    if (input.values) {
      known.push_back(input.values->along);
      places = input.values->along == name ? &input : places;
    }
  if (!places) {
    const std::string nearest = nearestName(name.str(), known);
    return withFix(
        scatter.emitOpError("[scatter_c2] expects a dimension along which the values of an input are places, "
                            "found '")
            << name << "'",
        nearest.empty() ? "'values:' with 'along: " + name + "' below the indices in the contract"
                        : "did you mean '" + Twine(nearest) + "'?");
  }
  const ContractTensor *data = inputOf(contract, scatter.getOperand());
  if (!data || !hasDimension(*data, name))
    return withFix(scatter.emitOpError("[scatter_c2] expects data that is an input and has '") << name << "', as it is",
                   "an operator that computes the input, and one that scatters into it");
  if (inputOf(contract, scatter.getIndices()) != places)
    return withFix(scatter.emitOpError("[scatter_c2] expects the input whose values are places along '")
                       << name << "', as it is",
                   "'%" + Twine(places->name) + "'");
  if (const ContractTensor *updates = inputOf(contract, scatter.getUpdates()); updates && hasDimension(*updates, name))
    return withFix(scatter.emitOpError("[scatter_c2] expects updates without '")
                       << name << "', found '%" << updates->name << "'",
                   "updates have the dimensions of the indices in its stead");
  if (!std::equal(data->shape.begin(), data->shape.end(), contract.outputs.front().shape.begin(),
                  contract.outputs.front().shape.end(),
                  [](const ContractDim &a, const ContractDim &b) { return printDim(a) == printDim(b); }))
    return withFix(scatter.emitOpError("[scatter_c2] expects a result of the shape of its data, found ")
                       << printShape(contract.outputs.front().shape),
                   Twine(printShape(data->shape)));
  if (key.kind != ShapeKey::Scattered)
    return scatter.emitOpError("[scatter_c2] expects a body without another op that takes tensors apart");
  return success();
}

/// What becomes of an element and its update.
static Value combined(ScatterOp scatter) {
  OpBuilder builder(scatter);
  mlir::Location location = scatter.getLoc();
  Value data = scatter.getOperand(), updates = scatter.getUpdates();
  switch (scatter.getForm()) {
  case te::ScatterForm::Set:
    return updates.getType() == data.getType()
               ? updates
               : Value(te::BroadcastOp::create(builder, location, updates, data, TypeAttr()));
  case te::ScatterForm::Add:
    return te::AddOp::create(builder, location, data, updates);
  case te::ScatterForm::Mul:
    return te::MulOp::create(builder, location, data, updates);
  case te::ScatterForm::Max:
    return te::MaximumOp::create(builder, location, data, updates);
  case te::ScatterForm::Min:
    return te::MinimumOp::create(builder, location, data, updates);
  }
  return {};
}

LogicalResult takeScatter(func::FuncOp function, const Contract &contract, const ShapeKey &key) {
  auto all = llvm::to_vector(function.front().getOps<ScatterOp>());
  if (all.empty() && key.kind == ShapeKey::Scattered) {
    const ContractTensor &output = contract.outputs.front();
    return withFix(function.emitOpError("[scatter_c2] expects a body that scatters into '")
                       << output.name << "', which has a dimension along which the values of an input are places",
                   "te.scatter, whose result is that of the body");
  }
  if (all.empty())
    return success();
  ScatterOp scatter = all.front();
  if (failed(checkScatter(scatter, contract, key)))
    return failure();
  Operation *other = all.size() > 1 ? all[1].getOperation() : nullptr;
  for (Operation *user : scatter->getUsers())
    other = user == function.front().getTerminator() ? other : user;
  for (Operation *user : scatter.getOperand().getUsers())
    other = user == scatter ? other : user;
  if (other || scatter->use_empty())
    return withFix(
        (other ? other : scatter.getOperation())
            ->emitOpError("[scatter_c3] expects one scatter, whose result is that of the body, and data that "
                          "nothing else reads"),
        "an operator that scatters, and another one for the rest");
  const std::string &data = inputOf(contract, scatter.getOperand())->name;
  function.setResultAttr(0, TeDialect::kScatteredAttr, StringAttr::get(function.getContext(), data));
  scatter.getResult().replaceAllUsesWith(combined(scatter));
  scatter.erase();
  return success();
}

} // namespace opc

#include "lowering/import/te/instance/Gathers.h"

#include "dialect/te/TeOps.h"
#include "lowering/import/Bind.h"
#include "ops/contract/Shapes.h"
#include "runtime/diagnostic/Diagnostic.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace opc {

using te::GatherOp;
using te::ScatterOp;
using te::TeDialect;

static InFlightDiagnostic &note(InFlightDiagnostic &error, const std::string &fix) {
  error.attachNote() << "fix: " << fix;
  return error;
}

static bool has(const ContractTensor *input, StringRef name) {
  return input && llvm::any_of(input->shape, [&](const ContractDim &dim) {
           return dim.kind == ContractDim::Symbol && dim.name == name;
         });
}

/// An input with a dimension of this name; null if there is none.
static const ContractTensor *inputWith(const Contract &contract, StringRef name) {
  const ContractTensor *whole = nullptr;
  for (const ContractTensor &input : contract.inputs)
    if (has(&input, name))
      whole = &input;
  return whole;
}

static LogicalResult checkOperand(GatherOp gather, const Contract &contract, StringRef name) {
  if (has(inputOf(contract, gather.getOperand()), name))
    return success();
  const ContractTensor *whole = inputWith(contract, name);
  InFlightDiagnostic error = gather.emitOpError("[gather_c2] expects a value that has '") << name << "'";
  return note(error, whole ? "gather from a value that has it, as '%" + whole->name + "' does"
                           : "a shape of the contract with '" + name.str() + "'");
}

/// Checks a gather at the indices of an input.
static LogicalResult checkGather(GatherOp gather, const Contract &contract) {
  const std::string name = cast<StringAttr>(gather.getDims()[0]).str();
  std::vector<std::string> known;
  const ContractTensor *places = nullptr;
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
  if (failed(checkOperand(gather, contract, name)))
    return failure();
  if (gather.getBeyond() != te::Beyond::Nearest) {
    InFlightDiagnostic error = gather.emitOpError("[gather_c2] expects the contract to say what values of '")
                               << places->name << "' mean that are no places, found 'beyond' in the body";
    return note(error, "'negative: from_end' below 'values:' in the contract; computed places may have 'beyond'");
  }
  if (gather.getDims().size() != 1 || inputOf(contract, gather.getIndices().front()) != places) {
    InFlightDiagnostic error = gather.emitOpError("[gather_c2] expects the input whose values are places along '")
                               << name << "', as it is";
    return note(error, "'%" + places->name + "', or a contract without 'values': a body may compute places then");
  }
  return success();
}

/// Checks a gather at computed indices, which may be the result of another nest.
static LogicalResult checkLookup(GatherOp gather, const Contract &contract, const ShapeKey &key) {
  llvm::StringSet<> named;
  for (StringRef name : gather.getDims().getAsValueRange<StringAttr>()) {
    if (failed(checkOperand(gather, contract, name)))
      return failure();
    if (!named.insert(name).second) {
      InFlightDiagnostic error = gather.emitOpError("[gather_c2] expects each dimension once, found '")
                                 << name << "' twice";
      return note(error, "an index for each dimension that is gathered");
    }
  }
  const auto number = cast<BlockArgument>(gather.getOperand()).getArgNumber();
  std::string reason;
  const Domain domain = *domainOf(contract, reason);
  for (unsigned dim : key.operandOf(number).places)
    if (!named.contains(domain.dims[dim].name)) {
      InFlightDiagnostic error = gather.emitOpError("[gather_c2] expects an index along '")
                                 << domain.dims[dim].name << "' of '" << contract.inputs[number].name
                                 << "' too, along which a body gathers";
      return note(error, "all dimensions after 'along', with an index for each");
    }
  // What other nests computed is no input whose values the contract could state.
  const ContractTensor *indices = inputOf(contract, gather.getIndices().front());
  const bool isComputed = indices >= contract.inputs.data() + (contract.inputs.size() - contract.nestReads);
  if (indices && !isComputed && gather.getDims().size() == 1) {
    const std::string along = cast<StringAttr>(gather.getDims()[0]).str();
    InFlightDiagnostic error = gather.emitOpError("[gather_c2] expects the values of '")
                               << indices->name << "' to be places along '" << along << "' in the contract";
    return note(error, "'values: {along: " + along + "}' below '" + indices->name + "' there: rows are copied then");
  }
  return success();
}

/// gather_c3.
static LogicalResult checkUsers(func::FuncOp function, const Contract &contract, const ShapeKey &key) {
  // The combination of data and updates that replaces a scatter reads the data unchanged.
  auto data = function.getResultAttrOfType<StringAttr>(0, TeDialect::kScatteredAttr);
  for (const ShapeKey::Operand &operand : key.operands) {
    const bool isScattered = operand.tensor >= contract.inputs.size() || (data && data.getValue() == operand.name);
    if (isScattered || (!operand.indices && operand.places.empty()))
      continue;
    BlockArgument argument = function.getArgument(unsigned(operand.tensor));
    for (OpOperand &use : argument.getUses()) {
      auto gather = dyn_cast<GatherOp>(use.getOwner());
      if (gather && use.getOperandNumber() == 0)
        continue;
      InFlightDiagnostic error = use.getOwner()->emitOpError("[gather_c3] expects '")
                                 << operand.name << "', from which "
                                 << (operand.indices ? "indices of the contract choose" : "a body gathers")
                                 << ", in te.gather alone";
      if (!operand.indices)
        return note(error, "an input for each use");
      return note(error, "'te.gather %" + operand.name + ", %" + contract.inputs[*operand.indices].name + " along " +
                             contract.inputs[*operand.indices].values->along + "', and compute with its result");
    }
  }
  return success();
}

LogicalResult takeGathers(func::FuncOp function, const Contract &contract, const ShapeKey &key) {
  const bool isComputed = key.kind == ShapeKey::Lookup;
  for (Operation &op : function.front())
    if (auto gather = dyn_cast<GatherOp>(op)) {
      if (failed(isComputed ? checkLookup(gather, contract, key) : checkGather(gather, contract)))
        return failure();
      if (!isComputed && key.kind != ShapeKey::Gather && key.kind != ShapeKey::Scattered)
        return gather.emitOpError("[gather_c2] expects a body without another op that takes tensors apart");
    }
  if (failed(checkUsers(function, contract, key)))
    return failure();
  // Computed indices are part of the payload.
  for (Operation &op : llvm::make_early_inc_range(function.front()))
    if (auto gather = dyn_cast<GatherOp>(op); gather && !isComputed) {
      gather.getResult().replaceAllUsesWith(gather.getOperand());
      gather.erase();
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Scatters
//===----------------------------------------------------------------------===//

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
  if (!has(data, name))
    return withFix(scatter.emitOpError("[scatter_c2] expects data that is an input and has '") << name << "', as it is",
                   "an operator that computes the input, and one that scatters into it");
  if (inputOf(contract, scatter.getIndices()) != places)
    return withFix(scatter.emitOpError("[scatter_c2] expects the input whose values are places along '")
                       << name << "', as it is",
                   "'%" + Twine(places->name) + "'");
  if (const ContractTensor *updates = inputOf(contract, scatter.getUpdates()); has(updates, name))
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

/// The combination of an element and its update.
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

#include "lowering/import/Gathers.h"

#include "dialect/te/TeOps.h"
#include "runtime/diagnostic/Diagnostic.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace opc {

using te::GatherOp;

/// The input of the contract that a value is; null for a value that is computed.
static const ContractTensor *inputOf(const Contract &contract, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getArgNumber() < contract.inputs.size() ? &contract.inputs[argument.getArgNumber()]
                                                                      : nullptr;
}

static InFlightDiagnostic &note(InFlightDiagnostic &error, const std::string &fix) {
  error.attachNote() << "fix: " << fix;
  return error;
}

static bool has(const ContractTensor *input, StringRef name) {
  return input && llvm::any_of(input->shape, [&](const ContractDim &dim) {
           return dim.kind == ContractDim::Symbol && dim.name == name;
         });
}

/// Of dimensions that the contract's shapes have with this name, an input that has it; null if none does.
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
  InFlightDiagnostic error = gather.emitOpError("[gather_c2] expects an input that has '") << name << "', as it is";
  return note(error, whole ? "gather from '%" + whole->name + "', and compute with what comes of it"
                           : "a shape of the contract with '" + name.str() + "'");
}

/// A gather at places that an input has.
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

/// A gather at places that the body computes.
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
      return note(error, "all dimensions behind 'along', with an index for each");
    }
  if (const ContractTensor *indices = inputOf(contract, gather.getIndices().front());
      indices && gather.getDims().size() == 1) {
    const std::string along = cast<StringAttr>(gather.getDims()[0]).str();
    InFlightDiagnostic error = gather.emitOpError("[gather_c2] expects the values of '")
                               << indices->name << "' to be places along '" << along << "' in the contract";
    return note(error, "'values: {along: " + along + "}' below '" + indices->name + "' there: rows are copied then");
  }
  return success();
}

/// gather_c3.
static LogicalResult checkUsers(func::FuncOp function, const Contract &contract, const ShapeKey &key) {
  for (const ShapeKey::Operand &operand : key.operands) {
    if (!operand.indices && operand.places.empty())
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
      return note(error, "'%g = te.gather %" + operand.name + ", %" + contract.inputs[*operand.indices].name +
                             " along " + contract.inputs[*operand.indices].values->along + "', and compute with it");
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
      if (!isComputed && key.kind != ShapeKey::Gather)
        return gather.emitOpError("[gather_c2] expects a body without another op that takes tensors apart");
    }
  if (failed(checkUsers(function, contract, key)))
    return failure();
  // Computed places are part of the payload.
  for (Operation &op : llvm::make_early_inc_range(function.front()))
    if (auto gather = dyn_cast<GatherOp>(op); gather && !isComputed) {
      gather.getResult().replaceAllUsesWith(gather.getOperand());
      gather.erase();
    }
  return success();
}

} // namespace opc

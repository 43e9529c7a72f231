#include "lowering/import/Gathers.h"

#include "dialect/te/TeOps.h"
#include "runtime/diagnostic/Diagnostic.h"

using namespace mlir;

namespace opc {

using te::GatherOp;

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

} // namespace opc

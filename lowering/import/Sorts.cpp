#include "lowering/import/Sorts.h"

#include "dialect/te/TeOps.h"
#include "ops/contract/Shapes.h"
#include "runtime/diagnostic/Diagnostic.h"

using namespace mlir;

namespace opc {

using te::ScatterOp;
using te::SortOp;
using te::TeDialect;

/// The input of the contract that a value is; null for a value that is computed.
static const ContractTensor *inputOf(const Contract &contract, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getArgNumber() < contract.inputs.size() ? &contract.inputs[argument.getArgNumber()]
                                                                      : nullptr;
}

static bool hasDimension(const ContractTensor &tensor, StringRef name) {
  return llvm::any_of(tensor.shape,
                      [&](const ContractDim &dim) { return dim.kind == ContractDim::Symbol && dim.name == name; });
}

/// The names of the dimensions of the contract that have one and are no pack.
static std::vector<std::string> dimensionsOf(const std::vector<ContractTensor> &tensors) {
  std::vector<std::string> names;
  for (const ContractTensor &tensor : tensors)
    for (const ContractDim &dim : tensor.shape)
      if (dim.kind == ContractDim::Symbol)
        names.push_back(dim.name);
  return names;
}

static LogicalResult withFix(InFlightDiagnostic error, const Twine &fix) {
  error.attachNote() << "fix: " << fix;
  return failure();
}

//===----------------------------------------------------------------------===//
// Sorts
//===----------------------------------------------------------------------===//

static LogicalResult checkSort(SortOp sort, const Contract &contract, const ShapeKey &key) {
  const ContractTensor *input = inputOf(contract, sort.getOperand());
  auto known = [&](StringRef name, const std::vector<ContractTensor> &tensors) {
    return llvm::any_of(tensors, [&](const ContractTensor &tensor) { return hasDimension(tensor, name); });
  };
  auto nearest = [](StringRef name, const std::vector<ContractTensor> &tensors, const Twine &otherwise) {
    std::string found = nearestName(name.str(), dimensionsOf(tensors));
    return found.empty() ? otherwise.str() : "did you mean '" + found + "'?";
  };
  if (!known(sort.getDim(), contract.inputs))
    return withFix(sort.emitOpError("[sort_c2] expects a dimension of an input that has a name and is no pack, found '")
                       << sort.getDim() << "'",
                   nearest(sort.getDim(), contract.inputs, "a name in the shape of the input, as N in [...S, N]"));
  if (!known(sort.getTo(), contract.outputs) || sort.getTo() == sort.getDim())
    return withFix(
        sort.emitOpError("[sort_c2] expects a dimension of results that they have in the place of '")
            << sort.getDim() << "', found '" << sort.getTo() << "'",
        sort.getTo() == sort.getDim()
            ? "another name, K, whose size is the same: 'equals: " + sort.getDim() + "' below 'dimensions'"
            : Twine(nearest(sort.getTo(), contract.outputs, "a name in the shape of a result, as K in [...S, K]")));
  if (!input || !hasDimension(*input, sort.getDim()))
    return withFix(sort.emitOpError("[sort_c2] expects an input that has '") << sort.getDim() << "', as it is",
                   "sort an input, and compute with what comes of it");
  if (key.kind != ShapeKey::Sorted)
    return sort.emitOpError("[sort_c2] expects a body without another op that takes tensors apart");
  return success();
}

LogicalResult nameSorts(func::FuncOp function, const Contract &contract, const ShapeKey &key) {
  SortOp first;
  for (SortOp sort : function.front().getOps<SortOp>()) {
    if (failed(checkSort(sort, contract, key)))
      return failure();
    first = first ? first : sort;
    if (sort.getOperand() != first.getOperand() || sort.getDim() != first.getDim() || sort.getTo() != first.getTo() ||
        sort.getDescending() != first.getDescending())
      return withFix(sort.emitOpError("[sort_c3] expects sorts of one input, along one dimension and in one direction, "
                                      "found another than the one before it"),
                     "an operator for each");
    sort.setLoop(int64_t(key.scanned));
  }
  if (!first)
    return success();
  for (Operation *user : first.getOperand().getUsers())
    if (!isa<SortOp>(user)) {
      const std::string name = inputOf(contract, first.getOperand())->name;
      return withFix(user->emitOpError("[sort_c3] expects '") << name << "', whose lines are sorted, in te.sort alone",
                     "compute with the sorted elements");
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Scatters
//===----------------------------------------------------------------------===//

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
                   "'te.scatter add %x into %data by %places along V'");
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

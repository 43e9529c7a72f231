#include "lowering/import/Parts.h"

#include "dialect/te/TeOps.h"
#include "runtime/diagnostic/Diagnostic.h"

using namespace mlir;

namespace opc {

using te::SliceOp;
using te::StackOp;

namespace {

/// Where a part is along each dimension of the domain along which it is one.
using Indices = std::map<unsigned, int64_t>;
using Mark = llvm::function_ref<DictionaryAttr(const ShapeKey::Operand &)>;

class PartTaker {
public:
  PartTaker(func::FuncOp function, const Contract &contract, const ShapeKey &key)
      : function(function), contract(contract), key(key) {
    std::string reason;
    if (std::optional<ContractKind> kind = contractKind(contract, reason); kind == ContractKind::Domain)
      domain = domainOf(contract, reason);
    if (domain)
      operands = operandsOf(contract, *domain);
  }

  LogicalResult take(Mark mark);

private:
  LogicalResult takeInputs(Mark mark, SmallVectorImpl<BlockArgument> &wholes);
  LogicalResult takeOutputs(Mark mark);
  LogicalResult eraseParts();
  bool isParted(size_t tensor) const {
    return llvm::any_of(operands,
                        [&](const DomainOperand &each) { return each.tensor == tensor && !each.index.empty(); });
  }
  FailureOr<unsigned> dimOf(Operation *op, StringRef name) const;
  int64_t partsAlong(unsigned dim) const;
  LogicalResult readSlices(BlockArgument whole, ArrayRef<Value> parts);
  LogicalResult readSlice(SliceOp slice, Indices index, ArrayRef<Value> parts, size_t tensor);
  LogicalResult readStack(Value value, size_t tensor, Indices index, llvm::MutableArrayRef<Value> parts);
  size_t placeOf(size_t tensor, const Indices &index) const;

  func::FuncOp function;
  const Contract &contract;
  const ShapeKey &key;
  std::optional<Domain> domain;
  std::vector<DomainOperand> operands;
};

} // namespace

/// The dimension of the domain that a slice or a stack names.
FailureOr<unsigned> PartTaker::dimOf(Operation *op, StringRef name) const {
  StringRef rule = isa<SliceOp>(op) ? "slice_c1" : "stack_c2";
  std::vector<std::string> names;
  for (unsigned dim = 0; domain && dim < domain->dims.size(); ++dim) {
    if (domain->parted[dim] && domain->dims[dim].name == name)
      return dim;
    if (domain->dims[dim].kind == ContractDim::Symbol)
      names.push_back(domain->dims[dim].name);
  }
  InFlightDiagnostic error = op->emitOpError("[")
                             << rule << "] expects a dimension of the contract, found '" << name << "'";
  std::string nearest = nearestName(name.str(), names);
  if (!nearest.empty())
    error.attachNote() << "fix: did you mean '" << nearest << "'?";
  else
    error.attachNote() << "fix: shapes say which dimensions there are: a part of 'P*D' is along P";
  return failure();
}

int64_t PartTaker::partsAlong(unsigned dim) const {
  int64_t most = 0;
  for (const DomainOperand &each : operands)
    for (auto [of, index] : each.index)
      if (of == dim)
        most = std::max(most, index + 1);
  return most;
}

/// The position of a part among those of its tensor.
size_t PartTaker::placeOf(size_t tensor, const Indices &index) const {
  size_t place = 0;
  for (const DomainOperand &each : operands) {
    if (each.tensor != tensor)
      continue;
    if (Indices(each.index.begin(), each.index.end()) == index)
      return place;
    ++place;
  }
  return place;
}

static LogicalResult refuse(SliceOp slice, StringRef found) {
  return slice.emitOpError("[slice_c1] expects an input that has '") << slice.getDim() << "', found one " << found;
}

/// Replaces the uses of a slice, whose operand is the part `index` of a tensor so far.
LogicalResult PartTaker::readSlice(SliceOp slice, Indices index, ArrayRef<Value> parts, size_t tensor) {
  FailureOr<unsigned> dim = dimOf(slice, slice.getDim());
  if (failed(dim))
    return failure();
  int64_t size = partsAlong(*dim), at = int64_t(slice.getIndex());
  if (!domain->has(tensor, *dim) || index.count(*dim))
    return refuse(slice, index.count(*dim) ? "that is a part along it already" : "without it");
  if (at < 0 || at >= size)
    return slice.emitOpError("[slice_c2] expects an index from 0 to ")
           << size - 1 << ", since '" << slice.getDim() << "' is " << size << ", found " << at;
  index[*dim] = at;
  if (size_t place = placeOf(tensor, index); place < parts.size()) {
    slice.getResult().replaceAllUsesWith(parts[place]);
    return success();
  }
  for (Operation *user : slice.getResult().getUsers()) {
    auto next = dyn_cast<SliceOp>(user);
    if (!next)
      return user->emitOpError("[slice_c1] expects parts along all dimensions of which a body takes parts: '")
             << contract.inputs[tensor].name << "' has another one than '" << slice.getDim() << "'";
    if (failed(readSlice(next, index, parts, tensor)))
      return failure();
  }
  return success();
}

LogicalResult PartTaker::readSlices(BlockArgument whole, ArrayRef<Value> parts) {
  size_t tensor = whole.getArgNumber();
  for (Operation *user : whole.getUsers()) {
    auto slice = dyn_cast<SliceOp>(user);
    if (!slice) {
      InFlightDiagnostic error = user->emitOpError("[slice_c1] expects parts of '")
                                 << contract.inputs[tensor].name << "', of which a body takes parts elsewhere";
      error.attachNote() << "fix: take each part by 'te.slice', and make a result of parts by 'te.stack'";
      return error;
    }
    if (failed(readSlice(slice, {}, parts, tensor)))
      return failure();
  }
  return success();
}

/// Finds the parts of a result that are made by stacks.
LogicalResult PartTaker::readStack(Value value, size_t tensor, Indices index, llvm::MutableArrayRef<Value> parts) {
  if (size_t place = placeOf(tensor, index); place < parts.size()) {
    parts[place] = value;
    return success();
  }
  const std::string &name = contract.outputs[tensor - contract.inputs.size()].name;
  auto stack = value.getDefiningOp<StackOp>();
  if (!stack) {
    InFlightDiagnostic error = emitError(value.getLoc(), "[stack_c2] expects a result of parts for '")
                               << name << "', which has a dimension along which the body takes parts";
    error.attachNote() << "fix: return '%" << name << "' of '%" << name << " = te.stack ... along ...'";
    return error;
  }
  FailureOr<unsigned> dim = dimOf(stack, stack.getDim());
  if (failed(dim))
    return failure();
  int64_t size = partsAlong(*dim), found = int64_t(stack.getParts().size());
  if (!domain->has(tensor, *dim) || index.count(*dim))
    return stack.emitOpError("[stack_c2] expects a dimension of '")
           << name << "', found '" << stack.getDim() << "', "
           << (index.count(*dim) ? "along which it is stacked already" : "which it does not have");
  if (found != size)
    return stack.emitOpError("[stack_c2] expects ")
           << size << " operands, since '" << stack.getDim() << "' is " << size << ", found " << found;
  for (auto [at, part] : llvm::enumerate(stack.getParts())) {
    index[*dim] = int64_t(at);
    if (failed(readStack(part, tensor, index, parts)))
      return failure();
  }
  return success();
}

LogicalResult PartTaker::takeInputs(Mark mark, SmallVectorImpl<BlockArgument> &wholes) {
  // From the last on, so that numbers of arguments before stay those of tensors.
  for (size_t i = contract.inputs.size(); i-- > 0;) {
    if (!isParted(i))
      continue;
    BlockArgument whole = function.getArgument(unsigned(i));
    SmallVector<Value> parts;
    unsigned next = unsigned(i) + 1;
    for (const ShapeKey::Operand &operand : key.operands) {
      if (operand.tensor != i)
        continue;
      if (failed(function.insertArgument(next, whole.getType(), mark(operand), whole.getLoc())))
        return failure();
      parts.push_back(function.getArgument(next++));
    }
    if (failed(readSlices(whole, parts)))
      return failure();
    wholes.push_back(whole);
  }
  return success();
}

LogicalResult PartTaker::takeOutputs(Mark mark) {
  auto ret = cast<func::ReturnOp>(function.front().getTerminator());
  SmallVector<Value> returned;
  SmallVector<Attribute> marks;
  size_t inputs = contract.inputs.size();
  for (size_t i = 0; i < contract.outputs.size(); ++i) {
    SmallVector<Value> parts(
        size_t(llvm::count_if(key.operands, [&](const ShapeKey::Operand &each) { return each.tensor == inputs + i; })));
    if (!isParted(inputs + i))
      parts = {ret.getOperand(unsigned(i))};
    else if (failed(readStack(ret.getOperand(unsigned(i)), inputs + i, {}, parts)))
      return failure();
    llvm::append_range(returned, parts);
  }
  ret->setOperands(returned);
  for (const ShapeKey::Operand &operand : key.operands)
    if (operand.tensor >= inputs)
      marks.push_back(mark(operand));
  // The importer has marked whole results.
  function.setType(FunctionType::get(function.getContext(), function.getArgumentTypes(), ret.getOperandTypes()));
  function.setAllResultAttrs(marks);
  return success();
}

/// Removes slices and stacks, which nothing uses any more. Reports those that are no parts of inputs or results.
LogicalResult PartTaker::eraseParts() {
  // Stacks first, since they use what slices give.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.front()))) {
    auto slice = dyn_cast<SliceOp>(op);
    auto stack = dyn_cast<StackOp>(op);
    if (!slice && !stack)
      continue;
    if (op.use_empty()) {
      op.erase();
      continue;
    }
    if (failed(dimOf(&op, slice ? slice.getDim() : stack.getDim())))
      return failure();
    if (slice && isa<BlockArgument>(slice.getOperand()))
      return refuse(slice, "without it");
    InFlightDiagnostic error = op.emitOpError(slice ? "[slice_c1] expects a part of an input"
                                                    : "[stack_c2] expects a result of the body, which is returned");
    error.attachNote() << (slice ? "fix: slice the input, and compute with its parts"
                                 : "fix: compute with the parts, and stack what comes of them");
    return error;
  }
  return success();
}

LogicalResult PartTaker::take(Mark mark) {
  SmallVector<BlockArgument> wholes;
  if (failed(takeInputs(mark, wholes)) || failed(takeOutputs(mark)) || failed(eraseParts()))
    return failure();
  for (BlockArgument whole : wholes)
    if (failed(function.eraseArgument(whole.getArgNumber())))
      return failure();
  return success();
}

LogicalResult takeParts(func::FuncOp function, const Contract &contract, const ShapeKey &key, Mark mark) {
  bool hasParts = false;
  for (Operation &op : function.front())
    hasParts |= isa<SliceOp, StackOp>(op);
  hasParts |=
      llvm::any_of(key.operands, [&](const ShapeKey::Operand &each) { return &each != &key.operandOf(each.tensor); });
  return hasParts ? PartTaker(function, contract, key).take(mark) : success();
}

} // namespace opc

#include "lowering/import/te/instance/Parts.h"

#include "dialect/te/TeOps.h"
#include "lowering/import/Workspace.h"
#include "lowering/import/te/instance/Concats.h"
#include "ops/contract/Shapes.h"
#include "ops/contract/domain/Nests.h"
#include "ops/contract/domain/Ranges.h"
#include "ops/contract/domain/Reductions.h"
#include "runtime/diagnostic/Diagnostic.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <set>

using namespace mlir;

namespace opc {

using te::BroadcastOp;
using te::ConcatOp;
using te::SliceOp;
using te::StackOp;

namespace {

/// The part or range of a tensor that a value is.
struct Selection {
  std::map<unsigned, int64_t> index; ///< its index along each dimension of the domain along which it is a part
  std::set<std::string> terms;       ///< of the sums along which it is a range
  bool operator==(const Selection &other) const { return index == other.index && terms == other.terms; }
  bool isWhole() const { return index.empty() && terms.empty(); }
};
using Mark = llvm::function_ref<DictionaryAttr(const ShapeKey::Operand &)>;

class PartTaker {
public:
  PartTaker(func::FuncOp function, const Contract &contract, const ShapeKey &key);

  LogicalResult take(Mark mark);

private:
  LogicalResult takeResults(Mark mark);
  void eraseOthers();
  LogicalResult takeInputs(Mark mark, SmallVectorImpl<BlockArgument> &wholes);
  LogicalResult takeOutputs(Mark mark);
  LogicalResult eraseParts();
  LogicalResult checkWholes(ArrayRef<BlockArgument> wholes);
  FailureOr<SmallVector<int64_t>> shapeInNest(ArrayRef<int64_t> whole) const;
  LogicalResult takeLoops();
  LogicalResult checkRangeLoops();
  void inferTypes();
  void fillResults();
  /// Whether operands of the key replace a tensor, or none does; else the tensor itself is an operand.
  bool isParted(size_t tensor) const {
    return key.nest || llvm::any_of(operands, [&](const PartOperand &each) {
             return each.tensor == tensor && !each.selection.isWhole();
           });
  }
  /// Whether an operand of the key is a result that this nest writes. A nest may read results of nests before it.
  bool isWritten(const ShapeKey::Operand &operand) const {
    return operand.tensor >= contract.inputs.size() && !llvm::is_contained(readResults, operand.tensor);
  }
  FailureOr<unsigned> dimOf(Operation *op, StringRef name) const;
  int64_t partsAlong(unsigned dim) const;
  const ContractDim *sumNamed(size_t tensor, StringRef name) const;
  const ContractDim *rangeOf(size_t tensor, StringRef sum) const;
  std::optional<std::string> termOf(Operation *op, size_t tensor, StringRef name) const;
  LogicalResult readSlices(BlockArgument whole, ArrayRef<Value> parts);
  LogicalResult readSlice(SliceOp slice, Selection selection, ArrayRef<Value> parts, size_t tensor);
  LogicalResult readStack(Value value, size_t tensor, Selection selection, llvm::MutableArrayRef<Value> parts);
  LogicalResult readConcat(ConcatOp concat, size_t tensor, Selection selection, llvm::MutableArrayRef<Value> parts);
  size_t placeOf(size_t tensor, const Selection &selection) const;

  struct PartOperand {
    size_t tensor;
    Selection selection;
  };

  func::FuncOp function;
  const Contract &contract;
  const ShapeKey &key;
  std::optional<Domain> domain;                      ///< of the contract, or of the nest
  std::map<size_t, size_t> inDomain;                 ///< tensors of the contract in the domain
  std::map<size_t, std::vector<ContractDim>> shapes; ///< their shapes there
  std::vector<PartOperand> operands;                 ///< in the order of those of the key
  std::vector<size_t> readResults;                   ///< the outputs that the nest reads
};

} // namespace

PartTaker::PartTaker(func::FuncOp function, const Contract &contract, const ShapeKey &key)
    : function(function), contract(contract), key(key) {
  std::string reason;
  if (contractKind(contract, reason) != ContractKind::Domain)
    return;
  LaunchNest own{contract, {}};
  if (key.nest)
    own = nestsOf(contract, reason)[*key.nest];
  for (size_t i = 0; i < own.contract.inputs.size() + own.contract.outputs.size(); ++i) {
    size_t tensor = key.nest ? own.tensors[i] : i;
    inDomain[tensor] = i;
    if (i < own.contract.inputs.size() && tensor >= contract.inputs.size())
      readResults.push_back(tensor);
    shapes[tensor] = own.contract.tensorAt(i).shape;
  }
  domain = domainOf(own.contract, reason);
  if (!domain)
    return;
  for (const DomainOperand &each : operandsOf(own.contract, *domain)) {
    PartOperand operand{key.nest ? own.tensors[each.tensor] : each.tensor, {}};
    operand.selection.index.insert(each.index.begin(), each.index.end());
    for (const ContractDim &dim : shapes[operand.tensor])
      if (!dim.sum.empty())
        operand.selection.terms.insert(printDim(dim));
    operands.push_back(std::move(operand));
  }
}

/// A dimension of a tensor of the contract that is this sum, or contains this term.
const ContractDim *PartTaker::sumNamed(size_t tensor, StringRef name) const {
  for (const ContractDim &dim : contract.tensorAt(tensor).shape)
    if (!dim.terms.empty() &&
        (name == dim.name || llvm::any_of(dim.terms, [&](const ContractDim &term) { return name == printDim(term); })))
      return &dim;
  return nullptr;
}

/// The range of a sum that a tensor has in this nest; null if it has none, or all of it.
const ContractDim *PartTaker::rangeOf(size_t tensor, StringRef sum) const {
  auto shape = shapes.find(tensor);
  if (shape != shapes.end())
    for (const ContractDim &dim : shape->second)
      if (!dim.sum.empty() && sum == dim.sum.front().name)
        return &dim;
  return nullptr;
}

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
  for (size_t tensor = 0; tensor < contract.inputs.size() + contract.outputs.size(); ++tensor)
    for (const ContractDim &dim : contract.tensorAt(tensor).shape)
      for (const ContractDim &term : dim.terms)
        names.push_back(printDim(term));
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
  for (const PartOperand &each : operands)
    for (auto [of, index] : each.selection.index)
      if (of == dim)
        most = std::max(most, index + 1);
  return most;
}

/// The position of a part among those of its tensor.
size_t PartTaker::placeOf(size_t tensor, const Selection &selection) const {
  size_t place = 0;
  for (const PartOperand &each : operands) {
    if (each.tensor != tensor)
      continue;
    if (each.selection == selection)
      return place;
    ++place;
  }
  return place;
}

static LogicalResult refuse(SliceOp slice, StringRef found) {
  return slice.emitOpError("[slice_c1] expects an input that has '") << slice.getDim() << "', found one " << found;
}

/// Replaces the uses of a slice, whose operand is the part `index` of a tensor so far.
LogicalResult PartTaker::readSlice(SliceOp slice, Selection selection, ArrayRef<Value> parts, size_t tensor) {
  if (!slice.getIndex()) {
    const ContractDim *sum = sumNamed(tensor, slice.getDim());
    bool isTerm = sum && slice.getDim() != sum->name;
    if (!isTerm) {
      InFlightDiagnostic error = slice.emitOpError("[slice_c1] expects a term of a sum that '")
                                 << contract.inputs[tensor].name
                                 << "' has as a dimension, or a part, 'at' an index, found '" << slice.getDim() << "'";
      std::vector<std::string> terms;
      for (const ContractDim &dim : contract.inputs[tensor].shape)
        for (const ContractDim &term : dim.terms)
          terms.push_back(printDim(term));
      if (const std::string nearest = nearestName(slice.getDim().str(), terms); !nearest.empty())
        error.attachNote() << "fix: did you mean '" << nearest << "'?";
      return error;
    }
    if (!selection.terms.insert(slice.getDim().str()).second)
      return refuse(slice, "that is a range along it already");
    // A range of another nest: nothing of this nest may need it.
    const ContractDim *own = rangeOf(tensor, sum->name);
    if (!own || printDim(*own) != slice.getDim())
      return success();
  } else {
    FailureOr<unsigned> dim = dimOf(slice, slice.getDim());
    if (failed(dim))
      return failure();
    int64_t size = partsAlong(*dim), at = int64_t(*slice.getIndex());
    auto known = inDomain.find(tensor);
    bool has = known != inDomain.end() && domain->has(known->second, *dim);
    if (!has || selection.index.count(*dim))
      return refuse(slice, has ? "that is a part along it already" : "without it");
    if (at < 0 || at >= size)
      return slice.emitOpError("[slice_c2] expects an index from 0 to ")
             << size - 1 << ", since '" << slice.getDim() << "' is " << size << ", found " << at;
    selection.index[*dim] = at;
  }
  if (size_t place = placeOf(tensor, selection); place < parts.size()) {
    slice.getResult().replaceAllUsesWith(parts[place]);
    return success();
  }
  for (Operation *user : slice.getResult().getUsers()) {
    auto next = dyn_cast<SliceOp>(user);
    if (!next)
      return user->emitOpError("[slice_c1] expects parts along all dimensions of which a body takes parts: '")
             << contract.inputs[tensor].name << "' has another one than '" << slice.getDim() << "'";
    if (failed(readSlice(next, selection, parts, tensor)))
      return failure();
  }
  return success();
}

LogicalResult PartTaker::readSlices(BlockArgument whole, ArrayRef<Value> parts) {
  size_t tensor = whole.getArgNumber();
  if (size_t place = placeOf(tensor, {}); place < parts.size()) {
    // The slices of it are for other nests, and are dead here.
    whole.replaceUsesWithIf(parts[place], [](OpOperand &use) { return !isa<SliceOp>(use.getOwner()); });
  }
  for (Operation *user : whole.getUsers()) {
    auto slice = dyn_cast<SliceOp>(user);
    if (!slice && parts.empty())
      continue; // of another nest
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
LogicalResult PartTaker::readStack(Value value, size_t tensor, Selection selection,
                                   llvm::MutableArrayRef<Value> parts) {
  if (size_t place = placeOf(tensor, selection); place < parts.size()) {
    parts[place] = value;
    return success();
  }
  const std::string &name = contract.outputs[tensor - contract.inputs.size()].name;
  if (auto concat = value.getDefiningOp<ConcatOp>())
    return readConcat(concat, tensor, std::move(selection), parts);
  for (const ContractDim &dim : shapes[tensor])
    if (!dim.sum.empty() && !selection.terms.count(printDim(dim))) {
      InFlightDiagnostic error = emitError(value.getLoc(), "[concat_c2] expects a result of ranges for '")
                                 << name << "', whose dimension '" << dim.sum.front().name << "' the body takes apart";
      error.attachNote() << "fix: '%" << name << " = te.concat ... along " << dim.sum.front().name << "', sums further "
                         << "left outside";
      return error;
    }
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
  if (!domain->has(inDomain[tensor], *dim) || selection.index.count(*dim))
    return stack.emitOpError("[stack_c2] expects a dimension of '")
           << name << "', found '" << stack.getDim() << "', "
           << (selection.index.count(*dim) ? "along which it is stacked already" : "which it does not have");
  if (found != size)
    return stack.emitOpError("[stack_c2] expects ")
           << size << " operands, since '" << stack.getDim() << "' is " << size << ", found " << found;
  for (auto [at, part] : llvm::enumerate(stack.getParts())) {
    selection.index[*dim] = int64_t(at);
    if (failed(readStack(part, tensor, selection, parts)))
      return failure();
  }
  return success();
}

/// Follows the operand of a concat for the range of this nest.
LogicalResult PartTaker::readConcat(ConcatOp concat, size_t tensor, Selection selection,
                                    llvm::MutableArrayRef<Value> parts) {
  const std::string &name = contract.outputs[tensor - contract.inputs.size()].name;
  const ContractDim *sum = sumNamed(tensor, concat.getDim());
  if (!sum || sum->name != concat.getDim())
    return concat.emitOpError("[concat_c2] expects a sum that '")
           << name << "' has as a dimension, found '" << concat.getDim() << "'";
  if (concat.getParts().size() != sum->terms.size())
    return concat.emitOpError("[concat_c2] expects ") << sum->terms.size() << " operands, one for each term of '"
                                                      << sum->name << "', found " << concat.getParts().size();
  const ContractDim *range = rangeOf(tensor, sum->name);
  if (!range || !selection.terms.insert(printDim(*range)).second)
    return concat.emitOpError("[concat_c2] expects sums from the left to the right, each once, and none in a range "
                              "whose length no input has, found '")
           << concat.getDim() << "' of '" << name << "'";
  return readStack(concat.getParts()[unsigned(range->place)], tensor, std::move(selection), parts);
}

/// The type of an operand of the key, of the elements of a whole tensor.
static Type typeIn(const ShapeKey::Operand &operand, Type whole) {
  SmallVector<int64_t> shape;
  for (int dim : operand.dims)
    shape.push_back(dim < 0 ? 1 : ShapedType::kDynamic);
  return cast<RankedTensorType>(whole).clone(shape);
}

/// The results of nests before this one are arguments, which replace the returned values.
LogicalResult PartTaker::takeResults(Mark mark) {
  Operation *ret = function.front().getTerminator();
  unsigned next = unsigned(contract.inputs.size());
  for (size_t result : readResults) {
    const size_t number = result - contract.inputs.size();
    const bool isBetween = number >= contract.outputs.size();
    Value value = ret->getOperand(unsigned(number));
    value = isBetween ? valueOfWorkspace(value) : value;
    SmallVector<Value> equal = {value}; // reductions that differed in `keep`, which all have here
    for (Operation &op : function.front())
      if (op.getNumResults() == 1 && value.getDefiningOp() &&
          OperationEquivalence::isEquivalentTo(&op, value.getDefiningOp(), OperationEquivalence::exactValueMatch,
                                               nullptr, OperationEquivalence::IgnoreLocations))
        equal.push_back(op.getResult(0));
    const ShapeKey::Operand &operand = key.operandOf(result);
    Type type = typeIn(operand, function.getResultTypes()[number]);
    if (failed(function.insertArgument(next, type, mark(operand), value.getLoc())))
      return failure();
    if (isBetween)
      for (Value each : equal)
        takeFromWorkspace(function.getArgument(next), each);
    const Value read = isBetween ? readWorkspace(function.getArgument(next), value) : function.getArgument(next);
    for (Value each : equal)
      each.replaceUsesWithIf(read, [&](OpOperand &use) { return use.getOwner() != ret; });
    ++next;
  }
  return success();
}

/// Removes what is for results of other nests alone. In their places a number is returned.
void PartTaker::eraseOthers() {
  Operation *ret = function.front().getTerminator();
  OpBuilder builder(ret);
  Value none =
      te::ConstantOp::create(builder, ret->getLoc(), builder.getF64FloatAttr(0.0), TypeAttr::get(builder.getF32Type()));
  for (OpOperand &value : ret->getOpOperands()) {
    const size_t tensor = contract.inputs.size() + value.getOperandNumber();
    if (llvm::none_of(key.operands, [&](const auto &each) { return each.tensor == tensor && isWritten(each); }))
      value.set(none);
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

LogicalResult PartTaker::takeInputs(Mark mark, SmallVectorImpl<BlockArgument> &wholes) {
  // From the last one on, so that earlier arguments keep the numbers of tensors.
  for (size_t i = contract.inputs.size(); i-- > 0;) {
    if (!isParted(i))
      continue;
    BlockArgument whole = function.getArgument(unsigned(i));
    SmallVector<Value> parts;
    unsigned next = unsigned(i) + 1;
    for (const ShapeKey::Operand &operand : key.operands) {
      if (operand.tensor != i)
        continue;
      if (failed(function.insertArgument(next, typeIn(operand, whole.getType()), mark(operand), whole.getLoc())))
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
  for (size_t i = 0; i < contract.outputs.size() + contract.workspace.size(); ++i) {
    SmallVector<Value> parts(
        size_t(llvm::count_if(key.operands, [&](const ShapeKey::Operand &each) { return each.tensor == inputs + i; })));
    if (llvm::is_contained(readResults, inputs + i))
      continue;
    if (!isParted(inputs + i))
      parts = {ret.getOperand(unsigned(i))};
    else if (!parts.empty() && failed(readStack(ret.getOperand(unsigned(i)), inputs + i, {}, parts)))
      return failure();
    llvm::append_range(returned, parts);
  }
  ret->setOperands(returned);
  for (const ShapeKey::Operand &operand : key.operands)
    if (isWritten(operand))
      marks.push_back(mark(operand));
  // The importer has marked whole results.
  SmallVector<Type> results(ret.getOperandTypes());
  for (auto [result, operand] :
       llvm::zip(results, llvm::make_filter_range(key.operands, [&](const auto &each) { return isWritten(each); })))
    if (key.nest)
      result = typeIn(operand, function.getResultTypes()[operand.tensor - inputs]);
  function.setType(FunctionType::get(function.getContext(), function.getArgumentTypes(), results));
  function.setAllResultAttrs(marks);
  return success();
}

/// Removes unused slices and stacks. Reports those that are not parts of inputs or results.
LogicalResult PartTaker::eraseParts() {
  // Stacks first, since they use slices.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.front()))) {
    auto slice = dyn_cast<SliceOp>(op);
    auto stack = dyn_cast<StackOp>(op);
    // Computations of other nests.
    if (key.nest && isOpTriviallyDead(&op)) {
      op.erase();
      continue;
    }
    if (auto concat = dyn_cast<ConcatOp>(op); concat && !op.use_empty())
      return refuseRead(concat);
    if (slice && !slice.getIndex() && !op.use_empty()) {
      InFlightDiagnostic error = op.emitOpError("[slice_c3] expects ranges along the same terms: that along '")
                                 << slice.getDim() << "' meets others, or is for a result without it";
      error.attachNote() << "fix: te.concat concatenates ranges of different terms";
      return error;
    }
    if (!slice && !stack && !isa<ConcatOp>(op))
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

/// Refuses ops that still read a tensor that the nest does not have.
LogicalResult PartTaker::checkWholes(ArrayRef<BlockArgument> wholes) {
  for (BlockArgument whole : wholes) {
    if (whole.use_empty())
      continue;
    auto name = function.getArgAttrOfType<StringAttr>(whole.getArgNumber(), te::TeDialect::kNameAttr);
    std::vector<std::string> results;
    for (const auto &[tensor, shape] : shapes)
      if (tensor >= contract.inputs.size())
        results.push_back("'" + contract.tensorAt(tensor).name + "' of " + printShape(shape));
    InFlightDiagnostic error = (*whole.user_begin())
                                   ->emitOpError("[slice_c3] expects inputs that have the dimensions of "
                                                 "the range, which is ")
                               << results.front() << "; '" << name.getValue() << "' has others";
    error.attachNote() << "fix: te.slice takes the range of an input that has the sum";
    return error;
  }
  return success();
}

/// The shape over the loops of the nest that a shape over the dimensions of the domain has there. Fails if the nest
/// lacks a dimension of it, or has a loop of which it has a part.
FailureOr<SmallVector<int64_t>> PartTaker::shapeInNest(ArrayRef<int64_t> whole) const {
  std::string reason;
  const std::optional<Domain> ofAll = domainOf(contract, reason);
  const Contract own = nestsOf(contract, reason)[*key.nest].contract;
  const std::optional<DomainNest> nest = domain ? nestOf(own, *domain, reason) : std::nullopt;
  if (!ofAll || !nest || ofAll->dims.size() != whole.size() || nest->loops.size() < key.loops)
    return failure();
  std::set<std::string> named, found;
  for (auto [dim, size] : llvm::zip(ofAll->dims, whole))
    if (size != 1)
      named.insert(printDim(dim));
  auto hasDims = [&](const DomainLoop &loop) -> std::optional<bool> {
    const auto count =
        size_t(llvm::count_if(loop.dims, [&](unsigned dim) { return named.count(printDim(domain->dims[dim])) > 0; }));
    return count == 0 || count == loop.dims.size() ? std::optional(count > 0) : std::nullopt;
  };
  for (const ContractDim &dim : domain->dims)
    if (named.count(printDim(dim)))
      found.insert(printDim(dim));
  if (found != named)
    return failure();
  const ArrayRef<DomainLoop> loops = ArrayRef<DomainLoop>(nest->loops).take_back(key.loops);
  SmallVector<int64_t> shape;
  for (auto [number, loop] : llvm::enumerate(loops)) {
    const bool isOfRuns = number == 0 && !nest->runs.empty();
    std::optional<bool> has;
    for (const DomainLoop &each : isOfRuns ? ArrayRef<DomainLoop>(nest->runs) : ArrayRef<DomainLoop>(loop)) {
      std::optional<bool> own = each.dims.empty() ? true : hasDims(each);
      if (!own || (has && has != own))
        return failure();
      has = own;
    }
    // A loop without dimensions is treated like the other reduced loops.
    if (loop.dims.empty() && loop.reduced)
      for (const DomainLoop &other : loops)
        has = *has && (!other.reduced || other.dims.empty() || hasDims(other).value_or(false));
    shape.push_back(*has ? ShapedType::kDynamic : 1);
  }
  return shape;
}

/// Each reduction of a nest of ranges is over the dimensions that the nest reduces; its axes name them after the first
/// (te::AxisFrame).
LogicalResult PartTaker::checkRangeLoops() {
  const std::vector<std::string> names = reducedInRanges(contract);
  std::string own;
  for (auto [dim, isReduced] : llvm::zip_equal(domain->dims, domain->reduced))
    if (isReduced)
      own += (own.empty() ? "" : ", ") + printDim(dim);
  for (Operation &op : function.front()) {
    // A fill value has the loops of the nest (moveConcats).
    auto hasLoops = [](BroadcastOp broadcast) {
      return llvm::all_of(cast<RankedTensorType>(*broadcast.getShape()).getShape(), ShapedType::isDynamic);
    };
    if (auto broadcast = dyn_cast<BroadcastOp>(op);
        broadcast && broadcast.getShape() && !names.empty() && !hasLoops(broadcast))
      return op.emitOpError("[bound_c6] expects a value that has dimensions of its own, where a body reduces ranges");
    auto reduction = dyn_cast<te::ReductionOpInterface>(op);
    if (!reduction)
      continue;
    // Its list of axes is that of the range, or names a dimension that the range does not reduce (Ranges.cpp).
    std::string found;
    bool isOwn = true;
    for (int64_t axis : reduction.getAxes()) {
      if (axis < 2)
        continue;
      const std::string &name = names[size_t(axis) - 2];
      found += (found.empty() ? "" : ", ") + name;
      isOwn &= llvm::any_of(llvm::zip_equal(domain->dims, domain->reduced),
                            [&](auto each) { return std::get<1>(each) && printDim(std::get<0>(each)) == name; });
    }
    if (isOwn)
      continue;
    InFlightDiagnostic error =
        op.emitOpError("[axes_c3] expects a reduction over all dimensions that its range of the results reduces, ")
        << (own.empty() ? "which are none" : "[" + own + "]") << ", found [" << found << "]";
    error.attachNote() << "fix: reduce a range along its own term, and all ranges of a result along the same others";
    return error;
  }
  return success();
}

/// From the dimensions of the domain to the loops of the nest: axes of reductions, and shapes that a tensor names.
LogicalResult PartTaker::takeLoops() {
  SmallVector<int64_t> axes;
  for (auto [loop, isReduced] : llvm::enumerate(key.reduced))
    if (isReduced)
      axes.push_back(int64_t(loop));
  for (Operation &op : function.front()) {
    if (auto reduction = dyn_cast<te::ReductionOpInterface>(op))
      op.setAttr("axes", DenseI64ArrayAttr::get(op.getContext(), axes));
    auto broadcast = dyn_cast<BroadcastOp>(op);
    auto iota = dyn_cast<te::IotaOp>(op);
    const std::optional<Type> shape = broadcast ? broadcast.getShape() : iota ? iota.getShape() : std::nullopt;
    if (!shape || splitsSums(contract))
      continue;
    auto named = cast<RankedTensorType>(*shape);
    FailureOr<SmallVector<int64_t>> own = shapeInNest(named.getShape());
    if (failed(own)) {
      InFlightDiagnostic error = op.emitOpError("[bound_c6] expects a shape whose dimensions the results have that are "
                                                "computed from it, or that they reduce");
      error.attachNote() << "fix: 'to' another value that has the dimensions, or an operator for each set of axes";
      return error;
    }
    auto type = TypeAttr::get(RankedTensorType::get(*own, named.getElementType()));
    if (broadcast)
      broadcast.setShapeAttr(type);
    else
      iota.setShapeAttr(type);
  }
  return success();
}

/// Infers the types of results again: the operands of a nest may broadcast along a dimension.
void PartTaker::inferTypes() {
  for (Operation &op : function.front()) {
    auto infer = dyn_cast<InferTypeOpInterface>(op);
    SmallVector<Type> types;
    if (!infer ||
        failed(infer.inferReturnTypes(op.getContext(), op.getLoc(), op.getOperands(), op.getDiscardableAttrDictionary(),
                                      op.getPropertiesStorage(), op.getRegions(), types)))
      continue;
    for (auto [result, type] : llvm::zip(op.getResults(), types))
      result.setType(type);
  }
}

/// Broadcasts results that lack a dimension of their range, such as scalars.
void PartTaker::fillResults() {
  Operation *ret = function.front().getTerminator();
  OpBuilder builder(ret);
  size_t next = 0;
  for (const ShapeKey::Operand &operand : key.operands) {
    if (!isWritten(operand))
      continue;
    Value value = ret->getOperand(unsigned(next));
    auto whole = cast<RankedTensorType>(function.getResultTypes()[next]);
    ret->setOperand(unsigned(next++), filled(builder, value, whole));
  }
}

LogicalResult PartTaker::take(Mark mark) {
  SmallVector<BlockArgument> wholes;
  if (failed(takeResults(mark)))
    return failure();
  if (key.nest && reducesApart(contract))
    eraseOthers();
  if (failed(takeInputs(mark, wholes)) || failed(takeOutputs(mark)) || failed(eraseParts()))
    return failure();
  if (key.nest) {
    const bool takesRanges = splitsSums(contract);
    if (failed(checkWholes(wholes)) || (takesRanges && failed(checkRangeLoops())) ||
        ((reducesApart(contract) || takesRanges) && failed(takeLoops())))
      return failure();
    inferTypes();
    fillResults();
  }
  for (BlockArgument whole : wholes)
    if (failed(function.eraseArgument(whole.getArgNumber())))
      return failure();
  return success();
}

LogicalResult takeParts(func::FuncOp function, const Contract &contract, const ShapeKey &key, Mark mark) {
  bool hasParts = false;
  for (Operation &op : function.front())
    hasParts |= isa<SliceOp, StackOp, ConcatOp>(op);
  hasParts |=
      llvm::any_of(key.operands, [&](const ShapeKey::Operand &each) { return &each != &key.operandOf(each.tensor); });
  return hasParts || key.nest ? PartTaker(function, contract, key).take(mark) : success();
}

} // namespace opc

#include "lowering/schedule/tiling/SizeValues.h"

using namespace mlir;
using opc::aicore::AICoreDialect;
using opc::aicore::SizeAttr;

namespace opc {

std::optional<int64_t> SizeValues::knownSize(SizeKind kind, int64_t dim, StringRef tensor) const {
  auto shape = shapes.find(tensor.str());
  if (shape == shapes.end())
    return std::nullopt;
  auto rank = static_cast<int64_t>(shape->second.size());
  int64_t position = dim < 0 ? rank + dim : dim, elements = 1;
  switch (kind) {
  case SizeKind::NumElements:
    for (int64_t size : shape->second)
      elements *= size; // completeShapes checked that it fits
    return elements;
  case SizeKind::Rank:
    return rank;
  case SizeKind::Dim:
    return position < 0 || position >= rank ? 1 : shape->second[size_t(position)];
  case SizeKind::MaxBlocks:
  case SizeKind::Reduced:
    break;
  }
  return std::nullopt;
}

Value SizeValues::input(SizeKind kind, int64_t dim, StringRef tensor) {
  Value &value = inputs[{kind, dim, tensor.str()}];
  if (value)
    return value;
  if (std::optional<int64_t> known = knownSize(kind, dim, tensor))
    return value = math.constant(*known);
  MLIRContext *context = function.getContext();
  StringAttr name = tensor.empty() ? StringAttr() : StringAttr::get(context, tensor);
  auto attribute = builder.getNamedAttr(AICoreDialect::kSizeAttr, SizeAttr::get(context, kind, dim, name));
  unsigned index = function.getNumArguments();
  (void)function.insertArgument(index, builder.getIndexType(), builder.getDictionaryAttr(attribute), function.getLoc());
  return value = function.getArgument(index);
}

Value SizeValues::dimOf(const ContractTensor &tensor, unsigned fromLast) {
  return input(SizeKind::Dim, -static_cast<int64_t>(fromLast), tensor.name);
}

/// The dimensions of a tensor before its pack; all of them without one.
static unsigned beforePack(const ContractTensor &tensor) {
  return unsigned(llvm::find_if(tensor.shape, [](const ContractDim &dim) { return dim.kind == ContractDim::Pack; }) -
                  tensor.shape.begin());
}

/// The size of a dimension of a tensor that is not a pack. Dimensions before the pack count from the first dimension of
/// the tensor, later ones from the last.
Value SizeValues::sizeAt(const ContractTensor &tensor, unsigned place) {
  if (place < beforePack(tensor))
    return input(SizeKind::Dim, place, tensor.name);
  return dimOf(tensor, unsigned(tensor.shape.size()) - place);
}

Value SizeValues::sizeNamed(const std::string &name) {
  Value &known = sizesOfNames[name];
  if (known)
    return known;
  auto equation = llvm::find_if(equations, [&](const SizeEquation &each) { return each.name == name; });
  if (equation != equations.end() && equation->value.op == SizeExpression::Const)
    return known = math.constant(equation->value.value);
  // A batch broadcasts along its pack alone.
  auto hasOwnSizes = [](const ContractTensor &tensor) {
    return tensor.broadcast == Broadcast::None || tensor.broadcast == Broadcast::Batch;
  };
  for (size_t i = 0; i < contract.inputs.size() + contract.outputs.size(); ++i)
    for (auto [place, dim] : llvm::enumerate(contract.tensorAt(i).shape))
      if (hasOwnSizes(contract.tensorAt(i)) && dim.kind == ContractDim::Symbol && dim.name == name)
        return known = sizeAt(contract.tensorAt(i), unsigned(place));
  // contract_c24: inputs and equations determine every size.
  assert(equation != equations.end() && "a size that nothing determines");
  Value value = valueOf(equation->value);
  // The rest of a sum is not negative, since otherwise the launch was refused.
  auto leaves = [](const SizeExpression &size) { return size.op == SizeExpression::Sub; };
  if (leaves(equation->value) ||
      (equation->value.op == SizeExpression::FloorDiv && leaves(equation->value.operands[0])))
    value = math.max(value, math.constant(0));
  return sizesOfNames[name] = value;
}

Value SizeValues::valueOf(const SizeExpression &size) {
  SmallVector<Value, 3> operands;
  for (const SizeExpression &operand : size.operands)
    operands.push_back(valueOf(operand));
  Value zero = math.constant(0), one = math.constant(1);
  switch (size.op) {
  case SizeExpression::Const:
    return math.constant(size.value);
  case SizeExpression::Symbol:
    return sizeNamed(size.symbol);
  case SizeExpression::Add:
    return math.add(operands[0], operands[1]);
  case SizeExpression::Sub:
    return math.sub(operands[0], operands[1]);
  case SizeExpression::Mul:
    return math.mul(operands[0], operands[1]);
  case SizeExpression::FloorDiv:
    return math.floorDiv(operands[0], operands[1]);
  case SizeExpression::CeilDiv:
    return math.ceilDiv(operands[0], operands[1]);
  case SizeExpression::Rem:
    return math.rem(operands[0], operands[1]);
  case SizeExpression::Min:
    return math.min(operands[0], operands[1]);
  case SizeExpression::Max:
    return math.max(operands[0], operands[1]);
  case SizeExpression::Lt:
    return math.selectLess(operands[0], operands[1], one, zero);
  case SizeExpression::Eq:
    return math.selectEqual(operands[0], operands[1], one, zero);
  case SizeExpression::Select:
    return math.selectEqual(operands[0], zero, operands[2], operands[1]);
  }
  llvm_unreachable("every operation on sizes is listed");
}

/// The tensor with the shape of the domain, or, if that has several packs, an input with only this one.
const ContractTensor &SizeValues::withPack(const Domain &domain, const ContractDim &pack) const {
  auto isPack = [](const ContractDim &dim) { return dim.kind == ContractDim::Pack; };
  const ContractTensor &whole = of->tensorAt(domain.whole);
  if (llvm::count_if(whole.shape, isPack) == 1 && llvm::find_if(whole.shape, isPack)->name == pack.name)
    return whole;
  // contract_c23 and c24: inputs have one pack each, and determine those of the results.
  for (const ContractTensor &input : of->inputs)
    if (auto found = llvm::find_if(input.shape, isPack);
        found != input.shape.end() && found->name == pack.name && input.broadcast == Broadcast::None)
      return input;
  return whole;
}

// The pack has as many dimensions as fit beside the others; those that a launch lacks have size 1.
SmallVector<Value> SizeValues::sizesOfDim(const Domain &domain, unsigned dim) {
  const ContractDim &own = domain.dims[dim];
  const ContractTensor &whole = own.kind == ContractDim::Pack ? withPack(domain, own) : of->tensorAt(domain.whole);
  // Without products and ranges, the tensor with the shape of the domain has all of them, in the same places.
  if ((domain.hasProducts || domain.hasRanges || domain.multiplies || domain.windows || domain.gathers() ||
       domain.isOfAll || of->nestTakesUnits) &&
      own.kind != ContractDim::Pack)
    return {own.kind == ContractDim::Fixed ? math.constant(own.size) : sizeNamed(own.name)};
  unsigned front = beforePack(whole), count = unsigned(whole.shape.size());
  if (own.kind != ContractDim::Pack)
    return {sizeAt(whole, dim)};
  unsigned behind = count - front;
  SmallVector<Value> sizes;
  Value one = math.constant(1);
  for (unsigned fromLast = behind; fromLast + front <= kMaxRank; ++fromLast) {
    Value size = dimOf(whole, fromLast);
    // Without dimensions before the pack, a dimension that the tensor lacks has size 1.
    if (front > 0)
      size = math.selectLess(input(SizeKind::Rank, 0, whole.name), math.constant(fromLast + front), one, size);
    sizes.push_back(size);
  }
  return sizes;
}

Value SizeValues::productOf(const Domain &domain, ArrayRef<unsigned> dims) {
  Value product = math.constant(1);
  for (unsigned dim : dims)
    for (Value size : sizesOfDim(domain, dim))
      product = math.mul(product, size);
  return product;
}

Value SizeValues::elementsFrom(const Domain &domain, size_t tensor, size_t place) {
  const std::vector<ContractDim> &shape = domain.shapes[tensor];
  if (place >= shape.size())
    return math.constant(1);
  if (!shape[place].sum.empty())
    return math.mul(sizeNamed(shape[place].sum.front().name),
                    elementsFrom(domain, tensor, place + placesOfRange(shape[place])));
  Value inner = elementsFrom(domain, tensor, place + 1);
  int dim = domain.tensors[tensor][place];
  return dim < 0 ? inner : math.mul(productOf(domain, {unsigned(dim)}), inner);
}

/// The stride of a loop in an input with windows, from its dimensions without windows; 0 if it has none. In memory the
/// dimensions with windows come after them.
Value SizeValues::strideOfWindowed(const Domain &domain, const DomainLoop &loop) {
  const WindowedInput &windows = *domain.windows;
  const std::vector<int> &own = domain.tensors[windows.tensor];
  size_t plain = own.size() - 2 * windows.axes.size();
  std::optional<size_t> last;
  for (size_t place = 0; place < plain; ++place)
    if (llvm::is_contained(loop.dims, unsigned(own[place])))
      last = place;
  if (!last)
    return math.constant(0);
  Value stride = math.constant(1);
  for (const AxisWindow &axis : windows.axes)
    stride = math.mul(stride, sizeNamed(axis.over.name));
  for (size_t place = *last + 1; place < plain; ++place)
    if (own[place] >= 0)
      stride = math.mul(stride, productOf(domain, {unsigned(own[place])}));
  return stride;
}

Value SizeValues::strideOf(const Domain &domain, size_t tensor, const DomainLoop &loop) {
  if (loop.dims.empty() || !hasLoop(domain, tensor, loop))
    return math.constant(0);
  const std::vector<int> &own = domain.tensors[tensor];
  if (domain.windows && domain.windows->tensor == tensor)
    return strideOfWindowed(domain, loop);
  return elementsFrom(domain, tensor, size_t(llvm::find(own, int(loop.dims.back())) - own.begin()) + 1);
}

Value SizeValues::sizeOfTerm(const ContractDim &term) {
  Value size = math.constant(1);
  for (const ContractDim &leaf : leavesOf(term))
    size = math.mul(size, leaf.kind == ContractDim::Fixed ? math.constant(leaf.size) : sizeNamed(leaf.name));
  return size;
}

Value SizeValues::startOf(const Domain &domain, const DomainOperand &part) {
  Value start = math.constant(0);
  for (auto [dim, index] : part.index)
    start = math.add(start, math.mul(math.constant(index), strideOf(domain, part.tensor, {{dim}, false})));
  for (auto [place, dim] : llvm::enumerate(domain.shapes[part.tensor])) {
    if (dim.sum.empty())
      continue;
    Value before = math.constant(0);
    for (const ContractDim &term : ArrayRef(dim.sum.front().terms).take_front(dim.place))
      before = math.add(before, sizeOfTerm(term));
    start = math.add(start, math.mul(before, elementsFrom(domain, part.tensor, place + placesOfRange(dim))));
  }
  return start;
}

} // namespace opc

// Evaluates size expressions and compiles them for the scalar machine. evalInteger alone defines each operation.

#include "ops/contract/Shapes.h"

#include <algorithm>
#include <charconv>

namespace opc {

static ScalarOp scalarOp(SizeExpression::Op op) {
  switch (op) {
  case SizeExpression::Add:
    return ScalarOp::Add;
  case SizeExpression::Sub:
    return ScalarOp::Sub;
  case SizeExpression::Mul:
    return ScalarOp::Mul;
  case SizeExpression::FloorDiv:
    return ScalarOp::FloorDiv;
  case SizeExpression::CeilDiv:
    return ScalarOp::CeilDiv;
  case SizeExpression::Rem:
    return ScalarOp::Rem;
  case SizeExpression::Min:
    return ScalarOp::Min;
  case SizeExpression::Max:
    return ScalarOp::Max;
  case SizeExpression::Lt:
    return ScalarOp::Lt;
  case SizeExpression::Eq:
    return ScalarOp::Eq;
  case SizeExpression::Select:
    return ScalarOp::Select;
  case SizeExpression::Const:
  case SizeExpression::Symbol:
    return ScalarOp::Const;
  }
  return ScalarOp::Const;
}

EvalStatus evaluate(const SizeExpression &expression, const std::map<std::string, int64_t> &symbols, int64_t &result) {
  if (expression.op == SizeExpression::Const) {
    result = expression.value;
    return EvalStatus::Ok;
  }
  if (expression.op == SizeExpression::Symbol) {
    auto position = symbols.find(expression.symbol);
    if (position == symbols.end())
      return EvalStatus::BadProgram;
    result = position->second;
    return EvalStatus::Ok;
  }
  int64_t values[3] = {0, 0, 0};
  for (size_t i = 0; i < expression.operands.size(); ++i) {
    EvalStatus status = evaluate(expression.operands[i], symbols, values[i]);
    if (status != EvalStatus::Ok)
      return status;
  }
  return evalInteger(scalarOp(expression.op), values[0], values[1], values[2], result);
}

static void collectSymbols(const SizeExpression &size, std::vector<std::string> &inputs) {
  if (size.op == SizeExpression::Symbol) {
    for (const std::string &input : inputs)
      if (input == size.symbol)
        return;
    inputs.push_back(size.symbol);
  }
  for (const SizeExpression &operand : size.operands)
    collectSymbols(operand, inputs);
}

/// Appends the code of one node and returns its register. Every node has a register of its own.
static uint16_t compileNode(const SizeExpression &size, SizeCode &result) {
  if (size.op == SizeExpression::Symbol)
    for (size_t i = 0; i < result.inputs.size(); ++i)
      if (result.inputs[i] == size.symbol)
        return static_cast<uint16_t>(i);
  uint16_t registers[3] = {0, 0, 0};
  for (size_t i = 0; i < size.operands.size(); ++i)
    registers[i] = compileNode(size.operands[i], result);
  ScalarInstruction instruction{scalarOp(size.op)};
  instruction.dst = result.numRegisters++;
  instruction.a = registers[0];
  instruction.b = registers[1];
  instruction.imm = size.op == SizeExpression::Const ? size.value : registers[2];
  result.code.push_back(instruction);
  return instruction.dst;
}

SizeCode compileSize(const SizeExpression &expression) {
  SizeCode result;
  collectSymbols(expression, result.inputs);
  result.numRegisters = static_cast<uint16_t>(result.inputs.size());
  compileNode(expression, result);
  if (!result.code.empty())
    return result;
  // A single symbol writes no register, but the format demands one: add 0 to it.
  SizeExpression zero;
  uint16_t right = compileNode(zero, result);
  ScalarInstruction add{ScalarOp::Add};
  add.dst = result.numRegisters++;
  add.b = right;
  result.code.push_back(add);
  return result;
}

//===----------------------------------------------------------------------===//
// Equations of a contract
//===----------------------------------------------------------------------===//

static SizeExpression sizeOf(const ContractDim &dim) {
  SizeExpression size;
  size.location = dim.location;
  size.op = dim.kind == ContractDim::Fixed ? SizeExpression::Const : SizeExpression::Symbol;
  size.value = dim.size;
  size.symbol = dim.name;
  return size;
}

static SizeExpression combine(SizeExpression::Op op, SizeExpression a, SizeExpression b) {
  SizeExpression size;
  size.op = op;
  size.location = a.location;
  size.operands = {std::move(a), std::move(b)};
  return size;
}

static SizeExpression productOf(const std::vector<ContractDim> &dims) {
  SizeExpression product = sizeOf(dims.front());
  for (size_t i = 1; i < dims.size(); ++i)
    product = combine(SizeExpression::Mul, std::move(product), sizeOf(dims[i]));
  return product;
}

static SizeExpression sumOf(const std::vector<ContractDim> &terms) {
  std::optional<SizeExpression> sum;
  for (const ContractDim &term : terms) {
    SizeExpression size = term.factors.empty() ? sizeOf(term) : productOf(term.factors);
    sum = sum ? combine(SizeExpression::Add, std::move(*sum), std::move(size)) : std::move(size);
  }
  return *sum;
}

/// The symbol in a product or a sum when the others are known: the whole minus the other terms, divided by the other
/// factors of its term.
static SizeExpression remainderOf(const ContractDim &whole, const std::string &symbol) {
  SizeExpression left = sizeOf(whole), one;
  one.value = 1;
  const ContractDim *own = &whole;
  std::vector<ContractDim> otherTerms, others;
  for (const ContractDim &term : whole.terms) {
    std::vector<ContractDim> leaves = leavesOf(term);
    bool hasIt =
        std::any_of(leaves.begin(), leaves.end(), [&](const ContractDim &leaf) { return leaf.name == symbol; });
    if (hasIt)
      own = &term;
    else
      otherTerms.push_back(term);
  }
  if (!otherTerms.empty())
    left = combine(SizeExpression::Sub, std::move(left), sumOf(otherTerms));
  for (const ContractDim &each : own->factors)
    if (each.name != symbol)
      others.push_back(each);
  if (others.empty())
    return left;
  return combine(SizeExpression::FloorDiv, std::move(left), combine(SizeExpression::Max, productOf(others), one));
}

namespace {

/// Propagates known sizes through equations until nothing changes.
class KnownSizes {
public:
  KnownSizes(const Contract &contract);

  std::set<std::string> names;          ///< packs with their dots
  std::vector<SizeEquation> remainders; ///< of the remaining factor of a product, or the remaining term of a sum

private:
  bool isKnown(const SizeExpression &size) const;
  bool addEquations();
  bool addRemainders();

  const Contract &contract;
  std::vector<ContractDim> composed; ///< products and sums of required inputs
};

} // namespace

KnownSizes::KnownSizes(const Contract &contract) : contract(contract) {
  for (const ContractTensor &input : contract.inputs)
    for (const ContractDim &dim : input.shape) {
      // A one-element input declares the shape that it stretches to, so it binds nothing.
      if (input.isOptional() || input.broadcast == Broadcast::Scalar || dim.kind == ContractDim::Fixed)
        continue;
      names.insert(printDim(dim));
      if (!dim.factors.empty() || !dim.terms.empty())
        composed.push_back(dim);
    }
  while (addEquations() || addRemainders())
    ;
}

bool KnownSizes::isKnown(const SizeExpression &size) const {
  if (size.op == SizeExpression::Symbol && !names.count(size.symbol) && !isAttributeOfSizes(contract, size.symbol))
    return false;
  return std::all_of(size.operands.begin(), size.operands.end(),
                     [&](const SizeExpression &each) { return isKnown(each); });
}

bool KnownSizes::addEquations() {
  bool added = false;
  for (const ContractDimension &dimension : contract.dimensions)
    if (dimension.equals && isKnown(*dimension.equals))
      added |= names.insert(dimension.name).second;
  return added;
}

bool KnownSizes::addRemainders() {
  for (const ContractDim &whole : composed) {
    std::vector<std::string> open;
    for (const ContractDim &leaf : leavesOf(whole))
      if (leaf.kind == ContractDim::Symbol && !names.count(leaf.name))
        open.push_back(leaf.name);
    const ContractDimension *described = open.size() == 1 ? contract.findDimension(open[0]) : nullptr;
    if (open.size() != 1 || (described && described->equals))
      continue;
    names.insert(open[0]);
    remainders.push_back({open[0], remainderOf(whole, open[0])});
    return true;
  }
  return false;
}

/// The attribute and the element of its list that "strides[1]" names.
static std::pair<std::string, std::optional<size_t>> elementOfList(const std::string &name) {
  size_t open = name.find('['), element = 0;
  if (open == std::string::npos)
    return {name, std::nullopt};
  std::from_chars(name.data() + open + 1, name.data() + name.size(), element);
  return {name.substr(0, open), element};
}

bool isAttributeOfSizes(const Contract &contract, const std::string &name) {
  auto [own, element] = elementOfList(name);
  const ContractAttribute *attribute = contract.findAttribute(own);
  return attribute && attribute->type == (element ? AttributeType::ListInt : AttributeType::Int) &&
         attribute->binding == Binding::Compile;
}

std::optional<int64_t> valueOfSize(const Contract &contract, const std::string &name) {
  if (!isAttributeOfSizes(contract, name))
    return std::nullopt;
  auto [own, element] = elementOfList(name);
  const AttributeValue &value = contract.findAttribute(own)->defaultValue;
  if (const auto *one = std::get_if<int64_t>(&value))
    return *one;
  if (const auto *list = std::get_if<std::vector<int64_t>>(&value); list && element && *element < list->size())
    return (*list)[*element];
  return std::nullopt;
}

std::set<std::string> knownSizes(const Contract &contract) {
  return KnownSizes(contract).names;
}

std::set<std::string> symbolsOf(const Contract &contract) {
  std::set<std::string> names;
  for (const auto *tensors : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *tensors)
      for (const ContractDim &dim : tensor.shape) {
        names.insert(dim.name);
        for (const ContractDim &leaf : leavesOf(dim))
          names.insert(leaf.name);
      }
  for (const ContractDimension &dimension : contract.dimensions)
    names.insert(dimension.name);
  return names;
}

/// Replaces attributes that have a value. A symbol of the same name takes precedence.
static void bindAttributes(const Contract &contract, const std::set<std::string> &symbols, SizeExpression &size) {
  for (SizeExpression &operand : size.operands)
    bindAttributes(contract, symbols, operand);
  if (size.op != SizeExpression::Symbol || symbols.count(size.symbol))
    return;
  if (std::optional<int64_t> value = valueOfSize(contract, size.symbol)) {
    size.op = SizeExpression::Const;
    size.value = *value;
  }
}

std::vector<SizeEquation> equationsOf(const Contract &contract) {
  std::vector<SizeEquation> equations;
  const std::set<std::string> symbols = symbolsOf(contract);
  for (const ContractDimension &dimension : contract.dimensions)
    if (dimension.equals) {
      equations.push_back({dimension.name, *dimension.equals});
      bindAttributes(contract, symbols, equations.back().value);
    }
  std::vector<SizeEquation> remainders = KnownSizes(contract).remainders;
  std::move(remainders.begin(), remainders.end(), std::back_inserter(equations));
  std::set<std::string> composed;
  for (const auto *tensors : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *tensors)
      for (const ContractDim &dim : tensor.shape)
        if ((!dim.factors.empty() || !dim.terms.empty()) && composed.insert(dim.name).second)
          equations.push_back({dim.name, dim.terms.empty() ? productOf(dim.factors) : sumOf(dim.terms)});
  return equations;
}

} // namespace opc

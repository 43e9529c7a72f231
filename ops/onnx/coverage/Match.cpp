// Symbols of the model are replaced by witnesses in the shapes of a contract: each symbol is a different prime, and a
// result of that size has the symbol. If a contract refuses witnesses, nothing is decided, since two symbols may be
// equal at a launch; if it refuses known sizes, the node does not match.

#include "ops/onnx/coverage/Matcher.h"

#include "ops/contract/Places.h"
#include "ops/contract/Shapes.h"
#include "ops/onnx/TensorData.h"

#include <algorithm>

namespace opc::onnx {

std::optional<std::vector<int64_t>> Fact::sizes() const {
  if (!shape)
    return std::nullopt;
  std::vector<int64_t> result;
  for (const Dim &dim : *shape) {
    if (!dim.size)
      return std::nullopt;
    result.push_back(*dim.size);
  }
  return result;
}

std::string factText(const Fact &fact) {
  if (fact.type == ElementType::Undefined && !fact.shape)
    return "?";
  std::string text(fact.type == ElementType::Undefined ? "?" : elementTypeName(fact.type));
  if (!fact.shape)
    return text;
  text += "[";
  for (size_t i = 0; i < fact.shape->size(); ++i) {
    const Dim &dim = (*fact.shape)[i];
    text += i == 0 ? "" : ", ";
    text += dim.size ? std::to_string(*dim.size) : dim.symbol.empty() ? "?" : printable(dim.symbol, 40);
  }
  return text + "]";
}

namespace {

/// A witness for an unknown size: a prime that no model has by accident.
class Witnesses {
public:
  int64_t of(const Dim &dim) {
    if (dim.size)
      return *dim.size;
    for (size_t i = 0; i < symbols.size(); ++i)
      if (!dim.symbol.empty() && symbols[i] == dim.symbol)
        return kPrimes[i];
    if (symbols.size() == std::size(kPrimes))
      return -1;
    symbols.push_back(dim.symbol);
    return kPrimes[symbols.size() - 1];
  }
  Dim dimOf(int64_t size) const {
    Dim dim;
    for (size_t i = 0; i < symbols.size(); ++i)
      if (kPrimes[i] == size)
        return Dim{std::nullopt, symbols[i]};
      else if (size != 0 && size % kPrimes[i] == 0)
        return Dim{}; // computed from it: unknown
    dim.size = size;
    return dim;
  }
  bool any() const { return !symbols.empty(); }

private:
  static constexpr int64_t kPrimes[] = {1299709, 1299721, 1299743, 1299763, 1299791, 1299811, 1299817, 1299821,
                                        1299827, 1299833, 1299841, 1299853, 1299869, 1299877, 1299899, 1299903};
  std::vector<std::string_view> symbols;
};

} // namespace

std::string quoted(std::string_view name) {
  return "'" + printable(name, 60) + "'";
}

bool Matcher::checkOpset(int64_t opset) {
  if (opset >= form.since && opset <= form.until)
    return true;
  return no("the contract's form holds for opsets " + std::to_string(form.since) + " to " + std::to_string(form.until) +
            ", the model has " + std::to_string(opset));
}

bool Matcher::checkOperands() {
  size_t count = node.inputs.size();
  while (count > 0 && node.inputs[count - 1].empty())
    --count;
  if (count > form.inputs.size())
    return no("the node has " + std::to_string(count) + " operands, the contract " +
              std::to_string(form.inputs.size()));
  for (size_t i = 0; i < form.inputs.size(); ++i) {
    const ContractOnnxOperand &operand = form.inputs[i];
    auto input = std::find_if(contract.inputs.begin(), contract.inputs.end(), [&](const ContractTensor &each) {
      return !operand.name.empty() && each.name == operand.name;
    });
    if (input == contract.inputs.end()) {
      if (!checkConstant(i, operand))
        return false;
      continue;
    }
    bool given = i < node.inputs.size() && !node.inputs[i].empty();
    if (!given && !input->isOptional())
      return no("operand " + std::to_string(i + 1) + ", " + quoted(input->name) + " of the contract, is left out");
    if (given)
      operandOf[input->name] = i;
  }
  return checkPresence();
}

/// An input with `present` exists if the node has the operand.
bool Matcher::checkPresence() {
  for (const ContractTensor &input : contract.inputs) {
    if (input.presence.empty())
      continue;
    const bool isThere = operandOf.count(input.name) != 0;
    auto [known, isNew] = values.try_emplace(input.presence, isThere);
    if (!isNew && known->second != AttributeValue(isThere))
      return no("some of the operands that " + quoted(input.presence) + " of the contract stands for are left out");
  }
  return true;
}

bool Matcher::checkResults() {
  size_t count = node.outputs.size();
  while (count > 0 && node.outputs[count - 1].empty())
    --count;
  if (count == form.outputs.size())
    return true;
  return no("the node has " + std::to_string(count) + " results, the contract " + std::to_string(form.outputs.size()));
}

/// Whether a contract converts floats to integers with another rounding than ONNX's Cast, which truncates.
static bool roundsOtherwise(const Contract &contract, const Node &node, unsigned row) {
  auto isFloat = [](opc::ElementType type) {
    return type == opc::ElementType::Float16 || type == opc::ElementType::BFloat16 || type == opc::ElementType::Float32;
  };
  return node.op == "Cast" && node.domain.empty() && contract.inputs.size() == 1 && contract.outputs.size() == 1 &&
         isFloat(contract.inputs.front().types[row]) && !isFloat(contract.outputs.front().types[row]) &&
         contract.outputs.front().types[row] != opc::ElementType::Bool &&
         contract.boundary.rounding != ContractBoundary::Rounding::Trunc;
}

bool Matcher::rowFits(unsigned row, bool &certain) const {
  for (const ContractTensor &input : contract.inputs) {
    auto operand = operandOf.find(input.name);
    if (operand == operandOf.end())
      continue;
    ElementType type = operands[operand->second].type;
    certain &= type != ElementType::Undefined;
    if (type != ElementType::Undefined && opcType(type) != input.types[row])
      return false;
  }
  for (size_t i = 0; i < form.outputs.size(); ++i) {
    const ContractTensor &output = *contract.findTensor(form.outputs[i]);
    if (demandedType && output.name == demandedOutput && opcType(*demandedType) != output.types[row])
      return false;
    if (i < results.size() && results[i].type != ElementType::Undefined &&
        opcType(results[i].type) != output.types[row])
      return false;
  }
  return true;
}

std::string Matcher::typesOfNode() const {
  std::string text;
  for (const auto &[name, i] : operandOf)
    text += (text.empty() ? "" : ", ") + std::string(elementTypeName(operands[i].type));
  std::string to;
  for (const Fact &fact : results)
    if (fact.type != ElementType::Undefined)
      to += (to.empty() ? " to " : ", ") + std::string(elementTypeName(fact.type));
  if (demandedType)
    to = " to " + std::string(elementTypeName(*demandedType));
  return text + to;
}

bool Matcher::chooseRow(Match &match) {
  bool rounds = false;
  for (unsigned row = 0; row < contract.typeRows(); ++row) {
    bool certain = true;
    // Weights of models are in row-major order.
    if (contract.packedInput(row) || !rowFits(row, certain))
      continue;
    if (roundsOtherwise(contract, node, row)) {
      rounds = true;
      continue;
    }
    match.typeRow = row;
    match.isCertain = typesKnown = certain;
    return true;
  }
  if (rounds)
    return no("Cast of ONNX cuts floats to integers, and the contract's 'rounding' under 'boundary' is not 'trunc'");
  return no("the contract has no row of types for " + typesOfNode());
}

/// The contract with the values that the node gives its attributes.
bool Matcher::bindValues() {
  bound = &contract;
  if (values.empty() || (contract.dimensions.empty() && !hasPlaces(contract)))
    return true;
  withValues = contract;
  for (ContractAttribute &attribute : withValues.attributes)
    attribute.defaultValue = valueOf(attribute.name);
  bound = &withValues;
  std::string wrong = bindPlaces(withValues);
  return wrong.empty() ? true : no(wrong);
}

bool Matcher::checkRanks() {
  for (const ContractTensor &input : bound->inputs) {
    auto operand = operandOf.find(input.name);
    if (operand == operandOf.end() || !operands[operand->second].shape)
      continue;
    size_t rank = operands[operand->second].shape->size();
    bool hasPack = std::any_of(input.shape.begin(), input.shape.end(),
                               [](const ContractDim &dim) { return dim.kind == ContractDim::Pack; });
    size_t declared = input.shape.size() - hasPack;
    bool fits = input.broadcast == Broadcast::Scalar  ? true
                : input.broadcast == Broadcast::Numpy ? hasPack || rank <= declared
                : hasPack                             ? rank >= declared
                                                      : rank == declared;
    if (!fits || rank > kMaxRank)
      return no("operand " + std::to_string(operand->second + 1) + " has rank " + std::to_string(rank) + ", " +
                quoted(input.name) + " of the contract has " + printShape(input.shape));
  }
  return true;
}

AttributeValue Matcher::valueOf(const std::string &name) const {
  auto found = values.find(name);
  if (found != values.end())
    return found->second;
  const ContractAttribute *attribute = contract.findAttribute(name);
  return attribute ? attribute->defaultValue : AttributeValue();
}

/// Infers the shapes of the results, if those of all operands are known; sizes may be symbols.
bool Matcher::inferShapes(Match &match) {
  Witnesses witnesses;
  std::vector<std::optional<Shape>> inputs;
  for (const ContractTensor &input : bound->inputs) {
    auto operand = operandOf.find(input.name);
    if (operand == operandOf.end()) {
      inputs.push_back(std::nullopt);
      continue;
    }
    const std::optional<std::vector<Dim>> &shape = operands[operand->second].shape;
    if (!shape) {
      match.isCertain = false;
      return true;
    }
    Shape sizes;
    for (const Dim &dim : *shape)
      sizes.push_back(witnesses.of(dim));
    if (std::find(sizes.begin(), sizes.end(), -1) != sizes.end()) {
      match.isCertain = false;
      return true;
    }
    inputs.push_back(std::move(sizes));
  }
  ShapeBinding binding;
  std::string why = bindShapes(*bound, inputs, binding);
  if (!why.empty()) {
    match.isCertain = false;
    return witnesses.any() ? true : no(why);
  }
  for (size_t i = 0; i < form.outputs.size(); ++i) {
    const ContractTensor &output = *bound->findTensor(form.outputs[i]);
    std::optional<Shape> shape;
    if (!output.isReduced()) {
      shape = outputShape(output, binding, why);
    } else {
      AttributeValue axes = valueOf(output.reduces->axes), keep = valueOf(output.reduces->keepDims);
      size_t input = 0;
      while (bound->inputs[input].name != output.reduces->input)
        ++input;
      std::vector<int64_t> list;
      if (auto *several = std::get_if<std::vector<int64_t>>(&axes))
        list = *several;
      else if (auto *one = std::get_if<int64_t>(&axes))
        list = {*one};
      bool keepDims = std::holds_alternative<bool>(keep) && std::get<bool>(keep);
      if (inputs[input])
        shape = reducedShape(*inputs[input], list, keepDims, why);
      if (!shape)
        return no(why);
    }
    if (!shape || i >= match.results.size())
      continue;
    std::vector<Dim> dims;
    for (int64_t size : *shape)
      dims.push_back(witnesses.dimOf(size));
    match.results[i].shape = std::move(dims);
  }
  return true;
}

Match Matcher::run(int64_t opset) {
  Match match;
  match.results.resize(node.outputs.size());
  bool fits = checkOpset(opset) && checkOperands() && checkResults() && checkAttributes() && chooseRow(match) &&
              bindValues() && checkRanks() && inferShapes(match);
  if (!fits) {
    match.reason = std::move(reason);
    return match;
  }
  match.contract = &contract;
  match.form = &form;
  for (const ContractTensor &input : contract.inputs) {
    auto operand = operandOf.find(input.name);
    match.operands.push_back(operand == operandOf.end() ? std::nullopt : std::optional(operand->second));
  }
  match.attributes = std::move(values);
  for (size_t i = 0; i < form.outputs.size() && i < match.results.size(); ++i)
    if (typesKnown || contract.typeRows() == 1)
      match.results[i].type = onnxTypeOf(contract.findTensor(form.outputs[i])->types[match.typeRow]);
  return match;
}

/// Matches a node with a form whose last operand has a count: with the contract that has as many inputs.
static Match matchCounted(const Contract &contract, const ContractOnnxForm &form, const ContractTensor &counted,
                          const Model &model, const Node &node, int64_t opset, const std::vector<Fact> &operands,
                          const std::vector<Fact> &results) {
  Match match;
  match.results.resize(node.outputs.size());
  const size_t others = form.inputs.size() - 1;
  const auto count = int64_t(node.inputs.size()) - int64_t(others);
  const ContractAttribute &attribute = *contract.findAttribute(counted.count);
  if (count < int64_t(*attribute.minimum) || count > int64_t(*attribute.maximum)) {
    match.reason = "the node has " + std::to_string(node.inputs.size()) + " operands, the contract takes " +
                   std::to_string(int64_t(*attribute.minimum) + int64_t(others)) + " to " +
                   std::to_string(int64_t(*attribute.maximum) + int64_t(others));
    return match;
  }
  Contract own = contract;
  std::find_if(own.attributes.begin(), own.attributes.end(), [&](const ContractAttribute &each) {
    return each.name == counted.count;
  })->defaultValue = count;
  if (match.reason = bindPlaces(own); !match.reason.empty())
    return match;
  ContractOnnxForm ofCount = form;
  const ContractOnnxOperand each = ofCount.inputs.back();
  ofCount.inputs.pop_back();
  for (int64_t i = 0; i < count; ++i) {
    ofCount.inputs.push_back(each);
    ofCount.inputs.back().name = numberedName(counted.name, size_t(i));
  }
  match = Matcher(own, ofCount, model, node, operands, results).run(opset);
  if (match.contract) {
    match.contract = &contract;
    match.form = &form;
    match.attributes[counted.count] = count;
  }
  return match;
}

Match matchForm(const Contract &contract, const ContractOnnxForm &form, const Model &model, const Node &node,
                int64_t opset, const std::vector<Fact> &operands, const std::vector<Fact> &results) {
  if (const ContractTensor *counted = countedInput(contract))
    return matchCounted(contract, form, *counted, model, node, opset, operands, results);
  return Matcher(contract, form, model, node, operands, results).run(opset);
}

} // namespace opc::onnx

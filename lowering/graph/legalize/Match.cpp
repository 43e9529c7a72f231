// Nodes that a contract computes: the search for it, and the instance that replaces the node.

#include "lowering/graph/legalize/Legalizer.h"

#include "lowering/graph/Instances.h"
#include "ops/onnx/coverage/ContractSet.h"

using namespace mlir;
using namespace opc;
using namespace opc::graph;

/// Whether a number, or each number of a list, is within the range of an attribute.
static bool isInRange(const ContractAttribute &attribute, const AttributeValue &value) {
  auto isIn = [&](double number) {
    return (!attribute.minimum || number >= *attribute.minimum) && (!attribute.maximum || number <= *attribute.maximum);
  };
  if (const auto *number = std::get_if<int64_t>(&value))
    return isIn(double(*number));
  if (const auto *number = std::get_if<double>(&value))
    return isIn(*number);
  if (const auto *list = std::get_if<std::vector<int64_t>>(&value))
    return llvm::all_of(*list, [&](int64_t number) { return isIn(double(number)); });
  if (const auto *list = std::get_if<std::vector<double>>(&value))
    return llvm::all_of(*list, isIn);
  return true;
}

/// Whether a match has everything that an instance needs: types and shapes, the value of each attribute that the node
/// gives, and an operand of the node for each result.
static bool isWhole(const onnx::Match &match, NodeOp node, std::string &reason) {
  auto no = [&](std::string why) {
    reason = "'" + match.contract->opType + "': " + std::move(why);
    return false;
  };
  for (const ContractTensor &output : match.contract->outputs)
    if (!llvm::is_contained(match.form->outputs, output.name))
      return no("its form in ONNX lacks the output '" + output.name + "'");
  for (const onnx::Fact &fact : match.results)
    if (!fact.sizes() || fact.type == onnx::ElementType::Undefined)
      return no("the shape of a result does not follow");
  if (!match.isCertain)
    return no("types or shapes are not known");
  // Other contracts, or several nodes, may compute values outside of this one's range.
  for (const auto &[name, value] : match.attributes)
    if (const ContractAttribute *attribute = match.contract->findAttribute(name);
        attribute && !isInRange(*attribute, value))
      return no("the value of '" + name + "' is beyond its range");
  for (auto [i, operand] : llvm::enumerate(match.form->inputs)) {
    bool given = i < node.getNumOperands() && !node.getOperand(static_cast<unsigned>(i)).getDefiningOp<AbsentOp>();
    if (given && match.contract->findAttribute(operand.name) && match.attributes.count(operand.name) == 0)
      return no("the constant of '" + operand.name + "' cannot be read");
  }
  return true;
}

/// The contract that computes a node. With `isKnown` the types and shapes of all operands are known, and a match
/// is definite; otherwise it holds if they fit. Returns false with a reason, or without one if no contract names
/// the operator.
bool Legalizer::findMatch(NodeOp node, bool isKnown, onnx::Match &found, std::string &reason) {
  onnx::Node plain = facts.nodeOf(node);
  std::vector<onnx::Fact> operands, results(plain.outputs.size());
  for (Value operand : node.getOperands())
    operands.push_back(unknown.contains(operand) ? onnx::Fact() : facts.factOf(operand));
  for (size_t i = 0; i < results.size(); ++i)
    if (auto stated = dyn_cast<TensorType>(node.getResult(static_cast<unsigned>(i)).getType()))
      results[i].type = onnxElementType(stated.getElementType());
  const onnx::Model none;
  int64_t opset = opsetOf(node);
  std::string ofThisOpset;
  for (const onnx::FormIndex::Entry &entry : forms.find(plain.domain, plain.op)) {
    onnx::Match match = matchForm(*entry.contract, *entry.form, none, plain, opset, operands, results);
    std::string why;
    if (match.contract && (!isKnown || isWhole(match, node, why))) {
      found = std::move(match);
      return true;
    }
    if (!match.contract)
      why = "'" + entry.contract->opType + "': " + match.reason;
    // Among several forms, the reason of the one for the node's opset is reported.
    bool isOfOpset = opset >= entry.form->since && opset <= entry.form->until;
    if (reason.empty() || (ofThisOpset.empty() && isOfOpset))
      reason = why;
    if (isOfOpset)
      ofThisOpset = why;
  }
  return false;
}

bool Legalizer::makeInstance(NodeOp node, std::string &reason) {
  onnx::Match match;
  if (!findMatch(node, /*isKnown=*/true, match, reason))
    return false;
  note(originOf(node), {LegalNode::Instance, match.contract, "", ""});
  buildInstance(node, match);
  return true;
}

void Legalizer::buildInstance(NodeOp node, const onnx::Match &match) {
  SmallVector<Value> operands(node.getOperands());
  SmallVector<Attribute> names(node.getResultNames().begin(), node.getResultNames().end());
  InstanceOp made = createInstance(builder, node.getLoc(), match, operands, names, node.getNameAttr());
  SmallVector<Value> values(node.getNumResults());
  for (auto [result, output] : llvm::zip(made.getResults(), match.contract->outputs))
    values[static_cast<size_t>(llvm::find(match.form->outputs, output.name) - match.form->outputs.begin())] = result;
  const bool isWhole = replace(node, values);
  // Sizes may be computed from these, also in floats.
  const bool isSmall = llvm::all_of(made.getResults(), [](Value result) {
    return cast<RankedTensorType>(result.getType()).getNumElements() <= kMostKnown;
  });
  if (isWhole && isSmall)
    replaceByConstants(builder, made, kernels);
}

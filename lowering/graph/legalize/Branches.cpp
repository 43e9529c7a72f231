// Control flow. If the condition of an If is known at compile time, the selected branch replaces the If. If it is known
// only at run time, both branches stay, followed by a `graph.choose`. Everything else is refused, with a fix.

#include "lowering/graph/legalize/Legalizer.h"

#include "lowering/graph/legalize/StatedTypes.h"

using namespace mlir;
using namespace opc;
using namespace opc::graph;

void Legalizer::refuseControlFlow(NodeOp node) {
  const bool isOfOnnx = node.getDomain().value_or("ai.onnx") == "ai.onnx", isIf = isOfOnnx && node.getOp() == "If";
  const bool isLoop = isOfOnnx && (node.getOp() == "Loop" || node.getOp() == "Scan");
  const std::string why =
      isIf                     ? "a branch is missing, has inputs, or has not its results"
      : !isLoop                ? "opc runs the graphs of If, Loop and Scan alone"
      : node.getOp() != "Scan" ? "it has no steps, only the run knows how many, or they are more than 2^16 nodes"
      : opsetOf(node) < 9
          ? "before opset 9 a Scan has a batch and lengths of sequences"
          : "its lists have sizes that are not known or differ, or it has not what its graph takes and gives";
  const std::string fix = isIf     ? "export the model again"
                          : isLoop ? "export the model with the steps written out one after the other"
                                   : "export the model with its operators of ONNX alone";
  InFlightDiagnostic told = error(node, "legalize_c5");
  told << (isIf     ? "expects an If with two branches, found "
           : isLoop ? "expects no loop, found "
                    : "expects a node without graphs, found ")
       << describe(node) << ": " << why;
  told.attachNote() << "fix: " << fix;
  note(originOf(node), {LegalNode::Missing, nullptr, why, fix});
}

/// Moves the nodes of a branch before its node, and removes its output op.
void Legalizer::spliceBranch(NodeOp node, Region &body) {
  Block &branch = body.front();
  if (auto own = opsets.find(node); own != opsets.end())
    branch.walk([&, opset = own->second](NodeOp inner) { opsets[inner] = opset; });
  branch.getTerminator()->erase();
  node->getBlock()->getOperations().splice(node->getIterator(), branch.getOperations());
}

/// Replaces an If with a known condition by its branch.
bool Legalizer::chooseBranch(NodeOp node) {
  if (node.getOp() != "If" || node.getDomain().value_or("ai.onnx") != "ai.onnx" || node.getNumOperands() != 1 ||
      !node.getGraphs())
    return false;
  std::optional<SmallVector<int64_t>> condition = integersOf(constantOf(node.getOperand(0)));
  if (!condition || condition->size() != 1)
    return false;
  StringRef wanted = condition->front() != 0 ? "then_branch" : "else_branch";
  for (auto [name, body] : llvm::zip(*node.getGraphs(), node.getBodies())) {
    // A branch has no inputs; an input in a file has no value.
    if (cast<StringAttr>(name).getValue() != wanted || body.getNumArguments() != 0 ||
        body.front().getTerminator()->getNumOperands() != node.getNumResults())
      continue;
    for (auto [result, value] : llvm::zip(node.getResults(), body.front().getTerminator()->getOperands()))
      if (auto found = dyn_cast<RankedTensorType>(value.getType());
          found && found.hasStaticShape() && !agrees(result.getType(), found))
        error(node, "legalize_c2") << "expects results as the file states them, found " << typeText(found) << " for "
                                   << typeText(result.getType()) << " at " << describe(node);
    note(originOf(node), {LegalNode::Call, nullptr, "", ""});
    SmallVector<Value> results(body.front().getTerminator()->getOperands());
    Operation *before = node->getPrevNode();
    spliceBranch(node, body);
    Operation *first = before ? before->getNextNode() : &model.getBody().front().front();
    next = first == node ? node->getNextNode() : first;
    // Their types are set when their nodes are visited.
    node->replaceAllUsesWith(results);
    node.erase();
    return true;
  }
  return false;
}

/// Moves the nodes of both branches before an If with a data-dependent condition. The remaining If reads their values,
/// and becomes a choice when the walk reaches it.
bool Legalizer::inlineBranches(NodeOp node) {
  if (node.getOp() != "If" || node.getDomain().value_or("ai.onnx") != "ai.onnx" || node.getNumOperands() != 1 ||
      !node.getGraphs() || node.getBodies().size() != 2 || constantOf(node.getOperand(0)))
    return false;
  Region *thenBody = nullptr, *elseBody = nullptr;
  for (auto [name, body] : llvm::zip(*node.getGraphs(), node.getBodies())) {
    if (body.getNumArguments() != 0 || body.front().getTerminator()->getNumOperands() != node.getNumResults())
      return false;
    (cast<StringAttr>(name).getValue() == "then_branch" ? thenBody : elseBody) = &body;
  }
  if (!thenBody || !elseBody || !llvm::is_contained(*node.getGraphs(), builder.getStringAttr("else_branch")))
    return false;
  SmallVector<Value> operands = {node.getOperand(0)};
  for (Region *body : {thenBody, elseBody})
    llvm::append_range(operands, body->front().getTerminator()->getOperands());
  Operation *before = node->getPrevNode();
  spliceBranch(node, *thenBody);
  spliceBranch(node, *elseBody);
  auto left =
      NodeOp::create(builder, node.getLoc(), node.getResultTypes(), node.getOpAttr(), node.getDomainAttr(), operands,
                     node.getResultNamesAttr(), node.getNameAttr(), node.getParametersAttr(), ArrayAttr(), 0);
  choices.insert(left);
  origins[left] = originOf(node);
  if (auto own = opsets.find(node); own != opsets.end())
    opsets[left] = own->second;
  note(originOf(node), {LegalNode::Call, nullptr, "", ""});
  node->replaceAllUsesWith(left);
  node.erase();
  next = before ? before->getNextNode() : &model.getBody().front().front();
  return true;
}

/// After both branches: now their values have types and sizes.
bool Legalizer::makeChoice(NodeOp node) {
  const unsigned results = node.getNumResults();
  ValueRange operands = node.getOperands();
  auto refuse = [&](const std::string &why, const std::string &fix) {
    for (OpResult result : node->getResults())
      unknown.insert(result);
    InFlightDiagnostic told = error(node, "legalize_c5");
    told << "expects a condition that is one truth value, and branches whose results have one type and the same sizes, "
            "found "
         << describe(node) << ": " << why;
    told.attachNote() << "fix: " << fix;
    note(originOf(node), {LegalNode::Missing, nullptr, why, fix});
    return false;
  };
  auto condition = dyn_cast<RankedTensorType>(operands[0].getType());
  if (!condition || !condition.hasStaticShape() || condition.getNumElements() != 1 ||
      !condition.getElementType().isInteger(1))
    return refuse("its condition is of " + typeText(operands[0].getType()), "make the condition one truth value");
  for (unsigned i = 0; i < results; ++i) {
    Value taken = operands[1 + i], other = operands[1 + results + i];
    StringRef name = cast<StringAttr>(node.getResultNames()[i]).getValue();
    for (Value each : {taken, other})
      if (rows.contains(each))
        return refuse("how many rows '" + name.str() + "' has is only known when the model runs",
                      "make the value of the branch an output of the model");
    if (!isSettled(taken.getType()) || taken.getType() != other.getType())
      return refuse(
          "'" + name.str() + "' is of " + typeText(taken.getType()) + " or of " + typeText(other.getType()),
          "make both branches give the same sizes; a condition that is a constant, or follows from sizes, chooses "
          "the branch while compiling");
  }
  auto made = ChooseOp::create(builder, node.getLoc(), TypeRange(operands.slice(1, results)), operands[0],
                               operands.slice(1, results), operands.slice(1 + results, results),
                               node.getResultNamesAttr(), node.getNameAttr());
  return replace(node, made.getResults());
}

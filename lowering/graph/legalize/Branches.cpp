// Control flow: a branch whose condition is known while compiling takes the place of its If; all else is refused, with
// what would help.

#include "lowering/graph/legalize/Legalizer.h"

#include "lowering/graph/legalize/StatedTypes.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace opc;
using namespace opc::graph;

/// Whether a value depends on more than the sizes of the inputs.
bool Legalizer::dependsOnData(Value value) {
  llvm::SmallSetVector<Value, 16> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    if (isa<BlockArgument>(values[i]))
      return true;
    Operation *op = values[i].getDefiningOp();
    auto node = dyn_cast<NodeOp>(op);
    if (node && (node.getOp() == "Shape" || node.getOp() == "Size") &&
        node.getDomain().value_or("ai.onnx") == "ai.onnx")
      continue;
    values.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

void Legalizer::refuseControlFlow(NodeOp node) {
  const bool isIf = node.getOp() == "If";
  const bool isDamaged = isIf && node.getNumOperands() == 1 && constantOf(node.getOperand(0));
  const std::string why = isDamaged
                              ? "its condition is known, but its branch is missing, has inputs, or has not its results"
                          : isIf ? "its condition is computed while the model runs"
                                 : "it repeats its graph while the model runs";
  const std::string fix =
      isDamaged ? "export the model again"
      : isIf    ? "a condition that is a constant, or follows from sizes, chooses the branch while compiling; "
                  "export the model without the other branch"
                : "export the model with the steps written out, one behind the other";
  InFlightDiagnostic told = error(node, "legalize_c5");
  told << "expects no control flow, found " << describe(node) << ": " << why;
  told.attachNote() << "fix: " << fix;
  note(originOf(node), {LegalNode::Missing, nullptr, why, fix});
}

/// Puts the branch of an If whose condition is known in its place.
bool Legalizer::chooseBranch(NodeOp node) {
  if (node.getOp() != "If" || node.getDomain().value_or("ai.onnx") != "ai.onnx" || node.getNumOperands() != 1 ||
      !node.getGraphs())
    return false;
  std::optional<SmallVector<int64_t>> condition = integersOf(constantOf(node.getOperand(0)));
  if (!condition || condition->size() != 1)
    return false;
  StringRef wanted = condition->front() != 0 ? "then_branch" : "else_branch";
  for (auto [name, body] : llvm::zip(*node.getGraphs(), node.getBodies())) {
    // A branch has no inputs; what a file gives it as one has no value.
    if (cast<StringAttr>(name).getValue() != wanted || body.getNumArguments() != 0 ||
        body.front().getTerminator()->getNumOperands() != node.getNumResults())
      continue;
    for (auto [result, value] : llvm::zip(node.getResults(), body.front().getTerminator()->getOperands()))
      if (auto found = dyn_cast<RankedTensorType>(value.getType());
          found && found.hasStaticShape() && !agrees(result.getType(), found))
        error(node, "legalize_c2") << "expects results as the file states them, found " << typeText(found) << " for "
                                   << typeText(result.getType()) << " at " << describe(node);
    note(originOf(node), {LegalNode::Call, nullptr, "", ""});
    Block &branch = body.front();
    SmallVector<Value> results(branch.getTerminator()->getOperands());
    if (auto own = opsets.find(node); own != opsets.end())
      branch.walk([&, opset = own->second](NodeOp inner) { opsets[inner] = opset; });
    Operation *before = node->getPrevNode();
    branch.getTerminator()->erase();
    node->getBlock()->getOperations().splice(node->getIterator(), branch.getOperations());
    Operation *first = before ? before->getNextNode() : &model.getBody().front().front();
    next = first == node ? node->getNextNode() : first;
    // Their types follow when their nodes are visited.
    node->replaceAllUsesWith(results);
    node.erase();
    return true;
  }
  return false;
}

// Reports the nodes that no contract computes, all of them at once, including users of a missing node where it is
// certain that they are missing too. Nodes of one operator with one reason are reported together.

#include "lowering/graph/legalize/Legalizer.h"

#include "lowering/graph/legalize/ShapeArithmetic.h"
#include "lowering/graph/legalize/Views.h"
#include "lowering/graph/legalize/parts/Decompose.h"

using namespace mlir;
using namespace opc;
using namespace opc::graph;

/// Whether no contract can compute a node with unknown operands, for any operands; then the reason.
bool Legalizer::isMissing(NodeOp node, std::string &reason) {
  onnx::Match match;
  bool isConstant = node.getOp() == "Constant" && node.getDomain().value_or("ai.onnx") == "ai.onnx";
  if (isConstant || isView(node) || mayDecompose(node) || !node.getBodies().empty() || findFunction(node) ||
      findMatch(node, /*isKnown=*/false, match, reason))
    return false;
  // A node that may be shape arithmetic is not missing, nor is one that becomes a constant once sizes are known.
  auto first = node.getNumOperands() != 0 ? dyn_cast<TensorType>(node.getOperand(0).getType()) : TensorType();
  const bool readsShape = node.getOp() == "Shape" || node.getOp() == "Size" || node.getOp() == "Range";
  return !(mayComputeShapes(node) && (readsShape || !(first && isa<FloatType>(first.getElementType()))));
}

/// Checks a node after a missing one: all certainly missing nodes are reported at once.
void Legalizer::lookBehind(NodeOp node) {
  for (OpResult result : node->getResults())
    unknown.insert(result);
  std::string reason;
  if (isMissing(node, reason))
    return addMissing(node, reason);
  // Missing nodes in a step of a loop were reported at that step.
  if (loopSteps.count(node) != 0)
    return;
  if (!node.getBodies().empty() && node.getOp() != "If")
    return refuseControlFlow(node);
  note(originOf(node), {LegalNode::Open, nullptr, "", ""});
  // The branch may not be taken: its nodes are only for the report.
  if (report)
    for (Region &body : node.getBodies())
      body.walk([&](NodeOp inner) {
        std::string why;
        if (isMissing(inner, why))
          note(originOf(inner), {LegalNode::Missing, nullptr, why, supplyOf(inner)});
        else
          note(originOf(inner), {LegalNode::Open, nullptr, "", ""});
      });
}

void Legalizer::addMissing(NodeOp node, const std::string &reason) {
  const std::string why = !reason.empty() ? reason
                          : mayDecompose(node)
                              ? "simpler nodes replace it, but not with these attributes, types and sizes"
                              : "no contract has it under 'onnx'";
  if (report)
    note(originOf(node), {LegalNode::Missing, nullptr, why, supplyOf(node)});
  auto same = llvm::find_if(missing, [&](Missing &each) {
    return each.first.getOp() == node.getOp() && each.first.getDomainAttr() == node.getDomainAttr() &&
           each.reason == why;
  });
  if (same == missing.end())
    same = missing.insert(missing.end(), {node, why, 0});
  ++same->nodes;
}

void Legalizer::reportMissing() {
  for (const Missing &each : missing) {
    NodeOp node = each.first;
    InFlightDiagnostic told = error(node, "legalize_c3");
    told << "expects a contract for each node, found none for " << describe(node);
    if (each.nodes > 1)
      told << " and " << each.nodes - 1 << " more";
    told << ": " << each.reason;
    told.attachNote() << "fix: " << supplyOf(node);
  }
}

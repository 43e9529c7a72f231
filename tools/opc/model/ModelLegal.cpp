#include "tools/opc/model/ModelLegal.h"

#include "lowering/graph/legalize/LegalReport.h"
#include "tools/opc/libraries/Libraries.h"

#include <algorithm>
#include <optional>

namespace opc::tool {

using onnx::NodeCoverage;

/// The compiler's result for a node; null if it did not reach the node.
static const LegalNode *legalOf(const NodeCoverage &covered, const LegalReport &report) {
  for (std::string_view name : covered.node->outputs) {
    if (name.empty())
      continue;
    auto found = report.find({covered.function, std::string(name)});
    return found == report.end() ? nullptr : &found->second;
  }
  return nullptr;
}

/// Whether a contract that computes a node is one of the user's.
static bool isOfUser(const Contract *contract, const onnx::Node &node, const onnx::FormIndex &forms) {
  const std::vector<onnx::FormIndex::Entry> &entries = forms.find(node.domain, node.op);
  return std::any_of(entries.begin(), entries.end(),
                     [&](const onnx::FormIndex::Entry &entry) { return entry.contract == contract && entry.ofUser; });
}

static void correct(NodeCoverage &covered, const LegalNode &legal, const onnx::FormIndex &forms) {
  const bool wasMissing = covered.kind == NodeCoverage::Missing;
  auto become = [&](NodeCoverage::Kind kind) {
    covered.kind = kind;
    covered.contract = nullptr;
    covered.isCertain = true;
  };
  switch (legal.kind) {
  case LegalNode::Instance:
    if (wasMissing || covered.contract != legal.contract) {
      become(isOfUser(legal.contract, *covered.node, forms) ? NodeCoverage::User : NodeCoverage::Library);
      covered.contract = legal.contract;
    }
    covered.isCertain = true;
    break;
  case LegalNode::Constant:
    become(NodeCoverage::Constant);
    break;
  case LegalNode::View:
    become(NodeCoverage::View);
    break;
  case LegalNode::Host:
    become(NodeCoverage::Host);
    break;
  case LegalNode::Parts:
    become(NodeCoverage::Parts);
    break;
  case LegalNode::Call:
    become(NodeCoverage::Call);
    break;
  case LegalNode::Open:
    if (wasMissing) {
      become(NodeCoverage::Parts);
      covered.isCertain = false;
    }
    break;
  case LegalNode::Missing:
    become(NodeCoverage::Missing);
    covered.isCertain = false;
    covered.reason = legal.reason;
    covered.supply = legal.supply;
    break;
  }
}

/// Whether an error is certain, and not caused by open sizes or sizes that kernels compute.
static bool isCertain(const Diagnostic &error) {
  return error.rule == "legalize_c2" || error.rule == "legalize_c6" || error.rule == "legalize_c7";
}

onnx::Coverage coverAsCompiled(const onnx::Model &model, const ModelContracts &contracts, Diagnostics *refused) {
  onnx::Coverage coverage = coverModel(model, contracts.forms());
  LegalReport report;
  ModelCompileOptions options;
  options.legal = &report;
  Diagnostics told;
  compiler().compileModel(model, contracts, options, told);
  // The other errors are in the report, or say that sizes are open.
  for (const Diagnostic &error : told.all())
    if (refused && isCertain(error))
      refused->add(error);
  std::vector<NodeCoverage> nodes;
  std::optional<unsigned> chosen; // subgraphs of an If whose branches were inlined
  for (NodeCoverage &covered : coverage.nodes) {
    if (chosen && covered.depth <= *chosen)
      chosen.reset();
    const LegalNode *legal = legalOf(covered, report);
    if (legal)
      correct(covered, *legal, contracts.forms());
    else if (chosen)
      continue;
    if (!chosen && legal && legal->kind == LegalNode::Call && covered.node->op == "If")
      chosen = covered.depth;
    nodes.push_back(std::move(covered));
  }
  coverage.nodes = std::move(nodes);
  return coverage;
}

} // namespace opc::tool

// Nodes that a function of the runtime computes, since the size of their result depends on data.

#include "lowering/graph/HostCalls.h"
#include "lowering/graph/legalize/Legalizer.h"
#include "lowering/graph/legalize/parts/Decompose.h"
#include "lowering/graph/memory/Memory.h"

using namespace mlir;
using namespace opc;
using namespace opc::graph;

/// Replaces a node by a function of the host; false, with the reason, if the runtime has none for it.
bool Legalizer::makeHost(NodeOp node, std::string &reason) {
  const std::optional<HostFunction> function = hostFunctionByName({node.getOp().data(), node.getOp().size()});
  // The result of ONNX's NonZero is that of the function transposed: decompose() asks for it by its own name.
  if (!function || node.getNumResults() != 1 ||
      node.getDomain().value_or("ai.onnx") != (*function == HostFunction::NonZero ? StringRef(kOwnDomain) : "ai.onnx"))
    return false;
  std::optional<HostCall> call = hostCallOf(node.getOp(), node.getOperands(), node.getParametersAttr());
  reason = call ? checkHostCall(*call) : "expects tensors whose sizes are numbers, and attributes that are numbers";
  if (!reason.empty())
    return false;
  // The maximum number of boxes of a class, if it is a constant; 0 if it is omitted.
  int64_t most = 0;
  if (*function == HostFunction::NonMaxSuppression && node.getNumOperands() > 2 && call->operands[2]) {
    std::optional<SmallVector<int64_t>> given = integersOf(constantOf(node.getOperand(2)));
    most = given && given->size() == 1 ? given->front() : INT64_MAX;
  }
  const std::vector<HostForm> forms = hostResults(*call, most);
  Type integer = builder.getI64Type();
  SmallVector<Type> types = {RankedTensorType::get(forms[0].shape, integer), RankedTensorType::get({}, integer)};
  SmallVector<Attribute> names = {node.getResultNames()[0], builder.getStringAttr("")};
  auto host = HostOp::create(builder, node.getLoc(), types, node.getOpAttr(), node.getOperands(),
                             builder.getArrayAttr(names), node.getParametersAttr(), node.getNameAttr(), ArrayAttr());
  note(originOf(node), {LegalNode::Host, nullptr, "", ""});
  // The file states the actual number of rows, not the maximum: a named size, or none.
  auto stated = dyn_cast<RankedTensorType>(node.getResult(0).getType());
  if (stated && *function == HostFunction::NonMaxSuppression &&
      (stated.getRank() != 2 || (!stated.isDynamicDim(0) && stated.getDimSize(0) > forms[0].shape[0]) ||
       (!stated.isDynamicDim(1) && stated.getDimSize(1) != 3) || stated.getElementType() != integer))
    error(node, "legalize_c2") << "expects results as the file states them, found " << types[0] << " for " << stated
                               << " at " << describe(node);
  count(node, types[0]);
  node.getResult(0).replaceAllUsesWith(host.getResult(0));
  rows[host.getResult(0)] = {host.getResult(1), 0};
  node.erase();
  return true;
}

/// Determines the rows of what a node gives; false after refusing a node that needs the number of rows itself.
bool Legalizer::readsCountedRows(NodeOp node) {
  const auto counted = llvm::find_if(node.getOperands(), [&](Value operand) { return rows.contains(operand); });
  if (counted == node.getOperands().end())
    return true;
  std::string reason;
  const auto versions = opsets.find(node);
  made = rowsOfResults(node, rows, versions != opsets.end() && versions->second.contains(kOwnDomain), reason);
  if (made)
    return true;
  for (OpResult result : node->getResults())
    unknown.insert(result);
  auto host = rows.at(*counted).count.getDefiningOp<HostOp>();
  const std::string why = "how many rows '" + cast<StringAttr>(host.getResultNames()[0]).getValue().str() + "' of '" +
                          host.getFunction().str() + "' has is only known when the model runs, and " + reason;
  const std::string fix = "make what it reads an output of the model, and compute what follows from that";
  InFlightDiagnostic told = error(node, "legalize_c8");
  told << "expects nodes to compute each row from the same row, where data decide how many there are, found "
       << describe(node) << ": " << why;
  told.attachNote() << "fix: " << fix;
  note(originOf(node), {LegalNode::Missing, nullptr, why, fix});
  return false;
}

/// Gives the outputs with counted rows their counts.
void Legalizer::countOutputs(OutputOp outputs) {
  builder.setInsertionPoint(outputs);
  for (auto [i, value] : llvm::enumerate(outputs.getValues())) {
    auto counted = rows.find(value);
    if (counted == rows.end() || value.getDefiningOp<HostOp>())
      continue;
    if (counted->second.dimension != 0) {
      error(outputs, "legalize_c8") << "expects rows that data count along the first dimension of an output, found "
                                    << "'" << cast<StringAttr>(model.getOutputs()[i]).getValue()
                                    << "' with them along dimension " << counted->second.dimension;
      continue;
    }
    outputs.setOperand(i, RowsOp::create(builder, outputs.getLoc(), value.getType(), value, counted->second.count));
  }
}

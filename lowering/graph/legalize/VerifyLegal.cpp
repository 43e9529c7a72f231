// --graph-verify-legal: the rules legal_c1 to legal_c4.

#include "dialect/graph/GraphOps.h"
#include "lowering/graph/HostCalls.h"
#include "lowering/graph/Passes.h"
#include "lowering/graph/Verify.h"

#include "mlir/IR/BuiltinOps.h"

namespace opc::graph {

#define GEN_PASS_DEF_VERIFYLEGALPASS
#include "lowering/graph/Passes.h.inc"

} // namespace opc::graph

using namespace mlir;
using namespace opc::graph;

static bool hasKnownType(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor && tensor.hasStaticShape() && !tensor.getEncoding() && (tensor.getElementType().isIntOrFloat());
}

static LogicalResult verifyHost(HostOp host) {
  std::optional<opc::HostCall> call = hostCallOf(host);
  std::vector<opc::HostForm> results;
  for (Value result : host.getResults())
    results.push_back(hostFormOf(result));
  if (!call || !opc::checkHostCall(*call).empty() || !opc::areHostResults(*call, results))
    return host.emitOpError("[legal_c4] expects a function of the runtime with its operands, attributes and results");
  for (Operation *user : host.getResult(1).getUsers())
    if (!isa<RowsOp>(user))
      return host.emitOpError("[legal_c4] expects outputs alone to read its number of rows");
  return success();
}

static LogicalResult verifyRows(RowsOp rows) {
  auto host = rows.getCount().getDefiningOp<HostOp>();
  auto type = cast<RankedTensorType>(rows.getResult().getType());
  if (!host || rows.getCount() != host.getResult(1) || type.getRank() == 0 ||
      type.getDimSize(0) != cast<RankedTensorType>(host.getResult(0).getType()).getDimSize(0))
    return rows.emitOpError("[legal_c4] expects the number of rows of a function, and as many rows as that gives");
  for (Operation *user : rows->getUsers())
    if (!isa<OutputOp>(user))
      return rows.emitOpError("[legal_c4] expects the output of the model alone to read what it gives");
  return success();
}

static LogicalResult verifyOp(Operation &op) {
  if (!isa<InstanceOp, ViewOp, PartOp, JoinOp, CopyOp, ChooseOp, HostOp, RowsOp, ConstantOp, AbsentOp, OutputOp>(op))
    return op.emitOpError(
        "[legal_c1] expects instances, views, parts, joins, copies, choices, functions of the host and "
        "constants alone in a legal model");
  if (isa<AbsentOp>(op)) {
    for (Operation *user : op.getUsers())
      if (!isa<InstanceOp, HostOp>(user))
        return op.emitOpError(
            "[legal_c3] expects an absent operand to be one of instances and functions of the host alone");
    return success();
  }
  for (Value result : op.getResults())
    if (!hasKnownType(result))
      return op.emitOpError("[legal_c2] expects sizes that are numbers and a type of elements, found ")
             << result.getType();
  if (auto rows = dyn_cast<RowsOp>(op))
    return verifyRows(rows);
  auto host = dyn_cast<HostOp>(op);
  return host ? verifyHost(host) : success();
}

/// An output that follows from rows of a function has their number.
static LogicalResult verifyCounts(Block &block) {
  llvm::DenseSet<Value> counted;
  for (Operation &op : block.without_terminator())
    if (auto host = dyn_cast<HostOp>(op))
      counted.insert(host.getResult(0));
    else if (!isa<RowsOp>(op) && llvm::any_of(op.getOperands(), [&](Value value) { return counted.contains(value); }))
      counted.insert(op.result_begin(), op.result_end());
  for (Value output : block.getTerminator()->getOperands())
    if (counted.contains(output) && !output.getDefiningOp<HostOp>())
      return output.getDefiningOp()->emitOpError(
          "[legal_c4] expects an output that follows from rows of a function to have their number");
  return success();
}

LogicalResult opc::graph::verifyLegal(ModelOp model) {
  for (BlockArgument argument : model.getBody().getArguments())
    if (!hasKnownType(argument))
      return model.emitOpError("[legal_c2] expects sizes that are numbers and a type of elements, found ")
             << argument.getType();
  for (Operation &op : model.getBody().front())
    if (failed(verifyOp(op)))
      return failure();
  return verifyCounts(model.getBody().front());
}

namespace {
struct VerifyLegalPass : opc::graph::impl::VerifyLegalPassBase<VerifyLegalPass> {
  void runOnOperation() override {
    for (auto model : getOperation().getOps<ModelOp>())
      if (model.getPhase().getValue() == Phase::Legal && failed(verifyLegal(model)))
        return signalPassFailure();
  }
};
} // namespace

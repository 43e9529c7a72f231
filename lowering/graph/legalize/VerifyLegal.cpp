// --graph-verify-legal: the rules legal_c1 to legal_c3.

#include "dialect/graph/GraphOps.h"
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

static LogicalResult verifyOp(Operation &op) {
  if (!isa<InstanceOp, ViewOp, PartOp, JoinOp, CopyOp, ConstantOp, AbsentOp, OutputOp>(op))
    return op.emitOpError(
        "[legal_c1] expects instances, views, parts, joins, copies and constants alone in a legal model");
  if (isa<AbsentOp>(op)) {
    for (Operation *user : op.getUsers())
      if (!isa<InstanceOp>(user))
        return op.emitOpError("[legal_c3] expects an absent operand to be one of instances alone");
    return success();
  }
  for (Value result : op.getResults())
    if (!hasKnownType(result))
      return op.emitOpError("[legal_c2] expects sizes that are numbers and a type of elements, found ")
             << result.getType();
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
  return success();
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

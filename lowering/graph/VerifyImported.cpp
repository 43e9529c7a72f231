// --graph-verify-imported: the rules imported_c1 to imported_c5.

#include "dialect/graph/GraphOps.h"
#include "lowering/graph/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

namespace opc::graph {

#define GEN_PASS_DEF_VERIFYIMPORTEDPASS
#include "lowering/graph/Passes.h.inc"

} // namespace opc::graph

using namespace mlir;
using namespace opc::graph;

/// imported_c1, for one region; regions within have names of their own.
static LogicalResult verifyNames(Operation *owner, Region &region, ArrayAttr arguments) {
  llvm::StringSet<> seen;
  auto add = [&](Operation *op, StringRef name) -> LogicalResult {
    if (name.empty() || seen.insert(name).second)
      return success();
    return op->emitOpError("[imported_c1] expects names of values once, found '") << name << "' again";
  };
  if (arguments)
    for (Attribute own : arguments)
      if (auto name = cast<DictionaryAttr>(own).getAs<StringAttr>(GraphDialect::kNameAttr))
        if (failed(add(owner, name)))
          return failure();
  for (Operation &op : region.front()) {
    if (auto constant = dyn_cast<ConstantOp>(op))
      if (failed(add(&op, constant.getName())))
        return failure();
    if (auto node = dyn_cast<NodeOp>(op))
      for (Attribute name : node.getResultNames())
        if (failed(add(&op, cast<StringAttr>(name))))
          return failure();
  }
  return success();
}

/// imported_c3, for an attribute and those within it.
static LogicalResult verifyReferences(NodeOp node, DictionaryAttr parameters) {
  DictionaryAttr own = node.getParametersAttr();
  if (!own)
    return success();
  for (NamedAttribute parameter : own) {
    auto reference = dyn_cast<ReferenceAttr>(parameter.getValue());
    if (!reference || (parameters && parameters.contains(reference.getName())))
      continue;
    return node.emitOpError("[imported_c3] expects a reference to a parameter of the function around the node, found ")
           << reference.getName();
  }
  return success();
}

static LogicalResult verifyNode(NodeOp node, DictionaryAttr opsets, DictionaryAttr parameters) {
  StringRef domain = node.getDomain().value_or("ai.onnx");
  if (!opsets.contains(domain))
    return node.emitOpError("[imported_c2] expects the version of its domain in 'opsets', found none for '")
           << domain << "'";
  if (failed(verifyReferences(node, parameters)))
    return failure();
  for (Region &body : node.getBodies())
    if (failed(verifyNames(node, body, {})))
      return failure();
  return success();
}

static LogicalResult verifyAll(Operation *owner, Region &body, ArrayAttr arguments, DictionaryAttr opsets,
                               DictionaryAttr parameters) {
  if (failed(verifyNames(owner, body, arguments)))
    return failure();
  WalkResult walked = body.walk([&](Operation *op) -> WalkResult {
    if (auto node = dyn_cast<NodeOp>(op))
      return verifyNode(node, opsets, parameters);
    if (isa<ViewOp, PartOp, JoinOp>(op))
      return op->emitOpError("[imported_c4] expects no view in phase imported");
    if (auto absent = dyn_cast<AbsentOp>(op))
      for (Operation *user : absent->getUsers())
        if (!isa<NodeOp>(user))
          return op->emitOpError("[imported_c5] expects an absent operand to be one of nodes alone");
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

namespace {
struct VerifyImportedPass : opc::graph::impl::VerifyImportedPassBase<VerifyImportedPass> {
  void runOnOperation() override {
    bool any = false;
    for (auto model : getOperation().getOps<ModelOp>()) {
      if (model.getPhase().getValue() != Phase::Imported)
        continue;
      any = true;
      if (failed(verifyAll(model, model.getBody(), model.getArgAttrsAttr(), model.getOpsets(), {})))
        return signalPassFailure();
    }
    for (auto function : getOperation().getOps<FunctionOp>())
      if (any && failed(verifyAll(function, function.getBody(), function.getArgAttrsAttr(), function.getOpsets(),
                                  function.getParameters())))
        return signalPassFailure();
  }
};
} // namespace

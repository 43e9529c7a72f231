// --graph-verify-folded: the rules folded_c1 to folded_c3. It compares printed texts, which shares no code with the
// comparison of folding.

#include "dialect/graph/GraphOps.h"
#include "lowering/graph/Passes.h"
#include "lowering/graph/Verify.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>

namespace opc::graph {

#define GEN_PASS_DEF_VERIFYFOLDEDPASS
#include "lowering/graph/Passes.h.inc"

} // namespace opc::graph

using namespace mlir;
using namespace opc::graph;

/// The computation of an instance as text, with operands by their number.
static std::string textOf(InstanceOp instance, const llvm::DenseMap<Value, size_t> &numbers) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << instance.getSource() << " " << instance.getRow() << " " << instance.getParametersAttr() << "(";
  for (Value operand : instance.getOperands())
    if (operand.getDefiningOp<AbsentOp>())
      stream << "absent,";
    else
      stream << numbers.lookup(operand) << ",";
  stream << ")";
  for (Type type : instance.getResultTypes())
    stream << " " << type;
  return text;
}

static LogicalResult verify(ModelOp model) {
  if (failed(verifyLegal(model)))
    return model.emitOpError("[folded_c1] expects a folded model to be legal");
  llvm::DenseMap<Value, size_t> numbers;
  std::map<std::string, InstanceOp> known;
  for (BlockArgument argument : model.getBody().getArguments())
    numbers.try_emplace(argument, numbers.size());
  for (Operation &op : model.getBody().front()) {
    for (Value result : op.getResults())
      numbers.try_emplace(result, numbers.size());
    if (!isa<OutputOp>(op) && op.use_empty())
      return op.emitOpError("[folded_c2] expects a reader of what a folded model computes");
    auto instance = dyn_cast<InstanceOp>(op);
    if (!instance)
      continue;
    auto [first, isNew] = known.emplace(textOf(instance, numbers), instance);
    if (!isNew) {
      InFlightDiagnostic error = op.emitOpError("[folded_c3] expects instances of a folded model to differ");
      error.attachNote(first->second.getLoc()) << "the first is here";
      return error;
    }
  }
  return success();
}

namespace {
struct VerifyFoldedPass : opc::graph::impl::VerifyFoldedPassBase<VerifyFoldedPass> {
  void runOnOperation() override {
    for (auto model : getOperation().getOps<ModelOp>())
      if (model.getPhase().getValue() == Phase::Folded && failed(verify(model)))
        return signalPassFailure();
  }
};
} // namespace

// --graph-verify-placed: the rules memory_c1 to memory_c3. It runs the model in thought: each byte of the arena
// remembers the value that was written there last.

#include "dialect/graph/GraphOps.h"
#include "lowering/graph/Memory.h"
#include "lowering/graph/Passes.h"
#include "runtime/program/model/ModelPlan.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>

namespace opc::graph {

#define GEN_PASS_DEF_VERIFYPLACEDPASS
#include "lowering/graph/Passes.h.inc"

} // namespace opc::graph

using namespace mlir;
using namespace opc::graph;

namespace {

class Verifier {
public:
  explicit Verifier(ModelOp model) : model(model) {}
  LogicalResult run();

private:
  LogicalResult write(Operation *op, Value value);
  LogicalResult read(Operation *op, Value value);

  ModelOp model;
  std::map<int64_t, std::pair<int64_t, Value>> owners; ///< begin to end and the value that lies there
};

} // namespace

LogicalResult Verifier::write(Operation *op, Value value) {
  PlaceAttr place = placeOf(value);
  if (!place || place.getMemory() == Memory::Input || place.getMemory() == Memory::Weights)
    return op->emitOpError("[memory_c1] expects a place in the arena or in an output for each result");
  if (place.getMemory() == Memory::Output)
    return success();
  int64_t begin = place.getOffset(), end = begin + bytesOf(value);
  if (begin < 0 || begin % static_cast<int64_t>(opc::kPlanAlignment) != 0 ||
      end > static_cast<int64_t>(model.getArena().value_or(0)))
    return op->emitOpError("[memory_c2] expects a place within the arena, at a multiple of ")
           << opc::kPlanAlignment << ", found bytes " << begin << " to " << end;
  for (auto owner = owners.begin(); owner != owners.end();)
    owner = owner->first < end && begin < owner->second.first ? owners.erase(owner) : std::next(owner);
  if (begin != end)
    owners[begin] = {end, value};
  return success();
}

LogicalResult Verifier::read(Operation *op, Value value) {
  if (value.getDefiningOp<AbsentOp>())
    return success();
  Value root = rootOf(value);
  PlaceAttr place = placeOf(root);
  if (!place)
    return op->emitOpError("[memory_c1] expects a place for each value that is read");
  if (place.getMemory() != Memory::Arena || bytesOf(root) == 0)
    return success();
  auto owner = owners.find(place.getOffset());
  if (owner == owners.end() || owner->second.second != root)
    return op->emitOpError("[memory_c3] expects its operands in their places, found bytes ")
           << place.getOffset() << " to " << place.getOffset() + bytesOf(root) << " written by another step";
  return success();
}

LogicalResult Verifier::run() {
  for (Operation &op : model.getBody().front()) {
    if (isa<ViewOp, ConstantOp, AbsentOp>(op))
      continue;
    // Results first: one that is written over an operand is then told at the read.
    for (Value result : op.getResults())
      if (failed(write(&op, result)))
        return failure();
    for (Value operand : op.getOperands())
      if (failed(read(&op, operand)))
        return failure();
  }
  for (OpOperand &output : model.getBody().front().getTerminator()->getOpOperands()) {
    PlaceAttr place = placeOf(output.get());
    if (!place || place.getMemory() != Memory::Output || place.getOffset() != output.getOperandNumber())
      return model.emitOpError("[memory_c1] expects output ")
             << output.getOperandNumber() << " in the memory of the caller for it";
  }
  return success();
}

namespace {
struct VerifyPlacedPass : opc::graph::impl::VerifyPlacedPassBase<VerifyPlacedPass> {
  void runOnOperation() override {
    for (auto model : getOperation().getOps<ModelOp>())
      if (model.getPhase().getValue() == Phase::Placed && failed(Verifier(model).run()))
        return signalPassFailure();
  }
};
} // namespace

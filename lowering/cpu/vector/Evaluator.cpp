#include "lowering/cpu/vector/Evaluator.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace opc::cpu {

SmallVector<Lane> Evaluator::step(mlir::linalg::GenericOp op, ArrayRef<Lane> accumulators) {
  SmallVector<Lane> arguments;
  for (mlir::Value input : op.getInputs())
    arguments.push_back(element(input));
  append_range(arguments, accumulators);
  SmallVector<Lane> results;
  Payload payload(b, lanes, [&](mlir::Value value) { return frame.scalar(value); });
  payload.expForm = expForm;
  payload.position = position;
  payload.scan = scan;
  payload.lookUp = lookUp;
  payload.before = before;
  payload.run(*op.getBody(), arguments, results);
  return results;
}

Lane Evaluator::element(mlir::Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Lane lane = leaf(value);
  if (!lane.value) {
    if (auto fill = value.getDefiningOp<mlir::linalg::FillOp>()) {
      Value *scalar = frame.scalar(fill.getInputs().front());
      lane = {lanes ? b.CreateVectorSplat(lanes, scalar) : scalar, false};
    } else if (auto op = value.getDefiningOp<mlir::linalg::GenericOp>()) {
      SmallVector<Lane> accumulators;
      for (mlir::OpOperand &init : op.getDpsInitsMutable()) {
        // An output that the body does not read has no elements here.
        bool used = !op.getMatchingBlockArgument(&init).use_empty();
        accumulators.push_back(used ? element(init.get()) : Lane());
      }
      SmallVector<Lane> results = step(op, accumulators);
      for (auto [result, computed] : zip_equal(op.getResults(), results))
        known[result] = computed;
      return known[value];
    }
  }
  known[value] = lane;
  return lane;
}

} // namespace opc::cpu

// Elements of tensor values at one place of the loops: generics without reductions are computed on the way, wherever
// their results are used.

#ifndef OPC_LOWERING_CPU_VECTOR_EVALUATOR_H
#define OPC_LOWERING_CPU_VECTOR_EVALUATOR_H

#include "lowering/cpu/vector/Frame.h"

namespace opc::cpu {

class Evaluator {
public:
  /// What is known of a tensor value without computing it: an input's elements, a result that was kept. A null value
  /// when there is nothing.
  using Leaf = llvm::function_ref<Lane(mlir::Value)>;
  Evaluator(CodeBuilder &b, Frame &frame, unsigned lanes, Leaf leaf) : b(b), frame(frame), lanes(lanes), leaf(leaf) {}

  ExpForm expForm = ExpForm::Rounded;
  /// The elements of `value` here. Each generic is computed once.
  Lane element(mlir::Value value);
  /// Runs a reduction's body here: `accumulators` are what its outputs hold; the results are what they become.
  llvm::SmallVector<Lane> step(mlir::linalg::GenericOp op, llvm::ArrayRef<Lane> accumulators);

private:
  CodeBuilder &b;
  Frame &frame;
  unsigned lanes;
  Leaf leaf;
  llvm::DenseMap<mlir::Value, Lane> known;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_EVALUATOR_H

// Evaluates tensor values at one position of the loops. Generics without reductions are computed on demand, wherever
// their results are used.

#ifndef OPC_LOWERING_CPU_VECTOR_EVALUATOR_H
#define OPC_LOWERING_CPU_VECTOR_EVALUATOR_H

#include "lowering/cpu/vector/Frame.h"

namespace opc::cpu {

class Evaluator {
public:
  /// The elements of a tensor value that need no computation, such as those of an input or of a stored result; a null
  /// value if they must be computed.
  using Leaf = llvm::function_ref<Lane(mlir::Value)>;
  Evaluator(CodeBuilder &b, Frame &frame, unsigned lanes, Leaf leaf) : b(b), frame(frame), lanes(lanes), leaf(leaf) {}

  ExpForm expForm = ExpForm::Rounded;
  std::function<llvm::Value *(std::optional<unsigned> loop)> position;                   ///< of Payload
  std::function<llvm::Value *(mlir::Operation &, llvm::Value *)> scan;                   ///< of Payload
  std::function<llvm::Value *(mlir::Operation &, llvm::ArrayRef<llvm::Value *>)> lookUp; ///< likewise
  std::function<std::optional<Lane>(mlir::Operation &)> before;                          ///< of Payload
  /// The elements of `value` at this position. Each generic is computed once.
  Lane element(mlir::Value value);
  /// Runs the body of a reduction at this position. `accumulators` are the current values of its outputs; the results
  /// are their next values.
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

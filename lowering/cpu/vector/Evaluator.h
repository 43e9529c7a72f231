// Evaluates tensor values at one position of the loops. Generics without reductions are computed on demand, wherever
// their results are used. te.gather in kernels of the shape key `lookup` reads elements at indices that a
// payload computes:
//
//   place      brought into its range, as `beyond` says, before it is multiplied by a distance
//   offset     the sum over the dimensions, in 32 bits, since the table has fewer than 2^31 elements (Frame.h)
//   load       lanes whose offsets follow each other are one load, others one each
//
// Indices that do not change along a row are scalars: if all are scalars, a row of the table is read contiguously.

#ifndef OPC_LOWERING_CPU_VECTOR_EVALUATOR_H
#define OPC_LOWERING_CPU_VECTOR_EVALUATOR_H

#include "dialect/te/TeOps.h"
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

/// Looks up elements of tables.
class Lookup {
public:
  /// Reads the sizes of the tables; before the loop over the row.
  Lookup(CodeBuilder &b, FusedKernel &kernel, Frame &frame, unsigned lanes);

  /// The tensor from which a te.gather of a payload reads.
  unsigned tensorOf(mlir::Operation &gather) const;
  /// The elements for the lanes from column `i` on. `row` points to the row of the table at which all indices are 0.
  llvm::Value *elements(mlir::Operation &gather, llvm::ArrayRef<llvm::Value *> places, llvm::Value *row,
                        llvm::Value *i);

private:
  bool moves(mlir::Value value);
  bool movesAlongRow(unsigned tensor) const { return llvm::is_contained(kernel.tensors[tensor].dims, 1); }
  llvm::Value *inRange(llvm::Value *place, llvm::Value *count, te::Beyond beyond);
  llvm::Value *loadEach(llvm::Value *row, llvm::Value *offsets, const Element &element);

  CodeBuilder &b;
  FusedKernel &kernel;
  unsigned lanes;
  std::vector<Frame::Table> tables; ///< for each tensor
  llvm::DenseMap<mlir::Value, bool> moving;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_EVALUATOR_H

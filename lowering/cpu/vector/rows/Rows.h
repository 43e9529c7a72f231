// Kernels that sweep along rows: row operators (LayerNorm) and reductions along rows.
//
// For each item (a row; an element that is kept) the body's values are of two kinds: elements, which differ
// along the row, and scalars of the item. A reduction needs a sweep along the row; what depends on its result
// needs the next sweep:
//
//   sum = reduce x                sweep 0
//   mean = sum / n                scalar
//   var = reduce (x - mean)^2     sweep 1: x - mean is computed again wherever it is used
//   y = (x - mean) * rsqrt(var)   sweep 2
//
// Each sweep is a loop of wide vectors and one partial vector. Reductions keep as many partial results as a vector
// has lanes, so the order of a sum depends on the row's length and the level alone.

#ifndef OPC_LOWERING_CPU_VECTOR_ROWS_ROWS_H
#define OPC_LOWERING_CPU_VECTOR_ROWS_ROWS_H

#include "lowering/cpu/vector/Evaluator.h"
#include "lowering/cpu/vector/rows/Reduction.h"

namespace opc::cpu {

/// Of a value in a body: what casts to wider floats were applied to.
mlir::Value withoutWidening(mlir::Value value);

class RowKernel {
public:
  RowKernel(CodeBuilder &b, FusedKernel &kernel, Frame &frame);

  /// Sorts reductions and outputs into sweeps; false after an error (cpu_c8).
  bool plan();
  /// The items frame.begin .. frame.end.
  void emit();

private:
  friend class MomentsForm;
  friend class SoftmaxForm;

  /// Whether a value differs along the row.
  bool isElement(mlir::Value value) const;
  /// The first sweep in which a value can be computed.
  unsigned sweepOf(mlir::Value value);
  bool isReduced(mlir::linalg::GenericOp op) const { return op.getNumReductionLoops() != 0; }

  /// One item: its tensors' first elements are `pointers`.
  void item();
  void sweep(unsigned number);
  /// Whole turns of begin .. end, then one with the `count` elements that are left (null before). That one is moved
  /// back to end with the range where the range has a whole turn: it meets elements again, which does no harm to
  /// what is stored (no output is an input); what is accumulated takes newLanes alone. Else it loads and stores a
  /// part of its lanes.
  using SpanBody =
      llvm::function_ref<Values(llvm::Value *i, llvm::Value *count, llvm::ArrayRef<llvm::Value *> carried)>;
  Values span(llvm::Value *begin, llvm::Value *end, llvm::ArrayRef<llvm::Value *> initial, SpanBody body);
  /// Results of reductions that a sweep makes, one for each of its accumulators.
  using Owners = llvm::SmallVector<std::pair<const Reduction *, unsigned>>;
  /// The whole of a row: `turn` makes vectors of partial results for `owners` out of those before. What a row comes
  /// to are scalars, or vectors where R0 is swept, too.
  Values along(unsigned number, Values accumulators, const Owners &owners, SpanBody turn);
  Values sumParts(const Owners &owners, Values neutral, llvm::function_ref<Values(llvm::Value *begin)> sumOfPart);
  Values turn(unsigned number, llvm::Value *r0, llvm::Value *i, llvm::Value *count,
              llvm::ArrayRef<llvm::Value *> accumulators);
  void computeScalars(unsigned number);
  llvm::Value *scalarOf(mlir::Value value);
  /// The input that has a row of its own for each item: the one to ask for ahead.
  std::optional<unsigned> mainInput() const;
  /// The first output that has a row of its own for each item.
  std::optional<unsigned> mainOutput() const;
  /// Lanes of the turn at hand that no turn before has met.
  llvm::Value *newLanes(llvm::Value *count);
  /// Elements from `i` on, in a turn of span().
  llvm::Value *loadTurn(llvm::Value *pointer, llvm::Value *i, llvm::Value *count, const Element &element);
  void storeTurn(llvm::Value *value, llvm::Value *pointer, llvm::Value *i, llvm::Value *count, const Element &element);
  Lane leaf(mlir::Value value, llvm::Value *r0, llvm::Value *i, llvm::Value *count);
  llvm::Value *tensorAt(unsigned tensor, llvm::Value *r0);
  void storeScalars();

  CodeBuilder &b;
  FusedKernel &kernel;
  Frame &frame;
  unsigned itemLoop, innerLoop;
  bool hasOuter;          ///< R0 is swept, too
  unsigned lanes;         ///< of a register
  unsigned wide;          ///< elements of a turn of the sweep at hand
  bool movedBack = false; ///< the turn at hand ends with its range and meets elements again
  unsigned sweeps = 0;
  llvm::SmallVector<Reduction> reductions;
  llvm::DenseMap<mlir::Value, unsigned> sweepNumbers;
  // Of the item at hand.
  llvm::SmallVector<llvm::Value *> pointers;
  llvm::DenseMap<mlir::Value, llvm::Value *> scalars;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_ROWS_ROWS_H

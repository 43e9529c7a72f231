// Kernels that sweep along rows: row operators (LayerNorm) and reductions along rows.
//
// For each item (a row, or an element that a reduction keeps), the values of the body are of two kinds: elements,
// which differ along the row, and scalars of the item. A reduction takes a sweep along the row; values that depend on
// its result take the next sweep:
//
//   sum = reduce x                sweep 0
//   mean = sum / n                scalar
//   var = reduce (x - mean)^2     sweep 1: x - mean is recomputed wherever it is used
//   y = (x - mean) * rsqrt(var)   sweep 2
//
// What all rows share, as gamma and beta, is converted to float32 once for the rows of a call instead of in each row.
//
// Each sweep is a loop over full vectors, followed by a partial vector. Reductions keep as many partial results as a
// vector has lanes, so the order of a sum depends only on the length of the row and the level.

#ifndef OPC_LOWERING_CPU_VECTOR_ROWS_ROWS_H
#define OPC_LOWERING_CPU_VECTOR_ROWS_ROWS_H

#include "lowering/cpu/vector/Evaluator.h"
#include "lowering/cpu/vector/rows/Reduction.h"

namespace opc::cpu {

/// The prefetch distance in bytes of rows that are only reduced. Measured for positions with rows in memory, float32
/// and float16, at both levels: 4096 took 1.05 to 1.3 times as long.
constexpr int64_t kReadAhead = 8192;

/// The operand of the casts to wider floats that a value in a body is the result of; the value itself if there are
/// none.
mlir::Value withoutWidening(mlir::Value value);

/// The steps that the sweeps of one kernel consist of, and their state. RowKernel emits any kernel with them; the forms
/// (MomentsForm, PositionsForm, SoftmaxForm) emit special ones in fewer sweeps.
class RowSweeps {
public:
  RowSweeps(CodeBuilder &b, FusedKernel &kernel, Frame &frame);

  /// Whether a value varies along the row, or between iterations of R0.
  bool isElement(mlir::Value value) const;
  /// The first sweep in which a value can be computed.
  unsigned sweepOf(mlir::Value value);
  bool isReduced(mlir::linalg::GenericOp op) const { return op.getNumReductionLoops() != 0; }

  void sweep(unsigned number);
  /// Emits full iterations over begin .. end, then one for the `count` elements that are left (`count` is null
  /// before). If the range has a full iteration, the last one is moved back to end with the range. It then processes
  /// some elements again. That does not change what is stored (no output is an input), and accumulators take only
  /// newLanes(). Otherwise the last iteration loads and stores only part of its lanes.
  using SpanBody =
      llvm::function_ref<Values(llvm::Value *i, llvm::Value *count, llvm::ArrayRef<llvm::Value *> carried)>;
  Values span(llvm::Value *begin, llvm::Value *end, llvm::ArrayRef<llvm::Value *> initial, SpanBody body);
  /// The results of reductions that a sweep computes, one for each of its accumulators.
  using Owners = llvm::SmallVector<std::pair<const Reduction *, unsigned>>;
  /// Sweeps a whole row; of the trip `r0` of R0 if that is swept as well. `turn` computes the next vectors of partial
  /// results for `owners` from the previous ones. The results of the row are scalars, or vectors if R0 is swept as
  /// well.
  Values along(unsigned number, llvm::ArrayRef<llvm::Value *> r0, Values accumulators, const Owners &owners,
               SpanBody turn);
  Values sumParts(const Owners &owners, Values neutral, llvm::function_ref<Values(llvm::Value *begin)> sumOfPart);
  Values turn(unsigned number, llvm::ArrayRef<llvm::Value *> r0, llvm::Value *i, llvm::Value *count,
              llvm::ArrayRef<llvm::Value *> accumulators);
  void computeScalars(unsigned number);
  llvm::Value *scalarOf(mlir::Value value);
  /// The input that has a separate row for each item, which is worth prefetching.
  std::optional<unsigned> mainInput() const;
  /// The first output that has a separate row for each item.
  std::optional<unsigned> mainOutput() const;
  /// The lanes of the current iteration that no earlier iteration has processed.
  llvm::Value *newLanes(llvm::Value *count);
  /// The values of a body's positions, for one element or for `lanes` of them from `i` on.
  std::function<llvm::Value *(std::optional<unsigned> loop)> positions(llvm::Value *i, unsigned lanes);
  /// Elements from `i` on, in an iteration of span().
  llvm::Value *loadTurn(llvm::Value *pointer, llvm::Value *i, llvm::Value *count, const Element &element);
  void storeTurn(llvm::Value *value, llvm::Value *pointer, llvm::Value *i, llvm::Value *count, const Element &element);
  Lane leaf(mlir::Value value, llvm::ArrayRef<llvm::Value *> r0, llvm::Value *i, llvm::Value *count);
  llvm::Value *tensorAt(unsigned tensor, llvm::ArrayRef<llvm::Value *> r0);
  /// Converts the rows that all items share, where a call has several items and the rows fit their buffers.
  void widenSharedRows();
  /// Whether what a sweep computes depends on rows that have a buffer.
  bool readsWidened(unsigned number);

  CodeBuilder &b;
  FusedKernel &kernel;
  Frame &frame;
  unsigned itemLoop, innerLoop;
  bool hasOuter;          ///< R0 is swept as well
  unsigned lanes;         ///< of a register
  unsigned wide;          ///< elements of an iteration of the current sweep
  bool movedBack = false; ///< the current iteration was moved back and processes elements again
  unsigned sweeps = 0;
  bool locates = false; ///< positions of reduced elements
  bool counts = false;  ///< positions along loops (te.iota)
  llvm::SmallVector<Reduction> reductions;
  llvm::DenseMap<mlir::Value, unsigned> sweepNumbers;
  /// Rows in float32 that all items share, by tensor; and whether this call has filled them (i1).
  llvm::DenseMap<unsigned, llvm::Value *> widened;
  llvm::Value *isWidened = nullptr;
  bool fromWidened = false; ///< the current sweep reads these buffers
  // State of the current item.
  llvm::Value *number = nullptr; ///< of the item in its loop
  llvm::SmallVector<llvm::Value *> pointers;
  llvm::DenseMap<mlir::Value, llvm::Value *> scalars;
};

class RowKernel : private RowSweeps {
public:
  using RowSweeps::RowSweeps;

  /// Assigns reductions and outputs to sweeps. False after an error (cpu_c8).
  bool plan();
  /// Emits the code for the items frame.begin .. frame.end.
  void emit();
  /// Emits the code for one item: its number, and the first element of each tensor in it.
  void emitAt(llvm::Value *item, llvm::ArrayRef<llvm::Value *> firstOf);

private:
  /// Emits one item; `pointers` are the first elements of its tensors.
  void item();
  void storeScalars();
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_ROWS_ROWS_H

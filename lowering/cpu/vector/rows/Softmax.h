// Online softmax (Milakov and Gimelshein, 2018) for row kernels that contain a softmax, in chunks.
//
//   M = max x;  E = exp(x - M);  S = sum E;  y = f(E, S, ...)
//
// Three sweeps would read a long row from memory three times. Instead, each chunk of 1024 elements is read once: its
// maximum is taken, and its exponentials are computed with the running maximum and kept. The running sum is rescaled
// whenever the maximum grows. At the end each chunk is rescaled to the maximum of the row. For a single chunk this
// equals the three sweeps:
//
//   for chunk c:  M' = max(M, max of c);  S = S exp(M - M') + sum of exp(x - M');  M = M'; Mc = M'
//   for chunk c:  E = kept * exp(Mc - M);  y = f(E, S, ...)
//
// Exponentials are kept in the output if its type is f32, otherwise in a buffer; rows that exceed the buffer take the
// three sweeps. If y is E / S, the scaling and the division are a single multiplication.

#ifndef OPC_LOWERING_CPU_VECTOR_ROWS_SOFTMAX_H
#define OPC_LOWERING_CPU_VECTOR_ROWS_SOFTMAX_H

#include "lowering/cpu/vector/rows/Rows.h"

namespace opc::cpu {

class SoftmaxForm {
public:
  explicit SoftmaxForm(RowSweeps &rows) : rows(rows), b(rows.b), kernel(rows.kernel) {}

  /// Whether the kernel has this form.
  bool applies();
  /// Emits all sweeps for one item, and leaves the same scalars of the item as they do.
  void emit();

private:
  bool findReductions();
  bool isShiftedExp(mlir::linalg::GenericOp op) const;
  bool isDecaying(mlir::linalg::GenericOp op) const;
  bool isOneDivision(mlir::Value value) const;
  void chunks();
  void firstPass(llvm::Value *chunk);
  void secondPass(llvm::Value *chunk);
  llvm::Value *larger(llvm::Value *x, llvm::Value *y);
  llvm::Value *chunkMax(llvm::Value *begin, llvm::Value *end);
  llvm::Value *chunkSum(llvm::Value *begin, llvm::Value *end);

  RowSweeps &rows;
  CodeBuilder &b;
  FusedKernel &kernel;
  const Reduction *max = nullptr, *sum = nullptr;
  mlir::Value exponential;
  bool decays = false;           ///< no exponential is above 1
  bool leavesOutNaN = false;     ///< the maximum may ignore NaN
  bool divides = false;          ///< the output is E / S
  llvm::Value *kept = nullptr;   ///< exponentials of the row, as f32
  llvm::Value *maxima = nullptr; ///< of the chunks
  llvm::Value *n = nullptr;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_ROWS_SOFTMAX_H

// Row kernels with the heart of a softmax, in chunks.
//
//   M = max x;  E = exp(x - M);  S = sum E;  y = f(E, S, ...)
//
// Three sweeps would fetch a long row three times. A chunk of 1024 elements is fetched once, its maximum taken, its
// exponentials computed with the largest maximum so far and kept; at the end each chunk is scaled to the maximum of
// the row. For one chunk this is the three sweeps:
//
//   for chunk c:  M' = max(M, max of c);  S = S exp(M - M') + sum of exp(x - M');  M = M'; Mc = M'
//   for chunk c:  E = kept * exp(Mc - M);  y = f(E, S, ...)
//
// Exponentials are kept in the output when that is f32, else in a buffer; rows beyond the buffer take the three
// sweeps. Where y is E / S, the scale and the division are one multiplication.

#ifndef OPC_LOWERING_CPU_VECTOR_ROWS_SOFTMAX_H
#define OPC_LOWERING_CPU_VECTOR_ROWS_SOFTMAX_H

#include "lowering/cpu/vector/rows/Rows.h"

namespace opc::cpu {

class SoftmaxForm {
public:
  explicit SoftmaxForm(RowKernel &rows) : rows(rows), b(rows.b), kernel(rows.kernel) {}

  /// Whether the kernel is of this form.
  bool applies();
  /// All sweeps of one item; scalars of the item are left as a sweep leaves them.
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

  RowKernel &rows;
  CodeBuilder &b;
  FusedKernel &kernel;
  const Reduction *max = nullptr, *sum = nullptr;
  mlir::Value exponential;
  bool decays = false;           ///< no exponential is above 1
  bool leavesOutNaN = false;     ///< the maximum
  bool divides = false;          ///< the output is E / S
  llvm::Value *kept = nullptr;   ///< exponentials of the row, f32
  llvm::Value *maxima = nullptr; ///< of the chunks
  llvm::Value *n = nullptr;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_ROWS_SOFTMAX_H

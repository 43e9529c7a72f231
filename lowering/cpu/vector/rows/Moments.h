// Row kernels that sum a row and the squares of its distances from something that the sum gives: a mean and a variance.
//
//   A = sum x;  M = f(A);  Q = sum (x - M)^2
//
// Q needs M, which is known when the row has been read to its end. One sweep makes both sums of distances from a
// number at hand, c = x[0], and what M differs from c is put right afterwards:
//
//   S = sum (x - c);  T = sum (x - c)^2;  d = M - c
//   A = S + n c;      Q = T - d (2 S - n d)
//
// This holds for every M. Where c lies far from M, Q is the small difference of large numbers: a relative error of n
// d^2 / Q units. Beyond 8, where c is not within 2.8 standard deviations of the mean (a row in 200 of normal
// numbers), and where anything is infinite or NaN, the row takes the two sweeps. So Q loses three bits at most, and
// what a row is given depends on the row alone.

#ifndef OPC_LOWERING_CPU_VECTOR_ROWS_MOMENTS_H
#define OPC_LOWERING_CPU_VECTOR_ROWS_MOMENTS_H

#include "lowering/cpu/vector/rows/Rows.h"

namespace opc::cpu {

class MomentsForm {
public:
  explicit MomentsForm(RowKernel &rows) : rows(rows), b(rows.b) {}

  /// Whether the first two sweeps of the kernel are of this form.
  bool applies();
  /// Both sweeps of one item; scalars of the item are left as they leave them.
  void emit();

private:
  bool findDifference(mlir::linalg::GenericOp op, mlir::Value value);
  llvm::Value *firstElement();
  void exactSums();

  RowKernel &rows;
  CodeBuilder &b;
  const Reduction *sum = nullptr, *squares = nullptr;
  mlir::Value x, middle; ///< what is summed; M
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_ROWS_MOMENTS_H

// Row kernels that sum a row, and the squares of its distances from a function of that sum: mean and variance.
//
//   A = sum x;  M = f(A);  Q = sum (x - M)^2
//
// Q depends on M, which is known only after a whole sweep. A single sweep computes both sums of the distances from a
// number that is known before, c = x[0] (the shifted-data method), and then corrects for the difference between M and
// c:
//
//   S = sum (x - c);  T = sum (x - c)^2;  d = M - c
//   A = S + n c;      Q = T - d (2 S - n d)
//
// This holds for every M. If c is far from M, Q is a small difference of large numbers, with a relative error of n
// d^2 / Q ulp. If that exceeds 8, that is, if c is more than 2.8 standard deviations from the mean (one row in 200 of
// normally distributed numbers), or if anything is infinite or NaN, the row takes two sweeps. So Q loses at most
// three bits, and the method that a row takes depends only on the row.

#ifndef OPC_LOWERING_CPU_VECTOR_ROWS_MOMENTS_H
#define OPC_LOWERING_CPU_VECTOR_ROWS_MOMENTS_H

#include "lowering/cpu/vector/rows/Rows.h"

namespace opc::cpu {

class MomentsForm {
public:
  explicit MomentsForm(RowSweeps &rows) : rows(rows), b(rows.b) {}

  /// Whether the first two sweeps of the kernel have this form.
  bool applies();
  /// Emits both sweeps for one item, and leaves the same scalars of the item as they do.
  void emit();

private:
  bool findDifference(mlir::linalg::GenericOp op, mlir::Value value);
  llvm::Value *firstElement();
  void exactSums();

  RowSweeps &rows;
  CodeBuilder &b;
  const Reduction *sum = nullptr, *squares = nullptr;
  mlir::Value x, middle; ///< the summed value; M
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_ROWS_MOMENTS_H

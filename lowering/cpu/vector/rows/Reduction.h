// A reduction of a fused kernel: a linalg.generic whose body combines elements with the value of its output, by a
// single operation at its end.
//
//   ^bb0(%x: f32, %sum: f32):
//     %square = arith.mulf %x, %x
//     %next = arith.addf %sum, %square      the combiner
//     linalg.yield %next
//
// Vectors of partial results are kept in registers. They start with the neutral element and are combined in a tree at
// the end; the initial value of the output is combined last.

#ifndef OPC_LOWERING_CPU_VECTOR_ROWS_REDUCTION_H
#define OPC_LOWERING_CPU_VECTOR_ROWS_REDUCTION_H

#include "lowering/cpu/vector/Frame.h"

namespace opc::cpu {

struct Reduction {
  mlir::linalg::GenericOp op;
  llvm::SmallVector<mlir::Operation *> combiners; ///< one for each result

  /// nullopt after an error: the body does not end with a single combining operation (cpu_c8).
  static std::optional<Reduction> of(mlir::linalg::GenericOp op);

  mlir::Value result(unsigned k) const { return mlir::linalg::GenericOp(op).getResult(k); }
  /// The initial value of the output, which is combined last.
  mlir::Value start(unsigned k) const { return mlir::linalg::GenericOp(op).getDpsInits()[k]; }
  unsigned results() const { return combiners.size(); }
  mlir::Type type(unsigned result) const;
  /// Whether a result is a sum that is not rounded to a narrow type at each step: a single sum over a million elements
  /// would lose the low digits of its later elements.
  bool losesDigits(unsigned result) const;
  /// The neutral element of the combiner, in `lanes`.
  llvm::Value *neutral(CodeBuilder &b, unsigned result, unsigned lanes) const;
  llvm::Value *combine(CodeBuilder &b, unsigned result, llvm::Value *x, llvm::Value *y) const;
  /// Combines all lanes of a vector: halves with each other until one lane is left.
  llvm::Value *acrossLanes(CodeBuilder &b, unsigned result, llvm::Value *vector) const;
};

/// The sum of two numbers, and its rounding error (Knuth's TwoSum).
std::pair<llvm::Value *, llvm::Value *> twoSum(CodeBuilder &b, llvm::Value *x, llvm::Value *y);
/// A sum corrected by the rounding errors of its steps; infinity minus infinity is not a rounding error.
llvm::Value *withErrors(CodeBuilder &b, llvm::Value *sum, llvm::Value *errors);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_ROWS_REDUCTION_H

// A reduction of a fused kernel: a linalg.generic whose body combines elements with what its output holds, by one
// operation at its end.
//
//   ^bb0(%x: f32, %sum: f32):
//     %square = arith.mulf %x, %x
//     %next = arith.addf %sum, %square      the combiner
//     linalg.yield %next
//
// Vectors of partial results are kept in registers, started with what changes nothing, and combined in a tree at the
// end; the value that the output started with comes last.

#ifndef OPC_LOWERING_CPU_VECTOR_ROWS_REDUCTION_H
#define OPC_LOWERING_CPU_VECTOR_ROWS_REDUCTION_H

#include "lowering/cpu/vector/Frame.h"

namespace opc::cpu {

struct Reduction {
  mlir::linalg::GenericOp op;
  llvm::SmallVector<mlir::Operation *> combiners; ///< one for each result

  /// nullopt after an error: no single operation combines (cpu_c8).
  static std::optional<Reduction> of(mlir::linalg::GenericOp op);

  mlir::Value result(unsigned k) const { return mlir::linalg::GenericOp(op).getResult(k); }
  /// What the output holds before: it is combined last.
  mlir::Value start(unsigned k) const { return mlir::linalg::GenericOp(op).getDpsInits()[k]; }
  unsigned results() const { return combiners.size(); }
  mlir::Type type(unsigned result) const;
  /// What combines with anything to that, in `lanes`.
  llvm::Value *neutral(CodeBuilder &b, unsigned result, unsigned lanes) const;
  llvm::Value *combine(CodeBuilder &b, unsigned result, llvm::Value *x, llvm::Value *y) const;
  /// All lanes of a vector, in pairs from halves.
  llvm::Value *acrossLanes(CodeBuilder &b, unsigned result, llvm::Value *vector) const;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_ROWS_REDUCTION_H

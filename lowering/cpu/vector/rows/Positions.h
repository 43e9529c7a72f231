// Row kernels that search a row for its extreme element and then for its position (te.arg_max).
//
//   M = max x;  P = min over i of (x[i] == M ? i : none)
//
// Two passes would read a long row from memory twice. A single pass combines the registers of an iteration, and keeps
// for each lane of one register the extreme so far and the iteration that it is from:
//
//   e = the extreme of the registers' lanes
//   taken = e > best;  best = taken ? e : best;  from = taken ? i : from          for the last position: e >= best
//
// In the end the first (last) iteration that has the extreme of all lanes is searched for it.
//
// No comparison selects a NaN. The pass records whether there is one, and such a row is searched again. The results are
// those of two passes.

#ifndef OPC_LOWERING_CPU_VECTOR_ROWS_POSITIONS_H
#define OPC_LOWERING_CPU_VECTOR_ROWS_POSITIONS_H

#include "lowering/cpu/vector/rows/HalfPositions.h"

namespace opc::cpu {

class PositionsForm {
public:
  explicit PositionsForm(RowSweeps &rows) : rows(rows), b(rows.b) {}

  /// Whether the passes of the kernel have this form.
  bool applies();
  /// Emits both sweeps for one item, and leaves the position as a scalar of the item.
  void emit();

private:
  enum class Order { Better, BetterOrEqual, Equal };
  llvm::Value *compare(Order order, llvm::Value *x, llvm::Value *y);
  llvm::Value *better(llvm::Value *x, llvm::Value *y);
  Values alongRow(llvm::ArrayRef<llvm::Value *> initial, RowSweeps::SpanBody body);
  llvm::Value *elements(llvm::Value *i, llvm::Value *count, llvm::Value *otherwise);
  llvm::Value *withNaN(llvm::Value *seen, llvm::Value *x, llvm::Value *y);
  llvm::Value *isAnyNaN(llvm::ArrayRef<llvm::Value *> seen);
  Values sweep();
  llvm::Value *acrossLanes(llvm::Value *lanes, llvm::Value *from);
  llvm::Value *positionOfNaN();
  HalfPositions::Found positionOfExtreme();

  RowSweeps &rows;
  CodeBuilder &b;
  const Reduction *extreme = nullptr, *position = nullptr;
  mlir::Value x;
  bool isFirst = true;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_ROWS_POSITIONS_H

// Row kernels that search a row for its extreme element and then for its position (te.arg_max).
//
//   M = max x;  P = min over i of (x[i] == M ? i : none)
//
// Two passes would read a long row from memory twice. A single pass keeps, for each lane, the extreme so far and its
// iteration, and combines the lanes at the end:
//
//   taken = x > best;  best = taken ? x : best;  from = taken ? i : from          for the last position: x >= best
//   at = from + lane;  of two lanes the better one, of equals the smaller `at`    the larger `at`
//
// No comparison selects a NaN. The pass records whether there is one, and such a row is searched again. The results are
// those of two passes.

#ifndef OPC_LOWERING_CPU_VECTOR_ROWS_POSITIONS_H
#define OPC_LOWERING_CPU_VECTOR_ROWS_POSITIONS_H

#include "lowering/cpu/vector/rows/Rows.h"

namespace opc::cpu {

class PositionsForm {
public:
  explicit PositionsForm(RowSweeps &rows) : rows(rows), b(rows.b) {}

  /// Whether the passes of the kernel have this form.
  bool applies();
  /// Emits both sweeps for one item, and leaves the same scalars of the item as they do.
  void emit();

private:
  enum class Order { Better, BetterOrEqual, Equal };
  llvm::Value *compare(Order order, llvm::Value *x, llvm::Value *y);
  Values sweep();
  std::pair<llvm::Value *, llvm::Value *> acrossLanes(llvm::Value *best, llvm::Value *from);
  llvm::Value *positionOfNaN();

  RowSweeps &rows;
  CodeBuilder &b;
  const Reduction *extreme = nullptr, *position = nullptr;
  mlir::Value x;
  bool isFirst = true;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_ROWS_POSITIONS_H

// Elements at indices that a payload computes: te.gather in kernels of the shape key `lookup`.
//
//   place      brought into its range, as `beyond` says, before it is multiplied by a stride
//   offset     the sum over the dimensions, in 32 bits, since the table has fewer than 2^31 elements (Frame.h)
//   load       one load for lanes with adjacent offsets, else one load for each lane
//
// Indices that do not change along a row are scalars: if all are scalars, a row of the table is read contiguously. The
// parts of an offset that depend only on positions are computed before (PositionValues.h).

#ifndef OPC_LOWERING_CPU_VECTOR_PLANES_LOOKUP_H
#define OPC_LOWERING_CPU_VECTOR_PLANES_LOOKUP_H

#include "dialect/te/TeOps.h"
#include "lowering/cpu/vector/Frame.h"
#include "lowering/cpu/vector/planes/PositionValues.h"

namespace opc::cpu {

/// Looks up elements of tables, in `lanes` lanes.
class Lookup {
public:
  /// Reads the sizes of the tables; before the loop over the row.
  Lookup(CodeBuilder &b, FusedKernel &kernel, Frame &frame, PositionValues &positions, unsigned lanes);

  using Places = llvm::ArrayRef<llvm::Value *>;
  /// The tensor from which a te.gather of a payload reads.
  unsigned tensorOf(mlir::Operation &gather) const;
  /// The sum over the indices that depend only on the row, as a scalar; null if there are none.
  llvm::Value *ofRow(mlir::Operation &gather, Places places);
  /// The sum over the indices that depend only on the column, for each lane; null if there are none.
  llvm::Value *ofColumns(mlir::Operation &gather, Places places);
  /// The elements for the lanes from column `i` on. `row` points to the row of the table at which all indices are 0.
  /// `ofRow` is the result of ofRow(), and `ofColumns` the address of the results of ofColumns() for the lanes; if they
  /// are null, the sums are computed here.
  llvm::Value *elements(mlir::Operation &gather, Places places, llvm::Value *row, llvm::Value *i, llvm::Value *ofRow,
                        llvm::Value *ofColumns);

private:
  bool moves(mlir::Value value);
  using OfIndex = llvm::function_ref<bool(mlir::Value)>;
  llvm::Value *sumOver(te::GatherOp gather, Places places, bool areMoving, OfIndex counts);
  llvm::Value *inRange(llvm::Value *place, llvm::Value *count, te::Beyond beyond);
  llvm::Value *loadEach(llvm::Value *row, llvm::Value *offsets, const Element &element);

  CodeBuilder &b;
  FusedKernel &kernel;
  PositionValues &positions;
  unsigned lanes;
  std::vector<Frame::Table> tables; ///< for each tensor
  llvm::DenseMap<mlir::Value, bool> moving;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_PLANES_LOOKUP_H

// Values of payloads that depend only on positions. If a payload uses the positions of rows and columns, a value
// depends on the number of the row, on the column, on elements of tensors, or on several of these:
//
//   row       i * scale, floor of it      computed once for each row, in registers
//   column    j * scale, floor of it      computed once for the rows of a block, into buffers
//   others    i < j, x[i][j] * scale      computed at each position
//
// The sum over the indices of a te.gather along columns is a value of columns, and the sum over those along rows is one
// of rows (Lookup.h). Columns are computed in pieces of the buffers' size.

#ifndef OPC_LOWERING_CPU_VECTOR_PLANES_POSITIONVALUES_H
#define OPC_LOWERING_CPU_VECTOR_PLANES_POSITIONVALUES_H

#include "lowering/cpu/vector/FusedKernel.h"

namespace opc::cpu {

class PositionValues {
public:
  /// Columns of a piece, and the size of a buffer in elements of 4 bytes.
  static constexpr int64_t kPiece = 1024, kRoom = kPiece + 64;

  /// For a kernel with positions; in other kernels no value depends only on positions.
  explicit PositionValues(const FusedKernel &kernel);

  /// Whether a value of a payload is computed only from numbers of the launch and of the body.
  bool isOfNumbers(mlir::Value value) { return dependence(value) == 0; }
  /// Whether it is equal in all columns of a row, and computed from positions and numbers.
  bool isOfRow(mlir::Value value) { return (dependence(value) & ~unsigned(Row)) == 0; }
  /// Whether it is equal in all rows and not in all columns, and computed from positions and numbers.
  bool isOfColumn(mlir::Value value) { return dependence(value) == Column; }
  /// Whether a payload needs the result of an operation at each position, besides values of rows and buffers.
  bool isNeeded(mlir::Operation &op) const { return needed.contains(&op); }

  /// The operations whose results, or whose indices along columns, have a buffer; in program order of each generic.
  llvm::ArrayRef<mlir::Operation *> buffered() const { return kept; }
  std::optional<unsigned> bufferOf(mlir::Operation &op) const;
  /// The element type of a buffer.
  static Element elementOf(mlir::Operation &op, llvm::LLVMContext &context);

private:
  enum Dependence : unsigned { Row = 1, Column = 2, Elements = 4 };
  unsigned dependence(mlir::Value value);
  unsigned costOf(mlir::Value value);
  void keep(mlir::Operation *op);
  void need(mlir::Value value);

  llvm::DenseMap<mlir::Value, unsigned> dependences;
  llvm::SmallVector<mlir::Operation *> kept;
  llvm::DenseSet<mlir::Operation *> needed;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_PLANES_POSITIONVALUES_H

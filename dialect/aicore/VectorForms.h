// The operands of a vector op by the form of its intrinsic, for all intrinsics.
//
// The order of operands is: sources and scalar in the order of the form, destination, scratch. These functions
// implement the interface of AICoreInterfaces.td.

#ifndef OPC_DIALECT_AICORE_VECTORFORMS_H
#define OPC_DIALECT_AICORE_VECTORFORMS_H

#include "dialect/aicore/Tiles.h"

#include "mlir/IR/Operation.h"

namespace opc::aicore::detail {

llvm::SmallVector<mlir::Value> sourceTilesOf(mlir::Operation *op);
mlir::Value destinationTileOf(mlir::Operation *op);
mlir::Value scalarOperandOf(mlir::Operation *op);
mlir::Value scratchTileOf(mlir::Operation *op);
Rounding roundingOf(mlir::Operation *op);
Comparison comparisonOf(mlir::Operation *op);
Keep keepOf(mlir::Operation *op);
bool takesRows(mlir::Operation *op);
llvm::SmallVector<mlir::Value, 2> reducedRowsOf(mlir::Operation *op);
llvm::SmallVector<mlir::Value> tilesOfOneLength(mlir::Operation *op);
mlir::Value countedTileOf(mlir::Operation *op);
mlir::FailureOr<TypeRow> typeRowOf(mlir::Operation *op);

void appendVectorAccesses(mlir::Operation *op, llvm::SmallVectorImpl<Access> &accesses);
/// Rules vector_c2 to vector_c8, rows_c1, and reduce_c1 to reduce_c3.
mlir::LogicalResult verifyVectorOp(mlir::Operation *op);

} // namespace opc::aicore::detail

#endif // OPC_DIALECT_AICORE_VECTORFORMS_H

// Rows with a number each: arithmetic on a tile of rows whose second source has a block of 32 bytes
// for every row.
//
//   aicore.vadd ins(%x, %b : memref<512xf32, ub>, memref<32xf32, ub>) outs(%y : ...) {aicore.rows}
//
//   four blocks, so four rows of 128 elements:   y[i] = x[i] + b[i / 128 * 8 + i % 8]
//
// It is the strided form of the same call: along a row the block stands still, or eight rows are
// worked on at once, a block of each in a repeat (runtime/target/RowForm.h). Blocks lie one behind
// the other, so all bytes that are touched lie together.
//
// Rules:
//   rows_c1  the second source has whole blocks, one for each row, and rows have as many elements
//            each; those of several rows in whole blocks
//   rows_c2  vadd, vsub, vmul, vdiv, vmax and vmin have the form

#ifndef OPC_DIALECT_AICORE_ROWS_H
#define OPC_DIALECT_AICORE_ROWS_H

#include "runtime/target/RowForm.h"

#include "mlir/IR/Operation.h"

namespace opc::aicore {

/// A unit attribute of an intrinsic.
inline constexpr llvm::StringLiteral kRowsAttr = "aicore.rows";

inline bool takesRows(mlir::Operation *op) {
  return op->hasAttr(kRowsAttr);
}

} // namespace opc::aicore

#endif // OPC_DIALECT_AICORE_ROWS_H

// The inner loops of a matrix product: register tiles over panels.
//
//   a tile of 6 rows and 2 vectors, one step of k:
//
//                     b[k][0..16)
//                     ┌──────┬──────┐
//        a[0][k] ──►  │ sum  │ sum  │      2 loads of b, 6 broadcasts from memory, 12 fused products;
//          …          │  …   │  …   │      the sums stay in registers for all of k
//        a[5][k] ──►  │ sum  │ sum  │
//                     └──────┴──────┘
//
// Remaining rows form one or two tiles of fewer rows; remaining columns form a tile with as few vectors as hold them.
//
// Cells of bytes (Cells.h) have the same loops: a product is vpmaddwd, which adds both products of a pair without
// saturation, and an addition of i32; or vpdpbusd, which does all of that for four bytes. The correction for flipped
// bytes of the left operand depends only on the column, so all tiles of a panel start with it.

#ifndef OPC_LOWERING_CPU_VECTOR_CONTRACTION_TILES_H
#define OPC_LOWERING_CPU_VECTOR_CONTRACTION_TILES_H

#include "lowering/cpu/vector/contraction/Panels.h"

namespace opc::cpu {

/// A left panel times a right one of as many columns as `vectors` hold. Rows of the right one have a stride, in a panel
/// or in a matrix, or a table has their offsets.
struct PanelProduct {
  enum class Rows { Apart, Table };
  CellProduct cells;     ///< of bytes: sums are i32
  llvm::Value *left;     ///< f32, tiles of rows (Panels.h), or a matrix in memory
  llvm::Value *leftStep; ///< elements between rows; in tiles, the k that a row of the whole panel has
  llvm::Value *isTiled;  ///< i1
  llvm::Value *kStep;    ///< in memory, elements between neighbours along k
  llvm::Value *firstK;   ///< of the panel
  Rows rowsOfRight;
  llvm::Value *right;     ///< f32
  llvm::Value *rightStep; ///< Apart: elements between rows; Table: i64, the first element of each row
  /// For flipped cells of four bytes: the initial values of the sums of its columns (packedStarts); null: they
  /// are computed.
  llvm::Value *start;
  /// Apart: the memory to prefetch: rows with the bytes of a panel's row, and their stride in bytes.
  llvm::Value *next, *nextRows, *nextStep;
  llvm::Value *sums, *sumStep;           ///< f32; elements from row to row
  llvm::Value *rows, *depth, *continues; ///< i1: adds to the existing sums, else starts with 0
};
void multiplyPanels(CodeBuilder &b, const PanelProduct &product, unsigned vectors);

/// Computes the initial values of the sums of each column, for a whole right matrix in panels (packWholePanels) whose
/// products have a flipped left operand.
void sumColumns(CodeBuilder &b, const CellProduct &cells, llvm::Value *to, llvm::Value *panels, llvm::Value *depth,
                llvm::Value *columns);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CONTRACTION_TILES_H

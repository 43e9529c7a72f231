// Products of one row, or of a few, with a whole matrix: each element of the matrix is read from memory once, in the
// order of memory, and nothing is packed. These products take as long as that reading.
//
//   rows along columns: eight rows of the matrix at once          rows along k: four rows of the matrix at once
//
//              columns ──►                                                   k ──►
//           ┌─────────┬──┬───┐                                             ┌─────┬──┬──────┐
//         k │    …    │  │ … │  cells of a few vectors stay    columns n0 │  …  │  │  …   │  a vector of each, times
//         │ │    …    │  │ … │  in registers for all rows              n1 │  …  │  │  …   │  the left rows: sums stay
//         ▼ │    …    │  │ … │  of the result, whose sums              n2 │  …  │  │  …   │  in registers for all of k
//           └─────────┴──┴───┘  are in the cache                       n3 └─────┴──┴──────┘
//
// Of f16 and bf16 each element is converted once for a single row, and once for all rows or for each group of them.
//
// A sum has one order for each number of rows from 2 on, so a row of the result does not depend on the other rows.

#ifndef OPC_LOWERING_CPU_VECTOR_CONTRACTION_FEWROWS_H
#define OPC_LOWERING_CPU_VECTOR_CONTRACTION_FEWROWS_H

#include "lowering/cpu/vector/contraction/Panels.h"

namespace opc::cpu {

/// The maximum number of rows of productOfRows.
inline constexpr int64_t kFewRows = 16;

/// sums[row][0 .. columns) (+)= left[row][0 .. depth) times a matrix, whose rows are k or, if `alongK`, columns. Depth
/// is in elements of the matrix.
struct RowProduct {
  CellProduct cells;
  llvm::Value *left; ///< cells
  MatrixPart right;
  llvm::Value *sums; ///< f32 or i32, room for whole vectors after each row
  llvm::Value *columns, *depth, *continues;
  llvm::Value *rows = nullptr;                         ///< 1 to kFewRows; null: a single row
  llvm::Value *leftStep = nullptr, *sumStep = nullptr; ///< with `rows`: cells from row to row
};
void multiplyRows(CodeBuilder &b, const RowProduct &product, bool alongK);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CONTRACTION_FEWROWS_H

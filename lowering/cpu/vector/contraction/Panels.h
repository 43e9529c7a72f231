// Panels of a matrix product: parts of both operands as f32, in the order in which register tiles read them.
//
//   left    rows of k                     right   a row of columns for each k
//
//           k ──►                                 columns ──►
//         ┌───────────────┐                     ┌────────┐
//       m │ a00 a01 a02 … │ leftStep            │ b00 b01│ k
//       │ │ a10 a11 a12 … │                     │ b10 b11│ │
//       ▼ └───────────────┘                     │  …     │ ▼
//                                               └────────┘ width
//
// Both are filled from memory in either order: a copy of rows, or a transposition of square blocks in registers. f16
// and bf16 are converted on the way, so that everything behind the panels computes in f32.

#ifndef OPC_LOWERING_CPU_VECTOR_CONTRACTION_PANELS_H
#define OPC_LOWERING_CPU_VECTOR_CONTRACTION_PANELS_H

#include "lowering/cpu/vector/Memory.h"

namespace opc::cpu {

/// The sizes of register tiles and panels for a level.
struct PanelSizes {
  explicit PanelSizes(const CpuLevel &level);

  unsigned lanes;   ///< f32 lanes of a vector
  unsigned vectors; ///< of a row of a register tile
  unsigned rows;    ///< of a register tile
  int64_t depth;    ///< most of k in a panel
  int64_t rowBlock; ///< most rows of a left panel, a multiple of `rows`
  int64_t columns;  ///< most columns that are packed at once, a multiple of `width`: so many right panels
  int64_t results;  ///< most columns of results that wait for the next part of k

  int64_t width() const { return int64_t(lanes) * vectors; }
  /// The distance in elements between rows of a left panel: rows do not share sets of the cache, and a transposition
  /// may write a vector beyond the end.
  int64_t leftStep() const { return depth + 16; }
  /// Likewise of results that wait.
  int64_t resultStep() const { return results + 16; }
};

/// A matrix in memory, from its first element on; consecutive rows are `step` elements apart.
struct MatrixPart {
  llvm::Value *from, *step;
  Element element;
};

/// to[row * toStep + column] = from[row][column] for rows and columns of the matrix as memory has it. `to` is f32.
void packRows(CodeBuilder &b, llvm::Value *to, int64_t toStep, const MatrixPart &matrix, llvm::Value *rows,
              llvm::Value *columns);

/// Right panels of a matrix whose rows are k: to[column / width][row][column % width] = from[row][column]. Panels are
/// PanelSizes::depth rows apart.
void packPanels(CodeBuilder &b, llvm::Value *to, const MatrixPart &matrix, llvm::Value *rows, llvm::Value *columns);

/// to[column * toStep + row] = from[row][column]. Rows of `to` are filled up to a whole vector with copies of the last
/// row of the matrix.
void packTransposed(CodeBuilder &b, llvm::Value *to, int64_t toStep, const MatrixPart &matrix, llvm::Value *rows,
                    llvm::Value *columns);

/// "f32", "f16", "bf16": part of the names of shared functions.
llvm::StringRef panelName(const Element &element);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CONTRACTION_PANELS_H

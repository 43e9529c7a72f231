// Panels of a matrix product: parts of both operands as cells of 32 bits, in the order in which register tiles read
// them. A cell is an f32 or, of int8 and uint8, two neighbours along k as i16 or four as bytes, those after the last
// one being 0 (Cells.h). Then k is counted in cells everywhere but in memory.
//
//   left    tiles of 6 rows, each a column for each k     right   a row of columns for each k
//
//           k ──►                                                 columns ──►
//         ┌───────────────┐                                     ┌────────┐
//       6 │ a00 a01 a02 … │  in memory a00 a10 … a50, a01 …     │ b00 b01│ k
//       │ │ a10 a11 a12 … │                                     │ b10 b11│ │
//       ▼ └───────────────┘                                     │  …     │ ▼
//                                                               └────────┘ width
//
// A left tile is read once from its first element to its last. Rows that are no multiple of 6 end with one tile or
// two of fewer rows (tileHeight), so that a whole matrix in tiles (operands that are packed once) has as many elements
// as it has in any other order. Right panels of a whole matrix are not padded either: rows of the last
// one have only the remaining columns, and tiles, which read whole vectors, read on into the next row.
//
// Both are filled from memory in either order: a copy of rows, or a transposition of square blocks in registers. f16
// and bf16 are converted on the way, so that everything after the panels computes in f32, and bytes are widened.

#ifndef OPC_LOWERING_CPU_VECTOR_CONTRACTION_PANELS_H
#define OPC_LOWERING_CPU_VECTOR_CONTRACTION_PANELS_H

#include "lowering/cpu/vector/Memory.h"

namespace opc::cpu {

/// Rows of a whole register tile, and the fewest that are a tile of their own after others.
inline constexpr int64_t kRowsOfTile = 6, kRowsAlone = 4;

/// The sizes of register tiles and panels for a level.
struct PanelSizes {
  explicit PanelSizes(const CpuLevel &level);

  unsigned lanes;   ///< f32 lanes of a vector
  unsigned vectors; ///< of a row of a register tile
  unsigned ofBytes; ///< of a row of a register tile of bytes
  unsigned rows;    ///< of a register tile
  int64_t depth;    ///< most of k in a panel
  int64_t rowBlock; ///< most rows of a left panel, a multiple of `rows`
  int64_t columns;  ///< most columns that are packed at once, a multiple of `width`: so many right panels
  int64_t results;  ///< most columns of results that wait for the next part of k

  int64_t width() const { return int64_t(lanes) * vectors; }
  /// The elements of a row of a left panel; tiles do not share sets of the cache.
  int64_t leftStep() const { return depth + 8; }
  /// The elements of a left panel: packing may write a vector beyond the end.
  int64_t leftPanel() const { return rowBlock * leftStep() + 16; }
  /// The distance in elements between rows of results that wait.
  int64_t resultStep() const { return results + 16; }
};

/// The rows of the next tile where `rows` are left, at least 1 of them: 6; 7 to 9 are two tiles of similar size, since
/// one of 1 to 3 rows has too few sums to hide the latency of a product. A matrix may be divided at a multiple of 6
/// rows unless 1 to 3 rows are after it.
llvm::Value *tileHeight(CodeBuilder &b, llvm::Value *rows);

/// A matrix in memory, from its first element on; consecutive rows are `step` elements apart.
struct MatrixPart {
  llvm::Value *from, *step;
  Element element;
  bool isUnsigned = false; ///< of bytes
  bool isFlipped = false;  ///< of four bytes: the topmost bit of each is turned
};

/// How many elements along k a cell has at a level: 1, or of bytes 2 or 4.
unsigned elementsOfCells(const CpuLevel &level, const Element &element);

/// What cells are, and how two are multiplied.
struct CellProduct {
  unsigned elements = 1;       ///< of a cell
  bool isLeftUnsigned = false; ///< of four: the left bytes have no sign and the right ones have one, else the reverse
  bool isFlipped = false;      ///< of four: bytes of one operand are, the left one in panels, the right one of a row
};

// Sizes below are in elements of the matrix, along k as well. Of bytes, rows or columns along k become half or a
// quarter as many cells, rounded up.

/// to[row * toStep + column] = from[row][column] for rows and columns of the matrix as memory has it. Columns are along
/// k if the matrix is of bytes.
void packRows(CodeBuilder &b, llvm::Value *to, int64_t toStep, const MatrixPart &matrix, llvm::Value *rows,
              llvm::Value *columns);

/// A left panel in tiles, `toStep` cells for each row: of a matrix whose rows are those of the panel, if `alongK`,
/// or k. A vector more may be written.
void packTiles(CodeBuilder &b, llvm::Value *to, llvm::Value *toStep, const MatrixPart &matrix, bool alongK,
               llvm::Value *rows, llvm::Value *depth);

/// Right panels of a matrix whose rows are k: to[column / width][row][column % width] = from[row][column]. Panels have
/// room for `depth` rows of cells; rows of one with fewer columns than a tile are `lastStep` cells apart.
void packPanels(CodeBuilder &b, llvm::Value *to, const MatrixPart &matrix, llvm::Value *rows, llvm::Value *columns,
                llvm::Value *depth, llvm::Value *lastStep);

/// A whole right matrix as panels, each with all of k and the last one with the columns that are left: as many elements
/// as the matrix has. Its rows in memory are k or, if `alongK`, columns.
void packWholePanels(CodeBuilder &b, llvm::Value *to, const MatrixPart &matrix, bool alongK, llvm::Value *depth,
                     llvm::Value *columns);

/// to[column * toStep + row] = from[row][column], columns along k. Rows of `to` are filled up to a whole vector with
/// copies of the last row of the matrix.
void packTransposed(CodeBuilder &b, llvm::Value *to, int64_t toStep, const MatrixPart &matrix, llvm::Value *rows,
                    llvm::Value *columns);

/// "f32", "f16", "bf16", "i8", "ui8", "i8.flipped": part of the names of shared functions.
std::string panelName(const MatrixPart &matrix);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CONTRACTION_PANELS_H

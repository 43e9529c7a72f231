// Panels of a matrix product: parts of both operands as cells of 32 bits, in the order in which register tiles read
// them. A cell is an f32 or, for int8 and uint8, two neighbours along k as i16 or four as bytes, with zeros after the
// last one (Cells.h). Then k counts cells everywhere except in memory.
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
// A left tile is read once from its first element to its last. If the number of rows is not a multiple of 6, the last
// one or two tiles have fewer rows (tileHeight), so that a whole matrix in tiles (an operand that is packed once) has
// the same number of elements. Right panels of a whole matrix are not padded either: rows of the last one have only the
// remaining columns, and tiles, which read whole vectors, read into the next row.
//
// Both are filled from memory in either order: a copy of rows, or a transposition of square blocks in registers. f16
// and bf16 are converted on the way, so that everything after the panels computes in f32, and bytes are widened.

#ifndef OPC_LOWERING_CPU_VECTOR_CONTRACTION_PANELS_H
#define OPC_LOWERING_CPU_VECTOR_CONTRACTION_PANELS_H

#include "lowering/cpu/vector/code/Memory.h"

namespace opc::cpu {

/// Rows of a full register tile, and the minimum number of rows of a separate tile after others.
inline constexpr int64_t kRowsOfTile = 6, kRowsAlone = 4;

/// The sizes of register tiles and panels for a level.
struct PanelSizes {
  explicit PanelSizes(const CpuLevel &level);

  unsigned lanes;   ///< f32 lanes of a vector
  unsigned vectors; ///< of a row of a register tile
  unsigned ofBytes; ///< of a row of a register tile of bytes
  unsigned rows;    ///< of a register tile
  int64_t depth;    ///< maximum of k in a panel
  int64_t rowBlock; ///< maximum rows of a left panel, a multiple of `rows`
  int64_t columns;  ///< maximum of columns packed at once, a multiple of `width`: several right panels
  int64_t results;  ///< maximum columns of partial results between parts of k
  bool readsLeft;   ///< register tiles read left operands of f32 in memory, too: addresses can add steps of rows

  int64_t width() const { return int64_t(lanes) * vectors; }
  /// The elements of a row of a left panel; tiles do not share sets of the cache.
  int64_t leftStep() const { return depth + 8; }
  /// The elements of a left panel: packing may write a vector beyond the end.
  int64_t leftPanel() const { return rowBlock * leftStep() + 16; }
  /// The stride in elements between rows of partial results.
  int64_t resultStep() const { return results + 16; }
};

/// The rows of the next tile if `rows` (at least 1) remain: usually 6; 7 to 9 rows become two tiles of similar size,
/// since a tile of 1 to 3 rows has too few sums to hide the latency of a product. A matrix may be divided at a multiple
/// of 6 rows unless 1 to 3 rows follow.
llvm::Value *tileHeight(CodeBuilder &b, llvm::Value *rows);

/// A matrix in memory, from its first element on; consecutive rows are `step` elements apart.
struct MatrixPart {
  llvm::Value *from, *step;
  Element element;
  bool isUnsigned = false; ///< of bytes
  bool isFlipped = false;  ///< of four bytes: the top bit of each is flipped
};

/// The number of elements along k in a cell at a level: 1, or for bytes 2 or 4.
unsigned elementsOfCells(const CpuLevel &level, const Element &element);

/// The kind of cells, and how two are multiplied.
struct CellProduct {
  unsigned elements = 1;       ///< of a cell
  bool isLeftUnsigned = false; ///< of four: the left bytes are unsigned and the right ones signed, else the reverse
  bool isFlipped = false;      ///< of four: bytes of one operand are flipped, the left one in panels, the right one for
                               ///< a single row
};

// Sizes below are in elements of the matrix, along k as well. For bytes, rows or columns along k become half or a
// quarter as many cells, rounded up.

/// to[row * toStep + column] = from[row][column] for rows and columns of the matrix in memory. Columns are along k if
/// the matrix is of bytes.
void packRows(CodeBuilder &b, llvm::Value *to, int64_t toStep, const MatrixPart &matrix, llvm::Value *rows,
              llvm::Value *columns);

/// Writes a left panel in tiles, `toStep` cells for each row. The matrix in memory has the panel's rows if `alongK`,
/// else its rows are along k. May write a vector beyond the end.
void packTiles(CodeBuilder &b, llvm::Value *to, llvm::Value *toStep, const MatrixPart &matrix, bool alongK,
               llvm::Value *rows, llvm::Value *depth);

/// Right panels of a matrix whose rows are k: to[column / width][row][column % width] = from[row][column]. Each panel
/// holds `depth` rows of cells; rows of a panel with fewer columns than a tile are `lastStep` cells apart.
void packPanels(CodeBuilder &b, llvm::Value *to, const MatrixPart &matrix, llvm::Value *rows, llvm::Value *columns,
                llvm::Value *depth, llvm::Value *lastStep);

/// Packs a whole right matrix as panels, each with all of k and the last one with the remaining columns: as many
/// elements as the matrix has. Its rows in memory are along k or, if `alongK`, are columns.
void packWholePanels(CodeBuilder &b, llvm::Value *to, const MatrixPart &matrix, bool alongK, llvm::Value *depth,
                     llvm::Value *columns);

/// to[column * toStep + row] = from[row][column], columns along k. Rows of `to` are padded to a whole vector with
/// copies of the last row of the matrix.
void packTransposed(CodeBuilder &b, llvm::Value *to, int64_t toStep, const MatrixPart &matrix, llvm::Value *rows,
                    llvm::Value *columns);

/// "f32", "f16", "bf16", "i8", "ui8", "i8.flipped": part of the names of shared functions.
std::string panelName(const MatrixPart &matrix);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CONTRACTION_PANELS_H

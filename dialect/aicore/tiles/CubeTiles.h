// The tile of a matrix product, from its schedule: `rows` of the result, and `tile` / `rows` columns.

#ifndef OPC_DIALECT_AICORE_TILES_CUBETILES_H
#define OPC_DIALECT_AICORE_TILES_CUBETILES_H

#include "dialect/aicore/AICoreOps.h"
#include "runtime/target/Target.h"

#include <algorithm>

namespace opc::aicore {

/// Bytes for an element of operands in tiles. Operands of bytes use half of it.
inline constexpr int64_t kOperandBytes = 2;
inline int64_t operandBytes(ElementType type) {
  return std::max<int64_t>(elementSize(type), kOperandBytes);
}

/// A piece of a computed operand, which UB has at a time: some rows of a part in L1.
struct OperandPiece {
  static constexpr int64_t kMostLines = 128;

  int64_t elements = 0; ///< that it has at most
  int64_t smallest = 0; ///< bytes of the smallest element from which it is computed, whose rows are whole blocks

  /// `bits`: of UB for each element. Each copy to L1 has all rows of a column of fractals, so large pieces have fewer
  /// copies; but UB has to have room for the results of the product, too. One with bands has a whole one at least.
  static OperandPiece of(int64_t bits, int64_t smallest, bool hasBands) {
    constexpr int64_t most = 16384, room = 112 << 10, widest = 512;
    const int64_t least = hasBands ? kFractalRows * widest : 4096;
    OperandPiece piece = {most, smallest};
    while (piece.elements > least && piece.elements * bits / 8 > room)
      piece.elements /= 2;
    return piece;
  }
  /// The most elements that rows in UB are apart, for parts of at most these columns.
  int64_t stride(int64_t mostColumns) const { return std::max(mostColumns, kFractalRowBytes / smallest); }
  /// Rows of a piece, for parts of at most these rows and columns.
  int64_t lines(int64_t mostLines, int64_t mostColumns) const {
    return std::min({mostLines, kMostLines, elements / stride(mostColumns)});
  }
};

/// Sizes in elements, all multiples of a fractal.
struct CubeTile {
  int64_t rows = 0, width = 0; ///< of the result, in L0C
  int64_t part = 0;            ///< columns of it in UB at a time, a divisor of `width`; all, if UB has none
  int64_t partRows = 0;        ///< rows of such a part: all, or a divisor of `rows` if it has all columns
  int64_t depth = 0;           ///< of k, in one step of the product
  int64_t bytes = 0;           ///< of an element of the operands

  /// The tile of a schedule, for operands of `bytes` an element. If operations follow the product, `tile` is the part
  /// in UB of a tile in L0C, which then has two tiles, as wide as possible. A part has some of the rows if these are
  /// whole fractals, since each row of a copy costs a start, else some of the columns. The step of k is the largest, up
  /// to 512, for which operands fit L0A and L0B twice: this gives the fewest steps and the longest rows of copies.
  static CubeTile of(ScheduleAttr schedule, int64_t bytes, bool isComputed, const Target &target) {
    CubeTile tile;
    tile.bytes = bytes;
    tile.rows = tile.partRows = schedule.getRows();
    tile.width = tile.part = schedule.getTile() / tile.rows;
    tile.depth = kFractalRows;
    auto fits = [&](int64_t depth) {
      return 2 * tile.rows * depth * bytes <= target.memoryBytes(Memory::L0A) &&
             2 * tile.width * depth * bytes <= target.memoryBytes(Memory::L0B);
    };
    for (CubeTile wider = tile; isComputed && wider.fitsTwice(target) && wider.width <= kMostColumns; wider.width *= 2)
      tile.width = wider.width;
    if (const int64_t lines = schedule.getTile() / tile.width;
        tile.part < tile.width && lines >= kFractalRows && lines % kFractalRows == 0 && tile.rows % lines == 0) {
      tile.partRows = lines;
      tile.part = tile.width;
    }
    while (tile.depth < kMostColumns && fits(2 * tile.depth)) // at least 32, the columns of a fractal of bytes
      tile.depth *= 2;
    return tile;
  }
  /// Of a tile, in UB at a time.
  int64_t partElements() const { return partRows * part; }
  int64_t parts() const { return rows / partRows * (width / part); }
  /// Whether two tiles fit L0C.
  bool fitsTwice(const Target &target) const {
    return 2 * rows * width * int64_t(sizeof(float)) <= target.memoryBytes(Memory::L0C);
  }

  /// Whether UB has room for the results of a whole tile in place of two slots of a part; it has `room` bytes beside
  /// these.
  bool fitsUb(int64_t room) const { return (rows * width - 2 * partElements()) * int64_t(sizeof(float)) <= room; }

  // Beside a panel of the left operand that stays in L1 (resident keys):

  /// The amount of k that one load copies to L1, in whole steps: rows of memory along k have this length.
  int64_t partDepth() const { return std::max<int64_t>(kPartBytes / bytes, depth); }
  /// The amount of k that fits the panel, in whole parts, beside two parts of the right operand.
  int64_t panelDepth(const Target &target) const {
    const int64_t room = target.memoryBytes(Memory::L1) - 2 * width * partDepth() * bytes;
    return std::max<int64_t>(room / (rows * bytes) / partDepth() * partDepth(), 0);
  }

  /// The amount of k that one load copies to L1 where rows of the result are reduced and no operand stays there. Tiles
  /// have few rows then, so the right operand is loaded often, and rows of memory along k are worth being long. But if
  /// reductions are loops (`foldsLanes`), a loop over the steps of a part more exceeds the proof of order.
  int64_t depthOfReduced(bool isRightAlongK, bool foldsLanes) const {
    return isRightAlongK && !foldsLanes ? partDepth() : depth;
  }

  static constexpr int64_t kMostColumns = 512; ///< of a tile, and of its operands
  static constexpr int64_t kPartBytes = 512;
};

} // namespace opc::aicore

#endif // OPC_DIALECT_AICORE_TILES_CUBETILES_H

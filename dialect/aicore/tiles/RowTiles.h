// Rows of a product that are reduced and longer than a tile in L0C. UB has all results of some rows, which tiles of the
// cube fill one after another, and the vector unit works on a few of the rows at a time:
//
//   rows x longest   results in UB, in one slot, and a row      rows x width   a tile in L0C, of which there are two
//                    more: a view from the columns of any tile
//                    on is as long as all of them
//   piece x longest  everything else that has whole rows

#ifndef OPC_DIALECT_AICORE_TILES_ROWTILES_H
#define OPC_DIALECT_AICORE_TILES_ROWTILES_H

#include "dialect/aicore/tiles/CubeTiles.h"

namespace opc::aicore {

/// The lengths of rows for which there are tiles: multiples of a tile in L0C, up to as many results as UB could have.
inline constexpr int64_t kLeastLongRow = 1024, kMostLongRow = 4096, kLongRowUnit = CubeTile::kMostColumns;

inline bool isLongRow(ScheduleAttr schedule) {
  return schedule.getTile() / schedule.getRows() > CubeTile::kMostColumns;
}

/// The tile of a schedule whose rows are long, for operands of `bytes` an element; `part` is a whole row.
inline CubeTile tileOfLongRows(ScheduleAttr schedule, int64_t bytes, const Target &target) {
  const int64_t rows = schedule.getRows();
  int64_t width = CubeTile::kMostColumns;
  while (width > kFractalRows && 2 * rows * width * int64_t(sizeof(float)) > target.memoryBytes(Memory::L0C))
    width /= 2;
  auto ofCube =
      ScheduleAttr::get(schedule.getContext(), rows * width, rows, schedule.getSlots(), schedule.getPrefetch(),
                        schedule.getAlignment(), schedule.getAlias(), schedule.getExpansion());
  CubeTile tile = CubeTile::of(ofCube, bytes, /*isComputed=*/false, target);
  tile.part = schedule.getTile() / rows;
  return tile;
}

/// The right matrix of a batch in L1, beside two tiles of rows of the left operand with all of k. Both are in parts of
/// some of k, which follow each other: those of the first tile's columns, of the second's and so on.
struct ResidentRight {
  int64_t depth = 0;  ///< of k, in a part
  int64_t across = 0; ///< tiles beside each other: the columns of the matrix that there is room for
  int64_t steps = 0;  ///< parts of each: the k that there is room for; 0 if the matrix does not fit

  static ResidentRight of(const CubeTile &tile, const Target &target) {
    constexpr int64_t ofRow = 2048, ofPart = 256; // bytes of a row of the left operand, and of one in a part
    ResidentRight right;
    right.depth = std::max(ofPart / tile.bytes, tile.depth);
    right.across = std::max<int64_t>(tile.part / tile.width, 1);
    const int64_t room = target.memoryBytes(Memory::L1) - 2 * tile.rows * ofRow;
    const int64_t parts = room / (right.depth * tile.width * tile.bytes) / right.across;
    right.steps = std::clamp<int64_t>(parts, 0, ofRow / tile.bytes / right.depth);
    return right;
  }
  int64_t mostOfK() const { return depth * steps; }
};

/// The elements of UB for the results.
inline int64_t resultsOfLongRows(ScheduleAttr schedule) {
  return schedule.getTile() + schedule.getTile() / schedule.getRows();
}

/// What whole rows take of UB beside the results.
struct RowNeeds {
  int64_t tileBits;   ///< for each element of a piece, without the results of the product
  int64_t rowBytes;   ///< for each row of a piece
  int64_t fixedBytes; ///< with the alignment of all buffers

  /// Of `all`, which counts second slots, and the results among the tiles that have two; `second` are these slots.
  static RowNeeds of(const RowNeeds &all, const RowNeeds &second, ScheduleAttr schedule) {
    const bool isSingle = schedule.getSlots() == 1;
    const int64_t ofResults = (isSingle ? 1 : 2) * 8 * int64_t(sizeof(float));
    return {all.tileBits - (isSingle ? second.tileBits : 0) - ofResults,
            all.rowBytes - (isSingle ? second.rowBytes : 0), all.fixedBytes};
  }
  static RowNeeds of(NeedsAttr needs, ScheduleAttr schedule) {
    return of({needs.getTileBits(), needs.getRowBytes(),
               needs.getFixedBytes() + schedule.getAlignment() * needs.getBuffers()},
              {needs.getSecondBits(), needs.getSecondBytes(), 0}, schedule);
  }
};

/// The rows of a piece, a power of two: as many as fit UB beside the results; 0 if not even one does.
inline int64_t rowsOfPiece(ScheduleAttr schedule, const RowNeeds &needs, const Target &target) {
  const int64_t rows = schedule.getRows(), longest = schedule.getTile() / rows;
  const int64_t room = target.ubBytes() - needs.fixedBytes - resultsOfLongRows(schedule) * int64_t(sizeof(float));
  int64_t piece = rows;
  while (piece > 0 && (piece * longest * needs.tileBits + 7) / 8 + piece * needs.rowBytes > room)
    piece /= 2;
  return piece;
}

} // namespace opc::aicore

#endif // OPC_DIALECT_AICORE_TILES_ROWTILES_H

// Tiles of positions of windows: the rows and columns of the input that a tile reads, and their layout in UB.
//
//   rows of the input       │ x │ x │ x │ x │ f │            `stride` apart, filled up to 32 bytes
//   padded rows     │ n │ n │ x │ x │ x │ x │ n │ n │        `paddedStride` apart
//                     ▲ `shift`                              the first element of the first window
//                           ▲ `front`, on 32 bytes
//   rows of places          │ y │ y │ . │ . │                `placesStride` apart
//
// For one element of the windows, the result rows whose input row exists are adjacent. Rows of padding are not loaded.
// Columns of padding are neutral elements n.
//
// Windows with a depth have places in several planes, and a tile has places of one plane of them.

#ifndef OPC_LOWERING_AICORE_PLACE_WINDOWS_PLACETILES_H
#define OPC_LOWERING_AICORE_PLACE_WINDOWS_PLACETILES_H

#include "lowering/aicore/place/writer/KernelForms.h"

namespace opc::aicore {

class PlaceTiles {
protected:
  using Value = mlir::Value;

  PlaceTiles(const KernelParts &parts)
      : parts(parts), w(parts.writer), input(*parts.shape.windows), unit(w.columnStride()) {}

  /// Reads the sizes of the launch. Rows of the input and of results have `capacity` elements in UB.
  void readSizes(int64_t capacity);
  /// Fills the byte offsets of the first elements of all windows in padded rows (Homes::placesOf).
  void makeTables();
  /// Computes the rows and columns of a tile, from its position among the tiles of a plane. `whole`: the last tile
  /// starts earlier so that it ends with the plane and all tiles have the same number of rows.
  void startTile(Value rowOfTiles, Value columnOfTiles, bool whole = false);
  /// Byte offsets of the elements at a column of the windows, from those of the first (Homes::movedOf); `length` of
  /// them.
  void moveTables(Value position, Value length);

  /// Of some rows, one below the other `stride` rows apart: those of the input.
  struct Rows {
    Value first; ///< the first of them that is in the input
    Value count; ///< their number
    Value from;  ///< the row of the input that the first one is
    Value read;  ///< number of loaded rows, at least one
  };
  /// Of `most` rows from `row` on.
  Rows rowsFrom(Value row, Value most);
  /// Of the rows under the places of the tile, at one row of the windows.
  Rows rowsAt(Value position);
  /// At one plane of windows with a depth: the plane of the input, or any if it is none of it.
  struct InputPlane {
    Value number, isThere; ///< 1 or 0
  };
  InputPlane planeAt(Value position);
  /// `count` of what windows read, or 0 if no window of the launch has an element of the input.
  Value ifReached(Value count);

  Value startOf(unsigned tensor) { return parts.startOf(tensor, {{"_s0", batch0}, {"_s1", batch1}}); }
  /// The offset of the first position of the tile in a tensor with an element for each position of the window.
  Value placesOffset(Value start) {
    Value row = input.hasDepth ? w.add(w.mul(plane, placeRows), firstRow) : firstRow;
    return w.add(w.add(start, w.mul(row, placeColumns)), firstPlace);
  }
  void takeBatch(Value batch);
  /// The batch, and the plane of places in it, from the number of a plane in all batches.
  void takePlane(Value number);
  void writeOnes() { parts.writeOnes({{"_s0", batch0}, {"_s1", batch1}}); }

  const KernelParts &parts;
  KernelWriter &w;
  const WindowedOperand &input;
  const int64_t unit; ///< elements of a row in UB are a multiple of it

  // Of the launch: sizes of the input, of windows, of results; of a tile; strides of rows in UB.
  Value inputRows, inputColumns, windowRows, windowColumns, placeRows, placeColumns;
  Value inputDepth, windowDepth, placeDepth; ///< if windows have a depth
  Value rowsThatFit;                         ///< padded rows that a tile has room for
  Value rowLength, tileRows, across, down, trips1, paddedStride, placesStride;
  // Of the current tile.
  Value batch0, batch1;
  Value plane;                                     ///< of places, if windows have a depth
  Value firstRow, rows;                            ///< of places
  Value firstPlace, places;                        ///< of each row
  Value firstColumn, columns, columnsRead, stride; ///< of the input: first, those of windows, loaded; between rows
  Value front, shift;                              ///< of padded rows: where columns begin; of the first window
  Value paddedRead;                                ///< elements of padded rows up to the last one that a window has

private:
  /// A size along one of the last two dimensions.
  Value windowField(const char *which, unsigned axis) { return w.loopField(input.field(which, axis), 0); }
  Value reachOf(Value placesOfRow);
};

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_WINDOWS_PLACETILES_H

// The right matrix of a product with windows, for the cube: its parts are made in UB and copied to L1.
//
//   x   a run of each channel       loaded   │ 0 │ x x x x x x x │   │ x x x x x x x     mte2, v
//   byte offsets, made in a tile    offsets  a row for each channel and position, of all places of the tile     v
//   gathered by them                panel    rows of k, of which each has the places of the tile                v
//   columns of fractals             L1                                                                          mte3
//
// The matrix has a row for each channel and element of the windows, and a column for each position of the window in a
// plane, numbered through all rows. So results are a plain matrix, too. An element of padding is the zero before the
// first run. Only the offsets depend on stride, dilation and padding; all parts share them, and each is one gather.
//
// Parts have whole channels, or some positions of one if a window has more than a part. With packed filters they are
// whole fractals of k, which begin anywhere in the windows of a channel: then the gather begins at a later row of the
// offsets. Where windows have too many positions for that, each part makes its own offsets.
//
// Windows over three dimensions are such a matrix for each plane of results, with a channel for each channel of the
// input and each plane of a window. Each is loaded and gathered by itself; a plane that the input does not have is
// zeros.

#ifndef OPC_LOWERING_AICORE_PLACE_CONTRACTION_WINDOWPANELS_H
#define OPC_LOWERING_AICORE_PLACE_CONTRACTION_WINDOWPANELS_H

#include "dialect/aicore/tiles/CubeTiles.h"
#include "lowering/aicore/place/writer/KernelForms.h"

namespace opc::aicore {

/// A size within the current tile or step.
struct Extent {
  mlir::Value first; ///< in the whole matrix
  mlir::Value size;  ///< true
  mlir::Value whole; ///< in whole fractals
};

class WindowPanels {
public:
  WindowPanels(const KernelParts &parts, const CubeTile &tile);

  /// Computes the offsets that the positions of a tile read, and the range of each channel that they read. `plane`: of
  /// results, if windows have a depth; positions are those of the plane.
  void startTile(const Extent &places, mlir::Value plane);
  /// Makes the parts of the matrix one by one, from the start of its batch in memory, and calls `multiply` with the
  /// part of k, the panel in L1, and whether it is the first. There is at least one part; for k = 0 it is zeros.
  void forEachPart(mlir::Value start, llvm::function_ref<void(const Extent &, mlir::Value, mlir::Value)> multiply);

private:
  using Value = mlir::Value;

  Value tileInUb(const char *suffix, int64_t elements, ElementType type);
  Value onPlaces(Value tile) { return w.part(tile, w.constant(0), places.whole); }
  void compute(Intrinsic intrinsic, llvm::ArrayRef<Value> operands);
  /// The rows of a part: from an element of the windows of its first channel on.
  struct Part {
    Extent k;
    Value firstChannel, channels;
    Value positions; ///< that it has of a channel
    Value skipped;   ///< of the first channel
    Value offset;    ///< the row of `offsets` for its first row
  };
  void makeOffset(Value row, Value position, Value shift);
  void makeOffsets(Value firstPosition, Value positions, Value rows);
  void makeOwnOffsets(const Part &part, Value isFirst);
  void finishOffsets(Value row, Value count);
  Value makePanel(Value start, const Part &part);
  void gatherChannels(Value panel, Value start, const Part &part);
  void gatherPlanes(Value panel, Value start, const Part &part);
  Value rowsOf(Value tile, Value row, Value count, int64_t most);
  Part partOfChannels(Value group, Value chunk);
  Part partOfFractals(Value number);
  void multiplyPart(Value start, const Part &part, Value number,
                    llvm::function_ref<void(const Extent &, Value, Value)> multiply);

  const KernelParts &parts;
  KernelWriter &w;
  const WindowedOperand &input;
  const ElementType type;
  const bool hasPackedFilters;
  const bool hasBands; ///< in L1, since fractals of 32 bits are transposed two by two (load_fractals)
  const int64_t depth, width, mostOffsets; ///< rows of a panel at most, places of a tile, and rows of offsets
  const int64_t mostOfChannels;            ///< elements that are read at once, at most
  // Of the launch.
  Value inputRows, inputColumns, windowColumns, placeColumns, positionsOfAll, positionsAtOnce, groups, channelsOfAll,
      channelsAtOnce, chunks;
  Value sizeOfPart, isOwn;                  ///< with packed filters: of k, and 1 if each part has its own offsets
  Value distance;                           ///< of channels in UB
  Value inputDepth, windowDepth, loaded[2]; ///< if windows have a depth; two channels in UB
  // Of the current tile: its positions; the range that is read of a channel; the plane of the input that the first
  // plane of a window is in, if windows have a depth.
  Extent places;
  Value firstPlane;
  Value begin, run;
  /// By position of the window: row and column of the input for its first element, as distances from the first and to
  /// the last one; the byte offset of the element; temporary values.
  Value columns, columnsLeft, rows, rowsLeft, base, first, second, real, divisor;
  Value offsets;
};

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_CONTRACTION_WINDOWPANELS_H

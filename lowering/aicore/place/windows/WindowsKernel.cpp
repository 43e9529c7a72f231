// Reductions of windows: y[oh, ow] = combination of x[oh * s + kh * d - p, ow * s + kw * d - p] over kh and kw.
//
//   for tile over planes, rows and parts of rows of places:
//     down = neutral
//     for kh:    load the row of x of each row of places that has one; steps; down op= rows
//     padded = neutral; for each row: copy its columns from down
//     sums = neutral
//     for kw:    gather an element of padded for each place; sums op= elements
//     what is computed from the sums; store
//
//   padded   │ n │ n │ x'│ x'│ x'│ x'│ n │ n │    n: neutral elements beside the input and up to 32 bytes
//
// Combining down first takes KH + KW steps instead of KH * KW, and all rows of a tile are combined by one intrinsic.
// Rows of padding are not loaded: for one kh, the result rows that have a row of x are adjacent. Columns of padding are
// neutral elements, so the reduced value may be any function of x, and the number of elements of a window is the sum of
// ones over it. x is read KH times, or KH / s with a stride.
//
// Windows with a depth combine planes first. Rows of places that are a stride apart read the same rows of x for some
// kh, so such kh are a run, and a tile loads the rows of all of them once for each plane:
//
//   stride 1   kh 0 1 2           one run; a tile of R rows of places loads R + 2 rows
//   stride 2   kh 0 2 | kh 1      two runs, of R + 1 rows and of R, each two rows apart
//
//     for part of a run:
//       planes = neutral                  (in the memory of padded)
//       for kd:  load the rows of x; steps; planes op= rows
//       for kh:  down op= rows of planes
//
// A run has as many parts as its rows take to fit a tile. x is read KD times, or KD / s with a stride, and a little
// more where a plane has several tiles.
//
// The gather supports any stride and dilation, and moves elements within blocks of 32 bytes, which no other vector
// instruction does. Its offsets for kw = 0 are computed once a launch; others are these plus a number.

#include "dialect/aicore/tiles/WindowTiles.h"
#include "lowering/aicore/place/windows/PlaceTiles.h"

using namespace mlir;

namespace opc::aicore {

namespace {

class WindowsKernel : PlaceTiles {
public:
  explicit WindowsKernel(const KernelParts &parts)
      : PlaceTiles(parts), shared(sharedRows(input.stride[0], input.dilation[0])) {
    for (const TileStep &step : parts.program.steps)
      if (step.foldsRows)
        folds.push_back(&step);
  }
  void write();

private:
  void loadAndCombine(const Rows &found, Value plane, unsigned Homes::WindowHomes::*into);
  void combineDown(Value position);
  void readRuns();
  void combineRun(Value number);
  void padRows();
  void combineAlong(Value position);
  void writeTile();

  SmallVector<const TileStep *> folds;
  Value rowTrips; ///< rows of the windows, or parts of runs of them
  // Of windows with a depth: rows of windows that share rows of the input are a run, and a part of a run has `ofPart`.
  const SharedRows shared;
  Value runs, ofPart;
};

} // namespace

/// Loads rows of the input and computes the steps on them, of which each reduction combines its operand with the rows
/// of a home from the first of them on.
void WindowsKernel::loadAndCombine(const Rows &found, Value plane, unsigned Homes::WindowHomes::*into) {
  const TileProgram &program = parts.program;
  Value zero = w.constant(0), from = plane ? w.add(w.mul(plane, inputRows), found.from) : found.from;
  TileExtent extent;
  extent.rows = found.read;
  extent.cols = columnsRead;
  extent.ld = stride;
  extent.full = w.mul(found.read, stride);
  w.makeBuffers([](const Home &home, unsigned) { return home.byDma && home.spread == Spread::Full; });
  for (TileId value = 0; value < program.values.size(); ++value)
    if (parts.isInput(value) && parts.spreadOf(value) == Spread::Full) {
      Value offset = w.add(w.add(startOf(*program.values[value].tensor), w.mul(from, inputColumns)), firstColumn);
      w.loadRows(value, offset, found.read, columnsRead, w.mul(w.constant(input.stride[0]), inputColumns), stride);
    }
  // In their order: a step may overwrite the operand of an earlier reduction.
  Value at = w.mul(found.first, stride), length = w.mul(found.count, stride);
  for (const TileStep &step : program.steps) {
    if (step.foldsRows) {
      const unsigned home = parts.homes.windowsOf.lookup(step.result).*into;
      createIntrinsic(
          w.ops(), step.location, step.intrinsic,
          {w.view(home, at, length), w.viewOf(step.sources.front(), zero, length), w.view(home, at, length)});
    } else if (parts.spreadOf(step.result) == Spread::Full) {
      w.writeStep(step, extent);
    }
  }
}

/// Combines the rows of the input at one row of the windows with those before.
void WindowsKernel::combineDown(Value position) {
  loadAndCombine(rowsAt(position), {}, &Homes::WindowHomes::down);
}

/// Of the launch: runs of rows of windows, and their parts.
void WindowsKernel::readRuns() {
  Value one = w.constant(1);
  Value apart = w.constant(shared.apart), shift = w.constant(shared.shift);
  runs = w.max(w.min(windowRows, apart), one);
  Value longest = w.max(w.ceilDiv(windowRows, apart), one);
  Value others = w.max(w.sub(rowsThatFit, tileRows), w.constant(0));
  ofPart = w.min(w.add(w.floorDiv(others, shift), one), longest);
  rowTrips = ifReached(w.mul(w.min(windowRows, runs), w.ceilDiv(longest, ofPart)));
}

/// Combines the planes of the rows that a part of a run reads, and these rows with those before.
void WindowsKernel::combineRun(Value number) {
  Value zero = w.constant(0), one = w.constant(1), apart = w.constant(shared.apart), shift = w.constant(shared.shift);
  Value run = w.rem(number, runs), before = w.mul(w.floorDiv(number, runs), ofPart);
  Value ofRun = w.ceilDiv(w.max(w.sub(windowRows, run), zero), apart);
  Value positions = w.max(w.min(w.sub(ofRun, before), ofPart), zero);
  Value others = w.max(w.sub(positions, one), zero);
  Value many = w.min(w.add(rows, w.mul(others, shift)), rowsThatFit);
  Value position = w.add(run, w.mul(before, apart));
  Value row = w.add(w.mul(firstRow, w.constant(input.stride[0])), w.mul(position, w.constant(input.dilation[0])));
  const Rows found = rowsFrom(w.sub(row, w.constant(input.padBegin[0])), many);
  for (const TileStep *fold : folds)
    VBrcOp::create(w.ops(), fold->location, w.constantOf(parts.program.values[fold->result].type, fold->identity),
                   w.view(parts.homes.windowsOf.lookup(fold->result).padded, zero, w.mul(many, stride)));
  // Without a plane or a column no window has elements: then there are no runs, and what is gathered is neutral.
  w.loop(w.max(windowDepth, one), [&](Value depth) {
    const InputPlane plane = planeAt(depth);
    Rows inPlane = found;
    inPlane.count = w.min(found.count, w.mul(found.count, plane.isThere));
    inPlane.read = w.max(inPlane.count, one);
    loadAndCombine(inPlane, plane.number, &Homes::WindowHomes::padded);
  });
  // The last part of a run may have fewer: their rows have no elements. A trip count that differs between parts would
  // be one more for the proof of order.
  w.loop(ofPart, [&](Value next) {
    Value isThere = w.max(w.min(w.sub(positions, next), one), zero);
    Value first = w.min(w.mul(next, shift), many);
    Value combined = w.min(w.min(w.mul(rows, isThere), rows), w.sub(many, first));
    Value length = w.mul(combined, stride);
    for (const TileStep *fold : folds) {
      const Homes::WindowHomes homes = parts.homes.windowsOf.lookup(fold->result);
      Value down = w.view(homes.down, zero, length);
      createIntrinsic(w.ops(), fold->location, fold->intrinsic,
                      {down, w.view(homes.padded, w.mul(first, stride), length), down});
    }
  });
}

/// Copies the columns of each row between neutral elements. Padding of rows to 32 bytes is not copied.
void WindowsKernel::padRows() {
  for (const TileStep *fold : folds)
    VBrcOp::create(w.ops(), fold->location, w.constantOf(parts.program.values[fold->result].type, fold->identity),
                   w.view(parts.homes.windowsOf.lookup(fold->result).padded, w.constant(0), paddedRead));
  w.loop(rows, [&](Value row) {
    for (const TileStep *fold : folds) {
      const Homes::WindowHomes homes = parts.homes.windowsOf.lookup(fold->result);
      Value whole = w.view(homes.padded, w.mul(row, paddedStride), paddedStride);
      VCopyOp::create(w.ops(), fold->location, w.view(homes.down, w.mul(row, stride), columns),
                      w.part(whole, front, columns));
    }
  });
}

/// Combines the elements of all windows of a tile at one column of the windows.
void WindowsKernel::combineAlong(Value position) {
  Value zero = w.constant(0), length = w.mul(rows, placesStride);
  moveTables(position, length);
  for (const TileStep *fold : folds) {
    const Homes::WindowHomes homes = parts.homes.windowsOf.lookup(fold->result);
    Value offsets = w.view(parts.homes.movedOf.at(elementSize(parts.program.values[fold->result].type)), zero, length);
    VGatherOp::create(w.ops(), fold->location, w.view(homes.padded, zero, w.mul(rows, paddedStride)), offsets,
                      w.view(homes.down, zero, length));
    createIntrinsic(
        w.ops(), fold->location, fold->intrinsic,
        {w.viewOf(fold->result, zero, length), w.view(homes.down, zero, length), w.viewOf(fold->result, zero, length)});
  }
}

void WindowsKernel::writeTile() {
  const TileProgram &program = parts.program;
  Value zero = w.constant(0);
  w.makeBuffers(
      [](const Home &home, unsigned) { return !home.invariant && !(home.byDma && home.spread == Spread::Full); });
  TileExtent extent;
  extent.rows = rows;
  extent.cols = places;
  extent.ld = w.mul(rows, placesStride); // the length of all rows of the tile
  for (TileId value = 0; value < program.values.size(); ++value) {
    if (!parts.isInput(value) || parts.spreadOf(value) != Spread::Row)
      continue;
    // The last rows of a plane may be shorter than the distance between rows.
    VBrcOp::create(w.ops(), w.getLocation(), w.constantOf(program.values[value].type, 1.0),
                   w.viewOf(value, zero, extent.ld));
    const unsigned tensor = *program.values[value].tensor;
    w.loadRows(value, placesOffset(startOf(tensor)), rows, places, placeColumns, placesStride);
  }
  for (const TileStep *fold : folds)
    VBrcOp::create(w.ops(), fold->location, w.constantOf(program.values[fold->result].type, fold->identity),
                   w.view(parts.homes.windowsOf.lookup(fold->result).down, zero, w.mul(rows, stride)));
  w.loop(rowTrips, [&](Value number) { input.hasDepth ? combineRun(number) : combineDown(number); });
  padRows();
  for (const TileStep *fold : folds)
    w.writeIdentity(*fold, extent.ld);
  w.loop(w.max(windowColumns, w.constant(1)), [&](Value position) { combineAlong(position); });
  w.writeSteps(extent,
               [&](const TileStep &step) { return parts.spreadOf(step.result) == Spread::Row && !step.foldsRows; });
  for (auto [value, tensor] : program.stores)
    w.storeRows(value, tensor, placesOffset(startOf(tensor)), rows, places, placeColumns, placesStride);
}

void WindowsKernel::write() {
  readSizes(parts.schedule.getTile());
  Value ofBlock = w.loopField("block_tiles", 1), first = w.mul(w.blockIndex(), ofBlock);
  Value tiles = w.max(w.min(w.sub(w.loopField("tiles", 0), first), ofBlock), w.constant(0));
  w.makeBuffers([](const Home &home, unsigned) { return home.invariant; });
  if (!parts.hasOnes())
    writeOnes();
  makeTables();
  if (input.hasDepth)
    readRuns();
  else
    rowTrips = ifReached(windowRows);
  w.loop(tiles, [&](Value number) {
    Value tile = w.add(first, number), rest = w.floorDiv(tile, across);
    takePlane(w.floorDiv(rest, down));
    startTile(w.rem(rest, down), w.rem(tile, across), /*whole=*/input.hasDepth);
    // An input of one element may differ between batches.
    if (parts.hasOnes())
      writeOnes();
    writeTile();
  });
}

void writeWindowsKernel(const KernelParts &parts) {
  WindowsKernel(parts).write();
}

} // namespace opc::aicore

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
// Combining down first takes KH + KW steps instead of KH * KW, and all rows of a tile are combined by one intrinsic. Rows
// beside the input are not loaded: for one kh, the rows of places that have a row of x follow each other. Columns beside
// it are neutral elements, so what is reduced may be computed from x in any way, and the number of elements of a window
// is the sum of as many ones. x is read KH times, or KH / s with a stride.
//
// The gather makes any stride and dilation, and moves elements to other places within 32 bytes, which the vector unit
// cannot otherwise. Its offsets for kw = 0 are made once a launch; others are these plus a number.

#include "lowering/aicore/place/KernelForms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace opc::aicore {

namespace {

class WindowsKernel {
public:
  explicit WindowsKernel(const KernelParts &parts)
      : parts(parts), w(parts.writer), input(*parts.shape.windows), unit(w.columnStride()) {
    for (const TileStep &step : parts.program.steps)
      if (step.foldsRows)
        folds.push_back(&step);
  }
  void write();

private:
  Value startOf(unsigned tensor) { return parts.startOf(tensor, {{"_s0", batch0}, {"_s1", batch1}}); }
  Value windowField(const char *which, unsigned axis, int64_t min) {
    return w.field("window_" + std::string(which) + std::to_string(axis), min);
  }
  void readSizes();
  void makeTables();
  void startTile(Value number);
  void writeOnes();
  void combineDown(Value position);
  void padRows();
  void combineAlong(Value position);
  Value placesOffset(unsigned tensor);
  void writeTile();

  const KernelParts &parts;
  KernelWriter &w;
  const WindowedOperand &input;
  const int64_t unit; ///< elements of a row are a multiple of it
  SmallVector<const TileStep *> folds;

  // Of the launch: sizes of the input, of windows, of their places; a tile; distances of rows in UB.
  Value inputRows, inputColumns, windowRows, windowColumns, placeRows, placeColumns;
  Value rowLength, tileRows, across, down, trips1, paddedStride, placesStride;
  // Of the current tile.
  Value batch0, batch1;
  Value firstRow, rows;                            ///< of places
  Value firstPlace, places;                        ///< of each row
  Value firstColumn, columns, columnsRead, stride; ///< of the input: first, those of windows, loaded; between rows
  Value front, shift;                              ///< of padded rows: where columns begin; of the first window
};

} // namespace

void WindowsKernel::readSizes() {
  Value one = w.constant(1), most = w.constant(parts.schedule.getTile());
  inputRows = windowField("in", 0, 0);
  inputColumns = windowField("in", 1, 0);
  windowRows = windowField("of", 0, 0);
  windowColumns = windowField("of", 1, 0);
  placeRows = windowField("out", 0, 0);
  placeColumns = windowField("out", 1, 0);
  rowLength = w.field("row_length", 1, parts.schedule.getTile());
  across = w.field("tiles_across", 1);
  down = w.field("tiles_down", 1);
  trips1 = w.max(w.field("batch1", 0), one);
  // What the windows of a whole row reach, and up to a unit before and behind it.
  Value reach = w.add(w.mul(w.sub(rowLength, one), w.constant(input.stride[1])),
                      w.add(w.mul(w.sub(windowColumns, one), w.constant(input.dilation[1])), one));
  Value padded = w.add(w.roundUpToRow(w.max(reach, one)), w.constant(2 * unit));
  paddedStride = w.min(w.max(padded, w.roundUpToRow(rowLength)), most);
  placesStride = w.min(w.roundUpToRow(rowLength), paddedStride);
  tileRows = w.max(w.min(w.field("tile_rows", 1, parts.schedule.getRows()), w.floorDiv(most, paddedStride)), one);
}

/// Byte offsets of the first element of each window of a tile in the padded rows.
void WindowsKernel::makeTables() {
  for (auto [size, home] : parts.homes.placesOf) {
    Value bytes = w.constant(size);
    w.makeTable(home, w.sub(tileRows, w.constant(1)), rowLength, placesStride, w.mul(paddedStride, bytes),
                w.constant(input.stride[1] * int64_t(size)));
  }
}

void WindowsKernel::startTile(Value number) {
  Value zero = w.constant(0), one = w.constant(1);
  Value rest = w.floorDiv(number, across), batch = w.floorDiv(rest, down);
  batch0 = w.floorDiv(batch, trips1);
  batch1 = w.rem(batch, trips1);
  firstRow = w.mul(w.rem(rest, down), tileRows);
  rows = w.max(w.min(w.sub(placeRows, firstRow), tileRows), one);
  firstPlace = w.mul(w.rem(number, across), rowLength);
  places = w.max(w.min(w.sub(placeColumns, firstPlace), rowLength), one);

  // The columns of the input that the windows have, from `begin` on, where that is beside it.
  Value begin = w.sub(w.mul(firstPlace, w.constant(input.stride[1])), w.constant(input.padBegin[1]));
  Value reach = w.add(w.mul(w.sub(places, one), w.constant(input.stride[1])),
                      w.add(w.mul(w.sub(windowColumns, one), w.constant(input.dilation[1])), one));
  Value first = w.min(w.max(begin, zero), inputColumns);
  Value all = w.max(w.sub(w.min(w.add(begin, reach), inputColumns), first), zero);
  // At least one column is loaded, also where all windows are beside the input.
  firstColumn = w.max(w.min(first, w.sub(inputColumns, one)), zero);
  columnsRead = w.min(w.max(all, one), paddedStride);
  stride = w.min(w.roundUpToRow(columnsRead), paddedStride);
  Value before = w.sub(first, begin);
  front = w.min(w.roundUpToRow(w.max(before, zero)), paddedStride);
  shift = w.max(w.sub(front, before), zero);
  columns = w.min(w.min(all, columnsRead), w.sub(paddedStride, front));
}

/// Loads and computes what is one element for a whole tile.
void WindowsKernel::writeOnes() {
  const TileProgram &program = parts.program;
  for (TileId value = 0; value < program.values.size(); ++value)
    if (parts.isInput(value) && parts.spreadOf(value) == Spread::One)
      w.loadFlat(value, startOf(*program.values[value].tensor), w.constant(1));
  w.writeSteps({}, [&](const TileStep &step) { return parts.spreadOf(step.result) == Spread::One; });
  w.readOnes();
}

/// Loads the rows of the input that are at one position of the windows, and combines them with those before.
void WindowsKernel::combineDown(Value position) {
  const TileProgram &program = parts.program;
  Value zero = w.constant(0), one = w.constant(1), step = w.constant(input.stride[0]);
  // Places have a row of the input from the first whose row is not before it, up to the first behind it.
  Value row = w.sub(w.mul(position, w.constant(input.dilation[0])), w.constant(input.padBegin[0]));
  auto placesUpTo = [&](Value distance) {
    Value place = w.sub(w.ceilDiv(w.max(distance, zero), step), firstRow);
    return w.min(w.max(place, zero), rows);
  };
  Value first = placesUpTo(w.sub(zero, row)), behind = placesUpTo(w.sub(inputRows, row));
  Value count = w.min(w.min(w.max(w.sub(behind, first), zero), rows), w.sub(rows, first));
  Value read = w.max(count, one);
  Value from = w.add(w.mul(w.add(firstRow, first), step), row);
  from = w.max(w.min(from, w.sub(inputRows, one)), zero);

  TileExtent extent;
  extent.rows = read;
  extent.cols = columnsRead;
  extent.ld = stride;
  extent.full = w.mul(read, stride);
  w.makeBuffers([](const Home &home, unsigned) { return home.byDma && home.spread == Spread::Full; });
  for (TileId value = 0; value < program.values.size(); ++value)
    if (parts.isInput(value) && parts.spreadOf(value) == Spread::Full) {
      Value offset = w.add(w.add(startOf(*program.values[value].tensor), w.mul(from, inputColumns)), firstColumn);
      w.loadRows(value, offset, read, columnsRead, w.mul(step, inputColumns), stride);
    }
  // In their order: a step may write over what a reduction before it reads.
  Value at = w.mul(first, stride), length = w.mul(count, stride);
  for (const TileStep &step : program.steps) {
    if (step.foldsRows) {
      const unsigned home = parts.homes.windowsOf.lookup(step.result).down;
      createIntrinsic(
          w.ops(), step.location, step.intrinsic,
          {w.view(home, at, length), w.viewOf(step.sources.front(), zero, length), w.view(home, at, length)});
    } else if (parts.spreadOf(step.result) == Spread::Full) {
      w.writeStep(step, extent);
    }
  }
}

/// Copies the columns of each row between neutral elements. What fills rows up to 32 bytes is left behind.
void WindowsKernel::padRows() {
  for (const TileStep *fold : folds)
    VBrcOp::create(w.ops(), fold->location, w.constantOf(parts.program.values[fold->result].type, fold->identity),
                   w.view(parts.homes.windowsOf.lookup(fold->result).padded, w.constant(0), w.mul(rows, paddedStride)));
  w.loop(rows, [&](Value row) {
    for (const TileStep *fold : folds) {
      const Homes::WindowHomes homes = parts.homes.windowsOf.lookup(fold->result);
      Value whole = w.view(homes.padded, w.mul(row, paddedStride), paddedStride);
      VCopyOp::create(w.ops(), fold->location, w.view(homes.down, w.mul(row, stride), columns),
                      w.part(whole, front, columns));
    }
  });
}

/// Combines the elements of all windows of a tile that are at one column of them.
void WindowsKernel::combineAlong(Value position) {
  Value zero = w.constant(0), length = w.mul(rows, placesStride);
  Value column = w.add(w.mul(position, w.constant(input.dilation[1])), shift);
  for (auto [size, home] : parts.homes.movedOf)
    VAddsOp::create(w.ops(), w.getLocation(), w.view(parts.homes.placesOf.at(size), zero, length),
                    w.asWord(w.mul(column, w.constant(size))), w.view(home, zero, length));
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

/// Where a tensor with an element for each place has the first of the tile.
Value WindowsKernel::placesOffset(unsigned tensor) {
  return w.add(w.add(startOf(tensor), w.mul(firstRow, placeColumns)), firstPlace);
}

void WindowsKernel::writeTile() {
  const TileProgram &program = parts.program;
  Value zero = w.constant(0);
  w.makeBuffers(
      [](const Home &home, unsigned) { return !home.invariant && !(home.byDma && home.spread == Spread::Full); });
  for (TileId value = 0; value < program.values.size(); ++value)
    if (parts.isInput(value) && parts.spreadOf(value) == Spread::Row)
      w.loadRows(value, placesOffset(*program.values[value].tensor), rows, places, placeColumns, placesStride);
  for (const TileStep *fold : folds)
    VBrcOp::create(w.ops(), fold->location, w.constantOf(program.values[fold->result].type, fold->identity),
                   w.view(parts.homes.windowsOf.lookup(fold->result).down, zero, w.mul(rows, stride)));
  // An input without elements has no row to load.
  Value isThere = w.min(w.mul(w.min(inputRows, w.constant(1)), inputColumns), w.constant(1));
  w.loop(w.mul(windowRows, isThere), [&](Value position) { combineDown(position); });
  padRows();
  TileExtent extent;
  extent.rows = rows;
  extent.cols = places;
  extent.ld = w.mul(rows, placesStride); // the length of all rows of the tile
  for (const TileStep *fold : folds)
    w.writeIdentity(*fold, extent.ld);
  w.loop(windowColumns, [&](Value position) { combineAlong(position); });
  w.writeSteps(extent,
               [&](const TileStep &step) { return parts.spreadOf(step.result) == Spread::Row && !step.foldsRows; });
  for (auto [value, tensor] : program.stores)
    w.storeRows(value, tensor, placesOffset(tensor), rows, places, placeColumns, placesStride);
}

void WindowsKernel::write() {
  const TileProgram &program = parts.program;
  readSizes();
  Value ofBlock = w.field("block_tiles", 1), first = w.mul(w.blockIndex(), ofBlock);
  Value tiles = w.max(w.min(w.sub(w.field("tiles", 0), first), ofBlock), w.constant(0));
  w.makeBuffers([](const Home &home, unsigned) { return home.invariant; });
  const bool hasOnes =
      llvm::any_of(program.values, [](const TileValue &value) { return value.tensor && value.spread == Spread::One; });
  if (!hasOnes)
    writeOnes();
  makeTables();
  w.loop(tiles, [&](Value number) {
    startTile(w.add(first, number));
    // An input of one element may have one for each batch.
    if (hasOnes)
      writeOnes();
    writeTile();
  });
}

void writeWindowsKernel(const KernelParts &parts) {
  WindowsKernel(parts).write();
}

} // namespace opc::aicore

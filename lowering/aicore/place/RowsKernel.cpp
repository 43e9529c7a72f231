// Tiles of several rows in UB:
//
//   load and read values of one element
//   for g over batch loops and parts of rows:
//     load and compute row values
//     for tile over rows:   load; steps; store
//
// Rows and ReduceRows take whole rows, without parts. Without row values and without batch dimensions, the outer loop
// runs once.
//
// The rows of a scan depend on each other. Its blocks have some iterations of the outer loop; in each of them all rows
// are processed in order, in reverse from the last one on; the running values before a tile are a row in UB. If an
// exclusive scan has only one row, it does not read the row: a separate tile writes the result, without the values that
// only such scans need.
//
// A scan along the rows (LineScans) exchanges the loops, since parts of a row depend on each other:
//
//   for g over batch loops and tiles of rows:
//     for part over parts of the rows, in reverse from the last one on:   load; steps; store
//
// If rows of an exclusive scan have one element, they also have a separate tile.

#include "dialect/aicore/tiles/LookupTiles.h"
#include "lowering/aicore/place/LineScans.h"
#include "lowering/aicore/place/LookupSteps.h"

using namespace mlir;

namespace opc::aicore {

namespace {

bool allOf(TileId) {
  return true;
}

class RowsKernel {
public:
  explicit RowsKernel(const KernelParts &parts) : parts(parts), w(parts.writer) {}
  void write();

private:
  /// The offset of a tensor in this iteration of the batch loops.
  Value startOf(unsigned tensor) { return parts.startOf(tensor, {{"_s0", batch0}, {"_s1", batch1}}); }
  /// The row stride of a tensor, in elements.
  Value distanceOf(unsigned tensor, Spread spread) {
    const std::string field = parts.nameOf(tensor) + "_m";
    if (parts.shape.isStrided && parts.shape.form == KernelForm::Rows)
      return w.max(w.field(field, 0), w.constant(1));
    if (parts.shape.isStrided)
      return w.field(field, 1);
    return spread == Spread::Column ? w.constant(1) : length;
  }
  void transferOuter(llvm::function_ref<bool(TileId)> take, bool isOneRow = false);
  void findStill(bool onesMove);
  bool isExclusive() const {
    return llvm::any_of(parts.program.steps, [](const TileStep &step) { return step.scan && step.scan->exclusive; });
  }
  bool scansLines() const {
    return llvm::any_of(parts.program.steps, [](const TileStep &step) { return step.scan && step.scan->alongRow; });
  }
  /// Whether a scan combines each row with those before it.
  bool scansRows() const { return parts.shape.isScanned && !scansLines(); }
  std::vector<bool> neededOf(bool isOneRow) const;
  void writeTile(Value tile, bool isOneRow = false);
  Value readSizes();
  void makeTables(LookupSteps &lookups);
  void startPart(Value part);
  void writeTiles(Value tiles);
  void writeGroups(Value tiles, bool onesMove);
  void writeLines(Value tiles, bool onesMove);
  bool hasBatch() const { return parts.shape.form != KernelForm::Rows || parts.shape.isBatched; }
  bool isReverse() const {
    return llvm::any_of(parts.program.steps, [](const TileStep &step) { return step.scan && step.scan->reverse; });
  }
  bool isConstant(const TileStep &step) const { return parts.homes.constants.contains(step.result); }
  bool isRowOrOne(Spread spread) const { return spread == Spread::Row || spread == Spread::One; }

  const KernelParts &parts;
  KernelWriter &w;
  Value count, length;         ///< number of all rows, length of a whole row
  Value rowLength, tileRows;   ///< maxima of a tile
  Value ofBlock, firstOfBlock; ///< iterations of the loops, or rows, of this block
  Value firstRow, rowsLeft;    ///< rows of this block
  Value batch0, batch1;        ///< counters of the batch loops; null without any
  Value firstColumn, columns;  ///< of the current part of rows
  Value longestStride, stride; ///< elements from row to row in UB: at most, and of this part
  std::vector<bool> still;     ///< values of a row that batch loops do not change, whose rows are whole
};

} // namespace

/// The stored values and those that they need, if exclusive scans need nothing (`isOneRow`); else all values.
std::vector<bool> RowsKernel::neededOf(bool isOneRow) const {
  const TileProgram &program = parts.program;
  std::vector<bool> needed(program.values.size(), !isOneRow);
  if (!isOneRow)
    return needed;
  for (auto [value, tensor] : program.stores)
    needed[value] = true;
  for (const TileStep &step : llvm::reverse(program.steps)) {
    if (!needed[step.result] || (step.scan && step.scan->exclusive))
      continue;
    for (TileId source : step.sources)
      needed[source] = true;
    if (step.rowScalar)
      needed[*step.rowScalar] = true;
  }
  return needed;
}

void RowsKernel::writeTile(Value tile, bool isOneRow) {
  const TileProgram &program = parts.program;
  const std::vector<bool> needed = neededOf(isOneRow);
  Value done = w.mul(tile, tileRows);
  // A tile has at least one row.
  Value rows = w.max(w.min(w.sub(rowsLeft, done), tileRows), w.constant(1));
  Value row = w.add(firstRow, done);
  if (isReverse() && !scansLines())
    row = w.max(w.sub(w.sub(count, done), rows), w.constant(0));
  Value one = w.constant(1), columnStride = w.constant(w.columnStride());
  TileExtent extent = w.extentOfRows(rows, columns, stride);
  extent.firstRow = row;
  extent.firstColumn = firstColumn;
  auto hasNeeded = [&](unsigned home) {
    for (TileId value = 0; value < program.values.size(); ++value)
      if (needed[value] && (parts.homes.of[value] == home ||
                            (parts.homes.blocksOf.contains(value) && parts.homes.blocksOf.lookup(value) == home)))
        return true;
    return false;
  };
  w.makeBuffers([&](const Home &home, unsigned number) { return !home.invariant && (!isOneRow || hasNeeded(number)); },
                isOneRow ? "_of_one_row" : "");
  w.startTile();
  auto offsetOf = [&](unsigned tensor, Spread spread) {
    Value start = w.add(startOf(tensor), w.mul(row, distanceOf(tensor, spread)));
    return spread == Spread::Column ? start : w.add(start, firstColumn);
  };
  for (TileId value = 0; value < program.values.size(); ++value) {
    if (!parts.isInput(value) || isRowOrOne(parts.spreadOf(value)) || !needed[value])
      continue;
    Spread spread = parts.spreadOf(value);
    unsigned tensor = *program.values[value].tensor;
    Value offset = offsetOf(tensor, spread), distance = distanceOf(tensor, spread);
    if (spread == Spread::Column)
      w.loadRows(value, offset, rows, one, distance, columnStride);
    else
      w.loadRows(value, offset, rows, columns, distance, stride);
  }
  const TileStep *fused = nullptr; ///< written with the step before it
  for (const TileStep &step : program.steps) {
    if (isRowOrOne(parts.spreadOf(step.result)) || !needed[step.result] || isConstant(step) || &step == fused)
      continue;
    fused = w.fusedWith(step);
    if (fused)
      w.writeFused(step, *fused, extent);
    else if (isOneRow && step.scan && step.scan->exclusive)
      w.writeOfNothing(step, extent);
    else
      w.writeStep(step, extent);
  }
  for (auto [value, tensor] : program.stores) {
    Spread spread = parts.spreadOf(value);
    Value offset = offsetOf(tensor, spread), distance = distanceOf(tensor, spread);
    if (spread == Spread::Column)
      w.storeRows(value, tensor, offset, rows, one, distance, columnStride);
    else
      w.storeRows(value, tensor, offset, rows, columns, distance, stride);
  }
}

// With batch loops, rows with a stride alone: others have parts of rows, or values that a tile looks up. Beside folds
// the loop that repeats rows would be one too many for the proof of order. Each row has a home of its own (Homes), so
// nothing that moves is written over what stands still.
void RowsKernel::findStill(bool onesMove) {
  const TileProgram &program = parts.program;
  still.resize(program.values.size());
  const bool isStrided = parts.shape.form == KernelForm::Rows && parts.shape.isStrided;
  if (hasBatch() && (!isStrided || program.foldsLanes()))
    return;
  for (TileId value = 0; value < program.values.size(); ++value) {
    const std::optional<unsigned> tensor = program.values[value].tensor;
    still[value] =
        parts.spreadOf(value) == Spread::Row && !(hasBatch() && tensor && !parts.shape.tensors[*tensor].isStill);
  }
  if (!hasBatch())
    return;
  // What is computed from others moves with them.
  auto isStill = [&](TileId source) { return parts.spreadOf(source) == Spread::One ? !onesMove : bool(still[source]); };
  for (const TileStep &step : program.steps)
    if (!llvm::all_of(step.sources, isStill) || (step.rowScalar && !isStill(*step.rowScalar)))
      still[step.result] = false;
}

// Loads and computes what all rows share, before the loop over tiles.
void RowsKernel::transferOuter(llvm::function_ref<bool(TileId)> take, bool isOneRow) {
  const TileProgram &program = parts.program;
  const std::vector<bool> needed = neededOf(isOneRow);
  for (TileId value = 0; value < program.values.size(); ++value)
    if (parts.isInput(value) && parts.spreadOf(value) == Spread::Row && needed[value] && take(value))
      w.loadRows(value, w.add(startOf(*program.values[value].tensor), firstColumn), w.constant(1), columns, length,
                 stride);
  TileExtent extent;
  extent.cols = columns;
  extent.ld = stride;
  extent.firstColumn = firstColumn;
  w.writeSteps(extent, [&](const TileStep &step) {
    return parts.spreadOf(step.result) == Spread::Row && needed[step.result] && take(step.result);
  });
}

void RowsKernel::startPart(Value part) {
  firstColumn = w.mul(part, rowLength);
  // A part has at least one column.
  columns = w.max(w.min(w.sub(length, firstColumn), rowLength), w.constant(1));
  // Steps run over all rows and their padding, so the rows of a short part are packed as closely as alignment allows.
  stride = w.min(w.roundUpToRow(columns), longestStride);
}

void RowsKernel::writeLines(Value tiles, bool onesMove) {
  Value zero = w.constant(0), one = w.constant(1);
  Value partsOfRow = w.max(w.ceilDiv(length, rowLength), zero);
  Value trips0 = w.loopField("batch0", 0), trips1 = w.loopField("batch1", 0);
  LineScans scans(parts, neededOf(/*isOneRow=*/true));
  Value severalParts = w.min(w.max(w.sub(partsOfRow, one), zero), one);
  Value severalElements = w.min(w.max(w.sub(length, one), zero), one);
  scans.makeTables({rowLength, longestStride, severalElements, severalParts});
  w.scanLines = [&](const TileStep &step, const TileExtent &extent) { scans.write(step, extent); };
  w.loop(w.mul(w.mul(trips0, trips1), tiles), [&](Value group) {
    Value ofTiles = w.max(tiles, one), ofBatch = w.max(trips1, one);
    Value tile = w.rem(group, ofTiles), batch = w.floorDiv(group, ofTiles);
    batch0 = w.floorDiv(batch, ofBatch);
    batch1 = w.rem(batch, ofBatch);
    if (onesMove)
      parts.writeOnes({{"_s0", batch0}, {"_s1", batch1}});
    scans.start(tileRows);
    auto loop = [&](Value trips, bool isOneElement) {
      w.loop(trips, [&](Value trip) {
        startPart(isReverse() ? w.max(w.sub(w.sub(partsOfRow, one), trip), zero) : trip);
        transferOuter(allOf, isOneElement);
        writeTile(tile, isOneElement);
      });
    };
    if (!isExclusive())
      return loop(partsOfRow, false);
    loop(w.mul(severalElements, partsOfRow), false);
    loop(w.max(w.sub(w.min(length, one), severalElements), zero), true);
  });
}

/// Reads the fields of the loops, and sets the maxima of a tile and the rows of this block. Returns the number of
/// tiles. Every part of a row takes the same number of them, because slots of buffers are chosen by a counter that runs
/// on through the loops.
Value RowsKernel::readSizes() {
  const int64_t tileElements = parts.schedule.getTile(), mostRows = parts.schedule.getRows();
  const bool reduces = parts.shape.form == KernelForm::ReduceRows;
  count = w.loopField(reduces ? "size1" : "size0");
  length = w.loopField(reduces ? "size2" : "size1");
  rowLength = w.loopField("row_length", 1, tileElements);
  // Parts of rows are as long as there are blocks for elements.
  if (llvm::any_of(parts.program.steps, [](const TileStep &step) { return step.lookup && step.lookup->isOfBlocks(); }))
    rowLength = w.min(rowLength, w.constant(kElementsAtOnce));
  Value fieldRows = w.loopField("tile_rows", 1, mostRows);
  ofBlock = w.loopField(scansRows() ? "block_groups" : "block_rows", 1);
  firstOfBlock = w.mul(w.blockIndex(), ofBlock);
  firstRow = scansRows() ? w.constant(0) : firstOfBlock;
  rowsLeft = scansRows() ? count : w.min(w.sub(count, firstRow), ofBlock);
  longestStride = w.roundUpToRow(rowLength);
  stride = longestStride;
  tileRows = w.min(fieldRows, w.floorDiv(w.constant(tileElements), stride));
  return w.max(w.ceilDiv(rowsLeft, tileRows), w.constant(0));
}

/// Makes the buffers that are filled once, and fills them: offsets and constants.
void RowsKernel::makeTables(LookupSteps &lookups) {
  w.makeBuffers([](const Home &home, unsigned) { return home.invariant; });
  w.makeOffsets();
  w.makeLaneOffsets(/*ofRows=*/true);
  lookups.makeOffsets();
  w.lookUp = [this, &lookups](const TileStep &step, const TileExtent &extent) {
    lookups.write(step, extent, {{"_s0", batch0}, {"_s1", batch1}});
  };
  TileExtent ofAll;
  ofAll.column = w.mul(tileRows, w.constant(w.columnStride()));
  llvm::SmallDenseSet<unsigned> filled;
  w.writeSteps(ofAll, [&](const TileStep &step) {
    return isConstant(step) && filled.insert(parts.homes.of[step.result]).second;
  });
}

/// The tiles of an iteration of the loops around them. One row of an exclusive scan is a tile of its own.
void RowsKernel::writeTiles(Value tiles) {
  if (!isExclusive())
    return w.loop(tiles, [&](Value tile) { writeTile(tile); });
  Value zero = w.constant(0), one = w.constant(1), several = w.min(w.max(w.sub(count, one), zero), one);
  w.loop(w.mul(several, tiles), [&](Value tile) { writeTile(tile); });
  w.loop(w.max(w.sub(w.min(count, one), several), zero), [&](Value tile) { writeTile(tile, /*isOneRow=*/true); });
}

/// The loop over batches and parts of rows.
void RowsKernel::writeGroups(Value tiles, bool onesMove) {
  const bool inParts = parts.shape.form == KernelForm::Grid;
  Value trips0 = w.loopField("batch0", 0), trips1 = w.loopField("batch1", 0);
  Value partsOfRow = inParts ? w.ceilDiv(length, rowLength) : w.constant(1);
  Value inner = w.mul(w.max(trips1, w.constant(1)), w.max(partsOfRow, w.constant(1)));
  Value all = w.mul(w.mul(trips0, trips1), partsOfRow);
  Value trips = scansRows() ? w.max(w.min(w.sub(all, firstOfBlock), ofBlock), w.constant(0)) : all;
  w.loop(trips, [&](Value trip) {
    Value group = scansRows() ? w.add(firstOfBlock, trip) : trip;
    batch0 = w.floorDiv(group, inner);
    Value rest = w.rem(group, inner);
    Value divisor = w.max(partsOfRow, w.constant(1));
    batch1 = inParts ? w.floorDiv(rest, divisor) : rest;
    if (inParts)
      startPart(w.rem(rest, divisor));
    if (onesMove)
      parts.writeOnes({{"_s0", batch0}, {"_s1", batch1}});
    transferOuter([&](TileId value) { return !still[value]; });
    w.startScans(stride);
    writeTiles(tiles);
  });
}

void RowsKernel::write() {
  Value tiles = readSizes();
  LookupSteps lookups(parts, tileRows);
  makeTables(lookups);
  // Looked-up elements may differ between batches.
  const bool onesMove =
      parts.onesMove() || llvm::any_of(parts.program.steps, [](const TileStep &step) { return bool(step.lookup); });
  if (!onesMove)
    parts.writeOnes({});
  if (scansLines())
    return writeLines(tiles, onesMove);
  firstColumn = w.constant(0);
  // A tile has at least one column.
  columns = w.max(w.min(length, rowLength), w.constant(1));
  // Once for all tiles. Inside batch loops it would be repeated in each of their iterations.
  findStill(onesMove);
  auto isStill = [&](TileId value) { return still[value]; };
  if (llvm::is_contained(still, true)) {
    transferOuter(isStill);
    w.repeatRows(w.sub(tileRows, w.constant(1)), stride, isStill);
  }
  if (!hasBatch())
    return w.loop(tiles, [&](Value tile) { writeTile(tile); });
  writeGroups(tiles, onesMove);
}

void writeRowsKernel(const KernelParts &parts) {
  RowsKernel(parts).write();
}

} // namespace opc::aicore

// Reductions over rows whose results are used in all rows again. A part of the columns is processed in passes over its
// rows, and each pass recomputes the values that it needs from the loaded tiles; a result of a reduction is one row:
//
//   for g over batch loops and parts of columns:
//     load and compute what all rows share
//     for each pass:
//       accumulators = identity
//       for tile over outer trips and rows:   load; steps; accumulators op= tile; in the last pass store
//       fold the rows of each accumulator into its first; steps on single rows; repeat them for the next pass
//     store single rows

#include "lowering/aicore/place/writer/KernelForms.h"

using namespace mlir;

namespace opc::aicore {

namespace {

class ColumnPassesKernel {
public:
  explicit ColumnPassesKernel(const KernelParts &parts) : parts(parts), w(parts.writer) {}
  void write();

private:
  bool reducesIn(const TileStep &step, unsigned pass) const {
    return step.foldsRows && parts.levels[step.result] == pass + 1;
  }
  bool isOfTile(TileId value) const {
    return parts.spreadOf(value) == Spread::Full || parts.spreadOf(value) == Spread::Column;
  }
  std::vector<bool> neededIn(unsigned pass) const;
  Value startOf(unsigned tensor) { return parts.startOf(tensor, {{"_s0", batch0}, {"_s1", batch1}}); }
  void writeRows(unsigned level);
  void writePass(unsigned pass);
  void writeTile(unsigned pass, const std::vector<bool> &needed, Value tile);
  void writeGroup();

  const KernelParts &parts;
  KernelWriter &w;
  Value outer, count; ///< iterations of R0, rows of each
  Value batch0, batch1, column, columns, stride, tileRows, otherRows, tiles, allTiles;
};

} // namespace

/// The values of a tile that a pass needs for its reductions and stores.
std::vector<bool> ColumnPassesKernel::neededIn(unsigned pass) const {
  const TileProgram &program = parts.program;
  std::vector<bool> needed(program.values.size());
  if (pass + 1 == parts.passes)
    for (auto [value, tensor] : program.stores)
      needed[value] = isOfTile(value);
  for (const TileStep &step : llvm::reverse(program.steps)) {
    if (!reducesIn(step, pass) && (step.foldsRows || !needed[step.result]))
      continue;
    for (TileId source : step.sources)
      needed[source] = needed[source] || isOfTile(source);
    if (step.rowScalar && isOfTile(*step.rowScalar))
      needed[*step.rowScalar] = true;
  }
  return needed;
}

void ColumnPassesKernel::writeTile(unsigned pass, const std::vector<bool> &needed, Value tile) {
  const TileProgram &program = parts.program;
  Value one = w.constant(1), divisor = w.max(tiles, one), columnStride = w.constant(w.columnStride());
  Value outerTrip = w.floorDiv(tile, divisor);
  Value done = w.mul(w.rem(tile, divisor), tileRows);
  Value rows = w.max(w.min(w.sub(count, done), tileRows), one);
  TileExtent extent = w.extentOfRows(rows, columns, stride);
  extent.firstRow = done;
  w.startTile();
  bool last = pass + 1 == parts.passes;
  w.makeBuffers(
      [&](const Home &home, unsigned number) {
        if (!home.byDma)
          return false;
        for (TileId value = 0; value < program.values.size(); ++value)
          if (parts.homes.of[value] == number && isOfTile(value) && needed[value])
            return true;
        return false;
      },
      "_" + std::to_string(pass));
  auto rowOf = [&](unsigned tensor) { return w.field(parts.nameOf(tensor) + "_m"); };
  const SmallVector<Value, 2> outerTrips = parts.tripsOfRuns(outerTrip);
  auto offsetOf = [&](unsigned tensor) {
    return w.add(parts.addOuter(startOf(tensor), tensor, outerTrips), w.mul(done, rowOf(tensor)));
  };
  for (TileId value = 0; value < program.values.size(); ++value) {
    if (!parts.isInput(value) || !needed[value])
      continue;
    unsigned tensor = *program.values[value].tensor;
    if (parts.spreadOf(value) == Spread::Column)
      w.loadRows(value, offsetOf(tensor), rows, one, rowOf(tensor), columnStride);
    else
      w.loadRows(value, w.add(offsetOf(tensor), column), rows, columns, rowOf(tensor), stride);
  }
  for (const TileStep &step : program.steps) {
    if (reducesIn(step, pass))
      w.accumulate(step, extent);
    else if (!step.foldsRows && needed[step.result])
      w.writeStep(step, extent);
  }
  if (!last)
    return;
  for (auto [value, tensor] : program.stores) {
    if (parts.spreadOf(value) == Spread::Full)
      w.storeRows(value, tensor, w.add(offsetOf(tensor), column), rows, columns, rowOf(tensor), stride);
    if (parts.spreadOf(value) == Spread::Column)
      w.storeRows(value, tensor, offsetOf(tensor), rows, one, rowOf(tensor), columnStride);
  }
}

/// Computes the single rows that depend on `level` reductions, and repeats those of them that steps on tiles read.
void ColumnPassesKernel::writeRows(unsigned level) {
  TileExtent extent;
  extent.cols = columns;
  extent.ld = stride;
  extent.firstColumn = column;
  w.writeSteps(extent, [&](const TileStep &step) {
    return parts.spreadOf(step.result) == Spread::Row && !step.foldsRows && parts.levels[step.result] == level;
  });
  w.repeatRows(otherRows, stride, [&](TileId value) { return parts.levels[value] == level; });
}

void ColumnPassesKernel::writePass(unsigned pass) {
  const TileProgram &program = parts.program;
  std::vector<bool> needed = neededIn(pass);
  bool works = llvm::is_contained(needed, true);
  for (const TileStep &step : program.steps)
    if (reducesIn(step, pass)) {
      works = true;
      w.writeIdentity(step, w.mul(tileRows, stride));
    }
  if (works)
    w.loop(allTiles, [&](Value tile) { writeTile(pass, needed, tile); });
  // Rows of an accumulator beyond all tiles still hold the identity. The padding of a row is folded too, because steps
  // that read the row with others read it.
  for (const TileStep &step : program.steps)
    if (reducesIn(step, pass))
      w.foldAccumulator(step, otherRows, stride, stride);
  writeRows(pass + 1);
}

void ColumnPassesKernel::writeGroup() {
  const TileProgram &program = parts.program;
  for (TileId value = 0; value < program.values.size(); ++value)
    if (parts.isInput(value) && parts.spreadOf(value) == Spread::Row)
      w.loadRows(value, w.add(startOf(*program.values[value].tensor), column), w.constant(1), columns, columns, stride);
  writeRows(0);
  for (unsigned pass = 0; pass < parts.passes; ++pass)
    writePass(pass);
  for (auto [value, tensor] : program.stores)
    if (parts.spreadOf(value) == Spread::Row)
      w.storeFlat(value, tensor, w.add(startOf(tensor), column), columns);
}

void ColumnPassesKernel::write() {
  const TileProgram &program = parts.program;
  Value one = w.constant(1), tileElements = w.constant(parts.schedule.getTile());
  outer = w.loopField("size0");
  count = w.loopField("size1");
  Value length = w.loopField("size2");
  Value rowLength = w.loopField("row_length", 1, parts.schedule.getTile());
  Value fieldRows = w.loopField("tile_rows", 1, parts.schedule.getRows());
  Value blockColumns = w.loopField("block_columns", 1);
  Value blockStart = w.mul(w.blockIndex(), blockColumns);
  Value blockLength = w.min(w.sub(length, blockStart), blockColumns);
  Value partsOfRow = w.max(w.ceilDiv(blockLength, rowLength), w.constant(0));

  // It is the same for all parts of the columns and all passes, so the proof knows that their loops have the same
  // trip counts.
  Value longestStride = w.roundUpToRow(rowLength);
  tileRows = w.max(w.min(fieldRows, w.floorDiv(tileElements, longestStride)), one);
  otherRows = w.sub(tileRows, one);
  tiles = w.ceilDiv(count, tileRows);
  allTiles = w.mul(outer, tiles);

  w.makeBuffers([&](const Home &home, unsigned number) {
    for (TileId value = 0; value < program.values.size(); ++value)
      if (parts.homes.of[value] == number && isOfTile(value) && home.byDma)
        return false;
    return true;
  });
  w.makeOffsets();
  if (!parts.onesMove())
    parts.writeOnes({});

  Value trips1 = w.loopField("batch1", 0);
  Value batches = w.mul(w.loopField("batch0", 0), trips1);
  w.loop(w.mul(batches, partsOfRow), [&](Value group) {
    Value divisor = w.max(partsOfRow, one), inner = w.max(trips1, one);
    Value batch = w.floorDiv(group, divisor);
    batch0 = w.floorDiv(batch, inner);
    batch1 = w.rem(batch, inner);
    Value firstColumn = w.mul(w.rem(group, divisor), rowLength);
    columns = w.max(w.min(w.sub(blockLength, firstColumn), rowLength), one);
    column = w.add(blockStart, firstColumn);
    // Steps run over all rows and their padding, so the rows of a short part are packed as closely as alignment allows.
    stride = w.min(w.roundUpToRow(columns), longestStride);
    if (parts.onesMove())
      parts.writeOnes({{"_s0", batch0}, {"_s1", batch1}});
    writeGroup();
  });
}

void writeColumnPassesKernel(const KernelParts &parts) {
  ColumnPassesKernel(parts).write();
}

} // namespace opc::aicore

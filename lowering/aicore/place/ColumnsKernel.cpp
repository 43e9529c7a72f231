// Reduction over rows. Each tile of several rows is folded into an accumulator of as many rows, all rows at once.
// After the last tile, the rows of the accumulator are folded into one:
//
//   for g over the batch loop and parts of rows:
//     accumulator = identity
//     for tile over outer trips and rows:   load; steps; accumulator op= tile
//     fold the rows of the accumulator into its first; steps; store

#include "lowering/aicore/place/writer/KernelForms.h"

using namespace mlir;

namespace opc::aicore {

void writeColumnsKernel(const KernelParts &parts) {
  KernelWriter &w = parts.writer;
  const TileProgram &program = parts.program;
  int64_t tileElements = parts.schedule.getTile();
  Value outer = w.field("size0"), count = w.field("size1"), length = w.field("size2");
  Value rowLength = w.field("row_length", 1, tileElements);
  Value fieldRows = w.field("tile_rows", 1, parts.schedule.getRows());
  Value blockColumns = w.field("block_columns", 1);
  Value one = w.constant(1);
  Value blockStart = w.mul(w.blockIndex(), blockColumns);
  Value blockLength = w.min(w.sub(length, blockStart), blockColumns);
  Value partsOfRow = w.max(w.ceilDiv(blockLength, rowLength), w.constant(0));
  Value divisor = w.max(partsOfRow, one);
  Value trips1 = w.field("batch1");

  auto isTransfer = [](const Home &home) { return home.byDma && home.spread == Spread::Full; };
  w.makeBuffers([&](const Home &home, unsigned) { return !isTransfer(home); });
  parts.writeOnes({});

  w.loop(w.mul(trips1, partsOfRow), [&](Value group) {
    Value batch = w.floorDiv(group, divisor);
    Value firstColumn = w.mul(w.rem(group, divisor), rowLength);
    Value columns = w.max(w.min(w.sub(blockLength, firstColumn), rowLength), one);
    Value column = w.add(blockStart, firstColumn);
    // Steps run over all rows and their padding, so the rows of a short part are packed as closely as alignment allows.
    Value stride = w.roundUpToRow(columns);
    Value tileRows = w.min(fieldRows, w.floorDiv(w.constant(tileElements), stride));
    Value tiles = w.ceilDiv(count, tileRows), tileDivisor = w.max(tiles, one);
    for (const TileStep &step : program.steps)
      if (step.foldsRows)
        w.writeIdentity(step, w.mul(tileRows, stride));
    w.loop(w.mul(outer, tiles), [&](Value tile) {
      Value outerTrip = w.floorDiv(tile, tileDivisor);
      Value done = w.mul(w.rem(tile, tileDivisor), tileRows);
      Value rows = w.max(w.min(w.sub(count, done), tileRows), one);
      const TileExtent extent = w.extentOfRows(rows, columns, stride);
      w.makeBuffers([&](const Home &home, unsigned) { return isTransfer(home); });
      for (TileId value = 0; value < program.values.size(); ++value) {
        if (!parts.isInput(value) || parts.spreadOf(value) != Spread::Full)
          continue;
        const std::string &name = parts.nameOf(*program.values[value].tensor);
        Value start = w.add(w.mul(batch, w.field(name + "_s1")), w.mul(outerTrip, w.field(name + "_r0")));
        Value offset = w.add(w.add(start, w.mul(done, length)), column);
        w.loadRows(value, offset, rows, columns, length, stride);
      }
      for (const TileStep &step : program.steps) {
        if (step.foldsRows)
          w.accumulate(step, extent);
        else if (parts.spreadOf(step.result) == Spread::Full)
          w.writeStep(step, extent);
      }
    });
    // The first tile has the most rows; rows of the accumulator beyond them still hold the identity.
    for (const TileStep &step : program.steps)
      if (step.foldsRows)
        w.foldAccumulator(step, w.sub(w.max(w.min(count, tileRows), one), one), stride, columns);
    TileExtent extent;
    extent.cols = columns;
    w.writeSteps(extent,
                 [&](const TileStep &step) { return parts.spreadOf(step.result) == Spread::Row && !step.foldsRows; });
    for (auto [value, tensor] : program.stores)
      w.storeFlat(value, tensor, w.add(w.mul(batch, w.field(parts.nameOf(tensor) + "_s1")), column), columns);
  });
}

} // namespace opc::aicore

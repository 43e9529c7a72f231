// Stores tiles of results, or computes with them on the vector unit, which has a part of the columns at a time.

#include "lowering/aicore/place/contraction/ContractionKernel.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace opc::aicore {

/// Stores the tile directly, rounded to the type of each output.
void ContractionKernel::storeResult(Value result) {
  for (auto [value, tensor] : parts.program.stores) {
    Value distance = field(tensor, "_m", 0);
    Value offset = w.add(w.add(startOf(tensor), w.mul(m.first, distance)), n.first);
    Value destination = w.rowsOfTensor(tensor, offset, m.size, n.size, distance);
    FixpipeOp::create(w.ops(), w.getLocation(), result, destination, m.size, n.size, /*rowStride=*/Value(),
                      /*scale=*/Value());
  }
}

/// Loads rows for all columns of a tile, before its products: MTE2 takes its loads in order, and would wait for the
/// vector unit between the parts.
void ContractionKernel::loadRowsOfTile() {
  for (TileId value = 0; value < parts.program.values.size(); ++value)
    if (isOfTile(value))
      ofTile.insert(parts.homes.of[value]);
  w.makeBuffers([&](const Home &, unsigned number) { return ofTile.contains(number); });
  for (TileId value = 0; value < parts.program.values.size(); ++value) {
    if (!isOfTile(value))
      continue;
    const unsigned tensor = *parts.program.values[value].tensor;
    Value offset = w.add(startOf(tensor), n.first);
    w.loadRows(value, offset, w.constant(1), n.size, field(tensor, "_m", 0), w.roundUpToRow(n.size));
  }
}

/// Rows of the tile are contiguous in UB. The steps run over their padding, which is zero in the product. Rows of a
/// kernel with bytes are wider than fractals.
void ContractionKernel::copyResults(Value result, Value to, const Extent &columns) {
  const bool isWider = w.columnStride() > kFractalRows;
  Value stride = w.roundUpToRow(isWider ? columns.whole : columns.size);
  FixpipeOp::create(w.ops(), w.getLocation(), result, to, m.size, isWider ? columns.whole : stride, stride,
                    /*scale=*/Value());
}

/// Writes the elementwise operations on some columns of a tile.
void ContractionKernel::writePart(Value result, const Extent &columns) {
  const TileProgram &program = parts.program;
  Value one = w.constant(1), columnStride = w.constant(w.columnStride());
  const bool isWider = w.columnStride() > kFractalRows;
  Value stride = w.roundUpToRow(isWider ? columns.whole : columns.size);
  TileExtent extent;
  extent.rows = m.size;
  extent.cols = columns.size;
  extent.ld = stride;
  extent.full = w.mul(m.size, stride);
  extent.column = w.mul(m.size, columnStride);
  w.makeBuffers([&](const Home &home, unsigned number) {
    return !home.invariant && !ofTile.contains(number) && !(ofPiece && parts.homes.of[*ofPiece] == number);
  });
  w.startTile();
  auto offsetOf = [&](unsigned tensor, Spread spread) {
    Value start = startOf(tensor);
    if (spread != Spread::Row)
      start = w.add(start, w.mul(m.first, field(tensor, "_m", 0)));
    return spread == Spread::Column ? start : w.add(start, columns.first);
  };
  for (TileId value = 0; value < program.values.size(); ++value) {
    if (program.values[value].isProduct) {
      if (ofPiece)
        continue;
      Value sums = w.viewOf(value, w.constant(0), w.constant(rows * tile.part));
      if (isWider)
        VBrcOp::create(w.ops(), w.getLocation(), w.constantOf(program.values[value].type, 0.0), sums);
      copyResults(result, sums, columns);
      continue;
    }
    const Spread spread = parts.spreadOf(value);
    if (!parts.isInput(value) || spread == Spread::One || isOfTile(value))
      continue;
    const unsigned tensor = *program.values[value].tensor;
    Value offset = offsetOf(tensor, spread), distance = field(tensor, "_m", 0);
    if (spread == Spread::Column)
      w.loadRows(value, offset, m.size, one, distance, columnStride);
    else
      w.loadRows(value, offset, spread == Spread::Row ? one : m.size, columns.size, distance, stride);
    if (spread == Spread::Row && w.isRepeated(value))
      w.doubleRows(value, m.size, stride);
  }
  for (const TileStep &step : program.steps) {
    const Spread spread = parts.spreadOf(step.result);
    if (spread == Spread::One)
      continue;
    w.writeStep(step, extent);
    if (spread == Spread::Row && w.isRepeated(step.result))
      w.doubleRows(step.result, m.size, stride);
  }
  for (auto [value, tensor] : program.stores) {
    const Spread spread = parts.spreadOf(value);
    Value offset = offsetOf(tensor, spread), distance = field(tensor, "_m", 0);
    if (spread == Spread::Column)
      w.storeRows(value, tensor, offset, m.size, one, distance, columnStride);
    else
      w.storeRows(value, tensor, offset, m.size, columns.size, distance, stride);
  }
}

/// The parts of the columns whose results Fixpipe copies to UB before the vector unit works on the first of them: as
/// many as UB has room for, up to half of a tile. With two slots UB then has the results of a whole tile, so that MTE1,
/// which relays flags between FIX and V, waits for the vector unit only after the loads of the next tile to L0.
int64_t ContractionKernel::partsOfPiece() const {
  const TileNeeds &needs = w.tileNeeds();
  if (parts.schedule.getSlots() == 1 || w.columnStride() > kFractalRows || parts.shape.windows)
    return 1;
  const int64_t elements = parts.schedule.getTile();
  const int64_t room = parts.target.ubBytes() - needs.fixedBytes - (elements * needs.tileBits + 7) / 8 -
                       rows * needs.rowBytes - parts.schedule.getAlignment() * needs.buffers;
  int64_t count = 1;
  while (4 * count <= tile.width / tile.part && (2 * count - 1) * 2 * elements * int64_t(sizeof(float)) <= room)
    count *= 2;
  return count;
}

/// The columns of a part, and where they begin in the tile. A part after the last column repeats the last fractals.
Extent ContractionKernel::columnsOfPart(Value number, Value &from) {
  Extent columns;
  Value end = ofColumns == kFractalRows ? n.whole : whole(n.size);
  from = w.min(w.mul(number, w.constant(tile.part)), w.sub(end, w.constant(kFractalRows)));
  columns.first = w.add(n.first, from);
  columns.size = w.max(w.min(w.sub(n.size, from), w.constant(tile.part)), w.constant(1));
  columns.whole = whole(columns.size);
  return columns;
}

/// The results of a part: columns of fractals of the tile are adjacent.
Value ContractionKernel::fractalsFrom(Value result, Value from) {
  OpFoldResult offset = getAsOpFoldResult(w.mul(from, m.whole));
  return memref::SubViewOp::create(w.ops(), w.getLocation(), result, {offset}, {w.ops().getIndexAttr(rows * tile.part)},
                                   {w.ops().getIndexAttr(1)});
}

/// The matrix product of the program.
TileId ContractionKernel::productValue() const {
  const auto isProduct = [&](TileId value) { return parts.program.values[value].isProduct; };
  return *llvm::find_if(llvm::seq<TileId>(0, parts.program.values.size()), isProduct);
}

/// `count` parts: first their results are copied to UB, then the vector unit processes them.
void ContractionKernel::writePiece(Value result, Value number, int64_t count) {
  const TileProgram &program = parts.program;
  Value first = w.mul(number, w.constant(count)), from, sums;
  if (count > 1) {
    ofPiece = productValue();
    sums = w.makeBuffer(*ofPiece, count * rows * tile.part);
    w.loop(w.constant(count), [&](Value part) {
      const Extent columns = columnsOfPart(w.add(first, part), from);
      copyResults(fractalsFrom(result, from), partOf(sums, part, rows * tile.part), columns);
    });
  }
  auto write = [&](Value part) {
    const Extent columns = columnsOfPart(w.add(first, part), from);
    if (ofPiece)
      w.narrow(*ofPiece, w.mul(part, w.constant(rows * tile.part)), rows * tile.part);
    for (TileId value = 0; value < program.values.size(); ++value)
      if (isOfTile(value))
        w.narrow(value, from, tile.part);
    writePart(ofPiece ? Value() : fractalsFrom(result, from), columns);
  };
  if (count == 1)
    return write(w.constant(0));
  w.loop(w.constant(count), write);
}

/// UB has a part of the columns at a time. Each tile has the same number of parts, so that slots alternate.
void ContractionKernel::writeEpilogue(Value result) {
  const int64_t most = tile.width / tile.part;
  if (most == 1)
    return writePart(result, n);
  const int64_t count = partsOfPiece();
  w.loop(w.constant(most / count), [&](Value number) { writePiece(result, number, count); });
}

/// Processes or stores a tile of results.
void ContractionKernel::finishTile(Value sums) {
  if (parts.program.storesProduct())
    return storeResult(sums);
  // An input of one element may differ between batches.
  if (parts.hasOnes())
    writeOnes();
  writeEpilogue(sums);
}

} // namespace opc::aicore

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
    FixpipeOp::create(w.ops(), w.getLocation(), result, destination, m.size, n.size, /*height=*/Value(),
                      /*rowStride=*/Value(), /*scale=*/Value());
  }
}

/// Whether rows, and what is computed from rows alone, are computed once for a tile: its parts have all of its columns,
/// and no home of a row that is combined with other values gets another row later.
bool ContractionKernel::computesRowsOnce() const {
  // An input of one element that differs between batches is read after the products.
  if (!hasPartsOfRows() || parts.hasOnes())
    return false;
  const TileProgram &program = parts.program;
  llvm::DenseMap<unsigned, TileId> last;
  for (TileId value = 0; value < program.values.size(); ++value)
    if (parts.isInput(value) && parts.spreadOf(value) == Spread::Row)
      last[parts.homes.of[value]] = value;
  for (const TileStep &step : program.steps)
    if (parts.spreadOf(step.result) == Spread::Row)
      last[parts.homes.of[step.result]] = step.result;
  auto stays = [&](TileId value) {
    return parts.spreadOf(value) != Spread::Row || last.lookup(parts.homes.of[value]) == value;
  };
  return llvm::all_of(program.steps,
                      [&](const TileStep &step) {
                        return parts.spreadOf(step.result) == Spread::Row || llvm::all_of(step.sources, stays);
                      }) &&
         llvm::all_of(program.stores, [&](const auto &store) { return parts.spreadOf(store.first) != Spread::Row; });
}

/// Computes rows once for a tile, and repeats those that steps combine with parts.
void ContractionKernel::computeRowsOfTile() {
  const TileProgram &program = parts.program;
  TileExtent extent;
  extent.cols = n.size;
  extent.ld = rowStride(n);
  Value most = w.min(m.size, w.constant(tile.partRows));
  auto repeat = [&](TileId value) {
    if (w.isRepeated(value))
      w.doubleRows(value, most, extent.ld);
  };
  for (TileId value = 0; value < program.values.size(); ++value)
    if (isOfTile(value))
      repeat(value);
  for (const TileStep &step : program.steps)
    if (isRowOfTile(step.result)) {
      w.writeStep(step, extent);
      repeat(step.result);
    }
}

/// Loads rows for all columns of a tile, before its products: MTE2 takes its loads in order, and would wait for the
/// vector unit between the parts.
void ContractionKernel::loadRowsOfTile() {
  for (TileId value = 0; value < parts.program.values.size(); ++value)
    if (isOfTile(value) || isRowOfTile(value))
      ofTile.insert(parts.homes.of[value]);
  w.makeBuffers([&](const Home &, unsigned number) { return ofTile.contains(number); });
  for (TileId value = 0; value < parts.program.values.size(); ++value) {
    if (!isOfTile(value))
      continue;
    const unsigned tensor = *parts.program.values[value].tensor;
    Value offset = w.add(startOf(tensor), n.first);
    w.loadRow(value, offset, n.size, field(tensor, "_m", 0), rowStride(n));
  }
  if (hasRowsOnce)
    computeRowsOfTile();
}

/// Elements from row to row in UB. Rows of a kernel with bytes are wider than fractals.
Value ContractionKernel::rowStride(const Extent &columns) {
  return w.roundUpToRow(w.columnStride() > kFractalRows ? columns.whole : columns.size);
}

/// Rows of the tile are contiguous in UB. The steps run over their padding, which is zero in the product.
void ContractionKernel::copyResults(Value result, Value to, const PartOfTile &part) {
  const bool isWider = w.columnStride() > kFractalRows;
  Value stride = rowStride(part.columns);
  auto copy = FixpipeOp::create(w.ops(), w.getLocation(), result, to, part.rows.size,
                                isWider ? part.columns.whole : stride, hasPartsOfRows() ? m.whole : Value(), stride,
                                /*scale=*/Value());
  if (delays)
    copy->setAttr(kOfIterationBefore, w.ops().getUnitAttr());
}

/// Writes the elementwise operations on a part of a tile.
void ContractionKernel::writePart(Value result, const PartOfTile &part) {
  const TileProgram &program = parts.program;
  const Extent &lines = part.rows, &columns = part.columns;
  Value one = w.constant(1), columnStride = w.constant(w.columnStride());
  const bool isWider = w.columnStride() > kFractalRows;
  Value stride = rowStride(columns);
  TileExtent extent;
  extent.rows = lines.size;
  extent.cols = columns.size;
  extent.ld = stride;
  extent.full = w.mul(lines.size, stride);
  extent.column = w.mul(lines.size, columnStride);
  w.makeBuffers([&](const Home &home, unsigned number) {
    return !home.invariant && !ofTile.contains(number) && !(ofPiece && parts.homes.of[*ofPiece] == number);
  });
  w.startTile();
  auto offsetOf = [&](unsigned tensor, Spread spread) {
    Value start = startOf(tensor);
    if (spread != Spread::Row)
      start = w.add(start, w.mul(lines.first, field(tensor, "_m", 0)));
    return spread == Spread::Column ? start : w.add(start, columns.first);
  };
  for (TileId value = 0; value < program.values.size(); ++value) {
    if (program.values[value].isProduct) {
      if (ofPiece)
        continue;
      Value sums = w.viewOf(value, w.constant(0), w.constant(tile.partElements()));
      if (isWider)
        VBrcOp::create(w.ops(), w.getLocation(), w.constantOf(program.values[value].type, 0.0), sums);
      copyResults(result, sums, part);
      continue;
    }
    const Spread spread = parts.spreadOf(value);
    if (!parts.isInput(value) || spread == Spread::One || isOfTile(value))
      continue;
    const unsigned tensor = *program.values[value].tensor;
    Value offset = offsetOf(tensor, spread), distance = field(tensor, "_m", 0);
    if (spread == Spread::Column)
      w.loadRows(value, offset, lines.size, one, distance, columnStride);
    else if (spread == Spread::Row)
      w.loadRow(value, offset, columns.size, distance, stride);
    else
      w.loadRows(value, offset, lines.size, columns.size, distance, stride);
    if (spread == Spread::Row && w.isRepeated(value))
      w.doubleRows(value, lines.size, stride);
  }
  for (const TileStep &step : program.steps) {
    const Spread spread = parts.spreadOf(step.result);
    if (spread == Spread::One || isRowOfTile(step.result))
      continue;
    w.writeStep(step, extent);
    if (spread == Spread::Row && w.isRepeated(step.result))
      w.doubleRows(step.result, lines.size, stride);
  }
  for (auto [value, tensor] : program.stores) {
    const Spread spread = parts.spreadOf(value);
    Value offset = offsetOf(tensor, spread), distance = field(tensor, "_m", 0);
    if (spread == Spread::Column)
      w.storeRows(value, tensor, offset, lines.size, one, distance, columnStride);
    else
      w.storeRows(value, tensor, offset, lines.size, columns.size, distance, stride);
  }
}

/// Bytes of UB beside the buffers of a part.
int64_t ContractionKernel::roomInUb() const {
  const TileNeeds &needs = w.tileNeeds();
  return parts.target.ubBytes() - needs.fixedBytes - (parts.schedule.getTile() * needs.tileBits + 7) / 8 -
         rows * needs.rowBytes - parts.schedule.getAlignment() * needs.buffers;
}

/// The parts of a tile whose results Fixpipe copies to UB before the vector unit works on the first of them: as
/// many as UB has room for, up to half of a tile. With two slots UB then has the results of a whole tile, so that MTE1,
/// which relays flags between FIX and V, waits for the vector unit only after the loads of the next tile to L0.
int64_t ContractionKernel::partsOfPiece() const {
  if (parts.schedule.getSlots() == 1 || w.columnStride() > kFractalRows || parts.shape.windows)
    return 1;
  const int64_t elements = parts.schedule.getTile(), room = roomInUb();
  int64_t count = 1;
  while (4 * count <= tile.parts() && (2 * count - 1) * 2 * elements * int64_t(sizeof(float)) <= room)
    count *= 2;
  return count;
}

/// A part after the last row repeats a row, one after the last column the last fractals.
ContractionKernel::PartOfTile ContractionKernel::partOfTile(Value number) {
  PartOfTile part = {m, n, Value()};
  const bool hasSomeRows = hasPartsOfRows();
  const int64_t most = hasSomeRows ? tile.partRows : tile.part;
  const Extent &whole = hasSomeRows ? m : n;
  Extent &some = hasSomeRows ? part.rows : part.columns;
  Value end = hasSomeRows || ofColumns == kFractalRows ? whole.whole : this->whole(n.size);
  Value begin = w.mul(number, w.constant(most));
  part.from = w.min(begin, w.sub(end, w.constant(kFractalRows)));
  some.first = w.add(whole.first, part.from);
  some.size = w.max(w.min(w.sub(whole.size, hasSomeRows ? begin : part.from), w.constant(most)), w.constant(1));
  if (hasSomeRows)
    some.size = ifThere(some.size);
  some.whole = this->whole(some.size);
  return part;
}

/// The results of a part. Columns of fractals of the tile are adjacent, and rows are in all of them.
Value ContractionKernel::fractalsOf(Value result, const PartOfTile &part) {
  const bool hasSomeRows = hasPartsOfRows();
  const int64_t elements =
      hasSomeRows ? rows * (width - kFractalRows) + tile.partRows * kFractalRows : rows * tile.part;
  return viewOfResult(result, w.mul(part.from, hasSomeRows ? w.constant(kFractalRows) : m.whole), elements);
}

/// Part of a tile in L0C: without elements if the tile is not there.
Value ContractionKernel::viewOfResult(Value result, Value offset, int64_t elements) {
  OpFoldResult length = w.ops().getIndexAttr(elements);
  if (isThere)
    length = orNone(elements);
  return memref::SubViewOp::create(w.ops(), w.getLocation(), result, {getAsOpFoldResult(offset)}, {length},
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
  Value first = w.mul(number, w.constant(count)), sums;
  if (count > 1) {
    ofPiece = productValue();
    sums = w.makeBuffer(*ofPiece, count * tile.partElements());
    w.loop(w.constant(count), [&](Value each) {
      const PartOfTile part = partOfTile(w.add(first, each));
      copyResults(fractalsOf(result, part), partOf(sums, each, tile.partElements()), part);
    });
  }
  auto write = [&](Value each) {
    const PartOfTile part = partOfTile(w.add(first, each));
    if (ofPiece)
      w.narrow(*ofPiece, w.mul(each, w.constant(tile.partElements())), tile.partElements());
    for (TileId value = 0; value < program.values.size() && !hasPartsOfRows(); ++value)
      if (isOfTile(value))
        w.narrow(value, part.from, tile.part);
    writePart(ofPiece ? Value() : fractalsOf(result, part), part);
  };
  if (count == 1)
    return write(w.constant(0));
  w.loop(w.constant(count), write);
}

/// UB has a part at a time. Each tile has the same number of parts, so that slots alternate.
void ContractionKernel::writeEpilogue(Value result) {
  const int64_t most = tile.parts();
  if (most == 1)
    return writePart(result, {m, n, Value()});
  const int64_t count = partsOfPiece();
  w.loop(w.constant(most / count), [&](Value number) { writePiece(result, number, count); });
}

/// Copies the results of the tile before to UB.
void ContractionKernel::copyDelayed(Value result) {
  if (tile.parts() == 1)
    return copyResults(viewOfResult(result, w.constant(0), rows * width), delayed, {m, n, Value()});
  w.loop(w.constant(tile.parts()), [&](Value each) {
    const PartOfTile part = partOfTile(each);
    copyResults(fractalsOf(result, part), partOf(delayed, each, tile.partElements()), part);
  });
}

/// Processes the results of the tile before, which are in UB.
void ContractionKernel::writeDelayed() {
  // An input of one element may differ between batches.
  if (parts.hasOnes())
    writeOnes();
  if (tile.parts() == 1) {
    w.narrow(*ofPiece, delayed, w.constant(0), tile.partElements());
    return writePart(Value(), {m, n, Value()});
  }
  w.loop(w.constant(tile.parts()), [&](Value each) {
    const PartOfTile part = partOfTile(each);
    w.narrow(*ofPiece, delayed, w.mul(each, w.constant(tile.partElements())), tile.partElements());
    for (TileId value = 0; value < parts.program.values.size() && !hasPartsOfRows(); ++value)
      if (isOfTile(value))
        w.narrow(value, part.from, tile.part);
    writePart(Value(), part);
  });
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

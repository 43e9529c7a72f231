// Tiles of rows of an elementwise launch with gathered inputs: another input has the indices of their rows. The scalar
// unit reads the indices, clamps each to its range, and issues a copy for each row.
//
//   for g over batch loops, parts of rows and groups of tiles:
//     load the indices of the group
//     for tile over rows:
//       for row of the tile:   read the row's index; load the row
//       load the others; steps; store
//
// The scalar unit issues in order, so it waits for the indices before all later instructions. Therefore a group has
// many tiles, and the indices of the next group are loaded before this group is processed (Prefetch).
//
// All groups have the same number of tiles, because a running counter through the loops chooses the slots of buffers.
// The last group starts earlier so that it ends with the rows, and computes some of them twice.

#include "lowering/aicore/place/writer/KernelForms.h"

using namespace mlir;

namespace opc::aicore {

/// The maximum number of indices of a group, for each input of indices.
static constexpr int64_t kMostIndices = 1024;

void addIndices(const KernelShape &shape, TileNeeds &needs) {
  llvm::SmallDenseSet<unsigned> counted;
  for (const KernelTensor &tensor : shape.tensors)
    if (tensor.indices && counted.insert(*tensor.indices).second) {
      needs.fixedBytes += 2 * kMostIndices * int64_t(elementSize(shape.tensors[*tensor.indices].type));
      ++needs.buffers;
    }
}

namespace {

class GatherKernel {
public:
  explicit GatherKernel(const KernelParts &parts) : parts(parts), w(parts.writer) {}
  void write();

private:
  const KernelTensor &tensorOf(TileId value) const { return parts.shape.tensors[*parts.program.values[value].tensor]; }
  bool isGathered(TileId value) const { return parts.isInput(value) && tensorOf(value).indices; }
  /// Whether each row of a tile has its own index.
  bool isPerRow(unsigned tensor) const {
    return parts.shape.tensors[*parts.shape.tensors[tensor].indices].spread == Spread::Column;
  }
  bool isIndices(unsigned tensor) const {
    return llvm::any_of(parts.shape.tensors, [&](const KernelTensor &other) { return other.indices == tensor; });
  }
  bool isRowOrOne(Spread spread) const { return spread == Spread::Row || spread == Spread::One; }
  Value field(unsigned tensor, const char *suffix) { return w.field(parts.nameOf(tensor) + suffix, 0); }
  /// The offset of a tensor in this iteration of the batch loops. A tensor of one element has no strides.
  Value startOf(unsigned tensor) {
    const KernelTensor &own = parts.shape.tensors[tensor];
    if (own.spread == Spread::One && !own.indices && !own.isOutput && !isIndices(tensor))
      return w.constant(0);
    return parts.startOf(tensor, {{"_s0", batch0}, {"_s1", batch1}});
  }
  Value distanceOf(unsigned tensor) { return w.max(field(tensor, "_m"), w.constant(1)); }
  void loadIndices();
  Value placeOf(unsigned tensor, Value row);
  void gather(TileId value, Value tileInGroup, Value row, Value rows);
  void load(TileId value, Value tileInGroup, Value row, Value rows);
  void transferOuter();
  void writeTile(Value tile);

  const KernelParts &parts;
  KernelWriter &w;
  Value length, tileRows;                  ///< of a whole row; of a tile
  Value firstRow;                          ///< of this block
  Value groupRows;                         ///< of a group of tiles
  Value start;                             ///< the first row of this group, in the block
  Value batch0, batch1;                    ///< counters of the batch loops
  Value firstColumn, columns, stride;      ///< of the current part of rows; elements from row to row in UB
  llvm::DenseMap<unsigned, Value> indices; ///< tiles of them, by tensor
};

} // namespace

void GatherKernel::loadIndices() {
  for (const KernelTensor &tensor : parts.shape.tensors) {
    if (!tensor.indices || indices.lookup(*tensor.indices))
      continue;
    const unsigned own = *tensor.indices;
    const bool isPerRow = parts.shape.tensors[own].spread == Spread::Column;
    Value offset = startOf(own);
    if (isPerRow)
      offset = w.add(offset, w.add(firstRow, start));
    indices[own] = w.loadIndices(own, isPerRow ? kMostIndices : 32, offset,
                                 isPerRow ? w.min(groupRows, w.constant(kMostIndices)) : w.constant(1));
  }
}

// The offset of an index in the gathered tensor, in elements. The index is clamped before any arithmetic with it, so
// nothing overflows and no address is outside of the tensor.
Value GatherKernel::placeOf(unsigned tensor, Value row) {
  const KernelTensor &own = parts.shape.tensors[tensor];
  Value zero = w.constant(0), one = w.constant(1), count = field(tensor, "_count");
  Value index = w.min(w.readIndex(*own.indices, indices.lookup(*own.indices), row), w.sub(count, one));
  if (own.isFromEnd) {
    index = w.max(index, w.sub(zero, count));
    Value isNegative = w.min(w.max(w.sub(zero, index), zero), one);
    index = w.add(index, w.mul(count, isNegative));
  }
  return w.mul(w.max(index, zero), field(tensor, "_step"));
}

/// Loads the rows of a tile of a gathered input; `done` rows of the group precede it.
void GatherKernel::gather(TileId value, Value done, Value row, Value rows) {
  const unsigned tensor = *parts.program.values[value].tensor;
  const Spread spread = parts.spreadOf(value);
  const bool isColumn = spread == Spread::Column || spread == Spread::One;
  Value one = w.constant(1), zero = w.constant(0);
  Value cols = isColumn ? one : columns, ld = isColumn ? w.constant(w.columnStride()) : stride;
  Value offset = startOf(tensor);
  if (!isColumn)
    offset = w.add(offset, firstColumn);
  if (!isPerRow(tensor)) {
    offset = w.add(w.add(offset, placeOf(tensor, zero)), w.mul(row, field(tensor, "_m")));
    if (spread == Spread::One)
      return w.loadFlat(value, offset, one);
    return w.loadRows(value, offset, rows, cols, spread == Spread::Row ? length : distanceOf(tensor), ld);
  }
  w.fillPadding(value, rows, ld, zero);
  w.loop(rows, [&](Value each) {
    Value place = placeOf(tensor, w.add(done, each));
    Value at = w.add(w.add(offset, place), w.mul(w.add(row, each), field(tensor, "_m")));
    w.copyRows(value, at, one, cols, cols, ld, w.mul(each, ld));
  });
}

void GatherKernel::load(TileId value, Value done, Value row, Value rows) {
  if (isGathered(value))
    return gather(value, done, row, rows);
  const unsigned tensor = *parts.program.values[value].tensor;
  const bool isColumn = parts.spreadOf(value) == Spread::Column;
  Value offset = w.add(startOf(tensor), w.mul(row, distanceOf(tensor)));
  if (isColumn)
    w.loadRows(value, offset, rows, w.constant(1), distanceOf(tensor), w.constant(w.columnStride()));
  else
    w.loadRows(value, w.add(offset, firstColumn), rows, columns, distanceOf(tensor), stride);
}

// Loads and computes the values that all rows of a group share.
void GatherKernel::transferOuter() {
  const TileProgram &program = parts.program;
  Value zero = w.constant(0), one = w.constant(1);
  for (TileId value = 0; value < program.values.size(); ++value) {
    if (!parts.isInput(value) || !isRowOrOne(parts.spreadOf(value)))
      continue;
    if (isGathered(value))
      gather(value, zero, zero, one);
    else if (parts.spreadOf(value) == Spread::One)
      w.loadFlat(value, startOf(*program.values[value].tensor), one);
    else
      w.loadRows(value, w.add(startOf(*program.values[value].tensor), firstColumn), one, columns, length, stride);
  }
  w.writeSteps({}, [&](const TileStep &step) { return parts.spreadOf(step.result) == Spread::One; });
  w.readOnes();
  TileExtent extent;
  extent.cols = columns;
  extent.ld = stride;
  w.writeSteps(extent, [&](const TileStep &step) { return parts.spreadOf(step.result) == Spread::Row; });
}

void GatherKernel::writeTile(Value tile) {
  const TileProgram &program = parts.program;
  Value done = w.mul(tile, tileRows), one = w.constant(1);
  // A tile has at least one row.
  Value rows = w.max(w.min(w.sub(groupRows, done), tileRows), one);
  Value row = w.add(w.add(firstRow, start), done);
  const TileExtent extent = w.extentOfRows(rows, columns, stride);
  w.makeBuffers([](const Home &home, unsigned) { return !home.invariant; });
  w.startTile();
  for (TileId value = 0; value < program.values.size(); ++value)
    if (parts.isInput(value) && !isRowOrOne(parts.spreadOf(value)))
      load(value, done, row, rows);
  w.writeSteps(extent, [&](const TileStep &step) { return !isRowOrOne(parts.spreadOf(step.result)); });
  for (auto [value, tensor] : program.stores) {
    const bool isColumn = parts.spreadOf(value) == Spread::Column;
    Value offset = w.add(startOf(tensor), w.mul(row, distanceOf(tensor)));
    if (isColumn)
      w.storeRows(value, tensor, offset, rows, one, distanceOf(tensor), w.constant(w.columnStride()));
    else
      w.storeRows(value, tensor, w.add(offset, firstColumn), rows, columns, distanceOf(tensor), stride);
  }
}

void GatherKernel::write() {
  const int64_t tileElements = parts.schedule.getTile();
  Value zero = w.constant(0), one = w.constant(1), most = w.constant(kMostIndices);
  Value count = w.loopField("size0");
  length = w.loopField("size1");
  Value rowLength = w.loopField("row_length", 1, tileElements);
  Value fieldRows = w.loopField("tile_rows", 1, parts.schedule.getRows());
  Value blockRows = w.loopField("block_rows", 1);
  Value trips0 = w.loopField("batch0", 0), trips1 = w.loopField("batch1", 0);
  firstRow = w.mul(w.blockIndex(), blockRows);
  Value rowsLeft = w.min(w.sub(count, firstRow), blockRows);
  Value longestStride = w.roundUpToRow(rowLength);
  tileRows = w.min(w.min(fieldRows, w.floorDiv(w.constant(tileElements), longestStride)), most);
  tileRows = w.max(tileRows, one);
  // A group has whole tiles, as many as their indices fit.
  groupRows = w.max(w.min(rowsLeft, w.mul(w.floorDiv(most, tileRows), tileRows)), one);
  Value groups = w.max(w.ceilDiv(rowsLeft, groupRows), zero), tiles = w.ceilDiv(groupRows, tileRows);
  Value partsOfRow = w.max(w.ceilDiv(length, rowLength), zero);

  w.makeBuffers([](const Home &home, unsigned) { return home.invariant; });
  w.makeOffsets();
  w.makeLaneOffsets(/*ofRows=*/true);
  Value all = w.mul(w.mul(trips0, trips1), w.mul(partsOfRow, groups));
  w.loop(all, [&](Value trip) {
    Value ofGroups = w.max(groups, one), ofParts = w.max(partsOfRow, one), ofBatch = w.max(trips1, one);
    Value rest = w.floorDiv(trip, ofGroups);
    start = w.min(w.mul(w.rem(trip, ofGroups), groupRows), w.max(w.sub(rowsLeft, groupRows), zero));
    firstColumn = w.mul(w.rem(rest, ofParts), rowLength);
    rest = w.floorDiv(rest, ofParts);
    batch0 = w.floorDiv(rest, ofBatch);
    batch1 = w.rem(rest, ofBatch);
    // A part has at least one column. Rows of a short part are packed as closely as alignment allows.
    columns = w.max(w.min(w.sub(length, firstColumn), rowLength), one);
    stride = w.min(w.roundUpToRow(columns), longestStride);
    loadIndices();
    transferOuter();
    w.loop(tiles, [&](Value tile) { writeTile(tile); });
  });
}

void writeGatherKernel(const KernelParts &parts) {
  GatherKernel(parts).write();
}

} // namespace opc::aicore

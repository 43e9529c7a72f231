// Tiles of rows of an elementwise launch whose inputs broadcast along any of its loops. Each such input is loaded
// contiguously, one element for each position of its own loops, and expanded in the tile into which it was loaded
// (KernelWriter::writeSpread). Launches differ only in numbers: the rows and columns of the copy, the trips and lengths
// of the two ways to expand it, the distance of a column's elements. No branch depends on them, so the proof checks one
// kernel.
//
//   offsets of a column's elements, once
//   for g over batch loops and parts of rows:
//     for tile over rows:   load; for columns, for rows: expand; steps; store
//
// An input that is read across is contiguous along the rows: its columns are loaded one after another, and a gather
// transposes them. Then the rows of all tensors have a stride, since they may be any loop of the launch.
//
// The last part of a row may be shorter than the others; its rows lie closer together. In kernels that expand all
// inputs in their tiles, no element is computed twice, since the output may overwrite an input (mayOverwriteInputs).
// Tables of offsets know one stride: in kernels that gather, all parts have the same length, and the last one starts
// earlier so that it ends with the row. In the same way, if an input is read across, the last tile of a block has as
// many rows as the others.

#include "lowering/aicore/place/writer/KernelForms.h"

using namespace mlir;

namespace opc::aicore {

namespace {

/// Batch loops of the tiling data, innermost first: the fields of their trip counts, and the suffixes of their
/// stride fields.
constexpr std::pair<const char *, const char *> kBatches[] = {{"batch1", "_s1"}, {"batch0", "_s0"}, {"batch2", "_s2"},
                                                              {"batch3", "_s3"}, {"batch4", "_s4"}, {"batch5", "_s5"}};
/// More than any number of rows or columns of a tile.
constexpr int64_t kMany = int64_t(1) << 24;

class AnyKernel {
public:
  explicit AnyKernel(const KernelParts &parts) : parts(parts), w(parts.writer) {}
  void write();

private:
  bool isAcross(unsigned tensor) const { return parts.shape.tensors[tensor].isAcross; }
  bool isOfLaunch(TileId value) const {
    return parts.isInput(value) && parts.shape.tensors[*parts.program.values[value].tensor].isOfLaunch;
  }
  Value field(unsigned tensor, const char *suffix, std::optional<int64_t> min = std::nullopt,
              std::optional<int64_t> max = std::nullopt) {
    return w.field(parts.nameOf(tensor) + suffix, min, max);
  }
  Value ownOf(Value most, Value along);
  Value isColumn(unsigned tensor);
  Value isRow(unsigned tensor);
  Value isColumnOfRows(unsigned tensor) { return w.mul(isColumn(tensor), field(tensor, "_along_m", 0, 1)); }
  bool isExpandedInPlace(unsigned tensor) const;
  KernelWriter::SpreadRows spreadRows(unsigned tensor, Value rows);
  void countTrips();
  /// The row stride in UB of an input with `columns` loaded columns, in elements.
  Value ownStride(Value ownColumns) { return w.min(w.roundUpToRow(ownColumns), stride); }
  Value startOf(unsigned tensor) { return parts.startOf(tensor, batches); }
  Value rowDistance(unsigned tensor) { return parts.shape.isAcross ? field(tensor, "_m", 1) : length; }
  bool gathers() const;
  void makeTables();
  void startGroup(Value group);
  void writeTile(Value tile);

  const KernelParts &parts;
  KernelWriter &w;
  Value length, partsOfRow;            ///< of a row; the number of its parts
  Value longestColumns, longestStride; ///< of the parts, in elements
  Value columns, stride;               ///< of the part at hand
  Value across;                        ///< column stride of inputs that are read across, in elements
  Value tileRows, otherRows, firstRow, rowsLeft;
  SmallVector<KernelParts::BatchLoop> batches; ///< as in kBatches
  Value firstColumn;
  KernelWriter::SpreadTrips trips;
  Value areNeighbours; ///< 1 if the elements of each column are neighbours in memory, else 0
};

} // namespace

/// The number of elements of an input along a loop of a tile: `most` if it varies along it (`along` is 1), else one.
Value AnyKernel::ownOf(Value most, Value along) {
  return w.min(most, w.add(w.constant(1), w.mul(along, w.constant(kMany))));
}

/// 1 if an input does not vary along n, else 0.
Value AnyKernel::isColumn(unsigned tensor) {
  return w.max(w.sub(w.constant(1), field(tensor, "_along_n", 0, 1)), w.constant(0));
}

/// 1 if an input does not vary along m, else 0.
Value AnyKernel::isRow(unsigned tensor) {
  return w.max(w.sub(w.constant(1), field(tensor, "_along_m", 0, 1)), w.constant(0));
}

/// Of `rows` rows of a tile. One element is first repeated over the first row.
KernelWriter::SpreadRows AnyKernel::spreadRows(unsigned tensor, Value rows) {
  Value own = ownOf(rows, field(tensor, "_along_m", 0, 1)), many = w.constant(kMany);
  return {w.min(own, w.mul(isColumn(tensor), many)), w.min(rows, w.mul(isRow(tensor), many))};
}

bool AnyKernel::isExpandedInPlace(unsigned tensor) const {
  return llvm::any_of(parts.program.steps,
                      [&](const TileStep &step) { return step.spreadsInPlace() && step.spreadsTensor == tensor; });
}

/// What the inputs of the launch have in common: the trips of the loops that expand them, and whether columns are read
/// in one piece.
void AnyKernel::countTrips() {
  Value zero = w.constant(0), one = w.constant(1), columns = zero, rows = zero;
  areNeighbours = one;
  for (const TileStep &step : parts.program.steps)
    if (step.spreadsInPlace()) {
      const unsigned tensor = *step.spreadsTensor;
      columns = w.max(columns, isColumn(tensor));
      rows = w.max(rows, isRow(tensor));
      Value apart = w.max(w.mul(isColumnOfRows(tensor), field(tensor, "_m", 1)), one);
      areNeighbours = w.min(areNeighbours, w.max(w.sub(w.constant(2), apart), zero));
    }
  const unsigned doublings = llvm::divideCeil(llvm::Log2_64_Ceil(uint64_t(parts.schedule.getRows())), 2);
  Value others = w.max(w.sub(tileRows, w.constant(int64_t(1) << doublings)), zero);
  trips = {columns, w.mul(rows, w.add(one, w.min(others, one))), doublings};
}

void AnyKernel::makeTables() {
  for (const TileStep &step : parts.program.steps) {
    if (!step.spreadsTensor || step.spreadsInPlace())
      continue;
    unsigned tensor = *step.spreadsTensor;
    Value bytes = w.constant(elementSize(parts.program.values[step.result].type));
    if (isAcross(tensor)) {
      w.makeTable(parts.homes.tableOf.at(tensor), otherRows, columns, stride, bytes, w.mul(across, bytes));
      continue;
    }
    Value alongM = field(tensor, "_along_m", 0, 1), alongN = field(tensor, "_along_n", 0, 1);
    Value own = ownStride(ownOf(columns, alongN));
    w.makeTable(parts.homes.tableOf.at(tensor), otherRows, columns, stride, w.mul(alongM, w.mul(own, bytes)),
                w.mul(alongN, bytes));
  }
}

void AnyKernel::writeTile(Value tile) {
  const TileProgram &program = parts.program;
  Value one = w.constant(1), done = w.mul(tile, tileRows);
  // Columns of a shorter tile would have gaps, which a step before the gather would read.
  if (parts.shape.isAcross)
    done = w.min(done, w.max(w.sub(rowsLeft, tileRows), w.constant(0)));
  // A tile has at least one row.
  Value rows = w.max(w.min(w.sub(rowsLeft, done), tileRows), one);
  Value row = w.add(firstRow, done);
  TileExtent extent;
  extent.rows = rows;
  extent.cols = columns;
  extent.ld = stride;
  extent.full = w.mul(rows, stride);
  w.makeBuffers([](const Home &home, unsigned) { return !home.invariant; });
  llvm::DenseMap<TileId, Value> lengths; // of values that are not expanded yet
  auto wholeOffset = [&](unsigned tensor) {
    return w.add(w.add(startOf(tensor), w.mul(row, rowDistance(tensor))), firstColumn);
  };
  for (TileId value = 0; value < program.values.size(); ++value) {
    if (!parts.isInput(value) || parts.spreadOf(value) == Spread::One)
      continue;
    unsigned tensor = *program.values[value].tensor;
    if (!isOfLaunch(value)) {
      w.loadRows(value, wholeOffset(tensor), rows, columns, rowDistance(tensor), stride);
      continue;
    }
    if (isAcross(tensor)) {
      Value apart = field(tensor, "_n", 1);
      Value offset = w.add(w.add(startOf(tensor), row), w.mul(firstColumn, apart));
      w.loadPart(value, offset, columns, rows, apart, across);
      lengths[value] = w.mul(columns, across);
      continue;
    }
    Value alongM = field(tensor, "_along_m", 0, 1), alongN = field(tensor, "_along_n", 0, 1);
    Value apart = field(tensor, "_m", 1);
    // The elements of a column that are neighbours are one row of the copy, whose rows would each have a start.
    Value asRow = isExpandedInPlace(tensor) ? w.mul(isColumnOfRows(tensor), areNeighbours) : w.constant(0);
    Value ownColumns = w.max(ownOf(columns, alongN), w.mul(asRow, rows));
    Value own = w.roundUpToRow(ownColumns);
    Value ownRows = w.min(ownOf(rows, w.max(w.sub(alongM, asRow), w.constant(0))),
                          w.floorDiv(w.constant(parts.schedule.getTile()), own));
    Value offset = w.add(startOf(tensor), w.mul(w.mul(row, apart), alongM));
    w.loadPart(value, w.add(offset, w.mul(firstColumn, alongN)), ownRows, ownColumns, apart, own);
    lengths[value] = w.mul(ownRows, own);
  }
  for (const TileStep &step : program.steps) {
    if (parts.spreadOf(step.result) == Spread::One)
      continue;
    Value length = step.sources.empty() ? Value() : lengths.lookup(step.sources.front());
    if (step.spreadsInPlace()) {
      w.writeSpread(step, length, spreadRows(*step.spreadsTensor, rows), trips, extent);
    } else if (step.spreadsTensor) {
      w.writeGather(step, length, extent);
    } else if (length) {
      w.writeOver(step, length);
      lengths[step.result] = length;
    } else {
      w.writeStep(step, extent);
    }
  }
  for (auto [value, tensor] : program.stores)
    w.storeRows(value, tensor, wholeOffset(tensor), rows, columns, rowDistance(tensor), stride);
}

/// Whether a table gives the offsets of all elements of a tile.
bool AnyKernel::gathers() const {
  return llvm::any_of(parts.program.steps,
                      [](const TileStep &step) { return step.spreadsTensor && !step.spreadsInPlace(); });
}

/// Computes the counters of the batch loops and the part of the rows from the number of a group.
void AnyKernel::startGroup(Value group) {
  Value one = w.constant(1);
  Value divisor = w.max(partsOfRow, one);
  firstColumn = w.mul(w.rem(group, divisor), longestColumns);
  if (gathers()) {
    firstColumn = w.min(firstColumn, w.max(w.sub(length, columns), w.constant(0)));
  } else {
    columns = w.max(w.min(longestColumns, w.sub(length, firstColumn)), one);
    stride = w.min(w.roundUpToRow(columns), longestStride);
  }
  Value rest = w.floorDiv(group, divisor);
  batches.clear();
  for (auto [field, suffix] : kBatches) {
    Value trips = w.max(w.field(field, 0), one);
    batches.emplace_back(suffix, w.rem(rest, trips));
    rest = w.floorDiv(rest, trips);
  }
}

void AnyKernel::write() {
  Value one = w.constant(1), tileElements = w.constant(parts.schedule.getTile());
  Value count = w.field("size0");
  length = w.field("size1");
  columns = w.field("row_length", 1, parts.schedule.getTile());
  Value fieldRows = w.field("tile_rows", 1, parts.schedule.getRows());
  Value blockRows = w.field("block_rows", 1);
  firstRow = w.mul(w.blockIndex(), blockRows);
  rowsLeft = w.min(w.sub(count, firstRow), blockRows);
  if (parts.shape.isAcross) {
    fieldRows = w.min(fieldRows, w.max(rowsLeft, one));
    across = w.roundUpToRow(fieldRows);
    columns = w.max(w.min(columns, w.floorDiv(tileElements, across)), one);
  }
  stride = w.roundUpToRow(columns);
  tileRows = w.min(fieldRows, w.floorDiv(tileElements, stride));
  if (across)
    across = w.min(across, w.roundUpToRow(tileRows));
  otherRows = w.sub(tileRows, one);
  Value tiles = w.max(w.ceilDiv(rowsLeft, tileRows), w.constant(0));
  partsOfRow = w.ceilDiv(length, columns);
  longestColumns = columns;
  longestStride = stride;
  Value groups = partsOfRow;
  for (auto [field, suffix] : kBatches)
    groups = w.mul(groups, w.field(field, 0));

  w.makeBuffers([](const Home &home, unsigned) { return home.invariant; });
  parts.writeOnes({});
  countTrips();
  // Offsets that no input needs are not made.
  auto rowsOf = [&](unsigned bytes) {
    Value columns = w.constant(0);
    for (const TileStep &step : parts.program.steps)
      if (step.spreadsInPlace() && elementSize(parts.program.values[step.result].type) == bytes)
        columns = w.max(columns, isColumn(*step.spreadsTensor));
    return w.mul(columns, w.constant(parts.schedule.getRows()));
  };
  w.makeOffsets(rowsOf, [&](unsigned bytes) {
    const int64_t apart = w.columnStride() * int64_t(bytes);
    return w.sub(w.constant(apart), w.mul(areNeighbours, w.constant(apart - int64_t(bytes))));
  });
  makeTables();
  w.loop(groups, [&](Value group) {
    startGroup(group);
    w.loop(tiles, [&](Value tile) { writeTile(tile); });
  });
}

void writeAnyKernel(const KernelParts &parts) {
  AnyKernel(parts).write();
}

} // namespace opc::aicore

// A tensor with updates at places that an input has (te.scatter). The result is first a copy of the data; then updates
// are stored one by one, in the order of their elements.
//
//   for part:                        load a part of the data; store it as a part of the result
//   for g over batch loops and parts of rows:
//     for tile over rows:
//       load indices and updates; steps that use only the updates
//       for row of the tile:         read the row's index
//         load the present row of the result; steps that combine it with the update; store
//
// If each element of the updates has its own index, the elements of the last loop are rows of one element.
//
// A row is loaded and stored in the result after all rows before it. Views of the result are at computed offsets, so
// passes and proofs assume that any two of them overlap: a barrier or a flag separates each store from the next access.

#include "lowering/aicore/place/writer/KernelForms.h"

using namespace mlir;

namespace opc::aicore {

/// Bytes of a part of the copy.
static constexpr int64_t kCopyBytes = 16384;
/// The maximum number of indices of a tile.
static constexpr int64_t kMostIndices = 256;

void addScatter(const KernelShape &shape, TileNeeds &needs) {
  needs.fixedBytes += 2 * (kCopyBytes + kMostIndices * int64_t(elementSize(ElementType::Int64)));
  needs.buffers += 2;
}

namespace {

class ScatterKernel {
public:
  explicit ScatterKernel(const KernelParts &parts)
      : parts(parts), w(parts.writer), scatter(*parts.shape.scatter), isCombined(parts.program.values.size()),
        zero(w.constant(0)), one(w.constant(1)) {}
  void write();

private:
  const KernelTensor &tensorAt(unsigned tensor) const { return parts.shape.tensors[tensor]; }
  bool isData(TileId value) const {
    return parts.isInput(value) && *parts.program.values[value].tensor == scatter.data;
  }
  Value field(unsigned tensor, const char *suffix, std::optional<int64_t> min = 0) {
    return w.field(parts.nameOf(tensor) + suffix, min);
  }
  SmallVector<KernelParts::BatchLoop> batches() const;
  Value startOf(unsigned tensor);
  Value distanceOf(unsigned tensor);
  Value placeOf(Value indices, Value row);
  void findCombined();
  void copyData();
  void writeRow(Value row, Value first, Value indices);
  void writeTile(Value tile);

  const KernelParts &parts;
  KernelWriter &w;
  const KernelShape::Scatter scatter;
  std::vector<bool> isCombined; ///< values that depend on the present contents of the result
  Value zero, one;
  Value count, length;         ///< of rows; of a row
  Value tileRows, stride;      ///< rows of a tile; elements from row to row in UB
  Value firstColumn, columns;  ///< of the current part of rows
  Value batch0, batch1, outer; ///< counters of loops; `outer` of the loop around elements, else null
};

} // namespace

SmallVector<KernelParts::BatchLoop> ScatterKernel::batches() const {
  return {{"_s0", batch0}, {"_s1", batch1}};
}

/// The offset of a tensor in this iteration of the outer loops. If elements are rows, the loop around them is m.
Value ScatterKernel::startOf(unsigned tensor) {
  const KernelTensor &own = tensorAt(tensor);
  const bool isScalar = own.spread == Spread::One && own.isStill && tensor != scatter.indices;
  Value start = isScalar ? zero : parts.startOf(tensor, batches());
  if (outer && own.movesAround)
    start = w.add(start, w.mul(outer, field(tensor, "_m")));
  return start;
}

/// Elements of a tensor from one row to the next.
Value ScatterKernel::distanceOf(unsigned tensor) {
  if (tensor == scatter.data || tensor == scatter.result)
    return field(tensor, outer ? "_n" : "_m");
  return outer ? one : w.max(field(tensor, "_m"), one);
}

// The index is clamped before any arithmetic, so nothing overflows and no address is outside of the tensor. A launch on
// a dimension of size 0 has no kernel.
Value ScatterKernel::placeOf(Value indices, Value row) {
  Value number = field(scatter.result, "_count");
  Value index = w.min(w.readIndex(scatter.indices, indices, row), w.sub(number, one));
  if (tensorAt(scatter.result).isFromEnd) {
    index = w.max(index, w.sub(zero, number));
    Value isNegative = w.min(w.max(w.sub(zero, index), zero), one);
    index = w.add(index, w.mul(number, isNegative));
  }
  return w.mul(w.max(index, zero), field(scatter.result, "_step"));
}

void ScatterKernel::findCombined() {
  for (TileId value = 0; value < parts.program.values.size(); ++value)
    isCombined[value] = isData(value);
  for (const TileStep &step : parts.program.steps)
    isCombined[step.result] = llvm::any_of(step.sources, [&](TileId source) { return isCombined[source]; }) ||
                              (step.rowScalar && isCombined[*step.rowScalar]);
}

void ScatterKernel::copyData() {
  const ElementType type = tensorAt(scatter.data).type;
  const int64_t most = kCopyBytes / int64_t(elementSize(type));
  Value total = field(scatter.result, "_elements"), part = w.constant(most);
  auto memref = MemRefType::get({most}, mlirTypeOf(type, w.ops().getContext()), MemRefLayoutAttrInterface(),
                                SpaceAttr::get(w.ops().getContext(), Space::UB));
  w.loop(w.ceilDiv(total, part), [&](Value trip) {
    Value offset = w.mul(trip, part), elements = w.min(w.sub(total, offset), part);
    Value copied = BufferOp::create(w.ops(), w.getLocation(), memref, w.freeName("copied"), std::nullopt);
    Value tile = w.part(copied, zero, elements);
    LoadOp::create(w.ops(), w.getLocation(), w.part(w.memoryOf(scatter.data), offset, elements), tile, Value(),
                   Value());
    StoreOp::create(w.ops(), w.getLocation(), tile, w.part(w.memoryOf(scatter.result), offset, elements), Value(),
                    false);
  });
}

/// Stores a row of a tile. `first` is the first row of the tile.
void ScatterKernel::writeRow(Value row, Value first, Value indices) {
  const TileProgram &program = parts.program;
  const bool isPerRow = tensorAt(scatter.indices).spread != Spread::One;
  Value place = placeOf(indices, isPerRow ? row : zero), at = w.mul(row, stride);
  Value offset = w.add(startOf(scatter.result), place);
  offset = w.add(offset, w.mul(w.add(first, row), distanceOf(scatter.result)));
  offset = w.add(offset, firstColumn);
  for (TileId value = 0; value < program.values.size(); ++value)
    if (isData(value)) {
      Value source = w.rowsOfTensor(scatter.result, offset, one, columns, columns);
      LoadOp::create(w.ops(), w.getLocation(), source, w.viewOf(value, at, stride), stride,
                     w.constantOf(program.values[value].type, 1.0));
    }
  for (const TileStep &step : program.steps)
    if (isCombined[step.result])
      w.writeRowOf(step, row, stride);
  for (auto [value, tensor] : program.stores)
    w.storeRows(value, tensor, offset, one, columns, columns, stride, at);
}

void ScatterKernel::writeTile(Value tile) {
  const TileProgram &program = parts.program;
  Value first = w.mul(tile, tileRows);
  // A tile has at least one row.
  Value rows = w.max(w.min(w.sub(count, first), tileRows), one);
  const bool isPerRow = tensorAt(scatter.indices).spread != Spread::One;
  Value offset = startOf(scatter.indices);
  Value indices =
      w.loadIndices(scatter.indices, kMostIndices, isPerRow ? w.add(offset, first) : offset, isPerRow ? rows : one);
  const TileExtent extent = w.extentOfRows(rows, columns, stride);
  w.makeBuffers([](const Home &home, unsigned) { return !home.invariant; });
  w.startTile();
  for (TileId value = 0; value < program.values.size(); ++value) {
    if (!parts.isInput(value) || parts.spreadOf(value) == Spread::Row || parts.spreadOf(value) == Spread::One)
      continue;
    if (isData(value)) {
      w.fillPadding(value, rows, stride, zero);
      continue;
    }
    const unsigned tensor = *program.values[value].tensor;
    Value distance = distanceOf(tensor), from = w.add(startOf(tensor), w.mul(first, distance));
    if (parts.spreadOf(value) == Spread::Column)
      w.loadRows(value, from, rows, one, distance, w.constant(w.columnStride()));
    else
      w.loadRows(value, w.add(from, firstColumn), rows, columns, distance, stride);
  }
  w.writeSteps(extent, [&](const TileStep &step) {
    return !isCombined[step.result] && parts.spreadOf(step.result) != Spread::One &&
           parts.spreadOf(step.result) != Spread::Row;
  });
  w.loop(rows, [&](Value row) { writeRow(row, first, indices); });
}

void ScatterKernel::write() {
  const int64_t tileElements = parts.schedule.getTile();
  const bool ofElements = parts.shape.scatter->ofElements;
  Value trips0 = w.loopField("batch0", 0), trips1 = w.loopField("batch1", 0);
  Value size0 = w.loopField("size0", 0), size1 = w.loopField("size1", 0), groups;
  findCombined();
  w.makeBuffers([](const Home &home, unsigned) { return home.invariant; });
  w.makeOffsets();
  copyData();
  const int64_t mostRows = std::min(kMostIndices, parts.schedule.getRows());
  if (ofElements) {
    count = size1;
    length = columns = one;
    firstColumn = zero;
    stride = w.constant(w.columnStride());
    tileRows = w.constant(std::min(mostRows, tileElements / w.columnStride()));
    groups = size0;
  } else {
    count = size0;
    length = size1;
    Value rowLength = w.loopField("row_length", 1, tileElements);
    stride = w.roundUpToRow(rowLength);
    tileRows = w.max(w.min(w.constant(mostRows), w.floorDiv(w.constant(tileElements), stride)), one);
    groups = w.max(w.ceilDiv(length, rowLength), zero);
    columns = rowLength;
  }
  Value longest = columns, longestStride = stride, tiles = w.max(w.ceilDiv(count, tileRows), zero);
  w.loop(w.mul(w.mul(trips0, trips1), groups), [&](Value trip) {
    Value ofGroups = w.max(groups, one), ofBatch = w.max(trips1, one);
    Value inner = w.rem(trip, ofGroups), batch = w.floorDiv(trip, ofGroups);
    batch0 = w.floorDiv(batch, ofBatch);
    batch1 = w.rem(batch, ofBatch);
    if (ofElements) {
      outer = inner;
    } else {
      firstColumn = w.mul(inner, longest);
      // A part has at least one column.
      columns = w.max(w.min(w.sub(length, firstColumn), longest), one);
      stride = w.min(w.roundUpToRow(columns), longestStride);
    }
    const TileProgram &program = parts.program;
    for (TileId value = 0; value < program.values.size(); ++value) {
      if (!parts.isInput(value))
        continue;
      const unsigned tensor = *program.values[value].tensor;
      if (parts.spreadOf(value) == Spread::One)
        w.loadFlat(value, startOf(tensor), one);
      else if (parts.spreadOf(value) == Spread::Row)
        w.loadRows(value, w.add(startOf(tensor), firstColumn), one, columns, columns, stride);
    }
    w.writeSteps({}, [&](const TileStep &step) { return parts.spreadOf(step.result) == Spread::One; });
    w.readOnes();
    TileExtent extent;
    extent.cols = columns;
    extent.ld = stride;
    w.writeSteps(extent, [&](const TileStep &step) { return parts.spreadOf(step.result) == Spread::Row; });
    w.loop(tiles, [&](Value tile) { writeTile(tile); });
  });
}

void writeScatterKernel(const KernelParts &parts) {
  ScatterKernel(parts).write();
}

} // namespace opc::aicore

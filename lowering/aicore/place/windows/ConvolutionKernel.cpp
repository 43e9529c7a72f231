// Products of filters with the windows of an input, on the vector unit, and the elementwise operations on them.
//
//   for tile over planes, filters, rows and parts of rows of places:
//     sums = 0
//     for c and kh:   (with a depth c, kd and kh: the plane of the input, if it exists)
//                     load the row of x of each row of places that has one, and a row of each filter
//                     padded = 0; for each row: copy its columns
//       for kw:       gather an element of padded for each place
//         for each filter:   sums of it += elements * its weight
//     what is computed from the sums; store, for each filter
//
// All tiles are full: the last ones overlap their neighbours and compute some filters and rows twice. So all trip
// counts depend only on the launch, which the proof of a nest of five loops needs.
//
// All filters of a tile share a gather, which takes as long as 16 products. Sums, the input and the filters are
// float32. The scalar unit reads the weight of a product.
//
// The cube does not compute these convolutions: float32, bfloat16, and depthwise ones (docs/rationale/windows.md). It
// computes the others as matrix products (contraction/WindowPanels.h).

#include "lowering/aicore/place/windows/PlaceTiles.h"

using namespace mlir;

namespace opc::aicore {

namespace {

class ConvolutionKernel : PlaceTiles {
public:
  explicit ConvolutionKernel(const KernelParts &parts) : PlaceTiles(parts), homes(*parts.homes.convolution) {}
  void write();

private:
  Value field(unsigned tensor, const char *suffix) { return w.field(parts.nameOf(tensor) + suffix, 0); }
  void load(Value channelRow);
  void multiply(Value channelRow);
  void writeTile();
  void writeResults();
  /// The offset of the tile's first element in a tensor with an element for each filter, or for each filter and
  /// each position.
  Value offsetOf(unsigned tensor, Spread spread, Value filter = {});
  TileId product() const {
    for (TileId value = 0; value < parts.program.values.size(); ++value)
      if (parts.program.values[value].isProduct)
        return value;
    llvm_unreachable("a convolution has a product");
  }

  const Homes::ConvolutionHomes &homes;
  // Of the launch: filters of a tile; strides of the rows of a filter, and of the results of a filter; rows of the
  // windows of all channels.
  Value filters, filterStride, line, rowTrips;
  Value firstFilter; ///< of the current tile
};

} // namespace

/// Loads rows of the input and of the filters for a channel and a row of the windows, and converts them to float32.
void ConvolutionKernel::load(Value channelRow) {
  Value zero = w.constant(0), divisor = w.max(windowRows, w.constant(1));
  Value channel = w.floorDiv(channelRow, divisor);
  Value one = w.constant(1);
  Rows found = rowsAt(w.rem(channelRow, divisor));
  if (input.hasDepth) {
    Value planes = w.max(windowDepth, one);
    const InputPlane ofInput = planeAt(w.rem(channel, planes));
    channel = w.floorDiv(channel, planes);
    found.count = w.min(found.count, w.mul(found.count, ofInput.isThere));
    found.read = w.max(found.count, one);
    found.from = w.add(w.mul(ofInput.number, inputRows), found.from);
  }
  // Rows have the offsets of the result rows in UB; at least one row is loaded, if any window has one.
  Value first = w.min(found.first, w.sub(rows, one)), read = ifReached(w.min(found.read, w.sub(rows, first)));
  const unsigned right = parts.shape.product.right, left = parts.shape.product.left;
  w.makeBuffers([&](const Home &, unsigned home) { return home == homes.loaded || home == homes.loadedFilters; });
  auto bring = [&](unsigned home, Value at, unsigned tensor, Value offset, Value rows, Value columns, Value distance,
                   Value ld) {
    Value length = w.mul(rows, ld), tile = w.view(home, at, length);
    Value source = w.rowsOfTensor(tensor, offset, rows, columns, distance);
    LoadOp::create(w.ops(), w.getLocation(), source, tile, ld, w.constantOf(parts.shape.tensors[tensor].type, 0.0));
    return length;
  };
  Value offset = w.add(startOf(right), w.mul(channel, field(right, "_m")));
  offset = w.add(w.add(offset, w.mul(found.from, inputColumns)), firstColumn);
  Value at = w.mul(first, stride);
  Value length = bring(homes.loaded, at, right, offset, read, columnsRead,
                       w.mul(w.constant(input.stride[0]), inputColumns), stride);
  offset = w.add(startOf(left), w.mul(firstFilter, field(left, "_m")));
  offset = w.add(offset, w.mul(channelRow, windowColumns));
  Value row = w.min(w.max(windowColumns, w.constant(1)), filterStride);
  Value ofFilters = bring(homes.loadedFilters, zero, left, offset, filters, row, field(left, "_m"), filterStride);
  auto cast = [&](unsigned from, unsigned to, Value at, Value elements) {
    if (from != to)
      VCastOp::create(w.ops(), w.getLocation(), w.view(from, at, elements), w.view(to, at, elements), Rounding::None);
  };
  cast(homes.loaded, homes.input, at, length);
  cast(homes.loadedFilters, homes.filters, zero, ofFilters);
  VBrcOp::create(w.ops(), w.getLocation(), w.constantOf(ElementType::Float32, 0.0),
                 w.view(homes.padded, zero, paddedRead));
  Value behind = w.add(found.first, found.count);
  w.loop(rows, [&](Value row) {
    // All of the columns, or none for a row of padding.
    auto atMostOne = [&](Value number) { return w.min(w.max(number, zero), one); };
    Value isThere = w.mul(atMostOne(w.sub(w.add(row, one), found.first)), atMostOne(w.sub(behind, row)));
    Value copied = w.min(w.min(w.mul(columns, isThere), columnsRead), w.sub(paddedStride, front));
    Value whole = w.view(homes.padded, w.mul(row, paddedStride), paddedStride);
    VCopyOp::create(w.ops(), w.getLocation(), w.view(homes.input, w.mul(row, stride), copied),
                    w.part(whole, front, copied));
  });
}

void ConvolutionKernel::multiply(Value channelRow) {
  Value zero = w.constant(0);
  load(channelRow);
  w.loop(w.max(windowColumns, w.constant(1)), [&](Value position) {
    moveTables(position, line);
    Value elements = w.view(homes.elements, zero, line);
    VGatherOp::create(w.ops(), w.getLocation(), w.view(homes.padded, zero, w.mul(rows, paddedStride)),
                      w.view(parts.homes.movedOf.at(sizeof(float)), zero, line), elements);
    w.loop(filters, [&](Value filter) {
      Value weights = w.view(homes.filters, w.mul(filter, filterStride), filterStride);
      Value weight = ScalarReadOp::create(w.ops(), w.getLocation(), weights, position);
      createIntrinsic(w.ops(), w.getLocation(), Intrinsic::vaxpy,
                      {elements, weight, w.viewOf(product(), w.mul(filter, line), line)});
    });
  });
}

Value ConvolutionKernel::offsetOf(unsigned tensor, Spread spread, Value filter) {
  Value start = startOf(tensor);
  if (spread != Spread::Row)
    start = w.add(start, w.mul(filter ? w.add(firstFilter, filter) : firstFilter, field(tensor, "_m")));
  return spread == Spread::Column ? start : placesOffset(start);
}

void ConvolutionKernel::writeResults() {
  const TileProgram &program = parts.program;
  TileExtent extent;
  extent.rows = filters;
  extent.cols = extent.ld = line;
  extent.full = w.mul(filters, line);
  extent.column = w.mul(filters, w.constant(w.columnStride()));
  for (const TileStep &step : program.steps)
    if (parts.spreadOf(step.result) != Spread::One)
      w.writeStep(step, extent);
  w.loop(filters, [&](Value filter) {
    for (auto [value, tensor] : program.stores)
      w.storeRows(value, tensor, offsetOf(tensor, Spread::Full, filter), rows, places, placeColumns, placesStride,
                  w.mul(filter, line));
  });
}

void ConvolutionKernel::writeTile() {
  const TileProgram &program = parts.program;
  Value zero = w.constant(0), one = w.constant(1);
  w.makeBuffers([&](const Home &home, unsigned number) {
    return !home.invariant && number != homes.loaded && number != homes.loadedFilters;
  });
  w.startTile();
  for (TileId value = 0; value < program.values.size(); ++value) {
    const Spread spread = parts.spreadOf(value);
    if (!parts.isInput(value) || spread == Spread::One)
      continue;
    const unsigned tensor = *program.values[value].tensor;
    if (spread == Spread::Column) {
      w.loadRows(value, offsetOf(tensor, spread), filters, one, field(tensor, "_m"), w.constant(w.columnStride()));
      continue;
    }
    // The last rows of a plane may be shorter than the row stride.
    VBrcOp::create(w.ops(), w.getLocation(), w.constantOf(program.values[value].type, 1.0),
                   w.viewOf(value, zero, spread == Spread::Row ? line : w.mul(filters, line)));
    if (spread == Spread::Row) {
      w.loadRows(value, offsetOf(tensor, spread), rows, places, placeColumns, placesStride);
      continue;
    }
    w.loop(filters, [&](Value filter) {
      w.loadRows(value, offsetOf(tensor, spread, filter), rows, places, placeColumns, placesStride,
                 w.mul(filter, line));
    });
  }
  VBrcOp::create(w.ops(), w.getLocation(), w.constantOf(ElementType::Float32, 0.0),
                 w.viewOf(product(), zero, w.mul(filters, line)));
  w.loop(rowTrips, [&](Value channelRow) { multiply(channelRow); });
  writeResults();
}

void ConvolutionKernel::write() {
  const int64_t ofPlaces = parts.schedule.getTile() / kFiltersOfTile;
  readSizes(ofPlaces);
  Value one = w.constant(1), all = w.field("size0");
  filterStride = w.min(w.roundUpToRow(w.max(windowColumns, one)), w.constant(ofPlaces));
  Value most = w.min(w.floorDiv(w.constant(parts.schedule.getTile()), w.mul(tileRows, placesStride)),
                     w.floorDiv(w.constant(ofPlaces), filterStride));
  filters = w.max(w.min(w.field("tile_filters", 1, parts.schedule.getRows()), most), one);
  Value filterTiles = w.field("tiles_filters", 1);
  Value ofBlock = w.field("block_tiles", 1), first = w.mul(w.blockIndex(), ofBlock);
  Value tiles = w.max(w.min(w.sub(w.field("tiles", 0), first), ofBlock), w.constant(0));
  w.makeBuffers([](const Home &home, unsigned) { return home.invariant; });
  w.makeOffsets();
  if (!parts.hasOnes())
    writeOnes();
  makeTables();
  // k is the channels and the elements of a window. A row of a filter without elements is not loaded.
  Value positions = w.max(w.mul(windowRows, windowColumns), one);
  Value channels = w.floorDiv(w.field("size2"), positions);
  // An input without elements has no rows either.
  Value isThere = w.min(w.mul(w.min(inputRows, one), inputColumns), one);
  if (input.hasDepth)
    isThere = w.min(w.mul(isThere, inputDepth), one);
  rowTrips = w.mul(w.mul(w.mul(channels, windowRows), w.min(windowColumns, one)), isThere);
  line = w.mul(tileRows, placesStride);
  w.loop(tiles, [&](Value number) {
    Value tile = w.add(first, number), rest = w.floorDiv(tile, across);
    number = w.floorDiv(rest, down);
    takePlane(w.floorDiv(number, filterTiles));
    startTile(w.rem(rest, down), w.rem(tile, across), /*whole=*/true);
    firstFilter = w.mul(w.rem(number, filterTiles), filters);
    firstFilter = w.max(w.min(firstFilter, w.sub(all, filters)), w.constant(0));
    if (parts.hasOnes())
      writeOnes();
    writeTile();
  });
}

void writeConvolutionKernel(const KernelParts &parts) {
  ConvolutionKernel(parts).write();
}

} // namespace opc::aicore

#include "lowering/aicore/place/contraction/WindowPanels.h"

#include "dialect/aicore/tiles/WindowTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace opc::aicore {

/// Maximum positions of a row for which float32 represents quotients exactly, halves too; more than a tile has.
static constexpr int64_t kMostCounted = int64_t(1) << 20;

WindowPanels::WindowPanels(const KernelParts &parts, const CubeTile &tile)
    : parts(parts), w(parts.writer), input(*parts.shape.windows), type(parts.shape.tensors[input.tensor].type),
      depth(tile.depth), elements(tile.depth * tile.width) {
  Value one = w.constant(1), zero = w.constant(0);
  auto field = [&](const char *which, unsigned axis) { return w.field(input.field(which, axis), 0); };
  inputRows = field("in", 0);
  inputColumns = field("in", 1);
  Value windowRows = field("of", 0);
  windowColumns = w.max(field("of", 1), one);
  placeColumns = w.max(field("out", 1), one);
  positionsOfAll = w.max(w.mul(windowRows, windowColumns), one);
  positionsAtOnce = w.min(positionsOfAll, w.constant(depth));
  groups = w.max(w.ceilDiv(positionsOfAll, positionsAtOnce), one);
  // An input without elements has no channels.
  Value isThere = w.min(w.mul(w.min(inputRows, one), inputColumns), one);
  if (input.hasDepth) {
    inputDepth = w.field("window_in0", 0);
    windowDepth = w.max(w.field("window_of0", 0), one);
    isThere = w.min(w.mul(isThere, inputDepth), one);
  }
  channelsOfAll = w.max(w.mul(w.floorDiv(w.field("size2"), positionsOfAll), isThere), zero);
  distance = w.mul(w.field("channel_blocks", 2, kMostOfChannels / kFractalRows), w.constant(kFractalRows));
  channelsAtOnce = w.max(
      w.min(w.floorDiv(w.constant(depth), positionsAtOnce), w.floorDiv(w.constant(kMostOfChannels), distance)), one);
  chunks = w.max(w.ceilDiv(channelsOfAll, channelsAtOnce), one);
  for (auto [tile_, suffix] : {std::pair(&columns, "_columns"),
                               {&columnsLeft, "_columns_left"},
                               {&rows, "_rows"},
                               {&rowsLeft, "_rows_left"},
                               {&base, "_base"},
                               {&first, "_first"},
                               {&second, "_second"}})
    *tile_ = tileInUb(suffix, tile.width, ElementType::Int32);
  real = tileInUb("_real", tile.width, ElementType::Float32);
  divisor = tileInUb("_divisor", tile.width, ElementType::Float32);
  offsets = tileInUb("_offsets", elements, ElementType::Int32);
  const int64_t most = kMostOfChannels + kBlockBytes / elementSize(type);
  if (input.hasDepth)
    for (auto [tile_, suffix] : {std::pair(&loaded[0], "_loaded"), {&loaded[1], "_loaded2"}})
      *tile_ = tileInUb(suffix, most, type);
}

Value WindowPanels::tileInUb(const char *suffix, int64_t elements, ElementType type) {
  MLIRContext *context = w.ops().getContext();
  auto memref = MemRefType::get({elements}, mlirTypeOf(type, context), MemRefLayoutAttrInterface(),
                                SpaceAttr::get(context, Space::UB));
  return BufferOp::create(w.ops(), w.getLocation(), memref, parts.nameOf(input.tensor) + suffix, std::nullopt);
}

void WindowPanels::compute(Intrinsic intrinsic, ArrayRef<Value> operands) {
  createIntrinsic(w.ops(), w.getLocation(), intrinsic, operands);
}

void WindowPanels::startTile(const Extent &ofTile, Value planeOfPlaces) {
  places = ofTile;
  Value zero = w.constant(0), one = w.constant(1), minusOne = w.constant(-1);
  if (input.hasDepth)
    firstPlane = w.sub(w.mul(planeOfPlaces, w.constant(input.depthStride)), w.constant(input.depthPadBegin));
  const Value rowStep = w.constant(input.stride[0]), columnStep = w.constant(input.stride[1]);
  Value firstRow = w.floorDiv(places.first, placeColumns), firstColumn = w.rem(places.first, placeColumns);
  Value last = w.sub(w.add(places.first, places.size), one);
  Value lastRow = w.floorDiv(last, placeColumns), lastColumn = w.rem(last, placeColumns);
  auto rowOf = [&](Value place) { return w.sub(w.mul(place, rowStep), w.constant(input.padBegin[0])); };
  auto columnOf = [&](Value place) { return w.sub(w.mul(place, columnStep), w.constant(input.padBegin[1])); };
  Value plane = w.mul(inputRows, inputColumns);
  // The element of a plane, clamped to its first or last one for padding.
  auto within = [&](Value row, Value column) {
    column = w.max(w.min(column, w.sub(inputColumns, one)), zero);
    return w.max(w.min(w.add(w.mul(row, inputColumns), column), w.sub(plane, one)), zero);
  };
  Value topRow = rowOf(firstRow);
  begin = within(topRow, columnOf(firstColumn));
  Value lastPosition = w.sub(positionsOfAll, one);
  Value end =
      within(w.add(rowOf(lastRow), w.mul(w.floorDiv(lastPosition, windowColumns), w.constant(input.dilation[0]))),
             w.add(columnOf(lastColumn), w.mul(w.sub(windowColumns, one), w.constant(input.dilation[1]))));
  Value most = w.min(w.sub(distance, w.constant(kFractalRows)), distance);
  run = w.max(w.min(w.add(w.sub(end, begin), one), most), one);

  // Rows of positions are quotients, which float32 represents exactly: a tile has few of them.
  auto number = [&](double value) { return w.constantOf(ElementType::Float32, value); };
  Value x = onPlaces(columns), left = onPlaces(columnsLeft), y = onPlaces(rows), below = onPlaces(rowsLeft);
  Value at = onPlaces(base), place = onPlaces(first), other = onPlaces(second), f = onPlaces(real),
        d = onPlaces(divisor);
  auto cast = [&](Value from, Value to, Rounding rounding) {
    VCastOp::create(w.ops(), w.getLocation(), from, to, rounding);
  };
  // Long rows count from a later position, as if they were shorter: a tile contains at most one end of such rows.
  Value tooLong = w.max(w.sub(placeColumns, w.constant(kMostCounted)), zero);
  Value counted = w.max(w.sub(firstColumn, tooLong), zero);
  compute(Intrinsic::varange, {w.asWord(counted), place});
  compute(Intrinsic::vbrc, {w.asWord(w.sub(placeColumns, tooLong)), other});
  cast(place, f, Rounding::Rint);
  cast(other, d, Rounding::Rint);
  compute(Intrinsic::vadds, {f, number(0.5), f});
  compute(Intrinsic::vdiv, {f, d, f});
  cast(f, y, Rounding::Floor);
  compute(Intrinsic::vmuls, {y, w.asWord(w.mul(placeColumns, minusOne)), x});
  compute(Intrinsic::vadd, {x, place, x});
  compute(Intrinsic::vmuls, {x, w.asWord(columnStep), x});
  compute(Intrinsic::vadds, {x, w.asWord(columnOf(w.sub(firstColumn, counted))), x});
  compute(Intrinsic::vmuls, {y, w.asWord(rowStep), y});
  // Rows count from the row of the first position: planes may have more elements than 32 bits can count.
  const int64_t bytes = elementSize(type);
  compute(Intrinsic::vmuls, {y, w.asWord(inputColumns), at});
  compute(Intrinsic::vadd, {at, x, at});
  compute(Intrinsic::vadds, {at, w.asWord(w.sub(w.mul(topRow, inputColumns), begin)), at});
  compute(Intrinsic::vmuls, {at, w.asWord(w.constant(bytes)), at});
  compute(Intrinsic::vadds, {at, w.asWord(w.constant(kBlockBytes)), at});
  compute(Intrinsic::vadds, {y, w.asWord(topRow), y});
  auto rest = [&](Value from, Value most, Value to) {
    compute(Intrinsic::vmuls, {from, w.asWord(minusOne), to});
    compute(Intrinsic::vadds, {to, w.asWord(w.sub(most, one)), to});
  };
  rest(x, inputColumns, left);
  rest(y, inputRows, below);
}

/// Fills the offsets of some elements of the window: those of the first element plus a constant, and the offset of a
/// zero for an element before the first or after the last row or column. Positions after the plane use any element
/// of it.
void WindowPanels::makeOffsets(Value firstPosition, Value positions) {
  const int64_t bytes = elementSize(type);
  Value zero = w.constant(0), one = w.constant(1);
  w.loop(positions, [&](Value number) {
    Value position = w.add(firstPosition, number);
    Value down = w.mul(w.floorDiv(position, windowColumns), w.constant(input.dilation[0]));
    Value along = w.mul(w.rem(position, windowColumns), w.constant(input.dilation[1]));
    Value own = w.part(offsets, w.mul(number, places.whole), places.whole);
    Value least = onPlaces(first), moved = onPlaces(second);
    compute(Intrinsic::vadds, {onPlaces(columns), w.asWord(along), least});
    for (auto [tile, distance] :
         {std::pair(columnsLeft, w.sub(zero, along)), {rows, down}, {rowsLeft, w.sub(zero, down)}}) {
      compute(Intrinsic::vadds, {onPlaces(tile), w.asWord(distance), moved});
      compute(Intrinsic::vmin, {least, moved, least});
    }
    // 1 where the element is in the input, else 0. For padding the offset may be any word.
    compute(Intrinsic::vmaxs, {least, w.asWord(w.constant(-1)), least});
    compute(Intrinsic::vmins, {least, w.asWord(zero), least});
    compute(Intrinsic::vadds, {least, w.asWord(one), least});
    Value distance = w.mul(w.add(w.mul(down, inputColumns), along), w.constant(bytes));
    compute(Intrinsic::vadds, {onPlaces(base), w.asWord(distance), moved});
    compute(Intrinsic::vmaxs, {moved, w.asWord(zero), moved});
    Value last = w.add(w.mul(w.sub(run, one), w.constant(bytes)), w.constant(kBlockBytes));
    compute(Intrinsic::vmins, {moved, w.asWord(last), moved});
    compute(Intrinsic::vmul, {least, moved, own});
  });
}

/// Rows of a panel, from one on.
Value WindowPanels::rowsOfPanel(Value panel, Value row, Value count) {
  count = w.min(count, w.sub(w.constant(depth), row));
  return w.part(panel, w.mul(row, places.whole), w.mul(count, places.whole));
}

/// Loads the runs of all channels of a panel, and gathers the elements of their windows.
void WindowPanels::gatherChannels(Value panel, Value start, Value firstChannel, Value channels, Value positions) {
  const int64_t block = kBlockBytes / elementSize(type);
  Value zero = w.constant(0), blockSize = w.constant(block), nothing = w.constantOf(type, 0.0);
  Value loaded = tileInUb("_loaded", kMostOfChannels + block, type);
  Value plane = w.field(parts.nameOf(input.tensor) + "_m", 0);
  Value offset = w.add(w.add(start, w.mul(firstChannel, plane)), begin);
  // Where all windows are padding, gathers take the zeros alone.
  Value read = w.min(w.mul(channels, w.field("window_reached", 0, 1)), channels);
  LoadOp::create(w.ops(), w.getLocation(), w.rowsOfTensor(input.tensor, offset, read, run, plane),
                 w.part(loaded, blockSize, w.mul(read, distance)), distance, nothing);
  w.loop(channels, [&](Value number) {
    Value at = w.mul(number, distance);
    compute(Intrinsic::vbrc, {nothing, w.part(loaded, at, blockSize)});
    Value rows = rowsOfPanel(panel, w.mul(number, positions), positions);
    Value count = rows.getDefiningOp<memref::SubViewOp>().getSizes().front();
    compute(Intrinsic::vgather, {w.part(loaded, at, distance), w.part(offsets, zero, count), rows});
  });
}

/// Likewise, channel by channel: each is a plane of a window in a channel of the input. One of two is loaded while the
/// other one is gathered. A plane that the input does not have is not loaded, but zeros.
void WindowPanels::gatherPlanes(Value panel, Value start, Value firstChannel, Value channels, Value positions) {
  const int64_t block = kBlockBytes / elementSize(type);
  Value zero = w.constant(0), one = w.constant(1), blockSize = w.constant(block), nothing = w.constantOf(type, 0.0);
  Value step = w.field(parts.nameOf(input.tensor) + "_m", 0), plane = w.mul(inputRows, inputColumns);
  Value isReached = w.field("window_reached", 0, 1);
  auto atMostOne = [&](Value number) { return w.min(w.max(number, zero), one); };
  w.loop(w.ceilDiv(channels, w.constant(2)), [&](Value pair) {
    Value read[2];
    for (int64_t i : {0, 1}) {
      Value number = w.add(w.mul(pair, w.constant(2)), w.constant(i)), channel = w.add(firstChannel, number);
      Value own = w.add(firstPlane, w.mul(w.rem(channel, windowDepth), w.constant(input.depthDilation)));
      Value isThere = w.mul(atMostOne(w.add(own, one)), atMostOne(w.sub(inputDepth, own)));
      own = w.max(w.min(own, w.sub(inputDepth, one)), zero);
      Value last = w.floorDiv(w.min(channel, w.sub(channelsOfAll, one)), windowDepth);
      Value offset = w.add(start, w.mul(last, step));
      offset = w.add(w.add(offset, w.mul(own, plane)), begin);
      read[i] = w.min(w.mul(w.mul(isThere, isReached), atMostOne(w.sub(channels, number))), one);
      LoadOp::create(w.ops(), w.getLocation(), w.rowsOfTensor(input.tensor, offset, read[i], run, step),
                     w.part(loaded[i], blockSize, w.mul(read[i], distance)), distance, nothing);
    }
    for (int64_t i : {0, 1}) {
      Value number = w.add(w.mul(pair, w.constant(2)), w.constant(i)), isOne = atMostOne(w.sub(channels, number));
      Value unread = w.mul(w.sub(one, read[i]), distance);
      compute(Intrinsic::vbrc, {nothing, w.part(loaded[i], zero, w.mul(isOne, w.add(blockSize, unread)))});
      Value rows = rowsOfPanel(panel, w.mul(number, positions), w.min(w.mul(positions, isOne), positions));
      Value count = rows.getDefiningOp<memref::SubViewOp>().getSizes().front();
      compute(Intrinsic::vgather, {w.part(loaded[i], zero, distance), w.part(offsets, zero, count), rows});
    }
  });
}

Value WindowPanels::makePanel(Value start, Value firstChannel, Value channels, Value positions, const Extent &k) {
  Value nothing = w.constantOf(type, 0.0);
  Value panel = tileInUb("_panel", elements, type);
  if (input.hasDepth)
    gatherPlanes(panel, start, firstChannel, channels, positions);
  else
    gatherChannels(panel, start, firstChannel, channels, positions);
  compute(Intrinsic::vbrc, {nothing, rowsOfPanel(panel, k.size, w.sub(k.whole, k.size))});
  MLIRContext *context = w.ops().getContext();
  auto memref = MemRefType::get({elements}, mlirTypeOf(type, context), MemRefLayoutAttrInterface(),
                                SpaceAttr::get(context, Space::L1, Layout::NZ));
  Value fractals = BufferOp::create(w.ops(), w.getLocation(), memref, parts.nameOf(input.tensor) + "_l1", std::nullopt);
  StoreNzOp::create(w.ops(), w.getLocation(), panel, fractals, k.whole, places.whole, places.whole, k.whole);
  return fractals;
}

void WindowPanels::forEachPart(Value start, function_ref<void(const Extent &, Value, Value)> multiply) {
  Value zero = w.constant(0), one = w.constant(1), fractal = w.constant(kFractalRows);
  w.loop(groups, [&](Value group) {
    Value firstPosition = w.mul(group, positionsAtOnce);
    Value positions = w.max(w.min(w.sub(positionsOfAll, firstPosition), positionsAtOnce), one);
    makeOffsets(firstPosition, positions);
    w.loop(chunks, [&](Value chunk) {
      Value firstChannel = w.mul(chunk, channelsAtOnce);
      Value channels = w.max(w.min(w.sub(channelsOfAll, firstChannel), channelsAtOnce), zero);
      Extent k;
      k.first = w.add(w.mul(firstChannel, positionsOfAll), firstPosition);
      k.size = w.min(w.mul(channels, positions), w.constant(depth));
      k.whole = w.max(w.mul(w.ceilDiv(k.size, fractal), fractal), fractal);
      Value panel = makePanel(start, firstChannel, channels, positions, k);
      Value number = w.add(w.mul(group, chunks), chunk);
      Value isFirst = arith::CmpIOp::create(w.ops(), w.getLocation(), arith::CmpIPredicate::eq, number, zero);
      multiply(k, panel, isFirst);
    });
  });
}

} // namespace opc::aicore

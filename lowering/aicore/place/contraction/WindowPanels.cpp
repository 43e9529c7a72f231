#include "lowering/aicore/place/contraction/WindowPanels.h"

#include "dialect/aicore/tiles/WindowTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace opc::aicore {

/// Maximum positions of a row for which float32 represents quotients exactly, halves too; more than a tile has.
static constexpr int64_t kMostCounted = int64_t(1) << 20;

/// Offsets of padding before the last step: less than 0 for each channel, whose elements come after those before it.
static constexpr int64_t kPadding = int64_t(1) << 30;

WindowPanels::WindowPanels(const KernelParts &parts, const CubeTile &tile)
    : parts(parts), w(parts.writer), input(*parts.shape.windows), type(parts.shape.tensors[input.tensor].type),
      hasPackedFilters(parts.shape.tensors[parts.shape.product.left].isPacked),
      hasBands(elementSize(type) > kFractalRowBytes / kFractalRows), depth(tile.depth), width(tile.width),
      mostOffsets(offsetRows(tile.depth, hasPackedFilters)),
      mostOfChannels(opc::aicore::mostOfChannels(hasPackedFilters, tile.bytes)) {
  Value one = w.constant(1), zero = w.constant(0), fractal = w.constant(kFractalRows);
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
  distance = w.mul(w.field("channel_blocks", 2, mostOfChannels / kFractalRows), w.constant(kFractalRows));
  Value room = w.floorDiv(w.constant(mostOfChannels), distance);
  if (hasPackedFilters) {
    // The last row of offsets is that of a part which begins at the last position of a channel.
    Value others = w.sub(positionsOfAll, one), left = w.sub(w.constant(mostOffsets), others);
    isOwn = w.min(w.max(w.sub(fractal, left), zero), one);
    sizeOfPart = w.max(w.min(left, w.constant(depth)), w.mul(isOwn, w.constant(depth)));
    if (!input.hasDepth)
      sizeOfPart = w.min(sizeOfPart, w.add(w.mul(w.sub(room, one), positionsOfAll), one));
    sizeOfPart = w.max(w.mul(w.floorDiv(sizeOfPart, fractal), fractal), fractal);
    channelsAtOnce = w.max(w.min(room, w.constant(depth)), one);
    groups = one;
    chunks = w.max(w.ceilDiv(w.mul(channelsOfAll, positionsOfAll), sizeOfPart), one);
  } else {
    channelsAtOnce = w.max(w.min(w.floorDiv(w.constant(depth), positionsAtOnce), room), one);
    chunks = w.max(w.ceilDiv(channelsOfAll, channelsAtOnce), one);
  }
  for (auto [tile_, suffix] : {std::pair(&columns, "_columns"),
                               {&columnsLeft, "_columns_left"},
                               {&rows, "_rows"},
                               {&rowsLeft, "_rows_left"},
                               {&base, "_base"},
                               {&first, "_first"},
                               {&second, "_second"}})
    *tile_ = tileInUb(suffix, width, ElementType::Int32);
  real = tileInUb("_real", width, ElementType::Float32);
  divisor = tileInUb("_divisor", width, ElementType::Float32);
  offsets = tileInUb("_offsets", mostOffsets * width, ElementType::Int32);
  const int64_t most = mostOfChannels + kBlockBytes / elementSize(type);
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
  // An input without channels has no element.
  begin = w.mul(begin, w.min(channelsOfAll, one));
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

/// Fills a row of offsets, for an element of the window: those of the first element plus a constant, in a channel that
/// begins `shift` bytes after the first. Less than 0 for an element before the first or after the last row or column.
/// Positions after the plane use any element of it.
void WindowPanels::makeOffset(Value row, Value position, Value shift) {
  const int64_t bytes = elementSize(type);
  Value zero = w.constant(0), one = w.constant(1);
  Value down = w.mul(w.floorDiv(position, windowColumns), w.constant(input.dilation[0]));
  Value along = w.mul(w.rem(position, windowColumns), w.constant(input.dilation[1]));
  Value own = w.part(offsets, w.mul(row, places.whole), places.whole);
  Value least = onPlaces(first), moved = onPlaces(second);
  compute(Intrinsic::vadds, {onPlaces(columns), w.asWord(along), least});
  for (auto [tile, distance] :
       {std::pair(columnsLeft, w.sub(zero, along)), {rows, down}, {rowsLeft, w.sub(zero, down)}}) {
    compute(Intrinsic::vadds, {onPlaces(tile), w.asWord(distance), moved});
    compute(Intrinsic::vmin, {least, moved, least});
  }
  // 0 where the element is in the input, else far below 0. For padding the offset may be any word.
  compute(Intrinsic::vmaxs, {least, w.asWord(w.constant(-1)), least});
  compute(Intrinsic::vmins, {least, w.asWord(zero), least});
  compute(Intrinsic::vmuls, {least, w.asWord(w.constant(kPadding)), least});
  Value distance = w.add(w.mul(w.add(w.mul(down, inputColumns), along), w.constant(bytes)), shift);
  compute(Intrinsic::vadds, {onPlaces(base), w.asWord(distance), moved});
  compute(Intrinsic::vmaxs, {moved, w.asWord(zero), moved});
  Value last = w.add(w.mul(w.sub(run, one), w.constant(bytes)), w.constant(kBlockBytes));
  compute(Intrinsic::vmins, {moved, w.asWord(w.add(last, shift)), moved});
  compute(Intrinsic::vadd, {least, moved, own});
}

/// Offsets of padding become that of the zero before the first run.
void WindowPanels::finishOffsets(Value row, Value count) {
  Value own = w.part(offsets, w.mul(row, places.whole), w.mul(count, places.whole));
  compute(Intrinsic::vmaxs, {own, w.asWord(w.constant(0)), own});
}

/// Makes `rows` rows of offsets: for some elements of the window in the first channel, and again for each channel
/// after it. Windows with a depth have one channel.
void WindowPanels::makeOffsets(Value firstPosition, Value positions, Value rows) {
  Value zero = w.constant(0), one = w.constant(1);
  w.loop(positions, [&](Value number) { makeOffset(number, w.add(firstPosition, number), zero); });
  if (!input.hasDepth) {
    w.loop(w.max(w.sub(w.ceilDiv(rows, positions), one), zero), [&](Value number) {
      Value channel = w.add(number, one), row = w.mul(channel, positions);
      Value count = w.max(w.min(positions, w.sub(rows, row)), zero);
      count = w.mul(w.min(count, w.sub(w.constant(mostOffsets), row)), places.whole);
      Value shift = w.mul(w.mul(channel, distance), w.constant(elementSize(type)));
      Value to = w.part(offsets, w.mul(row, places.whole), count);
      compute(Intrinsic::vadds, {w.part(offsets, zero, count), w.asWord(shift), to});
      compute(Intrinsic::vmaxs, {to, w.asWord(zero), to});
    });
  }
  finishOffsets(zero, w.min(positions, w.constant(mostOffsets)));
}

/// Makes the offsets of the rows of a part, if windows have so many positions that parts do not share offsets. The
/// first part has its first row.
void WindowPanels::makeOwnOffsets(const Part &part, Value isFirst) {
  Value rows = w.max(w.sub(w.mul(part.k.size, isOwn), isFirst), w.constant(0));
  w.loop(rows, [&](Value number) {
    number = w.add(number, isFirst);
    Value place = w.add(part.skipped, number);
    Value shift = w.mul(w.mul(w.floorDiv(place, positionsOfAll), distance), w.constant(elementSize(type)));
    makeOffset(number, w.rem(place, positionsOfAll), input.hasDepth ? w.constant(0) : shift);
    finishOffsets(number, w.constant(1));
  });
}

/// Rows of a panel or of offsets, which has at most so many.
Value WindowPanels::rowsOf(Value tile, Value row, Value count, int64_t most) {
  count = w.min(count, w.sub(w.constant(most), row));
  return w.part(tile, w.mul(row, places.whole), w.mul(count, places.whole));
}

/// Loads the runs of all channels of a panel, and gathers the elements of their windows.
void WindowPanels::gatherChannels(Value panel, Value start, const Part &part) {
  const int64_t block = kBlockBytes / elementSize(type);
  Value zero = w.constant(0), blockSize = w.constant(block), nothing = w.constantOf(type, 0.0);
  Value loaded = tileInUb("_loaded", mostOfChannels + block, type);
  Value plane = w.field(parts.nameOf(input.tensor) + "_m", 0);
  Value offset = w.add(w.add(start, w.mul(part.firstChannel, plane)), begin);
  // Where all windows are padding, gathers take the zero alone.
  Value read = w.min(w.mul(part.channels, w.field("window_reached", 0, 1)), part.channels);
  LoadOp::create(w.ops(), w.getLocation(), w.rowsOfTensor(input.tensor, offset, read, run, plane),
                 w.part(loaded, blockSize, w.mul(read, distance)), distance, nothing);
  compute(Intrinsic::vbrc, {nothing, w.part(loaded, zero, w.constant(1))});
  Value ofAll = w.add(blockSize, w.mul(part.channels, distance));
  Value count = w.mul(w.min(part.k.size, w.sub(w.constant(mostOffsets), part.offset)), places.whole);
  compute(Intrinsic::vgather, {w.part(loaded, zero, ofAll), w.part(offsets, w.mul(part.offset, places.whole), count),
                               w.part(panel, zero, count)});
}

/// Likewise, channel by channel: each is a plane of a window in a channel of the input. One of two is loaded while the
/// other one is gathered. A plane that the input does not have is not loaded, but zeros.
void WindowPanels::gatherPlanes(Value panel, Value start, const Part &part) {
  const int64_t block = kBlockBytes / elementSize(type);
  Value zero = w.constant(0), one = w.constant(1), blockSize = w.constant(block), nothing = w.constantOf(type, 0.0);
  Value step = w.field(parts.nameOf(input.tensor) + "_m", 0), plane = w.mul(inputRows, inputColumns);
  Value isReached = w.field("window_reached", 0, 1);
  auto atMostOne = [&](Value number) { return w.min(w.max(number, zero), one); };
  w.loop(w.ceilDiv(part.channels, w.constant(2)), [&](Value pair) {
    Value read[2];
    for (int64_t i : {0, 1}) {
      Value number = w.add(w.mul(pair, w.constant(2)), w.constant(i)), channel = w.add(part.firstChannel, number);
      Value own = w.add(firstPlane, w.mul(w.rem(channel, windowDepth), w.constant(input.depthDilation)));
      Value isThere = w.mul(atMostOne(w.add(own, one)), atMostOne(w.sub(inputDepth, own)));
      own = w.max(w.min(own, w.sub(inputDepth, one)), zero);
      Value last = w.floorDiv(w.min(channel, w.sub(channelsOfAll, one)), windowDepth);
      Value offset = w.add(start, w.mul(last, step));
      offset = w.add(w.add(offset, w.mul(own, plane)), begin);
      read[i] = w.min(w.mul(w.mul(isThere, isReached), atMostOne(w.sub(part.channels, number))), one);
      LoadOp::create(w.ops(), w.getLocation(), w.rowsOfTensor(input.tensor, offset, read[i], run, step),
                     w.part(loaded[i], blockSize, w.mul(read[i], distance)), distance, nothing);
    }
    for (int64_t i : {0, 1}) {
      Value number = w.add(w.mul(pair, w.constant(2)), w.constant(i)), isOne = atMostOne(w.sub(part.channels, number));
      Value unread = w.mul(w.sub(one, read[i]), distance);
      compute(Intrinsic::vbrc, {nothing, w.part(loaded[i], zero, w.mul(isOne, w.add(blockSize, unread)))});
      // The first channel has the positions from `skipped` on.
      Value row = w.mul(number, part.positions), count = part.positions, from = zero;
      if (hasPackedFilters) {
        row = w.min(w.max(w.sub(row, part.skipped), zero), w.constant(depth));
        from = w.max(w.sub(part.skipped, w.mul(number, part.positions)), zero);
        count = w.min(w.sub(part.positions, from), w.max(w.sub(part.k.size, row), zero));
        from = w.add(w.mul(isOwn, row), w.mul(w.sub(one, isOwn), from));
        from = w.min(from, w.constant(mostOffsets));
      }
      count = w.max(w.min(w.mul(count, isOne), count), zero);
      count = w.min(w.min(count, w.sub(w.constant(depth), row)), w.sub(w.constant(mostOffsets), from));
      count = w.mul(count, places.whole);
      compute(Intrinsic::vgather, {w.part(loaded[i], zero, distance), w.part(offsets, w.mul(from, places.whole), count),
                                   w.part(panel, w.mul(row, places.whole), count)});
    }
  });
}

Value WindowPanels::makePanel(Value start, const Part &part) {
  const Extent &k = part.k;
  Value nothing = w.constantOf(type, 0.0);
  Value panel = tileInUb("_panel", depth * width, type);
  if (input.hasDepth)
    gatherPlanes(panel, start, part);
  else
    gatherChannels(panel, start, part);
  compute(Intrinsic::vbrc, {nothing, rowsOf(panel, k.size, w.sub(k.whole, k.size), depth)});
  MLIRContext *context = w.ops().getContext();
  auto memref = MemRefType::get({depth * width}, mlirTypeOf(type, context), MemRefLayoutAttrInterface(),
                                SpaceAttr::get(context, Space::L1, Layout::NZ));
  Value fractals = BufferOp::create(w.ops(), w.getLocation(), memref, parts.nameOf(input.tensor) + "_l1", std::nullopt);
  if (!hasBands) {
    StoreNzOp::create(w.ops(), w.getLocation(), panel, fractals, k.whole, places.whole, places.whole, k.whole);
    return fractals;
  }
  // Squares of 32 bits are transposed two by two: columns of fractals in bands of 16 of k.
  Value band = w.constant(kFractalRows);
  w.loop(w.constant(depth / kFractalRows), [&](Value number) {
    Value from = w.mul(number, band), lines = w.max(w.min(w.sub(k.whole, from), band), w.constant(0));
    Value ofBand = w.constant(kFractalRows * width);
    StoreNzOp::create(w.ops(), w.getLocation(), w.part(panel, w.mul(from, places.whole), ofBand),
                      w.part(fractals, w.mul(number, ofBand), ofBand), lines, places.whole, places.whole, band);
  });
  return fractals;
}

/// Some channels, or positions of one.
WindowPanels::Part WindowPanels::partOfChannels(Value group, Value chunk) {
  Value zero = w.constant(0), one = w.constant(1), fractal = w.constant(kFractalRows);
  Part part;
  Value firstPosition = w.mul(group, positionsAtOnce);
  part.positions = w.max(w.min(w.sub(positionsOfAll, firstPosition), positionsAtOnce), one);
  part.firstChannel = w.mul(chunk, channelsAtOnce);
  part.channels = w.max(w.min(w.sub(channelsOfAll, part.firstChannel), channelsAtOnce), zero);
  part.skipped = part.offset = zero;
  part.k.first = w.add(w.mul(part.firstChannel, positionsOfAll), firstPosition);
  part.k.size = w.min(w.mul(part.channels, part.positions), w.constant(depth));
  part.k.whole = w.max(w.mul(w.ceilDiv(part.k.size, fractal), fractal), fractal);
  return part;
}

/// Whole fractals of k.
WindowPanels::Part WindowPanels::partOfFractals(Value number) {
  Value zero = w.constant(0), fractal = w.constant(kFractalRows);
  Part part;
  part.k.first = w.mul(number, sizeOfPart);
  Value left = w.max(w.sub(w.mul(channelsOfAll, positionsOfAll), part.k.first), zero);
  part.k.size = w.min(w.min(left, sizeOfPart), w.constant(depth));
  part.k.whole = w.max(w.mul(w.ceilDiv(part.k.size, fractal), fractal), fractal);
  part.positions = positionsOfAll;
  part.firstChannel = w.floorDiv(part.k.first, positionsOfAll);
  part.skipped = w.rem(part.k.first, positionsOfAll);
  part.channels = w.ceilDiv(w.add(part.skipped, part.k.size), positionsOfAll);
  part.channels = w.mul(part.channels, w.min(part.k.size, w.constant(1)));
  if (!input.hasDepth)
    part.channels = w.max(w.min(part.channels, channelsAtOnce), zero);
  part.offset = w.mul(w.sub(w.constant(1), isOwn), part.skipped);
  return part;
}

void WindowPanels::multiplyPart(Value start, const Part &part, Value number,
                                function_ref<void(const Extent &, Value, Value)> multiply) {
  Value panel = makePanel(start, part);
  Value isFirst = arith::CmpIOp::create(w.ops(), w.getLocation(), arith::CmpIPredicate::eq, number, w.constant(0));
  multiply(part.k, panel, isFirst);
}

void WindowPanels::forEachPart(Value start, function_ref<void(const Extent &, Value, Value)> multiply) {
  if (hasPackedFilters) {
    Value isShared = w.sub(w.constant(1), isOwn), one = w.constant(1);
    Value rows = w.min(w.sub(w.add(positionsOfAll, sizeOfPart), one), w.constant(mostOffsets));
    rows = w.min(rows, w.mul(channelsOfAll, positionsOfAll));
    // At least one row, so that gathers read what was written, whoever writes it.
    makeOffsets(w.constant(0), w.max(w.mul(w.min(positionsOfAll, w.constant(mostOffsets)), isShared), one),
                w.max(w.mul(rows, isShared), one));
    w.loop(chunks, [&](Value chunk) {
      const Part part = partOfFractals(chunk);
      makeOwnOffsets(part, w.sub(one, w.min(chunk, one)));
      multiplyPart(start, part, chunk, multiply);
    });
    return;
  }
  w.loop(groups, [&](Value group) {
    const Part shared = partOfChannels(group, w.constant(0));
    makeOffsets(w.mul(group, positionsAtOnce), shared.positions,
                input.hasDepth ? shared.positions : w.mul(w.min(channelsAtOnce, channelsOfAll), shared.positions));
    w.loop(chunks, [&](Value chunk) {
      multiplyPart(start, partOfChannels(group, chunk), w.add(w.mul(group, chunks), chunk), multiply);
    });
  });
}

} // namespace opc::aicore

#include "lowering/aicore/place/windows/PlaceTiles.h"

using namespace mlir;

namespace opc::aicore {

/// The number of columns that the windows of a row cover.
Value PlaceTiles::reachOf(Value placesOfRow) {
  Value one = w.constant(1);
  Value reach = w.add(w.mul(w.sub(placesOfRow, one), w.constant(input.stride[1])),
                      w.add(w.mul(w.sub(windowColumns, one), w.constant(input.dilation[1])), one));
  return reach;
}

void PlaceTiles::readSizes(int64_t capacity) {
  Value one = w.constant(1), most = w.constant(capacity);
  inputRows = windowField("in", 0);
  inputColumns = windowField("in", 1);
  windowRows = windowField("of", 0);
  windowColumns = windowField("of", 1);
  placeRows = windowField("out", 0);
  placeColumns = windowField("out", 1);
  if (input.hasDepth) {
    inputDepth = w.loopField("window_in0", 0);
    windowDepth = w.loopField("window_of0", 0);
    placeDepth = w.loopField("window_out0", 0);
  }
  rowLength = w.loopField("row_length", 1, capacity);
  across = w.loopField("tiles_across", 1);
  down = w.loopField("tiles_down", 1);
  trips1 = w.max(w.loopField("batch1", 0), one);
  // Up to a unit before and after the columns that the windows of a whole row cover.
  Value padded = w.add(w.roundUpToRow(w.max(reachOf(rowLength), one)), w.constant(2 * unit));
  paddedStride = w.min(w.max(padded, w.roundUpToRow(rowLength)), most);
  placesStride = w.min(w.roundUpToRow(rowLength), paddedStride);
  rowsThatFit = w.max(w.floorDiv(most, paddedStride), one);
  tileRows = w.min(w.loopField("tile_rows", 1, parts.schedule.getRows()), rowsThatFit);
}

void PlaceTiles::makeTables() {
  for (auto [size, home] : parts.homes.placesOf)
    w.makeTable(home, w.sub(tileRows, w.constant(1)), rowLength, placesStride, w.mul(paddedStride, w.constant(size)),
                w.constant(input.stride[1] * int64_t(size)));
}

void PlaceTiles::takeBatch(Value batch) {
  batch0 = w.floorDiv(batch, trips1);
  batch1 = w.rem(batch, trips1);
}

void PlaceTiles::takePlane(Value number) {
  if (!input.hasDepth)
    return takeBatch(number);
  Value planes = w.max(placeDepth, w.constant(1));
  plane = w.rem(number, planes);
  takeBatch(w.floorDiv(number, planes));
}

void PlaceTiles::startTile(Value rowOfTiles, Value columnOfTiles, bool whole) {
  Value zero = w.constant(0), one = w.constant(1);
  firstRow = w.mul(rowOfTiles, tileRows);
  if (whole)
    firstRow = w.max(w.min(firstRow, w.sub(placeRows, tileRows)), zero);
  rows = whole ? tileRows : w.max(w.min(w.sub(placeRows, firstRow), tileRows), one);
  firstPlace = w.mul(columnOfTiles, rowLength);
  places = w.max(w.min(w.sub(placeColumns, firstPlace), rowLength), one);

  // The columns of the input that the windows cover, from `begin` on, which may be padding.
  Value begin = w.sub(w.mul(firstPlace, w.constant(input.stride[1])), w.constant(input.padBegin[1]));
  Value first = w.min(w.max(begin, zero), inputColumns);
  Value all = w.max(w.sub(w.min(w.add(begin, reachOf(places)), inputColumns), first), zero);
  all = ifReached(all);
  // At least one column is loaded, even if all windows of the tile are padding.
  firstColumn = w.max(w.min(first, w.sub(inputColumns, one)), zero);
  columnsRead = w.min(w.max(all, one), paddedStride);
  stride = w.min(w.roundUpToRow(columnsRead), paddedStride);
  Value before = w.sub(first, begin);
  front = w.min(w.roundUpToRow(w.max(before, zero)), paddedStride);
  shift = w.max(w.sub(front, before), zero);
  columns = w.min(w.min(all, columnsRead), w.sub(paddedStride, front));
  Value unread = w.max(w.sub(paddedStride, w.add(shift, w.max(reachOf(rowLength), one))), zero);
  paddedRead = w.max(w.sub(w.mul(rows, paddedStride), unread), one);
}

PlaceTiles::Rows PlaceTiles::rowsFrom(Value row, Value most) {
  Value zero = w.constant(0), one = w.constant(1), step = w.constant(input.stride[0]);
  // From the first whose row is not before the input, up to the first behind it.
  auto upTo = [&](Value distance) { return w.min(w.ceilDiv(w.max(distance, zero), step), most); };
  Rows found;
  found.first = upTo(w.sub(zero, row));
  found.count = w.min(w.max(w.sub(upTo(w.sub(inputRows, row)), found.first), zero), most);
  found.count = w.min(found.count, w.sub(most, found.first));
  found.read = w.max(found.count, one);
  found.from = w.max(w.min(w.add(row, w.mul(found.first, step)), w.sub(inputRows, one)), zero);
  return found;
}

PlaceTiles::Rows PlaceTiles::rowsAt(Value position) {
  Value row = w.add(w.mul(firstRow, w.constant(input.stride[0])), w.mul(position, w.constant(input.dilation[0])));
  return rowsFrom(w.sub(row, w.constant(input.padBegin[0])), rows);
}

PlaceTiles::InputPlane PlaceTiles::planeAt(Value position) {
  Value zero = w.constant(0), one = w.constant(1);
  auto atMostOne = [&](Value number) { return w.min(w.max(number, zero), one); };
  Value number = w.add(w.mul(plane, w.constant(input.depthStride)), w.mul(position, w.constant(input.depthDilation)));
  number = w.sub(number, w.constant(input.depthPadBegin));
  InputPlane found;
  found.isThere = w.mul(atMostOne(w.add(number, one)), atMostOne(w.sub(inputDepth, number)));
  found.number = w.max(w.min(number, w.sub(inputDepth, one)), zero);
  return found;
}

Value PlaceTiles::ifReached(Value count) {
  return w.min(w.mul(count, w.loopField("window_reached", 0, 1)), count);
}

void PlaceTiles::moveTables(Value position, Value length) {
  Value zero = w.constant(0), column = w.add(w.mul(position, w.constant(input.dilation[1])), shift);
  for (auto [size, home] : parts.homes.movedOf)
    VAddsOp::create(w.ops(), w.getLocation(), w.view(parts.homes.placesOf.at(size), zero, length),
                    w.asWord(w.mul(column, w.constant(size))), w.view(home, zero, length));
}

} // namespace opc::aicore

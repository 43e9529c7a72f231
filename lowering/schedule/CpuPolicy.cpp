#include "lowering/schedule/CpuPolicy.h"

using namespace mlir;

namespace opc {

// Elements that are worth a separate block: 10 to 30 microseconds on one thread.
static constexpr int64_t kElementsOfBlock = 32768;
// Blocks of elements start at multiples of this, so they are aligned if their tensors are.
static constexpr int64_t kElementUnit = 1024;
// Columns that are worth reading every row for.
static constexpr int64_t kColumnUnit = 512;

static bool isItem(const ShapeKey &key, unsigned loop) {
  if (key.kind == ShapeKey::Rows || key.kind == ShapeKey::Counted || key.kind == ShapeKey::Gather ||
      key.kind == ShapeKey::Lookup || key.kind == ShapeKey::Scattered)
    return loop == 0;
  if (key.kind == ShapeKey::Scanned || key.kind == ShapeKey::Sorted)
    return loop != key.scanned;
  return !key.reduced[loop];
}

// Minimum number of products for a separate block: some 40 microseconds on one thread.
static constexpr int64_t kProductsOfBlock = int64_t(1) << 21;
// Tiles of results have multiples of these rows and columns, which are whole register tiles of every level, and at most
// this many rows, so that a thread's part of the left operand stays in its cache.
static constexpr int64_t kRowUnit = 12, kResultUnit = 64, kRowsOfTile = 256;
// Windows, which are never packed before a launch, have as many columns as the narrowest register tile: the 196 places
// of 14 x 14 in tiles of 64 are 128 for one thread and 68 for another. A thread that takes all of them joins them.
static constexpr int64_t kPlaceUnit = 16;

// A block is a number of tiles of the results, each with all of k, so that blocks do not affect the order of a sum. Few
// batches are divided along their columns first: then a thread reads only its own part of the right operand, which is
// the larger one if there are few rows.
static std::vector<PolicyField> contractionFields(TilingMath &math, const ShapeKey &key, const LaunchSizes &sizes) {
  Value one = math.constant(1), m = math.max(sizes.size[0], one), n = math.max(sizes.size[1], one);
  Value batches = math.max(math.mul(sizes.batch0, sizes.batch1), one);
  Value results = math.mul(math.mul(m, n), batches);
  Value ofBlock = math.max(math.ceilDiv(math.constant(kProductsOfBlock), math.max(sizes.size[2], one)), one);
  Value wanted = math.min(math.ceilDiv(results, ofBlock), math.max(sizes.maxBlocks, one));
  Value parts = math.ceilDiv(wanted, batches); // of a batch
  Value rowParts = math.min(math.ceilDiv(m, math.constant(kRowsOfTile)), parts);
  Value columnParts = math.ceilDiv(parts, rowParts);
  // Rows that are reduced are whole.
  if (key.reduced[1]) {
    rowParts = math.min(math.ceilDiv(m, math.constant(kRowUnit)), parts);
    columnParts = one;
  }
  Value tileM = math.roundUp(math.ceilDiv(m, rowParts), kRowUnit);
  Value tileN = math.roundUp(math.ceilDiv(n, columnParts), key.hasWindows ? kPlaceUnit : kResultUnit);
  Value tiles = math.mul(batches, math.mul(math.ceilDiv(m, tileM), math.ceilDiv(n, tileN)));
  Value length = math.ceilDiv(tiles, math.max(sizes.maxBlocks, one));
  return {{"block_num", math.max(math.ceilDiv(tiles, length), one)},
          {"block_length", length},
          {"tile_m", tileM},
          {"tile_n", tileN}};
}

std::vector<PolicyField> CpuPolicy::fields(TilingMath &math, const ShapeKey &key, const LaunchSizes &sizes) {
  if (key.kind == ShapeKey::Contraction)
    return contractionFields(math, key, sizes);
  Value items = math.mul(sizes.batch0, sizes.batch1), each = math.constant(1);
  for (unsigned loop = 0; loop < key.loops; ++loop)
    (isItem(key, loop) ? items : each) = math.mul(isItem(key, loop) ? items : each, sizes.size[loop]);
  int64_t unit = 1;
  if (key.kind == ShapeKey::Flat || key.kind == ShapeKey::Grid || key.kind == ShapeKey::Strided ||
      key.kind == ShapeKey::Any)
    unit = kElementUnit;
  if (key.kind == ShapeKey::ReduceColumns || key.kind == ShapeKey::Columns || key.kind == ShapeKey::Windows ||
      (key.kind == ShapeKey::Scanned && key.scanned == 0))
    unit = kColumnUnit;
  Value one = math.constant(1);
  Value worthwhile = math.ceilDiv(math.constant(kElementsOfBlock), math.max(each, one));
  Value share = math.ceilDiv(items, math.max(sizes.maxBlocks, one));
  Value length = math.max(math.roundUp(math.max(share, worthwhile), unit), one);
  // Inputs that are read across are read in slabs of whole rows.
  if (llvm::any_of(key.operands, [](const ShapeKey::Operand &operand) { return operand.isAcross; })) {
    Value row = math.max(sizes.size[1], one);
    length = math.mul(math.ceilDiv(length, row), row);
  }
  // A line may be much longer than its result. Updates have one order.
  if (key.kind == ShapeKey::Sorted)
    length = math.max(share, one);
  if (key.kind == ShapeKey::Scattered)
    length = math.max(items, one);
  Value blocks = math.max(math.ceilDiv(items, length), one);
  return {{"block_num", blocks}, {"block_length", length}};
}

} // namespace opc

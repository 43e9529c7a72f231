#include "lowering/schedule/AicorePolicy.h"

#include "dialect/aicore/tiles/CubeTiles.h"
#include "dialect/aicore/tiles/LookupTiles.h"
#include "dialect/aicore/tiles/SortTiles.h"
#include "dialect/aicore/tiles/WindowTiles.h"
#include "lowering/schedule/ContractionChoice.h"

#include <cmath>

using namespace mlir;

namespace opc {

/// The smallest tile considered, in elements. Shorter copies consist of start-up time alone.
static constexpr int64_t kLeastTile = 1024;

std::optional<int64_t> AicorePolicy::longestRow(const ShapeKey &shortKey) {
  const Instance &instance = instances.at(shortKey.number);
  if (shortKey.kind == ShapeKey::Contraction)
    return instance.schedule.getTile() / instance.schedule.getRows();
  return instance.schedule.getTile();
}

/// Rows from this length on always take a key with a shared row.
static constexpr int64_t kLongSharedRow = 512;

// With a shared row the vector unit is called for each row, and each call has a start. `any` is called for all rows of
// a tile and loads the shared row for each tile, so it is bound by its copies. Both times of a row are linear in its
// length; the result is where they are equal.
int64_t AicorePolicy::shortestRow(const ShapeKey &key, const ShapeKey &any) const {
  const Instance &own = instances.at(key.number), &other = instances.at(any.number);
  const double start = double(target.vectorCycles(Intrinsic::vadd, {ElementType::Float32, ElementType::Float32}, 0) +
                              target.barrierCycles(opc::Pipe::V));
  const double copied = std::max(double(own.needs.getLoadBytes()) / target.figure("load_rate"),
                                 double(own.needs.getStoreBytes()) / target.figure("store_rate"));
  const double starts = double(other.needs.getLoads()) * target.figure("load_start_cycles");
  const double computed = double(own.needs.getCycles()) / double(aicore::NeedsAttr::kCountedElements);
  const double ofRow =
      start * double(own.needs.getRowOps()) - target.figure("copy_row_cycles") * double(own.needs.getLoads());
  const double ofElement = copied + starts / double(other.schedule.getTile()) - computed;
  if (ofRow <= 0)
    return 0;
  return ofElement <= 0 ? kLongSharedRow : std::min(kLongSharedRow, int64_t(std::ceil(ofRow / ofElement)));
}

Value AicorePolicy::tileFor(TilingMath &math, const Instance &instance, Value elements) const {
  int64_t capacity = instance.schedule.getTile();
  double starts = target.figure("load_start_cycles") * double(instance.needs.getLoads());
  double perElement = double(std::max<int64_t>(1, instance.needs.getStoreBytes())) / target.figure("store_rate");
  double factor = std::max(1.0, starts / perElement);
  Value tile = math.constant(capacity);
  SmallVector<int64_t> candidates;
  for (int64_t candidate = kLeastTile; candidate < capacity; candidate *= 2)
    candidates.push_back(candidate);
  // From large to small: the last candidate that is large enough for `elements` is selected.
  for (int64_t candidate : llvm::reverse(candidates)) {
    auto most = static_cast<int64_t>(2.0 * double(candidate) * double(candidate) / factor);
    tile = math.selectLess(math.constant(most), elements, tile, math.constant(candidate));
  }
  return tile;
}

/// Divides whole tiles into blocks: returns the number of blocks and the tiles per block.
static std::pair<Value, Value> blocksOf(TilingMath &math, Value tiles, Value maxBlocks) {
  Value ofBlock = math.ceilDiv(tiles, maxBlocks);
  return {math.ceilDiv(tiles, math.max(ofBlock, math.constant(1))), ofBlock};
}

std::vector<PolicyField> AicorePolicy::flat(TilingMath &math, const Instance &instance,
                                            const LaunchSizes &sizes) const {
  Value one = math.constant(1), elements = math.max(sizes.size[0], one);
  Value tile = tileFor(math, instance, elements);
  Value tiles = math.ceilDiv(elements, tile);
  Value balanced = math.roundUp(math.ceilDiv(elements, tiles), 256);
  Value length = math.min(balanced, math.constant(instance.schedule.getTile()));
  auto [blocks, ofBlock] = blocksOf(math, math.ceilDiv(elements, length), sizes.maxBlocks);
  return {{"block_num", blocks}, {"block_length", math.mul(ofBlock, length)}, {"tile_length", length}};
}

/// Rows of a tile of `any` among which a row costs little that all share: it is loaded and copied for each tile.
static constexpr int64_t kSharingRows = 4;

/// The longest part of a row in a tile of `any`: a tile has several rows, if there are several.
Value AicorePolicy::longestPart(TilingMath &math, const Instance &instance, Value count) const {
  const int64_t capacity = instance.schedule.getTile();
  Value rows = math.min(count, math.constant(std::min(kSharingRows, instance.schedule.getRows())));
  Value part =
      math.mul(math.floorDiv(math.floorDiv(math.constant(capacity), rows), math.constant(64)), math.constant(64));
  return math.max(part, math.constant(64));
}

std::vector<PolicyField> AicorePolicy::rows(TilingMath &math, const Instance &instance, const ShapeKey &key,
                                            const LaunchSizes &sizes) const {
  bool columns = key.kind == ShapeKey::ReduceColumns || key.kind == ShapeKey::Columns, reduces = key.loops == 3;
  bool inParts = key.kind == ShapeKey::Grid || key.kind == ShapeKey::Strided || key.kind == ShapeKey::Counted ||
                 key.kind == ShapeKey::Scanned || key.kind == ShapeKey::Scattered || key.kind == ShapeKey::Gather ||
                 key.kind == ShapeKey::Lookup || key.kind == ShapeKey::Any || columns || key.isLong;
  int64_t capacity = instance.schedule.getTile();
  Value one = math.constant(1), most = math.constant(capacity);
  Value length = math.max(sizes.size.back(), one);
  Value count = math.max(sizes.size[reduces ? 1 : 0], one);
  // The first load and the last store of a launch overlap with nothing: a few long rows are more parts.
  if (key.kind == ShapeKey::Strided)
    most = tileFor(math, instance, math.mul(count, length));
  Value rowLength = math.min(length, most);
  if (inParts) {
    Value longest = key.kind == ShapeKey::Any ? longestPart(math, instance, count) : most;
    Value parts = math.ceilDiv(length, longest);
    Value part = math.min(math.roundUp(math.ceilDiv(length, parts), 64), most);
    rowLength = math.selectLess(longest, length, part, rowLength);
  }
  if (key.isLong) {
    Value ofBlock = math.ceilDiv(count, sizes.maxBlocks);
    return {{"block_num", math.ceilDiv(count, ofBlock)}, {"row_length", rowLength}, {"block_rows", ofBlock}};
  }
  Value stride = math.roundUp(rowLength, 32 / instance.needs.getSmallest());
  Value elements = math.mul(count, length);
  Value tile = columns ? most : tileFor(math, instance, elements);
  Value fitting = math.min(math.floorDiv(tile, stride), math.constant(instance.schedule.getRows()));
  fitting = math.max(fitting, one);
  Value balanced = math.ceilDiv(count, math.ceilDiv(count, fitting));
  Value tileRows = math.min(math.max(balanced, one), math.constant(instance.schedule.getRows()));
  if (columns) {
    auto [blocks, ofBlock] = blocksOf(math, math.ceilDiv(length, rowLength), sizes.maxBlocks);
    return {{"block_num", blocks},
            {"row_length", rowLength},
            {"tile_rows", tileRows},
            {"block_columns", math.mul(ofBlock, rowLength)}};
  }
  // The rows of a scan along m depend on each other: blocks have parts of the columns, and batches.
  if (key.kind == ShapeKey::Scanned && key.scanned == 0) {
    Value groups = math.mul(math.mul(sizes.batch0, sizes.batch1), math.ceilDiv(length, rowLength));
    auto [blocks, ofBlock] = blocksOf(math, math.max(groups, one), sizes.maxBlocks);
    return {{"block_num", blocks},
            {"row_length", rowLength},
            {"tile_rows", tileRows},
            {"block_groups", math.max(ofBlock, one)}};
  }
  // Blocks have whole lines.
  if (key.kind == ShapeKey::Sorted) {
    Value around = math.mul(math.mul(sizes.batch0, sizes.batch1), key.scanned == 1 ? count : length);
    auto [blocks, ofBlock] = blocksOf(math, math.max(around, one), sizes.maxBlocks);
    return {{"block_num", blocks}, {"block_groups", math.max(ofBlock, one)}};
  }
  // Updates have one order, so one block runs them.
  if (key.kind == ShapeKey::Scattered)
    return {{"block_num", one}, {"row_length", rowLength}};
  auto [blocks, ofBlock] = blocksOf(math, math.ceilDiv(count, tileRows), sizes.maxBlocks);
  return {{"block_num", blocks},
          {"row_length", rowLength},
          {"tile_rows", tileRows},
          {"block_rows", math.mul(ofBlock, tileRows)}};
}

// A tile of inputs that are read across is loaded as columns of `tile_rows` elements, and stored as rows of
// `row_length`: in both directions its lines are aligned to 32 bytes and fit a tile, and neither is much shorter than
// the other.
std::vector<PolicyField> AicorePolicy::across(TilingMath &math, const Instance &instance,
                                              const LaunchSizes &sizes) const {
  int64_t capacity = instance.schedule.getTile(), unit = 32 / instance.needs.getSmallest();
  int64_t side = unit;
  while ((side + unit) * (side + unit) <= capacity)
    side += unit;
  Value one = math.constant(1), most = math.constant(capacity);
  Value count = math.max(sizes.size[0], one), length = math.max(sizes.size[1], one);
  // The number of whole units that fit with lines of this length.
  auto beside = [&](Value line) {
    Value units = math.floorDiv(math.floorDiv(most, math.roundUp(line, unit)), math.constant(unit));
    return math.max(math.mul(units, math.constant(unit)), one);
  };
  auto balanced = [&](Value whole, Value part) { return math.ceilDiv(whole, math.ceilDiv(whole, part)); };
  Value rowMost = beside(math.min(count, math.constant(side)));
  Value part = math.min(math.roundUp(balanced(length, rowMost), unit), rowMost);
  Value rowLength = math.selectLess(rowMost, length, part, length);
  Value rows = math.min(beside(rowLength), math.constant(instance.schedule.getRows()));
  Value tileRows = math.max(balanced(count, math.max(rows, one)), one);
  auto [blocks, ofBlock] = blocksOf(math, math.ceilDiv(count, tileRows), sizes.maxBlocks);
  return {{"block_num", blocks},
          {"row_length", math.min(rowLength, most)},
          {"tile_rows", math.min(tileRows, math.constant(instance.schedule.getRows()))},
          {"block_rows", math.mul(ofBlock, tileRows)}};
}

std::optional<int64_t> AicorePolicy::longestPanel(const ShapeKey &key) {
  if (!hasPanels || withoutPanel.count(key.number))
    return std::nullopt;
  const Instance &instance = instances.at(key.number);
  return cubeTile(instance.needs, instance.schedule, key, target).panelDepth(target);
}

std::optional<TilingPolicy::RightLimits> AicorePolicy::rightLimits(const ShapeKey &key) {
  if (!key.hasResidentRight || !rightWins.value_or(true))
    return std::nullopt;
  const Instance &instance = instances.at(key.number);
  const aicore::CubeTile tile = cubeTile(instance.needs, instance.schedule, key, target);
  const auto right = aicore::ResidentRight::of(tile, target);
  return RightLimits{*longestRow(key), right.mostOfK(), rightWins ? 0 : tile.rows};
}

// A copy, and each of its rows, cost as much as some bytes in addition, and so does what computes an operand. The right
// operand is loaded for each row of tiles; the left one once, or without a panel for each column of tiles. Sizes are
// clamped, so that products stay small.
Value AicorePolicy::trafficOf(TilingMath &math, const ShapeKey &key, ArrayRef<Value> sizes) const {
  if (!key.isResident && panelsWin)
    return {};
  constexpr int64_t ofK = 256, mostOfLine = int64_t(1) << 16;
  const Instance &instance = instances.at(key.number);
  const aicore::CubeTile tile = cubeTile(instance.needs, instance.schedule, key, target);
  const ProductNeeds needs = {instance.needs, instance.operands};
  const double rate = target.figure("load_rate");
  const auto ofRow = int64_t(target.figure("copy_row_cycles") * rate);
  const auto ofCopy = int64_t(target.figure("load_start_cycles") * rate);
  auto bounded = [&](Value size) { return math.min(size, math.constant(int64_t(1) << 24)); };
  Value m = bounded(sizes[0]), n = bounded(sizes[1]);
  Value down = math.ceilDiv(m, math.constant(tile.rows)), across = math.ceilDiv(n, math.constant(tile.width));
  // Tiles of one step that share no panel load rows that are as long as those of a panel.
  const bool isComputed = instance.operands.left || instance.operands.right;
  Value isOneStep = math.constant(key.isResident ? 1 : 0);
  if (!key.isResident && !key.hasWindows && !isComputed)
    isOneStep = math.selectLess(math.constant(tile.depth), sizes[2], isOneStep,
                                math.selectLess(math.constant(1), across, isOneStep, math.constant(1)));
  auto partsOf = [&](int64_t depth) { return math.constant(std::max<int64_t>(ofK / depth, 1)); };
  Value partsAlongK = math.selectLess(isOneStep, math.constant(1), partsOf(tile.depth), partsOf(tile.partDepth()));
  auto operand = [&](Value lines, Value tiles, bool isAlongK, bool isRight) {
    if (std::optional<int64_t> cycles = computedOperandCycles(needs, instance.schedule, key, target, isRight, ofK))
      return math.mul(lines, math.constant(std::min(mostOfLine, int64_t(double(*cycles) * rate /
                                                                        double(isRight ? tile.width : tile.rows)))));
    Value parts = isAlongK ? partsAlongK : partsOf(tile.depth);
    Value copies = math.mul(math.mul(tiles, parts), math.constant(ofCopy));
    Value rows = isAlongK ? math.mul(lines, parts) : math.mul(tiles, math.constant(ofK));
    Value bytes = math.add(math.mul(lines, math.constant(ofK * tile.bytes)), copies);
    return math.add(bytes, math.mul(rows, math.constant(ofRow)));
  };
  auto has = [&](std::vector<int> dims) {
    return llvm::any_of(key.operands, [&](const ShapeKey::Operand &each) { return each.dims == dims; });
  };
  Value left = operand(m, down, !has({2, 0}), false), right = operand(n, across, has({1, 2}), true);
  Value traffic = math.add(math.mul(right, down), key.isResident ? left : math.mul(left, across));
  // Its loads wait for no tiles before, so without a panel it wins of equals.
  if (!key.isResident)
    traffic = math.sub(math.max(traffic, math.constant(1)), isOneStep);
  const int64_t wait = computedOperandWait(needs, instance.schedule, key, target);
  if (wait == 0)
    return traffic;
  Value waits = math.mul(math.mul(down, across), math.constant(std::min(mostOfLine, int64_t(double(wait) * rate))));
  Value parts = math.max(math.ceilDiv(sizes[2], math.constant(ofK)), math.constant(1));
  return math.add(traffic, math.floorDiv(waits, parts));
}

// The tiles of a row of tiles share its panel. They form one run, or several if there are blocks without work.
std::vector<PolicyField> AicorePolicy::runs(TilingMath &math, const aicore::CubeTile &tile, const LaunchSizes &sizes,
                                            Value down, Value across) const {
  Value one = math.constant(1), rows = math.mul(math.mul(sizes.batch0, sizes.batch1), down);
  Value wanted = math.max(math.min(math.ceilDiv(sizes.maxBlocks, math.max(rows, one)), across), one);
  Value ofRun = math.max(math.ceilDiv(across, wanted), one), number = math.ceilDiv(across, ofRun);
  Value tiles = math.mul(rows, number);
  auto [blocks, ofBlock] = blocksOf(math, math.max(tiles, one), sizes.maxBlocks);
  const int64_t depth = tile.partDepth(), most = tile.panelDepth(target) / depth;
  Value parts = math.max(math.ceilDiv(sizes.size[2], math.constant(depth)), one);
  return {{"block_num", blocks},
          {"tiles", tiles},
          {"tiles_down", math.max(down, one)},
          {"tiles_across", math.max(number, one)},
          {"block_tiles", math.max(ofBlock, one)},
          {"steps", math.min(parts, math.constant(most))},
          {"run_tiles", ofRun}};
}

// The rows of tiles of a batch share its matrix. They form one run, or several if there are blocks without work.
std::vector<PolicyField> AicorePolicy::runsOfRows(TilingMath &math, const aicore::CubeTile &tile,
                                                  const LaunchSizes &sizes, Value down, Value across) const {
  const auto right = aicore::ResidentRight::of(tile, target);
  Value one = math.constant(1), batches = math.mul(sizes.batch0, sizes.batch1);
  Value wanted = math.max(math.min(math.ceilDiv(sizes.maxBlocks, math.max(batches, one)), down), one);
  Value ofRun = math.max(math.ceilDiv(down, wanted), one), number = math.ceilDiv(down, ofRun);
  Value tiles = math.mul(batches, number);
  auto [blocks, ofBlock] = blocksOf(math, math.max(tiles, one), sizes.maxBlocks);
  Value steps = math.max(math.ceilDiv(sizes.size[2], math.constant(right.depth)), one);
  return {{"block_num", blocks},
          {"tiles", tiles},
          {"tiles_down", math.max(number, one)},
          {"tiles_across", math.max(across, one)},
          {"block_tiles", math.max(ofBlock, one)},
          {"steps", math.min(steps, math.constant(right.steps))},
          {"run_tiles", ofRun}};
}

// Tiles of a batch are numbered row by row; a launch without results has none. If k is 0 there is one step.
std::vector<PolicyField> AicorePolicy::contraction(TilingMath &math, const ShapeKey &key, const Instance &instance,
                                                   const LaunchSizes &sizes) const {
  const aicore::CubeTile tile = cubeTile(instance.needs, instance.schedule, key, target);
  Value one = math.constant(1);
  Value down = math.ceilDiv(sizes.size[0], math.constant(tile.rows));
  Value across = math.ceilDiv(sizes.size[1], math.constant(tile.width));
  // A tile has places of one plane.
  if (key.isOnCube && sizes.windows->hasDepth)
    across =
        math.mul(sizes.windows->placesDepth,
                 math.ceilDiv(math.mul(sizes.windows->places[0], sizes.windows->places[1]), math.constant(tile.width)));
  Value tiles = math.mul(math.mul(sizes.batch0, sizes.batch1), math.mul(down, across));
  if (key.isResident)
    return runs(math, tile, sizes, down, across);
  // A row of tiles belongs together if rows are reduced.
  if (key.reduced[1]) {
    across = math.min(across, math.constant(std::max<int64_t>(tile.part / tile.width, 1)));
    tiles = math.mul(math.mul(sizes.batch0, sizes.batch1), down);
  }
  if (key.hasResidentRight)
    return runsOfRows(math, tile, sizes, down, across);
  auto [blocks, ofBlock] = blocksOf(math, math.max(tiles, one), sizes.maxBlocks);
  if (!key.isOnCube)
    return {
        {"block_num", blocks},
        {"tiles", tiles},
        {"tiles_down", math.max(down, one)},
        {"tiles_across", math.max(across, one)},
        {"block_tiles", math.max(ofBlock, one)},
        {"steps", math.max(math.ceilDiv(sizes.size[2], math.constant(loadedDepth(instance.needs, key, tile))), one)}};
  // The elements read of a channel, in whole blocks, after a block with a zero.
  Value ofChannel = math.ceilDiv(math.max(reachOf(math, key, *sizes.windows), one), math.constant(kFractalRows));
  Value most = math.constant(aicore::mostOfChannels(key.hasPackedFilters, tile.bytes) / kFractalRows);
  // Type rows share a structure of tiling data: these are the fields of convolution(), in its order.
  return {{"block_num", blocks},
          {"row_length", one},
          {"tile_rows", one},
          {"tile_filters", one},
          {"tiles", tiles},
          {"tiles_filters", one},
          {"tiles_down", math.max(down, one)},
          {"tiles_across", math.max(across, one)},
          {"block_tiles", math.max(ofBlock, one)},
          {"channel_blocks", math.min(math.add(ofChannel, one), most)},
          {"steps", one},
          {"run_tiles", one}};
}

/// The number of elements of a tile for the positions of a filter.
static int64_t placesOf(const ShapeKey &key, aicore::ScheduleAttr schedule) {
  return key.isOnVectorUnit() ? schedule.getTile() / aicore::kFiltersOfTile : schedule.getTile();
}

std::optional<int64_t> AicorePolicy::longestLine(StringRef tensor) const {
  return llvm::is_contained(lines, tensor) ? std::optional(aicore::kMostOfLine) : std::nullopt;
}

std::optional<int64_t> AicorePolicy::longestSorted() const {
  return aicore::kMostOfSorted;
}

int64_t AicorePolicy::mostOfChannels(const ShapeKey &key) const {
  const Instance &instance = instances.at(key.number);
  return aicore::mostOfChannels(key.hasPackedFilters, cubeTile(instance.needs, instance.schedule, key, target).bytes);
}

std::optional<int64_t> AicorePolicy::longestWindow(const ShapeKey &key) {
  if (key.isOnCube)
    return mostOfChannels(key) - 2 * kFractalRows;
  const Instance &instance = instances.at(key.number);
  return placesOf(key, instance.schedule) - aicore::kUnitsBesideWindows * (32 / instance.needs.getSmallest());
}

// Packed filters have parts of at least a fractal of k, which may begin within the windows of a channel: UB has room
// for all their channels, each rounded up to whole blocks after a block. Planes of volumes are read one by one.
Value AicorePolicy::longestOf(TilingMath &math, const ShapeKey &key, const LaunchWindows &windows,
                              int64_t longest) const {
  if (!key.hasPackedFilters || windows.hasDepth)
    return math.constant(longest);
  Value most = math.constant(kFractalRows), one = math.constant(1);
  auto size = [&](unsigned axis) { return math.max(math.min(windows.size[axis], most), one); };
  Value others = math.ceilDiv(math.constant(kFractalRows - 1), math.mul(size(0), size(1)));
  Value all = math.constant(mostOfChannels(key));
  return math.sub(math.floorDiv(all, math.add(others, one)), math.constant(2 * kFractalRows));
}

// The cube's kernel computes offsets for each tile and each element of a window, whatever the number of channels and
// filters; the vector unit gathers more slowly, and multiplies for each filter. By figures of float32 (windows.md) the
// vector unit takes fewer cycles if channels * (filters + 3) is less than this.
static constexpr int64_t kFewProducts = 60, kFewFilters = 3;

std::optional<std::pair<Value, Value>> AicorePolicy::fewProducts(TilingMath &math, ArrayRef<Value> sizes,
                                                                 const LaunchWindows &windows) const {
  // Clamped, so that no product overflows.
  const Value most = math.constant(int64_t(1) << 20), mostOfK = math.constant(int64_t(1) << 40);
  auto bounded = [&](Value size) { return math.min(size, most); };
  Value positions = math.mul(bounded(windows.size[0]), bounded(windows.size[1]));
  Value filters = math.add(bounded(sizes[0]), math.constant(kFewFilters));
  return std::pair(math.mul(math.min(sizes[2], mostOfK), filters), math.mul(positions, math.constant(kFewProducts)));
}

// On the cube: the number of elements that the windows of all consecutive positions of a tile cover, from the first one
// on: some rows of the input, and a part of the last one.
Value AicorePolicy::reachOf(TilingMath &math, const ShapeKey &key, const LaunchWindows &windows) const {
  if (!key.isOnCube)
    return TilingPolicy::reachOf(math, key, windows);
  const Instance &instance = instances.at(key.number);
  Value zero = math.constant(0), one = math.constant(1), most = math.constant(mostOfChannels(key));
  Value others = math.constant(cubeTile(instance.needs, instance.schedule, key, target).width - 1);
  // Factors are clamped to slightly more than a tile may have; then the product is too large in any case.
  auto less = [&](Value size) { return math.min(math.max(math.sub(size, one), zero), most); };
  auto bounded = [&](Value size) { return math.min(size, math.add(most, one)); };
  Value down =
      math.min(less(windows.places[0]), math.add(math.floorDiv(others, math.max(windows.places[1], one)), one));
  Value rows = math.add(math.mul(down, math.constant(windows.stride[0])),
                        math.mul(less(windows.size[0]), math.constant(windows.dilation[0])));
  Value along = math.add(math.mul(others, math.constant(windows.stride[1])),
                         math.mul(less(windows.size[1]), math.constant(windows.dilation[1])));
  Value columns = bounded(windows.over[1]);
  Value reach = math.add(math.mul(bounded(rows), columns), math.min(columns, math.add(along, one)));
  return math.min(reach, math.mul(bounded(windows.over[0]), columns));
}

AicorePolicy::PlaceTile AicorePolicy::placeTile(TilingMath &math, const Instance &instance, const LaunchSizes &sizes,
                                                int64_t capacity, Value most) const {
  const LaunchWindows &windows = *sizes.windows;
  const int64_t unit = 32 / instance.needs.getSmallest();
  Value zero = math.constant(0), one = math.constant(1);
  Value stride = math.constant(windows.stride[1]);
  Value room = math.constant(capacity - aicore::kUnitsBesideWindows * unit);
  Value others = math.max(math.sub(windows.size[1], one), zero);
  Value reach = math.min(math.mul(others, math.constant(windows.dilation[1])), room);
  Value longest = math.add(math.floorDiv(math.max(math.sub(math.sub(room, reach), one), zero), stride), one);
  Value columns = math.max(windows.places[1], one), rows = math.max(windows.places[0], one);
  auto balanced = [&](Value whole, Value part) {
    return math.ceilDiv(whole, math.max(math.ceilDiv(whole, part), one));
  };
  PlaceTile tile;
  tile.rowLength = math.max(math.min(balanced(columns, longest), math.constant(capacity)), one);
  Value reachOfRow = math.add(math.mul(math.sub(tile.rowLength, one), stride), math.add(reach, one));
  Value padded = math.max(math.add(math.roundUp(reachOfRow, unit), math.constant(2 * unit)), one);
  Value fitting = math.min(math.floorDiv(math.constant(capacity), padded), math.constant(instance.schedule.getRows()));
  // Pools, whose tiles have all positions that fit, combine planes of rows that windows share.
  if (windows.hasDepth && !most) {
    // A tile also has room for rows that windows of its last places read, if that leaves half of the places.
    const aicore::SharedRows shared = aicore::sharedRows(windows.stride[0], windows.dilation[0]);
    Value others = math.max(math.sub(math.ceilDiv(windows.size[0], math.constant(shared.apart)), one), zero);
    others = math.mul(others, math.constant(shared.shift));
    fitting = math.max(math.sub(fitting, others), math.ceilDiv(fitting, math.constant(2)));
  }
  tile.line = math.max(math.roundUp(tile.rowLength, unit), one);
  if (most)
    fitting = math.min(fitting, math.floorDiv(most, tile.line));
  tile.rows = math.max(balanced(rows, math.max(fitting, one)), one);
  tile.rows = math.min(tile.rows, math.constant(instance.schedule.getRows()));
  tile.down = math.ceilDiv(windows.places[0], tile.rows);
  tile.across = math.ceilDiv(windows.places[1], tile.rowLength);
  return tile;
}

// Tiles are rows of positions, or parts of a row if not even one row fits. Tiles of a plane are adjacent.
std::vector<PolicyField> AicorePolicy::windows(TilingMath &math, const Instance &instance,
                                               const LaunchSizes &sizes) const {
  const PlaceTile tile = placeTile(math, instance, sizes, instance.schedule.getTile(), {});
  Value one = math.constant(1), planes = math.mul(math.mul(sizes.batch0, sizes.batch1), sizes.windows->placesDepth);
  Value tiles = math.mul(planes, math.mul(tile.down, tile.across));
  auto [blocks, ofBlock] = blocksOf(math, math.max(tiles, one), sizes.maxBlocks);
  return {{"block_num", blocks},
          {"row_length", tile.rowLength},
          {"tile_rows", tile.rows},
          {"tiles", tiles},
          {"tiles_down", math.max(tile.down, one)},
          {"tiles_across", math.max(tile.across, one)},
          {"block_tiles", math.max(ofBlock, one)}};
}

/// The number of filters that share gathered elements: a gather takes as long as this many products.
static constexpr int64_t kFiltersAtOnce = 16;

// A tile has the same positions for several filters: with few filters many positions; with many filters as many as
// share a gather.
std::vector<PolicyField> AicorePolicy::convolution(TilingMath &math, const ShapeKey &key, const Instance &instance,
                                                   const LaunchSizes &sizes) const {
  const int64_t capacity = instance.schedule.getTile(), ofPlaces = placesOf(key, instance.schedule);
  Value one = math.constant(1), filters = math.max(sizes.size[0], one);
  Value atOnce = math.min(filters, math.constant(kFiltersAtOnce));
  const PlaceTile tile =
      placeTile(math, instance, sizes, ofPlaces, math.floorDiv(math.constant(capacity), math.max(atOnce, one)));
  // Rows of a filter are aligned to 32 bytes.
  Value filterRow = math.max(math.roundUp(sizes.windows->size[1], 32 / instance.needs.getSmallest()), one);
  Value most = math.min(math.floorDiv(math.constant(capacity), math.max(math.mul(tile.rows, tile.line), one)),
                        math.floorDiv(math.constant(ofPlaces), filterRow));
  most = math.max(math.min(most, math.constant(instance.schedule.getRows())), one);
  Value ofTile = math.max(math.ceilDiv(filters, math.max(math.ceilDiv(filters, most), one)), one);
  Value filterTiles = math.ceilDiv(sizes.size[0], ofTile);
  Value planes = math.mul(math.mul(sizes.batch0, sizes.batch1), sizes.windows->placesDepth);
  Value tiles = math.mul(math.mul(planes, filterTiles), math.mul(tile.down, tile.across));
  auto [blocks, ofBlock] = blocksOf(math, math.max(tiles, one), sizes.maxBlocks);
  return {{"block_num", blocks},
          {"row_length", tile.rowLength},
          {"tile_rows", tile.rows},
          {"tile_filters", math.min(ofTile, math.constant(instance.schedule.getRows()))},
          {"tiles", tiles},
          {"tiles_filters", math.max(filterTiles, one)},
          {"tiles_down", math.max(tile.down, one)},
          {"tiles_across", math.max(tile.across, one)},
          {"block_tiles", math.max(ofBlock, one)},
          {"channel_blocks", one},
          {"steps", one},
          {"run_tiles", one}};
}

std::vector<PolicyField> AicorePolicy::fields(TilingMath &math, const ShapeKey &key, const LaunchSizes &sizes) {
  const Instance &instance = instances.at(key.number);
  if (key.kind == ShapeKey::Contraction)
    return key.isOnVectorUnit() ? convolution(math, key, instance, sizes) : contraction(math, key, instance, sizes);
  if (key.kind == ShapeKey::Windows)
    return windows(math, instance, sizes);
  if (key.kind == ShapeKey::Any &&
      llvm::any_of(key.operands, [](const ShapeKey::Operand &operand) { return operand.isAcross; }))
    return across(math, instance, sizes);
  return key.kind == ShapeKey::Flat ? flat(math, instance, sizes) : rows(math, instance, key, sizes);
}

} // namespace opc

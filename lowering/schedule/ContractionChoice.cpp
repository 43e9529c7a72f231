#include "lowering/schedule/ContractionChoice.h"

#include "dialect/aicore/tiles/WindowTiles.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using opc::aicore::NeedsAttr;
using opc::aicore::ScheduleAttr;

namespace opc {

namespace {

/// Times of pipes in cycles, by Pipe.
using Times = std::array<int64_t, kNumPipes>;

class CostModel {
public:
  CostModel(const ProductNeeds &product, ScheduleAttr schedule, const ShapeKey &key, const Target &target)
      : needs(product.own), tile(cubeTile(needs, schedule, key, target)), target(target), hasWindows(key.hasWindows),
        isResident(key.isResident), hasResidentRight(key.hasResidentRight), hasPackedFilters(key.hasPackedFilters),
        elementsOfPlace(key.elementsOfPlace), ofLoad(loadedDepth(needs, key, tile)),
        pieces(aicore::isLongRow(schedule) ? piecesOf(product.own, schedule, target) : 0),
        delays(delaysResults(product.own, schedule, key, target)) {
    left.computed = product.operands.left;
    right.computed = product.operands.right;
    right.isAlongK = isRightAlongK(key);
    for (const ShapeKey::Operand &operand : key.operands)
      if (operand.dims == std::vector<int>{2, 0})
        left.isAlongK = false;
  }

  int64_t cycles(const std::array<int64_t, 3> &sizes, int64_t batches) const;
  /// Of what computes an operand, for `sizeK` of all rows or columns of a tile; nullopt if nothing does.
  std::optional<int64_t> cyclesOfOperand(bool isRight, int64_t sizeK) const;
  /// For which the pipes that bring operands wait after each tile.
  int64_t waitOfTile(int64_t m, int64_t n) const;
  /// For which the loads of a panel wait for the last step of the tiles before.
  int64_t waitOfPanel(int64_t m, int64_t n, int64_t k) const {
    const Times step = timesOfStep(m, n, k);
    return step[size_t(Pipe::MTE1)] + step[size_t(Pipe::M)];
  }
  /// The times of all tiles together.
  Times times(const std::array<int64_t, 3> &sizes) const;

private:
  static int64_t piecesOf(NeedsAttr needs, ScheduleAttr schedule, const Target &target);
  static bool delaysResults(NeedsAttr needs, ScheduleAttr schedule, const ShapeKey &key, const Target &target);
  Times timesOfStep(int64_t m, int64_t n, int64_t k) const;
  Times timesOfTile(int64_t m, int64_t n) const;
  Times timesOfPartOfTile(int64_t m, int64_t n) const;
  Times timesOfRows(int64_t m) const;
  struct Operand {
    bool isAlongK = true; ///< rows of it in memory
    NeedsAttr computed;   ///< of what computes it; null if it is multiplied as it lies in memory
  };
  int64_t copyCycles(int64_t lines, int64_t columns) const;
  int64_t acrossCycles(int64_t k, int64_t columns) const;
  int64_t filterCycles(int64_t m, int64_t k) const;
  Times timesOfPart(const Operand &operand, int64_t across, int64_t mostAcross, int64_t k, int64_t mostK) const;
  Times timesOfPanel(const Operand &operand, int64_t across, int64_t mostAcross, int64_t sizeK, int64_t ofPart) const;
  static int64_t &of(Times &times, Pipe pipe) { return times[size_t(pipe)]; }

  NeedsAttr needs;
  const aicore::CubeTile tile;
  const Target &target;
  Operand left, right;
  const bool hasWindows, isResident, hasResidentRight, hasPackedFilters;
  const int64_t elementsOfPlace;
  const int64_t ofLoad; ///< of k, in a load of an operand that does not stay in L1
  const int64_t pieces; ///< of the rows of a tile, if they are long; else 0
  const bool delays;    ///< whether results of a tile are computed with after the next one's operands are made
};

} // namespace

/// Elements in a window, and intrinsics that compute the offsets of one element.
static constexpr int64_t kNominalPositions = 9, kOpsOfPosition = 14;

static int64_t fractals(int64_t size) {
  return std::max<int64_t>(llvm::divideCeil(size, kFractalRows), 1);
}

/// Adds `count` times `each` to each pipe. Sizes of static operators may be so large that a sum overflows 64 bits: it
/// saturates at a number that can still be added.
static void addTimes(Times &sum, uint64_t count, const Times &each) {
  constexpr uint64_t kMost = uint64_t(1) << 60;
  for (size_t pipe = 0; pipe < sum.size(); ++pipe)
    sum[pipe] = int64_t(std::min(llvm::SaturatingMultiplyAdd(count, uint64_t(each[pipe]), uint64_t(sum[pipe])), kMost));
}

/// Whole parts of a size, and the remaining one.
static std::array<std::pair<int64_t, int64_t>, 2> partsOf(int64_t size, int64_t most) {
  return {{{most, size / most}, {size % most, size % most != 0}}};
}

/// A part of an operand is copied with a fill before it and a barrier between them.
int64_t CostModel::copyCycles(int64_t lines, int64_t columns) const {
  return target.copyCycles(Pipe::MTE2, lines, columns * tile.bytes) + target.fillCycles(0) +
         2 * target.barrierCycles(Pipe::MTE2);
}

/// A part whose lines are not along k: of float32 there is a copy for each 16 of them.
int64_t CostModel::acrossCycles(int64_t k, int64_t columns) const {
  const int64_t more = tile.bytes == 4 ? fractals(k) - 1 : 0;
  return copyCycles(k, columns) + more * target.copyCycles(Pipe::MTE2, 0, 0);
}

/// A part of the filters of windows: rows, or columns of fractals if they are packed.
int64_t CostModel::filterCycles(int64_t m, int64_t k) const {
  if (!hasPackedFilters)
    return copyCycles(m, k);
  const int64_t perRow = kFractalRowBytes / tile.bytes;
  return copyCycles(llvm::divideCeil(k, perRow), m * perRow);
}

/// A part of an operand in L1: `across` of its rows or columns of the result, and `k`, of at most so many. One that is
/// computed is made in pieces of some rows (ComputedOperand.h).
Times CostModel::timesOfPart(const Operand &operand, int64_t across, int64_t mostAcross, int64_t k,
                             int64_t mostK) const {
  Times times{};
  const int64_t lines = operand.isAlongK ? across : k, columns = operand.isAlongK ? k : across;
  const NeedsAttr own = operand.computed;
  if (!own) {
    const bool isFilters = hasPackedFilters && &operand == &left;
    of(times, Pipe::MTE2) = isFilters          ? filterCycles(across, k)
                            : operand.isAlongK ? copyCycles(across, k)
                                               : acrossCycles(k, across);
    return times;
  }
  const bool hasBands = !operand.isAlongK && tile.bytes == 4;
  const auto [mostLines, mostColumns] = operand.isAlongK ? std::pair(mostAcross, mostK) : std::pair(mostK, mostAcross);
  const int64_t ofPiece =
      aicore::OperandPiece::of(own.getTileBits(), own.getSmallest(), hasBands).lines(mostLines, mostColumns);
  const int64_t start = target.vectorCycles(Intrinsic::vadd, {ElementType::Float32, ElementType::Float32}, 0);
  for (auto [some, count] : partsOf(lines, ofPiece)) {
    const int64_t elements = some * columns;
    Times piece{};
    of(piece, Pipe::MTE2) = target.copyCycles(Pipe::MTE2, some, columns * own.getLoadBytes()) + 2 * target.flagCycles();
    // One more intrinsic fills the last rows.
    of(piece, Pipe::V) = (own.getTileOps() + 1 + some * own.getRowOps()) * start +
                         own.getCycles() * elements / NeedsAttr::kCountedElements + 4 * target.flagCycles();
    // A copy for each column of fractals.
    of(piece, Pipe::MTE3) =
        int64_t(llvm::divideCeil(columns * tile.bytes, kFractalRowBytes)) * target.fillCycles(some * kFractalRowBytes) +
        2 * target.flagCycles();
    addTimes(times, uint64_t(count), piece);
  }
  return times;
}

/// All of k for some rows or columns, in parts of at most the size in L1.
Times CostModel::timesOfPanel(const Operand &operand, int64_t across, int64_t mostAcross, int64_t sizeK,
                              int64_t ofPart) const {
  Times times{};
  for (auto [k, count] : partsOf(sizeK, ofPart))
    if (count)
      addTimes(times, uint64_t(count), timesOfPart(operand, across, mostAcross, k, ofPart));
  return times;
}

/// The product of parts of these sizes.
Times CostModel::timesOfStep(int64_t m, int64_t n, int64_t k) const {
  Times times{};
  if (hasWindows) {
    const int64_t channels = std::max<int64_t>(k / kNominalPositions, 1);
    of(times, Pipe::MTE2) =
        filterCycles(m, k) + target.copyCycles(Pipe::MTE2, channels, (elementsOfPlace + 1) * n * tile.bytes);
    // A fill and a gather for all channels; the offsets are computed once for a tile.
    const ElementType type = tile.bytes == 4 ? ElementType::Float32 : ElementType::Float16;
    of(times, Pipe::V) = target.vectorCycles(Intrinsic::vgather, {type, type}, n * k) +
                         target.vectorCycles(Intrinsic::vbrc, {type, type}, kFractalRows);
    // A copy for each column of fractals, of float32 in each band of k.
    const int64_t bands = tile.bytes == 4 ? fractals(k) : 1, lines = bands == 1 ? k : kFractalRows;
    of(times, Pipe::MTE3) = bands * fractals(n) * (tile.bytes / 2) * target.fillCycles(lines * kFractalRowBytes);
  } else if (!hasResidentRight && ofLoad == tile.depth) {
    if (!isResident)
      addTimes(times, 1, timesOfPart(left, m, tile.rows, k, tile.depth));
    if (!isResident || !right.isAlongK)
      addTimes(times, 1, timesOfPart(right, n, tile.width, k, tile.depth));
  }
  // A copy for each row of fractals, or for each column.
  auto fractalCycles = [&](Memory to, int64_t rows, int64_t columns) {
    const int64_t most = std::max(fractals(rows), fractals(columns)),
                  least = std::min(fractals(rows), fractals(columns));
    return least * target.fractalCycles(to, most * kFractalRows * kFractalRows * tile.bytes);
  };
  of(times, Pipe::MTE1) = fractalCycles(Memory::L0A, m, k) + fractalCycles(Memory::L0B, k, n) + 4 * target.flagCycles();
  of(times, Pipe::M) = target.cubeCycles(m, k, n, tile.bytes == 4 ? ElementType::Float32 : ElementType::Float16) +
                       target.barrierCycles(Pipe::M) + 2 * target.flagCycles();
  return times;
}

/// The elementwise operations on a tile of results.
Times CostModel::timesOfTile(int64_t m, int64_t n) const {
  Times times{};
  if (hasWindows)
    of(times, Pipe::V) = kNominalPositions * kOpsOfPosition *
                         target.vectorCycles(Intrinsic::vadd, {ElementType::Int32, ElementType::Int32}, n);
  if (needs.getTileBits() == 0) {
    of(times, Pipe::FIX) = target.fixpipeCycles(m, n);
    return times;
  }
  // A part of some rows after the last one repeats a row.
  for (auto [lines, count] : partsOf(m, tile.partRows))
    if (count)
      addTimes(times, uint64_t(count), timesOfPartOfTile(lines, n));
  if (const int64_t repeated = tile.rows / tile.partRows - int64_t(llvm::divideCeil(m, tile.partRows)); repeated > 0)
    addTimes(times, uint64_t(repeated), timesOfPartOfTile(1, n));
  return times;
}

/// Those on some of its rows.
Times CostModel::timesOfPartOfTile(int64_t m, int64_t n) const {
  Times times{};
  const int64_t parts = std::max<int64_t>(tile.width / tile.part, 1), columns = std::min(n, tile.part);
  of(times, Pipe::FIX) = parts * target.fixpipeCycles(m, columns);
  if (int64_t loads = needs.getLoads())
    of(times, Pipe::MTE2) = parts * loads * target.copyCycles(Pipe::MTE2, m, columns * needs.getLoadBytes() / loads);
  const int64_t start = target.vectorCycles(Intrinsic::vadd, {ElementType::Float32, ElementType::Float32}, 0);
  // Steps on long rows begin once for each piece (times).
  const int64_t starts = pieces ? 0 : needs.getTileOps() + m * needs.getRowOps();
  of(times, Pipe::V) += parts * (starts * start + needs.getCycles() * m * columns / NeedsAttr::kCountedElements);
  of(times, Pipe::MTE3) = parts * target.copyCycles(Pipe::MTE3, m, columns * needs.getStoreBytes());
  return times;
}

/// What the pieces of rows of a tile take beside their elements. Pieces after the last row do nothing.
Times CostModel::timesOfRows(int64_t m) const {
  Times times{};
  const int64_t start = target.vectorCycles(Intrinsic::vadd, {ElementType::Float32, ElementType::Float32}, 0);
  of(times, Pipe::V) = (llvm::divideCeil(m * pieces, tile.rows) * needs.getTileOps() + m * needs.getRowOps()) * start;
  return times;
}

int64_t CostModel::piecesOf(NeedsAttr needs, ScheduleAttr schedule, const Target &target) {
  const int64_t piece = aicore::rowsOfPiece(schedule, aicore::RowNeeds::of(needs, schedule), target);
  return schedule.getRows() / std::max<int64_t>(piece, 1);
}

Times CostModel::times(const std::array<int64_t, 3> &sizes) const {
  const auto [sizeM, sizeN, sizeK] = sizes;
  Times sum{};
  const int64_t panel = std::min(std::max<int64_t>(sizeK, 1), tile.panelDepth(target));
  // Whole tiles, and those at the ends of rows, of columns and of k.
  const auto ofRight = aicore::ResidentRight::of(tile, target);
  for (auto [n, across] : partsOf(std::max<int64_t>(sizeN, 1), tile.width))
    if (hasResidentRight && across)
      addTimes(sum, uint64_t(across),
               timesOfPanel(right, n, tile.width, sizeK, right.isAlongK ? ofRight.depth : tile.depth));
  for (auto [m, down] : partsOf(std::max<int64_t>(sizeM, 1), tile.rows)) {
    if (hasResidentRight && down)
      addTimes(sum, uint64_t(down),
               timesOfPanel(left, m, tile.rows, sizeK, left.isAlongK ? ofRight.depth : tile.depth));
    if (pieces && down)
      addTimes(sum, uint64_t(down), timesOfRows(m));
    if (isResident && down)
      addTimes(sum, uint64_t(down),
               timesOfPanel(left, m, tile.rows, panel, left.isAlongK ? tile.partDepth() : tile.depth));
    for (auto [n, across] : partsOf(std::max<int64_t>(sizeN, 1), tile.width)) {
      const uint64_t tiles = llvm::SaturatingMultiply(uint64_t(down), uint64_t(across));
      if (tiles == 0)
        continue;
      Times ofTile = timesOfTile(m, n);
      if (isResident && right.isAlongK)
        addTimes(ofTile, 1, timesOfPanel(right, n, tile.width, panel, tile.partDepth()));
      if (ofLoad > tile.depth) {
        addTimes(ofTile, 1, timesOfPanel(right, n, tile.width, sizeK, ofLoad));
        addTimes(ofTile, 1, timesOfPanel(left, m, tile.rows, sizeK, left.isAlongK ? ofLoad : tile.depth));
      }
      addTimes(sum, tiles, ofTile);
      for (auto [k, steps] : partsOf(std::max<int64_t>(sizeK, 1), tile.depth))
        if (steps)
          addTimes(sum, llvm::SaturatingMultiply(tiles, uint64_t(steps)), timesOfStep(m, n, k));
    }
  }
  return sum;
}

int64_t CostModel::cycles(const std::array<int64_t, 3> &sizes, int64_t batches) const {
  Times all{};
  addTimes(all, uint64_t(batches), times(sizes));
  if (!tile.fitsTwice(target))
    of(all, Pipe::M) += of(all, Pipe::FIX);
  const int64_t m = std::clamp<int64_t>(sizes[0], 1, tile.rows), n = std::clamp<int64_t>(sizes[1], 1, tile.width),
                k = std::clamp<int64_t>(sizes[2], 1, tile.depth);
  Times first = timesOfStep(m, n, k), last = timesOfTile(m, n);
  of(last, Pipe::MTE2) = 0;
  int64_t ends = 0;
  for (size_t pipe = 0; pipe < first.size(); ++pipe)
    ends += first[pipe] + last[pipe];
  const int64_t down = std::max<int64_t>(llvm::divideCeil(sizes[0], tile.rows), 1);
  if (isResident) {
    Times ofRun{};
    of(ofRun, Pipe::MTE2) = waitOfPanel(m, n, k);
    addTimes(all, llvm::SaturatingMultiply(uint64_t(batches), uint64_t(down)) - 1, ofRun);
  }
  // The results of long rows have one slot, so Fixpipe and the vector unit take turns.
  if (pieces)
    of(all, Pipe::V) += of(all, Pipe::FIX);
  const int64_t across = std::max<int64_t>(llvm::divideCeil(sizes[1], tile.width), 1);
  Times ofTile{}, waits{};
  of(ofTile, Pipe::V) = waitOfTile(m, n);
  addTimes(waits,
           llvm::SaturatingMultiply(uint64_t(batches), llvm::SaturatingMultiply(uint64_t(down), uint64_t(across))),
           ofTile);
  return *std::max_element(all.begin(), all.end()) + ends + of(waits, Pipe::V);
}

// The vector unit works in order: on the pieces of an operand for a tile, on the results of this tile when they are
// complete, on the pieces for the next one, and so does MTE3. So the others wait at the end of each tile, as at the end
// of a launch, unless results are delayed (ContractionKernel::isDelayed).
int64_t CostModel::waitOfTile(int64_t m, int64_t n) const {
  const bool isBetween = right.computed || (left.computed && !isResident);
  if (!isBetween || needs.getTileBits() == 0)
    return 0;
  const Times step = timesOfStep(m, n, tile.depth), results = timesOfTile(m, n);
  // MTE1 relays the flags of the copy to UB.
  const int64_t ofCube = step[size_t(Pipe::MTE1)] + step[size_t(Pipe::M)] + results[size_t(Pipe::FIX)];
  return delays ? ofCube : ofCube + results[size_t(Pipe::V)] + results[size_t(Pipe::MTE3)] / 2; // of the last parts
}

std::optional<int64_t> CostModel::cyclesOfOperand(bool isRight, int64_t sizeK) const {
  const Operand &operand = isRight ? right : left;
  const int64_t most = isRight ? tile.width : tile.rows;
  if (!operand.computed)
    return std::nullopt;
  const Times times = timesOfPanel(operand, most, most, sizeK,
                                   isResident && operand.isAlongK ? tile.partDepth()
                                   : operand.isAlongK             ? ofLoad
                                                                  : tile.depth);
  return *std::max_element(times.begin(), times.end());
}

std::optional<int64_t> computedOperandCycles(const ProductNeeds &needs, ScheduleAttr schedule, const ShapeKey &key,
                                             const Target &target, bool isRight, int64_t sizeK) {
  return CostModel(needs, schedule, key, target).cyclesOfOperand(isRight, sizeK);
}

int64_t computedOperandWait(const ProductNeeds &needs, ScheduleAttr schedule, const ShapeKey &key,
                            const Target &target) {
  const aicore::CubeTile tile = cubeTile(needs.own, schedule, key, target);
  return CostModel(needs, schedule, key, target).waitOfTile(tile.rows, tile.width);
}

/// The number in the name of a key after this suffix: the size for which its tile is chosen; nullopt if it has none.
static std::optional<int64_t> sizeInName(const ShapeKey &key, StringRef suffix) {
  const size_t found = StringRef(key.name).rfind(suffix);
  int64_t size = 0;
  if (found == StringRef::npos || StringRef(key.name).substr(found + suffix.size()).getAsInteger(10, size) || size < 1)
    return std::nullopt;
  return size;
}

bool isRightAlongK(const ShapeKey &key) {
  return llvm::any_of(key.operands,
                      [](const ShapeKey::Operand &operand) { return operand.dims == std::vector<int>{1, 2}; });
}

int64_t loadedDepth(NeedsAttr needs, const ShapeKey &key, const aicore::CubeTile &tile) {
  if (!key.reduced[1] || key.hasResidentRight)
    return tile.depth;
  return tile.depthOfReduced(isRightAlongK(key), needs.getFoldsLanes());
}

bool hasShorterRows(const ShapeKey &key) {
  return key.isLong && sizeInName(key, "_n").has_value();
}

// Keys named by a number of rows have as much of k as a panel with so many rows takes, and as many columns.
std::array<int64_t, 3> nominalSizes(const ShapeKey &key) {
  if (key.hasWindows)
    return kNominalConvolution;
  if (key.isLong)
    return {kNominalLongRows[0], sizeInName(key, "_n").value_or(kNominalLongRows[1]), kNominalLongRows[2]};
  if (key.hasResidentRight)
    return kNominalRightMatrix;
  if (!key.isResident)
    return kNominalSizes;
  constexpr int64_t ofPanel = int64_t(1) << 18, longest = 4096;
  const std::optional<int64_t> named = sizeInName(key, "_m");
  if (!named)
    return kNominalPanel;
  const int64_t rows = *named;
  const int64_t others = std::min(ofPanel / rows, longest);
  return {rows, others, others};
}

int64_t contractionCycles(const ProductNeeds &needs, ScheduleAttr schedule, const ShapeKey &key, const Target &target,
                          const std::array<int64_t, 3> &sizes, int64_t batches) {
  return CostModel(needs, schedule, key, target).cycles(sizes, batches);
}

/// The bytes of UB for rows that are longer than a tile, if the vector unit works on one of them at a time.
static int64_t ubBytesOfLongRows(NeedsAttr needs, ScheduleAttr schedule) {
  const aicore::RowNeeds of = aicore::RowNeeds::of(needs, schedule);
  return of.fixedBytes + aicore::resultsOfLongRows(schedule) * int64_t(sizeof(float)) +
         (schedule.getTile() / schedule.getRows() * of.tileBits + 7) / 8 + of.rowBytes;
}

/// The bytes of UB for a tile.
static int64_t ubBytesOf(NeedsAttr needs, ScheduleAttr schedule, const ShapeKey &key, const Target &target) {
  if (aicore::isLongRow(schedule))
    return ubBytesOfLongRows(needs, schedule);
  int64_t panels = 0;
  if (key.hasWindows) { // WindowPanels: two panels and the elements of two channels, offsets, and nine rows
                        // of positions
    const aicore::CubeTile tile = cubeTile(needs, schedule, key, target);
    panels = 2 * (tile.depth * tile.width + aicore::mostOfChannels(key.hasPackedFilters, tile.bytes) + kFractalRows) *
                 tile.bytes +
             (aicore::offsetRows(tile.depth, key.hasPackedFilters) + 9) * tile.width * int64_t(sizeof(int32_t)) +
             16 * schedule.getAlignment();
  }
  // A computed operand has its pieces there, also if Fixpipe stores the result.
  if (needs.getTileBits() == 0)
    return panels + needs.getFixedBytes() + schedule.getAlignment() * needs.getBuffers();
  const bool single = schedule.getSlots() == 1;
  const int64_t bits = needs.getTileBits() - (single ? needs.getSecondBits() : 0);
  const int64_t rowBytes = needs.getRowBytes() - (single ? needs.getSecondBytes() : 0);
  return panels + needs.getFixedBytes() + (schedule.getTile() * bits + 7) / 8 + schedule.getRows() * rowBytes +
         schedule.getAlignment() * needs.getBuffers();
}

// As ContractionKernel::isDelayed.
bool CostModel::delaysResults(NeedsAttr needs, ScheduleAttr schedule, const ShapeKey &key, const Target &target) {
  const aicore::CubeTile tile = cubeTile(needs, schedule, key, target);
  return !aicore::isLongRow(schedule) && !key.reduced[1] && schedule.getSlots() > 1 && needs.getSmallest() > 1 &&
         tile.fitsTwice(target) && (tile.parts() == 1 || tile.partRows < tile.rows) &&
         tile.fitsUb(target.ubBytes() - ubBytesOf(needs, schedule, key, target));
}

static std::string text(int64_t number) {
  return std::to_string(number);
}

namespace {
/// A schedule that fits, and its cycles by the cost model.
struct Candidate {
  ScheduleAttr schedule;
  int64_t cycles;
};
} // namespace

/// Candidates that an explanation names beside the chosen one.
static constexpr size_t kExplained = 4;

/// "128 x 256 x 64", with the columns that UB has at once if something follows the product.
static std::string tileText(NeedsAttr needs, ScheduleAttr schedule, const ShapeKey &key, const Target &target) {
  const aicore::CubeTile tile = cubeTile(needs, schedule, key, target);
  return text(tile.rows) + " x " + text(tile.width) + " x " + text(tile.depth) +
         (needs.getTileBits() == 0    ? ""
          : tile.partRows < tile.rows ? " in parts of " + text(tile.partRows) + " rows"
                                      : " in parts of " + text(tile.part));
}

/// The best of the other candidates, cheapest first, each with the pipe that bounds it.
static std::string othersText(const ProductNeeds &needs, ArrayRef<Candidate> others, const ShapeKey &key,
                              const Target &target, const std::array<int64_t, 3> &sizes) {
  std::string list;
  for (const Candidate &other : others.take_front(kExplained)) {
    const Times times = CostModel(needs, other.schedule, key, target).times(sizes);
    const size_t bound = size_t(std::max_element(times.begin(), times.end()) - times.begin());
    list += (list.empty() ? "; next are " : ", ") + tileText(needs.own, other.schedule, key, target) + " with " +
            text(other.cycles) + " (" + std::string(pipeName(Pipe(bound))) + " " + text(times[bound]) + ")";
  }
  return list;
}

/// The columns that candidates have, or the length of their rows: ascending.
static std::vector<int64_t> widthsOf(const ShapeKey &key, int64_t narrowest) {
  std::vector<int64_t> widths;
  if (!key.isLong)
    for (int64_t width = narrowest; width <= aicore::CubeTile::kMostColumns; width *= 2)
      widths.push_back(width);
  if (key.isLong || key.hasResidentRight)
    for (int64_t width = aicore::kLeastLongRow; width <= aicore::kMostLongRow; width += aicore::kLongRowUnit)
      widths.push_back(width);
  return widths;
}

ScheduleChoice chooseContraction(const ProductNeeds &product, const ShapeKey &key, const ContractSchedule &author,
                                 const Target &target, const std::array<int64_t, 3> &sizes, int64_t batches) {
  const NeedsAttr needs = product.own;
  constexpr int64_t most = 512, unit = kFractalRows;
  const int64_t slots = author.slots ? author.slots->value : 2;
  const int64_t alignment = author.alignment ? author.alignment->value : target.ubAlignment();
  ScheduleChoice choice;
  std::vector<Candidate> candidates;
  int64_t leastBytes = INT64_MAX;
  // Rows in UB are whole blocks of 32 bytes; for bytes they are wider than a fractal.
  const int64_t narrowest = needs.getTileBits() == 0 ? unit : std::max(unit, 32 / needs.getSmallest());
  for (int64_t rows = unit; rows <= most; rows *= 2)
    for (int64_t width : widthsOf(key, narrowest)) {
      const int64_t elements = rows * width;
      if ((author.rows && author.rows->value != rows) || (author.tile && author.tile->value != elements))
        continue;
      auto schedule = ScheduleAttr::get(needs.getContext(), elements, rows, slots, /*prefetch=*/false, alignment,
                                        needs.getAlias(), needs.getExpansion());
      const int64_t ub = ubBytesOf(needs, schedule, key, target);
      if (ub < leastBytes) {
        leastBytes = choice.bytes = ub;
        choice.asked = schedule;
      }
      const aicore::CubeTile tile = cubeTile(needs, schedule, key, target);
      if (tile.rows * tile.width * int64_t(sizeof(float)) > target.memoryBytes(Memory::L0C) || ub > target.ubBytes() ||
          2 * (tile.rows + tile.width) * tile.depth * tile.bytes > target.memoryBytes(Memory::L1))
        continue;
      // An author's tile has the largest panel that fits beside it: launches with a larger k use another key.
      const int64_t leastPanel = author.rows || author.tile ? tile.partDepth() : std::max<int64_t>(sizes[2], 1);
      if (key.isResident && tile.panelDepth(target) < leastPanel)
        continue;
      // An author's tile serves other launches.
      const bool isGiven = author.rows || author.tile;
      if (key.hasResidentRight && aicore::ResidentRight::of(tile, target).mostOfK() < (isGiven ? 1 : sizes[2]))
        continue;
      choice.largestTile = std::max(choice.largestTile, elements);
      candidates.push_back({schedule, contractionCycles(product, schedule, key, target, sizes, batches)});
    }
  // Rows that are reduced are whole in a tile: all of them, or as long ones as there is room for.
  if (key.reduced[1]) {
    auto columns = [](const Candidate &each) { return each.schedule.getTile() / each.schedule.getRows(); };
    int64_t widest = 0, shortest = aicore::kMostLongRow;
    for (const Candidate &each : candidates)
      widest = std::max(widest, columns(each));
    llvm::erase_if(candidates, [&](const Candidate &each) { return columns(each) < std::min(sizes[1], widest); });
    // Longer rows leave less room for pieces of them.
    for (const Candidate &each : candidates)
      shortest = std::min(shortest, columns(each));
    if (key.hasResidentRight)
      llvm::erase_if(candidates, [&](const Candidate &each) { return columns(each) > shortest; });
  }
  if (!choice.asked) // the author's numbers are not a valid tile of the cube
    choice.asked = ScheduleAttr::get(needs.getContext(), unit * (key.isLong ? aicore::kLeastLongRow : unit), unit,
                                     slots, false, alignment, needs.getAlias(), needs.getExpansion());
  if (candidates.empty())
    return choice;
  // Of equals, the first one: with fewer rows.
  llvm::stable_sort(candidates, [](const Candidate &a, const Candidate &b) { return a.cycles < b.cycles; });
  const ScheduleAttr best = candidates.front().schedule;
  choice.schedule = choice.asked = best;
  choice.bytes = ubBytesOf(needs, best, key, target);
  const Times times = CostModel(product, best, key, target).times(sizes);
  const size_t bound = size_t(std::max_element(times.begin(), times.end()) - times.begin());
  std::string pipes;
  for (size_t pipe = 0; pipe < times.size(); ++pipe)
    if (times[pipe])
      pipes += (pipes.empty() ? "" : ", ") + std::string(pipeName(Pipe(pipe))) + " " + text(times[pipe]);
  choice.why.push_back("tile m x n x k = " + tileText(needs, best, key, target) + ": " +
                       text(candidates.front().cycles) + " cycles for m, n, k = " + text(sizes[0]) + ", " +
                       text(sizes[1]) + ", " + text(sizes[2]) +
                       (batches == 1 ? "" : " and " + text(batches) + " batches") +
                       " by the cost model, the fewest of " + text(int64_t(candidates.size())) + " that fit" +
                       othersText(product, ArrayRef(candidates).drop_front(), key, target, sizes));
  choice.why.push_back("pipe " + std::string(pipeName(Pipe(bound))) + " bounds it; cycles of all pipes: " + pipes);
  choice.why.push_back(cubeTile(needs, best, key, target).fitsTwice(target)
                           ? "two tiles of results in L0C: pipes m and fix work on one each"
                           : "one tile of results in L0C: pipe m waits while fix empties it");
  if (const aicore::CubeTile tile = cubeTile(needs, best, key, target); tile.part > tile.width)
    choice.why.push_back("UB has rows of up to " + text(tile.part) + " columns, which tiles of " + text(tile.width) +
                         " fill: " + text(choice.bytes) + " of " + text(target.ubBytes()) + " bytes");
  else if (needs.getTileBits() != 0 && tile.partRows < tile.rows)
    choice.why.push_back("UB has " + text(tile.partRows) + " of the " + text(tile.rows) +
                         " rows at once: " + text(choice.bytes) + " of " + text(target.ubBytes()) + " bytes");
  else if (needs.getTileBits() != 0)
    choice.why.push_back("UB has " + text(tile.part) + " of the " + text(tile.width) +
                         " columns at once: " + text(choice.bytes) + " of " + text(target.ubBytes()) + " bytes");
  for (auto [knob, name] : {std::pair(&author.rows, "rows"), {&author.tile, "tile"}, {&author.slots, "slots"}})
    if (*knob)
      choice.why.push_back(std::string(name) + " = " + text((*knob)->value) + ": line " + text((*knob)->location.line) +
                           " of the schedule file");
  return choice;
}

} // namespace opc

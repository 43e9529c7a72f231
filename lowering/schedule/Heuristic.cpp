#include "lowering/schedule/Heuristic.h"

#include "lowering/schedule/ContractionChoice.h"

using namespace mlir;
using opc::aicore::NeedsAttr;
using opc::aicore::ScheduleAttr;

namespace opc {

/// A tile has room for one row per 64 elements, in the memory that is needed per row; for one per 80 if it then has
/// eight long rows more and the vector unit bounds it, which combines up to eight rows with their elements in one time.
static constexpr int64_t kElementsARow = 64, kFewRowsElements = 80, kEightRows = 8 * 1024;
/// Bytes reserved for aligning buffers to 32 bytes.
static constexpr int64_t kSlack = 1024;
static constexpr int64_t kLeastTile = 256, kLargestTile = int64_t(1) << 20;

/// Whether the vector unit takes longer for an element than its loads and its stores.
static bool boundsVector(NeedsAttr needs, const Target &target) {
  const double computed = double(needs.getCycles()) / double(NeedsAttr::kCountedElements);
  return computed > double(needs.getLoadBytes()) / target.figure("load_rate") &&
         computed > double(needs.getStoreBytes()) / target.figure("store_rate");
}

static std::string text(int64_t number) {
  return std::to_string(number);
}

/// "line 4 of the schedule file", for use as a reason.
static std::string author(const ScheduleKnob &knob) {
  return "line " + std::to_string(knob.location.line) + " of the schedule file";
}

static int64_t slotsOf(NeedsAttr needs, bool inPasses, const ContractSchedule &given, ScheduleChoice &choice) {
  // Each load of each pass takes an event id per slot, and a pair of pipes has six of them.
  int64_t slots = inPasses && needs.getLoads() > 1 ? 1 : 2;
  if (given.slots) {
    choice.why.push_back("slots = " + text(given.slots->value) + ": " + author(*given.slots));
    return given.slots->value;
  }
  choice.why.push_back(slots == 2 ? "slots = 2: DMA and the vector unit work on two tiles"
                                  : "slots = 1: flags of several passes would need more event ids than there are");
  return slots;
}

static bool prefetches(NeedsAttr needs, bool inPasses, int64_t slots, const ContractSchedule &given,
                       ScheduleChoice &choice) {
  bool useful = needs.getReadsScalars() && !inPasses && slots == 2;
  if (!useful)
    return false;
  if (given.prefetch) {
    choice.why.push_back("prefetch = " + std::string(given.prefetch->value ? "true" : "false") + ": " +
                         author(*given.prefetch));
    return given.prefetch->value != 0;
  }
  choice.why.push_back("prefetch = true: the scalar unit waits for values of rows, so the next "
                       "tile is loaded first");
  return true;
}

ScheduleChoice chooseSchedule(NeedsAttr needs, const ShapeKey &key, const ContractSchedule &asked, const Target &target,
                              const OperandNeeds &operands) {
  if (key.kind == ShapeKey::Contraction && !key.isOnVectorUnit())
    return chooseContraction({needs, operands}, key, asked, target, nominalSizes(key));
  ScheduleChoice choice;
  bool inPasses = key.isLong || key.kind == ShapeKey::Columns;
  // The number of rows in an entry for all keys does not apply to keys without rows.
  ContractSchedule given = asked;
  if (key.isLong || key.kind == ShapeKey::Flat)
    given.rows.reset();
  int64_t slots = slotsOf(needs, inPasses, given, choice);
  int64_t bits = needs.getTileBits() - (slots == 1 ? needs.getSecondBits() : 0);
  int64_t rowBits = 8 * (needs.getRowBytes() - (slots == 1 ? needs.getSecondBytes() : 0));
  int64_t alignment = given.alignment ? given.alignment->value : target.ubAlignment();
  int64_t slack = std::max(kSlack, alignment * needs.getBuffers());
  int64_t fixed = slack + needs.getFixedBytes();
  int64_t room = (target.ubBytes() - fixed) * 8;
  bits = std::max<int64_t>(1, bits);

  // The elements that fit beside a number of rows, rounded down to whole units.
  auto fitting = [&](int64_t left, int64_t each) {
    return std::min(std::max<int64_t>(left, 0) / each / kLeastTile * kLeastTile, kLargestTile);
  };
  bool freeRows = !key.isLong && rowBits > 0 && !given.rows;
  int64_t rows = given.rows ? given.rows->value : 1;
  if (freeRows && !given.tile) {
    auto with = [&](int64_t elements) { return fitting(room, bits + (rowBits + elements - 1) / elements); };
    const int64_t eights = boundsVector(needs, target) ? with(kFewRowsElements) / kEightRows * kEightRows : 0;
    choice.largestTile = std::max(with(kElementsARow), eights);
  } else
    choice.largestTile = fitting(room - rows * rowBits, bits);
  int64_t tile = given.tile ? given.tile->value : choice.largestTile;
  if (!key.isLong && !given.rows) {
    rows = std::clamp<int64_t>(tile / kElementsARow, 1, target.maxCopyBlocks());
    if (rowBits > 0)
      rows = std::clamp<int64_t>((room - tile * bits) / rowBits, 1, rows);
  }
  choice.bytes = fixed + (std::max(tile, kLeastTile) * bits + rows * rowBits + 7) / 8;
  bool prefetch = prefetches(needs, inPasses, slots, given, choice);
  choice.asked = ScheduleAttr::get(needs.getContext(), std::max(tile, kLeastTile), rows, slots, prefetch, alignment,
                                   needs.getAlias(), needs.getExpansion());
  if (tile < kLeastTile || tile > choice.largestTile)
    return choice;
  choice.schedule = choice.asked;

  std::string measure = text(target.ubBytes()) + " bytes of UB on " + std::string(target.name()) + ", " + text(bits) +
                        " bits for each element of a tile";
  if (rowBits > 0)
    measure += ", " + text(rowBits / 8) + " bytes for each of at most " + text(rows) + " rows";
  choice.why.insert(choice.why.begin(), given.tile ? "tile = " + text(tile) + ": " + author(*given.tile) + "; " +
                                                         text(choice.largestTile) + " would fit (" + measure + ")"
                                                   : "tile = " + text(tile) + ": " + measure);
  if (given.rows)
    choice.why.push_back("rows = " + text(rows) + ": " + author(*given.rows));
  if (given.alignment)
    choice.why.push_back("alignment = " + text(alignment) + ": " + author(*given.alignment));
  if (needs.getAlias())
    choice.why.push_back("alias = true: " + author(*given.alias));
  if (needs.getExpansion() != 32)
    choice.why.push_back("expansion = float16: " + author(*given.expansion));
  return choice;
}

NeedsAttr needsFor(ArrayRef<NeedsAttr> variants, bool alias, int64_t expansion) {
  // The variant closest to the request: a kernel may have no use for an alias, an expansion type, or both.
  NeedsAttr best = variants.front();
  for (NeedsAttr variant : variants)
    if ((!variant.getAlias() || alias) && variant.getExpansion() >= expansion &&
        (variant.getAlias() >= best.getAlias() || variant.getExpansion() < best.getExpansion()) &&
        variant.getExpansion() <= best.getExpansion())
      best = variant;
  return best;
}

int64_t estimateCycles(NeedsAttr needs, ScheduleAttr schedule, const ShapeKey &key, const Target &target) {
  if (key.kind == ShapeKey::Contraction && !key.isOnVectorUnit())
    return contractionCycles({needs, {}}, schedule, key, target, nominalSizes(key));
  constexpr double elements = double(1 << 20), rowLength = 1024;
  constexpr double counted = double(NeedsAttr::kCountedElements), whole = double(NeedsAttr::kWholeReach);
  const double loadReach = double(needs.getLoadReach()) / whole, storeReach = double(needs.getStoreReach()) / whole;
  bool flat = key.kind == ShapeKey::Flat;
  auto cyclesWith = [&](double tile) {
    double rows = flat || key.isLong ? 1 : std::max(1.0, tile / rowLength);
    double opening = rows * target.figure("copy_row_cycles");
    double load = double(needs.getLoads()) * (target.figure("load_start_cycles") + opening) +
                  tile * double(needs.getLoadBytes()) / target.figure("load_rate");
    double store = needs.getStoreBytes() == 0 ? 0
                                              : target.figure("store_start_cycles") + opening +
                                                    tile * double(needs.getStoreBytes()) / target.figure("store_rate");
    double start = double(target.vectorCycles(Intrinsic::vadd, {ElementType::Float32, ElementType::Float32}, 0) +
                          target.barrierCycles(opc::Pipe::V));
    double compute = start * (double(needs.getTileOps()) + rows * double(needs.getRowOps())) +
                     tile * double(needs.getCycles()) / counted;
    load *= double(needs.getPasses());
    compute *= double(needs.getPasses());
    double all = load + compute + store;
    double period = std::max({load, compute, store});
    if (schedule.getSlots() == 1)
      period = std::max({compute, load + loadReach * compute, storeReach * compute + store});
    if (needs.getReadsScalars() && !schedule.getPrefetch())
      period = std::max(period, load + compute);
    if (needs.getAlias())
      period = std::max(period, all / double(schedule.getSlots()));
    return all + std::max(0.0, elements / tile - 1) * period;
  };
  // The tiling function takes smaller tiles where they are cheaper.
  double least = cyclesWith(double(schedule.getTile()));
  for (int64_t tile = 1024; tile < schedule.getTile(); tile *= 2)
    least = std::min(least, cyclesWith(double(tile)));
  return static_cast<int64_t>(least);
}

} // namespace opc

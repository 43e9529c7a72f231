#include "lowering/aicore/place/writer/Needs.h"

#include "dialect/aicore/tiles/CubeTiles.h"

using namespace mlir;

namespace opc::aicore {

std::vector<unsigned> levelsOf(const TileProgram &program) {
  std::vector<unsigned> levels(program.values.size());
  for (const TileStep &step : program.steps) {
    unsigned level = step.rowScalar ? levels[*step.rowScalar] : 0;
    for (TileId source : step.sources)
      level = std::max(level, levels[source]);
    levels[step.result] = level + (step.reducesRows() || step.foldsRows);
  }
  return levels;
}

unsigned passesOf(const TileProgram &program, const std::vector<unsigned> &levels) {
  unsigned passes = 0;
  for (const TileStep &step : program.steps)
    passes = std::max(passes, levels[step.result]);
  bool storesRows =
      llvm::any_of(program.stores, [&](auto &store) { return program.spreadOf(store.first) == Spread::Full; });
  return std::max(1u, passes + storesRows);
}

bool comparesColumns(const TileProgram &program) {
  return llvm::any_of(program.values,
                      [](const TileValue &value) { return value.isMask && value.spread == Spread::Column; });
}

/// Elements from one row of a Column buffer to the next: a block of 32 bytes in the smallest type of such buffers, if
/// the steps of a tile of whole rows alone touch them; else in the smallest type of the kernel.
static int64_t columnStrideOf(const TileProgram &program, const KernelShape &shape, const Homes &homes, bool inPasses,
                              int64_t smallest) {
  const bool isOfRows = shape.form == KernelForm::Rows || shape.form == KernelForm::ReduceRows;
  const bool isPlain = llvm::none_of(program.steps, [](const TileStep &step) {
    return step.lookup || step.scan || step.sort || step.foldsLanes || step.isPosition || step.countsAlong;
  });
  if (!isOfRows || inPasses || !isPlain || comparesColumns(program))
    return kBlockBytes / smallest;
  int64_t least = sizeof(float);
  for (const Home &home : homes.homes)
    if (home.spread == Spread::Column && !home.isMask && !home.lanes)
      least = std::min<int64_t>(least, elementSize(home.type));
  return kBlockBytes / least;
}

/// Intrinsics that copy a row to each of 128 rows.
static constexpr int64_t kDoublings = 7;

/// Intrinsics that fold a row of up to 256 elements: a fill, a copy, four halves, a block.
static constexpr int64_t kFoldOps = 7;

/// The vector unit's work for a tile and for each of its rows.
static void countWork(const TileProgram &program, const Homes &homes, const Target &target, TileNeeds &needs) {
  std::vector<bool> loaded(homes.homes.size()), stored(homes.homes.size());
  for (TileId value = 0; value < program.values.size(); ++value)
    if (program.values[value].tensor && program.values[value].spread == Spread::Full)
      loaded[homes.of[value]] = true;
  for (auto [value, tensor] : program.stores)
    stored[homes.of[value]] = true;
  std::optional<int64_t> firstStored;
  for (const TileStep &step : program.steps) {
    Spread spread = program.spreadOf(step.result);
    bool reduces = step.reducesRows();
    // The elements of a column that are spread over blocks are read by a single intrinsic for all rows.
    bool fromRows = step.rowScalar && program.spreadOf(*step.rowScalar) == Spread::Column &&
                    !homes.blocksOf.contains(*step.rowScalar);
    bool isMixed = llvm::any_of(step.sources, [&](TileId source) {
      return program.spreadOf(source) != spread && !homes.repeated.contains(source);
    });
    if (spread != Spread::Full && !reduces)
      continue;
    if (step.lookup || step.sort) {
      // A copy, or a gather, for each row.
      ++needs.rowOps;
      continue;
    }
    if (step.spreadsInPlace()) {
      // Copies that double a row; or a gather of elements, a fill, a product.
      needs.tileOps += kDoublings + 3;
      const ElementType type = program.values[step.result].type;
      for (Intrinsic each : {Intrinsic::vbrc, Intrinsic::vmul})
        needs.cycles += target.vectorCycles(each, {type, type}, NeedsAttr::kCountedElements) -
                        target.vectorCycles(each, {type, type}, 0);
      needs.loadReach = needs.cycles;
      continue;
    }
    // A reduction of the chip is a fill and a call for all rows.
    const bool isPerRow = step.foldsLanes || fromRows || (isMixed && !reduces) || step.scan;
    (isPerRow ? needs.rowOps : needs.tileOps) += step.foldsLanes ? kFoldOps : step.scan || reduces ? 2 : 1;
    ElementType to = program.values[step.result].type;
    ElementType from = step.sources.empty() ? to : program.values[step.sources.back()].type;
    auto touches = [&](const std::vector<bool> &tiles) {
      return tiles[homes.of[step.result]] ||
             llvm::any_of(step.sources, [&](TileId source) { return tiles[homes.of[source]]; });
    };
    if (!firstStored && touches(stored))
      firstStored = needs.cycles;
    auto work = [&](Intrinsic intrinsic) {
      return target.vectorCycles(intrinsic, {from, to}, NeedsAttr::kCountedElements) -
             target.vectorCycles(intrinsic, {from, to}, 0);
    };
    needs.cycles += work(step.intrinsic) + (step.foldsLanes || step.scan ? work(Intrinsic::vcopy) : 0);
    if (touches(loaded))
      needs.loadReach = needs.cycles;
  }
  for (TileId value : homes.repeated) {
    // Rows are doubled until the tile is full.
    const ElementType type = program.values[value].type;
    needs.tileOps += kDoublings;
    needs.cycles += target.vectorCycles(Intrinsic::vcopy, {type, type}, NeedsAttr::kCountedElements) -
                    target.vectorCycles(Intrinsic::vcopy, {type, type}, 0);
  }
  needs.storeReach = needs.cycles - firstStored.value_or(0);
}

/// Bits for each element of a tile that buffers of the loop over tiles share with rows that only steps before the loop
/// read. The addresses of both are the planner's (lowering/aicore/plan); a row fits into a tile of a wider type.
static int64_t sharedBits(const TileProgram &program, const Homes &homes) {
  auto isRead = [&](unsigned home) {
    return llvm::any_of(program.steps, [&](const TileStep &step) {
      return program.spreadOf(step.result) != Spread::Row &&
             llvm::any_of(step.sources, [&](TileId source) { return homes.of[source] == home; });
    });
  };
  SmallVector<int64_t> rows, tiles;
  for (auto [number, home] : llvm::enumerate(homes.homes)) {
    const int64_t bits = int64_t(elementSize(home.type)) * 8;
    const bool isStored = llvm::any_of(
        program.stores, [&, home = unsigned(number)](auto &store) { return homes.of[store.first] == home; });
    if (home.byDma && home.invariant && home.spread == Spread::Row && !isStored && !isRead(unsigned(number)))
      rows.push_back(bits);
    else if (!home.byDma && !home.invariant && home.spread == Spread::Full && !home.isMask)
      tiles.push_back(bits);
  }
  // Each tile holds as many whole rows as fit.
  int64_t shared = 0;
  llvm::sort(rows, std::greater<>());
  for (int64_t row : rows) {
    auto tile = llvm::find_if(tiles, [&](int64_t left) { return left >= row; });
    if (tile == tiles.end())
      continue;
    *tile -= row;
    shared += row;
  }
  return shared;
}

namespace {

/// Adds up what the buffers take, what is loaded and stored, and the scratch of the steps.
class NeedsCount {
public:
  NeedsCount(const TileProgram &program, const KernelShape &shape, const Homes &homes, bool inPasses)
      : program(program), shape(shape), homes(homes), inPasses(inPasses) {}

  TileNeeds count(const Target &target);

private:
  void addHomes();
  void addHome(unsigned number);
  void addTransfers();
  void addFoldedLanes(const TileStep &step);
  void addScratch(const TileStep &step);
  bool isFixedRow(unsigned home) const;
  bool readsScalars() const;

  const TileProgram &program;
  const KernelShape &shape;
  const Homes &homes;
  const bool inPasses;
  bool compares = false, multiplies = false; ///< columns; windows or matrices
  TileNeeds needs;
  llvm::SmallDenseSet<unsigned> foldedTypes; ///< element types of rows whose lanes are folded
};

} // namespace

/// Whether a Row home has the capacity of the widest tile of a product, whatever the tile.
bool NeedsCount::isFixedRow(unsigned home) const {
  return multiplies && !shape.hasLongRows && !shape.hasResidentRight && !homes.repeatedHomes.contains(home);
}

void NeedsCount::addHome(unsigned number) {
  const Home &home = homes.homes[number];
  const bool everyTile = home.byDma && (!home.invariant || (inPasses && home.spread == Spread::Row));
  const int64_t slots = everyTile ? 2 * needs.passes : 1, second = everyTile ? needs.passes : 0;
  const int64_t bits = home.isMask ? 1 : int64_t(elementSize(home.type)) * 8;
  needs.buffers += everyTile ? needs.passes : 1;
  switch (home.spread) {
  case Spread::Row:
    if (homes.convolution) {
      needs.tileBits += (slots * bits + kFiltersOfTile - 1) / kFiltersOfTile;
      needs.secondBits += second * bits / kFiltersOfTile;
      break;
    }
    if (isFixedRow(number)) {
      needs.fixedBytes += slots * kMaxWidth * bits / 8;
      break;
    }
    [[fallthrough]];
  case Spread::Full:
    needs.tileBits += slots * bits;
    needs.secondBits += second * bits;
    break;
  case Spread::Column:
    needs.rowBytes += slots * (home.lanes ? home.lanes : needs.columnStride) * elementSize(home.type);
    needs.secondBytes += second * needs.columnStride * elementSize(home.type);
    needs.fixedBytes += home.isMask ? kBlockBytes : compares ? slots * kRepeatBytes : 0;
    break;
  case Spread::One:
    needs.fixedBytes += slots * kRepeatBytes;
    break;
  }
}

void NeedsCount::addHomes() {
  compares = comparesColumns(program);
  multiplies = llvm::any_of(program.values, [](const TileValue &value) { return value.isProduct; });
  for (unsigned number = 0; number < homes.homes.size(); ++number)
    addHome(number);
  // Inside of batch loops the rows of the next iteration would wait for the last tile.
  if (shape.form == KernelForm::Rows && !shape.isBatched && !shape.isScanned && !inPasses)
    needs.tileBits -= sharedBits(program, homes);
}

void NeedsCount::addTransfers() {
  for (const TileValue &value : program.values)
    if (value.tensor && value.spread == Spread::Full) {
      ++needs.loads;
      needs.loadBytes += elementSize(value.type);
    }
  for (auto [value, tensor] : program.stores)
    if (program.spreadOf(value) == Spread::Full)
      needs.storeBytes += elementSize(program.values[value].type);
}

/// A row in whole parts; for each row blocks, lanes, folded lanes, and offsets, which the steps of a type share.
void NeedsCount::addFoldedLanes(const TileStep &step) {
  const ElementType type = program.values[step.result].type;
  const int64_t size = elementSize(type), lanes = kBlockBytes / size, stride = needs.columnStride;
  const bool isNew = foldedTypes.insert(unsigned(type)).second;
  const int64_t bytes = 3 * lanes * size + (isNew ? (lanes + 1 + 3 * stride) * int64_t(sizeof(int32_t)) : 0);
  (inPasses ? needs.fixedBytes : needs.rowBytes) += bytes;
  needs.tileBits += isNew ? 8 * size : 0;
  needs.buffers += 3 * lanes + 6;
}

/// The buffers of a step beside those of its operands and its result.
void NeedsCount::addScratch(const TileStep &step) {
  if (step.foldsLanes)
    return addFoldedLanes(step);
  // Numbers of rows, and the lanes from which they are made.
  if (step.countsAlong == 0u) {
    needs.rowBytes += 2 * needs.columnStride * int64_t(sizeof(int32_t));
    needs.buffers += 2;
    return;
  }
  // Positions are reduced as float32.
  if (step.isPosition && !inPasses) {
    needs.rowBytes += needs.columnStride * int64_t(sizeof(float));
    needs.buffers += 1;
  } else if (step.isPosition) {
    needs.fixedBytes += 2 * kBlockBytes;
    needs.buffers += 2;
  }
  // Scratch in passes: two partial results of at most 4 bytes for each 256 bytes, and one part of 32 bytes.
  if (step.reducesRows() && inPasses) {
    needs.tileBits += 1;
    needs.fixedBytes += 64;
    needs.buffers += 2;
  }
}

/// Whether the scalar unit reads elements in the loop over tiles, from loads that can be prefetched: not from one that
/// follows a fill of its own tile.
bool NeedsCount::readsScalars() const {
  const bool isFilled = llvm::any_of(program.values, [&](const TileValue &value) {
    return value.tensor && value.spread != Spread::One && elementSize(value.type) > needs.smallest;
  });
  return !isFilled && llvm::any_of(program.steps, [&](const TileStep &step) {
    return !step.foldsLanes && step.countsAlong != 0u && step.rowScalar &&
           program.spreadOf(*step.rowScalar) == Spread::Column && !homes.rowsIntrinsic(step);
  });
}

TileNeeds NeedsCount::count(const Target &target) {
  if (shape.form == KernelForm::Contraction)
    needs.operandBytes = operandBytes(shape.product.type);
  needs.foldsLanes = program.foldsLanes();
  for (const Home &home : homes.homes)
    if (!home.isMask)
      needs.smallest = std::min<int64_t>(needs.smallest, elementSize(home.type));
  needs.columnStride = columnStrideOf(program, shape, homes, inPasses, needs.smallest);
  needs.passes = inPasses ? passesOf(program, levelsOf(program)) : 1;
  countWork(program, homes, target, needs);
  addHomes();
  addTransfers();
  for (const TileStep &step : program.steps)
    addScratch(step);
  // The tile of one row has separate buffers (RowsKernel).
  if (llvm::any_of(program.steps, [](const TileStep &step) { return step.scan && step.scan->exclusive; }))
    for (int64_t *need :
         {&needs.tileBits, &needs.rowBytes, &needs.secondBits, &needs.secondBytes, &needs.fixedBytes, &needs.buffers})
      *need *= 2;
  needs.readsScalars = readsScalars();
  return needs;
}

TileNeeds needsOf(const TileProgram &program, const KernelShape &shape, const Homes &homes, bool inPasses,
                  const Target &target) {
  return NeedsCount(program, shape, homes, inPasses).count(target);
}

} // namespace opc::aicore

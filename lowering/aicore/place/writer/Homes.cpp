#include "lowering/aicore/place/writer/Homes.h"

#include "dialect/aicore/tiles/CubeTiles.h"

using namespace mlir;

namespace opc::aicore {

namespace {

class Assignment {
public:
  Assignment(const TileProgram &program, const KernelShape &shape, bool inPasses, bool alias, const Target &target)
      : program(program), shape(shape), target(target), inPasses(inPasses),
        alias(alias && !inPasses && shape.form != KernelForm::ReduceColumns && shape.form != KernelForm::Windows),
        lastUse(program.values.size(), -1) {}

  Homes assign();

private:
  static constexpr int kAlways = INT32_MAX;

  bool isInvariant(TileId value) const {
    return Homes::isInvariant(program.spreadOf(value), shape.form) || result.constants.contains(value);
  }
  /// Whether a value is in the tile into which it was loaded.
  bool isLoaded(TileId value) const { return program.values[value].tensor || loadedBy.lookup(value); }
  void findConstants();
  void findLastUses();
  /// The name, made unique if a tensor has it.
  std::string freeName(std::string name) const {
    while (llvm::any_of(shape.tensors, [&](const KernelTensor &tensor) { return tensor.name == name; }))
      name += "_";
    return name;
  }
  unsigned addHome(Home home) {
    result.homes.push_back(std::move(home));
    return result.homes.size() - 1;
  }
  std::optional<unsigned> overSource(const TileStep &step, int at) const;
  std::optional<unsigned> freeHome(const TileValue &value, int at, int until, bool fresh = false);
  void giveScratch(const TileStep &step, int at);
  std::optional<unsigned> deadInput(const TileValue &like, int at) const;
  std::optional<unsigned> inputToStoreFrom(const TileStep &step, int at) const;
  std::optional<unsigned> storeFrom(TileId value);
  void giveHome(const TileStep &step, int at);
  void giveBlocks(const TileStep &step);
  void giveWindows(const TileStep &step);
  void giveConvolution();
  bool fits(unsigned home, const TileValue &value) const {
    const Home &candidate = result.homes[home];
    return candidate.type == value.type && candidate.spread == value.spread && candidate.isMask == value.isMask &&
           !candidate.invariant;
  }

  const TileProgram &program;
  const KernelShape &shape;
  const Target &target;
  bool inPasses, alias;
  std::vector<int> lastUse;                  ///< last step that reads the value; kAlways if it is stored or carried
  llvm::DenseMap<unsigned, int> heldUntil;   ///< temporaries, by home: last use of the value that they hold
  llvm::DenseMap<unsigned, int> claimedFrom; ///< homes of outputs: the step that fills them
  llvm::DenseMap<TileId, unsigned> outputs;  ///< stored values that are computed by a step
  llvm::DenseMap<TileId, bool> loadedBy;     ///< values that are expanded in the tile into which they were loaded
  Homes result;
  unsigned temporaries = 0;
};

} // namespace

/// Whether two numbers of the kernel's entry are equal because few operations compute them in the same way: as the
/// number of elements of a mean.
static bool areEqual(Value a, Value b, unsigned mostOperations = 3) {
  if (a == b)
    return true;
  Operation *left = a.getDefiningOp(), *right = b.getDefiningOp();
  return mostOperations && left && right && isPure(left) &&
         OperationEquivalence::isEquivalentTo(
             left, right, [&](Value of, Value other) { return success(areEqual(of, other, mostOperations - 1)); },
             /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

// In kernels with tiles of whole rows. A filled column that is stored is filled in each tile.
void Assignment::findConstants() {
  const bool isOfRows = shape.form == KernelForm::Rows || shape.form == KernelForm::ReduceRows;
  for (const TileStep &step : program.steps)
    if (isOfRows && !inPasses && step.intrinsic == Intrinsic::vbrc && step.sources.empty() && step.scalar &&
        !step.rowScalar && !step.scan && program.spreadOf(step.result) == Spread::Column &&
        !program.values[step.result].isMask &&
        llvm::none_of(program.stores, [&](auto &store) { return store.first == step.result; }))
      result.constants.insert(step.result);
}

void Assignment::findLastUses() {
  for (auto [at, step] : llvm::enumerate(program.steps)) {
    for (TileId source : step.sources)
      lastUse[source] = at;
    if (step.rowScalar)
      lastUse[*step.rowScalar] = at;
  }
  for (auto [value, tensor] : program.stores)
    lastUse[value] = kAlways;
  // A value that is expanded in its tile stays there.
  for (const TileStep &step : llvm::reverse(program.steps))
    if (step.spreadsInPlace()) {
      lastUse[step.sources.front()] = lastUse[step.result];
      loadedBy[step.result] = program.values[step.sources.front()].tensor.has_value();
    }
  // Values that are made before a loop or kept between passes keep their home.
  for (TileId value = 0; value < program.values.size(); ++value)
    if (isInvariant(value) || (inPasses && program.spreadOf(value) == Spread::Column))
      lastUse[value] = kAlways;
}

/// Whether an intrinsic works element by element, so that it may write over what it reads.
static bool worksInPlace(const TileStep &step) {
  switch (intrinsicInfo(step.intrinsic).form) {
  case IntrinsicForm::Unary:
  case IntrinsicForm::Binary:
  case IntrinsicForm::Scalar:
  case IntrinsicForm::Cast:
    return !step.foldsRows && !step.foldsLanes && !step.scan;
  default:
    return false;
  }
}

// A result may replace a source only if both cover the whole tile in the same way: a tile that is read row by row and
// written flat has other bounds.
std::optional<unsigned> Assignment::overSource(const TileStep &step, int at) const {
  if (!worksInPlace(step))
    return std::nullopt;
  const TileValue &value = program.values[step.result];
  // Prefer the source that was made last. A home that was filled early in a tile then is free early, and the next
  // tile does not wait for it.
  SmallVector<TileId, 3> sources(step.sources);
  llvm::sort(sources, std::greater<>());
  for (TileId source : sources) {
    unsigned home = result.of[source];
    if ((isLoaded(source) && !alias) || lastUse[source] != at || !fits(home, value))
      continue;
    auto claimed = claimedFrom.find(home);
    if (claimed == claimedFrom.end() || lastUse[step.result] <= claimed->second)
      return home;
  }
  return std::nullopt;
}

/// A home that is free from step `at` to step `until`; with `fresh`, one that never held a value before.
std::optional<unsigned> Assignment::freeHome(const TileValue &value, int at, int until, bool fresh) {
  for (unsigned home = 0; home < result.homes.size(); ++home) {
    auto held = heldUntil.find(home);
    if (held == heldUntil.end() || held->second >= at || !fits(home, value) || (fresh && held->second >= 0))
      continue;
    auto claimed = claimedFrom.find(home);
    if (claimed == claimedFrom.end() || (at < claimed->second && until <= claimed->second))
      return home;
  }
  return std::nullopt;
}

// The scratch tile of a reduction takes a home that is free while the reduction runs.
void Assignment::giveScratch(const TileStep &step, int at) {
  TileValue scratch = program.values[step.sources.front()];
  scratch.tensor.reset();
  std::optional<unsigned> home = freeHome(scratch, at, at);
  if (!home)
    home = deadInput(scratch, at);
  if (!home)
    home = addHome({"t" + std::to_string(temporaries++), scratch.type, scratch.spread, false,
                    /*byDma=*/false, /*invariant=*/false});
  result.scratchOf[step.result] = *home;
  if (!result.homes[*home].byDma || heldUntil.contains(*home))
    heldUntil[*home] = at;
}

/// The home of a loaded value that is not read from step `at` on.
std::optional<unsigned> Assignment::deadInput(const TileValue &like, int at) const {
  // With `alias`, such a home may hold another value by now; if it does not, freeHome() finds it.
  for (TileId value = 0; value < program.values.size() && !alias; ++value)
    if (program.values[value].tensor && lastUse[value] < at && fits(result.of[value], like))
      return result.of[value];
  return std::nullopt;
}

/// The home of a loaded value that is not read after the step that makes a stored one. If that step itself reads the
/// loaded value, it must work in place.
std::optional<unsigned> Assignment::inputToStoreFrom(const TileStep &step, int at) const {
  const TileValue &stored = program.values[step.result];
  for (TileId value = 0; value < program.values.size(); ++value) {
    if (!program.values[value].tensor || !fits(result.of[value], stored) || claimedFrom.contains(result.of[value]))
      continue;
    bool inPlace = lastUse[value] == at && worksInPlace(step) && llvm::is_contained(step.sources, value);
    if (lastUse[value] < at || inPlace)
      return result.of[value];
  }
  return std::nullopt;
}

void Assignment::giveHome(const TileStep &step, int at) {
  const TileValue &value = program.values[step.result];
  if (step.spreadsInPlace()) {
    result.of[step.result] = result.of[step.sources.front()];
    return;
  }
  if (auto output = outputs.find(step.result); output != outputs.end()) {
    result.of[step.result] = output->second;
    heldUntil[output->second] = kAlways;
    return;
  }
  bool invariant = isInvariant(step.result);
  std::optional<unsigned> home;
  if (result.constants.contains(step.result))
    for (const TileStep &other : ArrayRef<TileStep>(program.steps).take_front(unsigned(at)))
      if (result.constants.contains(other.result) && program.values[other.result].type == value.type &&
          areEqual(other.scalar, step.scalar))
        home = result.of[other.result];
  // Copied elements have their own home.
  const bool byDma = step.lookup && step.lookup->kind <= TileStep::Lookup::Columns;
  if (byDma)
    home = addHome({freeName(shape.tensors[step.lookup->tensor].name + std::to_string(temporaries++)), value.type,
                    value.spread, false, /*byDma=*/true, invariant});
  if (!invariant && !home) {
    home = overSource(step, at);
    // Results of a fill (the column of a reduction is filled first) take a home that held no value before. Otherwise
    // a fill that covers too little would leave parts of the old value, which no check distinguishes from the fill.
    const bool fresh = step.intrinsic == Intrinsic::vbrc || (step.reducesRows() && !inPasses);
    if (!home)
      home = freeHome(value, at, lastUse[step.result], fresh);
  }
  if (!home)
    home = addHome({"t" + std::to_string(temporaries++), value.type, value.spread, value.isMask,
                    /*byDma=*/false, invariant});
  result.of[step.result] = *home;
  if (!byDma)
    heldUntil[*home] = lastUse[step.result];
}

void Assignment::giveBlocks(const TileStep &step) {
  const std::optional<TileId> column = step.spreadsInPlace() ? std::optional(step.result) : step.rowScalar;
  const bool isColumn = column && (step.spreadsInPlace() || program.spreadOf(*column) == Spread::Column);
  if (!isColumn || result.blocksOf.contains(*column))
    return;
  ElementType type = program.values[*column].type;
  if (!step.spreadsInPlace() && !canSpreadRows(target, step.intrinsic, type))
    return;
  auto number = std::to_string(result.blocksOf.size());
  unsigned size = elementSize(type);
  if (!result.offsetsOf.count(size))
    result.offsetsOf[size] = addHome({"offsets" + std::to_string(size), ElementType::Int32, Spread::Column, false,
                                      /*byDma=*/false, /*invariant=*/true, kBlockBytes / size});
  result.blocksOf[*column] = addHome({"blocks" + number, type, Spread::Column, false, /*byDma=*/false,
                                      /*invariant=*/false, kBlockBytes / size});
}

// Steps before a reduction run for each row of positions, so their results must remain until the last one.
void Assignment::giveWindows(const TileStep &step) {
  const ElementType type = program.values[step.result].type;
  const unsigned size = elementSize(type);
  auto add = [&](const char *name, size_t number, ElementType type, bool invariant) {
    return addHome({freeName(name + std::to_string(number)), type, Spread::Full, false, /*byDma=*/false, invariant});
  };
  const size_t number = result.windowsOf.size();
  result.windowsOf[step.result] = {add("down", number, type, false), add("padded", number, type, false)};
  if (result.placesOf.count(size))
    return;
  result.placesOf[size] = add("places", size, ElementType::Int32, true);
  result.movedOf[size] = add("moved", size, ElementType::Int32, false);
}

void Assignment::giveConvolution() {
  auto add = [&](std::string name, ElementType type, bool byDma = false, bool invariant = false) {
    return addHome({freeName(std::move(name)), type, Spread::Row, false, byDma, invariant});
  };
  Homes::ConvolutionHomes homes;
  const KernelTensor &input = shape.tensors[shape.product.right], &filters = shape.tensors[shape.product.left];
  const bool isCast = input.type != ElementType::Float32;
  homes.loaded = add("loaded_" + input.name, input.type, /*byDma=*/true);
  homes.loadedFilters = add("loaded_" + filters.name, filters.type, /*byDma=*/true);
  homes.input = isCast ? add("input", ElementType::Float32) : homes.loaded;
  homes.filters = isCast ? add("filters", ElementType::Float32) : homes.loadedFilters;
  homes.padded = add("padded", ElementType::Float32);
  homes.elements = add("elements", ElementType::Float32);
  result.placesOf[sizeof(float)] = add("places", ElementType::Int32, /*byDma=*/false, /*invariant=*/true);
  result.movedOf[sizeof(float)] = add("moved", ElementType::Int32);
  result.convolution = homes;
}

/// With `alias`: the home of a loaded value that the stored value `value` can take over.
std::optional<unsigned> Assignment::storeFrom(TileId value) {
  for (auto [at, step] : llvm::enumerate(program.steps))
    if (step.result == value)
      if (std::optional<unsigned> home = inputToStoreFrom(step, at)) {
        claimedFrom[*home] = at;
        return home;
      }
  return std::nullopt;
}

Homes Assignment::assign() {
  findConstants();
  findLastUses();
  result.of.resize(program.values.size(), ~0u);
  for (TileId value = 0; value < program.values.size(); ++value)
    if (const TileValue &loaded = program.values[value]; loaded.tensor)
      result.of[value] = addHome(
          {shape.tensors[*loaded.tensor].name, loaded.type, loaded.spread, false, /*byDma=*/true, isInvariant(value)});
  for (TileId value = 0; value < program.values.size(); ++value)
    if (program.values[value].isProduct) {
      // Steps may work in place of it: Fixpipe waits for their last reader in any case.
      const bool byDma = shape.form == KernelForm::Contraction || program.storesProduct();
      result.of[value] = addHome({freeName("product"), program.values[value].type, Spread::Full, false, byDma, false});
      heldUntil[result.of[value]] = lastUse[value];
    }
  for (TileId value = 0; value < program.values.size() && alias; ++value)
    if (program.values[value].tensor && !isInvariant(value))
      heldUntil[result.of[value]] = lastUse[value];
  for (auto [value, tensor] : program.stores) {
    // A loaded value is stored from its own home; a value that is stored twice has one home.
    if (program.values[value].isBrought() || isLoaded(value) || outputs.contains(value))
      continue;
    if (std::optional<unsigned> home = alias ? storeFrom(value) : std::nullopt) {
      outputs[value] = *home;
      continue;
    }
    unsigned home = addHome({shape.tensors[tensor].name, program.values[value].type, program.values[value].spread,
                             false, /*byDma=*/true, isInvariant(value)});
    outputs[value] = home;
    if (!inPasses)
      heldUntil[home] = -1;
    for (auto [at, step] : llvm::enumerate(program.steps))
      if (step.result == value)
        claimedFrom[home] = at;
  }
  if (shape.form == KernelForm::Convolution)
    giveConvolution();
  for (auto [at, step] : llvm::enumerate(program.steps)) {
    if (step.reducesRows() && !step.foldsLanes && !inPasses)
      giveScratch(step, at);
    giveHome(step, at);
    giveBlocks(step);
    if (step.foldsRows && shape.form == KernelForm::Windows)
      giveWindows(step);
    if (step.scan && !step.scan->alongRow)
      result.runningOf[step.result] =
          addHome({freeName("running" + std::to_string(result.runningOf.size())), program.values[step.result].type,
                   Spread::Row, false, /*byDma=*/false, /*invariant=*/true});
    if (step.spreadsTensor && !step.spreadsInPlace())
      result.tableOf[*step.spreadsTensor] =
          addHome({shape.tensors[*step.spreadsTensor].name + "_offsets", ElementType::Int32, Spread::Full, false,
                   /*byDma=*/false, /*invariant=*/true});
  }
  return std::move(result);
}

/// The homes of rows that steps of a matrix product combine with whole tiles.
static void findRepeated(const TileProgram &program, const Target &target, Homes &homes) {
  for (const TileStep &step : program.steps) {
    if (program.spreadOf(step.result) != Spread::Full || (step.rowScalar && !homes.rowsIntrinsic(step)))
      continue;
    for (TileId source : step.sources)
      if (const TileValue &value = program.values[source]; value.spread == Spread::Row && !value.isMask)
        if (target.supports(Intrinsic::vcopy, {value.type, value.type})) {
          homes.repeated.insert(source);
          homes.repeatedHomes.insert(homes.of[source]);
        }
  }
}

Homes assignHomes(const TileProgram &program, const KernelShape &shape, bool inPasses, bool alias,
                  const Target &target) {
  Homes homes = Assignment(program, shape, inPasses, alias, target).assign();
  if (shape.form == KernelForm::Contraction)
    findRepeated(program, target, homes);
  return homes;
}

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

TileNeeds needsOf(const TileProgram &program, const KernelShape &shape, const Homes &homes, bool inPasses,
                  const Target &target) {
  TileNeeds needs;
  if (shape.form == KernelForm::Contraction)
    needs.operandBytes = operandBytes(shape.product.type);
  needs.foldsLanes = program.foldsLanes();
  for (const Home &home : homes.homes)
    if (!home.isMask)
      needs.smallest = std::min<int64_t>(needs.smallest, elementSize(home.type));
  needs.columnStride = columnStrideOf(program, shape, homes, inPasses, needs.smallest);
  unsigned passes = inPasses ? passesOf(program, levelsOf(program)) : 1;
  needs.passes = passes;
  countWork(program, homes, target, needs);
  const bool compares = comparesColumns(program);
  const bool multiplies = llvm::any_of(program.values, [](const TileValue &value) { return value.isProduct; });
  for (auto [number, home] : llvm::enumerate(homes.homes)) {
    bool everyTile = home.byDma && (!home.invariant || (inPasses && home.spread == Spread::Row));
    int64_t slots = everyTile ? 2 * passes : 1, second = everyTile ? passes : 0;
    int64_t bits = home.isMask ? 1 : int64_t(elementSize(home.type)) * 8;
    needs.buffers += everyTile ? passes : 1;
    switch (home.spread) {
    case Spread::Row:
      if (homes.convolution) {
        needs.tileBits += (slots * bits + kFiltersOfTile - 1) / kFiltersOfTile;
        needs.secondBits += second * bits / kFiltersOfTile;
        break;
      }
      if (multiplies && !shape.hasLongRows && !shape.hasResidentRight &&
          !homes.repeatedHomes.contains(unsigned(number))) {
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
  // Inside of batch loops the rows of the next iteration would wait for the last tile.
  if (shape.form == KernelForm::Rows && !shape.isBatched && !shape.isScanned && !inPasses)
    needs.tileBits -= sharedBits(program, homes);
  for (const TileValue &value : program.values)
    if (value.tensor && value.spread == Spread::Full) {
      ++needs.loads;
      needs.loadBytes += elementSize(value.type);
    }
  for (auto [value, tensor] : program.stores)
    if (program.spreadOf(value) == Spread::Full)
      needs.storeBytes += elementSize(program.values[value].type);
  llvm::SmallDenseSet<unsigned> foldedTypes;
  for (const TileStep &step : program.steps) {
    if (step.foldsLanes) {
      // A row in whole parts; for each row blocks, lanes, folded lanes, and offsets.
      ElementType type = program.values[step.result].type;
      const int64_t size = elementSize(type), lanes = kBlockBytes / size, stride = needs.columnStride;
      const bool isNew = foldedTypes.insert(unsigned(type)).second;
      const int64_t bytes = 3 * lanes * size + (isNew ? (lanes + 1 + 3 * stride) * int64_t(sizeof(int32_t)) : 0);
      (inPasses ? needs.fixedBytes : needs.rowBytes) += bytes;
      needs.tileBits += isNew ? 8 * size : 0;
      needs.buffers += 3 * lanes + 6;
      continue;
    }
    // Numbers of rows, and the lanes from which they are made.
    if (step.countsAlong == 0u) {
      needs.rowBytes += 2 * needs.columnStride * int64_t(sizeof(int32_t));
      needs.buffers += 2;
      continue;
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
    if (step.rowScalar && program.spreadOf(*step.rowScalar) == Spread::Column && !homes.rowsIntrinsic(step))
      needs.readsScalars = true;
  }
  // The tile of one row has separate buffers (RowsKernel).
  if (llvm::any_of(program.steps, [](const TileStep &step) { return step.scan && step.scan->exclusive; }))
    for (int64_t *need :
         {&needs.tileBits, &needs.rowBytes, &needs.secondBits, &needs.secondBytes, &needs.fixedBytes, &needs.buffers})
      *need *= 2;
  // A load that follows a fill of its own tile cannot be prefetched.
  for (const TileValue &value : program.values)
    if (value.tensor && value.spread != Spread::One && elementSize(value.type) > needs.smallest)
      needs.readsScalars = false;
  return needs;
}

} // namespace opc::aicore

#include "lowering/aicore/place/writer/Homes.h"

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

} // namespace opc::aicore

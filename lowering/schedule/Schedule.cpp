#include "lowering/schedule/Schedule.h"

#include "dialect/aicore/OperandNeeds.h"
#include "dialect/aicore/tiles/LookupTiles.h"
#include "dialect/aicore/tiles/SortTiles.h"
#include "dialect/te/TeOps.h"
#include "lowering/schedule/AicorePolicy.h"
#include "lowering/schedule/ContractionChoice.h"
#include "lowering/schedule/Heuristic.h"
#include "lowering/schedule/ScheduleFixes.h"
#include "ops/contract/check/Devices.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using opc::aicore::AICoreDialect;
using opc::aicore::NeedsAttr;
using opc::aicore::ScheduleAttr;

namespace opc {

static const ShapeKey *keyNamed(ArrayRef<ShapeKey> keys, StringRef name) {
  for (const ShapeKey &key : keys)
    if (name == key.name)
      return &key;
  return nullptr;
}

/// The number of rows for which the tile of a key with a panel is chosen, if the operator has several such keys.
static std::string rowsText(const ShapeKey &key) {
  return key.name == "resident" ? "" : ", for some " + std::to_string(nominalSizes(key)[0]) + " rows";
}

static std::string formOf(const ShapeKey &key) {
  switch (key.kind) {
  case ShapeKey::Flat:
    return "flat tiles";
  case ShapeKey::Any:
    return "tiles of rows, made full by gathers";
  case ShapeKey::Grid:
  case ShapeKey::Strided:
  case ShapeKey::Counted:
    return "tiles of rows, or parts of them";
  case ShapeKey::Scanned:
    return key.scanned == 0 ? "tiles of rows, each combined with what came before it"
                            : "tiles of rows, whose elements are combined with those before them";
  case ShapeKey::Rows:
  case ShapeKey::ReduceRows:
  case ShapeKey::SplitRows:
    return key.isLong ? "passes over a row" : "tiles of whole rows";
  case ShapeKey::ReduceColumns:
    return "rows folded into one";
  case ShapeKey::Columns:
    return "passes over rows, which are folded into one";
  case ShapeKey::Windows:
    return "windows of rows of places, combined down and then along";
  case ShapeKey::Contraction:
    return key.isOnVectorUnit()   ? "filters times windows of rows of places, on the vector unit"
           : key.hasWindows       ? "tiles of a product of filters with windows, on the cube"
           : key.hasResidentRight ? "rows of tiles of a matrix product, whose right matrix stays in L1"
           : key.isLong           ? "rows of tiles of a matrix product, whose results are in UB"
           : key.isResident       ? "tiles of a matrix product, whose left panel stays in L1" + rowsText(key)
                                  : std::string("tiles of a matrix product");
  case ShapeKey::Gather:
    return key.takesElements ? "elements of long lines, one by one, where indices say" : "rows, where indices say";
  case ShapeKey::Lookup:
    return key.takesElements ? "elements of long lines, one by one, where computed places say"
                             : "rows of elements, where computed places say";
  case ShapeKey::Sorted:
    return "lines in order";
  case ShapeKey::Scattered:
    return "a copy, then rows where indices say";
  }
  return {};
}

/// "m, n; x1 [m, n], x2 [1, n], y [m, n]; up to 2 loops around".
static std::string loopsOf(const ShapeKey &key) {
  std::vector<std::string> names;
  unsigned around = 0;
  switch (key.kind) {
  case ShapeKey::Flat:
    names = {"n"};
    break;
  case ShapeKey::Grid:
  case ShapeKey::Strided:
  case ShapeKey::Counted:
  case ShapeKey::Scanned:
  case ShapeKey::Gather:
  case ShapeKey::Lookup:
  case ShapeKey::Sorted:
  case ShapeKey::Scattered:
    names = {"m", "n"};
    around = 2;
    break;
  case ShapeKey::Any:
    names = {"m", "n"};
    around = 6;
    break;
  case ShapeKey::Rows:
    names = {"m", "n"};
    around = key.isBatched ? 2 : 0;
    break;
  case ShapeKey::SplitRows:
    names = {"r0", "m", "n"};
    around = 2;
    break;
  case ShapeKey::Columns:
  case ShapeKey::Windows:
    names = {"r0", "r1", "k"};
    around = 2;
    break;
  case ShapeKey::Contraction:
    names = {"m", "n", "k"};
    around = 2;
    break;
  case ShapeKey::ReduceRows:
    names = {"r0", "k", "r1"};
    around = 1;
    break;
  case ShapeKey::ReduceColumns:
    names = {"r0", "r1", "k"};
    around = 1;
    break;
  }
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  for (const ShapeKey::Operand &operand : key.operands) {
    std::string dims;
    std::vector<int> loops = operand.dims;
    if (operand.isAcross) // in the order of memory
      std::reverse(loops.begin(), loops.end());
    for (int loop : loops)
      dims += (dims.empty() ? "" : ", ") + (loop < 0 ? std::string("1") : names[size_t(loop)]);
    text += (&operand == &key.operands.front() ? "; " : ", ") + operand.name + " [" + dims + "]";
  }
  if (around)
    text += "; up to " + std::to_string(around) + (around == 1 ? " loop" : " loops") + " around";
  return text;
}

static KernelSchedule explain(func::FuncOp instance, const ShapeKey &key, unsigned row, const Contract &contract,
                              NeedsAttr needs, const ContractSchedule &author, const ScheduleChoice &choice) {
  KernelSchedule kernel;
  kernel.kernel = instance.getName().str();
  kernel.typeRow = row;
  kernel.types = contract.typeRowName(row);
  kernel.key = key.name;
  kernel.tilingKey = key.tilingKey(row);
  kernel.form = formOf(key);
  kernel.loops = loopsOf(key);
  kernel.tile = choice.schedule.getTile();
  kernel.rows = key.kind == ShapeKey::Flat ? 1 : choice.schedule.getRows();
  kernel.slots = choice.schedule.getSlots();
  kernel.prefetch = choice.schedule.getPrefetch();
  kernel.alignment = choice.schedule.getAlignment();
  kernel.alias = choice.schedule.getAlias();
  kernel.expansion = choice.schedule.getExpansion();
  kernel.burst = kernel.tile * needs.getLoadBytes() / std::max<int64_t>(1, needs.getLoads());
  if (!author.location.file.empty())
    kernel.scheduleFile = contract.schedule;
  kernel.why = choice.why;
  return kernel;
}

/// Whether an error was already reported. One number may be wrong for many kernels; only the first is reported.
static bool isTold(const Diagnostics &diagnostics, Code code, const Location &place) {
  return llvm::any_of(diagnostics.all(), [&](const Diagnostic &other) {
    return other.code == code && other.location.file == place.file && other.location.line == place.line &&
           other.location.column == place.column;
  });
}

/// Sets the rule that the author's choice breaks, at its line; for a kernel without an entry, at the body.
static void refuse(ScheduleRefusal &refusal, const ContractSchedule &author, const ScheduleChoice &choice,
                   const Target &target) {
  const ScheduleKnob *knob = nullptr;
  for (const auto *each :
       {&author.tile, &author.rows, &author.slots, &author.alignment, &author.alias, &author.expansion})
    if (!knob && *each)
      knob = &**each;
  bool isAsked = !author.location.file.empty();
  if (choice.largestTile >= 256)
    refusal.fix =
        "'tile: " + std::to_string(choice.largestTile) + "' is the largest that fits beside the other numbers";
  refusal.code = isAsked ? Code::E0403 : Code::E0400;
  refusal.rule = isAsked ? "tiled_c3" : "tiled_c2";
  if (isAsked)
    refusal.place = knob ? knob->location : author.location;
  refusal.message = (isAsked ? "expects the tiles of '" : "expects tiles of 256 elements of '") + refusal.kernel +
                    "' to fit the " + std::to_string(target.ubBytes()) + " bytes of UB on " +
                    std::string(target.name()) + ", found that they take " + std::to_string(choice.bytes);
}

/// The same for the author's tile of a matrix product, which may be invalid for the cube.
static void refuseProduct(ScheduleRefusal &refusal, const ContractSchedule &author, NeedsAttr needs,
                          const ShapeKey &key, const Target &target) {
  if (!author.rows && !author.tile)
    return;
  std::string found;
  for (auto [knob, name] : {std::pair(&author.rows, "rows"), {&author.tile, "tile"}})
    if (*knob)
      found += (found.empty() ? "'" : " and '") + std::string(name) + ": " + std::to_string((*knob)->value) + "'";
  const std::string numbers =
      key.isLong ? "16 and a multiple of 512 from 1024 to 4096 that fits UB"
      : key.hasResidentRight
          ? "powers of two from 16 to 512, or a multiple of 512 from 1024 to 4096 of columns, and fit L0C and UB"
          : "powers of two from 16 to 512 and fit L0C and UB";
  refusal.message = "expects rows and columns of a tile of '" + refusal.kernel + "' that are " + numbers + " on " +
                    std::string(target.name()) + ", and 'tile' to be their product, found " + found;
  ContractSchedule others = author;
  others.rows.reset();
  others.tile.reset();
  if (ScheduleAttr best = chooseSchedule(needs, key, others, target).schedule)
    refusal.fix = "'rows: " + std::to_string(best.getRows()) + "' with 'tile: " + std::to_string(best.getTile()) +
                  "' has the fewest cycles by the cost model";
}

/// Refuses an entry for this very key that asks for a prefetch for which the kernel has no use.
static bool checkPrefetch(func::FuncOp instance, const ContractSchedule &author, ScheduleAttr made,
                          Diagnostics &diagnostics) {
  if (!author.prefetch || !author.prefetch->ofKey || !author.prefetch->value || made.getPrefetch())
    return true;
  if (isTold(diagnostics, Code::E0245, author.prefetch->location))
    return false;
  diagnostics.error(Code::E0245, author.prefetch->location,
                    "expects 'prefetch: true' for kernels with two slots that wait for values of "
                    "rows, found '" +
                        instance.getName().str() + "'",
                    "contract_c45", "leave 'prefetch' out");
  return false;
}

/// Also refuses an alias or an expansion type that changes nothing.
static bool checkUseful(func::FuncOp instance, const ContractSchedule &author, ScheduleAttr made,
                        Diagnostics &diagnostics) {
  auto refuseKnob = [&](const ScheduleKnob &knob, const char *rule, const char *fix) {
    if (!isTold(diagnostics, Code::E0245, knob.location))
      diagnostics.error(Code::E0245, knob.location,
                        std::string("expects ") + rule + ", found '" + instance.getName().str() + "'", "contract_c45",
                        fix);
    return false;
  };
  if (author.alias && author.alias->ofKey && author.alias->value && !made.getAlias())
    return refuseKnob(*author.alias,
                      "'alias: true' for kernels in which a result can take the place of a loaded "
                      "tile of its type",
                      "leave 'alias' out");
  if (author.expansion && author.expansion->ofKey && author.expansion->value == 16 && made.getExpansion() != 16)
    return refuseKnob(*author.expansion,
                      "'expansion: float16' for kernels that compute a function the chip lacks of "
                      "float16 numbers",
                      "leave 'expansion' out");
  return true;
}

static SmallVector<NeedsAttr> variantsOf(func::FuncOp instance) {
  SmallVector<NeedsAttr> variants;
  if (auto list = instance->getAttrOfType<ArrayAttr>(AICoreDialect::kNeedsVariantsAttr))
    for (auto needs : list.getAsRange<NeedsAttr>())
      variants.push_back(needs);
  if (variants.empty())
    variants.push_back(instance->getAttrOfType<NeedsAttr>(AICoreDialect::kNeedsAttr));
  return variants;
}

static OperandNeeds operandNeedsOf(func::FuncOp instance) {
  return {instance->getAttrOfType<NeedsAttr>(aicore::kNeedsOfLeftAttr),
          instance->getAttrOfType<NeedsAttr>(aicore::kNeedsOfRightAttr)};
}

/// The product of the strides of windows in a plane, at most that of a fractal's rows.
static int64_t elementsOfPlace(const Contract &contract) {
  std::string reason;
  const std::optional<Domain> domain = domainOf(contract, reason);
  if (!domain || !domain->windows)
    return 1;
  int64_t elements = 1;
  for (const AxisWindow &axis : ArrayRef(domain->windows->axes).take_back(2))
    elements *= std::clamp<int64_t>(axis.stride, 1, kFractalRows);
  return elements;
}

namespace {

/// The instances of one type row while they are scheduled.
class RowSchedule {
public:
  RowSchedule(const Contract &contract, ArrayRef<ShapeKey> keys, unsigned row, const Target &target,
              Diagnostics &diagnostics)
      : contract(contract), keys(keys.begin(), keys.end()), row(row), target(target), policy(target),
        diagnostics(diagnostics) {
    llvm::erase_if(this->keys, [&](const ShapeKey &key) { return !hasKeyOnAicore(contract, key, row); });
    for (ShapeKey &key : this->keys) {
      key.isOnCube = key.hasWindows && !key.isWide && convolvesOnCube(contract, row);
      key.hasPackedFilters = key.hasWindows && contract.packedInput(row);
      key.elementsOfPlace = key.hasWindows ? elementsOfPlace(contract) : 1;
    }
  }

  LogicalResult choose(func::FuncOp function, std::vector<ScheduleRefusal> &refused);
  /// Adds the tiling function. With shapes, keeps only the instance that these shapes use.
  /// If none serves them and only the CPU does, removes all instances and says so in `cpuAlone`, unless that is null.
  LogicalResult finish(ModuleOp module, const StaticShapes &shapes, std::string *cpuAlone);
  void explainTo(std::vector<KernelSchedule> &explanation);

private:
  struct Instance {
    func::FuncOp function;
    const ShapeKey *key;
    NeedsAttr needs;
    OperandNeeds operands;
    ContractSchedule author;
    ScheduleChoice choice;
    ProductNeeds ofProduct() const { return {needs, operands}; }
  };
  void set(Instance &instance, ScheduleAttr schedule);
  void leaveOutEqualPanels();
  func::FuncOp tilingFunction(ModuleOp module, const StaticShapes &shapes);
  ScheduleAttr fitted(const Instance &instance, func::FuncOp tiling) const;
  void chooseFor(Instance &product, func::FuncOp tiling);
  bool isPanelWorthIt(const Instance &resident, func::FuncOp tiling) const;
  bool isRightWorthIt(const Instance &resident, func::FuncOp tiling) const;
  /// Whether the kernels reduce rows of a product: shapes that they do not serve have too long ones.
  bool isOfReducedRows() const { return keys.front().kind == ShapeKey::Contraction && keys.front().reduced[1]; }
  std::string whyUnserved() const;
  void renew(func::FuncOp &tiling, ModuleOp module, const StaticShapes &shapes);
  bool decideResidents(func::FuncOp tiling);
  void removeAll();
  void keepOnly(int64_t tilingKey);
  void fit(func::FuncOp &tiling, int64_t taken, ModuleOp module, const StaticShapes &shapes);

  const Contract &contract;
  std::vector<ShapeKey> keys; ///< of the row
  unsigned row;
  const Target &target;
  AicorePolicy policy;
  Diagnostics &diagnostics;
  std::vector<Instance> instances;
};

} // namespace

void RowSchedule::set(Instance &instance, ScheduleAttr schedule) {
  instance.choice.schedule = schedule;
  policy.add(instance.key->number, schedule, instance.ofProduct());
  instance.function->setAttr(AICoreDialect::kScheduleAttr, schedule);
}

LogicalResult RowSchedule::choose(func::FuncOp function, std::vector<ScheduleRefusal> &refused) {
  auto name = function->getAttrOfType<StringAttr>(te::TeDialect::kShapeKeyAttr);
  const ShapeKey *key = name ? keyNamed(keys, name.getValue()) : nullptr;
  if (!key)
    return function.emitError("[tiled_c1] expects an instance of a shape key of the contract");
  // It is the last key. Where the body takes no lines, its kernel would be that of the key before it.
  if (key->takesElements && !policy.hasLines()) {
    function.erase();
    keys.pop_back();
    return success();
  }
  Instance instance{function, key, {}, operandNeedsOf(function), scheduleOf(contract, row, key->number), {}};
  const bool hasLongRows = key->kind == ShapeKey::Contraction && key->isLong;
  // A tile that is meant for all keys is none of long rows, and none of the vector unit.
  for (std::optional<ScheduleKnob> *knob : {&instance.author.rows, &instance.author.tile})
    if ((hasLongRows || key->isWide) && *knob && !(*knob)->ofKey)
      knob->reset();
  const ContractSchedule &asked = instance.author;
  SmallVector<NeedsAttr> variants = variantsOf(function);
  instance.needs = needsFor(variants, asked.alias && asked.alias->value, asked.expansion ? asked.expansion->value : 32);
  function->setAttr(AICoreDialect::kNeedsAttr, instance.needs);
  instance.choice = chooseSchedule(instance.needs, *key, instance.author, target, instance.operands);
  ScheduleAttr schedule = instance.choice.schedule;
  // UB holds no long row, none beside a right matrix, or no wide windows: a launch that has one takes another key, or
  // is refused.
  auto isOfKey = [](const std::optional<ScheduleKnob> &knob) { return knob && knob->ofKey; };
  const bool isAsked = llvm::any_of(
      ArrayRef{asked.rows, asked.tile, asked.slots, asked.prefetch, asked.alignment, asked.alias, asked.expansion},
      isOfKey);
  // Loops over single rows in a nest of runs of rows are more than a proof of order walks.
  const bool isTooDeep = key->hasResidentRight && instance.needs.getRowOps() > 0;
  // Shorter rows have a key of their own if UB has room for more of them than of the longest.
  const bool isNoGain = hasShorterRows(*key) && schedule && schedule.getRows() == kFractalRows && !isAsked;
  const bool isOptional = hasLongRows || key->hasResidentRight || key->isWide || key->isStrided;
  if (isTooDeep || isNoGain || (!schedule && isOptional && !isAsked)) {
    function.erase();
    llvm::erase_if(keys, [number = key->number](const ShapeKey &each) { return each.number == number; });
    return success();
  }
  if (!schedule) {
    ScheduleRefusal refusal;
    refusal.kernel = function.getName().str();
    refusal.types = contract.typeRowName(row);
    refusal.key = key->name;
    refuse(refusal, asked, instance.choice, target);
    if (key->kind == ShapeKey::Contraction && !key->isOnVectorUnit())
      refuseProduct(refusal, asked, instance.needs, *key, target);
    refusal.cycles = estimateCycles(instance.needs, instance.choice.asked, *key, target);
    findFixes(refusal, variants, *key, row, asked, target);
    refused.push_back(std::move(refusal));
    function->setAttr(AICoreDialect::kScheduleAttr, instance.choice.asked);
    return success(); // the others may be refused too
  }
  if (!checkPrefetch(function, asked, schedule, diagnostics) || !checkUseful(function, asked, schedule, diagnostics))
    return success(); // The error was reported; other instances may have errors of their own.
  set(instance, schedule);
  if (auto lines = function->getAttrOfType<ArrayAttr>(aicore::AICoreDialect::kLinesAttr))
    policy.addLines(lines);
  Builder builder(function.getContext());
  function->setAttr(AICoreDialect::kTilingKeyAttr, builder.getI64IntegerAttr(key->tilingKey(row)));
  instances.push_back(std::move(instance));
  return success();
}

func::FuncOp RowSchedule::tilingFunction(ModuleOp module, const StaticShapes &shapes) {
  return buildTilingFunction(module, instances.front().function.getLoc(), contract.kernelName(row) + "_tiling",
                             contract, keys, row, policy, shapes);
}

/// The schedule, with its tile reduced to what the only possible launch needs.
ScheduleAttr RowSchedule::fitted(const Instance &instance, func::FuncOp tiling) const {
  ScheduleAttr schedule = instance.choice.schedule;
  std::optional<int64_t> length = constantResult(tiling, "tile_length"), rows = 1;
  if (instance.key->kind != ShapeKey::Flat) {
    length = constantResult(tiling, "row_length" + instance.key->suffix());
    if (length)
      length = llvm::alignTo(*length, 32 / instance.needs.getSmallest());
    if (!instance.key->isLong)
      rows = constantResult(tiling, "tile_rows" + instance.key->suffix());
  }
  if (!length || !rows)
    return schedule;
  auto elements = static_cast<int64_t>(llvm::alignTo(std::max<int64_t>(*length * *rows, 1), 256));
  return ScheduleAttr::get(schedule.getContext(), std::min(schedule.getTile(), elements),
                           std::min(schedule.getRows(), *rows), schedule.getSlots(), schedule.getPrefetch(),
                           schedule.getAlignment(), schedule.getAlias(), schedule.getExpansion());
}

/// The only possible sizes of a product.
static std::array<int64_t, 3> onlySizes(const ShapeKey &key, func::FuncOp tiling) {
  std::array<int64_t, 3> sizes = nominalSizes(key);
  for (unsigned loop = 0; loop < sizes.size(); ++loop)
    if (std::optional<int64_t> size = constantResult(tiling, "size" + std::to_string(loop)))
      sizes[loop] = *size;
  return sizes;
}

/// The only possible number of matrices of a product: what begins and ends a launch counts once for all of them.
static int64_t onlyBatches(func::FuncOp tiling) {
  constexpr int64_t most = int64_t(1) << 20;
  int64_t batches = 1;
  for (const char *loop : {"batch0", "batch1", "batch2", "batch3", "batch4"})
    if (std::optional<int64_t> size = constantResult(tiling, loop))
      batches = std::min(batches * std::clamp<int64_t>(*size, 1, most), most);
  return batches;
}

/// Chooses the tile of a matrix product again, for the only possible sizes.
void RowSchedule::chooseFor(Instance &product, func::FuncOp tiling) {
  ScheduleChoice choice = chooseContraction(product.ofProduct(), *product.key, product.author, target,
                                            onlySizes(*product.key, tiling), onlyBatches(tiling));
  if (!choice.schedule)
    return;
  product.choice = std::move(choice);
  set(product, product.choice.schedule);
}

/// Whether the only launch has fewer cycles with a panel in L1 than without. With a long k only few rows fit the panel,
/// and the right operand is read once for each row of tiles. Without a panel windows are gathered, which costs more.
bool RowSchedule::isPanelWorthIt(const Instance &resident, func::FuncOp tiling) const {
  const Instance &streamed = *llvm::find_if(instances, [](const Instance &each) { return !each.key->isResident; });
  if (streamed.key->hasWindows)
    return true;
  const std::array<int64_t, 3> sizes = onlySizes(*resident.key, tiling);
  const int64_t batches = onlyBatches(tiling);
  const ScheduleChoice choice =
      chooseContraction(streamed.ofProduct(), *streamed.key, streamed.author, target, sizes, batches);
  return !choice.schedule ||
         contractionCycles(resident.ofProduct(), resident.choice.schedule, *resident.key, target, sizes, batches) <=
             contractionCycles(streamed.ofProduct(), choice.schedule, *streamed.key, target, sizes, batches);
}

/// Whether the right matrix of the only launch fits L1, and the launch has fewer cycles with it than with others.
bool RowSchedule::isRightWorthIt(const Instance &resident, func::FuncOp tiling) const {
  const std::array<int64_t, 3> sizes = onlySizes(*resident.key, tiling);
  auto cycles = [&](const Instance &instance) {
    const int64_t batches = onlyBatches(tiling);
    const ScheduleChoice choice =
        chooseContraction(instance.ofProduct(), *instance.key, instance.author, target, sizes, batches);
    const ScheduleAttr schedule = choice.schedule;
    return schedule && schedule.getTile() / schedule.getRows() >= sizes[1]
               ? contractionCycles(instance.ofProduct(), schedule, *instance.key, target, sizes, batches)
               : INT64_MAX;
  };
  int64_t others = INT64_MAX;
  for (const Instance &instance : instances)
    if (!instance.key->hasResidentRight)
      others = std::min(others, cycles(instance));
  return cycles(resident) < others;
}

/// Keys with a panel differ in their tiles alone: of kernels with one tile the first is enough.
void RowSchedule::leaveOutEqualPanels() {
  llvm::DenseSet<ScheduleAttr> tiles;
  llvm::erase_if(instances, [&](Instance &instance) {
    if (!instance.key->isResident || tiles.insert(instance.choice.schedule).second)
      return false;
    policy.leaveOutPanel(instance.key->number);
    instance.function.erase();
    return true;
  });
}

/// Why no kernel serves the shapes of a static operator: "these ...".
std::string RowSchedule::whyUnserved() const {
  const ShapeKey &key = keys.front();
  if (key.isOnCube && llvm::none_of(keys, [](const ShapeKey &each) { return each.isWide; }))
    return "have windows that reach over more elements of a plane than a tile has";
  if (key.kind == ShapeKey::Windows || key.hasWindows)
    return "have windows that reach over more elements of a row than a tile has";
  if (key.kind == ShapeKey::Lookup || key.kind == ShapeKey::Gather)
    return "take elements from tensors of 2^31 elements";
  if (isOfReducedRows())
    return "have rows of a product that are reduced and longer than UB has room for, or empty";
  if (key.kind == ShapeKey::Sorted)
    return "sort lines of more than " + std::to_string(aicore::kMostOfSorted) + " elements";
  return "broadcast in more ways than four loops can follow";
}

/// Makes the tiling function again, after the policy has changed.
void RowSchedule::renew(func::FuncOp &tiling, ModuleOp module, const StaticShapes &shapes) {
  tiling.erase();
  tiling = tilingFunction(module, shapes);
}

/// Decides for the only possible launch whether operands of a product stay in L1. With another tile, the panel of the
/// only k may fit L1. All keys with a panel then have the same tile. Returns whether there are such keys.
bool RowSchedule::decideResidents(func::FuncOp tiling) {
  bool hasPanels = false, isWorthIt = false, hasRight = false;
  for (Instance &instance : instances)
    if (instance.key->isResident) {
      chooseFor(instance, tiling);
      hasPanels = true;
      isWorthIt |= isPanelWorthIt(instance, tiling);
    }
  for (Instance &instance : instances)
    if (instance.key->hasResidentRight) {
      chooseFor(instance, tiling);
      policy.takeRight(isRightWorthIt(instance, tiling));
      hasRight = true;
    }
  if (hasPanels)
    isWorthIt ? policy.takePanels() : policy.leaveOutPanels();
  return hasPanels || hasRight;
}

void RowSchedule::removeAll() {
  for (Instance &instance : instances)
    instance.function.erase();
  instances.clear();
}

/// Removes the instances with another tiling key.
void RowSchedule::keepOnly(int64_t tilingKey) {
  auto others = std::stable_partition(instances.begin(), instances.end(), [&](const Instance &instance) {
    return int64_t(instance.key->tilingKey(row)) == tilingKey;
  });
  for (auto other = others; other != instances.end(); ++other)
    other->function.erase();
  instances.erase(others, instances.end());
}

/// Fits the schedules of the instances that are left, a kernel or all its nests, to the only possible launch, which
/// takes this tiling key.
void RowSchedule::fit(func::FuncOp &tiling, int64_t taken, ModuleOp module, const StaticShapes &shapes) {
  const std::vector<Instance> ofAnyShape = instances;
  for (Instance &only : instances) {
    // The rows of a tile of windows are wider than their results.
    if (only.key->kind == ShapeKey::Windows || only.key->isOnVectorUnit())
      continue;
    if (only.key->kind == ShapeKey::Contraction) {
      chooseFor(only, tiling);
      continue;
    }
    ScheduleAttr before = only.choice.schedule, after = fitted(only, tiling);
    set(only, after);
    if (after != before)
      only.choice.why.insert(only.choice.why.begin(),
                             "tile = " + std::to_string(after.getTile()) + ": what --input_shape puts into it");
  }
  renew(tiling, module, shapes);
  // The cheapest tile may cover too much of a plane; the tile for all shapes is valid here.
  const std::optional<int64_t> left = constantResult(tiling, kTilingKeyField);
  if (left != kNoTilingKey && (!instances.front().key->hasWindows || left == taken))
    return;
  instances = ofAnyShape;
  for (Instance &instance : instances)
    set(instance, instance.choice.schedule);
  renew(tiling, module, shapes);
}

LogicalResult RowSchedule::finish(ModuleOp module, const StaticShapes &shapes, std::string *cpuAlone) {
  // The tiling function requires the schedule of every key.
  for (const ShapeKey &key : keys)
    if (llvm::count_if(instances, [&](const Instance &instance) { return instance.key == &key; }) != 1)
      return emitError(module.getLoc())
             << "[tiled_c1] expects one instance of each shape key of the contract, found none "
                "or two of '"
             << key.name << "' in the type row '" << contract.typeRowName(row) << "'";
  if (shapes.empty())
    leaveOutEqualPanels();
  func::FuncOp tiling = tilingFunction(module, shapes);
  std::optional<int64_t> taken;
  if (!shapes.empty()) {
    if (decideResidents(tiling))
      renew(tiling, module, shapes);
    taken = constantResult(tiling, kTilingKeyField);
  }
  if (taken == kNoTilingKey && cpuAlone && isOfReducedRows()) {
    *cpuAlone = whyUnserved();
    tiling.erase();
    removeAll();
    return success();
  }
  if (taken == kNoTilingKey) {
    diagnostics.error(Code::E0112, {},
                      "--input_shape expects shapes that a kernel of '" + contract.opType + "' serves: these " +
                          whyUnserved());
    return failure();
  }
  if (taken) {
    keepOnly(*taken);
    fit(tiling, *taken, module, shapes);
  }
  for (Instance &instance : instances)
    instance.function->setAttr(AICoreDialect::kTilingFunctionAttr, FlatSymbolRefAttr::get(tiling));
  return success();
}

void RowSchedule::explainTo(std::vector<KernelSchedule> &explanation) {
  for (Instance &instance : instances)
    explanation.push_back(
        explain(instance.function, *instance.key, row, contract, instance.needs, instance.author, instance.choice));
}

LogicalResult scheduleInstances(ModuleOp module, const ScheduleRequest &request) {
  const Contract &contract = request.contract;
  std::vector<ShapeKey> keys = shapeKeys(contract);
  llvm::MapVector<unsigned, SmallVector<func::FuncOp>> rows;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(AICoreDialect::kNeedsAttr))
      if (auto row = function->getAttrOfType<IntegerAttr>(te::TeDialect::kTypeRowAttr))
        rows[row.getInt()].push_back(function);
  size_t before = request.diagnostics.errorCount();
  for (auto &[row, functions] : rows) {
    if (row >= contract.typeRows())
      return functions.front().emitError("[tiled_c1] expects an instance of a type row of the contract");
    RowSchedule schedule(contract, keys, row, request.target, request.diagnostics);
    for (func::FuncOp function : functions)
      if (failed(schedule.choose(function, request.refused)))
        return failure();
    if (request.diagnostics.errorCount() != before || !request.refused.empty())
      continue;
    std::string cpuAlone;
    if (failed(schedule.finish(module, request.shapes, request.cpuAlone ? &cpuAlone : nullptr)))
      return failure();
    if (!cpuAlone.empty())
      (*request.cpuAlone)[row] = "shapes that " + cpuAlone;
    schedule.explainTo(request.explanation);
  }
  return success(request.diagnostics.errorCount() == before && request.refused.empty());
}

} // namespace opc

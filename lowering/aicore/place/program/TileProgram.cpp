#include "lowering/aicore/place/program/TileProgram.h"

#include "dialect/aicore/index/IndexBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <limits>
#include <numeric>

using namespace mlir;

namespace opc::aicore {

// Constants are placed at the start of the kernel, each once.
Value TileProgramBuilder::constantAt(TypedAttr attribute) {
  return leadingConstant(*entry.getInsertionBlock(), getLocation(), attribute);
}

Value TileProgramBuilder::scalarConstant(ElementType type, double value) {
  Type mlirType = mlirTypeOf(type, entry.getContext());
  if (isa<FloatType>(mlirType))
    return constantAt(entry.getFloatAttr(mlirType, value));
  return constantAt(entry.getIntegerAttr(mlirType, static_cast<int64_t>(value)));
}

Value TileProgramBuilder::indexConstant(int64_t value) {
  return constantAt(entry.getIndexAttr(value));
}

bool TileProgramBuilder::isFromHalf(TileId value) const {
  if (program.values[value].type == ElementType::Float16)
    return true;
  for (const TileStep &step : program.steps)
    if (step.result == value && step.intrinsic == Intrinsic::vcast)
      return isFromHalf(step.sources.front());
  return false;
}

void TileProgramBuilder::require(Intrinsic intrinsic, TypeRow types) {
  if (hasFailed || supports(intrinsic, types))
    return;
  hasFailed = true;
  std::string row(mlirTypeName(types.source));
  if (types.source != types.destination)
    row += " to " + std::string(mlirTypeName(types.destination));
  mlir::emitError(getLocation(), "[place_c1] expects what ")
      << std::string(target.name()) << " can compute; it has no '" << std::string(intrinsicInfo(intrinsic).name)
      << "' of " << row << ": compute in float32, or give the operator a body at level aicore";
}

TileStep TileProgramBuilder::step(Intrinsic intrinsic, ArrayRef<TileId> sources) {
  TileStep step{intrinsic,
                SmallVector<TileId, 3>(sources),
                {},
                std::nullopt,
                Rounding::None,
                Comparison::Lt,
                false,
                false,
                0.0,
                false,
                0,
                getLocation()};
  return step;
}

bool TileProgram::storesProduct() const {
  auto isRounding = [&](const TileStep &step) {
    return step.intrinsic == Intrinsic::vcast && step.rounding == Rounding::Rint &&
           values[step.sources.front()].isProduct && isFloat(values[step.sources.front()].type) &&
           isFloat(values[step.result].type);
  };
  return llvm::any_of(values, [](const TileValue &value) { return value.isProduct; }) &&
         llvm::none_of(values, [](const TileValue &value) { return value.tensor.has_value(); }) &&
         llvm::all_of(steps, isRounding);
}

void TileProgram::dropUnread() {
  std::vector<bool> read(values.size());
  for (auto [value, tensor] : stores)
    read[value] = true;
  std::vector<TileStep> kept;
  for (TileStep &step : llvm::reverse(steps)) {
    if (!read[step.result])
      continue;
    for (TileId source : step.sources)
      read[source] = true;
    if (step.rowScalar)
      read[*step.rowScalar] = true;
    kept.push_back(std::move(step));
  }
  std::reverse(kept.begin(), kept.end());
  steps = std::move(kept);

  // Renumber the remaining values from 0: the kernel forms load each value that has a tensor.
  std::vector<TileId> now(values.size());
  std::vector<TileValue> left;
  for (TileId value = 0; value < values.size(); ++value)
    if (read[value]) {
      now[value] = TileId(left.size());
      left.push_back(values[value]);
    }
  values = std::move(left);
  for (TileStep &step : steps) {
    for (TileId &source : step.sources)
      source = now[source];
    if (step.rowScalar)
      step.rowScalar = now[*step.rowScalar];
    step.result = now[step.result];
  }
  for (auto &[value, tensor] : stores)
    value = now[value];
}

void TileProgram::moveRowsBehind() {
  std::vector<TileStep> ordered;
  for (bool behind : {false, true})
    for (const TileStep &step : steps)
      if ((spreadOf(step.result) == Spread::Row && !step.foldsRows) == behind)
        ordered.push_back(step);
  steps = std::move(ordered);
}

/// Whether two lookups of Lines have the same line in each row.
static bool haveOneLine(const TileStep &a, const TileStep &b) {
  if (!a.lookup || !b.lookup || b.lookup->kind != TileStep::Lookup::Lines || a.lookup->kind != b.lookup->kind ||
      a.lookup->tensor != b.lookup->tensor || a.lookup->places.size() != b.lookup->places.size())
    return false;
  auto isSame = [&](const TileStep::Lookup::Place &own, const TileStep::Lookup::Place &other) {
    const bool sameSource = own.source && other.source ? a.sources[*own.source] == b.sources[*other.source]
                                                       : own.source == other.source && own.number == other.number;
    return sameSource && own.dim == other.dim && own.beyond == other.beyond;
  };
  return llvm::all_of(llvm::zip_equal(a.lookup->places, b.lookup->places),
                      [&](auto places) { return isSame(std::get<0>(places), std::get<1>(places)); });
}

void TileProgram::joinLines() {
  if (llvm::none_of(steps, [](const TileStep &step) { return bool(step.lookup); }))
    return;
  std::stable_partition(steps.begin(), steps.end(), [&](const TileStep &step) {
    return spreadOf(step.result) == Spread::Row || spreadOf(step.result) == Spread::One;
  });
  // Offsets of a row are made before all of them, those of a tile may be made between two lookups.
  auto isOfRow = [&](const TileStep &step) { return spreadOf(step.sources.back()) == Spread::Row; };
  for (size_t first = 0; first < steps.size(); ++first)
    for (size_t next = first + 1, end = first + 1; next < steps.size(); ++next)
      if (spreadOf(steps[first].result) == Spread::Full && haveOneLine(steps[first], steps[next]) &&
          spreadOf(steps[next].result) == Spread::Full && !steps[first].lookup->sharesLine && isOfRow(steps[first]) &&
          isOfRow(steps[next])) {
        steps[next].lookup->sharesLine = true;
        std::rotate(steps.begin() + long(end), steps.begin() + long(next), steps.begin() + long(next) + 1);
        ++end;
      }
}

TileProgram TileProgram::withCastsShared() const {
  TileProgram shared = *this;
  shared.steps.clear();
  std::vector<TileId> now(values.size());
  std::iota(now.begin(), now.end(), 0u);
  for (TileStep step : steps) {
    for (TileId &source : step.sources)
      source = now[source];
    if (step.rowScalar)
      step.rowScalar = now[*step.rowScalar];
    auto isSame = [&](const TileStep &other) {
      return other.intrinsic == Intrinsic::vcast && other.sources == step.sources && other.rounding == step.rounding &&
             values[other.result].type == values[step.result].type;
    };
    auto earlier = step.intrinsic == Intrinsic::vcast ? llvm::find_if(shared.steps, isSame) : shared.steps.end();
    if (earlier != shared.steps.end())
      now[step.result] = earlier->result;
    else
      shared.steps.push_back(std::move(step));
  }
  for (auto &[value, tensor] : shared.stores)
    value = now[value];
  return shared;
}

TileId TileProgramBuilder::append(TileStep step, ElementType type, Spread spread, bool isMask) {
  auto id = static_cast<TileId>(program.values.size());
  program.values.push_back({type, spread, isMask, std::nullopt});
  step.result = id;
  program.steps.push_back(std::move(step));
  return id;
}

TileId TileProgramBuilder::load(unsigned tensor, ElementType type, Spread spread) {
  auto id = static_cast<TileId>(program.values.size());
  program.values.push_back({type, spread, false, tensor});
  return id;
}

TileId TileProgramBuilder::product(ElementType type) {
  auto id = static_cast<TileId>(program.values.size());
  program.values.push_back({type, Spread::Full, false, std::nullopt, /*isProduct=*/true});
  return id;
}

TileId TileProgramBuilder::unary(Intrinsic intrinsic, TileId source) {
  TileValue value = program.values[source];
  require(intrinsic, {value.type, value.type});
  return append(step(intrinsic, {source}), value.type, value.spread);
}

/// The scalar form of a binary intrinsic, for a right operand that is an element of another tile.
static std::optional<Intrinsic> scalarForm(Intrinsic intrinsic) {
  switch (intrinsic) {
  case Intrinsic::vadd:
    return Intrinsic::vadds;
  case Intrinsic::vmul:
    return Intrinsic::vmuls;
  case Intrinsic::vmax:
    return Intrinsic::vmaxs;
  case Intrinsic::vmin:
    return Intrinsic::vmins;
  default:
    return std::nullopt;
  }
}

std::optional<Intrinsic> withRows(Intrinsic intrinsic) {
  switch (intrinsic) {
  case Intrinsic::vadds:
    return Intrinsic::vadd;
  case Intrinsic::vsub:
    return Intrinsic::vsub;
  case Intrinsic::vmuls:
    return Intrinsic::vmul;
  case Intrinsic::vdiv:
    return Intrinsic::vdiv;
  case Intrinsic::vmaxs:
    return Intrinsic::vmax;
  case Intrinsic::vmins:
    return Intrinsic::vmin;
  default:
    return std::nullopt;
  }
}

bool canSpreadRows(const Target &target, Intrinsic intrinsic, ElementType type) {
  std::optional<Intrinsic> rows = withRows(intrinsic);
  return rows && target.supports(*rows, {type, type}) && target.supports(Intrinsic::vgather, {type, type});
}

/// Whether `value` has a single scalar where `other` has a whole row (or column).
static bool isScalarFor(Spread value, Spread other) {
  if (value == other)
    return false;
  return value == Spread::One || (value == Spread::Column && other != Spread::One);
}

TileId TileProgramBuilder::widen(TileId source, Spread spread) {
  TileValue value = program.values[source];
  if (value.spread == spread)
    return source;
  // The chip neither fills with bytes nor multiplies them, but float16 holds every byte.
  if (value.type == ElementType::Int8 || value.type == ElementType::UInt8)
    return cast(widen(cast(source, ElementType::Float16, Rounding::None), spread), value.type, Rounding::Rint);
  // Fill with ones and multiply by the row's element: the scalar unit then reads nothing.
  if (value.spread == Spread::Column && canSpreadRows(target, Intrinsic::vmuls, value.type)) {
    TileStep product = step(Intrinsic::vmuls, {fill(scalarConstant(value.type, 1.0), value.type, spread)});
    product.rowScalar = source;
    return append(std::move(product), value.type, spread);
  }
  if (isScalarFor(value.spread, spread)) {
    require(Intrinsic::vbrc, {value.type, value.type});
    TileStep filling = step(Intrinsic::vbrc, {});
    filling.rowScalar = source;
    return append(std::move(filling), value.type, spread);
  }
  // Copies a row into every row. Multiplying by 1 changes no number; bfloat16 has no multiplication.
  if (!supports(Intrinsic::vmuls, {value.type, value.type}) && supports(Intrinsic::vcopy, {value.type, value.type}))
    return append(step(Intrinsic::vcopy, {source}), value.type, spread);
  require(Intrinsic::vmuls, {value.type, value.type});
  TileStep copying = step(Intrinsic::vmuls, {source});
  copying.scalar = scalarConstant(value.type, 1.0);
  return append(std::move(copying), value.type, spread);
}

TileId TileProgramBuilder::binary(Intrinsic intrinsic, TileId lhs, TileId rhs) {
  TileValue left = program.values[lhs], right = program.values[rhs];
  require(intrinsic, {left.type, left.type});
  Spread spread = join(left.spread, right.spread);
  bool leftScalar = isScalarFor(left.spread, right.spread);
  bool rightScalar = isScalarFor(right.spread, left.spread);
  if (!leftScalar && !rightScalar)
    return append(step(intrinsic, {lhs, rhs}), left.type, spread);
  bool ordered = intrinsic == Intrinsic::vsub || intrinsic == Intrinsic::vdiv;
  if (ordered && rightScalar && right.spread == Spread::Column && canSpreadRows(target, intrinsic, left.type)) {
    TileStep mixed = step(intrinsic, {lhs});
    mixed.rowScalar = rhs;
    return append(std::move(mixed), left.type, spread);
  }
  // a - b equals a + (-b), with the same rounding.
  if (intrinsic == Intrinsic::vsub)
    return binary(Intrinsic::vadd, lhs, scalar(Intrinsic::vmuls, rhs, -1.0));
  std::optional<Intrinsic> form = scalarForm(intrinsic);
  if (!form) {
    TileId wideLeft = leftScalar ? widen(lhs, spread) : lhs;
    TileId wideRight = rightScalar ? widen(rhs, spread) : rhs;
    return append(step(intrinsic, {wideLeft, wideRight}), left.type, spread);
  }
  // Sums, products and extrema are commutative.
  TileStep mixed = step(*form, {leftScalar ? rhs : lhs});
  mixed.rowScalar = leftScalar ? lhs : rhs;
  return append(std::move(mixed), left.type, spread);
}

TileId TileProgramBuilder::scalar(Intrinsic intrinsic, TileId source, Value scalar) {
  TileValue value = program.values[source];
  require(intrinsic, {value.type, value.type});
  TileStep made = step(intrinsic, {source});
  made.scalar = scalar;
  return append(std::move(made), value.type, value.spread);
}

TileId TileProgramBuilder::scalar(Intrinsic intrinsic, TileId source, double value) {
  return scalar(intrinsic, source, scalarConstant(program.values[source].type, value));
}

TileId TileProgramBuilder::cast(TileId source, ElementType type, Rounding rounding) {
  TileValue value = program.values[source];
  if (value.type == type)
    return source;
  // Narrowing a value that was just widened returns the original.
  if (expansion == ElementType::Float16 && type == expansion)
    for (const TileStep &made : program.steps)
      if (made.result == source && made.intrinsic == Intrinsic::vcast &&
          program.values[made.sources.front()].type == type)
        return made.sources.front();
  require(Intrinsic::vcast, {value.type, type});
  TileStep made = step(Intrinsic::vcast, {source});
  made.rounding = rounding;
  return append(std::move(made), type, value.spread);
}

TileId TileProgramBuilder::whole(TileId source, Rounding rounding) {
  TileValue value = program.values[source];
  require(Intrinsic::vcast, {value.type, value.type});
  TileStep made = step(Intrinsic::vcast, {source});
  made.rounding = rounding;
  return append(std::move(made), value.type, value.spread);
}

TileId TileProgramBuilder::fill(Value scalar, ElementType type, Spread spread) {
  require(Intrinsic::vbrc, {type, type});
  TileStep made = step(Intrinsic::vbrc, {});
  made.scalar = scalar;
  return append(std::move(made), type, spread);
}

TileId TileProgramBuilder::compare(Comparison comparison, TileId lhs, TileId rhs, Spread spread) {
  ElementType type = program.values[lhs].type;
  require(Intrinsic::vcmp, {type, ElementType::UInt8});
  // A mask has no rows of its own, so both operands take the full spread first.
  TileStep made = step(Intrinsic::vcmp, {widen(lhs, spread), widen(rhs, spread)});
  made.comparison = comparison;
  return append(std::move(made), ElementType::UInt8, spread, /*isMask=*/true);
}

TileId TileProgramBuilder::compare(Comparison comparison, TileId lhs, Value scalar, Spread spread) {
  require(Intrinsic::vcmps, {program.values[lhs].type, ElementType::UInt8});
  TileStep made = step(Intrinsic::vcmps, {widen(lhs, spread)});
  made.comparison = comparison;
  made.scalar = scalar;
  return append(std::move(made), ElementType::UInt8, spread, /*isMask=*/true);
}

TileId TileProgramBuilder::select(TileId mask, TileId lhs, TileId rhs) {
  Spread spread = program.values[mask].spread;
  ElementType type = program.values[lhs].type;
  if (program.spreadOf(rhs) == Spread::One && spread != Spread::One) {
    require(Intrinsic::vsels, {type, type});
    TileStep mixed = step(Intrinsic::vsels, {mask, widen(lhs, spread)});
    mixed.rowScalar = rhs;
    return append(std::move(mixed), type, spread);
  }
  require(Intrinsic::vsel, {type, type});
  TileStep made = step(Intrinsic::vsel, {mask, widen(lhs, spread), widen(rhs, spread)});
  return append(std::move(made), type, spread);
}

TileId TileProgramBuilder::select(TileId mask, TileId lhs, Value scalar) {
  Spread spread = program.values[mask].spread;
  ElementType type = program.values[lhs].type;
  require(Intrinsic::vsels, {type, type});
  TileStep made = step(Intrinsic::vsels, {mask, widen(lhs, spread)});
  made.scalar = scalar;
  return append(std::move(made), type, spread);
}

void TileProgramBuilder::fuseRelu() {
  program.steps.back().intrinsic =
      program.steps.back().intrinsic == Intrinsic::vadd ? Intrinsic::vaddrelu : Intrinsic::vsubrelu;
}

TileId TileProgramBuilder::gather(TileId source, unsigned tensor) {
  ElementType type = program.values[source].type;
  require(Intrinsic::vgather, {type, type});
  TileStep gathers = step(Intrinsic::vgather, {source});
  gathers.spreadsTensor = tensor;
  return append(std::move(gathers), type, Spread::Full);
}

TileId TileProgramBuilder::spread(TileId source, unsigned tensor) {
  ElementType type = program.values[source].type;
  if (!supports(Intrinsic::vcopy, {type, type}) || !canSpreadRows(target, Intrinsic::vmuls, type))
    return gather(source, tensor);
  require(Intrinsic::vbrc, {type, type});
  TileStep spreads = step(Intrinsic::vmul, {source});
  spreads.spreadsTensor = tensor;
  return append(std::move(spreads), type, Spread::Full);
}

TileId TileProgramBuilder::lookUp(TileStep::Lookup lookup, ArrayRef<TileId> sources, ElementType type, Spread spread) {
  TileStep made = step(Intrinsic::vgather, sources);
  made.lookup = std::move(lookup);
  return append(std::move(made), type, spread);
}

TileId TileProgramBuilder::sort(TileStep::Sort ways, ElementType type) {
  TileStep made = step(Intrinsic::vgather, {});
  made.sort = ways;
  return append(std::move(made), type, Spread::Full);
}

double identityOf(Intrinsic intrinsic, ElementType type) {
  const bool isMax = intrinsic == Intrinsic::vmax;
  if (!isMax && intrinsic != Intrinsic::vmin)
    return intrinsic == Intrinsic::vmul ? 1.0 : 0.0;
  switch (type) {
  case ElementType::Int8:
    return isMax ? -128.0 : 127.0;
  case ElementType::UInt8:
    return isMax ? 0.0 : 255.0;
  case ElementType::Int16:
    return isMax ? -32768.0 : 32767.0;
  case ElementType::Int32:
    return isMax ? -2147483648.0 : 2147483647.0;
  default:
    return isMax ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }
}

TileId TileProgramBuilder::reduce(Intrinsic intrinsic, TileId source, double identity) {
  TileValue value = program.values[source];
  require(intrinsic, {value.type, value.type});
  TileStep made = step(intrinsic, {source});
  made.foldsLanes = intrinsicInfo(intrinsic).form != IntrinsicForm::Reduce;
  made.identity = identity;
  if (made.foldsLanes)
    for (Intrinsic moving : {Intrinsic::vcopy, Intrinsic::vgather, Intrinsic::vbrc})
      require(moving, {value.type, value.type});
  return append(std::move(made), value.type, Spread::Column);
}

TileId TileProgramBuilder::positions() {
  for (const TileStep &made : program.steps)
    if (made.intrinsic == Intrinsic::varange)
      return made.result;
  require(Intrinsic::varange, {ElementType::Float32, ElementType::Float32});
  TileStep made = step(Intrinsic::varange, {});
  made.scalar = scalarConstant(ElementType::Float32, 0.0);
  return append(std::move(made), ElementType::Float32, Spread::Row);
}

TileId TileProgramBuilder::count(unsigned loop, bool inTile) {
  for (const TileStep &made : program.steps)
    if (made.countsAlong == loop && made.countsInTile == inTile)
      return made.result;
  const TypeRow whole = {ElementType::Int32, ElementType::Int32};
  require(Intrinsic::varange, whole);
  // Along m, the first position of the tile is added to the numbers of a tile's rows, which are made once.
  if (loop == 0)
    for (Intrinsic moving : {Intrinsic::vshr, Intrinsic::vadds})
      require(moving, whole);
  TileStep made = step(Intrinsic::varange, {});
  made.countsAlong = loop;
  made.countsInTile = inTile;
  return append(std::move(made), ElementType::Int32, loop == 0 ? Spread::Column : Spread::Row);
}

TileId TileProgramBuilder::positionsOfRows() {
  return widen(cast(count(0, /*inTile=*/true), ElementType::Float32, Rounding::Rint), Spread::Full);
}

TileId TileProgramBuilder::scan(Intrinsic intrinsic, TileId source, TileStep::Scan ways) {
  const ElementType type = program.values[source].type;
  for (Intrinsic needed : {intrinsic, Intrinsic::vcopy, Intrinsic::vbrc})
    require(needed, {type, type});
  if (ways.alongRow) {
    require(Intrinsic::vgather, {type, type});
    for (Intrinsic needed : {Intrinsic::varange, Intrinsic::vadds, Intrinsic::vmuls, Intrinsic::vmaxs, Intrinsic::vbrc})
      require(needed, {ElementType::Int32, ElementType::Int32});
  }
  TileStep made = step(intrinsic, {source});
  made.scan = ways;
  made.identity = identityOf(intrinsic, type);
  return append(std::move(made), type, Spread::Full);
}

TileId TileProgramBuilder::locate(Intrinsic intrinsic, TileId source) {
  require(intrinsic, {ElementType::Float32, ElementType::Float32});
  TileStep made = step(intrinsic, {source});
  made.isPosition = true;
  made.identity =
      identityOf(intrinsic == Intrinsic::vreduce_max ? Intrinsic::vmax : Intrinsic::vmin, ElementType::Int32);
  return append(std::move(made), ElementType::Int32, Spread::Column);
}

// Float32 represents the positions in a tile, but not those in a column of more than 2^24 elements.
TileId TileProgramBuilder::locateInColumns(Intrinsic intrinsic, TileId source) {
  const TypeRow whole = {ElementType::Int32, ElementType::Int32};
  TileId inTile = cast(source, ElementType::Int32, Rounding::Rint);
  require(Intrinsic::vadds, whole);
  TileStep moved = step(Intrinsic::vadds, {inTile});
  moved.addsFirstRow = true;
  TileId positions = append(std::move(moved), ElementType::Int32, Spread::Full);
  return reduceColumns(intrinsic, positions, identityOf(intrinsic, ElementType::Int32));
}

TileId TileProgramBuilder::reduceColumns(Intrinsic intrinsic, TileId source, double identity) {
  TileValue value = program.values[source];
  require(intrinsic, {value.type, value.type});
  TileStep made = step(intrinsic, {source});
  made.foldsRows = true;
  made.identity = identity;
  return append(std::move(made), value.type, Spread::Row);
}

} // namespace opc::aicore

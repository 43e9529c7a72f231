// Reads te.gather at computed indices, in kernels of the shape key `lookup`: chooses how a kernel reads the elements
// for the given indices and tensor, and writes the arithmetic on indices for the vector unit.
//
//   no place moves along n     a row of the tensor, or an element where it has none, by a copy for each row of the
//                              tile; the scalar unit reads the places
//   the last place alone does  a line of the tensor, gathered by offsets: those of a row, which are the same for all
//                              rows of the tile, or of a tile, from a line that all of its rows share
//   else                       element by element
//
// Integers of 64 bits are only used as indices: they are read as two words, and converted to the nearest number of
// 32 bits.

#include "lowering/aicore/place/program/PayloadReader.h"

#include "dialect/aicore/index/IndexBuilder.h"
#include "dialect/aicore/tiles/LookupTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace opc::aicore {

/// The size of an indexed dimension from a field of the tiling data, at most `most`; or twice its last index.
PlaceCount PayloadReader::countOf(const std::string &field, int64_t most, bool isPeriod) {
  mlir::Location location = steps.getLocation();
  IndexBuilder math(entry, location, *entry.getInsertionBlock());
  auto word = [&](Value index) -> Value {
    Value wide = arith::IndexCastOp::create(entry, location, entry.getI64Type(), index);
    return arith::TruncIOp::create(entry, location, entry.getI32Type(), wide);
  };
  Value number = TilingDataOp::create(entry, location, entry.getIndexType(), field, std::nullopt, std::nullopt,
                                      /*cases=*/nullptr);
  number = math.min(number, math.constant(most));
  Value one = math.constant(1);
  number = math.max(number, one);
  if (isPeriod)
    number = math.max(math.mul(math.sub(number, one), math.constant(2)), one);
  PlaceCount count;
  count.number = word(number);
  count.negative = word(math.sub(math.constant(0), number));
  count.last = word(math.sub(number, one));
  Value wide = arith::IndexCastOp::create(entry, location, entry.getI64Type(), number);
  Value single = arith::SIToFPOp::create(entry, location, entry.getF32Type(), wide);
  count.reciprocal = arith::DivFOp::create(entry, location, steps.scalarConstant(ElementType::Float32, 1.0), single);
  return count;
}

/// Whether a value is computed only from positions and numbers, so that neighbours differ by a row or a column.
bool PayloadReader::isOfPositions(TileId value) const {
  if (steps[value].isBrought() || steps[value].spread == Spread::Full)
    return false;
  for (const TileStep &step : program.steps)
    if (step.result == value)
      return !step.lookup && !step.reducesRows() &&
             llvm::all_of(step.sources, [&](TileId source) { return isOfPositions(source); }) &&
             (!step.rowScalar || isOfPositions(*step.rowScalar));
  return false;
}

/// Whether the elements of a value differ along n.
static bool movesAlongRow(Spread spread) {
  return spread == Spread::Row || spread == Spread::Full;
}

/// The suffix of the fields for a dimension of a tensor is its number; a tensor with given indices has one dimension
/// and no suffix.
static std::string numberOf(const KernelTensor &tensor, unsigned dim) {
  return tensor.indices ? std::string() : std::to_string(dim);
}

FailureOr<TileId> PayloadReader::lookUp(unsigned number, TileStep::Lookup lookup, SmallVector<TileId> sources) {
  const KernelTensor &tensor = shape.tensors[number];
  lookup.tensor = number;
  Spread spread = tensor.spread;
  for (TileId source : sources)
    spread = join(spread, steps[source].spread);
  const bool hasRow = movesAlongRow(tensor.spread);
  auto moves = [&](const TileStep::Lookup::Place &place) {
    return place.source && movesAlongRow(steps[sources[*place.source]].spread);
  };
  const auto moving = llvm::count_if(lookup.places, moves);
  // A nest has no other kernel for lines that are too long.
  auto sharesLine = [&] {
    return shape.suffix.empty() && tensor.spread == Spread::One &&
           llvm::none_of(lookup.places, [&](const TileStep::Lookup::Place &place) {
             return place.source && steps[sources[*place.source]].spread == Spread::Column;
           });
  };
  const auto last = llvm::find_if(
      lookup.places, [&](const TileStep::Lookup::Place &place) { return place.dim + 1 == tensor.places.size(); });
  ElementType type = tensor.type;
  if (type == ElementType::Int64) {
    lookup.kind = !moving && !hasRow ? TileStep::Lookup::WordColumns : TileStep::Lookup::Words;
    lookup.held = ElementType::Int32;
    const TileId found = steps.lookUp(std::move(lookup), sources, ElementType::Int32, spread);
    saturated.insert(found);
    return found;
  }
  if (!moving && !hasRow)
    lookup.kind = TileStep::Lookup::Columns;
  else if (!moving && !tensor.isApart)
    lookup.kind = TileStep::Lookup::Rows;
  else if (moving == 1 && !hasRow && !tensor.isApart && moves(*last) &&
           (steps[sources[*last->source]].spread == Spread::Row || sharesLine()))
    lookup.kind = TileStep::Lookup::Lines;
  else
    lookup.kind = TileStep::Lookup::Elements;
  if (lookup.kind == TileStep::Lookup::Columns || lookup.kind == TileStep::Lookup::Rows)
    return steps.lookUp(std::move(lookup), sources, type, spread);
  // The chip gathers elements of 16 and 32 bits; others are converted to floats first.
  if (!steps.supports(Intrinsic::vgather, {type, type}))
    type = elementSize(type) == 1 ? ElementType::Float16 : ElementType::Float32;
  lookup.held = type;
  if (lookup.kind == TileStep::Lookup::Lines) {
    const std::string field = tensor.name + "_count" + numberOf(tensor, last->dim);
    const te::Beyond beyond = last->beyond;
    const PlaceCount count = countOf(field, kMostOfLine, /*isPeriod=*/false);
    const PlaceCount period = countOf(field, kMostOfLine, /*isPeriod=*/true);
    TileId &offsets = sources[*last->source];
    offsets = expandPlace(steps, offsets, beyond, count, period);
    offsets = steps.scalar(Intrinsic::vmuls, offsets, double(elementSize(type)));
    // The offsets are the last source.
    const unsigned own = *last->source;
    std::rotate(sources.begin() + own, sources.begin() + own + 1, sources.end());
    lookup.places.erase(last);
    for (TileStep::Lookup::Place &place : lookup.places)
      if (place.source && *place.source > own)
        --*place.source;
  }
  const TileId found = steps.lookUp(std::move(lookup), sources, type, spread);
  const TileId result = steps.cast(found, tensor.type, Rounding::Rint);
  if (steps.failed())
    return failure();
  return result;
}

/// Returns the tile of an input of indices.
TileId PayloadReader::placesOf(unsigned indices) {
  auto [known, isNew] = givenPlaces.try_emplace(indices);
  if (!isNew)
    return known->second;
  const KernelTensor &tensor = shape.tensors[indices];
  TileId loaded = 0;
  if (tensor.type != ElementType::Int64) {
    loaded = steps.load(indices, tensor.type, tensor.spread);
  } else {
    TileStep::Lookup words;
    words.kind = movesAlongRow(tensor.spread) ? TileStep::Lookup::Words : TileStep::Lookup::WordColumns;
    words.tensor = indices;
    words.held = ElementType::Int32;
    loaded = steps.lookUp(std::move(words), {}, ElementType::Int32, tensor.spread);
    saturated.insert(loaded);
  }
  return givenPlaces[indices] = loaded;
}

FailureOr<TileId> PayloadReader::lookUpGiven(unsigned number) {
  const KernelTensor &tensor = shape.tensors[number];
  TileStep::Lookup::Place place;
  place.source = 0;
  place.beyond = tensor.isFromEnd ? te::Beyond::FromEnd : te::Beyond::Nearest;
  TileStep::Lookup lookup;
  lookup.places.push_back(place);
  return lookUp(number, std::move(lookup), {placesOf(*tensor.indices)});
}

LogicalResult PayloadReader::readLookup(te::GatherOp gather) {
  auto table = tables.find(gather.getOperand());
  if (table == tables.end())
    return unknown(gather);
  const KernelTensor &tensor = shape.tensors[table->second];
  const te::Beyond beyond = gather.getBeyond();
  TileStep::Lookup lookup;
  SmallVector<TileId> sources;
  for (auto [dim, index] : llvm::zip_equal(gather.getDims().getAsValueRange<StringAttr>(), gather.getIndices())) {
    TileStep::Lookup::Place place;
    place.dim = unsigned(llvm::find(tensor.places, dim) - tensor.places.begin());
    place.beyond = beyond;
    if (isTile(index)) {
      // Wrapping and mirroring depend on all bits of an index.
      const bool isCut =
          saturated.contains(tile(index)) && (beyond == te::Beyond::Wrap || beyond == te::Beyond::Reflect);
      if (steps[tile(index)].type != ElementType::Int32 || isCut)
        return unknown(gather);
      place.source = unsigned(sources.size());
      sources.push_back(tile(index));
    } else if (Value number = scalar(index)) {
      place.number = arith::IndexCastOp::create(entry, gather.getLoc(), entry.getIndexType(), number);
    } else {
      return unknown(gather);
    }
    lookup.places.push_back(place);
  }
  FailureOr<TileId> found = lookUp(table->second, std::move(lookup), std::move(sources));
  if (failed(found))
    return failure();
  tiles[gather.getResult()] = *found;
  return success();
}

} // namespace opc::aicore

#include "lowering/aicore/place/LookupSteps.h"

#include "dialect/aicore/tiles/LookupTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace opc::aicore {

/// Buffers that combine two words into one number, and offsets of the words.
static constexpr int64_t kWordSteps = 7;

void addLookups(const TileProgram &program, const KernelShape &shape, TileNeeds &needs) {
  for (const TileStep &step : program.steps) {
    if (!step.lookup)
      continue;
    const ElementType held = step.lookup->held;
    ElementType type = shape.tensors[step.lookup->tensor].type;
    const bool hasWords = type == ElementType::Int64;
    type = hasWords ? ElementType::Int32 : type;
    const int64_t size = elementSize(type), cast = held == type ? 0 : int64_t(elementSize(held));
    if (step.lookup->kind == TileStep::Lookup::Lines) {
      if (step.lookup->sharesLine)
        continue;
      needs.fixedBytes += kMostOfLine * (2 * size + cast);
      needs.buffers += 2;
    } else if (step.lookup->kind == TileStep::Lookup::WordColumns) {
      // The words of each row, and six numbers for each element of a column.
      needs.rowBytes += 2 * kBlockBytes + kWordSteps * kBlockBytes / needs.smallest * int64_t(sizeof(int32_t));
      needs.buffers += 1 + kWordSteps;
    } else if (step.lookup->kind >= TileStep::Lookup::Elements) {
      const int64_t elements = kElementsAtOnce * kBlockBytes / size;
      needs.fixedBytes += elements * (2 * size + cast) + 2 * kElementsAtOnce * int64_t(sizeof(int32_t));
      needs.buffers += 4;
      if (hasWords) {
        needs.fixedBytes += kWordSteps * kElementsAtOnce * int64_t(sizeof(int32_t));
        needs.buffers += kWordSteps;
      }
    }
  }
}

Value LookupSteps::buffer(const std::string &name, ElementType type, int64_t elements) {
  auto memref = MemRefType::get({elements}, mlirTypeOf(type, w.ops().getContext()), MemRefLayoutAttrInterface(),
                                SpaceAttr::get(w.ops().getContext(), Space::UB));
  const std::string own = w.freeName(name + std::to_string(made++));
  return BufferOp::create(w.ops(), w.getLocation(), memref, own, std::nullopt);
}

// The first elements of blocks of 32 bytes.
void LookupSteps::makeOffsets() {
  for (const TileStep &step : parts.program.steps) {
    if (step.lookup && step.lookup->kind == Lookup::WordColumns && !columnOffsets) {
      const int64_t elements = parts.schedule.getRows() * w.columnStride();
      auto made = [&](const char *name) {
        return w.part(buffer(name, ElementType::Int32, elements), w.constant(0), w.constant(elements));
      };
      auto number = [&](int64_t value) { return w.constantOf(ElementType::Int32, double(value)); };
      Value lane = made("lanes_of_rows"), row = made("numbers_of_rows");
      columnOffsets = buffer("words_of_rows", ElementType::Int32, elements);
      VArangeOp::create(w.ops(), w.getLocation(), number(0), lane);
      VShrOp::create(w.ops(), w.getLocation(), lane, number(llvm::Log2_64(w.columnStride())), row);
      VShlOp::create(w.ops(), w.getLocation(), row, number(llvm::Log2_64(kBlockBytes)),
                     w.part(columnOffsets, w.constant(0), w.constant(elements)));
    }
    const bool isApart = step.lookup && step.lookup->isOfBlocks() && !step.lookup->places.empty();
    if (!isApart || elementOffsets.contains(step.lookup->tensor))
      continue;
    const ElementType type = typeOf(step.lookup->tensor);
    const int64_t apart = blockOf(type) * int64_t(elementSize(step.lookup->held));
    Value all = w.constant(kElementsAtOnce), zero = w.constant(0);
    Value numbers = w.part(buffer("element_numbers", ElementType::Int32, kElementsAtOnce), zero, all);
    Value offsets = buffer("element_offsets", ElementType::Int32, kElementsAtOnce);
    VArangeOp::create(w.ops(), w.getLocation(), w.constantOf(ElementType::Int32, 0.0), numbers);
    VMulsOp::create(w.ops(), w.getLocation(), numbers, w.constantOf(ElementType::Int32, double(apart)),
                    w.part(offsets, zero, all));
    elementOffsets[step.lookup->tensor] = offsets;
  }
}

// The index is clamped before it is multiplied. Indices have 32 bits and sizes 31, so no sum overflows.
Value LookupSteps::inRange(Value index, Value count, te::Beyond beyond) {
  Value zero = w.constant(0), one = w.constant(1), last = w.sub(count, one);
  auto remainder = [&](Value divisor) { return w.rem(w.add(w.rem(index, divisor), divisor), divisor); };
  switch (beyond) {
  case te::Beyond::Nearest:
    break;
  case te::Beyond::FromEnd:
    index = w.add(index, w.mul(count, w.min(w.max(w.sub(zero, index), zero), one)));
    break;
  case te::Beyond::Wrap:
    index = remainder(w.max(count, one));
    break;
  case te::Beyond::Reflect: {
    Value period = w.max(w.mul(last, w.constant(2)), one);
    index = remainder(period);
    index = w.min(index, w.sub(period, index));
    break;
  }
  }
  return w.max(w.min(index, last), zero);
}

Value LookupSteps::readPlace(const TileStep &step, const Lookup::Place &place, Value row, Value column) {
  if (!place.source)
    return place.number;
  const TileId source = step.sources[*place.source];
  Value zero = w.constant(0), at = zero, length = w.constant(1);
  switch (spreadOf(source)) {
  case Spread::One:
    break;
  case Spread::Row:
    at = column;
    length = extent.ld;
    break;
  case Spread::Column:
    at = w.mul(row, w.constant(w.columnStride()));
    length = extent.column;
    break;
  case Spread::Full:
    at = w.add(w.mul(row, extent.ld), column);
    length = extent.full;
    break;
  }
  Value number = ScalarReadOp::create(w.ops(), w.getLocation(), w.viewOf(source, zero, length), at);
  return arith::IndexCastOp::create(w.ops(), w.getLocation(), w.ops().getIndexType(), number);
}

/// The offset in the tensor of the element for a row and a column of the tile.
Value LookupSteps::offsetOf(const TileStep &step, Value row, Value column) {
  const Lookup &lookup = *step.lookup;
  const Spread own = parts.shape.tensors[lookup.tensor].spread;
  Value offset = parts.startOf(lookup.tensor, batches);
  for (const Lookup::Place &place : lookup.places) {
    const std::string number = numberOf(lookup, place.dim);
    Value index = readPlace(step, place, row, column);
    index = inRange(index, field(step, "_count" + number), place.beyond);
    offset = w.add(offset, w.mul(index, field(step, "_step" + number)));
  }
  if (own == Spread::Column || own == Spread::Full)
    offset = w.add(offset, w.mul(w.add(extent.firstRow, row), field(step, "_m")));
  if (own == Spread::Row || own == Spread::Full) {
    Value whole = w.add(extent.firstColumn, column);
    // Integers of 64 bits without `places` are contiguous rows of indices.
    const bool followEachOther = lookup.kind == Lookup::Rows || lookup.places.empty();
    offset = w.add(offset, followEachOther ? whole : w.mul(whole, field(step, "_n")));
  }
  return offset;
}

/// Whether indices differ from row to row.
bool LookupSteps::isPerRow(const TileStep &step) const {
  return llvm::any_of(step.lookup->places, [&](const Lookup::Place &place) {
    return place.source && spreadOf(step.sources[*place.source]) == Spread::Column;
  });
}

void LookupSteps::copyRows(const TileStep &step, Value offset, Value rows, Value cols, Value ld, Value at) {
  const ElementType type = parts.shape.tensors[step.lookup->tensor].type;
  Value distance = w.max(field(step, "_m"), w.constant(1));
  Value source = w.rowsOfTensor(step.lookup->tensor, offset, rows, cols, distance);
  LoadOp::create(w.ops(), step.location, source, w.viewOf(step.result, at, w.mul(rows, ld)), ld,
                 w.constantOf(type, 1.0));
}

/// Rows, and their columns of one element.
void LookupSteps::writeRows(const TileStep &step) {
  const Spread spread = spreadOf(step.result);
  Value one = w.constant(1), zero = w.constant(0);
  const bool isColumn = spread == Spread::Column || spread == Spread::One;
  const bool hasRows = spread == Spread::Column || spread == Spread::Full;
  Value cols = isColumn ? one : extent.cols, ld = isColumn ? w.constant(w.columnStride()) : extent.ld;
  Value rows = hasRows ? extent.rows : one;
  w.fillPadding(step.result, rows, ld, zero);
  if (!hasRows || !isPerRow(step))
    return copyRows(step, offsetOf(step, zero, zero), rows, cols, ld, zero);
  w.loop(rows, [&](Value row) { copyRows(step, offsetOf(step, row, zero), one, cols, ld, w.mul(row, ld)); });
}

// Rows use two lines alternately, for the number of rows of a full tile: a loop with a changing trip count would have a
// single line. The last tile gathers its last row again.
void LookupSteps::writeLines(const TileStep &step) {
  const Lookup &lookup = *step.lookup;
  const KernelTensor &tensor = parts.shape.tensors[lookup.tensor];
  const std::string last = numberOf(lookup, unsigned(tensor.places.size()) - 1);
  Value zero = w.constant(0), one = w.constant(1);
  Value length = w.max(w.min(field(step, "_count" + last), w.constant(kMostOfLine)), one);
  SmallVector<const TileStep *> sharers;
  for (const TileStep &each : parts.program.steps)
    if (&each == &step || (!sharers.empty() && each.lookup && each.lookup->sharesLine))
      sharers.push_back(&each);
    else if (!sharers.empty())
      break;
  auto writeRow = [&](Value row, Value columns) {
    Value loaded = w.part(buffer("line", tensor.type, kMostOfLine), zero, length);
    LoadOp::create(w.ops(), step.location, w.part(w.memoryOf(lookup.tensor), offsetOf(step, row, zero), length), loaded,
                   Value(), Value());
    if (lookup.held != tensor.type) {
      Value held = w.part(buffer("held_line", lookup.held, kMostOfLine), zero, length);
      VCastOp::create(w.ops(), step.location, loaded, held, Rounding::None);
      loaded = held;
    }
    for (const TileStep *each : sharers)
      VGatherOp::create(w.ops(), each->location, loaded, w.viewOf(each->sources.back(), zero, columns),
                        w.viewOf(each->result, w.mul(row, extent.ld), columns));
  };
  // One line for all rows, each of which has its own offsets.
  if (spreadOf(step.sources.back()) == Spread::Full)
    return writeRow(zero, extent.full);
  if (spreadOf(step.result) == Spread::Row)
    return writeRow(zero, extent.ld);
  // A loop over the elements of a row makes its length known to proofs, and not the length of a rest: rows are whole.
  const bool hasBlocks =
      llvm::any_of(parts.program.steps, [](const TileStep &each) { return each.lookup && each.lookup->isOfBlocks(); });
  if (hasBlocks)
    return w.loop(extent.rows, [&](Value row) { writeRow(row, extent.ld); });
  w.loop(tileRows, [&](Value trip) {
    Value row = w.max(w.min(trip, w.sub(extent.rows, one)), zero);
    // A view of another row than the loop's own is at most the rest of the tile (placed_c9).
    writeRow(row, w.mul(w.min(one, w.sub(extent.rows, row)), extent.ld));
  });
}

/// A row of indices of 64 bits.
void LookupSteps::writeWords(const TileStep &step, Value row) {
  Value zero = w.constant(0), two = w.constant(2);
  Value length = w.mul(w.max(extent.cols, w.constant(1)), two);
  Value copied = w.part(buffer("words", ElementType::Int32, 2 * kElementsAtOnce), zero, length);
  Value offset = w.mul(offsetOf(step, row, zero), two);
  LoadOp::create(w.ops(), step.location, w.part(w.memoryOf(step.lookup->tensor), offset, length), copied, Value(),
                 Value());
  // The padding of a row repeats its last number.
  Value places = buffer("places_of_words", ElementType::Int32, kElementsAtOnce);
  auto all = [&] { return w.part(places, zero, extent.ld); };
  VArangeOp::create(w.ops(), step.location, w.constantOf(ElementType::Int32, 0.0), all());
  VMinsOp::create(w.ops(), step.location, all(), w.asWord(w.sub(extent.cols, w.constant(1))), all());
  VMulsOp::create(w.ops(), step.location, all(), w.constantOf(ElementType::Int32, 2.0 * sizeof(int32_t)), all());
  writeNearest(step, copied, places, extent.ld, kElementsAtOnce,
               w.viewOf(step.result, w.mul(row, extent.ld), extent.ld));
}

/// Elements of a row: each is copied to a separate block, and the first elements of the blocks are gathered.
void LookupSteps::writeElements(const TileStep &step, Value row) {
  const Lookup &lookup = *step.lookup;
  const ElementType type = typeOf(lookup.tensor);
  const int64_t elements = kElementsAtOnce * blockOf(type);
  if (lookup.places.empty())
    return writeWords(step, row);
  // A block is a row of its tile. Proofs identify rows by a stride that is no constant of the kernel: no row of a part
  // is shorter.
  Value zero = w.constant(0), one = w.constant(1), block = w.min(w.constant(blockOf(type)), extent.ld);
  Value copied = buffer("elements", type, elements);
  w.loop(extent.ld, [&](Value each) {
    // The padding of a row repeats its last element.
    Value column = w.max(w.min(each, w.sub(extent.cols, one)), zero), words = wordsOf(lookup.tensor);
    Value source = w.rowsOfTensor(lookup.tensor, w.mul(offsetOf(step, row, column), words), one, words, words);
    LoadOp::create(w.ops(), step.location, source, w.part(copied, w.mul(each, block), block), block,
                   w.constantOf(type, 1.0));
  });
  Value blocks = w.mul(extent.ld, block), all = w.part(copied, zero, blocks);
  Value offsets = elementOffsets.lookup(lookup.tensor);
  Value result = w.viewOf(step.result, w.mul(row, extent.ld), extent.ld);
  if (lookup.kind == Lookup::Words)
    return writeNearest(step, all, offsets, extent.ld, kElementsAtOnce, result);
  if (lookup.held != type) {
    Value held = w.part(buffer("held_elements", lookup.held, elements), zero, blocks);
    VCastOp::create(w.ops(), step.location, all, held, Rounding::None);
    all = held;
  }
  VGatherOp::create(w.ops(), step.location, all, w.part(offsets, zero, extent.ld), result);
}

// The nearest int32 of numbers of two words: the lower word if the upper one is only its sign extension, else the
// largest number with the sign of the upper one.
void LookupSteps::writeNearest(const TileStep &step, Value words, Value offsets, Value length, int64_t most,
                               Value result) {
  Value zero = w.constant(0);
  auto number = [&](int64_t value) { return w.constantOf(ElementType::Int32, double(value)); };
  auto made = [&](const char *name) { return w.part(buffer(name, ElementType::Int32, most), zero, length); };
  auto scalar = [&](Intrinsic intrinsic, Value source, int64_t value, Value to) {
    createIntrinsic(w.ops(), step.location, intrinsic, {source, number(value), to});
    return to;
  };
  Value lower = made("lower_words"), behind = made("offsets_of_upper"), upper = made("upper_words");
  Value sign = made("signs"), wrong = made("beyond_words"), none = made("within_words");
  offsets = w.part(offsets, zero, length);
  VGatherOp::create(w.ops(), step.location, words, offsets, lower);
  scalar(Intrinsic::vadds, offsets, 4, behind);
  VGatherOp::create(w.ops(), step.location, words, behind, upper);
  scalar(Intrinsic::vmins, upper, 1, upper);
  scalar(Intrinsic::vmaxs, upper, -2, upper);
  // -1 where the lower word is negative, else 0.
  scalar(Intrinsic::vmaxs, lower, -1, sign);
  scalar(Intrinsic::vmins, sign, 0, sign);
  createIntrinsic(w.ops(), step.location, Intrinsic::vsub, {upper, sign, wrong});
  scalar(Intrinsic::vmins, wrong, 1, wrong);
  scalar(Intrinsic::vmaxs, wrong, -1, wrong);
  // 1 where the number has 32 bits, else 0.
  createIntrinsic(w.ops(), step.location, Intrinsic::vmul, {wrong, wrong, none});
  scalar(Intrinsic::vmuls, none, -1, none);
  scalar(Intrinsic::vadds, none, 1, none);
  createIntrinsic(w.ops(), step.location, Intrinsic::vmul, {lower, none, lower});
  scalar(Intrinsic::vmuls, wrong, INT32_MAX, wrong);
  createIntrinsic(w.ops(), step.location, Intrinsic::vadd, {lower, wrong, result});
}

void LookupSteps::writeWordColumns(const TileStep &step) {
  Value zero = w.constant(0), one = w.constant(1), two = w.constant(2), block = w.constant(blockOf(ElementType::Int32));
  const int64_t stride = w.columnStride();
  const bool hasRows = spreadOf(step.result) == Spread::Column;
  const int64_t most = hasRows ? parts.schedule.getRows() : 1;
  Value rows = hasRows ? extent.rows : one;
  Value copied = buffer("words", ElementType::Int32, most * blockOf(ElementType::Int32));
  auto copy = [&](Value row, Value count) {
    Value apart = w.mul(w.max(field(step, "_m"), one), two);
    Value source = w.rowsOfTensor(step.lookup->tensor, w.mul(offsetOf(step, row, zero), two), count, two, apart);
    LoadOp::create(w.ops(), step.location, source, w.part(copied, w.mul(row, block), w.mul(count, block)), block,
                   w.constantOf(ElementType::Int32, 1.0));
  };
  if (hasRows && isPerRow(step))
    w.loop(rows, [&](Value row) { copy(row, one); });
  else
    copy(zero, rows);
  Value length = hasRows ? extent.column : one;
  writeNearest(step, w.part(copied, zero, w.mul(rows, block)), columnOffsets, length, most * stride,
               w.viewOf(step.result, zero, length));
}

void LookupSteps::write(const TileStep &step, const TileExtent &of, ArrayRef<KernelParts::BatchLoop> loops) {
  extent = of;
  batches.assign(loops.begin(), loops.end());
  switch (step.lookup->kind) {
  case Lookup::Rows:
  case Lookup::Columns:
    return writeRows(step);
  case Lookup::Lines:
    // The first of those that share a line wrote the others.
    return step.lookup->sharesLine ? void() : writeLines(step);
  case Lookup::Elements:
  case Lookup::Words:
    if (spreadOf(step.result) == Spread::Row)
      return writeElements(step, w.constant(0));
    return w.loop(extent.rows, [&](Value row) { writeElements(step, row); });
  case Lookup::WordColumns:
    return writeWordColumns(step);
  }
}

} // namespace opc::aicore

#include "lowering/aicore/place/LineSorts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;

namespace opc::aicore {

/// Elements that are sorted at once, and results of a piece: lines along rows, and others.
static constexpr int64_t kSorted = 2048, kSortedApart = 512, kPiece = 1024, kPieceApart = 128;
/// The best elements are a multiple of a repeat of the vector unit.
static constexpr int64_t kUnit = kRepeatBytes / int64_t(sizeof(float));

/// Scores below and above all others, and what takes the place of an infinity and of NaN, which bfloat16 does not have.
static constexpr double kLeast = -std::numeric_limits<float>::max(), kGreatest = std::numeric_limits<float>::max();
static constexpr double kInfinite = 3.395e38, kNotNumber = 3.4e38;

static const TileStep::Sort *sortOf(const TileProgram &program) {
  for (const TileStep &step : program.steps)
    if (step.sort)
      return &*step.sort;
  return nullptr;
}

static ElementType heldOf(ElementType type) {
  return type == ElementType::Int32 ? ElementType::Int32 : ElementType::Float32;
}

static bool hasTwoScores(ElementType type) {
  return elementSize(type) == 4;
}

/// Elements of a tensor in a block of 32 bytes.
static int64_t blockOf(ElementType type) {
  return kBlockBytes / int64_t(elementSize(type));
}

void addLineSorts(const TileProgram &program, const KernelShape &shape, TileNeeds &needs) {
  const TileStep::Sort *sort = sortOf(program);
  if (!sort)
    return;
  const ElementType type = shape.tensors[sort->tensor].type;
  const int64_t size = elementSize(type), word = sizeof(float);
  const int64_t sorted = sort->alongRow ? kSorted : kSortedApart, piece = sort->alongRow ? kPiece : kPieceApart;
  const int64_t scores = hasTwoScores(type) ? 2 : 1;
  // The best elements and a part: scores, indices, elements. Three temporaries, two of int32, numbers, the order, its
  // offsets, two lists of pairs, and moved scores.
  needs.fixedBytes += (sorted + piece) * (2 + scores) * word + sorted * (12 * word + 1) + 2 * piece * word;
  const int64_t loaded = sorted * (sort->alongRow ? 1 : blockOf(type));
  needs.fixedBytes += loaded * (2 * size + (size == 1 ? 2 : 0));
  needs.fixedBytes += 8 * kBlockBytes;
  needs.buffers += 24;
  if (!sort->alongRow) {
    needs.fixedBytes += loaded * word + sorted * word + 4 * piece * (kBlockBytes / needs.smallest) * word;
    needs.buffers += 6;
  }
}

LineSorts::LineSorts(const KernelParts &parts)
    : parts(parts), w(parts.writer), sort(*sortOf(parts.program)), type(parts.shape.tensors[sort.tensor].type),
      held(heldOf(type)), isDouble(hasTwoScores(type)),
      most(std::min(sort.alongRow ? kPiece : kPieceApart, parts.schedule.getTile())),
      capacity(sort.alongRow ? kSorted : kSortedApart), location(parts.writer.getLocation()), zero(w.constant(0)),
      one(w.constant(1)) {
  if (!sort.alongRow)
    most = std::max<int64_t>(
        std::min({most, parts.schedule.getRows(), parts.schedule.getTile() / parts.writer.columnStride()}), 1);
}

Value LineSorts::buffer(const char *name, ElementType of, int64_t elements) {
  auto memref = MemRefType::get({elements}, mlirTypeOf(of, w.ops().getContext()), MemRefLayoutAttrInterface(),
                                SpaceAttr::get(w.ops().getContext(), Space::UB));
  return BufferOp::create(w.ops(), location, memref, w.freeName(name), std::nullopt);
}

Value LineSorts::asFloat(Value index) {
  Value wide = arith::IndexCastOp::create(w.ops(), location, w.ops().getI64Type(), index);
  return arith::SIToFPOp::create(w.ops(), location, w.ops().getF32Type(), wide);
}

void LineSorts::scalar(Intrinsic intrinsic, Value source, Value number, Value to) {
  createIntrinsic(w.ops(), location, intrinsic, {source, number, to});
}

void LineSorts::compare(Comparison comparison, Value source, Value number) {
  VCmpsOp::create(w.ops(), location, comparison, source, number, mask);
}

/// The source where the mask is set, else a number.
void LineSorts::selectOr(Value source, double otherwise, Value to) {
  createIntrinsic(w.ops(), location, Intrinsic::vsels, {mask, source, number(otherwise), to});
}

void LineSorts::start(Value lineLength, Value results) {
  const int64_t room = capacity + (sort.alongRow ? kPiece : kPieceApart);
  const ElementType single = ElementType::Float32, whole = ElementType::Int32;
  Value unit = w.constant(kUnit);
  length = lineLength;
  best = w.mul(w.ceilDiv(results, unit), unit);
  partMost = w.sub(w.constant(capacity), best);
  sorted = w.constant(capacity);
  partLength = partMost;

  upper = buffer("scores", single, room);
  if (isDouble)
    lower = buffer("second_scores", single, room);
  places = buffer("places", single, room);
  values = buffer("elements", held, room);
  numbers = buffer("numbers", single, capacity);
  mask = buffer("mask", ElementType::UInt8, capacity / 8);
  const char *const temporaryNames[] = {"score", "taken", "earlier"};
  for (unsigned i = 0; i < 3; ++i)
    temporaries[i] = buffer(temporaryNames[i], single, capacity);
  if (held == whole) {
    words[0] = buffer("upper_words", whole, capacity);
    words[1] = buffer("lower_words", whole, capacity);
  }
  pairs[0] = buffer("pairs", single, 2 * capacity);
  pairs[1] = buffer("merged_pairs", single, 2 * capacity);
  order = buffer("order", single, capacity);
  offsets = buffer("offsets_in_order", whole, capacity);
  moved = buffer("moved_scores", single, capacity);
  if (held == whole)
    movedValues = buffer("moved_elements", whole, kPiece);
  lastUpper = buffer("last_score", single, blockOf(single));
  lastLower = buffer("last_second_score", single, blockOf(single));
  lastPlace = buffer("last_place", single, blockOf(single));
  lastOffset = buffer("offset_of_last", whole, blockOf(whole));
  VArangeOp::create(w.ops(), location, number(0.0), allOf(numbers));
  if (sort.alongRow)
    return;
  // Byte offsets of the first elements of blocks; and, for each element of rows of one element, of its row's.
  const int64_t stride = w.columnStride(), elements = most * stride;
  Value all = w.constant(capacity), ofRows = w.constant(elements);
  Value counted = w.part(buffer("block_numbers", whole, capacity), zero, all);
  blockOffsets = buffer("block_offsets", whole, capacity);
  VArangeOp::create(w.ops(), location, integer(0), counted);
  scalar(Intrinsic::vmuls, counted, integer(blockOf(type) * int64_t(sizeof(float))), w.part(blockOffsets, zero, all));
  Value lanes = w.part(buffer("lanes_of_places", whole, elements), zero, ofRows);
  Value rows = w.part(buffer("rows_of_places", whole, elements), zero, ofRows);
  rowOffsets = buffer("place_offsets", whole, elements);
  spreadPlaces = buffer("spread_places", single, elements);
  VArangeOp::create(w.ops(), location, integer(0), lanes);
  VShrOp::create(w.ops(), location, lanes, integer(llvm::Log2_64(stride)), rows);
  VShlOp::create(w.ops(), location, rows, integer(llvm::Log2_64(sizeof(float))), w.part(rowOffsets, zero, ofRows));
}

// Nothing comes before the first piece.
void LineSorts::startLine() {
  auto all = [&](Value block) { return w.part(block, zero, w.constant(blockOf(ElementType::Float32))); };
  VBrcOp::create(w.ops(), location, number(kGreatest), all(lastUpper));
  if (isDouble)
    VBrcOp::create(w.ops(), location, number(0.0), all(lastLower));
  VBrcOp::create(w.ops(), location, number(-1.0), all(lastPlace));
}

/// Converts loaded elements to the type in which they are sorted.
void LineSorts::convert(Value from, Value to, Value count, int64_t elements) {
  if (type == held) {
    VCopyOp::create(w.ops(), location, from, to);
    return;
  }
  if (elementSize(type) == 1) {
    Value half = w.part(buffer("half_elements", ElementType::Float16, elements), zero, count);
    VCastOp::create(w.ops(), location, from, half, Rounding::None);
    from = half;
  }
  VCastOp::create(w.ops(), location, from, to, Rounding::None);
}

// Loads a part of the line behind the best elements. `first`: its first element.
void LineSorts::loadPart(Value offset, Value step, Value first) {
  // A part has at least one element.
  Value count = w.max(w.min(w.sub(length, first), partMost), one), at = w.add(offset, w.mul(first, step));
  VBrcOp::create(w.ops(), location, held == ElementType::Int32 ? integer(0) : number(0.0), ofPart(values));
  Value own = w.part(values, best, count);
  if (sort.alongRow) {
    Value loaded = w.part(buffer("line", type, capacity), zero, count);
    LoadOp::create(w.ops(), location, w.part(w.memoryOf(sort.tensor), at, count), loaded, Value(), Value());
    return convert(loaded, own, count, capacity);
  }
  const int64_t elements = capacity * blockOf(type);
  Value block = w.constant(blockOf(type)), blocks = w.mul(count, block);
  Value loaded = w.part(buffer("line", type, elements), zero, blocks);
  LoadOp::create(w.ops(), location, w.rowsOfTensor(sort.tensor, at, count, one, step), loaded, block,
                 w.constantOf(type, 1.0));
  if (type != held) {
    Value converted = w.part(buffer("held_line", held, elements), zero, blocks);
    convert(loaded, converted, blocks, elements);
    loaded = converted;
  }
  VGatherOp::create(w.ops(), location, loaded, w.part(blockOffsets, zero, count), own);
}

/// Float16 and bfloat16.
Value LineSorts::scoreHalf() {
  Value score = temporary(temporaries[0]), kept = temporary(temporaries[1]), own = ofPart(values);
  scalar(Intrinsic::vmins, own, number(kInfinite), score);
  scalar(Intrinsic::vmaxs, score, number(-kInfinite), score);
  // -0 becomes 0.
  scalar(Intrinsic::vadds, score, number(0.0), score);
  if (!sort.descending)
    scalar(Intrinsic::vmuls, score, number(-1.0), score);
  VCmpOp::create(w.ops(), location, Comparison::Eq, own, own, mask);
  selectOr(score, sort.descending ? kNotNumber : -kNotNumber, kept);
  return kept;
}

Value LineSorts::scoreSingle() {
  Value score = temporary(temporaries[0]), kept = temporary(temporaries[1]), own = ofPart(values);
  scalar(Intrinsic::vadds, own, number(0.0), score);
  if (!sort.descending)
    scalar(Intrinsic::vmuls, score, number(-1.0), score);
  VCmpOp::create(w.ops(), location, Comparison::Eq, own, own, mask);
  selectOr(score, 0.0, ofPart(lower));
  VBrcOp::create(w.ops(), location, number(1.0), score);
  selectOr(score, sort.descending ? 2.0 : 0.0, kept);
  return kept;
}

Value LineSorts::scoreWord() {
  Value score = temporary(temporaries[1]), own = ofPart(values), second = ofPart(lower);
  Value high = temporary(words[0]), low = temporary(words[1]);
  scalar(Intrinsic::vshr, own, integer(16), high);
  scalar(Intrinsic::vshl, high, integer(16), low);
  createIntrinsic(w.ops(), location, Intrinsic::vsub, {own, low, low});
  VCastOp::create(w.ops(), location, high, score, Rounding::Rint);
  VCastOp::create(w.ops(), location, low, second, Rounding::Rint);
  if (!sort.descending) {
    scalar(Intrinsic::vmuls, score, number(-1.0), score);
    scalar(Intrinsic::vmuls, second, number(-1.0), second);
  }
  return score;
}

/// The first scores of a part, in which greater elements, or for an ascending sort smaller ones, have greater scores.
Value LineSorts::scorePart() {
  if (held == ElementType::Int32)
    return scoreWord();
  if (type == ElementType::Float32)
    return scoreSingle();
  if (isFloat(type))
    return scoreHalf();
  Value own = ofPart(values), score = temporary(temporaries[1]);
  scalar(Intrinsic::vmuls, own, number(sort.descending ? 1.0 : -1.0), score);
  return score;
}

// Elements after the line, and elements that earlier pieces took, get a score below all others. An element was taken if
// its score is greater than that of the last one that was, or equal and its index is not greater.
void LineSorts::markTaken(Value score) {
  Value ones = temporary(temporaries[0]), taken = temporary(temporaries[2]), own = ofPart(places);
  Value left = temporary(order), marked = temporary(moved);
  auto select = [&](Value from, Value otherwise, Value to) {
    createIntrinsic(w.ops(), location, Intrinsic::vsel, {mask, from, otherwise, to});
  };
  compare(Comparison::Lt, own, asFloat(length));
  selectOr(score, kLeast, left);
  VBrcOp::create(w.ops(), location, number(1.0), ones);
  compare(Comparison::Le, own, limitPlace);
  selectOr(ones, 0.0, taken);
  auto joinScore = [&](Value scores, Value limit) {
    compare(Comparison::Eq, scores, limit);
    selectOr(taken, 0.0, marked);
    compare(Comparison::Gt, scores, limit);
    select(ones, marked, taken);
  };
  if (isDouble)
    joinScore(ofPart(lower), limitLower);
  joinScore(left, limitUpper);
  compare(Comparison::Lt, taken, number(0.5));
  selectOr(left, kLeast, ofPart(upper));
}

// Sorts pairs of scores and words; the words in order are in `order`.
void LineSorts::sortBy(Value scores, Value with) {
  OpBuilder &ops = w.ops();
  Value doubled = w.constant(2 * capacity);
  VSort32Op::create(ops, location, allOf(scores), allOf(with), w.part(pairs[0], zero, doubled));
  // Without loops: a proof walks few trips of them, in which it would see lists that no merge wrote.
  auto merge = [&](int64_t pairsOfList, Value from, Value to) {
    const int64_t list = 2 * pairsOfList;
    for (int64_t start = 0; start < 2 * capacity; start += 4 * list) {
      SmallVector<Value> lists;
      for (int64_t number = 0; number < 4; ++number)
        lists.push_back(w.part(from, w.constant(start + number * list), w.constant(list)));
      VMrgSortOp::create(ops, location, lists, w.part(to, w.constant(start), w.constant(4 * list)));
    }
  };
  unsigned from = 0;
  for (int64_t list = kSortElements; list < capacity; list *= 4, from = 1 - from)
    merge(list, pairs[from], pairs[1 - from]);
  VGatherPatternOp::create(ops, location, Keep::Odd, w.part(pairs[from], zero, doubled), allOf(order));
}

/// Whether a step takes the indices of the results, or the results.
bool LineSorts::uses(bool ofPlaces) const {
  return llvm::any_of(parts.program.steps,
                      [&](const TileStep &step) { return step.sort && step.sort->places == ofPlaces; });
}

// The last part or piece does not write values that only the next one would read.
void LineSorts::takeBest(Value isFollowed) {
  OpBuilder &ops = w.ops();
  auto offsetsOf = [&](Value count) {
    Value bytes = w.part(offsets, zero, count);
    VCastOp::create(ops, location, w.part(order, zero, count), bytes, Rounding::Rint);
    scalar(Intrinsic::vmuls, bytes, integer(sizeof(float)), bytes);
    return bytes;
  };
  if (isDouble) {
    sortBy(lower, numbers);
    Value bytes = offsetsOf(sorted);
    VGatherOp::create(ops, location, allOf(upper), bytes, allOf(moved));
    // The words of the second sort are what the first one found.
    Value found = w.part(temporaries[0], zero, sorted);
    VCopyOp::create(ops, location, w.part(order, zero, sorted), found);
    sortBy(moved, temporaries[0]);
  } else {
    sortBy(upper, numbers);
  }
  Value bytes = offsetsOf(best);
  auto take = [&](Value from, Value by, bool isUsed) {
    Value count = isUsed ? best : w.mul(best, isFollowed), taken = w.part(by, zero, count);
    VGatherOp::create(ops, location, allOf(from), w.part(bytes, zero, count), taken);
    VCopyOp::create(ops, location, taken, w.part(from, zero, count));
  };
  take(upper, moved, false);
  if (isDouble)
    take(lower, moved, false);
  take(places, moved, uses(/*ofPlaces=*/true));
  if (uses(/*ofPlaces=*/false))
    take(values, held == ElementType::Int32 ? movedValues : moved, true);
}

void LineSorts::findPiece(Value offset, Value step, Value isFollowed) {
  OpBuilder &ops = w.ops();
  auto read = [&](Value block) -> Value { return ScalarReadOp::create(ops, location, block, zero); };
  limitUpper = read(lastUpper);
  if (isDouble)
    limitLower = read(lastLower);
  limitPlace = read(lastPlace);
  VBrcOp::create(ops, location, number(kLeast), firsts(upper));
  if (isDouble)
    VBrcOp::create(ops, location, number(0.0), firsts(lower));
  VBrcOp::create(ops, location, number(0.0), firsts(places));
  if (uses(/*ofPlaces=*/false))
    VBrcOp::create(ops, location, held == ElementType::Int32 ? integer(0) : number(0.0), firsts(values));
  Value trips = w.ceilDiv(length, w.max(partMost, one));
  w.loop(trips, [&](Value part) {
    Value first = w.mul(part, partMost);
    loadPart(offset, step, first);
    scalar(Intrinsic::vadds, temporary(numbers), asFloat(first), ofPart(places));
    markTaken(scorePart());
    Value left = w.max(w.sub(w.sub(trips, one), part), zero);
    takeBest(w.min(w.add(left, isFollowed), one));
  });
}

void LineSorts::endPiece(Value count, Value isFollowed) {
  OpBuilder &ops = w.ops();
  Value whole = w.mul(w.constant(blockOf(ElementType::Int32)), isFollowed), bytes = w.part(lastOffset, zero, whole);
  Value last = w.mul(w.sub(count, one), w.constant(sizeof(float)));
  VBrcOp::create(ops, location, w.asWord(last), bytes);
  auto keep = [&](Value from, Value to) {
    VGatherOp::create(ops, location, firsts(from), bytes, w.part(to, zero, whole));
  };
  keep(upper, lastUpper);
  if (isDouble)
    keep(lower, lastLower);
  keep(places, lastPlace);
}

void LineSorts::write(const TileStep &step, const TileExtent &extent) {
  OpBuilder &ops = w.ops();
  Value result = w.viewOf(step.result, zero, extent.full), from = step.sort->places ? places : values;
  if (sort.alongRow) {
    from = w.part(from, zero, extent.full);
  } else {
    Value to = step.sort->places ? w.part(spreadPlaces, zero, extent.full) : result;
    VGatherOp::create(ops, step.location, firsts(from), w.part(rowOffsets, zero, extent.full), to);
    if (!step.sort->places)
      return;
    from = to;
  }
  if (step.sort->places)
    VCastOp::create(ops, step.location, from, result, Rounding::Rint);
  else
    VCopyOp::create(ops, step.location, from, result);
}

} // namespace opc::aicore

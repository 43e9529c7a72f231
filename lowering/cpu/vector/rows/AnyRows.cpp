// The part of the driver loop for the key `any`: the launch decides along which of its eight loops each input varies.
//
// The elements of the launch, in the order of the outputs, are cut into pieces, and the driver calls the inner kernel
// in which all operands vary for each piece. A full operand is a pointer into its tensor; other elements of an input
// are first written to a buffer. For each input, adjacent loops with a uniform stride are merged, which gives its
// nest (Copies.h):
//
//   y [4, 512, 8, 3]                        nest, innermost first: (size, step)
//   a [4, 512, 8, 3]                        (49152, 1)
//   b [1,   1, 8, 3]                        (24, 1) (2048, 0)
//   c [4,   1, 1, 3]                        (3, 1) (4096, 0) (4, 3)
//   d [4, 512, 1, 1]                        (24, 0) (2048, 1)
//   e [4,   1, 1, 1]                        (12288, 0) (4, 1)
//
// The nest determines how an input is read during the whole launch:
//
//   Direct   a  e  a piece lies within one run of the tensor, or reads a single element of it. There are planes in
//                  which one input stands still, so one of a launch may
//   Pattern  b  c  a few elements that are repeated for a long time: the buffer has them once, followed by as many
//                  repetitions as a piece is long, and a piece starts anywhere in the first. Written again when the
//                  elements change, for c four times
//   Gather   d     all else: written for each piece
//
// An input that is read across is contiguous along another loop, the rows. Several adjacent rows form a slab: its
// columns are transposed into the buffer block by block, so that a whole cache line is used at once. For other inputs a
// slab needs only a pointer or a gather. If the kernel computes nothing, a slab has all rows and is transposed into the
// output.
//
// Pieces do not cross the ends of runs and patterns. Each run ends with an iteration of a loop of the launch, so the
// shortest run divides all others, and pieces are cut at its ends.

#include "lowering/cpu/vector/code/Copies.h"
#include "lowering/cpu/vector/rows/Transpose.h"
#include "lowering/cpu/vector/rows/WalkParts.h"

using namespace llvm;

namespace opc::cpu {

// Patterns that change less often than this allow non-temporal stores between two changes.
static constexpr int64_t kStreamedPattern = 65536;
// Pieces end at multiples of this, in elements, unless a run ends.
static constexpr int64_t kPieceUnit = 64;

namespace {

enum Way : int64_t { Direct, Pattern, Gather };

// Columns of a slab, unless rows are shorter or an iteration is longer, and the unit of its rows.
constexpr int64_t kSlabColumns = 128, kSlabRows = 16;

class AnyRows : RowsPart {
public:
  AnyRows(CodeBuilder &b, unsigned tensors, bool isAcross) : RowsPart(b, tensors), isAcross(isAcross) {}
  void emit();

private:
  void readSizes();
  Value *stepOf(Value *launch, unsigned loop);
  Value *nestOf(Value *t) { return b.at(nests, ArrayType::get(b.getInt64Ty(), 2 * described::kLaunchLoops), t); }
  void makeNest(Value *t, Value *tensor);
  Value *makeLaunchNest(Value *launch, Value *nest);
  Values findPattern(Value *t);
  Values choose(Value *t, Value *tensor, Value *still);
  Value *lengthOfPieces(Value *cut, Value *buffered);
  Value *offsetIn(Value *t, Value *item);
  void locate(Value *t, Value *tensor, Value *item, Value *count);
  Value *isReadAcross(Value *launch) { return b.CreateIsNotNull(described.slotOf(launch, described::Across)); }
  Value *bufferBytes(Value *length, Value *bytes) {
    return b.CreateAnd(b.CreateAdd(b.CreateMul(length, bytes), b.index(kBehindCopies + 63)), b.index(-64));
  }
  void findSlabs();
  Value *rowsOfSlab(Value *item);
  Value *writeSlab(Value *item, Value *count);
  void copySlab(Value *first, Value *count);
  void locateInSlab(Value *t, Value *tensor, Value *first, Value *count);
  Value *writePiece(Value *item);
  void writePattern(Value *t, Value *source, Value *start, Value *base, Value *bytes);

  bool isAcross;
  Values sizes; ///< trip counts of the loops, innermost first
  Value *items = nullptr, *piece = nullptr, *least = nullptr;
  Value *nests = nullptr, *loops = nullptr;     ///< arrays: the nest of a tensor, and its number of loops
  Value *ways = nullptr;                        ///< array
  Value *periods = nullptr, *blocks = nullptr;  ///< arrays: elements of a pattern, and of all its repetitions
  Value *lengths = nullptr, *buffers = nullptr; ///< arrays: elements in a buffer; buffers
  Value *written = nullptr;                     ///< array: the first element of the pattern in a buffer
  Value *cut = nullptr, *length = nullptr;      ///< pieces end at multiples of `cut`; their items
  Value *plane = nullptr, *mayStream = nullptr; ///< arguments of the calls for pieces
  Value *still = nullptr;                       ///< the tensor that is a scalar in the plane; -1 without one
  // For slabs: items of a row, rows until those around them change, columns and maximum rows of a slab. Whether the
  // kernel computes nothing.
  Value *copies = nullptr;
  Value *rowItems = nullptr, *rowCount = nullptr, *slabColumns = nullptr, *slabRows = nullptr;
};

} // namespace

void AnyRows::readSizes() {
  Value *launch = described.launch(tensors);
  items = b.index(1);
  for (unsigned loop = 0; loop < described::kLaunchLoops; ++loop) {
    sizes.push_back(described.fieldOf(launch, described::Sizes + 2 * loop));
    items = b.CreateMul(items, sizes.back());
  }
  piece = described.slotOf(launch, described::Piece);
  // Shorter runs are copied: a call of the plane costs about as much as copying them.
  least = b.CreateLShr(piece, 2);
}

//===----------------------------------------------------------------------===//
// Nests
//===----------------------------------------------------------------------===//

// The stride in elements of a loop, numbered from the innermost.
Value *AnyRows::stepOf(Value *launch, unsigned loop) {
  if (loop == 0)
    return described.fieldOf(launch, described::LaunchN);
  if (loop == 1)
    return b.CreateMul(described.fieldOf(launch, described::LaunchM), described.fieldOf(launch, described::RowStep));
  return described.fieldOf(launch, described::LaunchSteps + 2 * (loop - 2));
}

// Merges adjacent loops along which an input has a uniform stride. Returns the number of loops.
Value *AnyRows::makeLaunchNest(Value *launch, Value *nest) {
  Value *one = b.index(1), *zero = b.index(0), *loop = zero;
  Value *size = sizes[0], *step = stepOf(launch, 0);
  auto store = [&] {
    set(nest, b.CreateShl(loop, 1), size);
    set(nest, b.CreateAdd(b.CreateShl(loop, 1), one), step);
  };
  store();
  for (unsigned i = 1; i < described::kLaunchLoops; ++i) {
    Value *distance = stepOf(launch, i);
    Value *continues = b.CreateICmpEQ(distance, b.CreateMul(size, step));
    Value *joined = b.CreateOr(b.CreateICmpEQ(sizes[i], one), continues);
    loop = b.CreateAdd(loop, b.CreateSelect(joined, zero, one));
    size = b.CreateMul(sizes[i], b.CreateSelect(joined, size, one));
    step = b.CreateSelect(joined, step, distance);
    store();
  }
  return b.CreateAdd(loop, one);
}

void AnyRows::makeNest(Value *t, Value *tensor) {
  Value *nest = nestOf(t), *launch = described.launchTensor(tensors, t);
  Values made = b.ifElse(
      b.CreateIsNotNull(described.slotOf(launch, described::OfLaunch)),
      [&]() -> Values { return {makeLaunchNest(launch, nest)}; },
      [&]() -> Values {
        set(nest, b.index(0), items);
        set(nest, b.index(1), b.CreateAnd(described.slotOf(tensor, described::AlongN), b.index(1)));
        return {b.index(1)};
      });
  set(loops, t, made.front());
}

// The offset in elements of an item in a tensor.
Value *AnyRows::offsetIn(Value *t, Value *item) {
  Value *nest = nestOf(t), *last = b.CreateSub(get(loops, t, b.getInt64Ty()), b.index(1));
  auto part = [&](Value *loop, unsigned which) {
    return get(nest, b.CreateAdd(b.CreateShl(loop, 1), b.index(which)), b.getInt64Ty());
  };
  auto turn = [&](Value *loop, ArrayRef<Value *> carried) -> Values {
    Value *size = part(loop, 0), *trip = b.CreateURem(carried[0], size);
    return {b.CreateUDiv(carried[0], size), b.CreateAdd(carried[1], b.CreateMul(trip, part(loop, 1)))};
  };
  Values outermost = b.loop(b.index(0), last, b.index(1), {item, b.index(0)}, turn);
  return b.CreateAdd(outermost[1], b.CreateMul(outermost[0], part(last, 1)));
}

//===----------------------------------------------------------------------===//
// How inputs are read
//===----------------------------------------------------------------------===//

// The elements of the longest pattern that fits into a buffer, and those of all its repetitions; 0 without one.
Values AnyRows::findPattern(Value *t) {
  Value *zero = b.index(0), *one = b.index(1), *nest = nestOf(t);
  auto turn = [&](Value *loop, ArrayRef<Value *> carried) -> Values {
    Value *before = carried[0], *size = get(nest, b.CreateShl(loop, 1), b.getInt64Ty());
    Value *step = get(nest, b.CreateAdd(b.CreateShl(loop, 1), one), b.getInt64Ty());
    Value *all = b.CreateMul(before, size);
    Value *repeats = b.CreateAnd(b.CreateICmpEQ(step, zero), b.CreateICmpSLE(before, piece));
    Value *isLong = b.CreateOr(b.CreateICmpSGE(all, least), b.CreateICmpEQ(all, items));
    Value *fits = b.CreateAnd(repeats, isLong);
    return {all, b.CreateSelect(fits, before, carried[1]), b.CreateSelect(fits, all, carried[2])};
  };
  Values found = b.loop(zero, get(loops, t, b.getInt64Ty()), one, {one, zero, zero}, turn);
  // A whole launch that fits into a buffer is a pattern that occurs once.
  Value *once = b.CreateAnd(b.CreateICmpEQ(found[1], zero), b.CreateICmpSLE(items, piece));
  return {b.CreateSelect(once, items, found[1]), b.CreateSelect(once, items, found[2])};
}

// Chooses how a tensor is read; `still` is the number of the tensor that is a scalar in the plane, or -1. Returns the
// bytes of its buffer, the distance between ends of its runs or patterns, whether it allows non-temporal stores, and
// the new `still`.
Values AnyRows::choose(Value *t, Value *tensor, Value *still) {
  Value *zero = b.index(0), *nest = nestOf(t);
  Value *run = get(nest, zero, b.getInt64Ty());
  Value *isRun = b.CreateICmpEQ(get(nest, b.index(1), b.getInt64Ty()), b.index(1));
  // Each slab fills its buffers again.
  Values pattern = isAcross ? Values{zero, zero} : findPattern(t);
  Value *noPattern = b.CreateICmpEQ(pattern[0], zero);
  Value *launch = described.launchTensor(tensors, t);
  Value *decided = b.CreateIsNotNull(described.slotOf(launch, described::OfLaunch));
  Value *isWhole = b.CreateOr(b.CreateICmpSGE(run, piece), b.CreateICmpEQ(run, items));
  Value *isLong = b.CreateOr(isWhole, b.CreateAnd(noPattern, b.CreateICmpSGE(run, least)));
  Value *direct = b.CreateOr(b.CreateNot(decided), b.CreateAnd(isRun, isLong));
  Value *isFirst = b.CreateAnd(b.CreateICmpSLT(still, zero), b.CreateNot(direct));
  Value *hasPlane = b.CreateIsNotNull(described.slotOf(launch, described::StillPlane, b.getPtrTy()));
  Value *stands = b.CreateAnd(b.CreateAnd(isFirst, hasPlane), b.CreateICmpEQ(pattern[0], b.index(1)));
  direct = b.CreateOr(direct, stands);
  Value *gather = b.CreateAnd(b.CreateNot(direct), noPattern);
  set(ways, t, b.CreateSelect(direct, b.index(Direct), b.CreateSelect(gather, b.index(Gather), b.index(Pattern))));
  set(periods, t, pattern[0]);
  set(blocks, t, pattern[1]);
  set(written, t, b.index(-1));
  setStep(t, zero, b.CreateSelect(direct, described.slot(described::Ahead), zero));

  Value *length = b.min(b.CreateAdd(pattern[0], piece), pattern[1]);
  length = b.CreateSelect(gather, piece, length);
  set(lengths, t, length);
  Value *bytes = bufferBytes(length, described.slotOf(tensor, described::Bytes));
  Value *seldom = b.CreateOr(b.CreateICmpSGE(pattern[1], b.index(kStreamedPattern)), b.CreateICmpEQ(pattern[1], items));
  Value *ofRun = b.CreateSelect(decided, b.CreateSelect(stands, pattern[1], run), items);
  Value *cut = b.CreateSelect(direct, ofRun, b.CreateSelect(gather, items, pattern[1]));
  return {b.CreateSelect(direct, zero, bytes), cut, b.CreateOr(direct, b.CreateAnd(b.CreateNot(gather), seldom)),
          b.CreateSelect(stands, t, still)};
}

// Equal parts between two ends of runs, so that none is much shorter than the others.
Value *AnyRows::lengthOfPieces(Value *cut, Value *buffered) {
  auto ceilDiv = [&](Value *a, Value *by) { return b.CreateUDiv(b.CreateAdd(a, b.CreateSub(by, b.index(1))), by); };
  Value *part = ceilDiv(cut, ceilDiv(cut, piece));
  part = b.CreateAnd(b.CreateAdd(part, b.index(kPieceUnit - 1)), b.index(-kPieceUnit));
  return b.CreateSelect(b.CreateIsNotNull(buffered), part, cut);
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

void AnyRows::writePattern(Value *t, Value *source, Value *start, Value *base, Value *bytes) {
  Value *buffer = get(buffers, t, b.getPtrTy()), *period = get(periods, t, b.getInt64Ty());
  Value *length = get(lengths, t, b.getInt64Ty());
  set(written, t, base);
  fillNest(b, buffer, source, nestOf(t), get(loops, t, b.getInt64Ty()), start, period, bytes);
  b.ifElse(
      b.CreateICmpEQ(period, b.index(1)),
      [&]() -> Values {
        spreadElements(b, buffer, buffer, b.index(1), length, bytes);
        return {};
      },
      [&]() -> Values {
        b.ifThen(b.CreateICmpSLT(period, length),
                 [&] { repeatBytes(b, buffer, buffer, b.CreateMul(period, bytes), b.CreateMul(length, bytes)); });
        return {};
      });
}

// Sets the addresses of a tensor's elements for the plane, in the piece that starts at `item`.
void AnyRows::locate(Value *t, Value *tensor, Value *item, Value *count) {
  Value *bytes = described.slotOf(tensor, described::Bytes), *source = get(pointers, t, b.getPtrTy());
  Value *way = get(ways, t, b.getInt64Ty());
  Values found = b.ifElse(
      b.CreateICmpEQ(way, b.index(Direct)),
      [&]() -> Values { return {byteAt(source, b.CreateMul(offsetIn(t, item), bytes))}; },
      [&]() -> Values {
        Value *buffer = get(buffers, t, b.getPtrTy());
        return b.ifElse(
            b.CreateICmpEQ(way, b.index(Pattern)),
            [&]() -> Values {
              Value *inside = b.CreateURem(item, get(blocks, t, b.getInt64Ty()));
              Value *start = b.CreateSub(item, inside), *base = offsetIn(t, start);
              b.ifThen(b.CreateICmpNE(base, get(written, t, b.getInt64Ty())),
                       [&] { writePattern(t, source, start, base, bytes); });
              Value *first = b.CreateURem(inside, get(periods, t, b.getInt64Ty()));
              return {byteAt(buffer, b.CreateMul(first, bytes))};
            },
            [&]() -> Values {
              fillNest(b, buffer, source, nestOf(t), get(loops, t, b.getInt64Ty()), item, count, bytes);
              return {buffer};
            });
      });
  set(at, t, found.front());
}

//===----------------------------------------------------------------------===//
// Slabs
//===----------------------------------------------------------------------===//

// Rows are iterations of the loop along which an input that is read across is contiguous.
void AnyRows::findSlabs() {
  Value *one = b.index(1);
  auto search = [&](Value *t, ArrayRef<Value *> carried) -> Values {
    Value *launch = described.launchTensor(tensors, t), *inside = sizes[0];
    Values found(carried.begin(), carried.end());
    for (unsigned loop = 1; loop < described::kLaunchLoops; ++loop) {
      Value *isRow = b.CreateICmpEQ(stepOf(launch, loop), one);
      isRow = b.CreateAnd(isRow, b.CreateICmpSGT(sizes[loop], one));
      isRow = b.CreateAnd(isRow, isReadAcross(launch));
      found = {b.CreateSelect(isRow, inside, found[0]), b.CreateSelect(isRow, sizes[loop], found[1])};
      inside = b.CreateMul(inside, sizes[loop]);
    }
    return found;
  };
  Values found = b.loop(b.index(0), b.index(tensors), one, {items, one}, search);
  rowItems = found[0];
  rowCount = found[1];
  slabColumns = b.min(sizes[0], b.max(b.index(kSlabColumns), described.slot(described::Wide)));
  Value *most = b.CreateUDiv(piece, slabColumns);
  slabRows = b.max(
      b.CreateSelect(b.CreateICmpULT(most, b.index(kSlabRows)), most, b.CreateAnd(most, b.index(-kSlabRows))), one);
  copies = b.CreateIsNotNull(described.slotOf(described.launch(tensors), described::Copies));
  slabRows = b.CreateSelect(copies, rowCount, slabRows);
}

// The rows of the slab that starts at an item; 0 without one.
Value *AnyRows::rowsOfSlab(Value *item) {
  Value *zero = b.index(0), *row = b.CreateURem(b.CreateUDiv(item, rowItems), rowCount);
  Value *whole = b.CreateUDiv(b.CreateSub(end, item), rowItems);
  Value *starts = b.CreateICmpEQ(b.CreateURem(item, rowItems), zero);
  Value *isRow = b.CreateAnd(starts, b.CreateICmpSGT(rowCount, b.index(1)));
  return b.CreateSelect(isRow, b.min(b.min(slabRows, whole), b.CreateSub(rowCount, row)), zero);
}

// Sets the addresses of a tensor's elements for the plane, in `count` rows of a slab, from the item `first` on.
void AnyRows::locateInSlab(Value *t, Value *tensor, Value *first, Value *count) {
  Value *zero = b.index(0), *one = b.index(1), *bytes = described.slotOf(tensor, described::Bytes);
  Value *source = get(pointers, t, b.getPtrTy()), *buffer = get(buffers, t, b.getPtrTy());
  Value *launch = described.launchTensor(tensors, t), *offset = offsetIn(t, first);
  Value *start = byteAt(source, b.CreateMul(offset, bytes));
  Value *toNextRow = b.CreateSub(offsetIn(t, b.CreateAdd(first, rowItems)), offset);
  // If dimensions have size 1, inputs may be contiguous along different loops.
  Value *turns = b.CreateAnd(isReadAcross(launch), b.CreateICmpEQ(toNextRow, one));
  Values place = b.ifElse(
      b.CreateICmpEQ(get(ways, t, b.getInt64Ty()), b.index(Direct)),
      [&]() -> Values { return {start, b.CreateMul(toNextRow, bytes)}; },
      [&]() -> Values {
        b.ifElse(
            turns,
            [&]() -> Values {
              transpose(b, buffer, slabColumns, start, described.fieldOf(launch, described::LaunchN), count,
                        slabColumns, bytes, stream, b.getFalse());
              return {};
            },
            [&]() -> Values {
              b.loop(zero, count, one, [&](Value *row) {
                Value *to = byteAt(buffer, b.CreateMul(b.CreateMul(row, slabColumns), bytes));
                fillNest(b, to, source, nestOf(t), get(loops, t, b.getInt64Ty()),
                         b.CreateAdd(first, b.CreateMul(row, rowItems)), slabColumns, bytes);
              });
              return {};
            });
        return {buffer, b.CreateMul(slabColumns, bytes)};
      });
  set(at, t, place[0]);
  setStep(t, place[1], zero);
}

// Writes the row of the item `first` and `count` - 1 rows after it: those of the only input, transposed.
void AnyRows::copySlab(Value *first, Value *count) {
  Value *input = b.index(0), *output = b.index(1);
  Value *bytes = described.slotOf(described.tensor(output), described::Bytes);
  auto start = [&](Value *t) { return byteAt(get(pointers, t, b.getPtrTy()), b.CreateMul(offsetIn(t, first), bytes)); };
  Value *apart = described.fieldOf(described.launchTensor(tensors, input), described::LaunchN);
  transpose(b, start(output), rowItems, start(input), apart, count, sizes[0], bytes, stream, stream);
}

// Writes `count` rows from an item on, by parts of their columns. The last part starts earlier so that it ends with the
// row. Returns the item after them.
Value *AnyRows::writeSlab(Value *item, Value *count) {
  Value *zero = b.index(0), *n = sizes[0];
  Value *isOne = b.CreateICmpEQ(rowItems, slabColumns); // rows are contiguous, as in a buffer
  Value *rows = b.CreateSelect(isOne, b.index(1), count);
  Value *columns = b.CreateSelect(isOne, b.CreateMul(count, n), slabColumns);
  auto part = [&](Value *inside, Value *column) {
    Value *first = b.CreateAdd(item, b.CreateAdd(inside, b.min(column, b.CreateSub(n, slabColumns))));
    eachTensor([&](Value *t, Value *tensor) { locateInSlab(t, tensor, first, count); });
    callPlane(plane, false, rows, columns, mayStream, b.index(-1));
  };
  b.loop(zero, rowItems, n, [&](Value *inside) {
    if (tensors == 2)
      b.ifThen(copies, [&] { copySlab(b.CreateAdd(item, inside), count); });
    b.loop(zero, b.CreateSelect(copies, zero, n), slabColumns, [&](Value *column) { part(inside, column); });
  });
  return b.CreateAdd(item, b.CreateMul(count, rowItems));
}

// Writes a piece from an item on. Returns the item after it.
Value *AnyRows::writePiece(Value *item) {
  auto endOf = [&](Value *unit) { return b.CreateMul(b.CreateAdd(b.CreateUDiv(item, unit), b.index(1)), unit); };
  Value *to = b.min(b.min(b.CreateAdd(item, length), endOf(cut)), end);
  if (isAcross)
    to = b.min(to, endOf(rowItems));
  Value *count = b.CreateSub(to, item);
  eachTensor([&](Value *t, Value *tensor) { locate(t, tensor, item, count); });
  callPlane(plane, false, b.index(1), count, mayStream, still);
  return to;
}

void AnyRows::emit() {
  nests = array(2 * described::kLaunchLoops);
  loops = array();
  ways = array();
  periods = array();
  blocks = array();
  lengths = array();
  buffers = array();
  written = array();
  readSizes();
  Value *zero = b.index(0);
  auto prepare = [&](Value *t, ArrayRef<Value *> carried) -> Values {
    Value *tensor = described.tensor(t);
    makeNest(t, tensor);
    Values chosen = choose(t, tensor, carried[3]);
    set(buffers, t, carried[0]);
    return {b.CreateAdd(carried[0], chosen[0]), b.min(carried[1], chosen[1]), b.CreateAnd(carried[2], chosen[2]),
            chosen[3]};
  };
  Values all = b.loop(zero, b.index(tensors), b.index(1), {zero, items, stream, b.index(-1)}, prepare);
  cut = all[1];
  mayStream = all[2];
  still = all[3];
  // If there is none, the slot of the first tensor is read but not used.
  Value *launch = described.launchTensor(tensors, b.max(still, zero));
  plane = b.CreateSelect(b.CreateICmpSLT(still, zero), described.function(described::LongPlane),
                         described.slotOf(launch, described::StillPlane, b.getPtrTy()));
  AllocaInst *memory = b.CreateAlloca(b.getInt8Ty(), all[0]);
  memory->setAlignment(Align(64));
  eachTensor([&](Value *t, Value *) { set(buffers, t, byteAt(memory, get(buffers, t, b.getInt64Ty()))); });

  length = lengthOfPieces(cut, all[0]);
  if (isAcross)
    findSlabs();
  auto turn = [&](Value *item, ArrayRef<Value *>) -> Values {
    if (!isAcross)
      return {writePiece(item)};
    Value *count = rowsOfSlab(item);
    return b.ifElse(
        b.CreateICmpSGT(count, zero), [&]() -> Values { return {writeSlab(item, count)}; },
        [&]() -> Values { return {writePiece(item)}; });
  };
  b.whileBefore(begin, end, {}, turn);
  b.CreateRetVoid();
}

void emitAnyRows(CodeBuilder &b, unsigned tensors) {
  AnyRows(b, tensors, false).emit();
}

void emitAcrossRows(CodeBuilder &b, unsigned tensors) {
  AnyRows(b, tensors, true).emit();
}

} // namespace opc::cpu

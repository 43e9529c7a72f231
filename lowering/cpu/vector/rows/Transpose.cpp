// The matrix is cut into tiles, and a tile into blocks that are transposed in registers. A tile is one of
//
//   copied     if tensors exceed the caches, columns are a multiple of 512 bytes apart and rows of the result begin
//              with a line: 512 bytes of two lines of columns, which are copied into a buffer while the blocks of the
//              tile before are read from another one. Blocks store whole lines non-temporally, two neighbours in each
//              row. So memory is read in runs of eight lines and written in runs of two
//   direct     as long as the rows of the result and four cache lines of each column: its lines stay in the L1 cache
//              until all of their elements are used, and so do those of the result until they are whole
//   staged     of 256 or 128 columns, which are transposed into a buffer in the L1 cache and copied from there row by
//              row, while the next tile is transposed into another buffer. Whole lines are then stored one after the
//              other, non-temporally if tensors exceed the caches. So are rows of a result that are a power of two
//              apart: their lines would share the sets of the L1 cache
//
// Staged tiles follow each other along the columns of the source, which are contiguous: the next tile has the next
// lines of the same pages. Copied ones follow each other along rows of the result, in strips of columns whose pages the
// TLB holds together with those of the result. If tensors exceed the caches, the lines of columns further on are
// prefetched into the L2 cache.
//
// A block has a vector of columns and of each a few lanes of 16 bytes, as many as fit half of the registers. Columns of
// one lane are transposed by exchanges within lanes, which are one instruction each:
//
//   f32, a lane has 4 elements, a vector 2 lanes: columns 0 and 4, 1 and 5, 2 and 6, 3 and 7 are loaded as
//
//     a0 a1 a2 a3 | e0 e1 e2 e3                      a0 b0 c0 d0 | e0 f0 g0 h0
//     b0 b1 b2 b3 | f0 f1 f2 f3      two rounds      a1 b1 c1 d1 | e1 f1 g1 h1
//     c0 c1 c2 c3 | g0 g1 g2 g3      ─────────►      a2 b2 c2 d2 | e2 f2 g2 h2
//     d0 d1 d2 d3 | h0 h1 h2 h3                      a3 b3 c3 d3 | e3 f3 g3 h3
//
// Of more lanes a load takes one column, or half of two. The columns a to d are then a group, e to h another, and one
// more round exchanges whole lanes between groups:
//
//     a0 b0 c0 d0 | a4 b4 c4 d4      one round       a0 b0 c0 d0 | e0 f0 g0 h0
//     e0 f0 g0 h0 | e4 f4 g4 h4      ─────────►      a4 b4 c4 d4 | e4 f4 g4 h4
//
// A line from which several blocks read is first copied, if those of all columns share the sets of the L1 cache. The
// last block of a tile begins earlier and computes some elements twice, which have the same value.

#include "lowering/cpu/vector/rows/Transpose.h"

#include "lowering/cpu/vector/code/Copies.h"
#include "lowering/cpu/vector/code/Memory.h"

#include <functional>

using namespace llvm;

namespace opc::cpu {

static constexpr StringLiteral kName = "transpose";
static constexpr int64_t kLine = 64, kLaneBytes = 16;
// Bytes of each column in a tile: direct, staged, and staged with non-temporal stores.
static constexpr int64_t kDirectBytes = 4 * kLine, kStagedBytes = 2 * kLine, kStreamedBytes = kLine;
// Bytes of each of two buffers, and the columns of the two kinds of staged tiles, which both fill one.
static constexpr int64_t kBufferBytes = 16384;
static constexpr int64_t kStagedColumns = kBufferBytes / kStagedBytes, kStreamedColumns = kBufferBytes / kStreamedBytes;
// Rows of a result whose stride is a multiple of this number of bytes share sets.
static constexpr int64_t kSharedSets = 1024;
// The shortest rows, in bytes, that are stored non-temporally.
static constexpr int64_t kLeastStreamed = 512;
// The least vectors of columns for which blocks of half a vector are worth it.
static constexpr unsigned kLeastNarrow = 4;
// The columns ahead that are prefetched.
static constexpr int64_t kAhead = 128;
// Copied tiles: bytes of a column, lines of columns, and bytes from one column to the next in the buffer; columns of a
// strip; how many columns ahead lines are prefetched, from the first of these numbers on into the L2 cache, below it
// into the L1 cache. Bytes have no such tiles: a line has so many columns of them that two lines overflow the L1 cache.
static constexpr int64_t kCopiedBytes = 8 * kLine, kCopiedLines = 2, kCopiedPitch = kCopiedBytes + kLine;
static constexpr int64_t kStripColumns = 1024, kOuterAhead = 12, kCopiedAhead[] = {16, 12, 8, 4};
/// Columns of a copied tile, and those that are copied for each line of as many columns that is transposed.
static constexpr int64_t copiedColumns(unsigned bytes) {
  return kCopiedLines * kLine / bytes;
}
static constexpr int64_t turnColumns(unsigned bytes) {
  return kLine / bytes * kLine / kCopiedBytes;
}
// Bytes of each of two buffers for copied tiles of elements of any size. A few lines keep them from beginning at the
// same place of a page.
static constexpr int64_t kTileBytes = copiedColumns(2) * kCopiedPitch + 2 * kLine;
static_assert(kCopiedLines * kLine <= kLeastStreamed);

namespace {

/// Elements of one size, in the function that `b` builds, with the arguments of transpose().
class Tiles {
public:
  Tiles(CodeBuilder &b, unsigned bytes, unsigned depth, unsigned lanes, Value *buffer, Value *gathered)
      : b(b), to(b.function->getArg(0)), toStep(b.function->getArg(1)), from(b.function->getArg(2)),
        fromStep(b.function->getArg(3)), rows(b.function->getArg(4)), columns(b.function->getArg(5)),
        element(b.getIntNTy(bytes * 8)), bytes(bytes), tall(16 / bytes), lanes(lanes), depth(depth), wide(tall * lanes),
        buffer(buffer), gathered(gathered) {}

  void emit();
  void elements();
  /// Whether the matrix has copied tiles.
  Value *isCopied();
  void emitCopied();

private:
  void choose();
  /// A tile in a buffer: its place in the result, rows (0 without a buffer) and columns.
  struct Staged {
    Value *place, *buffer, *rows, *count;
  };
  Value *copyOut(const Staged &before, Value *done, Value *most);
  Staged tile(Value *row, Value *column, const Staged &before);
  void prefetchAhead(Value *row, Value *column, Value *inside, Value *count, Value *length);
  void block(ArrayRef<Value *> sources, Value *place, Value *row, Value *step, bool past = false);
  void copyIn(Value *first, Value *source, Value *following, Value *target);
  void rest(Value *row, Value *column, Value *rowsHere, Value *columnsHere);
  Value *loadColumns(ArrayRef<Value *> sources, Value *row, unsigned group, unsigned first);
  Value *exchange(Value *a, Value *c, bool high);
  Value *lanesOfBoth(Value *a, Value *c, bool odd);
  Values transposeLanes(ArrayRef<Value *> vectors);
  void gather(Value *row, Value *column, Value *length);
  /// The columns of a block from the first on.
  Values columnsFrom(Value *first, Value *step) {
    Values places;
    for (unsigned i = 0; i < wide; ++i)
      places.push_back(b.at(first, element, b.CreateMul(step, b.index(i))));
    return places;
  }
  /// Whether lines of this stride share sets.
  Value *isShared(Value *step) {
    Value *apart = b.CreateMul(step, b.index(bytes));
    return b.CreateICmpEQ(b.CreateAnd(apart, b.index(kSharedSets - 1)), b.index(0));
  }
  /// A column from a row on.
  Value *source(Value *row, Value *column) {
    return b.at(from, element, b.CreateAdd(b.CreateMul(column, fromStep), row));
  }

  CodeBuilder &b;
  Value *to, *toStep, *from, *fromStep, *rows, *columns;
  Type *element;
  unsigned bytes, tall, lanes; ///< elements of 16 bytes, a lane; lanes of a vector
  unsigned depth, wide;        ///< lanes of a block's columns; columns of a block
  Value *streams = nullptr, *isStaged = nullptr, *tileRows = nullptr, *tileColumns = nullptr;
  Value *buffer, *gathered;
};

} // namespace

// The kind of all tiles.
void Tiles::choose() {
  Value *rowBytes = b.CreateMul(columns, b.index(bytes));
  streams = b.getFalse();
  if (b.level.streams)
    streams = b.CreateAnd(b.function->getArg(8), b.CreateICmpSGE(rowBytes, b.index(kLeastStreamed)));
  isStaged = b.CreateOr(streams, isShared(toStep));
  auto chosen = [&](int64_t streamed, int64_t staged, Value *direct) {
    return b.CreateSelect(streams, b.index(streamed), b.CreateSelect(isStaged, b.index(staged), direct));
  };
  tileRows = chosen(kStreamedBytes / bytes, kStagedBytes / bytes, b.index(kDirectBytes / bytes));
  tileColumns = chosen(kStreamedColumns, kStagedColumns, columns);
}

/// The rows of a block of the columns first, first + tall, ... of a group: one after the other.
Value *Tiles::loadColumns(ArrayRef<Value *> sources, Value *row, unsigned group, unsigned first) {
  Values parts;
  for (unsigned part = 0; part < lanes / depth; ++part) {
    Value *column = sources[(group * (lanes / depth) + part) * tall + first];
    parts.push_back(b.CreateAlignedLoad(withLanes(element, tall * depth), b.at(column, element, row), Align(bytes)));
  }
  return joined(b, parts);
}

/// In each lane of 16 bytes, interleaves the lower or upper halves of `a` and `c`.
Value *Tiles::exchange(Value *a, Value *c, bool high) {
  SmallVector<int> mask;
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned i = 0; i < tall / 2; ++i) {
      int place = int(lane * tall + (high ? tall / 2 : 0) + i);
      mask.push_back(place);
      mask.push_back(place + int(lanes * tall));
    }
  return b.CreateShuffleVector(a, c, mask);
}

/// The even or odd lanes of 16 bytes of `a`, then those of `c`.
Value *Tiles::lanesOfBoth(Value *a, Value *c, bool odd) {
  SmallVector<int> mask;
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned i = 0; i < tall; ++i)
      mask.push_back(int((2 * lane + odd) * tall + i));
  return b.CreateShuffleVector(a, c, mask);
}

/// Lane `i` of all vectors in vector `i`; with more lanes than vectors, of each run of as many lanes.
Values Tiles::transposeLanes(ArrayRef<Value *> vectors) {
  if (vectors.size() == 1)
    return Values(vectors);
  Values result(vectors.size());
  for (bool odd : {false, true}) {
    Values half;
    for (size_t i = 0; i < vectors.size(); i += 2)
      half.push_back(lanesOfBoth(vectors[i], vectors[i + 1], odd));
    for (auto [i, vector] : enumerate(transposeLanes(half)))
      result[2 * i + odd] = vector;
  }
  return result;
}

// Stores the rows from `row` on of the columns `sources` at `place`, which is the first row of the tile, `step`
// elements apart and non-temporally if they go `past` the caches.
void Tiles::block(ArrayRef<Value *> sources, Value *place, Value *row, Value *step, bool past) {
  SmallVector<Values> groups;
  for (unsigned group = 0; group < depth; ++group) {
    Values &vectors = groups.emplace_back();
    for (unsigned i = 0; i < tall; ++i)
      vectors.push_back(loadColumns(sources, row, group, i));
    for (unsigned round = 1; round < tall; round *= 2) {
      Values next;
      for (unsigned i = 0; i < tall / 2; ++i)
        for (bool high : {false, true})
          next.push_back(exchange(vectors[i], vectors[i + tall / 2], high));
      vectors = std::move(next);
    }
  }
  Value *first = b.at(place, element, b.CreateMul(row, step));
  const Element plain{Element::Plain, element, element, bytes};
  for (unsigned i = 0; i < tall; ++i) {
    Values ofGroups;
    for (const Values &vectors : groups)
      ofGroups.push_back(vectors[i]);
    for (auto [lane, vector] : enumerate(transposeLanes(ofGroups))) {
      Value *to = b.at(first, element, b.CreateMul(step, b.index(lane * tall + i)));
      if (past)
        stream(b, vector, to, b.index(0), plain);
      else
        b.CreateAlignedStore(vector, to, Align(bytes));
    }
  }
}

// Copies `length` bytes, whole lines, of each of a block's columns.
void Tiles::gather(Value *row, Value *column, Value *length) {
  Value *zero = b.index(0), *apart = b.CreateMul(fromStep, b.index(bytes));
  Type *vector = withLanes(b.getInt64Ty(), b.level.vectorBits / 64);
  auto ofColumn = [&](Value *, ArrayRef<Value *> at) -> Values {
    b.loop(zero, length, b.index(b.level.vectorBits / 8), [&](Value *i) {
      Value *value = b.CreateAlignedLoad(vector, b.at(at[0], b.getInt8Ty(), i), Align(bytes));
      b.CreateAlignedStore(value, b.at(at[1], b.getInt8Ty(), i), Align(16));
    });
    return {b.at(at[0], b.getInt8Ty(), apart), b.at(at[1], b.getInt8Ty(), b.index(kDirectBytes))};
  };
  b.loop(zero, b.index(wide), b.index(1), {source(row, column), gathered}, ofColumn);
}

// Prefetches a block's columns that are kAhead columns further on, or as far from the start of the next tile. The last
// byte of a line counts: if columns do not begin with a line, the tile before has the first byte.
void Tiles::prefetchAhead(Value *row, Value *column, Value *inside, Value *count, Value *length) {
  Value *later = b.CreateAdd(inside, b.index(kAhead));
  Value *isHere = b.CreateOr(b.CreateICmpSLT(later, count), b.CreateICmpSLE(rows, tileRows));
  Value *ofRow = b.CreateSelect(isHere, row, b.CreateAdd(row, tileRows));
  Value *ofColumn = b.CreateAdd(column, b.CreateSelect(isHere, later, b.CreateSub(later, count)));
  const Element line{Element::Plain, b.getInt8Ty(), b.getInt8Ty(), 1};
  b.loop(b.index(0), length, b.index(kLine), [&](Value *byte) {
    for (Value *place : columnsFrom(source(ofRow, ofColumn), fromStep))
      prefetch(b, place, byte, line, 1, kLine - bytes, false, 2);
  });
}

// Copies rows of the staged tile `before`, from `done` on and at most `most`, to the result. Returns the next.
Value *Tiles::copyOut(const Staged &before, Value *done, Value *most) {
  auto inBytes = [&](Value *elements) { return b.CreateMul(elements, b.index(bytes)); };
  Value *here = b.min(most, b.CreateSub(before.rows, done));
  b.ifThen(b.CreateICmpSGT(here, b.index(0)), [&] {
    Value *to = b.at(before.place, element, b.CreateMul(done, toStep));
    Value *from = b.at(before.buffer, element, b.CreateMul(done, tileColumns));
    copyRows(b, to, inBytes(toStep), from, inBytes(tileColumns), inBytes(before.count), here, streams);
  });
  return b.CreateAdd(done, here);
}

// Transposes a tile, while the one before is copied to the result, some rows after each block's columns: stores past
// the caches take time in which blocks are computed. Returns what is to be copied of this tile.
Tiles::Staged Tiles::tile(Value *row, Value *column, const Staged &before) {
  Value *zero = b.index(0), *unit = b.index(wide), *high = b.index(tall * depth);
  Value *rowsHere = b.min(tileRows, b.CreateSub(rows, row)), *lastRow = b.CreateSub(rowsHere, high);
  Value *count = b.min(tileColumns, b.CreateSub(columns, column)), *lastColumn = b.CreateSub(count, unit);
  Value *place = b.at(to, element, b.CreateAdd(b.CreateMul(row, toStep), column));
  Value *isFirst = b.CreateICmpEQ(before.buffer, buffer);
  Value *own = b.CreateSelect(isFirst, b.at(buffer, b.getInt8Ty(), b.index(kBufferBytes)), buffer);
  Value *target = b.CreateSelect(isStaged, own, place);
  // A block of whole lines reads each of them once.
  Value *length = b.CreateMul(rowsHere, b.index(bytes));
  Value *gathers = b.getFalse();
  if (depth * kLaneBytes < kLine)
    gathers = b.CreateAnd(isShared(fromStep), b.CreateICmpEQ(b.CreateAnd(length, b.index(kLine - 1)), b.index(0)));
  Value *turns = b.CreateUDiv(b.CreateAdd(count, b.index(wide - 1)), unit);
  Value *ofTurn = b.CreateUDiv(b.CreateAdd(before.rows, b.CreateSub(turns, b.index(1))), turns);
  b.loop(zero, count, unit, {zero}, [&](Value *inside, ArrayRef<Value *> done) -> Values {
    b.ifThen(b.function->getArg(7), [&] { prefetchAhead(row, column, inside, count, length); });
    Value *first = b.min(inside, lastColumn);
    Value *start = b.CreateAdd(column, first);
    b.ifThen(gathers, [&] { gather(row, start, length); });
    Value *begin = b.CreateSelect(gathers, gathered, source(row, start));
    Value *apart = b.CreateSelect(gathers, b.index(kDirectBytes / bytes), fromStep);
    Values sources = columnsFrom(begin, apart);
    Value *step = b.CreateSelect(isStaged, tileColumns, toStep);
    b.loop(zero, rowsHere, high,
           [&](Value *each) { block(sources, b.at(target, element, first), b.min(each, lastRow), step); });
    return {copyOut(before, done[0], ofTurn)};
  });
  return {place, own, b.CreateSelect(isStaged, rowsHere, zero), count};
}

// The last tile has at least one block and begins earlier for it.
void Tiles::emit() {
  choose();
  Value *zero = b.index(0), *lastRow = b.CreateSub(rows, b.index(tall * depth));
  Value *lastColumn = b.CreateSub(columns, b.index(wide));
  auto staged = [](ArrayRef<Value *> values) { return Staged{values[0], values[1], values[2], values[3]}; };
  auto ofColumns = [&](Value *column, ArrayRef<Value *> carried) {
    return b.loop(zero, rows, tileRows, carried, [&](Value *row, ArrayRef<Value *> carried) -> Values {
      Staged next = tile(b.min(row, lastRow), b.min(column, lastColumn), staged(carried));
      return {next.place, next.buffer, next.rows, next.count};
    });
  };
  Staged last = staged(b.loop(zero, columns, tileColumns, {to, buffer, zero, zero}, ofColumns));
  copyOut(last, zero, last.rows);
}

// Columns have to be a number of their pieces apart, as powers of two are: others are as fast when staged.
Value *Tiles::isCopied() {
  auto isMultiple = [&](Value *number, int64_t of) {
    return b.CreateICmpEQ(b.CreateAnd(number, b.index(of - 1)), b.index(0));
  };
  Value *apart = b.CreateMul(fromStep, b.index(bytes)), *rowsApart = b.CreateMul(toStep, b.index(bytes));
  Value *fits = b.CreateAnd(b.CreateICmpSGE(rows, b.index(kCopiedBytes / bytes)),
                            b.CreateICmpSGE(columns, b.index(kLeastStreamed / bytes)));
  fits = b.CreateAnd(fits, isMultiple(apart, kCopiedBytes));
  fits = b.CreateAnd(fits, isMultiple(b.CreateOr(rowsApart, b.CreatePtrToInt(to, b.getInt64Ty())), kLine));
  return b.CreateAnd(b.function->getArg(8), fits);
}

// Copies a turn's columns, from `first` on, of the tile at `source`. Later ones are prefetched, those of the tile at
// `following` after the last. A prefetch is lost where too many lines are on their way. Then the loads wait for memory,
// and so many more prefetches are lost that nothing comes in time any more: so each line has several.
void Tiles::copyIn(Value *first, Value *source, Value *following, Value *target) {
  const int64_t vectorBytes = b.level.vectorBits / 8;
  const Element byte{Element::Plain, b.getInt8Ty(), b.getInt8Ty(), 1};
  Type *vector = withLanes(b.getInt64Ty(), unsigned(vectorBytes / 8));
  Value *zero = b.index(0), *one = b.index(1), *length = b.index(kCopiedBytes), *line = b.index(kLine);
  Value *apart = b.CreateMul(fromStep, b.index(bytes)), *ofTurn = b.index(turnColumns(bytes));
  auto columnOf = [&](Value *start, Value *number, Value *bytesApart) {
    return b.at(start, b.getInt8Ty(), b.CreateMul(number, bytesApart));
  };
  for (int64_t distance : kCopiedAhead) {
    const unsigned level = distance >= kOuterAhead ? 2 : 1;
    Value *later = b.CreateAdd(first, b.index(distance)), *after = b.CreateSub(later, b.index(copiedColumns(bytes)));
    Value *isHere = b.CreateICmpSLT(after, zero);
    Value *ahead = columnOf(b.CreateSelect(isHere, source, following), b.CreateSelect(isHere, later, after), apart);
    b.loop(zero, ofTurn, one, [&](Value *column) {
      Value *start = columnOf(ahead, column, apart);
      b.loop(zero, length, line, [&](Value *i) { prefetch(b, start, i, byte, 1, 0, false, level); });
      // A column that begins inside of a line has one more.
      prefetch(b, start, length, byte, 1, -int64_t(bytes), false, level);
    });
  }
  b.loop(first, b.CreateAdd(first, ofTurn), one, [&](Value *column) {
    Value *from = columnOf(source, column, apart), *to = columnOf(target, column, b.index(kCopiedPitch));
    b.loop(zero, length, line, [&](Value *i) {
      Values copied;
      for (int64_t part = 0; part < kLine; part += vectorBytes)
        copied.push_back(
            b.CreateAlignedLoad(vector, b.at(from, b.getInt8Ty(), b.CreateAdd(i, b.index(part))), Align(bytes)));
      for (auto [part, value] : enumerate(copied)) {
        Value *place = b.at(to, b.getInt8Ty(), b.CreateAdd(i, b.index(int64_t(part) * vectorBytes)));
        b.CreateAlignedStore(value, place, Align(uint64_t(vectorBytes)));
      }
    });
  });
}

// Transposes a part of the matrix that is too small for a copied tile.
void Tiles::rest(Value *row, Value *column, Value *rowsHere, Value *columnsHere) {
  Value *any = b.CreateAnd(b.CreateICmpSGT(rowsHere, b.index(0)), b.CreateICmpSGT(columnsHere, b.index(0)));
  b.ifThen(any, [&] {
    SmallVector<Value *> arguments(llvm::make_pointer_range(b.function->args()));
    arguments[0] = b.at(to, element, b.CreateAdd(b.CreateMul(row, toStep), column));
    arguments[2] = source(row, column);
    arguments[4] = rowsHere;
    arguments[5] = columnsHere;
    b.CreateCall(b.function->getParent()->getFunction(kName), arguments);
  });
}

// A turn copies some columns of the next tile, and transposes one line of each of as many columns as a line has.
void Tiles::emitCopied() {
  const int64_t ofLine = kLine / bytes, turns = copiedColumns(bytes) / turnColumns(bytes);
  Value *zero = b.index(0), *one = b.index(1), *tileRows = b.index(kCopiedBytes / bytes);
  Value *tileColumns = b.index(copiedColumns(bytes)), *ofTurn = b.index(turnColumns(bytes));
  Value *down = b.CreateUDiv(rows, tileRows), *across = b.CreateUDiv(columns, tileColumns);
  Value *ofStrip = b.index(kStripColumns / copiedColumns(bytes)), *inStrip = b.CreateMul(down, ofStrip);
  Value *count = b.CreateMul(down, across);
  // The first row and column of a tile.
  auto place = [&](Value *tile) {
    Value *before = b.CreateMul(b.CreateUDiv(tile, inStrip), ofStrip), *inside = b.CreateURem(tile, inStrip);
    Value *wide = b.min(ofStrip, b.CreateSub(across, before));
    Value *row = b.CreateUDiv(inside, wide), *column = b.CreateAdd(before, b.CreateURem(inside, wide));
    return std::pair(b.CreateMul(row, tileRows), b.CreateMul(column, tileColumns));
  };
  auto start = [&](Value *tile) {
    auto [row, column] = place(b.min(tile, b.CreateSub(count, one)));
    return source(row, column);
  };
  Value *other = b.at(buffer, b.getInt8Ty(), b.index(kTileBytes));
  Value *begin = start(zero), *second = start(one);
  b.loop(zero, tileColumns, ofTurn, [&](Value *first) { copyIn(first, begin, second, buffer); });
  b.loop(zero, count, one, {buffer, other}, [&](Value *tile, ArrayRef<Value *> buffers) -> Values {
    Value *here = buffers[0], *next = buffers[1];
    auto [row, column] = place(tile);
    Value *target = b.at(to, element, b.CreateAdd(b.CreateMul(row, toStep), column));
    Value *following = b.CreateAdd(tile, one);
    Value *nextStart = start(following), *after = start(b.CreateAdd(following, one));
    Value *isLast = b.CreateICmpEQ(following, count);
    b.loop(zero, b.index(turns), one, [&](Value *turn) {
      b.ifThen(b.CreateNot(isLast), [&] { copyIn(b.CreateMul(turn, ofTurn), nextStart, after, next); });
      Value *line = b.CreateUDiv(turn, b.index(kCopiedLines)), *first = b.CreateURem(turn, b.index(kCopiedLines));
      first = b.CreateMul(first, b.index(ofLine));
      Value *firstRow = b.CreateMul(line, b.index(ofLine));
      b.loop(zero, b.index(ofLine), b.index(tall * depth), [&](Value *inside) {
        for (int64_t part = 0; part < ofLine; part += wide) {
          Value *of = b.CreateAdd(first, b.index(part)), *offset = b.CreateMul(of, b.index(kCopiedPitch));
          Values sources = columnsFrom(b.at(here, b.getInt8Ty(), offset), b.index(kCopiedPitch / bytes));
          block(sources, b.at(target, element, of), b.CreateAdd(firstRow, inside), toStep, true);
        }
      });
    });
    return {next, here};
  });
  Value *doneRows = b.CreateMul(down, tileRows), *doneColumns = b.CreateMul(across, tileColumns);
  rest(doneRows, zero, b.CreateSub(rows, doneRows), columns);
  rest(zero, doneColumns, doneRows, b.CreateSub(columns, doneColumns));
}

// Matrices without a block.
void Tiles::elements() {
  b.loop(b.index(0), rows, b.index(1), [&](Value *row) {
    Value *place = b.at(to, element, b.CreateMul(row, toStep));
    b.loop(b.index(0), columns, b.index(1), [&](Value *column) {
      Value *value = b.CreateAlignedLoad(element, source(row, column), Align(bytes));
      b.CreateAlignedStore(value, b.at(place, element, column), Align(bytes));
    });
  });
}

/// Half of the registers hold a block: the lanes of its columns.
static unsigned depthOf(const CpuLevel &level, unsigned tall) {
  const unsigned registers = level.vectorBits == 256 ? 16 : 32;
  return std::min(level.vectorBits / 128, std::max(registers / 2 / tall, 1u));
}

// Matrices of fewer rows than a block have blocks of one lane of each column, those of few columns narrow vectors.
static void emitTiles(CodeBuilder &b, unsigned bytes, Value *buffer, Value *gathered) {
  const unsigned tall = 16 / bytes, lanes = b.level.vectorBits / 128;
  Value *rows = b.function->getArg(4), *columns = b.function->getArg(5);
  // Columns that are no whole lines apart, if there are many: loads of a block of wide vectors touch two lines.
  Value *isNarrow =
      b.CreateICmpNE(b.CreateAnd(b.CreateMul(b.function->getArg(3), b.index(bytes)), b.index(kLine - 1)), b.index(0));
  isNarrow = b.CreateAnd(isNarrow, b.CreateICmpSGE(columns, b.index(int64_t(kLeastNarrow) * tall * lanes)));
  using Size = std::pair<unsigned, unsigned>; // lanes of a column, of a vector
  const Size widest = {depthOf(b.level, tall), lanes}, narrow = {2, 2};
  const bool hasNarrow = (bytes == 2 || bytes == 4) && lanes > 2;
  std::function<Values(ArrayRef<Size>)> largest = [&](ArrayRef<Size> sizes) -> Values {
    if (sizes.empty()) {
      Tiles(b, bytes, 1, 1, buffer, gathered).elements();
      return {};
    }
    auto [high, wide] = sizes.front();
    Value *fits = b.CreateICmpSGE(rows, b.index(tall * high));
    if (hasNarrow && sizes.front() == widest)
      fits = b.CreateAnd(fits, b.CreateNot(isNarrow));
    if (hasNarrow && sizes.front() == narrow)
      fits = b.CreateAnd(fits, isNarrow);
    return b.ifElse(
        b.CreateAnd(fits, b.CreateICmpSGE(columns, b.index(tall * wide))),
        [&]() -> Values {
          Tiles(b, bytes, sizes.front().first, sizes.front().second, buffer, gathered).emit();
          return {};
        },
        [&] { return largest(sizes.drop_front()); });
  };
  SmallVector<Size> sizes = {widest, {1, lanes}, {1, 1}};
  if (hasNarrow)
    sizes.insert(sizes.begin() + 1, narrow);
  sizes.erase(llvm::unique(sizes), sizes.end());
  if (!b.level.streams || bytes == 1) {
    largest(sizes);
    return;
  }
  // A function of its own, so that only these tiles take stack for their buffers.
  auto copied = [&] {
    SmallVector<Value *> arguments(llvm::make_pointer_range(b.function->args()));
    callShared(b, "transpose.copied" + std::to_string(bytes), arguments, [&](CodeBuilder &b) {
      Value *buffers = b.buffer(b.getInt8Ty(), 2 * kTileBytes);
      Tiles(b, bytes, widest.first, widest.second, buffers, nullptr).emitCopied();
    });
  };
  b.branch(Tiles(b, bytes, widest.first, widest.second, buffer, gathered).isCopied(), copied, [&] { largest(sizes); });
}

void transpose(CodeBuilder &b, Value *to, Value *toStep, Value *from, Value *fromStep, Value *rows, Value *columns,
               Value *elementBytes, Value *ahead, Value *stream) {
  callShared(b, kName, {to, toStep, from, fromStep, rows, columns, elementBytes, ahead, stream}, [](CodeBuilder &b) {
    Value *buffer = b.buffer(b.getInt8Ty(), 2 * kBufferBytes);
    // A block of bytes has as many columns as a vector.
    Value *gathered = b.buffer(b.getInt8Ty(), kDirectBytes * b.level.vectorBits / 8);
    for (unsigned bytes : {1, 2, 4, 8})
      b.ifThen(b.CreateICmpEQ(b.function->getArg(6), b.index(bytes)), [&] { emitTiles(b, bytes, buffer, gathered); });
  });
}

} // namespace opc::cpu

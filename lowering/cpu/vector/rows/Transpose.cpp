// The matrix is cut into tiles, and a tile into blocks that are transposed in registers. A tile is
//
//   direct     as long as the rows of the result and four cache lines of each column: its lines stay in the L1 cache
//              until all of their elements are used, and so do those of the result until they are whole
//   staged     of 512 or 256 columns, which are transposed into a buffer in the L1 cache and copied from there row by
//              row. Whole lines are then stored one after the other, non-temporally if tensors exceed the caches. So are
//              rows of a result that are a power of two apart: their lines would share the sets of the L1 cache
//
// Tiles follow each other along the columns of the source, which are contiguous: the next tile has the next lines of the
// same pages. With non-temporal stores the lines of columns further on are prefetched into the L2 cache.
//
// A block has as many rows as elements fit 16 bytes, and a vector of columns. Each lane of 16 bytes of a vector takes
// a column, so that a block is transposed by exchanges within lanes, which are one instruction each:
//
//   f32, 16 bytes are 4 elements, vectors of 8: columns 0 and 4, 1 and 5, 2 and 6, 3 and 7 are loaded as
//
//     a0 a1 a2 a3 | e0 e1 e2 e3                      a0 b0 c0 d0 | e0 f0 g0 h0
//     b0 b1 b2 b3 | f0 f1 f2 f3      two rounds      a1 b1 c1 d1 | e1 f1 g1 h1
//     c0 c1 c2 c3 | g0 g1 g2 g3      ─────────►      a2 b2 c2 d2 | e2 f2 g2 h2
//     d0 d1 d2 d3 | h0 h1 h2 h3                      a3 b3 c3 d3 | e3 f3 g3 h3
//
// The last block of a tile begins earlier and computes some elements twice, which have the same value.

#include "lowering/cpu/vector/rows/Transpose.h"

#include "lowering/cpu/vector/code/Copies.h"
#include "lowering/cpu/vector/code/Memory.h"

using namespace llvm;

namespace opc::cpu {

static constexpr int64_t kLine = 64;
// Bytes of each column in a tile: direct, staged, and staged with non-temporal stores.
static constexpr int64_t kDirectBytes = 4 * kLine, kStagedBytes = 2 * kLine, kStreamedBytes = kLine;
// Bytes of the buffer, and the columns of the two kinds of staged tiles, which both fill it.
static constexpr int64_t kBufferBytes = 32768;
static constexpr int64_t kStagedColumns = kBufferBytes / kStagedBytes, kStreamedColumns = kBufferBytes / kStreamedBytes;
// Rows of a result whose stride is a multiple of this number of bytes share sets.
static constexpr int64_t kSharedSets = 1024;
// The shortest rows, in bytes, that are stored non-temporally, and the columns ahead that are prefetched then.
static constexpr int64_t kLeastStreamed = 512, kAhead = 64;

namespace {

/// Elements of one size, in the function that `b` builds: (to, toStep, from, fromStep, rows, columns, .., stream).
class Tiles {
public:
  Tiles(CodeBuilder &b, unsigned bytes, Value *buffer)
      : b(b), to(b.function->getArg(0)), toStep(b.function->getArg(1)), from(b.function->getArg(2)),
        fromStep(b.function->getArg(3)), rows(b.function->getArg(4)), columns(b.function->getArg(5)),
        element(b.getIntNTy(bytes * 8)), bytes(bytes), tall(16 / bytes), lanes(b.level.vectorBits / 128),
        wide(tall * lanes), buffer(buffer) {}

  void emit();

private:
  void choose();
  void elements();
  void tile(Value *row, Value *column);
  void prefetchAhead(Value *row, Value *column, Value *inside, Value *count);
  void block(ArrayRef<Value *> sources, Value *place, Value *row);
  Value *loadColumns(ArrayRef<Value *> sources, Value *row, unsigned first);
  Value *exchange(Value *a, Value *c, bool high);
  /// A column from a row on.
  Value *source(Value *row, Value *column) {
    return b.at(from, element, b.CreateAdd(b.CreateMul(column, fromStep), row));
  }

  CodeBuilder &b;
  Value *to, *toStep, *from, *fromStep, *rows, *columns;
  Type *element;
  unsigned bytes, tall, lanes, wide; ///< rows of a block; lanes of 16 bytes in a vector; columns of a block
  Value *streams = nullptr, *isStaged = nullptr, *tileRows = nullptr, *tileColumns = nullptr;
  Value *buffer;
};

} // namespace

// The kind of all tiles.
void Tiles::choose() {
  Value *rowBytes = b.CreateMul(columns, b.index(bytes)), *apart = b.CreateMul(toStep, b.index(bytes));
  Value *shares = b.CreateICmpEQ(b.CreateAnd(apart, b.index(kSharedSets - 1)), b.index(0));
  streams = b.getFalse();
  if (b.level.streams)
    streams = b.CreateAnd(b.function->getArg(7), b.CreateICmpSGE(rowBytes, b.index(kLeastStreamed)));
  isStaged = b.CreateOr(streams, shares);
  auto chosen = [&](int64_t streamed, int64_t staged, Value *direct) {
    return b.CreateSelect(streams, b.index(streamed), b.CreateSelect(isStaged, b.index(staged), direct));
  };
  tileRows = chosen(kStreamedBytes / bytes, kStagedBytes / bytes, b.index(kDirectBytes / bytes));
  tileColumns = chosen(kStreamedColumns, kStagedColumns, columns);
}

/// `tall` rows of the columns first, first + tall, ... of a block: one in each lane.
Value *Tiles::loadColumns(ArrayRef<Value *> sources, Value *row, unsigned first) {
  Values parts;
  for (unsigned lane = 0; lane < lanes; ++lane)
    parts.push_back(
        b.CreateAlignedLoad(withLanes(element, tall), b.at(sources[lane * tall + first], element, row), Align(bytes)));
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

// Stores the rows from `row` on of the columns `sources` at `place`, which is the first row of the tile.
void Tiles::block(ArrayRef<Value *> sources, Value *place, Value *row) {
  Values vectors;
  for (unsigned i = 0; i < tall; ++i)
    vectors.push_back(loadColumns(sources, row, i));
  for (unsigned round = 1; round < tall; round *= 2) {
    Values next;
    for (unsigned i = 0; i < tall / 2; ++i)
      for (bool high : {false, true})
        next.push_back(exchange(vectors[i], vectors[i + tall / 2], high));
    vectors = std::move(next);
  }
  Value *step = b.CreateSelect(isStaged, tileColumns, toStep);
  Value *first = b.at(place, element, b.CreateMul(row, step));
  for (unsigned i = 0; i < tall; ++i)
    b.CreateAlignedStore(vectors[i], b.at(first, element, b.CreateMul(step, b.index(i))), Align(bytes));
}

// Prefetches a block's columns that are kAhead columns further on in the tile, or from the start of the next one.
void Tiles::prefetchAhead(Value *row, Value *column, Value *inside, Value *count) {
  Value *later = b.CreateAdd(inside, b.index(kAhead)), *isHere = b.CreateICmpSLT(later, count);
  Value *ofRow = b.CreateSelect(isHere, row, b.CreateAdd(row, tileRows));
  Value *ofColumn = b.CreateAdd(column, b.CreateSelect(isHere, later, b.CreateSub(later, count)));
  for (unsigned i = 0; i < wide; ++i)
    prefetch(b, source(ofRow, b.CreateAdd(ofColumn, b.index(i))), b.index(0), {Element::Plain, element, element, bytes},
             1, 0, false, 2);
}

void Tiles::tile(Value *row, Value *column) {
  Value *zero = b.index(0), *unit = b.index(wide), *high = b.index(tall);
  Value *rowsHere = b.min(tileRows, b.CreateSub(rows, row)), *lastRow = b.CreateSub(rowsHere, high);
  Value *count = b.min(tileColumns, b.CreateSub(columns, column)), *lastColumn = b.CreateSub(count, unit);
  Value *place = b.at(to, element, b.CreateAdd(b.CreateMul(row, toStep), column));
  Value *target = b.CreateSelect(isStaged, buffer, place);
  b.loop(zero, count, unit, [&](Value *inside) {
    b.ifThen(streams, [&] { prefetchAhead(row, column, inside, count); });
    Value *first = b.min(inside, lastColumn);
    Values sources;
    for (unsigned i = 0; i < wide; ++i)
      sources.push_back(source(row, b.CreateAdd(b.CreateAdd(column, first), b.index(i))));
    b.loop(zero, rowsHere, high,
           [&](Value *each) { block(sources, b.at(target, element, first), b.min(each, lastRow)); });
  });
  b.ifThen(isStaged, [&] {
    auto inBytes = [&](Value *count) { return b.CreateMul(count, b.index(bytes)); };
    copyRows(b, place, inBytes(toStep), buffer, inBytes(tileColumns), inBytes(count), rowsHere, streams);
  });
}

void Tiles::elements() {
  b.loop(b.index(0), rows, b.index(1), [&](Value *row) {
    Value *place = b.at(to, element, b.CreateMul(row, toStep));
    b.loop(b.index(0), columns, b.index(1), [&](Value *column) {
      Value *value = b.CreateAlignedLoad(element, source(row, column), Align(bytes));
      b.CreateAlignedStore(value, b.at(place, element, column), Align(bytes));
    });
  });
}

// The last tile has at least one block and begins earlier for it.
void Tiles::emit() {
  Value *zero = b.index(0), *lastRow = b.CreateSub(rows, b.index(tall));
  Value *lastColumn = b.CreateSub(columns, b.index(wide));
  Value *fits = b.CreateAnd(b.CreateICmpSGE(rows, b.index(tall)), b.CreateICmpSGE(columns, b.index(wide)));
  b.ifElse(
      fits,
      [&]() -> Values {
        choose();
        b.loop(zero, columns, tileColumns, [&](Value *column) {
          b.loop(zero, rows, tileRows, [&](Value *row) { tile(b.min(row, lastRow), b.min(column, lastColumn)); });
        });
        return {};
      },
      [&]() -> Values {
        elements();
        return {};
      });
}

void transpose(CodeBuilder &b, Value *to, Value *toStep, Value *from, Value *fromStep, Value *rows, Value *columns,
               Value *elementBytes, Value *stream) {
  callShared(b, "transpose", {to, toStep, from, fromStep, rows, columns, elementBytes, stream}, [](CodeBuilder &b) {
    Value *buffer = b.buffer(b.getInt8Ty(), kBufferBytes);
    for (unsigned bytes : {1, 2, 4, 8})
      b.ifThen(b.CreateICmpEQ(b.function->getArg(6), b.index(bytes)), [&] { Tiles(b, bytes, buffer).emit(); });
  });
}

} // namespace opc::cpu

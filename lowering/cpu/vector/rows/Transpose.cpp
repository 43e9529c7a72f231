// Columns that are a power of two apart share the sets of the cache, and a block reads a part of a line of each. Such
// columns are copied to a dense buffer first, a line at a time, and the next ones are prefetched.
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

#include "lowering/cpu/vector/rows/Transpose.h"

#include "lowering/cpu/vector/code/Copies.h"
#include "lowering/cpu/vector/code/Memory.h"

using namespace llvm;

namespace opc::cpu {

namespace {

/// Blocks of elements of one size, in the function that `b` builds: (to, from, step, rows, columns).
class Blocks {
public:
  Blocks(CodeBuilder &b, unsigned bytes)
      : b(b), to(b.function->getArg(0)), from(b.function->getArg(1)), step(b.function->getArg(2)),
        rows(b.function->getArg(3)), columns(b.function->getArg(4)), element(b.getIntNTy(bytes * 8)), bytes(bytes),
        tall(16 / bytes), lanes(b.level.vectorBits / 128) {}

  void emit();

private:
  void stage(Value *scratch);
  Value *source(Value *row, Value *column) { return b.at(from, element, b.CreateAdd(b.CreateMul(column, step), row)); }
  Value *destination(Value *row, Value *column) {
    return b.at(to, element, b.CreateAdd(b.CreateMul(row, columns), column));
  }
  void copy(Value *row, Value *column);
  Value *loadColumns(Value *row, Value *column, unsigned first);
  Value *exchange(Value *a, Value *c, bool high);
  void prefetchNext(Value *row, Value *column);
  void block(Value *row, Value *column);

  CodeBuilder &b;
  Value *to, *from, *step, *rows, *columns;
  Type *element;
  unsigned bytes, tall, lanes; ///< rows of a block; lanes of 16 bytes in a vector
};

} // namespace

// Columns ahead that are prefetched.
static constexpr int64_t kAhead = 16;

// Columns whose stride is a multiple of this number of bytes share sets.
static constexpr int64_t kSharedSets = 1024;

// Copies the columns one after the other if they share sets, and reads them there from now on.
void Blocks::stage(Value *scratch) {
  Type *vector = withLanes(b.getInt8Ty(), b.level.vectorBits / 8);
  Value *zero = b.index(0), *length = b.CreateMul(rows, b.index(bytes)), *apart = b.CreateMul(step, b.index(bytes));
  Value *turn = b.index(b.level.vectorBits / 8), *whole = b.CreateSub(length, b.CreateURem(length, turn));
  auto move = [&](Type *type, Value *from, Value *to, Value *byte) {
    Value *value = b.CreateAlignedLoad(type, b.at(from, b.getInt8Ty(), byte), Align(1));
    b.CreateAlignedStore(value, b.at(to, b.getInt8Ty(), byte), Align(1));
  };
  Value *shares = b.CreateICmpEQ(b.CreateAnd(apart, b.index(kSharedSets - 1)), zero);
  b.loop(zero, b.CreateSelect(shares, columns, zero), b.index(1), [&](Value *column) {
    Value *here = b.at(from, b.getInt8Ty(), b.CreateMul(column, apart));
    Value *there = b.at(scratch, b.getInt8Ty(), b.CreateMul(column, length));
    Value *ahead = b.at(here, b.getInt8Ty(), b.CreateMul(apart, b.index(kAhead)));
    b.loop(zero, whole, turn, [&](Value *byte) {
      prefetch(b, ahead, byte, {Element::Plain, b.getInt8Ty(), b.getInt8Ty(), 1}, 1, 0);
      move(vector, here, there, byte);
    });
    b.loop(whole, length, b.index(bytes), [&](Value *byte) { move(element, here, there, byte); });
  });
  from = b.CreateSelect(shares, scratch, from);
  step = b.CreateSelect(shares, rows, step);
}

void Blocks::copy(Value *row, Value *column) {
  Value *value = b.CreateAlignedLoad(element, source(row, column), Align(bytes));
  b.CreateAlignedStore(value, destination(row, column), Align(bytes));
}

/// `tall` rows of the columns first, first + tall, ... of a block: one in each lane.
Value *Blocks::loadColumns(Value *row, Value *column, unsigned first) {
  Values parts;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Value *at = b.CreateAdd(column, b.index(int64_t(lane * tall + first)));
    parts.push_back(b.CreateAlignedLoad(withLanes(element, tall), source(row, at), Align(bytes)));
  }
  for (; parts.size() > 1; parts.truncate(parts.size() / 2))
    for (unsigned i = 0; i < parts.size() / 2; ++i) {
      SmallVector<int> both(2 * lanesOf(parts[2 * i]->getType()));
      std::iota(both.begin(), both.end(), 0);
      parts[i] = b.CreateShuffleVector(parts[2 * i], parts[2 * i + 1], both);
    }
  return parts.front();
}

/// In each lane of 16 bytes, interleaves the lower or upper halves of `a` and `c`.
Value *Blocks::exchange(Value *a, Value *c, bool high) {
  SmallVector<int> mask;
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned i = 0; i < tall / 2; ++i) {
      int place = int(lane * tall + (high ? tall / 2 : 0) + i);
      mask.push_back(place);
      mask.push_back(place + int(lanes * tall));
    }
  return b.CreateShuffleVector(a, c, mask);
}

// Four blocks, one below the other, read a cache line of each of their columns: each prefetches the next columns' lines
// for a quarter of them.
void Blocks::prefetchNext(Value *row, Value *column) {
  const unsigned columns = tall * lanes, quarter = columns / 4;
  Value *part = b.CreateAnd(b.CreateUDiv(row, b.index(tall)), b.index(3));
  Value *first = b.CreateAdd(b.CreateAdd(column, b.index(columns)), b.CreateMul(part, b.index(quarter)));
  for (unsigned i = 0; i < quarter; ++i)
    prefetch(b, source(row, b.CreateAdd(first, b.index(i))), b.index(0), {Element::Plain, element, element, bytes}, 1,
             0);
}

void Blocks::block(Value *row, Value *column) {
  prefetchNext(row, column);
  Values vectors;
  for (unsigned i = 0; i < tall; ++i)
    vectors.push_back(loadColumns(row, column, i));
  for (unsigned round = 1; round < tall; round *= 2) {
    Values next;
    for (unsigned i = 0; i < tall / 2; ++i)
      for (bool high : {false, true})
        next.push_back(exchange(vectors[i], vectors[i + tall / 2], high));
    vectors = std::move(next);
  }
  for (unsigned i = 0; i < tall; ++i)
    b.CreateAlignedStore(vectors[i], destination(b.CreateAdd(row, b.index(i)), column), Align(bytes));
}

// Columns beyond whole vectors come last; only short rows have them.
void Blocks::emit() {
  stage(b.function->getArg(6));
  Value *zero = b.index(0), *one = b.index(1), *wide = b.index(int64_t(tall * lanes));
  auto wholeOf = [&](Value *size, Value *unit) { return b.CreateSub(size, b.CreateURem(size, unit)); };
  Value *wholeColumns = wholeOf(columns, wide), *wholeRows = wholeOf(rows, b.index(tall));
  b.loop(zero, wholeColumns, wide, [&](Value *column) {
    b.loop(zero, wholeRows, b.index(tall), [&](Value *row) { block(row, column); });
    b.loop(wholeRows, rows, one,
           [&](Value *row) { b.loop(column, b.CreateAdd(column, wide), one, [&](Value *each) { copy(row, each); }); });
  });
  b.loop(wholeColumns, columns, one,
         [&](Value *column) { b.loop(zero, rows, one, [&](Value *row) { copy(row, column); }); });
}

void transpose(CodeBuilder &b, Value *to, Value *from, Value *step, Value *rows, Value *columns, Value *elementBytes,
               Value *scratch) {
  callShared(b, "transpose", {to, from, step, rows, columns, elementBytes, scratch}, [](CodeBuilder &b) {
    for (unsigned bytes : {1, 2, 4, 8})
      b.ifThen(b.CreateICmpEQ(b.function->getArg(5), b.index(bytes)), [&] { Blocks(b, bytes).emit(); });
  });
}

} // namespace opc::cpu

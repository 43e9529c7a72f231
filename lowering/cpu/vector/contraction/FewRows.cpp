#include "lowering/cpu/vector/contraction/FewRows.h"

#include "lowering/cpu/vector/code/Copies.h"
#include "lowering/cpu/vector/contraction/Cells.h"

using namespace llvm;

namespace opc::cpu {

// Rows of the right operand that are read at once: streams for the hardware prefetcher.
static constexpr unsigned kStreams = 8;
// Rows of a matrix along k that are read at once.
static constexpr unsigned kRows = kStreams / 2;

// A cache line, and the bytes of all streams that are prefetched ahead of the products, for elements smaller than f32.
// Such rows are so short that the hardware prefetcher, which stops at the end of a page, starts anew too often.
static constexpr int64_t kLine = 64, kBytesAhead = 12 << 10;

// Vectors of sums that stay in registers, half of them, and the rows of the matrix that are prefetched ahead of their
// products. Rows that are a multiple of this number of bytes apart share sets of the innermost cache, which so many
// rows would fill.
static constexpr unsigned kVectorsDown = 16;
static constexpr int64_t kRowsAhead = 8, kSharedSets = 4096;

namespace {

/// The functions of products of rows.
class RowProducts {
public:
  RowProducts(CodeBuilder &b, const MatrixPart &matrix, const CellProduct &product)
      : b(b), element(matrix.element), cells(b, matrix), product(product), lanes(b.level.vectorBits / 32),
        cell(cellType(b, product.elements)), vector(withLanes(cell, lanes)), left(b.function->getArg(0)),
        right(b.function->getArg(1)), step(b.function->getArg(2)), sums(b.function->getArg(3)),
        columns(b.function->getArg(4)), depth(b.function->getArg(5)), continues(b.function->getArg(6)) {}

  void oneAlongColumns();
  void oneAlongK();
  void fewAlongColumns();
  void fewAlongK();

private:
  Value *rowAt(Value *row) { return b.at(right, element.memory, b.CreateMul(row, step)); }
  Value *cellsAt(Value *row, Value *i, unsigned lanes) {
    return b.CreateAlignedLoad(withLanes(cell, lanes), b.at(row, cell, i), Align(4));
  }
  Value *leftAt(Value *k, unsigned lanes) { return cellsAt(left, k, lanes); }
  Value *sumAt(Value *column) { return b.at(sums, cell, column); }
  Value *sumsAt(Value *column) { return b.CreateAlignedLoad(vector, sumAt(column), Align(4)); }
  Value *add(Value *x, Value *y) { return product.elements > 1 ? b.CreateAdd(x, y) : b.CreateFAdd(x, y); }
  Value *start(Value *row);
  Value *addLast(ArrayRef<Value *> ofLeft, ArrayRef<Value *> ofMatrix, Value *whole, Values &sums);
  Value *reduced(Value *sum);
  /// The bytes of an element of the matrix, and whether the rows ahead are prefetched.
  int64_t bytes() const { return element.bytes; }
  bool asksAhead() const { return bytes() < 4; }
  /// Whether the sums of each 64 columns are in the order of Cells::inParts during the products: bytes are interleaved
  /// into that order, and rows are many more than sums.
  bool isInParts() const { return product.elements == 4 && lanes == 16; }
  void turnParts();
  unsigned vectorsOfTurn() const { return product.elements == 4 ? PanelSizes(b.level).vectors : 2; }
  void ask(Value *place, Value *length, Value *rowsStep, ArrayRef<Value *> rows);
  void addRows(Value *k, unsigned count);
  bool goesDown() const;
  Value *columnsDown();
  void goDown(Value *column);
  void dots(Value *column, unsigned count, Value *first);
  // Of a few rows:
  Value *rowCount() { return b.function->getArg(7); }
  Value *leftStep() { return b.function->getArg(8); }
  Value *sumStep() { return b.function->getArg(9); }
  Value *leftRow(Value *row) { return b.at(left, cell, b.CreateMul(row, leftStep())); }
  Value *sumRow(Value *row) { return b.at(sums, cell, b.CreateMul(row, sumStep())); }
  unsigned vectorsOfFew() const;
  unsigned streamsOfFew() const;
  void addToRows(Value *k, unsigned count);
  void fewDots(Value *column, Value *row, unsigned height, Value *corrections);

  CodeBuilder &b;
  const Element element;
  Cells cells;
  const CellProduct product;
  const unsigned lanes;
  Type *cell, *vector;
  Value *left, *right, *step, *sums, *columns, *depth, *continues;
};

} // namespace

/// The correction of each sum for flipped bytes of the matrix; null without flipped bytes.
Value *RowProducts::start(Value *row) {
  if (!product.isFlipped)
    return nullptr;
  Value *count = cells.countOf(depth), *whole = b.CreateAnd(count, b.index(-int64_t(lanes)));
  Value *sum = b.loop(b.index(0), whole, b.index(lanes), {Constant::getNullValue(vector)},
                      [&](Value *k, ArrayRef<Value *> carried) -> Values {
                        return {addElements(b, product, /*isLeft=*/true, cellsAt(row, k, lanes), carried.front())};
                      })
                   .front();
  sum = b.loop(whole, count, b.index(1), {b.CreateAddReduce(sum)}, [&](Value *k, ArrayRef<Value *> carried) -> Values {
           return {addElements(b, product, /*isLeft=*/true, cellsAt(row, k, 0), carried.front())};
         }).front();
  return correction(b, product, /*isLeft=*/true, sum);
}

/// Prefetches the cache lines that products read after those at `place`, in the order in which they are read: of the
/// same rows or, near their end, of the rows that are `rowsStep` elements after them.
void RowProducts::ask(Value *place, Value *length, Value *rowsStep, ArrayRef<Value *> rows) {
  Value *ahead = b.CreateAdd(place, b.min(length, b.index(kBytesAhead / (int64_t(rows.size()) * bytes()))));
  Value *isInside = b.CreateICmpSLT(ahead, length);
  Value *offset = b.CreateSelect(isInside, ahead, b.CreateAdd(ahead, b.CreateSub(rowsStep, length)));
  for (Value *row : rows)
    prefetch(b, row, offset, element, unsigned(kLine / bytes()), 0);
}

//===----------------------------------------------------------------------===//
// A single row
//===----------------------------------------------------------------------===//

/// Adds `count` rows of cells of the matrix, each times a cell of the left operand, to the sums.
void RowProducts::addRows(Value *k, unsigned count) {
  Values splats;
  SmallVector<Cells::Rows> rows;
  SmallVector<Value *> inMemory;
  for (unsigned i = 0; i < count; ++i) {
    Value *row = b.CreateAdd(k, b.index(i));
    splats.push_back(b.CreateVectorSplat(lanes, leftAt(row, 0)));
    rows.push_back(cells.rowsAt(right, step, row, depth));
    if (count > 1) // whole cells
      rows.back().kept = nullptr;
    append_range(inMemory, rows.back().of);
  }
  auto turn = [&](Value *column, Value *part) {
    Value *sum = b.CreateAlignedLoad(vector, sumAt(column), Align(4));
    for (unsigned i = 0; i < count; ++i)
      sum = addProducts(b, product, splats[i], cells.across(rows[i], column, lanes, part), sum);
    b.CreateAlignedStore(sum, sumAt(column), Align(4));
  };
  auto placeOf = [&](Value *column, unsigned i) { return sumAt(b.CreateAdd(column, b.index(int64_t(i) * lanes))); };
  auto wideTurn = [&](Value *column, unsigned vectors) {
    Values sums;
    for (unsigned i = 0; i < vectors; ++i)
      sums.push_back(b.CreateAlignedLoad(vector, placeOf(column, i), Align(4)));
    for (unsigned i = 0; i < count; ++i)
      for (auto [sum, right] : zip_equal(sums, cells.across(rows[i], column, lanes, vectors, isInParts())))
        sum = addProducts(b, product, splats[i], right, sum);
    for (unsigned i = 0; i < vectors; ++i)
      b.CreateAlignedStore(sums[i], placeOf(column, i), Align(4));
  };
  Value *whole = b.CreateAnd(columns, b.index(-int64_t(lanes))), *wide = b.index(0);
  if (asksAhead() && (count > 1 || isInParts())) {
    const int64_t ofLine = kLine / bytes(), length = int64_t(lanes) * vectorsOfTurn();
    wide = b.CreateAnd(columns, b.index(-ofLine));
    Value *rowsStep = b.CreateMul(step, b.index(int64_t(inMemory.size())));
    b.loop(b.index(0), wide, b.index(ofLine), [&](Value *column) {
      if (count > 1)
        ask(column, columns, rowsStep, inMemory);
      for (int64_t i = 0; i < ofLine; i += length)
        wideTurn(b.CreateAdd(column, b.index(i)), vectorsOfTurn());
    });
  }
  b.loop(wide, whole, b.index(lanes), [&](Value *column) { turn(column, nullptr); });
  Value *rest = b.CreateSub(columns, whole);
  b.ifThen(b.CreateICmpSGT(rest, b.index(0)), [&] { turn(whole, rest); });
}

/// Puts the sums of all whole cache lines of columns into the other order (isInParts).
void RowProducts::turnParts() {
  b.loop(b.index(0), b.CreateAnd(columns, b.index(-kLine)), b.index(kLine), [&](Value *column) {
    auto placeOf = [&](unsigned i) { return sumAt(b.CreateAdd(column, b.index(int64_t(i) * lanes))); };
    Values vectors;
    for (unsigned i = 0; i < kLine / lanes; ++i)
      vectors.push_back(b.CreateAlignedLoad(vector, placeOf(i), Align(4)));
    for (auto [i, each] : enumerate(cells.inParts(vectors)))
      b.CreateAlignedStore(each, placeOf(unsigned(i)), Align(4));
  });
}

/// Whether the sums of some columns stay in registers for all of k: with AVX-512 f16 and bf16 are bound by conversions
/// and by loads and stores of sums, elsewhere by the matrix.
bool RowProducts::goesDown() const {
  return lanes == 16 && bytes() == 2;
}

/// The number of columns whose sums stay in registers, a multiple of those that do so at once.
Value *RowProducts::columnsDown() {
  Value *distance = b.CreateAnd(b.CreateMul(step, b.index(bytes())), b.index(kSharedSets - 1));
  Value *whole = b.CreateAnd(columns, b.index(-int64_t(lanes * kVectorsDown)));
  return b.CreateSelect(b.CreateICmpEQ(distance, b.index(0)), b.index(0), whole);
}

/// Adds the products of all of k to the sums of as many columns as registers hold, from `column` on.
void RowProducts::goDown(Value *column) {
  auto placeOf = [&](unsigned i) { return sumAt(b.CreateAdd(column, b.index(int64_t(i) * lanes))); };
  Values state;
  for (unsigned i = 0; i < kVectorsDown; ++i)
    state.push_back(b.CreateAlignedLoad(vector, placeOf(i), Align(4)));
  state.push_back(b.at(right, element.memory, column));
  // After the last rows of these columns come the first ones of the next columns.
  Value *ahead = b.CreateMul(step, b.index(kRowsAhead));
  Value *behind = b.CreateSub(b.CreateAdd(ahead, b.index(int64_t(lanes * kVectorsDown))), b.CreateMul(step, depth));
  state = b.loop(b.index(0), depth, b.index(1), state, [&](Value *k, ArrayRef<Value *> carried) {
    Values next(carried);
    Value *&row = next.back(), *splat = b.CreateVectorSplat(lanes, leftAt(k, 0));
    Value *isInside = b.CreateICmpSLT(b.CreateAdd(k, b.index(kRowsAhead)), depth);
    Value *toAsk = b.CreateSelect(isInside, ahead, behind);
    for (unsigned i = 0; i < kVectorsDown; ++i) {
      Value *at = b.index(int64_t(i) * lanes);
      if (i * lanes * bytes() % kLine == 0)
        prefetch(b, row, b.CreateAdd(at, toAsk), element, unsigned(kLine / bytes()), 0);
      next[i] = addProducts(b, product, splat, load(b, row, at, element, lanes), next[i]);
    }
    row = b.at(row, element.memory, step);
    return next;
  });
  for (unsigned i = 0; i < kVectorsDown; ++i)
    b.CreateAlignedStore(state[i], placeOf(i), Align(4));
}

void RowProducts::oneAlongColumns() {
  Value *zero = Constant::getNullValue(vector), *first = start(left);
  auto begin = [&] {
    b.loop(b.index(0), columns, b.index(lanes), [&](Value *column) {
      Value *sum = zero;
      if (first)
        sum = b.CreateAdd(b.CreateSelect(continues, b.CreateAlignedLoad(vector, sumAt(column), Align(4)), zero),
                          b.CreateVectorSplat(lanes, first));
      b.CreateAlignedStore(sum, sumAt(column), Align(4));
    });
  };
  first ? begin() : b.ifThen(b.CreateNot(continues), begin);
  if (isInParts())
    b.ifThen(continues, [&] { turnParts(); });
  if (goesDown()) { // of elements whose sums are never turned
    Value *down = columnsDown();
    b.loop(b.index(0), down, b.index(int64_t(lanes * kVectorsDown)), [&](Value *column) { goDown(column); });
    right = b.at(right, element.memory, down);
    sums = sumAt(down);
    columns = b.CreateSub(columns, down);
  }
  const unsigned streams = kStreams / product.elements; // the number of rows in a cell
  Value *whole = b.CreateAnd(cells.wholeOf(depth), b.index(-int64_t(streams)));
  b.ifThen(b.CreateICmpSGT(columns, b.index(0)), [&] {
    b.loop(b.index(0), whole, b.index(streams), [&](Value *k) { addRows(k, streams); });
    b.loop(whole, cells.countOf(depth), b.index(1), [&](Value *k) { addRows(k, 1); });
  });
  if (isInParts())
    turnParts();
}

/// The sum of all lanes: of the halves of a vector, then of their halves. The order depends only on the level.
Value *RowProducts::reduced(Value *sum) {
  for (unsigned width = lanes / 2; width > 0; width /= 2)
    sum = width == 1 ? add(b.CreateExtractElement(sum, uint64_t(0)), b.CreateExtractElement(sum, 1))
                     : add(lanesAt(b, sum, 0, width), lanesAt(b, sum, width, width));
  return sum;
}

/// Adds the products of the last elements along k, fewer than a vector has after `whole` cells: of the vector that ends
/// with them, without its lanes before them. `sums` has one for each row of the matrix, of each left row. Returns the
/// cell from which on products are left: none, unless k is shorter than a vector.
Value *RowProducts::addLast(ArrayRef<Value *> ofLeft, ArrayRef<Value *> ofMatrix, Value *whole, Values &sums) {
  const int64_t ofVector = int64_t(lanes) * product.elements;
  const unsigned bits = 32 / product.elements;
  Value *from = b.CreateSub(depth, b.index(ofVector)), *done = b.CreateMul(whole, b.index(product.elements));
  Value *isVector = b.CreateAnd(b.CreateICmpSGE(from, b.index(0)), b.CreateICmpSLT(done, depth));
  auto add = [&]() -> Values {
    Type *parts = withLanes(b.getIntNTy(bits), unsigned(ofVector));
    SmallVector<Constant *> numbers;
    for (int64_t i = 0; i < ofVector; ++i)
      numbers.push_back(b.getIntN(bits, uint64_t(i)));
    Value *before = b.CreateTrunc(b.CreateSub(done, from), b.getIntNTy(bits));
    Value *isLast = b.CreateICmpUGE(ConstantVector::get(numbers), b.CreateVectorSplat(unsigned(ofVector), before));
    Values lefts, next(sums);
    for (Value *row : ofLeft) {
      Value *at = b.at(row, b.getInt8Ty(), b.CreateMul(from, b.index(bits / 8)));
      Value *left = b.CreateBitCast(b.CreateAlignedLoad(vector, at, Align(1)), parts);
      lefts.push_back(b.CreateBitCast(b.CreateSelect(isLast, left, Constant::getNullValue(parts)), vector));
    }
    for (auto [i, row] : enumerate(ofMatrix)) {
      Value *right = cells.along(b.at(row, element.memory, from), b.index(0), lanes);
      for (auto [r, left] : enumerate(lefts)) {
        Value *&sum = next[r * ofMatrix.size() + i];
        Value *more = addProducts(b, product, left, right, sum);
        // Bytes times 0 are 0; an infinite number is not.
        sum = product.elements > 1 ? more : b.CreateSelect(isLast, more, sum);
      }
    }
    return next;
  };
  sums = b.ifElse(isVector, add, [&] { return sums; });
  return b.CreateSelect(isVector, cells.countOf(depth), whole);
}

/// The products of the left operand with `count` rows of the matrix, and `first` unless it is null.
void RowProducts::dots(Value *column, unsigned count, Value *first) {
  Values rows, start;
  for (unsigned i = 0; i < count; ++i)
    rows.push_back(rowAt(b.CreateAdd(column, b.index(i))));
  // Two sums a row: the latency of one product is as long as eight of them.
  const unsigned turns = 2;
  for (unsigned i = 0; i < count * turns; ++i)
    start.push_back(Constant::getNullValue(vector));
  const bool asks = asksAhead() && count > 1;
  const int64_t ofTurns = int64_t(lanes) * turns * product.elements * bytes();
  Value *length = b.index(int64_t(lanes) * turns);
  Value *inVectors = cells.wholeOf(depth), *whole = b.CreateSub(inVectors, b.CreateURem(inVectors, length));
  Value *rowsStep = b.CreateMul(step, b.index(count));
  Values state = b.loop(b.index(0), whole, length, start, [&](Value *k, ArrayRef<Value *> carried) {
    Values next(carried);
    for (int64_t line = 0; asks && line < ofTurns; line += kLine)
      ask(b.CreateAdd(b.CreateMul(k, b.index(product.elements)), b.index(line / bytes())), depth, rowsStep, rows);
    for (unsigned turn = 0; turn < turns; ++turn) {
      Value *at = b.CreateAdd(k, b.index(int64_t(turn) * lanes));
      Value *element = leftAt(at, lanes);
      for (unsigned i = 0; i < count; ++i) {
        Value *&sum = next[i * turns + turn];
        sum = addProducts(b, product, element, cells.along(rows[i], at, lanes), sum);
      }
    }
    return next;
  });
  Values totals;
  for (unsigned i = 0; i < count; ++i)
    totals.push_back(add(state[i * turns], state[i * turns + 1]));
  Value *inWhole = b.CreateAnd(inVectors, b.index(-int64_t(lanes)));
  totals = b.loop(whole, inWhole, b.index(lanes), totals, [&](Value *k, ArrayRef<Value *> carried) {
    Values next(carried);
    for (unsigned i = 0; i < count; ++i)
      next[i] = addProducts(b, product, leftAt(k, lanes), cells.along(rows[i], k, lanes), next[i]);
    return next;
  });
  Value *rest = addLast({left}, rows, inWhole, totals);
  for (Value *&total : totals)
    total = first ? b.CreateAdd(reduced(total), first) : reduced(total);
  totals = b.loop(rest, cells.countOf(depth), b.index(1), totals, [&](Value *k, ArrayRef<Value *> carried) {
    Values next(carried);
    for (unsigned i = 0; i < count; ++i)
      next[i] = addProducts(b, product, leftAt(k, 0), cells.one(rows[i], k, depth), next[i]);
    return next;
  });
  for (unsigned i = 0; i < count; ++i) {
    Value *place = sumAt(b.CreateAdd(column, b.index(i)));
    Value *before = b.CreateAlignedLoad(cell, place, Align(4));
    Value *sum = b.CreateSelect(continues, add(before, totals[i]), totals[i]);
    b.CreateAlignedStore(sum, place, Align(4));
  }
}

void RowProducts::oneAlongK() {
  Value *first = start(left);
  Value *whole = b.CreateAnd(columns, b.index(-int64_t(kRows)));
  b.loop(b.index(0), whole, b.index(kRows), [&](Value *column) { dots(column, kRows, first); });
  b.loop(whole, columns, b.index(1), [&](Value *column) { dots(column, 1, first); });
}

//===----------------------------------------------------------------------===//
// A few rows
//===----------------------------------------------------------------------===//

/// The vectors of a row that are read at once: two, but no more than a cache line. Bytes are interleaved in as many as
/// that takes.
unsigned RowProducts::vectorsOfFew() const {
  if (product.elements == 4)
    return PanelSizes(b.level).vectors;
  return std::min<int64_t>(2, std::max<int64_t>(kLine / (bytes() * lanes), 1));
}

/// The cells along k that are read at once: with their vectors they take half of the registers.
unsigned RowProducts::streamsOfFew() const {
  const unsigned most = kStreams / product.elements;
  return b.level.isX86() && b.level.vectorBits == 256 && most * vectorsOfFew() > 8 ? most / 2 : most;
}

/// Adds `count` rows of cells of the matrix, each times a cell of each left row, to the sums.
void RowProducts::addToRows(Value *k, unsigned count) {
  SmallVector<Cells::Rows> ofMatrix;
  SmallVector<Value *> inMemory;
  for (unsigned i = 0; i < count; ++i) {
    ofMatrix.push_back(cells.rowsAt(right, step, b.CreateAdd(k, b.index(i)), depth));
    if (count > 1) // whole cells
      ofMatrix.back().kept = nullptr;
    append_range(inMemory, ofMatrix.back().of);
  }
  // The products of `vectors` vectors from `column` on with all rows. `part` is the number of existing columns of a
  // last vector, or null.
  auto turn = [&](Value *column, unsigned vectors, Value *part) {
    SmallVector<Values> read;
    for (const Cells::Rows &rows : ofMatrix)
      read.push_back(part ? Values{cells.across(rows, column, lanes, part)}
                          : cells.across(rows, column, lanes, vectors, vectors > 1 && isInParts()));
    b.loop(b.index(0), rowCount(), b.index(1), {b.at(left, cell, k), sumAt(column)},
           [&](Value *, ArrayRef<Value *> carried) -> Values {
             Value *ofLeft = carried[0], *ofSums = carried[1];
             auto placeOf = [&](unsigned i) { return b.at(ofSums, cell, b.index(int64_t(i) * lanes)); };
             Values sums;
             for (unsigned i = 0; i < vectors; ++i)
               sums.push_back(b.CreateAlignedLoad(vector, placeOf(i), Align(4)));
             for (unsigned i = 0; i < count; ++i) {
               Value *splat = b.CreateVectorSplat(lanes, cellsAt(ofLeft, b.index(i), 0));
               for (auto [sum, right] : zip_equal(sums, read[i]))
                 sum = addProducts(b, product, splat, right, sum);
             }
             for (unsigned i = 0; i < vectors; ++i)
               b.CreateAlignedStore(sums[i], placeOf(i), Align(4));
             return {b.at(ofLeft, cell, leftStep()), b.at(ofSums, cell, sumStep())};
           });
  };
  const int64_t length = int64_t(lanes) * vectorsOfFew(), ofLine = kLine / bytes(), ofTurns = std::max(length, ofLine);
  Value *wide = b.index(0), *whole = b.CreateAnd(columns, b.index(-int64_t(lanes)));
  if (count > 1 || isInParts()) {
    wide = b.CreateAnd(columns, b.index(-ofTurns));
    Value *rowsStep = b.CreateMul(step, b.index(int64_t(inMemory.size())));
    b.loop(b.index(0), wide, b.index(ofTurns), [&](Value *column) {
      for (int64_t line = 0; count > 1 && line < ofTurns; line += ofLine)
        ask(b.CreateAdd(column, b.index(line)), columns, rowsStep, inMemory);
      for (int64_t i = 0; i < ofTurns; i += length)
        turn(b.CreateAdd(column, b.index(i)), vectorsOfFew(), nullptr);
    });
  }
  b.loop(wide, whole, b.index(lanes), [&](Value *column) { turn(column, 1, nullptr); });
  Value *rest = b.CreateSub(columns, whole);
  b.ifThen(b.CreateICmpSGT(rest, b.index(0)), [&] { turn(whole, 1, rest); });
}

void RowProducts::fewAlongColumns() {
  Value *zero = Constant::getNullValue(vector), *ofRow = sums;
  // The functions of a single row work on each row of sums.
  b.loop(b.index(0), rowCount(), b.index(1), [&](Value *row) {
    sums = sumRow(row);
    Value *first = start(leftRow(row));
    b.loop(b.index(0), columns, b.index(lanes), [&](Value *column) {
      Value *before = b.CreateSelect(continues, sumsAt(column), zero);
      b.CreateAlignedStore(first ? b.CreateAdd(before, b.CreateVectorSplat(lanes, first)) : before, sumAt(column),
                           Align(4));
    });
    if (isInParts())
      b.ifThen(continues, [&] { turnParts(); });
  });
  sums = ofRow;
  const unsigned streams = streamsOfFew();
  Value *whole = b.CreateAnd(cells.wholeOf(depth), b.index(-int64_t(streams)));
  b.loop(b.index(0), whole, b.index(streams), [&](Value *k) { addToRows(k, streams); });
  b.loop(whole, cells.countOf(depth), b.index(1), [&](Value *k) { addToRows(k, 1); });
  if (!isInParts())
    return;
  b.loop(b.index(0), rowCount(), b.index(1), [&](Value *row) {
    sums = sumRow(row);
    turnParts();
  });
  sums = ofRow;
}

/// The products of `height` left rows from `row` on with kRows rows of the matrix from `column` on, the last row
/// repeated after it. `corrections` has a number for each left row, or is null.
void RowProducts::fewDots(Value *column, Value *row, unsigned height, Value *corrections) {
  Values ofMatrix, places, ofLeft, ofSums;
  for (unsigned i = 0; i < kRows; ++i) {
    places.push_back(b.min(b.CreateAdd(column, b.index(i)), b.CreateSub(columns, b.index(1))));
    ofMatrix.push_back(rowAt(places.back()));
  }
  for (unsigned r = 0; r < height; ++r) {
    ofLeft.push_back(leftRow(b.CreateAdd(row, b.index(r))));
    ofSums.push_back(sumRow(b.CreateAdd(row, b.index(r))));
  }
  const int64_t ofTurn = int64_t(lanes) * product.elements * bytes();
  // As many vectors at once as a cache line has, which is prefetched once.
  const unsigned turns = unsigned(std::max<int64_t>(kLine / ofTurn, 1));
  Value *inVectors = cells.wholeOf(depth), *whole = b.CreateAnd(inVectors, b.index(-int64_t(lanes)));
  Value *inLines = b.CreateAnd(inVectors, b.index(-int64_t(lanes * turns))),
        *rowsStep = b.CreateMul(step, b.index(kRows));
  auto addTurn = [&](Value *k, Values &sums) {
    Values elements;
    for (Value *each : ofMatrix)
      elements.push_back(cells.along(each, k, lanes));
    for (unsigned r = 0; r < height; ++r) {
      Value *left = cellsAt(ofLeft[r], k, lanes);
      for (unsigned i = 0; i < kRows; ++i)
        sums[r * kRows + i] = addProducts(b, product, left, elements[i], sums[r * kRows + i]);
    }
  };
  Values state(height * kRows, Constant::getNullValue(vector));
  state = b.loop(b.index(0), inLines, b.index(int64_t(lanes) * turns), state, [&](Value *k, ArrayRef<Value *> carried) {
    Values next(carried);
    for (int64_t line = 0; line < ofTurn * turns; line += kLine)
      ask(b.CreateAdd(b.CreateMul(k, b.index(product.elements)), b.index(line / bytes())), depth, rowsStep, ofMatrix);
    for (unsigned turn = 0; turn < turns; ++turn)
      addTurn(b.CreateAdd(k, b.index(int64_t(turn) * lanes)), next);
    return next;
  });
  state = b.loop(inLines, whole, b.index(lanes), state, [&](Value *k, ArrayRef<Value *> carried) {
    Values next(carried);
    addTurn(k, next);
    return next;
  });
  Value *rest = addLast(ofLeft, ofMatrix, whole, state);
  for (Value *&sum : state)
    sum = reduced(sum);
  state = b.loop(rest, cells.countOf(depth), b.index(1), state, [&](Value *k, ArrayRef<Value *> carried) {
    Values next(carried), elements;
    for (Value *each : ofMatrix)
      elements.push_back(cells.one(each, k, depth));
    for (unsigned r = 0; r < height; ++r) {
      Value *left = cellsAt(ofLeft[r], k, 0);
      for (unsigned i = 0; i < kRows; ++i)
        next[r * kRows + i] = addProducts(b, product, left, elements[i], next[r * kRows + i]);
    }
    return next;
  });
  // Repeated rows of the matrix have one place: all places are read before they are written.
  for (unsigned r = 0; r < height; ++r) {
    Values totals;
    for (unsigned i = 0; i < kRows; ++i) {
      Value *total = state[r * kRows + i];
      if (corrections)
        total = add(total, cellsAt(corrections, b.CreateAdd(row, b.index(r)), 0));
      totals.push_back(b.CreateSelect(continues, add(cellsAt(ofSums[r], places[i], 0), total), total));
    }
    for (unsigned i = 0; i < kRows; ++i)
      b.CreateAlignedStore(totals[i], b.at(ofSums[r], cell, places[i]), Align(4));
  }
}

void RowProducts::fewAlongK() {
  Value *corrections = product.isFlipped ? b.buffer(cell, kFewRows) : nullptr;
  if (corrections)
    b.loop(b.index(0), rowCount(), b.index(1),
           [&](Value *row) { b.CreateAlignedStore(start(leftRow(row)), b.at(corrections, cell, row), Align(4)); });
  // Their sums take at most half of the registers. Groups read the rows of the matrix again, from the cache.
  const int64_t most = b.level.isX86() && b.level.vectorBits == 256 ? 2 : 4;
  b.loop(b.index(0), columns, b.index(kRows), [&](Value *column) {
    Value *row = b.CreateAnd(rowCount(), b.index(-most));
    b.loop(b.index(0), row, b.index(most), [&](Value *each) { fewDots(column, each, unsigned(most), corrections); });
    for (int64_t height = most / 2; height > 0; height /= 2) {
      Value *has = b.CreateAnd(rowCount(), b.index(height));
      b.ifThen(b.CreateICmpNE(has, b.index(0)), [&] { fewDots(column, row, unsigned(height), corrections); });
      row = b.CreateAdd(row, has);
    }
  });
}

void multiplyRows(CodeBuilder &b, const RowProduct &product, bool alongK) {
  const MatrixPart right = product.right;
  const CellProduct cells = product.cells;
  const bool isSingle = !product.rows;
  std::string name = std::string(isSingle ? "product.row." : "product.few.") + (alongK ? "k." : "n.") +
                     panelName(right) + cellsName(cells);
  SmallVector<Value *> arguments = {product.left,    product.right.from, product.right.step, product.sums,
                                    product.columns, product.depth,      product.continues};
  if (!isSingle)
    arguments.append({product.rows, product.leftStep, product.sumStep});
  callShared(b, name, arguments, [&](CodeBuilder &b) {
    RowProducts rows(b, right, cells);
    if (isSingle)
      alongK ? rows.oneAlongK() : rows.oneAlongColumns();
    else
      alongK ? rows.fewAlongK() : rows.fewAlongColumns();
  });
}

} // namespace opc::cpu

#include "lowering/cpu/vector/contraction/Tiles.h"

#include "lowering/cpu/vector/Copies.h"
#include "lowering/cpu/vector/contraction/Cells.h"

using namespace llvm;

namespace opc::cpu {

// Steps of k in a turn of the inner loop, which has one counter and one branch. Two where a step has many products that
// are two instructions each: with four, a pointer would be on the stack.
static unsigned unrolledOf(const PanelSizes &sizes, bool isOfPairs) {
  return isOfPairs && sizes.vectors > 2 ? 2 : 4;
}

namespace {

/// The function of a panel product: tiles of `vectors` vectors, one below the other.
class Tiles {
public:
  Tiles(CodeBuilder &b, unsigned vectors, bool isTable, bool isOfPairs)
      : b(b), sizes(b.level), vectors(vectors), unrolled(unrolledOf(sizes, isOfPairs)), isTable(isTable),
        cell(cellType(b, isOfPairs)), vector(withLanes(cell, sizes.lanes)), left(b.function->getArg(0)),
        leftStep(b.function->getArg(1)), firstK(b.function->getArg(2)), right(b.function->getArg(3)),
        rightStep(b.function->getArg(4)), sums(b.function->getArg(5)), sumStep(b.function->getArg(6)),
        rows(b.function->getArg(7)), depth(b.function->getArg(8)), continues(b.function->getArg(9)),
        next(b.function->getArg(10)) {}

  void emit();

private:
  Value *tile(Value *row, Value *ahead, unsigned height);
  void bring(Value *ahead, unsigned rows);
  void ask(Value *first, unsigned height);
  void finish(Value *first, unsigned height, ArrayRef<Value *> values);
  Values step(Value *elements, Value *columns, Values values, unsigned height);
  Value *floatAt(Value *pointer, Value *i) { return b.at(pointer, b.getFloatTy(), i); }
  Value *load(Type *type, Value *pointer) { return b.CreateAlignedLoad(type, pointer, Align(4)); }
  Value *sumAt(Value *first, unsigned row, unsigned i) {
    return floatAt(floatAt(first, b.CreateMul(sumStep, b.index(row))), b.index(int64_t(i) * sizes.lanes));
  }

  CodeBuilder &b;
  const PanelSizes sizes;
  const unsigned vectors, unrolled;
  const bool isTable;
  Type *cell, *vector;
  Value *left, *leftStep, *firstK, *right, *rightStep, *sums, *sumStep, *rows, *depth, *continues, *next;
};

} // namespace

/// Asks for the sums that are there: they are added after all of k, so that no product waits for them.
void Tiles::ask(Value *first, unsigned height) {
  const Element plain{Element::Plain, b.getFloatTy(), b.getFloatTy(), 4};
  for (unsigned row = 0; row < height; ++row)
    prefetch(b, sumAt(first, row, 0), b.index(0), plain, unsigned(vectors * sizes.lanes), 0);
}

/// Stores sums, with those that are there added.
void Tiles::finish(Value *first, unsigned height, ArrayRef<Value *> values) {
  auto each = [&](function_ref<Value *(Value *, Value *)> valueOf) -> Values {
    for (unsigned row = 0; row < height; ++row)
      for (unsigned i = 0; i < vectors; ++i) {
        Value *place = sumAt(first, row, i);
        b.CreateAlignedStore(valueOf(values[row * vectors + i], place), place, Align(4));
      }
    return {};
  };
  b.ifElse(
      continues,
      [&] {
        return each([&](Value *sum, Value *place) {
          Value *before = load(vector, place);
          return cell->isFloatTy() ? b.CreateFAdd(before, sum) : b.CreateAdd(before, sum);
        });
      },
      [&] { return each([](Value *sum, Value *) { return sum; }); });
}

/// Adds the products of one k: of its column of the left tile and its row of the right panel.
Values Tiles::step(Value *elements, Value *columns, Values values, unsigned height) {
  Values right;
  for (unsigned i = 0; i < vectors; ++i)
    right.push_back(load(vector, floatAt(columns, b.index(int64_t(i) * sizes.lanes))));
  for (unsigned r = 0; r < height; ++r) {
    Value *splat = b.CreateVectorSplat(sizes.lanes, load(cell, floatAt(elements, b.index(r))));
    for (unsigned i = 0; i < vectors; ++i) {
      Value *&sum = values[r * vectors + i];
      sum = addProducts(b, splat, right[i], sum);
    }
  }
  return values;
}

// Each line of the next panel is asked for once: those of a row in a turn of the inner loop, over as many tiles as that
// takes, or of as many rows as the turn reads where a tile has few. A panel that is in no cache would else hold up
// its first tile.
void Tiles::bring(Value *ahead, unsigned rows) {
  const Element plain{Element::Plain, b.getFloatTy(), b.getFloatTy(), 4};
  // Two panels fill the innermost cache, from which the left one is read too. A panel that few rows use passes through.
  prefetch(b, ahead, b.index(0), plain, unsigned(sizes.width()) * rows, 0, /*write=*/false, rows == 1 ? 2 : 1);
}

/// A tile of `height` rows. `ahead` is where the next panel is asked for first; returns where the next tile asks.
Value *Tiles::tile(Value *row, Value *ahead, unsigned height) {
  Value *first = floatAt(sums, b.CreateMul(row, sumStep)), *columnStep = b.index(height);
  Value *elements = floatAt(floatAt(left, b.CreateMul(row, leftStep)), b.CreateMul(firstK, columnStep));
  ask(first, height);
  Values state(size_t(height) * vectors, Constant::getNullValue(vector));
  Value *last = floatAt(next, b.CreateMul(depth, b.index(sizes.width())));
  state.push_back(ahead);
  state.push_back(elements);
  state.push_back(right);
  auto steps = [&](unsigned count) {
    return [&, count](Value *k, ArrayRef<Value *> carried) {
      Values values(carried.drop_back(3));
      Value *ahead = carried[carried.size() - 3];
      if (!isTable && count == unrolled) {
        const unsigned rows = height < sizes.rows ? unrolled : 1;
        bring(ahead, rows);
        Value *behind = floatAt(ahead, b.index(sizes.width() * rows));
        ahead = b.CreateSelect(b.CreateICmpULT(behind, last), behind, ahead);
      }
      Value *elements = carried[carried.size() - 2], *columns = carried.back();
      for (unsigned u = 0; u < count; ++u) {
        Value *row = columns;
        if (isTable)
          row = floatAt(right, load(b.getInt64Ty(), b.at(rightStep, b.getInt64Ty(), b.CreateAdd(k, b.index(u)))));
        values = step(floatAt(elements, b.index(int64_t(u) * height)), row, std::move(values), height);
        if (!isTable)
          columns = floatAt(columns, rightStep);
      }
      values.push_back(ahead);
      values.push_back(floatAt(elements, b.index(int64_t(count) * height)));
      values.push_back(columns);
      return values;
    };
  };
  Value *whole = b.CreateAnd(depth, b.index(-int64_t(unrolled)));
  // Of pairs turns are counted up to 0, which takes no register for their end.
  const bool countsToZero = !isTable && cell->isIntegerTy();
  state = b.loop(countsToZero ? b.CreateNeg(whole) : b.index(0), countsToZero ? b.index(0) : whole, b.index(unrolled),
                 state, steps(unrolled));
  state = b.loop(whole, depth, b.index(1), state, steps(1));
  finish(first, height, ArrayRef(state).drop_back(3));
  return state[state.size() - 3];
}

void Tiles::emit() {
  b.whileBefore(b.index(0), rows, {next}, [&](Value *row, ArrayRef<Value *> carried) -> Values {
    Value *height = tileHeight(b, b.CreateSub(rows, row)), *ahead = carried.front();
    for (unsigned each = sizes.rows; each > 0; --each)
      ahead = b.ifElse(
                   b.CreateICmpEQ(height, b.index(each)), [&]() -> Values { return {tile(row, ahead, each)}; },
                   [&]() -> Values { return {ahead}; })
                  .front();
    return {b.CreateAdd(row, height), ahead};
  });
}

void multiplyPanels(CodeBuilder &b, const PanelProduct &product, unsigned vectors) {
  const bool isTable = product.rowsOfRight == PanelProduct::Rows::Table, isOfPairs = product.isOfPairs;
  const std::string name = "product.tiles." + std::to_string(vectors);
  callShared(b, name + (isTable ? ".table" : "") + (isOfPairs ? ".pairs" : ""),
             {product.left, product.leftStep, product.firstK, product.right, product.rightStep, product.sums,
              product.sumStep, product.rows, product.depth, product.continues, product.next},
             [&](CodeBuilder &b) { Tiles(b, vectors, isTable, isOfPairs).emit(); });
}

//===----------------------------------------------------------------------===//
// A single row
//===----------------------------------------------------------------------===//

// Rows of the right operand that are read at once: streams that the machine prefetches.
static constexpr unsigned kStreams = 8;

namespace {

/// The function of a row product.
class SingleRow {
public:
  SingleRow(CodeBuilder &b, const MatrixPart &matrix)
      : b(b), element(matrix.element), cells(b, matrix), isOfPairs(matrix.isOfPairs()), lanes(b.level.vectorBits / 32),
        cell(cellType(b, isOfPairs)), vector(withLanes(cell, lanes)), left(b.function->getArg(0)),
        right(b.function->getArg(1)), step(b.function->getArg(2)), sums(b.function->getArg(3)),
        columns(b.function->getArg(4)), depth(b.function->getArg(5)), continues(b.function->getArg(6)) {}

  void alongColumns();
  void alongK();

private:
  Value *rowAt(Value *row) { return b.at(right, element.memory, b.CreateMul(row, step)); }
  Value *leftAt(Value *k, unsigned lanes) {
    return b.CreateAlignedLoad(withLanes(cell, lanes), b.at(left, cell, k), Align(4));
  }
  Value *sumAt(Value *column) { return b.at(sums, cell, column); }
  Value *add(Value *x, Value *y) { return isOfPairs ? b.CreateAdd(x, y) : b.CreateFAdd(x, y); }
  void addRows(Value *k, unsigned count);
  void dots(Value *column, unsigned count);

  CodeBuilder &b;
  const Element element;
  Cells cells;
  const bool isOfPairs;
  const unsigned lanes;
  Type *cell, *vector;
  Value *left, *right, *step, *sums, *columns, *depth, *continues;
};

} // namespace

/// Adds `count` rows of cells of the matrix, each times a cell of the left operand, to the sums.
void SingleRow::addRows(Value *k, unsigned count) {
  Values splats;
  SmallVector<Cells::Rows> rows;
  for (unsigned i = 0; i < count; ++i) {
    Value *row = b.CreateAdd(k, b.index(i));
    splats.push_back(b.CreateVectorSplat(lanes, leftAt(row, 0)));
    rows.push_back(cells.rowsAt(right, step, row, depth));
  }
  auto turn = [&](Value *column, Value *part) {
    Value *sum = b.CreateAlignedLoad(vector, sumAt(column), Align(4));
    for (unsigned i = 0; i < count; ++i)
      sum = addProducts(b, splats[i], cells.across(rows[i], column, lanes, part), sum);
    b.CreateAlignedStore(sum, sumAt(column), Align(4));
  };
  Value *whole = b.CreateAnd(columns, b.index(-int64_t(lanes)));
  b.loop(b.index(0), whole, b.index(lanes), [&](Value *column) { turn(column, nullptr); });
  Value *rest = b.CreateSub(columns, whole);
  b.ifThen(b.CreateICmpSGT(rest, b.index(0)), [&] { turn(whole, rest); });
}

void SingleRow::alongColumns() {
  b.ifThen(b.CreateNot(continues), [&] {
    b.loop(b.index(0), columns, b.index(lanes),
           [&](Value *column) { b.CreateAlignedStore(Constant::getNullValue(vector), sumAt(column), Align(4)); });
  });
  const unsigned streams = isOfPairs ? kStreams / 2 : kStreams; // a cell has two rows
  Value *whole = b.CreateAnd(cells.wholeOf(depth), b.index(-int64_t(streams)));
  b.loop(b.index(0), whole, b.index(streams), [&](Value *k) { addRows(k, streams); });
  b.loop(whole, cells.countOf(depth), b.index(1), [&](Value *k) { addRows(k, 1); });
}

/// The products of the left operand with `count` rows of the matrix.
void SingleRow::dots(Value *column, unsigned count) {
  Values rows, start;
  for (unsigned i = 0; i < count; ++i)
    rows.push_back(rowAt(b.CreateAdd(column, b.index(i))));
  // Two sums a row: the latency of one product is as long as eight of them.
  const unsigned turns = 2;
  for (unsigned i = 0; i < count * turns; ++i)
    start.push_back(Constant::getNullValue(vector));
  Value *length = b.index(int64_t(lanes) * turns);
  Value *inVectors = cells.wholeOf(depth), *whole = b.CreateSub(inVectors, b.CreateURem(inVectors, length));
  Values state = b.loop(b.index(0), whole, length, start, [&](Value *k, ArrayRef<Value *> carried) {
    Values next(carried);
    for (unsigned turn = 0; turn < turns; ++turn) {
      Value *at = b.CreateAdd(k, b.index(int64_t(turn) * lanes));
      Value *element = leftAt(at, lanes);
      for (unsigned i = 0; i < count; ++i) {
        Value *&sum = next[i * turns + turn];
        sum = addProducts(b, element, cells.along(rows[i], at, lanes), sum);
      }
    }
    return next;
  });
  Values totals;
  for (unsigned i = 0; i < count; ++i) {
    Value *both = add(state[i * turns], state[i * turns + 1]);
    // The halves of a vector, then their halves: an order that the level alone decides.
    for (unsigned width = lanes / 2; width > 0; width /= 2)
      both = width == 1 ? add(b.CreateExtractElement(both, uint64_t(0)), b.CreateExtractElement(both, 1))
                        : add(lanesAt(b, both, 0, width), lanesAt(b, both, width, width));
    totals.push_back(both);
  }
  totals = b.loop(whole, cells.countOf(depth), b.index(1), totals, [&](Value *k, ArrayRef<Value *> carried) {
    Values next(carried);
    for (unsigned i = 0; i < count; ++i)
      next[i] = addProducts(b, leftAt(k, 0), cells.one(rows[i], k, depth), next[i]);
    return next;
  });
  for (unsigned i = 0; i < count; ++i) {
    Value *place = sumAt(b.CreateAdd(column, b.index(i)));
    Value *before = b.CreateAlignedLoad(cell, place, Align(4));
    Value *sum = b.CreateSelect(continues, add(before, totals[i]), totals[i]);
    b.CreateAlignedStore(sum, place, Align(4));
  }
}

void SingleRow::alongK() {
  constexpr unsigned kRows = kStreams / 2;
  Value *whole = b.CreateAnd(columns, b.index(-int64_t(kRows)));
  b.loop(b.index(0), whole, b.index(kRows), [&](Value *column) { dots(column, kRows); });
  b.loop(whole, columns, b.index(1), [&](Value *column) { dots(column, 1); });
}

void multiplyRow(CodeBuilder &b, const RowProduct &product, bool alongK) {
  const MatrixPart right = product.right;
  std::string name =
      (Twine("product.row.") + (alongK ? "k." : "n.") + panelName(right.element, right.isUnsigned)).str();
  callShared(b, name,
             {product.left, product.right.from, product.right.step, product.sums, product.columns, product.depth,
              product.continues},
             [&](CodeBuilder &b) {
               SingleRow row(b, right);
               alongK ? row.alongK() : row.alongColumns();
             });
}

} // namespace opc::cpu

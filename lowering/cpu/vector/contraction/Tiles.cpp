#include "lowering/cpu/vector/contraction/Tiles.h"

#include "lowering/cpu/vector/code/Copies.h"
#include "lowering/cpu/vector/contraction/Cells.h"

using namespace llvm;

namespace opc::cpu {

// Steps of k in an iteration of the inner loop, which has one counter and one branch: two if a step has many products
// of two instructions each, since four would spill a pointer to the stack.
static unsigned unrolledOf(const PanelSizes &sizes, const CellProduct &cells) {
  return cells.elements == 2 && sizes.vectors > 2 ? 2 : 4;
}

// With fewer sums than this, each waits for the product before it: two of them start in a cycle and take four.
static constexpr unsigned kSums = 8;

// Rows of a tile whose elements are addressed from one pointer.
static constexpr unsigned kRowsOfPointer = 3;

namespace {

/// The function of a panel product: tiles of `vectors` vectors, one below the other.
class Tiles {
public:
  Tiles(CodeBuilder &b, unsigned vectors, bool isTable, const CellProduct &cells)
      : b(b), sizes(b.level), cells(cells), vectors(vectors), unrolled(unrolledOf(sizes, cells)), isTable(isTable),
        cell(cellType(b, cells.elements)), vector(withLanes(cell, sizes.lanes)), left(b.function->getArg(0)),
        leftStep(b.function->getArg(1)), firstK(b.function->getArg(2)), right(b.function->getArg(3)),
        rightStep(b.function->getArg(4)), sums(b.function->getArg(5)), sumStep(b.function->getArg(6)),
        rows(b.function->getArg(7)), depth(b.function->getArg(8)), continues(b.function->getArg(9)),
        next(b.function->getArg(10)), nextRows(b.function->getArg(11)), nextStep(b.function->getArg(12)),
        startAt(b.function->getArg(13)), isTiled(b.function->getArg(14)), kStep(b.function->getArg(15)) {}

  void emit();

private:
  Value *tile(Value *row, Value *ahead, unsigned height);
  void bring(Value *ahead, unsigned rows);
  void bringLeft(Value *elements, unsigned height, unsigned count);
  void ask(Value *first, unsigned height);
  void finish(Value *first, unsigned height, ArrayRef<Value *> values);
  Values step(ArrayRef<Value *> elements, Value *columns, Values values, unsigned height);
  Values corrections();
  Value *floatAt(Value *pointer, Value *i) { return b.at(pointer, b.getFloatTy(), i); }
  Value *byteAt(Value *pointer, Value *i) { return b.at(pointer, b.getInt8Ty(), i); }
  Value *load(Type *type, Value *pointer) { return b.CreateAlignedLoad(type, pointer, Align(4)); }
  /// The element of a row of a tile, whose rows 0 and 3 are `elements`: an address can add one or two steps of rows to
  /// a pointer.
  Value *rowOf(ArrayRef<Value *> elements, unsigned row) {
    Value *of = elements[row / kRowsOfPointer];
    switch (row % kRowsOfPointer) {
    case 0:
      return of;
    case 1:
      return floatAt(of, rowStep);
    default: // two floats for each step
      return b.at(of, b.getInt64Ty(), rowStep);
    }
  }
  Value *sumAt(Value *first, unsigned row, unsigned i) {
    return floatAt(floatAt(first, b.CreateMul(sumStep, b.index(row))), b.index(int64_t(i) * sizes.lanes));
  }

  CodeBuilder &b;
  const PanelSizes sizes;
  const CellProduct cells;
  const unsigned vectors, unrolled;
  const bool isTable;
  Type *cell, *vector;
  Value *left, *leftStep, *firstK, *right, *rightStep, *sums, *sumStep, *rows, *depth, *continues, *next;
  Value *nextRows, *nextStep, *startAt, *isTiled, *kStep;
  Value *rowStep = nullptr; ///< elements of the left operand between the rows of a tile
  Values start;             ///< of the sums of a row
};

} // namespace

/// The corrections of the sums of columns for flipped bytes of the left operand.
Values Tiles::corrections() {
  Values none(vectors, Constant::getNullValue(vector));
  if (!cells.isFlipped)
    return none;
  auto vectorAt = [&](Value *row, unsigned i) { return load(vector, floatAt(row, b.index(int64_t(i) * sizes.lanes))); };
  auto computed = [&] {
    Values elements = b.loop(b.index(0), depth, b.index(1), none, [&](Value *k, ArrayRef<Value *> carried) {
      Value *columns = floatAt(right, b.CreateMul(k, rightStep));
      Values sums;
      for (unsigned i = 0; i < vectors; ++i)
        sums.push_back(addElements(b, cells, /*isLeft=*/false, vectorAt(columns, i), carried[i]));
      return sums;
    });
    for (Value *&each : elements)
      each = correction(b, cells, /*isLeft=*/false, each);
    return elements;
  };
  // Corrections that were computed before cover all parts of k.
  auto known = [&] {
    Values all;
    for (unsigned i = 0; i < vectors; ++i)
      all.push_back(b.CreateSelect(continues, none[i], vectorAt(startAt, i)));
    return all;
  };
  return b.ifElse(b.CreateICmpEQ(startAt, ConstantPointerNull::get(b.getPtrTy())), computed, known);
}

/// Prefetches the existing sums: they are added after all of k, so that no product waits for them.
void Tiles::ask(Value *first, unsigned height) {
  const Element plain{Element::Plain, b.getFloatTy(), b.getFloatTy(), 4};
  for (unsigned row = 0; row < height; ++row)
    prefetch(b, sumAt(first, row, 0), b.index(0), plain, unsigned(vectors * sizes.lanes), 0);
}

/// Adds the existing sums, and stores.
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
Values Tiles::step(ArrayRef<Value *> elements, Value *columns, Values values, unsigned height) {
  Values right;
  for (unsigned i = 0; i < vectors; ++i)
    right.push_back(load(vector, floatAt(columns, b.index(int64_t(i) * sizes.lanes))));
  for (unsigned r = 0; r < height; ++r) {
    Value *splat = b.CreateVectorSplat(sizes.lanes, load(cell, rowOf(elements, r)));
    for (unsigned i = 0; i < vectors; ++i) {
      Value *&sum = values[r * vectors + i];
      sum = addProducts(b, cells, splat, right[i], sum);
    }
  }
  return values;
}

// Prefetches each cache line of the next data once: the lines of one row in an iteration of the inner loop, over
// several tiles, or, if a tile has few rows, the lines of as many rows as the iteration reads. Otherwise a panel
// outside of the cache would delay its first tile, and rows of a matrix their packing.
void Tiles::bring(Value *ahead, unsigned rows) {
  const Element plain{Element::Plain, b.getFloatTy(), b.getFloatTy(), 4};
  // Two panels fill the innermost cache, which also holds the left one. A panel that few rows use is not kept.
  for (unsigned row = 0; row < rows; ++row)
    prefetch(b, byteAt(ahead, b.CreateMul(nextStep, b.index(row))), b.index(0), plain, unsigned(sizes.width()), 0,
             /*write=*/false, rows == 1 ? 2 : 1);
}

// Prefetches what the next tile reads where this one reads `elements`, `count` of k. A launch with few columns reads
// packed filters once, from memory if those of a model exceed the caches: each tile would wait for it. The address may
// be behind the panel.
void Tiles::bringLeft(Value *elements, unsigned height, unsigned count) {
  const Element plain{Element::Plain, b.getFloatTy(), b.getFloatTy(), 4};
  Value *ofNext = floatAt(elements, b.CreateMul(leftStep, b.index(height)));
  prefetch(b, ofNext, b.index(0), plain, count * height, 0, /*write=*/false, 2);
}

/// A tile of `height` rows. `ahead` is the first address to prefetch; returns that of the next tile.
Value *Tiles::tile(Value *row, Value *ahead, unsigned height) {
  Value *first = floatAt(sums, b.CreateMul(row, sumStep));
  Value *columnStep = b.CreateSelect(isTiled, b.index(height), kStep);
  Values elements = {floatAt(floatAt(left, b.CreateMul(row, leftStep)), b.CreateMul(firstK, columnStep))};
  if (height > kRowsOfPointer)
    elements.push_back(floatAt(elements.front(), b.CreateMul(rowStep, b.index(kRowsOfPointer))));
  ask(first, height);
  // Few sums of bytes wait for the products before them: neighbours along k have sums of their own.
  const unsigned ofSet = height * vectors;
  const unsigned sets = cells.elements > 1 && !isTable ? std::clamp(kSums / ofSet, 1u, unrolled) : 1;
  Values state;
  for (unsigned r = 0; r < height; ++r)
    state.append(start);
  state.resize(sets * ofSet, Constant::getNullValue(vector));
  // A tile may prefetch some rows behind the last one: a test in each iteration would need one register too many.
  const unsigned rowsAhead = height < sizes.rows ? unrolled : 1;
  Value *isBefore = b.CreateICmpULT(ahead, byteAt(next, b.CreateMul(nextRows, nextStep)));
  Value *aheadStep = b.CreateSelect(isBefore, b.CreateMul(nextStep, b.index(rowsAhead)), b.index(0));
  state.push_back(ahead);
  state.push_back(right);
  state.append(elements);
  const unsigned pointers = 2 + elements.size();
  auto steps = [&](unsigned count) {
    return [&, count](Value *k, ArrayRef<Value *> carried) {
      Values values(carried.drop_back(pointers)), elements(carried.take_back(pointers - 2));
      Value *ahead = carried[values.size()], *columns = carried[values.size() + 1];
      // A single row reads panels once and in order, as fast as memory gives them without prefetches.
      if (!isTable && count == unrolled && height > 1) {
        bring(ahead, rowsAhead);
        ahead = byteAt(ahead, aheadStep);
      }
      if (count == unrolled)
        bringLeft(elements.front(), height, count);
      for (unsigned u = 0; u < count; ++u) {
        Value *row = columns;
        if (isTable)
          row = floatAt(right, load(b.getInt64Ty(), b.at(rightStep, b.getInt64Ty(), b.CreateAdd(k, b.index(u)))));
        auto *const set = values.begin() + u % sets * ofSet;
        llvm::copy(step(elements, row, Values(set, set + ofSet), height), set);
        if (!isTable)
          columns = floatAt(columns, rightStep);
        for (Value *&each : elements)
          each = floatAt(each, columnStep);
      }
      values.push_back(ahead);
      values.push_back(columns);
      values.append(elements);
      return values;
    };
  };
  Value *whole = b.CreateAnd(depth, b.index(-int64_t(unrolled)));
  // The loop counts up to 0, which needs no register for its end.
  const bool countsToZero = !isTable;
  state = b.loop(countsToZero ? b.CreateNeg(whole) : b.index(0), countsToZero ? b.index(0) : whole, b.index(unrolled),
                 state, steps(unrolled));
  state = b.loop(whole, depth, b.index(1), state, steps(1));
  for (unsigned i = ofSet; i < sets * ofSet; ++i)
    state[i % ofSet] = b.CreateAdd(state[i % ofSet], state[i]);
  finish(first, height, ArrayRef(state).take_front(ofSet));
  return state[state.size() - pointers];
}

void Tiles::emit() {
  // Cells of bytes are always in tiles.
  if (cells.elements > 1 || !sizes.readsLeft)
    isTiled = b.getTrue();
  rowStep = b.CreateSelect(isTiled, b.index(1), leftStep);
  start = corrections();
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
  const bool isTable = product.rowsOfRight == PanelProduct::Rows::Table;
  const CellProduct cells = product.cells;
  const std::string name = "product.tiles." + std::to_string(vectors);
  callShared(b, name + (isTable ? ".table" : "") + cellsName(cells),
             {product.left, product.leftStep, product.firstK, product.right, product.rightStep, product.sums,
              product.sumStep, product.rows, product.depth, product.continues, product.next, product.nextRows,
              product.nextStep, product.start ? product.start : ConstantPointerNull::get(b.getPtrTy()), product.isTiled,
              product.kStep},
             [&](CodeBuilder &b) { Tiles(b, vectors, isTable, cells).emit(); });
}

// The last vector of a row may have cells of the next one, whose sums are not used.
void sumColumns(CodeBuilder &b, const CellProduct &cells, Value *to, Value *panels, Value *depth, Value *columns) {
  const PanelSizes sizes(b.level);
  Type *cell = b.getInt32Ty(), *vector = withLanes(cell, sizes.lanes);
  b.loop(b.index(0), columns, b.index(sizes.lanes), [&](Value *column) {
    Value *first = b.CreateAnd(column, b.index(-sizes.width()));
    Value *inPanel = b.min(b.index(sizes.width()), b.CreateSub(columns, first));
    Value *place = b.CreateAdd(b.CreateMul(first, depth), b.CreateSub(column, first));
    Values sum = b.loop(b.index(0), depth, b.index(1), {Constant::getNullValue(vector)},
                        [&](Value *k, ArrayRef<Value *> carried) -> Values {
                          Value *at = b.at(panels, cell, b.CreateAdd(place, b.CreateMul(k, inPanel)));
                          Value *row = b.CreateAlignedLoad(vector, at, Align(4));
                          return {addElements(b, cells, /*isLeft=*/false, row, carried.front())};
                        });
    b.CreateAlignedStore(correction(b, cells, /*isLeft=*/false, sum.front()), b.at(to, cell, column), Align(4));
  });
}

} // namespace opc::cpu

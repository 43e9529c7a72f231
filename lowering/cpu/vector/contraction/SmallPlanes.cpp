#include "lowering/cpu/vector/contraction/SmallPlanes.h"

#include "lowering/cpu/vector/contraction/WindowRows.h"

#include "llvm/IR/IntrinsicsX86.h"

#include <map>

using namespace llvm;

namespace opc::cpu {

// Rows of results and steps in a window at most, for which the table of rows has room.
static constexpr int64_t kMostRows = 32, kMostStride = 2, kMostDilation = 8, kMostColumns = 7;

// A plane that is one row of vectors: columns of its window, and columns and vectors at most.
static constexpr int64_t kMostFlatWindow = 5, kMostFlatColumns = 8, kMostFlat = kMostRows * kMostFlatColumns / 16;

// Weights of larger windows are read for each product.
static constexpr int64_t kColumnsInRegisters = 5;

static Value *multiplied(CodeBuilder &b, Value *weight, Value *elements, Value *sum) {
  return b.CreateIntrinsic(Intrinsic::fma, {sum->getType()}, {weight, elements, sum});
}

/// Lanes from `first` on of two vectors beside each other, where a mask has them, else 0. One instruction of whole
/// numbers, where floats would be permuted by an order in a register.
static Value *shifted(CodeBuilder &b, Value *low, Value *high, unsigned first, Value *mask) {
  const unsigned lanes = lanesOf(low->getType());
  SmallVector<int> order;
  for (unsigned i = 0; i < lanes; ++i)
    order.push_back(int(first + i));
  auto numbers = [&](Value *floats) { return b.CreateBitCast(floats, withLanes(b.getInt32Ty(), lanes)); };
  Value *all = b.CreateShuffleVector(numbers(low), numbers(high), order);
  return b.CreateBitCast(b.CreateSelect(mask, all, Constant::getNullValue(all->getType())), low->getType());
}

bool SmallPlanes::canRead(const CodeBuilder &b, const WindowedMatrix &matrix) {
  return b.level.masks && b.level.vectorBits == 512 && all_of(matrix.steps, [](const WindowSteps &steps) {
           return steps.stride <= kMostStride && steps.dilation <= kMostDilation;
         });
}

SmallPlanes::SmallPlanes(CodeBuilder &b, const WindowedMatrix &matrix)
    : matrix(matrix), lanes(b.level.vectorBits / 32) {
  const Frame::WindowSizes &sizes = matrix.sizes;
  const int64_t rows = (kMostRows + 1) * kMostStride + (kMostColumns - 1) * kMostDilation;
  rowMasks = b.buffer(b.getInt16Ty(), uint64_t(rows));
  orders = b.buffer(b.getInt32Ty(), uint64_t(kMostColumns) * lanes);
  available = b.buffer(b.getInt16Ty(), uint64_t(kMostColumns));
  fits = b.getFalse();
  for (int64_t columns : kColumns)
    fits = b.CreateOr(fits, WindowRows::hasSize(b, matrix, columns));
  auto isAtMost = [&](Value *size, int64_t most) { fits = b.CreateAnd(fits, b.CreateICmpULE(size, b.index(most))); };
  fits = b.CreateAnd(fits, b.CreateICmpNE(b.CreateMul(sizes.out[0], sizes.out[1]), b.index(0)));
  isAtMost(sizes.out[0], kMostRows);
  isAtMost(sizes.out[1], lanes / 2);
  isAtMost(sizes.in[1], loadsTwoRows() ? lanes / 2 : lanes);
  places = b.CreateMul(sizes.out[0], sizes.out[1]);
  isFlat = b.getFalse();
  if (canBeFlat()) {
    flatOrders = b.buffer(b.getInt32Ty(), uint64_t(kMostFlatWindow) * lanes);
    flatMasks = b.buffer(b.getInt16Ty(), uint64_t(kMostFlatWindow * (kMostFlat + 1)));
    isFlat = b.CreateAnd(fits, WindowRows::hasSize(b, matrix, flatWindow()));
    for (unsigned axis = 0; axis < 2; ++axis)
      isFlat = b.CreateAnd(isFlat, b.CreateICmpEQ(sizes.in[axis], sizes.out[axis]));
    b.ifThen(isFlat, [&] { fillFlat(b); });
  }
  b.ifThen(b.CreateAnd(fits, b.CreateNot(isFlat)), [&] {
    fillRows(b);
    fillColumns(b);
  });
}

bool SmallPlanes::canBeFlat() const {
  return flatWindow() > 1 && flatWindow() <= kMostFlatWindow && all_of(matrix.steps, [&](const WindowSteps &steps) {
           return steps.stride == 1 && steps.dilation == 1 && steps.padBegin == matrix.steps[0].padBegin;
         });
}

/// The tables of a plane that is one row of vectors.
void SmallPlanes::fillFlat(CodeBuilder &b) const {
  Value *width = matrix.sizes.in[1], *lane = b.numbersFrom(b.index(0), lanes);
  Type *vector = lane->getType();
  // Elements of rows before and after: of two vectors, of which the second or the first has the results.
  const int64_t window = flatWindow(), pad = window / 2;
  for (int64_t row = 0; row < window; ++row) {
    Value *distance = b.CreateMul(width, b.index(row - pad));
    if (row < pad)
      distance = b.CreateAdd(distance, b.index(lanes));
    b.CreateAlignedStore(b.CreateAdd(lane, b.numbers(distance, lanes)),
                         b.at(flatOrders, b.getInt32Ty(), b.index(row * lanes)), Align(4));
  }
  Value *widths = b.numbers(width, lanes), *column = lane;
  // A number modulo the width: what is below 0 after a subtraction is large as an unsigned number.
  auto reduced = [&](Value *number) {
    return b.CreateBinaryIntrinsic(Intrinsic::umin, number, b.CreateSub(number, widths));
  };
  for (unsigned i = 1; i < lanes; ++i)
    column = reduced(column);
  Value *step = b.numbers(b.CreateURem(b.index(lanes), b.max(width, b.index(1))), lanes);
  Value *places = b.CreateMul(matrix.sizes.out[0], width);
  auto keep = [&](Value *mask, Value *at) {
    b.CreateAlignedStore(b.CreateBitCast(mask, b.getInt16Ty()), b.at(flatMasks, b.getInt16Ty(), at), Align(2));
  };
  auto keepLoad = [&](Value *place, Value *at) {
    keep(b.lanesBefore(lanes, b.max(b.CreateSub(places, place), b.index(0))), at);
  };
  // For each vector the mask of its load, and of the results that have an element in each column but the middle one.
  Value *each = b.index(window);
  keepLoad(b.index(0), b.index(0));
  Values start = {b.index(0), column};
  b.loop(b.index(0), places, b.index(lanes), start, [&](Value *place, ArrayRef<Value *> carried) -> Values {
    Value *at = carried[0], *column = carried[1], *next = b.CreateAdd(at, each);
    for (int64_t tap = 0; tap < window; ++tap) {
      Value *element = b.CreateAdd(column, ConstantInt::getSigned(vector, tap - pad));
      if (tap != pad)
        keep(b.CreateICmpULT(element, widths), b.CreateAdd(at, b.index(tap < pad ? tap + 1 : tap)));
    }
    keepLoad(b.CreateAdd(place, b.index(lanes)), next);
    return {next, reduced(b.CreateAdd(column, step))};
  });
}

/// The results of a plane that is one row of vectors.
void SmallPlanes::sweepFlat(CodeBuilder &b, Value *from, Value *weights, Results each) const {
  const size_t window = size_t(flatWindow()), pad = window / 2;
  Values orders;
  for (size_t row = 0; row < window; ++row) {
    Value *place = b.at(flatOrders, b.getInt32Ty(), b.index(int64_t(row) * lanes));
    orders.push_back(b.CreateAlignedLoad(withLanes(b.getInt32Ty(), lanes), place, Align(4)));
  }
  Taps taps = {{}, {}, {}, weights, lanes};
  // The 25 weights of 5 x 5 are read for each product.
  for (size_t i = 0; window == 3 && i < window * window; ++i)
    taps.splats.push_back(taps.splat(b, int64_t(i)));
  Type *vector = withLanes(b.getFloatTy(), lanes);
  Value *zeros = Constant::getNullValue(vector);
  auto maskAt = [&](Value *masks, size_t number) {
    Value *at = b.at(masks, b.getInt16Ty(), b.index(int64_t(number)));
    return b.CreateBitCast(b.CreateAlignedLoad(b.getInt16Ty(), at, Align(2)), withLanes(b.getInt1Ty(), lanes));
  };
  auto vectorAt = [&](Value *place, Value *masks) {
    return loadMasked(b, b.at(from, matrix.element.memory, place), maskAt(masks, 0), matrix.element);
  };
  auto masksAfter = [&](Value *masks) { return b.at(masks, b.getInt16Ty(), b.index(int64_t(window))); };
  // The sums of each column of the window, for a vector of elements: they are moved to the results as a whole.
  auto sumsOf = [&](Value *before, Value *now, Value *after) {
    Values sums(window, nullptr);
    for (size_t row = 0; row < window; ++row) {
      Value *elements = now;
      if (row != pad)
        elements = b.CreateIntrinsic(Intrinsic::x86_avx512_vpermi2var_ps_512, {},
                                     {row < pad ? before : now, orders[row], row < pad ? now : after});
      for (size_t column = 0; column < window; ++column) {
        Value *weight = taps.splat(b, int64_t(row * window + column)), *&sum = sums[column];
        sum = sum ? multiplied(b, weight, elements, sum) : b.CreateFMul(weight, elements);
      }
    }
    return sums;
  };
  // The results of a vector need the sums of both neighbours, so those of the vector before are given.
  auto results = [&](Value *masks, ArrayRef<Value *> before, ArrayRef<Value *> now, ArrayRef<Value *> after) {
    Value *sum = now[pad];
    for (size_t column = 0; column < window; ++column)
      if (column < pad)
        sum = b.CreateFAdd(
            sum, shifted(b, before[column], now[column], lanes + unsigned(column - pad), maskAt(masks, column + 1)));
      else if (column > pad)
        sum = b.CreateFAdd(sum, shifted(b, now[column], after[column], unsigned(column - pad), maskAt(masks, column)));
    return sum;
  };
  const Values none(window, zeros);
  Value *width = b.index(lanes), *first = vectorAt(b.index(0), flatMasks), *nextMasks = masksAfter(flatMasks);
  Value *second = vectorAt(width, nextMasks);
  Values start = {first, second, flatMasks};
  start.append(none.begin(), none.begin() + pad);
  start.append(sumsOf(zeros, first, second));
  const Values last = b.loop(width, places, width, start, [&](Value *place, ArrayRef<Value *> carried) -> Values {
    Value *masks = carried[2], *following = masksAfter(masks);
    ArrayRef<Value *> before = carried.slice(3, pad), now = carried.drop_front(3 + pad);
    Value *after = vectorAt(b.CreateAdd(place, width), masksAfter(following));
    const Values sums = sumsOf(carried[0], carried[1], after);
    each(b.CreateSub(place, width), results(masks, before, now, sums), width);
    Values next = {carried[1], after, following};
    next.append(now.begin(), now.begin() + pad);
    next.append(sums);
    return next;
  });
  Value *place = b.CreateMul(b.CreateLShr(b.CreateSub(places, b.index(1)), Log2_32(lanes)), width);
  const ArrayRef<Value *> all(last);
  each(place, results(last[2], all.slice(3, pad), all.drop_front(3 + pad), none), b.CreateSub(places, place));
}

/// The masks of all rows that windows reach.
void SmallPlanes::fillRows(CodeBuilder &b) const {
  const WindowSteps &down = matrix.steps[0];
  Value *width = b.numbers(matrix.sizes.in[1], 0), *one = b.getInt32(1);
  Value *ofRow = b.CreateSub(b.CreateShl(one, width), one);
  Value *count = b.CreateAdd(b.CreateMul(matrix.sizes.out[0], b.index(down.stride)),
                             b.index((kMostColumns - 1) * down.dilation + down.stride));
  b.loop(b.index(0), count, b.index(1), [&](Value *i) {
    auto maskOf = [&](int64_t further) {
      Value *row = b.CreateAdd(i, b.index(further - down.padBegin));
      return b.CreateSelect(b.CreateICmpULT(row, matrix.sizes.in[0]), ofRow, b.getInt32(0));
    };
    Value *mask = maskOf(0);
    if (loadsTwoRows())
      mask = b.CreateOr(mask, b.CreateShl(maskOf(1), width));
    b.CreateAlignedStore(b.CreateTrunc(mask, b.getInt16Ty()), b.at(rowMasks, b.getInt16Ty(), i), Align(2));
  });
}

/// The permutations of all columns of a window, and the lanes that they give.
void SmallPlanes::fillColumns(CodeBuilder &b) const {
  const WindowSteps &along = matrix.steps[1];
  Value *lane = b.numbersFrom(b.index(0), lanes), *width = b.numbers(matrix.sizes.out[1], lanes);
  Type *vector = lane->getType();
  Value *isSecond = b.CreateICmpUGE(lane, width);
  Value *column = b.CreateSelect(isSecond, b.CreateSub(lane, width), lane);
  Value *isResult = b.CreateICmpULT(column, width);
  Value *toSecond = loadsTwoRows() ? b.numbers(matrix.sizes.in[1], lanes) : ConstantInt::get(vector, lanes);
  Value *ofRow = b.CreateSelect(isSecond, toSecond, Constant::getNullValue(vector));
  for (int64_t tap = 0; tap < kMostColumns; ++tap) {
    Value *at = b.CreateAdd(b.CreateMul(column, ConstantInt::get(vector, uint64_t(along.stride))),
                            ConstantInt::getSigned(vector, tap * along.dilation - along.padBegin));
    Value *isInside = b.CreateAnd(isResult, b.CreateICmpULT(at, b.numbers(matrix.sizes.in[1], lanes)));
    b.CreateAlignedStore(b.CreateAdd(at, ofRow), b.at(orders, b.getInt32Ty(), b.index(tap * int64_t(lanes))), Align(4));
    b.CreateAlignedStore(b.CreateBitCast(isInside, b.getInt16Ty()), b.at(available, b.getInt16Ty(), b.index(tap)),
                         Align(2));
  }
}

/// The place of a row, numbered from the first row of padding on.
Value *SmallPlanes::placeOf(CodeBuilder &b, Value *from, Value *row) const {
  Value *offset = b.CreateMul(b.CreateSub(row, b.index(matrix.steps[0].padBegin)), matrix.sizes.in[1]);
  return b.at(from, matrix.element.memory, offset);
}

/// The elements of a row, or of two, at its place.
Value *SmallPlanes::rowsAt(CodeBuilder &b, Value *place, Value *row) const {
  Value *mask = b.CreateAlignedLoad(b.getInt16Ty(), b.at(rowMasks, b.getInt16Ty(), row), Align(2));
  return loadMasked(b, place, b.CreateBitCast(mask, withLanes(b.getInt1Ty(), lanes)), matrix.element);
}

/// The elements of rows that a column of the window multiplies, for the results of two rows.
Value *SmallPlanes::Taps::moved(CodeBuilder &b, Value *rows, Value *second, int64_t column) const {
  Value *order = orders[size_t(column)];
  Value *all = second ? b.CreateIntrinsic(Intrinsic::x86_avx512_vpermi2var_ps_512, {}, {rows, order, second})
                      : b.CreateIntrinsic(Intrinsic::x86_avx512_permvar_sf_512, {}, {rows, order});
  return b.CreateSelect(available[size_t(column)], all, Constant::getNullValue(all->getType()));
}

Value *SmallPlanes::Taps::splat(CodeBuilder &b, int64_t weight) const {
  if (size_t(weight) < splats.size())
    return splats[size_t(weight)];
  Value *place = b.at(weights, b.getFloatTy(), b.index(weight));
  return b.CreateVectorSplat(lanes, b.CreateAlignedLoad(b.getFloatTy(), place, Align(4)));
}

SmallPlanes::Taps SmallPlanes::tapsOf(CodeBuilder &b, Value *weights, int64_t columns) const {
  Taps taps;
  for (int64_t tap = 0; tap < columns; ++tap) {
    Value *place = b.at(orders, b.getInt32Ty(), b.index(tap * int64_t(lanes)));
    taps.orders.push_back(b.CreateAlignedLoad(withLanes(b.getInt32Ty(), lanes), place, Align(4)));
    Value *mask = b.CreateAlignedLoad(b.getInt16Ty(), b.at(available, b.getInt16Ty(), b.index(tap)), Align(2));
    taps.available.push_back(b.CreateBitCast(mask, withLanes(b.getInt1Ty(), lanes)));
  }
  taps.weights = weights;
  taps.lanes = lanes;
  for (int64_t i = 0; i < columns * columns && columns <= kColumnsInRegisters; ++i)
    taps.splats.push_back(taps.splat(b, i));
  return taps;
}

void SmallPlanes::sweep(CodeBuilder &b, Value *from, Value *weights, int64_t columns, Results each) const {
  auto byRows = [&]() -> Values {
    sweepRows(b, from, weights, columns, each);
    return {};
  };
  if (!canBeFlat() || columns != flatWindow()) {
    byRows();
    return;
  }
  b.ifElse(
      isFlat,
      [&]() -> Values {
        sweepFlat(b, from, weights, each);
        return {};
      },
      byRows);
}

/// Two rows of results in a vector.
void SmallPlanes::sweepRows(CodeBuilder &b, Value *from, Value *weights, int64_t columns, Results each) const {
  const Taps taps = tapsOf(b, weights, columns);
  auto give = [&](Value *place, Value *sums) { each(place, sums, b.CreateSub(places, place)); };
  if (loadsTwoRows() && matrix.steps[0].dilation == 1)
    sweepInput(b, from, taps, columns, give);
  else
    sweepResults(b, from, taps, columns, give);
}

/// The column of the window whose sums, moved by lanes, are those of a column. With a stride of 2 its elements are
/// those that the column multiplies for a later result; what it multiplies for the first results is padding.
int64_t SmallPlanes::movedFrom(int64_t column, int64_t columns) const {
  const WindowSteps &along = matrix.steps[1];
  if (along.stride != 2 || along.dilation != 1 || column >= along.padBegin)
    return column;
  const int64_t from = along.padBegin + (along.padBegin - column) % 2;
  return from < columns ? from : column;
}

/// For every two rows of results, the rows of the input that they need. Those that the next two need, too, are kept.
void SmallPlanes::sweepResults(CodeBuilder &b, Value *from, const Taps &taps, int64_t columns, Rows give) const {
  const WindowSteps &down = matrix.steps[0];
  const int64_t step = 2 * down.stride;
  // Rows after the first one, each with its distance: a product for each in the loop would take longer.
  std::map<int64_t, Value *> distances;
  for (int64_t kh = 0; kh < columns; ++kh)
    for (int64_t further : {int64_t(0), loadsTwoRows() ? 0 : down.stride})
      if (Value *&distance = distances[kh * down.dilation + further]; !distance)
        distance = b.CreateMul(matrix.sizes.in[1], b.index(kh * down.dilation + further));
  auto load = [&](Value *place, Value *first, int64_t further) {
    return rowsAt(b, b.at(place, matrix.element.memory, distances.at(further)), b.CreateAdd(first, b.index(further)));
  };
  Value *start = placeOf(b, from, b.index(0)), *ofStep = b.CreateMul(matrix.sizes.in[1], b.index(step));
  Value *results = b.CreateShl(matrix.sizes.out[1], 1);
  Values carried = {start, b.index(0)};
  for (const auto &[further, distance] : distances)
    if (distances.count(further + step))
      carried.push_back(load(start, b.index(0), further));
  b.loop(b.index(0), matrix.sizes.out[0], b.index(2), carried, [&](Value *row, ArrayRef<Value *> carried) -> Values {
    Value *first = b.CreateMul(row, b.index(down.stride)), *place = carried[0];
    std::map<int64_t, Value *> loaded;
    Values next = {b.at(place, matrix.element.memory, ofStep), b.CreateAdd(carried[1], results)};
    ArrayRef<Value *> kept = carried.drop_front(2);
    for (const auto &[further, distance] : distances)
      if (distances.count(further + step)) {
        loaded[further] = kept.front();
        kept = kept.drop_front();
      } else {
        loaded[further] = load(place, first, further);
      }
    for (const auto &[further, distance] : distances)
      if (distances.count(further + step))
        next.push_back(loaded.at(further + step));
    // The sums of each column of the window.
    Values sums(size_t(columns), nullptr);
    for (int64_t kh = 0; kh < columns; ++kh) {
      Value *rows = loaded[kh * down.dilation],
            *second = loadsTwoRows() ? nullptr : loaded[kh * down.dilation + down.stride];
      std::map<int64_t, Value *> moved;
      for (int64_t kw = 0; kw < columns; ++kw) {
        Value *&elements = moved[movedFrom(kw, columns)], *&sum = sums[size_t(kw)];
        if (!elements)
          elements = taps.moved(b, rows, second, movedFrom(kw, columns));
        Value *weight = taps.splat(b, kh * columns + kw);
        sum = sum ? multiplied(b, weight, elements, sum) : b.CreateFMul(weight, elements);
      }
    }
    Value *all = nullptr;
    for (int64_t kw = 0; kw < columns; ++kw) {
      Value *sum = sums[size_t(kw)];
      if (const int64_t steps = (movedFrom(kw, columns) - kw) / 2; steps > 0)
        sum = shifted(b, sum, sum, lanes - unsigned(steps), taps.available[size_t(kw)]);
      all = all ? b.CreateFAdd(all, sum) : sum;
    }
    give(carried[1], all);
    return next;
  });
}

/// For every row of the input, and the next one with it, all results that need them: elements are moved once. The rows
/// 2j and 2j + 1, numbered from the first row of padding on, meet the rows 2m and 2m + 1 of the window in the results
/// of the rows 2 (j - m) and the next one, so the sums of a few of these wait.
void SmallPlanes::sweepInput(CodeBuilder &b, Value *from, const Taps &taps, int64_t columns, Rows give) const {
  const int64_t pad = matrix.steps[0].padBegin, waiting = (columns + 1) / 2;
  Value *zeros = Constant::getNullValue(withLanes(b.getFloatTy(), lanes));
  Value *pairs = b.CreateLShr(b.CreateAdd(matrix.sizes.out[0], b.index(1)), 1);
  // Rows of padding before the input add nothing.
  const int64_t begin = std::clamp<int64_t>((pad - 1) / 2, 0, waiting - 1);
  Value *last = b.CreateAdd(matrix.sizes.in[0], b.index(pad));
  b.loop(b.index(begin), b.CreateAdd(pairs, b.index(waiting - 1)), b.index(1), Values(size_t(2 * waiting), zeros),
         [&](Value *j, ArrayRef<Value *> carried) -> Values {
           Value *first = b.CreateShl(j, 1);
           auto add = [&]() -> Values {
             Values sums(carried);
             for (int64_t odd : {0, 1}) {
               Value *row = b.CreateAdd(first, b.index(odd)), *rows = rowsAt(b, placeOf(b, from, row), row);
               for (int64_t kw = 0; kw < columns; ++kw) {
                 Value *elements = taps.moved(b, rows, nullptr, kw);
                 for (int64_t kh = odd; kh < columns; kh += 2)
                   sums[size_t(kh)] = multiplied(b, taps.splat(b, kh * columns + kw), elements, sums[size_t(kh)]);
               }
             }
             return sums;
           };
           Values sums = b.ifElse(b.CreateICmpSLT(first, last), add, [&] { return Values(carried); });
           Value *complete = b.CreateSub(j, b.index(waiting - 1));
           b.ifThen(b.CreateICmpSGE(complete, b.index(0)), [&] {
             Value *place = b.CreateMul(b.CreateShl(complete, 1), matrix.sizes.out[1]);
             give(place, b.CreateFAdd(sums[sums.size() - 2], sums.back()));
           });
           Values next(2, zeros);
           append_range(next, ArrayRef(sums).drop_back(2));
           return next;
         });
}

} // namespace opc::cpu

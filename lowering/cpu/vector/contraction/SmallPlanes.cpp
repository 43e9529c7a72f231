#include "lowering/cpu/vector/contraction/SmallPlanes.h"

#include "lowering/cpu/vector/contraction/WindowRows.h"

#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace opc::cpu {

// Rows of results and steps in a window at most, for which the table of rows has room.
static constexpr int64_t kMostRows = 32, kMostStride = 2, kMostDilation = 8, kMostColumns = 7;

// A plane that is one row of vectors: elements of its window, and columns and vectors at most.
static constexpr int64_t kFlatTaps = 9, kMostFlatColumns = 8, kMostFlat = kMostRows * kMostFlatColumns / 16;
static constexpr int64_t kFlatMasks = 3; // of both outer columns of the window, and of the load of the next vector

// Weights of larger windows are read for each product.
static constexpr int64_t kColumnsInRegisters = 5;

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
  isAtMost(sizes.out[0], kMostRows);
  isAtMost(sizes.out[1], lanes / 2);
  isAtMost(sizes.in[1], loadsTwoRows() ? lanes / 2 : lanes);
  isFlat = b.getFalse();
  if (canBeFlat()) {
    flatOrders = b.buffer(b.getInt32Ty(), uint64_t(kFlatTaps) * lanes);
    flatMasks = b.buffer(b.getInt16Ty(), uint64_t(kFlatMasks * kMostFlat));
    isFlat = b.CreateAnd(fits, WindowRows::hasSize(b, matrix, 3));
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
  return all_of(matrix.steps, [](const WindowSteps &steps) {
    return steps.stride == 1 && steps.dilation == 1 && steps.padBegin == 1;
  });
}

/// The tables of a plane that is one row of vectors.
void SmallPlanes::fillFlat(CodeBuilder &b) const {
  Value *width = matrix.sizes.in[1], *lane = b.numbersFrom(b.index(0), lanes);
  Type *vector = lane->getType();
  for (int64_t tap = 0; tap < kFlatTaps; ++tap) {
    // How far the elements are from the results; before them the permutation's second vector is that of the results.
    Value *distance = b.CreateAdd(b.CreateMul(width, b.index(tap / 3 - 1)), b.index(tap % 3 - 1));
    if (tap < kFlatTaps / 2)
      distance = b.CreateAdd(distance, b.index(lanes));
    b.CreateAlignedStore(b.CreateAdd(lane, b.numbers(distance, lanes)),
                         b.at(flatOrders, b.getInt32Ty(), b.index(tap * int64_t(lanes))), Align(4));
  }
  Value *widths = b.numbers(width, lanes), *column = lane;
  // A number modulo the width: what is below 0 after a subtraction is large as an unsigned number.
  auto reduced = [&](Value *number) {
    return b.CreateBinaryIntrinsic(Intrinsic::umin, number, b.CreateSub(number, widths));
  };
  for (unsigned i = 1; i < lanes; ++i)
    column = reduced(column);
  Value *step = b.numbers(b.CreateURem(b.index(lanes), b.max(width, b.index(1))), lanes);
  Value *last = b.CreateSub(widths, ConstantInt::get(vector, 1));
  Value *places = b.CreateMul(matrix.sizes.out[0], width);
  Values start = {b.index(0), column};
  b.loop(b.index(0), places, b.index(lanes), start, [&](Value *place, ArrayRef<Value *> carried) -> Values {
    Value *at = carried[0], *column = carried[1];
    auto keep = [&](Value *mask, int64_t number) {
      Value *place = b.at(flatMasks, b.getInt16Ty(), b.CreateAdd(at, b.index(number)));
      b.CreateAlignedStore(b.CreateBitCast(mask, b.getInt16Ty()), place, Align(2));
    };
    keep(b.CreateICmpNE(column, Constant::getNullValue(vector)), 0);
    keep(b.CreateICmpNE(column, last), 1);
    keep(b.lanesBefore(lanes, b.max(b.CreateSub(places, b.CreateAdd(place, b.index(lanes))), b.index(0))), 2);
    return {b.CreateAdd(at, b.index(kFlatMasks)), reduced(b.CreateAdd(column, step))};
  });
}

/// The results of a plane that is one row of vectors.
void SmallPlanes::sweepFlat(CodeBuilder &b, Value *from, Value *weights, Results each) const {
  Values orders, splats;
  for (int64_t tap = 0; tap < kFlatTaps; ++tap) {
    Value *place = b.at(flatOrders, b.getInt32Ty(), b.index(tap * int64_t(lanes)));
    orders.push_back(b.CreateAlignedLoad(withLanes(b.getInt32Ty(), lanes), place, Align(4)));
    Value *weight = b.at(weights, b.getFloatTy(), b.index(tap));
    splats.push_back(b.CreateVectorSplat(lanes, b.CreateAlignedLoad(b.getFloatTy(), weight, Align(4))));
  }
  Type *vector = withLanes(b.getFloatTy(), lanes);
  Value *zeros = Constant::getNullValue(vector), *places = b.CreateMul(matrix.sizes.out[0], matrix.sizes.out[1]);
  auto vectorAt = [&](Value *place, Value *mask) {
    return loadMasked(b, b.at(from, matrix.element.memory, place), mask, matrix.element);
  };
  Values start = {zeros, vectorAt(b.index(0), b.lanesBefore(lanes, places)), flatMasks};
  b.loop(b.index(0), places, b.index(lanes), start, [&](Value *place, ArrayRef<Value *> carried) -> Values {
    Value *before = carried[0], *now = carried[1], *masksAt = carried[2];
    Values masks;
    for (int64_t number = 0; number < kFlatMasks; ++number) {
      Value *mask = b.CreateAlignedLoad(b.getInt16Ty(), b.at(masksAt, b.getInt16Ty(), b.index(number)), Align(2));
      masks.push_back(b.CreateBitCast(mask, withLanes(b.getInt1Ty(), lanes)));
    }
    Value *after = vectorAt(b.CreateAdd(place, b.index(lanes)), masks.back());
    Values sums(3, zeros); // of the columns of the window
    for (int64_t tap = 0; tap < kFlatTaps; ++tap) {
      Value *elements = now;
      if (tap != kFlatTaps / 2) {
        const bool isBefore = tap < kFlatTaps / 2;
        elements = b.CreateIntrinsic(Intrinsic::x86_avx512_vpermi2var_ps_512, {},
                                     {isBefore ? before : now, orders[size_t(tap)], isBefore ? now : after});
        if (tap % 3 != 1)
          elements = b.CreateSelect(masks[size_t(tap % 3 / 2)], elements, zeros);
      }
      Value *&sum = sums[size_t(tap % 3)];
      sum = b.CreateIntrinsic(Intrinsic::fma, {vector}, {splats[size_t(tap)], elements, sum});
    }
    each(place, b.CreateFAdd(b.CreateFAdd(sums[0], sums[1]), sums[2]), b.CreateSub(places, place));
    return {now, after, b.at(masksAt, b.getInt16Ty(), b.index(kFlatMasks))};
  });
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

/// The elements of a row, or of two, numbered from the first row of padding on.
Value *SmallPlanes::rowsAt(CodeBuilder &b, Value *from, Value *row) const {
  Value *mask = b.CreateAlignedLoad(b.getInt16Ty(), b.at(rowMasks, b.getInt16Ty(), row), Align(2));
  Value *offset = b.CreateMul(b.CreateSub(row, b.index(matrix.steps[0].padBegin)), matrix.sizes.in[1]);
  return loadMasked(b, b.at(from, matrix.element.memory, offset),
                    b.CreateBitCast(mask, withLanes(b.getInt1Ty(), lanes)), matrix.element);
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
  return b.CreateVectorSplat(lanesOf(orders.front()->getType()), b.CreateAlignedLoad(b.getFloatTy(), place, Align(4)));
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
  for (int64_t i = 0; i < columns * columns && columns <= kColumnsInRegisters; ++i)
    taps.splats.push_back(taps.splat(b, i));
  return taps;
}

void SmallPlanes::sweep(CodeBuilder &b, Value *from, Value *weights, int64_t columns, Results each) const {
  auto byRows = [&]() -> Values {
    sweepRows(b, from, weights, columns, each);
    return {};
  };
  if (columns != 3 || !canBeFlat()) {
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
  auto give = [&](Value *row, Value *sums) {
    Value *count = b.CreateMul(b.min(b.CreateSub(matrix.sizes.out[0], row), b.index(2)), matrix.sizes.out[1]);
    each(b.CreateMul(row, matrix.sizes.out[1]), sums, count);
  };
  if (loadsTwoRows() && matrix.steps[0].dilation == 1)
    sweepInput(b, from, taps, columns, give);
  else
    sweepResults(b, from, taps, columns, give);
}

static Value *multiplied(CodeBuilder &b, Value *weight, Value *elements, Value *sum) {
  return b.CreateIntrinsic(Intrinsic::fma, {sum->getType()}, {weight, elements, sum});
}

/// For every two rows of results, the rows of the input that they need.
void SmallPlanes::sweepResults(CodeBuilder &b, Value *from, const Taps &taps, int64_t columns, Rows give) const {
  const WindowSteps &down = matrix.steps[0];
  Value *zeros = Constant::getNullValue(withLanes(b.getFloatTy(), lanes));
  b.loop(b.index(0), matrix.sizes.out[0], b.index(2), [&](Value *row) {
    Value *first = b.CreateMul(row, b.index(down.stride));
    Value *sums[2] = {zeros, zeros}; // so that half of the products wait for each other
    for (int64_t kh = 0; kh < columns; ++kh) {
      auto ofRow = [&](int64_t further) {
        return rowsAt(b, from, b.CreateAdd(first, b.index(kh * down.dilation + further)));
      };
      Value *rows = ofRow(0), *second = loadsTwoRows() ? nullptr : ofRow(down.stride);
      for (int64_t kw = 0; kw < columns; ++kw)
        sums[kh % 2] = multiplied(b, taps.splat(b, kh * columns + kw), taps.moved(b, rows, second, kw), sums[kh % 2]);
    }
    give(row, b.CreateFAdd(sums[0], sums[1]));
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
               Value *rows = rowsAt(b, from, b.CreateAdd(first, b.index(odd)));
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
           b.ifThen(b.CreateICmpSGE(complete, b.index(0)),
                    [&] { give(b.CreateShl(complete, 1), b.CreateFAdd(sums[sums.size() - 2], sums.back())); });
           Values next(2, zeros);
           append_range(next, ArrayRef(sums).drop_back(2));
           return next;
         });
}

} // namespace opc::cpu

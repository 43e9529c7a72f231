#include "lowering/cpu/vector/contraction/WindowRows.h"

#include "lowering/cpu/vector/windows/Positions.h"

using namespace llvm;

namespace opc::cpu {

/// Whether rows of the input are read once for all results that need them.
static bool readsOnce(const WindowedMatrix &matrix) {
  const auto &[down, along] = matrix.steps;
  return down.dilation == 1 && down.stride == along.stride && along.stride <= kVectorStride;
}

bool WindowRows::canRead(const CodeBuilder &b, const WindowedMatrix &matrix) {
  return hasMasks(b, matrix.element) && (readsOnce(matrix) || matrix.steps[1].stride == kVectorStride);
}

Value *WindowRows::hasSize(CodeBuilder &b, const WindowedMatrix &matrix, int64_t columns) {
  return b.CreateAnd(b.CreateICmpEQ(matrix.sizes.of[1], b.index(columns)),
                     b.CreateICmpEQ(matrix.sizes.of[0], b.index(columns)));
}

WindowRows::WindowRows(CodeBuilder &b, const WindowedMatrix &matrix, Value *weights, int64_t columns)
    : b(b), matrix(matrix), weights(weights), columns(columns), lanes(b.level.vectorBits / 32) {
  for (int64_t i = 0; i < columns * columns; ++i) {
    Value *place = b.at(weights, b.getFloatTy(), b.index(i));
    splats.push_back(b.CreateVectorSplat(lanes, b.CreateAlignedLoad(b.getFloatTy(), place, Align(4))));
  }
}

/// The lanes for which start + lane is a column of the input. Levels without masks keep them as numbers, whose signs
/// their loads read; as bits they would be widened before each load.
Value *WindowRows::maskFrom(Value *start, unsigned lanes) {
  ValidRange range = validRange(b, start, 1, matrix.sizes.in[1], b.index(lanes));
  Value *mask = b.CreateAnd(b.lanesBefore(lanes, range.behind), b.CreateNot(b.lanesBefore(lanes, range.first)));
  return b.level.masks ? mask : b.CreateSExt(mask, withLanes(b.getInt32Ty(), lanes));
}

/// Chooses a vector of columns of results.
void WindowRows::choose(Value *first) {
  const WindowSteps &along = matrix.steps[1];
  masks.clear();
  start = b.CreateSub(b.CreateMul(first, b.index(along.stride)), b.index(along.padBegin));
  for (int64_t tap = 0; tap < columns; ++tap)
    for (int64_t load = 0; load < along.stride; ++load)
      masks.push_back(maskFrom(b.CreateAdd(start, b.index(tap * along.dilation + load * lanes)), lanes));
  if (canShift())
    behind = maskFrom(b.CreateAdd(start, b.index(along.stride * int64_t(lanes))), kBehind);
}

/// Whether later columns of a window get their elements from the first ones, by one permutation of two vectors. With
/// stride 1 a load for each is as fast where there are more than two of them.
bool WindowRows::canShift() const {
  const WindowSteps &along = matrix.steps[1];
  const bool saves = along.stride == kVectorStride || (along.stride == 1 && columns == 3);
  return saves && b.level.masks && b.level.vectorBits == 512 && along.dilation == 1;
}

/// The chosen columns of a row of the input, from lane 0 of the first column of the window on.
Value *WindowRows::rowAt(Value *row) {
  Value *offset = b.CreateAdd(b.CreateMul(row, matrix.sizes.in[1]), start);
  return b.at(matrix.from, matrix.element.memory, offset);
}

/// The elements of a row of the input from lane 0 of a column of the window on; the numbered one of several vectors.
Value *WindowRows::loadAt(Value *row, unsigned tap, unsigned number) {
  const Element &element = matrix.element;
  Value *mask = masks[tap * matrix.steps[1].stride + number];
  if (!b.level.masks)
    mask = b.CreateICmpSLT(mask, Constant::getNullValue(mask->getType()));
  const int64_t offset = int64_t(tap) * matrix.steps[1].dilation + int64_t(number) * lanes;
  return loadMasked(b, b.at(row, element.memory, b.index(offset)), mask, element);
}

/// The elements of a row of the input for all columns of the window. With stride 2, vectors are divided into their even
/// and odd elements, which are those of two neighbouring columns.
Values WindowRows::elementsOf(Value *row) {
  const WindowSteps &along = matrix.steps[1];
  if (isShort)
    return elementsOfShort(row);
  if (canShift())
    return elementsShifted(row);
  Values all, read;
  for (unsigned tap = 0; tap < columns; ++tap) {
    const bool isOdd = along.stride == kVectorStride && along.dilation == 1 && tap % 2 == 1;
    if (!isOdd) {
      read.clear();
      for (unsigned i = 0; i < loads; ++i)
        read.push_back(loadAt(row, tap, i));
    }
    if (along.stride == 1) {
      all.push_back(read.front());
      continue;
    }
    SmallVector<int> order;
    for (unsigned lane = 0; lane < lanes; ++lane)
      order.push_back(int(kVectorStride * lane + isOdd) % int(loads * lanes));
    all.push_back(b.CreateShuffleVector(read.front(), read.back(), order));
  }
  return all;
}

/// Likewise of a short row: two vectors hold all of it, whose elements a permutation for each column of the window
/// brings to their lanes. Lanes beside the two vectors are padding.
Values WindowRows::elementsOfShort(Value *row) {
  const WindowSteps &along = matrix.steps[1];
  Value *first = b.at(row, matrix.element.memory, b.index(along.padBegin));
  Values read, all;
  for (int64_t number = 0; number < kVectorStride; ++number)
    read.push_back(loadMasked(b, b.at(first, matrix.element.memory, b.index(number * int64_t(lanes))),
                              masks[size_t(number)], matrix.element));
  for (int64_t tap = 0; tap < columns; ++tap) {
    SmallVector<int> order;
    SmallVector<Constant *> isRead;
    for (int64_t lane = 0; lane < int64_t(lanes); ++lane) {
      const int64_t at = kVectorStride * lane + tap * along.dilation - along.padBegin;
      const bool isThere = at >= 0 && at < kVectorStride * int64_t(lanes);
      order.push_back(isThere ? int(at) : 0);
      isRead.push_back(b.getInt1(isThere));
    }
    Value *elements = b.CreateShuffleVector(read[0], read[1], order);
    all.push_back(b.CreateSelect(ConstantVector::get(isRead), elements, Constant::getNullValue(elements->getType())));
  }
  return all;
}

/// Likewise: later columns of the window have the elements of the first ones, moved by a lane or more, and some behind
/// them. With stride 2 the first ones have the even and the odd elements of two vectors. So a row of a 3 x 3 window
/// loads a vector, with stride 2 two, in place of three and four, most of which are in two lines each.
Values WindowRows::elementsShifted(Value *row) {
  const Element &element = matrix.element;
  const int64_t count = lanes, stride = matrix.steps[1].stride;
  Value *first = loadAt(row, 0, 0), *second = stride == 1 ? nullptr : loadAt(row, 0, 1);
  Value *last = loadMasked(b, b.at(row, element.memory, b.index(stride * count)), behind, element);
  SmallVector<int> widened;
  for (int64_t lane = 0; lane < count; ++lane)
    widened.push_back(lane < kBehind ? int(lane) : -1);
  last = b.CreateShuffleVector(last, widened);
  // Whole numbers, which one instruction moves by lanes; floats would be moved by an order in a register.
  auto numbers = [&](Value *floats) { return b.CreateBitCast(floats, withLanes(b.getInt32Ty(), lanes)); };
  Values all;
  for (int64_t tap = 0; tap < columns; ++tap) {
    const int64_t parity = tap % stride, further = tap / stride;
    SmallVector<int> order;
    for (int64_t lane = 0; lane < count; ++lane) {
      const int64_t later = lane + further;
      if (further == 0)
        order.push_back(int(stride * lane + parity));
      else
        order.push_back(int(later < count ? later : count + stride * (later - count) + parity));
    }
    if (further == 0) {
      all.push_back(second ? b.CreateShuffleVector(first, second, order) : first);
      continue;
    }
    Value *shifted = b.CreateShuffleVector(numbers(all[size_t(parity)]), numbers(last), order);
    all.push_back(b.CreateBitCast(shifted, first->getType()));
  }
  return all;
}

/// Adds the products of a row of the input with a row of weights.
Value *WindowRows::addRow(Value *row, Value *sum, function_ref<Value *(unsigned)> weight) {
  for (auto [tap, elements] : enumerate(elementsOf(rowAt(row))))
    sum = b.CreateIntrinsic(Intrinsic::fma, {sum->getType()}, {weight(unsigned(tap)), elements, sum});
  return sum;
}

/// The sums of a row of results.
Value *WindowRows::sums(Value *row) {
  const WindowSteps &down = matrix.steps[0];
  Value *zeros = Constant::getNullValue(withLanes(b.getFloatTy(), lanes));
  Value *firstRow = b.CreateSub(b.CreateMul(row, b.index(down.stride)), b.index(down.padBegin));
  ValidRange inside = validRange(b, firstRow, down.dilation, matrix.sizes.in[0], b.index(columns));
  auto rowAt = [&](Value *kh) { return b.CreateAdd(firstRow, b.CreateMul(kh, b.index(down.dilation))); };
  auto whole = [&]() -> Values {
    Value *sum = zeros;
    for (int64_t kh = 0; kh < columns; ++kh)
      sum = addRow(rowAt(b.index(kh)), sum, [&](unsigned tap) { return splats[size_t(kh * columns) + tap]; });
    return {sum};
  };
  auto border = [&] {
    return b.loop(inside.first, inside.behind, b.index(1), {zeros},
                  [&](Value *kh, ArrayRef<Value *> carried) -> Values {
                    Value *from = b.at(weights, b.getFloatTy(), b.CreateMul(kh, b.index(columns)));
                    return {addRow(rowAt(kh), carried.front(), [&](unsigned tap) {
                      Value *place = b.at(from, b.getFloatTy(), b.index(tap));
                      return b.CreateVectorSplat(lanes, b.CreateAlignedLoad(b.getFloatTy(), place, Align(4)));
                    })};
                  });
  };
  Value *isWhole = b.CreateICmpEQ(b.CreateSub(inside.behind, inside.first), b.index(columns));
  return b.ifElse(isWhole, whole, border).front();
}

/// Adds the products of some rows of the input, one for each row of results, to the sums of the rows of results that
/// wait for them, and to those of one more. `at` is the first row, `isInside` tells for a row whether the input has it;
/// if null, it has all of them.
Values WindowRows::step(Value *at, ArrayRef<Value *> waiting, function_ref<Value *(int64_t number)> isInside) {
  const int64_t stride = matrix.steps[0].stride, behind = int64_t(waiting.size());
  Type *vector = withLanes(b.getFloatTy(), lanes);
  Values sums(waiting);
  sums.push_back(Constant::getNullValue(vector));
  for (int64_t number = 0; number < stride; ++number) {
    auto add = [&]() -> Values {
      Value *row = b.at(at, matrix.element.memory, b.CreateMul(matrix.sizes.in[1], b.index(number)));
      Values read = elementsOf(row), added(sums);
      // Sums take turns: neighbouring products do not wait for each other.
      for (int64_t kw = 0; kw < columns; ++kw)
        for (int64_t later = behind; later >= 0; --later) {
          const int64_t kh = number + stride * later;
          if (kh >= columns)
            continue;
          Value *&sum = added[size_t(behind - later)], *weight = splats[size_t(kh * columns + kw)];
          sum = b.CreateIntrinsic(Intrinsic::fma, {vector}, {weight, read[size_t(kw)], sum});
        }
      return added;
    };
    sums = isInside ? b.ifElse(isInside(number), add, [&] { return Values(sums); }) : add();
  }
  return sums;
}

void WindowRows::sweep(Value *column, Value *begin, Value *end, Results each) {
  choose(column);
  auto rows = [&] {
    if (readsOnce(matrix))
      sweepOnce(column, begin, end, each);
    else
      b.loop(begin, end, b.index(1), [&](Value *row) { each(placeOf(row, column), sums(row)); });
  };
  if (matrix.steps[1].stride == 1) {
    rows();
    return;
  }
  // Rows may be two vectors, or the last columns may need only the first of two loads.
  auto withLoads = [&](unsigned count, bool ofShort) -> Values {
    loads = count;
    isShort = ofShort;
    rows();
    isShort = false;
    return {};
  };
  Value *left = b.CreateSub(matrix.sizes.out[1], column);
  Value *isNarrow = b.CreateICmpSLE(left, b.index(lanes / kVectorStride));
  if (!b.level.masks) {
    b.ifElse(isNarrow, [&] { return withLoads(1, false); }, [&] { return withLoads(2, false); });
    return;
  }
  Value *isWhole = b.CreateAnd(b.CreateICmpEQ(column, b.index(0)),
                               b.CreateICmpSLE(matrix.sizes.in[1], b.index(kVectorStride * int64_t(lanes))));
  b.ifElse(
      isWhole,
      [&] {
        const auto ofColumns = masks;
        masks = {b.lanesBefore(lanes, matrix.sizes.in[1]),
                 b.lanesBefore(lanes, b.max(b.CreateSub(matrix.sizes.in[1], b.index(lanes)), b.index(0)))};
        withLoads(2, true);
        masks = ofColumns;
        return Values();
      },
      [&] { return withLoads(2, false); });
}

/// Rows of the input that begin with those of one row of results are a step: as many as the stride. The sums of a row
/// are complete some steps later. Steps whose rows may be padding, or that complete no row of this part, are before
/// and after the others: two rounds of some steps with tests, then some without, of which the second has none of the
/// latter. Those have few numbers, so that all of them are in registers: a load from the stack takes as long as one of
/// elements.
void WindowRows::sweepOnce(Value *column, Value *begin, Value *end, Results each) {
  const int64_t stride = matrix.steps[0].stride, pad = matrix.steps[0].padBegin, behind = (columns - 1) / stride;
  Value *in = matrix.sizes.in[0], *one = b.index(1), *zero = b.index(0), *steps = b.index(stride);
  Value *complete = b.CreateAdd(begin, b.index(behind)), *last = b.CreateAdd(end, b.index(behind));
  Value *wholeBegin = b.min(b.max(complete, b.index((pad + stride - 1) / stride)), last);
  Value *wholeEnd = b.CreateUDiv(b.CreateAdd(in, b.index(pad)), steps);
  wholeEnd = b.max(wholeBegin, b.min(wholeEnd, last));
  auto rowOf = [&](Value *step) { return b.CreateSub(b.CreateMul(step, steps), b.index(pad)); };
  auto placeAfter = [&](Value *step) { return placeOf(b.CreateSub(step, b.index(behind)), column); };
  auto tested = [&](Value *i, ArrayRef<Value *> waiting) {
    Value *row = rowOf(i);
    Values sums = step(rowAt(row), waiting,
                       [&](int64_t number) { return b.CreateICmpULT(b.CreateAdd(row, b.index(number)), in); });
    b.ifThen(b.CreateICmpSGE(i, complete), [&] { each(placeAfter(i), sums.front()); });
    return Values(ArrayRef(sums).drop_front());
  };
  Value *ofStep = b.CreateMul(steps, matrix.sizes.in[1]);
  auto whole = [&](Value *, ArrayRef<Value *> carried) {
    Value *row = carried[size_t(behind)], *place = carried.back();
    Values sums = step(row, carried.take_front(size_t(behind)), nullptr);
    each(place, sums.front());
    Values next(ArrayRef(sums).drop_front());
    next.push_back(b.at(row, matrix.element.memory, ofStep));
    next.push_back(b.CreateAdd(place, matrix.sizes.out[1]));
    return next;
  };
  const Values none(size_t(behind), Constant::getNullValue(withLanes(b.getFloatTy(), lanes)));
  b.loop(zero, b.index(2), one, none, [&](Value *round, ArrayRef<Value *> before) {
    Value *isFirst = b.CreateICmpEQ(round, zero);
    auto choose = [&](Value *first, Value *second) { return b.CreateSelect(isFirst, first, second); };
    Values state = b.loop(choose(begin, wholeEnd), choose(wholeBegin, last), one, before, tested);
    state.append({rowAt(rowOf(wholeBegin)), placeAfter(wholeBegin)});
    state = b.loop(choose(wholeBegin, wholeEnd), wholeEnd, one, state, whole);
    state.resize(size_t(behind));
    return state;
  });
}

} // namespace opc::cpu

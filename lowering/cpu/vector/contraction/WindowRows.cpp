#include "lowering/cpu/vector/contraction/WindowRows.h"

#include "lowering/cpu/vector/windows/Positions.h"

using namespace llvm;

namespace opc::cpu {

static bool hasStride1(const WindowedMatrix &matrix) {
  return matrix.steps[0].stride == 1 && matrix.steps[0].dilation == 1 && matrix.steps[1].stride == 1;
}

bool WindowRows::canRead(const CodeBuilder &b, const WindowedMatrix &matrix) {
  return hasMasks(b, matrix.element) && (hasStride1(matrix) || matrix.steps[1].stride == kVectorStride);
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
Value *WindowRows::maskFrom(Value *start) {
  ValidRange range = validRange(b, start, 1, matrix.sizes.in[1], b.index(lanes));
  Value *mask = b.CreateAnd(b.lanesBefore(lanes, range.behind), b.CreateNot(b.lanesBefore(lanes, range.first)));
  return b.level.masks ? mask : b.CreateSExt(mask, withLanes(b.getInt32Ty(), lanes));
}

/// Chooses a vector of columns of results.
void WindowRows::choose(Value *first) {
  const WindowSteps &along = matrix.steps[1];
  starts.clear();
  masks.clear();
  Value *start = b.CreateSub(b.CreateMul(first, b.index(along.stride)), b.index(along.padBegin));
  for (int64_t tap = 0; tap < columns; ++tap) {
    starts.push_back(b.CreateAdd(start, b.index(tap * along.dilation)));
    for (int64_t load = 0; load < along.stride; ++load)
      masks.push_back(maskFrom(b.CreateAdd(starts.back(), b.index(load * lanes))));
  }
}

/// The elements of a row of the input from lane 0 of a column of the window on; the numbered one of several vectors.
Value *WindowRows::loadAt(Value *row, unsigned tap, unsigned number) {
  const Element &element = matrix.element;
  Value *mask = masks[tap * matrix.steps[1].stride + number];
  if (!b.level.masks)
    mask = b.CreateICmpSLT(mask, Constant::getNullValue(mask->getType()));
  Value *place = b.at(row, element.memory, b.CreateAdd(starts[tap], b.index(int64_t(number) * lanes)));
  return loadMasked(b, place, mask, element);
}

/// The elements of a row of the input for all columns of the window. With stride 2, vectors are divided into their even
/// and odd elements, which are those of two neighbouring columns.
Values WindowRows::elementsOf(Value *row) {
  const WindowSteps &along = matrix.steps[1];
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

/// Adds the products of a row of the input with a row of weights.
Value *WindowRows::addRow(Value *row, Value *sum, function_ref<Value *(unsigned)> weight) {
  Value *from = b.at(matrix.from, matrix.element.memory, b.CreateMul(row, matrix.sizes.in[1]));
  for (auto [tap, elements] : enumerate(elementsOf(from)))
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

/// Adds the products of a row of the input to the sums of the rows of results that wait for it, and begins those of one
/// more.
Values WindowRows::step(Value *row, ArrayRef<Value *> waiting) {
  Type *vector = withLanes(b.getFloatTy(), lanes);
  Value *from = b.at(matrix.from, matrix.element.memory, b.CreateMul(row, matrix.sizes.in[1]));
  Values read = elementsOf(from), sums(waiting);
  sums.push_back(Constant::getNullValue(vector));
  for (auto [i, sum] : enumerate(sums))
    for (unsigned tap = 0; tap < columns; ++tap) {
      Value *weight = splats[size_t(columns) * (size_t(columns) - 1 - i) + tap];
      sum = b.CreateIntrinsic(Intrinsic::fma, {vector}, {weight, read[tap], sum});
    }
  return sums;
}

void WindowRows::sweep(Value *column, Value *begin, Value *end, function_ref<void(Value *, Value *)> each) {
  choose(column);
  if (hasStride1(matrix)) {
    sweepRows(begin, end, each);
    return;
  }
  // The last columns may need only the first of two loads.
  auto withLoads = [&](unsigned count) -> Values {
    loads = count;
    b.loop(begin, end, b.index(1), [&](Value *row) { each(row, sums(row)); });
    return {};
  };
  Value *isNarrow = b.CreateICmpSLE(b.CreateSub(matrix.sizes.out[1], column), b.index(lanes / kVectorStride));
  b.ifElse(isNarrow, [&] { return withLoads(1); }, [&] { return withLoads(2); });
}

/// With stride 1.
void WindowRows::sweepRows(Value *begin, Value *end, function_ref<void(Value *, Value *)> each) {
  Value *zeros = Constant::getNullValue(withLanes(b.getFloatTy(), lanes)), *pad = b.index(matrix.steps[0].padBegin);
  Value *behind = b.index(columns - 1), *first = b.CreateSub(begin, pad);
  Value *last = b.CreateAdd(b.CreateSub(end, pad), behind);
  b.loop(first, last, b.index(1), Values(size_t(columns) - 1, zeros), [&](Value *row, ArrayRef<Value *> waiting) {
    Values sums = b.ifElse(
        b.CreateICmpULT(row, matrix.sizes.in[0]), [&] { return step(row, waiting); },
        [&] {
          Values same(waiting);
          same.push_back(zeros);
          return same;
        });
    Value *complete = b.CreateSub(b.CreateAdd(row, pad), behind);
    b.ifThen(b.CreateICmpSGE(complete, begin), [&] { each(complete, sums.front()); });
    return Values(ArrayRef(sums).drop_front());
  });
}

} // namespace opc::cpu

#include "lowering/cpu/vector/contraction/WindowedMatrix.h"

#include "lowering/cpu/vector/code/Copies.h"
#include "lowering/cpu/vector/contraction/Panels.h"
#include "lowering/cpu/vector/contraction/WindowRuns.h"

using namespace llvm;

namespace opc::cpu {

// Vectors of results that depthwise windows add up at once: a weight is broadcast once for all of them.
static constexpr unsigned kVectorsAtOnce = 4;

namespace {

/// The function of packWindows.
class Packing : public Windows {
public:
  Packing(CodeBuilder &b, const WindowedMatrix &matrix)
      : Windows(b, matrix, 5), sizes(b.level), to(b.function->getArg(0)), k(b.function->getArg(1)),
        depth(b.function->getArg(2)), column(b.function->getArg(3)), columns(b.function->getArg(4)) {}
  void emit();

private:
  void byRuns(Value *to, Value *plane, Value *rowOffset, Value *offset);
  void shifted(Value *to, Value *plane, Value *rowOffset, Value *offset);

  const PanelSizes sizes;
  Value *to, *k, *depth, *column, *columns;
};

/// The function of multiplyWindows.
class Direct : public Windows {
public:
  Direct(CodeBuilder &b, const WindowedMatrix &matrix)
      : Windows(b, matrix, 4), left(b.function->getArg(0)), sums(b.function->getArg(1)), column(b.function->getArg(2)),
        columns(b.function->getArg(3)) {}
  void emit();

private:
  void run(Value *at, Value *oh, Value *ow, Value *count);
  void inside(Value *to, ValidRange rows, Value *firstRow, Value *start, unsigned vectors);
  void edge(Value *to, ValidRange rows, Value *firstRow, Value *start, Value *count);
  void border(Value *to, ValidRange rows, Value *firstRow, Value *start);

  Value *left, *sums, *column, *columns;
};

} // namespace

Value *isPlain(CodeBuilder &b, const WindowedMatrix &matrix) {
  Value *plain = b.getTrue();
  for (unsigned axis = 0; axis < 2; ++axis) {
    const WindowSteps &steps = matrix.steps[axis];
    if (steps.stride != 1 || steps.padBegin != 0)
      return b.getFalse();
    plain = b.CreateAnd(plain, b.CreateICmpEQ(matrix.sizes.of[axis], b.index(1)));
    plain = b.CreateAnd(plain, b.CreateICmpEQ(matrix.sizes.in[axis], matrix.sizes.out[axis]));
  }
  if (!matrix.depth)
    return plain;
  if (matrix.depth->steps.stride != 1 || matrix.depth->steps.padBegin != 0)
    return b.getFalse();
  plain = b.CreateAnd(plain, b.CreateICmpEQ(matrix.sizes.ofDepth, b.index(1)));
  return b.CreateAnd(plain, b.CreateICmpEQ(matrix.sizes.inDepth, matrix.sizes.outDepth));
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

void Packing::byRuns(Value *to, Value *plane, Value *rowOffset, Value *offset) {
  forRuns(column, columns, [&](Value *place, Value *oh, Value *ow, Value *count) {
    run(floatAt(to, place), plane, b.CreateAdd(b.CreateMul(oh, b.index(down.stride)), rowOffset),
        b.CreateAdd(b.CreateMul(ow, b.index(along.stride)), offset), count);
  });
}

/// If a row has as many positions as the input has columns, and strides are 1, consecutive positions read consecutive
/// elements: the plane is copied from an offset on, and elements of a neighbouring row become 0.
void Packing::shifted(Value *to, Value *plane, Value *rowOffset, Value *offset) {
  Value *start = b.CreateAdd(column, b.CreateAdd(b.CreateMul(rowOffset, in[1]), offset));
  ValidRange range = validRange(b, start, 1, b.CreateMul(in[0], in[1]), columns);
  zeros(to, b.index(0), range.first);
  b.ifThen(b.CreateICmpSLT(range.first, range.behind), [&] {
    Value *count = b.CreateSub(range.behind, range.first);
    copy(floatAt(to, range.first), plane, b.CreateAdd(start, range.first), count, count);
  });
  zeros(to, range.behind, columns);
  b.ifThen(b.CreateICmpNE(offset, b.index(0)), [&] {
    forRuns(column, columns, [&](Value *place, Value *, Value *ow, Value *count) {
      Value *run = floatAt(to, place);
      ValidRange valid = validRange(b, b.CreateAdd(ow, offset), 1, in[1], count);
      auto clear = [&](Value *begin, Value *end) {
        b.loop(begin, end, b.index(1), [&](Value *i) { storeFloats(ConstantFP::get(b.getFloatTy(), 0.0), run, i); });
      };
      clear(b.index(0), valid.first);
      clear(valid.behind, count);
    });
  });
}

void Packing::emit() {
  Value *buffer = b.buffer(b.getFloatTy(), uint64_t(sizes.columns + 2 * sizes.width()));
  Value *positions = b.max(b.CreateMul(of[0], of[1]), b.index(1)), *within = b.CreateURem(k, positions);
  Value *rowLength = b.max(of[1], b.index(1)), *zero = b.index(0), *one = b.index(1);
  Values start = {b.CreateUDiv(within, rowLength), b.CreateURem(within, rowLength)};
  append_range(start, channelAt(b.CreateUDiv(k, positions)));
  b.loop(zero, depth, one, start, [&](Value *number, ArrayRef<Value *> at) -> Values {
    Value *kh = at[0], *kw = at[1];
    ArrayRef<Value *> channel = at.drop_front(2);
    Value *plane = planeOf(channel);
    Value *rowOffset = b.CreateSub(b.CreateMul(kh, b.index(down.dilation)), b.index(down.padBegin));
    Value *offset = b.CreateSub(b.CreateMul(kw, b.index(along.dilation)), b.index(along.padBegin));
    auto copy = [&]() -> Values {
      if (down.stride == 1 && along.stride == 1)
        return b.ifElse(
            b.CreateICmpEQ(out[1], in[1]),
            [&]() -> Values {
              shifted(buffer, plane, rowOffset, offset);
              return {};
            },
            [&]() -> Values {
              byRuns(buffer, plane, rowOffset, offset);
              return {};
            });
      byRuns(buffer, plane, rowOffset, offset);
      return {};
    };
    auto clear = [&]() -> Values {
      zeros(buffer, zero, columns);
      return {};
    };
    if (Value *exists = hasPlane(channel))
      b.ifElse(exists, copy, clear);
    else
      copy();
    Value *inPanel = floatAt(to, b.CreateMul(number, b.index(sizes.width())));
    b.loop(zero, columns, b.index(sizes.width()), [&](Value *place) {
      Value *panel = floatAt(inPanel, b.CreateMul(place, b.index(sizes.depth)));
      Value *source = floatAt(buffer, place);
      for (unsigned i = 0; i < sizes.vectors; ++i) {
        Value *lane = b.index(int64_t(i) * lanes);
        storeFloats(b.CreateAlignedLoad(withLanes(b.getFloatTy(), lanes), floatAt(source, lane), Align(4)), panel,
                    lane);
      }
    });
    Value *nextColumn = b.CreateAdd(kw, one), *isRowEnd = b.CreateICmpSGE(nextColumn, rowLength);
    Value *nextRow = b.CreateAdd(kh, b.CreateZExt(isRowEnd, b.getInt64Ty()));
    Value *isEnd = b.CreateICmpSGE(nextRow, b.max(of[0], one));
    Values next = {b.CreateSelect(isEnd, zero, nextRow), b.CreateSelect(isRowEnd, zero, nextColumn)};
    for (auto [now, then] : zip(channel, nextChannel(channel)))
      next.push_back(b.CreateSelect(isEnd, then, now));
    return next;
  });
}

void packWindows(CodeBuilder &b, Value *to, const WindowedMatrix &matrix, Value *k, Value *depth, Value *column,
                 Value *columns) {
  SmallVector<Value *> arguments = {to, k, depth, column, columns};
  append_range(arguments, Windows::argumentsOf(matrix));
  callShared(b, Windows::nameOf("panels", matrix), arguments, [&](CodeBuilder &b) { Packing(b, matrix).emit(); });
}

//===----------------------------------------------------------------------===//
// One channel
//===----------------------------------------------------------------------===//

/// Whole vectors of positions whose windows have all columns inside of the input.
void Direct::inside(Value *to, ValidRange rows, Value *firstRow, Value *start, unsigned vectors) {
  Type *vector = withLanes(b.getFloatTy(), lanes);
  Values state(vectors, Constant::getNullValue(vector));
  state = b.loop(rows.first, rows.behind, b.index(1), state, [&](Value *kh, ArrayRef<Value *> before) {
    Value *row = rowAt(from, b.CreateAdd(firstRow, b.CreateMul(kh, b.index(down.dilation))));
    Value *weights = floatAt(left, b.CreateMul(kh, of[1]));
    return b.loop(b.index(0), of[1], b.index(1), before, [&](Value *kw, ArrayRef<Value *> carried) {
      Value *weight = b.CreateAlignedLoad(b.getFloatTy(), floatAt(weights, kw), Align(4));
      Value *splat = b.CreateVectorSplat(lanes, weight);
      Value *at = b.CreateAdd(start, b.CreateMul(kw, b.index(along.dilation)));
      Values next(carried);
      for (auto [i, sum] : enumerate(next)) {
        Value *place = b.CreateAdd(at, b.index(int64_t(i) * lanes * along.stride));
        Value *elements = loadStrided(b, row, place, element, lanes, along.stride);
        sum = b.CreateIntrinsic(Intrinsic::fma, {vector}, {splat, elements, sum});
      }
      return next;
    });
  });
  for (auto [i, sum] : enumerate(state))
    storeFloats(sum, to, b.index(int64_t(i) * lanes));
}

/// `count` positions, at most a vector, some of whose columns are padding.
void Direct::edge(Value *to, ValidRange rows, Value *firstRow, Value *start, Value *count) {
  if (along.stride != 1 || element.kind != Element::Plain) {
    b.loop(b.index(0), count, b.index(1), [&](Value *i) {
      border(floatAt(to, i), rows, firstRow, b.CreateAdd(start, b.CreateMul(i, b.index(along.stride))));
    });
    return;
  }
  // Lanes of padding are not loaded.
  Type *vector = withLanes(b.getFloatTy(), lanes);
  Value *zeros = Constant::getNullValue(vector);
  Values sum = b.loop(rows.first, rows.behind, b.index(1), {zeros}, [&](Value *kh, ArrayRef<Value *> before) {
    Value *row = rowAt(from, b.CreateAdd(firstRow, b.CreateMul(kh, b.index(down.dilation))));
    Value *weights = floatAt(left, b.CreateMul(kh, of[1]));
    return b.loop(b.index(0), of[1], b.index(1), before, [&](Value *kw, ArrayRef<Value *> carried) -> Values {
      Value *at = b.CreateAdd(start, b.CreateMul(kw, b.index(along.dilation)));
      ValidRange range = validRange(b, at, 1, in[1], count);
      Value *mask = b.CreateAnd(b.lanesBefore(lanes, range.behind), b.CreateNot(b.lanesBefore(lanes, range.first)));
      Value *weight = b.CreateAlignedLoad(b.getFloatTy(), floatAt(weights, kw), Align(4));
      Value *elements = b.CreateMaskedLoad(vector, floatAt(row, at), Align(4), mask, zeros);
      Value *next =
          b.CreateIntrinsic(Intrinsic::fma, {vector}, {b.CreateVectorSplat(lanes, weight), elements, carried[0]});
      return {b.CreateSelect(mask, next, carried[0])};
    });
  });
  storeFloats(sum.front(), to, b.index(0));
}

/// One position, some of whose columns are padding.
void Direct::border(Value *to, ValidRange rows, Value *firstRow, Value *start) {
  ValidRange columns = validRange(b, start, along.dilation, in[1], of[1]);
  Values sum = {ConstantFP::get(b.getFloatTy(), 0.0)};
  sum = b.loop(rows.first, rows.behind, b.index(1), sum, [&](Value *kh, ArrayRef<Value *> before) {
    Value *row = rowAt(from, b.CreateAdd(firstRow, b.CreateMul(kh, b.index(down.dilation))));
    Value *weights = floatAt(left, b.CreateMul(kh, of[1]));
    return b.loop(columns.first, columns.behind, b.index(1), before,
                  [&](Value *kw, ArrayRef<Value *> carried) -> Values {
                    Value *weight = b.CreateAlignedLoad(b.getFloatTy(), floatAt(weights, kw), Align(4));
                    Value *at = b.CreateAdd(start, b.CreateMul(kw, b.index(along.dilation)));
                    return {b.CreateIntrinsic(Intrinsic::fma, {b.getFloatTy()},
                                              {weight, load(b, row, at, element, 0), carried[0]})};
                  });
  });
  storeFloats(sum.front(), to, b.index(0));
}

void Direct::run(Value *at, Value *oh, Value *ow, Value *count) {
  Value *to = floatAt(sums, at), *zero = b.index(0);
  Value *firstRow = b.CreateSub(b.CreateMul(oh, b.index(down.stride)), b.index(down.padBegin));
  ValidRange rows = validRange(b, firstRow, down.dilation, in[0], of[0]);
  Value *start = b.CreateSub(b.CreateMul(ow, b.index(along.stride)), b.index(along.padBegin));
  Value *reach = b.CreateMul(b.max(b.CreateSub(of[1], b.index(1)), zero), b.index(along.dilation));
  // The first and the last column of a window are inside of the input.
  ValidRange whole = validRange(b, start, along.stride, b.CreateSub(in[1], reach), count);
  auto startOf = [&](Value *i) { return b.CreateAdd(start, b.CreateMul(i, b.index(along.stride))); };
  auto borders = [&](Value *begin, Value *end) {
    b.loop(begin, end, b.index(1), [&](Value *i) { border(floatAt(to, i), rows, firstRow, startOf(i)); });
  };
  auto wholeVectors = [&]() -> Values {
    borders(zero, whole.first);
    const int64_t many = int64_t(lanes) * kVectorsAtOnce;
    Value *length = b.CreateSub(whole.behind, whole.first);
    Value *behindMany = b.CreateAdd(whole.first, b.CreateAnd(length, b.index(-many)));
    b.loop(whole.first, behindMany, b.index(many),
           [&](Value *i) { inside(floatAt(to, i), rows, firstRow, startOf(i), kVectorsAtOnce); });
    // The last vector may overlap the one before.
    Value *last = b.CreateSub(whole.behind, b.index(lanes));
    b.loop(behindMany, whole.behind, b.index(lanes), [&](Value *i) {
      Value *place = b.min(i, last);
      inside(floatAt(to, place), rows, firstRow, startOf(place), 1);
    });
    borders(whole.behind, count);
    return {};
  };
  auto edges = [&]() -> Values {
    b.loop(zero, count, b.index(lanes), [&](Value *i) {
      edge(floatAt(to, i), rows, firstRow, startOf(i), b.min(b.CreateSub(count, i), b.index(lanes)));
    });
    return {};
  };
  b.ifElse(b.CreateICmpSGE(b.CreateSub(whole.behind, whole.first), b.index(lanes)), wholeVectors, edges);
}

void Direct::emit() {
  forRuns(column, columns, [&](Value *at, Value *oh, Value *ow, Value *count) { run(at, oh, ow, count); });
}

void multiplyWindows(CodeBuilder &b, Value *left, const WindowedMatrix &matrix, Value *sums, Value *column,
                     Value *columns) {
  SmallVector<Value *> arguments = {left, sums, column, columns};
  append_range(arguments, Windows::argumentsOf(matrix));
  callShared(b, Windows::nameOf("row", matrix), arguments, [&](CodeBuilder &b) { Direct(b, matrix).emit(); });
}

} // namespace opc::cpu

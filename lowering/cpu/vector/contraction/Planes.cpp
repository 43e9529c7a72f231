#include "lowering/cpu/vector/contraction/Planes.h"

#include "lowering/cpu/vector/code/Copies.h"
#include "lowering/cpu/vector/contraction/WindowRuns.h"

using namespace llvm;

namespace opc::cpu {

// Products of sizes below this do not overflow; larger sizes do not fit any buffer.
static constexpr int64_t kLargestSize = int64_t(1) << 20;

Planes planesOf(CodeBuilder &b, const WindowedMatrix &matrix, Value *channels, int64_t places, int64_t depth,
                int64_t room) {
  const PanelSizes panels(b.level);
  const Frame::WindowSizes &sizes = matrix.sizes;
  const WindowSteps &along = matrix.steps[1];
  Value *one = b.index(1), *fits = b.getTrue(), *reach[2], *bounded[2][3];
  Planes planes = {};
  for (unsigned axis = 0; axis < 2; ++axis) {
    Value *const all[3] = {sizes.in[axis], sizes.of[axis], sizes.out[axis]};
    for (unsigned i = 0; i < 3; ++i) {
      fits = b.CreateAnd(fits, b.CreateICmpSLE(all[i], b.index(kLargestSize)));
      bounded[axis][i] = b.min(b.max(all[i], one), b.index(kLargestSize));
    }
    const WindowSteps &steps = matrix.steps[axis];
    Value *last = b.CreateMul(b.CreateSub(bounded[axis][1], one), b.index(steps.dilation));
    reach[axis] = b.CreateUDiv(last, b.index(steps.stride));
    planes.phases[axis] = b.min(b.CreateAdd(last, one), b.index(steps.stride));
  }
  planes.behindRows = reach[0];
  Value *whole = b.CreateAdd(bounded[1][2], reach[1]);
  planes.rowLength = whole;
  if (along.stride == 1) {
    // The padding at the start of a row may also be the padding at the end of the row before.
    Value *shared = b.max(b.CreateAdd(bounded[1][0], b.index(along.padBegin)),
                          b.max(bounded[1][2], b.CreateSub(whole, b.index(along.padBegin))));
    planes.rowLength = b.min(whole, shared);
  }
  planes.spill = b.CreateSub(whole, planes.rowLength);
  Value *rows = b.CreateUDiv(b.CreateAdd(planes.rowLength, b.index(places - 2)), planes.rowLength);
  rows = b.CreateAdd(b.min(b.CreateAdd(rows, one), bounded[0][2]), planes.behindRows);
  // Planes do not share sets of the cache.
  constexpr int64_t kLine = 16;
  Value *plane = b.CreateAdd(b.CreateMul(rows, planes.rowLength), planes.spill);
  plane = b.CreateMul(b.CreateUDiv(b.CreateAdd(plane, b.index(kLine - 1)), b.index(kLine)), b.index(kLine));
  Value *isEven = b.CreateICmpEQ(b.CreateAnd(plane, b.index(kLine)), b.index(0));
  planes.planeStep = b.CreateAdd(plane, b.CreateSelect(isEven, b.index(kLine), b.index(0)));
  // Both are small, or an earlier comparison is already false.
  fits = b.CreateAnd(fits, b.CreateICmpSLE(planes.planeStep, b.index(room)));
  Value *step = b.min(planes.planeStep, b.index(room));
  planes.channelStep = b.CreateMul(step, b.CreateMul(planes.phases[0], planes.phases[1]));
  Value *behind = b.CreateAdd(whole, b.index(2 * panels.width()));
  Value *most = b.CreateSDiv(b.CreateSub(b.index(room), behind), planes.channelStep);
  Value *positions = b.CreateMul(bounded[0][1], bounded[1][1]);
  most = b.min(most, b.CreateUDiv(b.index(depth), positions));
  fits = b.CreateAnd(fits, b.CreateICmpSGE(most, one));
  most = b.max(most, one);
  Value *all = b.max(channels, one);
  auto ceilDiv = [&](Value *a, Value *by) { return b.CreateUDiv(b.CreateAdd(a, b.CreateSub(by, one)), by); };
  planes.channels = ceilDiv(all, ceilDiv(all, most));
  planes.fits = fits;
  return planes;
}

void fillTable(CodeBuilder &b, Value *table, const Planes &planes, const WindowedMatrix &matrix) {
  const WindowSteps &down = matrix.steps[0], &along = matrix.steps[1];
  Value *zero = b.index(0), *one = b.index(1);
  auto split = [&](Value *k, const WindowSteps &steps) {
    Value *at = b.CreateMul(k, b.index(steps.dilation)), *stride = b.index(steps.stride);
    return std::pair(b.CreateURem(at, stride), b.CreateUDiv(at, stride));
  };
  Value *rowsOf = matrix.sizes.of[0], *columnsOf = matrix.sizes.of[1];
  b.loop(zero, planes.channels, one, [&](Value *c) {
    b.loop(zero, rowsOf, one, [&](Value *kh) {
      b.loop(zero, columnsOf, one, [&](Value *kw) {
        auto [phaseRow, row] = split(kh, down);
        auto [phaseColumn, column] = split(kw, along);
        Value *plane = b.CreateAdd(b.CreateMul(phaseRow, planes.phases[1]), phaseColumn);
        Value *at = b.CreateAdd(b.CreateMul(c, planes.channelStep), b.CreateMul(plane, planes.planeStep));
        at = b.CreateAdd(at, b.CreateAdd(b.CreateMul(row, planes.rowLength), column));
        Value *k = b.CreateAdd(b.CreateMul(b.CreateAdd(b.CreateMul(c, rowsOf), kh), columnsOf), kw);
        b.CreateAlignedStore(at, b.at(table, b.getInt64Ty(), k), Align(8));
      });
    });
  });
}

namespace {

/// The function of copyPlanes.
class Copying : public Windows {
public:
  Copying(CodeBuilder &b, const WindowedMatrix &matrix) : Windows(b, matrix, kFirst) {}
  void emit();

  static constexpr unsigned kFirst = 11; ///< of the common arguments of windows
};

} // namespace

void Copying::emit() {
  auto argument = [&](unsigned i) -> Value * { return b.function->getArg(i); };
  Value *to = argument(0), *rowLength = argument(1), *planeStep = argument(2), *channelTo = argument(3);
  Value *phases[2] = {argument(4), argument(5)}, *spill = argument(6), *channels = argument(7);
  Value *firstRow = argument(8), *rows = argument(9), *zero = b.index(0), *one = b.index(1);
  b.loop(zero, channels, one, channelAt(argument(10)), [&](Value *c, ArrayRef<Value *> at) -> Values {
    Value *plane = planeOf(at), *channel = floatAt(to, b.CreateMul(c, channelTo));
    // A plane that the input does not have is all padding.
    Value *exists = hasPlane(at), *rowsOfPlane = exists ? b.CreateSelect(exists, in[0], zero) : in[0];
    b.loop(zero, phases[0], one, [&](Value *phaseRow) {
      b.loop(zero, phases[1], one, [&](Value *phaseColumn) {
        Value *number = b.CreateAdd(b.CreateMul(phaseRow, phases[1]), phaseColumn);
        Value *copy = floatAt(channel, b.CreateMul(number, planeStep));
        // The same positions and rows are padding in all planes.
        Value *start = b.CreateSub(phaseColumn, b.index(along.padBegin));
        ValidRange places = validRange(b, start, along.stride, in[1], rowLength);
        Value *first = b.CreateAdd(start, b.CreateMul(places.first, b.index(along.stride)));
        Value *count = b.CreateSub(places.behind, places.first);
        Value *above = b.CreateSub(phaseRow, b.index(down.padBegin));
        above = b.CreateAdd(b.CreateMul(firstRow, b.index(down.stride)), above);
        ValidRange inside = validRange(b, above, down.stride, rowsOfPlane, rows);
        auto emptyRows = [&](Value *begin, Value *end) {
          zeros(copy, b.CreateMul(begin, rowLength), b.CreateMul(end, rowLength));
        };
        emptyRows(zero, inside.first);
        auto rowOf = [&](Value *i) { return b.CreateAdd(b.CreateMul(i, b.index(down.stride)), above); };
        auto byParts = [&](Value *i) {
          Value *to = floatAt(copy, b.CreateMul(i, rowLength)), *row = rowOf(i);
          Value *behind = b.CreateSub(b.CreateMul(b.CreateSub(in[0], row), in[1]), first);
          zeros(to, zero, places.first);
          b.ifThen(b.CreateICmpSGT(count, zero),
                   [&] { this->copy(floatAt(to, places.first), rowAt(plane, row), first, count, behind); });
          zeros(to, places.behind, rowLength);
        };
        // A short row is one vector, zeros at its ends included.
        auto whole = [&](Value *i) {
          Value *inRow = b.at(rowAt(plane, rowOf(i)), element.memory, start);
          storeFloats(loadWithin(b, inRow, places.first, places.behind, element, lanes), copy,
                      b.CreateMul(i, rowLength));
        };
        if (along.stride == 1 && hasMasks(b, element))
          b.ifElse(
              b.CreateICmpSLE(rowLength, b.index(lanes)),
              [&]() -> Values {
                b.loop(inside.first, inside.behind, one, whole);
                return {};
              },
              [&]() -> Values {
                b.loop(inside.first, inside.behind, one, byParts);
                return {};
              });
        else
          b.loop(inside.first, inside.behind, one, byParts);
        emptyRows(inside.behind, rows);
        zeros(floatAt(copy, b.CreateMul(rows, rowLength)), zero, spill);
      });
    });
    return nextChannel(at);
  });
}

void copyPlanes(CodeBuilder &b, Value *to, const Planes &planes, const WindowedMatrix &matrix, Value *channel,
                Value *channels, Value *firstRow, Value *rows) {
  SmallVector<Value *> arguments = {to,
                                    planes.rowLength,
                                    planes.planeStep,
                                    planes.channelStep,
                                    planes.phases[0],
                                    planes.phases[1],
                                    planes.spill,
                                    channels,
                                    firstRow,
                                    b.CreateAdd(rows, planes.behindRows),
                                    channel};
  append_range(arguments, Windows::argumentsOf(matrix));
  callShared(b, Windows::nameOf("planes", matrix), arguments, [&](CodeBuilder &b) { Copying(b, matrix).emit(); });
}

// Vectors of places that are added up at once: a weight is broadcast once for all of them, and that many sums hide the
// latency of a product.
static constexpr unsigned kVectorsOfPlane = 8;

void multiplyPlanes(CodeBuilder &b, Value *left, Value *from, Value *table, Value *sums, Value *depth, Value *places,
                    Value *continues) {
  SmallVector<Value *> arguments = {left, from, table, sums, depth, places};
  if (continues)
    arguments.push_back(continues);
  callShared(b, continues ? "windows.more_places" : "windows.places", arguments, [&](CodeBuilder &b) {
    Value *left = b.function->getArg(0), *from = b.function->getArg(1), *table = b.function->getArg(2);
    Value *sums = b.function->getArg(3), *depth = b.function->getArg(4), *places = b.function->getArg(5);
    const unsigned lanes = b.level.vectorBits / 32;
    Type *vector = withLanes(b.getFloatTy(), lanes);
    auto floatAt = [&](Value *pointer, Value *i) { return b.at(pointer, b.getFloatTy(), i); };
    auto lanesOf = [&](unsigned vectors) { return b.index(int64_t(vectors) * lanes); };
    auto block = [&](Value *place, unsigned vectors) {
      Value *none = Constant::getNullValue(vector), *start = floatAt(from, place);
      Values state(vectors, none);
      if (continues)
        for (auto [i, sum] : enumerate(state)) {
          Value *before = floatAt(floatAt(sums, place), lanesOf(unsigned(i)));
          sum = b.CreateSelect(b.function->getArg(6), b.CreateAlignedLoad(vector, before, Align(4)), none);
        }
      state = b.loop(b.index(0), depth, b.index(1), state, [&](Value *k, ArrayRef<Value *> carried) {
        Value *at = b.CreateAlignedLoad(b.getInt64Ty(), b.at(table, b.getInt64Ty(), k), Align(8));
        Value *row = floatAt(start, at), *weight = b.CreateAlignedLoad(b.getFloatTy(), floatAt(left, k), Align(4));
        Value *splat = b.CreateVectorSplat(lanes, weight);
        Values next(carried);
        for (auto [i, sum] : enumerate(next)) {
          Value *elements = b.CreateAlignedLoad(vector, floatAt(row, lanesOf(unsigned(i))), Align(4));
          sum = b.CreateIntrinsic(Intrinsic::fma, {vector}, {splat, elements, sum});
        }
        return next;
      });
      for (auto [i, sum] : enumerate(state))
        b.CreateAlignedStore(sum, floatAt(floatAt(sums, place), lanesOf(unsigned(i))), Align(4));
    };
    // At least half of the remaining vectors contain positions.
    b.whileBefore(b.index(0), places, {}, [&](Value *place, ArrayRef<Value *>) -> Values {
      Value *rest = b.CreateSub(places, place);
      auto blocksOf = [&](unsigned vectors) -> Values {
        block(place, vectors);
        return {b.CreateAdd(place, lanesOf(vectors))};
      };
      return b.ifElse(
          b.CreateICmpSGT(rest, lanesOf(kVectorsOfPlane / 2)), [&] { return blocksOf(kVectorsOfPlane); },
          [&] {
            return b.ifElse(
                b.CreateICmpSGT(rest, lanesOf(1)), [&] { return blocksOf(kVectorsOfPlane / 2); },
                [&] { return blocksOf(1); });
          });
    });
  });
}

// Rows move to the front; the first one stays. The last vector of a row may write beyond it, and the next row
// overwrites these elements, unless one of them would be an element of the next row that has not moved.
void closeRows(CodeBuilder &b, Value *sums, Value *rows, Value *step, Value *begin, Value *end, Value *length,
               Value *places) {
  callShared(b, "windows.close", {sums, rows, step, begin, end, length, places}, [](CodeBuilder &b) {
    auto argument = [&](unsigned i) -> Value * { return b.function->getArg(i); };
    Value *begin = argument(3), *end = argument(4), *length = argument(5), *places = argument(6);
    const unsigned lanes = b.level.vectorBits / 32;
    Type *vector = withLanes(b.getFloatTy(), lanes);
    auto floatAt = [&](Value *pointer, Value *i) { return b.at(pointer, b.getFloatTy(), i); };
    b.loop(b.index(0), argument(1), b.index(1), [&](Value *i) {
      Value *from = floatAt(argument(0), b.CreateMul(i, argument(2)));
      Value *first = b.CreateURem(begin, length);
      b.whileBefore(begin, end, {b.index(0), first}, [&](Value *place, ArrayRef<Value *> carried) -> Values {
        Value *to = carried[0], *inRow = carried[1];
        Value *behind = b.CreateAdd(place, b.CreateSub(length, inRow));
        Value *count = b.min(b.CreateSub(places, inRow), b.CreateSub(end, place));
        count = b.max(count, b.index(0));
        Value *source = floatAt(from, b.CreateSub(place, begin)), *destination = floatAt(from, to);
        Value *whole = b.CreateAnd(count, b.index(-int64_t(lanes)));
        Value *rounded = b.CreateAnd(b.CreateAdd(count, b.index(lanes - 1)), b.index(-int64_t(lanes)));
        Value *nextRow = b.CreateSub(behind, begin), *isFree = b.CreateICmpSLE(b.CreateAdd(to, rounded), nextRow);
        auto move = [&](Value *at, Type *type) {
          Value *values = b.CreateAlignedLoad(type, floatAt(source, at), Align(4));
          b.CreateAlignedStore(values, floatAt(destination, at), Align(4));
        };
        b.ifThen(b.CreateICmpSLT(to, b.CreateSub(place, begin)), [&] {
          Value *byVectors = b.CreateSelect(isFree, rounded, whole);
          b.loop(b.index(0), byVectors, b.index(lanes), [&](Value *at) { move(at, vector); });
          b.loop(byVectors, count, b.index(1), [&](Value *at) { move(at, b.getFloatTy()); });
        });
        return {behind, b.CreateAdd(to, count), b.index(0)};
      });
    });
  });
}

} // namespace opc::cpu

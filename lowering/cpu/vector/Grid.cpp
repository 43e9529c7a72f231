#include "lowering/cpu/vector/Grid.h"

using namespace llvm;

namespace opc::cpu {

// Elements of a piece of short rows: its buffers stay in the first cache.
static constexpr int64_t kPiece = 4096;
// Rows up to here are short. Spreading an element along a row costs a store for each vector; beyond
// a few of them a row of its own costs less.
static constexpr int64_t kShortRow = 1024, kShortSpreadRow = 64;

bool Grid::isAlong(unsigned tensor, int loop) const {
  return is_contained(kernel.tensors[tensor].dims, loop);
}

Grid::Grid(CodeBuilder &b, FusedKernel &kernel, Frame &frame, unsigned wide)
    : b(b), kernel(kernel), frame(frame), wide(wide), n(frame.loopSize(1)) {
  for (unsigned i = 0; i < kernel.tensors.size(); ++i) {
    spreads |= isAlong(i, 0) && !isAlong(i, 1);
    // Buffers are written and read a vector further than they are filled.
    bool differs = isAlong(i, 0) != isAlong(i, 1);
    buffers.push_back(differs ? b.buffer(kernel.tensors[i].element.memory, kPiece + 2 * wide)
                              : nullptr);
  }
  isShort = b.CreateICmpSLE(n, b.index(spreads ? kShortSpreadRow : kShortRow));
}

// The first rows element by element until they are as long as a vector; the others are copies of
// what lies that far behind.
void Grid::repeat(Value *from, Value *to, Value *count, const Element &element) {
  Value *whole = b.CreateUDiv(b.index(int64_t(wide) - 1), n);
  Value *period = b.CreateMul(b.CreateAdd(whole, b.index(1)), n);
  Value *first = b.min(period, count);
  b.loop(b.index(0), first, n,
         [&](Value *i) { copyElements(b, from, b.at(to, element.memory, i), n, element); });
  Type *vector = withLanes(element.memory, wide);
  Align alignment(element.bytes);
  b.loop(first, count, b.index(wide), [&](Value *i) {
    Value *source = b.at(to, element.memory, b.CreateSub(i, period));
    b.CreateAlignedStore(b.CreateAlignedLoad(vector, source, alignment),
                         b.at(to, element.memory, i), alignment);
  });
}

void Grid::spread(Value *from, Value *to, Value *rows, const Element &element) {
  unsigned lanes = std::min(wide, 64 / element.bytes);
  Value *length = b.CreateSelect(isShort, n, b.index(wide));
  b.loop(b.index(0), rows, b.index(1), [&](Value *row) {
    Value *value =
        b.CreateAlignedLoad(element.memory, b.at(from, element.memory, row), Align(element.bytes));
    Value *vector = b.CreateVectorSplat(lanes, value);
    Value *start = b.at(to, element.memory, b.CreateMul(row, n));
    b.loop(b.index(0), length, b.index(lanes), [&](Value *i) {
      b.CreateAlignedStore(vector, b.at(start, element.memory, i), Align(element.bytes));
    });
  });
}

Operand Grid::operandOf(unsigned i, const Frame::Place &place, Value *rows, Value *startsBatch) {
  const Element &element = kernel.tensors[i].element;
  Operand operand;
  operand.pointer = frame.elementAt(i, place, 0);
  if (!buffers[i]) {
    if (!isAlong(i, 1) && !kernel.tensors[i].output)
      operand.scalar = load(b, operand.pointer, b.index(0), element, 0);
    return operand;
  }
  operand.isBuffer = true;
  if (!isAlong(i, 1)) {
    spread(operand.pointer, buffers[i], rows, element);
    operand.pointer = buffers[i];
    operand.mask = b.CreateSExt(isShort, b.getInt64Ty());
    return operand;
  }
  b.ifThen(b.CreateAnd(isShort, startsBatch), [&] {
    Value *most = b.min(frame.loopSize(0), b.CreateUDiv(b.index(kPiece), n));
    repeat(operand.pointer, buffers[i], b.CreateMul(most, n), element);
  });
  operand.pointer = b.CreateSelect(isShort, buffers[i], operand.pointer);
  return operand;
}

// A piece ends with its batch. Which batch it is goes along from piece to piece: divisions would
// cost as much as a short row.
void Grid::emit(Stretch stretch) {
  Value *m = frame.loopSize(0), *zero = b.index(0), *one = b.index(1);
  Value *most = b.CreateSelect(isShort, b.CreateUDiv(b.index(kPiece), n), one);
  // What is spread between two pieces waits for the streams of the first.
  Value *mayStream = spreads ? b.CreateNot(isShort) : b.getTrue();
  // The piece of the first item begins at a multiple of `most` rows of its batch.
  Value *row = b.CreateUDiv(frame.begin, n);
  Frame::Place first = frame.placeOf(row, m);
  Value *before = b.CreateURem(first.item, most);
  Values initial = {b.CreateSub(first.item, before)};
  if (first.outer)
    initial.append({first.outer, first.inner});
  Value *begin = b.CreateMul(b.CreateSub(row, before), n);
  auto turn = [&](Value *start, ArrayRef<Value *> carried) -> Values {
    Frame::Place place = {carried[0], nullptr, nullptr};
    Value *rows = most;
    if (first.outer)
      place = {carried[0], carried[1], carried[2]};
    rows = b.min(most, b.CreateSub(m, place.item));
    Value *length = b.CreateMul(rows, n);
    Value *from = b.max(b.CreateSub(frame.begin, start), zero);
    Value *to = b.min(b.CreateSub(frame.end, start), length);
    Value *starts = b.CreateOr(b.CreateICmpEQ(place.item, zero), b.CreateICmpEQ(start, begin));
    SmallVector<Operand> operands;
    for (unsigned i = 0; i < kernel.tensors.size(); ++i) {
      Operand operand = operandOf(i, place, rows, starts);
      Value *moved = operand.mask ? b.CreateAnd(from, operand.mask) : from;
      if (!operand.scalar)
        operand.pointer = b.at(operand.pointer, kernel.tensors[i].element.memory, moved);
      operands.push_back(operand);
    }
    stretch(operands, b.CreateSub(to, from), mayStream);

    Value *next = b.CreateAdd(place.item, rows);
    Values after = {b.CreateAdd(start, length), next};
    if (first.outer) {
      Value *ends = b.CreateICmpEQ(next, m);
      Value *inner = b.CreateAdd(place.inner, b.CreateZExt(ends, b.getInt64Ty()));
      Value *wraps = b.CreateICmpEQ(inner, frame.batch[1]);
      after = {after[0], b.CreateSelect(ends, zero, next),
               b.CreateAdd(place.outer, b.CreateZExt(wraps, b.getInt64Ty())),
               b.CreateSelect(wraps, zero, inner)};
    }
    return after;
  };
  b.whileBefore(begin, frame.end, initial, turn);
}

} // namespace opc::cpu

#include "lowering/cpu/vector/Grid.h"

using namespace llvm;

namespace opc::cpu {

// Elements of a piece of short rows: its buffers stay in the first cache.
static constexpr int64_t kPiece = 4096;
// Rows up to here are short. Spreading an element along a row costs a store for each vector; beyond
// a few of them a row of its own costs less.
static constexpr int64_t kShortRow = 1024, kShortSpreadRow = 128;

bool Grid::isAlong(unsigned tensor, int loop) const {
  return is_contained(kernel.tensors[tensor].dims, loop);
}

Grid::Grid(CodeBuilder &b, FusedKernel &kernel, Frame &frame, unsigned wide)
    : b(b), kernel(kernel), frame(frame), wide(wide), n(frame.loopSize(1)) {
  bool spreads = false;
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

// Pieces are numbered through all batches; none goes from one batch to the next.
void Grid::emit(Stretch stretch) {
  Value *m = frame.loopSize(0), *one = b.index(1);
  Value *most = b.CreateSelect(isShort, b.CreateUDiv(b.index(kPiece), n), one);
  Value *ofBatch = b.CreateAdd(b.CreateUDiv(b.CreateSub(m, one), most), one);
  auto pieceOf = [&](Value *item) {
    Value *row = b.CreateUDiv(item, n);
    Value *before = b.CreateMul(b.CreateUDiv(row, m), ofBatch);
    return b.CreateAdd(before, b.CreateUDiv(b.CreateURem(row, m), most));
  };
  Value *first = pieceOf(frame.begin);
  Value *end = b.CreateAdd(pieceOf(b.CreateSub(frame.end, one)), one);
  b.loop(first, end, one, [&](Value *piece) {
    Value *inBatch = b.CreateMul(b.CreateURem(piece, ofBatch), most);
    Value *row = b.CreateAdd(b.CreateMul(b.CreateUDiv(piece, ofBatch), m), inBatch);
    Value *rows = b.min(most, b.CreateSub(m, inBatch));
    Value *start = b.CreateMul(row, n);
    Value *from = b.max(b.CreateSub(frame.begin, start), b.index(0));
    Value *to = b.min(b.CreateSub(frame.end, start), b.CreateMul(rows, n));
    Value *startsBatch =
        b.CreateOr(b.CreateICmpEQ(inBatch, b.index(0)), b.CreateICmpEQ(piece, first));
    Frame::Place place = frame.placeOf(row, m);
    SmallVector<Operand> operands;
    for (unsigned i = 0; i < kernel.tensors.size(); ++i) {
      Operand operand = operandOf(i, place, rows, startsBatch);
      Value *moved = operand.mask ? b.CreateAnd(from, operand.mask) : from;
      if (!operand.scalar)
        operand.pointer = b.at(operand.pointer, kernel.tensors[i].element.memory, moved);
      operands.push_back(operand);
    }
    stretch(operands, b.CreateSub(to, from));
  });
}

} // namespace opc::cpu

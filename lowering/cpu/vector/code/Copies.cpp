#include "lowering/cpu/vector/code/Copies.h"

#include "lowering/cpu/vector/code/Memory.h"
#include "lowering/cpu/vector/code/Walk.h"

using namespace llvm;

namespace opc::cpu {

void callShared(CodeBuilder &b, StringRef name, ArrayRef<Value *> arguments, function_ref<void(CodeBuilder &)> emit) {
  Module &module = *b.function->getParent();
  Function *function = module.getFunction(name);
  if (!function) {
    SmallVector<Type *> types;
    for (Value *argument : arguments)
      types.push_back(argument->getType());
    auto *type = FunctionType::get(b.getVoidTy(), types, false);
    CodeBuilder inside(newFunction(module, name, type, b.level), b.level);
    emit(inside);
    inside.CreateRetVoid();
    function = inside.function;
  }
  b.CreateCall(function, arguments);
}

static constexpr StringLiteral kElementSizes = "opc.element_sizes";

void limitElementSizes(Module &module, ArrayRef<unsigned> sizes) {
  LLVMContext &context = module.getContext();
  NamedMDNode *list = module.getOrInsertNamedMetadata(kElementSizes);
  list->clearOperands();
  for (unsigned size : sizes)
    list->addOperand(
        MDNode::get(context, {ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), size))}));
}

static SmallVector<unsigned> elementSizes(CodeBuilder &b) {
  const NamedMDNode *list = b.function->getParent()->getNamedMetadata(kElementSizes);
  if (!list)
    return {1, 2, 4, 8};
  SmallVector<unsigned> sizes;
  for (const MDNode *size : list->operands())
    sizes.push_back(unsigned(mdconst::extract<ConstantInt>(size->getOperand(0))->getZExtValue()));
  return sizes;
}

static Value *byteAt(CodeBuilder &b, Value *pointer, Value *byte) {
  return b.at(pointer, b.getInt8Ty(), byte);
}

static void move(CodeBuilder &b, Type *type, Value *to, Value *from, Value *byte) {
  Value *value = b.CreateAlignedLoad(type, byteAt(b, from, byte), Align(1));
  b.CreateAlignedStore(value, byteAt(b, to, byte), Align(1));
}

// Copies vectors, then words, then bytes, and accesses no byte beyond the end. A vector that was copied as words could
// be loaded only after all of their stores have reached the cache.
void copyBytes(CodeBuilder &b, Value *to, Value *from, Value *bytes) {
  callShared(b, "copy", {to, from, bytes}, [](CodeBuilder &b) {
    Value *to = b.function->getArg(0), *from = b.function->getArg(1), *done = b.index(0);
    Value *bytes = b.function->getArg(2);
    for (unsigned size : {b.level.vectorBits / 8, 8u, 1u}) {
      Type *type = size > 8 ? withLanes(b.getInt64Ty(), size / 8) : b.getIntNTy(size * 8);
      Value *end = b.CreateAnd(bytes, b.index(-int64_t(size)));
      b.loop(done, end, b.index(size), [&](Value *i) { move(b, type, to, from, i); });
      done = end;
    }
  });
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

// The prefetcher of the hardware starts anew in each row, so that copyRows prefetches them as they are used: this
// number of bytes of rows ahead, within the caches and beyond. Rows from the last length on are prefetched within
// themselves.
static constexpr int64_t kRowsAhead = 1024, kStreamsAhead = 4096, kLongRow = 16384;
// Shorter rows lose by non-temporal stores, because most of their lines are lines at an end.
static constexpr int64_t kLeastStreamBytes = 256;
// A cache line, half of one, and the bytes of an iteration.
static constexpr unsigned kLine = 64, kHalf = 32, kTurn = 256;

Type *RowMover::typeOf(unsigned bytes) {
  return bytes > 8 ? withLanes(b.getInt64Ty(), bytes / 8) : b.getIntNTy(bytes * 8);
}

void RowMover::setValue(Value *scalar) {
  Value *splat = b.CreateVectorSplat(kLine / elementBytes, scalar);
  value = b.CreateBitCast(splat, withLanes(b.getInt8Ty(), kLine));
}

/// A vector or a number of `bytes` bytes of the row.
Value *RowMover::read(unsigned bytes, Value *i) {
  if (value)
    return b.CreateBitCast(lanesAt(b, value, 0, bytes), typeOf(bytes));
  return b.CreateAlignedLoad(typeOf(bytes), byteAt(b, from, i), Align(elementBytes));
}

Value *RowMover::element(Value *source) {
  from = source;
  return read(elementBytes, b.index(0));
}

void RowMover::put(unsigned bytes, Value *i) {
  b.CreateAlignedStore(read(bytes, i), byteAt(b, to, i), Align(elementBytes));
}

/// Moves `bytes` bytes from `i` on, fewer than `most`, which is a power of two. Two pieces of one size overlap.
void RowMover::moveFew(Value *i, Value *bytes, unsigned most) {
  if (most <= elementBytes)
    return;
  const unsigned half = most / 2;
  b.branch(
      b.CreateICmpSGE(bytes, b.index(half)),
      [&] {
        Value *last = b.CreateSub(b.CreateAdd(i, bytes), b.index(half));
        Value *first = read(half, i), *second = read(half, last);
        b.CreateAlignedStore(first, byteAt(b, to, i), Align(elementBytes));
        b.CreateAlignedStore(second, byteAt(b, to, last), Align(elementBytes));
      },
      [&] { moveFew(i, bytes, half); });
}

/// Prefetches as many bytes as an iteration moves.
void RowMover::ask(Value *i, unsigned bytes) {
  const Element byte{Element::Plain, b.getInt8Ty(), b.getInt8Ty(), 1};
  if (!value)
    prefetch(b, ahead, i, byte, std::max(bytes, 1u), 0);
}

/// Iterations of `turn` bytes as long as they fit.
void RowMover::each(Value *begin, Value *end, unsigned turn, function_ref<void(Value *)> move) {
  b.loop(begin, b.CreateSub(end, b.index(turn - 1)), b.index(turn), [&](Value *i) {
    ask(i, turn);
    move(i);
  });
}

/// The whole cache lines of a row from `begin` on, which is the first, `size` bytes at once.
void RowMover::lines(Value *begin, Value *bytes, unsigned size, bool streams) {
  const Element word{Element::Plain, b.getInt64Ty(), b.getInt64Ty(), 8};
  auto move = [&](unsigned count) {
    return [=](Value *i) {
      SmallVector<Value *> moved;
      auto placeOf = [&](unsigned number) { return b.CreateAdd(i, b.index(int64_t(number) * size)); };
      for (unsigned number = 0; number < count / size; ++number)
        moved.push_back(read(size, placeOf(number)));
      for (auto [number, vector] : enumerate(moved)) {
        Value *there = byteAt(b, to, placeOf(unsigned(number)));
        if (streams)
          stream(b, vector, there, b.index(0), word);
        else
          b.CreateAlignedStore(vector, there, Align(size));
      }
    };
  };
  each(begin, bytes, kTurn, move(kTurn));
  Value *turns = b.CreateAnd(b.CreateSub(bytes, begin), b.index(-int64_t(kTurn)));
  each(b.CreateAdd(begin, turns), bytes, kLine, move(kLine));
}

void RowMover::streaming(Value *bytes, Value *begin) {
  Value *zero = b.index(0), *rest = b.CreateAnd(b.CreateSub(bytes, begin), b.index(kLine - 1));
  auto part = [&](Value *i, Value *count) {
    b.ifThen(b.CreateICmpNE(count, zero), [&] {
      ask(i, 1);
      moveFew(i, count, kLine);
    });
  };
  part(zero, begin);
  lines(begin, bytes, b.level.vectorBits / 8, true);
  part(b.CreateSub(bytes, rest), rest);
}

/// A row of at least a line. Where it begins or ends inside of a line, halves of a line overlap the whole lines.
void RowMover::ordinary(Value *bytes, Value *begin) {
  const unsigned vectorBytes = b.level.vectorBits / 8;
  Value *zero = b.index(0), *rest = b.CreateAnd(b.CreateSub(bytes, begin), b.index(kLine - 1));
  b.ifThen(b.CreateICmpNE(begin, zero), [&] {
    put(kHalf, zero);
    put(kHalf, b.index(kHalf));
  });
  // At an odd address every load of 64 bytes touches two lines, and every second one of 32.
  if (vectorBytes > kHalf)
    b.branch(
        b.CreateICmpEQ(b.CreateAnd(b.CreatePtrToInt(byteAt(b, from, begin), b.getInt64Ty()), b.index(kLine - 1)), zero),
        [&] { lines(begin, bytes, vectorBytes, false); }, [&] { lines(begin, bytes, kHalf, false); });
  else
    lines(begin, bytes, vectorBytes, false);
  b.ifThen(b.CreateICmpNE(rest, zero), [&] {
    put(kHalf, b.CreateSub(bytes, b.index(kLine)));
    put(kHalf, b.CreateSub(bytes, b.index(kHalf)));
  });
}

Value *RowMover::mayStream(Value *stream, Value *bytes) {
  return b.level.streams ? b.CreateAnd(stream, b.CreateICmpSGE(bytes, b.index(kLeastStreamBytes))) : nullptr;
}

void RowMover::row(Value *row, Value *source, Value *sourceAhead, Value *bytes, Value *streams) {
  to = row, from = source, ahead = sourceAhead;
  // The bytes before the first whole line.
  Value *begin = b.CreateAnd(b.CreateNeg(b.CreatePtrToInt(to, b.getInt64Ty())), b.index(kLine - 1));
  auto withoutStreams = [&] {
    b.branch(
        b.CreateICmpSGE(bytes, b.index(kLine)), [&] { ordinary(bytes, begin); },
        [&] { moveFew(b.index(0), bytes, kLine); });
  };
  if (streams)
    b.branch(streams, [&] { streaming(bytes, begin); }, withoutStreams);
  else
    withoutStreams();
}

/// Rows of more than one element.
static void copyLongRows(CodeBuilder &b, Value *stream) {
  Value *toStep = b.function->getArg(1), *fromStep = b.function->getArg(3), *rowBytes = b.function->getArg(4);
  Value *rows = b.function->getArg(5), *one = b.index(1);
  RowMover mover(b, 1);
  Value *isLong = b.CreateICmpSGE(rowBytes, b.index(kLongRow)), *isOne = b.CreateICmpSLE(rows, one);
  Value *distance = b.index(kRowsAhead);
  if (stream)
    distance = b.CreateSelect(stream, b.index(kStreamsAhead), distance);
  Value *number = b.CreateUDiv(b.CreateAdd(rowBytes, b.CreateSub(distance, one)), b.max(rowBytes, one));
  Value *next = b.CreateSelect(isOne, b.index(0), b.CreateMul(number, fromStep));
  Value *ahead = b.CreateSelect(isLong, b.index(b.level.streamAhead), next);
  Value *streams = stream ? mover.mayStream(stream, rowBytes) : nullptr;
  b.loop(b.index(0), rows, one, {b.function->getArg(0), b.function->getArg(2)},
         [&](Value *, ArrayRef<Value *> at) -> Values {
           mover.row(at[0], at[1], byteAt(b, at[1], ahead), rowBytes, streams);
           return {byteAt(b, at[0], toStep), byteAt(b, at[1], fromStep)};
         });
}

void copyRows(CodeBuilder &b, Value *to, Value *toStep, Value *from, Value *fromStep, Value *rowBytes, Value *rows,
              Value *stream) {
  SmallVector<Value *> arguments = {to, toStep, from, fromStep, rowBytes, rows};
  if (stream)
    arguments.push_back(stream);
  callShared(b, stream ? "stream.rows" : "copy.rows", arguments, [&](CodeBuilder &b) {
    Value *to = b.function->getArg(0), *toStep = b.function->getArg(1), *from = b.function->getArg(2);
    Value *fromStep = b.function->getArg(3), *rowBytes = b.function->getArg(4), *rows = b.function->getArg(5);
    Value *isOther = b.getTrue();
    for (unsigned bytes : {1, 2, 4, 8}) {
      Value *isElement = b.CreateICmpEQ(rowBytes, b.index(bytes));
      isOther = b.CreateAnd(isOther, b.CreateNot(isElement));
      b.ifThen(isElement, [&] {
        b.loop(b.index(0), rows, b.index(1), {to, from}, [&](Value *, ArrayRef<Value *> at) -> Values {
          move(b, b.getIntNTy(bytes * 8), at[0], at[1], b.index(0));
          return {byteAt(b, at[0], toStep), byteAt(b, at[1], fromStep)};
        });
      });
    }
    b.ifThen(isOther, [&] { copyLongRows(b, stream ? b.function->getArg(6) : nullptr); });
  });
}

//===----------------------------------------------------------------------===//
// Repetitions
//===----------------------------------------------------------------------===//

// Copies rows one by one until they fill a step of the vector loop. The rest is copied from one period back.
void repeatBytes(CodeBuilder &b, Value *to, Value *from, Value *rowBytes, Value *bytes) {
  callShared(b, "repeat", {to, from, rowBytes, bytes}, [](CodeBuilder &b) {
    Value *to = b.function->getArg(0), *from = b.function->getArg(1);
    Value *rowBytes = b.function->getArg(2), *bytes = b.function->getArg(3);
    const int64_t turn = b.level.vectorBits / 8 * 2;
    Value *whole = b.CreateUDiv(b.index(turn - 1), rowBytes);
    Value *period = b.CreateMul(b.CreateAdd(whole, b.index(1)), rowBytes);
    Value *first = b.min(period, bytes);
    b.loop(b.index(0), first, rowBytes, [&](Value *i) { copyBytes(b, byteAt(b, to, i), from, rowBytes); });
    Type *vector = withLanes(b.getInt64Ty(), turn / 8);
    Value *behind = byteAt(b, to, b.CreateNeg(period));
    b.loop(first, bytes, b.index(turn), [&](Value *i) { move(b, vector, to, behind, i); });
  });
}

void spreadElements(CodeBuilder &b, Value *to, Value *from, Value *rows, Value *n, Value *elementBytes) {
  callShared(b, "spread", {to, from, rows, n, elementBytes}, [](CodeBuilder &b) {
    Value *to = b.function->getArg(0), *from = b.function->getArg(1);
    Value *rows = b.function->getArg(2), *n = b.function->getArg(3);
    constexpr unsigned kTurn = 64;
    for (unsigned bytes : elementSizes(b))
      b.ifThen(b.CreateICmpEQ(b.function->getArg(4), b.index(bytes)), [&] {
        Type *element = b.getIntNTy(bytes * 8);
        Value *length = b.CreateMul(n, b.index(bytes));
        b.loop(b.index(0), rows, b.index(1), [&](Value *row) {
          Value *value = b.CreateAlignedLoad(element, b.at(from, element, row), Align(bytes));
          Value *vector = b.CreateVectorSplat(kTurn / bytes, value);
          Value *start = byteAt(b, to, b.CreateMul(row, length));
          b.loop(b.index(0), length, b.index(kTurn),
                 [&](Value *i) { b.CreateAlignedStore(vector, byteAt(b, start, i), Align(bytes)); });
        });
      });
  });
}

//===----------------------------------------------------------------------===//
// Nests
//===----------------------------------------------------------------------===//

// Elements of the two innermost loops of a nest that are written one by one.
static constexpr int64_t kSmallChunk = 24;

namespace {

/// The body of fillNest. The counters of the two innermost loops are values, those of the others are in memory.
class NestFiller {
public:
  explicit NestFiller(CodeBuilder &b)
      : b(b), to(b.function->getArg(0)), from(b.function->getArg(1)), nest(b.function->getArg(2)),
        loops(b.function->getArg(3)), position(b.function->getArg(4)), count(b.function->getArg(5)),
        bytes(b.function->getArg(6)), trips(b.buffer(b.getInt64Ty(), described::kLaunchLoops)) {}

  void emit();

private:
  Value *get(Value *array, Value *i) {
    return b.CreateAlignedLoad(b.getInt64Ty(), b.at(array, b.getInt64Ty(), i), Align(8));
  }
  void setTrip(Value *loop, Value *trip) { b.CreateAlignedStore(trip, b.at(trips, b.getInt64Ty(), loop), Align(8)); }
  Value *size(Value *loop) { return get(nest, b.CreateShl(loop, 1)); }
  Value *step(Value *loop) { return get(nest, b.CreateAdd(b.CreateShl(loop, 1), b.index(1))); }
  Value *start();
  Value *afterRows(Value *offset);
  /// Advances after element `i` of the result: the next i, offset, column and row.
  Values turn(Value *i, Value *offset, Value *column, Value *row);
  Values rowsOf(Value *i, Value *offset, Value *column, Value *row);
  Values chunks(Value *i, Value *offset);
  void copyChunks(ArrayRef<Value *> arguments);

  CodeBuilder &b;
  Value *to, *from, *nest, *loops, *position, *count, *bytes, *trips;
  Value *n = nullptr, *m = nullptr, *alongN = nullptr, *stepM = nullptr; ///< of the two innermost loops
  Value *chunk = nullptr, *isSmall = nullptr; ///< elements of both loops; whether they are few, within a third loop
  Value *repeats = nullptr;                   ///< whether rows follow by repeatBytes or spread
};

} // namespace

// Computes the loop counters from the position. Returns its offset in elements.
Value *NestFiller::start() {
  auto turn = [&](Value *loop, ArrayRef<Value *> carried) -> Values {
    Value *of = size(loop), *trip = b.CreateURem(carried[0], of);
    setTrip(loop, trip);
    return {b.CreateUDiv(carried[0], of), b.CreateAdd(carried[1], b.CreateMul(trip, step(loop)))};
  };
  return b.loop(b.index(0), loops, b.index(1), {position, b.index(0)}, turn)[1];
}

// The next iteration of the loops around the two innermost. Returns its offset.
Value *NestFiller::afterRows(Value *offset) {
  Value *first = b.CreateSub(offset, b.CreateMul(m, stepM));
  auto turn = [&](Value *loop, ArrayRef<Value *> carried) -> Values {
    Value *trip = b.CreateAdd(get(trips, loop), b.index(1)), *ends = b.CreateICmpEQ(trip, size(loop));
    Value *next = b.CreateAdd(carried[0], step(loop));
    Value *back = b.CreateSelect(ends, b.CreateMul(trip, step(loop)), b.index(0));
    setTrip(loop, b.CreateSelect(ends, b.index(0), trip));
    return {b.CreateSelect(ends, b.CreateAdd(loop, b.index(1)), loops), b.CreateSub(next, back)};
  };
  return b.ifElse(
      b.CreateICmpSGT(loops, b.index(2)), [&] { return b.whileBefore(b.index(2), loops, {first}, turn); },
      [&]() -> Values { return {first}; })[0];
}

// Writes the two innermost loops, a few elements, for all remaining iterations of the third. Returns the results
// of `turn`.
Values NestFiller::chunks(Value *i, Value *offset) {
  Value *two = b.index(2), *left = b.CreateSub(count, i), *trip = get(trips, two), *stepK = step(two);
  Value *most = b.CreateSub(size(two), trip);
  Value *number = b.ifRarely(
      b.CreateICmpSGT(b.CreateMul(most, chunk), left), [&]() -> Values { return {b.CreateUDiv(left, chunk)}; },
      [&]() -> Values { return {most}; })[0];
  Value *there = byteAt(b, to, b.CreateMul(i, bytes)), *here = byteAt(b, from, b.CreateMul(offset, bytes));
  copyChunks({there, here, number, m, n, stepK, stepM, alongN, bytes});
  Value *before = b.CreateSub(number, b.index(1));
  setTrip(two, b.CreateAdd(trip, before));
  Value *last = b.CreateAdd(b.CreateAdd(offset, b.CreateMul(before, stepK)), b.CreateMul(m, stepM));
  return {b.CreateAdd(i, b.CreateMul(number, chunk)), afterRows(last), b.index(0), b.index(0)};
}

// to[0 ..] = from[k * stepK + row * stepM + column * stepN], element by element.
void NestFiller::copyChunks(ArrayRef<Value *> arguments) {
  callShared(b, "chunks", arguments, [](CodeBuilder &b) {
    auto argument = [&](unsigned i) { return b.function->getArg(i); };
    Value *zero = b.index(0), *one = b.index(1);
    for (unsigned bytes : elementSizes(b))
      b.ifThen(b.CreateICmpEQ(argument(8), b.index(bytes)), [&] {
        Type *element = b.getIntNTy(bytes * 8);
        auto copy = [&](Value *k, ArrayRef<Value *> written) {
          Value *first = b.at(argument(1), element, b.CreateMul(k, argument(5)));
          return b.loop(zero, argument(3), one, written, [&](Value *row, ArrayRef<Value *> written) {
            Value *start = b.at(first, element, b.CreateMul(row, argument(6)));
            return b.loop(zero, argument(4), one, written, [&](Value *column, ArrayRef<Value *> written) -> Values {
              Value *from = b.at(start, element, b.CreateMul(column, argument(7)));
              Value *value = b.CreateAlignedLoad(element, from, Align(bytes));
              b.CreateAlignedStore(value, b.at(argument(0), element, written[0]), Align(bytes));
              return {b.CreateAdd(written[0], one)};
            });
          });
        };
        b.loop(zero, argument(2), one, {zero}, copy);
      });
  });
}

// Writes as much as one call can from this position on.
Values NestFiller::turn(Value *i, Value *offset, Value *column, Value *row) {
  Value *starts = b.CreateICmpEQ(b.CreateOr(column, row), b.index(0));
  Value *fits = b.CreateICmpSLE(chunk, b.CreateSub(count, i));
  return b.ifElse(
      b.CreateAnd(isSmall, b.CreateAnd(starts, fits)), [&] { return chunks(i, offset); },
      [&] { return rowsOf(i, offset, column, row); });
}

// Writes all rows that one call can, or the part of a row at either end. Returns the results of `turn`.
Values NestFiller::rowsOf(Value *i, Value *offset, Value *column, Value *row) {
  Value *zero = b.index(0), *one = b.index(1), *left = b.CreateSub(count, i);
  Value *length = b.min(b.CreateSub(n, column), left), *isWhole = b.CreateICmpEQ(length, n);
  Value *following = b.CreateSelect(b.CreateAnd(isWhole, repeats), b.CreateSub(m, row), one);
  Value *rows = b.ifRarely(
      b.CreateICmpSGT(b.CreateMul(following, length), left), [&]() -> Values { return {b.CreateUDiv(left, length)}; },
      [&]() -> Values { return {following}; })[0];
  Value *there = byteAt(b, to, b.CreateMul(i, bytes)), *here = byteAt(b, from, b.CreateMul(offset, bytes));
  Value *written = b.CreateMul(rows, length), *spreads = b.CreateICmpEQ(alongN, zero);
  b.ifElse(
      spreads,
      [&]() -> Values {
        spreadElements(b, there, here, rows, length, bytes);
        return {};
      },
      [&]() -> Values {
        b.ifElse(
            b.CreateICmpEQ(alongN, one),
            [&]() -> Values {
              repeatBytes(b, there, here, b.CreateMul(length, bytes), b.CreateMul(written, bytes));
              return {};
            },
            [&]() -> Values {
              copyChunks({there, here, one, one, length, zero, zero, alongN, bytes});
              return {};
            });
        return {};
      });
  // Rows that end now; the last one may end later.
  Value *nextColumn = b.CreateAdd(column, length), *ends = b.CreateICmpEQ(nextColumn, n);
  Value *ended = b.CreateSelect(ends, rows, zero);
  Value *moved = b.CreateSub(b.CreateMul(ended, stepM), b.CreateSelect(ends, b.CreateMul(column, alongN), zero));
  moved = b.CreateAdd(moved, b.CreateSelect(ends, zero, b.CreateMul(length, alongN)));
  Value *nextOffset = b.CreateAdd(offset, moved), *nextRow = b.CreateAdd(row, ended);
  Values next = b.ifElse(
      b.CreateICmpEQ(nextRow, m), [&]() -> Values { return {afterRows(nextOffset), zero}; },
      [&]() -> Values { return {nextOffset, nextRow}; });
  return {b.CreateAdd(i, written), next[0], b.CreateSelect(ends, zero, nextColumn), next[1]};
}

void NestFiller::emit() {
  Value *zero = b.index(0), *one = b.index(1), *offset = start();
  Value *isNested = b.CreateICmpSGT(loops, one);
  Value *second = b.CreateSelect(isNested, one, zero);
  n = size(zero);
  alongN = step(zero);
  m = b.CreateSelect(isNested, size(second), one);
  stepM = b.CreateSelect(isNested, step(second), zero);
  Value *row = b.CreateSelect(isNested, get(trips, second), zero);
  chunk = b.CreateMul(m, n);
  isSmall = b.CreateAnd(b.CreateICmpSGT(loops, b.index(2)), b.CreateICmpSLE(chunk, b.index(kSmallChunk)));
  repeats = b.CreateICmpEQ(b.CreateAdd(alongN, stepM), one);
  repeats = b.CreateAnd(repeats, b.CreateICmpULE(stepM, one));
  b.whileBefore(zero, count, {offset, get(trips, zero), row}, [&](Value *i, ArrayRef<Value *> carried) -> Values {
    return turn(i, carried[0], carried[1], carried[2]);
  });
}

void fillNest(CodeBuilder &b, Value *to, Value *from, Value *nest, Value *loops, Value *position, Value *count,
              Value *elementBytes) {
  callShared(b, "fill_nest", {to, from, nest, loops, position, count, elementBytes},
             [](CodeBuilder &b) { NestFiller(b).emit(); });
}

} // namespace opc::cpu

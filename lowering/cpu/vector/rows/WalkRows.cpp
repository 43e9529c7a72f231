// The parts of the driver loop: one row, long rows, short rows (Walk.h). AnyRows.cpp has the part of the key `any`.

#include "lowering/cpu/vector/code/Copies.h"
#include "lowering/cpu/vector/rows/WalkParts.h"

using namespace llvm;

namespace opc::cpu {

// Elements in a piece of short rows; its buffers stay in the L1 cache.
static constexpr int64_t kPiece = 4096;
// The most bytes of one tensor in an iteration: as many lanes as four vectors have bytes, of the widest elements.
static constexpr int64_t kTurnBytes = 2048, kTurnElements = kTurnBytes / 8;
// The bytes of rows that are apart which are prefetched ahead, at least, and the longest of these rows. At both levels
// rows of 8 KiB were as fast with two and three rows ahead, and slower with one; so were rows of 2.7 KB. What is too
// far ahead leaves the L1 cache before it is read.
static constexpr int64_t kApartAhead = 8192, kLongestAhead = 32768;
// What is asked for beyond the last row of a batch is not read: at most one of 2^4 rows.
static constexpr unsigned kShareAhead = 4;

namespace {

/// Rows with fewer elements than an iteration: moving operands are copied to buffers, processed there, and copied back.
/// All rows that fit the buffers are processed as one row, unless a scalar operand differs from row to row.
class NarrowRows : Part {
public:
  using Part::Part;
  static Function *function(Module &module, const CpuLevel &level, unsigned tensors);

private:
  void emit();
  Value *moves(Value *t, Value *tensor);
};

/// All items form one row; no batches.
class Flat : RowsPart {
public:
  using RowsPart::RowsPart;
  void emit();
};

class LongRows : RowsPart {
public:
  using RowsPart::RowsPart;
  void emit();

private:
  void fillSteps();
  Value *aheadOf(Value *tensor, Value *step);
};

class ShortRows : RowsPart {
public:
  using RowsPart::RowsPart;
  void emit();

private:
  void fillBuffers();
  void prepare(Value *t, Value *tensor, const WalkPlace &place);

  Value *buffers = nullptr;                      ///< array
  Value *rows = nullptr, *repeated = nullptr;    ///< rows of this piece; rows in the buffers
  Value *startsBatch = nullptr, *from = nullptr; ///< whether this piece starts a batch; its first item in the range
};

} // namespace

//===----------------------------------------------------------------------===//
// Planes
//===----------------------------------------------------------------------===//

// Whether the plane takes a tensor as a moving operand.
Value *NarrowRows::moves(Value *t, Value *tensor) {
  Value *isShort = b.function->getArg(7), *still = b.function->getArg(8);
  Value *along = described.slotOf(tensor, described::AlongN);
  Value *alongRows = described.slotOf(tensor, described::AlongM);
  Value *mask = b.CreateSExt(isShort, b.getInt64Ty());
  Value *described = b.CreateIsNotNull(b.CreateOr(along, b.CreateAnd(alongRows, mask)));
  return b.CreateAnd(described, b.CreateICmpNE(t, still));
}

void NarrowRows::emit() {
  Value *steps = b.function->getArg(3), *plane = b.function->getArg(4);
  Value *rows = b.function->getArg(5), *count = b.function->getArg(6);
  Value *wide = described.slot(described::Wide), *zero = b.index(0), *one = b.index(1);
  Value *copies = b.buffer(b.getInt8Ty(), tensors * kTurnBytes), *inner = array();
  auto copyOf = [&](Value *t) { return byteAt(copies, b.CreateMul(t, b.index(kTurnBytes))); };
  auto stepOf = [&](Value *t) { return get(steps, t, b.getInt64Ty()); };
  auto rowOf = [&](Value *t, Value *row) {
    return byteAt(get(pointers, t, b.getPtrTy()), b.CreateMul(row, stepOf(t)));
  };
  // A division takes as long as a short row.
  Value *together = b.ifElse(
                         b.CreateICmpSLE(rows, one), [&]() -> Values { return {one}; },
                         [&]() -> Values { return {b.CreateUDiv(b.index(kTurnElements), b.max(count, one))}; })
                        .front();
  Values most = b.loop(zero, b.index(tensors), one, {together}, [&](Value *t, ArrayRef<Value *> carried) -> Values {
    Value *differs = b.CreateAnd(b.CreateNot(moves(t, described.tensor(t))), b.CreateIsNotNull(stepOf(t)));
    return {b.CreateSelect(differs, one, carried[0])};
  });
  b.loop(zero, rows, most[0], [&](Value *row) {
    Value *taken = b.min(most[0], b.CreateSub(rows, row)), *elements = b.CreateMul(taken, count);
    Value *length = b.max(elements, wide);
    // Whether rows are read or written in place. Kernels that may overwrite inputs have no dense rows here.
    auto inPlace = [&](Value *t, Value *bytes) {
      Value *isDense = b.CreateICmpEQ(stepOf(t), b.CreateMul(count, bytes));
      return b.CreateAnd(isDense, b.CreateICmpSGE(elements, wide));
    };
    auto copy = [&](Value *to, Value *toStep, Value *from, Value *fromStep, Value *rowBytes) {
      b.ifElse(
          b.CreateICmpEQ(taken, one),
          [&]() -> Values {
            copyBytes(b, to, from, rowBytes);
            return {};
          },
          [&]() -> Values {
            copyRows(b, to, toStep, from, fromStep, rowBytes, taken, nullptr);
            return {};
          });
    };
    auto buffered = [&](Value *t, Value *tensor) {
      return b.CreateAnd(moves(t, tensor), b.CreateNot(inPlace(t, described.slotOf(tensor, described::Bytes))));
    };
    eachTensor([&](Value *t, Value *tensor) {
      Value *bytes = described.slotOf(tensor, described::Bytes), *buffer = copyOf(t);
      Value *isBuffered = buffered(t, tensor);
      set(inner, t, b.CreateSelect(isBuffered, buffer, rowOf(t, row)));
      Value *input = b.CreateNot(isSet(tensor, described::Output));
      b.ifThen(b.CreateAnd(isBuffered, input), [&] {
        // Lanes beyond the end of the rows are computed and discarded.
        constexpr unsigned kLine = 64;
        b.ifThen(b.CreateICmpSLT(elements, wide), [&] {
          b.loop(zero, b.CreateMul(wide, bytes), b.index(kLine), [&](Value *i) {
            b.CreateAlignedStore(Constant::getNullValue(withLanes(b.getInt64Ty(), kLine / 8)), byteAt(buffer, i),
                                 Align(kLine));
          });
        });
        Value *rowBytes = b.CreateMul(count, bytes);
        copy(buffer, rowBytes, rowOf(t, row), stepOf(t), rowBytes);
      });
    });
    b.CreateCall(planeType(b.getContext()), plane, {inner, steps, one, length, b.getFalse(), tiling});
    eachTensor([&](Value *t, Value *tensor) {
      b.ifThen(b.CreateAnd(isSet(tensor, described::Output), buffered(t, tensor)), [&] {
        Value *rowBytes = b.CreateMul(count, described.slotOf(tensor, described::Bytes));
        copy(rowOf(t, row), stepOf(t), copyOf(t), rowBytes, rowBytes);
      });
    });
  });
}

Function *NarrowRows::function(Module &module, const CpuLevel &level, unsigned tensors) {
  std::string name = "narrow." + std::to_string(tensors);
  if (Function *known = module.getFunction(name))
    return known;
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context), *i64 = Type::getInt64Ty(context);
  auto *type =
      FunctionType::get(Type::getVoidTy(context),
                        {pointer, pointer, pointer, pointer, pointer, i64, i64, Type::getInt1Ty(context), i64}, false);
  CodeBuilder b(newFunction(module, name, type, level), level);
  NarrowRows(b, tensors).emit();
  b.CreateRetVoid();
  return b.function;
}

void RowsPart::callPlane(described::Slot which, Value *rows, Value *count, Value *stream) {
  callPlane(described.function(which), which == described::ShortPlane, rows, count, stream, b.index(-1));
}

// Whether the next call of a plane overwrites an input, which then begins where the output does. No kernel with several
// outputs may (mayOverwriteInputs in ops/contract/domain/ShapeKeys.h).
Value *RowsPart::overwrites() {
  Value *output = get(at, b.index(tensors - 1), b.getPtrTy()), *found = b.getFalse();
  for (unsigned t = 0; t + 1 < tensors; ++t)
    found = b.CreateOr(found, b.CreateICmpEQ(get(at, b.index(t), b.getPtrTy()), output));
  return found;
}

// A plane computes elements at the ends of a row twice. If it overwrites an input, it therefore takes whole iterations,
// and the rest of each row goes through buffers.
void RowsPart::callPlane(Value *plane, bool isShort, Value *rows, Value *count, Value *stream, Value *still) {
  Value *wide = described.slot(described::Wide), *isOver = overwrites();
  Value *isNarrow = b.CreateICmpSLT(count, wide);
  Value *whole = b.CreateSelect(isOver, b.CreateSub(count, b.CreateURem(count, wide)), count);
  whole = b.CreateSelect(isNarrow, b.index(0), whole);
  b.ifThen(b.CreateNot(isNarrow), [&] {
    Value *mayStream = b.CreateAnd(stream, b.CreateNot(isOver));
    b.CreateCall(planeType(b.getContext()), plane, {at, steps, rows, whole, mayStream, tiling});
  });
  b.ifThen(b.CreateICmpNE(whole, count), [&] {
    eachTensor([&](Value *t, Value *tensor) {
      Value *alongRows = b.CreateAnd(b.getInt1(isShort), isSet(tensor, described::AlongM));
      Value *moves = b.CreateOr(isSet(tensor, described::AlongN), alongRows);
      moves = b.CreateAnd(moves, b.CreateICmpNE(t, still));
      Value *bytes = b.CreateMul(whole, described.slotOf(tensor, described::Bytes));
      set(behind, t, byteAt(get(at, t, b.getPtrTy()), b.CreateSelect(moves, bytes, b.index(0))));
    });
    b.CreateCall(
        NarrowRows::function(*b.function->getParent(), b.level, tensors),
        {description, behind, tiling, steps, plane, rows, b.CreateSub(count, whole), b.getInt1(isShort), still});
  });
}

void Flat::emit() {
  eachTensor([&](Value *t, Value *tensor) {
    Value *first = b.CreateAnd(begin, described.slotOf(tensor, described::AlongN));
    Value *distance = b.CreateMul(first, described.slotOf(tensor, described::Bytes));
    set(at, t, byteAt(get(pointers, t, b.getPtrTy()), distance));
    setStep(t, b.index(0), described.slot(described::Ahead));
  });
  callPlane(described::LongPlane, b.index(1), b.CreateSub(end, begin), stream);
  b.CreateRetVoid();
}

//===----------------------------------------------------------------------===//
// Long rows
//===----------------------------------------------------------------------===//

// The prefetch distance of a tensor whose rows are `step` bytes apart. Rows that do not follow each other are
// prefetched rows ahead, at the same place of the row: the elements after the end of a row are not those that are read
// next.
Value *LongRows::aheadOf(Value *tensor, Value *step) {
  Value *row = b.CreateMul(b.max(n, b.index(1)), described.slotOf(tensor, described::Bytes));
  Value *isApart = b.CreateAnd(b.CreateICmpNE(step, row), b.CreateICmpNE(step, b.index(0)));
  isApart = b.CreateAnd(isApart, isSet(tensor, described::AlongN));
  isApart = b.CreateAnd(isApart, b.CreateICmpSLE(row, b.index(kLongestAhead)));
  Value *rows = b.CreateAdd(b.CreateUDiv(b.index(kApartAhead), row), b.index(1));
  rows = b.max(b.min(rows, b.CreateLShr(m, kShareAhead)), b.index(1));
  return b.CreateSelect(isApart, b.CreateMul(rows, step), described.slot(described::Ahead));
}

void LongRows::fillSteps() {
  eachTensor([&](Value *t, Value *tensor) {
    Value *elements = b.CreateAnd(described.rowDistance(tensor, n), described.slotOf(tensor, described::AlongM));
    Value *bytes = b.CreateMul(elements, described.slotOf(tensor, described::Bytes));
    setStep(t, bytes, aheadOf(tensor, bytes));
  });
}

void LongRows::emit() {
  fillSteps();
  Value *one = b.index(1), *zero = b.index(0), *endRow = b.CreateUDiv(end, n);
  Value *firstRow = b.CreateUDiv(begin, n);
  WalkPlace place = WalkPlace::of(b, firstRow, m, batch1);
  Values first = {firstRow, b.CreateURem(begin, n), place.item, place.outer, place.inner};
  auto turn = [&](Value *item, ArrayRef<Value *> carried) -> Values {
    Value *row = carried[0], *column = carried[1];
    WalkPlace place = {carried[2], carried[3], carried[4]};
    Value *isPart = b.CreateOr(b.CreateICmpNE(column, zero), b.CreateICmpEQ(row, endRow));
    Value *left = b.min(b.CreateSub(m, place.item), b.CreateSub(endRow, row));
    Value *rows = b.CreateSelect(isPart, one, left);
    Value *part = b.min(b.CreateSub(n, column), b.CreateSub(end, item));
    Value *count = b.CreateSelect(isPart, part, n);
    eachTensor([&](Value *t, Value *tensor) {
      Value *offset = offsetAt(b, described, tensor, place, n, column);
      set(at, t, byteAt(get(pointers, t, b.getPtrTy()), offset));
    });
    callPlane(described::LongPlane, rows, count, stream);
    // The next item starts a row, unless there is none left.
    WalkPlace next = place.after(b, rows, m, batch1);
    return {
        b.CreateAdd(item, b.CreateMul(rows, count)), b.CreateAdd(row, rows), zero, next.item, next.outer, next.inner};
  };
  b.whileBefore(begin, end, first, turn);
  b.CreateRetVoid();
}

//===----------------------------------------------------------------------===//
// Short rows
//===----------------------------------------------------------------------===//

// Allocates memory for repeated and spread operands.
void ShortRows::fillBuffers() {
  buffers = array();
  Value *zero = b.index(0);
  auto size = [&](Value *tensor) {
    Value *alongM = described.slotOf(tensor, described::AlongM);
    Value *differs = b.CreateXor(alongM, described.slotOf(tensor, described::AlongN));
    Value *piece = b.CreateMul(described.slotOf(tensor, described::Bytes), b.index(kPiece));
    return b.CreateAnd(b.CreateAdd(piece, b.index(kBehindCopies)), differs);
  };
  Values all = b.loop(zero, b.index(tensors), b.index(1), {zero}, [&](Value *t, ArrayRef<Value *> carried) -> Values {
    set(buffers, t, carried[0]);
    return {b.CreateAdd(carried[0], size(described.tensor(t)))};
  });
  AllocaInst *memory = b.CreateAlloca(b.getInt8Ty(), all[0]);
  memory->setAlignment(Align(64));
  eachTensor([&](Value *t, Value *) { set(buffers, t, byteAt(memory, get(buffers, t, b.getInt64Ty()))); });
}

// Prepares a piece of one tensor as one row.
void ShortRows::prepare(Value *t, Value *tensor, const WalkPlace &place) {
  Value *bytes = described.slotOf(tensor, described::Bytes);
  Value *alongM = isSet(tensor, described::AlongM), *alongN = isSet(tensor, described::AlongN);
  Value *source = byteAt(get(pointers, t, b.getPtrTy()), offsetAt(b, described, tensor, place, n, b.index(0)));
  Value *buffer = get(buffers, t, b.getPtrTy());
  b.ifThen(b.CreateAnd(b.CreateAnd(alongN, b.CreateNot(alongM)), startsBatch), [&] {
    Value *row = b.CreateMul(n, bytes);
    repeatBytes(b, buffer, source, row, b.CreateMul(repeated, row));
  });
  b.ifThen(b.CreateAnd(alongM, b.CreateNot(alongN)), [&] { spreadElements(b, buffer, source, rows, n, bytes); });
  Value *first = b.CreateSelect(b.CreateXor(alongM, alongN), buffer, source);
  Value *distance = b.CreateSelect(b.CreateOr(alongM, alongN), from, b.index(0));
  set(at, t, byteAt(first, b.CreateMul(distance, bytes)));
}

// A piece does not cross the end of its batch.
void ShortRows::emit() {
  fillBuffers();
  Value *zero = b.index(0), *most = b.CreateUDiv(b.index(kPiece), n);
  repeated = b.min(m, most);
  // Spreading between two pieces would wait for the non-temporal stores of the first.
  Value *mayStream = b.CreateAnd(stream, b.CreateICmpEQ(described.slot(described::Spreads), zero));
  // Buffers are in the cache and need no prefetch.
  eachTensor([&](Value *t, Value *tensor) {
    Value *buffered = b.CreateXor(isSet(tensor, described::AlongM), isSet(tensor, described::AlongN));
    setStep(t, zero, b.CreateSelect(buffered, zero, described.slot(described::Ahead)));
  });
  // The piece of the first item starts at a multiple of `most` rows of its batch.
  Value *row = b.CreateUDiv(begin, n);
  WalkPlace first = WalkPlace::of(b, row, m, batch1);
  Value *before = b.CreateURem(first.item, most);
  Value *start = b.CreateMul(b.CreateSub(row, before), n);
  auto turn = [&](Value *item, ArrayRef<Value *> carried) -> Values {
    WalkPlace place = {carried[0], carried[1], carried[2]};
    rows = b.min(most, b.CreateSub(m, place.item));
    Value *length = b.CreateMul(rows, n);
    from = b.max(b.CreateSub(begin, item), zero);
    Value *to = b.min(b.CreateSub(end, item), length);
    startsBatch = b.CreateOr(b.CreateICmpEQ(place.item, zero), b.CreateICmpEQ(item, start));
    eachTensor([&](Value *t, Value *tensor) { prepare(t, tensor, place); });
    callPlane(described::ShortPlane, b.index(1), b.CreateSub(to, from), mayStream);
    WalkPlace next = place.after(b, rows, m, batch1);
    return {b.CreateAdd(item, length), next.item, next.outer, next.inner};
  };
  b.whileBefore(start, end, {b.CreateSub(first.item, before), first.outer, first.inner}, turn);
  b.CreateRetVoid();
}

template <typename Rows> static void emit(CodeBuilder &b, unsigned tensors) {
  Rows(b, tensors).emit();
}

bool isSharedPart(StringRef name) {
  return any_of(ArrayRef<StringRef>{"long_rows.", "short_rows.", "walk_any.", "narrow.", "chunks", "sort."},
                [&](StringRef part) { return name.starts_with(part); });
}

Function *walkPart(Module &module, const CpuLevel &level, unsigned tensors, WalkPart part) {
  constexpr struct {
    StringLiteral name;
    void (*emit)(CodeBuilder &, unsigned);
  } kParts[] = {{"flat.", emit<Flat>},
                {"long_rows.", emit<LongRows>},
                {"short_rows.", emit<ShortRows>},
                {"any_rows.", emitAnyRows},
                {"across_rows.", emitAcrossRows}};
  const auto &made = kParts[unsigned(part)];
  std::string name = made.name.str() + std::to_string(tensors);
  if (Function *known = module.getFunction(name))
    return known;
  CodeBuilder b(newFunction(module, name, partType(module.getContext()), level), level);
  made.emit(b, tensors);
  return b.function;
}

} // namespace opc::cpu

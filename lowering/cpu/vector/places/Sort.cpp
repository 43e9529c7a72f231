// Kernels with te.sort: the first elements of lines of an input, in sorted order, and their indices.
//
//   for each line, and each piece of 4096 of its results (2048 of 64 bits):
//     choose    the least of the line's elements that follow what earlier pieces took, in order
//     compute   one call of a plane for a piece along n, which reads the chosen elements and their places from buffers;
//               along m one call with a row for each of them
//
// An element and its index form one 64-bit integer, a **rank**: the element mapped to a signed integer of the same
// order, its **key**, then the index; elements of 64 bits have ranks of 128. All ranks of a line differ, so any way to
// find the smallest ones is stable. Choosing passes over a line once, for any length, with memory of a fixed size:
//
//   best     the k least ranks so far, in order: at first the first k of the line
//   filter   32 elements are compared with the last of the best at once; few pass, after the beginning of a line
//   pending  what passed, until it is as many as k: sorted then, and merged with the best. Few best ones (kInserted)
//            take what passed one by one instead
//
// Of a long line with many results a sample is sorted first, and the filter begins with the key below which some more
// elements than k are expected. Without it, the last of the best is far from the end at first, and several times k
// elements pass. If fewer than k were below, the line is passed over again, without a sample.
//
// K results take a pass for each piece. This is quadratic for sorts of whole long lines, but needs only memory on
// the stack: a kernel has no other.

#include "dialect/te/TeOps.h"
#include "lowering/cpu/vector/VectorKernels.h"
#include "lowering/cpu/vector/code/Walk.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace opc::cpu {

// The number of elements that are compared at once, and the maximum number of best ranks for insertion.
constexpr int64_t kChunk = 32, kInserted = 24;
// The minimum number of ranks that are sorted together; a power of two.
constexpr int64_t kLeastPending = 64;
// The elements of a sample, a power of two; the number of results from which on it is worth sorting, and the elements
// of a line for each of them.
constexpr int64_t kSample = 256, kLeastSampled = 128, kSampledElements = 4;

namespace {
/// Ranks, whose upper half is a key.
struct Ranks {
  unsigned keyBits; ///< 32, or 64 for elements of 64 bits

  explicit Ranks(const Element &element) : keyBits(element.bytes == 8 ? 64 : 32) {}
  Type *keyType(CodeBuilder &b) const { return b.getIntNTy(keyBits); }
  Type *type(CodeBuilder &b) const { return b.getIntNTy(2 * keyBits); }
  Value *greatest(CodeBuilder &b) const { return ConstantInt::get(type(b), APInt::getSignedMaxValue(2 * keyBits)); }
  Value *least(CodeBuilder &b) const { return ConstantInt::get(type(b), APInt::getSignedMinValue(2 * keyBits)); }
  Value *keyOf(CodeBuilder &b, Value *rank) const { return b.CreateTrunc(b.CreateAShr(rank, keyBits), keyType(b)); }
  std::string suffix() const { return keyBits == 64 ? ".wide" : ""; }
  /// The number of results of a piece; a buffer takes as many bytes for either.
  int64_t piece() const { return keyBits == 64 ? 2048 : 4096; }
  /// Ranks of a buffer: one before the first, and a last one after.
  int64_t room() const { return piece() + 16; }

  Value *at(CodeBuilder &b, Value *ranks, Value *i) const {
    return b.CreateAlignedLoad(type(b), b.at(ranks, type(b), i), Align(8));
  }
  void set(CodeBuilder &b, Value *ranks, Value *i, Value *rank) const {
    b.CreateAlignedStore(rank, b.at(ranks, type(b), i), Align(8));
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Ranks in order
//===----------------------------------------------------------------------===//

/// ptr sort(ranks, scratch, count): sorts count ranks, a power of two of at least 8; returns the address of the sorted
/// ranks, which is one of the two.
static Function *sortOf(Module &module, const CpuLevel &level, const Ranks &kind) {
  const std::string name = "sort.ranks" + kind.suffix();
  if (Function *known = module.getFunction(name))
    return known;
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context), *i64 = Type::getInt64Ty(context);
  Function *function = newFunction(module, name, FunctionType::get(pointer, {pointer, pointer, i64}, false), level);
  CodeBuilder b(function, level);
  Value *ranks = function->getArg(0), *count = function->getArg(2);
  // Batcher's network of eight.
  static constexpr int kNetwork[][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3}, {4, 6}, {5, 7}, {1, 2}, {5, 6},
                                        {0, 4}, {1, 5}, {2, 6}, {3, 7}, {2, 4}, {3, 5}, {1, 2}, {3, 4}, {5, 6}};
  b.loop(b.index(0), count, b.index(8), [&](Value *i) {
    Value *own[8];
    for (int lane = 0; lane < 8; ++lane)
      own[lane] = kind.at(b, ranks, b.CreateAdd(i, b.index(lane)));
    for (auto [low, high] : kNetwork) {
      Value *less = b.min(own[low], own[high]);
      own[high] = b.max(own[low], own[high]);
      own[low] = less;
    }
    for (int lane = 0; lane < 8; ++lane)
      kind.set(b, ranks, b.CreateAdd(i, b.index(lane)), own[lane]);
  });
  // Two runs of one length are merged from both ends, with as many ranks from the front as from the back, so that no
  // run ends early.
  Values last = b.loop(b.index(3), b.CreateBinaryIntrinsic(Intrinsic::cttz, count, b.getTrue()), b.index(1),
                       {ranks, function->getArg(1)}, [&](Value *exponent, ArrayRef<Value *> buffers) -> Values {
                         Value *from = buffers[0], *to = buffers[1], *width = b.CreateShl(b.index(1), exponent),
                               *one = b.index(1);
                         b.loop(b.index(0), count, b.CreateShl(width, 1), [&](Value *begin) {
                           Value *middle = b.CreateAdd(begin, width), *end = b.CreateAdd(middle, width);
                           Values starts = {begin, middle, b.CreateSub(middle, one), b.CreateSub(end, one)};
                           b.loop(b.index(0), width, one, starts, [&](Value *i, ArrayRef<Value *> at) -> Values {
                             Value *a = kind.at(b, from, at[0]), *c = kind.at(b, from, at[1]);
                             Value *first = b.CreateICmpSLT(a, c);
                             kind.set(b, to, b.CreateAdd(begin, i), b.CreateSelect(first, a, c));
                             Value *d = kind.at(b, from, at[2]), *e = kind.at(b, from, at[3]);
                             Value *later = b.CreateICmpSGT(d, e);
                             kind.set(b, to, b.CreateSub(b.CreateSub(end, one), i), b.CreateSelect(later, d, e));
                             auto step = [&](Value *taken) { return b.CreateZExt(taken, b.getInt64Ty()); };
                             return {b.CreateAdd(at[0], step(first)), b.CreateAdd(at[1], step(b.CreateNot(first))),
                                     b.CreateSub(at[2], step(later)), b.CreateSub(at[3], step(b.CreateNot(later)))};
                           });
                         });
                         return {to, from};
                       });
  b.CreateRet(last.front());
  return function;
}

/// void merge(best, pending, to, k): the k least ranks of two lists in order. The first has k ranks, and the greatest
/// rank follows the last one of the second. Of two greatest ranks that of the first is taken, whose end is never
/// passed.
static Function *mergeOf(Module &module, const CpuLevel &level, const Ranks &kind) {
  const std::string name = "sort.merge" + kind.suffix();
  if (Function *known = module.getFunction(name))
    return known;
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context), *i64 = Type::getInt64Ty(context);
  auto *type = FunctionType::get(Type::getVoidTy(context), {pointer, pointer, pointer, i64}, false);
  Function *function = newFunction(module, name, type, level);
  CodeBuilder b(function, level);
  Value *zero = b.index(0);
  b.loop(zero, function->getArg(3), b.index(1), {zero, zero}, [&](Value *i, ArrayRef<Value *> at) -> Values {
    Value *a = kind.at(b, function->getArg(0), at[0]), *c = kind.at(b, function->getArg(1), at[1]);
    Value *first = b.CreateICmpSLE(a, c);
    kind.set(b, function->getArg(2), i, b.CreateSelect(first, a, c));
    return {b.CreateAdd(at[0], b.CreateZExt(first, i64)), b.CreateAdd(at[1], b.CreateZExt(b.CreateNot(first), i64))};
  });
  b.CreateRetVoid();
  return function;
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

namespace {

/// void choose(line, step, n, k, from, to, buffers): the k least ranks, of at least `from`, of a line of n elements
/// `step` apart, into `to`, in order; the line has at least k. k is from 1 to a piece. `to` and each of three
/// buffers have the room of one.
class Chooser {
public:
  Chooser(Module &module, const CpuLevel &level, const Element &element, bool isUnsigned, bool descending,
          const Twine &name)
      : module(module), element(element), kind(element), isUnsigned(isUnsigned), descending(descending),
        function(newFunction(module, name, typeOf(module.getContext(), kind), level)), b(function, level) {}

  Function *emit();

private:
  static FunctionType *typeOf(LLVMContext &context, const Ranks &kind) {
    Type *pointer = PointerType::getUnqual(context), *i64 = Type::getInt64Ty(context);
    Type *rank = Type::getIntNTy(context, 2 * kind.keyBits);
    return FunctionType::get(Type::getVoidTy(context), {pointer, i64, i64, i64, rank, pointer, pointer}, false);
  }
  Value *keyOf(Value *value);
  Value *keyAt(Value *i) { return keyOf(load(b, line, b.CreateMul(i, step), element, 0)); }
  Value *rankOf(Value *key, Value *place);
  void take(Value *rank);
  void insert(Value *rank);
  void flush();
  void setLimit(Value *rank);
  void begin(Value *first, Value *second);
  Value *beginWithFirst();
  Value *beginWithSample();
  void passOver(Value *begin, Value *piece);
  Value *get(Value *slot, Type *type) { return b.CreateAlignedLoad(type, slot, Align(8)); }

  Module &module;
  const Element &element;
  const Ranks kind;
  bool isUnsigned, descending;
  Function *function;
  CodeBuilder b;
  Value *line = nullptr, *step = nullptr, *n = nullptr, *k = nullptr, *from = nullptr;
  Value *pending = nullptr, *scratch = nullptr, *most = nullptr;
  /// The best ranks and their other buffer, the number of pending ranks, and the key below which elements pass.
  Value *best = nullptr, *other = nullptr, *waiting = nullptr, *limit = nullptr;
};

} // namespace

/// Maps elements to signed integers of the same order.
Value *Chooser::keyOf(Value *value) {
  Type *lanes = withLanes(kind.keyType(b), lanesOf(value->getType()));
  Value *key = nullptr;
  if (value->getType()->isFPOrFPVectorTy()) {
    // -0 becomes 0. Bits of negative numbers have the reverse order.
    Value *bits = b.CreateBitCast(b.CreateFAdd(value, ConstantFP::get(value->getType(), 0.0)), lanes);
    key = b.CreateXor(bits, b.CreateLShr(b.CreateAShr(bits, kind.keyBits - 1), 1));
    Value *last = ConstantInt::get(lanes, APInt::getSignedMaxValue(kind.keyBits));
    key = b.CreateSelect(b.CreateFCmpUNO(value, value), last, key);
  } else {
    key = isUnsigned ? b.CreateZExt(value, lanes) : b.CreateSExt(value, lanes);
    if (isUnsigned && element.bytes * 8 == kind.keyBits)
      key = b.CreateXor(key, ConstantInt::get(lanes, APInt::getSignedMinValue(kind.keyBits)));
  }
  return descending ? b.CreateNot(key) : key;
}

Value *Chooser::rankOf(Value *key, Value *place) {
  return b.CreateOr(b.CreateShl(b.CreateSExt(key, kind.type(b)), kind.keyBits), b.CreateZExt(place, kind.type(b)));
}

void Chooser::setLimit(Value *rank) {
  b.CreateAlignedStore(kind.keyOf(b, rank), limit, Align(8));
}

/// Inserts a rank into the best ones. The smallest possible rank precedes the first of them.
void Chooser::insert(Value *rank) {
  Value *ranks = get(best, b.getPtrTy()), *zero = b.index(0), *last = b.CreateSub(k, b.index(1));
  // From the end, greater ranks move up.
  Values found = b.whileBefore(zero, b.index(1), {last}, [&](Value *, ArrayRef<Value *> at) -> Values {
    Value *before = kind.at(b, ranks, b.CreateSub(at[0], b.index(1)));
    Value *moves = b.CreateICmpSGT(before, rank);
    kind.set(b, ranks, at[0], b.CreateSelect(moves, before, rank));
    return {b.CreateZExt(b.CreateNot(moves), b.getInt64Ty()), b.CreateSub(at[0], b.index(1))};
  });
  setLimit(kind.at(b, ranks, last));
}

/// Merges the pending ranks with the best.
void Chooser::flush() {
  Value *count = get(waiting, b.getInt64Ty()), *one = b.index(1);
  // The next power of two.
  Value *least = b.max(count, b.index(8));
  Value *length = b.CreateShl(
      one, b.CreateSub(b.index(64), b.CreateBinaryIntrinsic(Intrinsic::ctlz, b.CreateSub(least, one), b.getFalse())));
  b.loop(count, length, one, [&](Value *i) { kind.set(b, pending, i, kind.greatest(b)); });
  Value *sorted = b.CreateCall(sortOf(module, b.level, kind), {pending, scratch, length});
  kind.set(b, sorted, length, kind.greatest(b));
  Value *now = get(best, b.getPtrTy()), *next = get(other, b.getPtrTy());
  b.CreateCall(mergeOf(module, b.level, kind), {now, sorted, next, k});
  b.CreateAlignedStore(next, best, Align(8));
  b.CreateAlignedStore(now, other, Align(8));
  b.CreateAlignedStore(b.index(0), waiting, Align(8));
  setLimit(kind.at(b, next, b.CreateSub(k, one)));
}

/// Adds a rank whose key is below the limit.
void Chooser::take(Value *rank) {
  b.ifThen(b.CreateICmpSGE(rank, from), [&] {
    b.ifElse(
        b.CreateICmpSLE(k, b.index(kInserted)),
        [&]() -> Values {
          // The limit may have decreased since the comparison.
          Value *last = kind.at(b, get(best, b.getPtrTy()), b.CreateSub(k, b.index(1)));
          b.ifThen(b.CreateICmpSLT(rank, last), [&] { insert(rank); });
          return {};
        },
        [&]() -> Values {
          Value *count = get(waiting, b.getInt64Ty());
          kind.set(b, pending, count, rank);
          Value *more = b.CreateAdd(count, b.index(1));
          b.CreateAlignedStore(more, waiting, Align(8));
          b.ifThen(b.CreateICmpEQ(more, most), [&] { flush(); });
          return {};
        });
  });
}

/// Makes all best ranks the greatest rank. Nothing is pending.
void Chooser::begin(Value *first, Value *second) {
  b.loop(b.index(0), k, b.index(1), [&](Value *i) { kind.set(b, first, i, kind.greatest(b)); });
  for (Value *ranks : {first, second})
    kind.set(b, ranks, b.index(-1), kind.least(b));
  b.CreateAlignedStore(first, best, Align(8));
  b.CreateAlignedStore(second, other, Align(8));
  b.CreateAlignedStore(b.index(0), waiting, Align(8));
}

/// Takes the first k ranks that follow the taken ones. Returns the next element of the line.
Value *Chooser::beginWithFirst() {
  Value *zero = b.index(0);
  Values begun = b.whileBefore(zero, n, {zero, zero}, [&](Value *i, ArrayRef<Value *> carried) -> Values {
    Value *rank = rankOf(keyAt(i), i);
    kind.set(b, pending, carried[0], rank);
    Value *count = b.CreateAdd(carried[0], b.CreateZExt(b.CreateICmpSGE(rank, from), b.getInt64Ty()));
    Value *next = b.CreateAdd(i, b.index(1));
    return {b.CreateSelect(b.CreateICmpEQ(count, k), n, next), count, next};
  });
  b.CreateAlignedStore(begun[0], waiting, Align(8));
  flush();
  return begun[1];
}

/// Sets the limit to a key that is expected to have more than k elements below it. With e expected elements of the
/// sample among the k least, at most e + e / 4 + 5 are, but for one sample in a hundred. Returns the first element of
/// the line.
Value *Chooser::beginWithSample() {
  Value *zero = b.index(0), *size = b.index(kSample), *distance = b.CreateUDiv(n, size);
  b.loop(zero, size, b.index(1), [&](Value *i) {
    Value *at = b.CreateMul(i, distance);
    kind.set(b, pending, i, rankOf(keyAt(at), at));
  });
  Value *sorted = b.CreateCall(sortOf(module, b.level, kind), {pending, scratch, size});
  Value *expected = b.CreateUDiv(b.CreateMul(k, size), n);
  Value *number = b.CreateAdd(b.CreateAdd(expected, b.CreateLShr(expected, 2)), b.index(5));
  setLimit(kind.at(b, sorted, number));
  return zero;
}

/// Takes what passes the limit from an element of the line on.
void Chooser::passOver(Value *begin, Value *piece) {
  Type *i32 = b.getInt32Ty();
  Value *zero = b.index(0), *one = b.index(1), *chunk = b.index(kChunk);
  Value *whole = b.CreateMul(b.CreateUDiv(b.CreateSub(n, begin), chunk), chunk), *end = b.CreateAdd(begin, whole);
  Value *fromKey = b.CreateVectorSplat(kChunk, kind.keyOf(b, from));
  Value *isDense = b.CreateICmpEQ(step, one);
  b.loop(begin, end, chunk, [&](Value *i) {
    Values place = b.ifElse(
        isDense, [&]() -> Values { return {b.at(line, element.memory, i)}; },
        [&]() -> Values {
          b.loop(zero, chunk, one, [&](Value *lane) {
            Value *at = b.at(line, element.memory, b.CreateMul(b.CreateAdd(i, lane), step));
            Value *value = b.CreateAlignedLoad(element.memory, at, Align(element.bytes));
            b.CreateAlignedStore(value, b.at(piece, element.memory, lane), Align(element.bytes));
          });
          return {piece};
        });
    Value *keys = keyOf(load(b, place.front(), zero, element, kChunk));
    Value *below = b.CreateICmpSLT(keys, b.CreateVectorSplat(kChunk, get(limit, kind.keyType(b))));
    below = b.CreateAnd(below, b.CreateICmpSGE(keys, fromKey));
    Value *mask = b.CreateBitCast(below, i32);
    Value *hits = b.CreateZExt(b.CreateUnaryIntrinsic(Intrinsic::ctpop, mask), b.getInt64Ty());
    b.loop(zero, hits, one, {mask}, [&](Value *, ArrayRef<Value *> left) -> Values {
      Value *lane = b.CreateBinaryIntrinsic(Intrinsic::cttz, left[0], b.getTrue());
      Value *at = b.CreateAdd(i, b.CreateZExt(lane, b.getInt64Ty()));
      take(rankOf(keyAt(at), at));
      return {b.CreateAnd(left[0], b.CreateSub(left[0], b.getInt32(1)))};
    });
  });
  b.loop(end, n, one, [&](Value *i) {
    Value *key = keyAt(i);
    b.ifThen(b.CreateICmpSLT(key, get(limit, kind.keyType(b))), [&] { take(rankOf(key, i)); });
  });
}

Function *Chooser::emit() {
  line = function->getArg(0), step = function->getArg(1), n = function->getArg(2), k = function->getArg(3);
  from = function->getArg(4);
  Value *to = function->getArg(5), *zero = b.index(0), *one = b.index(1);
  auto buffer = [&](Value *first, int64_t number) {
    return b.at(first, kind.type(b), b.index(number * kind.room() + 1));
  };
  Value *first = buffer(function->getArg(6), 0);
  pending = buffer(function->getArg(6), 1);
  scratch = buffer(function->getArg(6), 2);
  best = b.buffer(b.getPtrTy(), 1), other = b.buffer(b.getPtrTy(), 1), waiting = b.buffer(b.getInt64Ty(), 1);
  limit = b.buffer(kind.keyType(b), 1);
  Value *piece = b.buffer(element.memory, kChunk);
  Value *bits = b.CreateSub(
      b.index(64), b.CreateBinaryIntrinsic(Intrinsic::ctlz, b.CreateSub(b.max(k, b.index(2)), one), b.getFalse()));
  most = b.max(b.CreateShl(one, bits), b.index(kLeastPending));

  // What earlier pieces took would be in the sample.
  Value *isSampled = b.CreateAnd(b.CreateICmpSGE(k, b.index(kLeastSampled)),
                                 b.CreateICmpSGE(n, b.CreateMul(k, b.index(kSampledElements))));
  isSampled = b.CreateAnd(isSampled, b.CreateICmpEQ(from, kind.least(b)));
  auto turn = [&](Value *attempt, ArrayRef<Value *>) -> Values {
    begin(first, b.at(to, kind.type(b), one));
    Value *start = b.ifElse(
                        b.CreateAnd(isSampled, b.CreateICmpEQ(attempt, zero)),
                        [&]() -> Values { return {beginWithSample()}; }, [&]() -> Values { return {beginWithFirst()}; })
                       .front();
    passOver(start, piece);
    b.ifThen(b.CreateICmpNE(get(waiting, b.getInt64Ty()), zero), [&] { flush(); });
    Value *last = kind.at(b, get(best, b.getPtrTy()), b.CreateSub(k, one));
    return {b.CreateSelect(b.CreateICmpEQ(last, kind.greatest(b)), b.CreateAdd(attempt, one), b.index(2))};
  };
  b.whileBefore(zero, b.index(2), {}, turn);
  // The best ranks end up in one of two buffers.
  Value *ranks = get(best, b.getPtrTy());
  b.loop(zero, k, one, [&](Value *i) { kind.set(b, to, i, kind.at(b, ranks, i)); });
  b.CreateRetVoid();
  return function;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {

class SortKernel {
public:
  SortKernel(CodeBuilder &b, FusedKernel &kernel, Frame &frame, const RowPlanes &planes, unsigned sorted,
             Function *choose)
      : b(b), kernel(kernel), frame(frame), planes(planes), sorted(sorted), choose(choose) {}

  void emit();

private:
  Value *startOf(unsigned tensor, const Frame::Place &place, Value *position);
  void compute(const Frame::Place &place, Value *begin, Value *count);

  CodeBuilder &b;
  FusedKernel &kernel;
  Frame &frame;
  const RowPlanes &planes;
  unsigned sorted; ///< the tensor whose lines are sorted
  Function *choose;
  Value *pointers = nullptr, *steps = nullptr, *values = nullptr, *places = nullptr;
};

} // namespace

/// The element of a tensor at an item, and at a position along the loop of the results.
Value *SortKernel::startOf(unsigned tensor, const Frame::Place &place, Value *position) {
  const bool alongN = kernel.scanned == 1;
  Value *row = alongN ? place.item : position, *column = alongN ? position : place.item, *offset = b.index(0);
  if (kernel.isAlong(tensor, 0))
    offset = b.CreateMul(row, frame.rowDistance(tensor));
  if (kernel.isAlong(tensor, 1))
    offset = b.CreateAdd(offset, tensor == sorted ? b.CreateMul(column, frame.columnDistance(tensor)) : column);
  if (place.outer) {
    offset = b.CreateAdd(offset, b.CreateMul(place.outer, frame.batchStride(tensor, 0)));
    offset = b.CreateAdd(offset, b.CreateMul(place.inner, frame.batchStride(tensor, 1)));
  }
  return b.at(frame.tensor(tensor), kernel.tensors[tensor].element.memory, offset);
}

/// Calls a plane for `count` results of a line, from `begin` on.
void SortKernel::compute(const Frame::Place &place, Value *begin, Value *count) {
  auto set = [&](unsigned i, Value *value) {
    b.CreateAlignedStore(value, b.CreateConstInBoundsGEP1_64(b.getPtrTy(), pointers, i), Align(8));
  };
  for (unsigned i = 0; i < kernel.tensors.size(); ++i)
    set(i, i == sorted ? values : startOf(i, place, begin));
  set(unsigned(kernel.tensors.size()), places);
  Value *one = b.index(1);
  if (kernel.scanned == 0) {
    b.CreateCall(planes.narrow, {pointers, steps, count, one, b.getFalse(), frame.tilingData()});
    return;
  }
  Value *arguments[] = {pointers, steps, one, count, b.getFalse(), frame.tilingData()};
  b.ifElse(
      b.CreateICmpSGE(count, b.index(planes.lanes)),
      [&]() -> Values {
        b.CreateCall(planes.wide, arguments);
        return {};
      },
      [&]() -> Values {
        b.CreateCall(planes.narrow, arguments);
        return {};
      });
}

void SortKernel::emit() {
  const auto tensors = unsigned(kernel.tensors.size());
  const Element &element = kernel.tensors[sorted].element;
  const Ranks kind(element);
  Type *i64 = b.getInt64Ty(), *i32 = b.getInt32Ty();
  Value *zero = b.index(0), *one = b.index(1);
  pointers = b.buffer(b.getPtrTy(), tensors + 1);
  steps = b.buffer(i64, 2 * tensors + 1);
  values = b.buffer(element.memory, kind.piece());
  places = b.buffer(i32, kind.piece());
  Value *ranks = b.buffer(kind.type(b), kind.room()), *buffers = b.buffer(kind.type(b), 3 * kind.room());
  // Bytes between rows, which are the results of a line along m; those of its elements and places are in buffers.
  for (unsigned i = 0; i <= 2 * tensors; ++i) {
    Value *bytes = zero;
    if (kernel.scanned == 0 && i < tensors && kernel.isAlong(i, 0))
      bytes = i == sorted ? b.index(element.bytes)
                          : b.CreateMul(frame.rowDistance(i), b.index(kernel.tensors[i].element.bytes));
    if (kernel.scanned == 0 && i == 2 * tensors)
      bytes = b.index(4);
    b.CreateAlignedStore(bytes, b.CreateConstInBoundsGEP1_64(i64, steps, i), Align(8));
  }
  Value *n = frame.places(sorted), *step = frame.placeDistance(sorted), *k = frame.loopSize(kernel.scanned);
  Value *lines = b.max(frame.loopSize(kernel.itemLoop()), one);
  b.loop(frame.begin, frame.end, one, [&](Value *item) {
    const Frame::Place place = frame.placeOf(item, lines);
    Value *line = startOf(sorted, place, zero);
    b.loop(zero, k, b.index(kind.piece()), {kind.least(b)}, [&](Value *begin, ArrayRef<Value *> from) -> Values {
      Value *count = b.min(b.CreateSub(k, begin), b.index(kind.piece()));
      b.CreateCall(choose, {line, step, n, count, from[0], ranks, buffers});
      b.loop(zero, count, one, [&](Value *i) {
        Value *at = b.CreateTrunc(kind.at(b, ranks, i), i32);
        b.CreateAlignedStore(at, b.at(places, i32, i), Align(4));
        Value *own = b.at(line, element.memory, b.CreateMul(b.CreateZExt(at, i64), step));
        b.CreateAlignedStore(b.CreateAlignedLoad(element.memory, own, Align(element.bytes)),
                             b.at(values, element.memory, i), Align(element.bytes));
      });
      compute(place, begin, count);
      return {b.CreateAdd(kind.at(b, ranks, b.CreateSub(count, one)), ConstantInt::get(kind.type(b), 1))};
    });
  });
}

bool emitSort(Module &module, CodeBuilder &b, FusedKernel &kernel, Frame &frame, ArrayRef<KernelField> fields) {
  const RowPlanes planes(module, kernel, fields, b.level);
  const auto sorted = unsigned(find_if(kernel.tensors, [](const KernelTensor &tensor) { return tensor.sorted; }) -
                               kernel.tensors.begin());
  auto sort = mlir::cast<te::SortOp>(kernel.scans.front());
  Function *choose = Chooser(module, b.level, kernel.tensors[sorted].element, sort.getIsUnsigned(),
                             sort.getDescending(), "choose." + kernel.name + "." + b.level.shortName)
                         .emit();
  SortKernel(b, kernel, frame, planes, sorted, choose).emit();
  return true;
}

} // namespace opc::cpu

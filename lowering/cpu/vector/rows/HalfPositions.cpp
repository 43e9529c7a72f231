#include "lowering/cpu/vector/rows/HalfPositions.h"

using namespace llvm;

namespace opc::cpu {

// Registers of an iteration, in rows that have as many.
static constexpr unsigned kRegisters = 4;
// Iterations are counted in 16 bits. A longer row is searched in parts.
static constexpr int64_t kIterations = 1 << 15;
static constexpr uint64_t kSign = 0x8000;
// Bytes of a tensor that is mostly in the cache of a core, and the prefetch distances in it and beyond.
static constexpr int64_t kMostNear = 4 << 20, kNearReadAhead = 4096, kFarReadAhead = 12288;

HalfPositions::HalfPositions(RowSweeps &rows, unsigned tensor, bool isMax, bool isFirst)
    : rows(rows), b(rows.b), tensor(tensor), isMax(isMax), isFirst(isFirst), lanes(b.level.vectorBits / 16),
      raw(rows.kernel.tensors[tensor].element), infinityBits(raw.kind == Element::BFloat ? 0x7f80 : 0x7c00) {
  raw.kind = Element::Plain;
  raw.computed = raw.memory;
}

Value *HalfPositions::number(uint64_t bits, unsigned lanes) {
  return ConstantInt::get(withLanes(b.getInt16Ty(), lanes), bits);
}

/// Pairs of registers, level by level.
Value *HalfPositions::combined(Intrinsic::ID id, ArrayRef<Value *> registers) {
  if (registers.size() == 1)
    return registers.front();
  const size_t half = registers.size() / 2;
  return b.CreateBinaryIntrinsic(id, combined(id, registers.take_front(half)),
                                 combined(id, registers.drop_front(half)));
}

/// Of the largest element in signed order and the smallest one in unsigned order, both with the sign that the maximum
/// needs.
Value *HalfPositions::keyOf(Value *largest, Value *smallest) {
  const unsigned count = lanesOf(largest->getType());
  Value *allSigned = b.CreateICmpSLT(largest, number(0, count));
  return b.CreateSelect(allSigned, b.CreateSub(number(kSign, count), smallest), largest);
}

/// The best key of each lane, the iteration that it is from, what shows a NaN with a sign, and the current iteration.
Values HalfPositions::initial() {
  Value *zero = number(0, lanes);
  return {number(kSign, lanes), zero, number(isMax ? 0 : kSign, lanes), zero};
}

/// The largest in signed order, with the sign that the maximum needs.
Value *HalfPositions::largestOf(ArrayRef<Value *> registers) {
  Value *largest = combined(isMax ? Intrinsic::smax : Intrinsic::umax, registers);
  return isMax ? largest : b.CreateXor(largest, number(kSign, lanes));
}

/// With `isAboveZero` the key of the extreme is known to be.
Values HalfPositions::step(ArrayRef<Value *> registers, ArrayRef<Value *> carried, bool isAboveZero) {
  const Intrinsic::ID seenId = isMax ? Intrinsic::umax : Intrinsic::smax;
  Value *seen = b.CreateBinaryIntrinsic(seenId, carried[2], combined(seenId, registers));
  Value *key = largestOf(registers);
  if (!isAboveZero) {
    Value *smallest = combined(isMax ? Intrinsic::umin : Intrinsic::smin, registers);
    key = keyOf(key, isMax ? smallest : b.CreateXor(smallest, number(kSign, lanes)));
  }
  Value *taken = isFirst ? b.CreateICmpSGT(key, carried[0]) : b.CreateICmpSGE(key, carried[0]);
  return {b.CreateBinaryIntrinsic(Intrinsic::smax, carried[0], key), b.CreateSelect(taken, carried[3], carried[1]),
          seen, b.CreateAdd(carried[3], number(1, lanes))};
}

// The best key of all lanes (i16), and the first (last) of the iterations that lanes have it from (i64). A key and its
// iteration are one number of 32 bits, the key above, so one maximum across lanes finds both: at the end of a row each
// operation waits for the one before.
std::pair<Value *, Value *> HalfPositions::acrossLanes(ArrayRef<Value *> swept) {
  Value *order = isFirst ? b.CreateNot(swept[1]) : swept[1];
  Value *pairs = b.CreateBinaryIntrinsic(Intrinsic::smax, pairsOf(order, swept[0], 0), pairsOf(order, swept[0], 4));
  Value *pair = b.CreateIntMaxReduce(pairs, /*IsSigned=*/true);
  Value *iteration = b.CreateAnd(isFirst ? b.CreateNot(pair) : pair, b.getInt32(0xffff));
  return {b.CreateTrunc(b.CreateLShr(pair, 16), b.getInt16Ty()), b.CreateZExt(iteration, b.getInt64Ty())};
}

// Of elements from position `first` (i64) on, those of the best iteration, the position that has the best key; of
// `row`'s lanes if it is not null. `seen` shows a NaN with a sign.
Values HalfPositions::search(Value *best, Value *seen, bool isAboveZero, Value *first, Value *elements, Value *row) {
  // An element has the key if its bits are these; of a zero the sign is left out.
  Value *bitsOfBest = best, *mask = nullptr;
  if (!isAboveZero)
    bitsOfBest = b.CreateSelect(b.CreateICmpSLT(best, number(0, 0)), b.CreateSub(number(kSign, 0), best), best);
  if (!isMax)
    bitsOfBest = b.CreateXor(bitsOfBest, number(kSign, 0));
  if (!isAboveZero) {
    mask = b.CreateSelect(b.CreateICmpEQ(best, number(0, 0)), number(kSign - 1, 0), number(0xffff, 0));
    bitsOfBest = b.CreateAnd(bitsOfBest, mask);
  }
  const unsigned wide = lanesOf(elements->getType());
  if (mask)
    elements = b.CreateAnd(elements, b.CreateVectorSplat(wide, mask));
  Value *found = b.CreateICmpEQ(elements, b.CreateVectorSplat(wide, bitsOfBest));
  if (row)
    found = b.CreateAnd(found, row);
  Value *bits = b.CreateBitCast(found, b.getIntNTy(wide));
  Value *zeros = b.CreateBinaryIntrinsic(isFirst ? Intrinsic::cttz : Intrinsic::ctlz, bits, b.getFalse());
  Value *lane = b.CreateZExtOrTrunc(zeros, b.getInt32Ty());
  if (!isFirst)
    lane = b.CreateSub(b.getInt32(wide - 1), lane);
  seen = isMax ? seen : b.CreateXor(seen, number(kSign, lanes));
  Value *isNaN = b.CreateOr(b.CreateICmpSGT(best, number(infinityBits, 0)),
                            b.anyLane(b.CreateICmpUGT(seen, number(kSign | infinityBits, lanes))));
  return {best, b.CreateAdd(b.CreateTrunc(first, b.getInt32Ty()), lane), isNaN};
}

/// Elements of both as numbers of 32 bits: of each 16 bytes the four from the element `first` on.
Value *HalfPositions::pairsOf(Value *low, Value *high, unsigned first) {
  SmallVector<int> order;
  for (unsigned block = 0; block < lanes; block += 8)
    for (unsigned i = block + first; i < block + first + 4; ++i)
      order.append({int(i), int(lanes + i)});
  return b.CreateBitCast(b.CreateShuffleVector(low, high, order), withLanes(b.getInt32Ty(), lanes / 2));
}

/// Some registers of elements from `first` on.
Values HalfPositions::load(Value *first, unsigned registers) {
  Values elements;
  for (unsigned at = 0; at < registers * lanes; at += lanes)
    elements.push_back(cpu::load(b, rows.pointers[tensor], b.CreateAdd(first, b.index(at)), raw, lanes));
  return elements;
}

/// The key, the position and whether there is a NaN, of elements `begin` to before `end`. The last iteration starts
/// earlier so that it ends with the range: elements that count twice change no extreme. Those before the range are
/// elements of the part before, whose key is no better.
Values HalfPositions::ofPart(Value *begin, Value *end, unsigned registers) {
  const unsigned wide = registers * lanes;
  Value *pointer = rows.pointers[tensor], *last = b.CreateSub(end, b.index(wide));
  Value *isNear = b.CreateICmpSLE(rows.frame.elementsOf(tensor), b.index(kMostNear / raw.bytes));
  Value *distance = b.CreateSelect(isNear, b.index(kNearReadAhead / raw.bytes), b.index(kFarReadAhead / raw.bytes));
  Value *ahead = b.at(pointer, raw.memory, distance);
  auto sweep = [&](bool isAboveZero) {
    auto body = [&](Value *i, ArrayRef<Value *> carried) {
      if (registers == kRegisters)
        prefetch(b, ahead, i, raw, wide, 0);
      return step(load(i, registers), carried, isAboveZero);
    };
    return body(last, b.loop(begin, last, b.index(wide), initial(), body));
  };
  auto find = [&](bool isAboveZero) {
    Values swept = sweep(isAboveZero);
    auto [best, iteration] = acrossLanes(swept);
    Value *first = b.min(b.CreateAdd(begin, b.CreateMul(iteration, b.index(wide))), last);
    return search(best, swept[2], isAboveZero, first, cpu::load(b, pointer, first, raw, wide));
  };
  if (registers != kRegisters)
    return find(false);
  Value *isAboveZero = b.anyLane(b.CreateICmpSGT(largestOf(load(b.min(begin, last), registers)), number(0, lanes)));
  return b.ifElse(isAboveZero, [&] { return find(true); }, [&] { return find(false); });
}

/// Rows of at least an iteration.
Values HalfPositions::inParts(Value *n) {
  Value *part = b.index(kIterations * kRegisters * lanes);
  return b.loop(b.index(0), n, part, {number(kSign, 0), b.getInt32(0), b.getFalse()},
                [&](Value *begin, ArrayRef<Value *> carried) -> Values {
                  Values own = ofPart(begin, b.min(b.CreateAdd(begin, part), n), kRegisters);
                  Value *taken = isFirst ? b.CreateICmpSGT(own[0], carried[0]) : b.CreateICmpSGE(own[0], carried[0]);
                  return {b.CreateSelect(taken, own[0], carried[0]), b.CreateSelect(taken, own[1], carried[1]),
                          b.CreateOr(own[2], carried[2])};
                });
}

/// Rows shorter than a register: the other lanes are the infinity that is never better.
Values HalfPositions::inRegister(Value *n) {
  Value *row = b.lanesBefore(lanes, n);
  Value *value = loadPart(b, rows.pointers[tensor], b.index(0), n, raw, lanes);
  value = b.CreateSelect(row, value, number(isMax ? kSign | infinityBits : infinityBits, lanes));
  Values swept = step({value}, initial());
  Value *best = b.CreateIntMaxReduce(swept[0], /*IsSigned=*/true);
  return search(best, swept[2], /*isAboveZero=*/false, b.index(0), value, row);
}

HalfPositions::Found HalfPositions::emit() {
  Value *n = rows.frame.loopSize(rows.innerLoop);
  Values found = b.ifElse(
      b.CreateICmpSGE(n, b.index(kRegisters * lanes)), [&] { return inParts(n); },
      [&] {
        return b.ifElse(
            b.CreateICmpSGE(n, b.index(lanes)), [&] { return ofPart(b.index(0), n, 1); },
            [&] { return inRegister(n); });
      });
  return {found[1], found[2]};
}

} // namespace opc::cpu

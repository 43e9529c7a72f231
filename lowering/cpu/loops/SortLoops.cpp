// Sorts by descending score. Each pair is written to its rank in the result, so the loops need no tile of their own.
// NaN comes after all numbers, and equal scores keep their order.

#include "lowering/cpu/loops/Lanes.h"
#include "lowering/cpu/loops/LoopEmitter.h"
#include "runtime/program/opc_kernel_library.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace opc::cpu {

/// Whether score x comes before score y regardless of their positions (i1); both in f32.
static Value isBefore(ImplicitLocOpBuilder &b, Value x, Value y) {
  Value greater = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, x, y);
  Value number = arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, x, x);
  Value none = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, y, y);
  return arith::OrIOp::create(b, greater, arith::AndIOp::create(b, number, none));
}

/// The elements of a pair in order: score, zero padding, index.
static SmallVector<Value> pairOf(ImplicitLocOpBuilder &b, Value score, Value index) {
  if (score.getType().isF32())
    return {score, arith::BitcastOp::create(b, b.getF32Type(), index)};
  Type half = score.getType(), word = b.getI16Type();
  auto part = [&](Value bits) -> Value {
    return arith::BitcastOp::create(b, half, arith::TruncIOp::create(b, word, bits));
  };
  Value high = arith::ShRUIOp::create(b, index, integerConstant(b, b.getI32Type(), 16));
  return {score, floatConstant(b, half, 0), part(index), part(high)};
}

// The rank of a pair in its group is the number of pairs that come before it.
void LoopEmitter::sortGroups(ArrayRef<FlatView> sources, const FlatView &destination) {
  const FlatView &scores = sources[0], &indices = sources[1];
  const ResultLength length = resultLength(IntrinsicForm::Sort, scores.type, GatherPattern::All);
  Value count = scores.columns();
  Value ok = math.both(rowInside(b, scores, count), rowInside(b, indices, count));
  ok = math.both(ok, sameLength(count, indices.columns()));
  ok = math.both(ok, hasRoom(destination, lengthOf(length, count)));
  ok = math.both(ok, math.isMultiple(count, kSortElements));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);
  Value groupSize = math.of(kSortElements);
  forEach(count, [&](Value i) {
    Value inGroup = math.rest(i, groupSize);
    Value group = math.subtract(i, inGroup);
    Value own = widened(scores, i);
    auto loop = scf::ForOp::create(b, math.of(0), groupSize, math.of(1), ValueRange{group});
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      Value j = loop.getInductionVar(), place = loop.getRegionIterArg(0);
      Value other = widened(scores, math.add(group, j));
      Value equal = arith::XOrIOp::create(b, isBefore(b, own, other), arith::ConstantIntOp::create(b, 1, 1));
      Value earlier = math.isBelow(j, inGroup);
      Value before = math.either(isBefore(b, other, own), math.both(equal, earlier));
      Value next = math.add(place, 1);
      scf::YieldOp::create(b, ValueRange{math.select(before, next, place)});
    }
    Value first = math.multiply(loop.getResult(0), length.factor);
    SmallVector<Value> pair = pairOf(b, loadAt(b, scores, scores.offset, i), loadAt(b, indices, indices.offset, i));
    for (auto [k, value] : llvm::enumerate(pair))
      storeAt(b, value, destination, destination.offset, math.add(first, k));
  });
}

// Takes the largest of the lists' heads until no list has any left. For a list that has ended, the first element of
// its root is read but not taken.
void LoopEmitter::mergeLists(ArrayRef<FlatView> lists, const FlatView &destination) {
  const int64_t elements = countUnit(IntrinsicForm::Merge, destination.type);
  Value total = math.of(0), ok = arith::ConstantIntOp::create(b, 1, 1);
  for (const FlatView &list : lists) {
    ok = math.both(ok, rowInside(b, list, list.columns()));
    ok = math.both(ok, math.isMultiple(list.columns(), elements));
    total = math.add(total, list.columns());
  }
  ok = math.both(ok, hasRoom(destination, total));
  total = guarded(ok, total, OPC_KERNEL_OUTSIDE_TILE);

  SmallVector<Value> heads(lists.size(), math.of(0));
  auto loop = scf::ForOp::create(b, math.of(0), total, math.of(elements), heads);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value best, bestScore, found;
  for (auto [number, list] : llvm::enumerate(lists)) {
    Value head = loop.getRegionIterArg(number);
    Value left = math.isBelow(head, list.columns());
    Value place = math.select(left, math.add(list.offset, head), math.of(0));
    Value score = widen(b, loadAt(b, list, place, math.of(0)), list.type);
    if (!best) {
      best = math.of(0);
      bestScore = score;
      found = left;
      continue;
    }
    Value none = arith::XOrIOp::create(b, found, arith::ConstantIntOp::create(b, 1, 1));
    Value wins = math.either(none, isBefore(b, score, bestScore));
    Value take = math.both(left, wins);
    best = math.select(take, math.of(number), best);
    bestScore = math.select(take, score, bestScore);
    found = math.either(found, left);
  }
  SmallVector<Value> next;
  for (auto [number, list] : llvm::enumerate(lists)) {
    Value head = loop.getRegionIterArg(number);
    Value taken = math.isEqual(best, math.of(number));
    ifTrue(taken, [&, &list = list] {
      for (int64_t k = 0; k < elements; ++k) {
        Value value = loadAt(b, list, list.offset, math.add(head, k));
        storeAt(b, value, destination, destination.offset, math.add(loop.getInductionVar(), k));
      }
    });
    Value after = math.add(head, elements);
    next.push_back(math.select(taken, after, head));
  }
  scf::YieldOp::create(b, next);
}

} // namespace opc::cpu

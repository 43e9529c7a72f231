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
void LoopEmitter::sortGroups(ArrayRef<TileView> sources, const TileView &destination) {
  const TileView &scores = sources[0], &indices = sources[1];
  const ResultLength length = resultLength(IntrinsicForm::Sort, scores.type, GatherPattern::All);
  Value count = scores.columns();
  Value ok = b.createOrFold<arith::AndIOp>(rowInside(b, scores, count), rowInside(b, indices, count));
  ok = b.createOrFold<arith::AndIOp>(ok, sameLength(count, indices.columns()));
  ok = b.createOrFold<arith::AndIOp>(ok, hasRoom(destination, lengthOf(length, count)));
  ok = b.createOrFold<arith::AndIOp>(ok, isMultiple(count, kSortElements));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);
  Value groupSize = index(kSortElements);
  forEach(count, [&](Value i) {
    Value inGroup = arith::RemUIOp::create(b, i, groupSize);
    Value group = arith::SubIOp::create(b, i, inGroup);
    Value own = widened(scores, i);
    auto loop = scf::ForOp::create(b, index(0), groupSize, index(1), ValueRange{group});
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      Value j = loop.getInductionVar(), place = loop.getRegionIterArg(0);
      Value other = widened(scores, arith::AddIOp::create(b, group, j));
      Value equal = arith::XOrIOp::create(b, isBefore(b, own, other), arith::ConstantIntOp::create(b, 1, 1));
      Value earlier = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, j, inGroup);
      Value before = arith::OrIOp::create(b, isBefore(b, other, own), arith::AndIOp::create(b, equal, earlier));
      Value next = arith::AddIOp::create(b, place, index(1));
      scf::YieldOp::create(b, ValueRange{arith::SelectOp::create(b, before, next, place)});
    }
    Value first = arith::MulIOp::create(b, loop.getResult(0), index(length.factor));
    SmallVector<Value> pair = pairOf(b, loadAt(b, scores, scores.offset, i), loadAt(b, indices, indices.offset, i));
    for (auto [k, value] : llvm::enumerate(pair))
      storeAt(b, value, destination, destination.offset, arith::AddIOp::create(b, first, index(k)));
  });
}

// Takes the largest of the lists' heads until no list has any left. For a list that has ended, the first element of
// its root is read but not taken.
void LoopEmitter::mergeLists(ArrayRef<TileView> lists, const TileView &destination) {
  const int64_t elements = countUnit(IntrinsicForm::Merge, destination.type);
  Value total = index(0), ok = arith::ConstantIntOp::create(b, 1, 1);
  for (const TileView &list : lists) {
    ok = b.createOrFold<arith::AndIOp>(ok, rowInside(b, list, list.columns()));
    ok = b.createOrFold<arith::AndIOp>(ok, isMultiple(list.columns(), elements));
    total = b.createOrFold<arith::AddIOp>(total, list.columns());
  }
  ok = b.createOrFold<arith::AndIOp>(ok, hasRoom(destination, total));
  total = guarded(ok, total, OPC_KERNEL_OUTSIDE_TILE);

  SmallVector<Value> heads(lists.size(), index(0));
  auto loop = scf::ForOp::create(b, index(0), total, index(elements), heads);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value best, bestScore, found;
  for (auto [number, list] : llvm::enumerate(lists)) {
    Value head = loop.getRegionIterArg(number);
    Value left = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, head, list.columns());
    Value place = arith::SelectOp::create(b, left, arith::AddIOp::create(b, list.offset, head), index(0));
    Value score = widen(b, loadAt(b, list, place, index(0)), list.type);
    if (!best) {
      best = index(0);
      bestScore = score;
      found = left;
      continue;
    }
    Value none = arith::XOrIOp::create(b, found, arith::ConstantIntOp::create(b, 1, 1));
    Value wins = arith::OrIOp::create(b, none, isBefore(b, score, bestScore));
    Value take = arith::AndIOp::create(b, left, wins);
    best = arith::SelectOp::create(b, take, index(number), best);
    bestScore = arith::SelectOp::create(b, take, score, bestScore);
    found = arith::OrIOp::create(b, found, left);
  }
  SmallVector<Value> next;
  for (auto [number, list] : llvm::enumerate(lists)) {
    Value head = loop.getRegionIterArg(number);
    Value taken = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, best, index(number));
    ifTrue(taken, [&, &list = list] {
      for (int64_t k = 0; k < elements; ++k) {
        Value value = loadAt(b, list, list.offset, arith::AddIOp::create(b, head, index(k)));
        storeAt(b, value, destination, destination.offset, arith::AddIOp::create(b, loop.getInductionVar(), index(k)));
      }
    });
    Value after = arith::AddIOp::create(b, head, index(elements));
    next.push_back(arith::SelectOp::create(b, taken, after, head));
  }
  scf::YieldOp::create(b, next);
}

} // namespace opc::cpu

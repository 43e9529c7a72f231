#include "lowering/cpu/vector/rows/Positions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace llvm;
namespace arith = mlir::arith;

namespace opc::cpu {

static bool isExtreme(mlir::Operation *combiner) {
  return mlir::isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
                   arith::MinUIOp>(combiner);
}

static bool isMaximum(mlir::Operation *combiner) {
  return mlir::isa<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(combiner);
}

bool PositionsForm::applies() {
  if (!rows.locates || rows.hasOuter || rows.reductions.size() != 2 || rows.sweeps != 2)
    return false;
  for (const Reduction &reduction : rows.reductions) {
    if (reduction.results() != 1 || !isExtreme(reduction.combiners.front()))
      return false;
    (rows.sweepOf(reduction.result(0)) == 1 ? extreme : position) = &reduction;
  }
  if (!extreme || !position || any_of(rows.kernel.stored, [&](mlir::Value value) { return rows.isElement(value); }))
    return false;
  // Nothing else needs the extreme, whose zero may have either sign.
  if (!extreme->result(0).hasOneUse())
    return false;
  // The position is that of the extreme among the same elements: the generic reads nothing else.
  mlir::linalg::GenericOp of = extreme->op, op = position->op;
  auto indices = op.getBody()->getOps<mlir::linalg::IndexOp>();
  if (std::distance(indices.begin(), indices.end()) != 1 || of.getNumDpsInputs() != 1 || op.getNumDpsInputs() != 2 ||
      op.getDpsInputOperand(1)->get() != extreme->result(0) ||
      op.getDpsInputOperand(0)->get() != of.getDpsInputOperand(0)->get())
    return false;
  x = op.getDpsInputOperand(0)->get();
  isFirst = mlir::isa<arith::MinSIOp>(position->combiners.front());
  // Its elements are the input's, perhaps in a wider type, which has the same order.
  mlir::Value element = of.getRegionInputArgs().front();
  return llvm::any_of(extreme->combiners.front()->getOperands(),
                      [&](mlir::Value value) { return withoutWidening(value) == element; });
}

Value *PositionsForm::compare(Order order, Value *lhs, Value *rhs) {
  using P = CmpInst::Predicate;
  mlir::Operation *combiner = extreme->combiners.front();
  const bool isMax = isMaximum(combiner);
  if (lhs->getType()->isFPOrFPVectorTy()) {
    P better = isMax ? P::FCMP_OGT : P::FCMP_OLT, also = isMax ? P::FCMP_OGE : P::FCMP_OLE;
    return b.CreateFCmp(order == Order::Equal ? P::FCMP_OEQ : order == Order::Better ? better : also, lhs, rhs);
  }
  P better = isMax ? P::ICMP_SGT : P::ICMP_SLT, also = isMax ? P::ICMP_SGE : P::ICMP_SLE;
  if (mlir::isa<arith::MaxUIOp, arith::MinUIOp>(combiner)) {
    better = ICmpInst::getUnsignedPredicate(better);
    also = ICmpInst::getUnsignedPredicate(also);
  }
  return b.CreateICmp(order == Order::Equal ? P::ICMP_EQ : order == Order::Better ? better : also, lhs, rhs);
}

/// The better of two vectors' elements, lane by lane.
Value *PositionsForm::better(Value *lhs, Value *rhs) {
  return b.CreateSelect(compare(Order::Better, rhs, lhs), rhs, lhs);
}

/// Visits the row by full vectors. The last of them starts earlier so that it ends with the row: elements that count
/// twice change no extreme. A row that is shorter than a vector is part of one, `count` of its lanes.
Values PositionsForm::alongRow(ArrayRef<Value *> initial, RowSweeps::SpanBody body) {
  Value *n = rows.frame.loopSize(rows.innerLoop), *zero = b.index(0), *last = b.CreateSub(n, b.index(rows.wide));
  return b.ifElse(
      b.CreateICmpSGE(last, zero),
      [&] {
        return b.loop(zero, n, b.index(rows.wide), initial,
                      [&](Value *i, ArrayRef<Value *> carried) { return body(b.min(i, last), nullptr, carried); });
      },
      [&] { return body(zero, n, initial); });
}

/// Elements of the row from `i` on; lanes from `count` on are `otherwise`.
Value *PositionsForm::elements(Value *i, Value *count, Value *otherwise) {
  auto find = [&](mlir::Value value) { return rows.leaf(value, {}, i, count); };
  Evaluator evaluator(b, rows.frame, rows.wide, find);
  Lane lane = evaluator.element(x);
  mlir::Type type = mlir::cast<mlir::RankedTensorType>(x.getType()).getElementType();
  Value *value = lane.rounds ? roundTo(b, lane.value, *Element::of(type, b.getContext())) : lane.value;
  return count ? b.CreateSelect(b.lanesBefore(rows.wide, count), value, otherwise) : value;
}

// The extreme of each lane of a register, the iteration that it is from, and for floats what shows a NaN: one value for
// each pair of registers.
Values PositionsForm::sweep() {
  std::optional<unsigned> read = rows.kernel.tensorOf(x);
  const unsigned lanes = std::min(rows.lanes, rows.wide);
  Value *neutral = extreme->neutral(b, 0, rows.wide);
  Values initial = {extreme->neutral(b, 0, lanes), Constant::getNullValue(withLanes(b.getInt32Ty(), lanes))};
  const bool isFloat = neutral->getType()->isFPOrFPVectorTy();
  for (unsigned pair = 0; isFloat && pair < std::max(rows.wide / lanes / 2, 1u); ++pair)
    initial.push_back(initial[1]);
  // The number of the iteration's first element is counted in a register. From a scalar, AVX-512 would broadcast it
  // under a mask, which waits for the number before.
  initial.push_back(initial[1]);
  Value *step = b.numbers(b.index(rows.wide), lanes);
  Value *last =
      b.numbers(b.max(b.CreateSub(rows.frame.loopSize(rows.innerLoop), b.index(rows.wide)), b.index(0)), lanes);
  Values swept = alongRow(initial, [&](Value *i, Value *count, ArrayRef<Value *> carried) -> Values {
    if (read && !count)
      prefetch(b, rows.pointers[*read], i, rows.kernel.tensors[*read].element, rows.wide, kReadAhead);
    Value *value = elements(i, count, neutral);
    SmallVector<Value *> parts;
    for (unsigned lane = 0; lane < rows.wide; lane += lanes)
      parts.push_back(lanesAt(b, value, lane, lanes));
    Values next = {nullptr, nullptr};
    for (unsigned pair = 0; pair + 3 < initial.size(); ++pair)
      next.push_back(
          withNaN(carried[2 + pair], parts[2 * pair], parts[std::min<size_t>(2 * pair + 1, parts.size() - 1)]));
    while (parts.size() > 1) {
      Value *second = parts.pop_back_val(), *first = parts.pop_back_val();
      parts.insert(parts.begin(), better(first, second));
    }
    Value *taken = compare(isFirst ? Order::Better : Order::BetterOrEqual, parts[0], carried[0]);
    next[0] = b.CreateSelect(taken, parts[0], carried[0]);
    next[1] = b.CreateSelect(taken, b.CreateBinaryIntrinsic(Intrinsic::smin, carried.back(), last), carried[1]);
    next.push_back(b.CreateAdd(carried.back(), step));
    return next;
  });
  swept.pop_back();
  return swept;
}

// A value of all registers' pairs that is not 0 in the lanes of a NaN. As a mask it would wait for each comparison.
Value *PositionsForm::withNaN(Value *seen, Value *x, Value *y) {
  return b.CreateSelect(b.CreateFCmpUNO(x, y), Constant::getAllOnesValue(seen->getType()), seen);
}

/// Whether one of the values that sweep() returned shows a NaN.
Value *PositionsForm::isAnyNaN(ArrayRef<Value *> seen) {
  Value *all = seen[0];
  for (Value *one : seen.drop_front())
    all = b.CreateOr(all, one);
  return b.anyLane(b.CreateICmpNE(all, Constant::getNullValue(all->getType())));
}

// The extreme of all lanes is first (last) in the first (last) of the iterations that lanes have it from. That
// iteration is searched for it.
Value *PositionsForm::acrossLanes(Value *lanes, Value *from) {
  const unsigned count = lanesOf(lanes->getType());
  Value *best = lanes;
  for (unsigned half = count / 2; half >= 1; half /= 2)
    best = better(lanesAt(b, best, 0, half), lanesAt(b, best, half, half));
  best = b.CreateExtractElement(best, uint64_t(0));
  Value *same = compare(Order::Equal, lanes, b.CreateVectorSplat(count, best));
  Value *chosen = position->acrossLanes(b, 0, b.CreateSelect(same, from, position->neutral(b, 0, count)));
  auto search = [&](Value *i, Value *part) -> Values {
    Value *value = elements(i, part, extreme->neutral(b, 0, rows.wide));
    Value *same = compare(Order::Equal, value, b.CreateVectorSplat(rows.wide, best));
    if (part)
      same = b.CreateAnd(same, b.lanesBefore(rows.wide, part));
    Value *bits = b.CreateBitCast(same, b.getIntNTy(rows.wide));
    Value *zeros = b.CreateBinaryIntrinsic(isFirst ? Intrinsic::cttz : Intrinsic::ctlz, bits, b.getFalse());
    Value *lane = b.CreateZExtOrTrunc(zeros, b.getInt32Ty());
    return {
        b.CreateAdd(b.CreateTrunc(i, b.getInt32Ty()), isFirst ? lane : b.CreateSub(b.getInt32(rows.wide - 1), lane))};
  };
  Value *n = rows.frame.loopSize(rows.innerLoop), *start = b.CreateSExt(chosen, b.getInt64Ty());
  return b
      .ifElse(
          b.CreateICmpSGE(n, b.index(rows.wide)), [&] { return search(start, nullptr); },
          [&] { return search(b.index(0), n); })
      .front();
}

// The second of the two passes, for a row whose extreme is NaN. It is rare, so its code is short: one register.
Value *PositionsForm::positionOfNaN() {
  const unsigned wide = rows.wide;
  rows.wide = std::min(rows.lanes, wide);
  Values lanes =
      alongRow({position->neutral(b, 0, rows.wide)}, [&](Value *i, Value *count, ArrayRef<Value *> carried) -> Values {
        auto find = [&](mlir::Value value) { return rows.leaf(value, {}, i, count); };
        Evaluator evaluator(b, rows.frame, rows.wide, find);
        evaluator.position = rows.positions(i, rows.wide);
        Value *next = evaluator.step(position->op, {Lane{carried[0], false}}).front().value;
        return {count ? b.CreateSelect(b.lanesBefore(rows.wide, count), next, carried[0]) : next};
      });
  rows.wide = wide;
  return position->acrossLanes(b, 0, lanes.front());
}

/// The position of the extreme, and whether the row has a NaN (null for whole numbers).
HalfPositions::Found PositionsForm::positionOfExtreme() {
  std::optional<unsigned> read = rows.kernel.tensorOf(x);
  if (read && is_contained({Element::Half, Element::BFloat}, rows.kernel.tensors[*read].element.kind))
    return HalfPositions(rows, *read, isMaximum(extreme->combiners.front()), isFirst).emit();
  Values swept = sweep();
  Value *at = acrossLanes(swept[0], swept[1]);
  return {at, swept.size() > 2 ? isAnyNaN(ArrayRef(swept).drop_front(2)) : nullptr};
}

void PositionsForm::emit() {
  auto [at, isNaN] = positionOfExtreme();
  Value *isEmpty = b.CreateICmpSLE(rows.frame.loopSize(rows.innerLoop), b.index(0));
  at = b.CreateSelect(isEmpty, rows.scalarOf(position->start(0)), at);
  if (isNaN) {
    Value *where = at;
    at = b.ifRarely(
              isNaN,
              [&]() -> Values {
                Type *type = extreme->neutral(b, 0, 0)->getType();
                rows.scalars[extreme->result(0)] = ConstantFP::getNaN(type);
                return {positionOfNaN()};
              },
              [&]() -> Values { return {where}; })
             .front();
  }
  rows.scalars[position->result(0)] = at;
  rows.computeScalars(2);
}

} // namespace opc::cpu

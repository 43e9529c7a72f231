#include "lowering/cpu/vector/rows/Moments.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace llvm;
namespace arith = mlir::arith;

namespace opc::cpu {

// The largest accepted n d^2 / Q, which limits the distance of c from M.
static constexpr double kMostDistance = 8;

static Value *fma(CodeBuilder &b, Value *x, Value *y, Value *z) {
  return b.CreateIntrinsic(Intrinsic::fma, {x->getType()}, {x, y, z});
}

//===----------------------------------------------------------------------===//
// The form
//===----------------------------------------------------------------------===//

// The input that a value of a body refers to, through casts to wider types; null if the value is computed.
static mlir::OpOperand *inputOf(mlir::linalg::GenericOp op, mlir::Value value) {
  auto argument = mlir::dyn_cast<mlir::BlockArgument>(withoutWidening(value));
  bool isInput = argument && argument.getOwner() == op.getBody() && argument.getArgNumber() < op.getNumDpsInputs();
  return isInput ? op.getDpsInputOperand(argument.getArgNumber()) : nullptr;
}

// Whether `value` of the body is x - middle, computed in this op or in the op that computes its input.
bool MomentsForm::findDifference(mlir::linalg::GenericOp op, mlir::Value value) {
  if (mlir::OpOperand *input = inputOf(op, value)) {
    auto made = input->get().getDefiningOp<mlir::linalg::GenericOp>();
    return made && made.getNumReductionLoops() == 0 && made.getNumResults() == 1 &&
           op.getMatchingIndexingMap(input).isIdentity() &&
           findDifference(made, made.getBody()->getTerminator()->getOperand(0));
  }
  auto difference = value.getDefiningOp<arith::SubFOp>();
  if (!difference || !difference.getType().isF32())
    return false;
  mlir::OpOperand *minuend = inputOf(op, difference.getLhs());
  mlir::OpOperand *subtrahend = inputOf(op, difference.getRhs());
  if (!minuend || !subtrahend || minuend->get() != x || rows.isElement(subtrahend->get()) ||
      !op.getMatchingIndexingMap(minuend).isIdentity())
    return false;
  middle = subtrahend->get();
  return mlir::getElementTypeOrSelf(middle).isF32();
}

bool MomentsForm::applies() {
  if (rows.kernel.kind != FusedKernel::Kind::Rows || rows.reductions.size() != 2)
    return false;
  for (const Reduction &reduction : rows.reductions) {
    if (reduction.results() != 1 || !reduction.type(0).isF32() || !mlir::isa<arith::AddFOp>(reduction.combiners[0]))
      return false;
    (rows.sweepOf(reduction.result(0)) == 1 ? sum : squares) = &reduction;
  }
  if (!sum || !squares || rows.sweepOf(squares->result(0)) != 2)
    return false;
  // The value added to the accumulator, which has no other use.
  auto added = [](const Reduction &reduction) {
    auto add = mlir::cast<arith::AddFOp>(reduction.combiners[0]);
    mlir::linalg::GenericOp op = reduction.op;
    mlir::Value accumulator = op.getBody()->getArguments().back();
    return add.getLhs() == accumulator ? add.getRhs() : add.getLhs();
  };
  mlir::OpOperand *summed = inputOf(sum->op, added(*sum));
  if (!summed || !rows.isElement(summed->get()) ||
      !mlir::linalg::GenericOp(sum->op).getMatchingIndexingMap(summed).isIdentity())
    return false;
  x = summed->get();
  // Values of a narrow type may have a pending rounding, unless they are read from a tensor.
  if (!mlir::getElementTypeOrSelf(x).isF32() && !rows.kernel.tensorOf(x))
    return false;
  auto square = added(*squares).getDefiningOp<arith::MulFOp>();
  return square && square.getLhs() == square.getRhs() && findDifference(squares->op, square.getLhs()) &&
         rows.sweepOf(middle) == 1;
}

//===----------------------------------------------------------------------===//
// The sweep
//===----------------------------------------------------------------------===//

// x[0], or 0 for an empty row.
Value *MomentsForm::firstElement() {
  auto find = [&](mlir::Value value) -> Lane {
    if (auto found = rows.scalars.find(value); found != rows.scalars.end())
      return {found->second, false};
    std::optional<unsigned> tensor = rows.kernel.tensorOf(value);
    if (!tensor)
      return {};
    const Element &element = rows.kernel.tensors[*tensor].element;
    return {load(b, rows.pointers[*tensor], b.index(0), element, 0), false};
  };
  Value *filled = b.CreateICmpSGT(rows.frame.loopSize(rows.innerLoop), b.index(0));
  return b.ifElse(
      filled,
      [&]() -> Values {
        Evaluator evaluator(b, rows.frame, 0, find);
        return {evaluator.element(x).value};
      },
      [&]() -> Values { return {ConstantFP::get(b.getFloatTy(), 0.0)}; })[0];
}

void MomentsForm::exactSums() {
  for (unsigned number : {0, 1}) {
    rows.sweep(number);
    rows.computeScalars(number + 1);
  }
}

void MomentsForm::emit() {
  const auto before = rows.scalars;
  Value *c = firstElement(), *centre = b.CreateVectorSplat(rows.wide, c);
  RowSweeps::Owners owners = {{sum, 0}, {squares, 0}};
  Values neutral = {sum->neutral(b, 0, 0), squares->neutral(b, 0, 0)};
  auto body = [&](Value *i, Value *count, ArrayRef<Value *> carried) -> Values {
    auto find = [&](mlir::Value value) { return rows.leaf(value, {}, i, count); };
    Evaluator evaluator(b, rows.frame, rows.wide, find);
    Value *distance = b.CreateFSub(evaluator.element(x).value, centre);
    if (count)
      distance = b.CreateSelect(rows.newLanes(count), distance, Constant::getNullValue(distance->getType()));
    return {b.CreateFAdd(carried[0], distance), fma(b, distance, distance, carried[1])};
  };
  Values sums = rows.along(1, {}, neutral, owners, body);
  Value *s = sums[0], *t = sums[1];
  Value *n = b.CreateSIToFP(rows.frame.loopSize(rows.innerLoop), b.getFloatTy());
  rows.scalars[sum->result(0)] = sum->combine(b, 0, rows.scalarOf(sum->start(0)), fma(b, c, n, s));
  rows.computeScalars(1);
  Value *d = b.CreateFSub(rows.scalars[middle], c), *nd = b.CreateFMul(n, d);
  Value *q = fma(b, d, b.CreateFSub(nd, b.CreateFAdd(s, s)), t);
  // False for NaN. A sum of squares that overflows here need not overflow with two sweeps.
  Value *infinity = ConstantFP::getInfinity(b.getFloatTy());
  Value *most = ConstantFP::get(b.getFloatTy(), kMostDistance);
  Value *near = b.CreateFCmpOLE(b.CreateFMul(nd, d), b.CreateFMul(q, most));
  near = b.CreateAnd(near, b.CreateFCmpOLT(q, infinity));

  Values met = b.ifElse(
      near,
      [&]() -> Values {
        Value *start = rows.scalarOf(squares->start(0));
        return {rows.scalars[sum->result(0)], rows.scalars[middle], squares->combine(b, 0, start, q)};
      },
      [&]() -> Values {
        rows.scalars = before;
        exactSums();
        return {rows.scalars[sum->result(0)], rows.scalars[middle], rows.scalars[squares->result(0)]};
      });
  rows.scalars = before;
  rows.scalars[sum->result(0)] = met[0];
  rows.scalars[middle] = met[1];
  rows.scalars[squares->result(0)] = met[2];
  rows.computeScalars(2);
}

} // namespace opc::cpu

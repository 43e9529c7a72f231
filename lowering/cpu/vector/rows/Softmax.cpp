#include "lowering/cpu/vector/rows/Softmax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <utility>

using namespace llvm;
namespace arith = mlir::arith;

namespace opc::cpu {

// A chunk and its results fit the L1 cache. There are at most kMostChunks; longer rows have longer chunks.
static constexpr int64_t kChunk = 1024, kMostChunks = 256;
// Size of the buffer for exponentials that the output cannot hold, in elements: 32 KB of stack.
static constexpr int64_t kBuffer = 8192;
// Rows up to this length are prefetched as a whole while the previous row is processed.
static constexpr int64_t kPrefetchRow = 1536;

//===----------------------------------------------------------------------===//
// The form
//===----------------------------------------------------------------------===//

bool SoftmaxForm::findReductions() {
  if (kernel.kind != FusedKernel::Kind::Rows || rows.reductions.size() != 2)
    return false;
  for (const Reduction &reduction : rows.reductions) {
    if (reduction.results() != 1 || !reduction.type(0).isF32())
      return false;
    unsigned sweep = rows.sweepOf(reduction.result(0));
    if (sweep == 1 && mlir::isa<arith::MaximumFOp, arith::MaxNumFOp>(reduction.combiners[0]))
      max = &reduction;
    if (sweep == 2 && mlir::isa<arith::AddFOp>(reduction.combiners[0]))
      sum = &reduction;
  }
  return max && sum;
}

// exp(anything - max), in which only the subtraction uses the maximum.
bool SoftmaxForm::isShiftedExp(mlir::linalg::GenericOp op) const {
  if (!op || op.getNumReductionLoops() || op.getNumResults() != 1)
    return false;
  auto exp = op.getBody()->getTerminator()->getOperand(0).getDefiningOp<mlir::math::ExpOp>();
  auto difference = exp ? exp.getOperand().getDefiningOp<arith::SubFOp>() : arith::SubFOp();
  if (!difference || !difference.getType().isF32())
    return false;
  auto shift = mlir::dyn_cast<mlir::BlockArgument>(withoutWidening(difference.getRhs()));
  if (!shift || shift.getOwner() != op.getBody() || !shift.hasOneUse() || shift.getArgNumber() >= op.getNumDpsInputs())
    return false;
  for (mlir::OpOperand *input : op.getDpsInputOperands()) {
    bool isMax = input->get() == max->result(0);
    if (isMax != (input->getOperandNumber() == shift.getArgNumber()))
      return false;
  }
  return true;
}

// Whether no exponential exceeds 1: the maximum was taken of the same values from which it is subtracted.
bool SoftmaxForm::isDecaying(mlir::linalg::GenericOp op) const {
  mlir::linalg::GenericOp taken = max->op;
  auto difference = op.getBody()
                        ->getTerminator()
                        ->getOperand(0)
                        .getDefiningOp<mlir::math::ExpOp>()
                        .getOperand()
                        .getDefiningOp<arith::SubFOp>();
  auto minuend = mlir::dyn_cast<mlir::BlockArgument>(withoutWidening(difference.getLhs()));
  mlir::Operation *combiner = max->combiners[0];
  bool whole = taken.getNumDpsInputs() == 1 && llvm::any_of(combiner->getOperands(), [&](auto value) {
                 return withoutWidening(value) == taken.getBody()->getArgument(0);
               });
  return whole && minuend && minuend.getOwner() == op.getBody() && minuend.getArgNumber() < op.getNumDpsInputs() &&
         op.getDpsInputs()[minuend.getArgNumber()] == taken.getDpsInputs()[0] &&
         op.getMatchingIndexingMap(op.getDpsInputOperand(minuend.getArgNumber())) ==
             taken.getMatchingIndexingMap(taken.getDpsInputOperand(0));
}

bool SoftmaxForm::isOneDivision(mlir::Value value) const {
  auto op = value.getDefiningOp<mlir::linalg::GenericOp>();
  if (!op || op.getNumReductionLoops() || op.getNumDpsInputs() != 2 || op.getDpsInputs()[0] != exponential ||
      op.getDpsInputs()[1] != sum->result(0))
    return false;
  mlir::Block &body = *op.getBody();
  for (mlir::Operation &inner : body.without_terminator())
    if (auto division = mlir::dyn_cast<arith::DivFOp>(inner)) {
      if (division.getLhs() != body.getArgument(0) || division.getRhs() != body.getArgument(1))
        return false;
    } else if (!mlir::isa<arith::TruncFOp>(inner)) {
      return false;
    }
  // The scaled exponentials must have no other users.
  auto users = [](mlir::Value value) { return std::distance(value.user_begin(), value.user_end()); };
  return users(exponential) == 2 && users(sum->result(0)) == 1;
}

bool SoftmaxForm::applies() {
  if (!findReductions())
    return false;
  mlir::linalg::GenericOp op = sum->op;
  if (op.getNumDpsInputs() != 1 || op.getBody()->getOperations().size() != 2)
    return false;
  exponential = op.getDpsInputs()[0];
  auto shifted = exponential.getDefiningOp<mlir::linalg::GenericOp>();
  if (!isShiftedExp(shifted))
    return false;
  mlir::linalg::GenericOp taken = max->op;
  decays = isDecaying(shifted);
  // Only for an input, since values that the body computes are known only by running the body.
  leavesOutNaN = decays && max->result(0).hasOneUse() && kernel.tensorOf(taken.getDpsInputs()[0]);
  bool stores = llvm::any_of(kernel.stored, [&](mlir::Value v) { return rows.isElement(v); });
  divides = kernel.stored.size() == 1 && isOneDivision(kernel.stored[0]);
  return stores;
}

//===----------------------------------------------------------------------===//
// The chunks
//===----------------------------------------------------------------------===//

void SoftmaxForm::emit() {
  n = rows.frame.loopSize(rows.innerLoop);
  maxima = b.buffer(b.getFloatTy(), kMostChunks);
  const KernelTensor &output = kernel.tensors[kernel.firstOutput()];
  bool inOutput = kernel.stored.size() == 1 && output.element.memory->isFloatTy();
  if (inOutput) {
    kept = rows.pointers[kernel.firstOutput()];
    chunks();
    return;
  }
  kept = b.buffer(b.getFloatTy(), kBuffer);
  // Both branches leave the scalars, which are merged after the branch.
  mlir::Value results[] = {max->result(0), sum->result(0)};
  auto before = rows.scalars;
  auto leave = [&] {
    Values values;
    for (mlir::Value result : results)
      values.push_back(rows.scalars[result]);
    rows.scalars = before;
    return values;
  };
  Values met = b.ifElse(
      b.CreateICmpSLE(n, b.index(kBuffer)),
      [&] {
        chunks();
        return leave();
      },
      [&] {
        for (unsigned number = 0; number < rows.sweeps; ++number) {
          rows.sweep(number);
          rows.computeScalars(number + 1);
        }
        return leave();
      });
  for (auto [result, value] : zip_equal(results, met))
    rows.scalars[result] = value;
  rows.computeScalars(rows.sweeps);
}

void SoftmaxForm::chunks() {
  Value *least = b.CreateAdd(b.CreateUDiv(n, b.index(kMostChunks)), b.index(kChunk));
  Value *rounded = b.CreateAnd(least, b.index(-kChunk));
  firstPass(rounded);
  rows.computeScalars(rows.sweeps);
  secondPass(rounded);
}

// If only the exponentials use the maximum, it may ignore NaN: the exponential of NaN is NaN, and so are the sum and
// every quotient by it.
Value *SoftmaxForm::larger(Value *x, Value *y) {
  if (!leavesOutNaN)
    return max->combine(b, 0, x, y);
  return b.CreateSelect(b.CreateFCmpOGT(x, y), x, y);
}

Value *SoftmaxForm::chunkMax(Value *begin, Value *end) {
  unsigned before = std::exchange(rows.wide, 4 * rows.lanes);
  Value *neutral = max->neutral(b, 0, rows.wide);
  auto body = [&](Value *i, Value *count, ArrayRef<Value *> carried) -> Values {
    if (!leavesOutNaN)
      return rows.turn(0, {}, i, count, carried);
    mlir::linalg::GenericOp op = max->op;
    Value *x = rows.leaf(op.getDpsInputs()[0], {}, i, count).value;
    if (count)
      x = b.CreateSelect(rows.newLanes(count), x, neutral);
    return {larger(x, carried[0])};
  };
  Value *vector = rows.span(begin, end, {neutral}, body)[0];
  for (unsigned half = rows.wide / 2; half >= 1; half /= 2)
    vector = larger(lanesAt(b, vector, half, half), lanesAt(b, vector, 0, half));
  rows.wide = before;
  return b.CreateExtractElement(vector, uint64_t(0));
}

// Computes and keeps the exponentials of a chunk, where the maximum is one of the item's scalars. Returns their sum.
Value *SoftmaxForm::chunkSum(Value *begin, Value *end) {
  Element f32;
  f32.memory = f32.computed = b.getFloatTy();
  f32.bytes = 4;
  std::optional<unsigned> read = rows.mainInput();
  unsigned output = kernel.firstOutput();
  Value *ahead = b.CreateSelect(b.CreateICmpSLE(n, b.index(kPrefetchRow)), n, b.index(kChunk));
  auto body = [&](Value *i, Value *count, ArrayRef<Value *> carried) -> Values {
    if (read)
      prefetch(b, rows.pointers[*read], b.CreateAdd(i, ahead), kernel.tensors[*read].element, rows.wide, 0);
    if (rows.isElement(kernel.stored[0]))
      prefetch(b, rows.pointers[output], b.CreateAdd(i, ahead), kernel.tensors[output].element, rows.wide, 0,
               /*write=*/true);
    auto find = [&](mlir::Value value) { return rows.leaf(value, {}, i, count); };
    Evaluator evaluator(b, rows.frame, rows.wide, find);
    evaluator.expForm = decays ? ExpForm::Decaying : ExpForm::Flushed;
    Value *e = evaluator.element(exponential).value;
    rows.storeTurn(e, kept, i, count, f32);
    if (count)
      e = b.CreateSelect(rows.newLanes(count), e, Constant::getNullValue(e->getType()));
    return {sum->combine(b, 0, carried[0], e)};
  };
  Values vector = rows.span(begin, end, {sum->neutral(b, 0, rows.wide)}, body);
  return sum->acrossLanes(b, 0, vector[0]);
}

void SoftmaxForm::firstPass(Value *chunk) {
  Type *f32 = b.getFloatTy();
  Value *lowest = ConstantFP::getInfinity(f32, /*Negative=*/true);
  VectorMath math(b);
  Values initial = {max->neutral(b, 0, 0), ConstantFP::get(f32, 0.0), b.index(0)};
  Values after = b.loop(b.index(0), n, chunk, initial, [&](Value *begin, ArrayRef<Value *> carried) -> Values {
    Value *end = b.min(b.CreateAdd(begin, chunk), n);
    Value *largest = larger(chunkMax(begin, end), carried[0]);
    // While all are -infinity nothing is subtracted: the exponentials are 0.
    Value *shift = b.CreateSelect(b.CreateFCmpOEQ(largest, lowest), ConstantFP::get(f32, 0.0), largest);
    rows.scalars[max->result(0)] = shift;
    Value *total = chunkSum(begin, end);
    Values scaled = b.ifElse(
        b.CreateICmpSGT(begin, b.index(0)),
        [&]() -> Values {
          Value *factor = math.decayingExp(b.CreateFSub(carried[0], shift));
          return {b.CreateFAdd(b.CreateFMul(carried[1], factor), total)};
        },
        [&]() -> Values { return {total}; });
    b.CreateStore(shift, b.at(maxima, f32, carried[2]));
    return {largest, scaled[0], b.CreateAdd(carried[2], b.index(1))};
  });
  Value *maxStart = rows.scalarOf(max->start(0));
  Value *sumStart = rows.scalarOf(sum->start(0));
  rows.scalars[max->result(0)] = max->combine(b, 0, maxStart, after[0]);
  rows.scalars[sum->result(0)] = sum->combine(b, 0, sumStart, after[1]);
}

void SoftmaxForm::secondPass(Value *chunk) {
  Type *f32 = b.getFloatTy();
  Element plain;
  plain.memory = plain.computed = f32;
  plain.bytes = 4;
  VectorMath math(b);
  // A multiplication needs no registers for constants.
  unsigned before = std::exchange(rows.wide, divides ? 4 * rows.lanes : rows.wide);
  Value *one = ConstantFP::get(f32, 1.0), *zero = ConstantFP::get(f32, 0.0);
  Value *largest = rows.scalars[max->result(0)];
  mlir::Value sumValue = sum->result(0);
  Value *total = rows.scalars[sumValue];
  Value *inverse = divides ? b.CreateFDiv(one, total) : one;
  Value *single = b.CreateICmpSLE(n, chunk);
  b.loop(b.index(0), n, chunk, {b.index(0)}, [&](Value *begin, ArrayRef<Value *> carried) -> Values {
    Values factor = b.ifElse(
        single, [&]() -> Values { return {one}; },
        [&]() -> Values {
          Value *own = b.CreateLoad(f32, b.at(maxima, f32, carried[0]));
          // A chunk of zeros has no maximum, so its factor does not matter.
          Value *below = b.CreateFSub(own, largest);
          below = b.CreateSelect(b.CreateFCmpOGT(below, zero), zero, below);
          return {math.decayingExp(below)};
        });
    Value *scale = b.CreateVectorSplat(rows.wide, b.CreateFMul(factor[0], inverse));
    Value *end = b.min(b.CreateAdd(begin, chunk), n), *turn = b.index(rows.wide);
    // If exponentials are scaled in place, an iteration that is moved back would scale some of them twice. It uses
    // the values saved here.
    Value *last = b.ifElse(
        b.CreateICmpSGE(b.CreateSub(end, begin), turn),
        [&]() -> Values { return {load(b, kept, b.CreateSub(end, turn), plain, rows.wide)}; },
        [&]() -> Values { return {Constant::getNullValue(withLanes(f32, rows.wide))}; })[0];
    rows.span(begin, end, {}, [&](Value *i, Value *count, ArrayRef<Value *>) -> Values {
      auto find = [&](mlir::Value value) -> Lane {
        if (value == exponential) {
          Value *e = rows.movedBack ? last : rows.loadTurn(kept, i, count, plain);
          return {b.CreateFMul(e, scale), false};
        }
        if (divides && value == sumValue)
          return {b.CreateVectorSplat(rows.wide, one), false};
        return rows.leaf(value, {}, i, count);
      };
      Evaluator evaluator(b, rows.frame, rows.wide, find);
      SmallVector<std::pair<unsigned, Value *>> results;
      for (auto [j, value] : enumerate(kernel.stored))
        if (rows.isElement(value))
          results.emplace_back(kernel.firstOutput() + j, evaluator.element(value).value);
      for (auto [output, value] : results) {
        const Element &element = kernel.tensors[output].element;
        rows.storeTurn(value, rows.pointers[output], i, count, element);
      }
      return {};
    });
    return {b.CreateAdd(carried[0], b.index(1))};
  });
  rows.wide = before;
}

} // namespace opc::cpu

#include "lowering/cpu/vector/rows/Reduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace llvm;
namespace arith = mlir::arith;

namespace opc::cpu {

static bool combines(mlir::Operation *op) {
  return mlir::isa_and_nonnull<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
                               arith::MinNumFOp, arith::AddIOp, arith::MulIOp, arith::MaxSIOp, arith::MinSIOp,
                               arith::MaxUIOp, arith::MinUIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op);
}

std::optional<Reduction> Reduction::of(mlir::linalg::GenericOp op) {
  Reduction reduction;
  reduction.op = op;
  mlir::Operation *yield = op.getBody()->getTerminator();
  for (auto [i, value] : enumerate(yield->getOperands())) {
    mlir::Operation *combiner = value.getDefiningOp();
    mlir::BlockArgument accumulator = op.getRegionOutputArgs()[i];
    bool once = accumulator.hasOneUse() && *accumulator.user_begin() == combiner;
    if (!combines(combiner) || !once) {
      op.emitOpError("[cpu_c8] expects a reduction to combine by one operation at its end");
      return std::nullopt;
    }
    reduction.combiners.push_back(combiner);
  }
  return reduction;
}

mlir::Type Reduction::type(unsigned result) const {
  return combiners[result]->getResult(0).getType();
}

bool Reduction::losesDigits(unsigned result) const {
  mlir::Type type = this->type(result);
  return mlir::isa<arith::AddFOp>(combiners[result]) && (type.isF32() || type.isF64());
}

std::pair<Value *, Value *> twoSum(CodeBuilder &b, Value *x, Value *y) {
  Value *sum = b.CreateFAdd(x, y), *ofY = b.CreateFSub(sum, x);
  Value *lostOfX = b.CreateFSub(x, b.CreateFSub(sum, ofY));
  return {sum, b.CreateFAdd(lostOfX, b.CreateFSub(y, ofY))};
}

Value *withErrors(CodeBuilder &b, Value *sum, Value *errors) {
  return b.CreateSelect(b.CreateFCmpORD(errors, errors), b.CreateFAdd(sum, errors), sum);
}

Value *Reduction::neutral(CodeBuilder &b, unsigned result, unsigned lanes) const {
  Type *type = withLanes(Element::of(this->type(result), b.getContext())->computed, lanes);
  unsigned bits = type->getScalarSizeInBits();
  auto integer = [&](const APInt &value) -> Value * { return ConstantInt::get(type, value); };
  return TypeSwitch<mlir::Operation *, Value *>(combiners[result])
      .Case<arith::MulFOp>([&](auto) { return ConstantFP::get(type, 1.0); })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>([&](auto) { return ConstantFP::getInfinity(type, /*Negative=*/true); })
      .Case<arith::MinimumFOp, arith::MinNumFOp>([&](auto) { return ConstantFP::getInfinity(type); })
      .Case<arith::MulIOp>([&](auto) { return integer(APInt(bits, 1)); })
      .Case<arith::MaxSIOp>([&](auto) { return integer(APInt::getSignedMinValue(bits)); })
      .Case<arith::MinSIOp>([&](auto) { return integer(APInt::getSignedMaxValue(bits)); })
      .Case<arith::MinUIOp, arith::AndIOp>([&](auto) { return integer(APInt::getAllOnes(bits)); })
      .Default([&](mlir::Operation *) { return Constant::getNullValue(type); });
}

Value *Reduction::combine(CodeBuilder &b, unsigned result, Value *x, Value *y) const {
  Payload payload(b, lanesOf(x->getType()), [](mlir::Value) { return nullptr; });
  Lane lane = payload.apply(*combiners[result], {Lane{x, false}, Lane{y, false}});
  return lane.rounds ? roundTo(b, lane.value, *Element::of(type(result), b.getContext())) : lane.value;
}

Value *Reduction::acrossLanes(CodeBuilder &b, unsigned result, Value *vector) const {
  for (unsigned lanes = lanesOf(vector->getType()) / 2; lanes >= 1; lanes /= 2)
    vector = combine(b, result, lanesAt(b, vector, 0, lanes), lanesAt(b, vector, lanes, lanes));
  return b.CreateExtractElement(vector, uint64_t(0));
}

} // namespace opc::cpu

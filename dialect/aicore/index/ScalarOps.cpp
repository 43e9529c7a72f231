#include "dialect/aicore/index/ScalarOps.h"

#include "dialect/aicore/index/NonNegative.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opc;

using arith::CmpIPredicate;

/// A case of a TypeSwitch with the same result for each op.
static auto is(ScalarOp instruction) {
  return [instruction](Operation *) { return std::optional<ScalarOp>(instruction); };
}

static std::optional<ScalarOp> unsignedInstruction(Operation *op) {
  if (!llvm::all_of(op->getOperands(), isNonNegative))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<ScalarOp>>(op)
      .Case<arith::RemUIOp>(is(ScalarOp::Rem))
      .Case<arith::DivUIOp>(is(ScalarOp::FloorDiv))
      .Case<arith::CeilDivUIOp>(is(ScalarOp::CeilDiv))
      .Case<arith::MinUIOp>(is(ScalarOp::Min))
      .Case<arith::MaxUIOp>(is(ScalarOp::Max))
      .Default(std::optional<ScalarOp>());
}

std::optional<ScalarOp> opc::binaryInstruction(Operation *op) {
  if (op->getNumOperands() != 2)
    return std::nullopt;
  Type type = op->getOperand(0).getType();
  llvm::TypeSwitch<Operation *, std::optional<ScalarOp>> found(op);
  if (type.isSignlessInteger(1))
    return found.Case<arith::AndIOp>(is(ScalarOp::Min))
        .Case<arith::OrIOp>(is(ScalarOp::Max))
        .Default(std::optional<ScalarOp>());
  if (type.isF32())
    return found.Case<arith::AddFOp>(is(ScalarOp::FAdd))
        .Case<arith::SubFOp>(is(ScalarOp::FSub))
        .Case<arith::MulFOp>(is(ScalarOp::FMul))
        .Case<arith::DivFOp>(is(ScalarOp::FDiv))
        .Case<arith::MaximumFOp, arith::MaxNumFOp>(is(ScalarOp::FMax))
        .Case<arith::MinimumFOp, arith::MinNumFOp>(is(ScalarOp::FMin))
        .Default(std::optional<ScalarOp>());
  if (!type.isIndex() && !type.isSignlessInteger(64))
    return std::nullopt;
  return found.Case<arith::AddIOp>(is(ScalarOp::Add))
      .Case<arith::SubIOp>(is(ScalarOp::Sub))
      .Case<arith::MulIOp>(is(ScalarOp::Mul))
      .Case<arith::FloorDivSIOp>(is(ScalarOp::FloorDiv))
      .Case<arith::CeilDivSIOp>(is(ScalarOp::CeilDiv))
      .Case<arith::RemSIOp>(is(ScalarOp::Rem))
      .Case<arith::MinSIOp>(is(ScalarOp::Min))
      .Case<arith::MaxSIOp>(is(ScalarOp::Max))
      .Default(unsignedInstruction);
}

std::optional<CmpIPredicate> opc::signedPredicate(arith::CmpIOp compare) {
  bool ordered = isNonNegative(compare.getLhs()) && isNonNegative(compare.getRhs());
  auto known = [&](CmpIPredicate meant) { return ordered ? std::optional(meant) : std::nullopt; };
  switch (compare.getPredicate()) {
  case CmpIPredicate::ult:
    return known(CmpIPredicate::slt);
  case CmpIPredicate::ule:
    return known(CmpIPredicate::sle);
  case CmpIPredicate::ugt:
    return known(CmpIPredicate::sgt);
  case CmpIPredicate::uge:
    return known(CmpIPredicate::sge);
  default:
    return compare.getPredicate();
  }
}

std::optional<IntegerComparison> opc::integerComparison(arith::CmpIOp compare) {
  std::optional<CmpIPredicate> predicate = signedPredicate(compare);
  if (!predicate)
    return std::nullopt;
  switch (*predicate) {
  case CmpIPredicate::slt:
    return IntegerComparison{ScalarOp::Lt, false, false};
  case CmpIPredicate::sgt:
    return IntegerComparison{ScalarOp::Lt, true, false};
  case CmpIPredicate::sle:
    return IntegerComparison{ScalarOp::Lt, true, true};
  case CmpIPredicate::sge:
    return IntegerComparison{ScalarOp::Lt, false, true};
  case CmpIPredicate::eq:
    return IntegerComparison{ScalarOp::Eq, false, false};
  case CmpIPredicate::ne:
    return IntegerComparison{ScalarOp::Eq, false, true};
  default:
    return std::nullopt;
  }
}

#include "lowering/aicore/place/program/PayloadOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace opc::aicore {

Operation *combinerOf(linalg::GenericOp generic, Value &folded) {
  Block &body = generic.getRegion().front();
  Value output = body.getArguments().back();
  Operation *combiner = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!combiner || combiner->getNumOperands() != 2 || !output.hasOneUse())
    return nullptr;
  bool first = combiner->getOperand(0) == output, second = combiner->getOperand(1) == output;
  if (first == second)
    return nullptr;
  folded = combiner->getOperand(first ? 1 : 0);
  return combiner;
}

namespace {
/// `.Case<Op>(NameOf<te::Op>())`: the name of the te operation.
template <typename Op> struct NameOf {
  StringRef operator()(Operation *) const { return Op::getOperationName(); }
};
} // namespace

StringRef authorsName(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<arith::AddFOp, arith::AddIOp>(NameOf<te::AddOp>())
      .Case<arith::SubFOp, arith::SubIOp>(NameOf<te::SubOp>())
      .Case<arith::MulFOp, arith::MulIOp>(NameOf<te::MulOp>())
      .Case<arith::DivFOp, arith::DivSIOp, arith::DivUIOp>(NameOf<te::DivOp>())
      .Case<arith::RemSIOp, arith::RemUIOp>(NameOf<te::ModOp>())
      .Case<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(NameOf<te::MaximumOp>())
      .Case<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>(NameOf<te::MinimumOp>())
      .Case<arith::NegFOp>(NameOf<te::NegOp>())
      .Case<arith::CmpFOp, arith::CmpIOp>(NameOf<te::CompareOp>())
      .Case<arith::SelectOp>(NameOf<te::SelectOp>())
      .Case<arith::AndIOp>(NameOf<te::AndOp>())
      .Case<arith::OrIOp>(NameOf<te::OrOp>())
      .Case<arith::XOrIOp>(NameOf<te::NotOp>())
      .Case<math::AbsFOp, math::AbsIOp>(NameOf<te::AbsOp>())
      .Case<math::FloorOp>(NameOf<te::FloorOp>())
      .Case<math::CeilOp>(NameOf<te::CeilOp>())
      .Case<math::RoundEvenOp>(NameOf<te::RoundOp>())
      .Case<math::TruncOp>(NameOf<te::TruncOp>())
      .Case<math::ExpOp>(NameOf<te::ExpOp>())
      .Case<math::ExpM1Op>(NameOf<te::Expm1Op>())
      .Case<math::LogOp>(NameOf<te::LogOp>())
      .Case<math::Log1pOp>(NameOf<te::Log1pOp>())
      .Case<math::PowFOp, math::IPowIOp>(NameOf<te::PowOp>())
      .Case<math::SinOp>(NameOf<te::SinOp>())
      .Case<math::CosOp>(NameOf<te::CosOp>())
      .Case<math::SqrtOp>(NameOf<te::SqrtOp>())
      .Case<math::RsqrtOp>(NameOf<te::RsqrtOp>())
      .Default([](Operation *other) { return other->getName().getStringRef(); });
}

std::optional<Intrinsic> binaryIntrinsic(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Intrinsic>>(op)
      .Case<arith::AddFOp, arith::AddIOp>([](Operation *) { return Intrinsic::vadd; })
      .Case<arith::SubFOp, arith::SubIOp>([](Operation *) { return Intrinsic::vsub; })
      .Case<arith::MulFOp, arith::MulIOp>([](Operation *) { return Intrinsic::vmul; })
      .Case<arith::DivFOp>([](Operation *) { return Intrinsic::vdiv; })
      .Case<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp, arith::MaxUIOp>(
          [](Operation *) { return Intrinsic::vmax; })
      .Case<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp, arith::MinUIOp>(
          [](Operation *) { return Intrinsic::vmin; })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<Intrinsic> unaryIntrinsic(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Intrinsic>>(op)
      .Case<math::ExpOp>([](Operation *) { return Intrinsic::vexp; })
      .Case<math::LogOp>([](Operation *) { return Intrinsic::vln; })
      .Case<math::SqrtOp>([](Operation *) { return Intrinsic::vsqrt; })
      .Case<math::AbsFOp, math::AbsIOp>([](Operation *) { return Intrinsic::vabs; })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<ElementType> signOfBytes(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    using P = arith::CmpIPredicate;
    const P predicate = compare.getPredicate();
    if (predicate == P::eq || predicate == P::ne)
      return std::nullopt;
    const bool isSigned = predicate == P::slt || predicate == P::sle || predicate == P::sgt || predicate == P::sge;
    return isSigned ? ElementType::Int8 : ElementType::UInt8;
  }
  if (isa<arith::ExtUIOp, arith::UIToFPOp, arith::MaxUIOp, arith::MinUIOp, arith::DivUIOp, arith::RemUIOp>(op))
    return ElementType::UInt8;
  if (isa<arith::ExtSIOp, arith::SIToFPOp, arith::MaxSIOp, arith::MinSIOp, arith::DivSIOp, arith::RemSIOp,
          math::AbsIOp>(op))
    return ElementType::Int8;
  return std::nullopt;
}

std::optional<Comparison> comparisonOf(Operation *op) {
  // `signOfBytes` says whether integers are signed.
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    switch (compare.getPredicate()) {
    case arith::CmpIPredicate::eq:
      return Comparison::Eq;
    case arith::CmpIPredicate::ne:
      return Comparison::Ne;
    case arith::CmpIPredicate::slt:
    case arith::CmpIPredicate::ult:
      return Comparison::Lt;
    case arith::CmpIPredicate::sle:
    case arith::CmpIPredicate::ule:
      return Comparison::Le;
    case arith::CmpIPredicate::sgt:
    case arith::CmpIPredicate::ugt:
      return Comparison::Gt;
    case arith::CmpIPredicate::sge:
    case arith::CmpIPredicate::uge:
      return Comparison::Ge;
    }
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    switch (compare.getPredicate()) {
    case arith::CmpFPredicate::OEQ:
      return Comparison::Eq;
    case arith::CmpFPredicate::UNE:
      return Comparison::Ne;
    case arith::CmpFPredicate::OLT:
      return Comparison::Lt;
    case arith::CmpFPredicate::OLE:
      return Comparison::Le;
    case arith::CmpFPredicate::OGT:
      return Comparison::Gt;
    case arith::CmpFPredicate::OGE:
      return Comparison::Ge;
    default:
      return std::nullopt;
    }
  return std::nullopt;
}

Comparison mirrored(Comparison comparison) {
  switch (comparison) {
  case Comparison::Lt:
    return Comparison::Gt;
  case Comparison::Gt:
    return Comparison::Lt;
  case Comparison::Le:
    return Comparison::Ge;
  case Comparison::Ge:
    return Comparison::Le;
  default:
    return comparison;
  }
}

Rounding roundingOf(te::Rounding rounding) {
  switch (rounding) {
  case te::Rounding::NearestEven:
    return Rounding::Rint;
  case te::Rounding::NearestAway:
    return Rounding::Round;
  case te::Rounding::Floor:
    return Rounding::Floor;
  case te::Rounding::Ceil:
    return Rounding::Ceil;
  case te::Rounding::Trunc:
    return Rounding::Trunc;
  }
  return Rounding::Rint;
}

} // namespace opc::aicore

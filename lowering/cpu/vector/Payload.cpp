#include "lowering/cpu/vector/Payload.h"

#include "dialect/te/TeOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace llvm;
namespace arith = mlir::arith;
namespace math = mlir::math;

namespace opc::cpu {

//===----------------------------------------------------------------------===//
// Supported operations
//===----------------------------------------------------------------------===//

namespace {
enum class Function {
  None,
  Exp,
  Log,
  Tanh,
  Erf,
  Sigmoid,
  Swish,
  Gelu,
  Log1p,
  Expm1,
  Softplus,
  Sin,
  Cos,
  Pow,
  Mod,
  Sign,
  Sqrt,
  Rsqrt,
  Abs,
  Floor,
  Ceil,
  Trunc,
  RoundEven,
};
} // namespace

// Functions of floats. Those of te are scalar operations that stay in bodies until a backend expands them.
static Function functionOf(mlir::Operation &op) {
  auto is = [](Function function) { return [function](mlir::Operation *) { return function; }; };
  return TypeSwitch<mlir::Operation *, Function>(&op)
      .Case<math::ExpOp>(is(Function::Exp))
      .Case<math::LogOp>(is(Function::Log))
      .Case<math::TanhOp, te::TanhOp>(is(Function::Tanh))
      .Case<math::ErfOp, te::ErfOp>(is(Function::Erf))
      .Case<te::SigmoidOp>(is(Function::Sigmoid))
      .Case<te::SwishOp>(is(Function::Swish))
      .Case<te::GeluOp>(is(Function::Gelu))
      .Case<math::Log1pOp>(is(Function::Log1p))
      .Case<math::ExpM1Op>(is(Function::Expm1))
      .Case<te::SoftplusOp>(is(Function::Softplus))
      .Case<math::SinOp>(is(Function::Sin))
      .Case<math::CosOp>(is(Function::Cos))
      .Case<math::PowFOp>(is(Function::Pow))
      .Case<te::ModOp>(is(Function::Mod))
      .Case<te::SignOp>(is(Function::Sign))
      .Case<math::SqrtOp>(is(Function::Sqrt))
      .Case<math::RsqrtOp>(is(Function::Rsqrt))
      .Case<math::AbsFOp>(is(Function::Abs))
      .Case<math::FloorOp>(is(Function::Floor))
      .Case<math::CeilOp>(is(Function::Ceil))
      .Case<math::TruncOp>(is(Function::Trunc))
      .Case<math::RoundEvenOp>(is(Function::RoundEven))
      .Default(is(Function::None));
}

static bool isCostly(Function function) {
  switch (function) {
  case Function::Exp:
  case Function::Log:
  case Function::Tanh:
  case Function::Erf:
  case Function::Sigmoid:
  case Function::Swish:
  case Function::Gelu:
  case Function::Log1p:
  case Function::Expm1:
  case Function::Softplus:
  case Function::Sin:
  case Function::Cos:
  case Function::Pow:
  case Function::Mod:
    return true;
  default:
    return false;
  }
}

// Casts that state their rounding, from types that are computed in float32.
static bool isKnownCast(te::CastOp cast) {
  mlir::Type from = cast.getOperand().getType(), to = cast.getResult().getType();
  if (!mlir::isa<mlir::FloatType>(from) || from.isF64())
    return false;
  return to.isSignlessInteger() || to.isF16() || to.isBF16() || to.isF32();
}

// LLVM cannot generate vector code for a conversion from f64 to 16 bits.
static bool isLongNarrowing(mlir::Operation &op) {
  return mlir::isa<arith::TruncFOp>(op) && op.getOperand(0).getType().isF64() &&
         op.getResult(0).getType().getIntOrFloatBitWidth() == 16;
}

static bool isKnown(mlir::Operation &op) {
  if (functionOf(op) != Function::None)
    return true;
  if (auto cast = mlir::dyn_cast<te::CastOp>(op))
    return isKnownCast(cast);
  return mlir::isa<arith::ConstantOp, arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp,
                   arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp, arith::CmpFOp,
                   arith::SelectOp, arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp,
                   arith::FPToUIOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp, arith::DivUIOp,
                   arith::RemSIOp, arith::RemUIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::ShLIOp,
                   arith::ShRSIOp, arith::ShRUIOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp,
                   arith::CmpIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::BitcastOp, arith::IndexCastOp,
                   math::AbsIOp, math::IPowIOp, math::FmaOp, math::CopySignOp>(op);
}

static bool isHalf(mlir::Type type) {
  return type.isF16() || type.isBF16();
}

// f64 has arithmetic, but none of the functions that are expanded.
static bool takesType(mlir::Operation &op, mlir::Type type) {
  LLVMContext context;
  if (!Element::of(type, context))
    return false;
  return !(isCostly(functionOf(op)) && type.isF64());
}

static void widen(mlir::Type type, PayloadCost &cost) {
  LLVMContext context;
  if (std::optional<Element> element = Element::of(type, context))
    cost.widestBits = std::max(cost.widestBits, element->computedBits());
}

// The bits of a lane in which a division or a power of integers computes, as far as they limit the elements of an
// iteration; 0 for other operations. Integers are divided in floats of twice their width (VectorMath). Bytes are
// divided in f32: shorter iterations, or a choice between stores, took 4 % longer for them.
static unsigned innerBits(mlir::Operation &op) {
  if (!mlir::isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, math::IPowIOp>(op))
    return 0;
  mlir::Type type = op.getResult(0).getType();
  const unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (bits == 8)
    return 0;
  return mlir::isa<math::IPowIOp>(op) ? bits : std::min(2 * bits, 64u);
}

bool checkOperation(mlir::Operation &op, PayloadCost &cost) {
  if (!isKnown(op) || isLongNarrowing(op) || op.getNumRegions() != 0 || op.getNumResults() != 1) {
    op.emitError("[cpu_c6] expects operations that have a CPU form, found '") << op.getName().getStringRef() << "'";
    return false;
  }
  SmallVector<mlir::Type> types(op.getOperandTypes());
  append_range(types, op.getResultTypes());
  for (mlir::Type type : types)
    if (!takesType(op, type)) {
      op.emitError("[cpu_c6] expects element types that have a CPU form here, found ") << type;
      return false;
    }
  widen(op.getResult(0).getType(), cost);
  cost.usesFunctions |= isCostly(functionOf(op));
  cost.innerBits = std::max(cost.innerBits, innerBits(op));
  return true;
}

std::optional<unsigned> countedLoop(mlir::linalg::IndexOp index) {
  auto loop = index->getAttrOfType<mlir::IntegerAttr>(te::TeDialect::kLoopAttr);
  return loop ? std::optional(unsigned(loop.getInt())) : std::nullopt;
}

bool countsAlong(mlir::linalg::GenericOp generic, ArrayRef<unsigned> loops) {
  return any_of(generic.getBody()->getOps<mlir::linalg::IndexOp>(), [&](mlir::linalg::IndexOp index) {
    std::optional<unsigned> loop = countedLoop(index);
    return loop && is_contained(loops, *loop);
  });
}

// Whether a linalg.index counts along a loop of the kernel, or among the elements of a reduction: along a row, or along
// a column, whose elements are in the inner one of two loops.
static bool isPosition(mlir::linalg::IndexOp index) {
  auto generic = mlir::dyn_cast<mlir::linalg::GenericOp>(index->getParentOp());
  if (!generic || countedLoop(index))
    return bool(generic);
  constexpr auto kept = mlir::utils::IteratorType::parallel, reduced = mlir::utils::IteratorType::reduction;
  auto iterators = generic.getIteratorTypesArray();
  return index.getDim() == 1 && (iterators == SmallVector<mlir::utils::IteratorType>{kept, reduced} ||
                                 iterators == SmallVector<mlir::utils::IteratorType>{reduced, reduced, kept});
}

bool checkPayload(mlir::Block &body, PayloadCost &cost) {
  for (mlir::BlockArgument argument : body.getArguments())
    widen(argument.getType(), cost);
  for (mlir::Operation &op : body.without_terminator()) {
    if (auto index = mlir::dyn_cast<mlir::linalg::IndexOp>(op)) {
      if (isPosition(index)) {
        widen(mlir::IntegerType::get(op.getContext(), 32), cost);
        continue;
      }
      op.emitError("[cpu_c6] expects positions along a loop of the kernel, or in the rows or columns that are reduced");
      return false;
    }
    // Only kernels of the shape keys `scanned` and `sorted` have scans and sorts, and only those of `lookup`
    // have gathers.
    if (mlir::isa<te::ScanOp, te::SortOp, te::GatherOp>(op)) {
      if (!takesType(op, op.getResult(0).getType())) {
        op.emitError("[cpu_c6] expects element types that have a CPU form here, found ") << op.getResult(0).getType();
        return false;
      }
      widen(op.getResult(0).getType(), cost);
      continue;
    }
    if (!checkOperation(op, cost))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Running a body
//===----------------------------------------------------------------------===//

Value *Payload::splat(Value *scalar) {
  return lanes ? b.CreateVectorSplat(lanes, scalar) : scalar;
}

Lane Payload::operand(mlir::Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Lane lane{splat(lookup(value)), false};
  known[value] = lane;
  return lane;
}

Value *Payload::rounded(Lane lane, mlir::Type type) {
  return lane.rounds ? roundTo(b, lane.value, *Element::of(type, b.getContext())) : lane.value;
}

bool Payload::run(mlir::Block &body, ArrayRef<Lane> arguments, SmallVectorImpl<Lane> &results) {
  for (auto [argument, lane] : zip_equal(body.getArguments(), arguments))
    known[argument] = lane;
  for (mlir::Operation &op : body.without_terminator()) {
    if (std::optional<Lane> lane = before ? before(op) : std::nullopt) {
      known[op.getResult(0)] = *lane;
      continue;
    }
    if (auto index = mlir::dyn_cast<mlir::linalg::IndexOp>(op)) {
      known[index.getResult()] = {position(countedLoop(index)), false};
      continue;
    }
    SmallVector<Lane, 3> operands;
    if (auto gather = mlir::dyn_cast<te::GatherOp>(op)) {
      SmallVector<Value *> places;
      for (mlir::Value value : gather.getIndices())
        places.push_back(operand(value).value);
      known[op.getResult(0)] = {lookUp(op, places), false};
      continue;
    }
    for (mlir::Value value : op.getOperands())
      operands.push_back(operand(value));
    if (mlir::isa<te::ScanOp, te::SortOp>(op)) {
      known[op.getResult(0)] = {scan(op, rounded(operands.front(), op.getOperand(0).getType())), false};
      continue;
    }
    known[op.getResult(0)] = apply(op, operands);
  }
  for (mlir::Value value : body.getTerminator()->getOperands())
    results.push_back(operand(value));
  return true;
}

Lane Payload::apply(mlir::Operation &op, ArrayRef<Lane> operands) {
  bool half = isHalf(op.getResult(0).getType());
  // These ops are monotone or only change the sign, so they commute with rounding.
  bool commutes =
      mlir::isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp, arith::NegFOp>(op) ||
      functionOf(op) == Function::Abs;
  auto select = mlir::dyn_cast<arith::SelectOp>(op);
  bool waits = false;
  SmallVector<Value *, 3> values;
  for (auto [i, lane] : enumerate(operands)) {
    bool keeps = half && (commutes || (select && i > 0));
    waits |= keeps && lane.rounds;
    values.push_back(keeps ? lane.value : rounded(lane, op.getOperand(i).getType()));
  }
  Lane result = arithmetic(op, values);
  if (half)
    result.rounds = commutes || select ? waits : result.rounds;
  return result;
}

// In LLVM, division by 0 and the one quotient that overflows are undefined, and they trap on a CPU. Here x / 0 is 0,
// and the quotient wraps around.
Value *Payload::divide(Value *x, Value *y, bool isSigned, bool remainder) {
  Value *zero = Constant::getNullValue(y->getType());
  Value *one = ConstantInt::get(y->getType(), 1);
  Value *noDivisor = b.CreateICmpEQ(y, zero);
  Value *divisor = b.CreateSelect(noDivisor, one, y), *negates = nullptr;
  if (isSigned) {
    negates = b.CreateICmpEQ(y, Constant::getAllOnesValue(y->getType()));
    divisor = b.CreateSelect(negates, one, divisor);
  }
  Value *result = math.quotient(x, divisor, isSigned);
  if (remainder)
    result = b.CreateSub(x, b.CreateMul(result, divisor));
  else if (isSigned)
    result = b.CreateSelect(negates, b.CreateNeg(x), result);
  return b.CreateSelect(noDivisor, zero, result);
}

// Whether the contract's tolerance for all results admits these errors of `op`, in float32 ulp or absolute, and the
// value of `op` is itself a result of the kernel, rounded at most.
static bool admits(mlir::Operation &op, double ulp, double absolute) {
  auto function = op.getParentOfType<mlir::func::FuncOp>();
  auto tolerance = function ? function->getAttrOfType<mlir::DenseF64ArrayAttr>(te::TeDialect::kToleranceAttr)
                            : mlir::DenseF64ArrayAttr();
  if (!tolerance || tolerance[0] < ulp || tolerance[1] < absolute)
    return false;
  mlir::Operation *value = &op;
  while (value->hasOneUse() && mlir::isa<arith::TruncFOp>(*value->user_begin()))
    value = *value->user_begin();
  auto generic = mlir::dyn_cast<mlir::linalg::GenericOp>(op.getParentOp());
  if (!generic || generic.getNumReductionLoops() || !value->hasOneUse() ||
      !mlir::isa<mlir::linalg::YieldOp>(*value->user_begin()))
    return false;
  return all_of(generic->getUsers(),
                [](mlir::Operation *user) { return mlir::isa<mlir::bufferization::MaterializeInDestinationOp>(user); });
}

Value *Payload::function(mlir::Operation &op, ArrayRef<Value *> x) {
  switch (functionOf(op)) {
  case Function::None:
    return nullptr;
  case Function::Exp:
    return expForm == ExpForm::Rounded   ? math.exp(x[0])
           : expForm == ExpForm::Flushed ? math.flushedExp(x[0])
                                         : math.decayingExp(x[0]);
  case Function::Log:
    return math.log(x[0]);
  case Function::Tanh:
    return math.tanh(x[0]);
  case Function::Erf:
    return math.erf(x[0]);
  case Function::Sigmoid:
    return math.sigmoid(x[0]);
  case Function::Swish:
    return math.swish(x[0], x.size() > 1 ? x[1] : nullptr);
  case Function::Gelu: {
    auto gelu = mlir::dyn_cast<te::GeluOp>(op);
    if (gelu && gelu.getForm() == te::GeluForm::Tanh)
      return math.geluTanh(x[0]);
    bool near = admits(op, VectorMath::kNearGeluUlp, VectorMath::kNearGeluError);
    return near ? math.nearGelu(x[0]) : math.gelu(x[0]);
  }
  case Function::Log1p:
    return math.log1p(x[0]);
  case Function::Expm1:
    return math.expm1(x[0]);
  case Function::Softplus:
    return math.softplus(x[0]);
  case Function::Sin:
    return math.sine(x[0], /*cosine=*/false);
  case Function::Cos:
    return math.sine(x[0], /*cosine=*/true);
  case Function::Pow:
    return math.pow(x[0], x[1]);
  case Function::Mod:
    return math.mod(x[0], x[1], mlir::cast<te::ModOp>(op).getForm() == te::ModForm::Floor);
  case Function::Sign:
    return math.sign(x[0]);
  case Function::Sqrt:
    return b.CreateUnaryIntrinsic(Intrinsic::sqrt, x[0]);
  case Function::Rsqrt:
    return b.CreateFDiv(ConstantFP::get(x[0]->getType(), 1.0), b.CreateUnaryIntrinsic(Intrinsic::sqrt, x[0]));
  case Function::Abs:
    return math.abs(x[0]);
  case Function::Floor:
    return b.CreateUnaryIntrinsic(Intrinsic::floor, x[0]);
  case Function::Ceil:
    return b.CreateUnaryIntrinsic(Intrinsic::ceil, x[0]);
  case Function::Trunc:
    return b.CreateUnaryIntrinsic(Intrinsic::trunc, x[0]);
  case Function::RoundEven:
    return b.CreateUnaryIntrinsic(Intrinsic::roundeven, x[0]);
  }
  return nullptr;
}

// A case for each: arith numbers UNO after the unordered relations, LLVM before them.
static CmpInst::Predicate predicateOf(arith::CmpFPredicate predicate) {
  switch (predicate) {
  case arith::CmpFPredicate::AlwaysFalse:
    return CmpInst::FCMP_FALSE;
  case arith::CmpFPredicate::OEQ:
    return CmpInst::FCMP_OEQ;
  case arith::CmpFPredicate::OGT:
    return CmpInst::FCMP_OGT;
  case arith::CmpFPredicate::OGE:
    return CmpInst::FCMP_OGE;
  case arith::CmpFPredicate::OLT:
    return CmpInst::FCMP_OLT;
  case arith::CmpFPredicate::OLE:
    return CmpInst::FCMP_OLE;
  case arith::CmpFPredicate::ONE:
    return CmpInst::FCMP_ONE;
  case arith::CmpFPredicate::ORD:
    return CmpInst::FCMP_ORD;
  case arith::CmpFPredicate::UEQ:
    return CmpInst::FCMP_UEQ;
  case arith::CmpFPredicate::UGT:
    return CmpInst::FCMP_UGT;
  case arith::CmpFPredicate::UGE:
    return CmpInst::FCMP_UGE;
  case arith::CmpFPredicate::ULT:
    return CmpInst::FCMP_ULT;
  case arith::CmpFPredicate::ULE:
    return CmpInst::FCMP_ULE;
  case arith::CmpFPredicate::UNE:
    return CmpInst::FCMP_UNE;
  case arith::CmpFPredicate::UNO:
    return CmpInst::FCMP_UNO;
  case arith::CmpFPredicate::AlwaysTrue:
    return CmpInst::FCMP_TRUE;
  }
  return CmpInst::FCMP_FALSE;
}

static CmpInst::Predicate predicateOf(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return CmpInst::ICMP_EQ;
  case arith::CmpIPredicate::ne:
    return CmpInst::ICMP_NE;
  case arith::CmpIPredicate::slt:
    return CmpInst::ICMP_SLT;
  case arith::CmpIPredicate::sle:
    return CmpInst::ICMP_SLE;
  case arith::CmpIPredicate::sgt:
    return CmpInst::ICMP_SGT;
  case arith::CmpIPredicate::sge:
    return CmpInst::ICMP_SGE;
  case arith::CmpIPredicate::ult:
    return CmpInst::ICMP_ULT;
  case arith::CmpIPredicate::ule:
    return CmpInst::ICMP_ULE;
  case arith::CmpIPredicate::ugt:
    return CmpInst::ICMP_UGT;
  case arith::CmpIPredicate::uge:
    return CmpInst::ICMP_UGE;
  }
  return CmpInst::ICMP_EQ;
}

Lane Payload::arithmetic(mlir::Operation &op, ArrayRef<Value *> x) {
  if (auto constant = mlir::dyn_cast<arith::ConstantOp>(op)) {
    Type *type = Element::of(constant.getType(), b.getContext())->computed;
    if (auto number = mlir::dyn_cast<mlir::FloatAttr>(constant.getValue())) {
      APFloat value = number.getValue();
      bool loses = false;
      value.convert(type->getFltSemantics(), APFloat::rmNearestTiesToEven, &loses);
      return {splat(ConstantFP::get(type, value)), false};
    }
    APInt value = mlir::cast<mlir::IntegerAttr>(constant.getValue()).getValue();
    return {splat(ConstantInt::get(type, value)), false};
  }
  if (Value *result = function(op, x))
    return {result, functionOf(op) != Function::Abs};

  auto floats = [](Value *value) { return Lane{value, true}; };
  auto integers = [](Value *value) { return Lane{value, false}; };
  return TypeSwitch<mlir::Operation *, Lane>(&op)
      .Case<arith::AddFOp>([&](auto) { return floats(b.CreateFAdd(x[0], x[1])); })
      .Case<arith::SubFOp>([&](auto) { return floats(b.CreateFSub(x[0], x[1])); })
      .Case<arith::MulFOp>([&](auto) { return floats(b.CreateFMul(x[0], x[1])); })
      .Case<arith::DivFOp>([&](auto) { return floats(b.CreateFDiv(x[0], x[1])); })
      .Case<arith::NegFOp>([&](auto) { return floats(b.CreateFNeg(x[0])); })
      .Case<arith::MaximumFOp>([&](auto) { return floats(math.maximum(x[0], x[1])); })
      .Case<arith::MinimumFOp>([&](auto) { return floats(math.minimum(x[0], x[1])); })
      .Case<arith::MaxNumFOp>([&](auto) { return floats(b.CreateMaxNum(x[0], x[1])); })
      .Case<arith::MinNumFOp>([&](auto) { return floats(b.CreateMinNum(x[0], x[1])); })
      .Case<arith::CmpFOp>(
          [&](arith::CmpFOp op) { return integers(b.CreateFCmp(predicateOf(op.getPredicate()), x[0], x[1])); })
      .Case<arith::CmpIOp>(
          [&](arith::CmpIOp op) { return integers(b.CreateICmp(predicateOf(op.getPredicate()), x[0], x[1])); })
      .Case<arith::SelectOp>([&](auto) { return floats(b.CreateSelect(x[0], x[1], x[2])); })
      .Case<math::FmaOp>(
          [&](auto) { return floats(b.CreateIntrinsic(Intrinsic::fma, {x[0]->getType()}, {x[0], x[1], x[2]})); })
      .Case<math::CopySignOp>([&](auto) { return floats(b.CreateBinaryIntrinsic(Intrinsic::copysign, x[0], x[1])); })
      .Case<math::AbsIOp>([&](auto) {
        Value *wraps = b.getFalse();
        return integers(b.CreateBinaryIntrinsic(Intrinsic::abs, x[0], wraps));
      })
      .Case<arith::AddIOp>([&](auto) { return integers(b.CreateAdd(x[0], x[1])); })
      .Case<arith::SubIOp>([&](auto) { return integers(b.CreateSub(x[0], x[1])); })
      .Case<arith::MulIOp>([&](auto) { return integers(b.CreateMul(x[0], x[1])); })
      .Case<arith::DivSIOp>([&](auto) { return integers(divide(x[0], x[1], true, false)); })
      .Case<arith::DivUIOp>([&](auto) { return integers(divide(x[0], x[1], false, false)); })
      .Case<arith::RemSIOp>([&](auto) { return integers(divide(x[0], x[1], true, true)); })
      .Case<arith::RemUIOp>([&](auto) { return integers(divide(x[0], x[1], false, true)); })
      .Case<math::IPowIOp>([&](auto) { return integers(math.wholePower(x[0], x[1])); })
      .Case<arith::AndIOp>([&](auto) { return integers(b.CreateAnd(x[0], x[1])); })
      .Case<arith::OrIOp>([&](auto) { return integers(b.CreateOr(x[0], x[1])); })
      .Case<arith::XOrIOp>([&](auto) { return integers(b.CreateXor(x[0], x[1])); })
      .Case<arith::MaxSIOp>([&](auto) { return integers(b.max(x[0], x[1])); })
      .Case<arith::MinSIOp>([&](auto) { return integers(b.min(x[0], x[1])); })
      .Case<arith::MaxUIOp>([&](auto) { return integers(b.CreateBinaryIntrinsic(Intrinsic::umax, x[0], x[1])); })
      .Case<arith::MinUIOp>([&](auto) { return integers(b.CreateBinaryIntrinsic(Intrinsic::umin, x[0], x[1])); })
      .Default([&](mlir::Operation *) { return conversion(op, x); });
}

// In LLVM, a shift by the width or more is undefined; here the amount wraps around.
static Value *shiftCount(CodeBuilder &b, Value *count) {
  unsigned bits = count->getType()->getScalarSizeInBits();
  return b.CreateAnd(count, ConstantInt::get(count->getType(), bits - 1));
}

// An integer of 32 bits or more that becomes a float of less than 32 bits is rounded to odd on the way, so that the
// second rounding is correct.
static Value *integerToFloat(CodeBuilder &b, Value *x, Type *type, bool isSigned, bool narrows) {
  auto direct = [&](Type *to) { return isSigned ? b.CreateSIToFP(x, to) : b.CreateUIToFP(x, to); };
  if (!narrows || x->getType()->getScalarSizeInBits() < 32)
    return direct(type);
  unsigned lanes = lanesOf(type);
  Value *exact = direct(withLanes(b.getDoubleTy(), lanes));
  Value *value = b.CreateFPTrunc(exact, type);
  Value *back = b.CreateFPExt(value, exact->getType());
  Type *words = withLanes(b.getInt32Ty(), lanes);
  Value *bits = b.CreateBitCast(value, words);
  // Round towards zero, then set the last bit if the result is inexact.
  Value *magnitude = b.CreateUnaryIntrinsic(Intrinsic::fabs, exact);
  Value *away = b.CreateFCmpOGT(b.CreateUnaryIntrinsic(Intrinsic::fabs, back), magnitude);
  bits = b.CreateSub(bits, b.CreateZExt(away, words));
  Value *odd = b.CreateOr(bits, ConstantInt::get(words, 1));
  bits = b.CreateSelect(b.CreateFCmpONE(back, exact), odd, bits);
  return b.CreateBitCast(bits, type);
}

// The value rounded to an integer, as a float.
static Value *toWhole(CodeBuilder &b, Value *x, te::Rounding rounding) {
  switch (rounding) {
  case te::Rounding::NearestEven:
    return b.CreateUnaryIntrinsic(Intrinsic::roundeven, x);
  case te::Rounding::Floor:
    return b.CreateUnaryIntrinsic(Intrinsic::floor, x);
  case te::Rounding::Ceil:
    return b.CreateUnaryIntrinsic(Intrinsic::ceil, x);
  case te::Rounding::Trunc:
    return b.CreateUnaryIntrinsic(Intrinsic::trunc, x);
  case te::Rounding::NearestAway:
    break;
  }
  // The fraction is exact; if it is one half or more, add one.
  Value *whole = b.CreateUnaryIntrinsic(Intrinsic::trunc, x);
  Value *rest = b.CreateUnaryIntrinsic(Intrinsic::fabs, b.CreateFSub(x, whole));
  Value *one = b.CreateBinaryIntrinsic(Intrinsic::copysign, ConstantFP::get(x->getType(), 1.0), x);
  Value *more = b.CreateFCmpOGE(rest, ConstantFP::get(x->getType(), 0.5));
  return b.CreateSelect(more, b.CreateFAdd(whole, one), whole);
}

// f32 to f16 or bf16 in a given direction: the nearest value, or its neighbour if the nearest value is on the wrong
// side. The bits of neighbours with the same sign differ by one.
static Value *toNarrowFloat(CodeBuilder &b, Value *x, const Element &element, te::Rounding rounding, bool saturates) {
  Value *bits = toMemory(b, x, element), *nearest = fromMemory(b, bits, element);
  Value *one = ConstantInt::get(bits->getType(), 1);
  Value *negative = b.CreateICmpSLT(bits, Constant::getNullValue(bits->getType()));
  Value *outward = b.CreateAdd(bits, one), *inward = b.CreateSub(bits, one);
  Value *wrong = nullptr, *neighbour = inward;
  if (rounding == te::Rounding::Floor) {
    wrong = b.CreateFCmpOGT(nearest, x);
    neighbour = b.CreateSelect(negative, outward, inward);
  } else if (rounding == te::Rounding::Ceil) {
    wrong = b.CreateFCmpOLT(nearest, x);
    neighbour = b.CreateSelect(negative, inward, outward);
  } else if (rounding == te::Rounding::NearestAway) {
    // A tie that was rounded to the even neighbour towards zero: both neighbours are exactly as far.
    wrong = b.CreateFCmpOEQ(b.CreateFSub(fromMemory(b, outward, element), x), b.CreateFSub(x, nearest));
    neighbour = outward;
  } else if (rounding == te::Rounding::Trunc) {
    wrong =
        b.CreateFCmpOGT(b.CreateUnaryIntrinsic(Intrinsic::fabs, nearest), b.CreateUnaryIntrinsic(Intrinsic::fabs, x));
  }
  Value *value = nearest;
  if (wrong)
    value = fromMemory(b, b.CreateSelect(wrong, neighbour, bits), element);
  if (!saturates)
    return value;
  Value *largest = ConstantFP::get(value->getType(), element.kind == Element::Half ? 65504.0 : 0x1.fep127);
  Value *magnitude = b.CreateUnaryIntrinsic(Intrinsic::fabs, value);
  Value *finite = b.CreateBinaryIntrinsic(Intrinsic::copysign, largest, value);
  return b.CreateSelect(b.CreateFCmpOGT(magnitude, largest), finite, value);
}

// Converts float32 to a 32-bit integer, truncated and saturated; NaN becomes 0. LLVM's saturating conversion of a
// vector is scalar code with branches on processors without such an instruction.
static Value *toWords(CodeBuilder &b, Value *x, Type *type) {
  auto real = [&](double value) { return ConstantFP::get(x->getType(), value); };
  constexpr double kEnd = 0x1p31, kLast = 0x1.fffffep30; // no float32 is between them
  Value *inside = b.CreateSelect(b.CreateFCmpOLT(x, real(-kEnd)), real(-kEnd), x);
  inside = b.CreateSelect(b.CreateFCmpOGT(inside, real(kLast)), real(kLast), inside);
  inside = b.CreateSelect(b.CreateFCmpORD(x, x), inside, real(0));
  Value *most = ConstantInt::get(type, uint64_t(INT32_MAX));
  return b.CreateSelect(b.CreateFCmpOGE(x, real(kEnd)), most, b.CreateFPToSI(inside, type));
}

Lane Payload::conversion(mlir::Operation &op, ArrayRef<Value *> x) {
  mlir::Type from = op.getOperand(0).getType(), to = op.getResult(0).getType();
  Type *type = withLanes(Element::of(to, b.getContext())->computed, lanes);
  // Floats that a kernel only moves stay the bits that memory has (FusedKernel::movedFloat).
  const bool isMoved = x[0]->getType()->isIntOrIntVectorTy();
  auto saturating = [&](Intrinsic::ID id) {
    return Lane{b.CreateIntrinsic(id, {type, x[0]->getType()}, {x[0]}), false};
  };
  // Every byte is a number of float16 and of bfloat16.
  const auto whole = mlir::dyn_cast<mlir::IntegerType>(from);
  const bool rounds = !whole || whole.getWidth() > 8;
  return TypeSwitch<mlir::Operation *, Lane>(&op)
      .Case<arith::ExtFOp>(
          [&](auto) { return Lane{x[0]->getType() == type || isMoved ? x[0] : b.CreateFPExt(x[0], type), false}; })
      .Case<arith::TruncFOp>(
          [&](auto) { return Lane{x[0]->getType() == type || isMoved ? x[0] : b.CreateFPTrunc(x[0], type), true}; })
      .Case<arith::SIToFPOp>([&](auto) { return Lane{integerToFloat(b, x[0], type, true, isHalf(to)), rounds}; })
      .Case<arith::UIToFPOp>([&](auto) { return Lane{integerToFloat(b, x[0], type, false, isHalf(to)), rounds}; })
      .Case<arith::FPToSIOp>([&](auto) { return saturating(Intrinsic::fptosi_sat); })
      .Case<arith::FPToUIOp>([&](auto) { return saturating(Intrinsic::fptoui_sat); })
      .Case<te::CastOp>([&](te::CastOp cast) {
        if (mlir::isa<mlir::FloatType>(to)) {
          Element element = *Element::of(to, b.getContext());
          bool narrows = isHalf(to);
          return Lane{narrows ? toNarrowFloat(b, x[0], element, cast.getRounding(), cast.getSaturate()) : x[0], false};
        }
        Value *whole = toWhole(b, x[0], cast.getRounding());
        if (!cast.getIsUnsigned() && to.isInteger(32) && whole->getType()->getScalarType()->isFloatTy())
          return Lane{toWords(b, whole, type), false};
        Intrinsic::ID id = cast.getIsUnsigned() ? Intrinsic::fptoui_sat : Intrinsic::fptosi_sat;
        return Lane{b.CreateIntrinsic(id, {type, whole->getType()}, {whole}), false};
      })
      .Case<arith::ShLIOp>([&](auto) { return Lane{b.CreateShl(x[0], shiftCount(b, x[1])), false}; })
      .Case<arith::ShRSIOp>([&](auto) { return Lane{b.CreateAShr(x[0], shiftCount(b, x[1])), false}; })
      .Case<arith::ShRUIOp>([&](auto) { return Lane{b.CreateLShr(x[0], shiftCount(b, x[1])), false}; })
      .Case<arith::ExtSIOp, arith::IndexCastOp>([&](auto) { return Lane{b.CreateSExtOrTrunc(x[0], type), false}; })
      .Case<arith::ExtUIOp>([&](auto) { return Lane{b.CreateZExt(x[0], type), false}; })
      .Case<arith::TruncIOp>([&](auto) { return Lane{b.CreateTrunc(x[0], type), false}; })
      .Case<arith::BitcastOp>([&](auto) {
        // Through the types in memory, where the bits are defined.
        Value *bits = toMemory(b, x[0], *Element::of(from, b.getContext()));
        Element element = *Element::of(to, b.getContext());
        Value *cast = b.CreateBitCast(bits, withLanes(element.memory, lanes));
        return Lane{fromMemory(b, cast, element), false};
      })
      .Default([](mlir::Operation *) { return Lane(); });
}

} // namespace opc::cpu

#include "lowering/cpu/loops/Lanes.h"

#include "lowering/cpu/loops/FlatView.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace opc::cpu {

Value floatConstant(ImplicitLocOpBuilder &b, Type type, double value) {
  return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
}

Value integerConstant(ImplicitLocOpBuilder &b, Type type, int64_t value) {
  return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
}

static Value select(ImplicitLocOpBuilder &b, Value condition, Value yes, Value no) {
  return arith::SelectOp::create(b, condition, yes, no);
}

static Value compare(ImplicitLocOpBuilder &b, arith::CmpFPredicate predicate, Value lhs, Value rhs) {
  return arith::CmpFOp::create(b, predicate, lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Storage types
//===----------------------------------------------------------------------===//

// bfloat16 is the upper half of an f32. The conversions are expanded here, since without AVX512-BF16 LLVM calls a
// library function for the rounding one.
static Value fromBFloat16(ImplicitLocOpBuilder &b, Value value) {
  Value bits = arith::BitcastOp::create(b, b.getI16Type(), value);
  Value word = arith::ExtUIOp::create(b, b.getI32Type(), bits);
  Value shifted = arith::ShLIOp::create(b, word, integerConstant(b, b.getI32Type(), 16));
  return arith::BitcastOp::create(b, b.getF32Type(), shifted);
}

static Value toBFloat16(ImplicitLocOpBuilder &b, Value value) {
  Type i32 = b.getI32Type();
  Value bits = arith::BitcastOp::create(b, i32, value);
  Value sixteen = integerConstant(b, i32, 16);
  Value upper = arith::ShRUIOp::create(b, bits, sixteen);
  // To nearest even: add half a unit minus one, and one more if the kept part is odd.
  Value odd = arith::AndIOp::create(b, upper, integerConstant(b, i32, 1));
  Value bias = arith::AddIOp::create(b, odd, integerConstant(b, i32, 0x7fff));
  Value rounded = arith::ShRUIOp::create(b, arith::AddIOp::create(b, bits, bias), sixteen);
  Value quiet = arith::OrIOp::create(b, upper, integerConstant(b, i32, 0x40));
  Value isNaN = compare(b, arith::CmpFPredicate::UNO, value, value);
  Value result = arith::TruncIOp::create(b, b.getI16Type(), select(b, isNaN, quiet, rounded));
  return arith::BitcastOp::create(b, b.getBF16Type(), result);
}

Value widen(ImplicitLocOpBuilder &b, Value value, ElementType type) {
  if (type == ElementType::Float16)
    return arith::ExtFOp::create(b, b.getF32Type(), value);
  if (type == ElementType::BFloat16)
    return fromBFloat16(b, value);
  return value;
}

Value narrow(ImplicitLocOpBuilder &b, Value value, ElementType type) {
  if (type == ElementType::Float16)
    return arith::TruncFOp::create(b, b.getF16Type(), value);
  if (type == ElementType::BFloat16)
    return toBFloat16(b, value);
  return value;
}

// An intermediate rounding within a compound operation.
static Value rounded(ImplicitLocOpBuilder &b, Value value, ElementType type) {
  return widen(b, narrow(b, value, type), type);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static bool isFloat(Value value) {
  return isa<FloatType>(value.getType());
}

template <typename FloatOp, typename IntegerOp> static Value either(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  if (isFloat(lhs))
    return FloatOp::create(b, lhs, rhs);
  return IntegerOp::create(b, lhs, rhs);
}

static Value addition(ImplicitLocOpBuilder &b, Value x, Value y) {
  return either<arith::AddFOp, arith::AddIOp>(b, x, y);
}
static Value difference(ImplicitLocOpBuilder &b, Value x, Value y) {
  return either<arith::SubFOp, arith::SubIOp>(b, x, y);
}
static Value product(ImplicitLocOpBuilder &b, Value x, Value y) {
  return either<arith::MulFOp, arith::MulIOp>(b, x, y);
}
static Value maximum(ImplicitLocOpBuilder &b, Value x, Value y) {
  return either<arith::MaximumFOp, arith::MaxSIOp>(b, x, y);
}
static Value minimum(ImplicitLocOpBuilder &b, Value x, Value y) {
  return either<arith::MinimumFOp, arith::MinSIOp>(b, x, y);
}

// x < 0 ? 0 : x is a single instruction and preserves NaN.
static Value relu(ImplicitLocOpBuilder &b, Value x) {
  if (!isFloat(x))
    return arith::MaxSIOp::create(b, x, integerConstant(b, x.getType(), 0));
  Value zero = floatConstant(b, x.getType(), 0);
  return select(b, compare(b, arith::CmpFPredicate::OLT, x, zero), zero, x);
}

static Value leakyRelu(ImplicitLocOpBuilder &b, Value x, Value slope) {
  Value zero = floatConstant(b, x.getType(), 0);
  return select(b, compare(b, arith::CmpFPredicate::OGT, x, zero), x, product(b, x, slope));
}

static Value absolute(ImplicitLocOpBuilder &b, Value x) {
  if (isFloat(x))
    return math::AbsFOp::create(b, x);
  return math::AbsIOp::create(b, x);
}

static Value reciprocal(ImplicitLocOpBuilder &b, Value x) {
  return arith::DivFOp::create(b, floatConstant(b, x.getType(), 1), x);
}

// Computed in f64, so that the rounding of the root does not affect the result.
static Value reciprocalRoot(ImplicitLocOpBuilder &b, Value x) {
  Value root = math::SqrtOp::create(b, arith::ExtFOp::create(b, b.getF64Type(), x));
  return arith::TruncFOp::create(b, b.getF32Type(), reciprocal(b, root));
}

// Shifts by the width or more leave only the sign, or zero. Compared as unsigned numbers, negative amounts are among
// them.
static Value shift(ImplicitLocOpBuilder &b, Intrinsic intrinsic, ElementType type, Value x, Value amount) {
  int64_t last = elementSize(type) * 8 - 1;
  Value limit = integerConstant(b, x.getType(), last), zero = integerConstant(b, x.getType(), 0);
  Value all = arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, amount, limit);
  Value bounded = select(b, all, limit, amount);
  if (intrinsic == Intrinsic::vshl)
    return select(b, all, zero, arith::ShLIOp::create(b, x, bounded));
  if (type == ElementType::Int16 || type == ElementType::Int32)
    return arith::ShRSIOp::create(b, x, bounded);
  return select(b, all, zero, arith::ShRUIOp::create(b, x, bounded));
}

// scalar + lane number, rounded once. A lane number below 2^17 and a half are exact in f64, and so is their sum.
static Value arange(ImplicitLocOpBuilder &b, ElementType type, Value first, Value index) {
  Value number = arith::IndexCastOp::create(b, b.getI64Type(), index);
  if (!isFloat(first))
    return addition(b, first, arith::TruncIOp::create(b, first.getType(), number));
  Value word = arith::TruncIOp::create(b, b.getI32Type(), number);
  Value lane = arith::SIToFPOp::create(b, b.getF64Type(), word);
  Value sum = addition(b, arith::ExtFOp::create(b, b.getF64Type(), first), lane);
  return convert(b, sum, TypeRow{ElementType::Float64, type}, aicore::Rounding::Rint);
}

Value reductionStep(ImplicitLocOpBuilder &b, Intrinsic intrinsic, Value lhs, Value rhs) {
  if (intrinsic == Intrinsic::vreduce_sum)
    return addition(b, lhs, rhs);
  return intrinsic == Intrinsic::vreduce_max ? maximum(b, lhs, rhs) : minimum(b, lhs, rhs);
}

// Converts a sum to the type of the destination, after rounding it to the type of the source.
static Value toOther(ImplicitLocOpBuilder &b, Value value, TypeRow types) {
  if (types.destination == ElementType::Float16)
    return narrow(b, value, types.destination);
  return saturate(b, rounded(b, value, types.source), types.destination);
}

//===----------------------------------------------------------------------===//
// Intrinsics
//===----------------------------------------------------------------------===//

// The result in the computation type; null for the intrinsics that convert themselves or have no lanes.
static Value computed(ImplicitLocOpBuilder &b, Intrinsic intrinsic, TypeRow types, const Lane &lane) {
  Value x = lane.lhs, y = lane.rhs, d = lane.destination;
  switch (intrinsic) {
  case Intrinsic::vadd:
  case Intrinsic::vadds:
    return addition(b, x, y);
  case Intrinsic::vsub:
    return difference(b, x, y);
  case Intrinsic::vmul:
  case Intrinsic::vmuls:
    return product(b, x, y);
  case Intrinsic::vdiv:
    return arith::DivFOp::create(b, x, y);
  case Intrinsic::vmax:
  case Intrinsic::vmaxs:
    return maximum(b, x, y);
  case Intrinsic::vmin:
  case Intrinsic::vmins:
    return minimum(b, x, y);
  case Intrinsic::vexp:
    return math::ExpOp::create(b, x);
  case Intrinsic::vln:
    return math::LogOp::create(b, x);
  case Intrinsic::vsqrt:
    return math::SqrtOp::create(b, x);
  case Intrinsic::vrsqrt:
    return reciprocalRoot(b, x);
  case Intrinsic::vrec:
    return reciprocal(b, x);
  case Intrinsic::vrelu:
    return relu(b, x);
  case Intrinsic::vabs:
    return absolute(b, x);
  case Intrinsic::vleakyrelu:
    return leakyRelu(b, x, y);
  case Intrinsic::vaddrelu:
    return relu(b, addition(b, x, y));
  case Intrinsic::vsubrelu:
    return relu(b, difference(b, x, y));
  case Intrinsic::vfma:
    return addition(b, rounded(b, product(b, x, d), types.destination), y);
  case Intrinsic::vmuladdrelu:
    return relu(b, addition(b, rounded(b, product(b, x, d), types.destination), y));
  case Intrinsic::vmuladd:
  case Intrinsic::vaxpy:
    return addition(b, rounded(b, product(b, x, y), types.destination), d);
  case Intrinsic::vand:
    return arith::AndIOp::create(b, x, y);
  case Intrinsic::vor:
    return arith::OrIOp::create(b, x, y);
  case Intrinsic::vxor:
    return arith::XOrIOp::create(b, x, y);
  case Intrinsic::vfloor:
    return math::FloorOp::create(b, x);
  case Intrinsic::vnot:
    return arith::XOrIOp::create(b, x, integerConstant(b, x.getType(), -1));
  case Intrinsic::vshl:
  case Intrinsic::vshr:
    return shift(b, intrinsic, types.source, x, y);
  default:
    return {};
  }
}

Value laneResult(ImplicitLocOpBuilder &b, Intrinsic intrinsic, TypeRow types, const Lane &lane) {
  switch (intrinsic) {
  case Intrinsic::vaddrelucast:
    return toOther(b, relu(b, addition(b, lane.lhs, lane.rhs)), types);
  case Intrinsic::vsubrelucast:
    return toOther(b, relu(b, difference(b, lane.lhs, lane.rhs)), types);
  case Intrinsic::vmulcast:
    return toOther(b, product(b, lane.lhs, lane.rhs), types);
  case Intrinsic::vbrc:
    return narrow(b, lane.lhs, types.destination);
  case Intrinsic::varange:
    return arange(b, types.destination, lane.lhs, lane.index);
  default:
    break;
  }
  Value result = computed(b, intrinsic, types, lane);
  return result ? narrow(b, result, types.destination) : Value();
}

} // namespace opc::cpu

#include "lowering/aicore/place/program/PayloadReader.h"

#include "dialect/te/TeOps.h"
#include "lowering/aicore/place/program/Expand.h"
#include "lowering/aicore/place/program/PayloadOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace opc::aicore {

LogicalResult PayloadReader::unknown(Operation *op) {
  const bool ofScalars = op->getNumOperands() > 0 && llvm::none_of(op->getOperands(), [&](Value value) {
                           return isTile(value) || masks.contains(value);
                         });
  InFlightDiagnostic error = op->emitError("[place_c3] expects operations that an AI Core kernel can be made of; '");
  error << authorsName(op);
  if (ofScalars)
    return error << "' of a scalar is none of them, since the scalar unit only adds, subtracts, "
                    "multiplies and divides: take its result as an attribute, or give the operator a "
                    "body at level aicore";
  return error << "' is none of them: give the operator a body at level aicore";
}

/// The value at the kernel's entry for a scalar of the fused function or of a payload; null if there is none.
Value PayloadReader::scalar(Value value) {
  if (Value known = scalars.lookupOrNull(value))
    return known;
  TypedAttr constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return {};
  double number = isa<FloatAttr>(constant) ? cast<FloatAttr>(constant).getValueAsDouble()
                                           : double(cast<IntegerAttr>(constant).getValue().getSExtValue());
  std::optional<ElementType> type = elementTypeOf(value.getType());
  // A double holds no integer of more than 53 bits.
  auto whole = dyn_cast<IntegerAttr>(constant);
  bool isExact = !whole || whole.getValue().getSignificantBits() <= 53;
  Value made = type && isExact && !value.getType().isInteger(1)
                   ? steps.scalarConstant(*type, number)
                   : Value(entry.clone(*value.getDefiningOp())->getResult(0));
  scalars.map(value, made);
  return made;
}

/// A tile with a scalar in every element. The chip cannot fill with bytes; they are converted from int32.
TileId PayloadReader::fillOf(Value number, ElementType type, Spread spread) {
  if (type != ElementType::Int8 && type != ElementType::UInt8)
    return steps.fill(number, type, spread);
  Type word = entry.getI32Type();
  IntegerAttr constant;
  Value wide;
  if (matchPattern(number, m_Constant(&constant)))
    wide = steps.scalarConstant(ElementType::Int32, double(constant.getValue().getSExtValue()));
  else if (number.getType().isInteger(1))
    wide = arith::ExtUIOp::create(entry, steps.getLocation(), word, number);
  else
    wide = arith::ExtSIOp::create(entry, steps.getLocation(), word, number);
  TileId whole = steps.fill(wide, ElementType::Int32, spread);
  return expandCast(steps, whole, type, Rounding::Rint, /*saturate=*/false);
}

/// A byte as a signed or unsigned one, where its reader distinguishes them; any other value as it is. Computed bytes
/// have no sign of their own in phase fused.
TileId PayloadReader::byteAs(TileId value, ElementType type) {
  const ElementType from = steps[value].type;
  const bool isOfBytes = (from == ElementType::Int8 || from == ElementType::UInt8) &&
                         (type == ElementType::Int8 || type == ElementType::UInt8);
  return isOfBytes ? expandCast(steps, value, type, Rounding::Rint, /*saturate=*/false) : value;
}

/// The type of a computed byte: unsigned if that spares a reader the conversion.
static ElementType byteTypeOf(Value value) {
  const bool isUnsigned =
      llvm::any_of(value.getUsers(), [](Operation *reader) { return signOfBytes(reader) == ElementType::UInt8; });
  return isUnsigned ? ElementType::UInt8 : ElementType::Int8;
}

/// Any value as a tile of the type.
FailureOr<TileId> PayloadReader::asTile(Value value, ElementType type, Spread spread) {
  if (isTile(value))
    return tile(value);
  Value number = scalar(value);
  if (!number)
    return failure();
  return fillOf(number, type, spread);
}

// Computes on tiles of one element what the scalar unit cannot compute.
LogicalResult PayloadReader::readUniform(Operation *op) {
  bool made = false;
  for (Value operand : op->getOperands()) {
    if (isTile(operand) || masks.contains(operand))
      continue;
    Value number = scalar(operand);
    std::optional<ElementType> type = elementTypeOf(operand.getType());
    if (!number || !type || !vectorUnitTakes(*type))
      return unknown(op);
    if (*type == ElementType::Bool) {
      number = arith::ExtUIOp::create(entry, op->getLoc(), entry.getI32Type(), number);
      type = ElementType::Int32;
    }
    tiles[operand] = fillOf(number, *type, Spread::One);
    made = true;
  }
  return made ? readPayload(op) : unknown(op);
}

// Computes with the scalar unit where all operands are scalars and it has the operation.
LogicalResult PayloadReader::readScalar(Operation *op) {
  if (isa<arith::ConstantOp>(op))
    return success(); // made where it is used
  bool known = isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp, arith::MaximumFOp,
                   arith::MinimumFOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MaxSIOp, arith::MinSIOp,
                   arith::IndexCastOp, arith::SIToFPOp, arith::TruncIOp, arith::SelectOp>(op) ||
               (isa<arith::CmpIOp>(op) && op->getOperand(0).getType().isInteger(64));
  if (auto convert = dyn_cast<arith::SIToFPOp>(op); convert && !convert.getType().isF32()) {
    Value number = scalar(convert.getIn());
    std::optional<ElementType> type = elementTypeOf(convert.getType());
    if (!number || !type || !vectorUnitTakes(*type))
      return unknown(op);
    Value single = arith::SIToFPOp::create(entry, op->getLoc(), entry.getF32Type(), number);
    TileId wide = steps.fill(single, ElementType::Float32, Spread::One);
    tiles[op->getResult(0)] = steps.cast(wide, *type, Rounding::Rint);
    return success();
  }
  // The scalar unit computes floats only in float32.
  for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    known &= !isa<FloatType>(type) || type.isF32();
  if (!known)
    return readUniform(op);
  IRMapping operands;
  for (Value operand : op->getOperands()) {
    Value value = scalar(operand);
    if (!value)
      return readUniform(op);
    operands.map(operand, value);
  }
  scalars.map(op->getResult(0), entry.clone(*op, operands)->getResult(0));
  return success();
}

FailureOr<TileId> PayloadReader::readBinary(Operation *op, Intrinsic intrinsic) {
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  if (isTile(lhs) && isTile(rhs))
    return steps.binary(intrinsic, tile(lhs), tile(rhs));
  bool scalarLeft = !isTile(lhs);
  TileId source = tile(scalarLeft ? rhs : lhs);
  Value number = scalar(scalarLeft ? lhs : rhs);
  if (!number)
    return unknown(op);
  bool isFloat = isa<FloatType>(number.getType());
  auto minus = [&](Value value) -> Value {
    FloatAttr constant;
    if (matchPattern(value, m_Constant(&constant)))
      return steps.scalarConstant(steps[source].type, -constant.getValueAsDouble());
    if (isFloat)
      return arith::NegFOp::create(entry, op->getLoc(), value);
    IntegerAttr whole;
    if (matchPattern(value, m_Constant(&whole)))
      return steps.scalarConstant(steps[source].type, -double(whole.getInt()));
    return {};
  };
  switch (intrinsic) {
  case Intrinsic::vadd:
    return steps.scalar(Intrinsic::vadds, source, number);
  case Intrinsic::vsub:
    if (!scalarLeft) {
      // The scalar unit computes integers only in 64 bits.
      Value opposite = minus(number);
      return opposite ? steps.scalar(Intrinsic::vadds, source, opposite)
                      : steps.binary(Intrinsic::vsub, source, fillOf(number, steps[source].type, steps[source].spread));
    }
    return steps.scalar(Intrinsic::vadds, expandNeg(steps, source), number);
  case Intrinsic::vmul:
    return steps.scalar(Intrinsic::vmuls, source, number);
  case Intrinsic::vmax:
    return steps.scalar(Intrinsic::vmaxs, source, number);
  case Intrinsic::vmin:
    return steps.scalar(Intrinsic::vmins, source, number);
  case Intrinsic::vdiv:
    // The floor of a quotient of positions is an index, which would be wrong if the quotient were a unit too small.
    if (!scalarLeft && !tables.empty() && steps[source].type == ElementType::Float32 && isOfPositions(source))
      return expandExactQuotient(steps, source, fillOf(number, ElementType::Float32, steps[source].spread));
    return scalarLeft ? expandDivide(steps, number, source) : expandDivide(steps, source, number);
  default:
    return unknown(op);
  }
}

/// Whether an op is arithmetic on bytes, which the chip lacks.
bool PayloadReader::isOfBytes(Operation *op) const {
  if (!binaryIntrinsic(op) && !isa<math::AbsIOp>(op))
    return false;
  return llvm::all_of(op->getOperandTypes(), [](Type type) { return type.isInteger(8); });
}

// Byte arithmetic is computed in int32 and wrapped.
FailureOr<TileId> PayloadReader::readBytes(Operation *op) {
  const std::optional<ElementType> sign = signOfBytes(op);
  ElementType type = sign.value_or(byteTypeOf(op->getResult(0)));
  Spread spread = Spread::One;
  for (Value operand : op->getOperands()) {
    spread = join(spread, spreadOf(operand));
    if (!sign && isTile(operand) && steps[tile(operand)].type == ElementType::UInt8)
      type = ElementType::UInt8;
  }
  SmallVector<TileId, 2> wide;
  for (Value operand : op->getOperands()) {
    FailureOr<TileId> byte = asTile(operand, type, spread);
    if (failed(byte))
      return unknown(op);
    const TileId meant = sign ? byteAs(*byte, *sign) : *byte;
    wide.push_back(expandCast(steps, meant, ElementType::Int32, Rounding::Rint, /*saturate=*/false));
  }
  std::optional<Intrinsic> intrinsic = binaryIntrinsic(op);
  TileId result = intrinsic ? steps.binary(*intrinsic, wide[0], wide[1]) : expandAbs(steps, wide[0]);
  return expandCast(steps, result, type, Rounding::Rint, /*saturate=*/false);
}

// The chip has no powers of integers. A scalar is a tile of one element.
FailureOr<TileId> PayloadReader::readWholePower(math::IPowIOp op) {
  const std::optional<ElementType> type = elementTypeOf(op.getType());
  if (type != ElementType::Int16 && type != ElementType::Int32)
    return unknown(op);
  FailureOr<TileId> lhs = asTile(op.getLhs(), *type, Spread::One), rhs = asTile(op.getRhs(), *type, Spread::One);
  if (failed(lhs) || failed(rhs))
    return unknown(op);
  return expandWholePower(steps, *lhs, *rhs);
}

// The chip divides no integers. A scalar is a tile of one element.
FailureOr<TileId> PayloadReader::readWholeQuotient(Operation *op) {
  const bool isUnsigned = isa<arith::DivUIOp, arith::RemUIOp>(op);
  std::optional<ElementType> type = elementTypeOf(op->getResult(0).getType());
  if (type == ElementType::Int8)
    type = signOfBytes(op);
  else if (isUnsigned || (type != ElementType::Int16 && type != ElementType::Int32))
    return unknown(op);
  TileId operands[2];
  for (unsigned index = 0; index < 2; ++index) {
    FailureOr<TileId> number = asTile(op->getOperand(index), *type, Spread::One);
    if (failed(number))
      return unknown(op);
    operands[index] = byteAs(*number, *type);
  }
  const bool isRemainder = isa<arith::RemSIOp, arith::RemUIOp>(op);
  return expandWholeQuotient(steps, operands[0], operands[1], *type, isRemainder);
}

static bool isZero(Value value) {
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

/// Whether the negation of a truth value is a single comparison too. That of an ordering comparison is not, because
/// of NaN.
bool PayloadReader::hasOpposite(Value truth) const {
  auto pending = masks.find(truth);
  return pending == masks.end() || pending->second.comparison == Comparison::Eq ||
         pending->second.comparison == Comparison::Ne;
}

// The mask of a comparison, or of a stored truth value (true if not zero); negated if `opposite` is set.
FailureOr<TileId> PayloadReader::tileOfMask(Value truth, Spread spread, bool opposite) {
  auto pending = masks.find(truth);
  if (pending == masks.end()) {
    Comparison comparison = opposite ? Comparison::Eq : Comparison::Ne;
    if (!isTile(truth)) {
      Value number = scalar(truth);
      if (!number)
        return failure();
      Value word = arith::ExtUIOp::create(entry, steps.getLocation(), entry.getI32Type(), number);
      TileId whole = steps.fill(word, ElementType::Int32, spread);
      return steps.compare(comparison, steps.cast(whole, ElementType::Float32, Rounding::Rint),
                           steps.scalarConstant(ElementType::Float32, 0.0), spread);
    }
    // A truth value stored as a number: 1 or 0, or any byte.
    TileId number = tile(truth);
    if (steps[number].type == ElementType::Int32)
      number = steps.cast(number, ElementType::Float32, Rounding::Rint);
    else if (steps[number].type != ElementType::Float32)
      number = steps.cast(number, ElementType::Float16, Rounding::None);
    return steps.compare(comparison, number, steps.scalarConstant(steps[number].type, 0.0), spread);
  }
  PendingMask mask = pending->second;
  if (opposite)
    mask.comparison = mask.comparison == Comparison::Eq ? Comparison::Ne : Comparison::Eq;
  if (!isTile(mask.lhs)) {
    std::swap(mask.lhs, mask.rhs);
    mask.comparison = mirrored(mask.comparison);
  }
  if (mask.lhs.getType().isInteger(1)) {
    // Truth values are compared as the numbers 1 and 0.
    FailureOr<TileId> left = truthAsNumber(mask.lhs, ElementType::Float16);
    FailureOr<TileId> right = truthAsNumber(mask.rhs, ElementType::Float16);
    if (failed(left) || failed(right))
      return failure();
    return steps.compare(mask.comparison, *left, *right, spread);
  }
  TileId lhs = mask.sign ? byteAs(tile(mask.lhs), *mask.sign) : tile(mask.lhs);
  ElementType type = steps[lhs].type;
  // A constant of the operand's type. Its bits are the same whether the type is signed or not.
  std::optional<int64_t> constant;
  IntegerAttr whole;
  if (!isTile(mask.rhs) && matchPattern(mask.rhs, m_Constant(&whole)))
    constant = type == ElementType::UInt8 ? int64_t(whole.getValue().getZExtValue()) : whole.getValue().getSExtValue();
  if (type == ElementType::Int8 || type == ElementType::UInt8 || type == ElementType::Int16) {
    // Compared as floats, which hold these types exactly.
    ElementType held = type == ElementType::Int16 ? ElementType::Float32 : ElementType::Float16;
    lhs = steps.cast(lhs, held, Rounding::None);
    if (constant)
      return steps.compare(mask.comparison, lhs, steps.scalarConstant(held, double(*constant)), spread);
    FailureOr<TileId> rhs = asTile(mask.rhs, type, spread);
    if (failed(rhs))
      return failure();
    return steps.compare(mask.comparison, lhs, steps.cast(byteAs(*rhs, type), held, Rounding::None), spread);
  }
  if (type == ElementType::Int32) {
    // Float32 holds the constant and its neighbours exactly, so rounding the int32 operand does not change the result.
    if (constant && std::abs(*constant) < (int64_t(1) << 24))
      return steps.compare(mask.comparison, steps.cast(lhs, ElementType::Float32, Rounding::Rint),
                           steps.scalarConstant(ElementType::Float32, double(*constant)), spread);
    FailureOr<TileId> rhs = asTile(mask.rhs, type, spread);
    if (failed(rhs))
      return failure();
    return steps.compare(mask.comparison, expandDifference(steps, lhs, *rhs),
                         steps.scalarConstant(ElementType::Float32, 0.0), spread);
  }
  if (isTile(mask.rhs))
    return steps.compare(mask.comparison, lhs, tile(mask.rhs), spread);
  Value number = scalar(mask.rhs);
  if (!number)
    return failure();
  return steps.compare(mask.comparison, lhs, number, spread);
}

// A position, or none. Positions in a tile are exact in float32.
FailureOr<TileId> PayloadReader::selectPosition(arith::SelectOp select) {
  Value here = select.getTrueValue(), otherwise = select.getFalseValue();
  FailureOr<TileId> mask = tileOfMask(select.getCondition(), Spread::Full);
  if (failed(mask) || !positions.contains(here))
    return unknown(select);
  positions.insert(select.getResult());
  if (positions.contains(otherwise))
    return steps.select(*mask, tile(here), tile(otherwise));
  IntegerAttr none;
  if (!matchPattern(otherwise, m_Constant(&none)))
    return unknown(select);
  const double number = none.getValue().isNegative() ? -kNoPosition : kNoPosition;
  return steps.select(*mask, tile(here), steps.scalarConstant(ElementType::Float32, number));
}

FailureOr<TileId> PayloadReader::readSelect(arith::SelectOp select) {
  if (positions.contains(select.getTrueValue()) || positions.contains(select.getFalseValue()))
    return selectPosition(select);
  Value condition = select.getCondition(), lhs = select.getTrueValue(), rhs = select.getFalseValue();
  ElementType type = *elementTypeOf(select.getType());
  Spread spread = join(spreadOf(condition), join(spreadOf(lhs), spreadOf(rhs)));
  if (!isa<FloatType>(select.getType())) {
    FailureOr<TileId> mask = tileOfMask(condition, spread);
    if (failed(mask))
      return unknown(select);
    // Bytes are selected as one of the tiles has them; their bits are the same either way. A truth value may be a mask,
    // a number or a stored byte.
    const bool isTruth = type == ElementType::Bool;
    for (Value value : {lhs, rhs})
      if (isTile(value) && !isTruth)
        type = steps[tile(value)].type;
    auto numbers = [&](Value value) {
      return isTruth ? truthAsNumber(value, ElementType::Float16) : asTile(value, type, spread);
    };
    FailureOr<TileId> left = numbers(lhs), right = numbers(rhs);
    if (failed(left) || failed(right))
      return unknown(select);
    return selectWhole(*mask, byteAs(*left, type), byteAs(*right, type));
  }
  // A scalar needs no tile if it is the right operand.
  auto isOne = [&](Value value) { return !isTile(value) || spreadOf(value) == Spread::One; };
  const bool opposite = isOne(lhs) && !isOne(rhs) && hasOpposite(condition);
  if (opposite)
    std::swap(lhs, rhs);
  FailureOr<TileId> mask = tileOfMask(condition, spread, opposite);
  if (failed(mask))
    return unknown(select);
  auto asTile = [&](Value value) -> std::optional<TileId> {
    if (isTile(value))
      return tile(value);
    Value number = scalar(value);
    if (!number)
      return std::nullopt;
    return steps.fill(number, type, spread);
  };
  std::optional<TileId> left = asTile(lhs);
  if (!left)
    return unknown(select);
  if (!isTile(rhs))
    if (Value number = scalar(rhs))
      return steps.select(*mask, *left, number);
  std::optional<TileId> right = asTile(rhs);
  if (!right)
    return unknown(select);
  return steps.select(*mask, *left, *right);
}

// The chip selects only floats. Bytes are selected in float16, which holds them. Other integers are computed as (lhs
// - rhs) * mask + rhs, with a mask of 1 or 0; if the difference wraps, the sum wraps back.
FailureOr<TileId> PayloadReader::selectWhole(TileId mask, TileId lhs, TileId rhs) {
  ElementType type = steps[lhs].type;
  if (type == ElementType::Float16)
    return steps.select(mask, lhs, rhs);
  if (type == ElementType::Int8 || type == ElementType::UInt8) {
    TileId left = steps.cast(lhs, ElementType::Float16, Rounding::None);
    TileId right = steps.cast(rhs, ElementType::Float16, Rounding::None);
    return steps.cast(steps.select(mask, left, right), type, Rounding::Rint);
  }
  Spread spread = program.spreadOf(mask);
  ElementType counted = type == ElementType::Int16 ? ElementType::Float16 : ElementType::Float32;
  TileId one = steps.fill(steps.scalarConstant(counted, 1.0), counted, spread);
  TileId times = steps.cast(steps.select(mask, one, steps.scalarConstant(counted, 0.0)), type, Rounding::Rint);
  TileId difference = steps.binary(Intrinsic::vsub, lhs, rhs);
  return steps.binary(Intrinsic::vadd, steps.binary(Intrinsic::vmul, difference, times), rhs);
}

/// Converts the numbers 1 and 0 of a float type to another type: nothing is rounded or clamped.
TileId PayloadReader::castTruth(TileId number, ElementType type) {
  bool isSmall = type == ElementType::Int8 || type == ElementType::UInt8 || type == ElementType::Int16;
  if (isSmall && steps[number].type == ElementType::Float16)
    return steps.cast(number, type, Rounding::Rint);
  return expandCast(steps, number, type, Rounding::Rint, /*saturate=*/false);
}

/// A truth value as the number 1 or 0 of a type.
FailureOr<TileId> PayloadReader::truthAsNumber(Value truth, ElementType type) {
  // The result of a logical operation is such a number already.
  if (isTile(truth) && truth.getType().isInteger(1) && steps[tile(truth)].type == ElementType::Float16)
    return castTruth(tile(truth), type);
  bool wide = type == ElementType::Float32 || type == ElementType::Int32;
  ElementType computed = wide ? ElementType::Float32 : ElementType::Float16;
  Spread spread = spreadOf(truth);
  FailureOr<TileId> mask = tileOfMask(truth, spread);
  if (failed(mask))
    return failure();
  TileId one = steps.fill(steps.scalarConstant(computed, 1.0), computed, spread);
  return castTruth(steps.select(*mask, one, steps.scalarConstant(computed, 0.0)), type);
}

FailureOr<TileId> PayloadReader::readCast(Operation *op) {
  Value operand = op->getOperand(0), result = op->getResult(0);
  std::optional<ElementType> type = elementTypeOf(result.getType());
  bool truth = operand.getType().isInteger(1) || masks.contains(operand);
  if (!type || !vectorUnitTakes(*type))
    return unknown(op);
  if (auto cast = dyn_cast<te::CastOp>(op); cast && cast.getIsUnsigned() && type == ElementType::Int8)
    type = ElementType::UInt8;
  if (isa<arith::TruncIOp>(op) && type == ElementType::Int8)
    type = byteTypeOf(result);
  if (truth)
    return truthAsNumber(operand, *type);
  TileId source = tile(operand);
  if (std::optional<ElementType> sign = signOfBytes(op))
    source = byteAs(source, *sign);
  auto cast = dyn_cast<te::CastOp>(op);
  Rounding rounding = cast ? roundingOf(cast.getRounding()) : Rounding::Rint;
  if (isa<arith::FPToSIOp>(op))
    rounding = Rounding::Trunc;
  return expandCast(steps, source, *type, rounding, cast && cast.getSaturate());
}

FailureOr<TileId> PayloadReader::readFloat(Operation *op) {
  Value operand = op->getOperand(0);
  if (!isTile(operand))
    return unknown(op);
  TileId x = tile(operand);
  return llvm::TypeSwitch<Operation *, FailureOr<TileId>>(op)
      .Case([&](arith::NegFOp) { return expandNeg(steps, x); })
      .Case([&](math::RsqrtOp) { return expandRsqrt(steps, x); })
      .Case([&](te::SigmoidOp) { return expandSigmoid(steps, x); })
      .Case([&](te::TanhOp) { return expandTanh(steps, x); })
      .Case([&](te::ErfOp) { return expandErf(steps, x); })
      .Case([&](math::FloorOp) { return expandWhole(steps, x, Rounding::Floor); })
      .Case([&](math::CeilOp) { return expandWhole(steps, x, Rounding::Ceil); })
      .Case([&](math::RoundEvenOp) { return expandWhole(steps, x, Rounding::Rint); })
      .Case([&](math::TruncOp) { return expandWhole(steps, x, Rounding::Trunc); })
      .Case([&](te::SignOp) { return expandSign(steps, x); })
      .Case([&](math::ExpM1Op) { return expandExpm1(steps, x); })
      .Case([&](math::Log1pOp) { return expandLog1p(steps, x); })
      .Case([&](te::SoftplusOp) { return expandSoftplus(steps, x); })
      .Case([&](math::SinOp) { return expandSine(steps, x, /*cosine=*/false); })
      .Case([&](math::CosOp) { return expandSine(steps, x, /*cosine=*/true); })
      .Case([&](te::GeluOp gelu) { return expandGelu(steps, x, gelu.getForm() == te::GeluForm::Tanh); })
      .Case([&](te::SwishOp swish) -> FailureOr<TileId> {
        if (isTile(swish.getRhs()))
          return expandSwish(steps, x, tile(swish.getRhs()));
        if (!swish.getRhs().getType().isF32())
          return unknown(op);
        return expandSwish(steps, x, scalar(swish.getRhs()));
      })
      .Default([&](Operation *) -> FailureOr<TileId> { return unknown(op); });
}

// A scalar is a tile of one element; steps on it cost almost nothing.
FailureOr<TileId> PayloadReader::readTwoFloats(Operation *op) {
  FailureOr<TileId> operands[2];
  for (unsigned index = 0; index < 2; ++index) {
    Value value = op->getOperand(index);
    operands[index] = asTile(value, *elementTypeOf(value.getType()), Spread::One);
    if (failed(operands[index]))
      return unknown(op);
  }
  if (auto mod = dyn_cast<te::ModOp>(op))
    return expandMod(steps, *operands[0], *operands[1], mod.getForm() == te::ModForm::Floor);
  return expandPow(steps, *operands[0], *operands[1]);
}

// Truth values are combined as the numbers 1 and 0; at least one operand stays a mask.
LogicalResult PayloadReader::readLogic(Operation *op) {
  Value lhs = op->getOperand(0), rhs = op->getOperand(1), result = op->getResult(0);
  Spread spread = join(spreadOf(lhs), spreadOf(rhs));
  auto number = [&](double value) { return steps.scalarConstant(ElementType::Float16, value); };
  auto tileOf = [&](double value) { return steps.fill(number(value), ElementType::Float16, spread); };
  auto made = [&](TileId tile) {
    tiles[result] = tile;
    return failure(steps.failed());
  };
  if (isa<arith::XOrIOp>(op)) {
    if (auto pending = masks.find(lhs); pending != masks.end() && hasOpposite(lhs)) {
      PendingMask mask = pending->second;
      mask.comparison = mask.comparison == Comparison::Eq ? Comparison::Ne : Comparison::Eq;
      masks[result] = mask;
      return success();
    }
    FailureOr<TileId> mask = tileOfMask(lhs, spread);
    return failed(mask) ? unknown(op) : made(steps.select(*mask, tileOf(0.0), number(1.0)));
  }
  // A pending mask is used as the mask, a number as the number.
  if (!masks.contains(lhs))
    std::swap(lhs, rhs);
  FailureOr<TileId> mask = tileOfMask(lhs, spread), other = truthAsNumber(rhs, ElementType::Float16);
  if (failed(mask) || failed(other))
    return unknown(op);
  return made(isa<arith::AndIOp>(op) ? steps.select(*mask, *other, number(0.0))
                                     : steps.select(*mask, tileOf(1.0), *other));
}

/// The binary intrinsic that combines two elements in a scan.
static Intrinsic combiningIn(te::ScanForm form) {
  switch (form) {
  case te::ScanForm::Sum:
    return Intrinsic::vadd;
  case te::ScanForm::Product:
    return Intrinsic::vmul;
  case te::ScanForm::Max:
    return Intrinsic::vmax;
  }
  return Intrinsic::vadd;
}

LogicalResult PayloadReader::readScan(te::ScanOp scan) {
  if (!shape.isScanned || !scan.getLoop() || *scan.getLoop() > 1)
    return unknown(scan);
  std::optional<ElementType> type = elementTypeOf(scan.getType());
  if (!type)
    return unknown(scan);
  FailureOr<TileId> source = asTile(scan.getOperand(), *type, Spread::Full);
  if (failed(source))
    return unknown(scan);
  tiles[scan.getResult()] = steps.scan(combiningIn(scan.getForm()), steps.widen(*source, Spread::Full),
                                       {scan.getExclusive(), scan.getReverse(), *scan.getLoop() == 1});
  return failure(steps.failed());
}

// Elements are sorted as float32 or int32 (LineSorts).
LogicalResult PayloadReader::readSort(te::SortOp sort) {
  auto table = tables.find(sort.getOperand());
  if (shape.form != KernelForm::Sorted || table == tables.end() || !sort.getLoop() || *sort.getLoop() > 1)
    return unknown(sort);
  std::optional<ElementType> type = elementTypeOf(sort.getOperand().getType());
  const ElementType stored = shape.tensors[table->second].type;
  if (!type)
    return unknown(sort);
  const TileStep::Sort ways = {table->second, sort.getDescending(), sort.getPlaces(), *sort.getLoop() == 1};
  if (sort.getPlaces()) {
    tiles[sort.getResult()] = steps.sort(ways, ElementType::Int32);
    return failure(steps.failed());
  }
  const TileId found = steps.sort(ways, stored == ElementType::Int32 ? stored : ElementType::Float32);
  if (isFloat(*type))
    tiles[sort.getResult()] = steps.cast(found, *type, Rounding::Rint);
  else
    tiles[sort.getResult()] = expandCast(steps, found, stored, Rounding::Rint, /*saturate=*/false);
  return failure(steps.failed());
}

/// Positions along the inner two loops, (m, n), of a kernel that may have another one around them.
LogicalResult PayloadReader::readCount(linalg::IndexOp index) {
  const bool isPlane = (shape.form == KernelForm::Grid && shape.isStrided) || shape.form == KernelForm::Rows;
  const bool hasOuter = shape.form == KernelForm::SplitRows || shape.form == KernelForm::Columns;
  const int64_t loop = index->getAttrOfType<IntegerAttr>(te::TeDialect::kLoopAttr).getInt() - hasOuter;
  if (!(isPlane || hasOuter) || loop < 0 || loop > 1)
    return unknown(index);
  tiles[index.getResult()] = steps.count(unsigned(loop));
  return failure(steps.failed());
}

/// Whether one operation reads a value of a payload: in its generic, and in others if another generic made it.
static bool isReadOnce(Value value) {
  if (!value.hasOneUse())
    return false;
  auto argument = dyn_cast<BlockArgument>(value);
  auto reader = argument ? dyn_cast<linalg::GenericOp>(argument.getOwner()->getParentOp()) : linalg::GenericOp();
  if (!reader)
    return true;
  Value tensor = reader->getOperand(argument.getArgNumber());
  auto maker = tensor.getDefiningOp<linalg::GenericOp>();
  if (!tensor.hasOneUse() || !maker)
    return tensor.hasOneUse();
  return maker.getBody()->getTerminator()->getOperand(cast<OpResult>(tensor).getResultNumber()).hasOneUse();
}

LogicalResult PayloadReader::readPayload(Operation *op) {
  steps.setLocation(op->getLoc());
  auto index = dyn_cast<linalg::IndexOp>(op);
  if (index && index->hasAttr(te::TeDialect::kLoopAttr))
    return readCount(index);
  if (auto whole = dyn_cast<arith::IndexCastOp>(op);
      whole && isTile(whole.getIn()) && !positions.contains(whole.getIn())) {
    tiles[whole.getOut()] = tile(whole.getIn());
    return success();
  }
  if (auto scan = dyn_cast<te::ScanOp>(op))
    return readScan(scan);
  // A sort may read the elements in a wider type.
  if (auto wide = dyn_cast<arith::ExtFOp>(op);
      wide && shape.form == KernelForm::Sorted && tables.contains(wide.getIn())) {
    const unsigned number = tables.lookup(wide.getIn());
    tables[wide.getOut()] = number;
    return success();
  }
  if (auto sort = dyn_cast<te::SortOp>(op))
    return readSort(sort);
  if (auto gather = dyn_cast<te::GatherOp>(op))
    return readLookup(gather);
  if (llvm::any_of(op->getOperands(),
                   [&](Value operand) { return isTile(operand) && saturated.contains(tile(operand)); }))
    return unknown(op);
  // Positions among the elements of a reduction: those in a row, which is the inner loop, or in a column.
  const bool isColumns = shape.form == KernelForm::Columns;
  const bool hasRows = shape.form == KernelForm::Rows || shape.form == KernelForm::Contraction;
  if (index && ((!hasRows && !isColumns) || index.getDim() != 1))
    return unknown(op);
  const bool isOfPosition = isa<arith::IndexCastOp>(op) && positions.contains(op->getOperand(0));
  if (index || isOfPosition) {
    tiles[op->getResult(0)] = !index      ? tile(op->getOperand(0))
                              : isColumns ? steps.positionsOfRows()
                                          : steps.positions();
    positions.insert(op->getResult(0));
    return failure(steps.failed());
  }
  bool anyTile =
      llvm::any_of(op->getOperands(), [&](Value operand) { return isTile(operand) || masks.contains(operand); });
  if (!anyTile)
    return readScalar(op);
  Value result = op->getResult(0);
  if (std::optional<Comparison> comparison = comparisonOf(op)) {
    masks[result] = {*comparison, op->getOperand(0), op->getOperand(1), signOfBytes(op)};
    return success();
  }
  if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return op->getResult(0).getType().isInteger(1) ? readLogic(op) : unknown(op);
  FailureOr<TileId> made = failure();
  if (isOfBytes(op)) {
    made = readBytes(op);
  } else if (std::optional<Intrinsic> intrinsic = binaryIntrinsic(op)) {
    Value lhs = op->getOperand(0), rhs = op->getOperand(1);
    bool relu = intrinsic == Intrinsic::vmax && isTile(lhs) && isZero(rhs);
    ElementType type = relu ? steps[tile(lhs)].type : ElementType::Float32;
    // The relu of a sum or difference with no other reader is a single intrinsic on this chip. Folding a row adds
    // many times, and the relu of a sum is not the sum of relus; and a value with one element for each row is not a
    // valid operand.
    const TileStep *last = steps.lastStep();
    bool behindSum = relu && last && last->result == tile(lhs) && isReadOnce(lhs) && !last->rowScalar &&
                     !last->foldsRows && !last->foldsLanes && !last->scan &&
                     (last->intrinsic == Intrinsic::vadd || last->intrinsic == Intrinsic::vsub) &&
                     steps.supports(Intrinsic::vaddrelu, {type, type});
    if (behindSum) {
      steps.fuseRelu();
      made = tile(lhs);
    } else if (relu && steps.supports(Intrinsic::vrelu, {type, type})) {
      made = steps.unary(Intrinsic::vrelu, tile(lhs));
    } else {
      made = readBinary(op, *intrinsic);
    }
  } else if (isa<math::AbsIOp>(op)) {
    made = expandAbs(steps, tile(op->getOperand(0)));
  } else if (std::optional<Intrinsic> intrinsic = unaryIntrinsic(op)) {
    made = steps.unary(*intrinsic, tile(op->getOperand(0)));
  } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
    made = readSelect(select);
  } else if (isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::ExtSIOp,
                 arith::ExtUIOp, arith::TruncIOp, te::CastOp>(op)) {
    made = readCast(op);
  } else if (isa<te::ModOp, math::PowFOp>(op)) {
    made = readTwoFloats(op);
  } else if (auto power = dyn_cast<math::IPowIOp>(op)) {
    made = readWholePower(power);
  } else if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op)) {
    made = readWholeQuotient(op);
  } else {
    made = readFloat(op);
  }
  if (failed(made) || steps.failed())
    return failure();
  tiles[result] = *made;
  return success();
}

LogicalResult PayloadReader::readInputs(linalg::GenericOp generic) {
  for (auto [input, element] : llvm::zip(generic.getDpsInputs(), generic.getRegion().front().getArguments())) {
    if (isTile(input))
      tiles[element] = tile(input);
    else if (auto table = tables.find(input); table != tables.end())
      tables.insert({element, unsigned(table->second)});
    else if (masks.contains(input))
      masks[element] = masks[input];
    else if (Value number = scalar(input))
      scalars.map(element, number);
    else
      return unknown(generic);
  }
  return success();
}

LogicalResult PayloadReader::readElementwise(linalg::GenericOp generic) {
  if (failed(readInputs(generic)))
    return failure();
  Block &body = generic.getRegion().front();
  for (Operation &op : body.without_terminator())
    if (failed(readPayload(&op)))
      return failure();
  for (auto [yielded, result] : llvm::zip(body.getTerminator()->getOperands(), generic.getResults())) {
    if (isTile(yielded)) {
      tiles[result] = tile(yielded);
    } else if (masks.contains(yielded)) {
      masks[result] = masks[yielded];
    } else if (Value number = scalar(yielded)) {
      // A tensor that is constant in every element.
      tiles[result] = fillOf(number, *elementTypeOf(yielded.getType()), Spread::Full);
    } else {
      return unknown(generic);
    }
  }
  return success();
}

} // namespace opc::aicore

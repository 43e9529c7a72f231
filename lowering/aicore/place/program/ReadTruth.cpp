// Reads truth values of a payload: comparisons, whose masks the first select that uses them makes, what combines truth
// values, and what selects by them.
//
// The chip has no truth values in UB. A mask has a bit for each element and is the operand of a select alone; anything
// else that reads a truth value gets the number 1 or 0, by a select of both.

#include "lowering/aicore/place/program/PayloadOps.h"
#include "lowering/aicore/place/program/PayloadReader.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace opc::aicore {

/// Whether the negation of a truth value is a single comparison too. That of an ordering comparison is not, because
/// of NaN.
bool PayloadReader::hasOpposite(Value truth) const {
  auto pending = masks.find(truth);
  return pending == masks.end() || pending->second.comparison == Comparison::Eq ||
         pending->second.comparison == Comparison::Ne;
}

/// The mask of a truth value that is no pending comparison: not zero, or zero if `opposite` is set.
FailureOr<TileId> PayloadReader::maskOfStored(Value truth, Spread spread, bool opposite) {
  const Comparison comparison = opposite ? Comparison::Eq : Comparison::Ne;
  if (!isTile(truth)) {
    Value number = scalar(truth);
    if (!number)
      return failure();
    Value word = arith::ExtUIOp::create(entry, steps.getLocation(), entry.getI32Type(), number);
    TileId whole = steps.fill(word, ElementType::Int32, spread);
    return steps.compare(comparison, steps.cast(whole, ElementType::Float32, Rounding::Rint),
                         steps.scalarConstant(ElementType::Float32, 0.0), spread);
  }
  // A number, 1 or 0, or any byte.
  TileId number = tile(truth);
  if (steps[number].type == ElementType::Int32)
    number = steps.cast(number, ElementType::Float32, Rounding::Rint);
  else if (steps[number].type != ElementType::Float32)
    number = steps.cast(number, ElementType::Float16, Rounding::None);
  return steps.compare(comparison, number, steps.scalarConstant(steps[number].type, 0.0), spread);
}

// The chip compares floats, and int32 only with a difference. Smaller integers are compared as floats, which hold them.
FailureOr<TileId> PayloadReader::maskOfWhole(const PendingMask &mask, TileId lhs, Spread spread) {
  const ElementType type = steps[lhs].type;
  // A constant of the operand's type. Its bits are the same whether the type is signed or not.
  std::optional<int64_t> constant;
  IntegerAttr whole;
  if (!isTile(mask.rhs) && matchPattern(mask.rhs, m_Constant(&whole)))
    constant = type == ElementType::UInt8 ? int64_t(whole.getValue().getZExtValue()) : whole.getValue().getSExtValue();
  if (type != ElementType::Int32) {
    const ElementType held = type == ElementType::Int16 ? ElementType::Float32 : ElementType::Float16;
    lhs = steps.cast(lhs, held, Rounding::None);
    if (constant)
      return steps.compare(mask.comparison, lhs, steps.scalarConstant(held, double(*constant)), spread);
    FailureOr<TileId> rhs = asTile(mask.rhs, type, spread);
    if (failed(rhs))
      return failure();
    return steps.compare(mask.comparison, lhs, steps.cast(byteAs(*rhs, type), held, Rounding::None), spread);
  }
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

// The mask of a comparison, or of a stored truth value (true if not zero); negated if `opposite` is set.
FailureOr<TileId> PayloadReader::tileOfMask(Value truth, Spread spread, bool opposite) {
  auto pending = masks.find(truth);
  if (pending == masks.end())
    return maskOfStored(truth, spread, opposite);
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
  const TileId lhs = mask.sign ? byteAs(tile(mask.lhs), *mask.sign) : tile(mask.lhs);
  const ElementType type = steps[lhs].type;
  if (type == ElementType::Int8 || type == ElementType::UInt8 || type == ElementType::Int16 ||
      type == ElementType::Int32)
    return maskOfWhole(mask, lhs, spread);
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

/// A select of integers or truth values.
FailureOr<TileId> PayloadReader::readWholeSelect(arith::SelectOp select, Spread spread) {
  FailureOr<TileId> mask = tileOfMask(select.getCondition(), spread);
  if (failed(mask))
    return unknown(select);
  // Bytes are selected as one of the tiles has them; their bits are the same either way. A truth value may be a mask,
  // a number or a stored byte.
  ElementType type = *elementTypeOf(select.getType());
  const bool isTruth = type == ElementType::Bool;
  for (Value value : {select.getTrueValue(), select.getFalseValue()})
    if (isTile(value) && !isTruth)
      type = steps[tile(value)].type;
  auto numbers = [&](Value value) {
    return isTruth ? truthAsNumber(value, ElementType::Float16) : asTile(value, type, spread);
  };
  FailureOr<TileId> left = numbers(select.getTrueValue()), right = numbers(select.getFalseValue());
  if (failed(left) || failed(right))
    return unknown(select);
  return selectWhole(*mask, byteAs(*left, type), byteAs(*right, type));
}

FailureOr<TileId> PayloadReader::readSelect(arith::SelectOp select) {
  if (positions.contains(select.getTrueValue()) || positions.contains(select.getFalseValue()))
    return selectPosition(select);
  Value condition = select.getCondition(), lhs = select.getTrueValue(), rhs = select.getFalseValue();
  const Spread spread = join(spreadOf(condition), join(spreadOf(lhs), spreadOf(rhs)));
  if (!isa<FloatType>(select.getType()))
    return readWholeSelect(select, spread);
  // A scalar needs no tile if it is the right operand.
  auto isOne = [&](Value value) { return !isTile(value) || spreadOf(value) == Spread::One; };
  const bool opposite = isOne(lhs) && !isOne(rhs) && hasOpposite(condition);
  if (opposite)
    std::swap(lhs, rhs);
  const ElementType type = *elementTypeOf(select.getType());
  FailureOr<TileId> mask = tileOfMask(condition, spread, opposite);
  if (failed(mask))
    return unknown(select);
  FailureOr<TileId> left = asTile(lhs, type, spread);
  if (failed(left))
    return unknown(select);
  if (!isTile(rhs))
    if (Value number = scalar(rhs))
      return steps.select(*mask, *left, number);
  FailureOr<TileId> right = asTile(rhs, type, spread);
  if (failed(right))
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

} // namespace opc::aicore

#include "dialect/aicore/index/IndexBuilder.h"

#include "dialect/aicore/index/Evaluate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace opc {

Value leadingConstant(Block &block, Location location, TypedAttr value) {
  // Only leading constants are searched: a later one might not dominate the use.
  auto place = block.begin();
  for (; place != block.end() && isa<arith::ConstantOp>(*place); ++place)
    if (cast<arith::ConstantOp>(*place).getValue() == value)
      return place->getResult(0);
  OpBuilder builder(&block, place);
  return arith::ConstantOp::create(builder, location, value);
}

std::optional<int64_t> knownNumber(Value value) {
  llvm::APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)) || constant.getSignificantBits() > 64)
    return std::nullopt;
  // `true` is 1, like the result of a comparison, and not the -1 of a signed bit.
  return constant.getBitWidth() == 1 ? int64_t(constant.getZExtValue()) : constant.getSExtValue();
}

Value IndexBuilder::stepOf(const Step &, llvm::function_ref<Value()> make) {
  return make();
}

Value IndexBuilder::constant(int64_t value) {
  return leadingConstant(entry, entry.getParentOp()->getLoc(), builder.getIndexAttr(value));
}

template <typename Op>
Value IndexBuilder::binary(ScalarOp instruction, Value a, Value b, std::optional<int64_t> neutral) {
  if (std::optional<int64_t> left = knownNumber(a), right = knownNumber(b); left && right)
    if (std::optional<int64_t> result = evaluateBinary(instruction, *left, *right))
      return constant(*result);
  if (neutral && knownNumber(b) == neutral)
    return a;
  return stepOf({TypeID::get<Op>().getAsOpaquePointer(), {a, b, {}}},
                [&] { return Op::create(builder, location, a, b).getResult(); });
}

Value IndexBuilder::add(Value a, Value b) {
  return knownNumber(a) == 0 ? b : binary<arith::AddIOp>(ScalarOp::Add, a, b, 0);
}

Value IndexBuilder::sub(Value a, Value b) {
  return binary<arith::SubIOp>(ScalarOp::Sub, a, b, 0);
}

Value IndexBuilder::mul(Value a, Value b) {
  if (knownNumber(a) == 0 || knownNumber(b) == 0)
    return constant(0);
  return knownNumber(a) == 1 ? b : binary<arith::MulIOp>(ScalarOp::Mul, a, b, 1);
}

Value IndexBuilder::floorDiv(Value a, Value b) {
  return binary<arith::FloorDivSIOp>(ScalarOp::FloorDiv, a, b, 1);
}

Value IndexBuilder::ceilDiv(Value a, Value b) {
  return binary<arith::CeilDivSIOp>(ScalarOp::CeilDiv, a, b, 1);
}

Value IndexBuilder::rem(Value a, Value b) {
  return knownNumber(b) == 1 ? constant(0) : binary<arith::RemSIOp>(ScalarOp::Rem, a, b);
}

Value IndexBuilder::min(Value a, Value b) {
  return a == b ? a : binary<arith::MinSIOp>(ScalarOp::Min, a, b);
}

Value IndexBuilder::max(Value a, Value b) {
  return a == b ? a : binary<arith::MaxSIOp>(ScalarOp::Max, a, b);
}

} // namespace opc

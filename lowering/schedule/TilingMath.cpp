#include "lowering/schedule/TilingMath.h"

#include "runtime/program/Bytecode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace opc {

std::optional<int64_t> TilingMath::known(Value value) {
  llvm::APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

Value TilingMath::shared(const Step &step, llvm::function_ref<Value()> make) {
  Value &value = steps[step];
  if (!value)
    value = make();
  return value;
}

Value TilingMath::constant(int64_t value) {
  Value &made = constants[value];
  if (!made)
    made = arith::ConstantIndexOp::create(builder, location, value);
  return made;
}

/// Evaluates a step on two numbers; nullopt if a launch would be refused.
template <typename Op> static std::optional<int64_t> compute(int64_t a, int64_t b) {
  int64_t result = 0;
  EvalStatus status = EvalStatus::BadProgram;
  if constexpr (std::is_same_v<Op, arith::AddIOp>)
    status = evalInteger(ScalarOp::Add, a, b, 0, result);
  else if constexpr (std::is_same_v<Op, arith::SubIOp>)
    status = evalInteger(ScalarOp::Sub, a, b, 0, result);
  else if constexpr (std::is_same_v<Op, arith::MulIOp>)
    status = evalInteger(ScalarOp::Mul, a, b, 0, result);
  else if constexpr (std::is_same_v<Op, arith::FloorDivSIOp>)
    status = evalInteger(ScalarOp::FloorDiv, a, b, 0, result);
  else if constexpr (std::is_same_v<Op, arith::CeilDivSIOp>)
    status = evalInteger(ScalarOp::CeilDiv, a, b, 0, result);
  else if constexpr (std::is_same_v<Op, arith::RemSIOp>)
    status = evalInteger(ScalarOp::Rem, a, b, 0, result);
  else if constexpr (std::is_same_v<Op, arith::MinSIOp>)
    status = evalInteger(ScalarOp::Min, a, b, 0, result);
  else if constexpr (std::is_same_v<Op, arith::MaxSIOp>)
    status = evalInteger(ScalarOp::Max, a, b, 0, result);
  return status == EvalStatus::Ok ? std::optional(result) : std::nullopt;
}

template <typename Op> Value TilingMath::binary(Value a, Value b, std::optional<int64_t> neutral) {
  if (std::optional<int64_t> left = known(a), right = known(b); left && right)
    if (std::optional<int64_t> result = compute<Op>(*left, *right))
      return constant(*result);
  if (neutral && known(b) == neutral)
    return a;
  return shared({TypeID::get<Op>().getAsOpaquePointer(), a.getAsOpaquePointer(), b.getAsOpaquePointer(), nullptr},
                [&] { return Op::create(builder, location, a, b).getResult(); });
}

Value TilingMath::add(Value a, Value b) {
  return known(a) == 0 ? b : binary<arith::AddIOp>(a, b, 0);
}

Value TilingMath::sub(Value a, Value b) {
  return binary<arith::SubIOp>(a, b, 0);
}

Value TilingMath::mul(Value a, Value b) {
  if (known(a) == 0 || known(b) == 0)
    return constant(0);
  return known(a) == 1 ? b : binary<arith::MulIOp>(a, b, 1);
}

Value TilingMath::floorDiv(Value a, Value b) {
  return binary<arith::FloorDivSIOp>(a, b, 1);
}

Value TilingMath::ceilDiv(Value a, Value b) {
  return binary<arith::CeilDivSIOp>(a, b, 1);
}

Value TilingMath::rem(Value a, Value b) {
  return known(b) == 1 ? constant(0) : binary<arith::RemSIOp>(a, b);
}

Value TilingMath::min(Value a, Value b) {
  return a == b ? a : binary<arith::MinSIOp>(a, b);
}

Value TilingMath::max(Value a, Value b) {
  return a == b ? a : binary<arith::MaxSIOp>(a, b);
}

Value TilingMath::roundUp(Value a, int64_t unit) {
  return mul(ceilDiv(a, constant(unit)), constant(unit));
}

Value TilingMath::select(bool less, Value lhs, Value rhs, Value a, Value b) {
  if (a == b)
    return a;
  std::optional<int64_t> left = known(lhs), right = known(rhs);
  if (left && right)
    return (less ? *left < *right : *left == *right) ? a : b;
  auto predicate = less ? arith::CmpIPredicate::slt : arith::CmpIPredicate::eq;
  static const char predicates[] = {0, 0};
  Value condition = shared({&predicates[less], lhs.getAsOpaquePointer(), rhs.getAsOpaquePointer(), nullptr},
                           [&] { return arith::CmpIOp::create(builder, location, predicate, lhs, rhs).getResult(); });
  return shared({TypeID::get<arith::SelectOp>().getAsOpaquePointer(), condition.getAsOpaquePointer(),
                 a.getAsOpaquePointer(), b.getAsOpaquePointer()},
                [&] { return arith::SelectOp::create(builder, location, condition, a, b).getResult(); });
}

Value TilingMath::selectEqual(Value lhs, Value rhs, Value a, Value b) {
  return select(/*less=*/false, lhs, rhs, a, b);
}

Value TilingMath::selectLess(Value lhs, Value rhs, Value a, Value b) {
  return select(/*less=*/true, lhs, rhs, a, b);
}

} // namespace opc

#include "dialect/aicore/index/TilingMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace opc {

Value TilingMath::stepOf(const Step &step, llvm::function_ref<Value()> make) {
  auto pointer = [&](unsigned i) { return static_cast<const void *>(step.operands[i].getAsOpaquePointer()); };
  Value &value = steps[{step.operation, pointer(0), pointer(1), pointer(2)}];
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

Value TilingMath::roundUp(Value a, int64_t unit) {
  return mul(ceilDiv(a, constant(unit)), constant(unit));
}

Value TilingMath::select(bool less, Value lhs, Value rhs, Value a, Value b) {
  if (a == b)
    return a;
  std::optional<int64_t> left = knownNumber(lhs), right = knownNumber(rhs);
  if (left && right)
    return (less ? *left < *right : *left == *right) ? a : b;
  auto predicate = less ? arith::CmpIPredicate::slt : arith::CmpIPredicate::eq;
  static const char predicates[] = {0, 0};
  Value condition = stepOf({&predicates[less], {lhs, rhs, {}}},
                           [&] { return arith::CmpIOp::create(builder, location, predicate, lhs, rhs).getResult(); });
  return stepOf({TypeID::get<arith::SelectOp>().getAsOpaquePointer(), {condition, a, b}},
                [&] { return arith::SelectOp::create(builder, location, condition, a, b).getResult(); });
}

Value TilingMath::selectEqual(Value lhs, Value rhs, Value a, Value b) {
  return select(/*less=*/false, lhs, rhs, a, b);
}

Value TilingMath::selectLess(Value lhs, Value rhs, Value a, Value b) {
  return select(/*less=*/true, lhs, rhs, a, b);
}

} // namespace opc

// Builds arithmetic on indices that were checked not to be negative, with known numbers folded. It is unsigned and
// wraps: a result that is too large fails the comparison with the size of its memory, as a negative one does. Kernels
// and tiling functions have signed arithmetic in which overflow is an error; dialect/aicore/index builds that.

#ifndef OPC_LOWERING_CPU_LOOPS_INDEXMATH_H
#define OPC_LOWERING_CPU_LOOPS_INDEXMATH_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace opc::cpu {

/// Creates ops at the insertion point of its builder. Divisors must not be 0.
class IndexMath {
public:
  using Value = mlir::Value;
  using Predicate = mlir::arith::CmpIPredicate;

  explicit IndexMath(mlir::ImplicitLocOpBuilder &b) : b(b) {}

  Value of(int64_t value) { return mlir::arith::ConstantIndexOp::create(b, value); }
  Value add(Value x, Value y) { return b.createOrFold<mlir::arith::AddIOp>(x, y); }
  Value add(Value x, int64_t y) { return add(x, of(y)); }
  Value subtract(Value x, Value y) { return b.createOrFold<mlir::arith::SubIOp>(x, y); }
  Value multiply(Value x, Value y) { return b.createOrFold<mlir::arith::MulIOp>(x, y); }
  Value multiply(Value x, int64_t y) { return multiply(x, of(y)); }
  Value divide(Value x, Value y) { return b.createOrFold<mlir::arith::DivUIOp>(x, y); }
  Value divide(Value x, int64_t y) { return divide(x, of(y)); }
  Value rest(Value x, Value y) { return b.createOrFold<mlir::arith::RemUIOp>(x, y); }
  Value rest(Value x, int64_t y) { return rest(x, of(y)); }
  Value max(Value x, Value y) { return b.createOrFold<mlir::arith::MaxUIOp>(x, y); }
  /// ceil(x / y), also where x + y would wrap.
  Value ceilDiv(Value x, int64_t y) { return b.createOrFold<mlir::arith::CeilDivUIOp>(x, of(y)); }
  /// ceil(x / unit); the sum of both may wrap.
  Value units(Value x, int64_t unit) { return divide(add(x, unit - 1), unit); }
  /// ceil(x / unit) * unit
  Value whole(Value x, int64_t unit) { return multiply(units(x, unit), unit); }

  /// Conditions are of type i1.
  Value both(Value x, Value y) { return b.createOrFold<mlir::arith::AndIOp>(x, y); }
  Value either(Value x, Value y) { return b.createOrFold<mlir::arith::OrIOp>(x, y); }
  Value select(Value condition, Value x, Value y) { return b.createOrFold<mlir::arith::SelectOp>(condition, x, y); }
  Value is(Predicate predicate, Value x, Value y) { return b.createOrFold<mlir::arith::CmpIOp>(predicate, x, y); }
  Value isEqual(Value x, Value y) { return is(Predicate::eq, x, y); }
  Value isZero(Value x) { return isEqual(x, of(0)); }
  Value isSome(Value x) { return is(Predicate::ne, x, of(0)); }
  Value isBelow(Value x, Value y) { return is(Predicate::ult, x, y); }
  Value isAtMost(Value x, Value y) { return is(Predicate::ule, x, y); }
  Value isMultiple(Value x, Value unit) { return isZero(rest(x, unit)); }
  Value isMultiple(Value x, int64_t unit) { return isMultiple(x, of(unit)); }

private:
  mlir::ImplicitLocOpBuilder &b;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_LOOPS_INDEXMATH_H

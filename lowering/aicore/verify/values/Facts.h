// Value ranges: what is known statically of index values, as an interval and a divisor.
//
//   %tile_length = aicore.tiling_data "tile_length" min 1 max 8192      [1, 8192]
//   %count = arith.minsi %rest, %tile_length                            at most 8192
//   %offset = arith.muli %row, %c64                                     a multiple of 64
//
// Sums and products saturate at the limits of 64 bits. At run time such an overflow is an error and never a wrong
// number. Upstream's integer range analysis has no divisors, no bounds of products by quotients, and lets sums wrap
// around (docs/rationale/emit.md). Passes use dialect/aicore/index/NonNegative.h; a verifier must not.

#ifndef OPC_LOWERING_AICORE_VERIFY_VALUES_FACTS_H
#define OPC_LOWERING_AICORE_VERIFY_VALUES_FACTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OpDefinition.h"

#include <cstdint>

namespace opc::aicore {

struct Fact {
  int64_t min = INT64_MIN, max = INT64_MAX; ///< the limits mean "unbounded"
  int64_t divisor = 1;                      ///< the value is a multiple of it; 0 if the value is 0

  bool hasMin() const { return min != INT64_MIN; }
  bool hasMax() const { return max != INT64_MAX; }
};

/// "[1, 8192]", "[0, any]".
std::string toText(const Fact &fact);

/// The range of the sum of two values.
Fact sum(Fact a, Fact b);

/// The facts of all index values of a kernel or a tiling function.
class Facts {
public:
  explicit Facts(mlir::func::FuncOp function);
  /// As above, assuming that one value is a given number.
  Facts(mlir::func::FuncOp function, mlir::Value assumed, int64_t number);

  Fact of(mlir::Value value) const;
  Fact of(mlir::OpFoldResult value) const;

  /// An upper bound of the product of two values that are not negative. If a is at most the quotient of some x by b
  /// or more, the bound is x (q = x floordiv b implies q * b <= x).
  int64_t productBound(mlir::Value a, mlir::Value b) const;
  /// Whether `a` is known to be at most `b`: by intervals, because it is a minimum with b, or because b is a rounded
  /// up.
  bool atMost(mlir::OpFoldResult a, mlir::Value b, unsigned depth = 0) const;

private:
  void walk(mlir::func::FuncOp function);
  Fact derive(mlir::Operation *op) const;
  Fact ofProduct(mlir::Value a, mlir::Value b) const;

  mlir::Value assumed;
  int64_t assumedNumber = 0;

  mlir::DenseMap<mlir::Value, Fact> facts;
};

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_VERIFY_VALUES_FACTS_H

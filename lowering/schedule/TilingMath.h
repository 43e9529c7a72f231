// Builds the index arithmetic of tiling functions from the closed set of operations. Constants are folded and common
// subexpressions are shared, since a tiling function runs before every launch and has only 1024 registers.

#ifndef OPC_LOWERING_SCHEDULE_TILINGMATH_H
#define OPC_LOWERING_SCHEDULE_TILINGMATH_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

#include <map>
#include <optional>
#include <tuple>

namespace opc {

/// Appends steps on values of type index to a block.
class TilingMath {
public:
  /// Steps are appended at the builder's insertion point, which must stay in one block.
  TilingMath(mlir::OpBuilder &builder, mlir::Location location) : builder(builder), location(location) {}

  mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  /// Divisors must be known to be at least 1 (rule tiling_c6); `max` with 1 ensures that.
  mlir::Value floorDiv(mlir::Value a, mlir::Value b);
  mlir::Value ceilDiv(mlir::Value a, mlir::Value b);
  mlir::Value rem(mlir::Value a, mlir::Value b);
  mlir::Value min(mlir::Value a, mlir::Value b);
  mlir::Value max(mlir::Value a, mlir::Value b);
  /// `a` rounded up to a multiple of `unit`, which must be at least 1.
  mlir::Value roundUp(mlir::Value a, int64_t unit);
  /// lhs == rhs ? a : b
  mlir::Value selectEqual(mlir::Value lhs, mlir::Value rhs, mlir::Value a, mlir::Value b);
  /// lhs < rhs ? a : b
  mlir::Value selectLess(mlir::Value lhs, mlir::Value rhs, mlir::Value a, mlir::Value b);

  /// The constant that a value is known to be.
  static std::optional<int64_t> known(mlir::Value value);

private:
  /// Identifies a step: its operation, by type id or predicate, and its operands.
  using Step = std::tuple<const void *, const void *, const void *, const void *>;
  template <typename Op>
  mlir::Value binary(mlir::Value a, mlir::Value b, std::optional<int64_t> neutral = std::nullopt);
  mlir::Value select(bool less, mlir::Value lhs, mlir::Value rhs, mlir::Value a, mlir::Value b);
  mlir::Value shared(const Step &step, llvm::function_ref<mlir::Value()> make);

  mlir::OpBuilder &builder;
  mlir::Location location;
  std::map<int64_t, mlir::Value> constants;
  std::map<Step, mlir::Value> steps;
};

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_TILINGMATH_H

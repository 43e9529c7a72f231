// Index arithmetic of tiling functions: equal steps are shared. A tiling function runs before every launch and has
// 1024 registers, so the compiler computes what it can.

#ifndef OPC_DIALECT_AICORE_INDEX_TILINGMATH_H
#define OPC_DIALECT_AICORE_INDEX_TILINGMATH_H

#include "dialect/aicore/index/IndexBuilder.h"

#include <map>
#include <tuple>

namespace opc {

/// Appends steps to the block of a tiling function.
class TilingMath : public IndexBuilder {
public:
  /// The builder's insertion point must stay in its block.
  TilingMath(mlir::OpBuilder &builder, mlir::Location location)
      : IndexBuilder(builder, location, *builder.getInsertionBlock()) {}

  /// Creates a constant at the insertion point of its first use, so that its register is free until then.
  mlir::Value constant(int64_t value) override;
  /// The smallest multiple of `unit` that is at least `a`; `unit` must be at least 1.
  mlir::Value roundUp(mlir::Value a, int64_t unit);
  /// lhs == rhs ? a : b
  mlir::Value selectEqual(mlir::Value lhs, mlir::Value rhs, mlir::Value a, mlir::Value b);
  /// lhs < rhs ? a : b
  mlir::Value selectLess(mlir::Value lhs, mlir::Value rhs, mlir::Value a, mlir::Value b);

private:
  mlir::Value stepOf(const Step &step, llvm::function_ref<mlir::Value()> make) override;
  mlir::Value select(bool less, mlir::Value lhs, mlir::Value rhs, mlir::Value a, mlir::Value b);

  std::map<int64_t, mlir::Value> constants;
  std::map<std::tuple<const void *, const void *, const void *, const void *>, mlir::Value> steps;
};

} // namespace opc

#endif // OPC_DIALECT_AICORE_INDEX_TILINGMATH_H

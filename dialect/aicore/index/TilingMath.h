// Index arithmetic of tiling functions: equal steps are shared. A tiling function runs before every launch and has 1024
// registers, so what can be known here is not computed there.

#ifndef OPC_DIALECT_AICORE_INDEX_TILINGMATH_H
#define OPC_DIALECT_AICORE_INDEX_TILINGMATH_H

#include "dialect/aicore/index/IndexBuilder.h"

#include <map>
#include <tuple>

namespace opc {

/// Appends steps to one block, a tiling function's.
class TilingMath : public IndexBuilder {
public:
  /// The builder's place stays in its block.
  TilingMath(mlir::OpBuilder &builder, mlir::Location location)
      : IndexBuilder(builder, location, *builder.getInsertionBlock()) {}

  /// At the builder's place where it is asked for first: a register that is needed late is free until then.
  mlir::Value constant(int64_t value) override;
  /// The next multiple of `unit`, at least 1, that is not below `a`.
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

// Builds index arithmetic: the closed set of operations of tiling functions and of the scalar unit, with known
// numbers folded. Constants are unique and at the start of the function.

#ifndef OPC_DIALECT_AICORE_INDEX_INDEXBUILDER_H
#define OPC_DIALECT_AICORE_INDEX_INDEXBUILDER_H

#include "runtime/program/Bytecode.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace opc {

/// The constant with this value among the constants at the start of a block; creates it there if there is none.
mlir::Value leadingConstant(mlir::Block &block, mlir::Location location, mlir::TypedAttr value);

/// The number of a value that is a constant; nullopt otherwise.
std::optional<int64_t> knownNumber(mlir::Value value);

/// Creates ops on values of type index at the builder's insertion point.
class IndexBuilder {
public:
  /// `entry` is the block that constants are created in.
  IndexBuilder(mlir::OpBuilder &builder, mlir::Location location, mlir::Block &entry)
      : builder(builder), location(location), entry(entry) {}
  virtual ~IndexBuilder() = default;

  virtual mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  /// Divisors must be known to be at least 1 (rule tiling_c6), for example by `max` with 1.
  mlir::Value floorDiv(mlir::Value a, mlir::Value b);
  mlir::Value ceilDiv(mlir::Value a, mlir::Value b);
  mlir::Value rem(mlir::Value a, mlir::Value b);
  mlir::Value min(mlir::Value a, mlir::Value b);
  mlir::Value max(mlir::Value a, mlir::Value b);

protected:
  /// The identity of a step: its operation, by type id or predicate, and its operands.
  struct Step {
    const void *operation;
    mlir::Value operands[3];
  };
  /// The value of a step. This implementation always creates a new one by `make`.
  virtual mlir::Value stepOf(const Step &step, llvm::function_ref<mlir::Value()> make);

  mlir::OpBuilder &builder;
  mlir::Location location;
  mlir::Block &entry;

private:
  template <typename Op>
  mlir::Value binary(ScalarOp instruction, mlir::Value a, mlir::Value b, std::optional<int64_t> neutral = std::nullopt);
};

} // namespace opc

#endif // OPC_DIALECT_AICORE_INDEX_INDEXBUILDER_H

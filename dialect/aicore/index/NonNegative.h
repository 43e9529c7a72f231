// Whether an index is never negative, by what defines it. The scalar unit and C++ text compute with signed 64-bit
// numbers; an unsigned division, remainder or comparison means the same there exactly when its operands are not
// negative.

#ifndef OPC_DIALECT_AICORE_INDEX_NONNEGATIVE_H
#define OPC_DIALECT_AICORE_INDEX_NONNEGATIVE_H

#include "mlir/IR/Value.h"

namespace opc {

/// Constants, block index, tiling data, loop counters from there upwards, and sums, products, quotients and extrema of
/// such values. Arithmetic that overflows is an error of whoever runs it, so sums and products stay on their side.
bool isNonNegative(mlir::Value value);

} // namespace opc

#endif // OPC_DIALECT_AICORE_INDEX_NONNEGATIVE_H

// Whether an index is never negative, derived from its definition. The scalar unit and C++ text compute with signed
// 64-bit numbers; unsigned divisions, remainders and comparisons have the same result there if their operands are not
// negative.

#ifndef OPC_DIALECT_AICORE_INDEX_NONNEGATIVE_H
#define OPC_DIALECT_AICORE_INDEX_NONNEGATIVE_H

#include "mlir/IR/Value.h"

namespace opc {

/// Handles constants, the block index, tiling data, loop counters that start from such values, and sums, products,
/// quotients and extrema of such values. Overflow is a run-time error, so sums and products of such values are not
/// negative.
bool isNonNegative(mlir::Value value);

} // namespace opc

#endif // OPC_DIALECT_AICORE_INDEX_NONNEGATIVE_H

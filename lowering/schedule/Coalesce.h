// Dimensions to loops: neighbours of one class become one loop, dimensions of size 1 vanish.
//
//   dimensions   2  3  1  4  5        last to first:  5 a, 4 a | 3 b, 2 b
//   classes      b  b  .  a  a        loops: size 20 class a, size 6 class b

#ifndef OPC_LOWERING_SCHEDULE_COALESCE_H
#define OPC_LOWERING_SCHEDULE_COALESCE_H

#include "dialect/aicore/index/TilingMath.h"

namespace opc {

/// Loops that a key and its batch loops have at most.
inline constexpr unsigned kMaxLoops = 4;

/// Loops from the innermost on. A loop that is not there has size 1 and class 0.
struct CoalescedLoops {
  mlir::Value count; ///< how many there are; more than kMaxLoops: too many
  mlir::Value size[kMaxLoops];
  mlir::Value type[kMaxLoops]; ///< the class
};

/// `sizes` and `classes` from the last dimension on; classes are not negative.
CoalescedLoops coalesce(TilingMath &math, llvm::ArrayRef<mlir::Value> sizes, llvm::ArrayRef<mlir::Value> classes);

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_COALESCE_H

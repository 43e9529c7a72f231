// Coalesces dimensions into loops: neighbours of one class become one loop, and dimensions of size 1 are dropped.
//
//   dimensions   2  3  1  4  5        last to first:  5 a, 4 a | 3 b, 2 b
//   classes      b  b  .  a  a        loops: size 20 class a, size 6 class b

#ifndef OPC_LOWERING_SCHEDULE_TILING_COALESCE_H
#define OPC_LOWERING_SCHEDULE_TILING_COALESCE_H

#include "dialect/aicore/index/TilingMath.h"

namespace opc {

/// The maximum number of loops of a launch: no two dimensions are merged.
inline constexpr unsigned kMaxLoops = 8;

/// Loops, innermost first. A loop that does not exist has size 1 and class 0.
struct CoalescedLoops {
  mlir::Value count; ///< number of loops
  mlir::Value size[kMaxLoops];
  mlir::Value type[kMaxLoops]; ///< class of each loop
};

/// `sizes` and `classes` start with the last dimension; classes must not be negative. Computes the `most` innermost
/// loops; `count` is the number of all loops.
CoalescedLoops coalesce(TilingMath &math, llvm::ArrayRef<mlir::Value> sizes, llvm::ArrayRef<mlir::Value> classes,
                        unsigned most);

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_TILING_COALESCE_H

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
/// loops; `count` is the number of all loops. What holds of the result if all loops are computed:
///
///   coalesce_p1   the product of the loops' sizes is that of the dimensions
///   coalesce_p2   the first `count` loops do not have size 1; the others have size 1 and class 0
///   coalesce_p3   neighbours among the first `count` loops differ in class
///   coalesce_p4   let a bit of a class say that an operand stands still there: then each element of the iteration has
///                 the same offset in the operand, counted over the dimensions and over the loops
CoalescedLoops coalesce(TilingMath &math, llvm::ArrayRef<mlir::Value> sizes, llvm::ArrayRef<mlir::Value> classes,
                        unsigned most);

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_TILING_COALESCE_H

// The problem that the planner solves: buffers with a size and a time in which they must keep their
// bytes.
//
// Time is the position of a pipe op in the text of the kernel. A loop is passed through once: what
// must survive from one iteration to the next lives through the whole loop.
//
//   position        0      1       2      3      4
//                 load   vmuls   vexp   vadd   store
//   x  (DMA)      |------------------------------|      through the loop: mte2 may be a tile ahead
//   t  (v only)            |-------|                    from its first write to its last use
//   u  (v only)                     |-----|             may take t's place
//   y  (DMA)      |------------------------------|

#ifndef OPC_LOWERING_AICORE_LIVERANGES_H
#define OPC_LOWERING_AICORE_LIVERANGES_H

#include "lowering/aicore/TileView.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc::aicore {

struct PlannedBuffer {
  BufferOp buffer;
  int64_t bytes = 0;
  /// First and last position at which the buffer must keep its bytes, both included.
  unsigned first = 0, last = 0;
  /// Byte address; -1 while it has none.
  int64_t address = -1;

  bool livesWith(const PlannedBuffer &other) const {
    return first <= other.last && other.first <= last;
  }
};

struct PlanProblem {
  llvm::SmallVector<PlannedBuffer> buffers;       ///< in the order of the text
  llvm::SmallVector<mlir::Operation *> positions; ///< the pipe ops of the kernel
};

PlanProblem liveRangesOf(mlir::func::FuncOp kernel);

/// Gives each buffer the lowest address, a multiple of `alignment`, that no buffer living with it
/// covers: in the order of the text, or larger ones first where that needs more than `capacity`.
/// Returns the bytes needed.
int64_t planFirstFit(PlanProblem &problem, int64_t alignment, int64_t capacity);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_LIVERANGES_H

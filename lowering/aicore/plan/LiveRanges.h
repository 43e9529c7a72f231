// A kernel as a planning problem: its buffers, with their sizes and the times at which they are live.
//
// Each pipe op, in program order, has two times: it reads at the first and writes at the second. A buffer is live
// from a write to the last read of what was written, along every path through loops and branches. So the result of an
// elementwise op may begin at the address of a source that is read there for the last time:
//
//   time            0 1      2 3      4 5      6 7      8 9
//                  load x   vexp t   vexp u   vadd y   store
//   t  (v only)               |--------|                        last read at 4
//   u  (v only)                         |--------|              written at 5: may begin at the address of t
//
// That is the live range by program order. But pipes run asynchronously: mte2 loads x for the next iteration while v
// still works on t of this one. If x and t shared bytes, mte2 would have to wait. So a buffer that DMA accesses is
// live through its whole outermost loop, unless more sharing is requested:
//
//   x  (DMA)        |------------------------------------|      mte2 may be one tile ahead
//   y  (DMA)        |------------------------------------|

#ifndef OPC_LOWERING_AICORE_PLAN_LIVERANGES_H
#define OPC_LOWERING_AICORE_PLAN_LIVERANGES_H

#include "lowering/aicore/TileView.h"
#include "lowering/aicore/plan/Problem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc::aicore {

struct LiveRange {
  BufferOp buffer;
  /// Times at which the buffer is live by program order.
  std::vector<unsigned> times;
  /// The same, allowing for pipes that run ahead of each other: a buffer that DMA accesses is live through its
  /// outermost loop. Equal to `times` for all other buffers.
  std::vector<unsigned> pipeTimes;
};

struct KernelRanges {
  llvm::SmallVector<mlir::Operation *> ops; ///< pipe ops in program order: op p has the times 2p and 2p + 1
  std::vector<LiveRange> buffers;           ///< in program order
  /// Pairs of buffers where the second may be written while the first is read for the last time: the op works element
  /// by element, on elements of one width and on the same part of the same slot.
  std::vector<std::pair<unsigned, unsigned>> inPlace;
};

KernelRanges liveRangesOf(mlir::func::FuncOp kernel);

/// The live ranges of the buffers in one memory, which has its own plan. Times count all ops of the kernel.
KernelRanges rangesIn(const KernelRanges &ranges, Space space);

/// To what degree buffers of a kernel may share bytes.
enum class Sharing : uint8_t {
  None,  ///< not at all
  Pipes, ///< as long as no pipe waits for another: by pipeTimes
  Text,  ///< as far as program order allows: by times
};

/// The planning problem for one degree of sharing; items are in the order of the buffers.
PlanProblem problemOf(const KernelRanges &ranges, Sharing sharing, int64_t capacity, int64_t alignment);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLAN_LIVERANGES_H

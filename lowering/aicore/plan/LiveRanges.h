// A kernel as a planning problem: buffers with a size and the times at which they keep their bytes.
//
// Each pipe op, in the order of the text, is two times: it reads at the first and writes at the second. A buffer
// keeps its bytes from what writes it to the last read of what was written, along every way through loops and
// branches. So an elementwise result may begin where a source begins that is read there for the last time:
//
//   time            0 1      2 3      4 5      6 7      8 9
//                  load x   vexp t   vexp u   vadd y   store
//   t  (v only)               |--------|                        read for the last time at 4
//   u  (v only)                         |--------|              written at 5: may begin where t does
//
// That is what the text asks for. Pipes run apart: in the next iteration mte2 loads x while v still works on t of
// this one. Bytes that x and t share then make mte2 wait. So a buffer that DMA moves keeps its bytes through its
// outermost loop, unless it is asked to share:
//
//   x  (DMA)        |------------------------------------|      mte2 may be a tile ahead
//   y  (DMA)        |------------------------------------|

#ifndef OPC_LOWERING_AICORE_PLAN_LIVERANGES_H
#define OPC_LOWERING_AICORE_PLAN_LIVERANGES_H

#include "lowering/aicore/TileView.h"
#include "lowering/aicore/plan/Problem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc::aicore {

struct LiveRange {
  BufferOp buffer;
  /// Times at which the order of the text keeps its bytes.
  std::vector<unsigned> times;
  /// The same with what pipes may do ahead of each other: DMA moves it, so it lives through its outermost loop. Equal
  /// to `times` for buffers that DMA leaves alone.
  std::vector<unsigned> pipeTimes;
};

struct KernelRanges {
  llvm::SmallVector<mlir::Operation *> ops; ///< pipe ops in order: op p has the times 2p, 2p + 1
  std::vector<LiveRange> buffers;           ///< in the order of the text
  /// Buffers of which the second may be written where the first is read for the last time: element by element,
  /// elements of one width, the same part of the same slot.
  std::vector<std::pair<unsigned, unsigned>> inPlace;
};

KernelRanges liveRangesOf(mlir::func::FuncOp kernel);

/// Which buffers of a kernel may share.
enum class Sharing : uint8_t {
  None,  ///< each has bytes of its own
  Pipes, ///< as far as no pipe waits for another: by pipeTimes
  Text,  ///< as far as the order of the text allows: by times
};

/// The problem for one degree of sharing, items in the order of the buffers.
PlanProblem problemOf(const KernelRanges &ranges, Sharing sharing, int64_t capacity, int64_t alignment);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLAN_LIVERANGES_H

// Who lives in UB where most bytes do: for messages, and for the table of a kernel that fits.

#ifndef OPC_LOWERING_AICORE_PLAN_PEAKTABLE_H
#define OPC_LOWERING_AICORE_PLAN_PEAKTABLE_H

#include "lowering/aicore/plan/Planner.h"

#include <string>
#include <vector>

namespace opc::aicore {

struct PeakTable {
  int64_t bytes = 0;                ///< that live at the peak
  mlir::Operation *place = nullptr; ///< where it is; the kernel, when it has no ops
  std::vector<bool> lives;          ///< there, by buffer
};

/// The peak of a kernel whose buffers share to this degree: the first intrinsic at which most bytes live, or
/// else the first op.
PeakTable peakOf(mlir::func::FuncOp kernel, const KernelRanges &ranges, Sharing sharing, const PlanRequest &request);

/// Where the author's text says what a buffer is: its own place in a body by hand. The buffers of a te body are made
/// by placement; theirs is the first intrinsic that works on them.
mlir::Location placeOf(BufferOp buffer);

/// "'x1' takes 128 KB, 2 slots of 64 KB".
std::string takenText(BufferOp buffer);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLAN_PEAKTABLE_H

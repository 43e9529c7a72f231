// The buffers that are live at the peak of UB usage, for messages and for the table of a kernel that fits.

#ifndef OPC_LOWERING_AICORE_PLAN_PEAKTABLE_H
#define OPC_LOWERING_AICORE_PLAN_PEAKTABLE_H

#include "lowering/aicore/plan/Planner.h"

#include <string>
#include <vector>

namespace opc::aicore {

struct PeakTable {
  int64_t bytes = 0;                ///< bytes that live at the peak
  mlir::Operation *place = nullptr; ///< op at the peak; the kernel if it has no ops
  std::vector<bool> lives;          ///< by buffer: whether it lives there
};

/// The peak of a kernel whose buffers share to this degree: the first intrinsic at which the most bytes live; without
/// one, the first op.
PeakTable peakOf(mlir::func::FuncOp kernel, const KernelRanges &ranges, Sharing sharing, const PlanRequest &request);

/// The source location that describes a buffer: its own in a body by hand. Buffers of a te body are made by
/// placement, so theirs is the first intrinsic that uses them.
mlir::Location placeOf(BufferOp buffer);

/// "'x1' takes 128 KB, 2 slots of 64 KB".
std::string takenText(BufferOp buffer);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLAN_PEAKTABLE_H

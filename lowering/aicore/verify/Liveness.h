// The buffers that must not share bytes, found by backward analysis: the result of an op must not overwrite what is
// read later.
//
// The planner follows each read along the paths of control flow. This analysis instead visits the ops in reverse
// order with the set of buffers that are still to be read, twice around each loop, so that both do not share a
// mistake. A buffer whose parts or slots are accessed separately is never overwritten as a whole. It is live wherever
// a read may follow, except before its first write and before all loops around that write.

#ifndef OPC_LOWERING_AICORE_VERIFY_LIVENESS_H
#define OPC_LOWERING_AICORE_VERIFY_LIVENESS_H

#include "dialect/aicore/AICoreOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc::aicore {

/// Two buffers that are live at one op.
struct Interference {
  BufferOp a, b;
  mlir::Operation *at;
  /// Both may begin at one address: the op reads one for the last time and writes the other, element by element.
  bool inPlaceIsFine = false;
};

/// All pairs, once for each op at which both are live, in program order.
std::vector<Interference> interferencesOf(mlir::func::FuncOp kernel);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_VERIFY_LIVENESS_H

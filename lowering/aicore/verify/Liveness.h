// Which buffers must not share bytes, found backwards: at each op, what it writes must spare what
// is still to be read.
//
// The planner counts positions in the text; this goes from each read back to the write it needs,
// twice around each loop, so that the two do not make one mistake together.

#ifndef OPC_LOWERING_AICORE_VERIFY_LIVENESS_H
#define OPC_LOWERING_AICORE_VERIFY_LIVENESS_H

#include "dialect/aicore/AICoreOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc::aicore {

/// Two buffers that live at one op.
struct Interference {
  BufferOp a, b;
  mlir::Operation *at;
  /// Both may begin at one address: the op reads the one for the last time and writes the other,
  /// element by element.
  bool inPlaceIsFine = false;
};

/// Every pair, once for each op at which both live; in the order of the text.
std::vector<Interference> interferencesOf(mlir::func::FuncOp kernel);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_VERIFY_LIVENESS_H

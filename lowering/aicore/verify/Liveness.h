// Which buffers must not share bytes, found backwards: at each op, what it writes must spare what is still to be read.
//
// The planner follows each read along the ways that control may come; this goes through the text backwards with the
// set of all that is still to be read, twice around each loop, so that the two do not make one mistake together. A
// buffer of which parts or slots are touched apart is never written as a whole: it lives wherever it may still be
// read, but for what comes in front of its first write and of all loops around that.

#ifndef OPC_LOWERING_AICORE_VERIFY_LIVENESS_H
#define OPC_LOWERING_AICORE_VERIFY_LIVENESS_H

#include "dialect/aicore/AICoreOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc::aicore {

/// Two buffers that live at one op.
struct Interference {
  BufferOp a, b;
  mlir::Operation *at;
  /// Both may begin at one address: the op reads the one for the last time and writes the other, element by element.
  bool inPlaceIsFine = false;
};

/// Every pair, once for each op at which both live; in the order of the text.
std::vector<Interference> interferencesOf(mlir::func::FuncOp kernel);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_VERIFY_LIVENESS_H

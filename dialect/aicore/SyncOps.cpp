// Flags and barriers.

#include "dialect/aicore/AICoreOps.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace opc::aicore;

template <typename FlagOp> static LogicalResult verifyFlag(FlagOp op) {
  if (op.getFrom() == op.getTo())
    return op.emitOpError("[flag_c1] expects two different pipes, found '")
           << stringifyPipe(op.getFrom()) << "' twice; a pipe waits for itself with 'aicore.pipe_barrier'";
  llvm::APInt id;
  if (matchPattern(op.getId(), m_ConstantInt(&id)) && id.isNegative())
    return op.emitOpError("[flag_c2] expects an event id that is not negative, found ") << id.getSExtValue();
  return success();
}

opc::aicore::Pipe SetFlagOp::getPipe() {
  return getFrom();
}
void SetFlagOp::getAccesses(SmallVectorImpl<Access> &) {
}
LogicalResult SetFlagOp::verify() {
  return verifyFlag(*this);
}

opc::aicore::Pipe WaitFlagOp::getPipe() {
  return getTo();
}
void WaitFlagOp::getAccesses(SmallVectorImpl<Access> &) {
}
LogicalResult WaitFlagOp::verify() {
  return verifyFlag(*this);
}

opc::aicore::Pipe PipeBarrierOp::getPipe() {
  return getOn();
}
void PipeBarrierOp::getAccesses(SmallVectorImpl<Access> &) {
}

// The table of legal operations. Each phase accepts only the operations in the table, so the next verifier reports ops
// that a pass did not lower.

#include "lowering/aicore/verify/Legality.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace opc::aicore {

/// The first phase in which an operation is legal; nullopt if it never is.
static std::optional<Phase> legalSince(Operation *op) {
  // Index and scalar arithmetic that the scalar unit has.
  if (isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::FloorDivSIOp, arith::CeilDivSIOp,
          arith::RemSIOp, arith::MinSIOp, arith::MaxSIOp, arith::CmpIOp, arith::SelectOp, arith::AndIOp, arith::OrIOp,
          arith::XOrIOp, arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
          arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp, arith::SIToFPOp, arith::MaximumFOp,
          arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(op))
    return Phase::Placed;
  // Control flow and views.
  if (isa<scf::ForOp, scf::IfOp, scf::YieldOp, memref::SubViewOp, memref::ReinterpretCastOp, func::ReturnOp>(op))
    return Phase::Placed;
  // Synchronisation is inserted by the last pass; nothing may move past a flag afterwards.
  if (isa<SetFlagOp, WaitFlagOp, PipeBarrierOp>(op))
    return Phase::Synced;
  // Buffers, tiling data, DMA, intrinsics.
  if (isa_and_nonnull<AICoreDialect>(op->getDialect()))
    return Phase::Placed;
  return std::nullopt;
}

static bool isLegalType(Type type) {
  if (type.isIndex() || elementTypeOf(type))
    return true;
  return spaceOf(type) && elementTypeOf(cast<MemRefType>(type).getElementType());
}

static LogicalResult verifyTypes(Operation *op, TypeRange types) {
  for (Type type : types)
    if (!isLegalType(type))
      return op->emitError("[placed_c2] expects scalars of index or a number type, and memrefs of "
                           "numbers in a memory of the dialect; found ")
             << type;
  return success();
}

LogicalResult verifyLegality(Operation *kernel, Phase phase) {
  if (failed(verifyTypes(kernel, kernel->getRegion(0).getArgumentTypes())))
    return failure();
  WalkResult result = kernel->walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
    if (op == kernel)
      return WalkResult::advance();
    std::optional<Phase> since = legalSince(op);
    if (isa<MultiplyOp>(op))
      return op->emitError("[placed_c1] expects 'aicore.multiply' to be replaced by its steps, by "
                           "aicore-expand-multiply at phase 'placed', before a kernel is verified");
    if (!since)
      return op->emitError("[placed_c1] expects a kernel to consist of tiles, DMA, intrinsics, "
                           "loops and scalar arithmetic; "
                           "found '")
             << op->getName() << "'";
    if (*since > phase)
      return op->emitError("[placed_c1] expects '") << op->getName() << "' from phase '" << stringifyPhase(*since)
                                                    << "' on, found it in phase '" << stringifyPhase(phase) << "'";
    if (failed(verifyTypes(op, op->getResultTypes())))
      return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (failed(verifyTypes(op, block.getArgumentTypes())))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

} // namespace opc::aicore

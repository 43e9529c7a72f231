// The table of legal operations. A phase takes what stands here and nothing else, so that an upstream pass which left
// something behind without a word is found at the next fence.

#include "lowering/aicore/verify/Legality.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace opc::aicore {

/// Operations, the phase from which they are legal, and what is theirs to do in a kernel.
struct LegalOp {
  StringLiteral name;
  Phase since;
};

static constexpr LegalOp kLegalOps[] = {
    // Index and scalar arithmetic: what the scalar unit has.
    {"arith.constant", Phase::Placed},
    {"arith.addi", Phase::Placed},
    {"arith.subi", Phase::Placed},
    {"arith.muli", Phase::Placed},
    {"arith.floordivsi", Phase::Placed},
    {"arith.ceildivsi", Phase::Placed},
    {"arith.remsi", Phase::Placed},
    {"arith.minsi", Phase::Placed},
    {"arith.maxsi", Phase::Placed},
    {"arith.cmpi", Phase::Placed},
    {"arith.select", Phase::Placed},
    {"arith.andi", Phase::Placed},
    {"arith.ori", Phase::Placed},
    {"arith.xori", Phase::Placed},
    {"arith.index_cast", Phase::Placed},
    {"arith.index_castui", Phase::Placed},
    {"arith.extsi", Phase::Placed},
    {"arith.extui", Phase::Placed},
    {"arith.trunci", Phase::Placed},
    {"arith.addf", Phase::Placed},
    {"arith.subf", Phase::Placed},
    {"arith.mulf", Phase::Placed},
    {"arith.divf", Phase::Placed},
    {"arith.negf", Phase::Placed},
    {"arith.sitofp", Phase::Placed},
    {"arith.maximumf", Phase::Placed},
    {"arith.minimumf", Phase::Placed},
    {"arith.maxnumf", Phase::Placed},
    {"arith.minnumf", Phase::Placed},
    // Control and views.
    {"scf.for", Phase::Placed},
    {"scf.if", Phase::Placed},
    {"scf.yield", Phase::Placed},
    {"memref.subview", Phase::Placed},
    {"memref.reinterpret_cast", Phase::Placed},
    {"func.return", Phase::Placed},
    // Order is made by the last pass; nothing may move past a flag afterwards.
    {"aicore.set_flag", Phase::Synced},
    {"aicore.wait_flag", Phase::Synced},
    {"aicore.pipe_barrier", Phase::Synced},
};

/// The phase from which an operation is legal; nullopt when it never is.
static std::optional<Phase> legalSince(Operation *op) {
  for (const LegalOp &legal : kLegalOps)
    if (op->getName().getStringRef() == legal.name)
      return legal.since;
  // Buffers, tiling data, DMA, intrinsics.
  if (isa_and_nonnull<AICoreDialect>(op->getDialect()))
    return Phase::Placed;
  return std::nullopt;
}

static bool isLegalType(Type type) {
  if (type.isIndex() || elementTypeOf(type))
    return true;
  std::optional<Space> space = spaceOf(type);
  return space && (*space == Space::GM || *space == Space::UB) &&
         elementTypeOf(cast<MemRefType>(type).getElementType());
}

static LogicalResult verifyTypes(Operation *op, TypeRange types) {
  for (Type type : types)
    if (!isLegalType(type))
      return op->emitError("[placed_c2] expects scalars of index or a number type, and memrefs of "
                           "numbers in gm or ub; found ")
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

// Computes the resource usage (needs) of each fused instance, under each schedule that changes it. The choice of the
// schedule is based on these numbers. They come from the Placement that later writes the kernel; the pass only changes
// an attribute.

#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/Passes.h"
#include "lowering/aicore/place/Placement.h"

#include "dialect/aicore/OperandNeeds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace opc::aicore;

namespace opc::aicore {
#define GEN_PASS_DEF_MEASUREPASS
#include "lowering/aicore/Passes.h.inc"
} // namespace opc::aicore

static NeedsAttr attributeOf(MLIRContext *context, const TileNeeds &needs, bool alias, int64_t expansion) {
  auto reach = [&](int64_t cycles) {
    return needs.cycles > 0 ? NeedsAttr::kWholeReach * cycles / needs.cycles : NeedsAttr::kWholeReach;
  };
  return NeedsAttr::get(context, needs.tileBits, needs.rowBytes, needs.secondBits, needs.secondBytes, needs.fixedBytes,
                        needs.buffers, needs.loads, needs.loadBytes, needs.storeBytes, needs.smallest,
                        needs.readsScalars, alias, expansion, needs.passes, needs.tileOps, needs.rowOps, needs.cycles,
                        reach(needs.loadReach), reach(needs.storeReach), needs.operandBytes, needs.foldsLanes);
}

/// The needs of an instance under each schedule that changes them, starting with the default schedule.
static LogicalResult measure(func::FuncOp fused, const opc::Target &chip, SmallVectorImpl<Attribute> &variants,
                             SmallVectorImpl<StringRef> &lines) {
  MLIRContext *context = fused.getContext();
  for (auto [bits, expansion] : {std::pair(32, opc::ElementType::Float32), std::pair(16, opc::ElementType::Float16)}) {
    Placement placement(fused, chip);
    if (failed(placement.read(/*alias=*/false, expansion)))
      return failure();
    TileNeeds plain = placement.needs();
    if (lines.empty())
      lines = placement.lines();
    // A schedule file does not change what computes an operand.
    if (variants.empty())
      for (bool isRight : {false, true})
        if (const std::optional<TileNeeds> needs = placement.operandNeeds(isRight))
          fused->setAttr(isRight ? kNeedsOfRightAttr : kNeedsOfLeftAttr, attributeOf(context, *needs, false, bits));
    // Only functions of float16 values can be expanded in float16. Without any, both programs are the same.
    if (bits == 16 && attributeOf(context, plain, false, 32) == variants.front())
      break;
    variants.push_back(attributeOf(context, plain, false, bits));
    placement.assign(/*alias=*/true);
    TileNeeds shared = placement.needs();
    if (shared.tileBits != plain.tileBits || shared.rowBytes != plain.rowBytes)
      variants.push_back(attributeOf(context, shared, true, bits));
    if (!placement.hasExpansions())
      break;
  }
  return success();
}

namespace {
struct MeasurePass : opc::aicore::impl::MeasurePassBase<MeasurePass> {
  using MeasurePassBase::MeasurePassBase;
  void runOnOperation() override {
    const opc::Target *chip = targetByName(getOperation(), target);
    if (!chip)
      return signalPassFailure();
    for (func::FuncOp fused : fusedInstancesOf(getOperation())) {
      SmallVector<Attribute> variants;
      SmallVector<StringRef> lines;
      if (failed(measure(fused, *chip, variants, lines)))
        return signalPassFailure();
      fused->setAttr(AICoreDialect::kNeedsAttr, variants.front());
      fused->setAttr(AICoreDialect::kNeedsVariantsAttr, ArrayAttr::get(&getContext(), variants));
      if (!lines.empty())
        fused->setAttr(AICoreDialect::kLinesAttr, Builder(&getContext()).getStrArrayAttr(lines));
    }
  }
};
} // namespace

// Writes the placed kernel of each fused instance that has a schedule. The kernel is written as a whole by a
// builder (KernelWriter.h) and not by patterns: the order of its ops is the result, and its ops do not correspond to
// single ops of the body.

#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/Passes.h"
#include "lowering/aicore/place/Placement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace opc::aicore;

namespace opc::aicore {
#define GEN_PASS_DEF_PLACEPASS
#include "lowering/aicore/Passes.h.inc"
} // namespace opc::aicore

namespace {
struct PlacePass : opc::aicore::impl::PlacePassBase<PlacePass> {
  using PlacePassBase::PlacePassBase;
  void runOnOperation() override {
    const opc::Target *chip = targetByName(getOperation(), target);
    if (!chip)
      return signalPassFailure();
    for (func::FuncOp fused : fusedInstancesOf(getOperation())) {
      auto schedule = fused->getAttrOfType<ScheduleAttr>(AICoreDialect::kScheduleAttr);
      if (!schedule) {
        fused.emitError("[place_c4] expects an instance with a schedule (aicore.schedule)");
        return signalPassFailure();
      }
      Placement placement(fused, *chip);
      opc::ElementType expansion =
          schedule.getExpansion() == 16 ? opc::ElementType::Float16 : opc::ElementType::Float32;
      if (failed(placement.read(schedule.getAlias(), expansion)) || failed(placement.write(schedule)))
        return signalPassFailure();
      ++numPlaced;
    }
  }
};
} // namespace

#include "lowering/aicore/verify/Rules.h"

#include "lowering/aicore/Kernels.h"

using namespace mlir;

namespace opc::aicore {

LogicalResult verifyKernelsAt(ModuleOp module, StringRef targetName, Phase phase, bool portable) {
  const Target *named = targetByName(module, targetName);
  if (!named)
    return failure();
  const Target target = portable ? named->portable() : *named;
  using Rules = LogicalResult (*)(func::FuncOp, const Target &);
  static constexpr std::pair<Phase, Rules> rulesByPhase[] = {{Phase::Placed, verifyPlacedRules},
                                                             {Phase::Rotated, verifyRotatedRules},
                                                             {Phase::Planned, verifyPlannedRules},
                                                             {Phase::Synced, verifySyncedRules}};
  bool allWell = true;
  for (func::FuncOp kernel : kernelsOf(module)) {
    std::optional<Phase> reached = phaseOf(kernel);
    if (!reached || *reached < phase) {
      mlir::emitError(kernel.getLoc(), "[placed_c3] expects a kernel to have reached phase '")
          << stringifyPhase(phase) << "'; '@" << kernel.getName() << "' "
          << (reached ? "is at '" + stringifyPhase(*reached).str() + "'" : "says no phase (aicore.phase)");
      allWell = false;
      continue;
    }
    if (*reached > phase)
      continue;
    for (auto [since, rules] : rulesByPhase)
      if (since <= phase && failed(rules(kernel, target))) {
        allWell = false;
        break;
      }
  }
  return success(allWell);
}

} // namespace opc::aicore

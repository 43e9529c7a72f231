#include "lowering/aicore/Kernels.h"

#include "dialect/aicore/index/IndexBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace opc::aicore {

std::optional<Phase> phaseOf(func::FuncOp kernel) {
  auto phase = kernel->getAttrOfType<PhaseAttr>(AICoreDialect::kPhaseAttr);
  if (!phase)
    return std::nullopt;
  return phase.getValue();
}

void setPhase(func::FuncOp kernel, Phase phase) {
  kernel->setAttr(AICoreDialect::kPhaseAttr, PhaseAttr::get(kernel.getContext(), phase));
}

SmallVector<func::FuncOp> kernelsOf(ModuleOp module) {
  SmallVector<func::FuncOp> kernels;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(AICoreDialect::kKernelAttr) && !function.isExternal())
      kernels.push_back(function);
  return kernels;
}

FailureOr<SmallVector<func::FuncOp>> kernelsAt(ModuleOp module, Phase phase) {
  SmallVector<func::FuncOp> kernels;
  for (func::FuncOp kernel : kernelsOf(module)) {
    std::optional<Phase> found = phaseOf(kernel);
    if (!found || *found < phase)
      return kernel.emitOpError("expects phase '")
             << stringifyPhase(phase) << "' here, found "
             << (found ? ("'" + stringifyPhase(*found) + "'").str() : std::string("none"))
             << "; run the passes of the earlier phases first";
    if (*found == phase)
      kernels.push_back(kernel);
  }
  return kernels;
}

const Target *targetByName(ModuleOp module, StringRef name) {
  const Target *target = findTarget(name.str());
  if (!target)
    emitError(module.getLoc()) << "expects a chip that opc knows (" << llvm::join(targetNames(), ", ") << "), found '"
                               << name << "'";
  return target;
}

Value indexConstant(func::FuncOp kernel, int64_t value) {
  return leadingConstant(kernel.getBody().front(), kernel.getLoc(),
                         IntegerAttr::get(IndexType::get(kernel.getContext()), value));
}

} // namespace opc::aicore

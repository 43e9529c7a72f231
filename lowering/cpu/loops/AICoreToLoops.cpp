// Converts the kernels of a module to functions of plain loops.
//
// A kernel reads its tiling data by name; the names and their order are the results of its tiling function. The
// tiling function itself has no CPU form, since it runs as bytecode before a launch. So each kernel is converted
// together with its tiling function, and the tiling functions are removed at the end. This is a walk and not a set of
// conversion patterns: a pipe op becomes a loop whose position follows from program order alone.

#include "lowering/cpu/Passes.h"
#include "lowering/cpu/loops/KernelToLoops.h"

using namespace mlir;
using namespace opc::aicore;

namespace opc::cpu {
#define GEN_PASS_DEF_AICORETOLOOPSPASS
#include "lowering/cpu/Passes.h.inc"

namespace {
struct AICoreToLoopsPass : impl::AICoreToLoopsPassBase<AICoreToLoopsPass> {
  void runOnOperation() override;
};
} // namespace

static FailureOr<SmallVector<StringRef>> tilingFields(func::FuncOp kernel, SymbolTable &symbols) {
  auto name = kernel->getAttrOfType<FlatSymbolRefAttr>(AICoreDialect::kTilingFunctionAttr);
  auto tiling = name ? symbols.lookup<func::FuncOp>(name.getValue()) : func::FuncOp();
  if (!tiling || !tiling->hasAttr(AICoreDialect::kTilingAttr))
    return kernel.emitOpError("[cpu_c1] expects a tiling function in 'aicore.tiling_function', found ")
           << (name ? "'" + name.getValue() + "'" : "none");
  SmallVector<StringRef> fields;
  for (unsigned i = 0; i < tiling.getNumResults(); ++i)
    fields.push_back(tiling.getResultAttrOfType<StringAttr>(i, AICoreDialect::kNameAttr).getValue());
  return fields;
}

void AICoreToLoopsPass::runOnOperation() {
  ModuleOp module = getOperation();
  SymbolTable symbols(module);
  SmallVector<func::FuncOp> kernels, tilings;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function->hasAttr(AICoreDialect::kKernelAttr) && !function.isExternal())
      kernels.push_back(function);
    if (function->hasAttr(AICoreDialect::kTilingAttr))
      tilings.push_back(function);
  }
  for (func::FuncOp kernel : kernels) {
    FailureOr<SmallVector<StringRef>> fields = tilingFields(kernel, symbols);
    if (failed(fields))
      return signalPassFailure();
    if (!kernel.getBody().hasOneBlock()) {
      kernel.emitOpError("[cpu_c2] expects one block with structured control flow");
      return signalPassFailure();
    }
    if (failed(KernelToLoops(kernel, *fields).run()))
      return signalPassFailure();
  }
  for (func::FuncOp tiling : tilings)
    tiling.erase();
}

} // namespace opc::cpu

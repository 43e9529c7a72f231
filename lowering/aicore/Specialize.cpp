// Specialises a kernel for one shape: tiling data that its tiling function returns as constants become constants of
// the kernel.
//
// The tiling function of a static operator knows every size. Reads of two kinds of fields remain: those that depend
// on the launch (how many blocks the device can use), and those that are the divisor of a remainder, since a constant
// divisor would be mistaken for a number of slots. Loop bounds remain computed values. So later phases see the same
// loops as in a dynamic kernel. The pass replaces the reads itself instead of leaving them to folding, because it
// must choose which fields become constants before anything folds. If the proof finds reads of bytes that were
// not written (sync_c3) in kernels with these constants, the compiler leaves the pass out (CompileOperator.cpp).

#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace opc::aicore;

namespace opc::aicore {
#define GEN_PASS_DEF_SPECIALIZEPASS
#include "lowering/aicore/Passes.h.inc"
} // namespace opc::aicore

/// The results of the kernel's tiling function that are constants, by name.
static llvm::StringMap<int64_t> constantFields(func::FuncOp kernel, const SymbolTable &symbols) {
  llvm::StringMap<int64_t> fields;
  auto name = kernel->getAttrOfType<FlatSymbolRefAttr>(AICoreDialect::kTilingFunctionAttr);
  auto tiling = name ? symbols.lookup<func::FuncOp>(name.getValue()) : func::FuncOp();
  if (!tiling || tiling.isDeclaration())
    return fields;
  Operation *results = tiling.getBody().front().getTerminator();
  for (auto [index, value] : llvm::enumerate(results->getOperands())) {
    auto field = tiling.getResultAttrOfType<StringAttr>(index, AICoreDialect::kNameAttr);
    APInt constant;
    if (field && matchPattern(value, m_ConstantInt(&constant)))
      fields[field.getValue()] = constant.getSExtValue();
  }
  return fields;
}

static bool isModulus(TilingDataOp read) {
  return llvm::any_of(read.getValue().getUses(), [](OpOperand &use) {
    return isa<arith::RemSIOp>(use.getOwner()) && use.getOperandNumber() == 1;
  });
}

namespace {
struct SpecializePass : opc::aicore::impl::SpecializePassBase<SpecializePass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    FailureOr<SmallVector<func::FuncOp>> kernels = kernelsAt(getOperation(), Phase::Placed);
    if (failed(kernels))
      return signalPassFailure();
    for (func::FuncOp kernel : *kernels) {
      llvm::StringMap<int64_t> fields = constantFields(kernel, symbols);
      SmallVector<TilingDataOp> reads;
      kernel.walk([&](TilingDataOp read) { reads.push_back(read); });
      for (TilingDataOp read : reads) {
        auto known = fields.find(read.getName());
        if (known == fields.end() || isModulus(read))
          continue;
        read.getValue().replaceAllUsesWith(indexConstant(kernel, known->second));
        read.erase();
        ++numFields;
      }
    }
  }
};
} // namespace

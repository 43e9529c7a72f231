// The invariant of phase `tiled`: see Passes.td. An instance is at this phase once its schedule is chosen; one
// without schedule and needs is still at `fused`.

#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/Passes.h"

#include "dialect/te/TeOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
namespace te = opc::te;

namespace opc::aicore {
#define GEN_PASS_DEF_VERIFYTILEDPASS
#include "lowering/aicore/Passes.h.inc"

/// tiled_c3: the bytes of the tile and its rows, computed from the needs.
static LogicalResult verifyFits(func::FuncOp instance, const Target &target) {
  auto needs = instance->getAttrOfType<NeedsAttr>(AICoreDialect::kNeedsAttr);
  auto schedule = instance->getAttrOfType<ScheduleAttr>(AICoreDialect::kScheduleAttr);
  bool single = schedule.getSlots() == 1;
  const StringRef key = te::TeDialect::shapeKeyOf(instance);
  const int64_t longest = schedule.getTile() / schedule.getRows();
  const bool hasResults = key.starts_with("contraction_long") || (key == "contraction_resident" && longest > 512);
  const bool oneRow = key.ends_with("_long") || hasResults;
  int64_t bits = needs.getTileBits() - (single ? needs.getSecondBits() : 0);
  int64_t rowBytes = needs.getRowBytes() - (single ? needs.getSecondBytes() : 0);
  // Of long rows of a product UB has the results, in four bytes, with a row more, and everything else of one row. The
  // needs count two slots of the results.
  const int64_t elements = hasResults ? longest : schedule.getTile();
  const int64_t results = hasResults ? 4 * (schedule.getTile() + longest) : 0;
  if (hasResults)
    bits -= single ? 32 : 64;
  int64_t bytes =
      results + (elements * bits + 7) / 8 + needs.getFixedBytes() + (oneRow ? 1 : schedule.getRows()) * rowBytes;
  if (bytes <= target.ubBytes())
    return success();
  return instance.emitError("[tiled_c3] expects a tile that fits the ")
         << target.ubBytes() << " bytes of UB on " << target.name() << ", found a schedule that takes " << bytes;
}

/// tiled_c5.
static LogicalResult verifyTilingFunction(func::FuncOp instance, const SymbolTable &symbols) {
  StringAttr name = instance->getAttrOfType<FlatSymbolRefAttr>(AICoreDialect::kTilingFunctionAttr).getAttr();
  auto tiling = symbols.lookup<func::FuncOp>(name);
  if (!tiling || !tiling->hasAttr(AICoreDialect::kTilingAttr))
    return instance.emitError("[tiled_c5] expects a tiling function of the module, found '@") << name.getValue() << "'";
  for (StringRef field : {"block_num", "tiling_key"}) {
    bool has = false;
    for (unsigned i = 0; i < tiling.getNumResults(); ++i) {
      auto result = tiling.getResultAttrOfType<StringAttr>(i, AICoreDialect::kNameAttr);
      has |= result && result.getValue() == field;
    }
    if (!has)
      return instance.emitError("[tiled_c5] expects a tiling function with a result '")
             << field << "', found none in '@" << name.getValue() << "'";
  }
  return success();
}

static LogicalResult verifyTiledRules(func::FuncOp instance, const SymbolTable &symbols, const Target &target) {
  if (!instance->getAttrOfType<NeedsAttr>(AICoreDialect::kNeedsAttr) ||
      !instance->getAttrOfType<ScheduleAttr>(AICoreDialect::kScheduleAttr) ||
      !instance->getAttrOfType<IntegerAttr>(AICoreDialect::kTilingKeyAttr) ||
      !instance->getAttrOfType<FlatSymbolRefAttr>(AICoreDialect::kTilingFunctionAttr))
    return instance.emitError("[tiled_c4] expects an instance to have needs, a schedule, a tiling "
                              "key and a tiling function");
  return success(succeeded(verifyFits(instance, target)) && succeeded(verifyTilingFunction(instance, symbols)));
}

namespace {
struct VerifyTiledPass : impl::VerifyTiledPassBase<VerifyTiledPass> {
  using VerifyTiledPassBase::VerifyTiledPassBase;
  void runOnOperation() override {
    const Target *chip = targetByName(getOperation(), target);
    if (!chip)
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    // The nests of a launch share one key.
    llvm::SmallDenseMap<std::pair<int64_t, int64_t>, func::FuncOp> keys;
    for (auto instance : getOperation().getOps<func::FuncOp>()) {
      if (!instance->hasAttr(te::TeDialect::kKernelAttr) ||
          (!instance->hasAttr(AICoreDialect::kNeedsAttr) && !instance->hasAttr(AICoreDialect::kScheduleAttr)))
        continue;
      if (failed(verifyTiledRules(instance, symbols, *chip)))
        return signalPassFailure();
      int64_t number = instance->getAttrOfType<IntegerAttr>(AICoreDialect::kTilingKeyAttr).getInt();
      auto nest = instance->getAttrOfType<IntegerAttr>(te::TeDialect::kNestAttr);
      auto [other, added] = keys.try_emplace({number, nest ? nest.getInt() : -1}, instance);
      if (added)
        continue;
      InFlightDiagnostic diagnostic = instance.emitError("[tiled_c6] expects tiling keys that differ, found ")
                                      << number << " again";
      diagnostic.attachNote(other->second.getLoc()) << "'@" << other->second.getName() << "' has it too";
      return signalPassFailure();
    }
  }
};
} // namespace

} // namespace opc::aicore

// cpu-schedule: makes the tiling functions with which the CPU divides launches. The pass is written by hand because
// order matters: a tiling function serves all instances of a type row, so they are collected first.

#include "lowering/schedule/ContractOption.h"
#include "lowering/schedule/CpuPolicy.h"
#include "lowering/schedule/Passes.h"

#include "dialect/aicore/AICoreDialect.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using opc::aicore::AICoreDialect;

namespace opc {
#define GEN_PASS_DEF_CPUSCHEDULEPASS
#include "lowering/schedule/Passes.h.inc"

namespace {

struct CpuSchedulePass : impl::CpuSchedulePassBase<CpuSchedulePass> {
  using CpuSchedulePassBase::CpuSchedulePassBase;
  CpuSchedulePass(const Contract &read, const StaticShapes &given) : known(&read), shapes(given) {
    contract = read.path;
  }

  void runOnOperation() override {
    std::optional<Contract> read;
    if (!known) {
      read = readContractOption(getOperation(), contract, getArgument());
      if (!read)
        return signalPassFailure();
    }
    if (failed(schedule(known ? *known : *read)))
      signalPassFailure();
  }

private:
  LogicalResult schedule(const Contract &of);
  LogicalResult scheduleRow(const Contract &of, ArrayRef<ShapeKey> keys, unsigned row,
                            llvm::StringMap<func::FuncOp> &instances);

  const Contract *known = nullptr;
  StaticShapes shapes;
};

} // namespace

LogicalResult CpuSchedulePass::schedule(const Contract &of) {
  llvm::MapVector<unsigned, llvm::StringMap<func::FuncOp>> rows;
  for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
    auto row = function->getAttrOfType<IntegerAttr>(te::TeDialect::kTypeRowAttr);
    auto key = function->getAttrOfType<StringAttr>(te::TeDialect::kShapeKeyAttr);
    if (!row || !key)
      continue;
    // The CPU needs no separate kernels for panels, for long or strided rows and for wide windows.
    if (key.getValue().starts_with("resident") ||
        (key.getValue().starts_with("contraction_") && key != "contraction") ||
        te::TeDialect::shapeKeyOf(function) == "rows_strided" ||
        (function->hasAttr(te::TeDialect::kNestAttr) && te::TeDialect::shapeKeyOf(function) == "rows_long"))
      function.erase();
    else
      rows[row.getInt()][key.getValue()] = function;
  }
  std::vector<ShapeKey> keys = shapeKeys(of);
  llvm::erase_if(keys, [](const ShapeKey &key) { return key.isOfAicore(); });
  for (auto &[row, instances] : rows)
    if (failed(scheduleRow(of, keys, row, instances)))
      return failure();
  return success();
}

LogicalResult CpuSchedulePass::scheduleRow(const Contract &of, ArrayRef<ShapeKey> keys, unsigned row,
                                           llvm::StringMap<func::FuncOp> &instances) {
  ModuleOp module = getOperation();
  if (row >= of.typeRows())
    return emitError(module.getLoc()) << "[cpu_tiling_c1] expects instances of the contract's type rows, found row "
                                      << row;
  CpuPolicy policy;
  func::FuncOp tiling =
      buildTilingFunction(module, module.getLoc(), of.kernelName(row) + "_cpu_tiling", of, keys, row, policy, shapes);
  std::optional<int64_t> taken = shapes.empty() ? std::nullopt : constantResult(tiling, kTilingKeyField);
  Builder builder(&getContext());
  for (const ShapeKey &key : keys) {
    func::FuncOp instance = instances.lookup(key.name);
    bool isTaken = !taken || int64_t(key.tilingKey(row)) == *taken;
    if (!instance && isTaken)
      return emitError(module.getLoc()) << "[cpu_tiling_c1] expects an instance for each shape key, found none for '"
                                        << key.name << "' of the type row '" << of.typeRowName(row) << "'";
    if (!isTaken) {
      if (instance)
        instance.erase();
      continue;
    }
    instance->setAttr(AICoreDialect::kTilingKeyAttr, builder.getI64IntegerAttr(key.tilingKey(row)));
    instance->setAttr(AICoreDialect::kTilingFunctionAttr, FlatSymbolRefAttr::get(tiling));
  }
  return success();
}

std::unique_ptr<Pass> createCpuSchedulePass(const Contract &contract, const StaticShapes &shapes) {
  return std::make_unique<CpuSchedulePass>(contract, shapes);
}

} // namespace opc

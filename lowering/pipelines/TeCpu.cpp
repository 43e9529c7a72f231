// How the CPU divides work. A block is a run of items (lowering/cpu/vector/Frame.h): elements,
// rows, elements that are kept. Blocks are large enough that handing them out costs little, and
// their number does not depend on threads, so neither does any result.
//
//   block_length   items of a block
//   block_num      blocks, at most what the device takes
//
// A row never splits: its sum is added up in one order.

#include "lowering/pipelines/TeCpu.h"

#include "dialect/aicore/AICoreDialect.h"
#include "lowering/emit/tiling/TilingBytecode.h"
#include "lowering/schedule/TilingFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace opc {

namespace {

// Elements that are worth a block of their own: 10 to 30 microseconds of one thread.
constexpr int64_t kElementsOfBlock = 32768;
// Blocks of elements begin at multiples of this: aligned where their tensors are.
constexpr int64_t kElementUnit = 1024;
// Columns that are worth a visit to every row.
constexpr int64_t kColumnUnit = 512;

class CpuPolicy : public TilingPolicy {
public:
  std::optional<int64_t> longestRow(const ShapeKey &) override { return std::nullopt; }
  std::vector<PolicyField> fields(TilingMath &math, const ShapeKey &key, const LaunchSizes &sizes) override;
};

bool isItem(const ShapeKey &key, unsigned loop) {
  if (key.kind == ShapeKey::Rows)
    return loop == 0;
  return !key.reduced[loop];
}

} // namespace

std::vector<PolicyField> CpuPolicy::fields(TilingMath &math, const ShapeKey &key, const LaunchSizes &sizes) {
  Value items = math.mul(sizes.batch0, sizes.batch1), each = math.constant(1);
  for (unsigned loop = 0; loop < key.loops; ++loop)
    (isItem(key, loop) ? items : each) = math.mul(isItem(key, loop) ? items : each, sizes.size[loop]);
  int64_t unit = 1;
  if (key.kind == ShapeKey::Flat || key.kind == ShapeKey::Grid)
    unit = kElementUnit;
  if (key.kind == ShapeKey::ReduceColumns)
    unit = kColumnUnit;
  Value one = math.constant(1);
  Value worthwhile = math.ceilDiv(math.constant(kElementsOfBlock), math.max(each, one));
  Value share = math.ceilDiv(items, math.max(sizes.maxBlocks, one));
  Value length = math.max(math.roundUp(math.max(share, worthwhile), unit), one);
  Value blocks = math.max(math.ceilDiv(items, length), one);
  return {{"block_num", blocks}, {"block_length", length}};
}

std::optional<std::vector<uint8_t>> tilingCode(func::FuncOp tiling, const Contract &contract, unsigned row) {
  KernelInterface interface;
  interface.name = tiling.getName().str();
  interface.tiling = tiling;
  for (const auto *tensors : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *tensors)
      interface.tensors.push_back({tensor.name, tensor.types[row]});
  for (unsigned i = 0; i < tiling.getNumResults(); ++i) {
    auto name = tiling.getResultAttrOfType<StringAttr>(i, aicore::AICoreDialect::kNameAttr);
    interface.fields.push_back({name.getValue().str(), TilingField::UInt64});
  }
  FailureOr<TilingFunction> function = emitTilingBytecode(interface);
  if (failed(function))
    return std::nullopt;
  return writeTiling(*function);
}

std::optional<CpuLibraryRequest> teCpuRequest(ModuleOp fused, const Contract &contract, const StaticShapes &shapes,
                                              const std::vector<unsigned> &typeRows, Diagnostics &diagnostics) {
  fused.getContext()->loadDialect<aicore::AICoreDialect, arith::ArithDialect>();
  CpuLibraryRequest request;
  request.opType = contract.opType;
  for (const auto *tensors : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *tensors)
      request.tensorNames.push_back(tensor.name);
  std::vector<ShapeKey> keys = shapeKeys(contract);
  SymbolTable symbols(fused);
  for (unsigned row : typeRows) {
    CpuPolicy policy;
    func::FuncOp tiling = buildTilingFunction(fused, fused.getLoc(), contract.kernelName(row) + "_cpu_tiling", contract,
                                              keys, row, policy, shapes);
    std::optional<int64_t> taken = shapes.empty() ? std::nullopt : constantResult(tiling, kTilingKeyField);
    std::optional<std::vector<uint8_t>> code = tilingCode(tiling, contract, row);
    if (!code)
      return std::nullopt;
    for (const ShapeKey &key : keys) {
      if (taken && int64_t(key.tilingKey(row)) != *taken)
        continue;
      std::string name = contract.kernelName(row) + "_" + key.name;
      if (!symbols.lookup(name)) {
        diagnostics.error(Code::E0371, {}, "expects a kernel for each shape key, found none named '" + name + "'");
        return std::nullopt;
      }
      request.kernels.push_back({name, key.tilingKey(row), *code});
    }
  }
  return request;
}

} // namespace opc

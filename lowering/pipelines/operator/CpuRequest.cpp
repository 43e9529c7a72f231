#include "lowering/pipelines/operator/CpuRequest.h"

#include "dialect/aicore/AICoreDialect.h"
#include "dialect/te/TeDialect.h"
#include "lowering/emit/tiling/TilingBytecode.h"
#include "ops/contract/domain/Reductions.h"
#include "ops/contract/domain/ShapeKeys.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using opc::aicore::AICoreDialect;

namespace opc {

std::optional<std::vector<uint8_t>> tilingCode(func::FuncOp tiling, const Contract &contract, unsigned row) {
  KernelInterface interface;
  interface.name = tiling.getName().str();
  interface.tiling = tiling;
  for (const auto *tensors : {&contract.inputs, &contract.outputs, &contract.workspace})
    for (const ContractTensor &tensor : *tensors)
      interface.tensors.push_back({tensor.name, tensor.types[row]});
  for (unsigned i = 0; i < tiling.getNumResults(); ++i) {
    auto name = tiling.getResultAttrOfType<StringAttr>(i, AICoreDialect::kNameAttr);
    interface.fields.push_back({name.getValue().str(), TilingField::UInt64});
  }
  FailureOr<TilingFunction> function = emitTilingBytecode(interface);
  if (failed(function))
    return std::nullopt;
  return writeTiling(*function);
}

bool multipliesBytes(ModuleOp kernels) {
  auto isOfBytes = [](linalg::GenericOp op) {
    return op.getNumReductionLoops() > 0 && op.getNumDpsInputs() == 2 &&
           llvm::all_of(op.getInputs(), [](Value input) { return getElementTypeOrSelf(input.getType()).isInteger(8); });
  };
  return kernels
      .walk([&](linalg::GenericOp op) { return isOfBytes(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

std::optional<CpuLibraryRequest> teCpuRequest(ModuleOp kernels, const Contract &contract) {
  CpuLibraryRequest request;
  request.opType = contract.opType;
  for (const auto *tensors : {&contract.inputs, &contract.outputs, &contract.workspace})
    for (const ContractTensor &tensor : *tensors)
      request.tensorNames.push_back(tensor.name);
  SymbolTable symbols(kernels);
  llvm::DenseMap<Operation *, std::vector<uint8_t>> codes; // the kernels of a type row share a tiling function
  for (auto kernel : kernels.getOps<func::FuncOp>()) {
    auto name = kernel->getAttrOfType<FlatSymbolRefAttr>(AICoreDialect::kTilingFunctionAttr);
    auto key = kernel->getAttrOfType<IntegerAttr>(AICoreDialect::kTilingKeyAttr);
    if (!name || !key)
      continue;
    auto number = static_cast<uint64_t>(key.getInt());
    auto tiling = symbols.lookup<func::FuncOp>(name.getValue());
    auto [entry, isNew] = codes.try_emplace(tiling);
    if (isNew) {
      std::optional<std::vector<uint8_t>> code = tilingCode(tiling, contract, unsigned(number / kMaxShapeKeys));
      if (!code)
        return std::nullopt;
      entry->second = std::move(*code);
    }
    // The nests of a launch follow each other, from number 0 on.
    auto nest = kernel->getAttrOfType<IntegerAttr>(te::TeDialect::kNestAttr);
    std::string symbol = kernel.getName().str();
    if (nest && nest.getInt() > 0 && !request.kernels.empty()) {
      request.kernels.back().nests.push_back(symbol);
      continue;
    }
    request.kernels.push_back({symbol, number, entry->second});
    if (nest) {
      request.kernels.back().nests = {symbol};
      request.kernels.back().inOrder = readsResults(contract);
      request.kernels.back().name = llvm::StringRef(symbol).take_front(symbol.rfind("_n0")).str();
    }
  }
  return request;
}

} // namespace opc

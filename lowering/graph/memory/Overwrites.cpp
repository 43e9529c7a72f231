#include "lowering/graph/memory/Overwrites.h"

#include "ops/contract/domain/ShapeKeys.h"

namespace opc::graph {

bool mayOverwrite(InstanceOp instance, const onnx::ContractSet &contracts) {
  const Contract *contract = contracts.find(instance.getSource());
  return contract && mayOverwriteInputs(*contract);
}

mlir::LogicalResult readContracts(mlir::ArrayRef<std::string> folders, mlir::ModuleOp module,
                                  onnx::ContractSet &contracts) {
  Diagnostics diagnostics;
  for (const std::string &folder : folders)
    if (!contracts.addFolder(folder, /*ofUser=*/true, diagnostics))
      return module.emitError() << diagnostics.all().back().message;
  return mlir::success();
}

} // namespace opc::graph

// Steps that write their result over an operand.

#ifndef OPC_LOWERING_GRAPH_MEMORY_OVERWRITES_H
#define OPC_LOWERING_GRAPH_MEMORY_OVERWRITES_H

#include "dialect/graph/GraphOps.h"
#include "ops/onnx/coverage/ContractSet.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>
#include <string>

namespace opc::graph {

/// Whether the kernel of an instance may write its result over an operand that has as many elements of the same size.
bool mayOverwrite(InstanceOp instance, const onnx::ContractSet &contracts);

/// Reads the contracts in folders; fails after an error at the module.
mlir::LogicalResult readContracts(mlir::ArrayRef<std::string> folders, mlir::ModuleOp module,
                                  onnx::ContractSet &contracts);

/// --graph-place and --graph-verify-placed (Passes.td). `contracts` must outlive the passes.
std::unique_ptr<mlir::Pass> createPlacePass(const onnx::ContractSet &contracts);
std::unique_ptr<mlir::Pass> createVerifyPlacedPass(const onnx::ContractSet &contracts);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_MEMORY_OVERWRITES_H

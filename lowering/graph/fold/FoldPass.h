// From legal to folded, with the contracts that a caller has read and a way to run kernels.

#ifndef OPC_LOWERING_GRAPH_FOLD_FOLDPASS_H
#define OPC_LOWERING_GRAPH_FOLD_FOLDPASS_H

#include "dialect/graph/GraphOps.h"
#include "lowering/graph/fold/FoldReport.h"
#include "ops/onnx/coverage/ContractSet.h"

#include "mlir/Pass/Pass.h"

#include <functional>
#include <memory>
#include <optional>

namespace opc::graph {

/// Runs the kernel of an instance whose operands are constants or absent: the bytes of each result, as the runtime
/// stores them. nullopt: it cannot be run now, and stays a step.
using RunInstance = std::function<std::optional<std::vector<std::string>>(InstanceOp instance)>;

/// --graph-fold (Passes.td). `contracts` and `report` must outlive the pass; without `run` constants are not computed.
std::unique_ptr<mlir::Pass> createFoldPass(const onnx::ContractSet &contracts, RunInstance run, FoldReport *report);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_FOLD_FOLDPASS_H

// From legal to folded, with the contracts that a caller has read and a way to run kernels.

#ifndef OPC_LOWERING_GRAPH_FOLD_FOLDPASS_H
#define OPC_LOWERING_GRAPH_FOLD_FOLDPASS_H

#include "lowering/graph/Instances.h"
#include "lowering/graph/fold/FoldReport.h"
#include "ops/onnx/coverage/ContractSet.h"

#include "mlir/Pass/Pass.h"

#include <memory>

namespace opc::graph {

/// --graph-fold (Passes.td). `contracts` and `report` must outlive the pass; without `run` constants are not computed.
std::unique_ptr<mlir::Pass> createFoldPass(const onnx::ContractSet &contracts, RunInstance run, FoldReport *report);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_FOLD_FOLDPASS_H

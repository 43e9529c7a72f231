// From imported to legal, with the contracts that a caller has read.

#ifndef OPC_LOWERING_GRAPH_LEGALIZE_H
#define OPC_LOWERING_GRAPH_LEGALIZE_H

#include "lowering/graph/Instances.h"
#include "ops/onnx/coverage/Coverage.h"

#include "mlir/Pass/Pass.h"

#include <memory>

namespace opc::graph {

/// --graph-legalize (Passes.td). `forms` must outlive the pass. With `run` small constants are computed by kernels:
/// shapes may depend on them.
std::unique_ptr<mlir::Pass> createLegalizePass(const onnx::FormIndex &forms, RunInstance run);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_LEGALIZE_H

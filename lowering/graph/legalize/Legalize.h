// From imported to legal, with the contracts that a caller has read.

#ifndef OPC_LOWERING_GRAPH_LEGALIZE_LEGALIZE_H
#define OPC_LOWERING_GRAPH_LEGALIZE_LEGALIZE_H

#include "lowering/graph/Instances.h"
#include "ops/onnx/coverage/Coverage.h"

#include "mlir/Pass/Pass.h"

#include "lowering/graph/legalize/LegalReport.h"

#include <memory>

namespace opc::graph {

/// --graph-legalize (Passes.td). `forms` must outlive the pass. With `run`, kernels compute small constants, since
/// shapes may depend on them. `report` receives the result for each node, also if the model cannot be legalised.
std::unique_ptr<mlir::Pass> createLegalizePass(const onnx::FormIndex &forms, RunInstance run,
                                               LegalReport *report = nullptr);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_LEGALIZE_LEGALIZE_H

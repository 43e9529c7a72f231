// Rules that verifiers of several phases hold a model to.

#ifndef OPC_LOWERING_GRAPH_VERIFY_H
#define OPC_LOWERING_GRAPH_VERIFY_H

#include "dialect/graph/GraphOps.h"

namespace opc::graph {

/// The rules legal_c1 to legal_c3, whatever the phase of the model.
mlir::LogicalResult verifyLegal(ModelOp model);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_VERIFY_H

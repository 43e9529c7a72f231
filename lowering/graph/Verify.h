// Rules that verifiers of several phases share.

#ifndef OPC_LOWERING_GRAPH_VERIFY_H
#define OPC_LOWERING_GRAPH_VERIFY_H

#include "dialect/graph/GraphOps.h"

namespace opc::graph {

/// Checks the rules legal_c1 to legal_c4, for a model of any phase.
mlir::LogicalResult verifyLegal(ModelOp model);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_VERIFY_H

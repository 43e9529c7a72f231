// The value of a node that computes shapes, where its operands are known: what exporters write to find sizes while the
// model runs (Shape, Gather, Concat, Slice, ...), over integers and truth values of up to 4096 elements.
//
// It is no second meaning of the operators that have kernels: it serves integers that decide shapes, before there are
// kernels to run; larger constants and floats are computed by kernels.

#ifndef OPC_LOWERING_GRAPH_LEGALIZE_SHAPEARITHMETIC_H
#define OPC_LOWERING_GRAPH_LEGALIZE_SHAPEARITHMETIC_H

#include "dialect/graph/GraphOps.h"

namespace opc::graph {

/// The value of the only result of a node; null when it is not known, or too large.
mlir::ElementsAttr evaluateShapes(NodeOp node);

/// Whether a node's operator is one of those that evaluateShapes knows.
bool mayComputeShapes(NodeOp node);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_LEGALIZE_SHAPEARITHMETIC_H

// Evaluates nodes that compute shapes and have known operands: the nodes with which exporters compute sizes at run time
// (Shape, Gather, Concat, Slice, ...), over integers and truth values of up to 4096 elements.
//
// It does not define operators a second time: it only handles integers that decide shapes, before there are kernels to
// run; kernels compute larger constants and floats.

#ifndef OPC_LOWERING_GRAPH_LEGALIZE_SHAPEARITHMETIC_H
#define OPC_LOWERING_GRAPH_LEGALIZE_SHAPEARITHMETIC_H

#include "dialect/graph/GraphOps.h"

namespace opc::graph {

/// The value of the only result of a node; null when it is not known, or too large.
mlir::ElementsAttr evaluateShapes(NodeOp node);

/// Whether evaluateShapes supports a node's operator.
bool mayComputeShapes(NodeOp node);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_LEGALIZE_SHAPEARITHMETIC_H

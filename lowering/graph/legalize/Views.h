// Nodes that change the shape of a value but no byte: their results, once shapes are known.

#ifndef OPC_LOWERING_GRAPH_LEGALIZE_VIEWS_H
#define OPC_LOWERING_GRAPH_LEGALIZE_VIEWS_H

#include "dialect/graph/GraphOps.h"

#include <optional>
#include <string>

namespace opc::graph {

/// Whether a node's operator is one of Reshape, Flatten, Squeeze, Unsqueeze, Identity, Dropout, in ONNX's own domain.
bool isView(NodeOp node);

/// The shape of a view's result. nullopt with a reason when it is not known ("its shape is no constant"), or when the
/// node breaks its operator's rules ("24 elements do not fill [5, -1]").
std::optional<llvm::SmallVector<int64_t>> viewShape(NodeOp node, std::string &reason);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_LEGALIZE_VIEWS_H

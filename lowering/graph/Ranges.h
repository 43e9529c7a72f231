// Nodes that only rearrange ranges: a part of a value that is one range of it, and values one after another. They need
// no kernel, for any type.

#ifndef OPC_LOWERING_GRAPH_RANGES_H
#define OPC_LOWERING_GRAPH_RANGES_H

#include "dialect/graph/GraphOps.h"

#include "mlir/IR/Builders.h"

namespace opc::graph {

/// The results of a Slice, Split or Gather whose results are ranges of its operand, or of a Concat along the first
/// dimension that is not 1: creates parts, joins and views at the builder's insertion point. Returns false, and creates
/// nothing, for other nodes and if sizes, axes or indices are not known.
bool rangesOf(NodeOp node, mlir::OpBuilder &builder, mlir::SmallVectorImpl<mlir::Value> &results);

/// Whether an op is a part or a join of constants.
bool isRangeOfConstants(mlir::Operation *op);
/// Replaces a part or join of constants by a constant, and erases it.
mlir::Value replaceRange(mlir::OpBuilder &builder, mlir::Operation *op);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_RANGES_H

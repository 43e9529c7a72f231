// Nodes that only say which elements lie where: parts of a value that are one range of it, and values one after
// another. They need no kernel, whatever their type.

#ifndef OPC_LOWERING_GRAPH_RANGES_H
#define OPC_LOWERING_GRAPH_RANGES_H

#include "dialect/graph/GraphOps.h"

#include "mlir/IR/Builders.h"

namespace opc::graph {

/// The results of a Slice, Split or Gather whose results are ranges of its operand, or of a Concat along the first
/// dimension that is not 1: parts, joins and views, before the builder's place. False, and nothing is made, for other
/// nodes and where sizes, axes or indices are not known.
bool rangesOf(NodeOp node, mlir::OpBuilder &builder, mlir::SmallVectorImpl<mlir::Value> &results);

/// Whether an op is a part or a join of constants.
bool isRangeOfConstants(mlir::Operation *op);
/// Puts a constant in the place of a part or join of constants, and erases it.
mlir::Value replaceRange(mlir::OpBuilder &builder, mlir::Operation *op);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_RANGES_H

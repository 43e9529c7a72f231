// Values of placed models and their memory.

#ifndef OPC_LOWERING_GRAPH_MEMORY_H
#define OPC_LOWERING_GRAPH_MEMORY_H

#include "dialect/graph/GraphOps.h"

#include <utility>

namespace opc::graph {

/// The value whose bytes a value has: itself, or what a chain of views begins with.
mlir::Value rootOf(mlir::Value value);
/// The value among whose bytes those of a value are, and at which byte they begin: itself, or what a chain of views and
/// parts begins with.
std::pair<mlir::Value, int64_t> wholeOf(mlir::Value value);
/// Bytes of a value of phase legal or later; truth values take a byte.
int64_t bytesOf(mlir::Value value);
/// The number of rows of a value that has room for the most there can be; null for values that have all their rows.
mlir::Value countOf(mlir::Value value);
/// Where a value of a placed model is; null when it has no place.
PlaceAttr placeOf(mlir::Value value);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_MEMORY_H

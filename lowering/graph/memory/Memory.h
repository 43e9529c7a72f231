// Values of placed models and their memory.

#ifndef OPC_LOWERING_GRAPH_MEMORY_MEMORY_H
#define OPC_LOWERING_GRAPH_MEMORY_MEMORY_H

#include "dialect/graph/GraphOps.h"

#include <utility>

namespace opc::graph {

/// The value whose bytes a value has: itself, or the start of a chain of views.
mlir::Value rootOf(mlir::Value value);
/// The value that contains the bytes of a value, and their offset in it: itself, or the start of a chain of views
/// and parts.
std::pair<mlir::Value, int64_t> wholeOf(mlir::Value value);
/// Bytes of a value of phase legal or later; truth values take a byte.
int64_t bytesOf(mlir::Value value);
/// The number of rows of a value with a data-dependent number of rows; null for other values.
mlir::Value countOf(mlir::Value value);
/// The place of a value of a placed model; null if it has none.
PlaceAttr placeOf(mlir::Value value);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_MEMORY_MEMORY_H

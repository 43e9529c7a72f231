// Values whose number of rows depends on data, and nodes that read them.
//
// Such a value has its maximum size in memory; a count beside it says how many rows are meant, and the others hold
// anything. A node may read it if each row of its result follows from the same row, so that the other rows harm nobody:
//
//   kept [20, 3], 7 of them    ->  Gather(kept, 2, axis=1) [20], 7 of them  ->  Gather(boxes, .) [20, 4], 7 of them
//
// A sum over rows, their order, or their number as a value would need the count inside of a kernel: it is refused.

#ifndef OPC_LOWERING_GRAPH_LEGALIZE_COUNTEDROWS_H
#define OPC_LOWERING_GRAPH_LEGALIZE_COUNTEDROWS_H

#include "dialect/graph/GraphOps.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <string>

namespace opc::graph {

/// The rows of a value: how many there are, as a tensor of one int64, and the dimension along which they lie.
struct Rows {
  mlir::Value count;
  size_t dimension = 0;
};

/// The rows of values, by value.
using RowsOfValues = llvm::DenseMap<mlir::Value, Rows>;

/// The rows of all results of a node that reads counted rows. nullopt with a reason ("it adds rows up") if its results
/// do not follow row by row, or not in a way that is known here. `isPart`: decompose() wrote the node for one that was
/// accepted, with the maximum size where it means the rows.
std::optional<Rows> rowsOfResults(NodeOp node, const RowsOfValues &known, bool isPart, std::string &reason);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_LEGALIZE_COUNTEDROWS_H

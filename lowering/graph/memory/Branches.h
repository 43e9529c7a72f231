// Turns choices into branches: steps that only one of two values needs run only if it is chosen.

#ifndef OPC_LOWERING_GRAPH_MEMORY_BRANCHES_H
#define OPC_LOWERING_GRAPH_MEMORY_BRANCHES_H

#include "dialect/graph/GraphOps.h"

namespace opc::graph {

/// The maximum nesting of branches; deeper steps always run.
inline constexpr unsigned kMostNestedBranches = 16;

/// Makes a `graph.branch` of each `graph.choose` of a folded model. Steps that only values of one list need, directly
/// or through each other, move into its region; constants stay outside.
void makeBranches(ModelOp model);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_MEMORY_BRANCHES_H

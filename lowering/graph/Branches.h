// From choices to branches: the steps that one of two values alone needs run when it is chosen.

#ifndef OPC_LOWERING_GRAPH_BRANCHES_H
#define OPC_LOWERING_GRAPH_BRANCHES_H

#include "dialect/graph/GraphOps.h"

namespace opc::graph {

/// Branches in one another; deeper ones run whether they are wanted or not.
inline constexpr unsigned kMostNestedBranches = 16;

/// Makes a `graph.branch` of each `graph.choose` of a folded model. What only values of one list read, directly or
/// through each other, moves into its region; constants stay outside.
void makeBranches(ModelOp model);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_BRANCHES_H

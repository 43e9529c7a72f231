// Positions of the nodes of a graph: layers from top to bottom, each node below those whose values it reads.

#ifndef OPC_TOOLS_OPC_MODEL_GRAPHLAYOUT_H
#define OPC_TOOLS_OPC_MODEL_GRAPHLAYOUT_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace opc::tool {

struct GraphLayout {
  /// For each node: its layer, from 0 on, and its position from left to right in units of a node's width; nodes of a
  /// layer are at least 1 apart.
  std::vector<size_t> layers;
  std::vector<double> places;
  size_t depth = 0; ///< number of layers
  double left = 0, right = 0;
};

/// `edges` lead from a node to a later one. Layers are longest paths from the start, except that a node without a
/// writer is directly above its first reader. Positions are averages of neighbours, computed in a few passes.
GraphLayout layoutGraph(size_t nodes, const std::vector<std::pair<size_t, size_t>> &edges);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_MODEL_GRAPHLAYOUT_H

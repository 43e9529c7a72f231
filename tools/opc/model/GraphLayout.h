// Places for the nodes of a graph: layers from top to bottom, each node below those whose values it reads.

#ifndef OPC_TOOLS_OPC_MODEL_GRAPHLAYOUT_H
#define OPC_TOOLS_OPC_MODEL_GRAPHLAYOUT_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace opc::tool {

struct GraphLayout {
  /// Of each node: its layer, from 0 on, and its place from left to right in units of a node's width; no two nodes of a
  /// layer are nearer than 1.
  std::vector<size_t> layers;
  std::vector<double> places;
  size_t depth = 0; ///< number of layers
  double left = 0, right = 0;
};

/// `edges` lead from a node to a later one. Layers are longest paths from the start, except that a node without a
/// writer stands right above its first reader. Places are averages of neighbours, in a few sweeps.
GraphLayout layoutGraph(size_t nodes, const std::vector<std::pair<size_t, size_t>> &edges);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_MODEL_GRAPHLAYOUT_H

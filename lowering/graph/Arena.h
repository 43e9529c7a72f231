// The problem of an arena: values that are alive for some steps each, one range of bytes for each, and no two that are
// alive together in one place.

#ifndef OPC_LOWERING_GRAPH_ARENA_H
#define OPC_LOWERING_GRAPH_ARENA_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace opc::graph {

struct ArenaValue {
  size_t first = 0, last = 0; ///< steps, both within its life
  int64_t bytes = 0;
  int64_t offset = 0; ///< the solution
};

/// Gives each value an offset, a multiple of `alignment`; returns the bytes of the arena. Large values first, each at
/// the lowest place that is free for its whole life; where that is above the lower bound, other orders are tried, each
/// of which lets the value that ended highest choose first (docs/rationale/graph.md).
int64_t placeInArena(std::vector<ArenaValue> &values, int64_t alignment);

/// The most bytes that are alive in one step, sizes rounded up to the alignment: no arena is smaller.
int64_t arenaLowerBound(const std::vector<ArenaValue> &values, int64_t alignment);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_ARENA_H

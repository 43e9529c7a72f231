// The allocation problem of an arena: each value has a live range in steps and needs a range of bytes, and values with
// overlapping live ranges must not share bytes.

#ifndef OPC_LOWERING_GRAPH_MEMORY_ARENA_H
#define OPC_LOWERING_GRAPH_MEMORY_ARENA_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace opc::graph {

struct ArenaValue {
  size_t first = 0, last = 0; ///< steps, both within its live range
  int64_t bytes = 0;
  int64_t offset = 0; ///< the solution
};

/// Gives each value an offset, a multiple of `alignment`; returns the bytes of the arena. Large values come first, each
/// at the lowest offset that is free for its whole live range; if the result exceeds the lower bound, other orders are
/// tried, each of which moves the value with the highest end to the front (docs/rationale/graph.md).
int64_t placeInArena(std::vector<ArenaValue> &values, int64_t alignment);

/// The maximum of live bytes in one step, with sizes rounded up to the alignment: no arena is smaller.
int64_t arenaLowerBound(const std::vector<ArenaValue> &values, int64_t alignment);

} // namespace opc::graph

#endif // OPC_LOWERING_GRAPH_MEMORY_ARENA_H

#include "lowering/graph/Arena.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace opc::graph;

static int64_t roundUp(int64_t bytes, int64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

int64_t opc::graph::placeInArena(std::vector<ArenaValue> &values, int64_t alignment) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t(0));
  // Equal sizes in the order of the model: the same plan on any machine.
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a].bytes > values[b].bytes; });
  std::vector<size_t> placed; // by offset
  int64_t whole = 0;
  for (size_t index : order) {
    ArenaValue &value = values[index];
    int64_t bytes = roundUp(value.bytes, alignment), at = 0;
    for (size_t other : placed) {
      const ArenaValue &there = values[other];
      if (there.last < value.first || value.last < there.first)
        continue;
      if (there.offset >= at + bytes)
        break;
      at = std::max(at, there.offset + roundUp(there.bytes, alignment));
    }
    value.offset = at;
    whole = std::max(whole, at + bytes);
    placed.insert(std::upper_bound(placed.begin(), placed.end(), at,
                                   [&](int64_t offset, size_t other) { return offset < values[other].offset; }),
                  index);
  }
  return whole;
}

int64_t opc::graph::arenaLowerBound(const std::vector<ArenaValue> &values, int64_t alignment) {
  std::map<size_t, int64_t> changes; // of the bytes that are alive, by step
  for (const ArenaValue &value : values) {
    changes[value.first] += roundUp(value.bytes, alignment);
    changes[value.last + 1] -= roundUp(value.bytes, alignment);
  }
  int64_t alive = 0, most = 0;
  for (auto [step, change] : changes)
    most = std::max(most, alive += change);
  return most;
}

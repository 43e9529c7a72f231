#include "lowering/graph/memory/Arena.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace opc::graph;

/// Maximum number of tried orders of the values, and of compared pairs of values in all of them.
static constexpr size_t kMostOrders = 1000, kMostPairs = 200000000;

static int64_t roundUp(int64_t bytes, int64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// Places values one by one, each at the lowest offset that is free for its whole live range. Returns the bytes of
/// the arena.
static int64_t placeInOrder(std::vector<ArenaValue> &values, const std::vector<size_t> &order, int64_t alignment) {
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

int64_t opc::graph::placeInArena(std::vector<ArenaValue> &values, int64_t alignment) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t(0));
  // Equal sizes in the order of the model: the same plan on any machine.
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a].bytes > values[b].bytes; });
  int64_t whole = placeInOrder(values, order, alignment);
  const int64_t bound = arenaLowerBound(values, alignment);
  std::vector<ArenaValue> tried = values;
  for (size_t left = values.empty() ? 0 : std::min(kMostOrders, kMostPairs / values.size() / values.size());
       whole > bound && left > 0; --left) {
    // The value that ends highest found no lower offset; it moves to the front of the order.
    auto highest = std::max_element(order.begin(), order.end(), [&](size_t a, size_t b) {
      return tried[a].offset + tried[a].bytes < tried[b].offset + tried[b].bytes;
    });
    std::rotate(order.begin(), highest, highest + 1);
    const int64_t found = placeInOrder(tried, order, alignment);
    if (found < whole) {
      whole = found;
      values = tried;
    }
  }
  return whole;
}

int64_t opc::graph::arenaLowerBound(const std::vector<ArenaValue> &values, int64_t alignment) {
  std::map<size_t, int64_t> changes; // of the live bytes, by step
  for (const ArenaValue &value : values) {
    changes[value.first] += roundUp(value.bytes, alignment);
    changes[value.last + 1] -= roundUp(value.bytes, alignment);
  }
  int64_t alive = 0, most = 0;
  for (auto [step, change] : changes)
    most = std::max(most, alive += change);
  return most;
}

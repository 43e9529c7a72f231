#include "tools/opc/model/GraphLayout.h"

#include <algorithm>
#include <numeric>

namespace opc::tool {

namespace {

class Layouter {
public:
  Layouter(size_t nodes, const std::vector<std::pair<size_t, size_t>> &edges) : above(nodes), below(nodes) {
    for (auto [from, to] : edges) {
      below[from].push_back(to);
      above[to].push_back(from);
    }
    layout.layers.assign(nodes, 0);
    layout.places.assign(nodes, 0);
  }

  GraphLayout run() {
    chooseLayers();
    // Neighbours above, then below, and so on: a chain becomes a straight line, branches are side by side.
    constexpr unsigned kSweeps = 8;
    for (unsigned sweep = 0; sweep < kSweeps; ++sweep)
      placeAll(/*downwards=*/sweep % 2 == 0);
    for (double place : layout.places) {
      layout.left = std::min(layout.left, place);
      layout.right = std::max(layout.right, place);
    }
    return std::move(layout);
  }

private:
  void chooseLayers() {
    size_t count = above.size();
    // Edges lead to later nodes, so one pass in order is enough.
    for (size_t i = 0; i < count; ++i)
      for (size_t writer : above[i])
        layout.layers[i] = std::max(layout.layers[i], layout.layers[writer] + 1);
    for (size_t i = count; i-- > 0;) {
      if (!above[i].empty() || below[i].empty())
        continue;
      size_t first = SIZE_MAX;
      for (size_t reader : below[i])
        first = std::min(first, layout.layers[reader]);
      layout.layers[i] = first == 0 ? 0 : first - 1;
    }
    for (size_t layer : layout.layers)
      layout.depth = std::max(layout.depth, layer + 1);
    rows.resize(layout.depth);
    for (size_t i = 0; i < count; ++i)
      rows[layout.layers[i]].push_back(i);
    for (std::vector<size_t> &row : rows)
      for (size_t i = 0; i < row.size(); ++i)
        layout.places[row[i]] = static_cast<double>(i);
  }

  void placeAll(bool downwards) {
    for (size_t i = 0; i < rows.size(); ++i)
      placeRow(rows[downwards ? i : rows.size() - 1 - i], downwards ? above : below);
  }

  /// Each node at the average of its neighbours, pushed apart where two would overlap.
  void placeRow(std::vector<size_t> &row, const std::vector<std::vector<size_t>> &neighbours) {
    std::vector<double> wanted(row.size());
    for (size_t i = 0; i < row.size(); ++i) {
      const std::vector<size_t> &others = neighbours[row[i]];
      double sum = 0;
      for (size_t other : others)
        sum += layout.places[other];
      wanted[i] = others.empty() ? layout.places[row[i]] : sum / static_cast<double>(others.size());
    }
    std::vector<size_t> order(row.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return wanted[a] < wanted[b]; });
    // From left to right each is at least 1 after the last; then the whole row is moved back to its average position.
    std::vector<size_t> sorted;
    double last = 0, shift = 0;
    for (size_t k = 0; k < order.size(); ++k) {
      double place = k == 0 ? wanted[order[k]] : std::max(wanted[order[k]], last + 1);
      shift += wanted[order[k]] - place;
      layout.places[row[order[k]]] = last = place;
      sorted.push_back(row[order[k]]);
    }
    row = std::move(sorted);
    for (size_t node : row)
      layout.places[node] += shift / static_cast<double>(row.size());
  }

  std::vector<std::vector<size_t>> above, below;
  std::vector<std::vector<size_t>> rows; ///< nodes of each layer, from left to right
  GraphLayout layout;
};

} // namespace

GraphLayout layoutGraph(size_t nodes, const std::vector<std::pair<size_t, size_t>> &edges) {
  return Layouter(nodes, edges).run();
}

} // namespace opc::tool

// Places of nodes on the page of `opc model show`.

#include "tools/opc/model/GraphLayout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

using namespace opc::tool;
using Edges = std::vector<std::pair<size_t, size_t>>;

// A chain is a straight line, one layer each.
TEST(GraphLayout, Chain) {
  GraphLayout layout = layoutGraph(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  EXPECT_EQ(layout.depth, 5u);
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(layout.layers[i], i);
    EXPECT_DOUBLE_EQ(layout.places[i], layout.places[0]);
  }
}

// A constant that a late node reads stands right above it, not at the top.
TEST(GraphLayout, LateConstants) {
  GraphLayout layout = layoutGraph(5, {{0, 1}, {1, 2}, {2, 4}, {3, 4}});
  EXPECT_EQ(layout.layers[3], 2u);
}

TEST(GraphLayout, NoNodes) {
  EXPECT_EQ(layoutGraph(0, {}).depth, 0u);
}

// Whatever the graph: edges lead down, and no two nodes of a layer overlap.
TEST(GraphLayout, RandomGraphs) {
  std::mt19937 random(310);
  for (unsigned round = 0; round < 200; ++round) {
    size_t nodes = 1 + random() % 60;
    Edges edges;
    for (size_t i = 1; i < nodes; ++i)
      for (unsigned k = random() % 4; k > 0; --k)
        edges.emplace_back(random() % i, i);
    GraphLayout layout = layoutGraph(nodes, edges);
    for (auto [from, to] : edges)
      EXPECT_LT(layout.layers[from], layout.layers[to]);
    for (size_t a = 0; a < nodes; ++a) {
      EXPECT_TRUE(std::isfinite(layout.places[a]));
      for (size_t b = 0; b < a; ++b)
        if (layout.layers[a] == layout.layers[b])
          EXPECT_GE(std::fabs(layout.places[a] - layout.places[b]), 1 - 1e-9);
    }
  }
}

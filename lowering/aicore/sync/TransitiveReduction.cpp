// Transitive reduction: which edges are enough to cover all dependences.
//
// A chain is looked for in a graph whose vertices are "what stands in front of node n may pass". From a node the
// chain goes on to the next node of its pipe (0 iterations; 1 from the last one around the loop) or along an edge.
// Since every step costs 0, 1 or a small distance, the search keeps one list of nodes for each length.
//
// An edge that other edges cover can go, and whatever relied on it then relies on those: so edges are tried one by
// one, those with the longest reach first, and each only against its own dependence. A barrier stands for all that is
// before it on its pipe, so barriers are placed as points that stab intervals: in the order of the text, one in front
// of a node only when no chain covers a dependence into it.

#include "lowering/aicore/sync/SyncProblem.h"

using namespace mlir;

namespace opc::aicore {

namespace {

/// Searches shortest chains over the edges of a problem.
class ChainSearch {
public:
  ChainSearch(const SyncProblem &problem, llvm::function_ref<bool(const SyncEdge &)> use) : problem(problem) {
    edgesFrom.resize(problem.nodes.size());
    for (const SyncEdge &edge : problem.edges)
      if (!use || use(edge))
        edgesFrom[edge.from].push_back(&edge);
    next.resize(problem.nodes.size());
    for (unsigned node = 0; node < next.size(); ++node)
      next[node] = nextOnPipe(node);
  }

  // Vertices are nodes, once without and once with an edge behind them: what two nodes of one pipe are, in order of
  // issue alone, orders nothing.
  std::optional<unsigned> find(unsigned from, unsigned to, unsigned limit, bool edgeNeeded) {
    size_t nodes = problem.nodes.size();
    std::vector<bool> seen(2 * nodes);
    std::vector<SmallVector<unsigned>> reached(limit + 1);
    reached[0].push_back(from + (edgeNeeded ? 0 : nodes));
    for (unsigned length = 0; length <= limit; ++length)
      for (size_t i = 0; i < reached[length].size(); ++i) {
        unsigned vertex = reached[length][i], node = vertex % nodes;
        if (seen[vertex])
          continue;
        seen[vertex] = true;
        bool behindEdge = vertex >= nodes;
        if (behindEdge && node == to)
          return length;
        if (next[node])
          if (unsigned total = length + next[node]->second; total <= limit)
            reached[total].push_back(next[node]->first + (behindEdge ? nodes : 0));
        for (const SyncEdge *edge : edgesFrom[node])
          if (unsigned total = length + edge->distance; total <= limit)
            reached[total].push_back(edge->to + nodes);
      }
    return std::nullopt;
  }

private:
  // The next node of the pipe and the iterations to it.
  std::optional<std::pair<unsigned, unsigned>> nextOnPipe(unsigned node) const {
    Pipe pipe = problem.nodes[node].pipe;
    for (unsigned other = node + 1; other < problem.nodes.size(); ++other)
      if (problem.nodes[other].pipe == pipe)
        return std::pair(other, 0u);
    if (!problem.iterated())
      return std::nullopt;
    for (unsigned other = 0; other <= node; ++other)
      if (problem.nodes[other].pipe == pipe)
        return std::pair(other, 1u);
    return std::nullopt;
  }

  const SyncProblem &problem;
  std::vector<SmallVector<const SyncEdge *>> edgesFrom;
  std::vector<std::optional<std::pair<unsigned, unsigned>>> next;
};

} // namespace

std::optional<unsigned> shortestChain(const SyncProblem &problem, unsigned from, unsigned to, unsigned limit,
                                      llvm::function_ref<bool(const SyncEdge &)> use) {
  return ChainSearch(problem, use).find(from, to, limit, /*edgeNeeded=*/true);
}

std::optional<unsigned> shortestWayBack(const SyncProblem &problem, unsigned from, unsigned to, unsigned limit) {
  return ChainSearch(problem, nullptr).find(from, to, limit, /*edgeNeeded=*/false);
}

/// The node before `node` on its pipe, and the iterations between the two.
static std::optional<std::pair<unsigned, unsigned>> previousOnPipe(const SyncProblem &problem, unsigned node) {
  Pipe pipe = problem.nodes[node].pipe;
  for (unsigned other = node; other-- > 0;)
    if (problem.nodes[other].pipe == pipe)
      return std::pair(other, 0u);
  if (!problem.iterated())
    return std::nullopt;
  for (unsigned other = problem.nodes.size(); other-- > node;)
    if (problem.nodes[other].pipe == pipe)
      return std::pair(other, 1u);
  return std::nullopt;
}

static bool isWithinPipe(const SyncProblem &problem, const Dependence &dependence) {
  return problem.nodes[dependence.from].pipe == problem.nodes[dependence.to].pipe;
}

static bool isCovered(const SyncProblem &problem, const Dependence &dependence, const SyncEdge *without = nullptr) {
  auto others = [without](const SyncEdge &edge) { return &edge != without; };
  return shortestChain(problem, dependence.from, dependence.to, dependence.distance, others).has_value();
}

/// One search serves all dependences: kernels of hundreds of ops have tens of thousands.
static bool areCovered(const SyncProblem &problem, ArrayRef<Dependence> dependences, const SyncEdge *without) {
  ChainSearch search(problem, [without](const SyncEdge &edge) { return &edge != without; });
  return llvm::all_of(dependences, [&](const Dependence &dependence) {
    return search.find(dependence.from, dependence.to, dependence.distance, /*edgeNeeded=*/true).has_value();
  });
}

/// Drops the edges for which the predicate holds, one at a time, last ones first.
static void dropEdges(SyncProblem &problem, llvm::function_ref<bool(const SyncEdge &)> canGo) {
  for (size_t i = problem.edges.size(); i-- > 0;)
    if (canGo(problem.edges[i]))
      problem.edges.erase(problem.edges.begin() + i);
}

static void addBarriers(SyncProblem &problem) {
  SmallVector<Dependence> within;
  llvm::copy_if(problem.dependences, std::back_inserter(within),
                [&](const Dependence &dependence) { return isWithinPipe(problem, dependence); });
  // Within an iteration first: those barriers often cover what is carried around the loop.
  llvm::sort(within, [](const Dependence &a, const Dependence &b) {
    return std::tuple(a.distance, a.to, a.from) < std::tuple(b.distance, b.to, b.from);
  });
  // One search serves until there is a new edge.
  std::optional<ChainSearch> search;
  for (const Dependence &dependence : within) {
    if (!search)
      search.emplace(problem, nullptr);
    if (search->find(dependence.from, dependence.to, dependence.distance, /*edgeNeeded=*/true))
      continue;
    search.reset();
    // A dependence within a pipe has a node before its target: its source at least.
    auto [previous, distance] = *previousOnPipe(problem, dependence.to);
    problem.edges.push_back({previous, dependence.to, distance, /*barrier=*/true});
  }
  // A barrier that is needed is needed by near neighbours: with those first, most tries end at once.
  llvm::sort(within, [&](const Dependence &a, const Dependence &b) {
    auto span = [&](const Dependence &dependence) {
      int64_t nodes = problem.nodes.size();
      return std::tuple(dependence.distance * nodes + dependence.to - dependence.from, dependence.from);
    };
    return span(a) < span(b);
  });
  dropEdges(problem, [&](const SyncEdge &edge) { return edge.barrier && areCovered(problem, within, &edge); });
}

void chooseEdges(SyncProblem &problem) {
  for (const Dependence &dependence : problem.dependences)
    if (!isWithinPipe(problem, dependence))
      problem.edges.push_back({dependence.from, dependence.to, dependence.distance});
  // The longest reach stands last and is tried first.
  auto reach = [&](const SyncEdge &edge) {
    int64_t nodes = problem.nodes.size();
    return std::tuple(edge.distance * nodes + edge.to - edge.from, edge.from, edge.to);
  };
  llvm::sort(problem.edges, [&](const SyncEdge &a, const SyncEdge &b) { return reach(a) < reach(b); });
  addBarriers(problem);
  dropEdges(problem, [&](const SyncEdge &edge) {
    return !edge.barrier && isCovered(problem, {edge.from, edge.to, edge.distance}, &edge);
  });
}

} // namespace opc::aicore

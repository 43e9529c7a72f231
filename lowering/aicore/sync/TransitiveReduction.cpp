// Transitive reduction: chooses the edges that suffice to cover all dependences.
//
// A chain is a path over nodes. Each step leads to a node that cannot start earlier: the next node of the same pipe
// (0 iterations, or 1 from the last node of the body to the first) or the target of an edge (the distance of the
// edge). Lengths are small numbers, so the search keeps a bucket of nodes for each length (Dial's algorithm).
//
// An edge is redundant if a chain of other edges covers it, and any chain that used the edge can use that chain
// instead. So edges are tried one at a time, those with the longest reach first, and each is checked against its own
// dependence only. A barrier orders everything before it on its pipe. So barriers are placed as points that stab
// intervals: in program order, one before a node only if no chain covers a dependence into the node.

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

  // Each node is two vertices: reached by order of issue alone, and reached through an edge. Only a path through an
  // edge is a chain, since two nodes of a pipe may overlap although they are issued in order.
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
  // The next node on the pipe, and the number of iterations to it.
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

/// The previous node on the pipe, and the number of iterations between the two.
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

/// A single search object serves all dependences: kernels of hundreds of ops have tens of thousands of them.
static bool areCovered(const SyncProblem &problem, ArrayRef<Dependence> dependences, const SyncEdge *without) {
  ChainSearch search(problem, [without](const SyncEdge &edge) { return &edge != without; });
  return llvm::all_of(dependences, [&](const Dependence &dependence) {
    return search.find(dependence.from, dependence.to, dependence.distance, /*edgeNeeded=*/true).has_value();
  });
}

/// Drops the edges that satisfy the predicate, one at a time, from the last to the first.
static void dropEdges(SyncProblem &problem, llvm::function_ref<bool(const SyncEdge &)> canGo) {
  for (size_t i = problem.edges.size(); i-- > 0;)
    if (canGo(problem.edges[i]))
      problem.edges.erase(problem.edges.begin() + i);
}

static void addBarriers(SyncProblem &problem) {
  SmallVector<Dependence> within;
  llvm::copy_if(problem.dependences, std::back_inserter(within),
                [&](const Dependence &dependence) { return isWithinPipe(problem, dependence); });
  // Dependences within an iteration come first: their barriers often cover those between iterations.
  llvm::sort(within, [](const Dependence &a, const Dependence &b) {
    return std::tuple(a.distance, a.to, a.from) < std::tuple(b.distance, b.to, b.from);
  });
  // A search object is valid until an edge is added.
  std::optional<ChainSearch> search;
  for (const Dependence &dependence : within) {
    if (!search)
      search.emplace(problem, nullptr);
    if (search->find(dependence.from, dependence.to, dependence.distance, /*edgeNeeded=*/true))
      continue;
    search.reset();
    // There is always a previous node: the source of the dependence, if no other.
    auto [previous, distance] = *previousOnPipe(problem, dependence.to);
    problem.edges.push_back({previous, dependence.to, distance, /*barrier=*/true});
  }
  // A barrier that is needed usually orders near neighbours; with those first, most checks end early.
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
  // The edge with the longest reach is last, and so is tried first.
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

// Event ids: how many a flag needs, which ones it gets, and what happens when a pair of pipes has too few.
//
// A flag (a, b, d) is set after a in iteration i and waited for before b in iteration i + d. Its id may be set again
// once that wait has certainly passed, that is, once a chain leads from b back to a, say after w iterations. So d + w
// alternating ids suffice; d + w is the weight of the tightest cycle through the flag. Without a chain back, pipe a
// could run ahead of b without limit; an additional edge from b to a, of distance 1, stops it.
//
// If the flags of a pair of pipes need more ids than the target has, two of them are merged: set after the later a,
// waited for before the earlier b, at the smaller distance. That orders more than the dependences require. So does
// lowering the distance of a flag, which then takes fewer ids: fewer slots of a buffer are in flight at once. If
// neither helps step by step, the inserter lowers all distances at once.

#include "lowering/aicore/sync/SyncProblem.h"

using namespace mlir;

namespace opc::aicore {

/// A flag whose chain back is longer counts as having none. The limit exceeds the number of ids of any target.
static constexpr unsigned kMaxTurns = 64;

void EventIdUse::unite(const EventIdUse &other) {
  for (unsigned from = 0; from < kNumPipes; ++from)
    for (unsigned to = 0; to < kNumPipes; ++to)
      used[from][to] = std::max(used[from][to], other.used[from][to]);
}

EventIdUse EventIdUse::beyond(const EventIdUse &other) const {
  EventIdUse result;
  for (unsigned from = 0; from < kNumPipes; ++from)
    for (unsigned to = 0; to < kNumPipes; ++to)
      result.used[from][to] = used[from][to] - std::min(used[from][to], other.used[from][to]);
  return result;
}

/// The number of ids that a flag needs; nullopt if no chain leads back.
static std::optional<unsigned> idsOf(const SyncProblem &problem, const SyncEdge &edge) {
  if (!problem.iterated())
    return 1;
  std::optional<unsigned> back = shortestWayBack(problem, edge.to, edge.from, kMaxTurns);
  if (!back)
    return std::nullopt;
  return edge.distance + *back;
}

static void addWaysBack(SyncProblem &problem) {
  for (size_t i = 0; i < problem.edges.size(); ++i) {
    SyncEdge edge = problem.edges[i];
    if (!edge.barrier && !idsOf(problem, edge))
      problem.edges.push_back({edge.to, edge.from, 1});
  }
}

/// Merges two flags of the pair, unless the result closes a cycle of distance 0.
static bool mergeTwo(SyncProblem &problem, Pipe from, Pipe to) {
  auto isOfPair = [&](const SyncEdge &edge) {
    return !edge.barrier && problem.nodes[edge.from].pipe == from && problem.nodes[edge.to].pipe == to;
  };
  for (size_t i = 0; i < problem.edges.size(); ++i)
    for (size_t j = i + 1; j < problem.edges.size(); ++j) {
      const SyncEdge &a = problem.edges[i], &b = problem.edges[j];
      if (!isOfPair(a) || !isOfPair(b))
        continue;
      SyncEdge merged = {std::max(a.from, b.from), std::min(a.to, b.to), std::min(a.distance, b.distance)};
      // At distance 0 the wait would precede the set.
      if (merged.distance == 0 && problem.nodes[merged.from].position >= problem.nodes[merged.to].position)
        continue;
      SyncProblem trial = problem;
      trial.edges[i] = merged;
      trial.edges.erase(trial.edges.begin() + j);
      std::optional<unsigned> ids = idsOf(trial, merged);
      if (!ids || *ids == 0)
        continue;
      problem.edges = std::move(trial.edges);
      ++problem.thrift.joined;
      return true;
    }
  return false;
}

/// The number of ids that the flags of a pair need together; nullopt if some flag would wait for itself.
static std::optional<unsigned> idsOfPair(const SyncProblem &problem, Pipe from, Pipe to) {
  unsigned sum = 0;
  for (const SyncEdge &edge : problem.edges) {
    if (edge.barrier)
      continue;
    std::optional<unsigned> ids = idsOf(problem, edge);
    if (!ids || *ids == 0)
      return std::nullopt;
    if (problem.nodes[edge.from].pipe == from && problem.nodes[edge.to].pipe == to)
      sum += *ids;
  }
  return sum;
}

/// Lowers the largest flag distance that saves ids of the pair, be it the distance of a flag on a chain back. The new
/// distance divides the old one, so that slots and ids still repeat together.
static bool lowerDepth(SyncProblem &problem, Pipe from, Pipe to) {
  const std::optional<unsigned> before = idsOfPair(problem, from, to);
  SmallVector<std::pair<int, unsigned>> deepest;
  for (auto [index, edge] : llvm::enumerate(problem.edges))
    if (!edge.barrier && edge.distance > 1)
      deepest.push_back({-int(edge.distance), unsigned(index)});
  llvm::sort(deepest);
  for (auto [depth, index] : deepest) {
    SyncEdge *edge = &problem.edges[index];
    const unsigned distance = edge->distance;
    do
      --edge->distance;
    while (distance % edge->distance != 0);
    const std::optional<unsigned> after = idsOfPair(problem, from, to);
    if (before && after && *after < *before) {
      ++problem.thrift.lowered;
      return true;
    }
    edge->distance = distance;
  }
  return false;
}

void allowOneTile(SyncProblem &problem) {
  for (SyncEdge &edge : problem.edges)
    if (!edge.barrier && edge.distance > 1) {
      edge.distance = 1;
      ++problem.thrift.lowered;
    }
}

std::optional<EventIdShortage> assignEventIds(SyncProblem &problem, EventIdUse &use, unsigned available,
                                              bool mayLower) {
  addWaysBack(problem);
  while (true) {
    EventIdUse trial = use;
    std::optional<EventIdShortage> shortage;
    for (SyncEdge &edge : problem.edges) {
      if (edge.barrier)
        continue;
      Pipe from = problem.nodes[edge.from].pipe, to = problem.nodes[edge.to].pipe;
      // addWaysBack gave every edge a chain back.
      // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign)
      edge.ids = *idsOf(problem, edge);
      edge.base = trial.of(from, to);
      trial.of(from, to) += edge.ids;
      if (trial.of(from, to) > available)
        shortage = {from, to, trial.of(from, to)};
    }
    if (!shortage) {
      use = trial;
      return std::nullopt;
    }
    if (!problem.thrift.met)
      problem.thrift.met = shortage;
    if (!mergeTwo(problem, shortage->from, shortage->to) &&
        !(mayLower && lowerDepth(problem, shortage->from, shortage->to)))
      return shortage;
  }
}

} // namespace opc::aicore

// Exact search for addresses. Packing items with fixed times (dynamic storage allocation) is NP-hard, but kernels
// have only tens of buffers. Few of them are hard to place: if all bytes are needed, the position of the next item is
// forced, and only the choice of the item is left.
//
// Canonical form. A solution remains a solution if its items are pushed down as far as possible. Each item then rests
// at address 0 or on the end of another item, or begins at the address of a coincident item that does. In the order
// of (address, first time), every item comes after those on which it rests. So the search places items in this order:
// the next item lies at its rest, at or above the address of the previous one.
//
// Bound. For each set of items that live at one time (a crowd), the unplaced items need their bytes above the lowest
// address at which one of them can begin. If all bytes are needed, only the lowest, leftmost free position and the
// items that fit it remain.
//
// Symmetries and repeated states are pruned. Identical items are placed in the order of their numbers. A state that
// has failed is not visited again; states are recognised by a 128-bit hash of the unplaced items and their rests.
//
// Some orders of candidates lead to a solution quickly where others do not. So the search restarts with growing
// limits, each time with another order of preference, on the problem as it is or with time reversed. The first run
// that exhausts the search space is conclusive.

#include "lowering/aicore/plan/Relations.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

namespace opc::aicore {

namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max() / 4;
constexpr size_t kMostFailures = 1 << 18;

/// Which of several items at one address is tried first.
enum class Preference : uint8_t { Longer, Larger, Wider, Shorter, Mixed };

class Search {
public:
  Search(const PlanProblem &problem, const PlanRelations &relations, Preference preference, bool reversed,
         uint64_t limit);

  /// Whether a solution was found; it is in `addresses`.
  bool run();
  bool complete() const { return nodes < limit; }
  uint64_t nodes = 0;
  std::vector<int64_t> addresses;

private:
  struct Candidate {
    int64_t address;
    unsigned item;
  };
  bool visit(unsigned placed, int64_t level, uint64_t last);
  bool hasRoom(int64_t level, uint64_t last);
  void collect(int64_t level, uint64_t last, std::vector<Candidate> &candidates) const;
  bool mayBegin(unsigned item, int64_t address) const;
  bool isFailure(int64_t level, uint64_t last);
  /// The order of items at one address: by first time, then by number.
  uint64_t keyOf(unsigned item) const { return uint64_t(first[item]) << 32 | item; }

  const PlanProblem &problem;
  const PlanRelations &relations;
  uint64_t limit;
  int64_t capacity;
  std::vector<int64_t> size;                       ///< rounded up to the alignment
  std::vector<unsigned> first;                     ///< first time at which it lives
  std::vector<uint64_t> worth;                     ///< items with larger values are tried first
  std::vector<int> twin;                           ///< an identical item with a smaller number; -1: none
  std::vector<int64_t> rest;                       ///< lowest address that the placed items leave it
  std::vector<std::vector<unsigned>> component;    ///< items that it is coincident with, transitively
  std::unordered_map<uint64_t, uint64_t> failures; ///< both halves of the hash of a failed state
};

} // namespace

Search::Search(const PlanProblem &problem, const PlanRelations &relations, Preference preference, bool reversed,
               uint64_t limit)
    : problem(problem), relations(relations), limit(limit), capacity(problem.capacity) {
  size_t count = problem.items.size();
  addresses.assign(count, -1);
  rest.assign(count, 0);
  component.resize(count);
  for (unsigned i = 0; i < count; ++i) {
    const PlanItem &item = problem.items[i];
    size.push_back(alignUp(item.bytes, problem.alignment));
    bool none = item.times.empty();
    first.push_back(none ? 0 : reversed ? UINT32_MAX - item.times.back() : item.times.front());
    auto duration = static_cast<uint64_t>(item.times.size());
    uint64_t area = duration * static_cast<uint64_t>(size[i] / problem.alignment);
    switch (preference) {
    case Preference::Longer:
      worth.push_back(duration);
      break;
    case Preference::Larger:
      worth.push_back(area);
      break;
    case Preference::Wider:
      worth.push_back(static_cast<uint64_t>(size[i]));
      break;
    case Preference::Shorter:
      worth.push_back(UINT64_MAX - duration);
      break;
    case Preference::Mixed:
      worth.push_back((i + 1) * 0x9E3779B97F4A7C15u >> 40);
      break;
    }
    // Twins are interchangeable, so only one order of them is searched.
    int before = -1;
    for (unsigned j = 0; j < i && before < 0; ++j)
      if (problem.items[j].bytes == item.bytes && problem.items[j].times == item.times &&
          relations.partners[i].empty() && relations.partners[j].empty()) {
        auto without = [&](unsigned of, unsigned other) {
          std::vector<unsigned> list = relations.apart[of];
          list.erase(std::remove(list.begin(), list.end(), other), list.end());
          return list;
        };
        if (without(i, j) == without(j, i))
          before = static_cast<int>(j);
      }
    twin.push_back(before);
  }
  for (unsigned i = 0; i < count; ++i)
    for (std::vector<unsigned> open = {i}; !open.empty();) {
      unsigned item = open.back();
      open.pop_back();
      for (unsigned next : relations.partners[item])
        if (next != i && std::find(component[i].begin(), component[i].end(), next) == component[i].end()) {
          component[i].push_back(next);
          open.push_back(next);
        }
    }
}

/// Whether the item may lie at an address that is at or above its rest: coincident items are at the same address or
/// do not overlap it.
bool Search::mayBegin(unsigned item, int64_t address) const {
  if (address > capacity - problem.items[item].bytes)
    return false;
  for (unsigned other : relations.apart[item])
    if (addresses[other] >= 0 && address < addresses[other] + size[other])
      return false;
  for (unsigned other : relations.partners[item])
    if (addresses[other] >= 0 && addresses[other] != address && address < addresses[other] + size[other])
      return false;
  return true;
}

void Search::collect(int64_t level, uint64_t last, std::vector<Candidate> &candidates) const {
  auto consider = [&](unsigned item, int64_t address) {
    if (address < level || (address == level && keyOf(item) <= last) || !mayBegin(item, address))
      return;
    for (const Candidate &known : candidates)
      if (known.item == item && known.address == address)
        return;
    candidates.push_back({address, item});
  };
  for (unsigned item = 0; item < addresses.size(); ++item) {
    if (addresses[item] >= 0 || (twin[item] >= 0 && addresses[size_t(twin[item])] < 0))
      continue;
    consider(item, rest[item]);
    // At the address or on the end of a coincident item, or where a coincident item rests.
    for (unsigned partner : relations.partners[item])
      if (addresses[partner] >= 0) {
        consider(item, addresses[partner]);
        consider(item, addresses[partner] + size[partner]);
      }
    for (unsigned other : component[item])
      if (addresses[other] < 0) {
        consider(item, rest[other]);
        for (unsigned partner : relations.partners[other])
          if (addresses[partner] >= 0)
            consider(item, addresses[partner] + size[partner]);
      }
  }
  std::sort(candidates.begin(), candidates.end(), [&](const Candidate &a, const Candidate &b) {
    if (a.address != b.address)
      return a.address < b.address;
    if (first[a.item] != first[b.item])
      return first[a.item] < first[b.item];
    if (worth[a.item] != worth[b.item])
      return worth[a.item] > worth[b.item];
    return a.item < b.item;
  });
}

// For each crowd: the lowest address at which an unplaced item can begin, and the bytes that all unplaced items need.
bool Search::hasRoom(int64_t level, uint64_t last) {
  int64_t least = kNever;
  for (unsigned item = 0; item < size.size(); ++item)
    if (addresses[item] < 0)
      least = std::min(least, size[item]);
  for (const std::vector<unsigned> &crowd : relations.crowds) {
    int64_t begin = kNever, needed = 0, pad = 0;
    for (unsigned item : crowd) {
      if (addresses[item] >= 0)
        continue;
      needed += size[item];
      pad = std::max(pad, size[item] - problem.items[item].bytes);
      int64_t earliest = rest[item];
      bool isBehind = earliest < level || (earliest == level && keyOf(item) <= last);
      // The item would precede the last placed one, so another item has to come below it, at this level or above.
      if (isBehind)
        earliest = component[item].empty() ? level + least : level;
      begin = std::min(begin, earliest);
    }
    if (needed > 0 && begin + needed - pad > capacity)
      return false;
  }
  return true;
}

/// Whether the state is known to have failed. Otherwise it is recorded as failed: the search returns to it only if it
/// does.
bool Search::isFailure(int64_t level, uint64_t last) {
  std::vector<int64_t> state = {level, static_cast<int64_t>(last)};
  for (unsigned item = 0; item < size.size(); ++item) {
    bool placed = addresses[item] >= 0;
    bool matters = placed && !component[item].empty();
    state.push_back(placed ? (matters ? addresses[item] : -1) : std::max(rest[item], level - 1));
  }
  llvm::ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(state.data()), state.size() * sizeof(int64_t));
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(bytes);
  auto known = failures.find(hash.low64);
  if (known != failures.end())
    return known->second == hash.high64;
  if (failures.size() < kMostFailures)
    failures.emplace(hash.low64, hash.high64);
  return false;
}

bool Search::visit(unsigned placed, int64_t level, uint64_t last) {
  if (placed == size.size())
    return true;
  if (!hasRoom(level, last) || isFailure(level, last))
    return false;
  std::vector<Candidate> candidates;
  collect(level, last, candidates);
  std::vector<int64_t> saved = rest;
  for (const Candidate &candidate : candidates) {
    if (++nodes >= limit)
      return false;
    unsigned item = candidate.item;
    addresses[item] = candidate.address;
    for (unsigned other : relations.apart[item])
      rest[other] = std::max(rest[other], candidate.address + size[item]);
    if (visit(placed + 1, candidate.address, keyOf(item)))
      return true;
    addresses[item] = -1;
    rest = saved;
    if (nodes >= limit)
      return false;
  }
  return false;
}

bool Search::run() {
  return visit(0, /*level=*/-1, 0);
}

std::optional<PlanSolution> planExactly(const PlanProblem &problem, SearchEffort &effort) {
  effort.nodes = 0;
  effort.complete = true;
  if (problem.peak().first > problem.capacity)
    return std::nullopt;
  PlanRelations relations(problem);
  static constexpr std::array preferences = {Preference::Larger, Preference::Longer, Preference::Wider,
                                             Preference::Shorter, Preference::Mixed};
  // The limits grow, so that an unlucky order costs little and a long search is still possible. Each step compares
  // all pairs of items.
  constexpr uint64_t few = 64;
  uint64_t count = std::max<uint64_t>(problem.items.size(), few);
  uint64_t most = std::max<uint64_t>(effort.nodeLimit * (few * few) / (count * count), 1);
  uint64_t limit = std::max<uint64_t>(most / 64, 1000);
  for (unsigned turn = 0; effort.nodes < most; ++turn) {
    bool reversed = turn % 2 == 1;
    Preference preference = preferences[turn / 2 % preferences.size()];
    limit = std::min(limit, most - effort.nodes);
    Search search(problem, relations, preference, reversed, limit);
    bool found = search.run();
    effort.nodes += search.nodes;
    if (found) {
      PlanSolution solution{std::move(search.addresses), 0};
      for (size_t i = 0; i < problem.items.size(); ++i)
        solution.bytes = std::max(solution.bytes, solution.addresses[i] + problem.items[i].bytes);
      return solution;
    }
    if (search.complete())
      return std::nullopt;
    if (turn % (2 * preferences.size()) == 2 * preferences.size() - 1)
      limit *= 4;
  }
  effort.complete = false;
  return std::nullopt;
}

} // namespace opc::aicore

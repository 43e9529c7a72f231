// The exact search. Packing with fixed times is hard in general (dynamic storage allocation), but kernels have tens
// of buffers, and what is hard about them is little: a full rectangle leaves no choice of where the next item goes,
// only of which one.
//
// Form. Any solution stays one when its items are pushed down as far as they go. Then each rests on the end of
// another or on 0, or begins with one that does. Listed by address, then by first time, every item comes behind those
// that it rests on. So the search puts items in that order: the next one lies at its rest, which is at or above the
// last one's address.
//
// Bound. Of each crowd (items that live at one time) the ones still to come need their bytes above where the earliest
// of them can begin. In a full rectangle this leaves the lowest, leftmost free place and the items that fit it.
//
// What repeats is cut: items alike in everything come in order, and a state that has failed is not looked at again,
// by a hash of 128 bits of what is still to come and where it rests.
//
// Some orders of trying find a solution early where others wander. So the search runs several times, with growing
// limits, each with an order of its own, the problem upright or with time reversed; the first that goes through
// everything has the last word.

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

/// Which of several items at one place is tried first.
enum class Preference : uint8_t { Longer, Larger, Wider, Shorter, Mixed };

class Search {
public:
  Search(const PlanProblem &problem, const PlanRelations &relations, Preference preference, bool reversed,
         uint64_t limit);

  /// Whether a solution was found: `addresses` has it.
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
  /// Items in the order of the text of one address: by first time, then number.
  uint64_t keyOf(unsigned item) const { return uint64_t(first[item]) << 32 | item; }

  const PlanProblem &problem;
  const PlanRelations &relations;
  uint64_t limit;
  int64_t capacity;
  std::vector<int64_t> size;                       ///< rounded up to the alignment
  std::vector<unsigned> first;                     ///< time
  std::vector<uint64_t> worth;                     ///< larger ones are tried first
  std::vector<int> twin;                           ///< an item alike in everything that comes before; -1: none
  std::vector<int64_t> rest;                       ///< where it lies if it is put next
  std::vector<std::vector<unsigned>> component;    ///< those that it may begin with, over others too
  std::unordered_map<uint64_t, uint64_t> failures; ///< both halves of the hash
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
    // Twins: the search need not tell them apart.
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

/// Whether the item may lie at an address at or above its rest: those with which it may begin are there too
/// or out of its way.
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
    // On the end of one that it might begin with and does not, with one, or where one rests.
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

// Of each crowd: where the earliest item still to come can begin, and what all of them take.
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
      // Behind: something has to come below it first, at this level or above.
      if (isBehind)
        earliest = component[item].empty() ? level + least : level;
      begin = std::min(begin, earliest);
    }
    if (needed > 0 && begin + needed - pad > capacity)
      return false;
  }
  return true;
}

/// Whether the state is known to have failed; else it is noted: who leaves it has failed.
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
  // Limits grow, so that an unlucky order costs little and a long search still has its turn. A step looks at every
  // item beside every other.
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

#include "lowering/aicore/plan/Problem.h"

#include <algorithm>
#include <functional>
#include <map>

namespace opc::aicore {

unsigned PlanProblem::add(std::string name, int64_t bytes, unsigned first, unsigned last) {
  PlanItem item{std::move(name), bytes, {}};
  for (unsigned time = first; time <= last; ++time)
    item.times.push_back(time);
  items.push_back(std::move(item));
  return static_cast<unsigned>(items.size() - 1);
}

std::string PlanProblem::check() const {
  constexpr int64_t most = int64_t(1) << 62;
  if (capacity < 0)
    return "expects a capacity of at least 0, found " + std::to_string(capacity);
  if (alignment < 1 || alignment > most)
    return "expects an alignment of at least 1, found " + std::to_string(alignment);
  int64_t room = most;
  for (const PlanItem &item : items) {
    if (item.bytes < 1)
      return "expects items of at least 1 byte, '" + item.name + "' has " + std::to_string(item.bytes);
    if (item.bytes > room || alignment > room - item.bytes)
      return "expects items and their alignment to take less than 2^62 bytes together, '" + item.name + "' is too much";
    room -= item.bytes + alignment;
    if (std::adjacent_find(item.times.begin(), item.times.end(), std::greater_equal<>()) != item.times.end())
      return "expects times in ascending order, those of '" + item.name + "' are not";
  }
  for (const auto *pairs : {&coincident, &keptApart})
    for (auto [a, b] : *pairs)
      if (a >= items.size() || b >= items.size() || a == b)
        return "expects pairs of two items, found " + std::to_string(a) + " and " + std::to_string(b);
  return {};
}

std::string PlanProblem::verify(const std::vector<int64_t> &addresses) const {
  if (addresses.size() != items.size())
    return "expects an address for each item";
  for (size_t i = 0; i < items.size(); ++i) {
    if (addresses[i] < 0 || addresses[i] % alignment != 0)
      return "'" + items[i].name + "' is at " + std::to_string(addresses[i]) + ", no multiple of " +
             std::to_string(alignment);
    if (items[i].bytes > capacity || addresses[i] > capacity - items[i].bytes)
      return "'" + items[i].name + "' ends after " + std::to_string(capacity);
  }
  auto apart = [&](size_t a, size_t b) {
    return addresses[a] + items[a].bytes <= addresses[b] || addresses[b] + items[b].bytes <= addresses[a];
  };
  // For each time: the items that live then do not overlap.
  std::map<unsigned, std::vector<size_t>> living;
  for (size_t i = 0; i < items.size(); ++i)
    for (unsigned time : items[i].times)
      living[time].push_back(i);
  for (auto &[time, of] : living) {
    std::sort(of.begin(), of.end(), [&](size_t a, size_t b) { return addresses[a] < addresses[b]; });
    for (size_t i = 1; i < of.size(); ++i)
      if (!apart(of[i - 1], of[i]))
        return "'" + items[of[i - 1]].name + "' and '" + items[of[i]].name + "' share bytes at time " +
               std::to_string(time);
  }
  for (auto [a, b] : keptApart)
    if (!apart(a, b))
      return "'" + items[a].name + "' and '" + items[b].name + "' share bytes and must not";
  for (auto [a, b] : coincident)
    if (addresses[a] != addresses[b] && !apart(a, b))
      return "'" + items[a].name + "' and '" + items[b].name + "' share bytes and do not begin at one address";
  return {};
}

std::pair<int64_t, unsigned> PlanProblem::peak() const {
  std::map<unsigned, int64_t> bytes;
  for (const PlanItem &item : items)
    for (unsigned time : item.times)
      bytes[time] += item.bytes;
  std::pair<int64_t, unsigned> most = {0, 0};
  for (auto [time, sum] : bytes)
    if (sum > most.first)
      most = {sum, time};
  return most;
}

} // namespace opc::aicore

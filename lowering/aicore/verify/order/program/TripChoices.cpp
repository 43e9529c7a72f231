#include "lowering/aicore/verify/order/program/TripChoices.h"

using namespace mlir;

namespace opc::aicore::proof {

/// Number of mixtures of trip counts that are tried if a bound changes.
static constexpr unsigned kMixtures = 16;

// The counts are the digits of a number.
bool forEachChoice(const TripRanges &ranges, llvm::function_ref<bool(const TripCounts &)> visit) {
  SmallVector<int64_t> counts;
  for (auto &[value, range] : ranges)
    counts.push_back(range.least);
  auto indexOf = [&](Value value) { return std::distance(ranges.begin(), ranges.find(value)); };
  while (true) {
    if (!visit([&](Value bound, unsigned) { return counts[indexOf(bound)]; }))
      return false;
    size_t digit = 0;
    for (; digit < counts.size(); ++digit) {
      const TripRange &range = (ranges.begin() + digit)->second;
      if (++counts[digit] <= range.most)
        break;
      counts[digit] = range.least;
    }
    if (digit == counts.size())
      break;
  }
  if (llvm::none_of(ranges, [](const auto &entry) { return entry.second.changes; }))
    return true;
  for (unsigned mixture = 0; mixture < kMixtures; ++mixture) {
    auto mixed = [&](Value value, unsigned before) {
      const TripRange &range = ranges.find(value)->second;
      // Bounds that do not change take their largest trip count, so that the changing ones take many of theirs.
      if (!range.changes)
        return range.most;
      // The step through the trip counts differs between mixtures, so that any two trip counts follow each other in
      // one of them.
      return range.least + (mixture + before * (mixture + 1)) % (range.most - range.least + 1);
    };
    if (!visit(mixed))
      return false;
  }
  return true;
}

size_t numberOfChoices(const TripRanges &ranges, size_t limit) {
  size_t number = 1;
  for (auto &[value, range] : ranges)
    number = std::min(limit, number * size_t(std::max<int64_t>(1, range.most - range.least + 1)));
  return number;
}

} // namespace opc::aicore::proof

// Intervals.

#include "runtime/device/sim/sanitize/state/Intervals.h"

namespace opc::sim {

void Intervals::assign(int64_t begin, int64_t end, uint32_t number) {
  if (begin >= end)
    return;
  auto range = ranges.upper_bound(begin);
  if (range != ranges.begin())
    --range;
  while (range != ranges.end() && range->first <= end) {
    const int64_t first = range->first;
    const Range old = range->second;
    if (old.end < begin) {
      ++range;
      continue;
    }
    range = ranges.erase(range);
    if (old.number == number) { // merge it with the new one
      begin = std::min(begin, first);
      end = std::max(end, old.end);
      continue;
    }
    if (first < begin)
      ranges.emplace_hint(range, first, Range{begin, old.number});
    if (old.end > end)
      range = ranges.emplace_hint(range, std::max(first, end), Range{old.end, old.number});
    if (old.end >= end)
      break;
  }
  ranges[begin] = {end, number};
}

} // namespace opc::sim

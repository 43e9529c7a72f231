// A map from byte ranges to numbers: adjacent ranges with the same number are merged, a later number replaces an
// earlier one. Its cost depends on the number of ranges, not of bytes, so large tensors cost as much as the tiles
// that they are accessed by.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_INTERVALS_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_INTERVALS_H

#include <algorithm>
#include <cstdint>
#include <map>

namespace opc::sim {

class Intervals {
public:
  /// Assigns the number to the bytes in [begin, end).
  void assign(int64_t begin, int64_t end, uint32_t number);
  /// Calls `visit(first, end, number)` for each range that overlaps [begin, end), in order.
  template <typename Visit> void forRanges(int64_t begin, int64_t end, Visit visit) const {
    auto range = ranges.upper_bound(begin);
    if (range != ranges.begin())
      --range;
    for (; range != ranges.end() && range->first < end; ++range)
      if (range->second.end > begin)
        visit(range->first, range->second.end, range->second.number);
  }

private:
  struct Range {
    int64_t end;
    uint32_t number;
  };
  std::map<int64_t, Range> ranges; ///< by their first byte; they do not overlap
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_INTERVALS_H

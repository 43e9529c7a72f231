// Numbers of byte ranges: neighbours with one number are one range, a later number replaces an earlier one. Costs by
// ranges and not by bytes, so that a tensor of any size costs what its tiles do.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_INTERVALS_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_INTERVALS_H

#include <algorithm>
#include <cstdint>
#include <map>

namespace opc::sim {

class Intervals {
public:
  /// Bytes from `begin` to before `end` get the number.
  void assign(int64_t begin, int64_t end, uint32_t number);
  /// Calls `visit(first, last, number)` for each range that meets [begin, end), in their order.
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
  std::map<int64_t, Range> ranges; ///< by their first byte; they do not meet
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_STATE_INTERVALS_H

// The memory of an unrolled kernel cut where any access begins or ends, so that an access is a few whole segments.
//
//   event 0    |-----------|                    segments 0, 1
//   event 1          |-----------|              segments 1, 2
//   cut        |  0  |  1  |  2  |
//
// Cuts of all walks stay sorted; each walk numbers those that it needs.

#ifndef OPC_LOWERING_AICORE_VERIFY_ORDER_SEGMENTS_H
#define OPC_LOWERING_AICORE_VERIFY_ORDER_SEGMENTS_H

#include "lowering/aicore/verify/order/Unrolling.h"

namespace opc::aicore::proof {

class Segments {
public:
  struct Range {
    unsigned first, end;
  };

  /// Cuts for what the unroller walked last.
  void cut(const Unroller &unroller, const Unrolling &unrolling);

  /// The segments of a place that is touched. UB and each tensor have segments of their own.
  Range of(unsigned place) const { return {numbers[cutsOf[place].first], numbers[cutsOf[place].end]}; }
  unsigned size() const { return total; }

private:
  /// UB is the first memory, tensors come behind it by home.
  using Cut = std::pair<unsigned, int64_t>;

  void learn(const Unroller &unroller);

  std::vector<Cut> cuts;     ///< of all places, sorted
  std::vector<Range> cutsOf; ///< of each place, by index in `cuts`
  std::vector<char> isUsed;  ///< each cut, by this walk
  std::vector<unsigned> numbers;
  unsigned learned = 0; ///< places whose cuts are among them
  unsigned forgotten = 0;
  unsigned total = 0;
};

} // namespace opc::aicore::proof

#endif // OPC_LOWERING_AICORE_VERIFY_ORDER_SEGMENTS_H

// Divides the memory of an unrolled kernel wherever an access begins or ends, so that each access consists of a few
// whole segments.
//
//   event 0    |-----------|                    segments 0, 1
//   event 1          |-----------|              segments 1, 2
//   cut        |  0  |  1  |  2  |
//
// The cuts of all walks are kept sorted; each walk numbers the cuts that it uses.

#ifndef OPC_LOWERING_AICORE_VERIFY_ORDER_SEGMENTS_H
#define OPC_LOWERING_AICORE_VERIFY_ORDER_SEGMENTS_H

#include "lowering/aicore/verify/order/program/Unrolling.h"

namespace opc::aicore::proof {

class Segments {
public:
  struct Range {
    unsigned first, end;
  };

  /// Makes the segments for the last walk of the unroller.
  void cut(const Unroller &unroller, const Unrolling &unrolling);

  /// The segments of a place that is accessed. UB and each tensor have separate segments.
  Range of(unsigned place) const { return {numbers[cutsOf[place].first], numbers[cutsOf[place].end]}; }
  unsigned size() const { return total; }

private:
  /// Memory number and offset. UB is memory 0, followed by the tensors in the order of homes.
  using Cut = std::pair<unsigned, int64_t>;

  void learn(const Unroller &unroller);

  std::vector<Cut> cuts;     ///< of all places, sorted
  std::vector<Range> cutsOf; ///< of each place, by index in `cuts`
  std::vector<char> isUsed;  ///< whether the current walk uses the cut
  std::vector<unsigned> numbers;
  unsigned learned = 0; ///< number of places whose cuts are in `cuts`
  unsigned forgotten = 0;
  unsigned total = 0;
};

} // namespace opc::aicore::proof

#endif // OPC_LOWERING_AICORE_VERIFY_ORDER_SEGMENTS_H

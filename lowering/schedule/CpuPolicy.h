// How the CPU divides the work of a te body. A block is a run of items (lowering/cpu/vector/Frame.h): elements, rows,
// elements that are kept. Blocks are large enough that issuing them costs little, and their number does not depend on
// threads, so neither does any result.
//
//   block_length   items of a block
//   block_num      blocks, at most what the device takes
//
// A row is never divided: its sum is added in one order.

#ifndef OPC_LOWERING_SCHEDULE_CPUPOLICY_H
#define OPC_LOWERING_SCHEDULE_CPUPOLICY_H

#include "lowering/schedule/TilingFunction.h"

namespace opc {

class CpuPolicy : public TilingPolicy {
public:
  /// The CPU has no rows that are too long for it.
  std::optional<int64_t> longestRow(const ShapeKey &) override { return std::nullopt; }
  std::vector<PolicyField> fields(TilingMath &math, const ShapeKey &key, const LaunchSizes &sizes) override;
};

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_CPUPOLICY_H

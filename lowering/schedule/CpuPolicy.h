// The division of the work of a te body on the CPU. A block is a sequence of items (lowering/cpu/vector/Frame.h):
// elements, rows, kept elements of a reduction, or tiles of a matrix product. Blocks are large enough that issuing them
// is cheap. Their number does not depend on the number of threads, so results do not either.
//
//   block_length   items per block
//   block_num      number of blocks, at most what the device accepts
//   tile_m, tile_n rows and columns of a tile of a matrix product
//
// A row is never divided, so its sum has a single order.

#ifndef OPC_LOWERING_SCHEDULE_CPUPOLICY_H
#define OPC_LOWERING_SCHEDULE_CPUPOLICY_H

#include "lowering/schedule/tiling/TilingFunction.h"
#include "ops/contract/domain/Contraction.h"

namespace opc {

class CpuPolicy : public TilingPolicy {
public:
  /// The CPU has no limit on the length of rows, but of those of a product, which it keeps.
  std::optional<int64_t> longestRow(const ShapeKey &key) override {
    return key.kind == ShapeKey::Contraction ? std::optional(kLongestProductRow) : std::nullopt;
  }
  bool reducesNothing() const override { return true; }
  bool addsBlocks() const override { return true; }
  std::vector<PolicyField> fields(TilingMath &math, const ShapeKey &key, const LaunchSizes &sizes) override;
};

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_CPUPOLICY_H

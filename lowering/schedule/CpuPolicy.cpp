#include "lowering/schedule/CpuPolicy.h"

using namespace mlir;

namespace opc {

// Elements that are worth a separate block: 10 to 30 microseconds on one thread.
static constexpr int64_t kElementsOfBlock = 32768;
// Blocks of elements start at multiples of this, so they are aligned if their tensors are.
static constexpr int64_t kElementUnit = 1024;
// Columns that are worth reading every row for.
static constexpr int64_t kColumnUnit = 512;

static bool isItem(const ShapeKey &key, unsigned loop) {
  if (key.kind == ShapeKey::Rows)
    return loop == 0;
  return !key.reduced[loop];
}

std::vector<PolicyField> CpuPolicy::fields(TilingMath &math, const ShapeKey &key, const LaunchSizes &sizes) {
  Value items = math.mul(sizes.batch0, sizes.batch1), each = math.constant(1);
  for (unsigned loop = 0; loop < key.loops; ++loop)
    (isItem(key, loop) ? items : each) = math.mul(isItem(key, loop) ? items : each, sizes.size[loop]);
  int64_t unit = 1;
  if (key.kind == ShapeKey::Flat || key.kind == ShapeKey::Grid || key.kind == ShapeKey::Strided ||
      key.kind == ShapeKey::Any)
    unit = kElementUnit;
  if (key.kind == ShapeKey::ReduceColumns || key.kind == ShapeKey::Columns)
    unit = kColumnUnit;
  Value one = math.constant(1);
  Value worthwhile = math.ceilDiv(math.constant(kElementsOfBlock), math.max(each, one));
  Value share = math.ceilDiv(items, math.max(sizes.maxBlocks, one));
  Value length = math.max(math.roundUp(math.max(share, worthwhile), unit), one);
  // What is read across is read in slabs of whole rows.
  if (llvm::any_of(key.operands, [](const ShapeKey::Operand &operand) { return operand.isAcross; })) {
    Value row = math.max(sizes.size[1], one);
    length = math.mul(math.ceilDiv(length, row), row);
  }
  Value blocks = math.max(math.ceilDiv(items, length), one);
  return {{"block_num", blocks}, {"block_length", length}};
}

} // namespace opc

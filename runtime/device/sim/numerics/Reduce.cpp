// Reductions over a whole tile. Blocks are a power of two long, so reducing each block and then the
// blocks' results is one tree.

#include "runtime/device/sim/numerics/Tree.h"

namespace opc::sim::OPC_SIM_LEVEL {
namespace {

/// Partial results of one level; the unified buffer has no more than 64 * kBlock * kBlock elements.
constexpr int64_t kMaxPartials = 64 * kBlock;

template <typename T, typename Op> void reduce(const VectorCall &call) {
  if (call.count <= 0 || call.count > kMaxPartials * kBlock)
    return;
  float partials[kMaxPartials];
  int64_t count = 0;
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    float values[kBlock];
    load<T>(call.sources[0], index, lanes, values);
    partials[count++] = reduceBlock<T, Op>(values, lanes);
  });
  while (count > 1) {
    int64_t next = 0;
    for (int64_t index = 0; index < count; index += kBlock) {
      const int64_t lanes = count - index < kBlock ? count - index : kBlock;
      float values[kBlock] = {};
      std::memcpy(values, partials + index, size_t(lanes) * sizeof(float));
      partials[next++] = reduceBlock<T, Op>(values, lanes);
    }
    count = next;
  }
  float result[kBlock] = {oneNaN(partials[0])};
  store<T>(result, call.destination, 0, 1);
}

const VectorEntry kTable[] = {
    entry<Half>(Intrinsic::vreduce_sum, reduce<Half, Sum>),
    entry<float>(Intrinsic::vreduce_sum, reduce<float, Sum>),
    entry<Half>(Intrinsic::vreduce_max, reduce<Half, Max>),
    entry<float>(Intrinsic::vreduce_max, reduce<float, Max>),
    entry<Half>(Intrinsic::vreduce_min, reduce<Half, Min>),
    entry<float>(Intrinsic::vreduce_min, reduce<float, Min>),
};

} // namespace

VectorTable reduceTable() {
  return tableOf(kTable);
}

} // namespace opc::sim::OPC_SIM_LEVEL

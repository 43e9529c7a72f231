// Reductions over a whole tile.
//
//   maxima, minima    one tree of neighbours over all elements
//   sums              count = whole repeats of 256 bytes + tail: a tree over each, and the two
//                     results are added last, as the chip's call by count does it
//
// The length of a block is a power of two, so reducing each block and then the results of the blocks gives the
// same tree.

#include "runtime/device/sim/numerics/Tree.h"

namespace opc::sim::OPC_SIM_LEVEL {
namespace {

/// Most partial results of a level; the unified buffer has at most 64 * kBlock * kBlock elements.
constexpr int64_t kMaxPartials = 64 * kBlock;

/// Reduces `length` elements from `first` on by one tree.
template <typename T, typename Op> float treeOf(const VectorCall &call, int64_t first, int64_t length) {
  float partials[kMaxPartials];
  int64_t count = 0;
  forEachBlock(length, [&](int64_t index, int64_t lanes) {
    float values[kBlock];
    load<T>(call.sources[0], first + index, lanes, values);
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
  return partials[0];
}

template <typename T> void put(float value, const VectorCall &call) {
  float result[kBlock] = {oneNaN(value)};
  store<T>(result, call.destination, 0, 1);
}

bool isReducible(const VectorCall &call) {
  return call.count > 0 && call.count <= kMaxPartials * kBlock;
}

template <typename T, typename Op> void reduce(const VectorCall &call) {
  if (isReducible(call))
    put<T>(treeOf<T, Op>(call, 0, call.count), call);
}

template <typename T> void sum(const VectorCall &call) {
  if (!isReducible(call))
    return;
  const int64_t tail = call.count % (kRepeatBytes / int64_t(sizeof(T)));
  const int64_t whole = call.count - tail;
  if (whole == 0 || tail == 0)
    return put<T>(treeOf<T, Sum>(call, 0, call.count), call);
  put<T>(Sum::apply(treeOf<T, Sum>(call, 0, whole), treeOf<T, Sum>(call, whole, tail)), call);
}

const VectorEntry kTable[] = {
    entry<Half>(Intrinsic::vreduce_sum, sum<Half>),         entry<float>(Intrinsic::vreduce_sum, sum<float>),
    entry<Half>(Intrinsic::vreduce_max, reduce<Half, Max>), entry<float>(Intrinsic::vreduce_max, reduce<float, Max>),
    entry<Half>(Intrinsic::vreduce_min, reduce<Half, Min>), entry<float>(Intrinsic::vreduce_min, reduce<float, Min>),
};

} // namespace

VectorTable reduceTable() {
  return tableOf(kTable);
}

} // namespace opc::sim::OPC_SIM_LEVEL

// Reductions of parts of a tile: repeats of 256 bytes, blocks of 32, pairs.
//
// The last repeat may be shorter. Missing elements count as 0 in sums, and in maxima and minima as the number that
// loses every comparison (for half the largest finite number, as documented).

#include "runtime/device/sim/numerics/Tree.h"

namespace opc::sim::OPC_SIM_LEVEL {
namespace {

template <typename T> constexpr int64_t kRepeat = kRepeatBytes / int64_t(sizeof(T));

/// The result of a block without elements.
template <typename T, typename Op> struct Empty;
template <typename T> struct Empty<T, Sum> {
  static float value() { return 0.0f; }
};
template <> struct Empty<Half, Max> {
  static float value() { return -65504.0f; }
};
template <> struct Empty<Half, Min> {
  static float value() { return 65504.0f; }
};
template <> struct Empty<float, Max> {
  static float value() { return floatFromBits(0xff800000u); }
};
template <> struct Empty<float, Min> {
  static float value() { return floatFromBits(0x7f800000u); }
};

OPC_ALWAYS_INLINE int64_t atMost(int64_t value, int64_t most) {
  return value < most ? value : most;
}

/// Reads a repeat's elements; lanes past them are zero.
template <typename T>
OPC_ALWAYS_INLINE void loadRepeat(const VectorCall &call, int64_t first, int64_t lanes, float *values) {
  T part[kBlock] = {};
  std::memcpy(part, static_cast<const T *>(call.sources[0]) + first, size_t(lanes) * sizeof(T));
  widen(part, values);
}

template <typename T, typename Op> void reduceRepeats(const VectorCall &call) {
  for (int64_t first = 0, g = 0; first < call.count; first += kRepeat<T>, ++g) {
    const int64_t lanes = atMost(call.count - first, kRepeat<T>);
    float values[kBlock];
    loadRepeat<T>(call, first, lanes, values);
    float result[kBlock] = {oneNaN(reduceBlock<T, Op>(values, lanes))};
    store<T>(result, call.destination, g, 1);
  }
}

template <typename T, typename Op> void reduceBlocks(const VectorCall &call) {
  constexpr int64_t lanesOfBlock = kBlockBytes / int64_t(sizeof(T));
  constexpr int64_t blocks = kRepeatBytes / kBlockBytes;
  for (int64_t first = 0, g = 0; first < call.count; first += kRepeat<T>, g += blocks) {
    float repeat[kBlock], results[kBlock] = {};
    loadRepeat<T>(call, first, atMost(call.count - first, kRepeat<T>), repeat);
    for (int64_t block = 0; block < blocks; ++block) {
      const int64_t begin = block * lanesOfBlock;
      const int64_t lanes = atMost(call.count - first - begin, lanesOfBlock);
      if (lanes <= 0) {
        results[block] = Empty<T, Op>::value();
        continue;
      }
      float values[kBlock] = {};
      std::memcpy(values, repeat + begin, size_t(lanesOfBlock) * sizeof(float));
      results[block] = oneNaN(reduceBlock<T, Op>(values, lanes));
    }
    store<T>(results, call.destination, g, blocks);
  }
}

/// Lanes past the source are zero, which does not change a sum.
template <typename T> void addPairs(const VectorCall &call) {
  for (int64_t first = 0; first < call.count; first += kRepeat<T>) {
    float repeat[kBlock], results[kBlock] = {};
    loadRepeat<T>(call, first, atMost(call.count - first, kRepeat<T>), repeat);
    for (int64_t i = 0; i < kRepeat<T> / 2; ++i)
      results[i] = Sum::apply(repeat[2 * i], repeat[2 * i + 1]);
    store<T>(results, call.destination, first / 2, kRepeat<T> / 2);
  }
}

const VectorEntry kTable[] = {
    entry<Half>(Intrinsic::vreduce_repeat_sum, reduceRepeats<Half, Sum>),
    entry<float>(Intrinsic::vreduce_repeat_sum, reduceRepeats<float, Sum>),
    entry<Half>(Intrinsic::vreduce_repeat_max, reduceRepeats<Half, Max>),
    entry<float>(Intrinsic::vreduce_repeat_max, reduceRepeats<float, Max>),
    entry<Half>(Intrinsic::vreduce_repeat_min, reduceRepeats<Half, Min>),
    entry<float>(Intrinsic::vreduce_repeat_min, reduceRepeats<float, Min>),
    entry<Half>(Intrinsic::vreduce_block_sum, reduceBlocks<Half, Sum>),
    entry<float>(Intrinsic::vreduce_block_sum, reduceBlocks<float, Sum>),
    entry<Half>(Intrinsic::vreduce_block_max, reduceBlocks<Half, Max>),
    entry<float>(Intrinsic::vreduce_block_max, reduceBlocks<float, Max>),
    entry<Half>(Intrinsic::vreduce_block_min, reduceBlocks<Half, Min>),
    entry<float>(Intrinsic::vreduce_block_min, reduceBlocks<float, Min>),
    entry<Half>(Intrinsic::vreduce_pair_sum, addPairs<Half>),
    entry<float>(Intrinsic::vreduce_pair_sum, addPairs<float>),
};

} // namespace

VectorTable partsTable() {
  return tableOf(kTable);
}

} // namespace opc::sim::OPC_SIM_LEVEL

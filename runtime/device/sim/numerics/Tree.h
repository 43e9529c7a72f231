// The order of reductions: pairs of neighbours, level by level; an element without a neighbour moves up unchanged.
//
//   a0 a1 a2 a3 a4      ->      a0+a1  a2+a3  a4      ->      (a0+a1)+(a2+a3)  a4      ->      ...
//
// Every step is rounded to the type.

#ifndef OPC_RUNTIME_DEVICE_SIM_NUMERICS_TREE_H
#define OPC_RUNTIME_DEVICE_SIM_NUMERICS_TREE_H

#include "runtime/device/sim/numerics/Blocks.h"

namespace opc::sim {
namespace {

struct Sum {
  static float apply(float a, float b) { return oneNaN(a + b); }
};

struct Max {
  static float apply(float a, float b) { return maxOf(a, b); }
};

struct Min {
  static float apply(float a, float b) { return minOf(a, b); }
};

/// Reduces `lanes` values in place. Reads the rest of the block too, without effect on the result.
template <typename T, typename Op> float reduceBlock(float *values, int64_t lanes) {
  float next[kBlock] = {};
  while (lanes > 1) {
    for (int64_t i = 0; i < kBlock / 2; ++i)
      next[i] = Op::apply(values[2 * i], values[2 * i + 1]);
    roundBlock<T>(next);
    if (lanes % 2)
      next[lanes / 2] = values[lanes - 1];
    lanes = (lanes + 1) / 2;
    std::memcpy(values, next, sizeof(next));
  }
  return values[0];
}

} // namespace
} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_NUMERICS_TREE_H

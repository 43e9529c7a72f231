// exp and ln, computed in double from float or half (Elementary.h) and rounded once: a float result is within 0.5001
// ulp, and every half result is correctly rounded (tested for all 65,536 values).

#include "runtime/device/sim/numerics/Elementary.h"
#include "runtime/device/sim/numerics/Blocks.h"

namespace opc::sim::OPC_SIM_LEVEL {
namespace {

struct Exp {
  static double apply(float a) { return expOf(a); }
};

struct Ln {
  static double apply(float a) { return lnOf(a); }
};

template <typename Op> void floatOf(const VectorCall &call) {
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    float a[kBlock];
    load<float>(call.sources[0], index, lanes, a);
    for (int64_t i = 0; i < kBlock; ++i)
      a[i] = oneNaN(float(Op::apply(a[i])));
    store<float>(a, call.destination, index, lanes);
  });
}

template <typename Op> void halfOf(const VectorCall &call) {
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    float a[kBlock];
    load<Half>(call.sources[0], index, lanes, a);
    for (int64_t i = 0; i < kBlock; ++i)
      a[i] = oneNaN(toFloatOdd(Op::apply(a[i])));
    store<Half>(a, call.destination, index, lanes);
  });
}

const VectorEntry kTable[] = {
    entry<Half>(Intrinsic::vexp, halfOf<Exp>),
    entry<float>(Intrinsic::vexp, floatOf<Exp>),
    entry<Half>(Intrinsic::vln, halfOf<Ln>),
    entry<float>(Intrinsic::vln, floatOf<Ln>),
};

} // namespace

VectorTable elementaryTable() {
  return tableOf(kTable);
}

} // namespace opc::sim::OPC_SIM_LEVEL

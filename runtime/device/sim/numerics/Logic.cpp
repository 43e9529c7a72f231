// Logic on bits: and, or, xor, not, shifts. A shift by the width or more, or by a negative amount, gives 0, or copies
// of the sign bit for a right shift of a signed type. A right shift that rounds adds the last bit that it drops.

#include "runtime/device/sim/numerics/Blocks.h"

namespace opc::sim::OPC_SIM_LEVEL {
namespace {

struct And {
  template <typename T> static T apply(T a, T b) { return T(a & b); }
};

struct Or {
  template <typename T> static T apply(T a, T b) { return T(a | b); }
};

struct Xor {
  template <typename T> static T apply(T a, T b) { return T(a ^ b); }
};

struct Not {
  template <typename T> static T apply(T a) { return T(~a); }
};

template <typename T> void shiftLeft(const VectorCall &call) {
  constexpr uint64_t kBits = sizeof(T) * 8;
  const bool all = call.scalar >= kBits;
  const unsigned amount = all ? 0 : unsigned(call.scalar);
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    T a[kBlock];
    load<T>(call.sources[0], index, lanes, a);
    for (int64_t i = 0; i < kBlock; ++i)
      a[i] = all ? T(0) : T(uint32_t(a[i]) << amount);
    store<T>(a, call.destination, index, lanes);
  });
}

template <typename T> void shiftRight(const VectorCall &call) {
  constexpr uint64_t kBits = sizeof(T) * 8;
  constexpr bool kSigned = T(-1) < T(0);
  const bool all = call.scalar >= kBits;
  const unsigned amount = all ? unsigned(kBits - 1) : unsigned(call.scalar);
  const bool rounds = call.rounding == RoundingMode::Round && !all && amount != 0;
  const unsigned dropped = rounds ? amount - 1 : 0, kept = rounds ? 1 : 0;
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    T a[kBlock];
    load<T>(call.sources[0], index, lanes, a);
    for (int64_t i = 0; i < kBlock; ++i)
      a[i] = all && !kSigned ? T(0) : T((a[i] >> amount) + ((a[i] >> dropped) & T(kept)));
    store<T>(a, call.destination, index, lanes);
  });
}

const VectorEntry kTable[] = {
    entry<int16_t>(Intrinsic::vand, binary<int16_t, int16_t, And>),
    entry<uint16_t>(Intrinsic::vand, binary<uint16_t, uint16_t, And>),
    entry<int16_t>(Intrinsic::vor, binary<int16_t, int16_t, Or>),
    entry<uint16_t>(Intrinsic::vor, binary<uint16_t, uint16_t, Or>),
    entry<int16_t>(Intrinsic::vxor, binary<int16_t, int16_t, Xor>),
    entry<uint16_t>(Intrinsic::vxor, binary<uint16_t, uint16_t, Xor>),
    entry<int16_t>(Intrinsic::vnot, unary<int16_t, int16_t, Not>),
    entry<uint16_t>(Intrinsic::vnot, unary<uint16_t, uint16_t, Not>),
    entry<int16_t>(Intrinsic::vshl, shiftLeft<int16_t>),
    entry<uint16_t>(Intrinsic::vshl, shiftLeft<uint16_t>),
    entry<int32_t>(Intrinsic::vshl, shiftLeft<int32_t>),
    entry<uint32_t>(Intrinsic::vshl, shiftLeft<uint32_t>),
    entry<int16_t>(Intrinsic::vshr, shiftRight<int16_t>),
    entry<uint16_t>(Intrinsic::vshr, shiftRight<uint16_t>),
    entry<int32_t>(Intrinsic::vshr, shiftRight<int32_t>),
    entry<uint32_t>(Intrinsic::vshr, shiftRight<uint32_t>),
};

} // namespace

VectorTable logicTable() {
  return tableOf(kTable);
}

} // namespace opc::sim::OPC_SIM_LEVEL

// Compare to bit masks, and select by them. A mask has one bit for each element, eight to a byte, lowest bit first.
//
// Only `ne` is true for a comparison with a NaN. Select copies bits, so that NaNs keep their payload.

#include "runtime/device/sim/numerics/Blocks.h"

namespace opc::sim::OPC_SIM_LEVEL {
namespace {

struct Lt {
  static bool apply(float a, float b) { return a < b; }
};
struct Gt {
  static bool apply(float a, float b) { return a > b; }
};
struct Eq {
  static bool apply(float a, float b) { return a == b; }
};
struct Le {
  static bool apply(float a, float b) { return a <= b; }
};
struct Ge {
  static bool apply(float a, float b) { return a >= b; }
};
struct Ne {
  static bool apply(float a, float b) { return !(a == b); }
};

/// Packs eight flags of 0 or 1 into a byte.
OPC_ALWAYS_INLINE void pack(const uint8_t *flags, int64_t lanes, uint8_t *mask) {
  for (int64_t byte = 0; byte < (lanes + 7) / 8; ++byte) {
    unsigned bits = 0;
    for (unsigned i = 0; i < 8; ++i)
      bits |= unsigned(flags[byte * 8 + i]) << i;
    mask[byte] = uint8_t(bits);
  }
}

template <typename S, typename Op, bool kScalar> void compareAs(const VectorCall &call) {
  uint8_t *mask = static_cast<uint8_t *>(call.destination);
  const float s = kScalar ? scalarOf<S>(call.scalar) : 0.0f;
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    float a[kBlock], b[kBlock];
    uint8_t flags[kBlock];
    load<S>(call.sources[0], index, lanes, a);
    if (!kScalar)
      load<S>(call.sources[1], index, lanes, b);
    for (int64_t i = 0; i < kBlock; ++i)
      flags[i] = Op::apply(a[i], kScalar ? s : b[i]) ? 1 : 0;
    for (int64_t i = lanes; i < kBlock; ++i)
      flags[i] = 0;
    pack(flags, lanes, mask + index / 8);
  });
}

template <typename S, bool kScalar> void compare(const VectorCall &call) {
  switch (call.compare) {
  case CompareMode::Lt:
    return compareAs<S, Lt, kScalar>(call);
  case CompareMode::Gt:
    return compareAs<S, Gt, kScalar>(call);
  case CompareMode::Eq:
    return compareAs<S, Eq, kScalar>(call);
  case CompareMode::Le:
    return compareAs<S, Le, kScalar>(call);
  case CompareMode::Ge:
    return compareAs<S, Ge, kScalar>(call);
  case CompareMode::Ne:
    return compareAs<S, Ne, kScalar>(call);
  }
}

/// The bits of a scalar operand in memory.
template <typename Word> Word wordOf(uint64_t scalar);
template <> OPC_ALWAYS_INLINE uint32_t wordOf<uint32_t>(uint64_t scalar) {
  return uint32_t(scalar);
}
template <> OPC_ALWAYS_INLINE uint16_t wordOf<uint16_t>(uint64_t scalar) {
  return toHalf(floatFromBits(uint32_t(scalar))).bits;
}

/// Sources: the mask, the value for set bits, and the value for clear bits (or the scalar).
template <typename Word, bool kScalar> void select(const VectorCall &call) {
  const uint8_t *mask = static_cast<const uint8_t *>(call.sources[0]);
  const Word s = kScalar ? wordOf<Word>(call.scalar) : Word(0);
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    Word a[kBlock], b[kBlock];
    uint8_t bytes[kBlock / 8] = {};
    std::memcpy(bytes, mask + index / 8, size_t(lanes + 7) / 8);
    load<Word>(call.sources[1], index, lanes, a);
    if (!kScalar)
      load<Word>(call.sources[2], index, lanes, b);
    for (int64_t i = 0; i < kBlock; ++i)
      a[i] = (bytes[i / 8] >> (i % 8)) & 1 ? a[i] : (kScalar ? s : b[i]);
    store<Word>(a, call.destination, index, lanes);
  });
}

const VectorEntry kTable[] = {
    entry<Half, uint8_t>(Intrinsic::vcmp, compare<Half, false>),
    entry<float, uint8_t>(Intrinsic::vcmp, compare<float, false>),
    entry<Half, uint8_t>(Intrinsic::vcmps, compare<Half, true>),
    entry<float, uint8_t>(Intrinsic::vcmps, compare<float, true>),
    entry<Half>(Intrinsic::vsel, select<uint16_t, false>),
    entry<float>(Intrinsic::vsel, select<uint32_t, false>),
    entry<Half>(Intrinsic::vsels, select<uint16_t, true>),
    entry<float>(Intrinsic::vsels, select<uint32_t, true>),
};

} // namespace

VectorTable compareTable() {
  return tableOf(kTable);
}

} // namespace opc::sim::OPC_SIM_LEVEL

// Casts between element types under each rounding mode. Integers saturate, except float to 64 bits, which keeps the
// low bits of the whole number (Accuracy.def). A value that is too large for a float type becomes infinite, or the
// largest number where the mode rounds toward zero. NaN becomes 0 as an integer. Float to float gives whole numbers.
//
// The dialect's verifier and the program's checks refuse modes that a type row does not admit.

#include "runtime/device/sim/numerics/Rounding.h"

#include <type_traits>

namespace opc::sim::OPC_SIM_LEVEL {
namespace {

template <typename T> constexpr double kLow = 0;
template <> constexpr double kLow<int8_t> = -128.0;
template <> constexpr double kLow<int16_t> = -32768.0;
template <> constexpr double kLow<int32_t> = -2147483648.0;
template <typename T> constexpr double kHigh = 0;
template <> constexpr double kHigh<int8_t> = 127.0;
template <> constexpr double kHigh<uint8_t> = 255.0;
template <> constexpr double kHigh<int16_t> = 32767.0;
template <> constexpr double kHigh<int32_t> = 2147483647.0;

/// Converts one value. `From` is the computation type of the source.
template <typename From, typename To, RoundingMode kMode> struct Convert {
  static To apply(From a) {
    // The remaining cases: float to integer, and integer to a narrower integer.
    if constexpr (std::is_floating_point_v<From>)
      return To(integerUnder<kMode>(a, kLow<To>, kHigh<To>));
    else
      return To(double(a) < kLow<To> ? kLow<To> : (double(a) > kHigh<To> ? kHigh<To> : double(a)));
  }
};
template <RoundingMode kMode> struct Convert<int32_t, int64_t, kMode> {
  static int64_t apply(int32_t a) { return a; }
};
template <RoundingMode kMode> struct Convert<int64_t, int32_t, kMode> {
  static int32_t apply(int64_t a) { return a < INT32_MIN ? INT32_MIN : (a > INT32_MAX ? INT32_MAX : int32_t(a)); }
};
template <RoundingMode kMode> struct Convert<float, int64_t, kMode> {
  static int64_t apply(float a) { return longUnder<kMode>(a); }
};
template <RoundingMode kMode> struct Convert<int64_t, float, kMode> {
  static float apply(int64_t a) { return floatUnder<kMode>(a); }
};
template <typename From, RoundingMode kMode> struct Convert<From, float, kMode> {
  static float apply(From a) { return floatUnder<kMode>(double(a)); }
};
template <RoundingMode kMode> struct Convert<float, float, kMode> {
  static float apply(float a) { return oneNaN(a); }
};
template <typename From, RoundingMode kMode> struct Convert<From, Half, kMode> {
  static Half apply(From a) { return halfUnder<kMode>(toFloatOdd(double(a))); }
};
template <RoundingMode kMode> struct Convert<float, Half, kMode> {
  static Half apply(float a) { return halfUnder<kMode>(a); }
};
template <RoundingMode kMode> struct Convert<float, BFloat16, kMode> {
  static BFloat16 apply(float a) { return bfloatUnder<kMode>(a); }
};

/// Rounds floats to whole numbers. The row differs from half to float, whose computed types are the same.
template <RoundingMode kMode> void wholes(const VectorCall &call) {
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    float a[kBlock], r[kBlock];
    load<float>(call.sources[0], index, lanes, a);
    for (int64_t i = 0; i < kBlock; ++i)
      r[i] = wholeUnder<kMode>(a[i]);
    store<float>(r, call.destination, index, lanes);
  });
}

template <typename S, typename D, RoundingMode kMode> void castUnder(const VectorCall &call) {
  if constexpr (std::is_same_v<S, float> && std::is_same_v<D, float>)
    return wholes<kMode>(call);
  using From = ComputedType<S>;
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    From a[kBlock];
    D r[kBlock];
    load<S>(call.sources[0], index, lanes, a);
    for (int64_t i = 0; i < kBlock; ++i)
      r[i] = Convert<From, D, kMode>::apply(a[i]);
    std::memcpy(static_cast<D *>(call.destination) + index, r, size_t(lanes) * sizeof(D));
  });
}

/// Float to half, to nearest, uses the machine's conversion.
template <> void castUnder<float, Half, RoundingMode::Rint>(const VectorCall &call) {
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    float a[kBlock];
    load<float>(call.sources[0], index, lanes, a);
    for (int64_t i = 0; i < kBlock; ++i)
      a[i] = oneNaN(a[i]);
    store<Half>(a, call.destination, index, lanes);
  });
}

template <typename S, typename D> void cast(const VectorCall &call) {
  switch (call.rounding) {
  case RoundingMode::None:
  case RoundingMode::Rint:
    return castUnder<S, D, RoundingMode::Rint>(call);
  case RoundingMode::Floor:
    return castUnder<S, D, RoundingMode::Floor>(call);
  case RoundingMode::Ceil:
    return castUnder<S, D, RoundingMode::Ceil>(call);
  case RoundingMode::Round:
    return castUnder<S, D, RoundingMode::Round>(call);
  case RoundingMode::Trunc:
    return castUnder<S, D, RoundingMode::Trunc>(call);
  case RoundingMode::Odd:
    return castUnder<S, D, RoundingMode::Odd>(call);
  }
}

const VectorEntry kTable[] = {
    entry<int8_t, Half>(Intrinsic::vcast, castUnder<int8_t, Half, RoundingMode::Rint>),
    entry<uint8_t, Half>(Intrinsic::vcast, castUnder<uint8_t, Half, RoundingMode::Rint>),
    entry<int16_t, Half>(Intrinsic::vcast, cast<int16_t, Half>),
    entry<int16_t, float>(Intrinsic::vcast, castUnder<int16_t, float, RoundingMode::Rint>),
    entry<Half, int8_t>(Intrinsic::vcast, cast<Half, int8_t>),
    entry<Half, uint8_t>(Intrinsic::vcast, cast<Half, uint8_t>),
    entry<Half, int16_t>(Intrinsic::vcast, cast<Half, int16_t>),
    entry<Half, int32_t>(Intrinsic::vcast, cast<Half, int32_t>),
    entry<Half, float>(Intrinsic::vcast, castUnder<Half, float, RoundingMode::Rint>),
    entry<BFloat16, int32_t>(Intrinsic::vcast, cast<BFloat16, int32_t>),
    entry<BFloat16, float>(Intrinsic::vcast, castUnder<BFloat16, float, RoundingMode::Rint>),
    entry<int32_t, int16_t>(Intrinsic::vcast, castUnder<int32_t, int16_t, RoundingMode::Rint>),
    entry<int32_t, Half>(Intrinsic::vcast, cast<int32_t, Half>),
    entry<int32_t, float>(Intrinsic::vcast, cast<int32_t, float>),
    entry<int32_t, int64_t>(Intrinsic::vcast, castUnder<int32_t, int64_t, RoundingMode::Rint>),
    entry<int64_t, int32_t>(Intrinsic::vcast, castUnder<int64_t, int32_t, RoundingMode::Rint>),
    entry<int64_t, float>(Intrinsic::vcast, cast<int64_t, float>),
    entry<float, int64_t>(Intrinsic::vcast, cast<float, int64_t>),
    entry<float, float>(Intrinsic::vcast, cast<float, float>),
    entry<float, int16_t>(Intrinsic::vcast, cast<float, int16_t>),
    entry<float, Half>(Intrinsic::vcast, cast<float, Half>),
    entry<float, int32_t>(Intrinsic::vcast, cast<float, int32_t>),
    entry<float, BFloat16>(Intrinsic::vcast, cast<float, BFloat16>),
};

} // namespace

VectorTable castTable() {
  return tableOf(kTable);
}

} // namespace opc::sim::OPC_SIM_LEVEL

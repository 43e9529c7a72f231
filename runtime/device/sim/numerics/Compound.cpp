// Compound intrinsics of several steps, each rounded to the type that it computes in: variants of multiply-add,
// arithmetic with a cast.
//
// The wide forms (half sources, float destination) compute in float, in which a product of two halves is exact.

#include "runtime/device/sim/numerics/Blocks.h"

namespace opc::sim::OPC_SIM_LEVEL {
namespace {

enum class Addend { Destination, Source };

/// a * b + c with one rounding. For halves the product is exact in double; the sum in double loses only digits far
/// below those of a half.
template <typename D> OPC_ALWAYS_INLINE float fused(float a, float b, float c) {
  return toFloatOdd(double(a) * double(b) + double(c));
}
template <> OPC_ALWAYS_INLINE float fused<float>(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}

/// dst = a * b + c; the product is rounded to D before the sum unless call.fused. FusedMulAdd: b is dst, c is src1;
/// MulAddDst: c is dst.
template <typename S, typename D, Addend kAddend, bool kRelu> void multiplyAdd(const VectorCall &call) {
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    float a[kBlock], b[kBlock], d[kBlock], r[kBlock];
    load<S>(call.sources[0], index, lanes, a);
    load<S>(call.sources[1], index, lanes, b);
    load<D>(call.destination, index, lanes, d);
    const float *factor = kAddend == Addend::Source ? d : b;
    const float *addend = kAddend == Addend::Source ? b : d;
    if (call.fused) {
      for (int64_t i = 0; i < kBlock; ++i)
        r[i] = oneNaN(fused<D>(a[i], factor[i], addend[i]));
    } else {
      for (int64_t i = 0; i < kBlock; ++i)
        r[i] = a[i] * factor[i];
      roundBlock<D>(r);
      for (int64_t i = 0; i < kBlock; ++i)
        r[i] = oneNaN(r[i] + addend[i]);
    }
    for (int64_t i = 0; kRelu && i < kBlock; ++i)
      r[i] = reluOf(r[i]);
    store<D>(r, call.destination, index, lanes);
  });
}

/// dst = src * s + dst
template <typename S, typename D> void axpy(const VectorCall &call) {
  const float s = scalarOf<S>(call.scalar);
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    float a[kBlock], d[kBlock];
    load<S>(call.sources[0], index, lanes, a);
    load<D>(call.destination, index, lanes, d);
    for (int64_t i = 0; i < kBlock; ++i)
      a[i] = a[i] * s;
    roundBlock<D>(a);
    for (int64_t i = 0; i < kBlock; ++i)
      a[i] = oneNaN(a[i] + d[i]);
    store<D>(a, call.destination, index, lanes);
  });
}

/// Rounds to the nearest integer, ties to even, within [low, high]; NaN gives 0.
OPC_ALWAYS_INLINE int32_t saturated(float value, float low, float high) {
  float x = value == value ? value : 0.0f;
  x = x < low ? low : x;
  x = x > high ? high : x;
  // Adding 1.5 * 2^23 rounds; the bounds are far below 2^22.
  return int32_t((x + 0x1.8p23f) - 0x1.8p23f);
}

/// dst = relu(src0 + kSign * src1), the sum rounded to half, as int8.
template <int kSign> void addReluToInt8(const VectorCall &call) {
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    float a[kBlock], b[kBlock];
    int8_t r[kBlock];
    load<Half>(call.sources[0], index, lanes, a);
    load<Half>(call.sources[1], index, lanes, b);
    for (int64_t i = 0; i < kBlock; ++i)
      a[i] = a[i] + float(kSign) * b[i];
    roundBlock<Half>(a);
    for (int64_t i = 0; i < kBlock; ++i)
      r[i] = int8_t(saturated(a[i], 0.0f, 127.0f));
    store<int8_t>(r, call.destination, index, lanes);
  });
}

/// dst = relu(src0 + kSign * src1) in float, as half.
template <int kSign> void addReluToHalf(const VectorCall &call) {
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    float a[kBlock], b[kBlock];
    load<float>(call.sources[0], index, lanes, a);
    load<float>(call.sources[1], index, lanes, b);
    for (int64_t i = 0; i < kBlock; ++i)
      a[i] = reluOf(a[i] + float(kSign) * b[i]);
    store<Half>(a, call.destination, index, lanes);
  });
}

/// dst = src0 * src1, the product rounded to half, as an 8-bit integer.
template <typename D> void multiplyTo(const VectorCall &call) {
  constexpr float kLow = D(-1) < D(0) ? -128.0f : 0.0f;
  constexpr float kHigh = D(-1) < D(0) ? 127.0f : 255.0f;
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    float a[kBlock], b[kBlock];
    D r[kBlock];
    load<Half>(call.sources[0], index, lanes, a);
    load<Half>(call.sources[1], index, lanes, b);
    for (int64_t i = 0; i < kBlock; ++i)
      a[i] = a[i] * b[i];
    roundBlock<Half>(a);
    for (int64_t i = 0; i < kBlock; ++i)
      r[i] = D(saturated(a[i], kLow, kHigh));
    store<D>(r, call.destination, index, lanes);
  });
}

const VectorEntry kTable[] = {
    entry<Half>(Intrinsic::vfma, multiplyAdd<Half, Half, Addend::Source, false>),
    entry<float>(Intrinsic::vfma, multiplyAdd<float, float, Addend::Source, false>),
    entry<Half>(Intrinsic::vmuladdrelu, multiplyAdd<Half, Half, Addend::Source, true>),
    entry<float>(Intrinsic::vmuladdrelu, multiplyAdd<float, float, Addend::Source, true>),
    entry<Half>(Intrinsic::vmuladd, multiplyAdd<Half, Half, Addend::Destination, false>),
    entry<float>(Intrinsic::vmuladd, multiplyAdd<float, float, Addend::Destination, false>),
    entry<Half>(Intrinsic::vaxpy, axpy<Half, Half>),
    entry<float>(Intrinsic::vaxpy, axpy<float, float>),
    entry<Half, float>(Intrinsic::vaxpy, axpy<Half, float>),
    entry<Half, int8_t>(Intrinsic::vaddrelucast, addReluToInt8<1>),
    entry<float, Half>(Intrinsic::vaddrelucast, addReluToHalf<1>),
    entry<Half, int8_t>(Intrinsic::vsubrelucast, addReluToInt8<-1>),
    entry<float, Half>(Intrinsic::vsubrelucast, addReluToHalf<-1>),
    entry<Half, int8_t>(Intrinsic::vmulcast, multiplyTo<int8_t>),
    entry<Half, uint8_t>(Intrinsic::vmulcast, multiplyTo<uint8_t>),
};

} // namespace

VectorTable compoundTable() {
  return tableOf(kTable);
}

} // namespace opc::sim::OPC_SIM_LEVEL

// Loops of the family files: they process lanes in blocks through local arrays.
//
//   memory --load--> local array of the computation type --op, whole block--> local array --store--> memory
//
// Loops over a whole block have a constant trip count and arrays that cannot alias: every compiler vectorises them, and
// an instruction in place (destination = source) is as fast as any other. Half and bfloat16 are computed in float.
//
// This header is compiled for several architecture levels. Everything in it has internal linkage or is always
// inlined, so that the linker cannot merge functions of different levels; for the same reason it uses nothing from
// the standard library but memcpy.

#ifndef OPC_RUNTIME_DEVICE_SIM_NUMERICS_BLOCKS_H
#define OPC_RUNTIME_DEVICE_SIM_NUMERICS_BLOCKS_H

#include "runtime/device/sim/numerics/Families.h"
#include "runtime/target/Half.h"

#include <cstring>

#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace opc::sim {
namespace {

constexpr int64_t kBlock = 128;

/// The type that computations on a storage type use.
template <typename T> struct Computed {
  using Type = T;
};
template <> struct Computed<Half> {
  using Type = float;
};
template <> struct Computed<BFloat16> {
  using Type = float;
};
template <typename T> using ComputedType = typename Computed<T>::Type;

template <typename T> constexpr ElementType kElementType = ElementType::UInt8;
template <> constexpr ElementType kElementType<Half> = ElementType::Float16;
template <> constexpr ElementType kElementType<float> = ElementType::Float32;
template <> constexpr ElementType kElementType<BFloat16> = ElementType::BFloat16;
template <> constexpr ElementType kElementType<int8_t> = ElementType::Int8;
template <> constexpr ElementType kElementType<int16_t> = ElementType::Int16;
template <> constexpr ElementType kElementType<uint16_t> = ElementType::UInt16;
template <> constexpr ElementType kElementType<int32_t> = ElementType::Int32;
template <> constexpr ElementType kElementType<uint32_t> = ElementType::UInt32;
template <> constexpr ElementType kElementType<int64_t> = ElementType::Int64;

/// Replaces every NaN by the default one, since machines differ in the sign and payload of NaNs.
OPC_ALWAYS_INLINE float oneNaN(float x) {
  return x == x ? x : floatFromBits(0x7fc00000u);
}

/// NaN if either operand is NaN. Equal values with different bits are only the two zeros: `and` gives +0, `or`
/// gives -0.
OPC_ALWAYS_INLINE float maxOf(float a, float b) {
  float r = a > b ? a : b;
  r = a == b ? floatFromBits(floatBits(a) & floatBits(b)) : r;
  return a == a && b == b ? r : floatFromBits(0x7fc00000u);
}

OPC_ALWAYS_INLINE float minOf(float a, float b) {
  float r = a < b ? a : b;
  r = a == b ? floatFromBits(floatBits(a) | floatBits(b)) : r;
  return a == a && b == b ? r : floatFromBits(0x7fc00000u);
}

/// NaN stays NaN; both zeros give +0.
OPC_ALWAYS_INLINE float reluOf(float a) {
  return oneNaN(a <= 0 ? 0.0f : a);
}

// Whether 16-bit floats overflow to the largest finite number instead of infinity: the open choice Overflow of
// Accuracy.def. The namespace `saturating` is compiled with it.
#ifdef OPC_SIM_SATURATES
constexpr bool kSaturates = true;
#else
constexpr bool kSaturates = false;
#endif

/// Clamps finite numbers to `largest`; infinities do not change.
OPC_ALWAYS_INLINE float heldAt(float value, float largest) {
  const uint32_t magnitude = floatBits(value) & 0x7fffffffu;
  const bool tooLarge = magnitude > floatBits(largest) && magnitude < 0x7f800000u;
  return tooLarge ? (value < 0 ? -largest : largest) : value;
}
OPC_ALWAYS_INLINE float held(float value, Half) {
  return kSaturates ? heldAt(value, 65504.0f) : value;
}
OPC_ALWAYS_INLINE float held(float value, BFloat16) {
  return kSaturates ? heldAt(value, floatFromBits(0x7f7f0000u)) : value;
}

// Conversions of a whole block.
OPC_ALWAYS_INLINE void widen(const Half *from, float *to) {
#if defined(__F16C__)
  for (int64_t i = 0; i < kBlock; i += 8)
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i *>(from + i))));
#else
  for (int64_t i = 0; i < kBlock; ++i)
    to[i] = toFloat(from[i]);
#endif
}

OPC_ALWAYS_INLINE void narrow(const float *from, Half *to) {
#if defined(__F16C__) && !defined(OPC_SIM_SATURATES)
  for (int64_t i = 0; i < kBlock; i += 8)
    _mm_storeu_si128(reinterpret_cast<__m128i *>(to + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT));
#else
  for (int64_t i = 0; i < kBlock; ++i)
    to[i] = toHalf(held(from[i], Half{}));
#endif
}

OPC_ALWAYS_INLINE void widen(const BFloat16 *from, float *to) {
  for (int64_t i = 0; i < kBlock; ++i)
    to[i] = toFloat(from[i]);
}

OPC_ALWAYS_INLINE void narrow(const float *from, BFloat16 *to) {
  for (int64_t i = 0; i < kBlock; ++i)
    to[i] = toBFloat16(held(from[i], BFloat16{}));
}

template <typename T> OPC_ALWAYS_INLINE void widen(const T *from, T *to) {
  std::memcpy(to, from, kBlock * sizeof(T));
}
template <typename T> OPC_ALWAYS_INLINE void narrow(const T *from, T *to) {
  std::memcpy(to, from, kBlock * sizeof(T));
}

/// Reads `lanes` elements from `index` on; lanes past them are zero.
template <typename T> OPC_ALWAYS_INLINE void load(const void *from, int64_t index, int64_t lanes, ComputedType<T> *to) {
  const T *source = static_cast<const T *>(from) + index;
  if (lanes == kBlock)
    return widen(source, to);
  T part[kBlock] = {};
  std::memcpy(part, source, size_t(lanes) * sizeof(T));
  widen(part, to);
}

/// Writes `lanes` elements from `index` on, each rounded once to the storage type.
template <typename T>
OPC_ALWAYS_INLINE void store(const ComputedType<T> *from, void *to, int64_t index, int64_t lanes) {
  T *destination = static_cast<T *>(to) + index;
  if (lanes == kBlock)
    return narrow(from, destination);
  T part[kBlock];
  narrow(from, part);
  std::memcpy(destination, part, size_t(lanes) * sizeof(T));
}

/// Rounds values to T, as a store and a load would: the rounding between the steps of a compound.
template <typename T> OPC_ALWAYS_INLINE void roundBlock(ComputedType<T> *values) {
  T stored[kBlock];
  narrow(values, stored);
  widen(stored, values);
}
template <> OPC_ALWAYS_INLINE void roundBlock<float>(float *) {
}

/// The scalar operand rounded to T, in the computation type.
template <typename T> OPC_ALWAYS_INLINE ComputedType<T> scalarOf(uint64_t bits) {
  return static_cast<T>(bits);
}
template <> OPC_ALWAYS_INLINE float scalarOf<float>(uint64_t bits) {
  return floatFromBits(uint32_t(bits));
}
template <> OPC_ALWAYS_INLINE float scalarOf<Half>(uint64_t bits) {
  return toFloat(toHalf(floatFromBits(uint32_t(bits))));
}
template <> OPC_ALWAYS_INLINE float scalarOf<BFloat16>(uint64_t bits) {
  return toFloat(toBFloat16(floatFromBits(uint32_t(bits))));
}

/// Calls body(index of the first lane, number of lanes) for each block.
template <typename Body> OPC_ALWAYS_INLINE void forEachBlock(int64_t count, Body body) {
  for (int64_t index = 0; index < count; index += kBlock)
    body(index, count - index < kBlock ? count - index : kBlock);
}

/// dst[i] = Op(src[i])
template <typename S, typename D, typename Op> void unary(const VectorCall &call) {
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    ComputedType<S> a[kBlock];
    ComputedType<D> r[kBlock];
    load<S>(call.sources[0], index, lanes, a);
    for (int64_t i = 0; i < kBlock; ++i)
      r[i] = Op::apply(a[i]);
    store<D>(r, call.destination, index, lanes);
  });
}

/// dst[i] = Op(src0[i], src1[i])
template <typename S, typename D, typename Op> void binary(const VectorCall &call) {
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    ComputedType<S> a[kBlock], b[kBlock];
    ComputedType<D> r[kBlock];
    load<S>(call.sources[0], index, lanes, a);
    load<S>(call.sources[1], index, lanes, b);
    for (int64_t i = 0; i < kBlock; ++i)
      r[i] = Op::apply(a[i], b[i]);
    store<D>(r, call.destination, index, lanes);
  });
}

/// dst[i] = Op(src[i], s)
template <typename S, typename D, typename Op> void withScalar(const VectorCall &call) {
  const ComputedType<S> s = scalarOf<S>(call.scalar);
  forEachBlock(call.count, [&](int64_t index, int64_t lanes) {
    ComputedType<S> a[kBlock];
    ComputedType<D> r[kBlock];
    load<S>(call.sources[0], index, lanes, a);
    for (int64_t i = 0; i < kBlock; ++i)
      r[i] = Op::apply(a[i], s);
    store<D>(r, call.destination, index, lanes);
  });
}

/// An entry of a family's table.
template <typename S, typename D = S> constexpr VectorEntry entry(Intrinsic intrinsic, VectorFunction function) {
  return VectorEntry{intrinsic, kElementType<S>, kElementType<D>, function};
}

template <size_t N> OPC_ALWAYS_INLINE VectorTable tableOf(const VectorEntry (&entries)[N]) {
  return {entries, N};
}

} // namespace
} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_NUMERICS_BLOCKS_H

// The 16-bit storage types: half (IEEE binary16) and bfloat16, with their conversions.
//
// Some compilers lack _Float16 in C++ (gcc 11), and on some architecture levels the type turns every conversion into
// a library call. So these types are plain 16-bit words, and the conversions are branch-free integer arithmetic that
// vectorises. All conversions round to nearest even unless the name says otherwise, support subnormal numbers, and
// turn a NaN into a quiet NaN. Everything is always inlined, so that files compiled for different architecture levels
// can include this header.

#ifndef OPC_RUNTIME_TARGET_HALF_H
#define OPC_RUNTIME_TARGET_HALF_H

#include <cstdint>

#define OPC_ALWAYS_INLINE inline __attribute__((always_inline))

namespace opc {

/// IEEE binary16: 1 sign, 5 exponent, 10 fraction bits.
struct Half {
  uint16_t bits;
};
/// The upper half of a binary32: 1 sign, 8 exponent, 7 fraction bits.
struct BFloat16 {
  uint16_t bits;
};
static_assert(sizeof(Half) == 2 && sizeof(BFloat16) == 2);

inline constexpr uint16_t kHalfNaN = 0x7e00;
inline constexpr uint16_t kHalfInfinity = 0x7c00;
inline constexpr uint16_t kHalfMax = 0x7bff; ///< 65504

OPC_ALWAYS_INLINE uint32_t floatBits(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  return bits;
}

OPC_ALWAYS_INLINE float floatFromBits(uint32_t bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof(value));
  return value;
}

/// Exact.
OPC_ALWAYS_INLINE float toFloat(Half value) {
  const uint32_t magnitude = value.bits & 0x7fffu;
  const uint32_t sign = uint32_t(value.bits & 0x8000u) << 16;
  // Exponents differ by 112. A subnormal half is made normal by the subtraction, which is exact.
  const uint32_t normal = (magnitude << 13) + (112u << 23);
  const uint32_t subnormal = floatBits(floatFromBits((magnitude << 13) + (113u << 23)) - floatFromBits(113u << 23));
  const uint32_t special = normal + (112u << 23);
  uint32_t bits = magnitude < 0x400u ? subnormal : normal;
  bits = magnitude >= 0x7c00u ? special | (magnitude > 0x7c00u ? 0x400000u : 0u) : bits;
  return floatFromBits(bits | sign);
}

/// Exact.
OPC_ALWAYS_INLINE float toFloat(BFloat16 value) {
  const uint32_t bits = uint32_t(value.bits) << 16;
  return floatFromBits((bits & 0x7fffffffu) > 0x7f800000u ? bits | 0x400000u : bits);
}

/// To nearest, ties to even; 65520 and above give infinity.
OPC_ALWAYS_INLINE Half toHalf(float value) {
  const uint32_t bits = floatBits(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint32_t normal = (magnitude + 0xfffu + ((magnitude >> 13) & 1u) - (112u << 23)) >> 13;
  // Below 2^-14 the floating-point adder rounds: the unit of 0.5f is the smallest half.
  const uint32_t subnormal = floatBits(floatFromBits(magnitude) + 0.5f) - floatBits(0.5f);
  const uint32_t nan = 0x7e00u | ((magnitude >> 13) & 0x1ffu);
  uint32_t result = magnitude < 0x38800000u ? subnormal : normal;
  result = magnitude >= 0x477ff000u ? 0x7c00u : result;
  result = magnitude > 0x7f800000u ? nan : result;
  return Half{static_cast<uint16_t>(result | sign)};
}

/// To nearest, ties to even.
OPC_ALWAYS_INLINE BFloat16 toBFloat16(float value) {
  const uint32_t bits = floatBits(value);
  const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return BFloat16{static_cast<uint16_t>(nan ? (bits >> 16) | 0x40u : rounded)};
}

/// Rounds to odd: returns `value` where a float can represent it, else the one of the two neighbouring floats whose
/// last bit is set. A second rounding to 22 bits or fewer then gives the same result as a single rounding of `value`.
OPC_ALWAYS_INLINE float toFloatOdd(double value) {
  const float nearest = static_cast<float>(value);
  const double back = nearest;
  uint32_t bits = floatBits(nearest);
  const bool away = value < 0 ? back < value : back > value;
  bits -= away ? 1u : 0u;
  bits |= (back < value || back > value) ? 1u : 0u;
  return floatFromBits(bits);
}

/// Rounds once, to nearest, ties to even.
OPC_ALWAYS_INLINE Half toHalf(double value) {
  return toHalf(toFloatOdd(value));
}

} // namespace opc

#endif // OPC_RUNTIME_TARGET_HALF_H

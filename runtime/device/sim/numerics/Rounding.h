// Conversions of one value under a rounding mode that is known at compile time. Only the cast family includes
// this header.
//
// `None` rounds like `Rint` where a conversion is not exact. `Odd` takes the neighbour whose last bit is set.

#ifndef OPC_RUNTIME_DEVICE_SIM_NUMERICS_ROUNDING_H
#define OPC_RUNTIME_DEVICE_SIM_NUMERICS_ROUNDING_H

#include "runtime/device/sim/numerics/Blocks.h"

namespace opc::sim {
namespace {

/// 1 when the magnitude `kept` must be incremented by one unit. `rest` is the truncated part, `tie` half a unit.
template <RoundingMode kMode>
OPC_ALWAYS_INLINE uint32_t increment(bool negative, uint32_t kept, uint32_t rest, uint32_t tie) {
  switch (kMode) {
  case RoundingMode::Floor:
    return negative && rest != 0 ? 1 : 0;
  case RoundingMode::Ceil:
    return !negative && rest != 0 ? 1 : 0;
  case RoundingMode::Round:
    return rest >= tie ? 1 : 0;
  case RoundingMode::Trunc:
    return 0;
  case RoundingMode::Odd:
    return rest != 0 ? (kept & 1) ^ 1 : 0;
  case RoundingMode::None:
  case RoundingMode::Rint:
    break;
  }
  return rest > tie || (rest == tie && (kept & 1)) ? 1 : 0;
}

/// The magnitude of the result for a finite value that is too large for a 16-bit type.
template <RoundingMode kMode> OPC_ALWAYS_INLINE uint32_t overflowed(bool negative, uint32_t infinity) {
  const bool toLargest = kMode == RoundingMode::Trunc || kMode == RoundingMode::Odd ||
                         (kMode == RoundingMode::Floor && !negative) || (kMode == RoundingMode::Ceil && negative);
  return toLargest ? infinity - 1 : infinity;
}

template <RoundingMode kMode> OPC_ALWAYS_INLINE Half halfUnder(float value) {
  const uint32_t bits = floatBits(held(value, Half{}));
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint32_t exponent = magnitude >> 23;
  // Normal halves: rebias and truncate 13 bits. Subnormal halves: the significand in units of 2^-24, shifted
  // according to the exponent.
  const bool normal = exponent >= 113;
  const uint32_t significand = (magnitude & 0x7fffffu) | (exponent != 0 ? 0x800000u : 0u);
  const uint32_t fixed = normal ? magnitude - (112u << 23) : significand;
  uint32_t shift = normal ? 13u : 126u - exponent;
  shift = shift > 26u ? 26u : shift;
  const uint32_t kept = fixed >> shift;
  const uint32_t rest = fixed & ((1u << shift) - 1u);
  uint32_t result = kept + increment<kMode>(sign != 0, kept, rest, 1u << (shift - 1u));
  result = exponent >= 143u ? overflowed<kMode>(sign != 0, 0x7c00u) : result;
  result = magnitude >= 0x7f800000u ? (magnitude > 0x7f800000u ? 0x7e00u : 0x7c00u) : result;
  return Half{static_cast<uint16_t>(result | (magnitude > 0x7f800000u ? 0u : sign))};
}

template <RoundingMode kMode> OPC_ALWAYS_INLINE BFloat16 bfloatUnder(float value) {
  const uint32_t bits = floatBits(held(value, BFloat16{}));
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint32_t kept = magnitude >> 16;
  uint32_t result = kept + increment<kMode>(sign != 0, kept, magnitude & 0xffffu, 0x8000u);
  result = magnitude >= 0x7f800000u ? (magnitude > 0x7f800000u ? 0x7fc0u : 0x7f80u) : result;
  return BFloat16{static_cast<uint16_t>(result | (magnitude > 0x7f800000u ? 0u : sign))};
}

/// Rounds a double that holds a 32-bit integer to float.
template <RoundingMode kMode> OPC_ALWAYS_INLINE float floatUnder(double value) {
  const float nearest = static_cast<float>(value);
  if (kMode == RoundingMode::Rint || kMode == RoundingMode::None)
    return nearest;
  const bool negative = value < 0;
  const double magnitude = negative ? -value : value;
  uint32_t bits = floatBits(nearest) & 0x7fffffffu;
  bits -= double(floatFromBits(bits)) > magnitude ? 1u : 0u;
  const double kept = floatFromBits(bits);
  const double unit = double(floatFromBits(bits + 1u)) - kept;
  const double rest = magnitude - kept;
  // Compares the rest with half a unit, in the encoding of increment(): 0 exact, 1 below, 2 tie, 3 above.
  const uint32_t scaled = rest == 0 ? 0u : (2 * rest < unit ? 1u : (2 * rest == unit ? 2u : 3u));
  bits += increment<kMode>(negative, bits, scaled, 2u);
  return floatFromBits(bits | (negative ? 0x80000000u : 0u));
}

/// Rounds an integer of 64 bits to float.
template <RoundingMode kMode> OPC_ALWAYS_INLINE float floatUnder(int64_t value) {
  const bool negative = value < 0;
  const uint64_t magnitude = negative ? ~uint64_t(value) + 1u : uint64_t(value);
  // 24 bits are kept; the exponent counts from the bit at 2^23.
  uint32_t shift = 0;
  for (uint32_t step : {32u, 16u, 8u, 4u, 2u, 1u})
    shift += shift + step <= 40u && magnitude >> (shift + step + 23u) != 0 ? step : 0u;
  const uint32_t kept = uint32_t(magnitude >> shift);
  const uint64_t rest = magnitude & ((uint64_t(1) << shift) - 1u);
  const uint64_t tie = shift == 0 ? 1u : uint64_t(1) << (shift - 1u);
  // Compares the rest with half a unit, in the encoding of increment(): 0 exact, 1 below, 2 tie, 3 above.
  const uint32_t scaled = rest == 0 ? 0u : (rest < tie ? 1u : (rest == tie ? 2u : 3u));
  const uint32_t rounded = kept + increment<kMode>(negative, kept, scaled, 2u);
  const float scale = floatFromBits((127u + shift) << 23);
  const float result = float(rounded) * scale; // 2^24 at most: both factors are exact
  return negative ? -result : result;
}

/// Rounds to a whole number, which stays a float. Zeros keep the sign of the value.
template <RoundingMode kMode> OPC_ALWAYS_INLINE float wholeUnder(float value) {
  const uint32_t sign = floatBits(value) & 0x80000000u;
  const float magnitude = floatFromBits(floatBits(value) & 0x7fffffffu);
  const bool isLarge = !(magnitude < 0x1p23f); // whole, infinite or NaN
  const float held = isLarge ? 0.0f : magnitude;
  const uint32_t kept = uint32_t(int32_t(held));
  const float rest = held - float(int32_t(kept));
  const uint32_t scaled = rest == 0 ? 0u : (rest < 0.5f ? 1u : (rest == 0.5f ? 2u : 3u));
  const float rounded = float(int32_t(kept + increment<kMode>(sign != 0, kept, scaled, 2u)));
  return isLarge ? oneNaN(value) : floatFromBits(floatBits(rounded) | sign);
}

/// Rounds to an integer of 64 bits: the low 64 bits of the whole number. NaN and infinities give 0. With the other
/// choice of Overflow (Accuracy.def) the result saturates.
template <RoundingMode kMode> OPC_ALWAYS_INLINE int64_t longUnder(float value) {
  const uint32_t bits = floatBits(value);
  const bool negative = bits >> 31 != 0;
  const uint32_t exponent = (bits >> 23) & 0xffu;
  // From 2^23 on every float is whole: its significand, shifted.
  const uint32_t shift = exponent < 150u ? 0u : (exponent - 150u < 63u ? exponent - 150u : 63u);
  const uint64_t shifted = exponent - 150u >= 64u ? 0u : uint64_t((bits & 0x7fffffu) | 0x800000u) << shift;
  const float whole = wholeUnder<kMode>(exponent < 150u ? value : 0.0f);
  uint64_t result = exponent < 150u ? uint64_t(int64_t(int32_t(whole))) : (negative ? ~shifted + 1u : shifted);
  if (kSaturates) {
    const bool isNaN = (bits & 0x7fffffffu) > 0x7f800000u;
    const uint64_t end = isNaN ? 0u : (negative ? uint64_t(1) << 63 : ~(uint64_t(1) << 63));
    result = exponent >= 190u ? end : result;
  }
  return int64_t(result);
}

/// Rounds to an integer within [low, high], in double so that every 32-bit integer fits; NaN gives 0.
template <RoundingMode kMode> OPC_ALWAYS_INLINE int32_t integerUnder(float value, double low, double high) {
  double x = value == value ? double(value) : 0.0;
  // Clamping to one beyond the bounds rounds correctly at the bounds and keeps the conversion defined.
  x = x < low - 1 ? low - 1 : x;
  x = x > high + 1 ? high + 1 : x;
  const bool negative = x < 0;
  const double magnitude = negative ? -x : x;
  // Adding 2^52 rounds to an integer; subtract one where it rounded up.
  double kept = (magnitude + 0x1p52) - 0x1p52;
  kept -= kept > magnitude ? 1.0 : 0.0;
  const double rest = magnitude - kept;
  const uint32_t scaled = rest == 0 ? 0u : (rest < 0.5 ? 1u : (rest == 0.5 ? 2u : 3u));
  const double half = kept * 0.5;
  const uint32_t odd = ((half + 0x1p52) - 0x1p52) == half ? 0u : 1u;
  kept += double(increment<kMode>(negative, odd, scaled, 2u));
  x = negative ? -kept : kept;
  x = x < low ? low : x;
  x = x > high ? high : x;
  return static_cast<int32_t>(x);
}

} // namespace
} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_NUMERICS_ROUNDING_H

// exp and ln in double, for arguments that are floats or halves.
//
//   exp(x) = 2^k * exp(r),   k = nearest integer to x / ln 2,   r = x - k ln 2,   |r| <= 0.347
//   ln(x)  = e ln 2 + 2 (s + s^3/3 + s^5/5 + ...),   x = 2^e m,   m in [0.707, 1.414),   s = (m - 1) / (m + 1)
//
// The series are truncated where the remainder is below 2^-45 of the result. Only multiplications, additions and
// divisions are used, because the functions of C libraries differ between machines.

#ifndef OPC_RUNTIME_DEVICE_SIM_NUMERICS_ELEMENTARY_H
#define OPC_RUNTIME_DEVICE_SIM_NUMERICS_ELEMENTARY_H

#include "runtime/target/Half.h"

#include <cstring>

namespace opc::sim {
namespace {

OPC_ALWAYS_INLINE uint64_t doubleBits(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

OPC_ALWAYS_INLINE double doubleFromBits(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

constexpr double kLn2 = 0x1.62e42fefa39efp-1;
// ln 2 in two parts; the first has 32 bits, so that its product with k is exact.
constexpr double kLn2High = 0x1.62e42feep-1;
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

OPC_ALWAYS_INLINE double expOf(float value) {
  // Beyond these bounds the result is 0 or infinite in float as well as in half. NaN fails both comparisons and stays.
  double x = value;
  x = x > 100.0 ? 100.0 : x;
  x = x < -120.0 ? -120.0 : x;
  // Adding 1.5 * 2^52 rounds to an integer and leaves it in the low bits.
  constexpr double kMagic = 0x1.8p52;
  const double shifted = x * 0x1.71547652b82fep+0 + kMagic;
  const double k = shifted - kMagic;
  const double r = (x - k * kLn2High) - k * kLn2Low;
  double p = 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  const double scale = doubleFromBits((doubleBits(shifted) + 1023u) << 52);
  return x == x ? p * scale : x;
}

OPC_ALWAYS_INLINE double lnOf(float value) {
  const double x = value; // subnormal floats are normal here
  const uint64_t bits = doubleBits(x);
  // Splitting at sqrt(1/2) instead of at 1: e is the exponent of x / sqrt(1/2).
  const uint64_t shifted = bits - 0x3fe6a09e00000000u;
  // The biased exponent becomes a double without an integer conversion, which not every machine has for 64 bits.
  const double e =
      doubleFromBits((((shifted + (1023ull << 52)) >> 52) & 0x7ffu) | 0x4330000000000000u) - (0x1p52 + 1023);
  const double m = doubleFromBits((shifted & 0x000fffffffffffffu) + 0x3fe6a09e00000000u);
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  double p = 2.0 / 21;
  p = p * z + 2.0 / 19;
  p = p * z + 2.0 / 17;
  p = p * z + 2.0 / 15;
  p = p * z + 2.0 / 13;
  p = p * z + 2.0 / 11;
  p = p * z + 2.0 / 9;
  p = p * z + 2.0 / 7;
  p = p * z + 2.0 / 5;
  p = p * z + 2.0 / 3;
  double r = e * kLn2 + (2.0 * s + s * z * p);
  const double infinity = doubleFromBits(0x7ff0000000000000u);
  r = x == infinity ? infinity : r;
  r = x == 0 ? -infinity : r;
  return x >= 0 ? r : doubleFromBits(0x7ff8000000000000u);
}

} // namespace
} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_NUMERICS_ELEMENTARY_H

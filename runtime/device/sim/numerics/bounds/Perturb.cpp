#include "runtime/device/sim/numerics/bounds/Perturb.h"

#include "runtime/target/accuracy/Accuracy.h"

#include <algorithm>

namespace opc::sim {

bool hasAssumedUlp(Intrinsic intrinsic) {
  return accuracyOf(intrinsic).isInterval();
}

/// SplitMix64's finisher: every bit of the result depends on every bit of the argument.
static uint64_t mix(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

/// Numbers of one sign are ordered like their bits, so a unit in the last place is 1.
template <typename Bits>
static void perturbBits(Bits *results, int64_t count, Bits infinity, unsigned units, uint64_t seed) {
  const Bits magnitude = Bits(~Bits(0)) >> 1;
  for (int64_t i = 0; i < count; ++i) {
    Bits size = results[i] & magnitude;
    if (size == 0 || size >= infinity)
      continue;
    uint64_t hash = mix(seed ^ (uint64_t(i) << 32) ^ results[i] ^ 0x9e3779b97f4a7c15u);
    int64_t move = int64_t(hash % (2 * uint64_t(units) + 1)) - int64_t(units);
    int64_t moved = std::clamp<int64_t>(int64_t(size) + move, 1, int64_t(infinity) - 1);
    results[i] = Bits((results[i] & Bits(~magnitude)) | Bits(moved));
  }
}

void perturb(void *results, ElementType type, int64_t count, unsigned units, uint64_t seed) {
  if (type == ElementType::Float16)
    perturbBits<uint16_t>(static_cast<uint16_t *>(results), count, 0x7c00, units, seed);
  else if (type == ElementType::Float32)
    perturbBits<uint32_t>(static_cast<uint32_t *>(results), count, 0x7f800000, units, seed);
}

} // namespace opc::sim

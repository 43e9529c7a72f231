#include "lowering/cpu/CpuLevel.h"

using namespace llvm;

namespace opc {

// v3: AVX2, FMA, F16C. v4: AVX-512 F, BW, CD, DQ, VL; tuning for a particular machine would halve the vectors, so
// each function states its vector width. aarch64: NEON of ARMv8-A, which every core has.
//
// Prefetch distances of streaming loops were measured on one core of each level. EPYC of family 26 (v4) was fastest
// from 2 to 8 KB. On EPYC of family 25 (v3), x + y over 192 MB was 1.23 times as fast with 256 bytes as with 4 KB
// (1.25 times without prefetching, 1.15 with 512 bytes).
static constexpr CpuLevel kLevels[] = {
    {"x86-64-v3", "v3", "x86_64-unknown-linux-gnu", "x86-64-v3", "", 256, false, true, 256},
    {"x86-64-v4", "v4", "x86_64-unknown-linux-gnu", "x86-64-v4", "", 512, true, true, 4096},
    {"aarch64", "aarch64", "aarch64-unknown-linux-gnu", "generic", "+neon", 128, false, false, 0},
};

ArrayRef<CpuLevel> cpuLevels() {
  return kLevels;
}

const CpuLevel *cpuLevelByName(StringRef name) {
  for (const CpuLevel &level : kLevels)
    if (name == level.name || name == level.shortName)
      return &level;
  return nullptr;
}

} // namespace opc

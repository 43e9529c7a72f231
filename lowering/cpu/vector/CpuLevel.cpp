#include "lowering/cpu/vector/CpuLevel.h"

using namespace llvm;

namespace opc {

// v3: AVX2, FMA, F16C. v4: AVX-512 F, BW, CD, DQ, VL; tuning for one machine would halve the
// vectors, so widths are stated on every function. aarch64: NEON of ARMv8-A, which every core has.
static constexpr CpuLevel kLevels[] = {
    {"x86-64-v3", "v3", "x86_64-unknown-linux-gnu", "x86-64-v3", "", 256, false, true},
    {"x86-64-v4", "v4", "x86_64-unknown-linux-gnu", "x86-64-v4", "", 512, true, true},
    {"aarch64", "aarch64", "aarch64-unknown-linux-gnu", "generic", "+neon", 128, false, false},
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

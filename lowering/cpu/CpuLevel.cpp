#include "lowering/cpu/CpuLevel.h"

using namespace llvm;

namespace opc {

// v3: AVX2, FMA, F16C. v4: AVX-512 F, BW, CD, DQ, VL; tuning for a particular machine would halve the vectors, so
// each function states its vector width. Those with -vnni have AVX-VNNI and AVX512-VNNI beside it. No machine has
// AVX-VNNI and AVX-512 without AVX512-VNNI, so the last level that a machine supports is its best one. aarch64: NEON of
// ARMv8-A, which every core has.
//
// Prefetch distances of streaming loops were measured on one core of each level. EPYC of family 26 (v4) was fastest
// from 2 to 8 KB. On EPYC of family 25 (v3), x + y over 192 MB was 1.23 times as fast with 256 bytes as with 4 KB
// (1.25 times without prefetching, 1.15 with 512 bytes).
static constexpr CpuLevel kLevels[] = {
    {"x86-64-v3", "v3", "x86_64-unknown-linux-gnu", "x86-64-v3", "", 256, false, false, true, 256},
    {"x86-64-v3-vnni", "v3-vnni", "x86_64-unknown-linux-gnu", "x86-64-v3", "+avxvnni", 256, false, true, true, 256},
    {"x86-64-v4", "v4", "x86_64-unknown-linux-gnu", "x86-64-v4", "", 512, true, false, true, 4096},
    {"x86-64-v4-vnni", "v4-vnni", "x86_64-unknown-linux-gnu", "x86-64-v4", "+avx512vnni", 512, true, true, true, 4096},
    {"aarch64", "aarch64", "aarch64-unknown-linux-gnu", "generic", "+neon", 128, false, false, false, 0},
};

ArrayRef<CpuLevel> cpuLevels() {
  return kLevels;
}

std::vector<std::string> defaultCpuLevels(bool multipliesBytes) {
  std::vector<std::string> names;
  for (const CpuLevel &level : kLevels)
    if (level.isX86() && (multipliesBytes || !level.dotsOfBytes))
      names.push_back(level.name.str());
  return names;
}

const CpuLevel *cpuLevelByName(StringRef name) {
  for (const CpuLevel &level : kLevels)
    if (name == level.name || name == level.shortName)
      return &level;
  return nullptr;
}

} // namespace opc

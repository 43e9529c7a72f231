#include "test/perf/HandLoops.h"

#include <cstdlib>
#include <string_view>

namespace opc::perf {

/// Whether OPC_BENCH_LEVEL=v3 selects the level below the best one.
static bool isV3() {
  const char *level = std::getenv("OPC_BENCH_LEVEL");
  return level && std::string_view(level) == "v3";
}

static const HandLoops *choose() {
  static const HandLoops best = [] {
    return __builtin_cpu_supports("x86-64-v4") && !isV3() ? v4::loops() : v3::loops();
  }();
  return __builtin_cpu_supports("x86-64-v3") ? &best : nullptr;
}

const HandLoops *handLoops() {
  static const HandLoops *chosen = choose();
  return chosen;
}

} // namespace opc::perf

#include "test/perf/HandLoops.h"

namespace opc::perf {

static const HandLoops *choose() {
  static const HandLoops best = [] { return __builtin_cpu_supports("x86-64-v4") ? v4::loops() : v3::loops(); }();
  return __builtin_cpu_supports("x86-64-v3") ? &best : nullptr;
}

const HandLoops *handLoops() {
  static const HandLoops *chosen = choose();
  return chosen;
}

} // namespace opc::perf

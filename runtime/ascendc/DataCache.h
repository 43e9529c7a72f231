// Finds accesses for which the scalar unit's cache of global memory matters.
//
// GetValue, SetValue and pointers go through a cache with lines of 64 bytes; copies go past it. The documentation of
// SetValue and DataCacheCleanAndInvalid says that a value stays in the cache until its line is written back, and that
// whole lines are written. The rest is assumed: a line stays until DataCacheCleanAndInvalid or the end of the block,
// and is written back then.
//
//   GetValue caches a line, a copy stores to it, GetValue        reads the old value          cache_c1
//   SetValue, a copy loads the line                              loads the old value          cache_c2
//   SetValue and a copy both store to a line                     one overwrites the other     cache_c3

#ifndef OPC_RUNTIME_ASCENDC_DATACACHE_H
#define OPC_RUNTIME_ASCENDC_DATACACHE_H

#include "runtime/ascendc/KernelMachine.h"
#include "runtime/device/sim/launch/Observer.h"

#include <map>
#include <optional>
#include <utility>

namespace opc::ascendc {

class DataCache {
public:
  struct Hazard {
    const char *rule;
    Place earlier; ///< the other access
  };
  /// The hazard of an instruction, in the order of the kernel.
  std::optional<Hazard> access(const SimInstruction &op, const Place &place);
  /// Writes back all lines, or the line of a byte of a tensor.
  void clean() { lines.clear(); }
  void clean(uint16_t tensor, int64_t offset) { lines.erase({tensor, lineOf(offset)}); }

private:
  static constexpr int64_t kLine = 64; // bytes
  /// Tensors begin at a line.
  static int64_t lineOf(int64_t offset) { return offset >= 0 ? offset / kLine : (offset + 1) / kLine - 1; }

  struct Line {
    std::optional<Place> stored; ///< by the scalar unit, and not written back
    std::optional<Place> copied; ///< a copy stored to it after it was cached
  };
  std::optional<Hazard> scalar(const SimAccess &access, const Place &place);
  std::optional<Hazard> copy(const SimAccess &access, const Place &place);

  std::map<std::pair<uint16_t, int64_t>, Line> lines; ///< by tensor and line
};

} // namespace opc::ascendc

#endif // OPC_RUNTIME_ASCENDC_DATACACHE_H

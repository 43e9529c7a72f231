// The schedule of each kernel of a te body with its reasons, or what would make the kernel fit, for people and for
// tools. Contains no MLIR: `opc compile --explain-schedule` prints it, `--apply` writes it.

#ifndef OPC_LOWERING_SCHEDULE_EXPLANATION_H
#define OPC_LOWERING_SCHEDULE_EXPLANATION_H

#include "ops/contract/Contract.h"
#include "runtime/diagnostic/Diagnostic.h"

#include <cstdint>
#include <string>
#include <vector>

namespace opc {

struct KernelSchedule {
  std::string kernel;     ///< "add_float16_rows_x2_row"
  unsigned typeRow = 0;   ///< index in the contract's table
  std::string types;      ///< the row's name, "float16"
  std::string key;        ///< the shape key, "rows_x2_row"
  uint64_t tilingKey = 0; ///< the tiling key that the tiling function returns for it
  std::string form;       ///< form of the loops: "flat", "tiles of rows", "passes over a row", ...
  /// How dimensions coalesce into loops, and the loops of each tensor:
  /// "m, n; x1 [m, n], x2 [1, n], y [m, n]; up to 2 loops around".
  std::string loops;
  int64_t tile = 0; ///< elements
  int64_t rows = 1; ///< maximum in a tile
  int64_t slots = 2;
  bool prefetch = false;
  int64_t alignment = 32;       ///< bytes
  bool alias = false;           ///< results may be written over loaded tiles
  int64_t expansion = 32;       ///< bits of the type in which functions are expanded
  int64_t burst = 0;            ///< most bytes that one copy into UB moves without a gap
  int64_t ubBytes = 0;          ///< from address 0 to the end of the last buffer; 0 before `planned`
  std::string scheduleFile;     ///< schedule file that determined a number; empty: all are the heuristic's
  std::vector<std::string> why; ///< one sentence for each decision
};

/// A change to the schedule file's entry for a kernel that makes the kernel fit UB.
struct ScheduleFix {
  /// The type row, the key and the knobs that change: an entry to append to the others.
  ContractSchedule entry;
  int64_t ubBytes = 0; ///< bytes of UB that the kernel then takes
  int64_t cycles = 0;  ///< by estimateCycles
};

/// Whether the change affects the numerical results of a kernel.
inline bool changesResults(const ScheduleFix &fix) {
  return fix.entry.expansion.has_value();
}

/// A kernel of a te body that does not fit UB with the numbers of its schedule file, or, without any, with the
/// smallest tile.
struct ScheduleRefusal {
  std::string kernel;
  std::string types;              ///< the row's name
  std::string key;                ///< the shape key
  Code code{};                    ///< E0403, or E0400 if the author set nothing
  Location place;                 ///< the setting that is too large, or the body
  std::string rule, message, fix; ///< as in Diagnostic; the fix may be empty
  int64_t cycles = 0;             ///< of the requested schedule, if UB were large enough
  /// The smallest changes that make the kernel fit, cheapest first; those that change results come last.
  std::vector<ScheduleFix> fixes;
  /// Assumed figures that, halved or doubled, would make another fix of the same kind cheaper than the first.
  std::vector<std::string> dependsOn;
};

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_EXPLANATION_H

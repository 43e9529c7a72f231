// What was chosen for each kernel of a te body, and why, or what would make it fit: for people and for tools. No
// MLIR: `opc compile --explain-schedule` prints it, `--apply` writes it.

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
  unsigned typeRow = 0;   ///< in the contract's table
  std::string types;      ///< the row's name, "float16"
  std::string key;        ///< the shape key, "rows_x2_row"
  uint64_t tilingKey = 0; ///< what the tiling function returns for it
  std::string form;       ///< of the loops: "flat", "tiles of rows", "passes over a row", ...
  /// Which loops dimensions coalesce to and how each tensor lies in them:
  /// "m, n; x1 [m, n], x2 [1, n], y [m, n]; up to 2 loops around".
  std::string loops;
  int64_t tile = 0; ///< elements
  int64_t rows = 1; ///< of a tile at most
  int64_t slots = 2;
  bool prefetch = false;
  int64_t alignment = 32;       ///< bytes
  bool alias = false;           ///< results may take the place of loaded tiles
  int64_t expansion = 32;       ///< bits of the type that functions are expanded in
  int64_t burst = 0;            ///< bytes that one copy into UB moves without a gap, at most
  int64_t ubBytes = 0;          ///< from address 0 to the end of the last buffer; 0 before `planned`
  std::string scheduleFile;     ///< that decided a number; empty: the heuristic decided all
  std::vector<std::string> why; ///< a sentence for each decision
};

/// A change of what the schedule file says of one kernel, with which the kernel fits UB.
struct ScheduleFix {
  /// The type row, the key and the knobs that change: an entry to put behind the others.
  ContractSchedule entry;
  int64_t ubBytes = 0; ///< that the kernel takes then
  int64_t cycles = 0;  ///< by estimateCycles
};

/// Whether a kernel with this change computes other numbers.
inline bool changesResults(const ScheduleFix &fix) {
  return fix.entry.expansion.has_value();
}

/// A kernel of a te body that does not fit UB with what its schedule file asks for, or, when it says nothing, with
/// the smallest tile.
struct ScheduleRefusal {
  std::string kernel;
  std::string types;              ///< the row's name
  std::string key;                ///< the shape key
  Code code{};                    ///< E0403, or E0400 where nobody asked
  Location place;                 ///< the knob that asks for too much, or the body
  std::string rule, message, fix; ///< as in Diagnostic; the fix may be empty
  int64_t cycles = 0;             ///< as asked, if UB were large enough
  /// The smallest changes that fit, the cheapest first; those that change results behind all others.
  std::vector<ScheduleFix> fixes;
  /// Assumed figures at half or double of which another fix of its kind is cheaper than the first.
  std::vector<std::string> dependsOn;
};

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_EXPLANATION_H

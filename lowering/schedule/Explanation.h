// What was chosen for each kernel of a te body, and why, for people and for tools. No MLIR: `opc
// compile --explain-schedule` prints it.

#ifndef OPC_LOWERING_SCHEDULE_EXPLANATION_H
#define OPC_LOWERING_SCHEDULE_EXPLANATION_H

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
  int64_t alignment = 32;   ///< bytes
  int64_t burst = 0;        ///< bytes that one copy into UB moves without a gap, at most
  int64_t ubBytes = 0;      ///< from address 0 to the end of the last buffer; 0 before `planned`
  std::string scheduleFile; ///< that decided a number; empty: the heuristic decided all
  std::vector<std::string> why; ///< a sentence for each decision
};

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_EXPLANATION_H

// The buffers in UB, for people and for tools, without MLIR: `opc compile --explain-plan` prints them.

#ifndef OPC_LOWERING_PIPELINES_UBTABLE_H
#define OPC_LOWERING_PIPELINES_UBTABLE_H

#include "runtime/diagnostic/Diagnostic.h"

#include <cstdint>
#include <string>
#include <vector>

namespace opc {

/// A buffer of a planned kernel.
struct UbBuffer {
  std::string name;
  int64_t bytes = 0; ///< all slots together
  int64_t slots = 1;
  int64_t address = 0;
  bool atPeak = false; ///< it is live at the peak
  Location place;      ///< in the body: the op that makes it, or the first intrinsic that uses it
};

struct UbTable {
  std::string kernel;
  int64_t ubBytes = 0;           ///< from address 0 to the end of the last buffer
  int64_t peakBytes = 0;         ///< most bytes that are live at one time in program order
  Location peak;                 ///< place of the peak in the body
  std::vector<UbBuffer> buffers; ///< in program order
};

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_UBTABLE_H

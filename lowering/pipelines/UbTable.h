// Who lives in UB, for people and for tools, without MLIR: `opc compile --explain-plan` prints it.

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
  int64_t bytes = 0; ///< of all slots
  int64_t slots = 1;
  int64_t address = 0;
  bool atPeak = false; ///< its bytes are kept where most are
  Location place;      ///< in the body: what makes it, or the first intrinsic that works on it
};

struct UbTable {
  std::string kernel;
  int64_t ubBytes = 0;           ///< from address 0 to the end of the last buffer
  int64_t peakBytes = 0;         ///< that are kept at one time by the order of the text, at most
  Location peak;                 ///< where, in the body
  std::vector<UbBuffer> buffers; ///< in the order of the text
};

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_UBTABLE_H

// The memory of an unrolled kernel cut where any access begins or ends, so that an access is a few
// whole segments.
//
//   event 0    |-----------|                    segments 0, 1
//   event 1          |-----------|              segments 1, 2
//   cut        |  0  |  1  |  2  |

#ifndef OPC_LOWERING_AICORE_VERIFY_SEGMENTS_H
#define OPC_LOWERING_AICORE_VERIFY_SEGMENTS_H

#include "lowering/aicore/verify/Unrolling.h"

namespace opc::aicore {

class Segments {
public:
  explicit Segments(llvm::ArrayRef<Event> events);

  /// First segment of a span, and the one past its last. UB and each tensor have segments of their
  /// own.
  std::pair<unsigned, unsigned> of(const Span &span) const;
  unsigned size() const { return total; }

private:
  /// UB has one memory under the null value, a tensor its own.
  static mlir::Value memoryOf(const Span &span) { return span.inUB ? mlir::Value() : span.home; }

  struct Memory {
    std::vector<int64_t> cuts;
    unsigned base = 0;
  };
  llvm::DenseMap<mlir::Value, Memory> memories;
  unsigned total = 0;
};

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_VERIFY_SEGMENTS_H

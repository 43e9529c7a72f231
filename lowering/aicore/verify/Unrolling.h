// What a kernel does, one op after the other: the list that its scalar unit would hand out, for
// given trip counts.
//
// A small interpreter of the kernel's scalar arithmetic walks the loops; tiling data stand at their
// `max`, or at a large value where they have none. Loops run as often as the caller says, whatever
// their bound would be: the value of the bound is set to that, so that what is computed from it
// agrees. Lengths that cannot be known are whole tiles.
//
// How many rows a tile holds, and how far they are apart, changes from launch to launch. A view of
// row i, from i * step on and at most `step` long, is therefore the i-th of as many equal parts of
// its slot as the loop has rows; what else touches such a slot touches all of it.

#ifndef OPC_LOWERING_AICORE_VERIFY_UNROLLING_H
#define OPC_LOWERING_AICORE_VERIFY_UNROLLING_H

#include "dialect/aicore/AICoreOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <functional>

namespace opc::aicore {

/// Bytes that an event touches: of UB by address, or of a tensor by offset.
struct Span {
  mlir::Value home; ///< the buffer's memref, or the tensor's argument
  bool inUB = false;
  int64_t begin = 0, end = 0;
  bool reads = false, writes = false;
  bool isRow = false; ///< one of the parts that a loop over rows cuts a slot into
  int64_t slot = 0;   ///< where the slot of a row begins
};

/// One instruction for a pipe.
struct Event {
  enum Kind { Work, Set, Wait, Barrier } kind = Work;
  mlir::Operation *op = nullptr;
  Pipe pipe = Pipe::S;
  Pipe other = Pipe::S; ///< of a flag: the waiting pipe of a set, the setting pipe of a wait
  int64_t id = 0;       ///< of a flag
  llvm::SmallVector<Span, 4> spans;
  llvm::SmallVector<int64_t, 2> iteration; ///< of the loops around it, outermost first
};

/// How often the loops with a bound run: asked each time the bound is computed, with how often it
/// was computed before.
using TripCounts = std::function<int64_t(mlir::Value bound, unsigned before)>;

enum class UnrollStatus { Done, TooLong, Unknown };

struct Unrolling {
  std::vector<Event> events;
  size_t steps = 0; ///< ops that were walked, scalar ones too
  UnrollStatus status = UnrollStatus::Done;
  mlir::Operation *unknownAt = nullptr; ///< with Unknown: what could not be evaluated
};

/// Walks the kernel, for at most `limit` ops.
Unrolling unroll(mlir::func::FuncOp kernel, const TripCounts &trips, size_t limit);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_VERIFY_UNROLLING_H

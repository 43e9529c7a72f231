// Cost model for plans: the cycles that a kernel takes if its buffers have given addresses. It applies the target's
// cost model to a few tiles of a kernel that has no flags yet.
//
// Each pipe executes its ops in order. An op starts when its pipe is free, the scalar unit has issued it, and all
// earlier ops that touch its bytes are complete: plus the latency of a flag if they ran on another pipe, or of a
// barrier if they ran on the same pipe and the pipe does not complete in order. So buffers that share bytes cost the
// time that pipes then wait:
//
//   apart       mte2  | x0 | x1 | x2 |            shared      mte2  | x0 |      | x1 |
//               v          | t0 | t1 | t2 |                   v          | t0 |      | t1 |
//
// This is only a model: loops run a fixed number of times, tiles are full, and latencies are the target's assumed
// figures. It compares plans of one kernel and does not predict the time of a launch.

#ifndef OPC_LOWERING_AICORE_PLAN_PIPECLOCK_H
#define OPC_LOWERING_AICORE_PLAN_PIPECLOCK_H

#include "lowering/aicore/plan/LiveRanges.h"
#include "runtime/target/Target.h"

namespace opc::aicore {

/// A variant of the kernel with other buffers.
struct ClockVariant {
  /// Tiles of `elements` elements have `instead` elements; 0: unchanged.
  int64_t elements = 0, instead = 0;
  bool oneSlot = false; ///< each buffer has one slot
};

class PipeClock {
public:
  PipeClock(mlir::func::FuncOp kernel, const KernelRanges &ranges, const Target &target, ClockVariant variant = {});

  /// Cycles of one more tile once the pipes are full, or of a whole kernel without loops. `addresses` is by buffer.
  int64_t cyclesOfTile(const std::vector<int64_t> &addresses) const;
  /// The same if no buffers share bytes, so that no pipe waits because of sharing.
  int64_t cyclesApart() const;

private:
  struct Use {
    unsigned buffer;
    int64_t slot; ///< -1: any
    bool writes;
  };
  struct Event {
    opc::Pipe pipe;
    int64_t cycles;
    llvm::SmallVector<Use, 4> uses;
  };
  /// What all events of an op have in common, and the slots of its uses that the iteration decides.
  struct KnownEvent {
    Event event;
    llvm::SmallVector<mlir::Value, 4> slots; ///< of each use; null: the use states it
  };
  void unroll(mlir::Block &block, int64_t trips, unsigned depth, llvm::DenseMap<mlir::Value, int64_t> &values,
              std::vector<Event> &events);
  KnownEvent knownEventOf(PipeOpInterface op, unsigned depth);
  Event eventOf(PipeOpInterface op, unsigned depth, const llvm::DenseMap<mlir::Value, int64_t> &values);
  int64_t elementsOf(mlir::Value memref, unsigned depth) const;
  int64_t run(const std::vector<Event> &events, const std::vector<int64_t> &addresses) const;

  const KernelRanges &ranges;
  const Target &target;
  ClockVariant variant;
  llvm::DenseMap<mlir::Operation *, unsigned> bufferNumber;
  llvm::DenseMap<mlir::Operation *, KnownEvent> known; ///< of ops that were reached
  std::vector<Event> few, many;                        ///< `many` is empty for a kernel without loops
  int64_t tiles = 1;                                   ///< tiles in `many` beyond those in `few`
};

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLAN_PIPECLOCK_H

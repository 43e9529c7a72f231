// What a kernel takes in cycles when its buffers lie at given addresses: the target's cost model on a few tiles,
// without flags in the text yet.
//
// Each pipe does its ops in order. An op starts when its pipe is free, the scalar unit has issued it, and all that
// touches its bytes before it is over: a flag's time later on another pipe, a barrier's on the same one where the
// pipe does not complete in order. So buffers that share bytes cost what pipes then wait for:
//
//   apart       mte2  | x0 | x1 | x2 |            shared      mte2  | x0 |      | x1 |
//               v          | t0 | t1 | t2 |                   v          | t0 |      | t1 |
//
// A model: loops run a fixed number of times, tiles are full, latencies are assumed as the target's figures say. It
// compares plans of one kernel; it does not foretell a launch.

#ifndef OPC_LOWERING_AICORE_PLAN_PIPECLOCK_H
#define OPC_LOWERING_AICORE_PLAN_PIPECLOCK_H

#include "lowering/aicore/plan/LiveRanges.h"
#include "runtime/target/Target.h"

namespace opc::aicore {

/// The kernel as it would be with other buffers.
struct ClockVariant {
  /// Tiles of `elements` have `instead` of them; 0: as they are.
  int64_t elements = 0, instead = 0;
  bool oneSlot = false; ///< of each buffer
};

class PipeClock {
public:
  PipeClock(mlir::func::FuncOp kernel, const KernelRanges &ranges, const Target &target, ClockVariant variant = {});

  /// Cycles for one more tile once the pipes are full; of a kernel without loops, of all of it. `addresses` by buffer.
  int64_t cyclesOfTile(const std::vector<int64_t> &addresses) const;
  /// The same with bytes of its own for each buffer: nothing waits that need not.
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
  void unroll(mlir::Block &block, int64_t trips, unsigned depth, llvm::DenseMap<mlir::Value, int64_t> &values,
              std::vector<Event> &events);
  Event eventOf(PipeOpInterface op, unsigned depth, const llvm::DenseMap<mlir::Value, int64_t> &values);
  int64_t elementsOf(mlir::Value memref, unsigned depth) const;
  int64_t run(const std::vector<Event> &events, const std::vector<int64_t> &addresses) const;

  const KernelRanges &ranges;
  const Target &target;
  ClockVariant variant;
  llvm::DenseMap<mlir::Operation *, unsigned> bufferNumber;
  std::vector<Event> few, many; ///< of a kernel without loops the first alone
  int64_t tiles = 1;            ///< that `many` has more than `few`
};

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLAN_PIPECLOCK_H

// The order of a whole kernel: which of its flags and barriers can go.
//
// Regions are synchronised one at a time, and a loop among other work is one op there. Seen as a whole, what stands
// around a loop may be covered by what stands in it:
//
//   vmul a                 writes a
//   pipe_barrier v         can go: the one below comes before the same vadd
//   for row:
//     pipe_barrier v       needed from row to row
//     vadd a, s            reads a
//
// So at the end each flag (with its presets and drains) and each barrier is tried once more, the innermost first, on
// lists of instructions: the kernel unrolled for numbers of trips of each loop. It goes when the others still order, in
// each list, each two ops that depend on each other, and still keep every set behind the wait for the set before it.
//
// What depends on what is taken from the regions (OpOrder). A region takes a slot that its own counter does not
// choose for any slot, and tiles of a tensor whose places it cannot tell apart for one: in a list each instruction
// has its numbers, and two that do not meet there need no order.

#ifndef OPC_LOWERING_AICORE_SYNC_REDUNDANTSYNC_H
#define OPC_LOWERING_AICORE_SYNC_REDUNDANTSYNC_H

#include "lowering/aicore/sync/SyncProblem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc::aicore {

/// All ops that stand for one edge: sets and waits with presets and drains, or a barrier.
struct SyncGroup {
  llvm::SmallVector<mlir::Operation *> ops;
  unsigned depth = 0; ///< loops around it
  bool barrier = false;
};

/// Regions of a kernel that numbers of iterations count in: nests by their innermost body.
using SyncNests = llvm::DenseMap<mlir::Block *, llvm::SmallVector<mlir::scf::ForOp>>;

/// The groups that can go, by place: without all of them together, all orders hold. What is left has none that could
/// go alone. Empty when the kernel is one region, whose edges are reduced already, or what it does cannot be followed.
llvm::SmallVector<unsigned> needlessGroups(mlir::func::FuncOp kernel, const Target &target,
                                           llvm::ArrayRef<OpOrder> orders, const SyncNests &nests,
                                           llvm::ArrayRef<SyncGroup> groups);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_SYNC_REDUNDANTSYNC_H

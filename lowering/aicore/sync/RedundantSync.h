// Redundant synchronisation of a whole kernel: which of its flags and barriers can be removed.
//
// Regions are synchronised one at a time, and a loop among other ops is a single op of the region around it. In the
// whole kernel, synchronisation inside a loop may make synchronisation around the loop redundant:
//
//   vmul a                 writes a
//   pipe_barrier v         can go: the one below comes before the same vadd
//   for row:
//     pipe_barrier v       needed from row to row
//     vadd a, s            reads a
//
// So, at the end, each flag (with its presets and drains) and each barrier is tried once more, innermost first, on
// instruction lists: the kernel unrolled for several trip counts of each loop. It is removed if, in each list, the
// remaining ones still order any two ops that depend on each other, and still order each set after the wait for the
// previous set of the same event id.
//
// The regions supply the dependences (OpOrder). In a region, a slot that its own counter does not choose counts as all
// slots, and tiles of a tensor that it cannot distinguish count as the whole tensor. In a list each instruction has
// concrete slots and offsets, and two instructions that touch no common bytes need no order.

#ifndef OPC_LOWERING_AICORE_SYNC_REDUNDANTSYNC_H
#define OPC_LOWERING_AICORE_SYNC_REDUNDANTSYNC_H

#include "lowering/aicore/sync/SyncProblem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc::aicore {

/// All ops that implement one edge: sets and waits with presets and drains, or a barrier.
struct SyncGroup {
  llvm::SmallVector<mlir::Operation *> ops;
  unsigned depth = 0; ///< number of loops around it
  bool barrier = false;
};

/// Indices of the redundant groups. All orders still hold when all of these groups are removed together, and none of
/// the remaining groups can be removed alone. Empty when the kernel is a single region, whose edges are already
/// reduced, or when no instruction lists can be made of it.
llvm::SmallVector<unsigned> needlessGroups(mlir::func::FuncOp kernel, const Target &target,
                                           llvm::ArrayRef<OpOrder> orders, const SyncNests &nests,
                                           llvm::ArrayRef<SyncGroup> groups);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_SYNC_REDUNDANTSYNC_H

// Pairs of pipes without flags.
//
// The toolkit has no flags between FIX and V, and none from MTE3 to FIX. Such a dependence goes through a relay, a
// point in the queue of MTE1 beside the op of FIX: there MTE1 waits for the one pipe and signals to the other. With the
// option fix-to-v=direct the target says that it has flags between FIX and V.
//
//   fixpipe -> y              set fix -> mte1
//   (relay on mte1)           wait fix -> mte1, set mte1 -> v
//   vadd y                    wait mte1 -> v
//
// The relay has the position of the op of FIX in program order, so all waits remain in that order and cannot form a
// cycle. It is a barrier while edges are chosen, and is removed when they are inserted.
//
// There is none from MTE1 to MTE3 either: a copy from UB waits for the fractals that were loaded from its place in L1.
// Its relay is a point in the queue of V, before the copy, whose elements V makes.

#ifndef OPC_LOWERING_AICORE_SYNC_RELAYS_H
#define OPC_LOWERING_AICORE_SYNC_RELAYS_H

#include "lowering/aicore/sync/SyncProblem.h"

namespace opc::aicore {

/// The relays of a kernel.
class Relays {
public:
  explicit Relays(const Target &target) : target(target) {}

  /// Inserts the relays that dependences in a block need, and in the regions inside. `nest`: as of buildSyncProblem.
  void place(mlir::Block &block, llvm::ArrayRef<mlir::scf::ForOp> nest = {});
  /// Replaces each dependence that has no flag by two over its relay, or drops it where other edges enforce it.
  void route(SyncProblem &problem) const;
  /// Removes the relays, once the edges are inserted.
  void erase();

private:
  using ByItem = llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, mlir::Operation *>;

  const Target &target;
  ByItem after, before; ///< by item and pipe of the relay: the relay after the item, or before it
};

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_SYNC_RELAYS_H

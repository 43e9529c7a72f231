// The synchronisation problem of one region: which op must come before which, and which flags and barriers enforce it.
//
// A region is the body of a kernel, of a loop, or of a branch. Its items are its pipe ops and its nested loops and
// branches, in program order. An item is a **node** for each pipe that it uses. The nodes of a pipe are issued in
// order, and in a loop the last node of iteration i is issued before the first node of iteration i + 1.
//
//   node            pipe   touches           dependence           distance    edge kept
//   0 load  x       mte2   writes x[slot]    0 -> 2   y = f(x)        0       mte2 -> v   covered by 1 -> 2
//   1 load  z       mte2   writes z[slot]    1 -> 2                   0       mte2 -> v   kept
//   2 vadd  x z y   v      reads, writes     2 -> 0   slot again      2       v -> mte2   kept
//   3 store y       mte3   reads y[slot]     2 -> 1                   2       v -> mte2   covered by 2 -> 0
//                                            2 -> 3                   0       v -> mte3   kept
//                                            3 -> 2                   2       mte3 -> v   kept
//
// A **dependence** (a, b, d): node a in iteration i touches bytes that node b touches in iteration i + d, one of the
// two writes, and d is the smallest such distance. Larger distances follow, since b's pipe issues its nodes in order.
//
// An **edge** (a, b, d) enforces a dependence: a set after a and a wait before b, or a barrier before b. A set signals
// that everything before it on its pipe is complete; a wait holds back everything after it on its pipe. So edges chain
// along pipes, and a dependence is covered when a chain of edges leads from a to b in at most d iterations.

#ifndef OPC_LOWERING_AICORE_SYNC_SYNCPROBLEM_H
#define OPC_LOWERING_AICORE_SYNC_SYNCPROBLEM_H

#include "lowering/aicore/TileView.h"
#include "runtime/target/Target.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Block.h"

namespace opc::aicore {

struct SyncNode {
  mlir::Operation *item = nullptr;
  Pipe pipe = Pipe::S;
  unsigned position = 0;                                         ///< of the item in its region
  llvm::SmallVector<std::pair<PipeOpInterface, Access>> touches; ///< of the item on this pipe
};

struct Dependence {
  unsigned from, to; ///< nodes
  unsigned distance;
  /// Indices of the touches that meet, each in its node; nullopt for a dependence between uses of an event id.
  std::optional<std::pair<unsigned, unsigned>> touches = std::nullopt;
};

struct SyncEdge {
  unsigned from, to; ///< nodes; for a barrier `from` is the node before `to` on the pipe
  unsigned distance;
  bool barrier = false;
  // Of a flag, set by assignEventIds:
  unsigned ids = 1;  ///< number of event ids between which it alternates
  unsigned base = 0; ///< the first of these ids
};

/// A pair of pipes whose flags need more event ids than the target has.
struct EventIdShortage {
  Pipe from, to;
  unsigned needed;
};

/// How the flags of a region were changed to need fewer event ids.
struct EventIdThrift {
  std::optional<EventIdShortage> met; ///< the first pair of pipes that ran short
  unsigned joined = 0;                ///< flags that were merged with another
  unsigned lowered = 0;               ///< flags whose distance was lowered, so that fewer tiles are in flight
};

/// One region: its nodes, its dependences and edges, and the loop nest whose counter numbers its iterations.
struct SyncProblem {
  /// The loops whose iterations are those of the region, outermost first; empty for a region that runs once. The
  /// iterations of a nest form one sequence: the trip counts of its loops are invariant, and each iteration of a loop
  /// runs the next inner loop.
  llvm::SmallVector<mlir::scf::ForOp> nest;
  llvm::SmallVector<SyncNode> nodes; ///< by position, then pipe
  llvm::SmallVector<Dependence> dependences;
  llvm::SmallVector<SyncEdge> edges;
  EventIdThrift thrift;

  bool iterated() const { return !nest.empty(); }
};

/// The perfect nest that starts at `loop`: `loop` and each loop that is alone in the body of the previous one (apart
/// from scalar ops), as long as its trip count is invariant in `loop`.
llvm::SmallVector<mlir::scf::ForOp> syncNestOf(mlir::scf::ForOp loop);

/// A dependence between two ops: `first` in iteration i of the region comes before `second` in iteration i +
/// `distance`, within one run of the region.
struct OpOrder {
  mlir::Operation *first, *second;
  mlir::Block *region;
  unsigned distance;
};

/// Loops in a region whose iterations are numbered through the nest of that region (see InsertSync.cpp). The region
/// of such a loop covers the dependences of the loop on itself across iterations of the region around it.
using CarriedLoops = llvm::SmallPtrSet<mlir::Operation *, 4>;

/// The regions whose iterations are numbered: each loop nest, by its innermost body.
using SyncNests = llvm::DenseMap<mlir::Block *, llvm::SmallVector<mlir::scf::ForOp>>;

/// The nodes of a block and their dependences by address. `nest` is empty for a block that runs once. If `orders` is
/// given, any two ops that touch common bytes are appended to it, at their smallest distance.
SyncProblem buildSyncProblem(mlir::Block &block, llvm::ArrayRef<mlir::scf::ForOp> nest, const CarriedLoops &carried,
                             const Target &target, llvm::SmallVectorImpl<OpOrder> *orders = nullptr);

/// Length in iterations of the shortest chain of edges from the completion of node `from` to the start of node `to`;
/// nullopt if there is none of at most `limit`. Only edges that satisfy `use` count (all if it is null).
std::optional<unsigned> shortestChain(const SyncProblem &problem, unsigned from, unsigned to, unsigned limit,
                                      llvm::function_ref<bool(const SyncEdge &)> use = nullptr);
/// As above, for a chain from a wait before `from` to a set after `to`. Such a chain may consist of the order of a
/// pipe alone.
std::optional<unsigned> shortestWayBack(const SyncProblem &problem, unsigned from, unsigned to, unsigned limit);

/// Chooses edges that cover all dependences and are not redundant.
void chooseEdges(SyncProblem &problem);

/// Why a flag or a barrier exists: the two accesses that it orders, and their distance.
struct SyncRemark {
  mlir::Location location; ///< of the op that waits
  std::string text;
  mlir::Location from; ///< of the op that is waited for
  std::string note;
};
/// Appends one remark for each edge. Event ids must be assigned.
void explainEdges(const SyncProblem &problem, llvm::SmallVectorImpl<SyncRemark> &remarks);
void emitRemarks(llvm::ArrayRef<SyncRemark> remarks);

/// The number of event ids in use for each pair of pipes.
class EventIdUse {
public:
  unsigned &of(Pipe from, Pipe to) { return used[static_cast<unsigned>(from)][static_cast<unsigned>(to)]; }
  unsigned of(Pipe from, Pipe to) const { return used[static_cast<unsigned>(from)][static_cast<unsigned>(to)]; }
  /// For each pair of pipes, the larger of both numbers.
  void unite(const EventIdUse &other);
  /// The ids that `other` lacks. The ids of `other` are the first ones of each pair.
  EventIdUse beyond(const EventIdUse &other) const;

private:
  unsigned used[kNumPipes][kNumPipes] = {};
};

/// Assigns event ids to each flag, above those in `use`, and adds them to `use`. If a pair of pipes needs more than
/// `available`, flags of the pair are merged or, with `mayLower`, their distances are lowered. Returns the pair if
/// that does not suffice. What was changed is counted in `problem.thrift`.
std::optional<EventIdShortage> assignEventIds(SyncProblem &problem, EventIdUse &use, unsigned available,
                                              bool mayLower = true);
/// Lowers the distance of each flag to at most 1: one tile is in flight, as with single-slot buffers.
void allowOneTile(SyncProblem &problem);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_SYNC_SYNCPROBLEM_H

// The problem of synchronisation, for one region at a time: what must come before what, and which flags and
// barriers see to it.
//
// A region is the body of a kernel, of a loop, or of a branch. Its items are the pipe ops and the nested loops and
// branches that stand in it, in the order of the text. An item is a **node** for each pipe that it uses; along one
// pipe, nodes are issued in order, and in a loop the last of iteration i comes before the first of iteration i + 1.
//
//   node            pipe   touches           dependence           distance    edge kept
//   0 load  x       mte2   writes x[slot]    0 -> 2   y = f(x)        0       mte2 -> v   covered by 1 -> 2
//   1 load  z       mte2   writes z[slot]    1 -> 2                   0       mte2 -> v   kept
//   2 vadd  x z y   v      reads, writes     2 -> 0   slot again      2       v -> mte2   kept
//   3 store y       mte3   reads y[slot]     2 -> 1                   2       v -> mte2   covered by 2 -> 0
//                                            2 -> 3                   0       v -> mte3   kept
//                                            3 -> 2                   2       mte3 -> v   kept
//
// A **dependence** (a, b, d): a in iteration i touches bytes that b touches in iteration i + d, one of them writes,
// and d is the smallest such distance; larger ones follow along b's pipe.
//
// An **edge** (a, b, d) makes it so: a set behind a and a wait in front of b, or a barrier in front of b. A set tells
// that everything before it on its pipe is complete; a wait holds everything behind it. So edges chain along pipes,
// and a dependence is covered when some chain of edges leads from a to b in at most d iterations.

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
  /// The touches that meet, by place in their nodes; none for an order of event ids.
  std::optional<std::pair<unsigned, unsigned>> touches = std::nullopt;
};

struct SyncEdge {
  unsigned from, to; ///< nodes; for a barrier `from` is the node before `to` on the pipe
  unsigned distance;
  bool barrier = false;
  // Flags, from assignEventIds on:
  unsigned ids = 1;  ///< event ids in turn
  unsigned base = 0; ///< the first of them
};

/// A pair of pipes whose flags need more ids than there are.
struct EventIdShortage {
  Pipe from, to;
  unsigned needed;
};

/// What was done to the flags of a region because ids are few.
struct EventIdThrift {
  std::optional<EventIdShortage> met; ///< the first pair that had too few
  unsigned joined = 0;                ///< flags that became one with another
  unsigned lowered = 0;               ///< flags that let fewer tiles be in work
};

/// One region: nodes, what orders them, and the loop nest whose counter numbers its iterations.
struct SyncProblem {
  /// Loops whose iterations are those of the region, outermost first; empty for a region that runs once. The iterations
  /// of a nest form one sequence: no trip count changes in it, and each loop runs whenever the one around it does.
  llvm::SmallVector<mlir::scf::ForOp> nest;
  llvm::SmallVector<SyncNode> nodes; ///< by position, then pipe
  llvm::SmallVector<Dependence> dependences;
  llvm::SmallVector<SyncEdge> edges;
  EventIdThrift thrift;

  bool iterated() const { return !nest.empty(); }
};

/// The loops that iterate `loop`'s innermost body with work in it: `loop` and the loops that are alone in it, as long
/// as their trip counts are the same each time.
llvm::SmallVector<mlir::scf::ForOp> syncNestOf(mlir::scf::ForOp loop);

/// What a dependence between nodes says of ops: `first` in iteration i of the region comes before `second` in
/// iteration i + `distance`, within one run of the region.
struct OpOrder {
  mlir::Operation *first, *second;
  mlir::Block *region;
  unsigned distance;
};

/// Loops of a region whose own region numbers their iterations through this one: what such a loop does in one
/// iteration of this region to what it does in another, its own region has seen to.
using CarriedLoops = llvm::SmallPtrSet<mlir::Operation *, 4>;

/// Nodes of a block and their dependences by address. `nest` is empty for a block that runs once. With `orders`, adds
/// each two ops that touch common bytes, at their smallest distance.
SyncProblem buildSyncProblem(mlir::Block &block, llvm::ArrayRef<mlir::scf::ForOp> nest, const CarriedLoops &carried,
                             const Target &target, llvm::SmallVectorImpl<OpOrder> *orders = nullptr);

/// The length in iterations of the shortest chain of edges from node `from`, once complete, to the front of node
/// `to`; nullopt when there is none of at most `limit`. Only edges for which `use` holds count (all when null).
std::optional<unsigned> shortestChain(const SyncProblem &problem, unsigned from, unsigned to, unsigned limit,
                                      llvm::function_ref<bool(const SyncEdge &)> use = nullptr);
/// As above, from the front of `from` (what a wait there has let pass) to behind node `to`.
std::optional<unsigned> shortestWayBack(const SyncProblem &problem, unsigned from, unsigned to, unsigned limit);

/// Chooses edges that cover all dependences, none of them without need.
void chooseEdges(SyncProblem &problem);

/// Why a flag or a barrier is there: the two accesses that it orders, and at which distance.
struct SyncRemark {
  mlir::Location location; ///< of the op that waits
  std::string text;
  mlir::Location from; ///< of the op that it comes after
  std::string note;
};
/// One remark for each edge of a problem with ids.
void explainEdges(const SyncProblem &problem, llvm::SmallVectorImpl<SyncRemark> &remarks);
void tell(llvm::ArrayRef<SyncRemark> remarks);

/// Event ids in use on pairs of pipes.
class EventIdUse {
public:
  unsigned &of(Pipe from, Pipe to) { return used[static_cast<unsigned>(from)][static_cast<unsigned>(to)]; }
  unsigned of(Pipe from, Pipe to) const { return used[static_cast<unsigned>(from)][static_cast<unsigned>(to)]; }
  /// For each pair the larger of both.
  void unite(const EventIdUse &other);
  /// Without those of `other`, which are the first ones of each pair.
  EventIdUse beyond(const EventIdUse &other) const;

private:
  unsigned used[kNumPipes][kNumPipes] = {};
};

/// Gives each flag its ids, above those in `use`, and adds them there; merges flags of a pair that needs more than
/// there are, or lowers distances where it may. Where that does not help, the pair is the answer. What was done is
/// counted in the problem.
std::optional<EventIdShortage> assignEventIds(SyncProblem &problem, EventIdUse &use, unsigned available,
                                              bool mayLower = true);
/// Lowers the distance of each flag to at most 1: one tile is in work, as with one slot a buffer.
void allowOneTile(SyncProblem &problem);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_SYNC_SYNCPROBLEM_H

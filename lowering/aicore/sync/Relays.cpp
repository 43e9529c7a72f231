#include "lowering/aicore/sync/Relays.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace opc::aicore {

/// Whether the chip has no flag for a dependence between two nodes: from or to FIX, or from MTE1 to MTE3.
static bool lacksFlag(const Target &target, const SyncNode &from, const SyncNode &to) {
  return from.pipe != to.pipe && !target.hasFlag(toTarget(from.pipe), toTarget(to.pipe));
}

/// The queue in which the relay of a dependence is.
static Pipe relayPipe(const SyncNode &from, const SyncNode &to) {
  const bool hasFix = from.pipe == Pipe::FIX || to.pipe == Pipe::FIX;
  return hasFix ? Pipe::MTE1 : Pipe::V;
}

void Relays::place(Block &block, ArrayRef<scf::ForOp> nest) {
  SmallVector<Operation *> items;
  bool fix = false, vector = false, toL1 = false;
  for (Operation &op : block) {
    items.push_back(&op);
    op.walk([&](PipeOpInterface pipeOp) {
      fix |= pipeOp.getPipe() == Pipe::FIX;
      vector |= pipeOp.getPipe() == Pipe::V;
      toL1 |= isa<StoreNzOp>(pipeOp.getOperation());
    });
  }
  if (!vector || (!fix && !toL1))
    return;
  for (Operation *item : items) {
    if (auto loop = dyn_cast<scf::ForOp>(item)) {
      SmallVector<scf::ForOp> inner = syncNestOf(loop);
      place(*inner.back().getBody(), inner);
    } else {
      for (Region &region : item->getRegions())
        for (Block &inner : region)
          place(inner);
    }
  }
  SyncProblem problem = buildSyncProblem(block, nest, {}, target);
  for (const Dependence &dependence : problem.dependences) {
    const SyncNode &from = problem.nodes[dependence.from], &to = problem.nodes[dependence.to];
    if (!lacksFlag(target, from, to))
      continue;
    const bool isAfter = from.pipe == Pipe::FIX;
    Operation *item = isAfter ? from.item : to.item;
    const Pipe pipe = relayPipe(from, to);
    auto [relay, isNew] = (isAfter ? after : before).try_emplace({item, unsigned(pipe)});
    if (!isNew)
      continue;
    OpBuilder builder(item);
    if (isAfter)
      builder.setInsertionPointAfter(item);
    relay->second = PipeBarrierOp::create(builder, item->getLoc(), pipe);
  }
}

void Relays::route(SyncProblem &problem) const {
  // A dependence that a chain of other edges enforces needs no relay.
  auto isRouted = [&](const Dependence &dependence) {
    return lacksFlag(target, problem.nodes[dependence.from], problem.nodes[dependence.to]);
  };
  if (llvm::none_of(problem.dependences, isRouted))
    return;
  SyncProblem others = problem;
  llvm::erase_if(others.dependences, isRouted);
  chooseEdges(others);
  llvm::erase_if(problem.dependences, [&](const Dependence &dependence) {
    return isRouted(dependence) && shortestChain(others, dependence.from, dependence.to, dependence.distance);
  });
  DenseMap<Operation *, unsigned> nodeOf;
  for (auto [index, node] : llvm::enumerate(problem.nodes))
    if (isa<PipeBarrierOp>(node.item))
      nodeOf[node.item] = index;
  for (size_t i = 0; i < problem.dependences.size(); ++i) {
    const Dependence direct = problem.dependences[i];
    const SyncNode &from = problem.nodes[direct.from], &to = problem.nodes[direct.to];
    if (!lacksFlag(target, from, to))
      continue;
    const bool isAfter = from.pipe == Pipe::FIX;
    const unsigned pipe = unsigned(relayPipe(from, to));
    const unsigned relay = nodeOf.lookup(isAfter ? after.lookup({from.item, pipe}) : before.lookup({to.item, pipe}));
    problem.dependences[i] = {direct.from, relay, isAfter ? 0 : direct.distance};
    problem.dependences.push_back({relay, direct.to, isAfter ? direct.distance : 0});
  }
}

void Relays::erase() {
  for (auto *relays : {&after, &before})
    for (auto [item, relay] : *relays)
      relay->erase();
}

} // namespace opc::aicore

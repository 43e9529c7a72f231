// Sync insertion: from `planned` to `synced`. SyncProblem.h states the problem for one region; here the regions of a
// kernel are taken from the inside out, and what was chosen becomes flags and barriers.
//
//   set v -> mte2 [0]          presets: distance 2, so the first two waits find a flag
//   set v -> mte2 [1]
//   for i:
//     wait v -> mte2 [i mod 2]
//     load ...
//     set mte2 -> v [i mod 2]
//     wait mte2 -> v [i mod 2]
//     vadd ...
//     set v -> mte2 [i mod 2]
//   wait v -> mte2 [0]         drains: the last two sets are waited for
//   wait v -> mte2 [1]
//
// A flag of n ids and distance d has id base + i mod n at its set and base + (i - d) mod n at its wait. A nest in which
// only the innermost body works counts its iterations as one sequence, so presets and drains stand outside of the nest.
//
// A loop within a loop or behind another one uses event ids that were used before. Each of its flags p -> q asks that
// what q waited for is over before p sets again: a dependence from q in the one loop to p in the other, which is
// treated like those by address.
//
// That makes pipes wait for each other in front of the loop. A loop that runs as often in each iteration of the loop
// around it can be carried instead: its iterations are numbered through all of that loop, like those of a nest, its
// flags have ids of their own, and their presets and drains stand around the outer loop. Passes over a row are such
// loops: while the vector unit ends one, DMA loads what the next begins with.
//
//   for row:
//     for part:   load x0; reduce
//     for part:   load x1; compute; store
//
// A kernel of phase `planned` is assumed: loops count from 0 by 1, operands are views of buffers or tensors.

#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/Passes.h"
#include "lowering/aicore/sync/RedundantSync.h"
#include "lowering/aicore/sync/SyncProblem.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace opc;
using namespace opc::aicore;

namespace opc::aicore {
#define GEN_PASS_DEF_INSERTSYNCPASS
#include "lowering/aicore/Passes.h.inc"
} // namespace opc::aicore

namespace {

/// Nodes of a region. The time to choose among their dependences grows with the third power, here to some seconds.
constexpr size_t kMostNodes = 512;

/// How sparing a kernel is with event ids.
struct Sparing {
  bool carries = true;       ///< loops are carried through those around them; distances are kept
  unsigned leaves = 0;       ///< ids of a pair of pipes that loops leave alone where they can
  bool outermostToo = false; ///< those with no loop around them too
  bool oneTile = false;      ///< no flag reaches further than to the next iteration
};

/// Synchronises one kernel.
class KernelSync {
public:
  KernelSync(func::FuncOp kernel, const opc::Target &target, const Sparing &sparing)
      : kernel(kernel), target(target), sparing(sparing) {}

  /// A remark for each flag and barrier, to be told when all of the kernel has come out.
  SmallVector<SyncRemark> remarks;

  LogicalResult run();
  /// Why run() failed: too few event ids. Nothing was told of it yet.
  std::optional<EventIdShortage> shortage;
  Operation *shortOf = nullptr; ///< the loop, or the kernel, that has too few
  unsigned dependences = 0, flags = 0, barriers = 0;
  /// What was done to the flags that came out.
  EventIdThrift thrift;
  bool carried = false; ///< some loop was

private:
  LogicalResult checkOperands();
  FailureOr<EventIdUse> syncBlock(Block &block, ArrayRef<scf::ForOp> nest, EventIdUse use = {});
  FailureOr<EventIdUse> syncItem(Operation &item, ArrayRef<scf::ForOp> around, EventIdUse use);
  bool isCarried(Operation *item, ArrayRef<scf::ForOp> around) const;
  void addOrderOfIds(SyncProblem &problem, const DenseMap<Operation *, EventIdUse> &within) const;
  void insert(const SyncProblem &problem);
  void insertFlag(const SyncProblem &problem, const SyncEdge &edge, Value counter, SyncGroup &group);
  void dropNeedless();
  Value turn(OpBuilder &builder, Value counter, unsigned shift, const SyncEdge &edge);
  Value counterOf(ArrayRef<scf::ForOp> nest);
  OpBuilder inFrontOf(Operation *item);
  OpBuilder behind(Operation *item);

  func::FuncOp kernel;
  const opc::Target &target;
  Sparing sparing;
  DenseMap<Operation *, Value> counters;
  /// Of a loop that has presets and drains: the first of those and the last.
  DenseMap<Operation *, Operation *> firstOf, lastOf;
  // What was inserted, seen as a whole at the end; groups stand as their remarks do.
  SmallVector<OpOrder> orders;
  SyncNests nests;
  SmallVector<SyncGroup> groups;
};

} // namespace

//===----------------------------------------------------------------------===//
// Regions, from the inside out
//===----------------------------------------------------------------------===//

LogicalResult KernelSync::checkOperands() {
  WalkResult result = kernel.walk([](PipeOpInterface op) {
    for (const Access &access : accessesOf(op)) {
      if (tensorViewOf(access.memref()))
        continue;
      std::optional<TileView> view = tileViewOf(access.memref());
      if (!view) {
        op->emitError("[placed_c4] expects operands in memory to be views of a buffer or of an "
                      "argument of the kernel");
        return WalkResult::interrupt();
      }
      if (!view->buffer.getAddress()) {
        op->emitError("[plan_c1] expects every buffer to have an address").attachNote(view->buffer->getLoc())
            << "'" << view->buffer.getName() << "' has none";
        return WalkResult::interrupt();
      }
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Whether an op takes slots in turn by the iterations of this loop alone: the turn begins anew with each run of the
/// loop, and iterations of two runs may be in one slot.
static bool takesTurnsOf(scf::ForOp loop, PipeOpInterface op) {
  return llvm::any_of(accessesOf(op), [&](const Access &access) {
    std::optional<TileView> view = tileViewOf(access.memref());
    auto slot = view && view->slot ? dyn_cast<Value>(view->slot) : Value();
    auto turn = slot ? slot.getDefiningOp<arith::RemSIOp>() : arith::RemSIOp();
    return turn && turn.getLhs() == loop.getInductionVar();
  });
}

/// Whether the iterations of a loop go on through the nest around it.
bool KernelSync::isCarried(Operation *item, ArrayRef<scf::ForOp> around) const {
  auto loop = dyn_cast<scf::ForOp>(item);
  if (!sparing.carries || !loop || around.empty())
    return false;
  SmallVector<scf::ForOp> nest = syncNestOf(loop);
  return llvm::all_of(nest,
                      [&](scf::ForOp inner) {
                        return scf::ForOp(around.front()).isDefinedOutsideOfLoop(inner.getUpperBound());
                      }) &&
         llvm::none_of(*nest.back().getBody(), [&](Operation &op) {
           auto pipeOp = dyn_cast<PipeOpInterface>(op);
           return op.getNumRegions() != 0 || (pipeOp && takesTurnsOf(nest.back(), pipeOp));
         });
}

/// The event ids that the item's flags use, with those that are in use already. A carried loop's nest goes on from
/// the one around it.
FailureOr<EventIdUse> KernelSync::syncItem(Operation &item, ArrayRef<scf::ForOp> around, EventIdUse use) {
  if (auto loop = dyn_cast<scf::ForOp>(item)) {
    SmallVector<scf::ForOp> nest(around), inner = syncNestOf(loop);
    nest.append(inner);
    return syncBlock(*nest.back().getBody(), nest, use);
  }
  const EventIdUse before = use;
  for (Region &region : item.getRegions())
    for (Block &block : region) {
      FailureOr<EventIdUse> inner = syncBlock(block, {}, before);
      if (failed(inner))
        return failure();
      use.unite(*inner);
    }
  return use;
}

FailureOr<EventIdUse> KernelSync::syncBlock(Block &block, ArrayRef<scf::ForOp> nest, EventIdUse use) {
  DenseMap<Operation *, EventIdUse> within;
  CarriedLoops carriedHere;
  for (Operation &op : block)
    if (isCarried(&op, nest))
      carriedHere.insert(&op);
  carried |= !carriedHere.empty();
  SyncProblem problem = buildSyncProblem(block, nest, carriedHere, target, &orders);
  if (problem.iterated())
    nests[&block].assign(nest.begin(), nest.end());
  // Ids of carried loops are theirs for all of the nest; others are used again by what comes next.
  EventIdUse taken = use;
  for (const SyncNode &node : problem.nodes) {
    if (node.item->getNumRegions() == 0 || !within.try_emplace(node.item).second)
      continue;
    const bool carries = carriedHere.contains(node.item);
    const EventIdUse before = carries ? use : taken;
    FailureOr<EventIdUse> inner = syncItem(*node.item, carries ? nest : ArrayRef<scf::ForOp>(), before);
    if (failed(inner))
      return failure();
    use.unite(*inner);
    if (carries)
      taken = use;
    else
      within[node.item] = inner->beyond(before);
  }
  if (problem.nodes.size() > kMostNodes)
    return mlir::emitError(block.getParentOp()->getLoc(), "[unroll_c2] expects at most ")
           << kMostNodes << " DMA ops, intrinsics, loops and branches in one region, found " << problem.nodes.size();
  addOrderOfIds(problem, within);
  dependences += problem.dependences.size();
  chooseEdges(problem);
  if (sparing.oneTile)
    allowOneTile(problem);
  // A loop within another leaves ids to what stands around it, if it can.
  auto loop = dyn_cast<scf::ForOp>(block.getParentOp());
  if (sparing.leaves && loop && (sparing.outermostToo || loop->getParentOfType<scf::ForOp>())) {
    SyncProblem frugal = problem;
    EventIdUse fewer = use;
    if (!assignEventIds(frugal, fewer, target.eventIds() - sparing.leaves)) {
      insert(frugal);
      return fewer;
    }
  }
  shortage = assignEventIds(problem, use, target.eventIds(), !sparing.carries);
  if (shortage) {
    shortOf = problem.iterated() ? problem.nest.front().getOperation() : kernel.getOperation();
    return failure();
  }
  insert(problem);
  return use;
}

// Ids that two items use, or one item in two iterations: the later set comes after the earlier wait.
void KernelSync::addOrderOfIds(SyncProblem &problem, const DenseMap<Operation *, EventIdUse> &within) const {
  for (unsigned a = 0; a < problem.nodes.size(); ++a)
    for (unsigned b = 0; b < problem.nodes.size(); ++b) {
      const SyncNode &waiting = problem.nodes[a], &setting = problem.nodes[b];
      auto first = within.find(waiting.item), second = within.find(setting.item);
      if (first == within.end() || second == within.end() || waiting.pipe == setting.pipe)
        continue;
      if (!first->second.of(setting.pipe, waiting.pipe) || !second->second.of(setting.pipe, waiting.pipe))
        continue;
      if (waiting.position < setting.position)
        problem.dependences.push_back({a, b, 0});
      else if (problem.iterated())
        problem.dependences.push_back({a, b, 1});
    }
}

//===----------------------------------------------------------------------===//
// Flags and barriers
//===----------------------------------------------------------------------===//

// The number of the iteration, running on through a nest; computed at the top of the innermost body.
Value KernelSync::counterOf(ArrayRef<scf::ForOp> nest) {
  Value counter = scf::ForOp(nest.front()).getInductionVar();
  if (nest.size() == 1)
    return counter;
  scf::ForOp innermost = nest.back();
  auto [entry, inserted] = counters.try_emplace(innermost);
  if (!inserted)
    return entry->second;
  auto builder = OpBuilder::atBlockBegin(innermost.getBody());
  for (scf::ForOp inner : nest.drop_front()) {
    counter = arith::MulIOp::create(builder, inner.getLoc(), counter, inner.getUpperBound());
    counter = arith::AddIOp::create(builder, inner.getLoc(), counter, inner.getInductionVar());
  }
  return counters[innermost] = counter;
}

/// Makes an op of the builder's block come before what the builder creates next.
static void moveUpTo(OpBuilder &builder, Operation *op) {
  Block::iterator place = builder.getInsertionPoint();
  if (place == builder.getBlock()->end() || op->isBeforeInBlock(&*place))
    return;
  if (&*place == op)
    builder.setInsertionPointAfter(op);
  else
    op->moveBefore(&*place);
}

/// base + (counter + shift) mod ids. The op that computes counter mod ids is there already when a slot needed it.
Value KernelSync::turn(OpBuilder &builder, Value counter, unsigned shift, const SyncEdge &edge) {
  Location location = kernel.getLoc();
  if (edge.ids == 1)
    return indexConstant(kernel, edge.base);
  Value ids = indexConstant(kernel, edge.ids), sum = counter;
  if (shift)
    sum = arith::AddIOp::create(builder, location, counter, indexConstant(kernel, shift));
  Value id;
  for (Operation *user : sum.getUsers())
    if (auto remainder = dyn_cast<arith::RemSIOp>(user);
        remainder && remainder.getLhs() == sum && remainder.getRhs() == ids)
      if (remainder->getBlock() == builder.getBlock())
        id = remainder;
  if (!id)
    id = arith::RemSIOp::create(builder, location, sum, ids);
  else
    moveUpTo(builder, id.getDefiningOp());
  if (edge.base)
    id = arith::AddIOp::create(builder, location, id, indexConstant(kernel, edge.base));
  return id;
}

// A loop stands together with its presets and drains: what orders the loop orders them.
OpBuilder KernelSync::inFrontOf(Operation *item) {
  Operation *first = firstOf.lookup(item);
  return OpBuilder(first ? first : item);
}

OpBuilder KernelSync::behind(Operation *item) {
  Operation *last = lastOf.lookup(item);
  OpBuilder builder(item->getContext());
  builder.setInsertionPointAfter(last ? last : item);
  return builder;
}

void KernelSync::insertFlag(const SyncProblem &problem, const SyncEdge &edge, Value counter, SyncGroup &group) {
  const SyncNode &from = problem.nodes[edge.from], &to = problem.nodes[edge.to];
  Location location = to.item->getLoc();
  auto set = [&](OpBuilder &builder, Value id) {
    group.ops.push_back(SetFlagOp::create(builder, location, from.pipe, to.pipe, id));
  };
  auto wait = [&](OpBuilder &builder, Value id) {
    group.ops.push_back(WaitFlagOp::create(builder, location, from.pipe, to.pipe, id));
  };

  OpBuilder before = inFrontOf(to.item), after = behind(from.item);
  if (!problem.iterated()) {
    set(after, indexConstant(kernel, edge.base));
    wait(before, indexConstant(kernel, edge.base));
    return;
  }
  unsigned shift = (edge.ids - edge.distance % edge.ids) % edge.ids;
  auto ids = OpBuilder::atBlockBegin(scf::ForOp(problem.nest.back()).getBody());
  if (Operation *computed = counter.getDefiningOp())
    ids.setInsertionPointAfter(computed);
  Value setId = turn(ids, counter, 0, edge), waitId = turn(ids, counter, shift, edge);
  set(after, setId);
  wait(before, waitId);

  // Iterations -d to -1 are set before the nest.
  scf::ForOp outermost = problem.nest.front();
  OpBuilder entry = inFrontOf(outermost), exit = behind(outermost);
  for (unsigned i = 0; i < edge.distance; ++i)
    set(entry, indexConstant(kernel, edge.base + (i + shift) % edge.ids));
  if (edge.distance == 0)
    return;
  if (edge.distance == edge.ids) {
    for (unsigned i = 0; i < edge.distance; ++i)
      wait(exit, indexConstant(kernel, edge.base + i));
    return;
  }
  // The last d of T iterations are waited for; which ids they have depends on T.
  Value trips = outermost.getUpperBound();
  for (scf::ForOp inner : ArrayRef<scf::ForOp>(problem.nest).drop_front())
    trips = arith::MulIOp::create(exit, location, trips, inner.getUpperBound());
  trips = arith::MaxSIOp::create(exit, location, trips, indexConstant(kernel, 0));
  for (unsigned i = 0; i < edge.distance; ++i)
    wait(exit, turn(exit, trips, shift + i, edge));
}

void KernelSync::insert(const SyncProblem &problem) {
  explainEdges(problem, remarks);
  if (!thrift.met)
    thrift.met = problem.thrift.met;
  thrift.joined += problem.thrift.joined;
  thrift.lowered += problem.thrift.lowered;
  Operation *loop = problem.iterated() ? scf::ForOp(problem.nest.front()).getOperation() : nullptr;
  // Several regions have presets and drains around one loop.
  auto edgeOf = [loop](const DenseMap<Operation *, Operation *> &edges) {
    Operation *known = edges.lookup(loop);
    return known ? known : loop;
  };
  Operation *beforeLoop = loop ? edgeOf(firstOf)->getPrevNode() : nullptr,
            *afterLoop = loop ? edgeOf(lastOf)->getNextNode() : nullptr;
  bool needsCounter = llvm::any_of(problem.edges, [](const SyncEdge &edge) { return !edge.barrier && edge.ids > 1; });
  Value counter = needsCounter ? counterOf(problem.nest) : Value();
  if (problem.iterated() && !counter)
    counter = scf::ForOp(problem.nest.front()).getInductionVar();
  const size_t firstGroup = groups.size();
  for (const SyncEdge &edge : problem.edges) {
    SyncGroup &group = groups.emplace_back();
    group.barrier = edge.barrier;
    for (Operation *op = problem.nodes[edge.to].item; (op = op->getParentOfType<scf::ForOp>());)
      ++group.depth;
    if (!edge.barrier)
      insertFlag(problem, edge, counter, group);
  }
  for (auto [edge, group] : llvm::zip_equal(problem.edges, MutableArrayRef(groups).drop_front(firstGroup))) {
    if (!edge.barrier)
      continue;
    const SyncNode &node = problem.nodes[edge.to];
    OpBuilder builder = inFrontOf(node.item);
    group.ops.push_back(PipeBarrierOp::create(builder, node.item->getLoc(), node.pipe));
  }
  if (!loop)
    return;
  // A loop has a terminator behind it, and constants in front of it.
  firstOf[loop] = beforeLoop ? beforeLoop->getNextNode() : &loop->getBlock()->front();
  lastOf[loop] = afterLoop->getPrevNode();
}

/// Seen as a whole, some of what stands around a loop is covered by what stands in it.
void KernelSync::dropNeedless() {
  SmallVector<unsigned> needless = needlessGroups(kernel, target, orders, nests, groups);
  for (unsigned index : llvm::reverse(needless)) {
    for (Operation *op : groups[index].ops)
      op->erase();
    groups.erase(groups.begin() + index);
    remarks.erase(remarks.begin() + index);
  }
  for (const SyncGroup &group : groups)
    ++(group.barrier ? barriers : flags);
}

LogicalResult KernelSync::run() {
  if (failed(checkOperands()) || failed(syncBlock(kernel.getBody().front(), {})))
    return failure();
  dropNeedless();
  return success();
}

namespace {
struct InsertSyncPass : opc::aicore::impl::InsertSyncPassBase<InsertSyncPass> {
  using InsertSyncPassBase::InsertSyncPassBase;

  void runOnOperation() override {
    const opc::Target *named = targetByName(getOperation(), target);
    if (!named)
      return signalPassFailure();
    const opc::Target chip = portable ? named->portable() : *named;
    FailureOr<SmallVector<func::FuncOp>> kernels = kernelsAt(getOperation(), Phase::Planned);
    if (failed(kernels))
      return signalPassFailure();
    for (func::FuncOp kernel : *kernels) {
      if (failed(synchronise(kernel, chip)))
        return signalPassFailure();
      setPhase(kernel, Phase::Synced);
    }
  }

private:
  /// What is tried, one after the other. At first loops are carried. That takes ids for each; where there are too
  /// few, inner loops choose first, and when what they leave is too little for the loops around them, all of it is
  /// done again with less for the inner ones. Then outermost loops leave ids to what stands beside them as well, and
  /// at last no flag lets more than one tile be in work: what a kernel with one slot a buffer needs.
  static SmallVector<Sparing> attempts(func::FuncOp kernel, const opc::Target &chip) {
    SmallVector<Sparing> all = {Sparing()};
    const unsigned ids = chip.eventIds();
    const bool nests =
        kernel
            .walk([](scf::ForOp loop) {
              return loop->getParentOfType<scf::ForOp>() ? WalkResult::interrupt() : WalkResult::advance();
            })
            .wasInterrupted();
    for (unsigned left = kIdsForOuterLoops; nests && left < ids; ++left)
      all.push_back({false, left, false, false});
    for (bool oneTile : {false, true})
      for (unsigned left = 1; left < ids; ++left)
        all.push_back({false, left, true, oneTile});
    return all;
  }

  LogicalResult synchronise(func::FuncOp kernel, const opc::Target &chip) {
    std::optional<EventIdShortage> met, last;
    std::optional<Location> place;
    bool mayCarry = false;
    for (const Sparing &sparing : attempts(kernel, chip)) {
      OwningOpRef<func::FuncOp> planned = kernel.clone();
      KernelSync sync(kernel, chip, sparing);
      if (succeeded(sync.run())) {
        numDependences += sync.dependences;
        numFlags += sync.flags;
        numBarriers += sync.barriers;
        if (met || sync.thrift.met)
          tellThrift(kernel, chip, met ? *met : *sync.thrift.met, mayCarry, sync.thrift);
        if (explain)
          tell(sync.remarks);
        return success();
      }
      if (!sync.shortage)
        return failure();
      mayCarry |= sync.carried;
      met = met ? met : sync.shortage;
      last = sync.shortage;
      place = sync.shortOf->getLoc();
      kernel.getBody().takeBody(planned->getBody());
    }
    return mlir::emitError(*place, "[event_c1] expects the flags between two pipes to need at most ")
           << chip.eventIds() << " event ids on " << chip.name() << ", found " << last->needed << " from "
           << stringifyPipe(last->from) << " to " << stringifyPipe(last->to);
  }

  /// Says what a lack of ids changed: at the kernel for --explain-schedule, and as a remark.
  void tellThrift(func::FuncOp kernel, const opc::Target &chip, const EventIdShortage &shortage, bool notCarried,
                  const EventIdThrift &thrift) {
    std::string text = "event ids: flags from " + stringifyPipe(shortage.from).str() + " to " +
                       stringifyPipe(shortage.to).str() + " would need " + std::to_string(shortage.needed) + ", " +
                       std::string(chip.name()) + " has " + std::to_string(chip.eventIds());
    const char *separator = ": ";
    auto add = [&](const std::string &part) {
      text += separator + part;
      separator = ", ";
    };
    if (notCarried)
      add("loops begin anew in each run");
    if (thrift.joined)
      add(std::to_string(thrift.joined) + (thrift.joined == 1 ? " is" : " are") + " joined with another");
    if (thrift.lowered)
      add(std::to_string(thrift.lowered) + (thrift.lowered == 1 ? " lets" : " let") + " fewer tiles be in work");
    kernel->setAttr(AICoreDialect::kEventIdsAttr, StringAttr::get(kernel.getContext(), text));
    if (explain)
      mlir::emitRemark(kernel.getLoc(), text);
  }

  /// What nested loops leave at first: with it most kernels come out, and the fewest flags merge.
  static constexpr unsigned kIdsForOuterLoops = 2;
};
} // namespace

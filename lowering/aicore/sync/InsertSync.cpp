// Sync insertion: from `planned` to `synced`. SyncProblem.h states the problem for one region. This pass solves it
// for the regions of a kernel from the inside out, and inserts flags and barriers for the chosen edges. It is written
// by hand instead of as rewrite patterns because the order is the algorithm: the event ids that a loop takes decide
// which ids are left for the loops around it.
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
// A flag of n ids and distance d has id base + i mod n at its set and base + (i - d) mod n at its wait. The
// iterations of a perfect nest are counted as one sequence, so presets and drains are placed around the nest.
//
// A loop inside a loop, or after another loop, reuses event ids. Each of its flags p -> q then requires that the wait
// of q has passed before p sets the id again. This is a dependence from q in one loop to p in the other, and is
// handled like the dependences by address.
//
// Such a dependence makes pipes wait for each other before the loop. A loop whose trip count is invariant in the loop
// around it can be **carried** instead: its iterations are numbered through all iterations of the outer loop, like
// those of a nest, its flags have event ids of their own, and its presets and drains are placed around the outer loop.
// Passes over a row are such loops: while the vector unit finishes one pass, DMA loads the first tiles of the next. A
// loop inside a carried loop may be carried as well. If the trip count changes, there is no running counter, and a loop
// is carried only if each of its flags has one id.
//
//   for row:
//     for part:   load x0; reduce
//     for part:   load x1; compute; store
//
// The pass assumes a kernel of phase `planned`: loops count from 0 by 1, and operands are views of buffers or tensors.

#include "dialect/te/TeDialect.h"
#include "lowering/aicore/Iterations.h"
#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/Passes.h"
#include "lowering/aicore/sync/RedundantSync.h"
#include "lowering/aicore/sync/Relays.h"
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

/// Limit for the nodes of a region. The time to choose edges grows with the third power of it; at the limit it takes
/// seconds.
constexpr size_t kMostNodes = 512;

/// Which loops are carried through those around them.
enum class Carried { None, Leaves, All };

/// How a kernel saves event ids.
struct Sparing {
  Carried carries = Carried::All; ///< unless it is None, no distance is lowered
  unsigned leaves = 0;            ///< ids of each pair of pipes that loops leave unused where they can
  bool outermostToo = false;      ///< outermost loops leave them unused as well
  bool oneTile = false;           ///< no flag reaches further than the next iteration
};

/// Synchronises one kernel.
class KernelSync {
public:
  KernelSync(func::FuncOp kernel, const opc::Target &target, const Sparing &sparing)
      : kernel(kernel), target(target), sparing(sparing), relays(target) {}

  /// A remark for each flag and each barrier, to be emitted once the whole kernel is done.
  SmallVector<SyncRemark> remarks;

  LogicalResult run();
  /// Why run() failed: too few event ids. No diagnostic was emitted for it.
  std::optional<EventIdShortage> shortage;
  Operation *shortOf = nullptr; ///< the loop, or the kernel, that ran short
  unsigned dependences = 0, flags = 0, barriers = 0;
  /// The ids of a pair of pipes. The last one joins the nests of a launch (JoinNests.cpp).
  unsigned eventIds() { return target.eventIds() - (kernel->hasAttr(te::TeDialect::kNestAttr) ? 1 : 0); }
  /// How the flags of the kernel were changed to need fewer event ids.
  EventIdThrift thrift;
  bool carried = false; ///< whether some loop was carried

private:
  LogicalResult checkOperands();
  FailureOr<EventIdUse> syncBlock(Block &block, ArrayRef<scf::ForOp> nest, EventIdUse use = {});
  FailureOr<EventIdUse> syncItem(Operation &item, ArrayRef<scf::ForOp> around, EventIdUse use);
  struct Needs {
    bool counter = false, flags = false;
    size_t barriers = 0;
  };
  Needs needsOf(ArrayRef<scf::ForOp> nest) const;
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
  Relays relays;
  /// For each loop with presets and drains, the first and the last of these ops.
  DenseMap<Operation *, Operation *> firstOf, lastOf;
  // Input of the reduction over the whole kernel. `groups` and `remarks` are parallel.
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

/// Whether an op chooses slots by the counter of this loop alone. The slots then restart with each run of the loop,
/// and iterations of two runs may share a slot.
static bool takesTurnsOf(scf::ForOp loop, PipeOpInterface op) {
  return llvm::any_of(accessesOf(op), [&](const Access &access) {
    std::optional<TileView> view = tileViewOf(access.memref());
    auto slot = view && view->slot ? dyn_cast<Value>(view->slot) : Value();
    auto turn = slot ? slot.getDefiningOp<arith::RemSIOp>() : arith::RemSIOp();
    return turn && turn.getLhs() == loop.getInductionVar();
  });
}

/// What orders the iterations of a nest: barriers, flags, and a counter if a flag takes its ids in turn.
KernelSync::Needs KernelSync::needsOf(ArrayRef<scf::ForOp> nest) const {
  SyncProblem problem = buildSyncProblem(*scf::ForOp(nest.back()).getBody(), nest, {}, target);
  if (problem.nodes.size() > kMostNodes)
    return {true, true, 0};
  chooseEdges(problem);
  EventIdUse use;
  Needs needs;
  needs.counter = assignEventIds(problem, use, /*available=*/UINT_MAX, /*mayLower=*/false).has_value();
  for (const SyncEdge &edge : problem.edges) {
    needs.barriers += edge.barrier;
    needs.flags |= !edge.barrier;
    needs.counter |= !edge.barrier && edge.ids != 1;
  }
  return needs;
}

/// Whether the iterations of a loop continue through the nest around it. They have a running counter if the loop has
/// the same trip count each time. Otherwise its flags must need no counter, neither in the nest nor in the loop alone,
/// where more tiles might be in flight. A loop without flags gains nothing. It is not carried if it would need more
/// barriers: rows that one run of a loop puts beside each other are the same rows in the next run, and a barrier
/// between them ends each copy before the next.
bool KernelSync::isCarried(Operation *item, ArrayRef<scf::ForOp> around) const {
  auto loop = dyn_cast<scf::ForOp>(item);
  if (sparing.carries == Carried::None || !loop || around.empty())
    return false;
  SmallVector<scf::ForOp> inner = syncNestOf(loop);
  bool isLeaf = true;
  const bool isRegular = !inner.back()
                              .getBody()
                              ->walk([&](Operation *op) {
                                isLeaf &= op->getNumRegions() == 0;
                                auto pipeOp = dyn_cast<PipeOpInterface>(op);
                                return isa<scf::IfOp>(op) || (pipeOp && takesTurnsOf(inner.back(), pipeOp))
                                           ? WalkResult::interrupt()
                                           : WalkResult::advance();
                              })
                              .wasInterrupted();
  if (!isRegular || (!isLeaf && sparing.carries == Carried::Leaves))
    return false;
  const bool isNumbered = llvm::all_of(
      inner, [&](scf::ForOp each) { return scf::ForOp(around.front()).isDefinedOutsideOfLoop(each.getUpperBound()); });
  if (!isNumbered && (!isLeaf || inner.size() > 1 || sparing.carries == Carried::Leaves))
    return false;
  SmallVector<scf::ForOp> nest(around);
  nest.append(inner);
  const Needs inNest = needsOf(nest), alone = needsOf(inner);
  return (inNest.flags || inNest.barriers <= alone.barriers) && (isNumbered || (!inNest.counter && !alone.counter));
}

/// Synchronises the regions of an item. Returns the event ids that its flags use, united with those already in use.
/// The nest of a carried loop extends the one around it.
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
  relays.route(problem);
  if (problem.iterated())
    nests[&block].assign(nest.begin(), nest.end());
  // The ids of carried loops are reserved in the whole nest; those of other loops are reused by later items.
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
  // A nested loop leaves ids to the ops around it, if it can.
  auto loop = dyn_cast<scf::ForOp>(block.getParentOp());
  if (sparing.leaves && loop && (sparing.outermostToo || loop->getParentOfType<scf::ForOp>())) {
    SyncProblem frugal = problem;
    EventIdUse fewer = use;
    if (!assignEventIds(frugal, fewer, eventIds() - sparing.leaves)) {
      insert(frugal);
      return fewer;
    }
  }
  shortage = assignEventIds(problem, use, eventIds(), sparing.carries == Carried::None);
  if (shortage) {
    shortOf = problem.iterated() ? problem.nest.front().getOperation() : kernel.getOperation();
    return failure();
  }
  insert(problem);
  return use;
}

//===----------------------------------------------------------------------===//
// Event ids of other items
//===----------------------------------------------------------------------===//

// Ids that two items use, or that one item uses in two iterations: the later set comes after the earlier wait.
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

// The number of the iteration in a nest, computed once, at the top of the innermost body.
Value KernelSync::counterOf(ArrayRef<scf::ForOp> nest) {
  if (nest.size() == 1)
    return scf::ForOp(nest.front()).getInductionVar();
  scf::ForOp innermost = nest.back();
  auto [entry, inserted] = counters.try_emplace(innermost);
  if (!inserted)
    return entry->second;
  auto builder = OpBuilder::atBlockBegin(innermost.getBody());
  return counters[innermost] = iterationOf(builder, nest);
}

/// Moves an op, or the insertion point, so that the op precedes what the builder creates next.
static void moveUpTo(OpBuilder &builder, Operation *op) {
  Block::iterator place = builder.getInsertionPoint();
  if (place == builder.getBlock()->end() || op->isBeforeInBlock(&*place))
    return;
  if (&*place == op)
    builder.setInsertionPointAfter(op);
  else
    op->moveBefore(&*place);
}

/// base + (counter + shift) mod ids. An existing op that computes the remainder, for a slot for example, is reused.
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

// A loop forms a unit with its presets and drains: whatever is ordered against the loop is ordered against them.
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

  // Iterations -d to -1 set their flags before the nest.
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
  // The sets of the last d of T iterations are waited for; their ids depend on T.
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
  // Several regions may have presets and drains around one loop.
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
  // Neither neighbour is null: a terminator follows the loop, and constants precede it.
  firstOf[loop] = beforeLoop ? beforeLoop->getNextNode() : &loop->getBlock()->front();
  lastOf[loop] = afterLoop->getPrevNode();
}

/// Removes the synchronisation around loops that synchronisation inside them makes redundant.
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
  if (failed(checkOperands()))
    return failure();
  relays.place(kernel.getBody().front());
  EventIdUse reserved;
  for (unsigned from = 0; from < kNumPipes; ++from)
    for (unsigned to = 0; to < kNumPipes; ++to)
      reserved.of(aicore::Pipe(from), aicore::Pipe(to)) = target.firstEventId(opc::Pipe(from), opc::Pipe(to));
  if (failed(syncBlock(kernel.getBody().front(), {}, reserved)))
    return failure();
  relays.erase();
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
    opc::Target chip = portable ? named->portable() : *named;
    if (fixToV == FixToV::Direct)
      chip = chip.withFixToV();
    FailureOr<SmallVector<func::FuncOp>> kernels = kernelsAt(getOperation(), Phase::Planned);
    if (failed(kernels))
      return signalPassFailure();
    for (func::FuncOp kernel : *kernels) {
      if (failed(synchronise(kernel, chip)))
        return signalPassFailure();
      setPhase(kernel, Phase::Synced);
      tellFixToV(kernel);
    }
  }

private:
  /// Marks a kernel that has flags between FIX and V, which the toolkit does not have.
  static void tellFixToV(func::FuncOp kernel) {
    const WalkResult found = kernel.walk([](SetFlagOp flag) {
      const aicore::Pipe from = flag.getFrom(), to = flag.getTo();
      return (from == aicore::Pipe::FIX && to == aicore::Pipe::V) ||
                     (from == aicore::Pipe::V && to == aicore::Pipe::FIX)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (found.wasInterrupted())
      kernel->setAttr(AICoreDialect::kFixToVAttr, StringAttr::get(kernel.getContext(), AICoreDialect::kDirect));
  }

  /// The attempts, in order. First, loops are carried, which takes separate ids for each loop. If ids run short,
  /// loops are no longer carried: inner loops choose first and leave some ids to the loops around them, more of them
  /// in each attempt. Then outermost loops leave ids to the ops beside them as well. Last, no flag lets more than one
  /// tile be in flight, as in a kernel with single-slot buffers.
  static SmallVector<Sparing> attempts(func::FuncOp kernel, const opc::Target &chip) {
    SmallVector<Sparing> all = {Sparing()};
    all.emplace_back().carries = Carried::Leaves;
    const unsigned ids = chip.eventIds();
    const bool nests =
        kernel
            .walk([](scf::ForOp loop) {
              return loop->getParentOfType<scf::ForOp>() ? WalkResult::interrupt() : WalkResult::advance();
            })
            .wasInterrupted();
    for (unsigned left = kIdsForOuterLoops; nests && left < ids; ++left)
      all.push_back({Carried::None, left, false, false});
    for (bool oneTile : {false, true})
      for (unsigned left = 1; left < ids; ++left)
        all.push_back({Carried::None, left, true, oneTile});
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
          emitRemarks(sync.remarks);
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
    InFlightDiagnostic error =
        mlir::emitError(*place, "[event_c1] expects the flags between two pipes to need at most ")
        << chip.eventIds() << " event ids on " << chip.name() << ", found " << last->needed << " from "
        << stringifyPipe(last->from) << " to " << stringifyPipe(last->to);
    error.attachNote()
        << "fix: fewer tensors, or fewer reductions of which one needs the result of another: an operator for "
           "each part of the body";
    return error;
  }

  /// Reports what was changed for lack of event ids: as an attribute of the kernel, for --explain-schedule, and as a
  /// remark.
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
      add("loops start anew in each run");
    if (thrift.joined)
      add(std::to_string(thrift.joined) + (thrift.joined == 1 ? " is" : " are") + " merged with another");
    if (thrift.lowered)
      add(std::to_string(thrift.lowered) + (thrift.lowered == 1 ? " lets" : " let") + " fewer tiles be in flight");
    kernel->setAttr(AICoreDialect::kEventIdsAttr, StringAttr::get(kernel.getContext(), text));
    if (explain)
      mlir::emitRemark(kernel.getLoc(), text);
  }

  /// Ids that nested loops leave unused in the first attempt. With two, most kernels succeed and the fewest flags are
  /// merged.
  static constexpr unsigned kIdsForOuterLoops = 2;
};
} // namespace

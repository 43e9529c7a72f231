#include "lowering/aicore/LiveRanges.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace opc::aicore {

namespace {
/// Positions of pipe ops, and the span of positions below an op that holds others.
class Positions {
public:
  explicit Positions(func::FuncOp kernel) {
    kernel.walk([&](PipeOpInterface op) {
      numbers[op] = ops.size();
      ops.push_back(op);
    });
  }

  unsigned of(Operation *op) const { return numbers.lookup(op); }

  // Widens [first, last] to all that stands in `op`.
  void cover(Operation *op, unsigned &first, unsigned &last) const {
    op->walk([&](PipeOpInterface inner) {
      first = std::min(first, of(inner));
      last = std::max(last, of(inner));
    });
  }

  SmallVector<Operation *> ops;

private:
  DenseMap<Operation *, unsigned> numbers;
};
} // namespace

/// The innermost region with all of the ops.
static Region *commonRegion(ArrayRef<PipeOpInterface> ops) {
  Region *region = ops.front()->getParentRegion();
  while (
      !llvm::all_of(ops, [&](Operation *op) { return region->isAncestor(op->getParentRegion()); }))
    region = region->getParentRegion();
  return region;
}

/// Whether `op` stands directly in `region` and writes the buffer without reading it.
static bool writesAfresh(PipeOpInterface op, BufferOp buffer, Region *region) {
  if (op->getParentRegion() != region)
    return false;
  bool writes = false;
  for (const Access &access : accessesOf(op)) {
    std::optional<TileView> view = tileViewOf(access.memref());
    if (!view || view->buffer != buffer)
      continue;
    if (access.reads)
      return false;
    writes |= access.writes;
  }
  return writes;
}

/// The outermost loop around `op`, or `op` itself.
static Operation *outermostLoop(Operation *op) {
  Operation *outermost = op;
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (isa<scf::ForOp>(parent))
      outermost = parent;
  return outermost;
}

/// Whether capacities were chosen for all buffers side by side: a schedule leaves nothing to share.
static bool isScheduled(func::FuncOp kernel) {
  return kernel->hasAttr(AICoreDialect::kScheduleAttr);
}

PlanProblem liveRangesOf(func::FuncOp kernel) {
  Positions positions(kernel);
  PlanProblem problem;
  if (isScheduled(kernel)) {
    unsigned last = positions.ops.empty() ? 0 : positions.ops.size() - 1;
    kernel.walk(
        [&](BufferOp buffer) { problem.buffers.push_back({buffer, buffer.getBytes(), 0, last}); });
    problem.positions = std::move(positions.ops);
    return problem;
  }
  kernel.walk([&](BufferOp buffer) {
    PlannedBuffer planned{buffer, buffer.getBytes()};
    SmallVector<PipeOpInterface> users = usersOf(buffer);
    if (users.empty()) {
      problem.buffers.push_back(planned);
      return;
    }
    llvm::sort(users,
               [&](Operation *a, Operation *b) { return positions.of(a) < positions.of(b); });
    planned.first = positions.of(users.front());
    planned.last = positions.of(users.back());
    Region *region = commonRegion(users);
    // What a nested loop uses lives through that loop.
    for (Operation *user : users)
      if (Operation *item = region->findAncestorOpInRegion(*user); item != user)
        positions.cover(item, planned.first, planned.last);
    bool movedByDma =
        llvm::any_of(users, [](PipeOpInterface user) { return isDma(user.getPipe()); });
    // Read before it is written in an iteration: it brings a value from the iteration before.
    bool carried = !writesAfresh(users.front(), buffer, region);
    if (movedByDma || carried || buffer.getSlots() > 1)
      for (Operation *user : users)
        positions.cover(outermostLoop(user), planned.first, planned.last);
    problem.buffers.push_back(planned);
  });
  problem.positions = std::move(positions.ops);
  return problem;
}

} // namespace opc::aicore

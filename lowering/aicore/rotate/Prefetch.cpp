// Prefetch: issues the loads of the next tile before the current tile is computed.
//
// The scalar unit issues instructions in order. While it waits inside a tile for a value that the vector unit
// computes, it issues nothing, and the loads of the next tile come too late. So they are issued first:
//
//   if (0 < tiles) load(0)
//   for tile:
//     if (tile + 1 < tiles) load(tile + 1)
//     compute(tile); store(tile)
//
// The slot of a load follows from the load's own tile. Flags are inserted later, from the memory that ops access. The
// rewrite is written by hand because its whole point is the order of the ops.

#include "lowering/aicore/rotate/Prefetch.h"

#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/TileView.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace opc::aicore {

/// The ops in the loop body that a load depends on (scalars and views), operands first, and the load itself.
static void collectSlice(Operation *op, Block *body, llvm::SetVector<Operation *> &slice) {
  for (Value operand : op->getOperands())
    if (Operation *defining = operand.getDefiningOp(); defining && defining->getBlock() == body)
      collectSlice(defining, body, slice);
  slice.insert(op);
}

/// Whether an op in the loop, at any depth, makes the scalar unit wait for a tile.
static bool readsScalars(scf::ForOp loop) {
  return loop.getBody()->walk([](ScalarReadOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Whether the load of the next tile does not overwrite the current one: its buffer has a slot for each.
static bool hasSlots(LoadOp load) {
  std::optional<TileView> view = tileViewOf(load.getDestination());
  return view && view->buffer.getSlots() > 1;
}

/// Whether a kernel stores to the tensor of a load: then the next load may read a value that this tile stores.
static bool isStored(LoadOp load, func::FuncOp kernel) {
  std::optional<TensorView> view = tensorViewOf(load.getSource());
  auto stores = [&](StoreOp store) {
    std::optional<TensorView> stored = tensorViewOf(store.getDestination());
    return !view || !stored || stored->tensor == view->tensor ? WalkResult::interrupt() : WalkResult::advance();
  };
  return kernel.walk(stores).wasInterrupted();
}

static void issueFor(OpBuilder &builder, scf::ForOp loop, Value tile, const llvm::SetVector<Operation *> &slice) {
  Location location = loop.getLoc();
  Value more = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::slt, tile, loop.getUpperBound());
  auto branch = scf::IfOp::create(builder, location, more, /*withElseRegion=*/false);
  OpBuilder inner = branch.getThenBodyBuilder();
  IRMapping values;
  values.map(loop.getInductionVar(), tile);
  for (Operation *op : slice)
    inner.clone(*op, values);
}

unsigned prefetchLoads(func::FuncOp kernel) {
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) {
    SmallVector<LoadOp> loads(loop.getBody()->getOps<LoadOp>());
    const bool mayComeFirst =
        llvm::all_of(loads, [&](LoadOp load) { return hasSlots(load) && !isStored(load, kernel); });
    if (!loads.empty() && mayComeFirst && readsScalars(loop))
      loops.push_back(loop);
  });
  for (scf::ForOp loop : loops) {
    SmallVector<LoadOp> loads(loop.getBody()->getOps<LoadOp>());
    llvm::SetVector<Operation *> slice;
    for (LoadOp load : loads)
      collectSlice(load, loop.getBody(), slice);
    OpBuilder before(loop);
    issueFor(before, loop, indexConstant(kernel, 0), slice);
    auto first = OpBuilder::atBlockBegin(loop.getBody());
    Value next = arith::AddIOp::create(first, loop.getLoc(), loop.getInductionVar(), indexConstant(kernel, 1));
    issueFor(first, loop, next, slice);
    for (LoadOp load : loads)
      load.erase();
  }
  return loops.size();
}

} // namespace opc::aicore

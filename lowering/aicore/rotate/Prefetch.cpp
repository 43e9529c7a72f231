// Prefetch: the loads of the next tile are issued before this one is computed.
//
// The scalar unit hands out instructions in order. Where it waits inside of a tile, for a value that the vector unit
// has to compute first, nothing is issued meanwhile, and the loads of the next tile come too late. So they come first:
//
//   if (0 < tiles) load(0)
//   for tile:
//     if (tile + 1 < tiles) load(tile + 1)
//     compute(tile); store(tile)
//
// The slot of a load follows from its own tile; flags are inserted later, by what is touched.

#include "lowering/aicore/rotate/Prefetch.h"

#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/TileView.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace opc::aicore {

/// What a load needs of its loop's body: scalars and views, operands first.
static void collectSlice(Operation *op, Block *body, llvm::SetVector<Operation *> &slice) {
  for (Value operand : op->getOperands())
    if (Operation *defining = operand.getDefiningOp(); defining && defining->getBlock() == body)
      collectSlice(defining, body, slice);
  slice.insert(op);
}

/// Whether something below the body of the loop makes the scalar unit wait for a tile.
static bool readsScalars(scf::ForOp loop) {
  return loop.getBody()->walk([](ScalarReadOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Whether the load of the next tile leaves this one alone: its buffer has a slot for each.
static bool hasSlots(LoadOp load) {
  std::optional<TileView> view = tileViewOf(load.getDestination());
  return view && view->buffer.getSlots() > 1;
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
    if (!loads.empty() && llvm::all_of(loads, hasSlots) && readsScalars(loop))
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

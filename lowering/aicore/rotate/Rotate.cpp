// Rotation (multi-buffering): from `placed` to `rotated`.
//
// The pipes of a core run asynchronously: one pipe can work on tile i + 1 while another still works on tile i, if the
// two tiles are in different bytes. So each buffer that DMA accesses gets two slots, used alternately:
//
//   iteration        0        1        2        3
//   mte2 loads    slot 0   slot 1   slot 0   slot 1
//   v computes             slot 0   slot 1   slot 0
//   mte3 stores                     slot 0   slot 1
//
// No more is needed for double buffering. The loop keeps its shape; flags, inserted later, let the pipes run as far
// apart as the slots allow. (A software-pipelined loop would do the same with a prologue, an epilogue, and memrefs as
// loop-carried values, which hide from every later phase which buffer is meant.)
//
// Temporaries that only the vector unit uses keep one slot: pipe `v` works on one tile at a time.
//
// For each buffer, in program order, the pass
//   1. finds the loop that contains it, and the counter of that loop, which runs on through outer loops
//   2. recreates it in the entry block, with slots if DMA accesses it and a counter exists
//   3. rewrites each view that a pipe op uses as one subview [%slot, offset] [1, size] [1, 1]
//
// An op with the attribute `of_iteration_before` reads the slot of the iteration before: it computes with the results
// of one tile after the next one was begun.
//
// The pass is written by hand because the order of these steps is the point: a buffer's loop must be known before the
// buffer leaves it. It assumes a kernel of phase `placed`, whose loops count from 0 by 1.

#include "lowering/aicore/Iterations.h"
#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/Passes.h"
#include "lowering/aicore/TileView.h"
#include "lowering/aicore/rotate/Prefetch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opc::aicore;

namespace opc::aicore {
#define GEN_PASS_DEF_ROTATEPASS
#include "lowering/aicore/Passes.h.inc"
} // namespace opc::aicore

/// Slots of a rotated buffer. With two, pipes can overlap; a third gains nothing in the cycle model.
static constexpr int64_t kSlots = 2;

namespace {

/// Rotates the buffers of one kernel.
class KernelRotation {
public:
  explicit KernelRotation(func::FuncOp kernel) : kernel(kernel) {}

  LogicalResult run();
  unsigned rotated = 0, hoisted = 0;

private:
  Value slotOf(scf::ForOp loop);
  Value slotBefore(Value slot);
  LogicalResult rotate(BufferOp buffer, Value slot);
  LogicalResult rewriteViews(Value view, OpFoldResult offset, BufferOp rotatedBuffer, Value slot);
  void hoist(Operation *buffer);

  func::FuncOp kernel;
  DenseMap<Operation *, Value> slots;
  DenseMap<Value, Value> slotsBefore; ///< by a slot: that of the iteration before
};

} // namespace

/// The loops around `loop`, outermost first, and `loop` itself.
static SmallVector<scf::ForOp> nestOf(scf::ForOp loop) {
  SmallVector<scf::ForOp> nest;
  for (; loop; loop = loop->getParentOfType<scf::ForOp>())
    nest.insert(nest.begin(), loop);
  return nest;
}

// The slot of the current iteration, computed at the top of the loop body: the number of the iteration mod 2. Null if
// an inner trip count may change between runs of its loop, since numbers would then be skipped.
Value KernelRotation::slotOf(scf::ForOp loop) {
  auto [entry, inserted] = slots.try_emplace(loop);
  if (!inserted)
    return entry->second;
  SmallVector<scf::ForOp> nest = nestOf(loop);
  for (scf::ForOp inner : ArrayRef<scf::ForOp>(nest).drop_front())
    if (!nest.front().isDefinedOutsideOfLoop(inner.getUpperBound()))
      return {};

  Value slotCount = indexConstant(kernel, kSlots);
  auto builder = OpBuilder::atBlockBegin(loop.getBody());
  Value slot = arith::RemSIOp::create(builder, loop.getLoc(), iterationOf(builder, nest), slotCount);
  return slots[loop] = slot;
}

// Moves a buffer to the entry block of the kernel, after the constants and buffers at its start.
void KernelRotation::hoist(Operation *buffer) {
  Block &entry = kernel.getBody().front();
  Operation *place = &entry.front();
  while (isa<arith::ConstantOp, BufferOp>(place) && place != buffer)
    place = place->getNextNode();
  if (place != buffer)
    buffer->moveBefore(place);
}

static OpFoldResult addOffsets(OpBuilder &builder, Location location, OpFoldResult lhs, OpFoldResult rhs) {
  if (isConstantIntValue(lhs, 0))
    return rhs;
  if (isConstantIntValue(rhs, 0))
    return lhs;
  std::optional<int64_t> first = getConstantIntValue(lhs), second = getConstantIntValue(rhs);
  int64_t sum;
  if (first && second && !llvm::AddOverflow(*first, *second, sum))
    return builder.getIndexAttr(sum);
  Value left = getValueOrCreateConstantIndexOp(builder, location, lhs);
  Value right = getValueOrCreateConstantIndexOp(builder, location, rhs);
  return arith::AddIOp::create(builder, location, left, right).getResult();
}

/// The slot that the iteration before took, for the slot of the current one.
Value KernelRotation::slotBefore(Value slot) {
  Value &before = slotsBefore[slot];
  if (!before) {
    auto remainder = slot.getDefiningOp<arith::RemSIOp>();
    OpBuilder builder(slot.getContext());
    builder.setInsertionPointAfter(remainder);
    Value sum = arith::AddIOp::create(builder, slot.getLoc(), remainder.getLhs(), indexConstant(kernel, kSlots - 1));
    before = arith::RemSIOp::create(builder, slot.getLoc(), sum, remainder.getRhs());
  }
  return before;
}

// `offset` is the start of `view` in its slot. Views of views are merged into one.
LogicalResult KernelRotation::rewriteViews(Value view, OpFoldResult offset, BufferOp rotatedBuffer, Value slot) {
  auto type = cast<MemRefType>(view.getType());
  Value rewrittenOf[2]; // of this iteration, of the one before
  for (OpOperand &use : llvm::make_early_inc_range(view.getUses())) {
    Operation *user = use.getOwner();
    OpBuilder builder(user);
    if (auto subview = dyn_cast<memref::SubViewOp>(user)) {
      if (subview.getType().getRank() != 1 || !subview.hasUnitStride())
        return subview.emitError("[rotate_c1] expects views of a buffer of rank 1 and stride 1, found ")
               << subview.getType();
      OpFoldResult total = addOffsets(builder, subview.getLoc(), offset, subview.getMixedOffsets().front());
      if (failed(rewriteViews(subview.getResult(), total, rotatedBuffer, slot)))
        return failure();
      subview.erase();
      continue;
    }
    if (!isa<PipeOpInterface>(user))
      return user->emitError("[rotate_c1] expects a buffer to be reached through subviews, found '")
             << user->getName() << "'";
    const bool isBefore = use.getOperandNumber() == 0 && user->hasAttr(kOfIterationBefore);
    Value &rewritten = rewrittenOf[isBefore];
    if (!rewritten) {
      Operation *place = view.getDefiningOp();
      OpFoldResult size = builder.getIndexAttr(type.getDimSize(0));
      if (auto subview = dyn_cast<memref::SubViewOp>(place))
        size = subview.getMixedSizes().front();
      builder.setInsertionPoint(place);
      OpFoldResult one = builder.getIndexAttr(1);
      SmallVector<OpFoldResult> offsets = {OpFoldResult(isBefore ? slotBefore(slot) : slot), offset},
                                sizes = {one, size}, strides = {one, one};
      MemRefType result = memref::SubViewOp::inferRankReducedResultType(type.getShape(), rotatedBuffer.getType(),
                                                                        offsets, sizes, strides);
      // For a view of one element it is ambiguous which dimension is dropped; the result has stride 1 either way.
      auto layout = cast<StridedLayoutAttr>(result.getLayout());
      result = MemRefType::get(result.getShape(), result.getElementType(),
                               StridedLayoutAttr::get(result.getContext(), layout.getOffset(), {1}),
                               result.getMemorySpace());
      rewritten = memref::SubViewOp::create(builder, place->getLoc(), result, rotatedBuffer.getMemref(), offsets, sizes,
                                            strides);
    }
    use.set(rewritten);
  }
  return success();
}

LogicalResult KernelRotation::rotate(BufferOp buffer, Value slot) {
  MemRefType flat = buffer.getType();
  OpBuilder builder(buffer);
  auto type = MemRefType::get({kSlots, flat.getDimSize(0)}, flat.getElementType(), MemRefLayoutAttrInterface(),
                              flat.getMemorySpace());
  auto rotatedBuffer = BufferOp::create(builder, buffer.getLoc(), type, buffer.getName(), std::nullopt);
  hoist(rotatedBuffer);
  if (failed(rewriteViews(buffer.getMemref(), builder.getIndexAttr(0), rotatedBuffer, slot)))
    return failure();
  buffer.erase();
  ++rotated;
  return success();
}

LogicalResult KernelRotation::run() {
  SmallVector<BufferOp> buffers;
  kernel.walk([&](BufferOp buffer) { buffers.push_back(buffer); });
  auto schedule = kernel->getAttrOfType<ScheduleAttr>(AICoreDialect::kScheduleAttr);
  bool inTurn = !schedule || schedule.getSlots() > 1;
  for (BufferOp buffer : buffers) {
    auto loop = buffer->getParentOfType<scf::ForOp>();
    bool movedByDma = llvm::any_of(usersOf(buffer), [](PipeOpInterface user) { return isDma(user.getPipe()); });
    bool single = buffer.getType().getRank() == 1;
    Value slot = loop && movedByDma && single && inTurn ? slotOf(loop) : Value();
    if (slot) {
      if (failed(rotate(buffer, slot)))
        return failure();
      continue;
    }
    hoist(buffer);
    ++hoisted;
  }
  return success();
}

namespace {
struct RotatePass : opc::aicore::impl::RotatePassBase<RotatePass> {
  void runOnOperation() override {
    FailureOr<SmallVector<func::FuncOp>> kernels = kernelsAt(getOperation(), Phase::Placed);
    if (failed(kernels))
      return signalPassFailure();
    for (func::FuncOp kernel : *kernels) {
      KernelRotation rotation(kernel);
      if (failed(rotation.run()))
        return signalPassFailure();
      numRotated += rotation.rotated;
      numHoisted += rotation.hoisted;
      auto schedule = kernel->getAttrOfType<ScheduleAttr>(AICoreDialect::kScheduleAttr);
      if (schedule && schedule.getPrefetch())
        numPrefetched += prefetchLoads(kernel);
      setPhase(kernel, Phase::Rotated);
    }
  }
};
} // namespace

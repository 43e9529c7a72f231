#include "lowering/aicore/verify/Liveness.h"
#include "lowering/aicore/verify/values/Views.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace opc::aicore {

namespace {

using BufferSet = llvm::SmallSetVector<Operation *, 8>;

/// Backward liveness analysis of one kernel: which buffers will still be read.
class Liveness {
public:
  explicit Liveness(func::FuncOp kernel) : kernel(kernel) {
    collectParts();
    findFirstWrites();
  }

  std::vector<Interference> run() {
    BufferSet live;
    visitBlock(kernel.getBody().front(), live);
    std::reverse(found.begin(), found.end());
    return std::move(found);
  }

private:
  void collectParts();
  void findFirstWrites();
  bool mayHold(Operation *buffer, Operation *at) const {
    auto first = heldFrom.find(buffer);
    return first != heldFrom.end() && first->second <= placeOf.lookup(at);
  }
  void visitBlock(Block &block, BufferSet &live);
  void visitOp(PipeOpInterface op, BufferSet &live);
  void add(Operation *a, Operation *b, Operation *at, bool inPlaceIsFine = false) {
    found.push_back({cast<BufferOp>(a), cast<BufferOp>(b), at, inPlaceIsFine});
  }

  func::FuncOp kernel;
  /// Buffers that are only accessed through views of the same part, so that a write replaces the whole contents.
  llvm::DenseMap<Operation *, bool> onePart;
  llvm::DenseMap<Operation *, unsigned> placeOf; ///< position in program order
  /// For each buffer that is written: the position of its first write, or of the outermost loop around that write.
  llvm::DenseMap<Operation *, unsigned> heldFrom;
  std::vector<Interference> found;
};

} // namespace

/// Slot, offset and length of a view, for comparison; empty for a whole buffer.
static SmallVector<OpFoldResult> partOf(Value memref) {
  auto view = memref.getDefiningOp<memref::SubViewOp>();
  if (!view || view.getSource().getDefiningOp<memref::SubViewOp>())
    return {};
  SmallVector<OpFoldResult> part = view.getMixedOffsets();
  part.push_back(view.getMixedSizes().back());
  return part;
}

void Liveness::collectParts() {
  llvm::DenseMap<Operation *, Value> first;
  kernel.walk([&](PipeOpInterface op) {
    SmallVector<Access> accesses;
    op.getAccesses(accesses);
    for (const Access &access : accesses) {
      BufferOp buffer = bufferOfView(access.memref());
      if (!buffer)
        continue;
      auto [entry, inserted] = first.try_emplace(buffer, access.memref());
      bool nested = access.memref().getDefiningOp<memref::SubViewOp>() &&
                    access.memref().getDefiningOp<memref::SubViewOp>().getSource().getDefiningOp<memref::SubViewOp>();
      bool same = !nested && partOf(entry->second) == partOf(access.memref()) && !isa<ScalarWriteOp>(op);
      onePart[buffer] = (inserted || onePart[buffer]) && same;
    }
  });
}

void Liveness::findFirstWrites() {
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    const unsigned place = placeOf.size();
    placeOf[op] = place;
    auto pipeOp = dyn_cast<PipeOpInterface>(op);
    if (!pipeOp)
      return;
    Operation *outermost = op;
    for (auto loop = op->getParentOfType<scf::ForOp>(); loop; loop = loop->getParentOfType<scf::ForOp>())
      outermost = loop;
    SmallVector<Access> accesses;
    pipeOp.getAccesses(accesses);
    for (const Access &access : accesses)
      if (BufferOp buffer = bufferOfView(access.memref()); buffer && access.writes) {
        auto [first, inserted] = heldFrom.try_emplace(buffer, placeOf.lookup(outermost));
        first->second = std::min(first->second, placeOf.lookup(outermost));
      }
  });
}

/// Whether the destination of an elementwise intrinsic may begin at the address of a source: both have the same width
/// and the same slot of the same size.
static bool worksInPlace(PipeOpInterface op, Value source, Value destination) {
  auto intrinsic = dyn_cast<VectorOpInterface>(op.getOperation());
  if (!intrinsic)
    return false;
  switch (intrinsicInfo(intrinsic.getIntrinsic()).form) {
  case IntrinsicForm::Unary:
  case IntrinsicForm::Binary:
  case IntrinsicForm::Scalar:
  case IntrinsicForm::Accumulate:
  case IntrinsicForm::AccumulateScalar:
  case IntrinsicForm::Cast:
    break;
  default:
    return false;
  }
  auto bytesOf = [](Value tile) {
    return elementSize(*elementTypeOf(cast<MemRefType>(tile.getType()).getElementType()));
  };
  BufferOp from = bufferOfView(source), to = bufferOfView(destination);
  bool slotsAlike =
      from.getSlots() == to.getSlots() && (from.getSlots() == 1 || from.getSlotBytes() == to.getSlotBytes());
  return slotsAlike && bytesOf(source) == bytesOf(destination) && partOf(source) == partOf(destination);
}

void Liveness::visitOp(PipeOpInterface op, BufferSet &live) {
  SmallVector<Access> accesses;
  op.getAccesses(accesses);
  for (const Access &access : accesses) {
    BufferOp written = access.writes ? bufferOfView(access.memref()) : BufferOp();
    if (!written)
      continue;
    for (Operation *other : live)
      if (other != written && mayHold(other, op))
        add(written, other, op);
    for (const Access &source : accesses) {
      BufferOp touched = bufferOfView(source.memref());
      if (touched && touched != written && !live.contains(touched))
        add(written, touched, op, !source.writes && worksInPlace(op, source.memref(), access.memref()));
    }
  }
  for (const Access &access : accesses)
    if (BufferOp buffer = bufferOfView(access.memref()); buffer && access.writes && !access.reads && onePart[buffer])
      live.remove(buffer);
  for (const Access &access : accesses)
    if (BufferOp buffer = bufferOfView(access.memref()); buffer && access.reads)
      live.insert(buffer);
}

void Liveness::visitBlock(Block &block, BufferSet &live) {
  for (Operation &op : llvm::reverse(block)) {
    if (auto pipeOp = dyn_cast<PipeOpInterface>(op)) {
      visitOp(pipeOp, live);
      continue;
    }
    // The beginning of a loop follows its end; two rounds reach a fixed point. A branch may not be taken.
    unsigned rounds = isa<scf::ForOp>(op) ? 2 : 1;
    BufferSet after = live;
    for (Region &region : op.getRegions())
      for (Block &body : region) {
        BufferSet inside = after;
        for (unsigned round = 0; round < rounds; ++round) {
          visitBlock(body, inside);
          inside.insert(after.begin(), after.end());
        }
        live.insert(inside.begin(), inside.end());
      }
  }
}

std::vector<Interference> interferencesOf(func::FuncOp kernel) {
  return Liveness(kernel).run();
}

} // namespace opc::aicore

// Replaces products of matrices in L1 by their steps: parts of k, each loaded to L0A and L0B and multiplied.
//
//   multiply x_l1, w_l1 -> c        for step over parts of k:
//                                     load_fractals or load_im2col   x_l1 -> x_l0    mte1
//                                     load_fractals                  w_l1 -> w_l0    mte1
//                                     mmad                           onto c          m
//
// The pass is before every verifier of kernels: what the steps touch is proved of them like of ops by hand. Views have
// constant lengths, since a bound of their length would say nothing about the elements that are there.

#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/Passes.h"
#include "lowering/aicore/verify/values/Facts.h"
#include "lowering/aicore/verify/values/Views.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace opc::aicore {
#define GEN_PASS_DEF_EXPANDMULTIPLYPASS
#include "lowering/aicore/Passes.h.inc"

namespace {

/// The products of one kernel.
class Expander {
public:
  Expander(func::FuncOp kernel, const Target &target) : kernel(kernel), target(target), facts(kernel) {
    kernel.walk([&](BufferOp buffer) { names.insert(buffer.getName()); });
  }
  LogicalResult expand(MultiplyOp op);

private:
  /// Bounds of the sizes, in whole fractals, and the part of k, in elements.
  struct Sizes {
    int64_t m, k, n, depth;
  };
  FailureOr<Sizes> sizesOf(MultiplyOp op);
  LogicalResult checkTiles(MultiplyOp op);
  Value stepsOf(MultiplyOp op, const Sizes &sizes);
  void expandStep(MultiplyOp op, const Sizes &sizes, Value step);
  Value makeBuffer(MultiplyOp op, Value source, Space space, Layout layout, int64_t elements);
  Value partOf(MultiplyOp op, Value tile, int64_t height, bool isAlongK, const Sizes &sizes, Value step);
  Value constant(int64_t value) { return indexConstant(kernel, value); }

  func::FuncOp kernel;
  const Target &target;
  Facts facts;
  llvm::StringSet<> names;
  OpBuilder b{kernel.getContext()};
};

} // namespace

static int64_t wholeUnits(int64_t size, int64_t unit) {
  return (size + unit - 1) / unit * unit;
}

static int64_t bytesOf(Value tile) {
  return elementSize(*elementTypeOf(cast<MemRefType>(tile.getType()).getElementType()));
}

/// The steps take constant parts of the tiles.
LogicalResult Expander::checkTiles(MultiplyOp op) {
  for (Value tile : {Value(op.getLhs()), Value(op.getRhs())}) {
    if (!bufferOfView(tile))
      return op.emitError("[expand_c1] expects operands to be views of a buffer");
    if (!cast<MemRefType>(tile.getType()).hasStaticShape())
      return op.emitError("[expand_c1] expects operands of a constant length, found ") << tile.getType();
  }
  return success();
}

FailureOr<Expander::Sizes> Expander::sizesOf(MultiplyOp op) {
  const int64_t limit = target.limit("max_mmad_size");
  const int64_t bytes = bytesOf(op.getLhs());
  // Bytes of k x n are transposed in squares of 32 x 32.
  const int64_t unit = bytes == 1 ? kFractalRowBytes : kFractalRows;
  for (auto [value, name] : {std::pair(op.getM(), "m"), {op.getK(), "k"}, {op.getN(), "n"}})
    if (facts.of(value).max > limit)
      return op.emitError("[expand_c2] expects ")
             << name << " to be known to be at most " << limit << "; it is in " << toText(facts.of(value));
  auto most = [&](Value value, int64_t of) { return wholeUnits(std::max<int64_t>(facts.of(value).max, 1), of); };
  Sizes sizes{most(op.getM(), kFractalRows), most(op.getK(), unit), most(op.getN(), unit), unit};
  auto fits = [&](int64_t depth) {
    return 2 * sizes.m * depth * bytes <= target.memoryBytes(Memory::L0A) &&
           2 * sizes.n * depth * bytes <= target.memoryBytes(Memory::L0B);
  };
  if (!fits(unit))
    return op.emitError("[expand_c2] expects operands of which L0A and L0B can have ")
           << unit << " of k twice; m is at most " << sizes.m << ", n " << sizes.n;
  constexpr int64_t kMostDepth = 512;
  while (sizes.depth < std::min(kMostDepth, sizes.k) && fits(2 * sizes.depth))
    sizes.depth *= 2;
  return sizes;
}

/// A buffer beside the tile in L1 from which it is loaded.
Value Expander::makeBuffer(MultiplyOp op, Value source, Space space, Layout layout, int64_t elements) {
  std::string name = bufferOfView(source).getName().str() + "_l0";
  for (unsigned number = 2; !names.insert(name).second; ++number)
    name = bufferOfView(source).getName().str() + "_l0_" + std::to_string(number);
  const Type element = cast<MemRefType>(source.getType()).getElementType();
  auto type =
      MemRefType::get({elements}, element, MemRefLayoutAttrInterface(), SpaceAttr::get(b.getContext(), space, layout));
  return BufferOp::create(b, op.getLoc(), type, name, std::nullopt);
}

/// The part of a tile for one step: whole columns of fractals, or, where columns are along k, some of their rows.
Value Expander::partOf(MultiplyOp op, Value tile, int64_t height, bool isAlongK, const Sizes &sizes, Value step) {
  if (!step)
    return tile;
  const int64_t width = kFractalRowBytes / bytesOf(tile), all = cast<MemRefType>(tile.getType()).getNumElements();
  const int64_t before = wholeUnits(sizes.k, sizes.depth) - sizes.depth;
  const int64_t distance = sizes.depth * (isAlongK ? width : height);
  const int64_t length = std::max<int64_t>(isAlongK ? all - before * width : distance, 1);
  Value offset = arith::MulIOp::create(b, op.getLoc(), step, constant(distance));
  return memref::SubViewOp::create(b, op.getLoc(), tile, {getAsOpFoldResult(offset)}, {b.getIndexAttr(length)},
                                   {b.getIndexAttr(1)});
}

/// One step; `step` is null if there is only one.
void Expander::expandStep(MultiplyOp op, const Sizes &sizes, Value step) {
  const Location location = op.getLoc();
  Value first = constant(0), k = op.getK(), init = op.getInit();
  if (step) {
    first = arith::MulIOp::create(b, location, step, constant(sizes.depth));
    Value left = arith::SubIOp::create(b, location, k, first);
    Value part = arith::MinSIOp::create(b, location, left, constant(sizes.depth));
    k = arith::MaxSIOp::create(b, location, part, constant(0));
    Value isFirst = arith::CmpIOp::create(b, location, arith::CmpIPredicate::eq, step, constant(0));
    init = matchPattern(init, m_One()) ? isFirst : arith::AndIOp::create(b, location, init, isFirst).getResult();
  }
  Value lhs = makeBuffer(op, op.getLhs(), Space::L0A, Layout::ZZ, sizes.m * sizes.depth);
  Value rhs = makeBuffer(op, op.getRhs(), Space::L0B, Layout::ZN, sizes.depth * sizes.n);
  if (op.getFirstRow()) {
    LoadIm2colOp::create(b, location, op.getLhs(), lhs, op.getM(), op.getFirstRow(), k, first, op.getChannels(),
                         op.getPad(), op.getImage());
  } else {
    const auto height = static_cast<int64_t>(op.getLhsHeight());
    Value part = partOf(op, op.getLhs(), height, op.getLhsTranspose(), sizes, step);
    LoadFractalsOp::create(b, location, part, lhs, op.getM(), k, constant(height), op.getLhsTranspose());
  }
  const auto height = static_cast<int64_t>(op.getRhsHeight());
  Value part = partOf(op, op.getRhs(), height, !op.getRhsTranspose(), sizes, step);
  LoadFractalsOp::create(b, location, part, rhs, k, op.getN(), constant(height), !op.getRhsTranspose());
  MmadOp::create(b, location, lhs, rhs, op.getResult(), op.getM(), k, op.getN(), init, op.getBias());
}

/// The number of steps, the same for all products of a loop: otherwise the buffers would not get slots. If k differs
/// between them, steps after its end do nothing.
Value Expander::stepsOf(MultiplyOp op, const Sizes &sizes) {
  scf::ForOp outermost;
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop; loop = loop->getParentOfType<scf::ForOp>())
    outermost = loop;
  if (outermost && !outermost.isDefinedOutsideOfLoop(op.getK()))
    return constant(sizes.k / sizes.depth + (sizes.k % sizes.depth != 0));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(outermost ? outermost.getOperation() : op.getOperation());
  // Without any k there is one step over nothing, which leaves zeros or biases.
  Value parts = arith::CeilDivSIOp::create(b, op.getLoc(), op.getK(), constant(sizes.depth));
  return arith::MaxSIOp::create(b, op.getLoc(), parts, constant(1));
}

LogicalResult Expander::expand(MultiplyOp op) {
  if (failed(checkTiles(op)))
    return failure();
  FailureOr<Sizes> sizes = sizesOf(op);
  if (failed(sizes))
    return failure();
  b.setInsertionPoint(op);
  if (sizes->depth >= sizes->k) {
    expandStep(op, *sizes, Value());
  } else {
    auto loop = scf::ForOp::create(b, op.getLoc(), constant(0), stepsOf(op, *sizes), constant(1));
    b.setInsertionPointToStart(loop.getBody());
    expandStep(op, *sizes, loop.getInductionVar());
  }
  op.erase();
  return success();
}

namespace {
struct ExpandMultiplyPass : impl::ExpandMultiplyPassBase<ExpandMultiplyPass> {
  using ExpandMultiplyPassBase::ExpandMultiplyPassBase;
  void runOnOperation() override {
    const Target *chip = targetByName(getOperation(), target);
    if (!chip)
      return signalPassFailure();
    for (func::FuncOp kernel : kernelsOf(getOperation())) {
      SmallVector<MultiplyOp> products;
      kernel.walk([&](MultiplyOp op) { products.push_back(op); });
      // At later phases the op is an error of their verifiers.
      if (products.empty() || phaseOf(kernel) != Phase::Placed)
        continue;
      Expander expander(kernel, *chip);
      for (MultiplyOp op : products)
        if (failed(expander.expand(op)))
          return signalPassFailure();
      numExpanded += products.size();
    }
  }
};
} // namespace

} // namespace opc::aicore

// The invariant of phase `placed`: every tile has a buffer on the chip that is large enough, every operand is a view of
// such a buffer or of a tensor, and the chip has every intrinsic. Later phases keep these rules and add their own.
// The description of the pass (Passes.td) lists the rules, placed_c1 to placed_c26.

#include "lowering/aicore/verify/CubeRules.h"
#include "lowering/aicore/verify/IntrinsicRules.h"
#include "lowering/aicore/verify/Legality.h"
#include "lowering/aicore/verify/Rules.h"
#include "lowering/aicore/verify/values/Facts.h"
#include "lowering/aicore/verify/values/Views.h"

#include "lowering/aicore/Kernels.h"
#include "lowering/aicore/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace opc::aicore {
#define GEN_PASS_DEF_VERIFYPLACEDPASS
#include "lowering/aicore/Passes.h.inc"

/// Maximum nesting of loops and branches, which bounds the work of later passes.
static constexpr unsigned kMaxNesting = 8;

namespace {

/// Checks one kernel. Each method checks one rule, or a few related ones.
class PlacedRules {
public:
  PlacedRules(func::FuncOp kernel, const Target &target)
      : kernel(kernel), target(target), phase(*phaseOf(kernel)), facts(kernel) {}

  LogicalResult verify();

private:
  LogicalResult verifyTilingFunction();
  LogicalResult verifyLoop(scf::ForOp loop);
  LogicalResult verifyBuffer(BufferOp buffer);
  LogicalResult verifyOperands(PipeOpInterface op);
  LogicalResult verifyView(PipeOpInterface op, Value memref);
  bool liesInRows(Value memref, OpFoldResult length, int64_t capacity);
  bool areRows(Value memref, int64_t capacity);
  Value outermostOf(Value memref);
  LogicalResult verifyStride(PipeOpInterface op, Value stride);
  LogicalResult verifyLengths(PipeOpInterface op);
  LogicalResult verifyCopy(PipeOpInterface op, Value memref);
  LogicalResult verifyOp(Operation *op);

  func::FuncOp kernel;
  const Target &target;
  Phase phase;
  Facts facts;
  llvm::StringMap<BufferOp> named;
};

} // namespace

/// The row stride of a copy between rows and a flat tile; null for other copies.
static Value strideOf(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return load.getRowStride();
  return cast<StoreOp>(op).getRowStride();
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

// A view of row i of a tile: it starts at i * stride and has at most `stride` elements, i is less than the number of
// rows, and rows * stride is within the capacity.
bool PlacedRules::liesInRows(Value memref, OpFoldResult length, int64_t capacity) {
  auto subview = memref.getDefiningOp<memref::SubViewOp>();
  if (!subview || subview.getSource().getDefiningOp<memref::SubViewOp>())
    return false;
  auto offset = dyn_cast<Value>(subview.getMixedOffsets().back());
  auto product = offset ? offset.getDefiningOp<arith::MulIOp>() : arith::MulIOp();
  auto counter = product ? dyn_cast<BlockArgument>(product.getLhs()) : BlockArgument();
  if (!counter && product) {
    // Row i + 1, in a loop that skips the first row.
    auto next = product.getLhs().getDefiningOp<arith::AddIOp>();
    llvm::APInt one;
    if (!next || !matchPattern(next.getRhs(), m_ConstantInt(&one)) || !one.isOne())
      return false;
    counter = dyn_cast<BlockArgument>(next.getLhs());
    auto loop = counter ? dyn_cast<scf::ForOp>(counter.getOwner()->getParentOp()) : scf::ForOp();
    auto fewer = loop ? loop.getUpperBound().getDefiningOp<arith::SubIOp>() : arith::SubIOp();
    return fewer && matchPattern(fewer.getRhs(), m_ConstantInt(&one)) && one.isOne() &&
           facts.atMost(length, product.getRhs()) && facts.productBound(fewer.getLhs(), product.getRhs()) <= capacity;
  }
  auto loop = counter ? dyn_cast<scf::ForOp>(counter.getOwner()->getParentOp()) : scf::ForOp();
  return loop && counter == loop.getInductionVar() && facts.atMost(length, product.getRhs()) &&
         facts.productBound(loop.getUpperBound(), product.getRhs()) <= capacity;
}

/// The operands of a product; null if a value is not a product.
static std::pair<Value, Value> factorsOf(OpFoldResult value) {
  auto product = isa<Value>(value) ? cast<Value>(value).getDefiningOp<arith::MulIOp>() : arith::MulIOp();
  return product ? std::pair(product.getLhs(), product.getRhs()) : std::pair<Value, Value>();
}

/// Whether a number is known to be at most `whole` - `before`, because it is the minimum with that difference.
static bool isAtMostRest(OpFoldResult number, OpFoldResult whole, OpFoldResult before) {
  auto value = dyn_cast<Value>(number);
  if (!value)
    return false;
  if (auto rest = value.getDefiningOp<arith::SubIOp>())
    return getAsOpFoldResult(rest.getLhs()) == whole && getAsOpFoldResult(rest.getRhs()) == before;
  auto minimum = value.getDefiningOp<arith::MinSIOp>();
  return minimum && (isAtMostRest(minimum.getLhs(), whole, before) || isAtMostRest(minimum.getRhs(), whole, before));
}

// A view of some rows of a tile: from row i on, i * stride, at most the remaining rows, (rows - i) * stride, and rows *
// stride is within the capacity.
bool PlacedRules::areRows(Value memref, int64_t capacity) {
  auto subview = memref.getDefiningOp<memref::SubViewOp>();
  if (!subview || subview.getSource().getDefiningOp<memref::SubViewOp>())
    return false;
  auto [first, stride] = factorsOf(subview.getMixedOffsets().back());
  auto [count, distance] = factorsOf(subview.getMixedSizes().back());
  if (!first || !count || stride != distance || facts.of(first).min < 0 || facts.of(stride).min < 1)
    return false;
  // The number of rows is the operand of the minimum that limits the count.
  SmallVector<Value> bounds = {count};
  while (!bounds.empty()) {
    Value bound = bounds.pop_back_val();
    if (auto minimum = bound.getDefiningOp<arith::MinSIOp>())
      bounds.append({minimum.getLhs(), minimum.getRhs()});
    else if (auto rest = bound.getDefiningOp<arith::SubIOp>();
             rest && rest.getRhs() == first && facts.productBound(rest.getLhs(), stride) <= capacity)
      return true;
  }
  return false;
}

/// The view itself, or the view that is known to contain it: it has at most the elements after its offset there.
Value PlacedRules::outermostOf(Value memref) {
  while (auto subview = memref.getDefiningOp<memref::SubViewOp>()) {
    auto parent = subview.getSource().getDefiningOp<memref::SubViewOp>();
    OpFoldResult offset = subview.getMixedOffsets().back();
    if (!parent || facts.of(offset).min < 0 ||
        !isAtMostRest(subview.getMixedSizes().back(), parent.getMixedSizes().back(), offset))
      break;
    memref = parent;
  }
  return memref;
}

LogicalResult PlacedRules::verifyView(PipeOpInterface op, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  bool inTensor = spaceOf(memref) == Space::GM;
  Value root = memref;
  while (auto subview = root.getDefiningOp<memref::SubViewOp>()) {
    if (!subview.hasUnitStride())
      return op->emitError("[placed_c4] expects operands to be subviews of stride 1").attachNote(subview.getLoc())
             << "this view has another stride";
    root = subview.getSource();
  }
  // Rows of a tensor: a strided view of the argument itself.
  if (auto cast = root.getDefiningOp<memref::ReinterpretCastOp>(); cast && inTensor)
    root = cast.getSource();
  auto argument = dyn_cast<BlockArgument>(root);
  bool rooted =
      inTensor ? argument && argument.getOwner() == &kernel.getBody().front() : bool(root.getDefiningOp<BufferOp>());
  if (!rooted)
    return op->emitError("[placed_c4] expects operands in ")
           << (inTensor ? "gm" : stringifySpace(*spaceOf(memref)))
           << (inTensor ? " to be views of an argument of the kernel" : " to be views of a buffer") << "; found one of "
           << root.getType();
  if (inTensor)
    return success();

  BufferOp buffer = bufferOfView(memref);
  const int64_t divisor = extentOf(memref, facts).offset.divisor;
  memref = outermostOf(memref);
  Extent extent = extentOf(memref, facts);
  Fact length = facts.of(extent.length);
  auto report = [&](StringRef what) {
    InFlightDiagnostic diagnostic =
        op->emitError("[placed_c9] expects a view to lie within its buffer, by bounds that are known; ") << what;
    diagnostic.attachNote(buffer.getLoc())
        << "'" << buffer.getName() << "' has " << buffer.getCapacity() << " elements";
    return diagnostic;
  };
  if (!length.hasMax())
    return report("its length ") << lengthText(extent.length)
                                 << " has no constant bound: take arith.minsi with a constant or "
                                    "with tiling data that has a 'max'";
  bool withinRows = liesInRows(memref, extent.length, buffer.getCapacity()) || areRows(memref, buffer.getCapacity());
  if (extent.offset.min < 0 || (!withinRows && !extent.offset.hasMax()))
    return report("its offset is in ") << toText(extent.offset);
  if (withinRows)
    extent.offset.max = 0;
  if (extent.offset.max > buffer.getCapacity() - std::min(length.max, buffer.getCapacity()) ||
      length.max > buffer.getCapacity())
    return report("it may reach element ") << sum(extent.offset, length).max;
  int64_t bytes = elementSize(*elementTypeOf(type.getElementType()));
  const Memory memory = toTarget(*spaceOf(memref));
  const int64_t alignment = target.memoryAlignment(memory);
  int64_t start = divisor == 0 ? 0 : divisor % alignment * bytes;
  if (op.getPipe() != Pipe::S && start % alignment != 0)
    return op->emitError("[placed_c15] expects views in ")
           << StringRef(memoryName(memory)) << " to start on " << alignment
           << " bytes; its offset is known to be a multiple of " << divisor * bytes << " bytes only";
  return success();
}

//===----------------------------------------------------------------------===//
// Lengths
//===----------------------------------------------------------------------===//

LogicalResult PlacedRules::verifyLengths(PipeOpInterface op) {
  SmallVector<Value> tiles;
  if (auto intrinsic = dyn_cast<VectorOpInterface>(op.getOperation()))
    tiles = intrinsic.getTilesOfOneLength();
  else if (isa<LoadOp, StoreOp>(op) && !strideOf(op))
    tiles = {op->getOperand(0), op->getOperand(1)};
  if (tiles.empty())
    return success();
  SmallVector<OpFoldResult> first = lengthsOf(tiles.front());
  for (Value tile : ArrayRef<Value>(tiles).drop_front()) {
    SmallVector<OpFoldResult> lengths = lengthsOf(tile);
    for (auto [a, b] : llvm::zip(first, lengths)) {
      std::optional<int64_t> left = getConstantIntValue(a), right = getConstantIntValue(b);
      if (left && right ? *left == *right : a == b)
        continue;
      return op->emitError("[placed_c8] expects tiles of the same length to have one value as their length, found ")
             << lengthText(a) << " and " << lengthText(b);
    }
  }
  return success();
}

// The flat tile of a strided copy holds all its rows, each aligned to 32 bytes.
LogicalResult PlacedRules::verifyStride(PipeOpInterface op, Value stride) {
  bool load = isa<LoadOp>(op);
  Value tensor = op->getOperand(load ? 0 : 1), tile = op->getOperand(load ? 1 : 0);
  SmallVector<OpFoldResult> lengths = lengthsOf(tensor);
  OpFoldResult span = lengthsOf(tile).back();
  int64_t bytes = elementSize(*elementTypeOf(cast<MemRefType>(tile.getType()).getElementType()));
  auto product = isa<Value>(span) ? cast<Value>(span).getDefiningOp<arith::MulIOp>() : arith::MulIOp();
  auto isRows = [&](Value value) { return getAsOpFoldResult(value) == lengths.front(); };
  bool whole = product && ((isRows(product.getLhs()) && product.getRhs() == stride) ||
                           (isRows(product.getRhs()) && product.getLhs() == stride));
  std::optional<int64_t> number = getConstantIntValue(span);
  bool isStride = number ? number == getConstantIntValue(getAsOpFoldResult(stride)) : span == getAsOpFoldResult(stride);
  whole |= getConstantIntValue(lengths.front()) == 1 && isStride;
  if (!whole || !facts.atMost(lengths.back(), stride))
    return op->emitError("[placed_c18] expects the tile of a copy with a stride to have rows * "
                         "stride elements, and rows of at most the stride");
  if (facts.of(stride).divisor * bytes % target.ubAlignment() != 0)
    return op->emitError("[placed_c15] expects rows in UB to start on ")
           << target.ubAlignment() << " bytes; the stride is known to be a multiple of "
           << facts.of(stride).divisor * bytes << " bytes only";
  return success();
}

LogicalResult PlacedRules::verifyCopy(PipeOpInterface op, Value memref) {
  SmallVector<OpFoldResult> lengths = lengthsOf(memref);
  Fact row = facts.of(lengths.back());
  int64_t bytes = elementSize(*elementTypeOf(cast<MemRefType>(memref.getType()).getElementType()));
  if (row.max > target.maxCopyBlockBytes() / bytes)
    return op->emitError("[placed_c14] expects a row of a copy to have at most ")
           << target.maxCopyBlockBytes() << " bytes on " << target.name() << "; its length "
           << lengthText(lengths.back()) << " is in " << toText(row);
  if (lengths.size() == 1)
    return success();
  Fact rows = facts.of(lengths.front());
  if (rows.max > target.maxCopyBlocks())
    return op->emitError("[placed_c14] expects a copy to have at most ")
           << target.maxCopyBlocks() << " rows on " << target.name() << "; their number is in " << toText(rows);
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

LogicalResult PlacedRules::verifyTilingFunction() {
  auto name = kernel->getAttrOfType<FlatSymbolRefAttr>(AICoreDialect::kTilingFunctionAttr);
  auto tiling = name ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(kernel, name) : func::FuncOp();
  if (!tiling || !tiling->hasAttr(AICoreDialect::kTilingAttr)) {
    InFlightDiagnostic diagnostic =
        mlir::emitError(kernel.getLoc(), "[placed_c17] expects a kernel to name a tiling function "
                                         "(aicore.tiling_function); '@")
        << kernel.getName() << "' ";
    if (!name)
      return diagnostic << "names none";
    return diagnostic << "names '@" << name.getValue() << "', which "
                      << (tiling ? "is no tiling function" : "is not there");
  }
  llvm::StringSet<> fields;
  for (unsigned result = 0; result < tiling.getNumResults(); ++result)
    if (auto field = tiling.getResultAttrOfType<StringAttr>(result, AICoreDialect::kNameAttr))
      fields.insert(field.getValue());
  WalkResult result = kernel.walk([&](TilingDataOp read) -> WalkResult {
    if (fields.contains(read.getName()))
      return WalkResult::advance();
    InFlightDiagnostic diagnostic =
        read.emitError("[placed_c17] expects tiling data that the tiling function returns, found \"")
        << read.getName() << "\"";
    diagnostic.attachNote(tiling.getLoc()) << "'@" << tiling.getName() << "' is here";
    return WalkResult(std::move(diagnostic));
  });
  return failure(result.wasInterrupted());
}

LogicalResult PlacedRules::verifyLoop(scf::ForOp loop) {
  if (getConstantIntValue(OpFoldResult(loop.getLowerBound())) != 0 ||
      getConstantIntValue(OpFoldResult(loop.getStep())) != 1)
    return loop.emitError("[placed_c5] expects loops to count from 0 by 1: a loop counts tiles, "
                          "and offsets follow from the count");
  if (loop.getNumRegionIterArgs() != 0)
    return loop.emitError("[placed_c5] expects loops to carry no values, found ") << loop.getNumRegionIterArgs();
  return success();
}

LogicalResult PlacedRules::verifyBuffer(BufferOp buffer) {
  if (phase < Phase::Rotated && buffer.getType().getRank() != 1)
    return buffer.emitError("[placed_c10] expects no slots in phase '")
           << stringifyPhase(phase) << "', found " << buffer.getType();
  if (phase < Phase::Planned && buffer.getAddress())
    return buffer.emitError("[placed_c10] expects no address in phase '")
           << stringifyPhase(phase) << "', found " << *buffer.getAddress();
  auto [other, inserted] = named.try_emplace(buffer.getName(), buffer);
  if (!inserted)
    return buffer.emitError("[placed_c11] expects buffers of different names, found \"")
               .append(buffer.getName(), "\" twice")
               .attachNote(other->second.getLoc())
           << "the other one is here";
  const int64_t alignment = target.memoryAlignment(toTarget(buffer.getSpace()));
  if (buffer.getSlotBytes() % alignment != 0)
    return buffer.emitError("[placed_c16] expects a buffer to be a multiple of ")
           << alignment << " bytes, found " << buffer.getSlotBytes();
  return success();
}

LogicalResult PlacedRules::verifyOperands(PipeOpInterface op) {
  SmallVector<Access> accesses;
  op.getAccesses(accesses);
  for (const Access &access : accesses)
    if (failed(verifyView(op, access.memref())))
      return failure();
  return success();
}

/// The number of loops and branches around an op.
static unsigned depthOf(Operation *op) {
  unsigned depth = 0;
  for (Operation *parent = op->getParentOp(); parent && !isa<func::FuncOp>(parent); parent = parent->getParentOp())
    ++depth;
  return depth;
}

LogicalResult PlacedRules::verifyOp(Operation *op) {
  if (op->getNumRegions() != 0 && depthOf(op) >= kMaxNesting)
    return op->emitError("[placed_c5] expects at most ") << kMaxNesting << " nested loops and branches";
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return verifyLoop(loop);
  if (isa<scf::IfOp>(op) && op->getNumResults() != 0)
    return op->emitError("[placed_c5] expects branches to yield no values, found ") << op->getNumResults();
  if (auto buffer = dyn_cast<BufferOp>(op))
    return verifyBuffer(buffer);
  auto pipeOp = dyn_cast<PipeOpInterface>(op);
  if (!pipeOp)
    return success();
  if (failed(verifyOperands(pipeOp)) || failed(verifyLengths(pipeOp)))
    return failure();
  if (isa<LoadOp, StoreOp>(op)) {
    if (Value stride = strideOf(op); stride && failed(verifyStride(pipeOp, stride)))
      return failure();
    return verifyCopy(pipeOp, op->getOperand(isa<LoadOp>(op) ? 0 : 1));
  }
  if (isCubeOp(op))
    return verifyCubeOp(op, target, facts);
  if (auto intrinsic = dyn_cast<VectorOpInterface>(op))
    return verifyIntrinsic(intrinsic, target, facts);
  return success();
}

LogicalResult PlacedRules::verify() {
  if (failed(verifyLegality(kernel, phase)) || failed(verifyTilingFunction()))
    return failure();
  WalkResult result = kernel.walk<WalkOrder::PreOrder>([&](Operation *op) { return WalkResult(verifyOp(op)); });
  return failure(result.wasInterrupted());
}

LogicalResult verifyPlacedRules(func::FuncOp kernel, const Target &target) {
  return PlacedRules(kernel, target).verify();
}

namespace {
struct VerifyPlacedPass : impl::VerifyPlacedPassBase<VerifyPlacedPass> {
  using VerifyPlacedPassBase::VerifyPlacedPassBase;
  void runOnOperation() override {
    if (failed(verifyKernelsAt(getOperation(), target, Phase::Placed)))
      return signalPassFailure();
  }
};
} // namespace

} // namespace opc::aicore

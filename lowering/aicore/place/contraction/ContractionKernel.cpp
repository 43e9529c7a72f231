// Tiles of a matrix product on the cube, and the elementwise operations on its results on the vector unit.
//
//   for tile over batches, rows and columns of tiles:
//     for step over k:
//       fill, load_nz      left and right part to L1       mte2
//                          a part of windows, or of a computed operand, is made in UB (WindowPanels.h,
//                          ComputedOperand.h)
//       load_fractals      to L0A and L0B                  mte1
//       mmad               onto the tile in L0C            m
//     nothing is computed:   fixpipe to memory             fix
//     else:                  fixpipe to UB; load; steps; store
//
// Beside a computed operand, fixpipe copies the results of the tile before at the start, and the steps at the end are
// those of that tile (isDelayed).
//
// With a resident key the left panel of a row of tiles, with all of k, stays in L1 for adjacent tiles:
//
//   for run over batches, rows of tiles and runs of tiles in them:
//     for part of k:         fill, load_nz   left part     mte2
//     for tile of the run:   as above, without the left part
//
// The tiles of a block are one loop, so that a nest has few loops. An operand has its memory layout in L1, and is
// transposed, if at all, between L1 and L0: fractals of a left operand [K, M] and of a right one [K, N] are transposed.
//
// Bytes of [K, N] are transposed in squares of 32 x 32, so there k and n are filled up to 32. Elements of 32 bits are
// transposed in squares of 16 x 16, so k is filled up to 16, and L1 has such an operand in bands of 16 of k
// (load_fractals).
//
// Sizes of the last tiles are operands. The padding of fractals is zero: a copy of rows pads the columns, `fill` pads
// the rows. So no rows, columns or parts of k are undefined, and there is no tile of a single row, which the chip would
// read in another form: m and n are whole fractals for the cube, and the padding is not stored. If k is 0 there is one
// step over zeros.

#include "lowering/aicore/place/contraction/ContractionKernel.h"
#include "lowering/aicore/place/contraction/WindowPanels.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace opc::aicore {

Value ContractionKernel::buffer(const std::string &name, int64_t elements, Space space, Layout layout,
                                ElementType type) {
  MLIRContext *context = w.ops().getContext();
  auto memref = MemRefType::get({elements}, mlirTypeOf(type, context), MemRefLayoutAttrInterface(),
                                SpaceAttr::get(context, space, layout));
  return BufferOp::create(w.ops(), w.getLocation(), memref, name, std::nullopt);
}

/// The tile of results. It has slots, like all buffers that are copied, unless it fills more than half of L0C.
Value ContractionKernel::makeResult(int64_t columns) {
  return buffer(parts.nameOf(parts.program.stores.front().second) + "_l0c", rows * columns, Space::L0C, Layout::NZ,
                productType(product.type));
}

Extent ContractionKernel::extentOf(Value place, Value size, int64_t most, int64_t unit) {
  Extent part;
  part.first = w.mul(place, w.constant(most));
  // A tile has at least one row and one column.
  part.size = w.max(w.min(w.sub(size, part.first), w.constant(most)), w.constant(1));
  part.whole = whole(part.size, unit);
  return part;
}

/// Starts a row of tiles by its number.
void ContractionKernel::startRows(Value number) {
  m = extentOf(w.rem(number, down), sizeM, rows, kFractalRows);
  startBatch(w.floorDiv(number, down));
}

/// Starts a batch by its number. The batch loops, innermost first, are batch1, batch0, batch2 and so on.
void ContractionKernel::startBatch(Value number) {
  static constexpr const char *kSuffixes[] = {"_s1", "_s0", "_s2", "_s3", "_s4", "_s5"};
  SmallVector<KernelParts::BatchLoop> loops;
  for (auto [loop, count] : llvm::enumerate(trips)) {
    Value rest = w.floorDiv(number, count);
    loops.emplace_back(kSuffixes[loop], w.rem(number, count));
    number = rest;
  }
  loops.emplace_back(kSuffixes[trips.size()], number);
  if (!parts.shape.isStretched) {
    batches = {loops[1], loops[0]};
    return;
  }
  batches = loops;
  starts.clear();
  SmallVector<Value> all;
  for (unsigned tensor = 0; tensor < parts.shape.tensors.size(); ++tensor)
    all.push_back(parts.startOf(tensor, batches));
  starts = all;
}

/// A part of k, of at most `most` elements. If k is 0, the only part has a row of zeros.
Extent ContractionKernel::partOf(Value number, int64_t most) {
  Value zero = w.constant(0);
  Extent k;
  Value first = w.mul(number, w.constant(most));
  k.size = w.max(w.min(w.sub(sizeK, first), w.constant(most)), zero);
  if (!isComputedAlongK())
    k.size = ifThere(k.size);
  // A part after the end of k begins within the tensor, too.
  k.first = w.max(w.min(first, w.sub(sizeK, w.constant(1))), zero);
  k.whole = w.max(whole(k.size, ofFractal), w.constant(ofFractal));
  return k;
}

/// One of the adjacent parts of a tile or of a part of one, or a part of several, each of `unit` elements.
Value ContractionKernel::partOf(Value tile, Value number, int64_t elements, int64_t unit) {
  Value first = w.mul(number, w.constant(unit ? unit : elements));
  // A view of a view does not show to the sync passes which elements it has.
  if (auto outer = tile.getDefiningOp<memref::SubViewOp>()) {
    const OpFoldResult begin = outer.getMixedOffsets().front();
    const std::optional<int64_t> constant = getConstantIntValue(begin);
    first = w.add(constant ? w.constant(*constant) : cast<Value>(begin), first);
    tile = outer.getSource();
  }
  OpFoldResult offset = getAsOpFoldResult(first);
  return memref::SubViewOp::create(w.ops(), w.getLocation(), tile, {offset}, {w.ops().getIndexAttr(elements)},
                                   {w.ops().getIndexAttr(1)});
}

/// Loads and multiplies a step of k. If k is 0, the operands have no element that a copy could begin at.
void ContractionKernel::multiplyStep(Extent k, Value isFirst, Value result) {
  const Part right = loadRight(k), left = loadLeft(k);
  k.size = w.max(k.size, w.constant(1));
  multiply(k, left, right, isFirst, result);
}

void ContractionKernel::multiply(const Extent &k, Part left, Part right, Value isFirst, Value result) {
  const bool isLeftAlongK = product.isLeftAlongK, isRightAlongK = product.isRightAlongK;
  auto operand = [&](unsigned tensor, Part from, Space space, Layout layout, int64_t elements, Value lines,
                     Value columns, bool transpose) {
    Value to = buffer(parts.nameOf(tensor) + "_l0", elements, space, layout, product.type);
    LoadFractalsOp::create(w.ops(), w.getLocation(), from.tile, to, lines, columns, from.height, transpose);
    return to;
  };
  Value leftL0 = operand(product.left, left, Space::L0A, Layout::ZZ, rows * depth, m.whole, k.whole, !isLeftAlongK);
  Value rightL0 =
      operand(product.right, right, Space::L0B, Layout::ZN, depth * width, k.whole, n.whole, !isRightAlongK);
  // Fractals of both operands are counted by k: those of a square belong to it, with zeros beyond the end.
  Value sum = ofFractal > perRow ? k.whole : k.size;
  MmadOp::create(w.ops(), w.getLocation(), leftL0, rightL0, result, m.whole, sum, n.whole, isFirst,
                 /*bias=*/Value());
}

void ContractionKernel::write() {
  const TileProgram &program = parts.program;
  Value one = w.constant(1);
  sizeM = w.field("size0");
  sizeN = w.field("size1");
  sizeK = w.field("size2");
  if (!reducesRows(program)) // (writeRowsOfTiles)
    across = w.field("tiles_across", 1);
  down = w.field("tiles_down", 1);
  trips = {w.max(w.field("batch1", 0), one)};
  for (const char *name : {"batch0", "batch2", "batch3", "batch4"})
    if (parts.shape.isStretched)
      trips.push_back(w.max(w.field(name, 0), one));
  Value ofBlock = w.field("block_tiles", 1);
  Value first = w.mul(w.blockIndex(), ofBlock);
  Value tiles = w.max(w.min(w.sub(w.field("tiles", 0), first), ofBlock), w.constant(0));

  const bool isStored = program.storesProduct();
  const bool hasOnes = parts.hasOnes();
  if (delays) {
    ofPiece = productValue();
    delayed = w.makeBuffer(*ofPiece, tile.parts() * tile.partElements());
  }
  if (!isStored) {
    w.makeBuffers([](const Home &home, unsigned) { return home.invariant; });
    w.makeOffsets();
    if (reducesRows(program))
      w.makeLaneOffsets(/*ofRows=*/true);
    if (!hasOnes)
      writeOnes();
  }
  for (const Prologue &prologue : parts.prologues)
    computed.push_back(std::make_unique<ComputedOperand>(parts, prologue, depthOfParts(), ofFractal));
  std::optional<WindowPanels> panels;
  if (parts.shape.windows)
    panels.emplace(parts, tile);
  Value ofPlane; // the places of a plane, if windows have a depth
  if (panels && parts.shape.windows->hasDepth)
    ofPlane = w.mul(w.field(parts.shape.windows->field("out", 0), 0), w.field(parts.shape.windows->field("out", 1), 0));
  Value result = tile.fitsTwice(parts.target) ? Value() : makeResult(width);
  if (parts.shape.isResident)
    return writeRuns(first, tiles, result);
  if (reducesRows(program))
    return writeRowsOfTiles(first, tiles, result);
  Value steps = panels ? Value() : w.field("steps", 1);
  if (!panels) {
    Value last = w.max(w.sub(tiles, one), w.constant(0));
    auto place = [&](Value number) {
      number = w.add(first, delays ? w.max(w.min(number, last), w.constant(0)) : number);
      n = extentOf(w.rem(number, across), sizeN, tile.width, ofColumns);
      startRows(w.floorDiv(number, across));
    };
    auto multiplyTile = [&](Value sums) {
      w.loop(steps, [&](Value step) { multiplyStep(stepOf(step), isEqual(step, w.constant(0)), sums); });
    };
    Value trips = delays ? w.add(tiles, w.min(tiles, one)) : tiles;
    return w.loop(trips, [&](Value number) { writeTile(place, number, tiles, multiplyTile, result); });
  }
  w.loop(tiles, [&](Value number) {
    number = w.add(first, number);
    Value place = w.rem(number, across), plane;
    Extent inPlane;
    if (ofPlane) {
      // Tiles of a plane are adjacent, and a tile has places of one plane.
      Value tilesOfPlane = w.max(w.ceilDiv(ofPlane, w.constant(tile.width)), one);
      plane = w.floorDiv(place, tilesOfPlane);
      n = inPlane = extentOf(w.rem(place, tilesOfPlane), ofPlane, tile.width, ofColumns);
      n.first = w.add(n.first, w.mul(plane, ofPlane));
    } else {
      n = inPlane = extentOf(place, sizeN, tile.width, ofColumns);
    }
    startRows(w.floorDiv(number, across));
    if (!isStored)
      loadRowsOfTile();
    Value sums = result ? result : makeResult(width);
    panels->startTile(inPlane, plane);
    panels->forEachPart(startOf(product.right), [&](Extent k, Value right, Value isFirst) {
      const Part left = loadLeft(k); // if k is 0, it has no element that a copy could begin at
      k.size = w.max(k.size, one);
      multiply(k, left, {right, hasBands(product.isRightAlongK) ? w.constant(tile.width) : k.whole}, isFirst, sums);
    });
    finishTile(sums);
  });
}

/// Multiplies a step of k of the left operand by the same step of the right one, which are both in L1. A step after the
/// end of k does nothing.
void ContractionKernel::multiplyInL1(Value leftPart, Value rightPart, Value step, Value result) {
  Value zero = w.constant(0), fractal = w.constant(ofFractal);
  Extent k = stepOf(step);
  // If k is 0 the first step multiplies zeros.
  Value least = w.max(w.sub(fractal, w.mul(step, fractal)), zero);
  k.whole = w.max(whole(k.size, ofFractal), least);
  k.size = w.max(k.size, w.min(least, w.constant(1)));
  auto height = [&](bool isAlongK, int64_t most) { return w.constant(isAlongK || hasBands(isAlongK) ? most : depth); };
  multiply(k, {leftPart, height(product.isLeftAlongK, rows)}, {rightPart, height(product.isRightAlongK, width)},
           isEqual(step, zero), result);
}

/// Multiplies the panel by the columns of a tile. L1 has the right operand of several steps: then rows of memory along
/// k are longer, and while FIX empties the only tile of L0C, MTE2 can load into L1. Each part has the same number of
/// steps, so that slots of L0 alternate; steps after the end of k do nothing.
void ContractionKernel::multiplyRun(Value panel, Value partsOfK, Value sums) {
  const int64_t most = tile.partDepth() / depth;
  Value ofPart = w.constant(most);
  w.loop(partsOfK, [&](Value number) {
    Value first = w.mul(number, ofPart);
    Value right = bufferOf(product.right, "_l1", most * depth * width);
    loadRightPart(right, /*at=*/Value(), number, most);
    w.loop(ofPart, [&](Value step) {
      Value ofAll = w.add(first, step);
      multiplyInL1(partOf(panel, ofAll, depth * rows), partOf(right, step, depth * width), ofAll, sums);
    });
  });
}

/// Whether an iteration computes with the results of the tile before: the vector unit, which works in order, makes the
/// operands of a tile, and only then waits for results, which the cube has multiplied meanwhile. So the cube does not
/// wait for operands while the vector unit waits for the cube. UB has to have room for the results of a tile. Parts of
/// columns load the rows of their columns, which takes more than is gained.
bool ContractionKernel::isDelayed() const {
  const bool isBetween = llvm::any_of(
      parts.prologues, [&](const Prologue &prologue) { return prologue.isRight || !parts.shape.isResident; });
  return isBetween && !parts.program.storesProduct() && !reducesRows(parts.program) && tile.fitsTwice(parts.target) &&
         w.columnStride() <= kFractalRows && parts.schedule.getSlots() > 1 && (hasPartsOfRows() || tile.parts() == 1) &&
         tile.fitsUb(roomInUb());
}

/// Writes the tile with a number, which `place` takes to its extents. If results are delayed, the iteration after the
/// last of the `tiles` has no products, and the first one no results: of the computed operand there are no lines, which
/// are those of the tile, or of k.
void ContractionKernel::writeTile(llvm::function_ref<void(Value)> place, Value number, Value tiles,
                                  llvm::function_ref<void(Value)> multiplyTile, Value result) {
  if (!delays) {
    place(number);
    if (!parts.program.storesProduct())
      loadRowsOfTile();
    Value sums = result ? result : makeResult(width);
    multiplyTile(sums);
    return finishTile(sums);
  }
  place(w.sub(number, w.constant(1)));
  loadRowsOfTile();
  Value sums = makeResult(width), isBehind = isBelow(w.constant(0), number);
  const Extent mOfRow = m;
  isThere = isBehind;
  m.size = ifThere(m.size);
  copyDelayed(sums);
  const Extent mBefore = m, nBefore = n;
  const SmallVector<KernelParts::BatchLoop> batchesBefore = batches;
  const SmallVector<Value> startsBefore = starts;
  m = mOfRow;
  place(number);
  isThere = isBelow(number, tiles);
  if (isComputedAlongK()) {
    Extent &across = computedOf(product.right) ? n : m;
    across.size = ifThere(across.size);
    across.whole = ifThere(across.whole);
  }
  multiplyTile(sums);
  m = mBefore;
  n = nBefore;
  batches = batchesBefore;
  starts = startsBefore;
  isThere = isBehind;
  writeDelayed();
  isThere = Value();
}

/// Writes runs of adjacent tiles that share a panel, `tiles` tiles from `first` on.
void ContractionKernel::writeRuns(Value first, Value tiles, Value result) {
  Value ofRun = w.field("run_tiles", 1), partsOfK = w.field("steps", 1, panelDepth / tile.partDepth());
  Value lastTile = w.max(w.sub(w.ceilDiv(sizeN, w.constant(tile.width)), w.constant(1)), w.constant(0));
  Value trips = delays ? w.add(ofRun, w.constant(1)) : ofRun;
  // It has no second slot, so more of k fits: the loads of the next run wait only for the last products.
  Value panel = bufferOf(product.left, "_panel", rows * panelDepth);
  w.loop(tiles, [&](Value number) {
    number = w.add(first, number);
    Value before = w.mul(w.rem(number, across), ofRun);
    startRows(w.floorDiv(number, across));
    loadPanel(panel, partsOfK);
    // All runs have the same number of tiles, so that slots alternate: the last run may repeat the last tile.
    auto place = [&](Value beside) {
      Value number = w.min(w.add(before, beside), lastTile);
      n = extentOf(delays ? w.max(number, w.constant(0)) : number, sizeN, tile.width, ofColumns);
    };
    auto multiplyTile = [&](Value sums) { multiplyRun(panel, partsOfK, sums); };
    w.loop(trips, [&](Value beside) { writeTile(place, beside, ofRun, multiplyTile, result); });
  });
}

void writeContractionKernel(const KernelParts &parts) {
  ContractionKernel(parts).write();
}

} // namespace opc::aicore

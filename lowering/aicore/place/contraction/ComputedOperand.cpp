#include "lowering/aicore/place/contraction/ComputedOperand.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace opc::aicore {

/// The buffers are named after the operand, since the steps after the product have buffers too.
static Homes homesOf(const Prologue &prologue, const Target &target) {
  Homes homes = assignHomes(prologue.program, prologue.shape, /*inPasses=*/false, /*alias=*/false, target);
  const std::string &operand = prologue.shape.tensors[prologue.tensor].name;
  for (Home &home : homes.homes)
    home.name = operand + "_" + (home.name == operand ? "in" : home.name);
  return homes;
}

static TileNeeds needsOf(const Prologue &prologue, const Homes &homes, const Target &target) {
  return needsOf(prologue.program, prologue.shape, homes, /*inPasses=*/false, target);
}

TileNeeds needsOfPrologue(const Prologue &prologue, const Target &target) {
  return needsOf(prologue, homesOf(prologue, target), target);
}

/// Whether a part in L1 is in bands of 16 of k, whose squares are transposed.
static bool hasBands(const Prologue &prologue) {
  return !prologue.isAlongK && kFractalRowBytes / elementSize(prologue.shape.product.type) < kFractalRows;
}

static OperandPiece pieceOf(const Prologue &prologue, const TileNeeds &needs) {
  return OperandPiece::of(needs.tileBits, needs.smallest, hasBands(prologue));
}

void addPrologue(const Prologue &prologue, const Target &target, TileNeeds &needs) {
  const TileNeeds own = needsOfPrologue(prologue, target);
  const int64_t elements = pieceOf(prologue, own).elements;
  // Positions in rows, whose tile shares bytes with those of the loops, and the mask.
  const int64_t ofMask = prologue.isAlongK && !prologue.keepsZeros() ? elements / 8 + CubeTile::kMostColumns * 4 : 0;
  // Two temporary tiles of the offsets that spread elements over blocks.
  const int64_t ofRows = own.rowBytes ? own.rowBytes + 2 * kBlockBytes * int64_t(sizeof(int32_t)) : 0;
  needs.fixedBytes += own.fixedBytes + elements * own.tileBits / 8 + OperandPiece::kMostLines * ofRows + ofMask;
  needs.buffers += own.buffers + (ofMask ? 3 : 0) + (ofRows ? 2 : 0);
}

ScheduleAttr ComputedOperand::scheduleOf() const {
  const ScheduleAttr all = parts.schedule;
  return ScheduleAttr::get(all.getContext(), ofPiece.elements, OperandPiece::kMostLines, all.getSlots(),
                           /*prefetch=*/false, all.getAlignment(), /*alias=*/false, all.getExpansion());
}

ComputedOperand::ComputedOperand(const KernelParts &parts, const Prologue &prologue, int64_t mostColumns,
                                 int64_t ofFractal)
    : parts(parts), ofFractal(ofFractal), prologue(prologue), homes(homesOf(prologue, parts.target)),
      needs(needsOf(prologue, homes, parts.target)), ofPiece(pieceOf(prologue, needs)), schedule(scheduleOf()),
      w(prologue.program, prologue.shape, homes, schedule, needs, parts.target, parts.writer.ops(),
        cast<func::FuncOp>(parts.writer.ops().getInsertionBlock()->getParentOp())),
      levels(levelsOf(prologue.program)),
      own{prologue.program, prologue.shape, homes, schedule, parts.target, w, 1, levels} {
  w.makeBuffers([](const Home &home, unsigned) { return home.invariant; });
  w.makeOffsets();
  if (!own.hasOnes())
    own.writeOnes({});
  if (prologue.isAlongK && !prologue.keepsZeros())
    makeMask(mostColumns);
}

Value ComputedOperand::inUb(const char *suffix, int64_t elements, ElementType type) {
  auto memref = MemRefType::get({elements}, mlirTypeOf(type, w.ops().getContext()), MemRefLayoutAttrInterface(),
                                SpaceAttr::get(w.ops().getContext(), Space::UB));
  return BufferOp::create(w.ops(), w.getLocation(), memref, parts.nameOf(prologue.tensor) + suffix, std::nullopt);
}

// In the last part along k, all rows have the same number of elements, and so have all pieces of it. If they end with a
// block, the lengths are 0 and nothing is made.
void ComputedOperand::makeMask(int64_t mostColumns) {
  masked = prologue.result();
  // The vector unit selects elements of float16 and float32.
  const TileStep &last = prologue.program.steps.back();
  if (last.result == *masked && last.intrinsic == Intrinsic::vcast &&
      prologue.program.values[last.sources.front()].type == ElementType::Float32)
    masked = last.sources.front();
  Value zero = w.constant(0), one = w.constant(1), most = w.constant(mostColumns), size = w.field("size2");
  Value before = w.mul(w.sub(w.max(w.ceilDiv(size, most), one), one), most);
  Value existing = w.max(w.min(w.sub(size, before), most), zero);
  Value fractal = w.constant(ofFractal), whole = w.mul(w.ceilDiv(existing, fractal), fractal);
  Value hasRest = w.max(w.min(w.sub(whole, existing), one), zero);
  Value ld = w.mul(w.roundUpToRow(whole), hasRest);
  Value lane = inUb("_lane", CubeTile::kMostColumns, ElementType::Int32);
  Value lanes = inUb("_lanes", ofPiece.elements, ElementType::Float32);
  mask = inUb("_mask", ofPiece.elements / 8, ElementType::UInt8);
  VArangeOp::create(w.ops(), w.getLocation(), w.constantOf(ElementType::Int32, 0.0), w.part(lane, zero, ld));
  VCastOp::create(w.ops(), w.getLocation(), w.part(lane, zero, ld), w.part(lanes, zero, ld), Rounding::Rint);
  // As many rows as a piece has: each copy doubles them.
  const int64_t rows = std::min(OperandPiece::kMostLines, ofPiece.elements / mostColumns);
  for (int64_t done = 1; done < rows; done *= 2) {
    Value length = w.mul(w.constant(std::min(done, rows - done)), ld);
    VCopyOp::create(w.ops(), w.getLocation(), w.part(lanes, zero, length),
                    w.part(lanes, w.mul(w.constant(done), ld), length));
  }
  Value number = arith::IndexCastOp::create(w.ops(), w.getLocation(), w.ops().getI64Type(), existing);
  Value bound = arith::SIToFPOp::create(w.ops(), w.getLocation(), w.ops().getF32Type(), number);
  VCmpsOp::create(w.ops(), w.getLocation(), Comparison::Lt, w.part(lanes, zero, w.mul(w.constant(rows), ld)), bound,
                  mask);
}

void ComputedOperand::load(const Extent &lines, const Extent &columns, Value count, Value ld,
                           ArrayRef<KernelParts::BatchLoop> batches) {
  Value zero = w.constant(0), one = w.constant(1);
  Value isNone = arith::CmpIOp::create(w.ops(), w.getLocation(), arith::CmpIPredicate::eq, count, zero);
  // A copy of nothing begins where its tensor does: the operand may have no elements, or end before.
  auto within = [&](Value start, Value first) -> Value {
    first = arith::SelectOp::create(w.ops(), w.getLocation(), isNone, zero, first);
    return w.add(start, first);
  };
  for (TileId value = 0; value < prologue.program.values.size(); ++value) {
    const Spread spread = own.spreadOf(value);
    if (!own.isInput(value) || spread == Spread::One)
      continue;
    const unsigned tensor = *prologue.program.values[value].tensor;
    const ElementType type = prologue.program.values[value].type;
    Value start = own.startOf(tensor, batches), distance = w.field(parts.nameOf(tensor) + "_m", 0);
    // The rest of the last blocks is zero, and that of a fractal of several blocks. A copy fills its last block.
    Value none = w.constantOf(type, 0.0);
    const bool endsBefore = int64_t(elementSize(type)) > std::min(needs.smallest, kFractalRowBytes / kFractalRows);
    auto clear = [&](Value rows) {
      Value tile = w.viewOf(value, zero, w.mul(rows, ld));
      if (endsBefore)
        VBrcOp::create(w.ops(), w.getLocation(), none, tile);
      return tile;
    };
    if (spread == Spread::Column) {
      Value apart = prologue.isRight ? one : distance;
      w.loadRows(value, within(start, w.mul(lines.first, apart)), count, one, apart, w.constant(w.columnStride()));
      continue;
    }
    if (spread == Spread::Row) {
      Value some = w.min(count, one);
      clear(some);
      w.loadRows(value, within(start, columns.first), some, columns.size, distance, ld);
      if (w.isRepeated(value))
        w.doubleRows(value, count, ld);
      continue;
    }
    Value tile = clear(count);
    Value first = w.add(w.mul(lines.first, distance), columns.first);
    LoadOp::create(w.ops(), w.getLocation(),
                   w.rowsOfTensor(tensor, within(start, first), count, columns.size, distance), tile, ld, none);
  }
}

// Only the last part along k may have rows that do not end with a block.
void ComputedOperand::clearRest(TileId value, const Extent &columns, Value length) {
  length = w.mul(length, w.max(w.min(w.sub(columns.whole, columns.size), w.constant(1)), w.constant(0)));
  Value none = w.constantOf(prologue.program.values[value].type, 0.0), tile = w.viewOf(value, w.constant(0), length);
  createIntrinsic(w.ops(), w.getLocation(), Intrinsic::vsels, {mask, tile, none, tile});
}

void ComputedOperand::makePiece(const Extent &lines, const Extent &columns, ArrayRef<KernelParts::BatchLoop> batches) {
  // Without columns there is nothing to load or to compute.
  Value count = w.mul(lines.size, w.min(columns.size, w.constant(1)));
  Value ld = w.roundUpToRow(columns.whole);
  TileExtent extent;
  extent.rows = count;
  extent.cols = columns.size;
  extent.ld = w.mul(ld, w.min(count, w.constant(1)));
  extent.full = w.mul(count, ld);
  extent.column = w.mul(count, w.constant(w.columnStride()));
  w.makeBuffers([](const Home &home, unsigned) { return !home.invariant; });
  w.startTile();
  load(lines, columns, count, ld, batches);
  for (const TileStep &step : prologue.program.steps) {
    const Spread spread = own.spreadOf(step.result);
    if (spread == Spread::One)
      continue;
    w.writeStep(step, extent);
    if (spread == Spread::Row && w.isRepeated(step.result))
      w.doubleRows(step.result, count, ld);
    if (step.result == masked)
      clearRest(step.result, columns, extent.full);
  }
  Value rest = w.viewOf(prologue.result(), extent.full, w.mul(w.sub(lines.whole, count), ld));
  VBrcOp::create(w.ops(), w.getLocation(), w.constantOf(prologue.shape.product.type, 0.0), rest);
}

// A piece has whole bands.
void ComputedOperand::storeBands(const Extent &piece, const Extent &columns, int64_t mostColumns, int64_t pieceLines,
                                 Value first, Value part) {
  Value band = w.constant(kFractalRows), ld = w.roundUpToRow(columns.whole), zero = w.constant(0);
  w.loop(w.constant(pieceLines / kFractalRows), [&](Value number) {
    Value from = w.mul(number, band), rows = w.max(w.min(w.sub(piece.whole, from), band), zero);
    OpFoldResult offset = getAsOpFoldResult(w.mul(w.add(first, from), w.constant(mostColumns)));
    Value to = memref::SubViewOp::create(w.ops(), w.getLocation(), part, {offset},
                                         {w.ops().getIndexAttr(kFractalRows * mostColumns)}, {w.ops().getIndexAttr(1)});
    Value source = w.viewOf(prologue.result(), w.mul(from, ld), w.constant(kFractalRows * ofPiece.stride(mostColumns)));
    StoreNzOp::create(w.ops(), w.getLocation(), source, to, rows, columns.whole, ld, band);
  });
}

void ComputedOperand::make(const Extent &lines, const Extent &columns, std::pair<int64_t, int64_t> most, Value part,
                           Value height, ArrayRef<KernelParts::BatchLoop> batches) {
  if (own.hasOnes())
    own.writeOnes(batches);
  const int64_t mostLines = most.first, mostColumns = most.second;
  const int64_t pieceLines = ofPiece.lines(mostLines, mostColumns);
  const int64_t perRow = kFractalRowBytes / elementSize(prologue.shape.product.type);
  auto write = [&](Value number) {
    Value first = w.mul(number, w.constant(pieceLines)), zero = w.constant(0), all = w.constant(pieceLines);
    Extent piece;
    piece.first = w.add(lines.first, first);
    piece.size = w.max(w.min(w.sub(lines.size, first), all), zero);
    piece.whole = w.max(w.min(w.sub(lines.whole, first), all), zero);
    makePiece(piece, columns, batches);
    Value ld = w.roundUpToRow(columns.whole);
    if (hasBands(prologue))
      return storeBands(piece, columns, mostColumns, pieceLines, first, part);
    // Rows of a column of fractals follow each other.
    const int64_t elements = mostLines * mostColumns - (mostLines - pieceLines) * perRow;
    OpFoldResult offset = getAsOpFoldResult(w.mul(first, w.constant(perRow)));
    Value to = memref::SubViewOp::create(w.ops(), w.getLocation(), part, {offset}, {w.ops().getIndexAttr(elements)},
                                         {w.ops().getIndexAttr(1)});
    Value source = w.viewOf(prologue.result(), zero, w.constant(pieceLines * ofPiece.stride(mostColumns)));
    StoreNzOp::create(w.ops(), w.getLocation(), source, to, piece.whole, columns.whole, ld, height);
  };
  // All parts have the same number of pieces, so that slots alternate; those after the last row do nothing.
  if (mostLines == pieceLines)
    return write(w.constant(0));
  w.loop(w.constant(mostLines / pieceLines), write);
}

} // namespace opc::aicore

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
// If steps reduce rows, UB has all columns of a row of tiles:
//
//   for row of tiles over batches:
//     for tile of it:        for step over k as above; fixpipe to its columns in UB
//     load; steps; store
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

#include "lowering/aicore/place/contraction/ComputedOperand.h"
#include "lowering/aicore/place/contraction/WindowPanels.h"

#include "dialect/aicore/tiles/RowTiles.h"
#include "runtime/target/toolkit/KernelCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace opc::aicore {

namespace {

/// Whether steps reduce rows, which are then whole in a tile.
bool reducesRows(const TileProgram &program) {
  return llvm::any_of(program.steps, [](const TileStep &step) { return step.reducesRows(); });
}

class ContractionKernel {
public:
  explicit ContractionKernel(const KernelParts &parts)
      : parts(parts), w(parts.writer), product(parts.shape.product),
        tile(isLongRow(parts.schedule)
                 ? tileOfLongRows(parts.schedule, operandBytes(product.type), parts.target)
                 : CubeTile::of(parts.schedule, operandBytes(product.type),
                                !parts.program.storesProduct() && !reducesRows(parts.program), parts.target)),
        rows(tile.rows), depth(tile.depth), panelDepth(tile.panelDepth(parts.target)),
        perRow(kFractalRowBytes / elementSize(product.type)),
        ofFractal(hasBands(product.isLeftAlongK) || hasBands(product.isRightAlongK) ? kFractalRows : perRow),
        right(ResidentRight::of(tile, parts.target)), ofColumns(product.isRightAlongK ? kFractalRows : ofFractal),
        width(std::max(tile.width, ofColumns)) {}
  void write();

private:
  Value field(unsigned tensor, const char *suffix, std::optional<int64_t> min = std::nullopt) {
    return w.field(parts.nameOf(tensor) + suffix, min);
  }
  Value startOf(unsigned tensor) { return starts.empty() ? parts.startOf(tensor, batches) : starts[tensor]; }
  Value startOfPacked(unsigned tensor, Value ofRow, bool isAlongK);
  /// Whether a packed operand is the filters of windows: one matrix for all groups. No other left operand is packed.
  bool isFilters(unsigned tensor) const { return tensor == product.left; }
  Value rowsOfFilters();
  Value whole(Value size, int64_t unit = kFractalRows) {
    return w.mul(w.ceilDiv(size, w.constant(unit)), w.constant(unit));
  }
  Value isEqual(Value a, Value b) {
    return arith::CmpIOp::create(w.ops(), w.getLocation(), arith::CmpIPredicate::eq, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(w.ops(), w.getLocation(), condition, a, b);
  }
  Value buffer(const std::string &name, int64_t elements, Space space, Layout layout, ElementType type);
  Value makeResult(int64_t columns);
  bool hasRowInL0c() const {
    return isLongRow(parts.schedule) && bytesOfResult(tile.part) <= parts.target.memoryBytes(Memory::L0C);
  }
  int64_t bytesOfResult(int64_t columns) const { return rows * columns * int64_t(sizeof(float)); }
  Extent extentOf(Value place, Value size, int64_t most, int64_t unit);
  void startRows(Value number);
  void startBatch(Value number);
  Extent partOf(Value number, int64_t most);
  Extent stepOf(Value step) { return partOf(step, depth); }
  /// Whether L1 has an operand in bands of 16 of k.
  bool hasBands(bool isAlongK) const { return !isAlongK && perRow < kFractalRows; }
  /// Whether the last column of fractals is padding, since two of them belong together.
  Value endsInHalf(const Extent &columns) {
    return arith::CmpIOp::create(w.ops(), w.getLocation(), arith::CmpIPredicate::sge,
                                 w.sub(columns.whole, columns.size), w.constant(perRow));
  }
  /// A part of an operand in L1, whose columns of fractals are `height` rows apart.
  struct Part {
    Value tile, height;
  };
  /// Loads a part of an operand for the range `k`, with at most `most` of its rows or columns `across`.
  Part loadPartOf(unsigned tensor, bool isAlongK, const Extent &across, int64_t most, const Extent &k);
  Part loadLeft(const Extent &k) { return loadPartOf(product.left, product.isLeftAlongK, m, rows, k); }
  Part loadRight(const Extent &k) { return loadPartOf(product.right, product.isRightAlongK, n, width, k); }
  void multiplyStep(Extent k, Value isFirst, Value result);
  void multiply(const Extent &k, Part left, Part right, Value isFirst, Value result);
  void loadPacked(unsigned tensor, const Extent &lines, const Extent &columns, bool isAlongK, Value part, Value height);
  void fillLastTwo(Value part, const Extent &lines, const Extent &columns, Value height, ElementType type);
  void loadBands(unsigned tensor, const Extent &lines, const Extent &columns, Value part, int64_t most);
  /// At most `most` lines and columns.
  void loadPart(unsigned tensor, const Extent &lines, const Extent &columns, std::pair<int64_t, int64_t> most,
                bool isAlongK, Value part, Value height);
  Value bufferOf(unsigned tensor, const char *suffix, int64_t elements) {
    return buffer(parts.nameOf(tensor) + suffix, elements, Space::L1, Layout::NZ, product.type);
  }
  /// What makes an operand; null if it is multiplied as it lies in memory.
  ComputedOperand *computedOf(unsigned tensor) const {
    auto found = llvm::find_if(computed, [&](const auto &each) { return each->isOf(tensor); });
    return found == computed.end() ? nullptr : found->get();
  }
  /// Of k, in a part of an operand in L1.
  int64_t depthOfParts() const {
    return parts.shape.hasResidentRight ? right.depth : parts.shape.isResident ? tile.partDepth() : depth;
  }
  Value partOf(Value tile, Value number, int64_t elements, int64_t unit = 0);
  void loadPanel(Value panel, Value partsOfK);
  void multiplyResident(Value leftPanel, Value rightPart, Value step, Value result);
  void multiplyRun(Value panel, Value partsOfK, Value sums);
  void finishTile(Value sums);
  void writeRuns(Value first, Value tiles, Value result);
  struct RowsInUb;
  void writeRowsOfTiles(Value first, Value tiles, Value result);
  void writeRowOfTiles(const RowsInUb &rowsInUb, Value result);
  void writeRunsOfRows(const RowsInUb &rowsInUb, Value first, Value tiles, Value result);
  void loadMatrix(Value matrix, Value steps);
  void loadLeftRows(Value left, Value steps);
  void forEachTile(llvm::function_ref<void(Value)> body);
  void loadRightPart(Value steps, Value at, Value number, int64_t most);
  Value stepOfMatrix(Value place, Value number, Value step);
  void writePieces(Value sums, Value stride);
  void storeResult(Value result);
  void writeOnes() { parts.writeOnes(batches); }
  TileId productValue() const;
  int64_t partsOfPiece() const;
  Extent columnsOfPart(Value number, Value &from);
  Value fractalsFrom(Value result, Value from);
  void copyResults(Value result, Value to, const Extent &columns);
  void writePiece(Value result, Value number, int64_t count);
  void writeEpilogue(Value result);
  void writePart(Value result, const Extent &columns);
  void loadRowsOfTile();
  /// Whether a row is loaded once for a tile. This requires that parts of it begin at whole blocks and are no wider
  /// than fractals, which is not so for kernels with bytes, and that no step works in place of it, as `alias` allows:
  /// the last part may overlap the one before.
  bool isOfTile(TileId value) {
    if (!parts.isInput(value) || parts.spreadOf(value) != Spread::Row ||
        parts.homes.repeatedHomes.contains(parts.homes.of[value]) || parts.schedule.getAlias() ||
        w.columnStride() > kFractalRows)
      return false;
    const ElementType type = parts.program.values[value].type;
    return kFractalRows * int64_t(elementSize(type)) % parts.target.ubAlignment() == 0;
  }

  const KernelParts &parts;
  KernelWriter &w;
  const ProductOperands &product;
  const CubeTile tile;
  const int64_t rows, depth; ///< of it
  const int64_t panelDepth;  ///< of k that a resident panel has
  const int64_t perRow;      ///< of an operand that 32 bytes hold
  const int64_t ofFractal;   ///< of k that a fractal of an operand has, or two that are transposed together
  const ResidentRight right; ///< for a key with a right matrix in L1
  const int64_t ofColumns;   ///< columns that n is filled up to: bytes of [K, N] are transposed in squares of 32
  const int64_t width;       ///< columns that buffers have, of at least one square
  Value sizeM, sizeN, sizeK, across, down;
  SmallVector<Value> trips; ///< of the batch loops but the outermost, innermost first
  SmallVector<KernelParts::BatchLoop> batches{{"_s0", Value()}, {"_s1", Value()}}; ///< null before the first tile
  SmallVector<Value> starts; ///< of all tensors in the current batch, if there are many loops
  Extent m, n;
  llvm::DenseSet<unsigned> ofTile; ///< homes of rows that are loaded once for a tile
  SmallVector<std::unique_ptr<ComputedOperand>, 2> computed;
  std::optional<TileId> ofPiece; ///< the product, if Fixpipe has written it for several parts
};

} // namespace

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

/// The offset of the current matrix of an operand in columns of fractals. Strides count elements without the padding of
/// matrices, and are multiples of a whole matrix. The filters of a group are rows of one matrix.
Value ContractionKernel::startOfPacked(unsigned tensor, Value ofRow, bool isAlongK) {
  Value start = startOf(tensor);
  if (isFilters(tensor))
    return w.mul(w.floorDiv(start, w.max(sizeK, w.constant(1))), ofRow);
  if (!parts.shape.tensors[tensor].isPackedBatch)
    return start;
  Value lines = isAlongK ? sizeN : sizeK, columns = isAlongK ? sizeK : sizeN;
  Value number = w.floorDiv(start, w.max(w.mul(lines, columns), w.constant(1)));
  return w.mul(number, w.mul(whole(lines), w.mul(w.ceilDiv(columns, ofRow), ofRow)));
}

/// The rows of the matrix of all filters: those of a group, for each number of a batch loop along which they differ.
Value ContractionKernel::rowsOfFilters() {
  Value zero = w.constant(0), one = w.constant(1), inner = trips.front();
  Value outer = w.floorDiv(w.field("tiles", 0), w.max(w.mul(w.mul(across, down), inner), one));
  auto number = [&](const char *stride, Value count) {
    return select(isEqual(field(product.left, stride), zero), one, w.max(count, one));
  };
  return w.mul(sizeM, w.mul(number("_s0", outer), number("_s1", inner)));
}

/// Fills the last two columns of fractals of a part along k, which belong together, if k ends in the first of them or
/// is 0. The copy then writes the first.
void ContractionKernel::fillLastTwo(Value part, const Extent &lines, const Extent &columns, Value height,
                                    ElementType type) {
  Value two = w.constant(ofFractal / perRow), wide = w.floorDiv(columns.whole, w.constant(perRow));
  FillOp::create(w.ops(), w.getLocation(), w.constantOf(type, 0.0), part, w.mul(w.sub(wide, two), height), two,
                 select(endsInHalf(columns), lines.whole, w.constant(0)), height);
}

/// Copies a part of an operand in columns of fractals, which memory has padded with zeros. If k is 0, the copy omits
/// the only columns.
void ContractionKernel::loadPacked(unsigned tensor, const Extent &lines, const Extent &columns, bool isAlongK,
                                   Value part, Value height) {
  const ElementType type = parts.shape.tensors[tensor].type;
  Value zero = w.constant(0), ofRow = w.constant(kFractalRowBytes / elementSize(type));
  Value pitch = w.mul(whole(isFilters(tensor) ? rowsOfFilters() : isAlongK ? sizeN : sizeK), ofRow);
  Value ofPart = w.floorDiv(columns.whole, ofRow);
  Value isEmpty = isEqual(isAlongK ? columns.size : lines.size, zero);
  auto fill = [&](Value at, Value columnsOfFractals, Value blocks) {
    FillOp::create(w.ops(), w.getLocation(), w.constantOf(type, 0.0), part, at, columnsOfFractals, blocks, height);
  };
  Value present = lines.whole;
  if (isAlongK && ofFractal > perRow) {
    // Memory has no second column of the last two that belong together, if k ends in the first.
    fillLastTwo(part, lines, columns, height, type);
    ofPart = w.ceilDiv(columns.size, ofRow);
  } else {
    fill(zero, ofPart, select(isEmpty, lines.whole, zero));
  }
  if (!isAlongK && ofFractal != kFractalRows) {
    // Memory has whole fractals of rows, and a step of bytes may end with half a square.
    Value fractal = w.constant(kFractalRows);
    present = whole(lines.size);
    fill(w.sub(lines.whole, fractal), ofPart, select(isEqual(present, lines.whole), zero, fractal));
  }
  if (isFilters(tensor)) {
    // The rows after those of a group are of the next one.
    Value fractal = w.constant(kFractalRows);
    present = lines.size;
    fill(w.sub(lines.whole, fractal), w.floorDiv(columns.whole, ofRow),
         select(isEqual(present, lines.whole), zero, fractal));
  }
  Value first = w.add(w.mul(w.floorDiv(columns.first, ofRow), pitch), w.mul(lines.first, ofRow));
  Value length = w.mul(present, ofRow);
  Value source = w.rowsOfTensor(tensor, w.add(startOfPacked(tensor, ofRow, isAlongK), select(isEmpty, zero, first)),
                                select(isEmpty, zero, ofPart), length, pitch);
  LoadNzOp::create(w.ops(), w.getLocation(), source, part, height, /*packed=*/true);
}

/// Copies a part of an operand whose fractals are transposed two by two: `lines` of k in bands of 16, each a copy to
/// columns of fractals. A band has room for `most` columns.
void ContractionKernel::loadBands(unsigned tensor, const Extent &lines, const Extent &columns, Value part,
                                  int64_t most) {
  const ElementType type = parts.shape.tensors[tensor].type;
  const bool isPacked = parts.shape.tensors[tensor].isPacked;
  Value zero = w.constant(0), band = w.constant(kFractalRows), ofRow = w.constant(perRow);
  Value wide = w.floorDiv(columns.whole, ofRow);
  auto fill = [&](Value at, Value rows, Value blocks, Value stride) {
    FillOp::create(w.ops(), w.getLocation(), w.constantOf(type, 0.0), part, at, rows, blocks, stride);
  };
  // The rows of the last band, which a packed operand has; if k is 0, all of it.
  fill(w.mul(w.sub(lines.whole, band), w.constant(most / perRow)), wide,
       select(isEqual(lines.size, isPacked ? zero : lines.whole), isPacked ? band : zero, isPacked ? zero : band),
       band);
  // The last column of each band, if the one before it has the end of a line.
  fill(w.mul(w.sub(wide, w.constant(1)), band), w.floorDiv(lines.whole, band), select(endsInHalf(columns), band, zero),
       w.constant(most / perRow * kFractalRows));
  Value distance = isPacked ? w.mul(whole(sizeK), ofRow) : field(tensor, "_m", 0);
  Value start = isPacked ? startOfPacked(tensor, ofRow, /*isAlongK=*/false) : startOf(tensor);
  w.loop(w.constant(depth / kFractalRows), [&](Value number) {
    Value from = w.mul(number, band), line = w.add(lines.first, from);
    Value size = w.max(w.min(w.sub(lines.size, from), band), zero), isEmpty = isEqual(size, zero);
    auto copy = [&](Value first, Value count, Value length) {
      Value source = w.rowsOfTensor(tensor, w.add(start, select(isEmpty, zero, first)), count, length, distance);
      LoadNzOp::create(w.ops(), w.getLocation(), source, partOf(part, number, most * kFractalRows), band, isPacked);
    };
    if (isPacked)
      copy(w.add(w.mul(w.floorDiv(columns.first, ofRow), distance), w.mul(line, ofRow)),
           select(isEmpty, zero, w.ceilDiv(columns.size, ofRow)), w.mul(band, ofRow));
    else
      copy(w.add(w.mul(line, distance), columns.first), size, columns.size);
  });
}

/// Copies a part of an operand to L1 in its memory layout: `lines` of `columns`. Both are padded with zeros to whole
/// fractals. Columns of fractals are `height` rows apart.
void ContractionKernel::loadPart(unsigned tensor, const Extent &lines, const Extent &columns,
                                 std::pair<int64_t, int64_t> most, bool isAlongK, Value part, Value height) {
  if (ComputedOperand *made = computedOf(tensor))
    return made->make(lines, columns, most, part, height, batches);
  if (hasBands(isAlongK))
    return loadBands(tensor, lines, columns, part, most.second);
  if (parts.shape.tensors[tensor].isPacked)
    return loadPacked(tensor, lines, columns, isAlongK, part, height);
  const ElementType type = parts.shape.tensors[tensor].type;
  // Lines along n are whole fractals, lines along k as many as a fractal has of k.
  Value zero = w.constant(0), fractal = w.constant(isAlongK ? kFractalRows : ofFractal);
  Value distance = field(tensor, "_m", 0);
  Value ofRow = w.constant(kFractalRowBytes / elementSize(type));
  // If k is 0, the tensor has no elements: the copy of none begins where it does.
  Value isEmpty = isEqual(isAlongK ? columns.size : lines.size, zero);
  Value first = w.add(w.mul(lines.first, distance), columns.first);
  Value offset = w.add(startOf(tensor), select(isEmpty, zero, first));
  Value source = w.rowsOfTensor(tensor, offset, lines.size, columns.size, distance);
  Value value = w.constantOf(type, 0.0);
  auto fill = [&](Value at, Value columnsOfFractals, Value blocks) {
    FillOp::create(w.ops(), w.getLocation(), value, part, at, columnsOfFractals, blocks, height);
  };
  // The rows of the last fractals, since a copy does not write rows beyond its own.
  Value wide = w.floorDiv(columns.whole, ofRow);
  fill(w.sub(lines.whole, fractal), wide, select(isEqual(lines.size, lines.whole), zero, fractal));
  // If k is 0, a copy does not write the only column of fractals.
  if (isAlongK && ofFractal > perRow)
    fillLastTwo(part, lines, columns, height, type);
  else if (isAlongK)
    fill(zero, w.constant(1), select(isEmpty, lines.whole, zero));
  LoadNzOp::create(w.ops(), w.getLocation(), source, part, height, /*packed=*/false);
}

/// A part of k, of at most `most` elements. If k is 0, the only part has a row of zeros.
Extent ContractionKernel::partOf(Value number, int64_t most) {
  Value zero = w.constant(0);
  Extent k;
  Value first = w.mul(number, w.constant(most));
  k.size = w.max(w.min(w.sub(sizeK, first), w.constant(most)), zero);
  // A part after the end of k begins within the tensor, too.
  k.first = w.max(w.min(first, w.sub(sizeK, w.constant(1))), zero);
  k.whole = w.max(whole(k.size, ofFractal), w.constant(ofFractal));
  return k;
}

ContractionKernel::Part ContractionKernel::loadPartOf(unsigned tensor, bool isAlongK, const Extent &across,
                                                      int64_t most, const Extent &k) {
  Value part = bufferOf(tensor, "_l1", depth * most);
  const Extent &lines = isAlongK ? across : k;
  const std::pair<int64_t, int64_t> capacity = isAlongK ? std::pair(most, depth) : std::pair(depth, most);
  // The pieces of a computed operand are parts of its columns of fractals; a band has room for all columns.
  Value height = hasBands(isAlongK) ? w.constant(most) : computedOf(tensor) ? w.constant(capacity.first) : lines.whole;
  loadPart(tensor, lines, isAlongK ? k : across, capacity, isAlongK, part, height);
  return {part, height};
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

/// Copies all of k of some rows.
void ContractionKernel::loadPanel(Value panel, Value partsOfK) {
  const bool isAlongK = product.isLeftAlongK;
  const int64_t most = depthOfParts();
  w.loop(partsOfK, [&](Value number) {
    if (isAlongK)
      return loadPart(product.left, m, partOf(number, most), {rows, most}, true, partOf(panel, number, most * rows),
                      w.constant(rows));
    w.loop(w.constant(most / depth), [&](Value step) {
      step = w.add(w.mul(number, w.constant(most / depth)), step);
      loadPart(product.left, stepOf(step), m, {depth, rows}, false, partOf(panel, step, depth * rows),
               w.constant(depth));
    });
  });
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

/// Stores the tile directly, rounded to the type of each output.
void ContractionKernel::storeResult(Value result) {
  for (auto [value, tensor] : parts.program.stores) {
    Value distance = field(tensor, "_m", 0);
    Value offset = w.add(w.add(startOf(tensor), w.mul(m.first, distance)), n.first);
    Value destination = w.rowsOfTensor(tensor, offset, m.size, n.size, distance);
    FixpipeOp::create(w.ops(), w.getLocation(), result, destination, m.size, n.size, /*rowStride=*/Value(),
                      /*scale=*/Value());
  }
}

/// Loads rows for all columns of a tile, before its products: MTE2 takes its loads in order, and would wait for the
/// vector unit between the parts.
void ContractionKernel::loadRowsOfTile() {
  for (TileId value = 0; value < parts.program.values.size(); ++value)
    if (isOfTile(value))
      ofTile.insert(parts.homes.of[value]);
  w.makeBuffers([&](const Home &, unsigned number) { return ofTile.contains(number); });
  for (TileId value = 0; value < parts.program.values.size(); ++value) {
    if (!isOfTile(value))
      continue;
    const unsigned tensor = *parts.program.values[value].tensor;
    Value offset = w.add(startOf(tensor), n.first);
    w.loadRows(value, offset, w.constant(1), n.size, field(tensor, "_m", 0), w.roundUpToRow(n.size));
  }
}

/// Rows of the tile are contiguous in UB. The steps run over their padding, which is zero in the product. Rows of a
/// kernel with bytes are wider than fractals.
void ContractionKernel::copyResults(Value result, Value to, const Extent &columns) {
  const bool isWider = w.columnStride() > kFractalRows;
  Value stride = w.roundUpToRow(isWider ? columns.whole : columns.size);
  FixpipeOp::create(w.ops(), w.getLocation(), result, to, m.size, isWider ? columns.whole : stride, stride,
                    /*scale=*/Value());
}

/// Writes the elementwise operations on some columns of a tile.
void ContractionKernel::writePart(Value result, const Extent &columns) {
  const TileProgram &program = parts.program;
  Value one = w.constant(1), columnStride = w.constant(w.columnStride());
  const bool isWider = w.columnStride() > kFractalRows;
  Value stride = w.roundUpToRow(isWider ? columns.whole : columns.size);
  TileExtent extent;
  extent.rows = m.size;
  extent.cols = columns.size;
  extent.ld = stride;
  extent.full = w.mul(m.size, stride);
  extent.column = w.mul(m.size, columnStride);
  w.makeBuffers([&](const Home &home, unsigned number) {
    return !home.invariant && !ofTile.contains(number) && !(ofPiece && parts.homes.of[*ofPiece] == number);
  });
  w.startTile();
  auto offsetOf = [&](unsigned tensor, Spread spread) {
    Value start = startOf(tensor);
    if (spread != Spread::Row)
      start = w.add(start, w.mul(m.first, field(tensor, "_m", 0)));
    return spread == Spread::Column ? start : w.add(start, columns.first);
  };
  for (TileId value = 0; value < program.values.size(); ++value) {
    if (program.values[value].isProduct) {
      if (ofPiece)
        continue;
      Value sums = w.viewOf(value, w.constant(0), w.constant(rows * tile.part));
      if (isWider)
        VBrcOp::create(w.ops(), w.getLocation(), w.constantOf(program.values[value].type, 0.0), sums);
      copyResults(result, sums, columns);
      continue;
    }
    const Spread spread = parts.spreadOf(value);
    if (!parts.isInput(value) || spread == Spread::One || isOfTile(value))
      continue;
    const unsigned tensor = *program.values[value].tensor;
    Value offset = offsetOf(tensor, spread), distance = field(tensor, "_m", 0);
    if (spread == Spread::Column)
      w.loadRows(value, offset, m.size, one, distance, columnStride);
    else
      w.loadRows(value, offset, spread == Spread::Row ? one : m.size, columns.size, distance, stride);
    if (spread == Spread::Row && w.isRepeated(value))
      w.doubleRows(value, m.size, stride);
  }
  for (const TileStep &step : program.steps) {
    const Spread spread = parts.spreadOf(step.result);
    if (spread == Spread::One)
      continue;
    w.writeStep(step, extent);
    if (spread == Spread::Row && w.isRepeated(step.result))
      w.doubleRows(step.result, m.size, stride);
  }
  for (auto [value, tensor] : program.stores) {
    const Spread spread = parts.spreadOf(value);
    Value offset = offsetOf(tensor, spread), distance = field(tensor, "_m", 0);
    if (spread == Spread::Column)
      w.storeRows(value, tensor, offset, m.size, one, distance, columnStride);
    else
      w.storeRows(value, tensor, offset, m.size, columns.size, distance, stride);
  }
}

/// The parts of the columns whose results Fixpipe copies to UB before the vector unit works on the first of them: as
/// many as UB has room for, up to half of a tile. With two slots UB then has the results of a whole tile, so that MTE1,
/// which relays flags between FIX and V, waits for the vector unit only after the loads of the next tile to L0.
int64_t ContractionKernel::partsOfPiece() const {
  const TileNeeds &needs = w.tileNeeds();
  if (parts.schedule.getSlots() == 1 || w.columnStride() > kFractalRows || parts.shape.windows)
    return 1;
  const int64_t elements = parts.schedule.getTile();
  const int64_t room = parts.target.ubBytes() - needs.fixedBytes - (elements * needs.tileBits + 7) / 8 -
                       rows * needs.rowBytes - parts.schedule.getAlignment() * needs.buffers;
  int64_t count = 1;
  while (4 * count <= tile.width / tile.part && (2 * count - 1) * 2 * elements * int64_t(sizeof(float)) <= room)
    count *= 2;
  return count;
}

/// The columns of a part, and where they begin in the tile. A part after the last column repeats the last fractals.
Extent ContractionKernel::columnsOfPart(Value number, Value &from) {
  Extent columns;
  Value end = ofColumns == kFractalRows ? n.whole : whole(n.size);
  from = w.min(w.mul(number, w.constant(tile.part)), w.sub(end, w.constant(kFractalRows)));
  columns.first = w.add(n.first, from);
  columns.size = w.max(w.min(w.sub(n.size, from), w.constant(tile.part)), w.constant(1));
  columns.whole = whole(columns.size);
  return columns;
}

/// The results of a part: columns of fractals of the tile are adjacent.
Value ContractionKernel::fractalsFrom(Value result, Value from) {
  OpFoldResult offset = getAsOpFoldResult(w.mul(from, m.whole));
  return memref::SubViewOp::create(w.ops(), w.getLocation(), result, {offset}, {w.ops().getIndexAttr(rows * tile.part)},
                                   {w.ops().getIndexAttr(1)});
}

/// The matrix product of the program.
TileId ContractionKernel::productValue() const {
  const auto isProduct = [&](TileId value) { return parts.program.values[value].isProduct; };
  return *llvm::find_if(llvm::seq<TileId>(0, parts.program.values.size()), isProduct);
}

/// `count` parts: first their results are copied to UB, then the vector unit processes them.
void ContractionKernel::writePiece(Value result, Value number, int64_t count) {
  const TileProgram &program = parts.program;
  Value first = w.mul(number, w.constant(count)), from, sums;
  if (count > 1) {
    ofPiece = productValue();
    sums = w.makeBuffer(*ofPiece, count * rows * tile.part);
    w.loop(w.constant(count), [&](Value part) {
      const Extent columns = columnsOfPart(w.add(first, part), from);
      copyResults(fractalsFrom(result, from), partOf(sums, part, rows * tile.part), columns);
    });
  }
  auto write = [&](Value part) {
    const Extent columns = columnsOfPart(w.add(first, part), from);
    if (ofPiece)
      w.narrow(*ofPiece, w.mul(part, w.constant(rows * tile.part)), rows * tile.part);
    for (TileId value = 0; value < program.values.size(); ++value)
      if (isOfTile(value))
        w.narrow(value, from, tile.part);
    writePart(ofPiece ? Value() : fractalsFrom(result, from), columns);
  };
  if (count == 1)
    return write(w.constant(0));
  w.loop(w.constant(count), write);
}

/// UB has a part of the columns at a time. Each tile has the same number of parts, so that slots alternate.
void ContractionKernel::writeEpilogue(Value result) {
  const int64_t most = tile.width / tile.part;
  if (most == 1)
    return writePart(result, n);
  const int64_t count = partsOfPiece();
  w.loop(w.constant(most / count), [&](Value number) { writePiece(result, number, count); });
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
    if (panels) {
      panels->startTile(inPlane, plane);
      panels->forEachPart(startOf(product.right), [&](Extent k, Value right, Value isFirst) {
        const Part left = loadLeft(k); // if k is 0, it has no element that a copy could begin at
        k.size = w.max(k.size, one);
        multiply(k, left, {right, product.isRightAlongK ? n.whole : k.whole}, isFirst, sums);
      });
    } else {
      w.loop(steps, [&](Value step) { multiplyStep(stepOf(step), isEqual(step, w.constant(0)), sums); });
    }
    finishTile(sums);
  });
}

/// What rows of tiles have in common, and the results of one.
struct ContractionKernel::RowsInUb {
  Value sums;         ///< of long rows, which leave no room for a second slot
  Value results;      ///< in L0C, if it holds one row of tiles
  Value steps;        ///< of k
  Value matrix, left; ///< in L1, if the right matrix stays there: all of it, and the left operand's rows
};

/// Writes rows of tiles, `tiles` of them from `first` on: UB has the results of all tiles of a row before the vector
/// unit works on them.
void ContractionKernel::writeRowsOfTiles(Value first, Value tiles, Value result) {
  const int64_t longest = tile.part, elements = rows * longest;
  const bool hasMatrix = parts.shape.hasResidentRight;
  RowsInUb inUb;
  inUb.steps = hasMatrix ? w.field("steps", 1, right.steps) : w.field("steps", 1);
  across = w.field("tiles_across", 1, std::max<int64_t>(longest / tile.width, 1));
  ofPiece = productValue();
  if (isLongRow(parts.schedule)) {
    inUb.sums = w.makeBuffer(*ofPiece, resultsOfLongRows(parts.schedule));
    // The proof does not know where the rows of a piece are, and takes them to be anywhere in the buffer: in the row
    // after the last one, too, which nothing else writes.
    VBrcOp::create(w.ops(), w.getLocation(), w.constantOf(parts.program.values[*ofPiece].type, 0.0),
                   w.part(inUb.sums, w.constant(elements), w.constant(longest)));
  }
  if (hasRowInL0c() && 2 * bytesOfResult(longest) > parts.target.memoryBytes(Memory::L0C))
    inUb.results = makeResult(longest);
  if (hasMatrix)
    return writeRunsOfRows(inUb, first, tiles, result);
  w.loop(tiles, [&](Value number) {
    startRows(w.add(first, number));
    writeRowOfTiles(inUb, result);
  });
}

/// Writes runs of rows of tiles of a batch, which share its right matrix, `tiles` runs from `first` on.
void ContractionKernel::writeRunsOfRows(const RowsInUb &common, Value first, Value tiles, Value result) {
  Value ofRun = w.field("run_tiles", 1), zero = w.constant(0), one = w.constant(1);
  Value lastRow = w.max(w.sub(w.ceilDiv(sizeM, w.constant(rows)), one), zero);
  RowsInUb inUb = common;
  // It has no second slot, so larger ones fit: the loads of the next one wait only for the last products.
  inUb.matrix = bufferOf(product.right, "_matrix", right.across * right.steps * right.depth * width);
  w.loop(tiles, [&](Value number) {
    number = w.add(first, number);
    Value before = w.mul(w.rem(number, down), ofRun);
    startBatch(w.floorDiv(number, down));
    loadMatrix(inUb.matrix, inUb.steps);
    // All runs have the same number of rows of tiles, so that slots alternate: the last run may repeat the last one.
    w.loop(ofRun, [&](Value below) {
      m = extentOf(w.min(w.add(before, below), lastRow), sizeM, rows, kFractalRows);
      inUb.left = bufferOf(product.left, "_l1", rows * right.mostOfK());
      loadLeftRows(inUb.left, inUb.steps);
      writeRowOfTiles(inUb, result);
    });
  });
}

/// Writes a row of tiles, with the rows `m`.
void ContractionKernel::writeRowOfTiles(const RowsInUb &inUb, Value result) {
  const int64_t longest = tile.part, elements = rows * longest;
  const bool isWider = w.columnStride() > kFractalRows;
  Value zero = w.constant(0), steps = inUb.steps;
  Extent row;
  row.first = zero;
  row.size = w.max(w.min(sizeN, w.constant(longest)), w.constant(1));
  row.whole = whole(row.size);
  n = row;
  loadRowsOfTile();
  Value sums = inUb.sums ? inUb.sums : w.makeBuffer(*ofPiece, elements);
  if (isWider)
    VBrcOp::create(w.ops(), w.getLocation(), w.constantOf(parts.program.values[*ofPiece].type, 0.0), sums);
  Value stride = w.roundUpToRow(isWider ? row.whole : row.size);
  auto multiplyTile = [&](Value place, Value ofTile) {
    n = extentOf(place, sizeN, tile.width, ofColumns);
    if (!inUb.matrix)
      return w.loop(steps, [&](Value step) { multiplyStep(stepOf(step), isEqual(step, zero), ofTile); });
    Value ofPart = w.constant(right.depth / depth);
    w.loop(steps, [&](Value number) {
      w.loop(ofPart, [&](Value step) {
        multiplyResident(inUb.left, partOf(inUb.matrix, stepOfMatrix(place, number, step), depth * width),
                         w.add(w.mul(number, ofPart), step), ofTile);
      });
    });
  };
  auto copyTile = [&](Value place, Value ofTile) {
    n = extentOf(place, sizeN, tile.width, ofColumns);
    Value columns = isWider ? n.whole : w.roundUpToRow(n.size);
    // Rows are at least as far apart as they are long here, which bounds of values do not show.
    FixpipeOp::create(w.ops(), w.getLocation(), ofTile, w.part(sums, n.first, w.constant(elements)), m.size, columns,
                      w.max(stride, columns), /*scale=*/Value());
  };
  if (!hasRowInL0c()) {
    forEachTile([&](Value place) {
      Value ofTile = result ? result : makeResult(width);
      multiplyTile(place, ofTile);
      copyTile(place, ofTile);
    });
  } else {
    // The cube multiplies all of a row while the vector unit still works on the one before.
    Value ofRow = inUb.results ? inUb.results : makeResult(longest);
    auto ofTile = [&](Value place) { return partOf(ofRow, place, rows * width); };
    w.loop(across, [&](Value place) { multiplyTile(place, ofTile(place)); });
    w.loop(across, [&](Value place) { copyTile(place, ofTile(place)); });
  }
  n = row;
  if (parts.hasOnes())
    writeOnes();
  inUb.sums ? writePieces(sums, stride) : writePart(Value(), n);
}

/// The number of a step of k of the right matrix in L1, for the columns of a tile.
Value ContractionKernel::stepOfMatrix(Value place, Value number, Value step) {
  Value part = w.add(w.mul(place, w.constant(right.steps)), number);
  return w.add(w.mul(part, w.constant(right.depth / depth)), step);
}

/// Copies the right matrix of a batch. Of one along k a tile's columns are one copy.
void ContractionKernel::loadMatrix(Value matrix, Value steps) {
  forEachTile([&](Value place) {
    n = extentOf(place, sizeN, tile.width, ofColumns);
    if (product.isRightAlongK && !computedOf(product.right))
      return loadPart(product.right, n, partOf(w.constant(0), right.mostOfK()), {width, right.mostOfK()}, true,
                      partOf(matrix, place, right.mostOfK() * width), w.constant(width));
    const int64_t ofPart = right.depth / depth;
    w.loop(steps,
           [&](Value number) { loadRightPart(matrix, stepOfMatrix(place, number, w.constant(0)), number, ofPart); });
  });
}

/// Copies the rows `m` of the left operand, with all of k.
void ContractionKernel::loadLeftRows(Value left, Value steps) {
  if (!product.isLeftAlongK || computedOf(product.left))
    return loadPanel(left, steps);
  loadPart(product.left, m, partOf(w.constant(0), right.mostOfK()), {rows, right.mostOfK()}, true, left,
           w.constant(rows));
}

/// Calls `body` for each tile of a row of tiles in L0C: without a loop if there is one.
void ContractionKernel::forEachTile(llvm::function_ref<void(Value)> body) {
  if (tile.part > tile.width)
    return w.loop(across, body);
  body(w.constant(0));
}

/// The vector unit works on some rows of a tile at a time. Each tile has the same number of pieces, so that slots
/// alternate; those after the last row do nothing.
void ContractionKernel::writePieces(Value sums, Value stride) {
  const int64_t piece = w.rowsOfTile();
  const Extent tileRows = m;
  w.loop(w.constant(rows / piece), [&](Value number) {
    Value from = w.mul(number, w.constant(piece));
    // One after the last row begins within the tensors, too.
    m.first = w.add(tileRows.first, w.min(from, w.sub(tileRows.size, w.constant(1))));
    m.size = w.max(w.min(w.sub(tileRows.size, from), w.constant(piece)), w.constant(0));
    w.narrow(*ofPiece, sums, w.mul(from, stride), piece * tile.part);
    writePart(Value(), n);
  });
  m = tileRows;
}

/// Processes or stores a tile of results.
void ContractionKernel::finishTile(Value sums) {
  if (parts.program.storesProduct())
    return storeResult(sums);
  // An input of one element may differ between batches.
  if (parts.hasOnes())
    writeOnes();
  writeEpilogue(sums);
}

/// Loads the part `number` of the right operand, of `most` steps of k, each of which is contiguous, to the steps in L1
/// from `at` on; null for 0.
void ContractionKernel::loadRightPart(Value steps, Value at, Value number, int64_t most) {
  const int64_t ofStep = depth * width;
  if (product.isRightAlongK)
    return loadPart(product.right, n, partOf(number, most * depth), {width, most * depth}, true,
                    at ? partOf(steps, at, most * ofStep, ofStep) : steps, w.constant(width));
  w.loop(w.constant(most), [&](Value step) {
    Value to = partOf(steps, at ? w.add(at, step) : step, ofStep);
    loadPart(product.right, stepOf(w.add(w.mul(number, w.constant(most)), step)), n, {depth, width}, false, to,
             w.constant(depth));
  });
}

/// Multiplies a step of k of a panel with all of k by the same step of the right operand, which are both in L1. A step
/// after the end of k does nothing.
void ContractionKernel::multiplyResident(Value leftPanel, Value rightPart, Value step, Value result) {
  Value zero = w.constant(0), fractal = w.constant(ofFractal);
  Extent k = stepOf(step);
  // If k is 0 the first step multiplies zeros.
  Value least = w.max(w.sub(fractal, w.mul(step, fractal)), zero);
  k.whole = w.max(whole(k.size, ofFractal), least);
  k.size = w.max(k.size, w.min(least, w.constant(1)));
  auto height = [&](bool isAlongK, int64_t most) { return w.constant(isAlongK || hasBands(isAlongK) ? most : depth); };
  multiply(k, {partOf(leftPanel, step, depth * rows), height(product.isLeftAlongK, rows)},
           {rightPart, height(product.isRightAlongK, width)}, isEqual(step, zero), result);
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
    w.loop(ofPart,
           [&](Value step) { multiplyResident(panel, partOf(right, step, depth * width), w.add(first, step), sums); });
  });
}

/// Writes runs of adjacent tiles that share a panel, `tiles` tiles from `first` on.
void ContractionKernel::writeRuns(Value first, Value tiles, Value result) {
  Value ofRun = w.field("run_tiles", 1), partsOfK = w.field("steps", 1, panelDepth / tile.partDepth());
  Value lastTile = w.max(w.sub(w.ceilDiv(sizeN, w.constant(tile.width)), w.constant(1)), w.constant(0));
  // It has no second slot, so more of k fits: the loads of the next run wait only for the last products.
  Value panel = bufferOf(product.left, "_panel", rows * panelDepth);
  w.loop(tiles, [&](Value number) {
    number = w.add(first, number);
    Value before = w.mul(w.rem(number, across), ofRun);
    startRows(w.floorDiv(number, across));
    loadPanel(panel, partsOfK);
    // All runs have the same number of tiles, so that slots alternate: the last run may repeat the last tile.
    w.loop(ofRun, [&](Value beside) {
      n = extentOf(w.min(w.add(before, beside), lastTile), sizeN, tile.width, ofColumns);
      if (!parts.program.storesProduct())
        loadRowsOfTile();
      Value sums = result ? result : makeResult(width);
      multiplyRun(panel, partsOfK, sums);
      finishTile(sums);
    });
  });
}

void writeContractionKernel(const KernelParts &parts) {
  ContractionKernel(parts).write();
}

} // namespace opc::aicore

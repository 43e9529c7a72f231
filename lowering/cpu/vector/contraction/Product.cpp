// The loops of a matrix product around its register tiles, and the elementwise operations on its results.
//
//   tiles of this range of blocks, neighbours of a row of tiles at once
//     rows, as many as a left panel holds
//       parts of k: pack the left panel
//         columns, as many as right panels hold: pack them, multiply; after the last part of k compute what follows
//
// int8 and uint8 work the same way, with pairs or fours along k instead of elements, and i32 instead of f32 (Cells.h):
// k counts cells.
//
// Partial sums are in a buffer of f32 until the next part of k; if the result is an f32 tensor and no operation
// follows, they are in the tensor itself. The elementwise operations run on each finished panel of results, in
// the innermost cache. The parts of k depend only on its size, so a sum has one order for all numbers of blocks
// and threads.
//
// If rows of the results are reduced, the sums of some whole rows go to a buffer, and the kernel of rows (rows/Rows.h)
// reads them there. A row of any kernel is never divided, so each has one order of sums.
//
// A constant operand may be packed before the launch, whole and in the same order; then a launch reads its tiles or
// panels there.
//
// An operand may be computed from a tensor element by element. Then the elements of a part are computed into a buffer
// in the innermost cache, from which they are packed, or multiplied by a few rows, like those of a matrix of f32.
//
// A matrix of one row, or of a few, is multiplied without panels (FewRows.h): its product takes as long as reading the
// other operand once.
//
// Windows of an input (WindowedMatrix.h) are a right operand that does not exist in memory. If its rows are rows in
// memory, as in a 1 x 1 convolution, it is an ordinary operand. Otherwise planes of the input are copied, and tiles
// read windows from them (Planes.h); then there are unused positions between rows, which are removed after all of k. If
// the planes of one channel do not fit the buffer, packing makes panels of the windows. Most depthwise windows are read
// from the input itself, with the sums of a row in registers (WindowRows.h).

#include "lowering/cpu/vector/Evaluator.h"
#include "lowering/cpu/vector/VectorKernels.h"
#include "lowering/cpu/vector/contraction/Cells.h"
#include "lowering/cpu/vector/contraction/FewRows.h"
#include "lowering/cpu/vector/contraction/Planes.h"
#include "lowering/cpu/vector/contraction/SmallPlanes.h"
#include "lowering/cpu/vector/contraction/Tiles.h"
#include "lowering/cpu/vector/contraction/WindowRows.h"
#include "lowering/cpu/vector/contraction/WindowedMatrix.h"
#include "lowering/cpu/vector/rows/Rows.h"

#include "runtime/program/opc_kernel_library.h"

using namespace llvm;

namespace opc::cpu {

namespace {

// Elements that are computed at once, and stay in the innermost cache or close to it: all of them; rows along k of a
// panel, a multiple of the rows of a tile, and rows across k; of a row. For few rows of the result: columns along k, as
// many as are multiplied together, and of k.
constexpr int64_t kComputed = 16384, kComputedRows = 48, kComputedDepth = 16, kComputedOfRow = 512;
constexpr int64_t kComputedColumns = 4, kComputedAlongK = 2048;

/// The kernel of kind Rows that follows a product whose rows are reduced. Its tensors are the inputs, the results of
/// the product, and the outputs.
FusedKernel rowsOfProduct(const FusedKernel &kernel, LLVMContext &context) {
  FusedKernel rows = kernel;
  rows.kind = FusedKernel::Kind::Rows;
  rows.loops = 2;
  llvm::erase(rows.generics, rows.product);
  // Nothing that follows reads the operands.
  for (unsigned operand : {kernel.leftOperand, kernel.rightOperand})
    rows.tensors[operand].dims = {-1, 1};
  KernelTensor results;
  results.name = "product";
  results.element = *Element::of(mlir::getElementTypeOrSelf(rows.product.getResult(0).getType()), context);
  results.dims = {0, 1};
  rows.tensors.insert(rows.tensors.begin() + kernel.firstOutput(), results);
  return rows;
}

/// A part of the results of one batch: rows and columns begin .. end.
struct ResultPart {
  Value *rowBegin, *rowEnd, *columnBegin, *columnEnd;
};

class Product {
public:
  Product(CodeBuilder &b, FusedKernel &kernel, Frame &frame)
      : b(b), kernel(kernel), frame(frame), sizes(b.level), left(kernel.tensors[kernel.leftOperand]),
        right(kernel.tensors[kernel.rightOperand]), isLeftAlongK(left.dims.back() == 2),
        isRightAlongK(right.dims.back() == 2),
        elementsOfCell(kernel.isOfBytes ? elementsOfCells(b.level, left.element) : 1),
        product(kernel.product.getResult(0)) {
    const Element &element = kernel.tensors[kernel.firstOutput()].element;
    isDirect = kernel.stored.size() == 1 && kernel.stored.front() == product && element.kind == Element::Plain;
    if (llvm::any_of(kernel.generics, [&](auto op) { return op != kernel.product && op.getNumReductionLoops() != 0; }))
      finishedRows.emplace(rowsOfProduct(kernel, b.getContext()));
  }

  /// Whether reductions of rows have a form (cpu_c8).
  bool plan() {
    if (!finishedRows)
      return true;
    rowKernel.emplace(b, *finishedRows, frame);
    return rowKernel->plan();
  }

  Value *emit();

private:
  Value *tiles(Value *item);
  void blocks(const ResultPart &part);
  void rowBlock(const ResultPart &part);
  struct PlaneTable;
  void rowBlockOfPlanes(const ResultPart &part, const PlaneTable &of);
  void multiply(const PanelProduct &product, Value *columns);
  struct Panels;
  void panels(const Panels &of);
  void panel(const Panels &of, Value *place, Value *columns);
  void askNext(const Panels &of, Value *place, PanelProduct &product);
  void multiplyFew(RowProduct product, Value *column, Value *k, Value *depth);
  void singleRow(const ResultPart &part);
  void fewRows(const ResultPart &part);
  Value *isFew();
  std::pair<Value *, Value *> partOfFew();
  void rowOfWindows(const ResultPart &part);
  void rowsOfWindows(const ResultPart &part);
  void rowsOfWindows(const ResultPart &part, WindowRows &windows);
  void smallPlane(const ResultPart &part);
  Value *weightsOfRow(Value *row);
  WindowedMatrix windows();
  Value *canPack(unsigned operand, bool alongK, unsigned otherLoop);
  Value *canDivide(Value *rows, Value *length);
  Value *blockLength(Value *rows);
  Value *packWhole(unsigned operand);
  PanelProduct leftOf(Value *row, Value *rows, Value *k, Value *depth);
  void packComputed(Value *row, Value *rows, Value *k, Value *depth);
  void packRow(Value *to, Value *row, Value *k, Value *depth);
  void packRight(Value *to, Value *column, Value *columns, Value *k, Value *depth);
  /// Calls `each` with the first and the number of each part of k; there is at least one part, which may be empty.
  void partsOfK(Value *most, function_ref<void(Value *k, Value *depth, Value *isLast)> each);
  void finish(Value *row, Value *rows, Value *column, Value *columns, Value *sums, Value *sumStep);
  SmallVector<Value *> resultRows(Value *row, Value *column);
  void keep(Value *row, Value *rows, Value *column, Value *columns, Value *sums, Value *sumStep);
  void finishRows(const ResultPart &part);
  void part(const ResultPart &part);
  void finishVector(ArrayRef<Value *> rowsAt, Value *sums, Value *column, Value *count);
  void finishVectorOrPart(Value *row, Value *column, Value *sums, Value *isWhole, Value *count);

  /// Whether register tiles can read the right operand in memory.
  bool readsFloats() const {
    return !isRightAlongK && right.element.kind == Element::Plain && elementsOfCell == 1 && !kernel.rightComputed;
  }
  /// The number of cells of all of k; the position in memory of a cell, and the number of elements of some cells from
  /// there on.
  Value *cellsOfK() { return ceilDiv(frame.loopSize(2), b.index(elementsOfCell)); }
  Value *inMemory(Value *k) { return b.CreateMul(k, b.index(elementsOfCell)); }
  Value *elementsFrom(Value *k, Value *depth) {
    return elementsOfCell > 1 ? b.min(inMemory(depth), b.CreateSub(frame.loopSize(2), inMemory(k))) : depth;
  }
  /// The multiplication of cells in panels, and for a single row. If both operands are signed or both unsigned, one
  /// is flipped.
  CellProduct cellsOfPanels() { return {elementsOfCell, !right.isUnsigned, isAlike()}; }
  CellProduct cellsOfRow() { return {elementsOfCell, left.isUnsigned, isAlike()}; }
  bool isAlike() const { return elementsOfCell == 4 && left.isUnsigned == right.isUnsigned; }
  /// The offset of the sums of columns in the packed form of the right operand, in cells.
  Value *packedStarts(Value *column) { return b.CreateAdd(b.CreateMul(cellsOfK(), frame.loopSize(1)), column); }
  /// The element of an operand's matrix at a row and a column in memory.
  MatrixPart matrixAt(unsigned tensor, Value *row, Value *column);
  /// What is multiplied of an operand; null if that is its tensor.
  mlir::Value computedOf(unsigned operand) const {
    return operand == kernel.leftOperand ? kernel.leftComputed : kernel.rightComputed;
  }
  MatrixPart operandAt(unsigned operand, Value *row, Value *column, Value *rows, Value *columns,
                       Value *ahead = nullptr);
  Value *computeLanes(unsigned operand, ArrayRef<Value *> rowsAt, Value *column, Value *count);
  Value *floatAt(Value *pointer, Value *i) { return b.at(pointer, b.getFloatTy(), i); }
  Value *ceilDiv(Value *a, Value *by) { return b.CreateUDiv(b.CreateAdd(a, b.CreateSub(by, b.index(1))), by); }
  /// Quotient and remainder. A division takes as long as the products of a short row, so it is avoided for
  /// small numbers.
  std::pair<Value *, Value *> divided(Value *a, Value *by) {
    Values both = b.ifElse(
        b.CreateICmpULT(a, by), [&]() -> Values { return {b.index(0), a}; },
        [&]() -> Values { return {b.CreateUDiv(a, by), b.CreateURem(a, by)}; });
    return {both[0], both[1]};
  }
  Value *roundUp(Value *a, int64_t unit) { return b.CreateMul(ceilDiv(a, b.index(unit)), b.index(unit)); }

  CodeBuilder &b;
  FusedKernel &kernel;
  Frame &frame;
  const PanelSizes sizes;
  const KernelTensor &left, &right;
  const bool isLeftAlongK, isRightAlongK;
  const unsigned elementsOfCell;
  const mlir::Value product;
  bool isDirect = false;
  SmallVector<Value *> batch;                              ///< the first element of each tensor in a batch
  Value *isLeftPacked = nullptr, *isRightPacked = nullptr; ///< i1
  Value *packedLeft = nullptr, *packedRight = nullptr;     ///< if packed: the first element of the batch
  Value *leftPanel = nullptr, *rightPanel = nullptr, *sums = nullptr;
  Value *computed = nullptr;     ///< a part of an operand whose elements are computed
  Value *readsFewRows = nullptr; ///< i1: a few rows are multiplied without panels (FewRows.h); false for windows
  Value *readsRows = nullptr;    ///< i1: rows of the right operand are rows in memory; null if it has no windows
  /// The layout of planes of windows, and the offsets of rows of a part of k in them.
  struct PlaneTable {
    Planes planes = {};
    Value *table = nullptr;
    int64_t places = 0; ///< at most, at a time
    bool ofRow = false; ///< of a single row of results
  };
  PlaneTable planes, planesOfRow;
  PlaneTable planeTable(int64_t places, bool ofRow);
  std::optional<SmallPlanes> smallPlanes; ///< of windows of one channel
  // Of a kernel that reduces rows.
  std::optional<FusedKernel> finishedRows;
  std::optional<RowKernel> rowKernel;
  Value *wholeRows = nullptr, *firstWhole = nullptr; ///< results of whole rows, and the first of these rows
  void makeBuffers();
};

} // namespace

MatrixPart Product::matrixAt(unsigned tensor, Value *row, Value *column) {
  Value *step = frame.rowDistance(tensor);
  const KernelTensor &of = kernel.tensors[tensor];
  return {b.at(batch[tensor], of.element.memory, b.CreateAdd(b.CreateMul(row, step), column)), step, of.element,
          of.isUnsigned};
}

/// A vector of the elements that are multiplied, from `column` on of a row in memory of an operand: `count` of its
/// lanes, or all of them if null. `rowsAt` are the elements of all tensors in this row and in the first column.
Value *Product::computeLanes(unsigned operand, ArrayRef<Value *> rowsAt, Value *column, Value *count) {
  auto leaf = [&](mlir::Value value) -> Lane {
    std::optional<unsigned> tensor = kernel.tensorOf(value);
    if (!tensor)
      return {};
    const KernelTensor &of = kernel.tensors[*tensor];
    if (of.dims.back() < 0)
      return {b.CreateVectorSplat(sizes.lanes, load(b, rowsAt[*tensor], b.index(0), of.element, 0)), false};
    return {count ? loadPart(b, rowsAt[*tensor], column, count, of.element, sizes.lanes)
                  : load(b, rowsAt[*tensor], column, of.element, sizes.lanes),
            false};
  };
  mlir::Value value = computedOf(operand);
  Lane lane = Evaluator(b, frame, sizes.lanes, leaf).element(value);
  if (lane.rounds)
    return roundTo(b, lane.value, *Element::of(mlir::getElementTypeOrSelf(value.getType()), b.getContext()));
  return lane.value;
}

/// A part of an operand, from a row and a column in memory on: at most kComputed elements if they are computed. Those
/// are valid until the next part. Elements that are computed are prefetched `ahead` elements before, unless it is null.
MatrixPart Product::operandAt(unsigned operand, Value *row, Value *column, Value *rows, Value *columns, Value *ahead) {
  MatrixPart matrix = matrixAt(operand, row, column);
  if (!computedOf(operand))
    return matrix;
  const Element cell{Element::Plain, b.getFloatTy(), b.getFloatTy(), 4};
  Value *step = roundUp(columns, sizes.lanes), *whole = b.CreateAnd(columns, b.index(-int64_t(sizes.lanes)));
  Value *rest = b.CreateSub(columns, whole);
  b.loop(b.index(0), rows, b.index(1), [&](Value *i) {
    SmallVector<Value *> rowsAt;
    Value *at = b.CreateAdd(row, i);
    for (auto [t, tensor] : enumerate(kernel.tensors)) {
      Value *offset = b.index(0);
      if (tensor.dims.front() >= 0)
        offset = b.CreateMul(at, frame.rowDistance(unsigned(t)));
      if (tensor.dims.back() >= 0)
        offset = b.CreateAdd(offset, column);
      rowsAt.push_back(b.at(batch[t], tensor.element.memory, offset));
    }
    Value *to = floatAt(computed, b.CreateMul(i, step));
    const Element &element = kernel.tensors[operand].element;
    Value *next = ahead ? b.at(rowsAt[operand], element.memory, ahead) : nullptr;
    b.loop(b.index(0), whole, b.index(sizes.lanes), [&](Value *each) {
      if (next)
        prefetch(b, next, each, element, sizes.lanes, 0);
      store(b, computeLanes(operand, rowsAt, each, nullptr), to, each, cell);
    });
    b.ifThen(b.CreateICmpSGT(rest, b.index(0)),
             [&] { store(b, computeLanes(operand, rowsAt, whole, rest), to, whole, cell); });
  });
  return {computed, step, cell};
}

/// Packs a row of the left operand for a product of rows. May write a vector beyond the end.
void Product::packRow(Value *to, Value *row, Value *k, Value *depth) {
  depth = elementsFrom(k, depth);
  k = inMemory(k);
  if (kernel.leftComputed) {
    b.loop(b.index(0), depth, b.index(kComputedOfRow), [&](Value *begin) {
      Value *one = b.index(1), *count = b.min(b.index(kComputedOfRow), b.CreateSub(depth, begin));
      Value *first = b.CreateAdd(k, begin), *place = floatAt(to, begin);
      if (isLeftAlongK)
        packRows(b, place, sizes.leftStep(), operandAt(kernel.leftOperand, row, first, one, count), one, count);
      else
        packTransposed(b, place, sizes.leftStep(), operandAt(kernel.leftOperand, first, row, count, one), count, one);
    });
    return;
  }
  if (isLeftAlongK)
    packRows(b, to, sizes.leftStep(), matrixAt(kernel.leftOperand, row, k), b.index(1), depth);
  else if (elementsOfCell > 1)
    packTiles(b, to, b.index(sizes.leftStep()), matrixAt(kernel.leftOperand, k, row), false, b.index(1), depth);
  else
    packTransposed(b, to, sizes.leftStep(), matrixAt(kernel.leftOperand, k, row), depth, b.index(1));
}

/// i1: whether an operand can be packed before the launch: its rows are contiguous, and there is more than one row,
/// since a single row is usually multiplied without panels. Parts of the results begin at boundaries of tiles and
/// panels.
/// Matrices of a batch are in the order of packing, since packing one may write into the next.
Value *Product::canPack(unsigned operand, bool alongK, unsigned otherLoop) {
  Value *dense = frame.loopSize(alongK ? 2 : otherLoop), *one = b.index(1);
  const bool isLeft = operand == kernel.leftOperand;
  // Panels of fours have no more bytes than the matrix, and save a single row interleaving them.
  const bool interleaves = !isLeft && elementsOfCell == 4 && !alongK;
  // What is computed from an operand may depend on other inputs of the launch. Whole rows have tiles of their own.
  if (computedOf(operand) || (isLeft && finishedRows))
    return b.getFalse();
  Value *packs = b.CreateAnd(b.CreateICmpSGE(frame.loopSize(0), b.index(interleaves ? 1 : 2)),
                             b.CreateICmpEQ(frame.rowDistance(operand), dense));
  // Few rows read the matrix as it is, unless panels have no more bytes and save interleaving them.
  if (!right.windows && elementsOfCell == 1)
    packs = b.CreateAnd(packs, b.CreateNot(isFew()));
  // After the right panels there is memory for the sums of columns, unless a column has a single element.
  if (!isLeft && isAlike())
    packs = b.CreateAnd(packs, b.CreateICmpSGT(frame.loopSize(2), one));
  const int64_t unit = isLeft ? int64_t(sizes.rows) : sizes.width();
  Value *tile = frame.tileSize[isLeft ? 0 : 1], *tiles = frame.tileCount[isLeft ? 0 : 1];
  Value *isAligned = b.CreateICmpEQ(b.CreateURem(tile, b.index(unit)), b.index(0));
  packs = b.CreateAnd(packs, b.CreateOr(b.CreateICmpSLE(tiles, one), isAligned));
  if (isLeft) {
    Value *rows = frame.loopSize(0), *last = b.CreateURem(rows, b.max(tile, one));
    packs = b.CreateAnd(packs, b.CreateAnd(canDivide(rows, tile), b.CreateAnd(canDivide(tile, blockLength(tile)),
                                                                              canDivide(last, blockLength(last)))));
  }
  if (!frame.batch[0])
    return packs;
  Value *outer = frame.batchStride(operand, 0), *inner = frame.batchStride(operand, 1);
  Value *last = b.CreateMul(b.max(b.CreateSub(frame.batch[1], one), b.index(0)), inner);
  Value *isOnce = b.CreateOr(b.CreateICmpEQ(outer, b.index(0)), b.CreateICmpSLE(frame.batch[0], one));
  return b.CreateAnd(packs, b.CreateOr(isOnce, b.CreateICmpSGT(outer, last)));
}

/// The number of rows of a block: the rows of a left panel.
Value *Product::blockLength(Value *rows) {
  return roundUp(ceilDiv(rows, b.max(ceilDiv(rows, b.index(sizes.rowBlock)), b.index(1))), sizes.rows);
}

/// i1: whether the tiles of `rows` rows are the same if the rows are divided into parts of `length` rows, a multiple of
/// 6, and a rest (tileHeight).
Value *Product::canDivide(Value *rows, Value *length) {
  Value *last = b.CreateURem(rows, b.max(length, b.index(1)));
  return b.CreateOr(b.CreateICmpSLE(rows, length),
                    b.CreateOr(b.CreateICmpEQ(last, b.index(0)), b.CreateICmpSGE(last, b.index(kRowsAlone))));
}

/// Packs an operand of all batches. Returns the status.
Value *Product::packWhole(unsigned operand) {
  const bool isLeft = operand == kernel.leftOperand, alongK = isLeft ? isLeftAlongK : isRightAlongK;
  auto pack = [&]() -> Values {
    Value *one = b.index(1), *trips[2] = {one, one}, *steps[2] = {b.index(0), b.index(0)};
    for (unsigned loop = 0; loop < 2; ++loop)
      if (frame.batch[loop]) {
        steps[loop] = frame.batchStride(operand, loop);
        // A matrix that batches share is packed once.
        trips[loop] =
            b.CreateSelect(b.CreateICmpEQ(steps[loop], b.index(0)), b.min(frame.batch[loop], one), frame.batch[loop]);
      }
    b.loop(b.index(0), trips[0], one, [&](Value *outer) {
      b.loop(b.index(0), trips[1], one, [&](Value *inner) {
        Value *first = b.CreateAdd(b.CreateMul(outer, steps[0]), b.CreateMul(inner, steps[1]));
        const KernelTensor &of = kernel.tensors[operand];
        MatrixPart matrix = {b.at(frame.tensor(operand), of.element.memory, first), frame.rowDistance(operand),
                             of.element, of.isUnsigned, isLeft && isAlike()};
        Value *to = floatAt(frame.packed, first), *k = frame.loopSize(2);
        if (isLeft)
          packTiles(b, to, cellsOfK(), matrix, alongK, frame.loopSize(0), k);
        else
          packWholePanels(b, to, matrix, alongK, k, frame.loopSize(1));
        if (!isLeft && isAlike())
          sumColumns(b, cellsOfPanels(), floatAt(to, packedStarts(b.index(0))), to, cellsOfK(), frame.loopSize(1));
      });
    });
    return {b.getInt32(0)};
  };
  return b
      .ifElse(canPack(operand, alongK, isLeft ? 0 : 1), pack,
              [&]() -> Values { return {b.getInt32(OPC_KERNEL_NOT_PACKED)}; })
      .front();
}

/// Packs rows of a left operand whose elements are computed, some rows at a time: a multiple of a tile's, such that the
/// rows after them divide into the same tiles (tileHeight).
void Product::packComputed(Value *row, Value *rows, Value *k, Value *depth) {
  Value *most = b.index(kComputedRows), *step = b.index(sizes.leftStep());
  b.whileBefore(b.index(0), rows, {}, [&](Value *begin, ArrayRef<Value *>) -> Values {
    Value *left = b.CreateSub(rows, begin), *first = b.CreateAdd(row, begin);
    Value *taken = b.CreateSelect(b.CreateICmpSLT(left, b.index(kComputedRows + kRowsAlone)), left, most);
    MatrixPart matrix = isLeftAlongK ? operandAt(kernel.leftOperand, first, k, taken, depth)
                                     : operandAt(kernel.leftOperand, k, first, depth, taken);
    packTiles(b, floatAt(leftPanel, b.CreateMul(begin, step)), step, matrix, isLeftAlongK, taken, depth);
    return {b.CreateAdd(begin, taken)};
  });
}

/// Packs rows of the left operand. The right operand and the sums of the result are not set.
PanelProduct Product::leftOf(Value *row, Value *rows, Value *k, Value *depth) {
  Value *at = inMemory(k);
  MatrixPart matrix = isLeftAlongK ? matrixAt(kernel.leftOperand, row, at) : matrixAt(kernel.leftOperand, at, row);
  matrix.isFlipped = isAlike();
  Value *ofRow = cellsOfK(), *panelStep = b.index(sizes.leftStep());
  Values panel = b.ifElse(
      isLeftPacked, [&]() -> Values { return {floatAt(packedLeft, b.CreateMul(row, ofRow)), ofRow, k}; },
      [&]() -> Values {
        if (kernel.leftComputed)
          packComputed(row, rows, k, depth);
        else
          packTiles(b, leftPanel, panelStep, matrix, isLeftAlongK, rows, elementsFrom(k, depth));
        return {leftPanel, panelStep, b.index(0)};
      });
  PanelProduct product = {};
  product.cells = cellsOfPanels();
  product.left = panel[0];
  product.leftStep = panel[1];
  product.firstK = panel[2];
  product.rows = rows;
  product.depth = depth;
  product.continues = b.CreateICmpSGT(k, b.index(0));
  return product;
}

WindowedMatrix Product::windows() {
  return {batch[kernel.rightOperand], frame.rowDistance(kernel.rightOperand), right.element, *right.windows,
          frame.window};
}

void Product::packRight(Value *to, Value *column, Value *columns, Value *k, Value *depth) {
  depth = elementsFrom(k, depth);
  k = inMemory(k);
  auto packRowsOfK = [&]() -> Values {
    packPanels(b, to, matrixAt(kernel.rightOperand, k, column), depth, columns, b.index(sizes.depth),
               b.index(sizes.width()));
    return {};
  };
  if (readsRows) {
    b.ifElse(readsRows, packRowsOfK, [&]() -> Values {
      packWindows(b, to, windows(), k, depth, column, columns);
      return {};
    });
    return;
  }
  if (!isRightAlongK && kernel.rightComputed) {
    b.loop(b.index(0), depth, b.index(kComputedDepth), [&](Value *begin) {
      Value *count = b.min(b.index(kComputedDepth), b.CreateSub(depth, begin));
      MatrixPart matrix = operandAt(kernel.rightOperand, b.CreateAdd(k, begin), column, count, columns);
      packPanels(b, floatAt(to, b.CreateMul(begin, b.index(sizes.width()))), matrix, count, columns,
                 b.index(sizes.depth), b.index(sizes.width()));
    });
    return;
  }
  if (!isRightAlongK) {
    packRowsOfK();
    return;
  }
  b.loop(b.index(0), columns, b.index(sizes.width()), [&](Value *place) {
    Value *panel = floatAt(to, b.CreateMul(place, b.index(sizes.depth)));
    Value *count = b.min(b.index(sizes.width()), b.CreateSub(columns, place));
    MatrixPart matrix = operandAt(kernel.rightOperand, b.CreateAdd(column, place), k, count, depth);
    packTransposed(b, panel, sizes.width(), matrix, count, depth);
  });
}

// All parts have one size except the last, which is a little smaller.
void Product::partsOfK(Value *most, function_ref<void(Value *, Value *, Value *)> each) {
  Value *k = cellsOfK(), *one = b.index(1);
  Value *count = b.max(ceilDiv(k, most), one);
  Value *length = b.max(roundUp(ceilDiv(k, count), 8), one);
  b.whileBefore(b.index(0), k, {}, [&](Value *begin, ArrayRef<Value *>) -> Values {
    Value *end = b.CreateAdd(begin, length), *depth = b.min(length, b.CreateSub(k, begin));
    each(begin, depth, b.CreateICmpSGE(end, k));
    return {end};
  });
}

//===----------------------------------------------------------------------===//
// Elementwise operations on the results
//===----------------------------------------------------------------------===//

/// Finishes a vector of results with these sums, from `column` on relative to the row pointers: `count` of its lanes,
/// or all of them if null.
void Product::finishVector(ArrayRef<Value *> rowsAt, Value *sums, Value *column, Value *count) {
  auto leaf = [&](mlir::Value value) -> Lane {
    if (value == product)
      return {sums, false};
    std::optional<unsigned> tensor = kernel.tensorOf(value);
    if (!tensor)
      return {};
    const KernelTensor &of = kernel.tensors[*tensor];
    if (of.dims.back() < 0)
      return {b.CreateVectorSplat(sizes.lanes, load(b, rowsAt[*tensor], b.index(0), of.element, 0)), false};
    return {count ? loadPart(b, rowsAt[*tensor], column, count, of.element, sizes.lanes)
                  : load(b, rowsAt[*tensor], column, of.element, sizes.lanes),
            false};
  };
  Evaluator evaluator(b, frame, sizes.lanes, leaf);
  for (auto [i, value] : enumerate(kernel.stored)) {
    unsigned output = kernel.firstOutput() + unsigned(i);
    const Element &element = kernel.tensors[output].element;
    Value *computed = evaluator.element(value).value;
    if (count)
      storePart(b, computed, rowsAt[output], column, count, element);
    else
      store(b, computed, rowsAt[output], column, element);
  }
}

/// Finishes a vector of results of a row from `column` on: all lanes if `isWhole` (i1), else `count` of them.
void Product::finishVectorOrPart(Value *row, Value *column, Value *sums, Value *isWhole, Value *count) {
  SmallVector<Value *> rowsAt = resultRows(row, column);
  auto finished = [&](Value *lanes) {
    return [&, lanes]() -> Values {
      finishVector(rowsAt, sums, b.index(0), lanes);
      return {};
    };
  };
  b.ifElse(isWhole, finished(nullptr), finished(count));
}

/// The elements of all tensors at a row and a column of the results; of an operand, its first element in the batch.
SmallVector<Value *> Product::resultRows(Value *row, Value *column) {
  SmallVector<Value *> rowsAt;
  for (auto [t, tensor] : enumerate(kernel.tensors)) {
    bool isOperand = t == kernel.leftOperand || t == kernel.rightOperand;
    Value *offset = b.index(0);
    if (!isOperand && tensor.dims.front() >= 0)
      offset = b.CreateMul(row, frame.rowDistance(unsigned(t)));
    if (!isOperand && tensor.dims.back() >= 0)
      offset = b.CreateAdd(offset, column);
    rowsAt.push_back(b.at(batch[t], tensor.element.memory, offset));
  }
  return rowsAt;
}

/// Keeps sums until their rows are whole.
void Product::keep(Value *row, Value *rows, Value *column, Value *columns, Value *from, Value *step) {
  const Element cell{Element::Plain, cellType(b, elementsOfCell), cellType(b, elementsOfCell), 4};
  Value *whole = b.CreateAnd(columns, b.index(-int64_t(sizes.lanes))), *rest = b.CreateSub(columns, whole);
  b.loop(b.index(0), rows, b.index(1), [&](Value *i) {
    Value *place = b.CreateSub(b.CreateAdd(row, i), firstWhole);
    Value *to = floatAt(wholeRows, b.CreateAdd(b.CreateMul(place, frame.loopSize(1)), column));
    Value *sumsOfRow = floatAt(from, b.CreateMul(i, step));
    b.loop(b.index(0), whole, b.index(sizes.lanes),
           [&](Value *each) { store(b, load(b, sumsOfRow, each, cell, sizes.lanes), to, each, cell); });
    b.ifThen(b.CreateICmpSGT(rest, b.index(0)),
             [&] { storePart(b, loadPart(b, sumsOfRow, whole, rest, cell, sizes.lanes), to, whole, rest, cell); });
  });
}

/// Computes what follows on whole rows of results.
void Product::finishRows(const ResultPart &part) {
  b.loop(part.rowBegin, part.rowEnd, b.index(1), [&](Value *row) {
    SmallVector<Value *> firstOf = resultRows(row, b.index(0));
    Value *place = b.CreateMul(b.CreateSub(row, firstWhole), frame.loopSize(1));
    firstOf.insert(firstOf.begin() + finishedRows->firstOutput() - 1, floatAt(wholeRows, place));
    rowKernel->emitAt(row, firstOf);
  });
}

void Product::finish(Value *row, Value *rows, Value *column, Value *columns, Value *from, Value *step) {
  if (finishedRows)
    return keep(row, rows, column, columns, from, step);
  Value *whole = b.CreateAnd(columns, b.index(-int64_t(sizes.lanes))), *rest = b.CreateSub(columns, whole);
  // The last vector may cover columns of the one before.
  Value *isShort = b.CreateICmpEQ(whole, b.index(0)), *last = b.CreateSub(columns, b.index(sizes.lanes));
  b.loop(b.index(0), rows, b.index(1), [&](Value *i) {
    SmallVector<Value *> rowsAt = resultRows(b.CreateAdd(row, i), column);
    Value *sumsOfRow = floatAt(from, b.CreateMul(i, step));
    auto vector = [&](Value *each, Value *count) {
      Type *type = withLanes(cellType(b, elementsOfCell), sizes.lanes);
      finishVector(rowsAt, b.CreateAlignedLoad(type, floatAt(sumsOfRow, each), Align(4)), each, count);
    };
    b.loop(b.index(0), whole, b.index(sizes.lanes), [&](Value *each) { vector(each, nullptr); });
    b.ifThen(b.CreateICmpSGT(rest, b.index(0)), [&] {
      b.ifElse(
          isShort,
          [&]() -> Values {
            vector(whole, rest);
            return {};
          },
          [&]() -> Values {
            vector(last, nullptr);
            return {};
          });
    });
  });
}

//===----------------------------------------------------------------------===//
// Loops around panels
//===----------------------------------------------------------------------===//

/// A packed left panel, and the columns that are multiplied with it.
struct Product::Panels {
  Value *row, *rows;       ///< of the left panel
  Value *column, *columns; ///< packed at once
  Value *place;            ///< the offset of their results in the buffer of sums
  PanelProduct left;       ///< the panel
  Value *k, *isLast;
  Value *readsMemory;           ///< i1: whole panels are read in place, and not packed
  Value *rangeBegin, *rangeEnd; ///< the columns that are multiplied for each part of k
};

/// A product with at most PanelSizes::width columns, computed by whole vectors.
void Product::multiply(const PanelProduct &product, Value *columns) {
  Value *vectors = ceilDiv(columns, b.index(sizes.lanes));
  const unsigned most = product.cells.elements > 1 ? sizes.ofBytes : sizes.vectors;
  for (unsigned first = 0; first < sizes.vectors; first += most) {
    PanelProduct part = product;
    Value *begin = b.index(int64_t(first) * sizes.lanes);
    part.right = floatAt(product.right, begin);
    part.sums = floatAt(product.sums, begin);
    Value *left = b.min(b.CreateSub(vectors, b.index(first)), b.index(most));
    for (unsigned count = 1; count <= most; ++count)
      b.ifThen(b.CreateICmpEQ(left, b.index(count)), [&] { multiplyPanels(b, part, count); });
  }
}

// Prefetches the columns to pack next, or after the last ones those of the next part of k: rows of the operand are far
// apart, so packing would miss the cache for each row.
void Product::askNext(const Panels &of, Value *place, PanelProduct &product) {
  product.next = product.right;
  product.nextRows = product.nextStep = b.index(0);
  if (isRightAlongK || readsRows)
    return;
  Value *ahead = b.CreateSelect(of.readsMemory, b.index(sizes.width()), b.index(sizes.columns));
  Value *behind = b.CreateAdd(b.CreateAdd(of.column, place), ahead);
  Value *isLast = b.CreateICmpSGT(b.CreateAdd(behind, b.index(sizes.width())), of.rangeEnd);
  Value *column = b.CreateSelect(isLast, b.CreateAdd(of.rangeBegin, place), behind);
  Value *k = b.CreateSelect(isLast, b.CreateAdd(of.k, product.depth), of.k);
  Value *first = inMemory(k), *left = b.CreateSub(frame.loopSize(2), first);
  product.next = matrixAt(kernel.rightOperand, first, column).from;
  product.nextRows = b.max(b.min(inMemory(product.depth), left), b.index(0));
  product.nextStep = b.CreateMul(frame.rowDistance(kernel.rightOperand), b.index(right.element.bytes));
}

/// Multiplies a left panel with a right one of `columns` columns from `place` on.
void Product::panel(const Panels &of, Value *place, Value *columns) {
  Value *isFull = b.CreateICmpEQ(columns, b.index(sizes.width())), *column = b.CreateAdd(of.column, place);
  Value *inTensor = isDirect ? isFull : b.getFalse();
  const unsigned output = kernel.firstOutput();
  PanelProduct product = of.left;
  product.sums = floatAt(sums, isDirect ? b.index(0) : b.CreateAdd(of.place, place));
  product.sumStep = b.index(sizes.resultStep());
  if (isDirect) {
    product.sums = b.CreateSelect(isFull, matrixAt(output, of.row, column).from, product.sums);
    product.sumStep = b.CreateSelect(isFull, frame.rowDistance(output), product.sumStep);
  }
  product.rowsOfRight = PanelProduct::Rows::Apart;
  product.right = floatAt(rightPanel, b.CreateMul(place, b.index(sizes.depth)));
  product.rightStep = b.index(sizes.width());
  askNext(of, place, product);
  if (readsFloats()) {
    Value *readsMemory = b.CreateAnd(isFull, of.readsMemory);
    MatrixPart matrix = matrixAt(kernel.rightOperand, of.k, column);
    product.right = b.CreateSelect(readsMemory, matrix.from, product.right);
    product.rightStep = b.CreateSelect(readsMemory, matrix.step, product.rightStep);
  }
  if (isRightPacked) {
    // Panels have all of k, and rows of the last one have only the remaining columns.
    Value *ofRow = b.min(b.index(sizes.width()), b.CreateSub(frame.loopSize(1), column));
    Value *inPanel = b.CreateAdd(b.CreateMul(column, cellsOfK()), b.CreateMul(of.k, ofRow));
    product.right = b.CreateSelect(isRightPacked, floatAt(packedRight, inPanel), product.right);
    product.rightStep = b.CreateSelect(isRightPacked, ofRow, product.rightStep);
    // The panel after this one ends within the operand.
    Value *behind = b.CreateAdd(column, b.index(2 * sizes.width()));
    Value *hasNext = b.CreateAnd(isRightPacked, b.CreateICmpSLE(behind, frame.loopSize(1)));
    Value *ofPanel = floatAt(product.right, b.CreateMul(cellsOfK(), b.index(sizes.width())));
    product.next = b.CreateSelect(isRightPacked, ofPanel, product.next);
    product.nextRows =
        b.CreateSelect(isRightPacked, b.CreateSelect(hasNext, product.depth, b.index(0)), product.nextRows);
    product.nextStep = b.CreateSelect(isRightPacked, b.index(4 * sizes.width()), product.nextStep);
    if (isAlike())
      product.start = b.CreateSelect(isRightPacked, floatAt(packedRight, packedStarts(column)),
                                     ConstantPointerNull::get(b.getPtrTy()));
  }
  multiply(product, columns);
  b.ifThen(b.CreateAnd(of.isLast, b.CreateNot(inTensor)),
           [&] { finish(of.row, of.rows, column, columns, product.sums, product.sumStep); });
}

/// Packs right panels and multiplies them.
void Product::panels(const Panels &of) {
  Value *whole = b.CreateAnd(of.columns, b.index(-sizes.width()));
  Value *first = b.CreateSelect(of.readsMemory, whole, b.index(0));
  if (isRightPacked)
    first = b.CreateSelect(isRightPacked, of.columns, first);
  b.ifThen(b.CreateICmpSLT(first, of.columns), [&] {
    packRight(floatAt(rightPanel, b.CreateMul(first, b.index(sizes.depth))), b.CreateAdd(of.column, first),
              b.CreateSub(of.columns, first), of.k, of.left.depth);
  });
  b.loop(b.index(0), of.columns, b.index(sizes.width()),
         [&](Value *place) { panel(of, place, b.min(b.index(sizes.width()), b.CreateSub(of.columns, place))); });
}

/// All columns of a part whose rows fit a left panel.
void Product::rowBlock(const ResultPart &part) {
  Value *rows = b.CreateSub(part.rowEnd, part.rowBegin), *all = b.CreateSub(part.columnEnd, part.columnBegin);
  Value *most = isDirect ? all : b.index(sizes.results);
  // Few rows read the right operand in place: packing it would cost as much.
  Value *readsMemory = readsFloats() ? b.CreateICmpSLE(rows, b.index(2 * sizes.rows)) : b.getFalse();
  if (readsRows)
    readsMemory = b.CreateAnd(readsMemory, readsRows);
  if (isRightPacked)
    readsMemory = b.CreateAnd(readsMemory, b.CreateNot(isRightPacked));
  b.loop(part.columnBegin, part.columnEnd, b.max(most, b.index(1)), [&](Value *column) {
    Value *columns = b.min(most, b.CreateSub(part.columnEnd, column));
    partsOfK(b.index(sizes.depth), [&](Value *k, Value *depth, Value *isLast) {
      PanelProduct left = leftOf(part.rowBegin, rows, k, depth);
      b.loop(b.index(0), columns, b.index(sizes.columns), [&](Value *place) {
        Value *count = b.min(b.index(sizes.columns), b.CreateSub(columns, place));
        panels({part.rowBegin, rows, b.CreateAdd(column, place), count, place, left, k, isLast, readsMemory, column,
                b.CreateAdd(column, columns)});
      });
    });
  });
}

// The sums of that many columns of a single row stay in the innermost cache, beside the streams of the matrix.
static constexpr int64_t kColumnsOfRow = 4096, kDepthOfRow = 16384;

/// The same for windows, whose planes have unused positions between the rows.
void Product::rowBlockOfPlanes(const ResultPart &part, const PlaneTable &of) {
  const Planes &planes = of.planes;
  Value *rows = b.CreateSub(part.rowEnd, part.rowBegin), *zero = b.index(0), *one = b.index(1);
  Value *positions = b.CreateMul(frame.window.of[0], frame.window.of[1]);
  Value *channels = b.CreateUDiv(frame.loopSize(2), b.max(positions, one));
  Value *length = planes.rowLength, *places = b.max(frame.window.out[1], one);
  auto placeOf = [&](Value *column) {
    auto [row, inRow] = divided(column, places);
    return b.CreateAdd(b.CreateMul(row, length), inRow);
  };
  Value *begin = placeOf(part.columnBegin);
  Value *end = b.CreateAdd(placeOf(b.CreateSub(part.columnEnd, one)), one);
  Value *all = b.CreateSub(end, begin), *count = ceilDiv(all, b.index(of.places));
  Value *most = b.ifElse(
                     b.CreateICmpEQ(count, one), [&]() -> Values { return {all}; },
                     [&]() -> Values { return {ceilDiv(all, count)}; })
                    .front();
  most = roundUp(most, sizes.width());
  b.loop(begin, end, most, [&](Value *place) {
    Value *behind = b.min(b.CreateAdd(place, most), end);
    Value *firstRow = divided(place, length).first, *lastRow = divided(b.CreateSub(behind, one), length).first;
    Value *rowCount = b.CreateAdd(b.CreateSub(lastRow, firstRow), one);
    Value *ofPlace = floatAt(rightPanel, b.CreateSub(place, b.CreateMul(firstRow, length)));
    b.whileBefore(zero, channels, {}, [&](Value *channel, ArrayRef<Value *>) -> Values {
      Value *taken = b.min(planes.channels, b.CreateSub(channels, channel));
      Value *k = b.CreateMul(channel, positions), *depth = b.CreateMul(taken, positions);
      WindowedMatrix matrix = windows();
      matrix.from = b.at(matrix.from, right.element.memory, b.CreateMul(channel, matrix.channelStep));
      copyPlanes(b, rightPanel, planes, matrix, taken, firstRow, rowCount);
      if (of.ofRow) {
        multiplyPlanes(b, weightsOfRow(part.rowBegin), ofPlace, of.table, sums, depth, b.CreateSub(behind, place));
        return {b.CreateAdd(channel, planes.channels)};
      }
      PanelProduct product = leftOf(part.rowBegin, rows, k, depth);
      product.rowsOfRight = PanelProduct::Rows::Table;
      product.rightStep = of.table;
      product.sumStep = b.index(sizes.resultStep());
      b.loop(place, behind, b.index(sizes.width()), [&](Value *panel) {
        Value *at = b.CreateSub(panel, place);
        Value *columns = b.min(b.index(sizes.width()), b.CreateSub(behind, panel));
        product.right = product.next = floatAt(ofPlace, at);
        product.nextRows = product.nextStep = b.index(0);
        product.sums = floatAt(sums, at);
        multiply(product, columns);
      });
      return {b.CreateAdd(channel, planes.channels)};
    });
    // Results have no unused positions between rows.
    auto columnOf = [&](Value *at) {
      auto [row, inRow] = divided(at, length);
      return b.CreateAdd(b.CreateMul(row, places), b.min(inRow, places));
    };
    b.ifThen(b.CreateICmpSGT(length, places),
             [&] { closeRows(b, sums, rows, b.index(sizes.resultStep()), place, behind, length, places); });
    Value *column = columnOf(place), *columns = b.CreateSub(columnOf(behind), column);
    b.ifThen(b.CreateICmpSGT(columns, zero),
             [&] { finish(part.rowBegin, rows, column, columns, sums, b.index(sizes.resultStep())); });
  });
}

void Product::blocks(const ResultPart &part) {
  Value *length = blockLength(b.CreateSub(part.rowEnd, part.rowBegin));
  b.loop(part.rowBegin, part.rowEnd, b.max(length, b.index(1)), [&](Value *row) {
    Value *end = b.min(b.CreateAdd(row, length), part.rowEnd);
    const ResultPart block{row, end, part.columnBegin, part.columnEnd};
    auto byPanels = [&]() -> Values {
      rowBlock(block);
      return {};
    };
    if (!readsRows) {
      byPanels();
      return;
    }
    b.ifElse(
        b.CreateAnd(planes.planes.fits, b.CreateNot(readsRows)),
        [&]() -> Values {
          rowBlockOfPlanes(block, planes);
          return {};
        },
        byPanels);
  });
}

/// Multiplies left rows, which are packed, with a part of the right operand: from a column on, and from k on `depth` of
/// it. If its elements are computed, a few columns along k are at a time, or a few rows across k.
void Product::multiplyFew(RowProduct product, Value *column, Value *k, Value *depth) {
  Value *at = inMemory(k), *elements = elementsFrom(k, depth), *columns = product.columns;
  product.cells = cellsOfRow();
  product.left = leftPanel;
  product.depth = elements;
  product.continues = b.CreateICmpSGT(k, b.index(0));
  auto multiplyPart = [&](Value *place, Value *count) {
    Value *first = b.CreateAdd(column, place);
    Value *ahead = isRightAlongK ? b.CreateMul(count, frame.rowDistance(kernel.rightOperand)) : count;
    product.right = isRightAlongK ? operandAt(kernel.rightOperand, first, at, count, elements, ahead)
                                  : operandAt(kernel.rightOperand, at, first, elements, count, ahead);
    product.right.isFlipped = isAlike();
    product.sums = floatAt(sums, place);
    product.columns = count;
    multiplyRows(b, product, isRightAlongK);
  };
  if (!kernel.rightComputed)
    return multiplyPart(b.index(0), columns);
  Value *most = b.index(isRightAlongK ? kComputedColumns : kComputedOfRow);
  b.loop(b.index(0), columns, most,
         [&](Value *place) { multiplyPart(place, b.min(most, b.CreateSub(columns, place))); });
}

void Product::singleRow(const ResultPart &part) {
  const int64_t most = !kernel.rightComputed ? kDepthOfRow : isRightAlongK ? kComputedAlongK : kComputedDepth;
  b.loop(part.columnBegin, part.columnEnd, b.index(kColumnsOfRow), [&](Value *column) {
    Value *columns = b.min(b.index(kColumnsOfRow), b.CreateSub(part.columnEnd, column));
    partsOfK(b.index(most), [&](Value *k, Value *depth, Value *) {
      packRow(leftPanel, part.rowBegin, k, depth);
      RowProduct product = {};
      product.columns = columns;
      multiplyFew(product, column, k, depth);
    });
    finish(part.rowBegin, b.index(1), column, columns, sums, b.index(0));
  });
}

// The cells of a few left rows, and their sums, which stay in the innermost cache.
static constexpr int64_t kCellsOfFew = 8192, kSumsOfFew = 8192;
// Cells between rows, so that they do not share sets of the cache; vectors may end there.
static constexpr int64_t kBetweenRows = 16;
// Columns are divided at cache lines of bytes.
static constexpr int64_t kLineOfFew = 64;
// From this number of elements on a right matrix is not in the second-level cache. A smaller one of f32 is read by
// register tiles as it is, which load no sums; of bytes, packing it takes no longer than the sums of many rows.
static constexpr int64_t kLargeMatrix = int64_t(1) << 18;
// With fewer of k, adding the lanes of sums, of which there is a vector for each result, takes longer than transposing
// the right matrix: at least, and for each row, of numbers and of bytes, which have more products in a vector.
static constexpr int64_t kLeastOfDots = 128, kDotsOfRow = 16, kDotsOfByteRow = 48;

/// i1: whether a few rows are multiplied without panels (FewRows.h).
Value *Product::isFew() {
  Value *isFew = b.CreateICmpSLE(frame.loopSize(0), b.index(kFewRows));
  if (isRightAlongK) {
    Value *ofRows = b.CreateMul(frame.loopSize(0), b.index(elementsOfCell > 1 ? kDotsOfByteRow : kDotsOfRow));
    return b.CreateAnd(isFew, b.CreateICmpSGE(frame.loopSize(2), b.max(ofRows, b.index(kLeastOfDots))));
  }
  if (!readsFloats() && elementsOfCell == 1)
    return isFew;
  Value *elements = b.CreateMul(frame.loopSize(1), frame.loopSize(2));
  Value *isLarge = b.CreateICmpSGE(elements, b.index(kLargeMatrix));
  if (elementsOfCell > 1)
    isLarge = b.CreateOr(isLarge, b.CreateICmpSLE(frame.loopSize(0), b.index(kFewRows / 2)));
  return b.CreateAnd(isFew, isLarge);
}

/// The columns of a few rows whose sums are computed at once, and the cells of k of a part.
std::pair<Value *, Value *> Product::partOfFew() {
  Value *rows = b.min(b.max(frame.loopSize(0), b.index(1)), b.index(kFewRows)), *most = cellsOfK();
  most =
      b.min(roundUp(most, kBetweenRows), b.CreateAnd(b.CreateUDiv(b.index(kCellsOfFew), rows), b.index(-kBetweenRows)));
  Value *columns = b.CreateAnd(b.CreateUDiv(b.index(kSumsOfFew), rows), b.index(-kLineOfFew));
  if (kernel.rightComputed)
    most = b.min(most, b.index(isRightAlongK ? kComputedAlongK : kComputedDepth));
  return {columns, b.max(most, b.index(kBetweenRows))};
}

void Product::fewRows(const ResultPart &part) {
  Value *most, *mostOfK;
  std::tie(most, mostOfK) = partOfFew();
  Value *rows = b.CreateSub(part.rowEnd, part.rowBegin), *leftStep = b.CreateAdd(mostOfK, b.index(kBetweenRows));
  Value *sumStep = b.CreateAdd(most, b.index(kBetweenRows));
  b.loop(part.columnBegin, part.columnEnd, most, [&](Value *column) {
    Value *columns = b.min(most, b.CreateSub(part.columnEnd, column));
    partsOfK(mostOfK, [&](Value *k, Value *depth, Value *) {
      b.loop(b.index(0), rows, b.index(1), [&](Value *row) {
        packRow(floatAt(leftPanel, b.CreateMul(row, leftStep)), b.CreateAdd(part.rowBegin, row), k, depth);
      });
      RowProduct product = {};
      product.columns = columns;
      product.rows = rows;
      product.leftStep = leftStep;
      product.sumStep = sumStep;
      multiplyFew(product, column, k, depth);
    });
    finish(part.rowBegin, rows, column, columns, sums, sumStep);
  });
}

/// The weights of a row for all of k, as f32: usually there is nothing to pack.
Value *Product::weightsOfRow(Value *row) {
  if (isLeftAlongK && left.element.kind == Element::Plain && !kernel.leftComputed)
    return matrixAt(kernel.leftOperand, row, b.index(0)).from;
  packRow(leftPanel, row, b.index(0), frame.loopSize(2));
  return leftPanel;
}

/// A single row times windows of one channel, whose columns have code of their own.
void Product::rowsOfWindows(const ResultPart &part, WindowRows &windows) {
  Value *zero = b.index(0), *one = b.index(1), *lanes = b.index(sizes.lanes), *length = b.max(frame.window.out[1], one);
  auto [firstRow, firstColumn] = divided(part.columnBegin, length);
  auto [lastRow, lastColumn] = divided(part.columnEnd, length);
  // The rest of a first row, whole rows, and the beginning of a last row.
  Value *isOneRow = b.CreateICmpEQ(firstRow, lastRow), *startsInside = b.CreateICmpSGT(firstColumn, zero);
  Value *wholeBegin = b.CreateSelect(startsInside, b.CreateAdd(firstRow, one), firstRow);
  Value *firstKind = b.CreateSelect(startsInside, zero, one);
  Value *kinds = b.CreateSelect(b.CreateICmpSGT(lastColumn, zero), b.index(3), b.index(2));
  b.loop(firstKind, kinds, one, [&](Value *i) {
    Value *isFirst = b.CreateICmpEQ(i, zero), *isMiddle = b.CreateICmpEQ(i, one);
    auto choose = [&](Value *first, Value *middle, Value *last) {
      return b.CreateSelect(isFirst, first, b.CreateSelect(isMiddle, middle, last));
    };
    Value *rowBegin = choose(firstRow, wholeBegin, lastRow);
    Value *ofLast = b.CreateSelect(b.CreateAnd(isOneRow, startsInside), zero, one);
    Value *rowEnd = choose(wholeBegin, lastRow, b.CreateAdd(lastRow, ofLast));
    Value *begin = choose(firstColumn, zero, zero);
    Value *end = choose(b.CreateSelect(isOneRow, lastColumn, length), length, lastColumn);
    Value *isWide = b.CreateICmpSGE(b.CreateSub(end, begin), lanes), *last = b.CreateSub(end, lanes);
    b.loop(begin, b.CreateSelect(b.CreateICmpSLT(rowBegin, rowEnd), end, begin), lanes, [&](Value *each) {
      // The last vector may cover columns of the one before.
      Value *column = b.CreateSelect(isWide, b.min(each, last), each), *count = b.CreateSub(end, column);
      windows.sweep(column, rowBegin, rowEnd, [&](Value *row, Value *sums) {
        Value *place = b.CreateAdd(b.CreateMul(row, length), column);
        // Of a short row the vector also covers results that the next row overwrites, but none of another part.
        Value *isInside = b.CreateICmpSLE(b.CreateAdd(place, lanes), part.columnEnd);
        finishVectorOrPart(part.rowBegin, place, sums, b.CreateOr(isWide, isInside), count);
      });
    });
  });
}

/// A single row times windows of one channel, for a whole plane whose rows are short.
void Product::smallPlane(const ResultPart &part) {
  Value *weights = weightsOfRow(part.rowBegin), *places = frame.loopSize(1);
  const WindowedMatrix matrix = windows();
  for (int64_t columns : SmallPlanes::kColumns)
    b.ifThen(WindowRows::hasSize(b, matrix, columns), [&] {
      smallPlanes->sweep(b, matrix.from, weights, columns, [&](Value *place, Value *sums, Value *count) {
        // A vector also covers results that the next one overwrites, but none of another plane.
        Value *isInside = b.CreateICmpSLE(b.CreateAdd(place, b.index(sizes.lanes)), places);
        finishVectorOrPart(part.rowBegin, place, sums, isInside, count);
      });
    });
}

/// A single row times windows of one channel: from registers, from planes, or from the input.
void Product::rowsOfWindows(const ResultPart &part) {
  auto byPlanes = [&]() -> Values {
    return b.ifElse(
        planesOfRow.planes.fits,
        [&]() -> Values {
          rowBlockOfPlanes(part, planesOfRow);
          return {};
        },
        [&]() -> Values {
          rowOfWindows(part);
          return {};
        });
  };
  const WindowedMatrix matrix = windows();
  auto byRows = [&]() -> Values {
    if (!WindowRows::canRead(b, matrix))
      return byPlanes();
    Value *isKnown = b.getFalse();
    for (int64_t columns : WindowRows::kColumns)
      isKnown = b.CreateOr(isKnown, WindowRows::hasSize(b, matrix, columns));
    return b.ifElse(
        isKnown,
        [&]() -> Values {
          Value *weights = weightsOfRow(part.rowBegin);
          for (int64_t columns : WindowRows::kColumns)
            b.ifThen(WindowRows::hasSize(b, matrix, columns), [&] {
              WindowRows rows(b, matrix, weights, columns);
              rowsOfWindows(part, rows);
            });
          return {};
        },
        byPlanes);
  };
  if (!smallPlanes) {
    byRows();
    return;
  }
  // If a launch divides planes, its threads do so at different places, and sums of this code have another order.
  Value *isWhole = b.CreateICmpEQ(frame.tileCount[1], b.index(1));
  b.ifElse(
      b.CreateAnd(smallPlanes->fits, isWhole),
      [&]() -> Values {
        smallPlane(part);
        return {};
      },
      byRows);
}

/// Likewise, by windows in the input.
void Product::rowOfWindows(const ResultPart &part) {
  b.loop(part.columnBegin, part.columnEnd, b.index(kColumnsOfRow), [&](Value *column) {
    Value *columns = b.min(b.index(kColumnsOfRow), b.CreateSub(part.columnEnd, column));
    packRow(leftPanel, part.rowBegin, b.index(0), frame.loopSize(2));
    multiplyWindows(b, leftPanel, windows(), sums, column, columns);
    finish(part.rowBegin, b.index(1), column, columns, sums, b.index(0));
  });
}

// Results of whole rows that are kept, which the second-level cache holds: 512 KiB. A longer row is kept alone.
static constexpr int64_t kWholeResults = 1 << 17;

/// Computes the adjacent tiles of a row of tiles from an item on. Returns the next item.
Value *Product::tiles(Value *item) {
  Value *rowCount = frame.tileCount[0], *columnCount = frame.tileCount[1];
  Frame::Place place = frame.placeOf(item, b.CreateMul(rowCount, columnCount));
  auto [rowTile, columnTile] = divided(place.item, columnCount);
  Value *run = b.min(b.CreateSub(frame.end, item), b.CreateSub(columnCount, columnTile));
  auto range = [&](Value *tile, Value *count, unsigned loop) {
    Value *begin = b.CreateMul(tile, frame.tileSize[loop]);
    Value *end = b.CreateMul(b.CreateAdd(tile, count), frame.tileSize[loop]);
    return std::pair(begin, b.min(end, frame.loopSize(loop)));
  };
  auto [rowBegin, rowEnd] = range(rowTile, b.index(1), 0);
  auto [columnBegin, columnEnd] = range(columnTile, run, 1);
  batch.clear();
  for (auto [t, tensor] : enumerate(kernel.tensors)) {
    Value *offset = b.index(0);
    if (place.outer)
      offset = b.CreateAdd(b.CreateMul(place.outer, frame.batchStride(unsigned(t), 0)),
                           b.CreateMul(place.inner, frame.batchStride(unsigned(t), 1)));
    batch.push_back(b.at(frame.tensor(unsigned(t)), tensor.element.memory, offset));
    if (t == kernel.leftOperand)
      packedLeft = floatAt(frame.packed, offset);
    if (t == kernel.rightOperand)
      packedRight = floatAt(frame.packed, offset);
  }
  const ResultPart whole{rowBegin, rowEnd, columnBegin, columnEnd};
  if (!finishedRows) {
    part(whole);
    return b.CreateAdd(item, run);
  }
  Value *most = b.CreateUDiv(b.index(kWholeResults), b.max(frame.loopSize(1), b.index(1)));
  most = b.max(b.CreateSub(most, b.CreateURem(most, b.index(sizes.rows))), b.index(1));
  b.loop(rowBegin, rowEnd, most, [&](Value *row) {
    const ResultPart rows{row, b.min(b.CreateAdd(row, most), rowEnd), columnBegin, columnEnd};
    firstWhole = row;
    part(rows);
    finishRows(rows);
  });
  return b.CreateAdd(item, run);
}

/// Computes a part of the results.
void Product::part(const ResultPart &part) {
  auto byBlocks = [&]() -> Values {
    if (right.windows) {
      blocks(part);
      return {};
    }
    return b.ifElse(
        readsFewRows,
        [&]() -> Values {
          fewRows(part);
          return {};
        },
        [&]() -> Values {
          blocks(part);
          return {};
        });
  };
  Value *isRow = b.CreateICmpEQ(frame.loopSize(0), b.index(1));
  if (isRightPacked)
    isRow = b.CreateAnd(isRow, b.CreateNot(isRightPacked));
  b.ifElse(
      readsRows ? b.CreateAnd(isRow, readsRows) : isRow,
      [&]() -> Values {
        singleRow(part);
        return {};
      },
      [&]() -> Values {
        if (!readsRows)
          return byBlocks();
        // One channel, and no more elements of a window than fit a left panel.
        Value *positions = b.CreateMul(frame.window.of[0], frame.window.of[1]);
        Value *isChannel =
            b.CreateAnd(b.CreateICmpEQ(frame.loopSize(2), positions), b.CreateICmpSLE(positions, b.index(kDepthOfRow)));
        return b.ifElse(
            b.CreateAnd(isRow, isChannel),
            [&]() -> Values {
              rowsOfWindows(part);
              return {};
            },
            byBlocks);
      });
}

// The sums of this many positions and their plane stay in the innermost cache.
static constexpr int64_t kPlacesOfRow = 2048;

/// Planes of as many channels as fit, for this many positions at a time.
Product::PlaneTable Product::planeTable(int64_t places, bool ofRow) {
  const WindowedMatrix matrix{nullptr, nullptr, right.element, *right.windows, frame.window};
  Value *positions = b.max(b.CreateMul(frame.window.of[0], frame.window.of[1]), b.index(1));
  PlaneTable of;
  of.planes =
      planesOf(b, matrix, b.CreateUDiv(frame.loopSize(2), positions), places, sizes.depth, sizes.depth * sizes.columns);
  of.table = b.buffer(b.getInt64Ty(), uint64_t(sizes.depth));
  of.places = places;
  of.ofRow = ofRow;
  b.ifThen(of.planes.fits, [&] { fillTable(b, of.table, of.planes, matrix); });
  return of;
}

/// Room for panels and sums of as many rows and columns as the launch has, and for those of a single row: each page of
/// a frame is touched before it is used, which was a fifth of the time of 64 cubed. Planes of windows take all of a
/// right panel.
void Product::makeBuffers() {
  auto room = [&](Value *elements) {
    AllocaInst *memory = b.CreateAlloca(b.getFloatTy(), elements);
    memory->setAlignment(Align(64));
    return memory;
  };
  // A transposition fills rows up to whole vectors, and tiles read a vector more.
  constexpr int64_t kMore = 16;
  Value *rows = b.max(b.min(frame.loopSize(0), b.index(sizes.rowBlock)), b.index(1));
  rows = b.min(roundUp(rows, kMore), b.index(sizes.rowBlock));
  Value *columns = b.max(b.min(frame.loopSize(1), b.index(sizes.columns)), b.index(1));
  if (right.windows)
    columns = b.index(sizes.columns);
  else // few rows have no right panel
    columns = b.CreateSelect(readsFewRows, b.index(0), columns);
  auto [columnsOfFew, depthOfFew] = partOfFew();
  auto ofRows = [&](int64_t step, int64_t ofOne, Value *ofFew) {
    Value *few = b.CreateMul(frame.loopSize(0), b.CreateAdd(ofFew, b.index(kBetweenRows)));
    Value *most = b.CreateSelect(readsFewRows, few, b.CreateMul(rows, b.index(step)));
    return room(b.CreateAdd(b.max(most, b.index(ofOne)), b.index(kMore)));
  };
  leftPanel = ofRows(sizes.leftStep(), kDepthOfRow, depthOfFew);
  rightPanel = room(b.CreateMul(roundUp(columns, sizes.width()), b.index(sizes.depth)));
  sums = ofRows(sizes.resultStep(), kColumnsOfRow, columnsOfFew);
  if (kernel.leftComputed || kernel.rightComputed)
    computed = room(b.index(kComputed));
  if (finishedRows) {
    Value *all = b.CreateMul(frame.loopSize(0), frame.loopSize(1));
    wholeRows = room(b.max(b.min(all, b.index(kWholeResults)), frame.loopSize(1)));
  }
}

Value *Product::emit() {
  auto multiplyAll = [&]() -> Values {
    // What a launch cannot pack is not taken from memory that somebody gives as its packed form: it may be too small.
    auto isPacked = [&](int64_t place, unsigned operand, bool alongK) {
      return b.CreateAnd(b.CreateICmpEQ(frame.packing, b.index(OPC_KERNEL_READ_PACKED(place))),
                         canPack(operand, alongK, unsigned(place)));
    };
    isLeftPacked = isPacked(0, kernel.leftOperand, isLeftAlongK);
    if (!right.windows)
      isRightPacked = isPacked(1, kernel.rightOperand, isRightAlongK);
    readsFewRows =
        right.windows ? b.getFalse() : b.CreateAnd(isFew(), b.CreateNot(b.CreateOr(isLeftPacked, isRightPacked)));
    makeBuffers();
    if (right.windows) {
      const WindowedMatrix matrix{nullptr, nullptr, right.element, *right.windows, frame.window};
      readsRows = isPlain(b, matrix);
      planes = planeTable(sizes.results, false);
      planesOfRow = planeTable(kPlacesOfRow, true);
      if (SmallPlanes::canRead(b, matrix))
        smallPlanes.emplace(b, matrix);
    }
    b.ifThen(b.CreateICmpSLT(frame.begin, frame.end), [&] {
      b.whileBefore(frame.begin, frame.end, {},
                    [&](Value *item, ArrayRef<Value *>) -> Values { return {tiles(item)}; });
    });
    return {b.getInt32(0)};
  };
  auto packRightOrMultiply = [&]() -> Values {
    if (right.windows)
      return multiplyAll();
    return b.ifElse(
        b.CreateICmpEQ(frame.packing, b.index(OPC_KERNEL_PACK(1))),
        [&]() -> Values { return {packWhole(kernel.rightOperand)}; }, multiplyAll);
  };
  return b
      .ifElse(
          b.CreateICmpEQ(frame.packing, b.index(OPC_KERNEL_PACK(0))),
          [&]() -> Values { return {packWhole(kernel.leftOperand)}; }, packRightOrMultiply)
      .front();
}

Value *emitContraction(CodeBuilder &b, FusedKernel &kernel, Frame &frame) {
  Product product(b, kernel, frame);
  return product.plan() ? product.emit() : nullptr;
}

} // namespace opc::cpu

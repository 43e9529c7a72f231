// How a product reads its operands: in memory, packed into panels, packed whole before the launch, or computed from a
// tensor element by element into a buffer.

#include "lowering/cpu/vector/contraction/product/Product.h"

#include "lowering/cpu/vector/Evaluator.h"

#include "runtime/program/opc_kernel_library.h"

#include <functional>

using namespace llvm;

namespace opc::cpu {

MatrixPart Product::matrixAt(unsigned tensor, Value *row, Value *column) {
  Value *step = frame.rowDistance(tensor);
  const KernelTensor &of = kernel.tensors[tensor];
  return {b.at(batch[tensor], of.element.memory, b.CreateAdd(b.CreateMul(row, step), column)), step, of.element,
          of.isUnsigned};
}

/// A vector of the elements of a tensor from `column` on: `count` of its lanes, or all of them if null. Empty for a
/// value that is no tensor.
Lane Product::lanesOfTensor(mlir::Value value, ArrayRef<Value *> rowsAt, Value *column, Value *count) {
  std::optional<unsigned> tensor = kernel.tensorOf(value);
  if (!tensor)
    return {};
  const KernelTensor &of = kernel.tensors[*tensor];
  if (of.dims.back() < 0)
    return {b.CreateVectorSplat(sizes.lanes, load(b, rowsAt[*tensor], b.index(0), of.element, 0)), false};
  return {count ? loadPart(b, rowsAt[*tensor], column, count, of.element, sizes.lanes)
                : load(b, rowsAt[*tensor], column, of.element, sizes.lanes),
          false};
}

/// A vector of the elements that are multiplied, from `column` on of a row in memory of an operand: `count` of its
/// lanes, or all of them if null. `rowsAt` are the elements of all tensors in this row and in the first column.
Value *Product::computeLanes(unsigned operand, ArrayRef<Value *> rowsAt, Value *column, Value *count) {
  auto leaf = [&](mlir::Value value) { return lanesOfTensor(value, rowsAt, column, count); };
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
  // The distance of the last matrix of the loops inside of each, which its matrices come after.
  Value *last = nullptr;
  for (auto [trips, step] : zip_equal(frame.batchLoops(), frame.batchSteps(operand))) {
    Value *isOnce = b.CreateOr(b.CreateICmpEQ(step, b.index(0)), b.CreateICmpSLE(trips, one));
    if (last)
      packs = b.CreateAnd(packs, b.CreateOr(isOnce, b.CreateICmpSGT(step, last)));
    Value *own = b.CreateMul(b.max(b.CreateSub(trips, one), b.index(0)), step);
    last = last ? b.CreateAdd(last, own) : own;
  }
  return packs;
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

/// Calls `each` with the first element of each matrix of an operand, in the order of memory. A matrix that batches
/// share is there once.
void Product::forEachMatrix(unsigned operand, function_ref<void(Value *first)> each) {
  const Values trips = frame.batchLoops(), steps = frame.batchSteps(operand);
  std::function<void(size_t, Value *)> around = [&](size_t loop, Value *first) {
    if (loop == 0)
      return each(first);
    Value *step = steps[loop - 1], *count = trips[loop - 1], *one = b.index(1);
    count = b.CreateSelect(b.CreateICmpEQ(step, b.index(0)), b.min(count, one), count);
    b.loop(b.index(0), count, one, [&](Value *trip) { around(loop - 1, b.CreateAdd(first, b.CreateMul(trip, step))); });
  };
  around(trips.size(), b.index(0));
}

/// Packs an operand of all batches. Returns the status.
Value *Product::packWhole(unsigned operand) {
  const bool isLeft = operand == kernel.leftOperand, alongK = isLeft ? isLeftAlongK : isRightAlongK;
  auto pack = [&]() -> Values {
    forEachMatrix(operand, [&](Value *first) {
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

// Columns that do not repay packing the left operand: eight panels with AVX-512.
static constexpr int64_t kColumnsInPlace = 512;

/// Packs rows of the left operand, or leaves them in memory for few `columns`. The right operand and the sums of the
/// result are not set.
PanelProduct Product::leftOf(Value *row, Value *rows, Value *k, Value *depth, Value *columns) {
  Value *at = inMemory(k);
  MatrixPart matrix = isLeftAlongK ? matrixAt(kernel.leftOperand, row, at) : matrixAt(kernel.leftOperand, at, row);
  matrix.isFlipped = isAlike();
  Value *ofRow = cellsOfK(), *panelStep = b.index(sizes.leftStep()), *zero = b.index(0), *one = b.index(1);
  auto packed = [&]() -> Values {
    if (kernel.leftComputed)
      packComputed(row, rows, k, depth);
    else
      packTiles(b, leftPanel, panelStep, matrix, isLeftAlongK, rows, elementsFrom(k, depth));
    return {leftPanel, panelStep, zero, b.getTrue(), one};
  };
  auto inPlace = [&]() -> Values {
    if (isLeftAlongK)
      return {matrix.from, matrix.step, zero, b.getFalse(), one};
    return {matrix.from, one, zero, b.getFalse(), matrix.step};
  };
  auto ofLaunch = [&]() -> Values {
    if (!readsLeftFloats())
      return packed();
    return b.ifElse(b.CreateICmpSLE(columns, b.index(kColumnsInPlace)), inPlace, packed);
  };
  auto ofWeights = [&]() -> Values {
    return {floatAt(packedLeft, b.CreateMul(row, ofRow)), ofRow, k, b.getTrue(), one};
  };
  const Values panel = b.ifElse(isLeftPacked, ofWeights, ofLaunch);
  PanelProduct product = {};
  product.cells = cellsOfPanels();
  product.left = panel[0];
  product.leftStep = panel[1];
  product.firstK = panel[2];
  product.isTiled = panel[3];
  product.kStep = panel[4];
  product.rows = rows;
  product.depth = depth;
  product.continues = b.CreateICmpSGT(k, b.index(0));
  return product;
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
      packWindows(b, to, windows(), k, depth, inPlane(column), columns);
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

} // namespace opc::cpu

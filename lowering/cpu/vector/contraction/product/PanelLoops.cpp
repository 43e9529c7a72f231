// The loops around panels: left and right panels are packed and multiplied for a block of rows.

#include "lowering/cpu/vector/contraction/product/Product.h"

using namespace llvm;

namespace opc::cpu {

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

/// i1: whether whole panels of the right operand are read in place: packing costs as much as few rows take, and more
/// than it saves if several rows of the operand share a page. Rows a large power of two apart share sets of the cache;
/// the wider a panel is, the more sets it has.
Value *Product::readsRightInPlace(Value *rows) {
  constexpr int64_t kPage = 4096 / sizeof(float);
  const int64_t few = 8 * sizes.rows, fewOfSet = sizes.lanes == 16 ? few : 2 * sizes.rows;
  Value *step = frame.rowDistance(kernel.rightOperand), *zero = b.index(0);
  auto isMultipleOf = [&](int64_t of) { return b.CreateICmpEQ(b.CreateAnd(step, b.index(of - 1)), zero); };
  Value *areFew = b.CreateICmpSLE(rows, b.CreateSelect(isMultipleOf(kPage), b.index(fewOfSet), b.index(few)));
  Value *sharesPages = b.CreateAnd(b.CreateICmpSLT(step, b.index(kPage)), b.CreateNot(isMultipleOf(kPage / 2)));
  return b.CreateOr(areFew, sharesPages);
}

/// All columns of a part whose rows fit a left panel.
void Product::rowBlock(const ResultPart &part) {
  Value *rows = b.CreateSub(part.rowEnd, part.rowBegin), *all = b.CreateSub(part.columnEnd, part.columnBegin);
  Value *most = isDirect ? all : b.index(sizes.results);
  Value *readsMemory = readsFloats() ? readsRightInPlace(rows) : b.getFalse();
  if (readsRows)
    readsMemory = b.CreateAnd(readsMemory, readsRows);
  if (isRightPacked)
    readsMemory = b.CreateAnd(readsMemory, b.CreateNot(isRightPacked));
  b.loop(part.columnBegin, part.columnEnd, b.max(most, b.index(1)), [&](Value *column) {
    Value *columns = b.min(most, b.CreateSub(part.columnEnd, column));
    partsOfK(b.index(sizes.depth), [&](Value *k, Value *depth, Value *isLast) {
      PanelProduct left = leftOf(part.rowBegin, rows, k, depth, columns);
      b.loop(b.index(0), columns, b.index(sizes.columns), [&](Value *place) {
        Value *count = b.min(b.index(sizes.columns), b.CreateSub(columns, place));
        panels({part.rowBegin, rows, b.CreateAdd(column, place), count, place, left, k, isLast, readsMemory, column,
                b.CreateAdd(column, columns)});
      });
    });
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

} // namespace opc::cpu

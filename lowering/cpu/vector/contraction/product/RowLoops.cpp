// Products of one row, or of a few, without panels (FewRows.h).

#include "lowering/cpu/vector/contraction/product/Product.h"

using namespace llvm;

namespace opc::cpu {

namespace {

// The cells of a few left rows, and their sums, which stay in the innermost cache.
constexpr int64_t kCellsOfFew = 8192, kSumsOfFew = 8192;
// Columns are divided at cache lines of bytes.
constexpr int64_t kLineOfFew = 64;
// From this number of elements on a right matrix is not in the second-level cache. A smaller one of f32 is read by
// register tiles as it is, which load no sums; of bytes, packing it takes no longer than the sums of many rows.
constexpr int64_t kLargeMatrix = int64_t(1) << 18;
// With fewer of k, adding the lanes of sums, of which there is a vector for each result, takes longer than transposing
// the right matrix: at least, and for each row, of numbers and of bytes, which have more products in a vector.
constexpr int64_t kLeastOfDots = 128, kDotsOfRow = 16, kDotsOfByteRow = 48;

} // namespace

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

} // namespace opc::cpu

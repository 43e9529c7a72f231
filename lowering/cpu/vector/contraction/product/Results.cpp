// The elementwise operations on finished sums. They run on each finished panel of results, in the innermost cache.

#include "lowering/cpu/vector/contraction/product/Product.h"

#include "lowering/cpu/vector/Evaluator.h"

using namespace llvm;

namespace opc::cpu {

/// Finishes a vector of results with these sums, from `column` on relative to the row pointers: `count` of its lanes,
/// or all of them if null.
void Product::finishVector(ArrayRef<Value *> rowsAt, Value *sums, Value *column, Value *count,
                           ArrayRef<Value *> ofWholeRow) {
  auto leaf = [&](mlir::Value value) -> Lane {
    if (value == product)
      return {sums, false};
    std::optional<unsigned> tensor = kernel.tensorOf(value);
    if (tensor && !ofWholeRow.empty() && ofWholeRow[*tensor])
      return {ofWholeRow[*tensor], false};
    return lanesOfTensor(value, rowsAt, column, count);
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

/// Likewise of one row: all lanes if `isWhole` (i1), else `count` of them.
void Product::finishVectorOrPart(const ResultRow &row, Value *column, Value *sums, Value *isWhole, Value *count) {
  auto finished = [&](Value *lanes) {
    return [&, lanes]() -> Values {
      finishVector(row.at, sums, column, lanes, row.wholeRow);
      return {};
    };
  };
  b.ifElse(isWhole, finished(nullptr), finished(count));
}

/// A row of the results. Numbers of a whole row are loaded here, once: as far as LLVM knows, stores of results might
/// overwrite them.
Product::ResultRow Product::resultRow(Value *row) {
  ResultRow of{resultRows(row, b.index(0)), Values(kernel.tensors.size(), nullptr)};
  for (auto [t, tensor] : enumerate(kernel.tensors))
    if (t < kernel.firstOutput() && t != kernel.leftOperand && t != kernel.rightOperand && tensor.dims.back() < 0)
      of.wholeRow[t] = b.CreateVectorSplat(sizes.lanes, load(b, of.at[t], b.index(0), tensor.element, 0));
  return of;
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

} // namespace opc::cpu

// Products with windows of an input (WindowedMatrix.h): panels whose tiles read copied planes, and single rows of
// depthwise windows.

#include "lowering/cpu/vector/contraction/product/Product.h"

using namespace llvm;

namespace opc::cpu {

WindowedMatrix Product::windows() {
  WindowedMatrix matrix{batch[kernel.rightOperand], frame.rowDistance(kernel.rightOperand), right.element,
                        *right.windows, frame.window};
  if (right.depth) {
    Value *first = b.CreateMul(planeOfResults, b.index(right.depth->stride));
    matrix.depth = {*right.depth, b.CreateSub(first, b.index(right.depth->padBegin))};
  }
  return matrix;
}

/// The sizes of windows, for what depends on sizes alone.
WindowedMatrix Product::sizesOfWindows() {
  WindowedMatrix matrix{nullptr, nullptr, right.element, *right.windows, frame.window};
  if (right.depth)
    matrix.depth = {*right.depth, nullptr};
  return matrix;
}

/// Calls `each` for each plane of results that a part has columns of. Without a depth there is one, and if rows of the
/// right operand are rows in memory, all planes are one.
void Product::forPlanes(const ResultPart &part, function_ref<void(const ResultPart &)> each) {
  if (!right.depth) {
    each(part);
    return;
  }
  Value *one = b.index(1), *ofPlane = b.CreateMul(frame.window.out[0], frame.window.out[1]);
  ofPlane = b.max(b.CreateSelect(readsRows, frame.loopSize(1), ofPlane), one);
  b.loop(b.CreateUDiv(part.columnBegin, ofPlane), ceilDiv(part.columnEnd, ofPlane), one, [&](Value *plane) {
    planeOfResults = plane;
    firstOfPlane = b.CreateMul(plane, ofPlane);
    each({part.rowBegin, part.rowEnd, b.max(part.columnBegin, firstOfPlane),
          b.min(part.columnEnd, b.CreateAdd(firstOfPlane, ofPlane))});
  });
}

/// All columns of a part whose rows fit a left panel, from planes, which have unused positions between the rows.
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
  Value *begin = placeOf(inPlane(part.columnBegin));
  Value *end = b.CreateAdd(placeOf(inPlane(b.CreateSub(part.columnEnd, one))), one);
  Value *weights = of.ofRow ? weightsOfRow(part.rowBegin) : nullptr;
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
      copyPlanes(b, rightPanel, planes, windows(), channel, taken, firstRow, rowCount);
      if (of.ofRow) {
        Value *continues = right.depth ? b.CreateICmpSGT(channel, zero) : nullptr;
        multiplyPlanes(b, floatAt(weights, k), ofPlace, of.table, sums, depth, b.CreateSub(behind, place), continues);
        return {b.CreateAdd(channel, planes.channels)};
      }
      PanelProduct product = leftOf(part.rowBegin, rows, k, depth, most);
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
    column = right.depth ? b.CreateAdd(column, firstOfPlane) : column;
    b.ifThen(b.CreateICmpSGT(columns, zero),
             [&] { finish(part.rowBegin, rows, column, columns, sums, b.index(sizes.resultStep())); });
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
  Value *firstRow, *firstColumn, *lastRow, *lastColumn;
  std::tie(firstRow, firstColumn) = divided(part.columnBegin, length);
  std::tie(lastRow, lastColumn) = divided(part.columnEnd, length);
  const ResultRow rowOf = resultRow(part.rowBegin);
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
      // Of a short row the vector also covers results that the next row overwrites, but none of another part.
      Value *lastWhole = b.CreateSelect(isWide, part.columnEnd, b.CreateSub(part.columnEnd, lanes));
      windows.sweep(column, rowBegin, rowEnd, [&](Value *place, Value *sums) {
        finishVectorOrPart(rowOf, place, sums, b.CreateICmpSLE(place, lastWhole), count);
      });
    });
  });
}

/// i1: one channel, and no more elements of a window than fit a left panel.
Value *Product::isChannel() {
  Value *positions = b.CreateMul(frame.window.of[0], frame.window.of[1]);
  if (right.depth)
    positions = b.CreateMul(positions, frame.window.ofDepth);
  return b.CreateAnd(b.CreateICmpEQ(frame.loopSize(2), positions), b.CreateICmpSLE(positions, b.index(kDepthOfRow)));
}

/// i1: single rows times windows of one channel, with planes that are small. If a launch divides planes, its threads do
/// so at different places, and sums of this code have another order.
Value *Product::areSmallPlanes() {
  Value *one = b.index(1), *isRow = b.CreateICmpEQ(frame.loopSize(0), one);
  Value *isWhole = b.CreateICmpEQ(frame.tileCount[1], one);
  return b.CreateAnd(b.CreateAnd(smallPlanes->fits, isWhole), b.CreateAnd(isRow, isChannel()));
}

/// Such planes of some batches, from the first element of each tensor on. A plane of 7 x 7 takes no longer than to find
/// out where it is, so pointers advance from plane to plane.
void Product::smallPlanesOf(ArrayRef<Value *> first, Value *batches) {
  Values start, steps;
  for (auto [t, tensor] : enumerate(kernel.tensors)) {
    const Values all = frame.batchSteps(unsigned(t));
    start.push_back(b.at(frame.tensor(unsigned(t)), tensor.element.memory, first[t]));
    steps.push_back(all.empty() ? b.index(0) : all.front());
  }
  const WindowedMatrix sizesOf = sizesOfWindows();
  Value *one = b.index(1), *row = b.index(0), *all = frame.loopSize(1);
  for (int64_t columns : SmallPlanes::kColumns)
    b.ifThen(WindowRows::hasSize(b, sizesOf, columns), [&] {
      b.loop(b.index(0), batches, one, start, [&](Value *, ArrayRef<Value *> carried) -> Values {
        batch.assign(carried.begin(), carried.end());
        const ResultRow rowOf = resultRow(row);
        smallPlanes->sweep(b, windows().from, weightsOfRow(row), columns, [&](Value *place, Value *of, Value *count) {
          // A vector also covers results that the next one overwrites, but none of another plane.
          Value *isInside = b.CreateICmpSLE(b.CreateAdd(place, b.index(sizes.lanes)), all);
          finishVectorOrPart(rowOf, place, of, isInside, count);
        });
        Values next;
        for (auto [t, tensor] : enumerate(kernel.tensors))
          next.push_back(b.at(carried[t], tensor.element.memory, steps[t]));
        return next;
      });
    });
}

/// A single row times windows of one channel: from registers, from planes, or from the input. With a depth from planes,
/// or by panels.
void Product::rowsOfWindows(const ResultPart &part) {
  auto byPlanes = [&]() -> Values {
    return b.ifElse(
        planesOfRow.planes.fits,
        [&]() -> Values {
          rowBlockOfPlanes(part, planesOfRow);
          return {};
        },
        [&]() -> Values {
          if (right.depth)
            blocks(part);
          else
            rowOfWindows(part);
          return {};
        });
  };
  if (right.depth) {
    byPlanes();
    return;
  }
  const WindowedMatrix matrix = windows();
  if (!WindowRows::canRead(b, matrix)) {
    byPlanes();
    return;
  }
  Value *isKnown = b.getFalse();
  for (int64_t columns : WindowRows::kColumns)
    isKnown = b.CreateOr(isKnown, WindowRows::hasSize(b, matrix, columns));
  b.ifElse(
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

/// Planes of as many channels as fit, for this many positions at a time.
Product::PlaneTable Product::planeTable(int64_t places, bool ofRow) {
  const WindowedMatrix matrix = sizesOfWindows();
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

} // namespace opc::cpu

// The cube and its copies as loops over elements: a second implementation of the layouts beside the simulator's, with
// formulae for the address of an element instead of copies of fractals.
//
//   L1   element (i, j) of a matrix in columns of `height` rows    (j div w) * height * w + i * w + j mod w
//   L1   f32 that is transposed, in bands of 16 rows   (i div 16) * height * 16 + the place of (i mod 16, j) in columns
//   L0A  element (i, k) of m x k     ((i div 16) * K + k div w) * 16 * w + (i mod 16) * w + k mod w
//   L0B  element (k, j) of k x n     ((k div w) * N + j div 16) * 16 * w + (j mod 16) * w + k mod w
//   L0C  element (i, j) of m x n     (j div 16) * M * 16 + i * 16 + j mod 16
//
// w is the number of elements in 32 bytes, K and N are numbers of fractals, M is m in whole fractals. Elements are
// copied one by one, so there are no fractals to transpose.

#include "lowering/cpu/loops/Lanes.h"
#include "lowering/cpu/loops/LoopEmitter.h"
#include "runtime/program/opc_kernel_library.h"
#include "runtime/target/Memories.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace opc::cpu {

/// Larger sizes are refused, so that products of three sizes do not overflow.
static constexpr int64_t kMostSize = int64_t(1) << 20;

/// Whether all values are at most kMostSize, and none is negative (i1).
static Value areSizes(IndexMath &math, ArrayRef<Value> values) {
  Value all;
  for (Value value : values) {
    Value fits = math.isAtMost(value, math.of(kMostSize));
    all = all ? math.both(all, fits) : fits;
  }
  return all;
}

/// Elements in 32 bytes.
static int64_t widthOf(const FlatView &tile) {
  return kFractalRowBytes / elementSize(tile.type);
}

/// The offset of an element of a matrix in columns of `height` rows, each row `width` elements.
static Value placeInColumns(IndexMath &math, Value row, Value column, Value height, int64_t width) {
  Value start = math.multiply(math.multiply(math.divide(column, width), height), width);
  return math.add(math.add(start, math.multiply(row, width)), math.rest(column, width));
}

/// The offset of an element of a matrix in bands of 16 rows and `height` columns.
static Value placeInBands(IndexMath &math, Value row, Value column, Value height, int64_t width) {
  Value start = math.multiply(math.multiply(math.divide(row, kFractalRows), height), kFractalRows);
  return math.add(start, placeInColumns(math, math.rest(row, kFractalRows), column, math.of(kFractalRows), width));
}

/// The offset of an element of an operand: `line` is a row of L0A or a column of L0B.
static Value placeInOperand(IndexMath &math, bool isLeft, Value line, Value k, Value lines, Value depth,
                            int64_t width) {
  Value fractalLine = math.divide(line, kFractalRows), fractalDepth = math.divide(k, width);
  Value fractal = isLeft ? math.add(math.multiply(fractalLine, math.units(depth, width)), fractalDepth)
                         : math.add(math.multiply(fractalDepth, math.units(lines, kFractalRows)), fractalLine);
  return math.add(
      math.add(math.multiply(fractal, kFractalRows * width), math.multiply(math.rest(line, kFractalRows), width)),
      math.rest(k, width));
}

void LoopEmitter::loadNz(const FlatView &source, const FlatView &destination, Value height) {
  const int64_t width = widthOf(destination);
  Value rows = source.sizes[0], columns = source.columns();
  Value sizes = math.both(areSizes(math, {rows, columns, height}), math.isAtMost(rows, height));
  Value inTensor = rowsInside(b, source, columns);
  Value inTile = math.both(sizes, rowInside(b, destination, math.multiply(math.whole(columns, width), height)));
  report(inTensor, OPC_KERNEL_OUTSIDE_TENSOR);
  report(inTile, OPC_KERNEL_OUTSIDE_TILE);
  ifTrue(math.both(inTensor, inTile), [&] {
    spend(math.multiply(rows, math.whole(columns, width)));
    forEach(rows, [&](Value row) {
      Value from = positionOfRow(source, row);
      auto put = [&](Value value, Value column) {
        storeAt(b, value, destination, destination.offset, placeInColumns(math, row, column, height, width));
      };
      forEach(columns, [&](Value column) { put(loadAt(b, source, from, column), column); });
      const bool isWhole = destination.type == ElementType::Int8 || destination.type == ElementType::Int32;
      Value zero = isWhole ? arith::ConstantIntOp::create(b, 0, 8 * elementSize(destination.type)).getResult()
                           : narrow(b, floatConstant(b, b.getF32Type(), 0), destination.type);
      Value missing = math.subtract(math.whole(columns, width), columns);
      forEach(missing, [&](Value column) { put(zero, math.add(columns, column)); });
    });
  });
}

void LoopEmitter::loadPacked(const FlatView &source, const FlatView &destination, Value height) {
  Value columns = source.sizes[0], length = source.columns(), pitch = math.multiply(height, widthOf(destination));
  Value inTensor = rowsInside(b, source, length);
  Value inTile = math.both(areSizes(math, {columns, length, height}), math.isAtMost(length, pitch));
  inTile = math.both(inTile, rowInside(b, destination, math.multiply(columns, pitch)));
  report(inTensor, OPC_KERNEL_OUTSIDE_TENSOR);
  report(inTile, OPC_KERNEL_OUTSIDE_TILE);
  ifTrue(math.both(inTensor, inTile), [&] {
    spend(math.multiply(columns, length));
    forEach(columns, [&](Value column) {
      Value from = positionOfRow(source, column), to = math.multiply(column, pitch);
      forEach(length, [&](Value element) {
        storeAt(b, loadAt(b, source, from, element), destination, destination.offset, math.add(to, element));
      });
    });
  });
}

void LoopEmitter::storeNz(const FlatView &source, const FlatView &destination, Value height) {
  const int64_t width = widthOf(destination);
  Value rows = source.sizes[0], columns = source.columns();
  Value sizes = math.both(areSizes(math, {rows, columns, height}), math.isAtMost(rows, height));
  Value whole = math.whole(columns, width);
  Value inside = math.both(math.both(sizes, rowsInside(b, source, whole)),
                           rowInside(b, destination, math.multiply(whole, height)));
  report(inside, OPC_KERNEL_OUTSIDE_TILE);
  ifTrue(inside, [&] {
    spend(math.multiply(rows, whole));
    forEach(rows, [&](Value row) {
      Value from = positionOfRow(source, row);
      forEach(whole, [&](Value column) {
        storeAt(b, loadAt(b, source, from, column), destination, destination.offset,
                placeInColumns(math, row, column, height, width));
      });
    });
  });
}

void LoopEmitter::fillBlocks(Value value, const FlatView &destination, Value first, Value rows, Value blocks,
                             Value stride) {
  const int64_t width = widthOf(destination);
  Value sizes = areSizes(math, {first, rows, blocks, stride});
  Value end = math.add(math.add(first, math.multiply(rows, stride)), blocks);
  Value last = math.subtract(end, stride);
  Value none = math.isZero(math.multiply(rows, blocks));
  Value inTile = math.both(sizes, math.either(none, rowInside(b, destination, math.multiply(last, width))));
  report(inTile, OPC_KERNEL_OUTSIDE_TILE);
  ifTrue(inTile, [&] {
    Value elements = math.multiply(blocks, width);
    spend(math.multiply(rows, elements));
    forEach(rows, [&](Value row) {
      Value start = math.multiply(math.add(first, math.multiply(row, stride)), width);
      forEach(elements, [&](Value i) { storeAt(b, value, destination, destination.offset, math.add(start, i)); });
    });
  });
}

void LoopEmitter::loadFractals(const FlatView &source, const FlatView &destination, const FractalCopy &copy) {
  const int64_t width = widthOf(destination);
  Value depth = copy.isLeft ? copy.columns : copy.rows, lines = copy.isLeft ? copy.rows : copy.columns;
  // Bytes and f32 are transposed in squares, f32 out of bands of 16 of k, whose height is of lines.
  const bool hasBands = copy.transposed && width < kFractalRows;
  const int64_t unit = copy.transposed ? std::max(width, kFractalRows) : kFractalRows;
  Value wholeDepth = math.whole(depth, hasBands ? unit : width), wholeLines = math.whole(lines, unit);
  // Rows of L0A and columns of L0B are rows of the matrix in the source, unless fractals are transposed.
  const bool linesAreHigh = !copy.transposed || hasBands;
  Value high = linesAreHigh ? wholeLines : wholeDepth, wide = linesAreHigh ? wholeDepth : wholeLines;
  Value sizes = math.both(areSizes(math, {depth, lines, copy.height}), math.isAtMost(high, copy.height));
  // The last column of fractals ends with the rows of the matrix.
  const int64_t across = hasBands ? kFractalRows : width;
  Value wholeWide = math.whole(wide, across);
  Value before = math.multiply(math.subtract(math.max(wholeWide, math.of(across)), math.of(across)), copy.height);
  Value last = math.select(math.isZero(wide), math.of(0), math.multiply(high, across));
  Value inTile = math.both(math.both(sizes, rowInside(b, source, math.add(before, last))),
                           rowInside(b, destination, math.multiply(wholeDepth, wholeLines)));
  report(inTile, OPC_KERNEL_OUTSIDE_TILE);
  ifTrue(inTile, [&] {
    spend(math.multiply(wholeDepth, wholeLines));
    forEach(wholeLines, [&](Value line) {
      forEach(wholeDepth, [&](Value k) {
        Value from = hasBands       ? placeInBands(math, k, line, copy.height, width)
                     : linesAreHigh ? placeInColumns(math, line, k, copy.height, width)
                                    : placeInColumns(math, k, line, copy.height, width);
        storeAt(b, loadAt(b, source, source.offset, from), destination, destination.offset,
                placeInOperand(math, copy.isLeft, line, k, wholeLines, depth, width));
      });
    });
  });
}

/// ceil((padded - dilation * (filter - 1)) / stride), the windows along one dimension; 0 if a window is larger.
static Value windowsAlong(IndexMath &math, Value padded, Value filter, Value dilation, Value stride) {
  Value reach = math.multiply(dilation, math.subtract(filter, math.of(1)));
  Value fits = math.isBelow(reach, padded);
  Value rest = math.select(fits, math.subtract(padded, reach), math.of(0));
  return math.divide(math.add(rest, math.subtract(stride, math.of(1))), stride);
}

void LoopEmitter::loadIm2col(const FlatView &source, const FlatView &destination, const WindowCopy &copy) {
  const int64_t width = widthOf(destination);
  const aicore::ImageOperands &image = copy.image;
  Value none = math.either(math.isZero(copy.rows), math.isZero(copy.columns));
  const SmallVector<Value> positive = {image.height,         image.width,        image.filterHeight,
                                       image.filterWidth,    image.strideHeight, image.strideWidth,
                                       image.dilationHeight, image.dilationWidth};
  Value sizes = areSizes(math, {copy.rows, copy.firstRow, copy.columns, copy.firstColumn, copy.channels, image.top,
                                image.bottom, image.left, image.right});
  sizes = math.both(sizes, areSizes(math, positive));
  for (Value number : positive)
    sizes = math.both(sizes, math.isSome(number));
  // A number that is 0 divides nothing: the loops do not run.
  auto some = [&](Value number) { return math.max(number, math.of(1)); };
  Value across = windowsAlong(math, math.add(math.add(image.width, image.left), image.right), image.filterWidth,
                              image.dilationWidth, some(image.strideWidth));
  Value down = windowsAlong(math, math.add(math.add(image.height, image.top), image.bottom), image.filterHeight,
                            image.dilationHeight, some(image.strideHeight));
  Value elements = math.multiply(image.filterHeight, image.filterWidth);
  Value places = math.multiply(image.height, image.width), blocks = math.units(copy.channels, width);
  Value wholeColumns = math.whole(copy.columns, width);
  sizes = math.both(sizes, math.isAtMost(math.add(copy.firstRow, copy.rows), math.multiply(down, across)));
  sizes = math.both(sizes, math.isAtMost(math.add(copy.firstColumn, wholeColumns),
                                         math.multiply(math.multiply(blocks, width), elements)));
  Value inTile = math.both(math.both(sizes, rowInside(b, source, math.multiply(math.multiply(places, blocks), width))),
                           rowInside(b, destination, math.multiply(math.whole(copy.rows, kFractalRows), wholeColumns)));
  inTile = math.either(none, inTile);
  report(inTile, OPC_KERNEL_OUTSIDE_TILE);
  ifTrue(inTile, [&] {
    spend(math.multiply(copy.rows, wholeColumns));
    forEach(math.select(none, math.of(0), copy.rows), [&](Value row) {
      Value window = math.add(copy.firstRow, row);
      Value y0 = math.multiply(math.divide(window, some(across)), image.strideHeight);
      Value x0 = math.multiply(math.rest(window, some(across)), image.strideWidth);
      forEach(wholeColumns, [&](Value column) {
        Value k = math.add(copy.firstColumn, column), block = math.divide(k, width);
        Value element = math.rest(block, some(elements));
        Value y = math.add(y0, math.multiply(math.divide(element, some(image.filterWidth)), image.dilationHeight));
        Value x = math.add(x0, math.multiply(math.rest(element, some(image.filterWidth)), image.dilationWidth));
        // Places before the image wrap around, and are beyond its end.
        y = math.subtract(y, image.top);
        x = math.subtract(x, image.left);
        Value isInside = math.both(math.isBelow(y, image.height), math.isBelow(x, image.width));
        Value inBlock = math.add(math.multiply(y, image.width), x);
        Value place = math.add(math.multiply(math.divide(block, some(elements)), places), inBlock);
        Value from = math.add(math.multiply(place, width), math.rest(k, width));
        Value value = loadAt(b, source, source.offset, math.select(isInside, from, math.of(0)));
        storeAt(b, math.select(isInside, value, copy.pad), destination, destination.offset,
                placeInOperand(math, /*isLeft=*/true, row, column, copy.rows, copy.columns, width));
      });
    });
  });
}

void LoopEmitter::loadBias(const FlatView &source, const FlatView &destination, Value count) {
  Value whole = math.whole(count, kBiasUnitBytes / 4);
  Value inside =
      math.both(areSizes(math, {count}), math.both(rowInside(b, source, whole), rowInside(b, destination, whole)));
  report(inside, OPC_KERNEL_OUTSIDE_TILE);
  ifTrue(inside, [&] {
    spend(count);
    forEach(count,
            [&](Value i) { storeAt(b, loadAt(b, source, source.offset, i), destination, destination.offset, i); });
  });
}

// Sums run over k in order, each step rounded to f32, as in the simulator; elements beyond k are read as well. Sums of
// bytes saturate at the end.
void LoopEmitter::mmad(const FlatView &lhs, const FlatView &rhs, const FlatView &result, const Product &product) {
  Value m = product.m, k = product.k, n = product.n, init = product.init;
  const std::optional<FlatView> &bias = product.bias;
  const int64_t width = widthOf(lhs);
  const bool isOfBytes = lhs.type == ElementType::Int8;
  Value depth = math.whole(k, width), rows = math.whole(m, kFractalRows), columns = math.whole(n, kFractalRows);
  Value inTile = areSizes(math, {m, k, n});
  inTile = math.both(inTile, rowInside(b, lhs, math.multiply(rows, depth)));
  inTile = math.both(inTile, rowInside(b, rhs, math.multiply(depth, columns)));
  inTile = math.both(inTile, rowInside(b, result, math.multiply(rows, columns)));
  if (bias)
    inTile = math.both(inTile, rowInside(b, *bias, n));
  report(inTile, OPC_KERNEL_OUTSIDE_TILE);
  ifTrue(inTile, [&] {
    spend(math.multiply(math.multiply(m, n), math.add(depth, 1)));
    forEach(m, [&](Value row) {
      forEach(n, [&](Value column) {
        Value place = placeInColumns(math, row, column, rows, kFractalRows);
        Value before = loadAt(b, result, result.offset, place);
        Value zero =
            isOfBytes ? arith::ConstantIntOp::create(b, 0, 32).getResult() : floatConstant(b, b.getF32Type(), 0);
        Value start = bias ? loadAt(b, *bias, bias->offset, column) : zero;
        Value first = math.select(init, start, before);
        Type wide = b.getI64Type();
        if (isOfBytes)
          first = arith::ExtSIOp::create(b, wide, first);
        auto loop = scf::ForOp::create(b, math.of(0), depth, math.of(1), ValueRange{first});
        {
          OpBuilder::InsertionGuard guard(b);
          b.setInsertionPointToStart(loop.getBody());
          Value step = loop.getInductionVar();
          Value placeX = placeInOperand(math, true, row, step, m, k, width);
          Value placeY = placeInOperand(math, false, column, step, n, k, width);
          Value sum = loop.getRegionIterArg(0);
          if (isOfBytes) {
            auto element = [&](const FlatView &of, Value at) -> Value {
              return arith::ExtSIOp::create(b, wide, loadAt(b, of, of.offset, at));
            };
            sum = arith::AddIOp::create(b, sum, arith::MulIOp::create(b, element(lhs, placeX), element(rhs, placeY)));
          } else {
            sum = arith::AddFOp::create(b, sum, arith::MulFOp::create(b, widened(lhs, placeX), widened(rhs, placeY)));
          }
          scf::YieldOp::create(b, ValueRange{sum});
        }
        Value sum = loop.getResult(0);
        if (isOfBytes) {
          auto limit = [&](int64_t number) { return arith::ConstantIntOp::create(b, number, 64).getResult(); };
          sum = arith::MaxSIOp::create(b, sum, limit(std::numeric_limits<int32_t>::min()));
          sum = arith::MinSIOp::create(b, sum, limit(std::numeric_limits<int32_t>::max()));
          sum = arith::TruncIOp::create(b, b.getI32Type(), sum);
        }
        storeAt(b, sum, result, result.offset, place);
      });
    });
  });
}

void LoopEmitter::fixpipe(const FlatView &source, const FlatView &destination, const Results &results) {
  Value m = results.m, n = results.n;
  const bool relu = results.relu, isNz = results.isNz;
  const std::optional<FlatView> &scale = results.scale;
  Value rows = math.whole(m, kFractalRows), columns = math.whole(n, kFractalRows);
  Value inSource = areSizes(math, {m, n}), touched = math.multiply(rows, columns), height = rows;
  if (results.height) {
    height = results.height;
    inSource = math.both(inSource, math.both(areSizes(math, {height}), math.isAtMost(rows, height)));
    // The last column of fractals ends with the rows that are copied.
    Value fractal = math.of(kFractalRows);
    Value before = math.multiply(math.subtract(math.max(columns, fractal), fractal), height);
    touched = math.select(math.isZero(n), math.of(0), math.add(before, math.multiply(rows, fractal)));
  }
  inSource = math.both(inSource, rowInside(b, source, touched));
  if (scale)
    inSource = math.both(inSource, rowInside(b, *scale, math.multiply(n, kScaleBytes / 4)));
  // A row of the destination is a row of the result, or a column of fractals of m rows.
  Value inside = rowsInside(b, destination, isNz ? math.multiply(m, kFractalRows) : n);
  if (isNz)
    inside = math.both(inside, math.isEqual(math.multiply(destination.sizes[0], kFractalRows), n));
  report(inSource, OPC_KERNEL_OUTSIDE_TILE);
  report(inside, destination.global ? OPC_KERNEL_OUTSIDE_TENSOR : OPC_KERNEL_OUTSIDE_TILE);
  ifTrue(math.both(inSource, inside), [&] {
    spend(math.multiply(m, n));
    forEach(m, [&](Value row) {
      forEach(n, [&](Value column) {
        Value value = loadAt(b, source, source.offset, placeInColumns(math, row, column, height, kFractalRows));
        if (scale) {
          Value factor = loadAt(b, *scale, scale->offset, math.multiply(column, kScaleBytes / 4));
          value = arith::MulFOp::create(b, arith::SIToFPOp::create(b, b.getF32Type(), value), factor);
        }
        if (relu && isa<IntegerType>(value.getType())) {
          value = arith::MaxSIOp::create(b, value, arith::ConstantIntOp::create(b, 0, 32));
        } else if (relu) {
          Value zero = floatConstant(b, b.getF32Type(), 0);
          Value isNegative = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, value, zero);
          value = math.select(isNegative, zero, value);
        }
        value = narrow(b, value, destination.type);
        if (isNz)
          storeAt(b, value, destination, positionOfRow(destination, math.divide(column, kFractalRows)),
                  math.add(math.multiply(row, kFractalRows), math.rest(column, kFractalRows)));
        else
          storeAt(b, value, destination, positionOfRow(destination, row), column);
      });
    });
  });
}

} // namespace opc::cpu

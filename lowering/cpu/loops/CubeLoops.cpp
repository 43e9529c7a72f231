// The cube and its copies as loops over elements: a second implementation of the layouts beside the simulator's, with
// formulae for the address of an element instead of copies of fractals.
//
//   L1   element (i, j) of a matrix in columns of `height` rows    (j div w) * height * w + i * w + j mod w
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

namespace {

/// Arithmetic on indices that are not negative.
class Indices {
public:
  explicit Indices(ImplicitLocOpBuilder &b) : b(b) {}

  Value of(int64_t value) { return arith::ConstantIndexOp::create(b, value); }
  Value add(Value x, Value y) { return b.createOrFold<arith::AddIOp>(x, y); }
  Value multiply(Value x, Value y) { return b.createOrFold<arith::MulIOp>(x, y); }
  Value multiply(Value x, int64_t y) { return multiply(x, of(y)); }
  Value divide(Value x, int64_t y) { return b.createOrFold<arith::DivUIOp>(x, of(y)); }
  Value rest(Value x, int64_t y) { return b.createOrFold<arith::RemUIOp>(x, of(y)); }
  Value units(Value x, int64_t unit) { return divide(add(x, of(unit - 1)), unit); }
  Value whole(Value x, int64_t unit) { return multiply(units(x, unit), unit); }
  Value both(Value x, Value y) { return b.createOrFold<arith::AndIOp>(x, y); }
  /// Unsigned, so that a negative number exceeds any bound.
  Value isAtMost(Value x, Value y) { return b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ule, x, y); }
  Value areSizes(ArrayRef<Value> values) {
    Value all = arith::ConstantIntOp::create(b, 1, 1);
    for (Value value : values)
      all = both(all, isAtMost(value, of(kMostSize)));
    return all;
  }

private:
  ImplicitLocOpBuilder &b;
};

} // namespace

/// Elements in 32 bytes.
static int64_t widthOf(const TileView &tile) {
  return kFractalRowBytes / elementSize(tile.type);
}

/// The offset of an element of a matrix in columns of `height` rows, each row `width` elements.
static Value placeInColumns(Indices &at, Value row, Value column, Value height, int64_t width) {
  Value start = at.multiply(at.multiply(at.divide(column, width), height), width);
  return at.add(at.add(start, at.multiply(row, width)), at.rest(column, width));
}

/// The offset of an element of an operand: `line` is a row of L0A or a column of L0B.
static Value placeInOperand(Indices &at, bool isLeft, Value line, Value k, Value lines, Value depth, int64_t width) {
  Value fractalLine = at.divide(line, kFractalRows), fractalDepth = at.divide(k, width);
  Value fractal = isLeft ? at.add(at.multiply(fractalLine, at.units(depth, width)), fractalDepth)
                         : at.add(at.multiply(fractalDepth, at.units(lines, kFractalRows)), fractalLine);
  return at.add(at.add(at.multiply(fractal, kFractalRows * width), at.multiply(at.rest(line, kFractalRows), width)),
                at.rest(k, width));
}

void LoopEmitter::loadNz(const TileView &source, const TileView &destination, Value height) {
  Indices at(b);
  const int64_t width = widthOf(destination);
  Value rows = source.sizes[0], columns = source.columns();
  Value sizes = at.both(at.areSizes({rows, columns, height}), at.isAtMost(rows, height));
  Value inTensor = rowsInside(b, source, columns);
  Value inTile = at.both(sizes, rowInside(b, destination, at.multiply(at.whole(columns, width), height)));
  report(inTensor, OPC_KERNEL_OUTSIDE_TENSOR);
  report(inTile, OPC_KERNEL_OUTSIDE_TILE);
  ifTrue(at.both(inTensor, inTile), [&] {
    spend(at.multiply(rows, at.whole(columns, width)));
    forEach(rows, [&](Value row) {
      Value from = positionOfRow(source, row);
      auto put = [&](Value value, Value column) {
        storeAt(b, value, destination, destination.offset, placeInColumns(at, row, column, height, width));
      };
      forEach(columns, [&](Value column) { put(loadAt(b, source, from, column), column); });
      Value zero = destination.type == ElementType::Int8
                       ? arith::ConstantIntOp::create(b, 0, 8).getResult()
                       : narrow(b, floatConstant(b, b.getF32Type(), 0), destination.type);
      Value missing = b.createOrFold<arith::SubIOp>(at.whole(columns, width), columns);
      forEach(missing, [&](Value column) { put(zero, at.add(columns, column)); });
    });
  });
}

void LoopEmitter::loadPacked(const TileView &source, const TileView &destination, Value height) {
  Indices at(b);
  Value columns = source.sizes[0], length = source.columns(), pitch = at.multiply(height, widthOf(destination));
  Value inTensor = rowsInside(b, source, length);
  Value inTile = at.both(at.areSizes({columns, length, height}), at.isAtMost(length, pitch));
  inTile = at.both(inTile, rowInside(b, destination, at.multiply(columns, pitch)));
  report(inTensor, OPC_KERNEL_OUTSIDE_TENSOR);
  report(inTile, OPC_KERNEL_OUTSIDE_TILE);
  ifTrue(at.both(inTensor, inTile), [&] {
    spend(at.multiply(columns, length));
    forEach(columns, [&](Value column) {
      Value from = positionOfRow(source, column), to = at.multiply(column, pitch);
      forEach(length, [&](Value element) {
        storeAt(b, loadAt(b, source, from, element), destination, destination.offset, at.add(to, element));
      });
    });
  });
}

void LoopEmitter::storeNz(const TileView &source, const TileView &destination, Value height) {
  Indices at(b);
  const int64_t width = widthOf(destination);
  Value rows = source.sizes[0], columns = source.columns();
  Value sizes = at.both(at.areSizes({rows, columns, height}), at.isAtMost(rows, height));
  Value whole = at.whole(columns, width);
  Value inside =
      at.both(at.both(sizes, rowsInside(b, source, whole)), rowInside(b, destination, at.multiply(whole, height)));
  report(inside, OPC_KERNEL_OUTSIDE_TILE);
  ifTrue(inside, [&] {
    spend(at.multiply(rows, whole));
    forEach(rows, [&](Value row) {
      Value from = positionOfRow(source, row);
      forEach(whole, [&](Value column) {
        storeAt(b, loadAt(b, source, from, column), destination, destination.offset,
                placeInColumns(at, row, column, height, width));
      });
    });
  });
}

void LoopEmitter::fillBlocks(Value value, const TileView &destination, Value first, Value rows, Value blocks,
                             Value stride) {
  Indices at(b);
  const int64_t width = widthOf(destination);
  Value sizes = at.areSizes({first, rows, blocks, stride});
  Value end = at.add(at.add(first, at.multiply(rows, stride)), blocks);
  Value last = b.createOrFold<arith::SubIOp>(end, stride);
  Value none = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, at.multiply(rows, blocks), at.of(0));
  Value inTile = at.both(sizes, arith::OrIOp::create(b, none, rowInside(b, destination, at.multiply(last, width))));
  report(inTile, OPC_KERNEL_OUTSIDE_TILE);
  ifTrue(inTile, [&] {
    Value elements = at.multiply(blocks, width);
    spend(at.multiply(rows, elements));
    forEach(rows, [&](Value row) {
      Value start = at.multiply(at.add(first, at.multiply(row, stride)), width);
      forEach(elements, [&](Value i) { storeAt(b, value, destination, destination.offset, at.add(start, i)); });
    });
  });
}

void LoopEmitter::loadFractals(const TileView &source, const TileView &destination, const FractalCopy &copy) {
  Indices at(b);
  const int64_t width = widthOf(destination);
  Value depth = copy.isLeft ? copy.columns : copy.rows, lines = copy.isLeft ? copy.rows : copy.columns;
  // Bytes are transposed in squares.
  const int64_t unit = copy.transposed ? width : kFractalRows;
  Value wholeDepth = at.whole(depth, width), wholeLines = at.whole(lines, unit);
  // Rows of L0A and columns of L0B are rows of the matrix in the source, unless fractals are transposed.
  const bool linesAreHigh = !copy.transposed;
  Value high = linesAreHigh ? wholeLines : wholeDepth, wide = linesAreHigh ? wholeDepth : wholeLines;
  Value sizes = at.both(at.areSizes({depth, lines, copy.height}), at.isAtMost(high, copy.height));
  Value inTile = at.both(at.both(sizes, rowInside(b, source, at.multiply(at.whole(wide, width), copy.height))),
                         rowInside(b, destination, at.multiply(wholeDepth, wholeLines)));
  report(inTile, OPC_KERNEL_OUTSIDE_TILE);
  ifTrue(inTile, [&] {
    spend(at.multiply(wholeDepth, wholeLines));
    forEach(wholeLines, [&](Value line) {
      forEach(wholeDepth, [&](Value k) {
        Value from = linesAreHigh ? placeInColumns(at, line, k, copy.height, width)
                                  : placeInColumns(at, k, line, copy.height, width);
        storeAt(b, loadAt(b, source, source.offset, from), destination, destination.offset,
                placeInOperand(at, copy.isLeft, line, k, wholeLines, depth, width));
      });
    });
  });
}

// Sums run over k in order, each step rounded to f32, as in the simulator; elements beyond k are read as well. Sums of
// bytes wrap around, where the chip's saturate.
void LoopEmitter::mmad(const TileView &lhs, const TileView &rhs, const TileView &result, Value m, Value k, Value n,
                       Value init) {
  Indices at(b);
  const int64_t width = widthOf(lhs);
  const bool isOfBytes = lhs.type == ElementType::Int8;
  Value depth = at.whole(k, width), rows = at.whole(m, kFractalRows), columns = at.whole(n, kFractalRows);
  Value inTile = at.areSizes({m, k, n});
  inTile = at.both(inTile, rowInside(b, lhs, at.multiply(rows, depth)));
  inTile = at.both(inTile, rowInside(b, rhs, at.multiply(depth, columns)));
  inTile = at.both(inTile, rowInside(b, result, at.multiply(rows, columns)));
  report(inTile, OPC_KERNEL_OUTSIDE_TILE);
  ifTrue(inTile, [&] {
    spend(at.multiply(at.multiply(m, n), at.add(depth, at.of(1))));
    forEach(m, [&](Value row) {
      forEach(n, [&](Value column) {
        Value place = placeInColumns(at, row, column, rows, kFractalRows);
        Value before = loadAt(b, result, result.offset, place);
        Value zero =
            isOfBytes ? arith::ConstantIntOp::create(b, 0, 32).getResult() : floatConstant(b, b.getF32Type(), 0);
        Value first = arith::SelectOp::create(b, init, zero, before);
        auto loop = scf::ForOp::create(b, at.of(0), depth, at.of(1), ValueRange{first});
        {
          OpBuilder::InsertionGuard guard(b);
          b.setInsertionPointToStart(loop.getBody());
          Value step = loop.getInductionVar();
          Value placeX = placeInOperand(at, true, row, step, m, k, width);
          Value placeY = placeInOperand(at, false, column, step, n, k, width);
          Value sum = loop.getRegionIterArg(0);
          if (isOfBytes) {
            auto element = [&](const TileView &of, Value at) -> Value {
              return arith::ExtSIOp::create(b, b.getI32Type(), loadAt(b, of, of.offset, at));
            };
            Value product = arith::MulIOp::create(b, element(lhs, placeX), element(rhs, placeY));
            sum = arith::AddIOp::create(b, sum, product);
          } else {
            sum = arith::AddFOp::create(b, sum, arith::MulFOp::create(b, widened(lhs, placeX), widened(rhs, placeY)));
          }
          scf::YieldOp::create(b, ValueRange{sum});
        }
        storeAt(b, loop.getResult(0), result, result.offset, place);
      });
    });
  });
}

void LoopEmitter::fixpipe(const TileView &source, const TileView &destination, Value m, Value n, bool relu) {
  Indices at(b);
  Value rows = at.whole(m, kFractalRows), columns = at.whole(n, kFractalRows);
  Value sizes = at.areSizes({m, n});
  Value inSource = at.both(sizes, rowInside(b, source, at.multiply(rows, columns)));
  Value inside = rowsInside(b, destination, n);
  report(inSource, OPC_KERNEL_OUTSIDE_TILE);
  report(inside, destination.global ? OPC_KERNEL_OUTSIDE_TENSOR : OPC_KERNEL_OUTSIDE_TILE);
  ifTrue(at.both(inSource, inside), [&] {
    spend(at.multiply(m, n));
    forEach(m, [&](Value row) {
      Value to = positionOfRow(destination, row);
      forEach(n, [&](Value column) {
        Value value = loadAt(b, source, source.offset, placeInColumns(at, row, column, rows, kFractalRows));
        if (relu && source.type == ElementType::Int32) {
          value = arith::MaxSIOp::create(b, value, arith::ConstantIntOp::create(b, 0, 32));
        } else if (relu) {
          Value zero = floatConstant(b, b.getF32Type(), 0);
          Value isNegative = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, value, zero);
          value = arith::SelectOp::create(b, isNegative, zero, value);
        }
        storeAt(b, narrow(b, value, destination.type), destination, to, column);
      });
    });
  });
}

} // namespace opc::cpu

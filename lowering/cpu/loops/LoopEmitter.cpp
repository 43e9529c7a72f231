#include "lowering/cpu/loops/LoopEmitter.h"

#include "lowering/cpu/loops/Lanes.h"
#include "runtime/program/opc_kernel_library.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace opc::cpu {

//===----------------------------------------------------------------------===//
// Checks and loops
//===----------------------------------------------------------------------===//

void LoopEmitter::report(Value ok, int bit) {
  APInt known;
  if (matchPattern(ok, m_ConstantInt(&known)) && known.isOne())
    return;
  Value none = integerConstant(b, b.getI32Type(), 0), set = integerConstant(b, b.getI32Type(), bit);
  Value found = arith::SelectOp::create(b, ok, none, set);
  Value before = memref::LoadOp::create(b, state.status, ValueRange{});
  memref::StoreOp::create(b, arith::OrIOp::create(b, before, found), state.status, ValueRange{});
}

Value LoopEmitter::guarded(Value ok, Value count, int bit) {
  report(ok, bit);
  Value lanes = math.select(ok, count, math.of(0));
  spend(lanes);
  return lanes;
}

Value LoopEmitter::sameLength(Value count, Value other) {
  APInt x, y;
  bool equal = matchPattern(count, m_ConstantInt(&x)) && matchPattern(other, m_ConstantInt(&y)) && x == y;
  if (count == other || equal)
    return arith::ConstantIntOp::create(b, 1, 1);
  return math.isEqual(count, other);
}

void LoopEmitter::forEach(Value count, Body body) {
  auto loop = scf::ForOp::create(b, math.of(0), count, math.of(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void LoopEmitter::ifTrue(Value condition, function_ref<void()> body) {
  auto op = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.thenBlock());
  body();
}

Value LoopEmitter::widened(const FlatView &view, Value index) {
  return widen(b, loadAt(b, view, view.offset, index), view.type);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

Value LoopEmitter::positionOfRow(const FlatView &view, Value row) {
  if (view.rank() == 1)
    return view.offset;
  Value skipped = math.multiply(row, view.strides[0]);
  return math.add(view.offset, skipped);
}

// Copies the rows of two views of equal shape that are inside their roots.
void LoopEmitter::copyRows(const FlatView &source, const FlatView &destination, Value pad, bool atomicAdd) {
  Value rows = source.rank() == 2 ? source.sizes[0] : math.of(1);
  Value columns = source.columns();
  spend(math.multiply(rows, columns));
  forEach(rows, [&](Value row) {
    Value from = positionOfRow(source, row), to = positionOfRow(destination, row);
    forEach(columns, [&](Value column) {
      Value value = loadAt(b, source, from, column);
      if (atomicAdd) {
        Value before = widen(b, loadAt(b, destination, to, column), destination.type);
        Lane lane{before, widen(b, value, source.type), {}, {}};
        value = laneResult(b, Intrinsic::vadd, TypeRow{source.type, source.type}, lane);
      }
      storeAt(b, value, destination, to, column);
    });
    if (!pad)
      return;
    // Fills the rest of the row's last 32 bytes.
    int64_t unit = 32 / elementSize(destination.type);
    Value rest = math.rest(columns, unit);
    Value missing = math.rest(math.subtract(math.of(unit), rest), unit);
    Value end = math.add(to, columns);
    forEach(missing, [&](Value column) { storeAt(b, pad, destination, end, column); });
  });
}

void LoopEmitter::load(const FlatView &source, const FlatView &destination, Value pad) {
  // The length of a padded row is rounded up to 32 bytes. The rounding may wrap around, so the unpadded length is
  // checked as well.
  Value length = destination.columns();
  if (pad) {
    int64_t unit = 32 / elementSize(destination.type);
    length = math.whole(length, unit);
  }
  Value inTensor = rowsInside(b, source, source.columns());
  Value inTile = rowsInside(b, destination, destination.columns());
  if (pad)
    inTile = math.both(inTile, rowsInside(b, destination, length));
  for (unsigned dim = 0; dim < source.rank(); ++dim)
    inTile = math.both(inTile, sameLength(source.sizes[dim], destination.sizes[dim]));
  report(inTensor, OPC_KERNEL_OUTSIDE_TENSOR);
  report(inTile, OPC_KERNEL_OUTSIDE_TILE);
  Value inside = math.both(inTensor, inTile);
  ifTrue(inside, [&] { copyRows(source, destination, pad, /*atomicAdd=*/false); });
}

void LoopEmitter::store(const FlatView &source, const FlatView &destination, bool atomicAdd) {
  Value inTensor = rowsInside(b, destination, destination.columns());
  Value inTile = rowsInside(b, source, source.columns());
  for (unsigned dim = 0; dim < source.rank(); ++dim)
    inTile = math.both(inTile, sameLength(source.sizes[dim], destination.sizes[dim]));
  report(inTensor, OPC_KERNEL_OUTSIDE_TENSOR);
  report(inTile, OPC_KERNEL_OUTSIDE_TILE);
  Value inside = math.both(inTensor, inTile);
  ifTrue(inside, [&] { copyRows(source, destination, {}, atomicAdd); });
}

//===----------------------------------------------------------------------===//
// The scalar unit
//===----------------------------------------------------------------------===//

// Element `index` of a tile, as a view.
static FlatView elementOf(IndexMath &math, const FlatView &tile, Value index) {
  FlatView element = tile;
  Value moved = math.multiply(index, tile.strides[0]);
  element.offset = math.add(tile.offset, moved);
  return element;
}

Value LoopEmitter::scalarRead(const FlatView &tile, Value position) {
  FlatView element = elementOf(math, tile, position);
  Value ok = rowInside(b, element, math.of(1));
  report(ok, OPC_KERNEL_OUTSIDE_TILE);
  Value safe = math.select(ok, element.offset, math.of(0));
  Value value = loadAt(b, tile, safe, math.of(0));
  if (tile.type == ElementType::Bool)
    return arith::TruncIOp::create(b, b.getI1Type(), value);
  return value;
}

void LoopEmitter::scalarWrite(Value value, const FlatView &tile, Value position) {
  FlatView element = elementOf(math, tile, position);
  Value ok = rowInside(b, element, math.of(1));
  report(ok, OPC_KERNEL_OUTSIDE_TILE);
  if (tile.type == ElementType::Bool)
    value = arith::ExtUIOp::create(b, b.getI8Type(), value);
  ifTrue(ok, [&] { storeAt(b, value, tile, element.offset, math.of(0)); });
}

} // namespace opc::cpu

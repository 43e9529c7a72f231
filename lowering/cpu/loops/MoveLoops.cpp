// Intrinsics that move elements without changing them: gather and scatter by byte offsets, compaction of selected
// elements, transposes.

#include "lowering/cpu/loops/Lanes.h"
#include "lowering/cpu/loops/LoopEmitter.h"
#include "runtime/program/opc_kernel_library.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace opc::cpu {

std::pair<Value, Value> LoopEmitter::elementAtOffset(const TileView &tile, Value offset) {
  Value size = index(elementSize(tile.type));
  Value bytes = arith::IndexCastUIOp::create(b, b.getIndexType(), offset);
  Value element = arith::DivUIOp::create(b, bytes, size);
  Value whole = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, arith::RemUIOp::create(b, bytes, size), index(0));
  Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, element, tile.columns());
  Value good = arith::AndIOp::create(b, whole, inside);
  return {good, arith::SelectOp::create(b, good, element, index(0))};
}

// An offset that is not an element of the source reads the first element instead, and is reported after the loop.
void LoopEmitter::gather(ArrayRef<TileView> sources, const TileView &destination) {
  const TileView &table = sources[0], &offsets = sources[1];
  Value count = destination.columns();
  Value ok = b.createOrFold<arith::AndIOp>(rowInside(b, destination, count), rowInside(b, offsets, count));
  ok = b.createOrFold<arith::AndIOp>(ok, sameLength(count, offsets.columns()));
  ok = b.createOrFold<arith::AndIOp>(ok, rowInside(b, table, table.columns()));
  Value empty = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, table.columns(), index(0));
  Value none = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, count, index(0));
  Value filled = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, empty, arith::ConstantIntOp::create(b, 1, 1));
  ok = b.createOrFold<arith::AndIOp>(ok, b.createOrFold<arith::OrIOp>(filled, none));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);

  Value yes = arith::ConstantIntOp::create(b, 1, 1);
  auto loop = scf::ForOp::create(b, index(0), count, index(1), ValueRange{yes});
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value i = loop.getInductionVar();
    auto [good, safe] = elementAtOffset(table, loadAt(b, offsets, offsets.offset, i));
    storeAt(b, loadAt(b, table, table.offset, safe), destination, destination.offset, i);
    scf::YieldOp::create(b, ValueRange{arith::AndIOp::create(b, loop.getRegionIterArg(0), good)});
  }
  report(loop.getResult(0), OPC_KERNEL_OUTSIDE_TILE);
}

// Lanes are executed in order, so the last of equal offsets wins. An offset that is not an element of the destination
// writes nothing, and is reported after the loop.
void LoopEmitter::scatter(ArrayRef<TileView> sources, const TileView &destination) {
  const TileView &source = sources[0], &offsets = sources[1];
  Value count = source.columns();
  Value ok = b.createOrFold<arith::AndIOp>(rowInside(b, source, count), rowInside(b, offsets, count));
  ok = b.createOrFold<arith::AndIOp>(ok, sameLength(count, offsets.columns()));
  ok = b.createOrFold<arith::AndIOp>(ok, rowInside(b, destination, destination.columns()));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);
  Value yes = arith::ConstantIntOp::create(b, 1, 1);
  auto loop = scf::ForOp::create(b, index(0), count, index(1), ValueRange{yes});
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value i = loop.getInductionVar();
    auto [good, place] = elementAtOffset(destination, loadAt(b, offsets, offsets.offset, i));
    ifTrue(good, [&, place = place] {
      storeAt(b, loadAt(b, source, source.offset, i), destination, destination.offset, place);
    });
    scf::YieldOp::create(b, ValueRange{arith::AndIOp::create(b, loop.getRegionIterArg(0), good)});
  }
  report(loop.getResult(0), OPC_KERNEL_OUTSIDE_TILE);
}

void LoopEmitter::gatherMask(ArrayRef<TileView> sources, const TileView &destination) {
  const TileView &mask = sources[0], &source = sources[1];
  Value count = source.columns();
  Value ok = b.createOrFold<arith::AndIOp>(rowInside(b, source, count), hasRoom(destination, count));
  ok = b.createOrFold<arith::AndIOp>(ok, rowInside(b, mask, lengthOf({8, 7, 1}, count)));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);
  auto loop = scf::ForOp::create(b, index(0), count, index(1), ValueRange{index(0)});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value i = loop.getInductionVar(), place = loop.getRegionIterArg(0), bit = bitOf(mask, i);
  ifTrue(bit, [&] { storeAt(b, loadAt(b, source, source.offset, i), destination, destination.offset, place); });
  Value next = arith::AddIOp::create(b, place, index(1));
  scf::YieldOp::create(b, ValueRange{arith::SelectOp::create(b, bit, next, place)});
}

// Every step-th element, starting with element `first`.
void LoopEmitter::gatherPattern(GatherPattern pattern, const TileView &source, const TileView &destination) {
  const ResultLength length = resultLength(IntrinsicForm::GatherPattern, source.type, pattern);
  int64_t first = 0;
  while (!keepsElement(pattern, first))
    ++first;
  Value count = source.columns();
  Value ok = b.createOrFold<arith::AndIOp>(rowInside(b, source, count), hasRoom(destination, lengthOf(length, count)));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);
  forEach(lengthOf(length, count), [&](Value i) {
    Value element = arith::AddIOp::create(b, arith::MulIOp::create(b, i, index(length.divisor)), index(first));
    storeAt(b, loadAt(b, source, source.offset, element), destination, destination.offset, i);
  });
}

// Swaps two mirrored elements at a time. Both are read before either is written, so the destination may be the source.
void LoopEmitter::transpose(const TileView &source, const TileView &destination) {
  Value rows = index(kTransposeRows), count = source.columns();
  Value ok = b.createOrFold<arith::AndIOp>(rowInside(b, source, count), hasRoom(destination, count));
  ok = b.createOrFold<arith::AndIOp>(ok, sameLength(count, index(kTransposeRows * kTransposeRows)));
  forEach(guarded(ok, rows, OPC_KERNEL_OUTSIDE_TILE), [&](Value i) {
    forEach(arith::AddIOp::create(b, i, index(1)), [&](Value j) {
      Value here = arith::AddIOp::create(b, arith::MulIOp::create(b, i, rows), j);
      Value there = arith::AddIOp::create(b, arith::MulIOp::create(b, j, rows), i);
      Value a = loadAt(b, source, source.offset, here), c = loadAt(b, source, source.offset, there);
      storeAt(b, c, destination, destination.offset, here);
      storeAt(b, a, destination, destination.offset, there);
    });
  });
}

void LoopEmitter::channelsLast(const TileView &source, const TileView &destination) {
  Value channels = index(channelsOf(source.type)), count = source.columns();
  Value ok = b.createOrFold<arith::AndIOp>(rowInside(b, source, count), hasRoom(destination, count));
  ok = b.createOrFold<arith::AndIOp>(ok, isMultiple(count, countUnit(IntrinsicForm::ChannelsLast, source.type)));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);
  Value plane = arith::DivUIOp::create(b, count, channels);
  forEach(plane, [&](Value p) {
    forEach(channels, [&](Value c) {
      Value from = arith::AddIOp::create(b, arith::MulIOp::create(b, c, plane), p);
      Value to = arith::AddIOp::create(b, arith::MulIOp::create(b, p, channels), c);
      storeAt(b, loadAt(b, source, source.offset, from), destination, destination.offset, to);
    });
  });
}

} // namespace opc::cpu

// Intrinsics that move elements without changing them: gather and scatter by byte offsets, compaction of selected
// elements, transposes.

#include "lowering/cpu/loops/Lanes.h"
#include "lowering/cpu/loops/LoopEmitter.h"
#include "runtime/program/opc_kernel_library.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace opc::cpu {

std::pair<Value, Value> LoopEmitter::elementAtOffset(const FlatView &tile, Value offset) {
  Value size = math.of(elementSize(tile.type));
  Value bytes = arith::IndexCastUIOp::create(b, b.getIndexType(), offset);
  Value element = math.divide(bytes, size);
  Value whole = math.isMultiple(bytes, size);
  Value inside = math.isBelow(element, tile.columns());
  Value good = math.both(whole, inside);
  return {good, math.select(good, element, math.of(0))};
}

// An offset that is not an element of the source reads the first element instead, and is reported after the loop.
void LoopEmitter::gather(ArrayRef<FlatView> sources, const FlatView &destination) {
  const FlatView &table = sources[0], &offsets = sources[1];
  Value count = destination.columns();
  Value ok = math.both(rowInside(b, destination, count), rowInside(b, offsets, count));
  ok = math.both(ok, sameLength(count, offsets.columns()));
  ok = math.both(ok, rowInside(b, table, table.columns()));
  ok = math.both(ok, math.either(math.isSome(table.columns()), math.isZero(count)));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);

  Value yes = arith::ConstantIntOp::create(b, 1, 1);
  auto loop = scf::ForOp::create(b, math.of(0), count, math.of(1), ValueRange{yes});
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value i = loop.getInductionVar();
    auto [good, safe] = elementAtOffset(table, loadAt(b, offsets, offsets.offset, i));
    storeAt(b, loadAt(b, table, table.offset, safe), destination, destination.offset, i);
    scf::YieldOp::create(b, ValueRange{math.both(loop.getRegionIterArg(0), good)});
  }
  report(loop.getResult(0), OPC_KERNEL_OUTSIDE_TILE);
}

// Lanes are executed in order, so the last of equal offsets wins. An offset that is not an element of the destination
// writes nothing, and is reported after the loop.
void LoopEmitter::scatter(ArrayRef<FlatView> sources, const FlatView &destination) {
  const FlatView &source = sources[0], &offsets = sources[1];
  Value count = source.columns();
  Value ok = math.both(rowInside(b, source, count), rowInside(b, offsets, count));
  ok = math.both(ok, sameLength(count, offsets.columns()));
  ok = math.both(ok, rowInside(b, destination, destination.columns()));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);
  Value yes = arith::ConstantIntOp::create(b, 1, 1);
  auto loop = scf::ForOp::create(b, math.of(0), count, math.of(1), ValueRange{yes});
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value i = loop.getInductionVar();
    auto [good, place] = elementAtOffset(destination, loadAt(b, offsets, offsets.offset, i));
    ifTrue(good, [&, place = place] {
      storeAt(b, loadAt(b, source, source.offset, i), destination, destination.offset, place);
    });
    scf::YieldOp::create(b, ValueRange{math.both(loop.getRegionIterArg(0), good)});
  }
  report(loop.getResult(0), OPC_KERNEL_OUTSIDE_TILE);
}

void LoopEmitter::gatherMask(ArrayRef<FlatView> sources, const FlatView &destination) {
  const FlatView &mask = sources[0], &source = sources[1];
  Value count = source.columns();
  Value ok = math.both(rowInside(b, source, count), hasRoom(destination, count));
  ok = math.both(ok, rowInside(b, mask, lengthOf({8, 7, 1}, count)));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);
  auto loop = scf::ForOp::create(b, math.of(0), count, math.of(1), ValueRange{math.of(0)});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value i = loop.getInductionVar(), place = loop.getRegionIterArg(0), bit = bitOf(mask, i);
  ifTrue(bit, [&] { storeAt(b, loadAt(b, source, source.offset, i), destination, destination.offset, place); });
  Value next = math.add(place, 1);
  scf::YieldOp::create(b, ValueRange{math.select(bit, next, place)});
}

// Every step-th element, starting with element `first`.
void LoopEmitter::gatherPattern(GatherPattern pattern, const FlatView &source, const FlatView &destination) {
  const ResultLength length = resultLength(IntrinsicForm::GatherPattern, source.type, pattern);
  int64_t first = 0;
  while (!keepsElement(pattern, first))
    ++first;
  Value count = source.columns();
  Value ok = math.both(rowInside(b, source, count), hasRoom(destination, lengthOf(length, count)));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);
  forEach(lengthOf(length, count), [&](Value i) {
    Value element = math.add(math.multiply(i, length.divisor), first);
    storeAt(b, loadAt(b, source, source.offset, element), destination, destination.offset, i);
  });
}

// Swaps two mirrored elements at a time. Both are read before either is written, so the destination may be the source.
void LoopEmitter::transpose(const FlatView &source, const FlatView &destination) {
  Value rows = math.of(kTransposeRows), count = source.columns();
  Value ok = math.both(rowInside(b, source, count), hasRoom(destination, count));
  ok = math.both(ok, sameLength(count, math.of(kTransposeRows * kTransposeRows)));
  forEach(guarded(ok, rows, OPC_KERNEL_OUTSIDE_TILE), [&](Value i) {
    forEach(math.add(i, 1), [&](Value j) {
      Value here = math.add(math.multiply(i, rows), j);
      Value there = math.add(math.multiply(j, rows), i);
      Value a = loadAt(b, source, source.offset, here), c = loadAt(b, source, source.offset, there);
      storeAt(b, c, destination, destination.offset, here);
      storeAt(b, a, destination, destination.offset, there);
    });
  });
}

void LoopEmitter::channelsLast(const FlatView &source, const FlatView &destination) {
  Value channels = math.of(channelsOf(source.type)), count = source.columns();
  Value ok = math.both(rowInside(b, source, count), hasRoom(destination, count));
  ok = math.both(ok, math.isMultiple(count, countUnit(IntrinsicForm::ChannelsLast, source.type)));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);
  Value plane = math.divide(count, channels);
  forEach(plane, [&](Value p) {
    forEach(channels, [&](Value c) {
      Value from = math.add(math.multiply(c, plane), p);
      Value to = math.add(math.multiply(p, channels), c);
      storeAt(b, loadAt(b, source, source.offset, from), destination, destination.offset, to);
    });
  });
}

} // namespace opc::cpu

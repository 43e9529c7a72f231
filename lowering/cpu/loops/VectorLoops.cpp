// Vector intrinsics that are more than a loop over lanes: masks and reductions. See MoveLoops.cpp for those that move
// elements and SortLoops.cpp for sorting.

#include "lowering/cpu/loops/Lanes.h"
#include "lowering/cpu/loops/LoopEmitter.h"
#include "runtime/program/opc_kernel_library.h"
#include "runtime/target/RowForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace mlir;

namespace opc::cpu {

void LoopEmitter::vector(aicore::VectorOpInterface op, ArrayRef<FlatView> sources, Value scalar,
                         const FlatView &destination, ArrayRef<Value> extent) {
  if (!extent.empty())
    return reduceRows(op.getIntrinsic(), sources.front(), destination, extent[0], extent[1]);
  if (op.takesRows())
    return withRows(op.getIntrinsic(), sources, destination);
  switch (intrinsicInfo(op.getIntrinsic()).form) {
  case IntrinsicForm::Compare:
  case IntrinsicForm::CompareScalar:
    return compareToMask(op, sources, scalar, destination);
  case IntrinsicForm::Select:
  case IntrinsicForm::SelectScalar:
    return select(sources, scalar, destination);
  case IntrinsicForm::Gather:
    return gather(sources, destination);
  case IntrinsicForm::Scatter:
    return scatter(sources, destination);
  case IntrinsicForm::GatherMask:
    return gatherMask(sources, destination);
  case IntrinsicForm::GatherPattern:
    return gatherPattern(aicore::toTarget(op.getKeep()), sources.front(), destination);
  case IntrinsicForm::Transpose:
    return transpose(sources.front(), destination);
  case IntrinsicForm::ChannelsLast:
    return channelsLast(sources.front(), destination);
  case IntrinsicForm::Sort:
    return sortGroups(sources, destination);
  case IntrinsicForm::Merge:
    return mergeLists(sources, destination);
  case IntrinsicForm::Reduce:
    return reduce(op.getIntrinsic(), sources.front(), destination);
  case IntrinsicForm::RepeatReduce:
  case IntrinsicForm::BlockReduce:
    return reduceParts(op.getIntrinsic(), sources.front(), destination);
  case IntrinsicForm::PairReduce:
    return addPairs(sources.front(), destination);
  case IntrinsicForm::Unary:
  case IntrinsicForm::Binary:
  case IntrinsicForm::Scalar:
  case IntrinsicForm::Accumulate:
  case IntrinsicForm::AccumulateScalar:
  case IntrinsicForm::Fill:
  case IntrinsicForm::Cast:
  case IntrinsicForm::UnaryScratch:
  case IntrinsicForm::BinaryScratch:
    return; // lane ops
  }
}

bool LoopEmitter::needsPartials(Intrinsic intrinsic) {
  const IntrinsicForm form = intrinsicInfo(intrinsic).form;
  return form == IntrinsicForm::Reduce || form == IntrinsicForm::RepeatReduce || form == IntrinsicForm::BlockReduce;
}

Value LoopEmitter::lengthOf(const ResultLength &length, Value value) {
  if (length.add != 0)
    value = math.add(value, length.add);
  if (length.divisor != 1)
    value = math.divide(value, length.divisor);
  return length.factor == 1 ? value : math.multiply(value, length.factor);
}

Value LoopEmitter::hasRoom(const FlatView &view, Value count) {
  Value own = math.isAtMost(count, view.columns());
  return math.both(own, rowInside(b, view, count));
}

Value LoopEmitter::bitOf(const FlatView &mask, Value i) {
  Value byte = loadAt(b, mask, mask.offset, math.divide(i, 8));
  Value place = arith::IndexCastOp::create(b, b.getI64Type(), math.rest(i, 8));
  Value shifted = arith::ShRUIOp::create(b, byte, arith::TruncIOp::create(b, b.getI8Type(), place));
  return arith::TruncIOp::create(b, b.getI1Type(), shifted);
}

static arith::CmpFPredicate predicateOf(aicore::Comparison mode) {
  switch (mode) {
  case aicore::Comparison::Lt:
    return arith::CmpFPredicate::OLT;
  case aicore::Comparison::Gt:
    return arith::CmpFPredicate::OGT;
  case aicore::Comparison::Eq:
    return arith::CmpFPredicate::OEQ;
  case aicore::Comparison::Le:
    return arith::CmpFPredicate::OLE;
  case aicore::Comparison::Ge:
    return arith::CmpFPredicate::OGE;
  case aicore::Comparison::Ne:
    break;
  }
  return arith::CmpFPredicate::UNE;
}

// The bytes of a mask. The sum wraps around only for counts that no check of a source allows.
static Value maskBytes(IndexMath &math, Value count) {
  return math.units(count, 8);
}

// Byte by byte: eight comparisons and a sum of bits. Unused bits of the last byte are 0.
void LoopEmitter::compareToMask(aicore::VectorOpInterface op, ArrayRef<FlatView> sources, Value scalar,
                                const FlatView &destination) {
  arith::CmpFPredicate predicate = predicateOf(op.getComparisonMode());
  Value count = sources[0].columns(), eight = math.of(8);
  Value bytes = maskBytes(math, count);
  Value ok = math.both(rowInside(b, sources[0], count), rowInside(b, destination, bytes));
  if (sources.size() > 1) {
    ok = math.both(ok, rowInside(b, sources[1], count));
    ok = math.both(ok, sameLength(count, sources[1].columns()));
  }
  if (scalar)
    scalar = widen(b, scalar, sources[0].type);
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);

  auto bitOf = [&](Value element) -> Value {
    Value rhs = scalar ? scalar : widened(sources[1], element);
    Value holds = arith::CmpFOp::create(b, predicate, widened(sources[0], element), rhs);
    return arith::ExtUIOp::create(b, b.getI8Type(), holds);
  };
  Value whole = math.divide(count, eight);
  forEach(whole, [&](Value byte) {
    Value first = math.multiply(byte, eight);
    Value bits;
    for (int64_t i = 0; i < 8; ++i) {
      Value bit = bitOf(math.add(first, i));
      bit = arith::ShLIOp::create(b, bit, integerConstant(b, b.getI8Type(), i));
      bits = bits ? arith::OrIOp::create(b, bits, bit).getResult() : bit;
    }
    storeAt(b, bits, destination, destination.offset, byte);
  });
  Value first = math.multiply(whole, eight);
  Value left = math.subtract(count, first);
  ifTrue(math.isSome(left), [&] {
    storeAt(b, integerConstant(b, b.getI8Type(), 0), destination, destination.offset, whole);
    forEach(left, [&](Value i) {
      Value bit = bitOf(math.add(first, i));
      Value place = arith::TruncIOp::create(b, b.getI8Type(), arith::IndexCastOp::create(b, b.getI64Type(), i));
      bit = arith::ShLIOp::create(b, bit, place);
      Value before = loadAt(b, destination, destination.offset, whole);
      storeAt(b, arith::OrIOp::create(b, before, bit), destination, destination.offset, whole);
    });
  });
}

// Selects elements without changing them.
void LoopEmitter::select(ArrayRef<FlatView> sources, Value scalar, const FlatView &destination) {
  const FlatView &mask = sources[0], &chosen = sources[1];
  Value count = destination.columns();
  Value bytes = maskBytes(math, count);
  Value ok = math.both(rowInside(b, destination, count), rowInside(b, mask, bytes));
  for (const FlatView &source : sources.drop_front()) {
    ok = math.both(ok, rowInside(b, source, count));
    ok = math.both(ok, sameLength(count, source.columns()));
  }
  forEach(guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE), [&](Value i) {
    Value bit = bitOf(mask, i);
    Value other = scalar ? scalar : loadAt(b, sources[2], sources[2].offset, i);
    Value value = math.select(bit, loadAt(b, chosen, chosen.offset, i), other);
    storeAt(b, value, destination, destination.offset, i);
  });
}

// Rows of count / rows elements, each with a block. Blocks must be complete, and with several rows each row must be a
// whole number of blocks.
void LoopEmitter::withRows(Intrinsic intrinsic, ArrayRef<FlatView> sources, const FlatView &destination) {
  const FlatView &tile = sources[0], &blocks = sources[1];
  Value count = destination.columns(), lanes = math.of(kBlockBytes / elementSize(tile.type));
  Value ok = math.both(rowInside(b, destination, count), rowInside(b, tile, count));
  ok = math.both(ok, sameLength(count, tile.columns()));
  ok = math.both(ok, rowInside(b, blocks, blocks.columns()));
  ok = math.both(ok, math.isMultiple(blocks.columns(), kBlockBytes / elementSize(tile.type)));
  Value some = math.max(blocks.columns(), lanes);
  Value whole = math.either(math.isEqual(some, lanes), math.isMultiple(count, some));
  Value filled = math.isSome(blocks.columns());
  Value none = math.isZero(count);
  ok = math.both(ok, whole);
  ok = math.both(ok, math.either(filled, none));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);
  // Elements of a row, or at least one block, so that no division is by 0.
  Value rows = math.divide(some, lanes);
  Value length = math.max(math.divide(count, rows), lanes);
  forEach(count, [&](Value i) {
    Value row = math.divide(i, length);
    Value block = math.add(math.multiply(row, lanes), math.rest(i, lanes));
    Lane lane;
    lane.lhs = widened(tile, i);
    lane.rhs = widened(blocks, block);
    Value value = laneResult(b, intrinsic, {tile.type, destination.type}, lane);
    storeAt(b, value, destination, destination.offset, i);
  });
}

// Combines neighbours in pairs, level by level; an element without a neighbour moves up unchanged. Each step is
// rounded. The order is that of the simulator, so that sums agree bit by bit.
//
//   a0 a1 a2 a3 a4   ->   a0+a1  a2+a3  a4   ->   (a0+a1)+(a2+a3)  a4   ->   ((a0+a1)+(a2+a3))+a4
Value LoopEmitter::reduceTree(Intrinsic intrinsic, ElementType type, Value count, function_ref<Value(Value)> read) {
  Value one = math.of(1), two = math.of(2), zero = math.of(0);
  auto step = [&](Value lhs, Value rhs) {
    return widen(b, narrow(b, reductionStep(b, intrinsic, lhs, rhs), type), type);
  };
  auto keep = [&](Value value, Value at) { memref::StoreOp::create(b, value, state.partials, ValueRange{at}); };
  auto kept = [&](Value at) -> Value { return memref::LoadOp::create(b, state.partials, ValueRange{at}); };
  // One level over the elements that `from` returns. Returns the number of remaining elements.
  auto level = [&](Value width, function_ref<Value(Value)> from) -> Value {
    Value pairs = math.divide(width, two);
    forEach(pairs, [&](Value i) {
      Value left = math.multiply(i, two);
      keep(step(from(left), from(math.add(left, one))), i);
    });
    Value odd = math.rest(width, two);
    ifTrue(math.isSome(odd), [&] { keep(from(math.subtract(width, one)), pairs); });
    return math.add(pairs, odd);
  };
  Value width = level(count, read);
  auto loop = scf::WhileOp::create(b, TypeRange{b.getIndexType()}, ValueRange{width});
  {
    OpBuilder::InsertionGuard guard(b);
    Block *before = b.createBlock(&loop.getBefore(), {}, {b.getIndexType()}, {b.getLoc()});
    Value more = math.is(arith::CmpIPredicate::ugt, before->getArgument(0), one);
    scf::ConditionOp::create(b, more, before->getArguments());
    Block *after = b.createBlock(&loop.getAfter(), {}, {b.getIndexType()}, {b.getLoc()});
    Value next = level(after->getArgument(0), kept);
    scf::YieldOp::create(b, ValueRange{next});
  }
  return kept(zero);
}

void LoopEmitter::reduce(Intrinsic intrinsic, const FlatView &source, const FlatView &destination) {
  Value count = source.columns(), zero = math.of(0);
  Value ok = math.both(rowInside(b, source, count), rowInside(b, destination, math.of(1)));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);
  if (intrinsic == Intrinsic::vreduce_sum)
    return sumByCount(source, destination, count);
  ifTrue(math.isSome(count), [&] {
    Value result = reduceTree(intrinsic, source.type, count, [&](Value i) { return widened(source, i); });
    storeAt(b, narrow(b, result, destination.type), destination, destination.offset, zero);
  });
}

namespace {
/// How the chip reduces rows, as values (i1); the rule of ReducedRows::way().
struct RowWay {
  Value halved, together;
};
} // namespace

static RowWay wayOf(IndexMath &math, ElementType type, Value rows, Value columns, Value length) {
  const int64_t lanes = kRepeatBytes / elementSize(type), most = kBlockBytes / elementSize(type);
  Value one = math.of(1), repeats = math.ceilDiv(columns, lanes);
  Value start = math.of(kStartCycles), reduced = math.of(kReductionCycles),
        last = math.add(start, math.multiply(rows, reduced));
  Value alone = math.multiply(rows, math.add(start, math.multiply(repeats, reduced)));
  Value parts = math.multiply(math.add(repeats, one), last), fits = math.isAtMost(repeats, math.of(most));
  Value together = math.select(fits, parts, alone);
  // A row in UB has fewer than 2^10 repeats.
  Value halvings = math.of(0), power = one;
  for (int64_t most = 2; most < 1024; most *= 2) {
    Value reaches = math.is(IndexMath::Predicate::uge, repeats, math.of(most));
    halvings = math.select(reaches, math.add(halvings, one), halvings);
    power = math.select(reaches, math.of(most), power);
  }
  Value whole = math.both(math.isEqual(columns, length), math.isEqual(columns, math.multiply(power, lanes)));
  Value joined = math.multiply(math.subtract(repeats, one), rows);
  Value halved = math.add(math.multiply(halvings, start), math.add(joined, last));
  RowWay way;
  way.halved = math.both(math.both(whole, math.is(IndexMath::Predicate::ugt, repeats, one)),
                         math.both(math.isBelow(halved, alone), math.isBelow(halved, together)));
  way.together = math.either(math.isEqual(repeats, one), math.isBelow(together, alone));
  return way;
}

// The tile and the results must be whole rows that contain the reduced elements. Rows that are reduced by repeats are
// one tree, as are maxima and minima. Rows that are halved are one tree too, in which element e is lane e / repeats of
// repeat e % repeats.
void LoopEmitter::reduceRows(Intrinsic intrinsic, const FlatView &source, const FlatView &destination, Value rows,
                             Value columns) {
  Value zero = math.of(0), one = math.of(1), some = math.max(rows, one);
  Value length = math.divide(source.columns(), some), step = math.divide(destination.columns(), some);
  auto isWhole = [&](const FlatView &view) { return math.isMultiple(view.columns(), some); };
  Value ok = math.both(rowInside(b, source, source.columns()), rowInside(b, destination, destination.columns()));
  for (Value condition : {isWhole(source), isWhole(destination), math.isAtMost(columns, length),
                          math.isAtMost(rows, source.columns()), math.isAtMost(rows, destination.columns())})
    ok = math.both(ok, condition);
  Value count = guarded(ok, rows, OPC_KERNEL_OUTSIDE_TILE);

  const int64_t lanes = kRepeatBytes / elementSize(source.type);
  const RowWay way = wayOf(math, source.type, rows, columns, length);
  const bool isSum = intrinsic == Intrinsic::vreduce_sum;
  Value yes = arith::ConstantOp::create(b, b.getBoolAttr(true));
  Value ordered = math.either(isSum ? way.together : yes, way.halved);
  Value isSome = math.isSome(columns);
  Value repeats = math.max(math.ceilDiv(columns, lanes), one);
  forEach(count, [&](Value row) {
    FlatView from = source, to = destination;
    from.offset = math.add(source.offset, math.multiply(row, length));
    to.offset = math.add(destination.offset, math.multiply(row, step));
    auto read = [&](Value element) {
      Value lane = math.divide(element, repeats), repeat = math.rest(element, repeats);
      Value across = math.add(math.multiply(repeat, lanes), lane);
      return widened(from, math.select(way.halved, across, element));
    };
    ifTrue(math.both(ordered, isSome), [&] {
      Value result = reduceTree(intrinsic, from.type, columns, read);
      storeAt(b, narrow(b, result, to.type), to, to.offset, zero);
    });
    if (isSum)
      ifTrue(arith::XOrIOp::create(b, ordered, yes), [&] { sumByCount(from, to, columns); });
  });
}

// The chip sums the complete repeats of 256 bytes first and the tail separately, then adds the two results.
void LoopEmitter::sumByCount(const FlatView &source, const FlatView &destination, Value count) {
  Value zero = math.of(0);
  Value tail = math.rest(count, kRepeatBytes / elementSize(source.type));
  Value whole = math.subtract(count, tail);
  auto put = [&](Value result) {
    storeAt(b, narrow(b, result, destination.type), destination, destination.offset, zero);
  };
  // The source may be the destination, so the tail is summed before anything is written.
  Value first = math.select(math.isSome(whole), whole, count);
  Value rest = math.subtract(count, first);
  ifTrue(math.isSome(rest), [&] {
    auto at = [&](Value i) { return widened(source, math.add(first, i)); };
    Value ofTail = reduceTree(Intrinsic::vreduce_sum, source.type, rest, at);
    Value ofWhole = reduceTree(Intrinsic::vreduce_sum, source.type, first, [&](Value i) { return widened(source, i); });
    put(reductionStep(b, Intrinsic::vreduce_sum, ofWhole, ofTail));
  });
  Value alone = math.isEqual(rest, zero);
  ifTrue(math.both(alone, math.isSome(count)), [&] {
    put(reduceTree(Intrinsic::vreduce_sum, source.type, first, [&](Value i) { return widened(source, i); }));
  });
}

/// The reduction of a whole tile that corresponds to a reduction of parts.
static Intrinsic wholeOf(Intrinsic part) {
  switch (part) {
  case Intrinsic::vreduce_repeat_max:
  case Intrinsic::vreduce_block_max:
    return Intrinsic::vreduce_max;
  case Intrinsic::vreduce_repeat_min:
  case Intrinsic::vreduce_block_min:
    return Intrinsic::vreduce_min;
  default:
    return Intrinsic::vreduce_sum;
  }
}

/// The result of reducing a block without elements.
static double emptyOf(Intrinsic whole, ElementType type) {
  if (whole == Intrinsic::vreduce_sum)
    return 0;
  double most = type == ElementType::Float16 ? 65504.0 : std::numeric_limits<double>::infinity();
  return whole == Intrinsic::vreduce_max ? -most : most;
}

// Result g is that of the g-th group of elements. Complete repeats of results are written.
void LoopEmitter::reduceParts(Intrinsic intrinsic, const FlatView &source, const FlatView &destination) {
  const IntrinsicForm form = intrinsicInfo(intrinsic).form;
  const Intrinsic whole = wholeOf(intrinsic);
  const ResultLength length = resultLength(form, source.type, GatherPattern::All);
  Value count = source.columns(), zero = math.of(0);
  Value ok = math.both(rowInside(b, source, count), hasRoom(destination, lengthOf(length, count)));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);
  Value group = math.of(length.divisor / length.factor);
  forEach(lengthOf(length, count), [&](Value g) {
    Value first = math.multiply(g, group);
    Value left = arith::MaxSIOp::create(b, math.subtract(count, first), zero);
    Value lanes = arith::MinSIOp::create(b, left, group);
    Value some = math.isSome(lanes);
    storeAt(b, narrow(b, floatConstant(b, b.getF32Type(), emptyOf(whole, source.type)), destination.type), destination,
            destination.offset, g);
    ifTrue(some, [&] {
      Value result =
          reduceTree(whole, source.type, lanes, [&](Value i) { return widened(source, math.add(first, i)); });
      storeAt(b, narrow(b, result, destination.type), destination, destination.offset, g);
    });
  });
}

// Elements beyond the end of the source count as 0.
void LoopEmitter::addPairs(const FlatView &source, const FlatView &destination) {
  const ResultLength length = resultLength(IntrinsicForm::PairReduce, source.type, GatherPattern::All);
  Value count = source.columns();
  Value ok = math.both(rowInside(b, source, count), hasRoom(destination, lengthOf(length, count)));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);
  Value nothing = floatConstant(b, b.getF32Type(), 0);
  auto elementOrZero = [&](Value i) -> Value {
    Value inside = math.isBelow(i, count);
    Value safe = math.select(inside, i, math.of(0));
    return math.select(inside, widened(source, safe), nothing);
  };
  forEach(lengthOf(length, count), [&](Value i) {
    Value left = math.multiply(i, 2);
    Value sum = reductionStep(b, Intrinsic::vreduce_sum, elementOrZero(left), elementOrZero(math.add(left, 1)));
    storeAt(b, narrow(b, sum, destination.type), destination, destination.offset, i);
  });
}

} // namespace opc::cpu

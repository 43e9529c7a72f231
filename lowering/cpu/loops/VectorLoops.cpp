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

void LoopEmitter::vector(aicore::VectorOpInterface op, ArrayRef<TileView> sources, Value scalar,
                         const TileView &destination, ArrayRef<Value> extent) {
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
    value = b.createOrFold<arith::AddIOp>(value, index(length.add));
  if (length.divisor != 1)
    value = b.createOrFold<arith::DivUIOp>(value, index(length.divisor));
  return length.factor == 1 ? value : b.createOrFold<arith::MulIOp>(value, index(length.factor));
}

Value LoopEmitter::isMultiple(Value length, int64_t unit) {
  return b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, b.createOrFold<arith::RemUIOp>(length, index(unit)),
                                       index(0));
}

Value LoopEmitter::hasRoom(const TileView &view, Value count) {
  Value own = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ule, count, view.columns());
  return b.createOrFold<arith::AndIOp>(own, rowInside(b, view, count));
}

Value LoopEmitter::bitOf(const TileView &mask, Value i) {
  Value byte = loadAt(b, mask, mask.offset, arith::DivUIOp::create(b, i, index(8)));
  Value place = arith::IndexCastOp::create(b, b.getI64Type(), arith::RemUIOp::create(b, i, index(8)));
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
static Value maskBytes(ImplicitLocOpBuilder &b, Value count) {
  Value seven = arith::ConstantIndexOp::create(b, 7), eight = arith::ConstantIndexOp::create(b, 8);
  return b.createOrFold<arith::DivUIOp>(b.createOrFold<arith::AddIOp>(count, seven), eight);
}

// Byte by byte: eight comparisons and a sum of bits. Unused bits of the last byte are 0.
void LoopEmitter::compareToMask(aicore::VectorOpInterface op, ArrayRef<TileView> sources, Value scalar,
                                const TileView &destination) {
  arith::CmpFPredicate predicate = predicateOf(op.getComparisonMode());
  Value count = sources[0].columns(), eight = index(8);
  Value bytes = maskBytes(b, count);
  Value ok = b.createOrFold<arith::AndIOp>(rowInside(b, sources[0], count), rowInside(b, destination, bytes));
  if (sources.size() > 1) {
    ok = b.createOrFold<arith::AndIOp>(ok, rowInside(b, sources[1], count));
    ok = b.createOrFold<arith::AndIOp>(ok, sameLength(count, sources[1].columns()));
  }
  if (scalar)
    scalar = widen(b, scalar, sources[0].type);
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);

  auto bitOf = [&](Value element) -> Value {
    Value rhs = scalar ? scalar : widened(sources[1], element);
    Value holds = arith::CmpFOp::create(b, predicate, widened(sources[0], element), rhs);
    return arith::ExtUIOp::create(b, b.getI8Type(), holds);
  };
  Value whole = b.createOrFold<arith::DivUIOp>(count, eight);
  forEach(whole, [&](Value byte) {
    Value first = arith::MulIOp::create(b, byte, eight);
    Value bits;
    for (int64_t i = 0; i < 8; ++i) {
      Value bit = bitOf(arith::AddIOp::create(b, first, index(i)));
      bit = arith::ShLIOp::create(b, bit, integerConstant(b, b.getI8Type(), i));
      bits = bits ? arith::OrIOp::create(b, bits, bit).getResult() : bit;
    }
    storeAt(b, bits, destination, destination.offset, byte);
  });
  Value first = b.createOrFold<arith::MulIOp>(whole, eight);
  Value left = b.createOrFold<arith::SubIOp>(count, first);
  ifTrue(arith::CmpIOp::create(b, arith::CmpIPredicate::ne, left, index(0)), [&] {
    storeAt(b, integerConstant(b, b.getI8Type(), 0), destination, destination.offset, whole);
    forEach(left, [&](Value i) {
      Value bit = bitOf(arith::AddIOp::create(b, first, i));
      Value place = arith::TruncIOp::create(b, b.getI8Type(), arith::IndexCastOp::create(b, b.getI64Type(), i));
      bit = arith::ShLIOp::create(b, bit, place);
      Value before = loadAt(b, destination, destination.offset, whole);
      storeAt(b, arith::OrIOp::create(b, before, bit), destination, destination.offset, whole);
    });
  });
}

// Selects elements without changing them.
void LoopEmitter::select(ArrayRef<TileView> sources, Value scalar, const TileView &destination) {
  const TileView &mask = sources[0], &chosen = sources[1];
  Value count = destination.columns();
  Value bytes = maskBytes(b, count);
  Value ok = b.createOrFold<arith::AndIOp>(rowInside(b, destination, count), rowInside(b, mask, bytes));
  for (const TileView &source : sources.drop_front()) {
    ok = b.createOrFold<arith::AndIOp>(ok, rowInside(b, source, count));
    ok = b.createOrFold<arith::AndIOp>(ok, sameLength(count, source.columns()));
  }
  forEach(guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE), [&](Value i) {
    Value bit = bitOf(mask, i);
    Value other = scalar ? scalar : loadAt(b, sources[2], sources[2].offset, i);
    Value value = arith::SelectOp::create(b, bit, loadAt(b, chosen, chosen.offset, i), other);
    storeAt(b, value, destination, destination.offset, i);
  });
}

// Rows of count / rows elements, each with a block. Blocks must be complete, and with several rows each row must be a
// whole number of blocks.
void LoopEmitter::withRows(Intrinsic intrinsic, ArrayRef<TileView> sources, const TileView &destination) {
  const TileView &tile = sources[0], &blocks = sources[1];
  Value count = destination.columns(), lanes = index(kBlockBytes / elementSize(tile.type));
  Value ok = b.createOrFold<arith::AndIOp>(rowInside(b, destination, count), rowInside(b, tile, count));
  ok = b.createOrFold<arith::AndIOp>(ok, sameLength(count, tile.columns()));
  ok = b.createOrFold<arith::AndIOp>(ok, rowInside(b, blocks, blocks.columns()));
  ok = b.createOrFold<arith::AndIOp>(ok, isMultiple(blocks.columns(), kBlockBytes / elementSize(tile.type)));
  Value some = b.createOrFold<arith::MaxUIOp>(blocks.columns(), lanes);
  Value whole = b.createOrFold<arith::OrIOp>(
      b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, some, lanes),
      b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, b.createOrFold<arith::RemUIOp>(count, some), index(0)));
  Value filled = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ne, blocks.columns(), index(0));
  Value none = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, count, index(0));
  ok = b.createOrFold<arith::AndIOp>(ok, whole);
  ok = b.createOrFold<arith::AndIOp>(ok, b.createOrFold<arith::OrIOp>(filled, none));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);
  // Elements of a row, or at least one block, so that no division is by 0.
  Value rows = b.createOrFold<arith::DivUIOp>(some, lanes);
  Value length = b.createOrFold<arith::MaxUIOp>(b.createOrFold<arith::DivUIOp>(count, rows), lanes);
  forEach(count, [&](Value i) {
    Value row = arith::DivUIOp::create(b, i, length);
    Value block = arith::AddIOp::create(b, arith::MulIOp::create(b, row, lanes), arith::RemUIOp::create(b, i, lanes));
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
  Value one = index(1), two = index(2), zero = index(0);
  auto step = [&](Value lhs, Value rhs) {
    return widen(b, narrow(b, reductionStep(b, intrinsic, lhs, rhs), type), type);
  };
  auto keep = [&](Value value, Value at) { memref::StoreOp::create(b, value, state.partials, ValueRange{at}); };
  auto kept = [&](Value at) -> Value { return memref::LoadOp::create(b, state.partials, ValueRange{at}); };
  // One level over the elements that `from` returns. Returns the number of remaining elements.
  auto level = [&](Value width, function_ref<Value(Value)> from) -> Value {
    Value pairs = arith::DivUIOp::create(b, width, two);
    forEach(pairs, [&](Value i) {
      Value left = arith::MulIOp::create(b, i, two);
      keep(step(from(left), from(arith::AddIOp::create(b, left, one))), i);
    });
    Value odd = arith::RemUIOp::create(b, width, two);
    ifTrue(arith::CmpIOp::create(b, arith::CmpIPredicate::ne, odd, zero),
           [&] { keep(from(arith::SubIOp::create(b, width, one)), pairs); });
    return arith::AddIOp::create(b, pairs, odd);
  };
  Value width = level(count, read);
  auto loop = scf::WhileOp::create(b, TypeRange{b.getIndexType()}, ValueRange{width});
  {
    OpBuilder::InsertionGuard guard(b);
    Block *before = b.createBlock(&loop.getBefore(), {}, {b.getIndexType()}, {b.getLoc()});
    Value more = arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, before->getArgument(0), one);
    scf::ConditionOp::create(b, more, before->getArguments());
    Block *after = b.createBlock(&loop.getAfter(), {}, {b.getIndexType()}, {b.getLoc()});
    Value next = level(after->getArgument(0), kept);
    scf::YieldOp::create(b, ValueRange{next});
  }
  return kept(zero);
}

void LoopEmitter::reduce(Intrinsic intrinsic, const TileView &source, const TileView &destination) {
  Value count = source.columns(), zero = index(0);
  Value ok = b.createOrFold<arith::AndIOp>(rowInside(b, source, count), rowInside(b, destination, index(1)));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);
  if (intrinsic == Intrinsic::vreduce_sum)
    return sumByCount(source, destination, count);
  ifTrue(arith::CmpIOp::create(b, arith::CmpIPredicate::ne, count, zero), [&] {
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

static RowWay wayOf(ImplicitLocOpBuilder &b, ElementType type, Value rows, Value columns, Value length) {
  const int64_t lanes = kRepeatBytes / elementSize(type), most = kBlockBytes / elementSize(type);
  auto number = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  auto add = [&](Value lhs, Value rhs) { return b.createOrFold<arith::AddIOp>(lhs, rhs); };
  auto times = [&](Value lhs, Value rhs) { return b.createOrFold<arith::MulIOp>(lhs, rhs); };
  auto both = [&](Value lhs, Value rhs) { return b.createOrFold<arith::AndIOp>(lhs, rhs); };
  auto is = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return b.createOrFold<arith::CmpIOp>(predicate, lhs, rhs);
  };
  using Predicate = arith::CmpIPredicate;
  Value one = number(1), repeats = b.createOrFold<arith::CeilDivUIOp>(columns, number(lanes));
  Value start = number(kStartCycles), reduced = number(kReductionCycles), last = add(start, times(rows, reduced));
  Value alone = times(rows, add(start, times(repeats, reduced)));
  Value parts = times(add(repeats, one), last), fits = is(Predicate::ule, repeats, number(most));
  Value together = b.createOrFold<arith::SelectOp>(fits, parts, alone);
  // A row in UB has fewer than 2^10 repeats.
  Value halvings = number(0), power = one;
  for (int64_t most = 2; most < 1024; most *= 2) {
    Value reaches = is(Predicate::uge, repeats, number(most));
    halvings = b.createOrFold<arith::SelectOp>(reaches, add(halvings, one), halvings);
    power = b.createOrFold<arith::SelectOp>(reaches, number(most), power);
  }
  Value whole = both(is(Predicate::eq, columns, length), is(Predicate::eq, columns, times(power, number(lanes))));
  Value joined = times(b.createOrFold<arith::SubIOp>(repeats, one), rows);
  Value halved = add(times(halvings, start), add(joined, last));
  RowWay way;
  way.halved = both(both(whole, is(Predicate::ugt, repeats, one)),
                    both(is(Predicate::ult, halved, alone), is(Predicate::ult, halved, together)));
  way.together = b.createOrFold<arith::OrIOp>(is(Predicate::eq, repeats, one), is(Predicate::ult, together, alone));
  return way;
}

// The tile and the results must be whole rows that contain the reduced elements. Rows that are reduced by repeats are
// one tree, as are maxima and minima. Rows that are halved are one tree too, in which element e is lane e / repeats of
// repeat e % repeats.
void LoopEmitter::reduceRows(Intrinsic intrinsic, const TileView &source, const TileView &destination, Value rows,
                             Value columns) {
  Value zero = index(0), one = index(1), some = b.createOrFold<arith::MaxUIOp>(rows, one);
  Value length = b.createOrFold<arith::DivUIOp>(source.columns(), some),
        step = b.createOrFold<arith::DivUIOp>(destination.columns(), some);
  auto isWhole = [&](const TileView &view) {
    return b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, b.createOrFold<arith::RemUIOp>(view.columns(), some),
                                         zero);
  };
  auto isAtMost = [&](Value lhs, Value rhs) {
    return b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ule, lhs, rhs);
  };
  Value ok = b.createOrFold<arith::AndIOp>(rowInside(b, source, source.columns()),
                                           rowInside(b, destination, destination.columns()));
  for (Value condition : {isWhole(source), isWhole(destination), isAtMost(columns, length),
                          isAtMost(rows, source.columns()), isAtMost(rows, destination.columns())})
    ok = b.createOrFold<arith::AndIOp>(ok, condition);
  Value count = guarded(ok, rows, OPC_KERNEL_OUTSIDE_TILE);

  const int64_t lanes = kRepeatBytes / elementSize(source.type);
  const RowWay way = wayOf(b, source.type, rows, columns, length);
  const bool isSum = intrinsic == Intrinsic::vreduce_sum;
  Value yes = arith::ConstantOp::create(b, b.getBoolAttr(true));
  Value ordered = b.createOrFold<arith::OrIOp>(isSum ? way.together : yes, way.halved);
  Value isSome = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ne, columns, zero);
  Value repeats = b.createOrFold<arith::MaxUIOp>(b.createOrFold<arith::CeilDivUIOp>(columns, index(lanes)), one);
  forEach(count, [&](Value row) {
    TileView from = source, to = destination;
    from.offset = arith::AddIOp::create(b, source.offset, arith::MulIOp::create(b, row, length));
    to.offset = arith::AddIOp::create(b, destination.offset, arith::MulIOp::create(b, row, step));
    auto read = [&](Value element) {
      Value lane = arith::DivUIOp::create(b, element, repeats), repeat = arith::RemUIOp::create(b, element, repeats);
      Value across = arith::AddIOp::create(b, arith::MulIOp::create(b, repeat, index(lanes)), lane);
      return widened(from, arith::SelectOp::create(b, way.halved, across, element));
    };
    ifTrue(arith::AndIOp::create(b, ordered, isSome), [&] {
      Value result = reduceTree(intrinsic, from.type, columns, read);
      storeAt(b, narrow(b, result, to.type), to, to.offset, zero);
    });
    if (isSum)
      ifTrue(arith::XOrIOp::create(b, ordered, yes), [&] { sumByCount(from, to, columns); });
  });
}

// The chip sums the complete repeats of 256 bytes first and the tail separately, then adds the two results.
void LoopEmitter::sumByCount(const TileView &source, const TileView &destination, Value count) {
  Value zero = index(0);
  Value tail = arith::RemUIOp::create(b, count, index(kRepeatBytes / elementSize(source.type)));
  Value whole = arith::SubIOp::create(b, count, tail);
  auto isSome = [&](Value length) -> Value { return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, length, zero); };
  auto put = [&](Value result) {
    storeAt(b, narrow(b, result, destination.type), destination, destination.offset, zero);
  };
  // The source may be the destination, so the tail is summed before anything is written.
  Value first = arith::SelectOp::create(b, isSome(whole), whole, count);
  Value rest = arith::SubIOp::create(b, count, first);
  ifTrue(isSome(rest), [&] {
    auto at = [&](Value i) { return widened(source, arith::AddIOp::create(b, first, i)); };
    Value ofTail = reduceTree(Intrinsic::vreduce_sum, source.type, rest, at);
    Value ofWhole = reduceTree(Intrinsic::vreduce_sum, source.type, first, [&](Value i) { return widened(source, i); });
    put(reductionStep(b, Intrinsic::vreduce_sum, ofWhole, ofTail));
  });
  Value alone = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rest, zero);
  ifTrue(arith::AndIOp::create(b, alone, isSome(count)), [&] {
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
void LoopEmitter::reduceParts(Intrinsic intrinsic, const TileView &source, const TileView &destination) {
  const IntrinsicForm form = intrinsicInfo(intrinsic).form;
  const Intrinsic whole = wholeOf(intrinsic);
  const ResultLength length = resultLength(form, source.type, GatherPattern::All);
  Value count = source.columns(), zero = index(0);
  Value ok = b.createOrFold<arith::AndIOp>(rowInside(b, source, count), hasRoom(destination, lengthOf(length, count)));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);
  Value group = index(length.divisor / length.factor);
  forEach(lengthOf(length, count), [&](Value g) {
    Value first = arith::MulIOp::create(b, g, group);
    Value left = arith::MaxSIOp::create(b, arith::SubIOp::create(b, count, first), zero);
    Value lanes = arith::MinSIOp::create(b, left, group);
    Value some = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, lanes, zero);
    storeAt(b, narrow(b, floatConstant(b, b.getF32Type(), emptyOf(whole, source.type)), destination.type), destination,
            destination.offset, g);
    ifTrue(some, [&] {
      Value result = reduceTree(whole, source.type, lanes,
                                [&](Value i) { return widened(source, arith::AddIOp::create(b, first, i)); });
      storeAt(b, narrow(b, result, destination.type), destination, destination.offset, g);
    });
  });
}

// Elements beyond the end of the source count as 0.
void LoopEmitter::addPairs(const TileView &source, const TileView &destination) {
  const ResultLength length = resultLength(IntrinsicForm::PairReduce, source.type, GatherPattern::All);
  Value count = source.columns();
  Value ok = b.createOrFold<arith::AndIOp>(rowInside(b, source, count), hasRoom(destination, lengthOf(length, count)));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);
  Value nothing = floatConstant(b, b.getF32Type(), 0);
  auto elementOrZero = [&](Value i) -> Value {
    Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, i, count);
    Value safe = arith::SelectOp::create(b, inside, i, index(0));
    return arith::SelectOp::create(b, inside, widened(source, safe), nothing);
  };
  forEach(lengthOf(length, count), [&](Value i) {
    Value left = arith::MulIOp::create(b, i, index(2));
    Value sum = reductionStep(b, Intrinsic::vreduce_sum, elementOrZero(left),
                              elementOrZero(arith::AddIOp::create(b, left, index(1))));
    storeAt(b, narrow(b, sum, destination.type), destination, destination.offset, i);
  });
}

} // namespace opc::cpu

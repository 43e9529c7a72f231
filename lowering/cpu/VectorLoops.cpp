// Vector intrinsics that are more than one loop over lanes: masks, gather, reductions.

#include "lowering/cpu/Lanes.h"
#include "lowering/cpu/LoopEmitter.h"
#include "runtime/program/opc_kernel_library.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace opc::cpu {

void LoopEmitter::vector(aicore::VectorOpInterface op, ArrayRef<TileView> sources, Value scalar,
                         const TileView &destination) {
  switch (intrinsicInfo(op.getIntrinsic()).form) {
  case IntrinsicForm::Compare:
  case IntrinsicForm::CompareScalar:
    return compareToMask(op, sources, scalar, destination);
  case IntrinsicForm::Select:
  case IntrinsicForm::SelectScalar:
    return select(sources, scalar, destination);
  case IntrinsicForm::Gather:
    return gather(sources, destination);
  case IntrinsicForm::Reduce:
    return reduce(op.getIntrinsic(), sources.front(), destination);
  case IntrinsicForm::Unary:
  case IntrinsicForm::Binary:
  case IntrinsicForm::Scalar:
  case IntrinsicForm::Accumulate:
  case IntrinsicForm::AccumulateScalar:
  case IntrinsicForm::Fill:
  case IntrinsicForm::Cast:
    return; // lane ops
  }
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

// Bytes of a mask. The sum wraps around only for counts that no source passes its check with.
static Value maskBytes(ImplicitLocOpBuilder &b, Value count) {
  Value seven = arith::ConstantIndexOp::create(b, 7), eight = arith::ConstantIndexOp::create(b, 8);
  return b.createOrFold<arith::DivUIOp>(b.createOrFold<arith::AddIOp>(count, seven), eight);
}

// Byte by byte: eight comparisons and a sum of bits. The last byte may have fewer; its other bits
// are 0.
void LoopEmitter::compareToMask(aicore::VectorOpInterface op, ArrayRef<TileView> sources,
                                Value scalar, const TileView &destination) {
  arith::CmpFPredicate predicate = predicateOf(op.getComparisonMode());
  Value count = sources[0].columns(), eight = index(8);
  Value bytes = maskBytes(b, count);
  Value ok = b.createOrFold<arith::AndIOp>(rowInside(b, sources[0], count),
                                           rowInside(b, destination, bytes));
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
      Value place = arith::TruncIOp::create(b, b.getI8Type(),
                                            arith::IndexCastOp::create(b, b.getI64Type(), i));
      bit = arith::ShLIOp::create(b, bit, place);
      Value before = loadAt(b, destination, destination.offset, whole);
      storeAt(b, arith::OrIOp::create(b, before, bit), destination, destination.offset, whole);
    });
  });
}

// Moves elements as they are.
void LoopEmitter::select(ArrayRef<TileView> sources, Value scalar, const TileView &destination) {
  const TileView &mask = sources[0], &chosen = sources[1];
  Value count = destination.columns();
  Value bytes = maskBytes(b, count);
  Value ok =
      b.createOrFold<arith::AndIOp>(rowInside(b, destination, count), rowInside(b, mask, bytes));
  for (const TileView &source : sources.drop_front()) {
    ok = b.createOrFold<arith::AndIOp>(ok, rowInside(b, source, count));
    ok = b.createOrFold<arith::AndIOp>(ok, sameLength(count, source.columns()));
  }
  forEach(guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE), [&](Value i) {
    Value byte = loadAt(b, mask, mask.offset, arith::DivUIOp::create(b, i, index(8)));
    Value place =
        arith::IndexCastOp::create(b, b.getI64Type(), arith::RemUIOp::create(b, i, index(8)));
    Value shifted =
        arith::ShRUIOp::create(b, byte, arith::TruncIOp::create(b, b.getI8Type(), place));
    Value bit = arith::TruncIOp::create(b, b.getI1Type(), shifted);
    Value other = scalar ? scalar : loadAt(b, sources[2], sources[2].offset, i);
    Value value = arith::SelectOp::create(b, bit, loadAt(b, chosen, chosen.offset, i), other);
    storeAt(b, value, destination, destination.offset, i);
  });
}

// An offset that is none of the source's elements reads the first one instead, and is reported
// after the loop.
void LoopEmitter::gather(ArrayRef<TileView> sources, const TileView &destination) {
  const TileView &table = sources[0], &offsets = sources[1];
  Value count = destination.columns();
  Value ok =
      b.createOrFold<arith::AndIOp>(rowInside(b, destination, count), rowInside(b, offsets, count));
  ok = b.createOrFold<arith::AndIOp>(ok, sameLength(count, offsets.columns()));
  ok = b.createOrFold<arith::AndIOp>(ok, rowInside(b, table, table.columns()));
  Value empty = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, table.columns(), index(0));
  Value none = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, count, index(0));
  Value filled = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, empty,
                                       arith::ConstantIntOp::create(b, 1, 1));
  ok = b.createOrFold<arith::AndIOp>(ok, b.createOrFold<arith::OrIOp>(filled, none));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);

  Value size = index(elementSize(table.type));
  Value yes = arith::ConstantIntOp::create(b, 1, 1);
  auto loop = scf::ForOp::create(b, index(0), count, index(1), ValueRange{yes});
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value i = loop.getInductionVar();
    Value offset =
        arith::IndexCastUIOp::create(b, b.getIndexType(), loadAt(b, offsets, offsets.offset, i));
    Value element = arith::DivUIOp::create(b, offset, size);
    Value whole = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                        arith::RemUIOp::create(b, offset, size), index(0));
    Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, element, table.columns());
    Value good = arith::AndIOp::create(b, whole, inside);
    Value safe = arith::SelectOp::create(b, good, element, index(0));
    storeAt(b, loadAt(b, table, table.offset, safe), destination, destination.offset, i);
    scf::YieldOp::create(b, ValueRange{arith::AndIOp::create(b, loop.getRegionIterArg(0), good)});
  }
  report(loop.getResult(0), OPC_KERNEL_OUTSIDE_TILE);
}

// Neighbours in pairs, level by level; an element without a neighbour passes up as it is. Every
// step is rounded. The order is that of the simulator, so that sums agree to the bit.
//
//   a0 a1 a2 a3 a4   ->   a0+a1  a2+a3  a4   ->   (a0+a1)+(a2+a3)  a4   ->   ((a0+a1)+(a2+a3))+a4
void LoopEmitter::reduce(Intrinsic intrinsic, const TileView &source, const TileView &destination) {
  Value one = index(1), two = index(2), zero = index(0);
  Value count = source.columns();
  Value ok =
      b.createOrFold<arith::AndIOp>(rowInside(b, source, count), rowInside(b, destination, one));
  count = guarded(ok, count, OPC_KERNEL_OUTSIDE_TILE);

  auto step = [&](Value lhs, Value rhs) {
    Value stored = narrow(b, reductionStep(b, intrinsic, lhs, rhs), source.type);
    return widen(b, stored, source.type);
  };
  auto keep = [&](Value value, Value at) {
    memref::StoreOp::create(b, value, state.partials, ValueRange{at});
  };
  auto kept = [&](Value at) -> Value {
    return memref::LoadOp::create(b, state.partials, ValueRange{at});
  };
  // One level over elements that `read` gives; returns how many remain.
  auto level = [&](Value width, function_ref<Value(Value)> read) -> Value {
    Value pairs = arith::DivUIOp::create(b, width, two);
    forEach(pairs, [&](Value i) {
      Value left = arith::MulIOp::create(b, i, two);
      keep(step(read(left), read(arith::AddIOp::create(b, left, one))), i);
    });
    Value odd = arith::RemUIOp::create(b, width, two);
    ifTrue(arith::CmpIOp::create(b, arith::CmpIPredicate::ne, odd, zero),
           [&] { keep(read(arith::SubIOp::create(b, width, one)), pairs); });
    return arith::AddIOp::create(b, pairs, odd);
  };

  ifTrue(arith::CmpIOp::create(b, arith::CmpIPredicate::ne, count, zero), [&] {
    Value width = level(count, [&](Value i) { return widened(source, i); });
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
    storeAt(b, narrow(b, kept(zero), destination.type), destination, destination.offset, zero);
  });
}

} // namespace opc::cpu

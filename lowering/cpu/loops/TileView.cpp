#include "lowering/cpu/loops/TileView.h"

#include "dialect/aicore/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace opc::cpu {

// Wrapping arithmetic: an offset that overflows is a wrong number, which the checks refuse.
static Value add(ImplicitLocOpBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::AddIOp>(x, y);
}
static Value multiply(ImplicitLocOpBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::MulIOp>(x, y);
}
static Value subtract(ImplicitLocOpBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::SubIOp>(x, y);
}
static Value both(ImplicitLocOpBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::AndIOp>(x, y);
}
static Value atMost(ImplicitLocOpBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ule, x, y);
}

namespace {
struct ValueMath {
  ImplicitLocOpBuilder &b;
  function_ref<Value(Value)> lookup;
  Value of(OpFoldResult number) {
    if (auto value = dyn_cast<Value>(number))
      return lookup(value);
    return arith::ConstantIndexOp::create(b, cast<IntegerAttr>(cast<Attribute>(number)).getInt());
  }
  Value add(Value x, Value y) { return cpu::add(b, x, y); }
  Value multiply(Value x, Value y) { return cpu::multiply(b, x, y); }
};
} // namespace

TileView subviewOf(ImplicitLocOpBuilder &b, memref::SubViewOp op, const TileView &source,
                   function_ref<Value(Value)> lookup) {
  TileView view = source;
  view.shape() = subviewShape(op, view.shape(), ValueMath{b, lookup});
  return view;
}

TileView reinterpretedView(ImplicitLocOpBuilder &b, memref::ReinterpretCastOp op, const TileView &source,
                           function_ref<Value(Value)> lookup) {
  TileView view = source;
  Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
  view.shape() = castShape<Value>(op, zero, one, ValueMath{b, lookup});
  return view;
}

// Unsigned comparisons also refuse negative numbers.
Value rowInside(ImplicitLocOpBuilder &b, const TileView &view, Value count) {
  Value starts = atMost(b, view.offset, view.rootSize);
  Value ends = atMost(b, count, subtract(b, view.rootSize, view.offset));
  return both(b, starts, ends);
}

Value rowsInside(ImplicitLocOpBuilder &b, const TileView &view, Value columns) {
  Value first = rowInside(b, view, columns);
  if (view.rank() == 1)
    return first;
  // The last row starts (rows - 1) * stride after the first. That product may overflow, but the quotient may not.
  Value one = arith::ConstantIndexOp::create(b, 1), zero = arith::ConstantIndexOp::create(b, 0);
  Value rows = view.sizes[0], stride = view.strides[0];
  Value room = subtract(b, subtract(b, view.rootSize, view.offset), columns);
  Value positive = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sgt, stride, zero);
  Value divisor = b.createOrFold<arith::SelectOp>(positive, stride, one);
  Value fits = b.createOrFold<arith::DivUIOp>(room, divisor);
  Value last = atMost(b, subtract(b, rows, one), fits);
  Value single = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, rows, one);
  Value none = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, rows, zero);
  Value several = both(b, positive, last);
  Value counted = b.createOrFold<arith::OrIOp>(b.createOrFold<arith::OrIOp>(none, single), several);
  return both(b, first, counted);
}

Value loadAt(ImplicitLocOpBuilder &b, const TileView &view, Value base, Value index) {
  return memref::LoadOp::create(b, view.root, ValueRange{add(b, base, index)});
}

void storeAt(ImplicitLocOpBuilder &b, Value value, const TileView &view, Value base, Value index) {
  memref::StoreOp::create(b, value, view.root, ValueRange{add(b, base, index)});
}

Type storageTypeOf(ElementType type, MLIRContext *context) {
  // A bool is a byte in memory.
  if (type == ElementType::Bool)
    return IntegerType::get(context, 8);
  Type mlirType = aicore::mlirTypeOf(type, context);
  if (auto integer = dyn_cast<IntegerType>(mlirType))
    return IntegerType::get(context, integer.getWidth());
  return mlirType;
}

} // namespace opc::cpu

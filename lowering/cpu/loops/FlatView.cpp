#include "lowering/cpu/loops/FlatView.h"

#include "dialect/aicore/Tiles.h"
#include "lowering/cpu/loops/IndexMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace opc::cpu {

namespace {
struct ValueMath {
  IndexMath math;
  function_ref<Value(Value)> lookup;
  Value of(OpFoldResult number) {
    if (auto value = dyn_cast<Value>(number))
      return lookup(value);
    return math.of(cast<IntegerAttr>(cast<Attribute>(number)).getInt());
  }
  Value add(Value x, Value y) { return math.add(x, y); }
  Value multiply(Value x, Value y) { return math.multiply(x, y); }
};
} // namespace

FlatView subviewOf(ImplicitLocOpBuilder &b, memref::SubViewOp op, const FlatView &source,
                   function_ref<Value(Value)> lookup) {
  FlatView view = source;
  view.shape() = subviewShape(op, view.shape(), ValueMath{IndexMath(b), lookup});
  return view;
}

FlatView reinterpretedView(ImplicitLocOpBuilder &b, memref::ReinterpretCastOp op, const FlatView &source,
                           function_ref<Value(Value)> lookup) {
  FlatView view = source;
  IndexMath math(b);
  Value zero = math.of(0), one = math.of(1);
  view.shape() = castShape<Value>(op, zero, one, ValueMath{math, lookup});
  return view;
}

// Unsigned comparisons also refuse negative numbers.
Value rowInside(ImplicitLocOpBuilder &b, const FlatView &view, Value count) {
  IndexMath math(b);
  Value starts = math.isAtMost(view.offset, view.rootSize);
  Value ends = math.isAtMost(count, math.subtract(view.rootSize, view.offset));
  return math.both(starts, ends);
}

Value rowsInside(ImplicitLocOpBuilder &b, const FlatView &view, Value columns) {
  Value first = rowInside(b, view, columns);
  if (view.rank() == 1)
    return first;
  // The last row starts (rows - 1) * stride after the first. That product may overflow, but the quotient may not.
  IndexMath math(b);
  Value one = math.of(1), zero = math.of(0);
  Value rows = view.sizes[0], stride = view.strides[0];
  Value room = math.subtract(math.subtract(view.rootSize, view.offset), columns);
  Value positive = math.is(arith::CmpIPredicate::sgt, stride, zero);
  Value fits = math.divide(room, math.select(positive, stride, one));
  Value last = math.isAtMost(math.subtract(rows, one), fits);
  Value single = math.isEqual(rows, one), none = math.isEqual(rows, zero);
  Value counted = math.either(math.either(none, single), math.both(positive, last));
  return math.both(first, counted);
}

Value loadAt(ImplicitLocOpBuilder &b, const FlatView &view, Value base, Value index) {
  return memref::LoadOp::create(b, view.root, ValueRange{IndexMath(b).add(base, index)});
}

void storeAt(ImplicitLocOpBuilder &b, Value value, const FlatView &view, Value base, Value index) {
  memref::StoreOp::create(b, value, view.root, ValueRange{IndexMath(b).add(base, index)});
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

// The shape of a view of a memref: its offset, sizes and strides relative to the start of its owner, a buffer or a
// tensor. These templates compute it for subviews and casts, for every representation of numbers: MLIR values,
// registers of a simulator program, polynomials that are printed as C++.
//
//   %v = memref.subview %b[%slot, 4] [1, %n] [1, 1]      of 2 x 8192: offset slot * 8192 + 4, sizes [n], strides [1]
//
// The verifiers have their own analysis of views.

#ifndef OPC_DIALECT_AICORE_INDEX_VIEWSHAPE_H
#define OPC_DIALECT_AICORE_INDEX_VIEWSHAPE_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace opc {

/// Offset and strides have the same unit, elements or bytes. `Size` differs from `Number` if sizes may be unknown.
template <typename Number, typename Size = Number> struct ViewShape {
  Number offset;
  llvm::SmallVector<Size, 2> sizes;
  llvm::SmallVector<Number, 2> strides;
};

/// The shape of a subview. `math` has of(OpFoldResult), add and multiply of numbers.
template <typename Number, typename Size, typename Math>
ViewShape<Number, Size> subviewShape(mlir::memref::SubViewOp op, const ViewShape<Number, Size> &source, Math &&math) {
  ViewShape<Number, Size> shape;
  shape.offset = source.offset;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (auto [i, offset, size, step] : llvm::enumerate(op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
    shape.offset = math.add(shape.offset, math.multiply(math.of(offset), source.strides[i]));
    if (dropped.test(i))
      continue;
    shape.sizes.push_back(math.of(size));
    shape.strides.push_back(math.multiply(math.of(step), source.strides[i]));
  }
  return shape;
}

/// The shape of a reinterpret_cast. Its offset and strides are relative to the start of the owner (`base`), whatever
/// view is cast; `unit` is the size of an element in the unit of offsets.
template <typename Size, typename Number, typename Math>
ViewShape<Number, Size> castShape(mlir::memref::ReinterpretCastOp op, Number base, Number unit, Math &&math) {
  ViewShape<Number, Size> shape;
  shape.offset = math.add(base, math.multiply(math.of(op.getMixedOffsets().front()), unit));
  for (mlir::OpFoldResult size : op.getMixedSizes())
    shape.sizes.push_back(math.of(size));
  for (mlir::OpFoldResult stride : op.getMixedStrides())
    shape.strides.push_back(math.multiply(math.of(stride), unit));
  return shape;
}

} // namespace opc

#endif // OPC_DIALECT_AICORE_INDEX_VIEWSHAPE_H

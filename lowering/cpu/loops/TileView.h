// A memref of a kernel as flat memory: root, offset, sizes and strides, all counted in elements.
//
//   %v = memref.subview %b[%slot, 4] [1, %n] [1, 1]      root b, offset slot * 8192 + 4, sizes [n], strides [1]
//
// Views are followed here instead of being lowered one by one: every access then needs one comparison with the size
// of its root to be known as safe, and one addition to be performed.

#ifndef OPC_LOWERING_CPU_LOOPS_TILEVIEW_H
#define OPC_LOWERING_CPU_LOOPS_TILEVIEW_H

#include "dialect/aicore/index/ViewShape.h"
#include "runtime/target/ElementType.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Value.h"

namespace opc::cpu {

struct TileView : ViewShape<mlir::Value> {
  mlir::Value root;     ///< memref of rank 1 with signless elements
  mlir::Value rootSize; ///< its elements
  ElementType type = ElementType::Float32;
  bool global = false;  ///< in a tensor, else in a buffer
  int64_t capacity = 0; ///< of the root when it is a buffer

  ViewShape<mlir::Value> &shape() { return *this; }
  unsigned rank() const { return sizes.size(); }
  /// Elements of the last dimension.
  mlir::Value columns() const { return sizes.back(); }
};

/// The view that a subview takes of `source`; `lookup` gives the new value of an operand.
TileView subviewOf(mlir::ImplicitLocOpBuilder &b, mlir::memref::SubViewOp op, const TileView &source,
                   llvm::function_ref<mlir::Value(mlir::Value)> lookup);

/// The view that a reinterpret_cast takes: its offset counts from the root's first element.
TileView reinterpretedView(mlir::ImplicitLocOpBuilder &b, mlir::memref::ReinterpretCastOp op, const TileView &source,
                           llvm::function_ref<mlir::Value(mlir::Value)> lookup);

/// Whether `count` elements from the view's first on lie in its root (i1). Wrong in no case, whatever the numbers are.
mlir::Value rowInside(mlir::ImplicitLocOpBuilder &b, const TileView &view, mlir::Value count);
/// Whether all rows of a view of rank 1 or 2 lie in its root, each `columns` long (i1).
mlir::Value rowsInside(mlir::ImplicitLocOpBuilder &b, const TileView &view, mlir::Value columns);

/// Element `index` behind position `base` of the root.
mlir::Value loadAt(mlir::ImplicitLocOpBuilder &b, const TileView &view, mlir::Value base, mlir::Value index);
void storeAt(mlir::ImplicitLocOpBuilder &b, mlir::Value value, const TileView &view, mlir::Value base,
             mlir::Value index);

/// Elements in memory: integers without a sign in their type.
mlir::Type storageTypeOf(ElementType type, mlir::MLIRContext *context);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_LOOPS_TILEVIEW_H

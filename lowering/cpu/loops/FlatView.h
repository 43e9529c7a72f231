// A memref of a kernel as flat memory: root, offset, sizes and strides, all in elements.
//
//   %v = memref.subview %b[%slot, 4] [1, %n] [1, 1]      root b, offset slot * 8192 + 4, sizes [n], strides [1]
//
// Views are resolved here instead of being lowered one by one. Each access then takes one comparison with the size of
// its root to be checked, and one addition to be performed.

#ifndef OPC_LOWERING_CPU_LOOPS_FLATVIEW_H
#define OPC_LOWERING_CPU_LOOPS_FLATVIEW_H

#include "dialect/aicore/index/ViewShape.h"
#include "runtime/target/ElementType.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Value.h"

namespace opc::cpu {

struct FlatView : ViewShape<mlir::Value> {
  mlir::Value root;     ///< memref of rank 1 with signless elements
  mlir::Value rootSize; ///< number of its elements
  ElementType type = ElementType::Float32;
  bool global = false;  ///< whether it is in a tensor, and not in a buffer
  int64_t capacity = 0; ///< elements of the root if it is a buffer

  ViewShape<mlir::Value> &shape() { return *this; }
  unsigned rank() const { return sizes.size(); }
  /// Elements of the last dimension.
  mlir::Value columns() const { return sizes.back(); }
};

/// The view that a subview of `source` denotes; `lookup` returns the new value of an operand.
FlatView subviewOf(mlir::ImplicitLocOpBuilder &b, mlir::memref::SubViewOp op, const FlatView &source,
                   llvm::function_ref<mlir::Value(mlir::Value)> lookup);

/// The view that a reinterpret_cast denotes; its offset counts from the first element of the root.
FlatView reinterpretedView(mlir::ImplicitLocOpBuilder &b, mlir::memref::ReinterpretCastOp op, const FlatView &source,
                           llvm::function_ref<mlir::Value(mlir::Value)> lookup);

/// Whether `count` elements from the first of the view on are inside its root (i1). Correct for all operands.
mlir::Value rowInside(mlir::ImplicitLocOpBuilder &b, const FlatView &view, mlir::Value count);
/// Whether all rows of a view of rank 1 or 2, each `columns` long, are inside its root (i1).
mlir::Value rowsInside(mlir::ImplicitLocOpBuilder &b, const FlatView &view, mlir::Value columns);

/// The element at position `base` + `index` of the root.
mlir::Value loadAt(mlir::ImplicitLocOpBuilder &b, const FlatView &view, mlir::Value base, mlir::Value index);
void storeAt(mlir::ImplicitLocOpBuilder &b, mlir::Value value, const FlatView &view, mlir::Value base,
             mlir::Value index);

/// The type of an element in memory: integers are signless.
mlir::Type storageTypeOf(ElementType type, mlir::MLIRContext *context);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_LOOPS_FLATVIEW_H

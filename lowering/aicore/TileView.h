// What a memref operand of a pipe op is: a part of one buffer's slot, or a part of a tensor in GM.
//
//   %x = aicore.buffer "x" : memref<2x8192xf16, ub>
//   %v = memref.subview %x[%slot, 64] [1, %count] [1, 1]     TileView{x, slot = %slot, offset = 64, size = %count}
//
// The passes ask this; the verifiers follow views on their own.

#ifndef OPC_LOWERING_AICORE_TILEVIEW_H
#define OPC_LOWERING_AICORE_TILEVIEW_H

#include "dialect/aicore/AICoreOps.h"

#include "mlir/IR/OpDefinition.h"

#include <optional>

namespace opc::aicore {

/// A view in UB. `slot` is null for a buffer without slots. `offset` and `size` are in elements of the slot; null
/// when the view is the whole slot or a view of a view.
struct TileView {
  BufferOp buffer;
  mlir::OpFoldResult slot, offset, size;
};

/// A view of a tensor in GM. `offset` and `size` are in elements; null when the view is the whole tensor or has rows.
struct TensorView {
  mlir::BlockArgument tensor;
  mlir::OpFoldResult offset, size;
};

/// Nullopt when the operand does not come from a buffer through subviews.
std::optional<TileView> tileViewOf(mlir::Value memref);
/// Nullopt when it does not come from an argument of the kernel through subviews.
std::optional<TensorView> tensorViewOf(mlir::Value memref);

/// A pipe that moves data, as opposed to one that computes.
inline bool isDma(Pipe pipe) {
  return pipe == Pipe::MTE1 || pipe == Pipe::MTE2 || pipe == Pipe::MTE3 || pipe == Pipe::FIX;
}

/// The accesses of a pipe op.
llvm::SmallVector<Access> accessesOf(PipeOpInterface op);

/// The pipe ops that touch a buffer, through whatever views, in no particular order.
llvm::SmallVector<PipeOpInterface> usersOf(BufferOp buffer);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_TILEVIEW_H

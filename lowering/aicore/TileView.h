// The memory that an operand of a pipe op denotes: a part of one slot of a buffer, or a part of a tensor in GM.
//
//   %x = aicore.buffer "x" : memref<2x8192xf16, ub>
//   %v = memref.subview %x[%slot, 64] [1, %count] [1, 1]     TileView{x, slot = %slot, offset = 64, size = %count}
//
// Passes use these functions; verifiers follow views with code of their own.

#ifndef OPC_LOWERING_AICORE_TILEVIEW_H
#define OPC_LOWERING_AICORE_TILEVIEW_H

#include "dialect/aicore/AICoreOps.h"

#include "mlir/IR/OpDefinition.h"

#include <optional>

namespace opc::aicore {

/// A view in UB. `slot` is null for a buffer without slots. `offset` and `size` are in elements of the slot, and null
/// if the view is the whole slot or a view of a view.
struct TileView {
  BufferOp buffer;
  mlir::OpFoldResult slot, offset, size;
};

/// A view of a tensor in GM. `offset` and `size` are in elements, and null if the view is the whole tensor or has rows.
struct TensorView {
  mlir::BlockArgument tensor;
  mlir::OpFoldResult offset, size;
};

/// Nullopt if the operand is not derived from a buffer by subviews.
std::optional<TileView> tileViewOf(mlir::Value memref);
/// Nullopt if the operand is not derived from an argument of the kernel by subviews.
std::optional<TensorView> tensorViewOf(mlir::Value memref);

/// Whether a pipe moves data, as opposed to computing.
inline bool isDma(Pipe pipe) {
  return pipe == Pipe::MTE1 || pipe == Pipe::MTE2 || pipe == Pipe::MTE3 || pipe == Pipe::FIX;
}

/// The accesses of a pipe op.
llvm::SmallVector<Access> accessesOf(PipeOpInterface op);

/// The pipe ops that access a buffer through any views, in no particular order.
llvm::SmallVector<PipeOpInterface> usersOf(BufferOp buffer);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_TILEVIEW_H

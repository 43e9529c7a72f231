#include "lowering/aicore/TileView.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace opc::aicore {

std::optional<TileView> tileViewOf(Value memref) {
  TileView view;
  for (unsigned depth = 0; auto subview = memref.getDefiningOp<memref::SubViewOp>(); ++depth) {
    // The subview nearest to the buffer selects the slot.
    if (subview.getSourceType().getRank() == 2)
      view.slot = subview.getMixedOffsets().front();
    bool flat = depth == 0 && subview.hasUnitStride();
    view.offset = flat ? subview.getMixedOffsets().back() : OpFoldResult();
    view.size = flat ? subview.getMixedSizes().back() : OpFoldResult();
    memref = subview.getSource();
  }
  view.buffer = memref.getDefiningOp<BufferOp>();
  if (!view.buffer)
    return std::nullopt;
  return view;
}

std::optional<TensorView> tensorViewOf(Value memref) {
  TensorView view;
  unsigned depth = 0;
  for (; auto subview = memref.getDefiningOp<memref::SubViewOp>(); ++depth) {
    bool flat = depth == 0 && subview.getSourceType().getRank() == 1 && subview.hasUnitStride();
    view.offset = flat ? subview.getMixedOffsets().front() : OpFoldResult();
    view.size = flat ? subview.getMixedSizes().front() : OpFoldResult();
    memref = subview.getSource();
  }
  // Rows of a tensor: an offset and a size do not say where they end.
  if (auto cast = memref.getDefiningOp<memref::ReinterpretCastOp>()) {
    view.offset = view.size = OpFoldResult();
    memref = cast.getSource();
  }
  view.tensor = dyn_cast<BlockArgument>(memref);
  if (!view.tensor || spaceOf(memref) != Space::GM)
    return std::nullopt;
  return view;
}

SmallVector<Access> accessesOf(PipeOpInterface op) {
  SmallVector<Access> accesses;
  op.getAccesses(accesses);
  return accesses;
}

SmallVector<PipeOpInterface> usersOf(BufferOp buffer) {
  SmallVector<PipeOpInterface> users;
  SmallVector<Value> views = {buffer.getMemref()};
  while (!views.empty()) {
    Value view = views.pop_back_val();
    for (Operation *user : view.getUsers()) {
      if (auto pipeOp = dyn_cast<PipeOpInterface>(user))
        users.push_back(pipeOp);
      else if (isa<ViewLikeOpInterface>(user))
        views.append(user->result_begin(), user->result_end());
    }
  }
  return users;
}

} // namespace opc::aicore

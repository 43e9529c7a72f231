// The memory that a memref denotes: an owner (buffer or tensor), a byte offset, byte strides, sizes.
//
//   %b = aicore.buffer "x1" at 32768 : memref<2x8192xf16>      offset 32768, strides 16384, 2
//   memref.subview %b[%slot, 0] [1, %count] [1, 1]             offset 32768 + slot * 16384, strides 2, sizes %count

#include "lowering/emit/simulator/Emitter.h"

using namespace mlir;
using namespace opc;

Term SimulatorEmitter::term(OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return Term::constant(cast<IntegerAttr>(attribute).getInt());
  return term(cast<Value>(value));
}

FailureOr<const View *> SimulatorEmitter::viewOf(Operation *op, Value memref) {
  auto view = views.find(memref);
  if (view == views.end())
    return op->emitOpError("[simulator_c4] expects a tile that is a view of one buffer or tensor, found ")
           << memref.getType();
  return &view->second;
}

LogicalResult SimulatorEmitter::emitBuffer(aicore::BufferOp buffer) {
  if (!buffer.getAddress())
    return buffer.emitOpError("[simulator_c2] expects an address; '") << buffer.getName() << "' has none";
  if (program.buffers.size() + 1 >= kNoBuffer)
    return buffer.emitOpError("[simulator_c5] expects at most 65534 buffers");

  View view;
  view.space = ProgramOperand::UB;
  view.owner = static_cast<uint16_t>(program.buffers.size());
  view.type = *aicore::elementTypeOf(buffer.getType().getElementType());
  view.base = view.offset = Term::constant(buffer.getWindowAddress());
  int64_t stride = elementSize(view.type);
  for (int64_t size : llvm::reverse(buffer.getType().getShape())) {
    view.strides.insert(view.strides.begin(), Term::constant(stride));
    view.sizes.insert(view.sizes.begin(), Term::constant(size));
    stride *= size;
  }
  views[buffer.getMemref()] = view;
  program.buffers.push_back(
      {buffer.getName().str(), buffer.getWindowAddress(), buffer.getSlotBytes(), buffer.getSlots()});
  return success();
}

LogicalResult SimulatorEmitter::emitSubview(memref::SubViewOp subview) {
  FailureOr<const View *> source = viewOf(subview, subview.getSource());
  if (failed(source))
    return failure();
  View view = **source;
  view.shape() = subviewShape(subview, view.shape(), TermMath{*this});
  views[subview.getResult()] = view;
  return success();
}

LogicalResult SimulatorEmitter::emitReinterpretCast(memref::ReinterpretCastOp cast) {
  FailureOr<const View *> source = viewOf(cast, cast.getSource());
  if (failed(source))
    return failure();
  View view = **source;
  Term bytes = Term::constant(elementSize(view.type));
  view.shape() = castShape<std::optional<Term>>(cast, view.base, bytes, TermMath{*this});
  views[cast.getResult()] = view;
  return success();
}

LogicalResult SimulatorEmitter::emitViewOp(Operation *op, bool &handled) {
  handled = true;
  if (auto buffer = dyn_cast<aicore::BufferOp>(op))
    return emitBuffer(buffer);
  if (auto subview = dyn_cast<memref::SubViewOp>(op))
    return emitSubview(subview);
  if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op))
    return emitReinterpretCast(cast);
  if (auto cast = dyn_cast<memref::CastOp>(op)) {
    FailureOr<const View *> source = viewOf(op, cast.getSource());
    if (failed(source))
      return failure();
    View view = **source;
    views[cast.getResult()] = view;
    return success();
  }
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    FailureOr<const View *> source = viewOf(op, dim.getSource());
    std::optional<int64_t> index = dim.getConstantIndex();
    if (failed(source) || !index || *index < 0 || *index >= int64_t((*source)->sizes.size()) ||
        !(*source)->sizes[*index])
      return op->emitOpError("[simulator_c4] expects the size of a view; sizes of tensors arrive as tiling data");
    define(dim.getResult(), *(*source)->sizes[*index]);
    return success();
  }
  handled = false;
  return success();
}

// Views are resolved where they are used, starting from their owner; nothing is printed for them.

#include "lowering/emit/ascendc/TilePlaces.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace opc;

bool opc::isView(Operation *op) {
  return isa<memref::SubViewOp, memref::ReinterpretCastOp, memref::CastOp>(op);
}

static FailureOr<TilePlace> placeOfBuffer(aicore::BufferOp buffer) {
  if (buffer.getSpace() != aicore::Space::UB || !buffer.getAddress())
    return buffer.emitOpError("[ascendc_c2] expects a buffer in ub with an address, found '")
           << buffer.getName() << "'";
  TilePlace place;
  place.buffer = buffer;
  place.type = *aicore::elementTypeOf(buffer.getType().getElementType());
  int64_t stride = 1;
  for (int64_t size : llvm::reverse(buffer.getType().getShape())) {
    place.sizes.insert(place.sizes.begin(), Polynomial::of(size));
    place.strides.insert(place.strides.begin(), Polynomial::of(stride));
    stride *= size;
  }
  return place;
}

static FailureOr<TilePlace> placeOfSubview(memref::SubViewOp subview) {
  FailureOr<TilePlace> source = placeOf(subview, subview.getSource());
  if (failed(source))
    return failure();
  TilePlace place = *source;
  place.sizes.clear();
  place.strides.clear();
  llvm::SmallBitVector dropped = subview.getDroppedDims();
  for (auto [i, offset, size, step] :
       llvm::enumerate(subview.getMixedOffsets(), subview.getMixedSizes(), subview.getMixedStrides())) {
    Polynomial start = Polynomial::of(offset);
    place.offset = place.offset + start * source->strides[i];
    bool choosesSlot = dropped.test(i) && i == 0;
    place.startsSlot &= choosesSlot || (start.isConstant() && start.constant == 0);
    if (dropped.test(i))
      continue;
    place.sizes.push_back(Polynomial::of(size));
    place.strides.push_back(Polynomial::of(step) * source->strides[i]);
  }
  return place;
}

// Offset and strides count from the start of the owner, whichever view is cast.
static FailureOr<TilePlace> placeOfCast(memref::ReinterpretCastOp cast) {
  FailureOr<TilePlace> source = placeOf(cast, cast.getSource());
  if (failed(source))
    return failure();
  TilePlace place = *source;
  place.offset = Polynomial::of(cast.getMixedOffsets().front());
  place.startsSlot = place.offset.isConstant() && place.offset.constant == 0;
  place.sizes.clear();
  place.strides.clear();
  for (OpFoldResult size : cast.getMixedSizes())
    place.sizes.push_back(Polynomial::of(size));
  for (OpFoldResult stride : cast.getMixedStrides())
    place.strides.push_back(Polynomial::of(stride));
  return place;
}

FailureOr<TilePlace> opc::placeOf(Operation *user, Value memref) {
  if (auto argument = dyn_cast<BlockArgument>(memref); argument && argument.getOwner()->isEntryBlock()) {
    auto type = dyn_cast<MemRefType>(memref.getType());
    if (type && aicore::spaceOf(type) == aicore::Space::GM) {
      TilePlace place;
      place.tensor = argument.getArgNumber();
      place.type = *aicore::elementTypeOf(type.getElementType());
      place.strides = {Polynomial::of(1)};
      place.sizes = {Polynomial::of(type.isDynamicDim(0) ? 0 : type.getDimSize(0))};
      return place;
    }
  }
  Operation *op = memref.getDefiningOp();
  if (auto buffer = dyn_cast_or_null<aicore::BufferOp>(op))
    return placeOfBuffer(buffer);
  if (auto subview = dyn_cast_or_null<memref::SubViewOp>(op))
    return placeOfSubview(subview);
  if (auto cast = dyn_cast_or_null<memref::ReinterpretCastOp>(op))
    return placeOfCast(cast);
  if (auto cast = dyn_cast_or_null<memref::CastOp>(op))
    return placeOf(cast, cast.getSource());
  return user->emitOpError("[ascendc_c3] expects a tile that is a view of one buffer or tensor, found ")
         << memref.getType();
}

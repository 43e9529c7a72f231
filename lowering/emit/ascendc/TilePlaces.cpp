// Views are resolved where they are used, starting from their owner; nothing is printed for them.

#include "lowering/emit/ascendc/TilePlaces.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace opc;

bool opc::isView(Operation *op) {
  return isa<memref::SubViewOp, memref::ReinterpretCastOp, memref::CastOp>(op);
}

static FailureOr<TilePlace> placeOfBuffer(aicore::BufferOp buffer) {
  if (!buffer.getAddress())
    return buffer.emitOpError("[ascendc_c2] expects a buffer with an address, found '") << buffer.getName() << "'";
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

namespace {
struct PolynomialMath {
  static Polynomial of(OpFoldResult number) { return Polynomial::of(number); }
  static Polynomial add(const Polynomial &a, const Polynomial &b) { return a + b; }
  static Polynomial multiply(const Polynomial &a, const Polynomial &b) { return a * b; }
};
} // namespace

static FailureOr<TilePlace> placeOfSubview(memref::SubViewOp subview) {
  FailureOr<TilePlace> source = placeOf(subview, subview.getSource());
  if (failed(source))
    return failure();
  TilePlace place = *source;
  place.shape() = subviewShape(subview, source->shape(), PolynomialMath());
  llvm::SmallBitVector dropped = subview.getDroppedDims();
  for (auto [i, offset] : llvm::enumerate(subview.getMixedOffsets())) {
    bool choosesSlot = dropped.test(i) && i == 0;
    place.startsSlot &= choosesSlot || isZeroInteger(offset);
  }
  return place;
}

static FailureOr<TilePlace> placeOfCast(memref::ReinterpretCastOp cast) {
  FailureOr<TilePlace> source = placeOf(cast, cast.getSource());
  if (failed(source))
    return failure();
  TilePlace place = *source;
  place.shape() = castShape<Polynomial>(cast, Polynomial::of(0), Polynomial::of(1), PolynomialMath());
  place.startsSlot = place.offset.isConstant() && place.offset.constant == 0;
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

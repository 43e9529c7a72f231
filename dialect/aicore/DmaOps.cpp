// Copies between global memory and tiles.

#include "dialect/aicore/AICoreOps.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace opc::aicore;

namespace {
/// The labels of the rules that loads and stores share.
struct CopyRules {
  StringLiteral spaces, shapes, types, rows;
};
} // namespace

static constexpr CopyRules kLoadRules = {"load_c1", "load_c2", "load_c3", "load_c4"};
static constexpr CopyRules kStoreRules = {"store_c1", "store_c2", "store_c3", "store_c4"};

static LogicalResult verifyCopy(Operation *op, const CopyRules &rules, Value source, Space sourceSpace,
                                Value destination, Space destinationSpace, bool flatTile) {
  auto sourceType = cast<MemRefType>(source.getType());
  auto destinationType = cast<MemRefType>(destination.getType());
  if (spaceOf(source) != sourceSpace || spaceOf(destination) != destinationSpace)
    return op->emitOpError() << "[" << rules.spaces << "] expects 'source' in " << stringifySpace(sourceSpace)
                             << " and 'destination' in " << stringifySpace(destinationSpace) << ", found " << sourceType
                             << " and " << destinationType;
  MemRefType tensorType = sourceSpace == Space::GM ? sourceType : destinationType;
  MemRefType tileType = sourceSpace == Space::GM ? destinationType : sourceType;
  if (flatTile && (tensorType.getRank() != 2 || tileType.getRank() != 1))
    return op->emitOpError() << "[" << rules.shapes
                             << "] expects rows of rank 2 in gm and a flat tile with 'stride', "
                                "found "
                             << sourceType << " and " << destinationType;
  if (!flatTile && (sourceType.getRank() < 1 || sourceType.getRank() > 2 ||
                    failed(verifyCompatibleShape(sourceType, destinationType))))
    return op->emitOpError() << "[" << rules.shapes
                             << "] expects 'source' and 'destination' of one shape of rank 1 or 2, found " << sourceType
                             << " and " << destinationType;
  if (sourceType.getElementType() != destinationType.getElementType() || !elementTypeOf(sourceType.getElementType()))
    return op->emitOpError() << "[" << rules.types << "] expects one element type of a number, found "
                             << sourceType.getElementType() << " and " << destinationType.getElementType();
  if (!hasUnitInnerStride(sourceType) || !hasUnitInnerStride(destinationType))
    return op->emitOpError() << "[" << rules.rows << "] expects elements of a row to lie together, found " << sourceType
                             << " and " << destinationType;
  return success();
}

opc::aicore::Pipe LoadOp::getPipe() {
  return Pipe::MTE2;
}

void LoadOp::getAccesses(SmallVectorImpl<Access> &accesses) {
  accesses.push_back({&getSourceMutable(), /*reads=*/true});
  accesses.push_back({&getDestinationMutable(), /*reads=*/false, /*writes=*/true});
}

LogicalResult LoadOp::verify() {
  if (failed(verifyCopy(*this, kLoadRules, getSource(), Space::GM, getDestination(), Space::UB,
                        static_cast<bool>(getRowStride()))))
    return failure();
  Type element = cast<MemRefType>(getSource().getType()).getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    element = IntegerType::get(getContext(), integer.getWidth());
  if (getPad() && getPad().getType() != element)
    return emitOpError("[load_c3] expects 'pad' to have the element type ")
           << element << ", found " << getPad().getType();
  return success();
}

opc::aicore::Pipe StoreOp::getPipe() {
  return Pipe::MTE3;
}

void StoreOp::getAccesses(SmallVectorImpl<Access> &accesses) {
  accesses.push_back({&getSourceMutable(), /*reads=*/true});
  accesses.push_back({&getDestinationMutable(), /*reads=*/getAtomicAdd(), /*writes=*/true});
}

LogicalResult StoreOp::verify() {
  if (failed(verifyCopy(*this, kStoreRules, getSource(), Space::UB, getDestination(), Space::GM,
                        static_cast<bool>(getRowStride()))))
    return failure();
  Type element = cast<MemRefType>(getSource().getType()).getElementType();
  bool addable = element.isF16() || element.isF32() || element.isSignlessInteger(16) || element.isSignlessInteger(32);
  if (getAtomicAdd() && !addable)
    return emitOpError("[store_c5] expects elements of i16, f16, i32 or f32 for 'atomic_add', found ") << element;
  return success();
}

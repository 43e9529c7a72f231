// Vector intrinsics: operands by the form of the target's table, and the rules that all forms
// share.

#include "dialect/aicore/AICoreOps.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace opc;
using namespace opc::aicore;

static IntrinsicForm formOf(Operation *op) {
  return intrinsicInfo(opc::aicore::detail::intrinsicOf(op)).form;
}

static unsigned destinationIndex(Operation *op) {
  return op->getNumOperands() - (formOf(op) == IntrinsicForm::Reduce ? 2 : 1);
}

static bool readsDestination(Operation *op) {
  IntrinsicForm form = formOf(op);
  return form == IntrinsicForm::Accumulate || form == IntrinsicForm::AccumulateScalar;
}

static bool hasMaskSource(Operation *op) {
  IntrinsicForm form = formOf(op);
  return form == IntrinsicForm::Select || form == IntrinsicForm::SelectScalar;
}

static bool hasMaskDestination(Operation *op) {
  IntrinsicForm form = formOf(op);
  return form == IntrinsicForm::Compare || form == IntrinsicForm::CompareScalar;
}

namespace opc::aicore::detail {

Intrinsic intrinsicOf(Operation *op) {
  // Every op of this interface has a row: a unit test walks them all.
  return *findIntrinsic(std::string_view(op->getName().stripDialect()));
}

SmallVector<Value> sourceTilesOf(Operation *op) {
  SmallVector<Value> tiles;
  for (Value operand : op->getOperands().take_front(destinationIndex(op)))
    if (isa<MemRefType>(operand.getType()))
      tiles.push_back(operand);
  return tiles;
}

Value destinationTileOf(Operation *op) {
  return op->getOperand(destinationIndex(op));
}

Value scalarOperandOf(Operation *op) {
  for (Value operand : op->getOperands().take_front(destinationIndex(op)))
    if (!isa<MemRefType>(operand.getType()))
      return operand;
  return {};
}

Value scratchTileOf(Operation *op) {
  return formOf(op) == IntrinsicForm::Reduce ? op->getOperands().back() : Value();
}

Rounding roundingOf(Operation *op) {
  auto cast = dyn_cast<VCastOp>(op);
  return cast ? cast.getRounding() : Rounding::None;
}

Comparison comparisonOf(Operation *op) {
  if (auto compare = dyn_cast<VCmpOp>(op))
    return compare.getComparison();
  if (auto compare = dyn_cast<VCmpsOp>(op))
    return compare.getComparison();
  return Comparison::Lt;
}

FailureOr<TypeRow> typeRowOf(Operation *op) {
  SmallVector<Value> sources = sourceTilesOf(op);
  Type source;
  if (sources.empty())
    source = scalarOperandOf(op).getType();
  else
    source = cast<MemRefType>(sources[hasMaskSource(op) ? 1 : 0].getType()).getElementType();
  auto destination = cast<MemRefType>(destinationTileOf(op).getType()).getElementType();
  std::optional<ElementType> from = elementTypeOf(source), to = elementTypeOf(destination);
  if (!from || !to)
    return failure();
  return TypeRow{*from, *to};
}

void appendVectorAccesses(Operation *op, SmallVectorImpl<Access> &accesses) {
  unsigned destination = destinationIndex(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    Access access{&operand};
    access.scratch = operand.getOperandNumber() > destination;
    access.writes = operand.getOperandNumber() >= destination;
    access.reads = operand.getOperandNumber() < destination ||
                   (operand.getOperandNumber() == destination && readsDestination(op));
    accesses.push_back(access);
  }
}

// Tiles of one element for each element of the result: the rest (masks, gathered tiles, one-element
// results) has its own length rule.
static SmallVector<Value> tilesOfOneLength(Operation *op) {
  SmallVector<Value> tiles = sourceTilesOf(op);
  if (hasMaskSource(op))
    tiles.erase(tiles.begin());
  if (formOf(op) == IntrinsicForm::Gather)
    tiles.erase(tiles.begin());
  if (!hasMaskDestination(op) && formOf(op) != IntrinsicForm::Reduce)
    tiles.push_back(destinationTileOf(op));
  return tiles;
}

static LogicalResult verifyMask(Operation *op, Value mask, Value tile) {
  auto type = cast<MemRefType>(mask.getType());
  int64_t bits = type.getDimSize(0) * 8, elements = cast<MemRefType>(tile.getType()).getDimSize(0);
  bool enough = type.isDynamicDim(0) || ShapedType::isDynamic(elements) || bits >= elements;
  if (!type.getElementType().isUnsignedInteger(8) || !enough)
    return op->emitOpError("[vector_c5] expects a mask tile of ui8 with a bit for each element of ")
           << tile.getType() << ", found " << type;
  return success();
}

LogicalResult verifyVectorOp(Operation *op) {
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type)
      continue;
    if (spaceOf(type) != Space::UB || type.getRank() != 1 || !hasUnitInnerStride(type))
      return op->emitOpError(
                 "[vector_c1] expects rank 1 tiles in ub whose elements lie together, found ")
             << type;
  }
  Value destination = destinationTileOf(op);
  auto destinationType = cast<MemRefType>(destination.getType());
  SmallVector<Value> sources = sourceTilesOf(op);

  SmallVector<Value> sameLength = tilesOfOneLength(op);
  for (Value tile : sameLength)
    if (failed(verifyCompatibleShape(tile.getType(), sameLength.front().getType())))
      return op->emitOpError("[vector_c2] expects tiles of one length, found ")
             << sameLength.front().getType() << " and " << tile.getType();

  IntrinsicForm form = formOf(op);
  bool converts = form == IntrinsicForm::Cast || hasMaskDestination(op) ||
                  llvm::any_of(intrinsicInfo(intrinsicOf(op)).types,
                               [](const TypeRow &row) { return row.source != row.destination; });
  Type element;
  ArrayRef<Value> valued = ArrayRef<Value>(sources).drop_front(hasMaskSource(op) ? 1 : 0);
  if (form == IntrinsicForm::Gather) {
    Type offsets = cast<MemRefType>(valued.back().getType()).getElementType();
    if (!offsets.isUnsignedInteger(32))
      return op->emitOpError("[vector_c3] expects offsets of ui32, found ") << offsets;
    valued = valued.drop_back();
  }
  for (Value tile : valued) {
    Type type = cast<MemRefType>(tile.getType()).getElementType();
    if (element && type != element)
      return op->emitOpError("[vector_c3] expects sources of one element type, found ")
             << element << " and " << type;
    element = type;
  }
  if (element && !converts && destinationType.getElementType() != element)
    return op->emitOpError(
               "[vector_c3] expects the destination to have the element type of the sources ")
           << element << ", found " << destinationType.getElementType();

  if (Value scalar = scalarOperandOf(op)) {
    Type expected = element ? element : destinationType.getElementType();
    if (scalar.getType() != expected)
      return op->emitOpError("[vector_c4] expects a scalar of the element type ")
             << expected << ", found " << scalar.getType();
  }
  if (hasMaskSource(op) && failed(verifyMask(op, sources.front(), valued.front())))
    return failure();
  if (hasMaskDestination(op) && failed(verifyMask(op, destination, valued.front())))
    return failure();

  if (form != IntrinsicForm::Reduce)
    return success();
  if (destinationType.getDimSize(0) == 0)
    return op->emitOpError("[reduce_c1] expects a destination of at least one element, found ")
           << destinationType;
  Type scratch = cast<MemRefType>(scratchTileOf(op).getType()).getElementType();
  if (scratch != element)
    return op->emitOpError("[reduce_c2] expects a scratch tile of the element type ")
           << element << ", found " << scratch;
  return success();
}

} // namespace opc::aicore::detail

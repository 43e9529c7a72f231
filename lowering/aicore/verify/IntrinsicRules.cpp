#include "lowering/aicore/verify/IntrinsicRules.h"
#include "lowering/aicore/verify/Views.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace opc::aicore {

SmallVector<Value> tilesOfOneLength(VectorOpInterface op) {
  SmallVector<Value> tiles = op.getSourceTiles();
  switch (intrinsicInfo(op.getIntrinsic()).form) {
  case IntrinsicForm::Compare:
  case IntrinsicForm::CompareScalar:
    return tiles;
  case IntrinsicForm::Reduce:
    return {};
  case IntrinsicForm::Select:
  case IntrinsicForm::SelectScalar:
  case IntrinsicForm::Gather:
    tiles.erase(tiles.begin());
    break;
  default:
    break;
  }
  tiles.push_back(op.getDestinationTile());
  return tiles;
}

static std::string rowText(TypeRow row) {
  std::string text(mlirTypeName(row.source));
  if (row.source != row.destination)
    text += " to " + std::string(mlirTypeName(row.destination));
  return text;
}

static LogicalResult verifyTypes(VectorOpInterface op, const Target &target) {
  FailureOr<TypeRow> row = op.getTypeRow();
  const IntrinsicInfo &info = intrinsicInfo(op.getIntrinsic());
  if (failed(row) || !target.supports(info.intrinsic, *row)) {
    SmallVector<std::string> known;
    for (TypeRow types : info.types)
      if (target.supports(info.intrinsic, types))
        known.push_back(rowText(types));
    return op->emitError("[placed_c6] expects an intrinsic that ")
           << target.name() << " has; '" << std::string(info.name) << "' of "
           << (failed(row) ? "these types" : rowText(*row)) << " is none, it has "
           << (known.empty() ? "no types" : llvm::join(known, ", "));
  }
  if (info.form != IntrinsicForm::Cast)
    return success();
  std::vector<RoundingMode> modes = target.castRoundings(*row);
  if (llvm::is_contained(modes, toTarget(op.getRoundingMode())))
    return success();
  SmallVector<std::string> known;
  for (RoundingMode mode : modes)
    known.emplace_back(roundingModeName(mode));
  return op->emitError("[placed_c7] expects a rounding mode that ")
         << target.name() << " has for a cast of " << rowText(*row) << " ("
         << llvm::join(known, ", ") << "), found '" << stringifyRounding(op.getRoundingMode())
         << "'";
}

static LogicalResult verifyScratch(VectorOpInterface op, const Target &target, const Facts &facts) {
  Value scratch = op.getScratchTile();
  if (!scratch)
    return success();
  ElementType type = *elementTypeOf(cast<MemRefType>(scratch.getType()).getElementType());
  Fact count = facts.of(lengthsOf(op.getSourceTiles().front()).back());
  std::optional<int64_t> elements = getConstantIntValue(lengthsOf(scratch).back());
  int64_t needed = target.reduceScratchBytes(op.getIntrinsic(), type, count.max);
  int64_t found = elements.value_or(0) * elementSize(type);
  if (found >= needed)
    return success();
  return op->emitError("[placed_c12] expects a scratch tile of a constant length of at least ")
         << needed << " bytes for up to " << count.max << " elements on " << target.name()
         << ", found " << (elements ? std::to_string(found) + " bytes" : "no constant length");
}

static LogicalResult verifyComparison(VectorOpInterface op, const Target &target,
                                      const Facts &facts) {
  IntrinsicForm form = intrinsicInfo(op.getIntrinsic()).form;
  if (form != IntrinsicForm::Compare && form != IntrinsicForm::CompareScalar)
    return success();
  Fact count = facts.of(lengthsOf(op.getSourceTiles().front()).back());
  int64_t bytes = elementSize(
      *elementTypeOf(cast<MemRefType>(op.getSourceTiles().front().getType()).getElementType()));
  int64_t whole = llvm::alignTo(count.max * bytes, target.vectorBytes());
  auto verifyRoom = [&](Value tile, int64_t needed) -> LogicalResult {
    BufferOp buffer = bufferOfView(tile);
    int64_t size = buffer.getSlotBytes() / buffer.getCapacity();
    int64_t room = (buffer.getCapacity() - extentOf(tile, facts).offset.max) * size;
    if (room >= needed)
      return success();
    return op->emitError("[placed_c13] expects buffers with room for whole repeats of ")
               .append(target.vectorBytes(), " bytes, which a comparison touches; it needs ",
                       needed, " bytes")
               .attachNote(buffer.getLoc())
           << "'" << buffer.getName() << "' has " << room << " bytes there";
  };
  for (Value source : op.getSourceTiles())
    if (failed(verifyRoom(source, whole)))
      return failure();
  return verifyRoom(op.getDestinationTile(), whole / bytes / 8);
}

LogicalResult verifyIntrinsic(VectorOpInterface op, const Target &target, const Facts &facts) {
  return success(succeeded(verifyTypes(op, target)) &&
                 succeeded(verifyScratch(op, target, facts)) &&
                 succeeded(verifyComparison(op, target, facts)));
}

} // namespace opc::aicore

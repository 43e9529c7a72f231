#include "lowering/aicore/verify/IntrinsicRules.h"
#include "lowering/aicore/verify/values/Views.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace opc::aicore {

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
         << target.name() << " has for a cast of " << rowText(*row) << " (" << llvm::join(known, ", ") << "), found '"
         << stringifyRounding(op.getRoundingMode()) << "'";
}

/// Whether the scratch has as many elements as the source, in whole blocks. If that suffices for one block, it
/// suffices for any count, since scratch grows by less than 32 bytes per block.
static bool isScratchOfRow(VectorOpInterface op, const Target &target, const Facts &facts) {
  OpFoldResult count = lengthsOf(op.getSourceTiles().front()).back(), room = lengthsOf(op.getScratchTile()).back();
  auto length = dyn_cast<Value>(room);
  ElementType type = op.getTypeRow()->source;
  int64_t bytes = elementSize(type), block = target.ubAlignment() / bytes;
  return length && !hasByteScratch(intrinsicInfo(op.getIntrinsic()).form) && facts.of(length).divisor % block == 0 &&
         facts.atMost(count, length) &&
         target.scratchBytes(op.getIntrinsic(), type, target.vectorBytes() / bytes) <= target.ubAlignment();
}

static LogicalResult verifyScratch(VectorOpInterface op, const Target &target, const Facts &facts) {
  Value scratch = op.getScratchTile();
  if (!scratch || !op.getReducedRows().empty())
    return success();
  ElementType type = *elementTypeOf(cast<MemRefType>(scratch.getType()).getElementType());
  Fact count = facts.of(lengthsOf(op.getSourceTiles().front()).back());
  std::optional<int64_t> elements = getConstantIntValue(lengthsOf(scratch).back());
  int64_t needed = target.scratchBytes(op.getIntrinsic(), op.getTypeRow()->source, count.max);
  int64_t found = elements.value_or(0) * elementSize(type);
  if (found >= needed || isScratchOfRow(op, target, facts))
    return success();
  return op->emitError("[placed_c12] expects a scratch tile as long as the source in whole blocks, or of a "
                       "constant length of at least ")
         << needed << " bytes for up to " << count.max << " elements on " << target.name() << ", found "
         << (elements ? std::to_string(found) + " bytes" : "no constant length");
}

static LogicalResult verifyComparison(VectorOpInterface op, const Target &target, const Facts &facts) {
  if (!writesMask(intrinsicInfo(op.getIntrinsic()).form))
    return success();
  Fact count = facts.of(lengthsOf(op.getSourceTiles().front()).back());
  int64_t bytes = elementSize(*elementTypeOf(cast<MemRefType>(op.getSourceTiles().front().getType()).getElementType()));
  int64_t whole = llvm::alignTo(count.max * bytes, target.vectorBytes());
  auto verifyRoom = [&](Value tile, int64_t needed) -> LogicalResult {
    BufferOp buffer = bufferOfView(tile);
    int64_t size = buffer.getSlotBytes() / buffer.getCapacity();
    int64_t room = (buffer.getCapacity() - extentOf(tile, facts).offset.max) * size;
    if (room >= needed)
      return success();
    return op->emitError("[placed_c13] expects buffers with room for whole repeats of ")
               .append(target.vectorBytes(), " bytes, which a comparison touches; it needs ", needed, " bytes")
               .attachNote(buffer.getLoc())
           << "'" << buffer.getName() << "' has " << room << " bytes there";
  };
  for (Value source : op.getSourceTiles())
    if (failed(verifyRoom(source, whole)))
      return failure();
  return verifyRoom(op.getDestinationTile(), whole / bytes / 8);
}

/// The second operand of an arith op, if it is constant. `first` is set to the first operand.
template <typename Op> static std::optional<int64_t> constantOperand(Value value, Value &first) {
  auto op = value.getDefiningOp<Op>();
  if (!op)
    return std::nullopt;
  first = op.getLhs();
  return getConstantIntValue(OpFoldResult(op.getRhs()));
}

/// Whether `result` is computed from `count` by the formula for the length of the result. The length of the operand
/// then is the length that is written, for every count.
static bool isResultOf(OpFoldResult result, OpFoldResult count, const ResultLength &length) {
  auto value = dyn_cast<Value>(result);
  if (!value || isa<Attribute>(count))
    return false;
  Value inner = value;
  if (length.factor != 1 && constantOperand<arith::MulIOp>(value, inner) != length.factor)
    return false;
  value = inner;
  if (length.divisor != 1) {
    bool up = length.add == length.divisor - 1;
    std::optional<int64_t> divisor =
        up ? constantOperand<arith::CeilDivSIOp>(value, inner) : constantOperand<arith::FloorDivSIOp>(value, inner);
    if ((!up && length.add != 0) || divisor != length.divisor)
      return false;
  }
  return inner == cast<Value>(count);
}

static LogicalResult verifyUnits(VectorOpInterface op, const Target &target, const Facts &facts) {
  IntrinsicForm form = intrinsicInfo(op.getIntrinsic()).form;
  bool merge = form == IntrinsicForm::Merge;
  int64_t unit = countUnit(form, op.getTypeRow()->source);
  SmallVector<Value> counted = {op.getCountedTile()};
  if (merge)
    counted = op.getSourceTiles();
  for (Value tile : counted) {
    Fact count = facts.of(lengthsOf(tile).back());
    if (count.divisor % unit != 0)
      return op->emitError("[placed_c19] expects lengths known to be multiples of ")
             << unit << ", found " << lengthText(lengthsOf(tile).back()) << ", a multiple of " << count.divisor;
    if (merge && count.max / unit > target.maxMergePairs())
      return op->emitError("[placed_c19] expects lists of at most ")
             << target.maxMergePairs() << " pairs on " << target.name() << ", found up to " << count.max / unit;
  }
  return success();
}

static LogicalResult verifyResult(VectorOpInterface op, const Facts &facts) {
  IntrinsicForm form = intrinsicInfo(op.getIntrinsic()).form;
  if (!countsSource(form) || writesMask(form) || form == IntrinsicForm::Reduce || form == IntrinsicForm::Scatter)
    return success();
  ResultLength length = resultLength(form, op.getTypeRow()->source, toTarget(op.getKeep()));
  OpFoldResult result = lengthsOf(op.getDestinationTile()).back();
  Fact count = facts.of(lengthsOf(op.getCountedTile()).back());
  if (form == IntrinsicForm::Merge) {
    SmallVector<Value> lists = op.getSourceTiles();
    for (Value list : ArrayRef<Value>(lists).drop_front())
      count = sum(count, facts.of(lengthsOf(list).back()));
  } else if (isResultOf(result, lengthsOf(op.getCountedTile()).back(), length)) {
    return success();
  }
  int64_t needed = length.of(count.max);
  std::optional<int64_t> found = getConstantIntValue(result);
  if (found && *found >= needed)
    return success();
  return op->emitError("[placed_c20] expects a destination as long as what is written, computed "
                       "from the source's length or a constant of at least ")
         << needed << " for up to " << count.max << " elements, found " << lengthText(result);
}

static LogicalResult verifyApart(VectorOpInterface op, const Facts &facts) {
  if (worksInPlace(intrinsicInfo(op.getIntrinsic()).form) && op.getReducedRows().empty())
    return success();
  SmallVector<Value> others = op.getSourceTiles();
  if (Value scratch = op.getScratchTile())
    others.push_back(scratch);
  Value destination = op.getDestinationTile();
  auto endOf = [&](const Extent &extent) { return sum(extent.offset, facts.of(extent.length)).max; };
  for (Value other : others) {
    if (bufferOfView(other) != bufferOfView(destination))
      continue;
    Extent a = extentOf(destination, facts), b = extentOf(other, facts);
    if (endOf(a) <= b.offset.min || endOf(b) <= a.offset.min)
      continue;
    return op->emitError("[placed_c21] expects a destination apart from what the intrinsic reads; "
                         "both are views of '")
           << bufferOfView(destination).getName() << "' that may overlap";
  }
  return success();
}

/// The other factor of a length that is the product of a number of rows and a factor; nullopt if it is no such product.
static std::optional<Value> rowsFactor(OpFoldResult length, Value &rows) {
  auto value = dyn_cast<Value>(length);
  auto product = value ? value.getDefiningOp<arith::MulIOp>() : arith::MulIOp();
  if (!product)
    return std::nullopt;
  rows = product.getLhs();
  return product.getRhs();
}

// The tile and the blocks have the same rows: both lengths are multiples of the same value, or there is a single row.
static LogicalResult verifyRows(VectorOpInterface op, const Facts &facts) {
  if (!op.takesRows())
    return success();
  int64_t lanes = kBlockBytes / elementSize(op.getTypeRow()->source);
  OpFoldResult blocks = lengthsOf(op.getSourceTiles().back()).back(), count = lengthsOf(op.getCountedTile()).back();
  if (std::optional<int64_t> constant = getConstantIntValue(blocks)) {
    bool oneRow = *constant == lanes;
    if (oneRow || (*constant > 0 && *constant % lanes == 0 && facts.of(count).divisor % *constant == 0))
      return success();
  } else {
    Value rowsOfBlocks, rowsOfTile;
    std::optional<Value> block = rowsFactor(blocks, rowsOfBlocks), row = rowsFactor(count, rowsOfTile);
    if (block && row && rowsOfBlocks == rowsOfTile && getConstantIntValue(OpFoldResult(*block)) == lanes &&
        facts.of(OpFoldResult(*row)).divisor % lanes == 0)
      return success();
  }
  return op->emitError("[placed_c22] expects a block of ")
         << lanes << " elements for each row, both lengths products of one number of rows; found " << lengthText(blocks)
         << " for " << lengthText(count);
}

/// The length of each of `rows` rows of a tile that is whole rows; nullopt if it is unknown.
static std::optional<OpFoldResult> lengthOfRow(OpFoldResult length, OpFoldResult rows) {
  if (auto value = dyn_cast<Value>(length))
    if (auto product = value.getDefiningOp<arith::MulIOp>()) {
      if (OpFoldResult(product.getLhs()) == rows || getAsOpFoldResult(product.getLhs()) == rows)
        return getAsOpFoldResult(product.getRhs());
      if (OpFoldResult(product.getRhs()) == rows || getAsOpFoldResult(product.getRhs()) == rows)
        return getAsOpFoldResult(product.getLhs());
    }
  const std::optional<int64_t> all = getConstantIntValue(length), number = getConstantIntValue(rows);
  if (number == 1)
    return length;
  if (!all || !number || *number <= 0 || *all % *number != 0)
    return std::nullopt;
  return Builder(rows.getContext()).getIndexAttr(*all / *number);
}

// Source and destination are whole rows, each of whole blocks, and a row contains the elements that are reduced. The
// scratch is as long as the source.
static LogicalResult verifyReducedRows(VectorOpInterface op, const Target &target, const Facts &facts) {
  const SmallVector<Value, 2> extent = op.getReducedRows();
  if (extent.empty())
    return success();
  const int64_t lanes = kBlockBytes / elementSize(op.getTypeRow()->source);
  const OpFoldResult rows = getAsOpFoldResult(extent[0]), columns = getAsOpFoldResult(extent[1]);
  OpFoldResult source = lengthsOf(op.getSourceTiles().front()).back(),
               result = lengthsOf(op.getDestinationTile()).back(), scratch = lengthsOf(op.getScratchTile()).back();
  const std::optional<OpFoldResult> row = lengthOfRow(source, rows), of = lengthOfRow(result, rows);
  auto isWhole = [&](OpFoldResult length) { return facts.of(length).divisor % lanes == 0; };
  if (!row || !of || !isWhole(*row) || !isWhole(*of) || facts.of(*of).min < 1)
    return op->emitError("[placed_c25] expects a tile and results of whole rows, each of whole blocks of ")
           << lanes << " elements: lengths that are products of the number of rows; found " << lengthText(source)
           << " and " << lengthText(result);
  const std::optional<int64_t> most = getConstantIntValue(*row);
  const bool isHeld = isa<Value>(*row) ? facts.atMost(columns, cast<Value>(*row)) : facts.of(columns).max <= *most;
  if (!isHeld || facts.of(columns).min < 1)
    return op->emitError("[placed_c25] expects to reduce 1 element of each row or more, and at most the row; found ")
           << lengthText(columns) << " of " << lengthText(*row);
  const std::optional<int64_t> all = getConstantIntValue(source), room = getConstantIntValue(scratch);
  if (all && room ? *room >= *all : source == scratch)
    return success();
  return op->emitError("[placed_c25] expects a scratch tile as long as the tile of rows, found ")
         << lengthText(scratch) << " for " << lengthText(source);
}

LogicalResult verifyIntrinsic(VectorOpInterface op, const Target &target, const Facts &facts) {
  return success(succeeded(verifyTypes(op, target)) && succeeded(verifyScratch(op, target, facts)) &&
                 succeeded(verifyComparison(op, target, facts)) && succeeded(verifyUnits(op, target, facts)) &&
                 succeeded(verifyResult(op, facts)) && succeeded(verifyRows(op, facts)) &&
                 succeeded(verifyReducedRows(op, target, facts)) && succeeded(verifyApart(op, facts)));
}

} // namespace opc::aicore

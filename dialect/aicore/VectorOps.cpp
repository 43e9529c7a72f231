// Vector intrinsics: operands by the form of the target's table, and the rules that all forms share.

#include "dialect/aicore/AICoreOps.h"

#include "runtime/target/RowForm.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opc;
using namespace opc::aicore;

static Intrinsic intrinsicOf(Operation *op) {
  return cast<VectorOpInterface>(op).getIntrinsic();
}

static IntrinsicForm formOf(Operation *op) {
  return intrinsicInfo(intrinsicOf(op)).form;
}

static unsigned destinationIndex(Operation *op) {
  return op->getNumOperands() - (hasScratch(formOf(op)) ? 2 : 1);
}

static Type elementOf(Value tile) {
  return cast<MemRefType>(tile.getType()).getElementType();
}

namespace opc::aicore::detail {

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
  if (!takesScalar(formOf(op)))
    return {};
  for (Value operand : op->getOperands().take_front(destinationIndex(op)))
    if (!isa<MemRefType>(operand.getType()))
      return operand;
  return {};
}

Value scratchTileOf(Operation *op) {
  return hasScratch(formOf(op)) ? op->getOperands().back() : Value();
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

Keep keepOf(Operation *op) {
  auto gather = dyn_cast<VGatherPatternOp>(op);
  return gather ? gather.getKeep() : Keep::All;
}

FailureOr<TypeRow> typeRowOf(Operation *op) {
  SmallVector<Value> sources = sourceTilesOf(op);
  Type source;
  if (sources.empty())
    source = scalarOperandOf(op).getType();
  else
    source = elementOf(sources[hasMask(formOf(op)) ? 1 : 0]);
  Type destination = elementOf(destinationTileOf(op));
  std::optional<ElementType> from = elementTypeOf(source), to = elementTypeOf(destination);
  if (!from || !to)
    return failure();
  return TypeRow{*from, *to};
}

void appendVectorAccesses(Operation *op, SmallVectorImpl<Access> &accesses) {
  unsigned destination = destinationIndex(op);
  // A reduction of rows leaves what lies between its results as it was.
  const bool keeps = readsDestination(formOf(op)) || !reducedRowsOf(op).empty();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    Access access{&operand};
    access.scratch = operand.getOperandNumber() > destination;
    access.writes = operand.getOperandNumber() >= destination;
    access.reads = operand.getOperandNumber() < destination || (operand.getOperandNumber() == destination && keeps);
    accesses.push_back(access);
  }
}

bool takesRows(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<VAddOp, VSubOp, VMulOp, VDivOp, VMaxOp, VMinOp>([](auto vector) { return vector.getRows(); })
      .Default(false);
}

SmallVector<Value, 2> reducedRowsOf(Operation *op) {
  SmallVector<Value, 2> extent;
  if (formOf(op) == IntrinsicForm::Reduce)
    llvm::append_range(extent, op->getOperands().drop_back(3));
  return extent;
}

SmallVector<Value> tilesOfOneLength(Operation *op) {
  const IntrinsicForm form = formOf(op);
  SmallVector<Value> tiles = sourceTilesOf(op);
  if (form == IntrinsicForm::Merge)
    return {};
  if (hasMask(form) || form == IntrinsicForm::Gather)
    tiles.erase(tiles.begin());
  if (takesRows(op) && tiles.size() > 1)
    tiles.pop_back();
  if (!countsSource(form))
    tiles.push_back(destinationTileOf(op));
  return tiles;
}

Value countedTileOf(Operation *op) {
  const IntrinsicForm form = formOf(op);
  return countsSource(form) ? sourceTilesOf(op)[hasMask(form) ? 1 : 0] : destinationTileOf(op);
}

static LogicalResult verifyMask(Operation *op, Value mask, Value tile) {
  auto type = cast<MemRefType>(mask.getType());
  int64_t bytes = type.getDimSize(0), elements = cast<MemRefType>(tile.getType()).getDimSize(0);
  bool enough = ShapedType::isDynamic(bytes) || ShapedType::isDynamic(elements) ||
                bytes >= int64_t(llvm::divideCeil(elements, 8));
  if (!type.getElementType().isUnsignedInteger(8) || !enough)
    return op->emitOpError("[vector_c5] expects a mask tile of ui8 with a bit for each element of ")
           << tile.getType() << ", found " << type;
  return success();
}

static LogicalResult verifyOneLength(Operation *op) {
  SmallVector<Value> sameLength = tilesOfOneLength(op);
  for (Value tile : sameLength)
    if (failed(verifyCompatibleShape(tile.getType(), sameLength.front().getType())))
      return op->emitOpError("[vector_c2] expects tiles of one length, found ")
             << sameLength.front().getType() << " and " << tile.getType();
  return success();
}

// Types of sources, destination, scalar and masks.
static LogicalResult verifyTypes(Operation *op) {
  const IntrinsicForm form = formOf(op);
  Value destination = destinationTileOf(op);
  SmallVector<Value> sources = sourceTilesOf(op);
  bool converts = form == IntrinsicForm::Cast || writesMask(form) ||
                  llvm::any_of(intrinsicInfo(intrinsicOf(op)).types,
                               [](const TypeRow &row) { return row.source != row.destination; });
  ArrayRef<Value> valued = ArrayRef<Value>(sources).drop_front(hasMask(form) ? 1 : 0);
  if (hasWords(form)) {
    Type words = elementOf(valued.back());
    const bool isSort = form == IntrinsicForm::Sort;
    bool asInt32 = form == IntrinsicForm::Gather && words.isSignlessInteger(32);
    if (!words.isUnsignedInteger(32) && !asInt32 && !(isSort && words.isF32()))
      return op->emitOpError("[vector_c3] expects ")
             << (isSort ? "indices of ui32 or f32" : "offsets of ui32")
             << (form == IntrinsicForm::Gather ? " or i32" : "") << ", found " << words;
    valued = valued.drop_back();
  }
  Type element;
  for (Value tile : valued) {
    Type type = elementOf(tile);
    if (element && type != element)
      return op->emitOpError("[vector_c3] expects sources of one element type, found ") << element << " and " << type;
    element = type;
  }
  if (element && !converts && elementOf(destination) != element)
    return op->emitOpError("[vector_c3] expects the destination to have the element type of the sources ")
           << element << ", found " << elementOf(destination);
  if (Value scalar = scalarOperandOf(op)) {
    Type expected = element ? element : elementOf(destination);
    if (scalar.getType() != expected)
      return op->emitOpError("[vector_c4] expects a scalar of the element type ")
             << expected << ", found " << scalar.getType();
  }
  if (hasMask(form) && failed(verifyMask(op, sources.front(), valued.front())))
    return failure();
  if (writesMask(form) && failed(verifyMask(op, destination, valued.front())))
    return failure();
  return success();
}

// An op that moves elements to other positions must not overwrite its source.
static LogicalResult verifyApart(Operation *op) {
  if (worksInPlace(formOf(op)))
    return success();
  for (Value source : sourceTilesOf(op))
    if (source == destinationTileOf(op))
      return op->emitOpError("[vector_c6] expects a destination apart from the sources, found one "
                             "tile as both");
  return success();
}

// Checks static lengths; the verifier of phase `placed` checks dynamic ones.
static LogicalResult verifyLengths(Operation *op) {
  const IntrinsicForm form = formOf(op);
  std::optional<ElementType> type = elementTypeOf(elementOf(countedTileOf(op)));
  if (!type || *type == ElementType::Bool)
    return success(); // no row of the target has it
  int64_t unit = countUnit(form, *type), count = 0;
  SmallVector<Value> counted = {countedTileOf(op)};
  if (form == IntrinsicForm::Merge)
    counted = sourceTilesOf(op);
  for (Value tile : counted) {
    int64_t length = cast<MemRefType>(tile.getType()).getDimSize(0);
    if (ShapedType::isDynamic(length)) {
      count = ShapedType::kDynamic;
      break;
    }
    bool whole = form == IntrinsicForm::Transpose ? length == unit : length % unit == 0;
    if (!whole)
      return op->emitOpError("[vector_c7] expects ") << (form == IntrinsicForm::Transpose ? "" : "a multiple of ")
                                                     << unit << " elements, found " << tile.getType();
    count += length;
  }
  if (form == IntrinsicForm::Transpose && ShapedType::isDynamic(count))
    return op->emitOpError("[vector_c7] expects ") << unit << " elements, found " << counted.front().getType();
  auto destination = cast<MemRefType>(destinationTileOf(op).getType());
  bool ruled =
      countsSource(form) && !writesMask(form) && form != IntrinsicForm::Reduce && form != IntrinsicForm::Scatter;
  if (!ruled || ShapedType::isDynamic(count) || destination.isDynamicDim(0))
    return success();
  int64_t needed = resultLength(form, *type, toTarget(keepOf(op))).of(count);
  if (destination.getDimSize(0) == needed)
    return success();
  return op->emitOpError("[vector_c8] expects a destination of ")
         << needed << " elements for " << count << ", found " << destination;
}

// Checks static sizes of the form for rows; the simulator checks dynamic ones.
static LogicalResult verifyRows(Operation *op) {
  if (!takesRows(op))
    return success();
  auto rows = cast<MemRefType>(sourceTilesOf(op).back().getType()),
       tile = cast<MemRefType>(destinationTileOf(op).getType());
  std::optional<ElementType> type = elementTypeOf(rows.getElementType());
  if (!type || *type == ElementType::Bool || rows.isDynamicDim(0))
    return success();
  int64_t blocks = rows.getDimSize(0), lanes = kBlockBytes / elementSize(*type);
  bool fits = tile.isDynamicDim(0) || blocks == lanes ||
              (blocks == 0 ? tile.getDimSize(0) == 0 : tile.getDimSize(0) % blocks == 0);
  if (blocks % lanes == 0 && fits)
    return success();
  return op->emitOpError("[rows_c1] expects a block of ")
         << lanes << " elements for each row of whole blocks, found " << rows << " for " << tile;
}

static LogicalResult verifyScratch(Operation *op) {
  const IntrinsicForm form = formOf(op);
  if (!hasScratch(form))
    return success();
  auto destination = cast<MemRefType>(destinationTileOf(op).getType());
  if (form == IntrinsicForm::Reduce && destination.getDimSize(0) == 0)
    return op->emitOpError("[reduce_c1] expects a destination of at least one element, found ") << destination;
  Type scratch = elementOf(scratchTileOf(op)), source = elementOf(sourceTilesOf(op).front());
  if (form == IntrinsicForm::Reduce && scratch != source)
    return op->emitOpError("[reduce_c2] expects a scratch tile of the element type ")
           << source << ", found " << scratch;
  const size_t extent = reducedRowsOf(op).size();
  if (form == IntrinsicForm::Reduce && extent != 0 && extent != 2)
    return op->emitOpError("[reduce_c3] expects two numbers, of rows and of columns, found ") << extent;
  const Value sourceTile = sourceTilesOf(op).front(), destinationTile = destinationTileOf(op);
  if (extent != 0 &&
      (sourceTile == destinationTile || sourceTile == scratchTileOf(op) || destinationTile == scratchTileOf(op)))
    return op->emitOpError("[reduce_c3] expects source, destination and scratch of rows to be three tiles");
  if (hasByteScratch(form) && !scratch.isUnsignedInteger(8))
    return op->emitOpError("[vector_c5] expects a scratch tile of ui8, found ") << scratch;
  return success();
}

// Checks the number of sources of Merge, the only form for which ODS leaves it open.
static LogicalResult verifySources(Operation *op) {
  SourceCount count = sourceCount(formOf(op));
  size_t found = sourceTilesOf(op).size();
  if (found >= count.least && found <= count.most)
    return success();
  return op->emitOpError("[merge_c1] expects ") << count.least << " to " << count.most << " lists, found " << found;
}

LogicalResult verifyVectorOp(Operation *op) {
  return success(succeeded(verifySources(op)) && succeeded(verifyOneLength(op)) && succeeded(verifyTypes(op)) &&
                 succeeded(verifyApart(op)) && succeeded(verifyLengths(op)) && succeeded(verifyRows(op)) &&
                 succeeded(verifyScratch(op)));
}

} // namespace opc::aicore::detail

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

namespace {
template <typename Op, typename = void> struct IsVector : std::false_type {};
template <typename Op> struct IsVector<Op, std::void_t<decltype(Op::kIntrinsic)>> : std::true_type {};
} // namespace

/// Op names by intrinsic.
template <typename... Ops> static llvm::DenseMap<int, StringRef> namesOf() {
  llvm::DenseMap<int, StringRef> names;
  auto add = [&](auto *none) {
    using Op = std::remove_pointer_t<decltype(none)>;
    if constexpr (IsVector<Op>::value)
      names[int(Op::kIntrinsic)] = Op::getOperationName();
  };
  (add(static_cast<Ops *>(nullptr)), ...);
  return names;
}

VectorOpInterface opc::aicore::createIntrinsic(OpBuilder &builder, Location location, Intrinsic intrinsic,
                                               ValueRange operands, bool rows) {
  static const llvm::DenseMap<int, StringRef> names = namesOf<
#define GET_OP_LIST
#include "dialect/aicore/AICoreOps.cpp.inc"
      >();
  OperationState state(location, names.lookup(int(intrinsic)));
  state.addOperands(operands);
  if (rows)
    state.addAttribute("rows", builder.getUnitAttr());
  return cast<VectorOpInterface>(builder.create(state));
}

// Sizes of the cube are operands, so the accesses of an op to a tile follow from bounds of their values.

#include "lowering/aicore/verify/CubeRules.h"

#include "lowering/aicore/verify/values/Views.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace opc::aicore {

namespace {

/// Checks one op. Sizes are in elements unless their name says otherwise.
class CubeRules {
public:
  CubeRules(Operation *op, const Target &target, const Facts &facts) : op(op), target(target), facts(facts) {}

  LogicalResult verify();

private:
  LogicalResult loadNz(LoadNzOp load);
  LogicalResult loadPacked(LoadNzOp load);
  LogicalResult storeNz(StoreNzOp store);
  LogicalResult fill(FillOp fill);
  LogicalResult loadFractals(LoadFractalsOp load);
  LogicalResult loadIm2col(LoadIm2colOp load);
  LogicalResult loadBias(LoadBiasOp load);
  LogicalResult mmad(MmadOp mmad);
  LogicalResult fixpipe(FixpipeOp fixpipe);

  /// The largest value of a size, rounded up to `unit`; a limit beyond every tile if it has no bound.
  int64_t most(OpFoldResult size, int64_t unit = 1) const;
  /// `rows`: those of the op, if without any it does not touch the tile.
  LogicalResult fits(Value tile, StringRef name, __int128 bytes, Value rows = {});
  LogicalResult isAtMost(OpFoldResult size, StringRef name, Value bound, StringRef boundName);
  LogicalResult isWithin(OpFoldResult size, StringRef name, StringRef figure);
  LogicalResult isWithinFrom1(Value size, StringRef name, StringRef figure);
  LogicalResult isMultipleOf(Value size, StringRef name, int64_t unit);
  LogicalResult areFractals(FixpipeOp fixpipe);

  Operation *op;
  const Target &target;
  const Facts &facts;
};

} // namespace

/// Beyond every on-chip memory; products of three such numbers fit 128 bits.
static constexpr int64_t kBeyond = int64_t(1) << 40;

static int64_t bytesOf(Value memref) {
  return elementSize(*elementTypeOf(cast<MemRefType>(memref.getType()).getElementType()));
}

/// Elements in a row of a fractal of operands.
static int64_t fractalWidth(Value memref) {
  return kFractalRowBytes / bytesOf(memref);
}

int64_t CubeRules::most(OpFoldResult size, int64_t unit) const {
  const int64_t value = std::clamp<int64_t>(facts.of(size).max, 0, kBeyond);
  return (value + unit - 1) / unit * unit;
}

/// A length that is a number or 0: select c, number, 0.
static arith::SelectOp numberOrNone(OpFoldResult length) {
  auto value = dyn_cast<Value>(length);
  auto select = value ? value.getDefiningOp<arith::SelectOp>() : arith::SelectOp();
  return select && getConstantIntValue(OpFoldResult(select.getTrueValue())) &&
                 getConstantIntValue(OpFoldResult(select.getFalseValue())) == 0
             ? select
             : arith::SelectOp();
}

/// Whether a size is at most 0 unless a condition holds: a minimum of it and a number or 0.
static bool isNoneUnless(Value size, Value condition) {
  auto least = size.getDefiningOp<arith::MinSIOp>();
  return least && llvm::any_of(least->getOperands(), [&](Value operand) {
           arith::SelectOp select = numberOrNone(OpFoldResult(operand));
           return (select && select.getCondition() == condition) || isNoneUnless(operand, condition);
         });
}

LogicalResult CubeRules::fits(Value tile, StringRef name, __int128 bytes, Value rows) {
  auto type = cast<MemRefType>(tile.getType());
  // The view itself is within its buffer (placed_c9); a view of a known length is the whole slot.
  BufferOp buffer = bufferOfView(tile);
  int64_t room = type.hasStaticShape()
                     ? type.getNumElements() * bytesOf(tile)
                     : std::min<int64_t>(buffer.getCapacity(), facts.of(lengthsOf(tile).back()).min) * bytesOf(tile);
  // A view without elements is enough for an op without rows.
  if (arith::SelectOp select = type.hasStaticShape() ? arith::SelectOp() : numberOrNone(lengthsOf(tile).back());
      select && rows && isNoneUnless(rows, select.getCondition()))
    room = std::min(buffer.getCapacity(), *getConstantIntValue(OpFoldResult(select.getTrueValue()))) * bytesOf(tile);
  if (bytes <= room)
    return success();
  InFlightDiagnostic diagnostic = op->emitError("[placed_c23] expects '")
                                  << name << "' to have room for what the op touches, by bounds that are known; it has "
                                  << room << " bytes, and the op may touch ";
  if (bytes >= kBeyond)
    diagnostic << "any number of them: a size has no upper bound";
  else
    diagnostic << static_cast<int64_t>(bytes);
  diagnostic.attachNote(buffer.getLoc()) << "'" << buffer.getName() << "' is here";
  return diagnostic;
}

LogicalResult CubeRules::isAtMost(OpFoldResult size, StringRef name, Value bound, StringRef boundName) {
  if (facts.atMost(size, bound))
    return success();
  return op->emitError("[placed_c23] expects ")
         << name << " to be known to be at most the " << boundName << "; " << name << " is in "
         << toText(facts.of(size)) << ", the " << boundName << " in " << toText(facts.of(bound));
}

LogicalResult CubeRules::isWithin(OpFoldResult size, StringRef name, StringRef figure) {
  const int64_t limit = target.limit(figure);
  if (facts.of(size).max <= limit)
    return success();
  return op->emitError("[placed_c24] expects at most ")
         << limit << " as " << name << " on " << target.name() << "; it is in " << toText(facts.of(size));
}

LogicalResult CubeRules::isWithinFrom1(Value size, StringRef name, StringRef figure) {
  if (facts.of(size).min >= 1)
    return isWithin(size, name, figure);
  return op->emitError("[placed_c24] expects at least 1 as ") << name << "; it is in " << toText(facts.of(size));
}

LogicalResult CubeRules::isMultipleOf(Value size, StringRef name, int64_t unit) {
  if (facts.of(size).divisor % unit == 0)
    return success();
  return op->emitError("[placed_c24] expects ")
         << name << " to be a multiple of " << unit << "; it is known to be a multiple of " << facts.of(size).divisor
         << " only";
}

/// A copy of columns of fractals without conversion: blocks of 32 bytes.
LogicalResult CubeRules::loadPacked(LoadNzOp load) {
  SmallVector<OpFoldResult> lengths = lengthsOf(load.getSource());
  const int64_t bytes = bytesOf(load.getDestination());
  if (failed(isWithin(lengths[0], "the number of columns", "max_copy_blocks")) ||
      failed(isWithin(load.getHeight(), "'height'", "max_nz_height")))
    return failure();
  if (facts.of(lengths[1]).divisor * bytes % kFractalRowBytes != 0)
    return op->emitError("[placed_c15] expects columns of fractals in whole blocks of ")
           << kFractalRowBytes << " bytes; their length is known to be a multiple of "
           << facts.of(lengths[1]).divisor * bytes << " bytes only";
  const __int128 before = __int128(std::max<int64_t>(most(lengths[0]) - 1, 0)) * most(load.getHeight());
  return fits(load.getDestination(), "destination", before * kFractalRowBytes + __int128(most(lengths[1])) * bytes);
}

LogicalResult CubeRules::loadNz(LoadNzOp load) {
  if (load.getPacked())
    return loadPacked(load);
  SmallVector<OpFoldResult> lengths = lengthsOf(load.getSource());
  if (failed(isWithin(lengths[0], "the number of rows", "max_nz_rows")) ||
      failed(isWithin(lengths[1], "the number of columns", "max_nz_columns")) ||
      failed(isWithin(load.getHeight(), "'height'", "max_nz_height")) ||
      failed(isAtMost(lengths[0], "the number of rows", load.getHeight(), "height")))
    return failure();
  return fits(load.getDestination(), "destination",
              __int128(most(lengths[1], fractalWidth(load.getDestination()))) * most(load.getHeight()) *
                  bytesOf(load.getDestination()));
}

LogicalResult CubeRules::storeNz(StoreNzOp store) {
  const Value from = store.getSource(), to = store.getDestination(), stride = store.getRowStride();
  if (failed(isWithin(store.getRows(), "'rows'", "max_copy_blocks")) ||
      failed(isWithin(store.getHeight(), "'height'", "max_nz_height")) ||
      failed(isAtMost(store.getRows(), "'rows'", store.getHeight(), "height")) ||
      failed(isAtMost(store.getColumns(), "'columns'", stride, "stride")))
    return failure();
  if (facts.of(stride).divisor * bytesOf(from) % target.ubAlignment() != 0)
    return op->emitError("[placed_c15] expects rows in UB to start on ")
           << target.ubAlignment() << " bytes; the stride is known to be a multiple of "
           << facts.of(stride).divisor * bytesOf(from) << " bytes only";
  if (failed(fits(from, "source", __int128(most(store.getRows())) * most(stride) * bytesOf(from))))
    return failure();
  // The last column of fractals has no rows after those that are stored.
  const int64_t width = fractalWidth(to), columns = most(store.getColumns(), width);
  const __int128 others = __int128(std::max<int64_t>(columns - width, 0)) * most(store.getHeight());
  return fits(to, "destination", (others + __int128(most(store.getRows())) * width) * bytesOf(to));
}

LogicalResult CubeRules::fill(FillOp fill) {
  if (failed(isWithin(fill.getRows(), "'rows'", "max_fill_repeats")) ||
      failed(isWithin(fill.getBlocks(), "'blocks'", "max_fill_repeats")))
    return failure();
  const __int128 last = __int128(std::max<int64_t>(most(fill.getRows()) - 1, 0)) * most(fill.getStride());
  return fits(fill.getDestination(), "destination",
              (most(fill.getAt()) + last + most(fill.getBlocks())) * kFractalRowBytes);
}

LogicalResult CubeRules::loadFractals(LoadFractalsOp load) {
  const Value to = load.getDestination(), from = load.getSource();
  // Of f32 that is transposed, a band of 16 of k takes the place of a column of fractals.
  const int64_t width = load.hasBands() ? kFractalRows : fractalWidth(to);
  const __int128 bytes =
      __int128(most(load.getRows(), load.rowUnit())) * most(load.getColumns(), load.columnUnit()) * bytesOf(to);
  if (failed(fits(to, "destination", bytes)))
    return failure();
  // Of the matrix in the source: `high` rows in columns of `height`, `wide` columns; of bands the same the other way.
  const Value high = load.isContiguous() ? load.getColumns() : load.getRows();
  const Value wide = load.isContiguous() ? load.getRows() : load.getColumns();
  if (failed(isAtMost(high, load.isContiguous() ? "'columns'" : "'rows'", load.getHeight(), "height")))
    return failure();
  if (const int64_t side = load.rowUnit(); load.hasSquares() && facts.of(load.getHeight()).divisor % side != 0)
    return op->emitError("[placed_c24] expects a 'height' of whole squares of ")
           << side << " for transposed bytes or f32; it is known to be a multiple of "
           << facts.of(load.getHeight()).divisor;
  // A call copies a row of fractals or a column.
  for (auto [repeated, unit, name] : {std::tuple(Value(load.getColumns()), load.columnUnit(), "columns"),
                                      {Value(load.getRows()), load.rowUnit(), "rows"}})
    if (most(repeated, unit) / unit > target.limit("max_fractal_repeats"))
      return op->emitError("[placed_c24] expects at most ")
             << target.limit("max_fractal_repeats") << " fractals in a row or a column on " << target.name() << "; '"
             << name << "' is in " << toText(facts.of(repeated));
  // The last column of fractals ends with the rows of the matrix.
  const __int128 before = __int128(std::max<int64_t>(most(wide, width) - width, 0)) * most(load.getHeight());
  const int64_t unit = load.isContiguous() ? load.columnUnit() : load.rowUnit();
  return fits(from, "source", (before + __int128(most(high, unit)) * width) * bytesOf(from));
}

// Which places the windows reach depends on all sizes of the image: the simulator checks that they are there.
LogicalResult CubeRules::loadIm2col(LoadIm2colOp load) {
  const ImageOperands image = load.getImageOperands();
  const int64_t width = load.blockChannels();
  for (auto [size, name] : {std::pair(image.height, "the height of an image"), {image.width, "its width"}})
    if (failed(isWithinFrom1(size, name, "max_image_size")))
      return failure();
  for (auto [size, name] : {std::pair(image.filterHeight, "the height of a filter"), {image.filterWidth, "its width"}})
    if (failed(isWithinFrom1(size, name, "max_filter_size")))
      return failure();
  for (Value stride : {image.strideHeight, image.strideWidth})
    if (failed(isWithinFrom1(stride, "a stride", "max_window_stride")))
      return failure();
  for (Value dilation : {image.dilationHeight, image.dilationWidth})
    if (failed(isWithinFrom1(dilation, "a dilation", "max_window_dilation")))
      return failure();
  for (Value pad : {image.top, image.bottom, image.left, image.right})
    if (failed(isWithin(pad, "a pad", "max_image_pad")))
      return failure();
  for (auto [size, name] : {std::pair(load.getRows(), "'rows'"),
                            {load.getFirstRow(), "the first row"},
                            {load.getColumns(), "'columns'"},
                            {load.getFirstColumn(), "the first column"},
                            {load.getChannels(), "'channels'"}})
    if (failed(isWithin(size, name, "max_im2col_size")))
      return failure();
  if (failed(isMultipleOf(load.getFirstRow(), "the first row", kFractalRows)) ||
      failed(isMultipleOf(load.getFirstColumn(), "the first column", width)) ||
      failed(fits(load.getDestination(), "destination",
                  __int128(most(load.getRows(), kFractalRows)) * most(load.getColumns(), width) *
                      bytesOf(load.getDestination()))))
    return failure();
  const int64_t places = std::clamp<int64_t>(facts.productBound(image.height, image.width), 0, kBeyond);
  return fits(load.getSource(), "source",
              __int128(most(load.getChannels(), width)) * places * bytesOf(load.getSource()));
}

LogicalResult CubeRules::loadBias(LoadBiasOp load) {
  const int64_t bytes = bytesOf(load.getSource()), unit = kBiasUnitBytes / bytes;
  const __int128 touched = __int128(most(load.getCount(), unit)) * bytes;
  return failure(failed(fits(load.getSource(), "source", touched)) ||
                 failed(fits(load.getDestination(), "destination", touched)));
}

LogicalResult CubeRules::mmad(MmadOp mmad) {
  // With one row the chip reads 'lhs' in another form. Whole fractals are not one row, nor is no row.
  const auto rows = facts.of(mmad.getM());
  if (rows.min <= 1 && rows.max >= 1 && rows.divisor < 2)
    return mmad.emitError("[placed_c26] expects an m that is known not to be 1, with which the chip reads 'lhs' as a "
                          "row; it is in ")
           << toText(rows);
  for (auto [size, name] : {std::pair(mmad.getM(), "'m'"), {mmad.getK(), "'k'"}, {mmad.getN(), "'n'"}})
    if (failed(isWithin(size, name, "max_mmad_size")))
      return failure();
  const int64_t bytes = bytesOf(mmad.getLhs());
  const __int128 m = most(mmad.getM(), kFractalRows), n = most(mmad.getN(), kFractalRows),
                 k = most(mmad.getK(), fractalWidth(mmad.getLhs()));
  return failure(failed(fits(mmad.getLhs(), "lhs", m * k * bytes)) ||
                 failed(fits(mmad.getRhs(), "rhs", k * n * bytes)) ||
                 failed(fits(mmad.getResult(), "result", m * n * 4)) ||
                 (mmad.getBias() && failed(fits(mmad.getBias(), "bias", n * 4))));
}

/// The factor of a value that is a product with 16; the value itself, if it is a constant multiple of it.
static std::optional<OpFoldResult> sixteenthOf(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant % kFractalRows == 0
               ? std::optional<OpFoldResult>(Builder(value.getContext()).getIndexAttr(*constant / kFractalRows))
               : std::nullopt;
  auto product = cast<Value>(value).getDefiningOp<arith::MulIOp>();
  if (product && getConstantIntValue(getAsOpFoldResult(product.getRhs())) == kFractalRows)
    return getAsOpFoldResult(product.getLhs());
  return std::nullopt;
}

/// Columns of fractals in gm: n / 16 rows of m * 16 elements, as the same values.
LogicalResult CubeRules::areFractals(FixpipeOp fixpipe) {
  SmallVector<OpFoldResult> lengths = lengthsOf(fixpipe.getDestination());
  const std::optional<OpFoldResult> columns = sixteenthOf(getAsOpFoldResult(fixpipe.getN()));
  const std::optional<OpFoldResult> rows = sixteenthOf(lengths[1]);
  if (columns && rows && *columns == lengths[0] && *rows == getAsOpFoldResult(fixpipe.getM()))
    return success();
  return op->emitError("[placed_c8] expects n / 16 rows of m * 16 elements in gm for 'nz', as the same values: n and "
                       "the length of a row are products with 16; found ")
         << lengthText(lengths[0]) << " and " << lengthText(lengths[1]);
}

LogicalResult CubeRules::fixpipe(FixpipeOp fixpipe) {
  if (failed(isWithin(fixpipe.getM(), "'m'", "max_fixpipe_rows")) ||
      failed(isWithin(fixpipe.getN(), "'n'", "max_fixpipe_columns")))
    return failure();
  Value height = fixpipe.getHeight();
  if (height &&
      (failed(isAtMost(fixpipe.getM(), "'m'", height, "height")) ||
       failed(isMultipleOf(height, "'height'", kFractalRows)) || failed(isWithin(height, "'height'", "max_nz_height"))))
    return failure();
  // The last column of fractals ends with the rows that are copied.
  const int64_t rows = most(fixpipe.getM(), kFractalRows), columns = most(fixpipe.getN(), kFractalRows);
  const __int128 before =
      __int128(std::max<int64_t>(columns - kFractalRows, 0)) * (height ? most(height, kFractalRows) : rows);
  if (failed(fits(fixpipe.getSource(), "source",
                  (before + __int128(rows) * std::min<int64_t>(columns, kFractalRows)) * 4, fixpipe.getM())))
    return failure();
  if (Value scale = fixpipe.getScale();
      scale && failed(fits(scale, "scale", __int128(most(fixpipe.getN(), kFractalRows)) * kScaleBytes)))
    return failure();
  if (fixpipe.getNz())
    return areFractals(fixpipe);
  Value to = fixpipe.getDestination(), stride = fixpipe.getRowStride();
  if (!stride) {
    SmallVector<OpFoldResult> lengths = lengthsOf(to);
    if (lengths[0] != getAsOpFoldResult(fixpipe.getM()) || lengths[1] != getAsOpFoldResult(fixpipe.getN()))
      return op->emitError("[placed_c8] expects rows in gm whose number is 'm' and whose length is 'n', as the same "
                           "values; found ")
             << lengthText(lengths[0]) << " and " << lengthText(lengths[1]);
    return success();
  }
  if (failed(isAtMost(fixpipe.getN(), "'n'", stride, "stride")))
    return failure();
  if (facts.of(stride).divisor * bytesOf(to) % target.ubAlignment() != 0)
    return op->emitError("[placed_c15] expects rows in UB to start on ")
           << target.ubAlignment() << " bytes; the stride is known to be a multiple of "
           << facts.of(stride).divisor * bytesOf(to) << " bytes only";
  return fits(to, "destination", __int128(most(fixpipe.getM())) * most(stride) * bytesOf(to));
}

LogicalResult CubeRules::verify() {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](LoadNzOp load) { return loadNz(load); })
      .Case([&](StoreNzOp store) { return storeNz(store); })
      .Case([&](FillOp filled) { return fill(filled); })
      .Case([&](LoadFractalsOp load) { return loadFractals(load); })
      .Case([&](LoadIm2colOp load) { return loadIm2col(load); })
      .Case([&](LoadBiasOp load) { return loadBias(load); })
      .Case([&](MmadOp product) { return mmad(product); })
      .Case([&](FixpipeOp copy) { return fixpipe(copy); })
      .Default([](Operation *) { return success(); });
}

bool isCubeOp(Operation *op) {
  return isa<LoadNzOp, StoreNzOp, FillOp, LoadFractalsOp, LoadIm2colOp, LoadBiasOp, MmadOp, FixpipeOp>(op);
}

LogicalResult verifyCubeOp(Operation *op, const Target &target, const Facts &facts) {
  return CubeRules(op, target, facts).verify();
}

} // namespace opc::aicore

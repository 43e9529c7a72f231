#include "lowering/aicore/place/writer/KernelWriter.h"

#include "dialect/aicore/tiles/CubeTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace opc::aicore {

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

Value KernelWriter::field(StringRef name, std::optional<int64_t> min, std::optional<int64_t> max) {
  return TilingDataOp::create(builder, location, builder.getIndexType(), name, min, max,
                              /*cases=*/nullptr);
}

Value KernelWriter::blockIndex() {
  return BlockIdxOp::create(builder, location, builder.getIndexType());
}

void KernelWriter::loop(Value trips, llvm::function_ref<void(Value)> body) {
  auto loop = scf::ForOp::create(builder, location, constant(0), trips, constant(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  body(loop.getInductionVar());
}

Value KernelWriter::roundUpToRow(Value length) {
  Value unit = constant(kBlockBytes / needs.smallest);
  return mul(ceilDiv(length, unit), unit);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

void KernelWriter::makeBuffers(llvm::function_ref<bool(const Home &, unsigned)> take, StringRef suffix) {
  MLIRContext *context = builder.getContext();
  for (auto [number, home] : llvm::enumerate(homes.homes)) {
    if (!take(home, number))
      continue;
    int64_t elements = 0;
    switch (home.spread) {
    case Spread::Row:
      if (shape.form == KernelForm::Contraction && !shape.isOfOperand && !homes.repeatedHomes.contains(number)) {
        // A row of a tile in L0C, in whole repeats of every type and of a mask.
        const int64_t width = CubeTile::of(schedule, /*bytes=*/2, /*isComputed=*/true, target).width;
        elements = int64_t(llvm::alignTo(width, kRepeatBytes));
        elements = home.isMask ? int64_t(llvm::alignTo(elements / 8, kBlockBytes)) : elements;
        break;
      }
      if (shape.form == KernelForm::Convolution) {
        elements = schedule.getTile() / kFiltersOfTile;
        elements = home.isMask ? int64_t(llvm::alignTo(elements / 8, kBlockBytes)) : elements;
        break;
      }
      [[fallthrough]];
    case Spread::Full:
      elements = home.isMask ? schedule.getTile() / 8 : schedule.getTile();
      break;
    case Spread::Column:
      elements = schedule.getRows() * (home.lanes ? home.lanes : columnStride());
      // The stride of rows is computed from other elements than those of a mask, and a comparison touches whole
      // repeats.
      if (home.isMask)
        elements = int64_t(llvm::alignTo(elements, kBlockBytes));
      else if (comparesColumns(program))
        elements = int64_t(llvm::alignTo(elements, kRepeatBytes / elementSize(home.type)));
      break;
    case Spread::One:
      elements = kRepeatBytes / elementSize(home.type);
      break;
    }
    auto type = MemRefType::get({elements}, mlirTypeOf(home.type, context), MemRefLayoutAttrInterface(),
                                SpaceAttr::get(context, Space::UB));
    buffers[number] = BufferOp::create(builder, location, type, home.name + suffix.str(), std::nullopt);
  }
}

Value KernelWriter::makeBuffer(TileId value, int64_t elements) {
  MLIRContext *context = builder.getContext();
  const Home &home = homes.homes[homes.of[value]];
  auto type = MemRefType::get({elements}, mlirTypeOf(home.type, context), MemRefLayoutAttrInterface(),
                              SpaceAttr::get(context, Space::UB));
  return buffers[homes.of[value]] = BufferOp::create(builder, location, type, home.name, std::nullopt);
}

Value KernelWriter::part(Value memref, Value offset, Value length) {
  auto asFold = [](Value value) { return getAsOpFoldResult(value); };
  return memref::SubViewOp::create(builder, location, memref, {asFold(offset)}, {asFold(length)},
                                   {builder.getIndexAttr(1)});
}

Value KernelWriter::view(unsigned home, Value offset, Value length) {
  return part(buffers.lookup(home), offset, length);
}

Value KernelWriter::wholeMask(TileId value) {
  return buffers.lookup(homes.of[value]);
}

//===----------------------------------------------------------------------===//
// DMA
//===----------------------------------------------------------------------===//

void KernelWriter::loadFlat(TileId value, Value offset, Value count) {
  Value source = part(memoryOf(*program.values[value].tensor), offset, count);
  LoadOp::create(builder, location, source, viewOf(value, constant(0), count), Value(), Value());
}

void KernelWriter::storeFlat(TileId value, unsigned tensor, Value offset, Value count) {
  Value destination = part(memoryOf(tensor), offset, count);
  StoreOp::create(builder, location, viewOf(value, constant(0), count), destination, Value(), false);
}

Value KernelWriter::rowsOfTensor(unsigned tensor, Value offset, Value rows, Value cols, Value stride) {
  Value whole = memoryOf(tensor);
  auto type = cast<MemRefType>(whole.getType());
  SmallVector<OpFoldResult> sizes = {getAsOpFoldResult(rows), getAsOpFoldResult(cols)},
                            strides = {getAsOpFoldResult(stride), builder.getIndexAttr(1)};
  SmallVector<int64_t> staticSizes, staticStrides;
  SmallVector<Value> dynamicSizes, dynamicStrides;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
  dispatchIndexOpFoldResults(strides, dynamicStrides, staticStrides);
  OpFoldResult at = getAsOpFoldResult(offset);
  int64_t staticOffset = getConstantIntValue(at).value_or(ShapedType::kDynamic);
  auto layout = StridedLayoutAttr::get(builder.getContext(), staticOffset, staticStrides);
  auto result = MemRefType::get(staticSizes, type.getElementType(), layout, type.getMemorySpace());
  return memref::ReinterpretCastOp::create(builder, location, result, whole, at, sizes, strides);
}

Value KernelWriter::constantOf(ElementType type, double value) {
  Type element = mlirTypeOf(type, builder.getContext());
  TypedAttr attribute;
  if (isa<FloatType>(element))
    attribute = builder.getFloatAttr(element, value);
  else
    attribute = builder.getIntegerAttr(IntegerType::get(builder.getContext(), element.getIntOrFloatBitWidth()),
                                       static_cast<int64_t>(value));
  return leadingConstant(entry, kernel.getLoc(), attribute);
}

// The padding of a row takes part in steps but not in results. It is 1, so that nothing divides by zero.
void KernelWriter::loadRows(TileId value, Value offset, Value rows, Value cols, Value stride, Value ld, Value at) {
  at = at ? at : constant(0);
  fillPadding(value, rows, ld, at);
  copyRows(value, offset, rows, cols, stride, ld, at);
}

void KernelWriter::fillPadding(TileId value, Value rows, Value ld, Value at) {
  const TileValue &loaded = program.values[value];
  // A copy pads a row only up to 32 bytes, but in a kernel with smaller types `ld` may be larger; the rest is filled
  // first. If only the elements of a column are read, one by one or into blocks, nothing reads that rest.
  bool isSource =
      llvm::any_of(program.steps, [&](const TileStep &step) { return llvm::is_contained(step.sources, value); });
  if (elementSize(loaded.type) > needs.smallest && (isSource || loaded.spread != Spread::Column))
    VBrcOp::create(builder, location, constantOf(loaded.type, 1.0), viewOf(value, at, mul(rows, ld)));
}

void KernelWriter::loadRow(TileId value, Value offset, Value cols, Value stride, Value ld) {
  copyRows(value, offset, constant(1), cols, stride, ld, constant(0));
  const ElementType type = program.values[value].type;
  const int64_t size = elementSize(type), ofBlock = kBlockBytes / size;
  // In blocks, each of which is in the tile by what is known of its numbers alone.
  const int64_t room = cast<MemRefType>(buffers.lookup(homes.of[value]).getType()).getDimSize(0);
  Value block = constant(ofBlock), end = mul(ceilDiv(cols, block), block);
  for (int64_t more = 1; more < size / needs.smallest; ++more) {
    Value length = max(min(sub(ld, end), block), constant(0));
    VBrcOp::create(builder, location, constantOf(type, 1.0), viewOf(value, min(end, constant(room - ofBlock)), length));
    end = add(end, block);
  }
}

void KernelWriter::copyRows(TileId value, Value offset, Value rows, Value cols, Value stride, Value ld, Value at) {
  const TileValue &loaded = program.values[value];
  Value source = rowsOfTensor(*loaded.tensor, offset, rows, cols, stride);
  LoadOp::create(builder, location, source, viewOf(value, at, mul(rows, ld)), ld, constantOf(loaded.type, 1.0));
}

Value KernelWriter::loadIndices(unsigned tensor, int64_t most, Value offset, Value count) {
  const int64_t words = wordsOfIndex(tensor);
  auto type = MemRefType::get({most * words}, builder.getI32Type(), MemRefLayoutAttrInterface(),
                              SpaceAttr::get(builder.getContext(), Space::UB));
  Value buffer = BufferOp::create(builder, location, type, shape.tensors[tensor].name + "_places", std::nullopt);
  offset = mul(offset, constant(words));
  count = mul(count, constant(words));
  Value loaded = part(buffer, constant(0), count);
  LoadOp::create(builder, location, part(memoryOf(tensor), offset, count), loaded, Value(), Value());
  return loaded;
}

Value KernelWriter::readIndex(unsigned tensor, Value indices, Value element) {
  auto read = [&](Value word) -> Value {
    Value number = ScalarReadOp::create(builder, location, indices, word);
    return arith::IndexCastOp::create(builder, location, builder.getIndexType(), number);
  };
  if (wordsOfIndex(tensor) == 1)
    return read(element);
  // The lower word is unsigned: 2^32 is added if it was read as negative.
  Value first = mul(element, constant(2)), zero = constant(0), one = constant(1), carry = constant(int64_t(1) << 32);
  Value low = read(first), high = read(add(first, one));
  Value isNegative = min(max(sub(zero, low), zero), one);
  return add(mul(high, carry), add(low, mul(isNegative, carry)));
}

void KernelWriter::storeRows(TileId value, unsigned tensor, Value offset, Value rows, Value cols, Value stride,
                             Value ld, Value at) {
  Value destination = rowsOfTensor(tensor, offset, rows, cols, stride);
  Value tile = viewOf(value, at ? at : constant(0), mul(rows, ld));
  StoreOp::create(builder, location, tile, destination, ld, false);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void KernelWriter::create(const TileStep &step, ArrayRef<Value> sources, Value scalar, Value destination) {
  if (step.intrinsic == Intrinsic::vcast) {
    VCastOp::create(builder, step.location, sources[0], destination, step.rounding);
    return;
  }
  if (step.intrinsic == Intrinsic::vcmp) {
    VCmpOp::create(builder, step.location, step.comparison, sources[0], sources[1], destination);
    return;
  }
  if (step.intrinsic == Intrinsic::vcmps) {
    VCmpsOp::create(builder, step.location, step.comparison, sources[0], scalar, destination);
    return;
  }
  SmallVector<Value> operands(sources);
  if (scalar)
    operands.push_back(scalar);
  operands.push_back(destination);
  createIntrinsic(builder, step.location, step.intrinsic, operands);
}

Value KernelWriter::lengthOf(Spread spread, const TileExtent &extent) {
  switch (spread) {
  case Spread::Full:
    return extent.full;
  case Spread::Row:
    return extent.ld ? extent.ld : extent.cols;
  case Spread::Column:
    return extent.column;
  case Spread::One:
    return constant(1);
  }
  return {};
}

void KernelWriter::writeFlat(const TileStep &step, Value length, Value rowScalar) {
  SmallVector<Value> sources;
  for (TileId source : step.sources)
    sources.push_back(program.values[source].isMask ? wholeMask(source) : viewOf(source, constant(0), length));
  Value destination =
      program.values[step.result].isMask ? wholeMask(step.result) : viewOf(step.result, constant(0), length);
  create(step, sources, rowScalar ? rowScalar : step.scalar, destination);
}

void KernelWriter::writeRowByRow(const TileStep &step, const TileExtent &extent) {
  std::optional<Intrinsic> rows = homes.rowsIntrinsic(step);
  if (rows)
    spreadRows(*step.rowScalar, extent.rows);
  loop(extent.rows, [&](Value row) {
    Value at = mul(row, extent.ld);
    Value scalar = step.scalar;
    if (step.rowScalar && !rows) {
      Value element = mul(row, constant(columnStride()));
      Value column = viewOf(*step.rowScalar, constant(0), extent.column);
      scalar = ScalarReadOp::create(builder, step.location, column, element);
    }
    SmallVector<Value> sources;
    for (TileId source : step.sources)
      sources.push_back(viewOf(source, program.spreadOf(source) == Spread::Full ? at : constant(0), extent.ld));
    // The padding is included: later steps run over the whole tile.
    Value destination = viewOf(step.result, at, extent.ld);
    if (!rows)
      return create(step, sources, scalar, destination);
    sources.push_back(blocksOf(*step.rowScalar, row, constant(1)));
    sources.push_back(destination);
    createIntrinsic(builder, step.location, *rows, sources, /*rows=*/true);
  });
}

Value KernelWriter::asWord(Value index) {
  Value number = arith::IndexCastOp::create(builder, location, builder.getI64Type(), index);
  return arith::TruncIOp::create(builder, location, builder.getI32Type(), number);
}

void KernelWriter::loadPart(TileId value, Value offset, Value rows, Value cols, Value stride, Value ld) {
  const TileValue &loaded = program.values[value];
  Value source = rowsOfTensor(*loaded.tensor, offset, rows, cols, stride);
  Value tile = viewOf(value, constant(0), mul(rows, ld));
  // A value that is not gathered as it was loaded is read with its padding; the copy writes only the padding's last
  // 32 bytes.
  bool isGathered = llvm::any_of(program.steps, [&](const TileStep &step) {
    return step.intrinsic == Intrinsic::vgather && step.spreadsTensor && step.sources.front() == value;
  });
  if (!isGathered && elementSize(loaded.type) > needs.smallest)
    VBrcOp::create(builder, location, constantOf(loaded.type, 1.0), tile);
  LoadOp::create(builder, location, source, tile, ld, constantOf(loaded.type, 1.0));
}

// The numbers 0, 1, ... of a tile's rows, each in all elements of its block: columnStride is a power of two. As with
// offsets (makeOffsets), no step works in place.
void KernelWriter::makeRowNumbers() {
  const int64_t elements = schedule.getRows() * columnStride();
  auto made = [&](const char *name) {
    return smallBuffer(name, ElementType::Int32, elements * int64_t(sizeof(int32_t)));
  };
  rowNumbers = made("row_numbers");
  Value all = constant(elements), lane = part(made("row_lanes"), constant(0), all);
  VArangeOp::create(builder, location, constantOf(ElementType::Int32, 0.0), lane);
  VShrOp::create(builder, location, lane, constantOf(ElementType::Int32, double(llvm::Log2_64(columnStride()))),
                 part(rowNumbers, constant(0), all));
}

void KernelWriter::writeCount(const TileStep &step, const TileExtent &extent) {
  const bool alongRow = step.countsAlong == 1u;
  Value zero = constant(0);
  Value first = asWord(step.countsInTile ? zero : alongRow ? extent.firstColumn : extent.firstRow);
  Value result = viewOf(step.result, zero, lengthOf(alongRow ? Spread::Row : Spread::Column, extent));
  if (alongRow) {
    VArangeOp::create(builder, step.location, first, result);
    return;
  }
  Value numbers = part(rowNumbers, zero, extent.column);
  VAddsOp::create(builder, step.location, numbers, first, result);
}

void KernelWriter::startScans(Value length) {
  for (const TileStep &step : program.steps)
    if (step.scan)
      VBrcOp::create(builder, step.location, constantOf(program.values[step.result].type, step.identity),
                     view(homes.runningOf.lookup(step.result), constant(0), length));
}

// One row at a time, including the padding, since later steps run over the whole tile.
void KernelWriter::writeScan(const TileStep &step, const TileExtent &extent) {
  const unsigned home = homes.runningOf.lookup(step.result);
  const bool isReverse = step.scan->reverse;
  Value zero = constant(0), one = constant(1);
  loop(extent.rows, [&](Value trip) {
    Value row = isReverse ? max(sub(sub(extent.rows, one), trip), zero) : trip;
    // A view of another row than the loop's own is at most the rest of the tile (placed_c9).
    Value length = isReverse ? mul(min(one, sub(extent.rows, row)), extent.ld) : extent.ld;
    Value at = mul(row, extent.ld);
    auto running = [&] { return view(home, zero, length); };
    auto leave = [&] { VCopyOp::create(builder, step.location, running(), viewOf(step.result, at, length)); };
    if (step.scan->exclusive)
      leave();
    createIntrinsic(builder, step.location, step.intrinsic,
                    {running(), viewOf(step.sources.front(), at, length), running()});
    if (!step.scan->exclusive)
      leave();
  });
}

void KernelWriter::writeOfNothing(const TileStep &step, const TileExtent &extent) {
  VBrcOp::create(builder, step.location, constantOf(program.values[step.result].type, step.identity),
                 viewOf(step.result, constant(0), extent.full));
}

Value KernelWriter::smallBuffer(const std::string &name, ElementType type, int64_t bytes) {
  int64_t elements = int64_t(llvm::alignTo(bytes, 32)) / int64_t(elementSize(type));
  auto memref = MemRefType::get({elements}, mlirTypeOf(type, builder.getContext()), MemRefLayoutAttrInterface(),
                                SpaceAttr::get(builder.getContext(), Space::UB));
  // Buffers that only the vector unit uses are placed in the entry block, before all loops.
  OpBuilder::InsertionGuard guard(builder);
  Operation *place = &kernel.getBody().front().front();
  while (isa<arith::ConstantOp>(place))
    place = place->getNextNode();
  builder.setInsertionPoint(place);
  return BufferOp::create(builder, location, memref, name, std::nullopt);
}

Value KernelWriter::scratchOf(const TileStep &step) {
  Value &scratch = scratches[step.result];
  if (!scratch) {
    ElementType type = program.values[step.sources[0]].type;
    scratch = smallBuffer("scratch" + std::to_string(step.result), type,
                          target.scratchBytes(step.intrinsic, type, schedule.getTile()));
  }
  return scratch;
}

// The elements of the rows are 32 bytes apart. The gaps are filled first, since later steps run over the whole buffer.
void KernelWriter::writeReduction(const TileStep &step, const TileExtent &extent) {
  const ElementType type = program.values[step.sources[0]].type;
  Value whole = buffers.lookup(homes.of[step.result]);
  if (step.isPosition) {
    Value &buffer = inTile[step.result];
    if (!buffer)
      buffer = smallBuffer("positions" + std::to_string(step.result), type,
                           schedule.getRows() * columnStride() * int64_t(elementSize(type)));
    whole = buffer;
  }
  Value zero = constant(0), results = part(whole, zero, extent.column);
  VBrcOp::create(builder, step.location, constantOf(type, 0.0), results);
  createIntrinsic(builder, step.location, step.intrinsic,
                  {extent.rows, extent.cols, viewOf(step.sources[0], zero, extent.full), results,
                   view(homes.scratchOf.lookup(step.result), zero, extent.full)});
  if (step.isPosition)
    VCastOp::create(builder, step.location, part(whole, constant(0), extent.column),
                    viewOf(step.result, constant(0), extent.column), Rounding::Rint);
}

/// The binary intrinsic that combines two partial results of a reduction.
static Intrinsic joining(Intrinsic intrinsic) {
  switch (intrinsic) {
  case Intrinsic::vreduce_max:
    return Intrinsic::vmax;
  case Intrinsic::vreduce_min:
    return Intrinsic::vmin;
  case Intrinsic::vreduce_sum:
    return Intrinsic::vadd;
  default:
    return intrinsic;
  }
}

void KernelWriter::writeIdentity(const TileStep &step, Value length) {
  const TileValue &result = program.values[step.result];
  VBrcOp::create(builder, step.location, constantOf(result.type, step.identity),
                 viewOf(step.result, constant(0), length));
}

// A position in a part becomes one in the row when the part's first column is added.
void KernelWriter::writePartPosition(const TileStep &step, Value position, Value first) {
  auto number = [&](const char *name) {
    Value buffer = smallBuffer(name + std::to_string(step.result), ElementType::Int32, target.ubAlignment());
    return part(buffer, constant(0), constant(1));
  };
  Value whole = number("whole"), moved = number("moved");
  VCastOp::create(builder, step.location, position, whole, Rounding::Rint);
  Value wide = arith::IndexCastOp::create(builder, step.location, builder.getI64Type(), first);
  Value column = arith::TruncIOp::create(builder, step.location, builder.getI32Type(), wide);
  createIntrinsic(builder, step.location, Intrinsic::vadds, {whole, column, moved});
  Value zero = constant(0), one = constant(1);
  createIntrinsic(builder, step.location, joining(step.intrinsic),
                  {viewOf(step.result, zero, one), moved, viewOf(step.result, zero, one)});
}

void KernelWriter::writeFold(const TileStep &step, Value length, Value first) {
  if (step.foldsLanes)
    return writePartFold(step, length);
  Value &buffer = foldParts[step.result];
  if (!buffer)
    buffer =
        smallBuffer("part" + std::to_string(step.result), program.values[step.sources[0]].type, target.ubAlignment());
  Value one = constant(1), zero = constant(0);
  createIntrinsic(builder, step.location, step.intrinsic,
                  {viewOf(step.sources[0], zero, length), part(buffer, zero, one), scratchOf(step)});
  if (step.isPosition)
    return writePartPosition(step, part(buffer, zero, one), first);
  createIntrinsic(builder, step.location, joining(step.intrinsic),
                  {viewOf(step.result, zero, one), part(buffer, zero, one), viewOf(step.result, zero, one)});
}

void KernelWriter::readRowScalars(llvm::function_ref<bool(const TileStep &)> take) {
  for (const TileStep &step : program.steps) {
    if (!take(step) || !step.rowScalar || program.spreadOf(*step.rowScalar) != Spread::Column)
      continue;
    if (homes.rowsIntrinsic(step)) {
      spreadRows(*step.rowScalar, constant(1));
      continue;
    }
    Value tile = viewOf(*step.rowScalar, constant(0), constant(1));
    ones[*step.rowScalar] = ScalarReadOp::create(builder, step.location, tile, constant(0));
  }
}

void KernelWriter::writeSingleRow(const TileStep &step, Value length) {
  if (homes.rowsIntrinsic(step))
    return writeWithBlocks(step, constant(1), length);
  writeFlat(step, length, step.rowScalar ? ones.lookup(*step.rowScalar) : Value());
}

void KernelWriter::writeRowOf(const TileStep &step, Value row, Value ld) {
  Value zero = constant(0), at = mul(row, ld), scalar = step.scalar;
  if (step.rowScalar && program.spreadOf(*step.rowScalar) == Spread::Column) {
    Value element = mul(row, constant(columnStride()));
    Value column = viewOf(*step.rowScalar, zero, mul(constant(schedule.getRows()), constant(columnStride())));
    scalar = ScalarReadOp::create(builder, step.location, column, element);
  } else if (step.rowScalar) {
    scalar = ones.lookup(*step.rowScalar);
  }
  auto operand = [&](TileId value) {
    if (program.values[value].isMask)
      return wholeMask(value);
    return viewOf(value, program.spreadOf(value) == Spread::Full ? at : zero, ld);
  };
  create(step, llvm::map_to_vector(step.sources, operand), scalar, operand(step.result));
}

void KernelWriter::accumulate(const TileStep &step, const TileExtent &extent) {
  Value zero = constant(0), sums = viewOf(step.result, zero, extent.full);
  createIntrinsic(builder, step.location, joining(step.intrinsic),
                  {sums, viewOf(step.sources[0], zero, extent.full), viewOf(step.result, zero, extent.full)});
}

void KernelWriter::foldAccumulator(const TileStep &step, Value others, Value ld, Value cols) {
  Value zero = constant(0);
  loop(others, [&](Value other) {
    Value at = mul(add(other, constant(1)), ld);
    createIntrinsic(builder, step.location, joining(step.intrinsic),
                    {viewOf(step.result, zero, cols), viewOf(step.result, at, cols), viewOf(step.result, zero, cols)});
  });
}

/// Whether sources of a step have another spread in their tiles than the result.
bool KernelWriter::isMixed(const TileStep &step) const {
  return llvm::any_of(step.sources, [&](TileId source) {
    return program.spreadOf(source) != program.spreadOf(step.result) && !repeated.contains(source);
  });
}

void KernelWriter::narrow(TileId value, Value offset, int64_t length) {
  Value &buffer = buffers[homes.of[value]];
  buffer = part(buffer, offset, constant(length));
}

void KernelWriter::narrow(TileId value, Value buffer, Value offset, int64_t length) {
  buffers[homes.of[value]] = part(buffer, offset, constant(length));
}

void KernelWriter::writeStep(const TileStep &step, const TileExtent &extent) {
  Spread spread = program.spreadOf(step.result);
  if (step.countsAlong)
    return writeCount(step, extent);
  if (step.lookup)
    return lookUp(step, extent);
  if (step.sort)
    return sortLines(step, extent);
  if (step.addsFirstRow) {
    Value whole = lengthOf(spread, extent), source = viewOf(step.sources.front(), constant(0), whole);
    VAddsOp::create(builder, step.location, source, asWord(extent.firstRow), viewOf(step.result, constant(0), whole));
    return;
  }
  if (step.scan)
    return step.scan->alongRow ? scanLines(step, extent) : writeScan(step, extent);
  if (step.foldsLanes)
    return writeRowFolds(step, extent);
  if (step.reducesRows())
    return writeReduction(step, extent);
  bool fromColumn = step.rowScalar && program.spreadOf(*step.rowScalar) == Spread::Column;
  if (fromColumn && !isMixed(step) && homes.rowsIntrinsic(step))
    return writeWithBlocks(step, extent.rows, extent.full);
  if (fromColumn || isMixed(step))
    return writeRowByRow(step, extent);
  writeFlat(step, lengthOf(spread, extent), step.rowScalar ? ones.lookup(*step.rowScalar) : Value());
}

const TileStep *KernelWriter::fusedWith(const TileStep &product) const {
  // Rows are made before the loop over tiles.
  const TileStep *sum = &product + 1, *end = program.steps.data() + program.steps.size();
  while (sum != end && program.spreadOf(sum->result) == Spread::Row)
    ++sum;
  auto isFlat = [&](const TileStep &step, Intrinsic intrinsic) {
    return step.intrinsic == intrinsic && step.sources.size() == 2 && !step.rowScalar && !step.scan &&
           !step.reducesRows() && !step.foldsRows && !isMixed(step) && program.spreadOf(step.result) == Spread::Full &&
           program.values[step.result].type == ElementType::Float32;
  };
  if (sum == end || !isFlat(product, Intrinsic::vmul) || !isFlat(*sum, Intrinsic::vadd) ||
      !target.supports(Intrinsic::vfma, {ElementType::Float32, ElementType::Float32}))
    return nullptr;
  // All three are in one home, and the others in other homes; nothing else reads the product.
  const unsigned home = homes.of[product.result];
  auto count = [&](const TileStep &step) {
    return llvm::count_if(step.sources, [&](TileId source) { return homes.of[source] == home; });
  };
  const bool isRead = llvm::any_of(program.steps, [&](const TileStep &step) {
    return &step != sum && (llvm::is_contained(step.sources, product.result) || step.rowScalar == product.result);
  });
  const bool isStored = llvm::any_of(program.stores, [&](auto &store) { return store.first == product.result; });
  if (homes.of[sum->result] != home || count(product) != 1 || count(*sum) != 1 ||
      !llvm::is_contained(sum->sources, product.result) || isRead || isStored)
    return nullptr;
  return sum;
}

void KernelWriter::writeFused(const TileStep &product, const TileStep &sum, const TileExtent &extent) {
  auto other = [&](const TileStep &step) {
    TileId value = step.sources[homes.of[step.sources[0]] == homes.of[product.result] ? 1 : 0];
    return viewOf(value, constant(0), extent.full);
  };
  createIntrinsic(builder, sum.location, Intrinsic::vfma,
                  {other(product), other(sum), viewOf(sum.result, constant(0), extent.full)});
}

void KernelWriter::writeSteps(const TileExtent &extent, llvm::function_ref<bool(const TileStep &)> take) {
  for (const TileStep &step : program.steps)
    if (take(step))
      writeStep(step, extent);
}

void KernelWriter::readOnes() {
  for (const TileStep &step : program.steps) {
    if (!step.rowScalar || program.spreadOf(*step.rowScalar) != Spread::One || ones.contains(*step.rowScalar))
      continue;
    Value tile = viewOf(*step.rowScalar, constant(0), constant(1));
    ones[*step.rowScalar] = ScalarReadOp::create(builder, step.location, tile, constant(0));
  }
}

} // namespace opc::aicore

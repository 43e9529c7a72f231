// Tiles with fewer elements than those with which a step combines them. The element of a row is gathered into a block
// of 32 bytes, which an intrinsic reads again for all blocks of the row. A row is copied into the other rows of a tile.
// What the launch decides to broadcast goes either way, or is gathered by a table with the offset of each element.

#include "lowering/aicore/place/writer/KernelWriter.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace opc::aicore {

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

// The elements of the rows are `columnStride` elements apart, and their blocks are 32 bytes apart:
//
//   lane        0 1 2 3 4 5 6 7   8 9 ...      f32, columnStride 8
//   offset      0 0 0 0 0 0 0 0   32 32 ...
//
// Each step has a buffer of its own, which is dead before the loops start. If a step worked in place and covered too
// little, it would leave its input there, which no check distinguishes from its result.
void KernelWriter::makeOffsets(llvm::function_ref<Value(unsigned)> rowsOf, llvm::function_ref<Value(unsigned)> apart) {
  if (llvm::any_of(program.steps, [](const TileStep &step) { return step.countsAlong == 0u; }))
    makeRowNumbers();
  for (const auto &[bytes, home] : homes.offsetsOf) {
    const unsigned size = bytes;
    int64_t lanes = target.ubAlignment() / int64_t(size);
    Value all = rowsOf ? mul(rowsOf(size), constant(lanes)) : constant(schedule.getRows() * lanes);
    auto number = [&](int64_t value) { return constantOf(ElementType::Int32, double(value)); };
    auto temporary = [&](const char *name) {
      Value buffer = smallBuffer(name + std::to_string(size), ElementType::Int32,
                                 schedule.getRows() * lanes * int64_t(sizeof(int32_t)));
      return part(buffer, constant(0), all);
    };
    Value lane = temporary("lane"), row = temporary("row");
    VArangeOp::create(builder, location, number(0), lane);
    VShrOp::create(builder, location, lane, number(llvm::Log2_64(lanes)), row);
    Value offsets = view(home, constant(0), all);
    if (apart)
      VMulsOp::create(builder, location, row, asWord(apart(size)), offsets);
    else
      VShlOp::create(builder, location, row, number(llvm::Log2_64(columnStride() * int64_t(size))), offsets);
  }
}

Value KernelWriter::blocksOf(TileId column, Value first, Value rows) {
  Value lanes = constant(target.ubAlignment() / elementSize(program.values[column].type));
  return view(homes.blocksOf.lookup(column), mul(first, lanes), mul(rows, lanes));
}

void KernelWriter::spreadRows(TileId column, Value rows) {
  if (!spread.insert(column).second)
    return;
  unsigned size = elementSize(program.values[column].type);
  Value length = mul(rows, constant(target.ubAlignment() / size));
  Value elements = viewOf(column, constant(0), mul(rows, constant(columnStride())));
  Value offsets = view(homes.offsetsOf.at(size), constant(0), length);
  VGatherOp::create(builder, location, elements, offsets, view(homes.blocksOf.lookup(column), constant(0), length));
}

void KernelWriter::writeWithBlocks(const TileStep &step, Value rows, Value length) {
  spreadRows(*step.rowScalar, rows);
  Value source = viewOf(step.sources.front(), constant(0), length);
  Value blocks = blocksOf(*step.rowScalar, constant(0), rows);
  createIntrinsic(builder, step.location, *homes.rowsIntrinsic(step),
                  {source, blocks, viewOf(step.result, constant(0), length)}, /*rows=*/true);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void KernelWriter::repeatRows(Value others, Value ld, llvm::function_ref<bool(TileId)> take) {
  llvm::SetVector<TileId> taken;
  for (const TileStep &step : program.steps)
    if (program.spreadOf(step.result) == Spread::Full && (!step.rowScalar || homes.rowsIntrinsic(step)))
      for (TileId source : step.sources)
        if (program.spreadOf(source) == Spread::Row && !program.values[source].isMask && take(source))
          taken.insert(source);
  for (TileId value : taken) {
    ElementType type = program.values[value].type;
    if (!target.supports(Intrinsic::vcopy, {type, type}))
      continue;
    loop(others, [&](Value other) {
      VCopyOp::create(builder, location, viewOf(value, constant(0), ld),
                      viewOf(value, mul(add(other, constant(1)), ld), ld));
    });
    repeated.insert(value);
  }
}

// The rest of the rows after the first ones (placed_c9).
void KernelWriter::copyRowsOnce(TileId row, Value done, Value rows, Value ld) {
  Value first = min(rows, done);
  Value begin = mul(first, ld), length = mul(min(first, sub(rows, first)), ld);
  VCopyOp::create(builder, location, viewOf(row, constant(0), length), viewOf(row, begin, length));
}

void KernelWriter::doubleRows(TileId row, Value rows, Value ld) {
  for (int64_t done = 1; done < schedule.getRows(); done *= 2)
    copyRowsOnce(row, constant(done), rows, ld);
  repeated.insert(row);
}

//===----------------------------------------------------------------------===//
// Inputs that the launch broadcasts
//===----------------------------------------------------------------------===//

// As with offsets, no step works in place. All steps cover the padding, so nothing is filled before it is computed.
void KernelWriter::makeTable(unsigned home, Value others, Value cols, Value ld, Value rowBytes, Value columnBytes) {
  Value zero = constant(0), row = view(home, zero, ld);
  const int64_t bytes = cast<MemRefType>(buffers.lookup(home).getType()).getNumElements() * int64_t(sizeof(int32_t));
  auto temporary = [&](const char *name) {
    return part(smallBuffer(name + homes.homes[home].name, ElementType::Int32, bytes), zero, ld);
  };
  Value numbers = temporary("numbers_of_"), columns = temporary("columns_of_");
  VArangeOp::create(builder, location, constantOf(ElementType::Int32, 0.0), numbers);
  VMinsOp::create(builder, location, numbers, asWord(sub(cols, constant(1))), columns);
  VMulsOp::create(builder, location, columns, asWord(columnBytes), row);
  loop(others, [&](Value other) {
    Value number = add(other, constant(1));
    VAddsOp::create(builder, location, row, asWord(mul(number, rowBytes)), view(home, mul(number, ld), ld));
  });
}

void KernelWriter::writeGather(const TileStep &step, Value length, const TileExtent &extent) {
  Value zero = constant(0);
  VGatherOp::create(builder, step.location, viewOf(step.sources.front(), zero, length),
                    view(homes.tableOf.at(*step.spreadsTensor), zero, extent.full),
                    viewOf(step.result, zero, extent.full));
}

// In the tile of the source, since most launches have nothing to expand. A launch in which no input goes one of the two
// ways has no trips of its loop; a length is 0 if only this input does not go it.
//
//   does not vary along n   x - -     elements of rows -> blocks; ones; each row times its block
//   does not vary along m   x . .     its first row is copied into the others, twice as many rows each time
//                           . . .
void KernelWriter::writeSpread(const TileStep &step, Value length, const SpreadRows &rows, const SpreadTrips &trips,
                               const TileExtent &extent) {
  const TileId value = step.result;
  const ElementType type = program.values[value].type;
  const unsigned size = elementSize(type);
  Value zero = constant(0);
  loop(trips.columns, [&](Value) {
    Value elements = mul(rows.ofColumn, constant(target.ubAlignment() / int64_t(size)));
    auto blocks = [&] { return view(homes.blocksOf.lookup(value), zero, elements); };
    VGatherOp::create(builder, step.location, viewOf(value, zero, length),
                      view(homes.offsetsOf.at(size), zero, elements), blocks());
    Value whole = viewOf(value, zero, mul(rows.ofColumn, extent.ld));
    VBrcOp::create(builder, step.location, constantOf(type, 1.0), whole);
    createIntrinsic(builder, step.location, Intrinsic::vmul, {whole, blocks(), whole}, /*rows=*/true);
  });
  loop(trips.copies, [&](Value trip) {
    const unsigned doublings = trips.doublings;
    // 1 in the first trip, 2^doublings in the second one.
    Value done = add(constant(1), mul(trip, constant((int64_t(1) << doublings) - 1)));
    for (unsigned doubling = 0; doubling < doublings; ++doubling)
      copyRowsOnce(value, mul(done, constant(int64_t(1) << doubling)), rows.copied, extent.ld);
  });
}

} // namespace opc::aicore

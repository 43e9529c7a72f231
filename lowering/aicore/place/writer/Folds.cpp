// Reductions of rows for which the chip has no intrinsic: products, and integers. Halves of a row are combined by the
// binary intrinsic until a block of 32 bytes is left (i32, 8 lanes in a block):
//
//   copy       s[0 .. n) = row                      scratch of a tile; identity first, where n is less than two blocks
//   parts      s[0 .. 256) op= s[256 k ..)          in a loop, for rows of more than 256 elements
//   halves     s[0 .. h) op= s[h .. 2h)             h = 128, 64, 32, 16
//   block      result[row] = s[0 .. 8) op s[8 .. 16)
//
// All lengths are clipped to the row, so a step may have nothing to do. The lanes of a block are then combined for all
// rows of a tile at once: gathers make a dense tile of each lane, with one element a row, by offsets that are made
// before all loops; the dense tiles are combined, and a last gather brings each element back to its row.
//
//   block 0   a b c d e f g h            a i    b j          h p
//   block 1   i j k l m n o p      ->    lane 0 lane 1  ...  lane 7     ->   one element a row
//
// Each of these steps has a separate buffer. In a step in place, the old contents of elements that a too short step
// misses would look like its result.

#include "lowering/aicore/place/writer/KernelWriter.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace opc::aicore {

int64_t KernelWriter::lanesOf(const TileStep &step) const {
  return target.ubAlignment() / elementSize(program.values[step.result].type);
}

Value KernelWriter::foldBuffer(const TileStep &step) {
  ElementType type = program.values[step.result].type;
  Value &buffer = foldTiles[unsigned(type)];
  if (!buffer)
    buffer = smallBuffer("fold_" + std::string(mlirTypeName(type)), type,
                         int64_t(llvm::alignTo(schedule.getTile(), kFoldedElements)) * elementSize(type));
  return buffer;
}

// For one row each is a number, which also costs nothing in a launch without elements.
void KernelWriter::makeLaneOffsets(bool ofRows) {
  auto number = [&](int64_t value) { return constantOf(ElementType::Int32, double(value)); };
  auto numbers = [&](const std::string &name, int64_t count) {
    return part(smallBuffer(name, ElementType::Int32, count * int64_t(sizeof(int32_t))), constant(0), constant(count));
  };
  const int64_t rows = schedule.getRows(), stride = columnStride();
  for (const TileStep &step : program.steps) {
    const int64_t lanes = lanesOf(step), size = target.ubAlignment() / lanes;
    if (!step.foldsLanes || laneOffsets.count(lanes))
      continue;
    const std::string bytes = std::to_string(size);
    LaneOffsets &offsets = laneOffsets[lanes];
    Value first;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      offsets.lanes.push_back(numbers("fold_lane" + bytes + "_" + std::to_string(lane), rows));
      if (!ofRows) {
        VBrcOp::create(builder, location, number(lane * size), offsets.lanes.back());
      } else if (lane == 0) {
        Value row = numbers("fold_row" + bytes, rows);
        first = offsets.lanes.back();
        VArangeOp::create(builder, location, number(0), row);
        VShlOp::create(builder, location, row, number(llvm::Log2_64(uint64_t(lanes * size))), first);
      } else {
        VAddsOp::create(builder, location, first, number(lane * size), offsets.lanes.back());
      }
    }
    if (!ofRows)
      continue;
    Value place = numbers("fold_place" + bytes, rows * stride), of = numbers("fold_of" + bytes, rows * stride);
    offsets.back = numbers("fold_back" + bytes, rows * stride);
    VArangeOp::create(builder, location, number(0), place);
    VShrOp::create(builder, location, place, number(llvm::Log2_64(uint64_t(stride))), of);
    VShlOp::create(builder, location, of, number(llvm::Log2_64(uint64_t(size))), offsets.back);
  }
}

// Loops of several folds have one trip count: the proof of the kernel tries all combinations of different ones.
Value KernelWriter::foldTrips(Value length) {
  Value &trips = tripsOfFolds[length];
  if (!trips || trips.getParentBlock() != builder.getInsertionBlock())
    trips = ceilDiv(max(sub(length, constant(kFoldedElements)), constant(0)), constant(kFoldedElements));
  return trips;
}

void KernelWriter::foldToBlock(const TileStep &step, Value row, Value length, Value trips, Value destination) {
  const int64_t lanes = lanesOf(step);
  ElementType type = program.values[step.result].type;
  Value tile = foldBuffer(step), zero = constant(0), one = constant(1);
  auto combine = [&](Value at, Value count) {
    Value first = part(tile, zero, count);
    createIntrinsic(builder, step.location, step.intrinsic, {first, part(tile, at, count), part(tile, zero, count)});
  };
  // The last step takes two blocks, which a short row does not fill.
  Value missing = min(max(sub(constant(2 * lanes), length), zero), one);
  VBrcOp::create(builder, step.location, constantOf(type, step.identity),
                 part(tile, zero, mul(missing, constant(2 * lanes))));
  VCopyOp::create(builder, step.location, row, part(tile, zero, length));
  // A tile of a static operator may be shorter than the part before this loop.
  if (schedule.getTile() > kFoldedElements)
    loop(trips, [&](Value index) {
      Value at = mul(add(index, one), constant(kFoldedElements));
      combine(at, max(min(sub(length, at), constant(kFoldedElements)), one));
    });
  for (int64_t half = kFoldedElements / 2; half >= 2 * lanes; half /= 2)
    combine(constant(half), max(sub(min(length, constant(2 * half)), constant(half)), zero));
  Value block = constant(lanes);
  createIntrinsic(builder, step.location, step.intrinsic,
                  {part(tile, zero, block), part(tile, block, block), destination});
}

// A dense tile with an element for each of `rows` blocks.
Value KernelWriter::foldBlocks(const TileStep &step, Value blocks, Value rows) {
  ElementType type = program.values[step.result].type;
  Value zero = constant(0), folded;
  auto dense = [&](const char *name, size_t lane) {
    Value buffer = smallBuffer(name + std::to_string(step.result) + "_" + std::to_string(lane), type,
                               schedule.getRows() * int64_t(elementSize(type)));
    return part(buffer, zero, rows);
  };
  for (auto [lane, offsets] : llvm::enumerate(laneOffsets[lanesOf(step)].lanes)) {
    Value taken = dense("lane", lane);
    VGatherOp::create(builder, step.location, blocks, part(offsets, zero, rows), taken);
    if (!folded) {
      folded = taken;
      continue;
    }
    Value next = dense("folded", lane);
    createIntrinsic(builder, step.location, step.intrinsic, {folded, taken, next});
    folded = next;
  }
  return folded;
}

void KernelWriter::writeRowFolds(const TileStep &step, const TileExtent &extent) {
  ElementType type = program.values[step.result].type;
  const int64_t lanes = lanesOf(step);
  Value zero = constant(0), blocks = smallBuffer("fold_blocks" + std::to_string(step.result), type,
                                                 schedule.getRows() * target.ubAlignment());
  Value trips = foldTrips(extent.cols);
  loop(extent.rows, [&](Value row) {
    foldToBlock(step, viewOf(step.sources[0], mul(row, extent.ld), extent.cols), extent.cols, trips,
                part(blocks, mul(row, constant(lanes)), constant(lanes)));
  });
  Value folded = foldBlocks(step, part(blocks, zero, mul(extent.rows, constant(lanes))), extent.rows);
  VGatherOp::create(builder, step.location, folded, part(laneOffsets[lanes].back, zero, extent.column),
                    viewOf(step.result, zero, extent.column));
}

void KernelWriter::writePartFold(const TileStep &step, Value length) {
  Value zero = constant(0), one = constant(1), block = constant(lanesOf(step));
  Value &buffer = foldParts[step.result];
  if (!buffer)
    buffer = smallBuffer("part" + std::to_string(step.result), program.values[step.result].type, target.ubAlignment());
  foldToBlock(step, viewOf(step.sources[0], zero, length), length, foldTrips(length), part(buffer, zero, block));
  Value folded = foldBlocks(step, part(buffer, zero, block), one);
  createIntrinsic(builder, step.location, step.intrinsic,
                  {viewOf(step.result, zero, one), folded, viewOf(step.result, zero, one)});
}

} // namespace opc::aicore

#include "lowering/aicore/place/LineScans.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <set>

using namespace mlir;

namespace opc::aicore {

/// Up to so many blocks a row is short: all rows of a tile are moved at once.
static constexpr int64_t kShortBlocks = 16;

/// Intrinsics for each row that is not short: what a row of some hundred elements takes.
static constexpr int64_t kOpsOfLine = 24;

static bool isLineScan(const TileStep &step) {
  return step.scan && step.scan->alongRow;
}

void addLineScans(const TileProgram &program, TileNeeds &needs) {
  std::set<std::pair<ElementType, Intrinsic>> lines;
  std::set<std::pair<int64_t, bool>> tables;
  for (const TileStep &step : llvm::make_filter_range(program.steps, isLineScan)) {
    const ElementType type = program.values[step.result].type;
    const int64_t size = elementSize(type);
    needs.rowBytes += kBlockBytes;
    ++needs.buffers;
    needs.rowOps += kOpsOfLine;
    if (lines.emplace(type, step.intrinsic).second) {
      needs.tileBits += 2 * 8 * size;
      needs.fixedBytes += kBlockBytes + kBlockBytes / size * int64_t(sizeof(int32_t));
      needs.buffers += 3;
    }
    auto addTables = [&](int64_t count) {
      needs.tileBits += count * 8 * int64_t(sizeof(int32_t));
      needs.buffers += count;
    };
    if (tables.emplace(size, false).second)
      addTables(step.scan->reverse ? 6 : 5);
    if (step.scan->exclusive && tables.emplace(size, true).second)
      addTables(1);
  }
}

Value LineScans::buffer(const std::string &name, ElementType type, int64_t elements) {
  auto memref = MemRefType::get({elements}, mlirTypeOf(type, w.ops().getContext()), MemRefLayoutAttrInterface(),
                                SpaceAttr::get(w.ops().getContext(), Space::UB));
  return BufferOp::create(w.ops(), w.getLocation(), memref, w.freeName(name), std::nullopt);
}

/// Whether no launch with rows of one element needs a step.
bool LineScans::isOfSeveral(const TileStep &step) const {
  return step.scan->exclusive || !neededOfOne[step.result];
}

// Rows of one element do not need all tables; those tables stay unfilled for them.
void LineScans::makeTables(const Extents &of) {
  const int64_t tile = parts.schedule.getTile();
  Value zero = w.constant(0), one = w.constant(1);
  auto steps = llvm::make_filter_range(parts.program.steps, isLineScan);
  severalParts = of.severalParts;
  severalElements = of.severalElements;
  for (const TileStep &step : steps) {
    const ElementType type = parts.program.values[step.result].type;
    const int64_t size = elementSize(type), lanes = lanesOf(type);
    const std::string number = std::to_string(before.size());
    auto isLike = [&](const TileStep &other) {
      return other.intrinsic == step.intrinsic && parts.program.values[other.result].type == type;
    };
    auto hasSize = [&](const TileStep &other) {
      return int64_t(elementSize(parts.program.values[other.result].type)) == size;
    };
    auto filled = [&](int64_t elements, auto takes) {
      const bool always = llvm::any_of(steps, [&](const TileStep &each) { return takes(each) && !isOfSeveral(each); });
      return always ? w.constant(elements) : w.mul(w.constant(elements), severalElements);
    };
    before[step.result] = buffer("before" + number, type, parts.schedule.getRows() * lanes);
    if (Line &own = lineOf(step); !own.line) {
      own.line = buffer("line" + number, type, lanes + tile);
      own.moved = buffer("moved_line" + number, type, tile);
      own.last = buffer("last_of_line" + number, ElementType::Int32, lanes);
      VBrcOp::create(w.ops(), step.location, w.constantOf(type, step.identity),
                     w.part(own.line, zero, filled(lanes + tile, isLike)));
    }
    Offsets &own = offsets[unsigned(size)];
    auto table = [&](const char *name) { return buffer(name + std::to_string(size), ElementType::Int32, tile); };
    if (step.scan->exclusive && !own.shifted)
      own.shifted = table("shifted_elements");
    if (own.whole)
      continue;
    Value isLong = w.min(w.max(w.sub(of.rowLength, w.constant(lanes * kShortBlocks)), zero), one);
    own.isLong = w.max(isLong, severalParts);
    const bool always = llvm::any_of(steps, [&](const TileStep &each) { return hasSize(each) && !isOfSeveral(each); });
    own.isShort = w.sub(one, own.isLong);
    own.isShort = always ? own.isShort : w.mul(own.isShort, severalElements);
    own.whole = table("elements");
    own.moved = table("moved_elements");
    own.columns = table("columns");
    own.mask = table("mask");
    if (step.scan->reverse)
      own.turned = table("turned_elements");
    Value all = filled(tile, hasSize), numbers = w.part(own.moved, zero, all);
    VArangeOp::create(w.ops(), step.location, w.constantOf(ElementType::Int32, 0.0), numbers);
    VMulsOp::create(w.ops(), step.location, numbers, w.constantOf(ElementType::Int32, double(size)),
                    w.part(own.whole, zero, all));
    makeColumns(step, own, of.stride);
  }
}

// The column of each element of a tile of short rows: its number less those of the rows before it. The quotient of a
// number and a half is no closer to a whole one than float32 tells apart.
void LineScans::makeColumns(const TileStep &step, const Offsets &of, Value stride) {
  OpBuilder &ops = w.ops();
  const Location location = step.location;
  Value zero = w.constant(0), length = w.mul(w.constant(parts.schedule.getTile()), of.isShort);
  Value fractions = w.part(
      buffer("rows_of_elements" + std::to_string(offsets.size()), ElementType::Float32, parts.schedule.getTile()), zero,
      length);
  auto number = [&](double value) { return w.constantOf(ElementType::Float32, value); };
  Value wide = arith::IndexCastOp::create(ops, location, ops.getI64Type(), stride);
  Value single = arith::SIToFPOp::create(ops, location, ops.getF32Type(), wide);
  Value reciprocal = arith::DivFOp::create(ops, location, number(1.0), single);
  Value numbers = w.part(of.moved, zero, length), rows = w.part(of.mask, zero, length);
  Value columns = w.part(of.columns, zero, length);
  VCastOp::create(ops, location, numbers, fractions, Rounding::Rint);
  VAddsOp::create(ops, location, fractions, number(0.5), fractions);
  VMulsOp::create(ops, location, fractions, reciprocal, fractions);
  VCastOp::create(ops, location, fractions, rows, Rounding::Floor);
  VMulsOp::create(ops, location, rows, w.asWord(w.sub(zero, stride)), columns);
  createIntrinsic(ops, location, Intrinsic::vadd, {columns, numbers, columns});
}

// The value before the first part is the identity. An exclusive scan begins with it.
void LineScans::start(Value tileRows) {
  for (const TileStep &step : parts.program.steps) {
    if (!isLineScan(step))
      continue;
    const ElementType type = parts.program.values[step.result].type;
    Value isLong = offsets.lookup(elementSize(type)).isLong;
    Value length = w.mul(w.mul(tileRows, w.constant(lanesOf(type))),
                         step.scan->exclusive ? w.mul(severalElements, isLong) : severalParts);
    VBrcOp::create(w.ops(), step.location, w.constantOf(type, step.identity),
                   w.part(before.lookup(step.result), w.constant(0), length));
  }
}

Value LineScans::move(ElementType type, Value from, Value bytes, Value length) {
  Value moved = w.part(offsets.lookup(elementSize(type)).moved, w.constant(0), length);
  VAddsOp::create(w.ops(), w.getLocation(), w.part(from, w.constant(0), length), w.asWord(bytes), moved);
  return moved;
}

// Byte offsets of the row's elements from the last one on; the padding after them takes the first element. For an
// exclusive scan, those of the element before each one: the value that the first one takes is replaced.
void LineScans::makeOrder(const TileStep &step, const TileExtent &extent) {
  const ElementType type = parts.program.values[step.result].type;
  const int64_t size = elementSize(type);
  const Offsets own = offsets.lookup(unsigned(size));
  Value zero = w.constant(0), length = extent.ld;
  Value last = w.mul(w.sub(extent.cols, w.constant(1)), w.constant(size));
  auto number = [&](int64_t value) { return w.constantOf(ElementType::Int32, double(value)); };
  OpBuilder &ops = w.ops();
  if (step.scan->reverse) {
    Value turned = w.part(own.turned, zero, length);
    VMulsOp::create(ops, step.location, w.part(own.whole, zero, length), number(-1), turned);
    VMaxsOp::create(ops, step.location, move(type, own.turned, last, length), number(0), turned);
  }
  if (!step.scan->exclusive)
    return;
  Value shifted = w.part(own.shifted, zero, length);
  if (step.scan->reverse)
    VMinsOp::create(ops, step.location, move(type, own.turned, w.constant(size), length), w.asWord(last), shifted);
  else
    VMaxsOp::create(ops, step.location, move(type, own.whole, w.constant(-size), length), number(0), shifted);
}

/// Combines elements of the line with others, in place.
void LineScans::combine(const TileStep &step, Value own, Value with) {
  createIntrinsic(w.ops(), step.location, step.intrinsic, {own, with, own});
}

// Moves by whole blocks. A move by more than the length of the row has no effect.
void LineScans::moveBlocks(const TileStep &step, Value line, Value length) {
  Value zero = w.constant(0), whole = w.part(lineOf(step).moved, zero, length);
  for (int64_t distance = lanesOf(parts.program.values[step.result].type); distance < parts.schedule.getTile();
       distance *= 2) {
    Value by = w.min(w.constant(distance), length), rest = w.sub(length, by);
    Value moved = w.part(whole, zero, rest);
    VCopyOp::create(w.ops(), step.location, w.part(line, zero, rest), moved);
    combine(step, w.part(line, by, rest), moved);
  }
}

// Gathers all elements of a tile, moved by a distance; those that have none there take the identity before all rows. An
// offset is a product with 1 where there is an element, else with 0.
void LineScans::moveAll(const TileStep &step, const TileExtent &extent, int64_t distance) {
  const ElementType type = parts.program.values[step.result].type;
  const int64_t size = elementSize(type), lanes = lanesOf(type);
  const Offsets table = offsets.lookup(unsigned(size));
  const Line own = lineOf(step);
  Value zero = w.constant(0), length = extent.full, mask = w.part(table.mask, zero, length);
  Value moved = w.part(table.moved, zero, length), columns = w.part(table.columns, zero, length);
  auto number = [&](int64_t value) { return w.constantOf(ElementType::Int32, double(value)); };
  OpBuilder &ops = w.ops();
  const Location location = step.location;
  if (step.scan->reverse) {
    VMulsOp::create(ops, location, columns, number(-1), moved);
    VAddsOp::create(ops, location, moved, w.asWord(w.sub(extent.cols, w.constant(distance))), mask);
  } else {
    VAddsOp::create(ops, location, columns, number(1 - distance), mask);
  }
  VMaxsOp::create(ops, location, mask, number(0), moved);
  VMinsOp::create(ops, location, moved, number(1), mask);
  const int64_t by = step.scan->reverse ? distance : -distance;
  VAddsOp::create(ops, location, w.part(table.whole, zero, length), number((lanes + by) * size), moved);
  createIntrinsic(ops, location, Intrinsic::vmul, {mask, moved, mask});
  VGatherOp::create(ops, location, w.part(own.line, zero, w.add(w.constant(lanes), length)), mask,
                    w.part(own.moved, zero, length));
}

void LineScans::writeShort(const TileStep &step, const TileExtent &extent) {
  const int64_t lanes = lanesOf(parts.program.values[step.result].type);
  const Line own = lineOf(step);
  Value zero = w.constant(0), length = extent.full, line = w.part(own.line, w.constant(lanes), length);
  Value moved = w.part(own.moved, zero, length);
  auto copy = [&](Value from, Value to) { VCopyOp::create(w.ops(), step.location, from, to); };
  copy(w.viewOf(step.result, zero, length), line);
  if (step.scan->exclusive) {
    moveAll(step, extent, 1);
    copy(moved, line);
  }
  for (int64_t distance = 1; distance < lanes * kShortBlocks; distance *= 2) {
    moveAll(step, extent, distance);
    combine(step, line, moved);
  }
  copy(line, w.viewOf(step.result, zero, length));
}

// The first element of an exclusive scan is the value before it, and the others are combined with the element before
// them.
void LineScans::writeLine(const TileStep &step, const TileExtent &extent, Value row) {
  const ElementType type = parts.program.values[step.result].type;
  const int64_t size = elementSize(type), lanes = lanesOf(type);
  const bool isExclusive = step.scan->exclusive;
  const Line own = lineOf(step);
  const Offsets table = offsets.lookup(unsigned(size));
  Value zero = w.constant(0), one = w.constant(1), block = w.constant(lanes);
  // Whole blocks. The rest of the padding gets the previous contents of the line.
  Value length = w.min(w.mul(w.ceilDiv(extent.cols, block), block), extent.ld);
  Value at = w.mul(row, extent.ld), blockOfRow = w.mul(row, block), carried = w.mul(block, severalParts);
  Value whole = w.part(own.line, zero, w.add(block, length)), line = w.part(own.line, block, length);
  Value padded = w.part(own.line, block, extent.ld);
  Value source = w.viewOf(step.sources.front(), at, extent.ld), result = w.viewOf(step.result, at, extent.ld);
  OpBuilder &ops = w.ops();
  const Location location = step.location;

  if (step.scan->reverse || isExclusive)
    VGatherOp::create(ops, location, source, w.part(isExclusive ? table.shifted : table.turned, zero, length), line);
  else
    VCopyOp::create(ops, location, w.viewOf(step.sources.front(), at, length), line);
  auto beforeOfRow = [&](Value count) { return w.part(before.lookup(step.result), blockOfRow, count); };
  if (isExclusive)
    VCopyOp::create(ops, location, beforeOfRow(one), w.part(own.line, block, one));
  else
    combine(step, w.part(own.line, block, severalParts), beforeOfRow(severalParts));
  for (int64_t distance = 1; distance < lanes; distance *= 2) {
    Value places = move(type, table.whole, w.constant((lanes - distance) * size), length);
    Value moved = w.part(own.moved, zero, length);
    VGatherOp::create(ops, location, whole, places, moved);
    combine(step, line, moved);
  }
  moveBlocks(step, line, length);
  // The last element of this part is the value before the next part; if the scan is exclusive, it is combined with its
  // element of the source.
  Value lastOne = w.sub(extent.cols, one), last = w.part(own.last, zero, carried);
  auto placeOf = [&](Value element) {
    VBrcOp::create(ops, location, w.asWord(w.mul(element, w.constant(size))), last);
    return last;
  };
  VGatherOp::create(ops, location, whole, placeOf(w.add(block, lastOne)), beforeOfRow(carried));
  if (isExclusive) {
    Value moved = w.part(own.moved, zero, carried), sum = beforeOfRow(carried);
    VGatherOp::create(ops, location, source, placeOf(step.scan->reverse ? zero : lastOne), moved);
    combine(step, sum, moved);
  }
  if (!step.scan->reverse) {
    VCopyOp::create(ops, location, padded, result);
    return;
  }
  VGatherOp::create(ops, location, line, w.part(table.turned, zero, extent.ld), result);
}

// The proof of order assumes that the two loops are independent, so the result of short rows is started before both.
void LineScans::write(const TileStep &step, const TileExtent &extent) {
  const Offsets own = offsets.lookup(elementSize(parts.program.values[step.result].type));
  Value zero = w.constant(0), length = w.mul(extent.full, own.isShort);
  VCopyOp::create(w.ops(), step.location, w.viewOf(step.sources.front(), zero, length),
                  w.viewOf(step.result, zero, length));
  w.loop(own.isShort, [&](Value) { writeShort(step, extent); });
  w.loop(own.isLong, [&](Value) {
    makeOrder(step, extent);
    w.loop(extent.rows, [&](Value row) { writeLine(step, extent, row); });
  });
}

} // namespace opc::aicore

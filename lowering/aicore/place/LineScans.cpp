#include "lowering/aicore/place/LineScans.h"

#include <set>

using namespace mlir;

namespace opc::aicore {

/// Shifts of rows of up to this many blocks are separate from those of longer rows.
static constexpr int64_t kFirstMoves = 8;

/// Intrinsics for each row: the number for a row of some hundred elements.
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
      addTables(step.scan->reverse ? 3 : 2);
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

// Tables that only rows of several elements need are not filled for other rows.
void LineScans::makeTables(Value rowLength, Value severalElements) {
  const int64_t tile = parts.schedule.getTile();
  Value zero = w.constant(0), one = w.constant(1);
  auto steps = llvm::make_filter_range(parts.program.steps, isLineScan);
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
    for (int64_t distance : {lanes, lanes * kFirstMoves})
      if (Value &longer = isLonger[distance]; !longer)
        longer = w.min(w.max(w.sub(rowLength, w.constant(distance)), zero), one);
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
    own.whole = table("elements");
    own.moved = table("moved_elements");
    if (step.scan->reverse)
      own.turned = table("turned_elements");
    Value all = filled(tile, hasSize), numbers = w.part(own.moved, zero, all);
    VArangeOp::create(w.ops(), step.location, w.constantOf(ElementType::Int32, 0.0), numbers);
    VMulsOp::create(w.ops(), step.location, numbers, w.constantOf(ElementType::Int32, double(size)),
                    w.part(own.whole, zero, all));
  }
}

// The value before the first part is the identity. An exclusive scan begins with it.
void LineScans::start(Value tileRows, Value severalElements, Value severalParts) {
  several = severalParts;
  for (const TileStep &step : parts.program.steps) {
    if (!isLineScan(step))
      continue;
    const ElementType type = parts.program.values[step.result].type;
    Value length = w.mul(w.mul(tileRows, w.constant(lanesOf(type))), step.scan->exclusive ? severalElements : several);
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

// Shifts by whole blocks, in groups; a launch whose rows have few blocks skips a group. A shift by more than the row
// length shifts nothing.
void LineScans::moveBlocks(const TileStep &step, Value line, Value length) {
  const int64_t tile = parts.schedule.getTile();
  Value whole = w.part(lineOf(step).moved, w.constant(0), length);
  int64_t distance = lanesOf(parts.program.values[step.result].type);
  for (int64_t end = distance * kFirstMoves; distance < tile; end = tile)
    w.loop(isLonger.at(distance), [&](Value) {
      for (; distance < end && distance < tile; distance *= 2) {
        Value by = w.min(w.constant(distance), length), rest = w.sub(length, by);
        Value moved = w.part(whole, w.constant(0), rest);
        VCopyOp::create(w.ops(), step.location, w.part(line, w.constant(0), rest), moved);
        combine(step, w.part(line, by, rest), moved);
      }
    });
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
  Value at = w.mul(row, extent.ld), blockOfRow = w.mul(row, block), carried = w.mul(block, several);
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
    combine(step, w.part(own.line, block, several), beforeOfRow(several));
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

void LineScans::write(const TileStep &step, const TileExtent &extent) {
  makeOrder(step, extent);
  w.loop(extent.rows, [&](Value row) { writeLine(step, extent, row); });
}

} // namespace opc::aicore

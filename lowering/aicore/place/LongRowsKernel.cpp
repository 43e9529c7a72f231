// One row at a time, in passes over its parts. Each pass recomputes what it needs from the loaded parts, so UB holds
// only one part of a row, whatever the length of the row:
//
//   for each row:
//     for each part:   load; steps; reduce; fold into the row's element      pass 0: maximum
//     steps on the row's element
//     for each part:   load; steps with that element; reduce; fold           pass 1: sum
//     ...
//     for each part:   load; steps; store                                    last pass

#include "lowering/aicore/place/KernelForms.h"

using namespace mlir;

namespace opc::aicore {

namespace {

class LongRowsKernel {
public:
  explicit LongRowsKernel(const KernelParts &parts) : parts(parts), w(parts.writer) {}
  void write();

private:
  void writeRow(Value row);
  void writePass(unsigned pass);
  void writePart(unsigned pass, Value part);
  bool reducesIn(const TileStep &step, unsigned pass) const;
  /// The Full values that a pass needs for what it reduces or stores.
  std::vector<bool> neededIn(unsigned pass) const;
  Value startOf(unsigned tensor, bool isOutput);

  const KernelParts &parts;
  KernelWriter &w;
  Value length, rowLength, partsOfRow, trips, outer;
  Value batch, row;
};

} // namespace

static bool isReduction(const TileStep &step) {
  return intrinsicInfo(step.intrinsic).form == IntrinsicForm::Reduce;
}

bool LongRowsKernel::reducesIn(const TileStep &step, unsigned pass) const {
  return isReduction(step) && parts.levels[step.result] == pass + 1;
}

std::vector<bool> LongRowsKernel::neededIn(unsigned pass) const {
  const TileProgram &program = parts.program;
  std::vector<bool> needed(program.values.size());
  if (pass + 1 == parts.passes)
    for (auto [value, tensor] : program.stores)
      if (parts.spreadOf(value) == Spread::Full)
        needed[value] = true;
  for (const TileStep &step : llvm::reverse(program.steps)) {
    if (!reducesIn(step, pass) && !(needed[step.result] && !isReduction(step)))
      continue;
    for (TileId source : step.sources)
      if (parts.spreadOf(source) == Spread::Full || parts.spreadOf(source) == Spread::Row)
        needed[source] = true;
  }
  return needed;
}

Value LongRowsKernel::startOf(unsigned tensor, bool isOutput) {
  if (!batch)
    return w.constant(0);
  return w.mul(batch, w.field(parts.nameOf(tensor) + "_s1"));
}

void LongRowsKernel::writePart(unsigned pass, Value part) {
  const TileProgram &program = parts.program;
  std::vector<bool> needed = neededIn(pass);
  Value outerTrip = outer ? w.floorDiv(part, partsOfRow) : Value();
  Value within = outer ? w.rem(part, partsOfRow) : part;
  Value firstColumn = w.mul(within, rowLength);
  Value columns = w.max(w.min(w.sub(length, firstColumn), rowLength), w.constant(1));
  bool last = pass + 1 == parts.passes;
  w.makeBuffers(
      [&](const Home &home, unsigned number) {
        if (!home.byDma || (home.spread != Spread::Full && home.spread != Spread::Row))
          return false;
        for (TileId value = 0; value < program.values.size(); ++value)
          if (parts.homes.of[value] == number && (parts.isInput(value) ? needed[value] : last))
            return true;
        return false;
      },
      "_" + std::to_string(pass));
  for (TileId value = 0; value < program.values.size(); ++value) {
    if (!parts.isInput(value) || !needed[value])
      continue;
    unsigned tensor = *program.values[value].tensor;
    Value offset = firstColumn;
    if (parts.spreadOf(value) == Spread::Full) {
      offset = w.add(w.add(startOf(tensor, false), w.mul(row, length)), firstColumn);
      if (outerTrip)
        offset = w.add(offset, w.mul(outerTrip, w.field(parts.nameOf(tensor) + "_r0")));
    }
    w.loadFlat(value, offset, columns);
  }
  for (const TileStep &step : program.steps) {
    if (reducesIn(step, pass))
      w.writeFold(step, columns);
    else if (needed[step.result] && !isReduction(step))
      w.writeSingleRow(step, columns);
  }
  if (!last)
    return;
  for (auto [value, tensor] : program.stores)
    if (parts.spreadOf(value) == Spread::Full)
      w.storeFlat(value, tensor, w.add(w.add(startOf(tensor, true), w.mul(row, length)), firstColumn), columns);
}

void LongRowsKernel::writePass(unsigned pass) {
  const TileProgram &program = parts.program;
  std::vector<bool> needed = neededIn(pass);
  bool works = llvm::is_contained(needed, true);
  for (const TileStep &step : program.steps) {
    works |= reducesIn(step, pass);
    if (reducesIn(step, pass))
      w.writeIdentity(step, w.constant(w.columnStride()));
  }
  w.readRowScalars([&](const TileStep &step) { return needed[step.result] && !isReduction(step); });
  if (works)
    w.loop(trips, [&](Value part) { writePart(pass, part); });
  TileExtent extent;
  extent.rows = w.constant(1);
  extent.column = w.constant(w.columnStride());
  w.writeSteps(extent, [&](const TileStep &step) {
    return parts.spreadOf(step.result) == Spread::Column && !isReduction(step) && parts.levels[step.result] == pass + 1;
  });
}

void LongRowsKernel::writeRow(Value index) {
  const TileProgram &program = parts.program;
  row = index;
  w.startTile();
  Value one = w.constant(1), columnStride = w.constant(w.columnStride());
  w.makeBuffers([](const Home &home, unsigned) { return home.byDma && home.spread == Spread::Column; });
  for (TileId value = 0; value < program.values.size(); ++value)
    if (parts.isInput(value) && parts.spreadOf(value) == Spread::Column)
      w.loadRows(value, w.add(startOf(*program.values[value].tensor, false), row), one, one, one, columnStride);
  TileExtent extent;
  extent.rows = one;
  extent.column = columnStride;
  w.writeSteps(extent, [&](const TileStep &step) {
    return parts.spreadOf(step.result) == Spread::Column && !isReduction(step) && parts.levels[step.result] == 0;
  });
  for (unsigned pass = 0; pass < parts.passes; ++pass)
    writePass(pass);
  for (auto [value, tensor] : program.stores)
    if (parts.spreadOf(value) == Spread::Column)
      w.storeRows(value, tensor, w.add(startOf(tensor, true), row), one, one, one, columnStride);
}

void LongRowsKernel::write() {
  const TileProgram &program = parts.program;
  bool reduces = parts.shape.form == KernelForm::ReduceRows;
  Value count = w.field(reduces ? "size1" : "size0");
  length = w.field(reduces ? "size2" : "size1");
  rowLength = w.field("row_length", 1, parts.schedule.getTile());
  Value blockRows = w.field("block_rows", 1);
  partsOfRow = w.ceilDiv(length, rowLength);
  trips = partsOfRow;
  if (reduces) {
    outer = w.field("size0");
    trips = w.mul(outer, partsOfRow);
    partsOfRow = w.max(partsOfRow, w.constant(1));
  }
  Value firstRow = w.mul(w.blockIndex(), blockRows);
  Value rows = w.max(w.min(w.sub(count, firstRow), blockRows), w.constant(0));

  w.makeBuffers([](const Home &home, unsigned) { return !home.byDma || home.spread == Spread::One; });
  w.makeOffsets();
  for (TileId value = 0; value < program.values.size(); ++value)
    if (parts.isInput(value) && parts.spreadOf(value) == Spread::One)
      w.loadFlat(value, w.constant(0), w.constant(1));
  w.writeSteps({}, [&](const TileStep &step) { return parts.spreadOf(step.result) == Spread::One; });
  w.readOnes();
  if (!reduces) {
    w.loop(rows, [&](Value index) { writeRow(w.add(firstRow, index)); });
    return;
  }
  // Batches and rows share one loop, since neither loop has work of its own.
  Value trips1 = w.field("batch1");
  w.loop(w.mul(trips1, rows), [&](Value index) {
    Value divisor = w.max(rows, w.constant(1));
    batch = w.floorDiv(index, divisor);
    writeRow(w.add(firstRow, w.rem(index, divisor)));
  });
}

void writeLongRowsKernel(const KernelParts &parts) {
  LongRowsKernel(parts).write();
}

} // namespace opc::aicore

// One row at a time, in passes over its parts. Each pass recomputes what it needs from the loaded parts, so UB holds
// only one part of a row, whatever the length of the row:
//
//   for each row:
//     for each part:   load; steps; reduce; fold into the row's element      pass 0: maximum
//     steps on the row's element
//     for each part:   load; steps with that element; reduce; fold           pass 1: sum
//     ...
//     for each part:   load; steps; store                                    last pass
//
// The rows of SplitRows consist of R0 pieces, each of which has parts. A value with one element for each piece is
// loaded or computed for every part.

#include "lowering/aicore/place/writer/KernelForms.h"

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
  Value startOf(unsigned tensor) { return parts.startOf(tensor, {{"_s0", batch0}, {"_s1", batch1}}); }
  Value rowOf(unsigned tensor, Spread spread);
  void findPieces();
  void loadElement(TileId value, Value offset);

  const KernelParts &parts;
  KernelWriter &w;
  Value length, rowLength, partsOfRow, trips, outer;
  Value batch0, batch1, row;
  std::vector<bool> ofPiece; ///< Column values with an element for each piece of a row
};

} // namespace

bool LongRowsKernel::reducesIn(const TileStep &step, unsigned pass) const {
  return step.reducesRows() && parts.levels[step.result] == pass + 1;
}

std::vector<bool> LongRowsKernel::neededIn(unsigned pass) const {
  const TileProgram &program = parts.program;
  std::vector<bool> needed(program.values.size());
  if (pass + 1 == parts.passes)
    for (auto [value, tensor] : program.stores)
      if (parts.spreadOf(value) == Spread::Full)
        needed[value] = true;
  for (const TileStep &step : llvm::reverse(program.steps)) {
    if (!reducesIn(step, pass) && !(needed[step.result] && !step.reducesRows()))
      continue;
    for (TileId source : step.sources)
      if (parts.spreadOf(source) == Spread::Full || parts.spreadOf(source) == Spread::Row || ofPiece[source])
        needed[source] = true;
    if (step.rowScalar && ofPiece[*step.rowScalar])
      needed[*step.rowScalar] = true;
  }
  return needed;
}

void LongRowsKernel::findPieces() {
  const TileProgram &program = parts.program;
  ofPiece.resize(program.values.size());
  for (TileId value = 0; value < program.values.size(); ++value)
    ofPiece[value] = parts.isInput(value) && parts.shape.tensors[*program.values[value].tensor].ofPieces;
  for (const TileStep &step : program.steps) {
    bool differs = step.rowScalar && ofPiece[*step.rowScalar];
    for (TileId source : step.sources)
      differs |= ofPiece[source];
    if (differs && parts.spreadOf(step.result) == Spread::Column && !step.reducesRows())
      ofPiece[step.result] = true;
  }
}

/// The offset of the row, from the start of its batch.
Value LongRowsKernel::rowOf(unsigned tensor, Spread spread) {
  Value start = startOf(tensor);
  if (parts.shape.form == KernelForm::SplitRows)
    return w.add(start, w.mul(row, w.field(parts.nameOf(tensor) + "_m")));
  return w.add(start, spread == Spread::Full ? w.mul(row, length) : row);
}

void LongRowsKernel::loadElement(TileId value, Value offset) {
  Value one = w.constant(1);
  w.loadRows(value, offset, one, one, one, w.constant(w.columnStride()));
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
        if (!home.byDma || home.spread == Spread::One)
          return false;
        for (TileId value = 0; value < program.values.size(); ++value)
          if (parts.homes.of[value] == number && (home.spread != Spread::Column || ofPiece[value]) && needed[value])
            return true;
        return false;
      },
      "_" + std::to_string(pass));
  SmallVector<Value, 2> outerTrips;
  if (outerTrip)
    outerTrips = parts.tripsOfRuns(outerTrip);
  auto pieceOf = [&](unsigned tensor, Spread spread) {
    return parts.addOuter(rowOf(tensor, spread), tensor, outerTrips);
  };
  for (TileId value = 0; value < program.values.size(); ++value) {
    if (ofPiece[value])
      w.startPiece(value);
    if (!parts.isInput(value) || !needed[value])
      continue;
    unsigned tensor = *program.values[value].tensor;
    if (ofPiece[value])
      loadElement(value, pieceOf(tensor, Spread::Column));
    else if (parts.spreadOf(value) == Spread::Full)
      w.loadFlat(value, w.add(pieceOf(tensor, Spread::Full), firstColumn), columns);
    else
      w.loadFlat(value, parts.shape.isBatched ? w.add(startOf(tensor), firstColumn) : firstColumn, columns);
  }
  TileExtent element;
  element.rows = w.constant(1);
  element.column = w.constant(w.columnStride());
  TileExtent ofPart;
  ofPart.cols = columns;
  ofPart.firstColumn = firstColumn;
  for (const TileStep &step : program.steps) {
    if (step.rowScalar && ofPiece[*step.rowScalar] && !ofPiece[step.result] &&
        (reducesIn(step, pass) || needed[step.result]))
      w.readRowScalars([&](const TileStep &other) { return &other == &step; });
    if (reducesIn(step, pass))
      w.writeFold(step, columns, firstColumn);
    else if (needed[step.result] && ofPiece[step.result])
      w.writeStep(step, element);
    else if (needed[step.result] && step.countsAlong == 1u)
      w.writeCount(step, ofPart);
    else if (needed[step.result] && !step.reducesRows())
      w.writeSingleRow(step, columns);
  }
  if (!last)
    return;
  for (auto [value, tensor] : program.stores)
    if (parts.spreadOf(value) == Spread::Full)
      w.storeFlat(value, tensor, w.add(pieceOf(tensor, Spread::Full), firstColumn), columns);
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
  w.readRowScalars([&](const TileStep &step) {
    return needed[step.result] && !step.reducesRows() && !(step.rowScalar && ofPiece[*step.rowScalar]);
  });
  if (works)
    w.loop(trips, [&](Value part) { writePart(pass, part); });
  TileExtent extent;
  extent.rows = w.constant(1);
  extent.column = w.constant(w.columnStride());
  w.writeSteps(extent, [&](const TileStep &step) {
    return parts.spreadOf(step.result) == Spread::Column && !step.reducesRows() && !ofPiece[step.result] &&
           parts.levels[step.result] == pass + 1;
  });
}

void LongRowsKernel::writeRow(Value index) {
  const TileProgram &program = parts.program;
  row = index;
  w.startTile();
  Value one = w.constant(1), columnStride = w.constant(w.columnStride());
  w.makeBuffers([&](const Home &home, unsigned number) {
    for (TileId value = 0; value < program.values.size(); ++value)
      if (parts.homes.of[value] == number && ofPiece[value])
        return false;
    return home.byDma && home.spread == Spread::Column;
  });
  for (TileId value = 0; value < program.values.size(); ++value)
    if (parts.isInput(value) && parts.spreadOf(value) == Spread::Column && !ofPiece[value])
      loadElement(value, rowOf(*program.values[value].tensor, Spread::Column));
  TileExtent extent;
  extent.rows = one;
  extent.column = columnStride;
  extent.firstRow = row;
  w.writeSteps(extent, [&](const TileStep &step) {
    return parts.spreadOf(step.result) == Spread::Column && !step.reducesRows() && !ofPiece[step.result] &&
           parts.levels[step.result] == 0;
  });
  for (unsigned pass = 0; pass < parts.passes; ++pass)
    writePass(pass);
  for (auto [value, tensor] : program.stores)
    if (parts.spreadOf(value) == Spread::Column)
      w.storeRows(value, tensor, rowOf(tensor, Spread::Column), one, one, one, columnStride);
}

void LongRowsKernel::write() {
  findPieces();
  bool reduces = parts.shape.form != KernelForm::Rows;
  Value count = w.loopField(reduces ? "size1" : "size0");
  length = w.loopField(reduces ? "size2" : "size1");
  rowLength = w.loopField("row_length", 1, parts.schedule.getTile());
  Value blockRows = w.loopField("block_rows", 1);
  partsOfRow = w.ceilDiv(length, rowLength);
  trips = partsOfRow;
  if (reduces) {
    outer = w.loopField("size0");
    trips = w.mul(outer, partsOfRow);
    partsOfRow = w.max(partsOfRow, w.constant(1));
  }
  Value firstRow = w.mul(w.blockIndex(), blockRows);
  Value rows = w.max(w.min(w.sub(count, firstRow), blockRows), w.constant(0));

  w.makeBuffers([](const Home &home, unsigned) { return !home.byDma || home.spread == Spread::One; });
  w.makeOffsets();
  w.makeLaneOffsets(/*ofRows=*/false);
  if (!parts.onesMove())
    parts.writeOnes({});
  if (!reduces && !parts.shape.isBatched) {
    w.loop(rows, [&](Value index) { writeRow(w.add(firstRow, index)); });
    return;
  }
  // Batches and rows share one loop, since neither loop has work of its own.
  Value trips1 = w.loopField("batch1");
  Value batches = parts.shape.isBatched ? w.mul(w.loopField("batch0", 0), trips1) : trips1;
  w.loop(w.mul(batches, rows), [&](Value index) {
    Value divisor = w.max(rows, w.constant(1));
    batch1 = w.floorDiv(index, divisor);
    if (parts.shape.isBatched) {
      Value inner = w.max(trips1, w.constant(1));
      batch0 = w.floorDiv(batch1, inner);
      batch1 = w.rem(batch1, inner);
    }
    if (parts.onesMove())
      parts.writeOnes({{"_s0", batch0}, {"_s1", batch1}});
    writeRow(w.add(firstRow, w.rem(index, divisor)));
  });
}

void writeLongRowsKernel(const KernelParts &parts) {
  LongRowsKernel(parts).write();
}

} // namespace opc::aicore

// Sorted lines of an input (te.sort), and elementwise operations on their first elements and on the indices of these.
//
//   for g over the loops around a line:
//     for piece of the results:
//       find the results of the piece (LineSorts), which passes over the line
//       load the other inputs; steps; store
//
// A tile is a piece of results: a row, if lines are along n. Along m each result is a row of one element.

#include "lowering/aicore/place/LineSorts.h"
#include "lowering/aicore/place/writer/KernelForms.h"

using namespace mlir;

namespace opc::aicore {

namespace {

class SortedKernel {
public:
  explicit SortedKernel(const KernelParts &parts)
      : parts(parts), w(parts.writer), lines(parts), zero(w.constant(0)), one(w.constant(1)) {}
  void write();

private:
  Value field(unsigned tensor, const char *suffix, std::optional<int64_t> min = 0) {
    return w.field(parts.nameOf(tensor) + suffix, min);
  }
  Value startOf(unsigned tensor) { return parts.startOf(tensor, {{"_s0", batch0}, {"_s1", batch1}}); }
  /// Whether a home has the byte offsets of rows, which are the same in each tile.
  bool isOfOffsets(unsigned home) const {
    return llvm::any_of(parts.homes.offsetsOf, [&](auto &each) { return each.second == home; });
  }
  void load(TileId value);
  void writeTile();

  const KernelParts &parts;
  KernelWriter &w;
  LineSorts lines;
  Value zero, one;
  Value batch0, batch1;        ///< counters of the batch loops
  Value firstRow, firstColumn; ///< of the tile
  TileExtent extent;
};

} // namespace

void SortedKernel::load(TileId value) {
  const unsigned tensor = *parts.program.values[value].tensor;
  const Spread spread = parts.spreadOf(value);
  // One element has no strides.
  if (spread == Spread::One)
    return w.loadFlat(value, zero, one);
  Value offset = startOf(tensor), distance = w.max(field(tensor, "_m"), one);
  if (spread == Spread::Row)
    return w.loadRows(value, w.add(offset, firstColumn), one, extent.cols, extent.cols, extent.ld);
  offset = w.add(offset, w.mul(firstRow, distance));
  if (spread == Spread::Column)
    return w.loadRows(value, offset, extent.rows, one, distance, w.constant(w.columnStride()));
  w.loadRows(value, w.add(offset, firstColumn), extent.rows, extent.cols, distance, extent.ld);
}

void SortedKernel::writeTile() {
  const TileProgram &program = parts.program;
  w.makeBuffers([&](const Home &, unsigned number) { return !isOfOffsets(number); });
  w.startTile();
  for (TileId value = 0; value < program.values.size(); ++value)
    if (parts.isInput(value))
      load(value);
  w.writeSteps({}, [&](const TileStep &step) { return parts.spreadOf(step.result) == Spread::One; });
  w.readOnes();
  w.writeSteps(extent, [&](const TileStep &step) { return parts.spreadOf(step.result) != Spread::One; });
  for (auto [value, tensor] : program.stores) {
    Value distance = w.max(field(tensor, "_m"), one);
    Value offset = w.add(w.add(startOf(tensor), w.mul(firstRow, distance)), firstColumn);
    w.storeRows(value, tensor, offset, extent.rows, extent.cols, distance, extent.ld);
  }
}

void SortedKernel::write() {
  const bool alongRow = lines.isAlongRow();
  Value size0 = w.loopField("size0", 0), size1 = w.loopField("size1", 0);
  Value trips0 = w.loopField("batch0", 0), trips1 = w.loopField("batch1", 0), ofBlock = w.loopField("block_groups", 1);
  Value results = alongRow ? size1 : size0, around = alongRow ? size0 : size1;
  Value piece = w.max(w.min(results, w.constant(lines.mostOfPiece())), one);
  Value step = alongRow ? one : w.max(field(lines.tensor(), "_step"), one);
  Value all = w.mul(w.mul(trips0, trips1), around), first = w.mul(w.blockIndex(), ofBlock);
  w.makeBuffers([&](const Home &, unsigned number) { return isOfOffsets(number); });
  w.makeOffsets();
  lines.start(w.max(field(lines.tensor(), "_count"), zero), piece);
  w.sortLines = [&](const TileStep &each, const TileExtent &of) { lines.write(each, of); };
  w.loop(w.max(w.min(w.sub(all, first), ofBlock), zero), [&](Value trip) {
    Value group = w.add(first, trip), ofAround = w.max(around, one), ofBatch = w.max(trips1, one);
    Value inner = w.rem(group, ofAround), batch = w.floorDiv(group, ofAround);
    batch0 = w.floorDiv(batch, ofBatch);
    batch1 = w.rem(batch, ofBatch);
    Value offset = w.add(startOf(lines.tensor()), w.mul(inner, field(lines.tensor(), alongRow ? "_m" : "_n")));
    lines.startLine();
    w.loop(w.ceilDiv(results, piece), [&](Value number) {
      Value done = w.mul(number, piece), count = w.max(w.min(w.sub(results, done), piece), one);
      Value isFollowed = w.min(w.max(w.sub(w.sub(results, done), count), zero), one);
      lines.findPiece(offset, step, isFollowed);
      firstRow = alongRow ? inner : done;
      firstColumn = alongRow ? done : inner;
      extent = {};
      extent.rows = alongRow ? one : count;
      extent.cols = alongRow ? count : one;
      extent.ld = alongRow ? w.roundUpToRow(count) : w.constant(w.columnStride());
      extent.full = w.mul(extent.rows, extent.ld);
      extent.column = w.mul(extent.rows, w.constant(w.columnStride()));
      writeTile();
      lines.endPiece(count, isFollowed);
    });
  });
}

void writeSortedKernel(const KernelParts &parts) {
  SortedKernel(parts).write();
}

} // namespace opc::aicore

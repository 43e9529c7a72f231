// Kernels of products whose steps reduce rows of results: UB has all columns of a row of tiles.
//
//   for row of tiles over batches:
//     for tile of it:        for step over k; fixpipe to its columns in UB
//     load; steps; store

#include "lowering/aicore/place/contraction/ContractionKernel.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace opc::aicore {

/// What rows of tiles have in common, and the results of one.
struct ContractionKernel::RowsInUb {
  Value sums;         ///< of long rows, which leave no room for a second slot
  Value results;      ///< in L0C, if it holds one row of tiles
  Value steps;        ///< of k
  Value matrix, left; ///< in L1, if the right matrix stays there: all of it, and the left operand's rows
};

/// Writes rows of tiles, `tiles` of them from `first` on: UB has the results of all tiles of a row before the vector
/// unit works on them.
void ContractionKernel::writeRowsOfTiles(Value first, Value tiles, Value result) {
  const int64_t longest = tile.part, elements = rows * longest;
  const bool hasMatrix = parts.shape.hasResidentRight;
  RowsInUb inUb;
  inUb.steps = hasMatrix ? w.field("steps", 1, right.steps) : w.field("steps", 1);
  across = w.field("tiles_across", 1, std::max<int64_t>(longest / tile.width, 1));
  ofPiece = productValue();
  if (isLongRow(parts.schedule)) {
    inUb.sums = w.makeBuffer(*ofPiece, resultsOfLongRows(parts.schedule));
    // The proof does not know where the rows of a piece are, and takes them to be anywhere in the buffer: in the row
    // after the last one, too, which nothing else writes.
    VBrcOp::create(w.ops(), w.getLocation(), w.constantOf(parts.program.values[*ofPiece].type, 0.0),
                   w.part(inUb.sums, w.constant(elements), w.constant(longest)));
  }
  if (hasRowInL0c() && 2 * bytesOfResult(longest) > parts.target.memoryBytes(Memory::L0C))
    inUb.results = makeResult(longest);
  if (hasMatrix)
    return writeRunsOfRows(inUb, first, tiles, result);
  w.loop(tiles, [&](Value number) {
    startRows(w.add(first, number));
    writeRowOfTiles(inUb, result);
  });
}

/// Writes runs of rows of tiles of a batch, which share its right matrix, `tiles` runs from `first` on.
void ContractionKernel::writeRunsOfRows(const RowsInUb &common, Value first, Value tiles, Value result) {
  Value ofRun = w.field("run_tiles", 1), zero = w.constant(0), one = w.constant(1);
  Value lastRow = w.max(w.sub(w.ceilDiv(sizeM, w.constant(rows)), one), zero);
  RowsInUb inUb = common;
  // It has no second slot, so larger ones fit: the loads of the next one wait only for the last products.
  inUb.matrix = bufferOf(product.right, "_matrix", right.across * right.steps * right.depth * width);
  w.loop(tiles, [&](Value number) {
    number = w.add(first, number);
    Value before = w.mul(w.rem(number, down), ofRun);
    startBatch(w.floorDiv(number, down));
    loadMatrix(inUb.matrix, inUb.steps);
    // All runs have the same number of rows of tiles, so that slots alternate: the last run may repeat the last one.
    w.loop(ofRun, [&](Value below) {
      m = extentOf(w.min(w.add(before, below), lastRow), sizeM, rows, kFractalRows);
      inUb.left = bufferOf(product.left, "_l1", rows * right.mostOfK());
      loadLeftRows(inUb.left, inUb.steps);
      writeRowOfTiles(inUb, result);
    });
  });
}

/// Writes a row of tiles, with the rows `m`.
void ContractionKernel::writeRowOfTiles(const RowsInUb &inUb, Value result) {
  const int64_t longest = tile.part, elements = rows * longest;
  const bool isWider = w.columnStride() > kFractalRows;
  Value zero = w.constant(0), steps = inUb.steps;
  Extent row;
  row.first = zero;
  row.size = w.max(w.min(sizeN, w.constant(longest)), w.constant(1));
  row.whole = whole(row.size);
  n = row;
  loadRowsOfTile();
  Value sums = inUb.sums ? inUb.sums : w.makeBuffer(*ofPiece, elements);
  if (isWider)
    VBrcOp::create(w.ops(), w.getLocation(), w.constantOf(parts.program.values[*ofPiece].type, 0.0), sums);
  Value stride = w.roundUpToRow(isWider ? row.whole : row.size);
  auto multiplyTile = [&](Value place, Value ofTile) {
    n = extentOf(place, sizeN, tile.width, ofColumns);
    if (hasDeepParts())
      return multiplyParts(steps, ofTile);
    if (!inUb.matrix)
      return w.loop(steps, [&](Value step) { multiplyStep(stepOf(step), isEqual(step, zero), ofTile); });
    Value ofPart = w.constant(right.depth / depth);
    w.loop(steps, [&](Value number) {
      w.loop(ofPart, [&](Value step) {
        Value ofAll = w.add(w.mul(number, ofPart), step);
        multiplyInL1(partOf(inUb.left, ofAll, depth * rows),
                     partOf(inUb.matrix, stepOfMatrix(place, number, step), depth * width), ofAll, ofTile);
      });
    });
  };
  auto copyTile = [&](Value place, Value ofTile) {
    n = extentOf(place, sizeN, tile.width, ofColumns);
    Value columns = isWider ? n.whole : w.roundUpToRow(n.size);
    // Rows are at least as far apart as they are long here, which bounds of values do not show.
    FixpipeOp::create(w.ops(), w.getLocation(), ofTile, w.part(sums, n.first, w.constant(elements)), m.size, columns,
                      /*height=*/Value(), w.max(stride, columns), /*scale=*/Value());
  };
  if (!hasRowInL0c()) {
    forEachTile([&](Value place) {
      Value ofTile = result ? result : makeResult(width);
      multiplyTile(place, ofTile);
      copyTile(place, ofTile);
    });
  } else {
    // The cube multiplies all of a row while the vector unit still works on the one before.
    Value ofRow = inUb.results ? inUb.results : makeResult(longest);
    auto ofTile = [&](Value place) { return partOf(ofRow, place, rows * width); };
    w.loop(across, [&](Value place) { multiplyTile(place, ofTile(place)); });
    w.loop(across, [&](Value place) { copyTile(place, ofTile(place)); });
  }
  n = row;
  if (parts.hasOnes())
    writeOnes();
  inUb.sums ? writePieces(sums, stride) : writePart(Value(), {m, n, Value()});
}

/// Loads and multiplies all of k of a tile, in parts of several steps. All parts have the same number of steps, so that
/// slots of L0 alternate.
void ContractionKernel::multiplyParts(Value partsOfK, Value sums) {
  const int64_t most = tile.partDepth(), ofPart = most / depth;
  w.loop(partsOfK, [&](Value number) {
    Value first = w.mul(number, w.constant(ofPart));
    Value rightPart = bufferOf(product.right, "_l1", most * width),
          leftPart = bufferOf(product.left, "_l1", most * rows);
    loadRightPart(rightPart, /*at=*/Value(), number, ofPart);
    if (product.isLeftAlongK)
      loadPart(product.left, m, partOf(number, most), {rows, most}, true, leftPart, w.constant(rows));
    else
      w.loop(w.constant(ofPart), [&](Value step) {
        loadPart(product.left, stepOf(w.add(first, step)), m, {depth, rows}, false,
                 partOf(leftPart, step, depth * rows), w.constant(depth));
      });
    w.loop(w.constant(ofPart), [&](Value step) {
      multiplyInL1(partOf(leftPart, step, depth * rows), partOf(rightPart, step, depth * width), w.add(first, step),
                   sums);
    });
  });
}

/// The number of a step of k of the right matrix in L1, for the columns of a tile.
Value ContractionKernel::stepOfMatrix(Value place, Value number, Value step) {
  Value part = w.add(w.mul(place, w.constant(right.steps)), number);
  return w.add(w.mul(part, w.constant(right.depth / depth)), step);
}

/// Copies the right matrix of a batch. Of one along k a tile's columns are one copy.
void ContractionKernel::loadMatrix(Value matrix, Value steps) {
  forEachTile([&](Value place) {
    n = extentOf(place, sizeN, tile.width, ofColumns);
    if (product.isRightAlongK && !computedOf(product.right))
      return loadPart(product.right, n, partOf(w.constant(0), right.mostOfK()), {width, right.mostOfK()}, true,
                      partOf(matrix, place, right.mostOfK() * width), w.constant(width));
    const int64_t ofPart = right.depth / depth;
    w.loop(steps,
           [&](Value number) { loadRightPart(matrix, stepOfMatrix(place, number, w.constant(0)), number, ofPart); });
  });
}

/// Copies the rows `m` of the left operand, with all of k.
void ContractionKernel::loadLeftRows(Value left, Value steps) {
  if (!product.isLeftAlongK || computedOf(product.left))
    return loadPanel(left, steps);
  loadPart(product.left, m, partOf(w.constant(0), right.mostOfK()), {rows, right.mostOfK()}, true, left,
           w.constant(rows));
}

/// Calls `body` for each tile of a row of tiles in L0C: without a loop if there is one.
void ContractionKernel::forEachTile(llvm::function_ref<void(Value)> body) {
  if (tile.part > tile.width)
    return w.loop(across, body);
  body(w.constant(0));
}

/// The vector unit works on some rows of a tile at a time. Each tile has the same number of pieces, so that slots
/// alternate; those after the last row do nothing.
void ContractionKernel::writePieces(Value sums, Value stride) {
  const int64_t piece = w.rowsOfTile();
  const Extent tileRows = m;
  w.loop(w.constant(rows / piece), [&](Value number) {
    Value from = w.mul(number, w.constant(piece));
    // One after the last row begins within the tensors, too.
    m.first = w.add(tileRows.first, w.min(from, w.sub(tileRows.size, w.constant(1))));
    m.size = w.max(w.min(w.sub(tileRows.size, from), w.constant(piece)), w.constant(0));
    w.narrow(*ofPiece, sums, w.mul(from, stride), piece * tile.part);
    writePart(Value(), {m, n, Value()});
  });
  m = tileRows;
}

} // namespace opc::aicore

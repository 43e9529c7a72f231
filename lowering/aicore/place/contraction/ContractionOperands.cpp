// Loads parts of operands to L1: as they lie in memory, packed, in bands, all of k of some rows.

#include "lowering/aicore/place/contraction/ContractionKernel.h"

using namespace mlir;

namespace opc::aicore {

/// The offset of the current matrix of an operand in columns of fractals. Strides count elements without the padding of
/// matrices, and are multiples of a whole matrix. The filters of a group are rows of one matrix.
Value ContractionKernel::startOfPacked(unsigned tensor, Value ofRow, bool isAlongK) {
  Value start = startOf(tensor);
  if (isFilters(tensor))
    return w.mul(w.floorDiv(start, w.max(sizeK, w.constant(1))), ofRow);
  if (!parts.shape.tensors[tensor].isPackedBatch)
    return start;
  Value lines = isAlongK ? sizeN : sizeK, columns = isAlongK ? sizeK : sizeN;
  Value number = w.floorDiv(start, w.max(w.mul(lines, columns), w.constant(1)));
  return w.mul(number, w.mul(whole(lines), w.mul(w.ceilDiv(columns, ofRow), ofRow)));
}

/// The rows of the matrix of all filters: those of a group, for each number of a batch loop along which they differ.
Value ContractionKernel::rowsOfFilters() {
  Value zero = w.constant(0), one = w.constant(1), inner = trips.front();
  Value outer = w.floorDiv(w.field("tiles", 0), w.max(w.mul(w.mul(across, down), inner), one));
  auto number = [&](const char *stride, Value count) {
    return select(isEqual(field(product.left, stride), zero), one, w.max(count, one));
  };
  return w.mul(sizeM, w.mul(number("_s0", outer), number("_s1", inner)));
}

/// Fills the last two columns of fractals of a part along k, which belong together, if k ends in the first of them or
/// is 0. The copy then writes the first.
void ContractionKernel::fillLastTwo(Value part, const Extent &lines, const Extent &columns, Value height,
                                    ElementType type) {
  Value two = w.constant(ofFractal / perRow), wide = w.floorDiv(columns.whole, w.constant(perRow));
  FillOp::create(w.ops(), w.getLocation(), w.constantOf(type, 0.0), part, w.mul(w.sub(wide, two), height), two,
                 select(endsInHalf(columns), lines.whole, w.constant(0)), height);
}

/// Copies a part of an operand in columns of fractals, which memory has padded with zeros. If k is 0, the copy omits
/// the only columns.
void ContractionKernel::loadPacked(unsigned tensor, const Extent &lines, const Extent &columns, bool isAlongK,
                                   Value part, Value height) {
  const ElementType type = parts.shape.tensors[tensor].type;
  Value zero = w.constant(0), ofRow = w.constant(kFractalRowBytes / elementSize(type));
  Value pitch = w.mul(whole(isFilters(tensor) ? rowsOfFilters() : isAlongK ? sizeN : sizeK), ofRow);
  Value ofPart = w.floorDiv(columns.whole, ofRow);
  Value isEmpty = isEqual(isAlongK ? columns.size : lines.size, zero);
  auto fill = [&](Value at, Value columnsOfFractals, Value blocks) {
    FillOp::create(w.ops(), w.getLocation(), w.constantOf(type, 0.0), part, at, columnsOfFractals, blocks, height);
  };
  Value present = lines.whole;
  if (isAlongK && ofFractal > perRow) {
    // Memory has no second column of the last two that belong together, if k ends in the first.
    fillLastTwo(part, lines, columns, height, type);
    ofPart = w.ceilDiv(columns.size, ofRow);
  } else {
    fill(zero, ofPart, select(isEmpty, lines.whole, zero));
  }
  if (!isAlongK && ofFractal != kFractalRows) {
    // Memory has whole fractals of rows, and a step of bytes may end with half a square.
    Value fractal = w.constant(kFractalRows);
    present = whole(lines.size);
    fill(w.sub(lines.whole, fractal), ofPart, select(isEqual(present, lines.whole), zero, fractal));
  }
  if (isFilters(tensor)) {
    // The rows after those of a group are of the next one.
    Value fractal = w.constant(kFractalRows);
    present = lines.size;
    fill(w.sub(lines.whole, fractal), w.floorDiv(columns.whole, ofRow),
         select(isEqual(present, lines.whole), zero, fractal));
  }
  Value first = w.add(w.mul(w.floorDiv(columns.first, ofRow), pitch), w.mul(lines.first, ofRow));
  Value length = w.mul(present, ofRow);
  Value source = w.rowsOfTensor(tensor, w.add(startOfPacked(tensor, ofRow, isAlongK), select(isEmpty, zero, first)),
                                select(isEmpty, zero, ofPart), length, pitch);
  LoadNzOp::create(w.ops(), w.getLocation(), source, part, height, /*packed=*/true);
}

/// Copies a part of an operand whose fractals are transposed two by two: `lines` of k in bands of 16, each a copy to
/// columns of fractals. A band has room for `most` columns.
void ContractionKernel::loadBands(unsigned tensor, const Extent &lines, const Extent &columns, Value part,
                                  int64_t most) {
  const ElementType type = parts.shape.tensors[tensor].type;
  const bool isPacked = parts.shape.tensors[tensor].isPacked;
  Value zero = w.constant(0), band = w.constant(kFractalRows), ofRow = w.constant(perRow);
  Value wide = w.floorDiv(columns.whole, ofRow);
  auto fill = [&](Value at, Value rows, Value blocks, Value stride) {
    FillOp::create(w.ops(), w.getLocation(), w.constantOf(type, 0.0), part, at, rows, blocks, stride);
  };
  // The rows of the last band, which a packed operand has; if k is 0, all of it.
  fill(w.mul(w.sub(lines.whole, band), w.constant(most / perRow)), wide,
       select(isEqual(lines.size, isPacked ? zero : lines.whole), isPacked ? band : zero, isPacked ? zero : band),
       band);
  // The last column of each band, if the one before it has the end of a line.
  fill(w.mul(w.sub(wide, w.constant(1)), band), w.floorDiv(lines.whole, band), select(endsInHalf(columns), band, zero),
       w.constant(most / perRow * kFractalRows));
  Value distance = isPacked ? w.mul(whole(sizeK), ofRow) : field(tensor, "_m", 0);
  Value start = isPacked ? startOfPacked(tensor, ofRow, /*isAlongK=*/false) : startOf(tensor);
  w.loop(w.constant(depth / kFractalRows), [&](Value number) {
    Value from = w.mul(number, band), line = w.add(lines.first, from);
    Value size = w.max(w.min(w.sub(lines.size, from), band), zero), isEmpty = isEqual(size, zero);
    auto copy = [&](Value first, Value count, Value length) {
      Value source = w.rowsOfTensor(tensor, w.add(start, select(isEmpty, zero, first)), count, length, distance);
      LoadNzOp::create(w.ops(), w.getLocation(), source, partOf(part, number, most * kFractalRows), band, isPacked);
    };
    if (isPacked)
      copy(w.add(w.mul(w.floorDiv(columns.first, ofRow), distance), w.mul(line, ofRow)),
           select(isEmpty, zero, w.ceilDiv(columns.size, ofRow)), w.mul(band, ofRow));
    else
      copy(w.add(w.mul(line, distance), columns.first), size, columns.size);
  });
}

/// Copies a part of an operand to L1 in its memory layout: `lines` of `columns`. Both are padded with zeros to whole
/// fractals. Columns of fractals are `height` rows apart.
void ContractionKernel::loadPart(unsigned tensor, const Extent &lines, const Extent &columns,
                                 std::pair<int64_t, int64_t> most, bool isAlongK, Value part, Value height) {
  if (ComputedOperand *made = computedOf(tensor))
    return made->make(lines, columns, most, part, height, batches);
  if (hasBands(isAlongK))
    return loadBands(tensor, lines, columns, part, most.second);
  if (parts.shape.tensors[tensor].isPacked)
    return loadPacked(tensor, lines, columns, isAlongK, part, height);
  const ElementType type = parts.shape.tensors[tensor].type;
  // Lines along n are whole fractals, lines along k as many as a fractal has of k.
  Value zero = w.constant(0), fractal = w.constant(isAlongK ? kFractalRows : ofFractal);
  Value distance = field(tensor, "_m", 0);
  Value ofRow = w.constant(kFractalRowBytes / elementSize(type));
  // If k is 0, the tensor has no elements: the copy of none begins where it does.
  Value isEmpty = isEqual(isAlongK ? columns.size : lines.size, zero);
  Value first = w.add(w.mul(lines.first, distance), columns.first);
  Value offset = w.add(startOf(tensor), select(isEmpty, zero, first));
  Value source = w.rowsOfTensor(tensor, offset, lines.size, columns.size, distance);
  Value value = w.constantOf(type, 0.0);
  auto fill = [&](Value at, Value columnsOfFractals, Value blocks) {
    FillOp::create(w.ops(), w.getLocation(), value, part, at, columnsOfFractals, blocks, height);
  };
  // The rows of the last fractals, since a copy does not write rows beyond its own.
  Value wide = w.floorDiv(columns.whole, ofRow);
  fill(w.sub(lines.whole, fractal), wide, select(isEqual(lines.size, lines.whole), zero, fractal));
  // If k is 0, a copy does not write the only column of fractals.
  if (isAlongK && ofFractal > perRow)
    fillLastTwo(part, lines, columns, height, type);
  else if (isAlongK)
    fill(zero, w.constant(1), select(isEmpty, lines.whole, zero));
  LoadNzOp::create(w.ops(), w.getLocation(), source, part, height, /*packed=*/false);
}

ContractionKernel::Part ContractionKernel::loadPartOf(unsigned tensor, bool isAlongK, const Extent &across,
                                                      int64_t most, const Extent &k) {
  Value part = bufferOf(tensor, "_l1", depth * most);
  const Extent &lines = isAlongK ? across : k;
  const std::pair<int64_t, int64_t> capacity = isAlongK ? std::pair(most, depth) : std::pair(depth, most);
  // The pieces of a computed operand are parts of its columns of fractals; a band has room for all columns.
  Value height = hasBands(isAlongK) ? w.constant(most) : computedOf(tensor) ? w.constant(capacity.first) : lines.whole;
  loadPart(tensor, lines, isAlongK ? k : across, capacity, isAlongK, part, height);
  return {part, height};
}

/// Copies all of k of some rows.
void ContractionKernel::loadPanel(Value panel, Value partsOfK) {
  const bool isAlongK = product.isLeftAlongK;
  const int64_t most = depthOfParts();
  w.loop(partsOfK, [&](Value number) {
    if (isAlongK)
      return loadPart(product.left, m, partOf(number, most), {rows, most}, true, partOf(panel, number, most * rows),
                      w.constant(rows));
    w.loop(w.constant(most / depth), [&](Value step) {
      step = w.add(w.mul(number, w.constant(most / depth)), step);
      loadPart(product.left, stepOf(step), m, {depth, rows}, false, partOf(panel, step, depth * rows),
               w.constant(depth));
    });
  });
}

/// Loads the part `number` of the right operand, of `most` steps of k, each of which is contiguous, to the steps in L1
/// from `at` on; null for 0.
void ContractionKernel::loadRightPart(Value steps, Value at, Value number, int64_t most) {
  const int64_t ofStep = depth * width;
  if (product.isRightAlongK)
    return loadPart(product.right, n, partOf(number, most * depth), {width, most * depth}, true,
                    at ? partOf(steps, at, most * ofStep, ofStep) : steps, w.constant(width));
  w.loop(w.constant(most), [&](Value step) {
    Value to = partOf(steps, at ? w.add(at, step) : step, ofStep);
    loadPart(product.right, stepOf(w.add(w.mul(number, w.constant(most)), step)), n, {depth, width}, false, to,
             w.constant(depth));
  });
}

} // namespace opc::aicore

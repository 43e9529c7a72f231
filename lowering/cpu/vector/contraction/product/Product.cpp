// The tiles of a product that a launch computes, and the buffers that they share.

#include "lowering/cpu/vector/contraction/product/Product.h"

#include "runtime/program/opc_kernel_library.h"

using namespace llvm;

namespace opc::cpu {

/// The kernel of kind Rows that follows a product whose rows are reduced. Its tensors are the inputs, the results of
/// the product, and the outputs.
static FusedKernel rowsOfProduct(const FusedKernel &kernel, LLVMContext &context) {
  FusedKernel rows = kernel;
  rows.kind = FusedKernel::Kind::Rows;
  rows.loops = 2;
  llvm::erase(rows.generics, rows.product);
  // Nothing that follows reads the operands.
  for (unsigned operand : {kernel.leftOperand, kernel.rightOperand})
    rows.tensors[operand].dims = {-1, 1};
  KernelTensor results;
  results.name = "product";
  results.element = *Element::of(mlir::getElementTypeOrSelf(rows.product.getResult(0).getType()), context);
  results.dims = {0, 1};
  rows.tensors.insert(rows.tensors.begin() + kernel.firstOutput(), results);
  return rows;
}

Product::Product(CodeBuilder &b, FusedKernel &kernel, Frame &frame)
    : b(b), kernel(kernel), frame(frame), sizes(b.level), left(kernel.tensors[kernel.leftOperand]),
      right(kernel.tensors[kernel.rightOperand]), isLeftAlongK(left.dims.back() == 2),
      isRightAlongK(right.dims.back() == 2),
      elementsOfCell(kernel.isOfBytes ? elementsOfCells(b.level, left.element) : 1),
      product(kernel.product.getResult(0)) {
  const Element &element = kernel.tensors[kernel.firstOutput()].element;
  isDirect = kernel.stored.size() == 1 && kernel.stored.front() == product && element.kind == Element::Plain;
  if (kernel.reducesRows())
    finishedRows.emplace(rowsOfProduct(kernel, b.getContext()));
}

bool Product::plan() {
  if (!finishedRows)
    return true;
  rowKernel.emplace(b, *finishedRows, frame);
  return rowKernel->plan();
}

std::pair<Value *, Value *> Product::divided(Value *a, Value *by) {
  Values both = b.ifElse(
      b.CreateICmpULT(a, by), [&]() -> Values { return {b.index(0), a}; },
      [&]() -> Values { return {b.CreateUDiv(a, by), b.CreateURem(a, by)}; });
  return {both[0], both[1]};
}

// All parts have one size except the last, which is a little smaller.
void Product::partsOfK(Value *most, function_ref<void(Value *, Value *, Value *)> each) {
  Value *k = cellsOfK(), *one = b.index(1);
  Value *count = b.max(ceilDiv(k, most), one);
  Value *length = b.max(roundUp(ceilDiv(k, count), 8), one);
  b.whileBefore(b.index(0), k, {}, [&](Value *begin, ArrayRef<Value *>) -> Values {
    Value *end = b.CreateAdd(begin, length), *depth = b.min(length, b.CreateSub(k, begin));
    each(begin, depth, b.CreateICmpSGE(end, k));
    return {end};
  });
}

// Results of whole rows that are kept, which the second-level cache holds: 512 KiB. A longer row is kept alone.
static constexpr int64_t kWholeResults = 1 << 17;

/// Computes the adjacent tiles of a row of tiles from an item on. Returns the next item.
Value *Product::tiles(Value *item) {
  Value *rowCount = frame.tileCount[0], *columnCount = frame.tileCount[1];
  // The trip of each batch loop, innermost first; most launches have one.
  Values loops = frame.batchLoops(), trips;
  Value *inBatch = item;
  if (!loops.empty()) {
    Value *ofBatch = b.CreateMul(rowCount, columnCount), *number = b.CreateUDiv(item, ofBatch);
    inBatch = b.CreateURem(item, ofBatch);
    for (Value *count : ArrayRef(loops).drop_back()) {
      auto [rest, trip] = divided(number, count);
      trips.push_back(trip);
      number = rest;
    }
    trips.push_back(number);
  }
  auto [rowTile, columnTile] = divided(inBatch, columnCount);
  Value *run = b.min(b.CreateSub(frame.end, item), b.CreateSub(columnCount, columnTile));
  auto range = [&](Value *tile, Value *count, unsigned loop) {
    Value *begin = b.CreateMul(tile, frame.tileSize[loop]);
    Value *end = b.CreateMul(b.CreateAdd(tile, count), frame.tileSize[loop]);
    return std::pair(begin, b.min(end, frame.loopSize(loop)));
  };
  auto [rowBegin, rowEnd] = range(rowTile, b.index(1), 0);
  auto [columnBegin, columnEnd] = range(columnTile, run, 1);
  // Batches of one tile follow each other along the innermost loop, without divisions for each.
  Value *one = b.index(1), *batches = one, *next = b.CreateAdd(item, run);
  if (!loops.empty()) {
    Value *isTile = b.CreateICmpEQ(b.CreateMul(rowCount, columnCount), one);
    Value *left = b.min(b.CreateSub(frame.end, item), b.CreateSub(loops.front(), trips.front()));
    batches = b.CreateSelect(isTile, b.max(left, one), one);
    next = b.CreateSelect(isTile, b.CreateAdd(item, batches), next);
  }
  SmallVector<Value *> first;
  for (unsigned t = 0; t < kernel.tensors.size(); ++t) {
    Value *offset = b.index(0);
    for (auto [trip, step] : zip_equal(trips, frame.batchSteps(t)))
      offset = b.CreateAdd(offset, b.CreateMul(trip, step));
    first.push_back(offset);
  }
  const ResultPart whole{rowBegin, rowEnd, columnBegin, columnEnd};
  auto byParts = [&]() -> Values {
    b.loop(b.index(0), batches, one, [&](Value *each) {
      batch.clear();
      for (auto [t, tensor] : enumerate(kernel.tensors)) {
        Value *offset = first[t];
        if (!loops.empty())
          offset = b.CreateAdd(offset, b.CreateMul(each, frame.batchSteps(unsigned(t)).front()));
        batch.push_back(b.at(frame.tensor(unsigned(t)), tensor.element.memory, offset));
        if (t == kernel.leftOperand)
          packedLeft = floatAt(frame.packed, offset);
        if (t == kernel.rightOperand)
          packedRight = floatAt(frame.packed, offset);
      }
      wholeRowsOf(whole);
    });
    return {};
  };
  if (!smallPlanes) {
    byParts();
    return next;
  }
  b.ifElse(
      areSmallPlanes(),
      [&]() -> Values {
        smallPlanesOf(first, batches);
        return {};
      },
      byParts);
  return next;
}

/// Computes a part of the results, and what follows on its rows.
void Product::wholeRowsOf(const ResultPart &whole) {
  if (!finishedRows) {
    part(whole);
    return;
  }
  Value *most = b.CreateUDiv(b.index(kWholeResults), b.max(frame.loopSize(1), b.index(1)));
  most = b.max(b.CreateSub(most, b.CreateURem(most, b.index(sizes.rows))), b.index(1));
  b.loop(whole.rowBegin, whole.rowEnd, most, [&](Value *row) {
    const ResultPart rows{row, b.min(b.CreateAdd(row, most), whole.rowEnd), whole.columnBegin, whole.columnEnd};
    firstWhole = row;
    part(rows);
    finishRows(rows);
  });
}

/// Computes a part of the results.
void Product::part(const ResultPart &part) {
  auto byBlocks = [&]() -> Values {
    if (right.windows) {
      forPlanes(part, [&](const ResultPart &ofPlane) { blocks(ofPlane); });
      return {};
    }
    return b.ifElse(
        readsFewRows,
        [&]() -> Values {
          fewRows(part);
          return {};
        },
        [&]() -> Values {
          blocks(part);
          return {};
        });
  };
  Value *isRow = b.CreateICmpEQ(frame.loopSize(0), b.index(1));
  if (isRightPacked)
    isRow = b.CreateAnd(isRow, b.CreateNot(isRightPacked));
  b.ifElse(
      readsRows ? b.CreateAnd(isRow, readsRows) : isRow,
      [&]() -> Values {
        singleRow(part);
        return {};
      },
      [&]() -> Values {
        if (!readsRows)
          return byBlocks();
        return b.ifElse(
            b.CreateAnd(isRow, isChannel()),
            [&]() -> Values {
              forPlanes(part, [&](const ResultPart &ofPlane) { rowsOfWindows(ofPlane); });
              return {};
            },
            byBlocks);
      });
}

/// Room for panels and sums of as many rows and columns as the launch has, and for those of a single row: each page of
/// a frame is touched before it is used, which was a fifth of the time of 64 cubed. Planes of windows take all of a
/// right panel.
void Product::makeBuffers() {
  auto room = [&](Value *elements) {
    AllocaInst *memory = b.CreateAlloca(b.getFloatTy(), elements);
    memory->setAlignment(Align(64));
    return memory;
  };
  // A transposition fills rows up to whole vectors, and tiles read a vector more.
  constexpr int64_t kMore = 16;
  Value *rows = b.max(b.min(frame.loopSize(0), b.index(sizes.rowBlock)), b.index(1));
  rows = b.min(roundUp(rows, kMore), b.index(sizes.rowBlock));
  Value *columns = b.max(b.min(frame.loopSize(1), b.index(sizes.columns)), b.index(1));
  if (right.windows)
    columns = b.index(sizes.columns);
  else // few rows have no right panel
    columns = b.CreateSelect(readsFewRows, b.index(0), columns);
  auto [columnsOfFew, depthOfFew] = partOfFew();
  auto ofRows = [&](int64_t step, int64_t ofOne, Value *ofFew) {
    Value *few = b.CreateMul(frame.loopSize(0), b.CreateAdd(ofFew, b.index(kBetweenRows)));
    Value *most = b.CreateSelect(readsFewRows, few, b.CreateMul(rows, b.index(step)));
    return room(b.CreateAdd(b.max(most, b.index(ofOne)), b.index(kMore)));
  };
  leftPanel = ofRows(sizes.leftStep(), kDepthOfRow, depthOfFew);
  rightPanel = room(b.CreateMul(roundUp(columns, sizes.width()), b.index(sizes.depth)));
  sums = ofRows(sizes.resultStep(), kColumnsOfRow, columnsOfFew);
  if (kernel.leftComputed || kernel.rightComputed)
    computed = room(b.index(kComputed));
  if (finishedRows) {
    Value *all = b.CreateMul(frame.loopSize(0), frame.loopSize(1));
    wholeRows = room(b.max(b.min(all, b.index(kWholeResults)), frame.loopSize(1)));
  }
}

Value *Product::emit() {
  auto multiplyAll = [&]() -> Values {
    // What a launch cannot pack is not taken from memory that somebody gives as its packed form: it may be too small.
    auto isPacked = [&](int64_t place, unsigned operand, bool alongK) {
      return b.CreateAnd(b.CreateICmpEQ(frame.packing, b.index(OPC_KERNEL_READ_PACKED(place))),
                         canPack(operand, alongK, unsigned(place)));
    };
    isLeftPacked = isPacked(0, kernel.leftOperand, isLeftAlongK);
    if (!right.windows)
      isRightPacked = isPacked(1, kernel.rightOperand, isRightAlongK);
    readsFewRows =
        right.windows ? b.getFalse() : b.CreateAnd(isFew(), b.CreateNot(b.CreateOr(isLeftPacked, isRightPacked)));
    makeBuffers();
    if (right.windows) {
      const WindowedMatrix matrix = sizesOfWindows();
      readsRows = isPlain(b, matrix);
      planes = planeTable(sizes.results, false);
      planesOfRow = planeTable(kPlacesOfRow, true);
      if (!right.depth && !finishedRows && SmallPlanes::canRead(b, matrix))
        smallPlanes.emplace(b, matrix);
    }
    b.ifThen(b.CreateICmpSLT(frame.begin, frame.end), [&] {
      b.whileBefore(frame.begin, frame.end, {},
                    [&](Value *item, ArrayRef<Value *>) -> Values { return {tiles(item)}; });
    });
    return {b.getInt32(0)};
  };
  auto packRightOrMultiply = [&]() -> Values {
    if (right.windows)
      return multiplyAll();
    return b.ifElse(
        b.CreateICmpEQ(frame.packing, b.index(OPC_KERNEL_PACK(1))),
        [&]() -> Values { return {packWhole(kernel.rightOperand)}; }, multiplyAll);
  };
  return b
      .ifElse(
          b.CreateICmpEQ(frame.packing, b.index(OPC_KERNEL_PACK(0))),
          [&]() -> Values { return {packWhole(kernel.leftOperand)}; }, packRightOrMultiply)
      .front();
}

Value *emitContraction(CodeBuilder &b, FusedKernel &kernel, Frame &frame) {
  Product product(b, kernel, frame);
  return product.plan() ? product.emit() : nullptr;
}

} // namespace opc::cpu

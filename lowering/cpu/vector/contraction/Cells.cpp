#include "lowering/cpu/vector/contraction/Cells.h"

#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace opc::cpu {

Type *cellType(CodeBuilder &b, unsigned elements) {
  return elements > 1 ? static_cast<Type *>(b.getInt32Ty()) : b.getFloatTy();
}

std::string cellsName(const CellProduct &cells) {
  if (cells.elements < 4)
    return cells.elements == 2 ? ".pairs" : "";
  return std::string(cells.isLeftUnsigned ? ".unsigned" : ".signed") + (cells.isFlipped ? ".flipped" : "");
}

/// sum + the products of four bytes of each lane; one operand is unsigned. No step saturates.
static Value *addDots(CodeBuilder &b, Value *withoutSign, Value *withSign, Value *sum) {
  const unsigned lanes = lanesOf(sum->getType());
  if (lanes < 4) {
    // A scalar, or few lanes, in the smallest supported vector.
    auto widened = [&](Value *value) -> Value * {
      Value *zero = Constant::getNullValue(withLanes(b.getInt32Ty(), 4));
      return b.CreateInsertElement(zero, value, uint64_t(0));
    };
    return b.CreateExtractElement(addDots(b, widened(withoutSign), widened(withSign), widened(sum)), uint64_t(0));
  }
  const auto id = lanes == 16  ? Intrinsic::x86_avx512_vpdpbusd_512
                  : lanes == 8 ? Intrinsic::x86_avx512_vpdpbusd_256
                               : Intrinsic::x86_avx512_vpdpbusd_128;
  Type *bytes = withLanes(b.getInt8Ty(), 4 * lanes);
  return b.CreateIntrinsic(id, {}, {sum, b.CreateBitCast(withoutSign, bytes), b.CreateBitCast(withSign, bytes)});
}

// Products of two bytes and the sum of two of them fit 19 bits, so no step overflows.
Value *addProducts(CodeBuilder &b, const CellProduct &product, Value *left, Value *right, Value *sum) {
  Type *type = sum->getType();
  if (type->isFPOrFPVectorTy())
    return b.CreateIntrinsic(Intrinsic::fma, {type}, {left, right, sum});
  if (product.elements == 4)
    return product.isLeftUnsigned ? addDots(b, left, right, sum) : addDots(b, right, left, sum);
  const unsigned lanes = lanesOf(type);
  if (b.level.isX86() && lanes != 0) {
    Type *halves = withLanes(b.getInt16Ty(), 2 * lanes);
    const auto id = lanes == 16 ? Intrinsic::x86_avx512_pmaddw_d_512 : Intrinsic::x86_avx2_pmadd_wd;
    Value *both = b.CreateIntrinsic(id, {}, {b.CreateBitCast(left, halves), b.CreateBitCast(right, halves)});
    return b.CreateAdd(sum, both);
  }
  // NEON has one instruction that widens, multiplies and adds halves.
  Type *half = withLanes(b.getInt16Ty(), lanes);
  for (unsigned bits : {0u, 16u}) {
    auto halfOf = [&](Value *cells) {
      return b.CreateSExt(b.CreateTrunc(bits ? b.CreateLShr(cells, bits) : cells, half), type);
    };
    sum = b.CreateAdd(sum, b.CreateMul(halfOf(left), halfOf(right)));
  }
  return sum;
}

Value *addElements(CodeBuilder &b, const CellProduct &product, bool isLeft, Value *cells, Value *sum) {
  Value *ones = ConstantInt::get(sum->getType(), 0x01010101);
  return isLeft ? addProducts(b, product, cells, ones, sum) : addProducts(b, product, ones, cells, sum);
}

// Flipped bytes are 128 too large if they are now unsigned, else 128 too small.
Value *correction(CodeBuilder &b, const CellProduct &product, bool isLeft, Value *elements) {
  Value *of128 = b.CreateShl(elements, 7);
  return product.isLeftUnsigned == isLeft ? of128 : b.CreateNeg(of128);
}

Cells::Cells(CodeBuilder &b, const MatrixPart &matrix)
    : elementsOfCell(elementsOfCells(b.level, matrix.element)),
      plain{Element::Plain, cellType(b, elementsOfCell), cellType(b, elementsOfCell), 4}, b(b), element(matrix.element),
      isUnsigned(matrix.isUnsigned), isFlipped(matrix.isFlipped) {
}

Value *Cells::countOf(Value *elements) {
  return elementsOfCell > 1 ? wholeOf(b.CreateAdd(elements, b.index(elementsOfCell - 1))) : elements;
}

Value *Cells::along(Value *row, Value *i, unsigned lanes) {
  if (elementsOfCell == 1)
    return load(b, row, i, element, lanes);
  return cellsOf(load(b, row, b.CreateShl(i, shift()), element, elementsOfCell * std::max(lanes, 1u)), lanes);
}

Value *Cells::one(Value *row, Value *i, Value *elements) {
  if (elementsOfCell == 1)
    return load(b, row, i, element, 0);
  Value *first = b.CreateShl(i, shift()), *last = b.CreateSub(elements, b.index(1));
  Values bytes;
  for (unsigned each = 0; each < elementsOfCell; ++each)
    bytes.push_back(load(b, row, b.min(b.CreateAdd(first, b.index(each)), last), element, 0));
  return cellOf(bytes, keptOf(first, elements));
}

// Rows after the last one repeat it, so that no memory after it is read.
Cells::Rows Cells::rowsAt(Value *from, Value *step, Value *k, Value *elements) {
  auto at = [&](Value *row) { return b.at(from, element.memory, b.CreateMul(row, step)); };
  if (elementsOfCell == 1)
    return {{at(k)}, nullptr};
  Value *first = b.CreateShl(k, shift()), *last = b.CreateSub(elements, b.index(1));
  Rows rows;
  for (unsigned each = 0; each < elementsOfCell; ++each)
    rows.of.push_back(at(b.min(b.CreateAdd(first, b.index(each)), last)));
  rows.kept = keptOf(first, elements);
  return rows;
}

Value *Cells::across(const Rows &rows, Value *column, unsigned lanes, Value *count) {
  Values read;
  for (Value *row : rows.of)
    read.push_back(count ? loadPart(b, row, column, count, element, lanes) : load(b, row, column, element, lanes));
  if (elementsOfCell == 1)
    return read.front();
  if (lanes == 0)
    return cellOf(read, rows.kept);
  Value *all = cellsOf(interleaved(read), lanes);
  return rows.kept ? b.CreateAnd(all, b.CreateVectorSplat(lanes, rows.kept)) : all;
}

Values Cells::across(const Rows &rows, Value *column, unsigned lanes, unsigned vectors, bool isInParts) {
  Values cells;
  const unsigned bytes = lanes * vectors;
  if (elementsOfCell < 4 || (bytes != 16 && bytes != 64)) {
    for (unsigned i = 0; i < vectors; ++i)
      cells.push_back(across(rows, b.CreateAdd(column, b.index(int64_t(i) * lanes)), lanes));
    return cells;
  }
  Values read;
  for (Value *row : rows.of)
    read.push_back(load(b, row, column, element, bytes));
  for (Value *each : interleavedWide(read, isInParts)) {
    Value *all = flipped(each);
    cells.push_back(rows.kept ? b.CreateAnd(all, b.CreateVectorSplat(lanes, rows.kept)) : all);
  }
  return cells;
}

/// The bits of a cell that belong to elements: there are none after the last element.
Value *Cells::keptOf(Value *first, Value *elements) {
  Value *exist = b.min(b.CreateSub(elements, first), b.index(elementsOfCell));
  Value *behind = b.CreateShl(b.index(1), b.CreateMul(exist, b.index(bits())));
  return b.CreateTrunc(b.CreateSub(behind, b.index(1)), b.getInt32Ty());
}

Value *Cells::widened(Value *bytes, Type *type) {
  return isUnsigned ? b.CreateZExt(bytes, type) : b.CreateSExt(bytes, type);
}

Value *Cells::flipped(Value *cells) {
  return isFlipped ? b.CreateXor(cells, ConstantInt::get(cells->getType(), 0x80808080)) : cells;
}

/// Neighbours as cells, the first one in the lowest bits: all levels are little-endian.
Value *Cells::cellsOf(Value *bytes, unsigned lanes) {
  Type *cells = withLanes(b.getInt32Ty(), lanes);
  if (elementsOfCell == 4)
    return flipped(b.CreateBitCast(bytes, cells));
  return b.CreateBitCast(widened(bytes, withLanes(b.getInt16Ty(), 2 * std::max(lanes, 1u))), cells);
}

Value *Cells::cellOf(ArrayRef<Value *> bytes, Value *kept) {
  Value *cell = b.getInt32(0), *mask = b.getInt32(elementsOfCell == 4 ? 0xff : 0xffff);
  for (auto [i, byte] : enumerate(bytes)) {
    Value *part = b.CreateAnd(widened(byte, b.getInt32Ty()), mask);
    cell = b.CreateOr(cell, b.CreateShl(part, uint64_t(i) * bits()));
  }
  return b.CreateAnd(flipped(cell), kept);
}

/// The interleaved bytes of rows.
Value *Cells::interleaved(ArrayRef<Value *> rows) {
  auto inTurn = [&](Value *first, Value *second) {
    const unsigned lanes = lanesOf(first->getType());
    SmallVector<int> order;
    for (unsigned i = 0; i < lanes; ++i) {
      order.push_back(int(i));
      order.push_back(int(lanes + i));
    }
    return b.CreateShuffleVector(first, second, order);
  };
  if (rows.size() == 2)
    return inTurn(rows[0], rows[1]);
  // Pairs of bytes, then pairs of those.
  const unsigned lanes = lanesOf(rows[0]->getType());
  auto pairs = [&](Value *first, Value *second) {
    return b.CreateBitCast(inTurn(first, second), withLanes(b.getInt16Ty(), lanes));
  };
  Value *all = inTurn(pairs(rows[0], rows[1]), pairs(rows[2], rows[3]));
  return b.CreateBitCast(all, withLanes(b.getInt8Ty(), 4 * lanes));
}

/// The interleaved bytes of four rows of 16 or 64, as vectors of cells. Instructions interleave within 16 bytes first;
/// then these parts of a vector are permuted into their order.
Values Cells::interleavedWide(ArrayRef<Value *> rows, bool isInParts) {
  const unsigned bytes = lanesOf(rows[0]->getType()), parts = bytes / 16;
  // Interleaves one half of each part of two vectors, as elements of twice the width.
  auto unpacked = [&](Value *first, Value *second, bool isUpper) {
    auto *type = cast<FixedVectorType>(first->getType());
    const unsigned lanes = type->getNumElements(), ofPart = lanes / parts, width = type->getScalarSizeInBits();
    SmallVector<int> order;
    for (unsigned part = 0; part < parts; ++part)
      for (unsigned i = 0; i < ofPart / 2; ++i)
        for (unsigned of : {0u, lanes})
          order.push_back(int(of + part * ofPart + (isUpper ? ofPart / 2 : 0) + i));
    return b.CreateBitCast(b.CreateShuffleVector(first, second, order), withLanes(b.getIntNTy(2 * width), lanes / 2));
  };
  Values quarters; // of each part: its columns 0 to 3, 4 to 7, ...
  for (bool isUpper : {false, true}) {
    Value *first = unpacked(rows[0], rows[1], isUpper), *second = unpacked(rows[2], rows[3], isUpper);
    for (bool isUpperHalf : {false, true})
      quarters.push_back(unpacked(first, second, isUpperHalf));
  }
  if (parts == 1) {
    const unsigned lanes = b.level.vectorBits / 32;
    Value *all = joined(b, quarters);
    Values cells;
    for (unsigned first = 0; first < 16; first += lanes)
      cells.push_back(lanesAt(b, all, first, lanes));
    return cells;
  }
  return isInParts ? quarters : inParts(quarters);
}

Values Cells::inParts(ArrayRef<Value *> vectors) {
  // Selects parts of two vectors, two of each.
  auto partsOf = [&](Value *first, Value *second, unsigned a, unsigned z) {
    SmallVector<int> order;
    for (unsigned part : {a, z, 4 + a, 4 + z})
      for (unsigned i = 0; i < 4; ++i)
        order.push_back(int(4 * part + i));
    return b.CreateShuffleVector(first, second, order);
  };
  Values result;
  for (unsigned half : {0u, 2u}) {
    Value *first = partsOf(vectors[0], vectors[1], half, half + 1);
    Value *second = partsOf(vectors[2], vectors[3], half, half + 1);
    for (unsigned part : {0u, 1u})
      result.push_back(partsOf(first, second, part, part + 2));
  }
  return result;
}

} // namespace opc::cpu

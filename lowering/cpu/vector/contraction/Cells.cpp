#include "lowering/cpu/vector/contraction/Cells.h"

#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace opc::cpu {

Type *cellType(CodeBuilder &b, bool isOfPairs) {
  return isOfPairs ? static_cast<Type *>(b.getInt32Ty()) : b.getFloatTy();
}

// Products of two bytes and the sum of two of them fit 19 bits, so that no step of these loses anything.
Value *addProducts(CodeBuilder &b, Value *left, Value *right, Value *sum) {
  Type *type = sum->getType();
  if (type->isFPOrFPVectorTy())
    return b.CreateIntrinsic(Intrinsic::fma, {type}, {left, right, sum});
  const unsigned lanes = lanesOf(type);
  if (b.level.isX86() && lanes != 0) {
    Type *halves = withLanes(b.getInt16Ty(), 2 * lanes);
    const auto id = lanes == 16 ? Intrinsic::x86_avx512_pmaddw_d_512 : Intrinsic::x86_avx2_pmadd_wd;
    Value *both = b.CreateIntrinsic(id, {}, {b.CreateBitCast(left, halves), b.CreateBitCast(right, halves)});
    return b.CreateAdd(sum, both);
  }
  // Halves that are widened, multiplied and added are one instruction of NEON.
  Type *half = withLanes(b.getInt16Ty(), lanes);
  for (unsigned bits : {0u, 16u}) {
    auto halfOf = [&](Value *cells) {
      return b.CreateSExt(b.CreateTrunc(bits ? b.CreateLShr(cells, bits) : cells, half), type);
    };
    sum = b.CreateAdd(sum, b.CreateMul(halfOf(left), halfOf(right)));
  }
  return sum;
}

Cells::Cells(CodeBuilder &b, const MatrixPart &matrix)
    : plain{Element::Plain, cellType(b, matrix.isOfPairs()), cellType(b, matrix.isOfPairs()), 4}, b(b),
      element(matrix.element), isUnsigned(matrix.isUnsigned), isOfPairs(matrix.isOfPairs()) {
}

Value *Cells::countOf(Value *elements) {
  return isOfPairs ? b.CreateLShr(b.CreateAdd(elements, b.index(1)), 1) : elements;
}

Value *Cells::wholeOf(Value *elements) {
  return isOfPairs ? b.CreateLShr(elements, 1) : elements;
}

Value *Cells::along(Value *row, Value *i, unsigned lanes) {
  if (!isOfPairs)
    return load(b, row, i, element, lanes);
  return pairsOf(load(b, row, b.CreateShl(i, 1), element, 2 * std::max(lanes, 1u)), lanes);
}

Value *Cells::one(Value *row, Value *i, Value *elements) {
  if (!isOfPairs)
    return load(b, row, i, element, 0);
  Value *first = b.CreateShl(i, 1);
  const Second second = secondOf(first, elements);
  return pairOf(load(b, row, first, element, 0), load(b, row, second.place, element, 0), second.kept);
}

Cells::Rows Cells::rowsAt(Value *from, Value *step, Value *k, Value *elements) {
  auto at = [&](Value *row) { return b.at(from, element.memory, b.CreateMul(row, step)); };
  if (!isOfPairs)
    return {at(k), nullptr, nullptr};
  Value *first = b.CreateShl(k, 1);
  const Second second = secondOf(first, elements);
  return {at(first), at(second.place), second.kept};
}

Value *Cells::across(const Rows &rows, Value *column, unsigned lanes, Value *count) {
  auto read = [&](Value *row) {
    return count ? loadPart(b, row, column, count, element, lanes) : load(b, row, column, element, lanes);
  };
  if (!isOfPairs)
    return read(rows.first);
  Value *first = read(rows.first), *second = read(rows.second);
  if (lanes == 0)
    return pairOf(first, second, rows.kept);
  SmallVector<int> inTurn;
  for (unsigned i = 0; i < lanes; ++i) {
    inTurn.push_back(int(i));
    inTurn.push_back(int(lanes + i));
  }
  return b.CreateAnd(pairsOf(b.CreateShuffleVector(first, second, inTurn), lanes),
                     b.CreateVectorSplat(lanes, rows.kept));
}

/// The second element of a pair, and the bits of the pair that count. Behind the last element there is none: the first
/// is read in its place.
Cells::Second Cells::secondOf(Value *first, Value *elements) {
  Value *next = b.CreateAdd(first, b.index(1)), *exists = b.CreateICmpSLT(next, elements);
  return {b.CreateSelect(exists, next, first), b.CreateSelect(exists, b.getInt32(-1), b.getInt32(0xffff))};
}

Value *Cells::widened(Value *bytes, Type *type) {
  return isUnsigned ? b.CreateZExt(bytes, type) : b.CreateSExt(bytes, type);
}

/// Neighbours as pairs, the first one in the low half: all levels are little-endian.
Value *Cells::pairsOf(Value *bytes, unsigned lanes) {
  Value *halves = widened(bytes, withLanes(b.getInt16Ty(), 2 * std::max(lanes, 1u)));
  return b.CreateBitCast(halves, withLanes(b.getInt32Ty(), lanes));
}

Value *Cells::pairOf(Value *first, Value *second, Value *kept) {
  Value *low = b.CreateAnd(widened(first, b.getInt32Ty()), b.getInt32(0xffff));
  return b.CreateAnd(b.CreateOr(low, b.CreateShl(widened(second, b.getInt32Ty()), 16)), kept);
}

} // namespace opc::cpu

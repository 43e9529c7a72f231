#include "lowering/cpu/vector/contraction/SmallPlanes.h"

#include "lowering/cpu/vector/contraction/WindowRows.h"

#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace opc::cpu {

// Rows of results and steps in a window at most, for which the table of rows has room.
static constexpr int64_t kMostRows = 32, kMostStride = 2, kMostDilation = 8, kMostColumns = 5;

bool SmallPlanes::canRead(const CodeBuilder &b, const WindowedMatrix &matrix) {
  return b.level.masks && b.level.vectorBits == 512 && all_of(matrix.steps, [](const WindowSteps &steps) {
           return steps.stride <= kMostStride && steps.dilation <= kMostDilation;
         });
}

SmallPlanes::SmallPlanes(CodeBuilder &b, const WindowedMatrix &matrix)
    : matrix(matrix), lanes(b.level.vectorBits / 32) {
  const Frame::WindowSizes &sizes = matrix.sizes;
  const int64_t rows = (kMostRows + 1) * kMostStride + (kMostColumns - 1) * kMostDilation;
  rowMasks = b.buffer(b.getInt16Ty(), uint64_t(rows));
  orders = b.buffer(b.getInt32Ty(), uint64_t(kMostColumns) * lanes);
  available = b.buffer(b.getInt16Ty(), uint64_t(kMostColumns));
  fits = b.getFalse();
  for (int64_t columns : kColumns)
    fits = b.CreateOr(fits, WindowRows::hasSize(b, matrix, columns));
  auto isAtMost = [&](Value *size, int64_t most) { fits = b.CreateAnd(fits, b.CreateICmpULE(size, b.index(most))); };
  isAtMost(sizes.out[0], kMostRows);
  isAtMost(sizes.out[1], lanes / 2);
  isAtMost(sizes.in[1], loadsTwoRows() ? lanes / 2 : lanes);
  b.ifThen(fits, [&] {
    fillRows(b);
    fillColumns(b);
  });
}

/// The masks of all rows that windows reach.
void SmallPlanes::fillRows(CodeBuilder &b) const {
  const WindowSteps &down = matrix.steps[0];
  Value *width = b.numbers(matrix.sizes.in[1], 0), *one = b.getInt32(1);
  Value *ofRow = b.CreateSub(b.CreateShl(one, width), one);
  Value *count = b.CreateAdd(b.CreateMul(matrix.sizes.out[0], b.index(down.stride)),
                             b.index((kMostColumns - 1) * down.dilation + down.stride));
  b.loop(b.index(0), count, b.index(1), [&](Value *i) {
    auto maskOf = [&](int64_t further) {
      Value *row = b.CreateAdd(i, b.index(further - down.padBegin));
      return b.CreateSelect(b.CreateICmpULT(row, matrix.sizes.in[0]), ofRow, b.getInt32(0));
    };
    Value *mask = maskOf(0);
    if (loadsTwoRows())
      mask = b.CreateOr(mask, b.CreateShl(maskOf(1), width));
    b.CreateAlignedStore(b.CreateTrunc(mask, b.getInt16Ty()), b.at(rowMasks, b.getInt16Ty(), i), Align(2));
  });
}

/// The permutations of all columns of a window, and the lanes that they give.
void SmallPlanes::fillColumns(CodeBuilder &b) const {
  const WindowSteps &along = matrix.steps[1];
  Value *lane = b.numbersFrom(b.index(0), lanes), *width = b.numbers(matrix.sizes.out[1], lanes);
  Type *vector = lane->getType();
  Value *isSecond = b.CreateICmpUGE(lane, width);
  Value *column = b.CreateSelect(isSecond, b.CreateSub(lane, width), lane);
  Value *isResult = b.CreateICmpULT(column, width);
  Value *toSecond = loadsTwoRows() ? b.numbers(matrix.sizes.in[1], lanes) : ConstantInt::get(vector, lanes);
  Value *ofRow = b.CreateSelect(isSecond, toSecond, Constant::getNullValue(vector));
  for (int64_t tap = 0; tap < kMostColumns; ++tap) {
    Value *at = b.CreateAdd(b.CreateMul(column, ConstantInt::get(vector, uint64_t(along.stride))),
                            ConstantInt::getSigned(vector, tap * along.dilation - along.padBegin));
    Value *isInside = b.CreateAnd(isResult, b.CreateICmpULT(at, b.numbers(matrix.sizes.in[1], lanes)));
    b.CreateAlignedStore(b.CreateAdd(at, ofRow), b.at(orders, b.getInt32Ty(), b.index(tap * int64_t(lanes))), Align(4));
    b.CreateAlignedStore(b.CreateBitCast(isInside, b.getInt16Ty()), b.at(available, b.getInt16Ty(), b.index(tap)),
                         Align(2));
  }
}

/// The elements of a row, or of two, numbered from the first row of padding on.
Value *SmallPlanes::rowsAt(CodeBuilder &b, Value *from, Value *row) const {
  Value *mask = b.CreateAlignedLoad(b.getInt16Ty(), b.at(rowMasks, b.getInt16Ty(), row), Align(2));
  Value *offset = b.CreateMul(b.CreateSub(row, b.index(matrix.steps[0].padBegin)), matrix.sizes.in[1]);
  return loadMasked(b, b.at(from, matrix.element.memory, offset),
                    b.CreateBitCast(mask, withLanes(b.getInt1Ty(), lanes)), matrix.element);
}

void SmallPlanes::sweep(CodeBuilder &b, Value *from, Value *weights, int64_t columns,
                        function_ref<void(Value *, Value *, Value *)> each) const {
  const WindowSteps &down = matrix.steps[0];
  Value *zeros = Constant::getNullValue(withLanes(b.getFloatTy(), lanes));
  Values order, isInside, splats;
  for (int64_t tap = 0; tap < columns; ++tap) {
    order.push_back(b.CreateAlignedLoad(withLanes(b.getInt32Ty(), lanes),
                                        b.at(orders, b.getInt32Ty(), b.index(tap * int64_t(lanes))), Align(4)));
    Value *mask = b.CreateAlignedLoad(b.getInt16Ty(), b.at(available, b.getInt16Ty(), b.index(tap)), Align(2));
    isInside.push_back(b.CreateBitCast(mask, withLanes(b.getInt1Ty(), lanes)));
  }
  for (int64_t i = 0; i < columns * columns; ++i) {
    Value *weight = b.CreateAlignedLoad(b.getFloatTy(), b.at(weights, b.getFloatTy(), b.index(i)), Align(4));
    splats.push_back(b.CreateVectorSplat(lanes, weight));
  }
  b.loop(b.index(0), matrix.sizes.out[0], b.index(2), [&](Value *row) {
    Value *first = b.CreateMul(row, b.index(down.stride));
    Value *sums[2] = {zeros, zeros}; // so that half of the products wait for each other
    for (int64_t kh = 0; kh < columns; ++kh) {
      auto ofRow = [&](int64_t further) {
        return rowsAt(b, from, b.CreateAdd(first, b.index(kh * down.dilation + further)));
      };
      Value *rows = ofRow(0), *second = loadsTwoRows() ? nullptr : ofRow(down.stride);
      for (int64_t kw = 0; kw < columns; ++kw) {
        Value *moved =
            second ? b.CreateIntrinsic(Intrinsic::x86_avx512_vpermi2var_ps_512, {}, {rows, order[size_t(kw)], second})
                   : b.CreateIntrinsic(Intrinsic::x86_avx512_permvar_sf_512, {}, {rows, order[size_t(kw)]});
        moved = b.CreateSelect(isInside[size_t(kw)], moved, zeros);
        Value *&sum = sums[kh % 2];
        sum = b.CreateIntrinsic(Intrinsic::fma, {sum->getType()}, {splats[size_t(kh * columns + kw)], moved, sum});
      }
    }
    Value *count = b.CreateMul(b.min(b.CreateSub(matrix.sizes.out[0], row), b.index(2)), matrix.sizes.out[1]);
    each(b.CreateMul(row, matrix.sizes.out[1]), b.CreateFAdd(sums[0], sums[1]), count);
  });
}

} // namespace opc::cpu

// The position of the extreme of a row of float16 or bfloat16, searched among the elements as they are in memory.
//
// Such floats are a sign and a magnitude. As whole numbers, those without a sign are in order, and those with one are
// in reverse order behind them (unsigned) or before them (signed). So nothing is converted, and a register holds twice
// as many elements as one of float32. For the maximum, of the registers of an iteration:
//
//   a = the largest, signed          the maximum, if an element has no sign
//   b = the smallest, unsigned       the maximum, if all have one
//   key = a >= 0 ? a : 0x8000 - b    ordered as the floats are; 0 for both zeros
//   taken = key > best;  best = taken ? key : best;  from = taken ? iteration : from
//
// A NaN without a sign becomes the largest key; the largest unsigned element shows one with a sign. For the minimum,
// signed and unsigned change places, since inverting the sign turns one order into the other.
//
// If the first iteration has an element above 0, so is the maximum, and the key is a alone: other keys are below it,
// whatever their order.

#ifndef OPC_LOWERING_CPU_VECTOR_ROWS_HALFPOSITIONS_H
#define OPC_LOWERING_CPU_VECTOR_ROWS_HALFPOSITIONS_H

#include "lowering/cpu/vector/rows/Rows.h"

namespace opc::cpu {

class HalfPositions {
public:
  /// `tensor` is the input with the rows, of float16 or bfloat16.
  HalfPositions(RowSweeps &rows, unsigned tensor, bool isMax, bool isFirst);

  struct Found {
    llvm::Value *position; ///< i32, of no meaning if the row is empty or has a NaN
    llvm::Value *isNaN;    ///< i1, whether the row has a NaN
  };
  Found emit();

private:
  llvm::Value *number(uint64_t bits, unsigned lanes);
  llvm::Value *combined(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value *> registers);
  llvm::Value *keyOf(llvm::Value *a, llvm::Value *b);
  llvm::Value *largestOf(llvm::ArrayRef<llvm::Value *> registers);
  Values step(llvm::ArrayRef<llvm::Value *> registers, llvm::ArrayRef<llvm::Value *> carried, bool isAboveZero = false);
  Values load(llvm::Value *first, unsigned registers);
  Values initial();
  llvm::Value *pairsOf(llvm::Value *low, llvm::Value *high, unsigned first);
  std::pair<llvm::Value *, llvm::Value *> acrossLanes(llvm::ArrayRef<llvm::Value *> swept);
  Values search(llvm::Value *best, llvm::Value *seen, bool isAboveZero, llvm::Value *first, llvm::Value *elements,
                llvm::Value *row = nullptr);
  Values ofPart(llvm::Value *begin, llvm::Value *end, unsigned registers);
  Values inParts(llvm::Value *n);
  Values inRegister(llvm::Value *n);

  RowSweeps &rows;
  CodeBuilder &b;
  unsigned tensor;
  bool isMax, isFirst;
  unsigned lanes;        ///< of a register
  Element raw;           ///< elements as whole numbers
  uint64_t infinityBits; ///< of positive infinity
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_ROWS_HALFPOSITIONS_H

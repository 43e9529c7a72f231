// Which elements an elementwise kernel meets, apart from what it does with them.
//
//   entry(arguments, first, last)   one a kernel: a jump to the walk with the kernel's description
//   walk                            one a level: sizes against tensors, this range of blocks, then
//     flat                          one row
//     long rows                     rows of the batches, as many at a time as lie evenly, and parts
//                                   of rows at the ends of the range
//     short rows                    as many rows as 4096 elements hold, as one long row (ShortRows)
//   plane                           loops of wide vectors over rows (Elementwise.cpp): one for each
//                                   body, types of memory and set of operands that stand still
//
//   y[m, n] = x[m, n] + bias[1, n] * scale[m, 1]
//
//   long rows    x and bias move along a row, scale is one vector of its element
//   short rows   x and y go on from row to row; bias is repeated in a buffer, once, and scale is
//                spread out in one, each piece: all of them move
//
// Shape keys with the same body differ in their descriptions alone: an operator of three inputs has 19 keys a type,
// and seven planes.

#ifndef OPC_LOWERING_CPU_VECTOR_WALK_H
#define OPC_LOWERING_CPU_VECTOR_WALK_H

#include "lowering/cpu/vector/CodeBuilder.h"

#include "llvm/IR/Module.h"

namespace opc::cpu {

/// An empty internal function of the module, for a level.
llvm::Function *newFunction(llvm::Module &module, const llvm::Twine &name, llvm::FunctionType *type,
                            const CpuLevel &level);

/// What a walk knows of its kernel: a constant of 64-bit slots, those of the kernel, then `TensorSlots`
/// for each tensor.
///
/// A field is two slots, its position in the tiling data and, where that is below 0, its value.
namespace described {
enum Slot : uint64_t {
  LongPart,     ///< of the walk, for rows that are long
  ShortPart,    ///< for those that are short
  LongPlane,    ///< for rows that are long
  ShortPlane,   ///< for pieces of short rows
  Wide,         ///< elements of a turn: the fewest that a plane takes for a row
  Streams,      ///< 1: its plane stores past the caches when it is told to
  Ahead,        ///< bytes that loads of tensors are asked for ahead then
  LongestShort, ///< elements of the longest row that is short
  Spreads,      ///< 1: an operand stands still along rows
  Single,       ///< 1: has no place for batches
  M,            ///< field: rows of a batch
  N = M + 2,    ///< field: elements of a row
  Batch0 = N + 2,
  Batch1 = Batch0 + 2,
  BlockLength = Batch1 + 2, ///< field: items of a block
  Tensors = BlockLength + 2,
};
enum TensorSlot : uint64_t {
  Bytes,  ///< of an element
  AlongM, ///< all bits: its elements differ from row to row. Else 0
  AlongN, ///< all bits: its elements differ along a row. Else 0
  Output, ///< 1: it is written
  Step0,  ///< field: elements from one trip of the outer batch loop to the next
  Step1 = Step0 + 2,
  TensorSlots = Step1 + 2,
};
} // namespace described

/// void plane(pointers, steps, rows, n, stream, tiling)
///   pointers   of each tensor, to its first element
///   steps      bytes from a row to the next, of each tensor; behind those, how many bytes ahead of
///              its loads each is asked for when stores go past the caches
///   rows, n    at least 1, at least `Wide`
///   stream     i1: stores go past the caches
///   tiling     data of the launch, for its scalars
llvm::FunctionType *planeType(llvm::LLVMContext &context);

/// i32 walk(arguments, first, last, description), for kernels of so many tensors.
llvm::Function *walk(llvm::Module &module, const CpuLevel &level, unsigned tensors);

/// Reads descriptions and what they name.
class Described {
public:
  Described(CodeBuilder &b, llvm::Value *description, llvm::Value *tiling)
      : b(b), description(description), tiling(tiling) {}

  llvm::Value *slot(uint64_t position) { return slotOf(description, position, b.getInt64Ty()); }
  llvm::Value *function(described::Slot which) { return slotOf(description, which, b.getPtrTy()); }
  llvm::Value *field(uint64_t position) { return fieldOf(description, position); }

  /// A tensor's part of the description, and what it says.
  llvm::Value *tensor(llvm::Value *t);
  llvm::Value *slotOf(llvm::Value *part, uint64_t position, llvm::Type *type);
  llvm::Value *slotOf(llvm::Value *part, uint64_t position) { return slotOf(part, position, b.getInt64Ty()); }
  llvm::Value *fieldOf(llvm::Value *part, uint64_t position);

private:
  CodeBuilder &b;
  llvm::Value *description, *tiling;
};

/// Where a walk is: row `item` of a batch.
struct WalkPlace {
  llvm::Value *item, *outer, *inner;
  /// The place of a row out of all.
  static WalkPlace of(CodeBuilder &b, llvm::Value *row, llvm::Value *m, llvm::Value *batch1);
  /// `rows` further, none beyond the batch.
  WalkPlace after(CodeBuilder &b, llvm::Value *rows, llvm::Value *m, llvm::Value *batch1) const;
};

/// The parts of a walk: functions of void(description, pointers, tiling, begin, end, stream), items begin ..
/// end, at least one.
enum class WalkPart { Flat, LongRows, ShortRows };
llvm::FunctionType *partType(llvm::LLVMContext &context);
llvm::Function *walkPart(llvm::Module &module, const CpuLevel &level, unsigned tensors, WalkPart part);

/// Bytes from a tensor's first element to one of its row at a place.
llvm::Value *offsetAt(CodeBuilder &b, Described &described, llvm::Value *tensor, const WalkPlace &place, llvm::Value *n,
                      llvm::Value *column);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_WALK_H

// The driver loop of elementwise kernels: which elements are visited, independent of what is computed from them.
//
//   entry(arguments, first, last)   one per kernel: jumps to the walk with the kernel's description; a flat kernel
//                                   whose operands all move has the walk inlined, perhaps in an entry that takes the
//                                   plane (flat_entry)
//   walk                            one per level: checks sizes against tensors, then processes this
//                                   range of blocks as
//     flat                          one row
//     long rows                     rows of the batches, as many at a time as are evenly spaced, and
//                                   parts of rows at the ends of the range
//     short rows                    as many rows as 4096 elements hold, as one long row (ShortRows)
//     any rows                      pieces of the launch as long rows, of whatever shape its inputs are (AnyRows)
//     across rows                   likewise, in slabs of rows where an input is read across (AnyRows)
//   plane                           inner kernel: loops of wide vectors over rows (Elementwise.cpp); one
//                                   for each body, types in memory and set of still operands
//
//   y[m, n] = x[m, n] + bias[1, n] * scale[m, 1]
//
//   long rows    x and bias move along a row, scale is broadcast to one vector per row
//   short rows   x and y continue from row to row; bias is repeated in a buffer once, and scale is
//                spread in a buffer for each piece: all operands move
//   any rows     as short rows, but over up to eight loops, and the launch decides along which of them each input
//                varies: there is one kernel for all launches, and its planes are those of flat keys
//
// Shape keys with the same body differ only in their descriptions: an operator with three inputs has 11 keys for each
// type row, and seven planes. Parts that nothing inlines are generated once for all levels (isSharedPart).

#ifndef OPC_LOWERING_CPU_VECTOR_CODE_WALK_H
#define OPC_LOWERING_CPU_VECTOR_CODE_WALK_H

#include "lowering/cpu/vector/code/CodeBuilder.h"

#include "llvm/IR/Module.h"

namespace opc::cpu {

/// An empty internal function in the module, for a level.
llvm::Function *newFunction(llvm::Module &module, const llvm::Twine &name, llvm::FunctionType *type,
                            const CpuLevel &level);

/// The description of a kernel for the walk: a constant of 64-bit slots, first those of the kernel, then
/// `TensorSlots` for each tensor.
///
/// A field takes two slots: its position in the tiling data, and its value if the position is negative.
namespace described {
enum Slot : uint64_t {
  LongPart,     ///< part of the walk, for long rows
  ShortPart,    ///< part of the walk, for short rows
  LongPlane,    ///< for long rows
  ShortPlane,   ///< for pieces of short rows
  Wide,         ///< elements of an iteration: the fewest elements of a row that a plane accepts
  Streams,      ///< 1: its plane can use non-temporal stores
  Ahead,        ///< prefetch distance in bytes of the streaming loop
  LongestShort, ///< elements of the longest row that counts as short
  Spreads,      ///< 1: an operand is constant along rows
  Single,       ///< 1: does not support batches
  Strided,      ///< 1: rows of a tensor are RowDistance apart; 0: they are contiguous
  PartBits,     ///< the range of a call counts parts of blocks: 2^this of each
  M,            ///< field: rows of a batch
  N = M + 2,    ///< field: elements of a row
  Batch0 = N + 2,
  Batch1 = Batch0 + 2,
  BlockLength = Batch1 + 2, ///< field: items in a block
  Tensors = BlockLength + 2,
};
enum TensorSlot : uint64_t {
  Bytes,  ///< bytes of an element
  AlongM, ///< all bits set if its elements differ from row to row, otherwise 0
  AlongN, ///< all bits set if its elements differ along a row, otherwise 0
  Output, ///< 1: it is an output
  Step0,  ///< field: distance in elements between trips of the outer batch loop
  Step1 = Step0 + 2,
  RowDistance = Step1 + 2, ///< field: stride in elements between rows
  TensorSlots = RowDistance + 2,
};

/// Loops of a kernel of the key `any`.
constexpr unsigned kLaunchLoops = 8;
/// In the description of a kernel of the key `any`, `LaunchSlots` follow, then `LaunchTensorSlots` for each tensor.
/// There, AlongM and AlongN of a tensor say whether it varies in the plane.
enum LaunchSlot : uint64_t {
  Piece,  ///< the maximum number of elements of a piece with buffers
  Copies, ///< 1: the output has the elements of its only input
  Sizes,  ///< fields: trips of the loops n, m, batch1, batch0, batch2 .. batch5, innermost first
  LaunchSlots = Sizes + 2 * kLaunchLoops,
};
enum LaunchTensorSlot : uint64_t {
  OfLaunch,        ///< 1: the launch decides along which loops it varies; 0: it is full or one element
  Across,          ///< 1: it is contiguous along another loop than n
  StillPlane,      ///< the plane in which, besides inputs of one element, only it is a scalar; null: there is none
  LaunchN,         ///< field: 1 if it varies along n, otherwise 0; the stride in elements if it is read across
  LaunchM = 5,     ///< field: 1 if it varies along m, otherwise 0
  RowStep = 7,     ///< field: stride in elements between rows, if it varies along m
  LaunchSteps = 9, ///< fields: strides in elements of batch1, batch0, batch2 .. batch5
  LaunchTensorSlots = LaunchSteps + 2 * (kLaunchLoops - 2),
};
} // namespace described

/// void plane(pointers, steps, rows, n, stream, tiling)
///   pointers   to the first element of each tensor
///   steps      bytes from one row to the next, for each tensor; followed by the prefetch distance in
///              bytes of each tensor in the streaming loop
///   rows, n    number of rows (at least 1) and of elements in a row (at least `Wide`)
///   stream     i1: use non-temporal stores
///   tiling     tiling data of the launch, for scalars
llvm::FunctionType *planeType(llvm::LLVMContext &context);

/// i32 walk(arguments, first, last, description): the driver loop of kernels with this number of tensors; `ofLaunch`
/// for those of the key `any`.
llvm::Function *walk(llvm::Module &module, const CpuLevel &level, unsigned tensors, bool ofLaunch);
/// The attribute of an entry of flat kernels that differ in their plane alone, which is its last argument. Its walk has
/// the description of one of them, whose plane is the value of the attribute: a name. The argument takes the place of
/// that plane once the walk is inlined (takePlane).
constexpr llvm::StringLiteral kTakesPlane = "opc-takes-plane";
void takePlane(llvm::Function &entry);

/// Whether a function of this name in a module does the same at each level of an architecture, and nothing inlines it:
/// parts of the walk, and functions without vectors. Any rows and across rows spend their time on copies, for which
/// wide vectors count: they do not. Narrow rows are copied too, but are shorter than an iteration.
bool isSharedPart(llvm::StringRef name);

/// Reads a description and the fields that it refers to.
class Described {
public:
  Described(CodeBuilder &b, llvm::Value *description, llvm::Value *tiling)
      : b(b), description(description), tiling(tiling) {}

  llvm::Value *slot(uint64_t position) { return slotOf(description, position, b.getInt64Ty()); }
  llvm::Value *function(described::Slot which) { return slotOf(description, which, b.getPtrTy()); }
  llvm::Value *field(uint64_t position) { return fieldOf(description, position); }

  /// The part of the description for a tensor, and its slots.
  llvm::Value *tensor(llvm::Value *t);
  /// Types for a kernel of the key `any` with this number of tensors: the part for the launch, and the part for
  /// a tensor.
  llvm::Value *launch(unsigned tensors);
  llvm::Value *launchTensor(unsigned tensors, llvm::Value *t);
  llvm::Value *slotOf(llvm::Value *part, uint64_t position, llvm::Type *type);
  llvm::Value *slotOf(llvm::Value *part, uint64_t position) { return slotOf(part, position, b.getInt64Ty()); }
  llvm::Value *fieldOf(llvm::Value *part, uint64_t position);
  /// The stride in elements between rows of `n` elements of a tensor that varies from row to row.
  llvm::Value *rowDistance(llvm::Value *tensor, llvm::Value *n);

private:
  CodeBuilder &b;
  llvm::Value *description, *tiling;
};

/// The position of a walk: row `item` of a batch.
struct WalkPlace {
  llvm::Value *item, *outer, *inner;
  /// The position of a row, numbered across all batches.
  static WalkPlace of(CodeBuilder &b, llvm::Value *row, llvm::Value *m, llvm::Value *batch1);
  /// The position `rows` rows further; not beyond the end of the batch.
  WalkPlace after(CodeBuilder &b, llvm::Value *rows, llvm::Value *m, llvm::Value *batch1) const;
};

/// The parts of a walk: functions void(description, pointers, tiling, begin, end, stream) for the items begin .. end,
/// at least one.
enum class WalkPart { Flat, LongRows, ShortRows, AnyRows, AcrossRows };
llvm::FunctionType *partType(llvm::LLVMContext &context);
llvm::Function *walkPart(llvm::Module &module, const CpuLevel &level, unsigned tensors, WalkPart part);

/// The offset in bytes of an element of the row at a place, from the first element of the tensor.
llvm::Value *offsetAt(CodeBuilder &b, Described &described, llvm::Value *tensor, const WalkPlace &place, llvm::Value *n,
                      llvm::Value *column);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CODE_WALK_H

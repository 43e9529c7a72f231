// The frame of an entry: its arguments, the fields of the tiling data, the sizes that must agree with the tensors,
// and which items of the work are its own.
//
//   entry(arguments, first_block, last_block):
//     loops, batch loops and strides out of the tiling data, every product checked
//     refuse when a tensor is smaller than what its loops reach, or the work larger than the tensors
//     items begin .. end of this range of blocks; the kernel does them
//
// An item is what blocks are counted in: an element of an elementwise operator, a row, an element that is kept by a
// reduction. Block b has items b * block_length up to the next block's.

#ifndef OPC_LOWERING_CPU_VECTOR_FRAME_H
#define OPC_LOWERING_CPU_VECTOR_FRAME_H

#include "lowering/cpu/vector/FusedKernel.h"

#include <array>
#include <optional>

namespace opc::cpu {

/// A field of the tiling data. One that is the same for every launch is a constant of the kernel.
struct KernelField {
  std::string name;
  std::optional<int64_t> constant = std::nullopt;
};

class Frame {
public:
  /// `fields` are those of the tiling data in order.
  Frame(CodeBuilder &b, FusedKernel &kernel, llvm::ArrayRef<KernelField> fields);

  /// Reads and checks everything, then runs `body` when all is well, and returns from the entry. False after
  /// an error (cpu_c7).
  bool build(llvm::function_ref<void()> body);
  /// Instead of `build`, for a function that is no entry and asks for scalars alone.
  void readScalars(llvm::Value *tilingData);

  llvm::Value *tensor(unsigned i) { return tensors[i]; } ///< its first element
  llvm::Value *loopSize(unsigned loop);
  llvm::Value *begin = nullptr, *end = nullptr; ///< items of this range of blocks
  /// Whether the tensors have more bytes than the launch's stream threshold (i1).
  llvm::Value *exceedsCache = nullptr;
  /// Trip counts of the batch loops; null when the tiling data has none.
  llvm::Value *batch[2] = {nullptr, nullptr};
  /// Elements from one trip of a batch loop to the next, for a tensor; null without batch loops.
  llvm::Value *batchStride(unsigned tensor, unsigned loop) { return strides[tensor][loop]; }
  /// Elements from one trip of R0 to the next in tensor `i` of a reduction.
  llvm::Value *outerStride(unsigned i) { return outer[i]; }
  /// Elements of a tensor's canonical view behind loop `loop`: its stride there, row-major.
  llvm::Value *stride(unsigned tensor, unsigned loop);
  /// Where an item lies: its number within its batch and the trips of the batch loops (null without any). `count`
  /// items are in a batch.
  struct Place {
    llvm::Value *item, *outer, *inner;
  };
  Place placeOf(llvm::Value *item, llvm::Value *count);
  /// First element of tensor `i` at a place, its dimension along `loop` counted by the item.
  llvm::Value *elementAt(unsigned i, const Place &place, unsigned loop);
  /// A scalar argument or scalar arithmetic outside of bodies.
  llvm::Value *scalar(mlir::Value value);

private:
  llvm::Value *field(llvm::StringRef name, llvm::Value *otherwise);
  llvm::Value *slot(llvm::Value *array, llvm::Type *type, uint64_t position);
  llvm::Value *launchScalar(mlir::Type type, uint64_t position);
  void readTiling();
  void readAttributes();
  void computeScalars();
  void checkSizes();
  void splitBlocks();
  llvm::Value *reachOf(unsigned tensor);

  CodeBuilder &b;
  FusedKernel &kernel;
  llvm::ArrayRef<KernelField> fields;
  llvm::Value *tiling = nullptr, *ok = nullptr, *items = nullptr;
  llvm::SmallVector<llvm::Value *> tensors, elements, sizes, outer;
  std::vector<std::array<llvm::Value *, 2>> strides;
  std::vector<std::string> missing;
  llvm::DenseMap<mlir::Value, llvm::Value *> scalars;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_FRAME_H

// The frame of an entry: its arguments, the fields of the tiling data, the checks of sizes against tensors, and the
// range of items that this call processes.
//
//   entry(arguments, first_block, last_block):
//     read loops, batch loops and strides from the tiling data; check every product
//     refuse if a tensor is smaller than what the loops access, or if there is more work than elements
//     process items begin .. end of this range of blocks
//
// Blocks are divided into items: an item is an element of an elementwise operator, a row, a kept element of a
// reduction, or a tile of the results of a matrix product. Block b has the items from b * block_length to the start of
// the next block.

#ifndef OPC_LOWERING_CPU_VECTOR_FRAME_H
#define OPC_LOWERING_CPU_VECTOR_FRAME_H

#include "lowering/cpu/vector/FusedKernel.h"

#include <array>
#include <optional>

namespace opc::cpu {

/// A field of the tiling data; a field that is the same for every launch is a constant of the kernel.
struct KernelField {
  std::string name;
  std::optional<int64_t> constant = std::nullopt;
};

class Frame {
public:
  /// `fields` are the fields of the tiling data, in order.
  Frame(CodeBuilder &b, FusedKernel &kernel, llvm::ArrayRef<KernelField> fields);

  /// Reads and checks everything, runs `body` if all checks pass, and returns its status from the entry. False after an
  /// error (cpu_c7).
  bool build(llvm::function_ref<llvm::Value *()> body);
  /// Replaces `build` in a function that is not an entry and only needs scalars.
  void readScalars(llvm::Value *tilingData);

  llvm::Value *tensor(unsigned i) { return tensors[i]; } ///< address of its first element
  llvm::Value *loopSize(unsigned loop);
  llvm::Value *begin = nullptr, *end = nullptr; ///< items of this range of blocks
  /// The launch's stream threshold in bytes (opc_kernel_arguments).
  llvm::Value *streamThreshold = nullptr;
  /// Trip counts of the batch loops; null if the tiling data has none.
  llvm::Value *batch[2] = {nullptr, nullptr};
  /// The distance in elements between trips of a batch loop, for a tensor; null without batch loops.
  llvm::Value *batchStride(unsigned tensor, unsigned loop) { return strides[tensor][loop]; }
  /// All batch loops, innermost first: their trip counts, and the distances for a tensor. There are two, or more if
  /// batches of a matrix product broadcast at launch, or if the outer one consists of several runs.
  Values batchLoops() const;
  Values batchSteps(unsigned tensor) const;
  /// The numbers of a trip of R0 in each of its runs, at the insertion point.
  Values tripsOfRuns(llvm::Value *r0) { return tripsOf(r0, runs); }
  /// The distance in elements from the first trip of R0 in tensor `i` of a reduction.
  llvm::Value *outerOffset(unsigned i, llvm::ArrayRef<llvm::Value *> trips);
  /// In a matrix product: rows and columns of a tile of its results, at least 1, and the number of tiles of a batch.
  llvm::Value *tileSize[2] = {nullptr, nullptr}, *tileCount[2] = {nullptr, nullptr};
  /// In a matrix product or a gather: the stride in elements between rows of a tensor in memory.
  llvm::Value *rowDistance(unsigned tensor) { return middle[tensor]; }
  /// Along each of the last two dimensions of an input with windows: its size, the size of a window, and the number of
  /// positions of the window.
  struct WindowSizes {
    llvm::Value *in[2], *of[2], *out[2];
    llvm::Value *inDepth, *ofDepth, *outDepth; ///< along a dimension before them; null if windows have no depth
  } window = {};
  /// The number of elements of a tensor.
  llvm::Value *elementsOf(unsigned tensor) { return elements[tensor]; }
  /// For a tensor that is gathered, or whose lines are sorted: the size of the indexed dimension, and the strides in
  /// elements of that dimension and of columns.
  llvm::Value *places(unsigned tensor) { return gathered[tensor][0]; }
  llvm::Value *placeDistance(unsigned tensor) { return gathered[tensor][1]; }
  llvm::Value *columnDistance(unsigned tensor) { return gathered[tensor][2]; }
  /// For a tensor whose elements payloads look up: the size of each dimension of `places`, its stride in elements, and
  /// the stride of columns. Reads the tiling data at the call.
  struct Table {
    Values counts, steps;
    llvm::Value *column = nullptr;
  };
  Table table(unsigned tensor);
  /// In a matrix product, whose operands may be packed: the packed operand, and what the call does with
  /// it (opc_kernel_arguments).
  llvm::Value *packed = nullptr, *packing = nullptr;
  /// The tiling data of the launch.
  llvm::Value *tilingData() { return tiling; }
  /// The stride in elements of loop `loop` in a tensor: for the middle loop of SplitRows and Columns from the tiling
  /// data, else row-major in the canonical view of the tensor.
  llvm::Value *stride(unsigned tensor, unsigned loop);
  /// The position of an item: its number within its batch and the trips of the batch loops (null without any). A
  /// batch has `count` items.
  struct Place {
    llvm::Value *item, *outer, *inner;
  };
  Place placeOf(llvm::Value *item, llvm::Value *count);
  /// The first element of tensor `i` at a place; the item indexes the dimension along `loop`.
  llvm::Value *elementAt(unsigned i, const Place &place, unsigned loop);
  /// The value of a scalar argument, or of scalar arithmetic outside of bodies.
  llvm::Value *scalar(mlir::Value value);

private:
  llvm::Value *field(llvm::StringRef name, llvm::Value *otherwise);
  /// A field of the loops; with several nests, each nest has its own.
  llvm::Value *loopField(llvm::StringRef name, llvm::Value *otherwise);
  llvm::Value *slot(llvm::Value *array, llvm::Type *type, uint64_t position);
  llvm::Value *launchScalar(mlir::Type type, uint64_t position);
  void readTiling();
  void readAttributes();
  void computeScalars();
  void checkSizes();
  void checkWork();
  void divideResults();
  void splitBlocks();
  /// The numbers of a trip in each of the runs of its loop, which have these sizes, at the insertion point.
  Values tripsOf(llvm::Value *trip, llvm::ArrayRef<llvm::Value *> ofRuns);
  void requireProduct(llvm::ArrayRef<llvm::Value *> ofRuns, llvm::Value *trips);
  llvm::Value *reachOf(unsigned tensor);
  llvm::Value *reachOfWindows();
  void checkWindows();
  llvm::Value *reachOfGather(unsigned tensor);

  CodeBuilder &b;
  FusedKernel &kernel;
  llvm::ArrayRef<KernelField> fields;
  llvm::Value *tiling = nullptr, *ok = nullptr, *items = nullptr;
  llvm::SmallVector<llvm::Value *> tensors, elements, sizes, middle;
  /// The trips of each run of R0, innermost first, if there are several; and the distances between trips in each
  /// tensor that has R0.
  Values runs;
  std::vector<Values> outer;
  /// Likewise those of the outer batch loop; then a tensor has no stride for it in `strides`.
  Values batchRuns;
  std::vector<Values> batchOuter;
  std::vector<std::array<llvm::Value *, 2>> strides;
  std::vector<std::array<llvm::Value *, 3>> gathered;
  std::vector<std::string> missing;
  llvm::DenseMap<mlir::Value, llvm::Value *> scalars;
  /// Batch loops around the two of `batch`, innermost first: trips, and distances between trips in each tensor.
  Values moreBatches;
  std::vector<Values> moreStrides;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_FRAME_H

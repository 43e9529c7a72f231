// Emits copies and intrinsics as loops over elements. LaneGroup.h handles those that work lane by lane.
//
// Each emission has two parts: a check that the operation stays inside its tensors and buffers, and loops over as
// many elements as the check allows, all or none. No branch leaves a kernel in the middle: an operation that fails
// the check sets a bit of the status, and the kernel's loops end before their next trip.

#ifndef OPC_LOWERING_CPU_LOOPS_LOOPEMITTER_H
#define OPC_LOWERING_CPU_LOOPS_LOOPEMITTER_H

#include "dialect/aicore/AICoreOps.h"
#include "lowering/cpu/loops/FlatView.h"
#include "lowering/cpu/loops/IndexMath.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace opc::cpu {

/// State of a kernel's function, apart from its tensors and buffers.
struct KernelState {
  mlir::Value status; ///< memref of one i32: OPC_KERNEL_* bits
  mlir::Value steps;  ///< memref of one index: steps that the block has executed
  mlir::Value limit;  ///< index: steps that a block may execute
  /// A buffer of f32 with half as many elements as the longest source of a reduction; null if there is no reduction.
  mlir::Value partials;
};

class LoopEmitter {
public:
  LoopEmitter(mlir::ImplicitLocOpBuilder &b, KernelState state) : b(b), math(b), state(state) {}

  /// aicore.load; `pad` may be null.
  void load(const FlatView &source, const FlatView &destination, mlir::Value pad);
  /// aicore.store
  void store(const FlatView &source, const FlatView &destination, bool atomicAdd);
  /// A vector intrinsic that is not a lane op (LaneGroup.h) and whose types are a row of its table. Views are in the
  /// order of the form; `scalar` may be null. `extent`: for a reduction of rows, the numbers of
  /// rows and columns.
  void vector(aicore::VectorOpInterface op, llvm::ArrayRef<FlatView> sources, mlir::Value scalar,
              const FlatView &destination, llvm::ArrayRef<mlir::Value> extent);
  /// Whether the loops of an intrinsic keep partial results in `partials`.
  static bool needsPartials(Intrinsic intrinsic);

  // CubeLoops.cpp: the cube and its copies.
  void loadNz(const FlatView &source, const FlatView &destination, mlir::Value height);
  void loadPacked(const FlatView &source, const FlatView &destination, mlir::Value height);
  /// The source has rows of UB.
  void storeNz(const FlatView &source, const FlatView &destination, mlir::Value height);
  void fillBlocks(mlir::Value value, const FlatView &destination, mlir::Value first, mlir::Value rows,
                  mlir::Value blocks, mlir::Value stride);
  /// Sizes of the matrix in the destination, and of the columns in the source.
  struct FractalCopy {
    mlir::Value rows, columns, height;
    bool isLeft, transposed; ///< whether the destination is in L0A, and whether the source holds the transpose
  };
  void loadFractals(const FlatView &source, const FlatView &destination, const FractalCopy &copy);
  /// A part of the matrix of windows of an image: sizes and starts in elements.
  struct WindowCopy {
    mlir::Value rows, firstRow, columns, firstColumn, channels, pad;
    aicore::ImageOperands image;
  };
  void loadIm2col(const FlatView &source, const FlatView &destination, const WindowCopy &copy);
  void loadBias(const FlatView &source, const FlatView &destination, mlir::Value count);
  struct Product {
    mlir::Value m, k, n, init;
    std::optional<FlatView> bias; ///< what a new sum starts at; none for zero
  };
  void mmad(const FlatView &lhs, const FlatView &rhs, const FlatView &result, const Product &product);
  /// The destination has rows, or columns of fractals.
  struct Results {
    mlir::Value m, n;
    mlir::Value height; ///< rows between columns of fractals in the source; null: m rounded up to fractals
    bool relu, isNz;
    std::optional<FlatView> scale; ///< of each column
  };
  void fixpipe(const FlatView &source, const FlatView &destination, const Results &results);

  mlir::Value scalarRead(const FlatView &tile, mlir::Value index);
  void scalarWrite(mlir::Value value, const FlatView &tile, mlir::Value index);

  /// Sets a bit of the status unless `ok` (i1).
  void report(mlir::Value ok, int bit);
  /// Counts lanes, or other steps.
  void spend(mlir::Value steps);
  /// Starts a block, which has executed no steps.
  void startBlock();
  /// Counts a trip of a loop as OPC_KERNEL_STEPS_A_TRIP steps, and reports a block that executed too many.
  void spendTrip();
  using LoopBody = llvm::function_ref<llvm::FailureOr<llvm::SmallVector<mlir::Value>>(mlir::Value variable,
                                                                                      mlir::ValueRange carried)>;
  /// A loop of the kernel: for variable = lower; variable < upper; variable += step, while the status is 0. `body`
  /// returns the values carried to the next trip. A step less than 1 must be reported before the loop.
  llvm::FailureOr<llvm::SmallVector<mlir::Value>> kernelLoop(mlir::Value lower, mlir::Value upper, mlir::Value step,
                                                             mlir::ValueRange initial, bool isUnsigned, LoopBody body);
  /// Whether two lengths are equal (i1).
  mlir::Value sameLength(mlir::Value count, mlir::Value other);
  using Body = llvm::function_ref<void(mlir::Value index)>;
  /// for index = 0 .. count - 1
  void forEach(mlir::Value count, Body body);
  mlir::ImplicitLocOpBuilder &builder() { return b; }

private:
  mlir::Value guarded(mlir::Value ok, mlir::Value count, int bit);
  void ifTrue(mlir::Value condition, llvm::function_ref<void()> body);
  void copyRows(const FlatView &source, const FlatView &destination, mlir::Value pad, bool atomicAdd);
  mlir::Value positionOfRow(const FlatView &view, mlir::Value row);

  mlir::Value widened(const FlatView &view, mlir::Value index);
  void compareToMask(aicore::VectorOpInterface op, llvm::ArrayRef<FlatView> sources, mlir::Value scalar,
                     const FlatView &destination);
  void select(llvm::ArrayRef<FlatView> sources, mlir::Value scalar, const FlatView &destination);
  void withRows(Intrinsic intrinsic, llvm::ArrayRef<FlatView> sources, const FlatView &destination);
  void reduce(Intrinsic intrinsic, const FlatView &source, const FlatView &destination);
  void reduceRows(Intrinsic intrinsic, const FlatView &source, const FlatView &destination, mlir::Value rows,
                  mlir::Value columns);
  void sumByCount(const FlatView &source, const FlatView &destination, mlir::Value count);
  void reduceParts(Intrinsic intrinsic, const FlatView &source, const FlatView &destination);
  void addPairs(const FlatView &source, const FlatView &destination);
  /// Reduces `count` elements, at least one, that `read` returns as f32. The result is f32. Uses `partials`.
  mlir::Value reduceTree(Intrinsic intrinsic, ElementType type, mlir::Value count,
                         llvm::function_ref<mlir::Value(mlir::Value)> read);

  // MoveLoops.cpp
  void gather(llvm::ArrayRef<FlatView> sources, const FlatView &destination);
  void scatter(llvm::ArrayRef<FlatView> sources, const FlatView &destination);
  void gatherMask(llvm::ArrayRef<FlatView> sources, const FlatView &destination);
  void gatherPattern(GatherPattern pattern, const FlatView &source, const FlatView &destination);
  void transpose(const FlatView &source, const FlatView &destination);
  void channelsLast(const FlatView &source, const FlatView &destination);
  // SortLoops.cpp
  void sortGroups(llvm::ArrayRef<FlatView> sources, const FlatView &destination);
  void mergeLists(llvm::ArrayRef<FlatView> lists, const FlatView &destination);

  /// Whether a byte offset is the offset of an element of a tile (i1), and the index of that element; 0 if it is not.
  std::pair<mlir::Value, mlir::Value> elementAtOffset(const FlatView &tile, mlir::Value offset);
  /// Bit `index` of a mask (i1).
  mlir::Value bitOf(const FlatView &mask, mlir::Value index);
  /// Whether the first `count` elements of a view belong to it and are inside its root (i1).
  mlir::Value hasRoom(const FlatView &view, mlir::Value count);
  /// ceil(value / divisor) * factor, for values that are not negative.
  mlir::Value lengthOf(const ResultLength &length, mlir::Value value);

  mlir::ImplicitLocOpBuilder &b;
  IndexMath math;
  KernelState state;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_LOOPS_LOOPEMITTER_H

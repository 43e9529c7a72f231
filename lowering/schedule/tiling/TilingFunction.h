// The tiling function of a te body: what the host computes before each launch, for all shape keys of a type row.
//
//   sizes of the launch ─► coalesce: at most eight loops ─► which key ─► sizes, batch loops, strides
//                                                                  └─► the policy's fields
//
// Coalescing. Dimensions are aligned to the right and visited from the last to the first. Dimensions of size 1 are
// skipped; neighbours that broadcast the same tensors, or that are both reduced, form one loop.
//
//   x1 [4, 1, 5, 6]  x2 [3, 1, 1]     last to first: 6 x2 column, 5 x2 column | 3 x1 stretches | 4 x2 stretches
//
// The inner one or two loops are the canonical ones of the key (ops/contract/domain/ShapeKeys.h). Up to two more are
// batch loops, which the backend puts around the body. The whole function is straight-line code with selects.
//
// Results, by name. The first two always exist, the others if a key of the operator has them:
//
//   block_num        from the policy
//   tiling_key       256 * type row + number of the key; 2^32 - 1: no kernel for these shapes
//   size0..size2     the canonical loops of the key, outermost first
//   batch0, batch1   trip counts of the batch loops, outermost first; 1 if the shapes need none
//   batch2 .. batch5 with the key `any`, and of products whose batches broadcast at launch: of further batch loops,
//                    each around all before it; <tensor>_s2 .. _s5
//   <tensor>_s0, _s1 distance in elements between trips of batch0, batch1 in a tensor; 0: it broadcasts
//   <tensor>_r0      keys with a loop R0: distance in elements between its trips in a tensor
//   size0_r0, size0_r1, ... , <tensor>_r1, ...   split_rows and columns whose loop R0 consists of several runs: the
//                    trips of each, innermost first, whose product is size0, and the distances of the others
//   <tensor>_m       split_rows and columns: likewise of the middle loop; any: of the rows of a tile; contraction: of
//                    the rows of its matrix in memory
//   <tensor>_n       any: likewise of the columns of a tile, for an input that is read across
//   <tensor>_along_m, <tensor>_along_n   any: 1 if an input differs along the loop, 0 if it stands still
//   window_in0, _of0, _out0, window_in1 ...   of windows: the sizes of the input, of windows, and of their places,
//                    along each of two or three dimensions
//   window_reached   1 if a window has an element of the input, 0 if all are padding
//   followed by the policy's fields
// Where nests of a launch have a workspace, "workspace" is its size in bytes, and "between_0_at" and so on say where in
// it each value begins. The board's launch has one memory for all of them; in a simulated launch each is a tensor.
//
// Where a launch has several nests (ops/contract/domain/Nests.h), the fields of loops are there for each, "size0_n1".
// A launch without elements selects the first key, with a size0 (for a reduction size1 or size2) of 0.

#ifndef OPC_LOWERING_SCHEDULE_TILING_TILINGFUNCTION_H
#define OPC_LOWERING_SCHEDULE_TILING_TILINGFUNCTION_H

#include "dialect/aicore/index/TilingMath.h"
#include "ops/contract/Shapes.h"
#include "ops/contract/domain/ShapeKeys.h"
#include "runtime/program/Bytecode.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>
#include <vector>

namespace opc {

/// Values in a workspace begin at multiples of this, in bytes: that of whole lines of the L2 cache.
inline constexpr int64_t kWorkspaceAlignment = 512;

/// The sizes of the windows of a launch, along each of the last two dimensions.
struct LaunchWindows {
  mlir::Value over[2], size[2], places[2];
  mlir::Value overDepth, sizeDepth, placesDepth; ///< along a dimension before them; 1 if there is none
  bool hasDepth = false;
  int64_t stride[2] = {1, 1}, dilation[2] = {1, 1};
};

/// The sizes of a launch from the point of view of one key.
struct LaunchSizes {
  llvm::SmallVector<mlir::Value, 3> size; ///< of the canonical loops, outermost first
  mlir::Value batch0, batch1;             ///< trip counts of the batch loops; constant 1 without any
  mlir::Value maxBlocks;                  ///< blocks that the device can use at once, at least 1
  const LaunchWindows *windows = nullptr; ///< null: without any
};

/// A field of the tiling data.
struct PolicyField {
  std::string name;
  mlir::Value value;
};

/// How a backend divides its work. The builder of a tiling function queries it for each key. A field that only some
/// keys have is 1 for the others.
class TilingPolicy {
public:
  virtual ~TilingPolicy() = default;
  /// Longer rows take a long key (rows_long, reduce_rows_long). nullopt: long and short rows are handled alike, and
  /// all take the short key.
  virtual std::optional<int64_t> longestRow(const ShapeKey &shortKey) = 0;
  /// The length from which on rows take a key of Grid in which inputs share a row; shorter ones take `any`.
  virtual int64_t shortestRow(const ShapeKey & /*key*/, const ShapeKey & /*any*/) const { return 0; }
  /// The maximum number of elements of a row that a window may cover: no key supports more. nullopt: no limit.
  virtual std::optional<int64_t> longestWindow(const ShapeKey &) { return std::nullopt; }
  /// The same for the windows of a launch, out of this maximum.
  virtual mlir::Value longestOf(TilingMath &math, const ShapeKey &, const LaunchWindows &, int64_t longest) const;
  /// A launch whose first number is less than the second takes the wide key in any case: it has few products for each
  /// window. `sizes` of m, n and k. nullopt: none does.
  virtual std::optional<std::pair<mlir::Value, mlir::Value>>
  fewProducts(TilingMath &, llvm::ArrayRef<mlir::Value> /*sizes*/, const LaunchWindows &) const {
    return std::nullopt;
  }
  /// The value to compare with it: the number of elements after the first that a window covers.
  virtual mlir::Value reachOf(TilingMath &math, const ShapeKey &key, const LaunchWindows &windows) const;
  /// The maximum size of the last dimension of a tensor whose lines are loaded whole: longer ones use the key that
  /// takes their elements one by one. nullopt: no limit.
  virtual std::optional<int64_t> longestLine(llvm::StringRef) const { return std::nullopt; }
  /// The maximum number of elements of a line that is sorted; nullopt: any.
  virtual std::optional<int64_t> longestSorted() const { return std::nullopt; }
  /// The maximum trip count of k that a resident key supports, since a panel holds all of k. nullopt: no launch
  /// uses it.
  virtual std::optional<int64_t> longestPanel(const ShapeKey &) { return std::nullopt; }
  /// What a key with a right matrix in L1 supports.
  struct RightLimits {
    int64_t longestRow = 0, mostOfK = 0;
    int64_t fewRows = 0; ///< launches of no more rows of m gain nothing
  };
  /// nullopt: no launch uses it.
  virtual std::optional<RightLimits> rightLimits(const ShapeKey &) { return std::nullopt; }
  /// About the bytes that a product of sizes m, n, k loads for each 256 of k with this key; a launch takes the key with
  /// the fewest. Null: it takes another key if it can.
  virtual mlir::Value trafficOf(TilingMath &, const ShapeKey &, llvm::ArrayRef<mlir::Value>) const { return {}; }
  /// Whether kernels of a product whose rows are reduced have results of rows without elements.
  virtual bool reducesNothing() const { return false; }
  /// Whether the rows of a tile are the loop along which inputs that are read across are contiguous. Else the loops are
  /// in the order of the outputs.
  virtual bool takesRowsAcross() const { return false; }
  /// Whether a launch with several nests has the blocks of all nests one after another. Else each block works on a
  /// share of every nest. A key with a nest has its fields with the suffix of the nest, "block_num" among them.
  virtual bool addsBlocks() const { return false; }
  /// All fields of one key. One of them must be "block_num", known to be at least 1.
  virtual std::vector<PolicyField> fields(TilingMath &math, const ShapeKey &key, const LaunchSizes &sizes) = 0;
};

/// Appends the tiling function `name` to the module. `keys` are all keys of the contract, by number. Sizes in
/// `shapes` become constants instead of arguments, and are folded.
mlir::func::FuncOp buildTilingFunction(mlir::ModuleOp module, mlir::Location location, llvm::StringRef name,
                                       const Contract &contract, llvm::ArrayRef<ShapeKey> keys, unsigned typeRow,
                                       TilingPolicy &policy, const StaticShapes &shapes = {});

/// The result of this name, if it is a constant.
std::optional<int64_t> constantResult(mlir::func::FuncOp tiling, llvm::StringRef name);

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_TILING_TILINGFUNCTION_H

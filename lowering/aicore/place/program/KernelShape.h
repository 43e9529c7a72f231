// The loops and arguments of a fused instance, without its computation.

#ifndef OPC_LOWERING_AICORE_PLACE_PROGRAM_KERNELSHAPE_H
#define OPC_LOWERING_AICORE_PLACE_PROGRAM_KERNELSHAPE_H

#include "lowering/aicore/place/program/TileProgram.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace opc::aicore {

/// How the canonical loops of an instance are processed.
enum class KernelForm : uint8_t {
  Flat,          ///< loops (n)
  Grid,          ///< loops (m, n), elementwise
  Rows,          ///< loops (m, n), rows are reduced
  ReduceRows,    ///< loops (R0, K, R1)
  ReduceColumns, ///< loops (R0, R1, K)
  SplitRows,     ///< loops (R0, m, n), rows in pieces are reduced
  Columns,       ///< loops (R0, R1, K) with any number of reductions
  Windows,       ///< like Columns; R1 runs over the elements of the windows of an input, K over the positions of
                 ///< the window
  Any,           ///< loops (m, n), elementwise; the launch decides which of these loops some inputs have
  Contraction,   ///< loops (m, n, k): a matrix product, and elementwise operations on its results; the right matrix may
                 ///< be windows of an input
  Convolution,   ///< the same with windows, on the vector unit
  Gather,        ///< loops (m, n), elementwise; some inputs are the indices at which rows of others are read
  Scatter,       ///< likewise, where rows, or elements, of the result lie, which begins as an input
  Sorted,        ///< loops (m, n), elementwise on the first elements of sorted lines along m or n, and on their indices
};

/// A tensor argument of the kernel, or a part of one.
struct KernelTensor {
  std::string name;
  unsigned argument = 0; ///< of the kernel
  bool isPart = false;   ///< in Grid: a part of the argument, which starts at the field `<name>_at`
  ElementType type = ElementType::Float32;
  Spread spread = Spread::Full; ///< its broadcast kind in the loops
  bool ofPieces = false;        ///< in SplitRows: one element for each piece of a row
  bool isOfLaunch = false;      ///< in Any: the launch decides which loops it has
  bool isAcross = false;        ///< in Any: it is contiguous along the rows of a tile
  bool isOutput = false;
  bool isPacked = false;           ///< in Contraction: it lies in columns of fractals
  bool isPackedBatch = false;      ///< with `isPacked`: several matrices follow each other
  std::optional<unsigned> indices; ///< the tensor with the indices of its rows or elements
  bool isFromEnd = false;          ///< with `indices`: -1 is the last place
  /// The dimensions along which places of its elements are computed, or given one by one (`indices`), in the order of
  /// memory.
  llvm::SmallVector<std::string, 2> places;
  bool isSorted = false;    ///< in Sorted: its lines are sorted
  bool isStill = false;     ///< of Scatter and strided Grid: one element in the whole launch; of strided Rows: the same
                            ///< in all batches
  bool movesAround = false; ///< of Scatter, where elements are rows of a tile: it differs along the loop around them
  bool isApart = false;     ///< with `places`: it is contiguous neither along n nor along the last of them
};

/// The operands of a matrix product: the tensors of the left matrix, m x k, and of the right one, k x n.
struct ProductOperands {
  unsigned left = 0, right = 0;
  bool isLeftAlongK = true, isRightAlongK = false;      ///< the loop along which each is contiguous
  bool isLeftComputed = false, isRightComputed = false; ///< the body computes it from the tensor
  ElementType type = ElementType::Float16;              ///< of the elements that the cube multiplies
};

/// The input with windows, and their strides, dilations and padding along each of the last two dimensions, and along
/// the depth, a dimension before them.
struct WindowedOperand {
  unsigned tensor = 0;
  int64_t stride[2] = {1, 1}, dilation[2] = {1, 1}, padBegin[2] = {0, 0};
  bool hasDepth = false;
  int64_t depthStride = 1, depthDilation = 1, depthPadBegin = 0;
  /// The tiling data's field of a size, "in", "of" or "out", along one of the last two dimensions.
  std::string field(llvm::StringRef which, unsigned axis) const {
    return "window_" + which.str() + std::to_string(axis + unsigned(hasDepth));
  }
  bool isShared = true; ///< all filters share them: each reads all channels
};

/// The loops and arguments of an instance.
struct KernelShape {
  KernelForm form = KernelForm::Flat;
  bool isBatched = false;   ///< in Rows and SplitRows: with batch loops
  bool isStretched = false; ///< in Contraction: batches broadcast at launch, in up to kMostBatches loops
  unsigned outerRuns = 1;   ///< in SplitRows and Columns: the number of runs that R0 consists of
  unsigned batchRuns = 1;   ///< with isBatched: likewise the outer batch loop
  std::vector<KernelTensor> tensors;
  bool isAcross = false;         ///< in Any: an input is read across, and rows of all tensors have a stride
  bool isStrided = false;        ///< of Grid and Rows: rows of all tensors have a stride
  bool isScanned = false;        ///< of Grid: steps combine each row, or element of a row, with those before it
  ProductOperands product;       ///< of Contraction and Convolution
  bool isOfOperand = false;      ///< in Contraction: of what computes an operand (Prologue.h)
  bool hasLongRows = false;      ///< in Contraction: rows are reduced that no tile in L0C holds (RowTiles.h)
  bool isResident = false;       ///< in Contraction: the left panel of a row of tiles stays in L1
  bool hasResidentRight = false; ///< in Contraction: the right matrix of a batch stays in L1
  std::optional<WindowedOperand> windows;
  /// Tensors of a scatter. `ofElements`: each element of the updates has an index. Then n runs over the rows of a tile,
  /// of one element each, m is a loop around them, and the spreads of tensors are in these loops.
  struct Scatter {
    unsigned data = 0, result = 0, indices = 0;
    bool ofElements = false;
  };
  std::optional<Scatter> scatter;
  std::string suffix;                  ///< with several nests: the suffix of the names of its loops' fields, "_n1"
  llvm::SmallVector<unsigned> scalars; ///< indices of the arguments that are launch attributes
};

/// Whether a kernel multiplies matrices.
inline bool isProduct(KernelForm form) {
  return form == KernelForm::Contraction || form == KernelForm::Convolution;
}

/// Whether a generic is the matrix product of a body, whose loops are m, n and k. Others reduce rows of its result.
bool multipliesMatrices(mlir::linalg::GenericOp generic);

/// Whether a function is an instance of a te body at phase fused.
bool isFusedInstance(mlir::func::FuncOp function);

/// Reads arguments and iterators. Reports a function that is no instance of phase `fused` (place_c2).
mlir::FailureOr<KernelShape> readKernelShape(mlir::func::FuncOp fused);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_PROGRAM_KERNELSHAPE_H

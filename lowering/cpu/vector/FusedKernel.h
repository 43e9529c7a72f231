// A te kernel at phase `fused`, read and checked: its arguments, loops and stored values.
//
//   func.func @k(%x1: memref<?xf16>, %x2: memref<1xf16>, %y: memref<?xf16>, %beta: f32)
//     tensors: x1 dims {0}, x2 dims {-1}, y dims {0}; scalars: beta
//     values:  to_tensor, tensor.empty, linalg.fill, linalg.generic, tensor.dim, scalar arithmetic
//     stores:  bufferization.materialize_in_destination
//
// Rules cpu_c5 to cpu_c7: runtime/diagnostic/codes/Rules.def.

#ifndef OPC_LOWERING_CPU_VECTOR_FUSEDKERNEL_H
#define OPC_LOWERING_CPU_VECTOR_FUSEDKERNEL_H

#include "lowering/cpu/vector/Payload.h"
#include "lowering/cpu/vector/code/Memory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/STLExtras.h"

#include <array>
#include <string>
#include <vector>

namespace opc::cpu {

/// A window along a dimension: element k of window o is at o * stride + k * dilation - padBegin.
struct WindowSteps {
  int64_t stride = 1, dilation = 1, padBegin = 0;
};

/// A tensor argument, or a part of one. Its canonical view is row-major over its own loops.
struct KernelTensor {
  mlir::BlockArgument argument;
  unsigned number;  ///< of the launch's tensors
  bool isPart;      ///< it starts at the field `<name>_at` of the tensor
  std::string name; ///< as in the fields of the tiling data
  Element element;
  std::vector<int> dims; ///< the loop of each dimension, in the order of memory; -1 for a static size of 1
  bool output = false;
  bool ofLaunch = false;           ///< in the key `any`: the launch decides along which loops it varies
  std::optional<unsigned> indices; ///< in Gather: the tensor with the indices of its elements
  bool fromEnd = false;            ///< with `indices`: -1 is the last index
  bool across = false;             ///< in the key `any`: it is contiguous along another loop than the innermost
  std::vector<std::string> places; ///< in Lookup: the dimensions along which payloads compute indices of its elements
  bool isUnsigned = false;         ///< for an operand of a product of bytes: they are unsigned
  bool sorted = false;             ///< in Sorted: its lines are sorted
  /// For an input with windows: their strides and padding along its last two dimensions; the first may have size 1.
  std::optional<std::array<WindowSteps, 2>> windows;
  std::optional<WindowSteps> depth; ///< likewise along a third dimension, before these
};

/// Inputs that a caller may pack before, by their slot (OPC_KERNEL_ENTRY_PACKS).
using PackedInputs = std::array<std::optional<unsigned>, 2>;

class FusedKernel {
public:
  /// Reads a function. `tensorNames` are the contract's inputs, then its outputs. Returns nullopt after an error at
  /// the op that breaks a rule.
  static std::optional<FusedKernel> read(mlir::func::FuncOp function, llvm::ArrayRef<std::string> tensorNames,
                                         llvm::LLVMContext &context);

  enum class Kind {
    Elementwise,   ///< one or two loops, no reduction
    Rows,          ///< loops (m, n), reductions along n
    ReduceRows,    ///< loops (R0, K, R1)
    ReduceColumns, ///< loops (R0, R1, K)
    SplitRows,     ///< loops (R0, m, n), reductions along R0 and n
    Columns,       ///< loops (R0, R1, K), any number of reductions along R0 and R1
    Contraction,   ///< loops (m, n, k): a matrix product, elementwise generics over its operands and results, and
                   ///< reductions of rows of its results
    Windows,       ///< loops (R0, R1, K), reductions along R1, the elements of windows; K runs over the positions of
                   ///< the window
    Gather,        ///< loops (m, n), no reduction; some tensors are the indices of rows or elements of others
    Counted,       ///< loops (m, n); positions along m and n are values
    Scanned,       ///< loops (m, n); elements are combined along m or n
    Lookup,        ///< as Counted; payloads compute the indices of elements of some inputs
    Sorted,        ///< as Counted; along m or n runs a sorted line of a tensor
    Scattered,     ///< as Gather; a tensor also has the indices of rows or elements of the output
  };

  mlir::func::FuncOp function;
  std::string name;
  Kind kind = Kind::Elementwise;
  bool ofLaunch = false;    ///< of the key `any`
  bool strided = false;     ///< of the key `strided`: rows of each tensor have their own stride
  bool isStretched = false; ///< of Contraction: batches broadcast at launch, in up to kMostBatches loops
  bool isOuter = false;     ///< no tensor has all loops
  unsigned outerRuns = 1;   ///< of SplitRows and Columns: the number of runs that R0 consists of
  unsigned batchRuns = 1;   ///< likewise of the outer batch loop
  std::string suffix;       ///< with several nests: the suffix of the names of its loops' fields, "_n1"
  unsigned loops = 1;
  std::vector<KernelTensor> tensors; ///< inputs, then outputs
  std::vector<mlir::BlockArgument> scalars;
  std::vector<mlir::linalg::GenericOp> generics; ///< in program order
  /// For each output in `tensors`, in order: the tensor value that is stored in it.
  std::vector<mlir::Value> stored;
  PayloadCost cost;
  std::vector<mlir::Operation *> scans; ///< of Scanned and Sorted: te.scan or te.sort, in program order
  unsigned scanned = 0;                 ///< of Scanned and Sorted: the loop of the scan or sort
  /// Of Contraction; of the kernel of kind Rows that follows it, whose last tensor before the outputs has its results.
  mlir::linalg::GenericOp product;
  unsigned leftOperand = 0, rightOperand = 0; ///< of Contraction: the tensors over (m, k) and (k, n)
  mlir::Value leftComputed, rightComputed;    ///< likewise: what is multiplied, if it is computed from the tensor
  bool isOfBytes = false;                     ///< of Contraction: int8 and uint8, into int32
  std::optional<unsigned> windowed;           ///< the input with windows; in Contraction it is the right operand
  std::optional<unsigned> begunAs;            ///< of Scattered: the input that initialises the output

  /// Whether a tensor differs along a loop.
  bool isAlong(unsigned tensor, int loop) const { return llvm::is_contained(tensors[tensor].dims, loop); }
  /// In Gather and Scattered: whether each element of a row of the tensor has its own index.
  bool hasIndexOfEach(unsigned tensor) const {
    const KernelTensor &own = tensors[tensor];
    return own.indices && (own.across || isAlong(*own.indices, 1));
  }
  /// Whether positions along m and n are values.
  bool counts() const { return kind == Kind::Counted || kind == Kind::Lookup; }
  /// The loop whose iterations are items, in addition to batch loops; 0 for elementwise kernels.
  unsigned itemLoop() const {
    return kind == Kind::ReduceRows || kind == Kind::SplitRows                             ? 1
           : kind == Kind::Scanned || kind == Kind::Sorted                                 ? 1 - scanned
           : kind == Kind::ReduceColumns || kind == Kind::Columns || kind == Kind::Windows ? 2
                                                                                           : 0;
  }
  /// The inputs that a caller may pack into the kernel's own form before a launch: the left operand of a product, and
  /// the right one unless it has windows. What is computed from an operand may depend on other inputs of the launch.
  PackedInputs packedInputs() const {
    using Packed = PackedInputs::value_type;
    if (kind != Kind::Contraction)
      return {};
    return {leftComputed ? Packed() : leftOperand, windowed || rightComputed ? Packed() : rightOperand};
  }
  /// Whether rows of a product's results are reduced after it.
  bool reducesRows() const {
    return product && llvm::any_of(generics, [&](mlir::linalg::GenericOp op) {
             return op != product && op.getNumReductionLoops() != 0;
           });
  }
  /// The range of a call counts 2^this parts of each block, so that a nest of one block is divided too.
  unsigned partBits() const { return kind == Kind::Elementwise && !suffix.empty() ? 10 : 0; }
  unsigned firstOutput() const { return tensors.size() - stored.size(); }
  /// Index of the tensor that a value reads as a whole; nullopt if the value is computed.
  std::optional<unsigned> tensorOf(mlir::Value value) const;
  /// In Elementwise and Gather: the input whose elements the only output has, byte for byte; nullopt if there is none.
  std::optional<unsigned> copiedInput() const;

private:
  bool readArguments(llvm::ArrayRef<std::string> tensorNames, llvm::LLVMContext &context);
  bool readBody();
  bool readKind();
  mlir::Type movedFloat();
  bool checkWindows();
  bool readScans();
  bool checkLookups();
  bool readSorts();
  bool readScattered();
  bool readContraction();
  bool checkComputed(mlir::Value value, unsigned operand);
  llvm::StringRef ofShapeKey() const;
  bool readGeneric(mlir::linalg::GenericOp op);
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_FUSEDKERNEL_H

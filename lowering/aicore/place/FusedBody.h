// A fused body read into a tile program: every linalg.generic of the chain becomes steps, in the
// order of the text.

#ifndef OPC_LOWERING_AICORE_PLACE_FUSEDBODY_H
#define OPC_LOWERING_AICORE_PLACE_FUSEDBODY_H

#include "lowering/aicore/place/TileProgram.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace opc::aicore {

/// How the canonical loops of an instance are worked on.
enum class KernelForm : uint8_t {
  Flat,          ///< loops (n)
  Grid,          ///< loops (m, n), each element by itself
  Rows,          ///< loops (m, n), rows are reduced
  ReduceRows,    ///< loops (R0, K, R1)
  ReduceColumns, ///< loops (R0, R1, K)
};

/// A tensor argument of the kernel.
struct KernelTensor {
  std::string name;
  ElementType type = ElementType::Float32;
  Spread spread = Spread::Full; ///< as it lies in the loops
  bool isOutput = false;
};

/// What an instance is, without its computation.
struct KernelShape {
  KernelForm form = KernelForm::Flat;
  std::vector<KernelTensor> tensors;
  llvm::SmallVector<unsigned> scalars; ///< arguments that are launch attributes
};

/// Whether a function is an instance of a te body at phase fused.
bool isFusedInstance(mlir::func::FuncOp function);

/// Reads arguments and iterators. Reports what is no instance as section "fused" of the phases has
/// it (place_c2).
mlir::FailureOr<KernelShape> readKernelShape(mlir::func::FuncOp fused);

/// Reads the computation. `scalars` maps launch attributes of `fused` to values at the entry's
/// block; `expansion` is the type of functions that the chip lacks, where they have come from
/// float16; `sizeOf` gives the trips of a canonical loop as a value of type index.
mlir::FailureOr<TileProgram> readFusedBody(mlir::func::FuncOp fused, const KernelShape &shape,
                                           const Target &target, ElementType expansion,
                                           mlir::OpBuilder &entry, mlir::IRMapping &scalars,
                                           llvm::function_ref<mlir::Value(unsigned)> sizeOf);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_FUSEDBODY_H

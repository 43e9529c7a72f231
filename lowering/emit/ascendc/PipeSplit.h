// Decides whether the tile loop of a kernel can be read as CopyIn, Compute, CopyOut.

#ifndef OPC_LOWERING_EMIT_ASCENDC_PIPESPLIT_H
#define OPC_LOWERING_EMIT_ASCENDC_PIPESPLIT_H

#include "dialect/aicore/AICoreOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace opc {

/// The pipes of the three methods, in order.
inline constexpr aicore::Pipe kStages[] = {aicore::Pipe::MTE2, aicore::Pipe::V, aicore::Pipe::MTE3};

/// The only loop of a kernel that copies and computes, if its body has no control flow and no carried values, and its
/// copies and intrinsics are loads, then vector ops, then stores; otherwise null. The order of each pipe is the same
/// in both forms.
mlir::scf::ForOp findTileLoop(mlir::func::FuncOp kernel);

/// The parts of the loop body that a method needs: its pipe ops and the scalar ops that they depend on, in program
/// order; and the values from outside the body that it takes as parameters, in the order of their first use.
struct Stage {
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallVector<mlir::Value> parameters;
};

/// `isKnown` is true for values that a method can use without a parameter: constants, fields, tensors.
Stage sliceStage(mlir::scf::ForOp loop, aicore::Pipe pipe, llvm::function_ref<bool(mlir::Value)> isKnown);

/// Pure index and float arithmetic, tiling data, block index.
bool isScalarOp(mlir::Operation *op);

} // namespace opc

#endif // OPC_LOWERING_EMIT_ASCENDC_PIPESPLIT_H

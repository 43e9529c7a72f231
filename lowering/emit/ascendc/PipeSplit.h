// Whether the tile loop of a kernel reads as CopyIn, Compute, CopyOut.

#ifndef OPC_LOWERING_EMIT_ASCENDC_PIPESPLIT_H
#define OPC_LOWERING_EMIT_ASCENDC_PIPESPLIT_H

#include "dialect/aicore/AICoreOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace opc {

/// The pipes of the three methods, in order.
inline constexpr aicore::Pipe kStages[] = {aicore::Pipe::MTE2, aicore::Pipe::V, aicore::Pipe::MTE3};

/// The one loop of a kernel that copies and computes, when its body is straight, carries nothing, and its
/// copies and intrinsics come as loads, then vector work, then stores; null otherwise. A pipe's own order is
/// the same in both forms.
mlir::scf::ForOp findTileLoop(mlir::func::FuncOp kernel);

/// What a method needs of the loop's body: its pipe ops, and the scalar ops that they depend on, in the order of the
/// body; and the values from outside of the body that it takes as parameters, in the order of their first use.
struct Stage {
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallVector<mlir::Value> parameters;
};

/// `isKnown` tells which values a method reaches without a parameter: constants, fields, tensors.
Stage sliceStage(mlir::scf::ForOp loop, aicore::Pipe pipe, llvm::function_ref<bool(mlir::Value)> isKnown);

/// Pure index and float arithmetic, tiling data, block index.
bool isScalarOp(mlir::Operation *op);

} // namespace opc

#endif // OPC_LOWERING_EMIT_ASCENDC_PIPESPLIT_H

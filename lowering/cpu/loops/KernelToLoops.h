// Converts a kernel to a function of plain loops. See convert-aicore-to-loops in Passes.td for the form of the
// function.

#ifndef OPC_LOWERING_CPU_LOOPS_KERNELTOLOOPS_H
#define OPC_LOWERING_CPU_LOOPS_KERNELTOLOOPS_H

#include "dialect/aicore/AICoreOps.h"
#include "lowering/cpu/loops/LaneGroup.h"
#include "lowering/cpu/loops/LoopEmitter.h"
#include "lowering/cpu/loops/FlatView.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

#include <optional>

namespace opc::cpu {

class KernelToLoops {
public:
  /// `fields` are the names of the tiling function's results.
  KernelToLoops(mlir::func::FuncOp kernel, llvm::ArrayRef<llvm::StringRef> fields)
      : kernel(kernel), fields(fields), b(kernel.getLoc(), kernel.getContext()) {}

  /// Inserts the function before the kernel and removes the kernel.
  mlir::LogicalResult run();

private:
  mlir::LogicalResult checkArguments();
  mlir::LogicalResult collectBuffers();
  mlir::func::FuncOp createFunction();
  void bindArguments(mlir::func::FuncOp function);
  mlir::Value slotOfTilingData(int64_t position);
  mlir::Value launchScalar(mlir::Type type, int64_t position);
  mlir::LogicalResult readTilingData();

  mlir::LogicalResult convertBlock(mlir::Block &block);
  mlir::LogicalResult convertOp(mlir::Operation &op);
  mlir::LogicalResult convertBlocks(mlir::func::FuncOp function);
  mlir::LogicalResult convertLoop(mlir::scf::ForOp op);
  mlir::LogicalResult convertIf(mlir::scf::IfOp op);
  mlir::LogicalResult convertLaneOp(mlir::Operation &op);
  mlir::LogicalResult checkTypes(aicore::VectorOpInterface op);
  mlir::LogicalResult convertVector(aicore::VectorOpInterface op);
  void dropUnusedBuffers(mlir::func::FuncOp function);
  mlir::LogicalResult convertScalar(mlir::Operation &op);
  mlir::LogicalResult convertView(mlir::Operation &op);
  mlir::LogicalResult convertDim(mlir::memref::DimOp dim);
  mlir::Value guardedDivisor(mlir::Operation &op);

  mlir::Value lookup(mlir::Value value) { return scalars.lookup(value); }
  mlir::LogicalResult convertCube(mlir::Operation &op);
  /// Views a flat tile as rows with the sizes of `rows`, `stride` elements apart; returns the tile itself without
  /// a stride.
  FlatView rowsOf(const FlatView &tile, const FlatView &rows, mlir::Value stride);
  const FlatView &viewOf(mlir::Value value) const { return views.find(value)->second; }

  mlir::func::FuncOp kernel;
  llvm::ArrayRef<llvm::StringRef> fields;
  mlir::ImplicitLocOpBuilder b;

  llvm::SmallVector<aicore::BufferOp> buffers;
  int64_t partials = 0; ///< number of f32 elements that reductions need
  bool inOrder = false;

  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, FlatView> views;
  mlir::Value tiling, block;
  KernelState state;
  std::optional<LoopEmitter> emit;
  LaneGroup lanes; ///< pending lane ops
  llvm::DenseMap<mlir::Value, aicore::BufferOp> bufferOf;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_LOOPS_KERNELTOLOOPS_H

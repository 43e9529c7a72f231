// The header shared by host and kernel: the tiling data as a struct, and each tiling function as C++.
//
//   struct AddReluTilingData { uint32_t block_num_; uint64_t block_length; ... };
//   static_assert(sizeof(AddReluTilingData) == 24, ...);
//   inline bool AddReluTiling(int64_t numElementsX1, int64_t maxBlocks, AddReluTilingData &data) { ... }
//
// The function computes in 64 bits what the bytecode computes, and returns false where the bytecode reports an error:
// overflow, division by zero, a field that cannot hold its value. The caller fills in launch attributes.

#ifndef OPC_LOWERING_EMIT_TILING_TILINGHEADER_H
#define OPC_LOWERING_EMIT_TILING_TILINGHEADER_H

#include "lowering/emit/kernel/KernelInterface.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"

namespace opc {

/// Builds `emitc.file "<name>_tiling.h"` at the insertion point. The tiling functions must pass emitTilingBytecode.
mlir::LogicalResult buildTilingHeader(mlir::OpBuilder &builder, llvm::StringRef name,
                                      llvm::ArrayRef<KernelInterface> kernels);

} // namespace opc

#endif // OPC_LOWERING_EMIT_TILING_TILINGHEADER_H

// The header that host and kernel share: the tiling data as a struct, and each tiling function as
// C++.
//
//   struct AddReluTilingData { uint32_t block_num; uint64_t block_length; ... };
//   inline bool AddReluTiling(int64_t numElementsX1, int64_t maxBlocks, AddReluTilingData &data) {
//   ... }
//
// The function computes what the bytecode computes, in 64 bits, and returns false where the
// bytecode reports an error: overflow, division by zero, a field that cannot hold its value. Launch
// attributes are the caller's to fill in.

#ifndef OPC_LOWERING_EMIT_TILING_TILINGHEADER_H
#define OPC_LOWERING_EMIT_TILING_TILINGHEADER_H

#include "lowering/emit/kernel/KernelInterface.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"

namespace opc {

/// The fields of all kernels, each once, in the order of their first appearance; wide where one of
/// them is wide.
std::vector<TilingField> tilingFields(llvm::ArrayRef<KernelInterface> kernels);

/// "uint32_t", "uint64_t", "float".
llvm::StringRef cppTypeName(TilingField::Type type);

/// Builds `emitc.file "<name>_tiling.h"` at the builder's place. The tiling functions must pass
/// emitTilingBytecode.
mlir::LogicalResult buildTilingHeader(mlir::OpBuilder &builder, llvm::StringRef name,
                                      llvm::ArrayRef<KernelInterface> kernels);

} // namespace opc

#endif // OPC_LOWERING_EMIT_TILING_TILINGHEADER_H

// From a tiling function in IR to the bytecode that the runtime runs and manifests contain.
//
// Each arith op on index becomes one instruction. The machine has a closed set: constants, add, sub, mul, floordiv,
// ceildiv, rem, min, max, comparisons, select. All other ops are refused, so that the same function can also be
// printed as C++ and analysed.
//
// Rules emit_c1 to emit_c4 (KernelInterface.h) and tiling_function_c1 to tiling_function_c3:
// runtime/diagnostic/codes/Rules.def.

#ifndef OPC_LOWERING_EMIT_TILING_TILINGBYTECODE_H
#define OPC_LOWERING_EMIT_TILING_TILINGBYTECODE_H

#include "lowering/emit/kernel/KernelInterface.h"

namespace opc {

/// The bytecode of a kernel's tiling function, with tensors as positions in this kernel. The result passes
/// `checkTiling`.
mlir::FailureOr<TilingFunction> emitTilingBytecode(const KernelInterface &kernel);

} // namespace opc

#endif // OPC_LOWERING_EMIT_TILING_TILINGBYTECODE_H

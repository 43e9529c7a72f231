// From a tiling function in IR to the bytecode that runtimes run and manifests hold.
//
// Straight-line arith on index becomes one instruction an op. The closed set is the machine's: constants, add, sub,
// mul, floordiv, ceildiv, rem, min, max, comparisons, select; everything else is refused, so that the same function
// can also be printed as C++ and reasoned about.
//
// Rules emit_c1 to emit_c4 (KernelInterface.h) and tiling_function_c1 to tiling_function_c3:
// runtime/diagnostic/codes/Rules.def.

#ifndef OPC_LOWERING_EMIT_TILING_TILINGBYTECODE_H
#define OPC_LOWERING_EMIT_TILING_TILINGBYTECODE_H

#include "lowering/emit/kernel/KernelInterface.h"

namespace opc {

/// The tiling function that a kernel names, with tensors as positions of this kernel. The result passes `checkTiling`.
mlir::FailureOr<TilingFunction> emitTilingBytecode(const KernelInterface &kernel);

} // namespace opc

#endif // OPC_LOWERING_EMIT_TILING_TILINGBYTECODE_H

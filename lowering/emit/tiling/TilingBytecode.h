// From a tiling function in IR to the bytecode that runtimes run and manifests hold.
//
// Straight-line arith on index becomes one instruction an op. The closed set is the machine's:
// constants, add, sub, mul, floordiv, ceildiv, rem, min, max, comparisons, select; everything else
// is refused, so that the same function can also be printed as C++ and reasoned about.
//
// Rules, beyond those of KernelInterface.h:
//   tiling_function_c1   one block of the closed set on index and i1, no calls, no loops
//   tiling_function_c2   each size is one of a tensor of the kernel
//   tiling_function_c3   at most 16,384 instructions, and 1,024 values that are needed at one time

#ifndef OPC_LOWERING_EMIT_TILING_TILINGBYTECODE_H
#define OPC_LOWERING_EMIT_TILING_TILINGBYTECODE_H

#include "lowering/emit/kernel/KernelInterface.h"

namespace opc {

/// The tiling function that a kernel names, with tensors as positions of this kernel. The result
/// passes `checkTiling`.
mlir::FailureOr<TilingFunction> emitTilingBytecode(const KernelInterface &kernel);

} // namespace opc

#endif // OPC_LOWERING_EMIT_TILING_TILINGBYTECODE_H

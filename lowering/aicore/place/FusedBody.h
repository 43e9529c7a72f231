// A fused body read into a tile program: every linalg.generic of the chain becomes steps, in the order of the text.

#ifndef OPC_LOWERING_AICORE_PLACE_FUSEDBODY_H
#define OPC_LOWERING_AICORE_PLACE_FUSEDBODY_H

#include "lowering/aicore/place/KernelShape.h"
#include "lowering/aicore/place/TileProgram.h"

#include "mlir/IR/IRMapping.h"

namespace opc::aicore {

/// Reads the computation. `scalars` maps launch attributes of `fused` to values at the entry's block; `expansion` is
/// the type of functions that the chip lacks, where they have come from float16; `sizeOf` gives the trips of a
/// canonical loop as a value of type index.
mlir::FailureOr<TileProgram> readFusedBody(mlir::func::FuncOp fused, const KernelShape &shape, const Target &target,
                                           ElementType expansion, mlir::OpBuilder &entry, mlir::IRMapping &scalars,
                                           llvm::function_ref<mlir::Value(unsigned)> sizeOf);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_FUSEDBODY_H

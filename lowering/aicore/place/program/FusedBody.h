// Reads a fused body into a tile program: each linalg.generic of the chain becomes steps, in program order.

#ifndef OPC_LOWERING_AICORE_PLACE_PROGRAM_FUSEDBODY_H
#define OPC_LOWERING_AICORE_PLACE_PROGRAM_FUSEDBODY_H

#include "lowering/aicore/place/program/KernelShape.h"
#include "lowering/aicore/place/program/TileProgram.h"

#include "mlir/IR/IRMapping.h"

namespace opc::aicore {

/// Reads the computation. `scalars` maps launch attributes of `fused` to values in the entry block. `expansion` is
/// the type in which functions that the chip lacks are computed if their operand came from float16. `sizeOf` returns
/// the trip count of a canonical loop as a value of type index.
mlir::FailureOr<TileProgram> readFusedBody(mlir::func::FuncOp fused, const KernelShape &shape, const Target &target,
                                           ElementType expansion, mlir::OpBuilder &entry, mlir::IRMapping &scalars,
                                           llvm::function_ref<mlir::Value(unsigned)> sizeOf);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_PROGRAM_FUSEDBODY_H

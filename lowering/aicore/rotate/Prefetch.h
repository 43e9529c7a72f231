// Loads of the next tile in front of the computation of this one; see Prefetch.cpp.

#ifndef OPC_LOWERING_AICORE_ROTATE_PREFETCH_H
#define OPC_LOWERING_AICORE_ROTATE_PREFETCH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc::aicore {

/// Rewrites each loop of a rotated kernel that loads tiles and makes the scalar unit read what is computed from them.
/// Returns how many there were.
unsigned prefetchLoads(mlir::func::FuncOp kernel);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_ROTATE_PREFETCH_H

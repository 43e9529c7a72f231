// Issues the loads of the next tile before the computation of the current one; see Prefetch.cpp.

#ifndef OPC_LOWERING_AICORE_ROTATE_PREFETCH_H
#define OPC_LOWERING_AICORE_ROTATE_PREFETCH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc::aicore {

/// Rewrites each loop of a rotated kernel that loads tiles and in which the scalar unit reads what is computed from
/// them. Returns the number of such loops.
unsigned prefetchLoads(mlir::func::FuncOp kernel);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_ROTATE_PREFETCH_H

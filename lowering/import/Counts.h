// te.iota in an instance of a body: the loop of the kernel along which it counts.

#ifndef OPC_LOWERING_IMPORT_COUNTS_H
#define OPC_LOWERING_IMPORT_COUNTS_H

#include "ops/contract/ShapeKeys.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc {

/// Sets the loop of each te.iota. Fails with iota_c2 at one along a dimension that is no loop of the kernel.
mlir::LogicalResult nameCountedLoops(mlir::func::FuncOp function, const Contract &contract, const ShapeKey &key);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_COUNTS_H

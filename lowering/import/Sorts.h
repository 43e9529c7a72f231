// te.sort and te.scatter in an instance of a body: what they are of, and the loop of the kernel along which one sorts.

#ifndef OPC_LOWERING_IMPORT_SORTS_H
#define OPC_LOWERING_IMPORT_SORTS_H

#include "ops/contract/ShapeKeys.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc {

/// Sets the loop of each te.sort. Fails with sort_c2 or sort_c3 at one that no kernel has.
mlir::LogicalResult nameSorts(mlir::func::FuncOp function, const Contract &contract, const ShapeKey &key);

/// Replaces te.scatter by what becomes of one element and its update, and marks the result with the input that it begins
/// as (te.scattered). Fails with scatter_c2 or scatter_c3 at one that no kernel has.
mlir::LogicalResult takeScatter(mlir::func::FuncOp function, const Contract &contract, const ShapeKey &key);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_SORTS_H

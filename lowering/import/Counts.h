// te.iota and te.scan in an instance of a body: the loop of the kernel along which they count or scan. te.arg_max and
// te.arg_min count along the one that is reduced.

#ifndef OPC_LOWERING_IMPORT_COUNTS_H
#define OPC_LOWERING_IMPORT_COUNTS_H

#include "ops/contract/ShapeKeys.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc {

/// Sets the loop of each te.iota and te.scan. Fails with iota_c2 or scan_c2 at one along a dimension that is no loop of
/// the kernel, with scan_c3 at scans that no kernel does together, and with arg_c1 at a position along two loops.
mlir::LogicalResult nameLoops(mlir::func::FuncOp function, const Contract &contract, const ShapeKey &key);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_COUNTS_H

// te.iota, te.scan and te.sort in an instance of a body: the loop of the kernel along which they count, scan or sort.
// te.arg_max and te.arg_min count along the one that is reduced.

#ifndef OPC_LOWERING_IMPORT_COUNTS_H
#define OPC_LOWERING_IMPORT_COUNTS_H

#include "ops/contract/domain/ShapeKeys.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc {

/// Sets the loop of each te.iota, te.scan and te.sort. Fails with iota_c2, scan_c2 or sort_c2 at one along a dimension
/// that is no loop of the kernel, with scan_c3 or sort_c3 at some that no kernel does together, and with arg_c1 at a
/// position along two loops.
mlir::LogicalResult nameLoops(mlir::func::FuncOp function, const Contract &contract, const ShapeKey &key);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_COUNTS_H

// Reductions over loops of several runs of dimensions.
//
//   x: [A, B, C]  w: [A, C]      over A, B and C the kernel has the loops r0, of A and B, and n
//
// `w` has r0 with a distance of 0 along B, and its type says the same as that of a value with A and B. So what the
// types of other loops say is checked here: an operand of a reduction has all dimensions that are reduced.

#ifndef OPC_LOWERING_IMPORT_RUNS_H
#define OPC_LOWERING_IMPORT_RUNS_H

#include "ops/contract/Contract.h"
#include "ops/contract/domain/ShapeKeys.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc {

/// Reports axes_c3 where a reduction takes a value that lacks some of the reduced dimensions. The arguments of the
/// function are those of its text. Does nothing if the contract has several nests: their text
/// is parsed over the dimensions themselves.
mlir::LogicalResult checkRuns(mlir::func::FuncOp function, const Contract &contract, const ShapeKey &key);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_RUNS_H

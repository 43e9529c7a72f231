// The dimensions of absent inputs in reductions.
//
//   x: [...S, N]   g: [N], absent: 0.5     %a = te.reduce_max %x axes [-1] keep
//                                          %b = te.add %g, %a
//                                          %y = te.reduce_sum %b axes [-1] keep
//
// With g, `%b` has N elements in each row. Without it a number replaces g, which has no dimensions, and `%b` would have
// one: the sum would be a different one. So a value keeps the dimensions that it has with all inputs where a reduction
// is over them, by a te.broadcast: the body without an input computes what it computes with one full of the number.
// Where dimensions match by name, a reduction of a value without them is refused before (axes_c3).

#ifndef OPC_LOWERING_IMPORT_TE_INSTANCE_ABSENTSHAPES_H
#define OPC_LOWERING_IMPORT_TE_INSTANCE_ABSENTSHAPES_H

#include "ops/contract/Contract.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc {

/// Gives operands of reductions along rows the dimension that they lack because inputs are absent. Expects arguments
/// for all inputs of the original contract, of which absent ones are scalars. Reports axes_c1 if no other value of the
/// body has such a shape.
mlir::LogicalResult keepReducedShapes(mlir::func::FuncOp function, const Contract &contract);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_TE_INSTANCE_ABSENTSHAPES_H

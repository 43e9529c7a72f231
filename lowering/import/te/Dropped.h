// Axes that reductions drop, in bodies whose dimensions match by name.
//
//   x: [N, C, S]  c: [C]  y: [C]      %m = te.reduce_max %x axes [N, S]      tensor<1x?x1xf32>
//                                     %y = te.add %m, %c                     tensor<1x?x1xf32>
//
// There a value has a dimension for each loop, and an input has size 1 where its shape lacks the dimensions of a loop.
// Reductions leave 1 too, with `keep` or without (Inference.h). So what a reduction dropped meets parameters, and
// whether `y` is [C] or [1, C, 1] only says how a launch prints its shape. `keep` still decides what a value is: with
// it, the value broadcasts against values that have the dimensions; without it, it is a result of a shape without them.

#ifndef OPC_LOWERING_IMPORT_TE_DROPPED_H
#define OPC_LOWERING_IMPORT_TE_DROPPED_H

#include "dialect/te/Axes.h"
#include "ops/contract/Contract.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc {

/// Reports bound_c5 where an operation combines a value that dropped dimensions with one that has or keeps them, and
/// bind_c11 where a result differs in this from its shape in the contract. Then gives all reductions `keep`. `frame` is
/// the one in which the function was parsed; other frames than those of a domain are left alone.
mlir::LogicalResult takeDropped(mlir::func::FuncOp function, const Contract &contract, const te::AxisFrame &frame);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_TE_DROPPED_H

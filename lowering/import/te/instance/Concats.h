// Concats that other ops read move behind these ops, to the results, where takeParts (Parts.h) finds them:
//
//   %s = te.concat %a, %b along A+B              %m0 = te.reduce_max %a axes [D] keep
//   %m = te.reduce_max %s axes [D] keep          %y0 = te.sub %a, %m0
//   %y = te.sub %s, %m                           %m1 = te.reduce_max %b axes [D] keep
//   return %y : !y                               %y1 = te.sub %b, %m1
//                                                %y = te.concat %y0, %y1 along A+B
//
// So a range of the result is computed from the ranges of its inputs, and nothing is written between. An input that has
// the sum is read in ranges, too.

#ifndef OPC_LOWERING_IMPORT_TE_CONCATS_H
#define OPC_LOWERING_IMPORT_TE_CONCATS_H

#include "ops/contract/domain/ShapeKeys.h"

#include "dialect/te/TeOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc {

/// Moves the concats of a body whose contract splits sums, in the function of the nest `key`, whose arguments and
/// results are whole tensors.
void moveConcats(mlir::func::FuncOp function, const Contract &contract, const ShapeKey &key);

/// Writes reductions along the sum of a concat, of a body whose contract does not split sums, as reductions of the
/// ranges that are combined: the maximum of the maxima of %a along A and of %b along B. Reports concats that are read
/// otherwise.
mlir::LogicalResult combineRanges(mlir::func::FuncOp function, const Contract &contract);

/// Reports a concat that ops read in another way (concat_c2).
mlir::LogicalResult refuseRead(te::ConcatOp concat);

/// A value, which may be a scalar, as a tensor of this type.
mlir::Value filled(mlir::OpBuilder &builder, mlir::Value value, mlir::RankedTensorType type);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_TE_CONCATS_H

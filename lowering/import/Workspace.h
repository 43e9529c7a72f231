// Values of a body in the workspace of its launch (ops/contract/domain/Workspace.h) become results of its function.
//
//   %r = te.reduce_mean %x axes [M] keep       %r = te.reduce_mean %x axes [M] keep
//                                              %w = te.cast %r to f32 {te.unrounded}
//   return %y : !y                             return %y, %w
//
// From there on they are results like others: a nest writes them, and later nests have them as arguments (Parts.h).

#ifndef OPC_LOWERING_IMPORT_WORKSPACE_H
#define OPC_LOWERING_IMPORT_WORKSPACE_H

#include "ops/contract/Contract.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc {

/// Returns the values in the workspace after those that the body returns. Reports bind_c21 for one that is no float.
/// Leaves a function alone that returns another number of values than the contract has outputs.
mlir::LogicalResult returnWorkspace(mlir::func::FuncOp function, const Contract &contract);

/// The value of the body, for one that returnWorkspace returns; else the value itself.
mlir::Value valueOfWorkspace(mlir::Value returned);

/// What a nest computes with instead of `value`, when it reads the value as an argument in float32.
mlir::Value readWorkspace(mlir::BlockArgument argument, mlir::Value value);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_WORKSPACE_H

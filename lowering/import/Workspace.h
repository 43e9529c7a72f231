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

/// The types in which the values of a parsed body lie in the workspace: float32 for floats (float64 where the contract
/// computes in it), int32 for truth values and whole numbers that it holds, else their own type.
std::vector<ElementType> typesOfWorkspace(mlir::func::FuncOp function, const Contract &contract);

/// Returns the values in the workspace after those that the body returns, in the types that the contract has for them
/// in this row. Reports bind_c21 for one without a name, or of a type that the devices of the row lack. Leaves a
/// function alone that returns another number of values than the contract has outputs.
mlir::LogicalResult returnWorkspace(mlir::func::FuncOp function, const Contract &contract, unsigned typeRow);

/// The value of the body, for one that returnWorkspace returns; else the value itself.
mlir::Value valueOfWorkspace(mlir::Value returned);

/// Sorts, and gathers from, an argument instead of `value`, and converts the elements that they take to its type.
void takeFromWorkspace(mlir::BlockArgument argument, mlir::Value value);

/// What a nest computes with instead of `value`, when it reads the value as an argument in the type of the workspace.
mlir::Value readWorkspace(mlir::BlockArgument argument, mlir::Value value);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_WORKSPACE_H

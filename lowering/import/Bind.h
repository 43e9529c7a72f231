// Agreement between body and contract: rules bind_c2 to bind_c10 and bind_c16 of Import.h.

#ifndef OPC_LOWERING_IMPORT_BIND_H
#define OPC_LOWERING_IMPORT_BIND_H

#include "ops/contract/Contract.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace opc {

/// Whether the name of a function in the body is the operator's, with or without the name of a type row. If not,
/// reports bind_c9 with the nearest name; `kind` describes the function.
bool hasServingName(mlir::func::FuncOp function, const Contract &contract, llvm::StringRef kind);

/// Checks the functions of the parsed body against bind_c9. Errors go to the context's handler.
mlir::LogicalResult checkFunctions(mlir::ModuleOp parsed, const Contract &contract);

/// The kernel for a type row; null if there is none (the caller reports bind_c2, since the body has no place for it).
mlir::func::FuncOp findKernel(mlir::ModuleOp parsed, const Contract &contract, unsigned typeRow);

/// Checks a kernel for a type row against bind_c3 to bind_c6 and names its arguments.
mlir::LogicalResult bindKernel(mlir::func::FuncOp kernel, const Contract &contract, unsigned typeRow);

/// The outputs of the contract to which no store of a bound kernel writes (bind_c16).
llvm::SmallVector<llvm::StringRef> outputsWithoutStore(mlir::func::FuncOp kernel, const Contract &contract);

/// The tiling function that a kernel refers to, checked against bind_c7 and bind_c8; null if a rule is broken.
mlir::func::FuncOp bindTilingFunction(mlir::func::FuncOp kernel, mlir::ModuleOp parsed, const Contract &contract);

/// The input of the contract that a value is; null for a value that is computed.
const ContractTensor *inputOf(const Contract &contract, mlir::Value value);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_BIND_H

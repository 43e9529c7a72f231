// Agreement of body and contract: rules bind_c2 to bind_c10 and bind_c16 of Import.h.

#ifndef OPC_LOWERING_IMPORT_BIND_H
#define OPC_LOWERING_IMPORT_BIND_H

#include "ops/contract/Contract.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace opc {

/// Whether a function of the body has a name that serves the contract: the operator's, or that with a type row's
/// name. Else an error (bind_c9) with the nearest; `kind` is what the function is.
bool hasServingName(mlir::func::FuncOp function, const Contract &contract, llvm::StringRef kind);

/// Holds what the parsed body defines to bind_c9. Errors go to the context's handler.
mlir::LogicalResult checkFunctions(mlir::ModuleOp parsed, const Contract &contract);

/// The kernel that serves a type row, or null (bind_c2 is the caller's to report: the body has no place for it).
mlir::func::FuncOp findKernel(mlir::ModuleOp parsed, const Contract &contract, unsigned typeRow);

/// Holds a kernel of a type row to bind_c3 to bind_c6 and names its arguments.
mlir::LogicalResult bindKernel(mlir::func::FuncOp kernel, const Contract &contract, unsigned typeRow);

/// Outputs of the contract that no store of a bound kernel names (bind_c16).
llvm::SmallVector<llvm::StringRef> outputsWithoutStore(mlir::func::FuncOp kernel, const Contract &contract);

/// The tiling function a kernel names, held to bind_c7 and bind_c8; null when a rule is broken.
mlir::func::FuncOp bindTilingFunction(mlir::func::FuncOp kernel, mlir::ModuleOp parsed, const Contract &contract);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_BIND_H

// Checks of a parsed body that need the contract and no shape key.

#ifndef OPC_LOWERING_IMPORT_TE_CHECKINSTANCE_H
#define OPC_LOWERING_IMPORT_TE_CHECKINSTANCE_H

#include "ops/contract/Contract.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace opc {

/// bind_c9: a body holds functions, each for type rows of the contract.
mlir::LogicalResult checkTopLevel(mlir::ModuleOp parsed, const Contract &contract);

/// bind_c14: the number of operations has a limit.
mlir::LogicalResult checkCount(mlir::func::FuncOp function);

/// bind_c18, c19, c20 and c23, of a function with the text of its file in `text`.
mlir::LogicalResult checkInstance(mlir::func::FuncOp function, llvm::StringRef text, const Contract &contract,
                                  unsigned typeRow);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_TE_CHECKINSTANCE_H

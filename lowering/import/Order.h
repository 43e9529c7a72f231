// Arguments and results must be in the order of the contract: rule bind_c17.
//
//   contract inputs gate, up      func.func @swi_glu(%up: !up, %gate: !gate)
//
// compiles if both have the same type, and computes with the two exchanged. So the names of values and of aliases in
// the text are checked: a name that belongs to another tensor or attribute is refused, unless it is also used in its
// own position (`return %y, %y`).

#ifndef OPC_LOWERING_IMPORT_ORDER_H
#define OPC_LOWERING_IMPORT_ORDER_H

#include "ops/contract/Contract.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc {

/// Checks the arguments, the results and the returned values of a function in a body against bind_c17. `text` is the
/// text from which the function was parsed; locations refer to it. Returns false after E0310.
bool checkOrder(mlir::func::FuncOp function, const Contract &contract, BodyLevel level, llvm::StringRef text,
                Diagnostics &diagnostics);

/// Whether an operation is written in quotes, in MLIR's generic form, in the text from which it was parsed.
bool isGeneric(mlir::Operation *op, llvm::StringRef text);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_ORDER_H

// Arguments and results stand where the contract has them: rule bind_c17.
//
//   contract inputs gate, up      func.func @swi_glu(%up: !up, %gate: !gate)
//
// compiles as soon as both have one type, and computes with each in the place of the other. So the names in the text
// count, those of values and those of aliases: one of another tensor or attribute is refused, unless that one's own
// place has it as well (`return %y, %y`).

#ifndef OPC_LOWERING_IMPORT_ORDER_H
#define OPC_LOWERING_IMPORT_ORDER_H

#include "ops/contract/Contract.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace opc {

/// Holds the arguments of a function of a body, its results and what it returns to bind_c17; `text` is what the
/// function was parsed from, in which its place counts. False with E0310.
bool checkOrder(mlir::func::FuncOp function, const Contract &contract, BodyLevel level, llvm::StringRef text,
                Diagnostics &diagnostics);

/// Whether an operation stands in quotes, in MLIR's generic form, in the text it was parsed from.
bool isGeneric(mlir::Operation *op, llvm::StringRef text);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_ORDER_H

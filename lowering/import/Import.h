// From a contract and its body to a module with a kernel for each type row, checked against the contract.
//
//   contract, body file  --for each row: aliases, parse, verify-->  functions  --bind-->  module
//
// A body at level `aicore` contains only functions: the kernel `@<name>` for all rows (instantiated as
// `@<name>_<row>`), or a kernel `@<name>_<row>` for one row, which is preferred; and the tiling functions that they
// refer to. Equal tiling functions of two rows are merged.
//
// Rules bind_c1 to bind_c10, bind_c16 and bind_c17 (E0310 at the user's line): runtime/diagnostic/codes/Rules.def.

#ifndef OPC_LOWERING_IMPORT_IMPORT_H
#define OPC_LOWERING_IMPORT_IMPORT_H

#include "ops/contract/Contract.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <vector>

namespace opc {

/// Loads the dialects that a body may use.
void loadBodyDialects(mlir::MLIRContext &context);

/// Parses the body for the given type rows, or if empty for all rows that it serves. Functions are in the order of
/// the rows, and a tiling function precedes the first kernel that refers to it. Every kernel argument has its
/// `aicore.name`. Returns null if an error was reported.
mlir::OwningOpRef<mlir::ModuleOp> importBody(mlir::MLIRContext &context, const Contract &contract,
                                             const ContractBody &body, const std::vector<unsigned> &typeRows,
                                             Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_IMPORT_H

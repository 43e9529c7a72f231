// From a contract and its body to one module: a kernel for each type row, agreed with the contract.
//
//   contract, body file  --for each row: aliases, parse, verify-->  functions  --bind-->  module
//
// A body at level `aicore` holds functions only: the kernel `@<name>` that serves every row (instantiated as
// `@<name>_<row>`), or a kernel `@<name>_<row>` of one row, which is preferred; and the tiling functions they name. A
// tiling function that comes out the same for two rows is kept once.
//
// Rules bind_c1 to bind_c10, bind_c16 and bind_c17 (E0310 at the user's line): runtime/diagnostic/codes/Rules.def.

#ifndef OPC_LOWERING_IMPORT_IMPORT_H
#define OPC_LOWERING_IMPORT_IMPORT_H

#include "ops/contract/Contract.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <vector>

namespace opc {

/// Loads the dialects a body may use.
void loadBodyDialects(mlir::MLIRContext &context);

/// Parses the body for the given type rows (those it serves when empty). The functions stand in the order of the
/// rows, a tiling function before the first kernel that names it; every kernel argument has its `aicore.name`. Null
/// when an error was reported.
mlir::OwningOpRef<mlir::ModuleOp> importBody(mlir::MLIRContext &context, const Contract &contract,
                                             const ContractBody &body, const std::vector<unsigned> &typeRows,
                                             Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_IMPORT_H

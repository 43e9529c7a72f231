// From a contract and its body to one module: a kernel for each type row, agreed with the contract.
//
//   contract, body file  --for each row: aliases, parse, verify-->  functions  --bind-->  module
//
// A body at level `aicore` holds functions only: the kernel `@<name>` that serves every row (it is
// instantiated as
// `@<name>_<row>`), or a kernel `@<name>_<row>` of one row, which comes before it; and the tiling
// functions they name. A tiling function that comes out the same for two rows is kept once.
//
// Rules, each the label of its error (E0310 at the user's line):
// - bind_c1: aliases `!T` and `!<tensor>` of the first line are types of the contract's table
// - bind_c2: each type row has a kernel
// - bind_c3: a kernel takes the contract's inputs, outputs, then launch attributes, nothing else
// - bind_c4: each tensor has the element type of the row
// - bind_c5: a launch attribute arrives as f32 (float), i64 (int) or i1 (bool)
// - bind_c6: an argument that is named has the contract's name
// - bind_c7: a kernel has a phase and names a tiling function of the body
// - bind_c8: the sizes that a tiling function receives are of tensors of the contract
// - bind_c9: a body holds kernels and tiling functions of its operator, and nothing else
// - bind_c10: a kernel stores to outputs, never to inputs
// - bind_c16: and to each of them; a warning
// - bind_c17: names of arguments stand where the contract has them (Order.h)

#ifndef OPC_LOWERING_IMPORT_IMPORT_H
#define OPC_LOWERING_IMPORT_IMPORT_H

#include "ops/contract/Contract.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <vector>

namespace opc {

/// Loads the dialects a body may use.
void loadBodyDialects(mlir::MLIRContext &context);

/// Parses the body for the given type rows (those it serves when empty). The functions stand in the
/// order of the rows, a tiling function before the first kernel that names it; every kernel
/// argument has its `aicore.name`. Null when an error was reported.
mlir::OwningOpRef<mlir::ModuleOp> importBody(mlir::MLIRContext &context, const Contract &contract,
                                             const ContractBody &body, const std::vector<unsigned> &typeRows,
                                             Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_IMPORT_H

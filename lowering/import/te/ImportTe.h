// From a contract and a body at level `te` to a module with an instance of the body for each type row and shape key.
//
//   file      !T = f16                                          one line, to be replaced
//             func.func @add(%x1: !x1, %x2: !x2) -> !y {
//   parsed    !T = f16 !x1 = tensor<?x?xf16> !x2 = tensor<1x?xf16> !y = tensor<?x?xf16>
//   module    func.func @add_float16_rows_x2_row(...)           phase bound, te.type_row 0
//
// Locations in errors are those of the file, since the first line remains one line.
//
// Rules bind_c2 to bind_c5, bind_c9 and bind_c11 to bind_c23, reported as E0310, or as the warning E0314, at the user's
// line: runtime/diagnostic/codes/Rules.def.

#ifndef OPC_LOWERING_IMPORT_TE_IMPORTTE_H
#define OPC_LOWERING_IMPORT_TE_IMPORTTE_H

#include "ops/contract/Contract.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <vector>

namespace opc {

/// Parses a te body for the given type rows, or if empty for all rows that it serves, and for all shape keys, in the
/// order of rows, then keys. Returns null if an error was reported. The import ends with the first failing instance,
/// since the same error would be reported for each.
mlir::OwningOpRef<mlir::ModuleOp> importTe(mlir::MLIRContext &context, const Contract &contract,
                                           const ContractBody &body, const std::vector<unsigned> &typeRows,
                                           Diagnostics &diagnostics);

/// Sets the types of the values in the workspace (ops/contract/domain/Workspace.h), which the text of the body has for
/// each type row. Does nothing for a row whose text has a mistake, which importTe reports.
void setWorkspaceTypes(Contract &contract, const ContractBody &body, const std::vector<unsigned> &typeRows);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_TE_IMPORTTE_H

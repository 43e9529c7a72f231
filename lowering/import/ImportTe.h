// From a contract and a body at level `te` to one module: an instance of the body for each type row
// and each shape key.
//
//   file      !T = f16                                          one line, which is replaced
//             func.func @add(%x1: !x1, %x2: !x2) -> !y {
//   parsed    !T = f16 !x1 = tensor<?x?xf16> !x2 = tensor<1x?xf16> !y = tensor<?x?xf16>
//   module    func.func @add_float16_rows_x2_row(...)           phase bound, te.type_row 0
//
// Places in errors are those of the file: the line stays one line.
//
// Rules, each the label of its error (E0310 at the user's line):
// - bind_c2: each type row has a function `@<name>`, or `@<name>_<row>` for one row
// - bind_c3: a function takes the contract's inputs, then its launch attributes, nothing else
// - bind_c4: each tensor is of the type that its alias stands for
// - bind_c5: a launch attribute arrives as f32 (float), i64 (int) or i1 (bool)
// - bind_c9: a body holds functions of its operator, with bodies, and nothing else
// - bind_c11: a function returns the contract's outputs
// - bind_c12: the first line holds aliases: it begins with '!'
// - bind_c13: an attribute that is bound at compile time has a value
// - bind_c14: a function has at most 4096 operations: each is compiled for every row and key
// - bind_c17: names of values and aliases stand where the contract has them (Order.h)
// - bind_c18: functions and reductions are in the form of te, not in MLIR's generic one

#ifndef OPC_LOWERING_IMPORT_IMPORTTE_H
#define OPC_LOWERING_IMPORT_IMPORTTE_H

#include "ops/contract/Contract.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <vector>

namespace opc {

/// Parses a te body for the given type rows (those it serves when empty) and all shape keys, in the
/// order of rows, then keys. Null when an error was reported; the first instance that fails ends
/// the import, since a mistake would be told once for each.
mlir::OwningOpRef<mlir::ModuleOp> importTe(mlir::MLIRContext &context, const Contract &contract,
                                           const ContractBody &body, const std::vector<unsigned> &typeRows,
                                           Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_IMPORTTE_H

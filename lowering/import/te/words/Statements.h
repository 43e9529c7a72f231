// The statements of a te body, "%y = te.add %x1, %x2", before MLIR parses them: what is wrong with them, or decides
// nothing, is known before the contract's shapes are.

#ifndef OPC_LOWERING_IMPORT_TE_WORDS_STATEMENTS_H
#define OPC_LOWERING_IMPORT_TE_WORDS_STATEMENTS_H

#include "ops/contract/Contract.h"

#include "mlir/IR/MLIRContext.h"

#include <string>

namespace opc {

/// Reports the first operation of a body that does not exist. The ops of a body determine which shapes its contract may
/// have (te.matmul, `along`), so a misspelt op would make correct shapes invalid. The context has the dialects.
bool reportUnknownOperation(const std::string &text, const std::string &path, const Contract &contract,
                            mlir::MLIRContext &context, Diagnostics &diagnostics);

/// Reports the first statement that determines no loops because of a name: a value that is not defined above its use, a
/// misspelt `axes` or `along`, a name after it that is no dimension of the contract, what a scan combines to, a gather
/// from what is no input. For bodies whose shapes are refused; other mistakes are the parser's. The context has the
/// dialects.
bool reportUnknownName(const std::string &text, const std::string &path, const Contract &contract,
                       mlir::MLIRContext &context, Diagnostics &diagnostics);

/// Leaves unused statements out of a text that name dimensions, as the reader of the contract does. Warns of all unused
/// ones (bind_c22), most often a name that is misspelt in the statement after it. Keeps unknown operations, which the
/// parser reports. The context has the dialects.
void takeUnused(std::string &text, const std::string &path, mlir::MLIRContext &context, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_TE_WORDS_STATEMENTS_H

// The contract for a pass that is created from text: opc-opt names its file in an option.

#ifndef OPC_LOWERING_SCHEDULE_CONTRACTOPTION_H
#define OPC_LOWERING_SCHEDULE_CONTRACTOPTION_H

#include "ops/contract/Contract.h"
#include "runtime/diagnostic/Diagnostic.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace opc {

/// Reports the errors in `found` at the module, each with its own place as a note.
void reportErrors(mlir::ModuleOp module, const Diagnostics &found);

/// The contract at `path`; nullopt after an error at the module. `pass` is the command-line argument of the pass.
std::optional<Contract> readContractOption(mlir::ModuleOp module, const std::string &path, llvm::StringRef pass);

} // namespace opc

#endif // OPC_LOWERING_SCHEDULE_CONTRACTOPTION_H

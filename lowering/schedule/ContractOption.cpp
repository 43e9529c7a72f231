#include "lowering/schedule/ContractOption.h"

#include "ops/contract/read/Reader.h"

using namespace mlir;

namespace opc {

void reportErrors(ModuleOp module, const Diagnostics &found) {
  for (const Diagnostic &record : found.all()) {
    if (record.severity != Severity::Error)
      continue;
    std::string label = record.rule.empty() ? "" : "[" + record.rule + "] ";
    InFlightDiagnostic error = emitError(module.getLoc(), label + record.message);
    if (record.location.line != 0)
      error.attachNote() << record.location.file << ":" << record.location.line << ":" << record.location.column;
    else if (!record.location.file.empty())
      error.attachNote() << "in '" << record.location.file << "'";
  }
}

std::optional<Contract> readContractOption(ModuleOp module, const std::string &path, StringRef pass) {
  if (path.empty()) {
    emitError(module.getLoc()) << pass << " expects 'contract=', the path of the operator's contract";
    return std::nullopt;
  }
  Diagnostics found;
  std::optional<Contract> contract = loadContract(path, found);
  reportErrors(module, found);
  return contract;
}

} // namespace opc

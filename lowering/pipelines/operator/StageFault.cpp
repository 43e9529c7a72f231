#include "lowering/pipelines/operator/StageFault.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"

#include <cstdlib>

namespace opc {

bool breaksHere(llvm::StringRef stage, mlir::MLIRContext &context) {
  const char *variable = std::getenv("OPC_TEST_FAIL_STAGE");
  if (!variable)
    return false;
  llvm::StringRef named = variable;
  bool tells = named.consume_back(":told");
  if (named != stage)
    return false;
  if (tells)
    mlir::emitError(mlir::UnknownLoc::get(&context), "the stage '") << stage << "' reports an error for a test";
  return !tells;
}

} // namespace opc

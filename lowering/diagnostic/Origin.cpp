#include "lowering/diagnostic/Origin.h"

#include "lowering/diagnostic/DiagnosticBridge.h"

#include "llvm/Support/Path.h"

using namespace opc;

Origin opc::originOf(mlir::Location location) {
  const Location place = locationOf(location);
  if (place.line == 0)
    return {};
  return {llvm::sys::path::filename(place.file).str(), place.line, place.column};
}

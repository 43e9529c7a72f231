// Walks a location until it finds a file, first parts first.

#include "lowering/diagnostic/Origin.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace opc;

Origin opc::originOf(Location location) {
  Origin origin;
  location->walk([&](Location part) {
    auto place = dyn_cast<FileLineColLoc>(part);
    if (!place || place.getLine() == 0)
      return WalkResult::advance();
    origin = {llvm::sys::path::filename(place.getFilename().getValue()).str(), place.getLine(), place.getColumn()};
    return WalkResult::interrupt();
  });
  return origin;
}

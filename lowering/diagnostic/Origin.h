// The origin of an op: the place in the user's body that messages, traces and comments name.

#ifndef OPC_LOWERING_DIAGNOSTIC_ORIGIN_H
#define OPC_LOWERING_DIAGNOSTIC_ORIGIN_H

#include "mlir/IR/Location.h"

#include <string>

namespace opc {

/// A place in a body. Lines and columns count from 1; 0 and an empty file mean unknown. The file has no folders, so
/// that the output for an operator has the same bytes wherever it was compiled.
struct Origin {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;

  bool known() const { return line != 0; }
  bool operator==(const Origin &other) const {
    return file == other.file && line == other.line && column == other.column;
  }
};

/// The first place in a file that a location contains, inside fusions, names and calls.
Origin originOf(mlir::Location location);

} // namespace opc

#endif // OPC_LOWERING_DIAGNOSTIC_ORIGIN_H

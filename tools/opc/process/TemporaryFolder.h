// A folder for temporary files that the destructor removes.

#ifndef OPC_TOOLS_OPC_PROCESS_TEMPORARYFOLDER_H
#define OPC_TOOLS_OPC_PROCESS_TEMPORARYFOLDER_H

#include "runtime/diagnostic/Diagnostic.h"

#include <string>

namespace opc::tool {

class TemporaryFolder {
public:
  /// Creates "opc-`purpose`-" and six characters in TMPDIR, or in /tmp.
  explicit TemporaryFolder(const std::string &purpose);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  /// False after reporting E0601 if the folder could not be created.
  bool isThere(Diagnostics &diagnostics) const;
  const std::string &path() const { return folder; } ///< empty when it could not be created

private:
  std::string folder, parent, failure;
};

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PROCESS_TEMPORARYFOLDER_H

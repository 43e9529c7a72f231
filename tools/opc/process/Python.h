// Which Python runs references, and whether it has what they need.

#ifndef OPC_TOOLS_OPC_PROCESS_PYTHON_H
#define OPC_TOOLS_OPC_PROCESS_PYTHON_H

#include <string>
#include <utility>
#include <vector>

namespace opc::tool {

struct Python {
  std::string path;
  std::string origin;  ///< "--python", "OPC_PYTHON", "the environment recorded at configure", "PATH"
  std::string version; ///< "3.11.2", empty when it does not run
  std::string error;   ///< why it does not run
  /// Each asked module with its version, empty when it cannot be imported.
  std::vector<std::pair<std::string, std::string>> modules;
};

/// `option` is the value of --python, empty when not given. The choice stops at the first that is set: a broken
/// interpreter that was asked for is an error, not a reason to take the next.
Python findPython(const std::string &option, const std::vector<std::string> &modules);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PROCESS_PYTHON_H

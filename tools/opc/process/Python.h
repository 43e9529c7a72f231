// Selects the Python that runs references, and checks its modules.

#ifndef OPC_TOOLS_OPC_PROCESS_PYTHON_H
#define OPC_TOOLS_OPC_PROCESS_PYTHON_H

#include "runtime/diagnostic/Diagnostic.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace opc::tool {

struct Python {
  std::string path;
  std::string origin;  ///< "--python", "OPC_PYTHON", "the environment recorded at configure", "PATH"
  std::string version; ///< "3.11.2", empty when it does not run
  std::string error;   ///< why it does not run
  /// The requested modules with their versions, or "present"; empty when a module cannot be imported.
  std::vector<std::pair<std::string, std::string>> modules;
};

/// What is asked of modules. Versions take the interpreter 40 ms more.
enum class OfModules { Presence, Versions };

/// `option` is the value of --python, empty when not given. The first setting that is given wins: if its interpreter
/// does not work, this is an error and later ones are not tried.
Python findPython(const std::string &option, const std::vector<std::string> &modules, OfModules asked);

/// The same; nullopt after reporting E0602 if it does not run, or E0603 for each module that it lacks.
std::optional<Python> requirePython(const std::string &option, const std::vector<std::string> &modules,
                                    Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PROCESS_PYTHON_H

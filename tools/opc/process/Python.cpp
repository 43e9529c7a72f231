// Finds the interpreter and queries its version and its modules in one start.

#include "tools/opc/process/Python.h"

#include "tools/opc/Version.h"
#include "tools/opc/process/Process.h"

#include <cstdlib>
#include <sstream>
#include <unistd.h>

namespace opc::tool {

// The first argument says what is asked of modules. importlib.metadata takes longer to load than all the rest.
static const char *const kProbe = R"(
import sys
print('version', '.'.join(map(str, sys.version_info[:3])))
if sys.version_info < (3, 8):
    sys.exit('Python 3.8 or newer is needed')
from importlib.util import find_spec
version = lambda name: 'present'
if sys.argv[1] == 'versions':
    from importlib.metadata import version
for name in sys.argv[2:]:
    try:
        found = find_spec(name) is not None
    except (ImportError, ValueError):
        found = False
    if found:
        try:
            print('module', name, version(name))
        except Exception:
            print('module', name, 'present')
)";

Python findPython(const std::string &option, const std::vector<std::string> &modules, OfModules asked) {
  Python python;
  const char *variable = std::getenv("OPC_PYTHON");
  if (!option.empty()) {
    python.path = option;
    python.origin = "--python";
  } else if (variable && *variable) {
    python.path = variable;
    python.origin = "OPC_PYTHON";
  } else if (access(OPC_CONFIGURED_PYTHON, X_OK) == 0) {
    python.path = OPC_CONFIGURED_PYTHON;
    python.origin = "the environment recorded at configure";
  } else {
    python.path = "python3";
    python.origin = "PATH";
  }

  std::vector<std::string> arguments = {python.path, "-c", kProbe,
                                        asked == OfModules::Versions ? "versions" : "presence"};
  for (const std::string &module : modules) {
    python.modules.emplace_back(module, "");
    arguments.push_back(module);
  }
  ProcessResult result = runProcess(arguments, 60);
  if (!result.started) {
    python.error = result.error;
    return python;
  }
  std::istringstream lines(result.out);
  std::string kind, name, version;
  while (lines >> kind) {
    if (kind == "version") {
      lines >> python.version;
    } else if (kind == "module" && lines >> name >> version) {
      for (auto &[module, found] : python.modules)
        if (module == name)
          found = version;
    }
  }
  if (result.exitCode != 0 || python.version.empty()) {
    python.version.clear();
    python.error = result.timedOut      ? "it did not answer within a minute"
                   : result.err.empty() ? "it exits with status " + std::to_string(result.exitCode)
                                        : result.err.substr(0, 300);
  }
  return python;
}

std::optional<Python> requirePython(const std::string &option, const std::vector<std::string> &modules,
                                    Diagnostics &diagnostics) {
  Python python = findPython(option, modules, OfModules::Presence);
  if (python.version.empty()) {
    diagnostics.error(Code::E0602, {},
                      "cannot run '" + printablePath(python.path) + "' (" + python.origin +
                          "): " + printable(python.error, 300),
                      {}, "'./dev setup' makes build/venv; or name one with --python or OPC_PYTHON");
    return std::nullopt;
  }
  bool lacks = false;
  for (const auto &[module, version] : python.modules)
    if (version.empty()) {
      lacks = true;
      diagnostics.error(Code::E0603, {},
                        "the Python at '" + printablePath(python.path) + "' (" + python.origin +
                            ") lacks the module '" + module + "'",
                        {}, "'" + printablePath(python.path) + " -m pip install " + module + "', or './dev setup'");
    }
  return lacks ? std::nullopt : std::optional(std::move(python));
}

} // namespace opc::tool

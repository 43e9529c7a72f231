// Runs another program and collects what it says.

#ifndef OPC_TOOLS_OPC_PROCESS_H
#define OPC_TOOLS_OPC_PROCESS_H

#include <string>
#include <vector>

namespace opc::tool {

struct ProcessResult {
  bool started = false; ///< false: `error` says why
  int exitCode = -1;    ///< 128 + signal when a signal ended it
  bool timedOut = false;
  std::string error, out, err;
};

/// Runs arguments[0], looked up in PATH when it has no '/', with empty standard input. Past `timeoutSeconds` it is killed.
ProcessResult runProcess(const std::vector<std::string> &arguments, unsigned timeoutSeconds);

/// The first executable file of that name in PATH; empty when there is none.
std::string findInPath(const std::string &name);
/// Every executable file of that name in PATH, in its order, links resolved, each once.
std::vector<std::string> findAllInPath(const std::string &name);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PROCESS_H

// Runs another program and collects its output.

#ifndef OPC_TOOLS_OPC_PROCESS_PROCESS_H
#define OPC_TOOLS_OPC_PROCESS_PROCESS_H

#include <cstdint>
#include <string>
#include <vector>

namespace opc::tool {

struct ProcessResult {
  bool started = false; ///< false: `error` has the reason
  int exitCode = -1;    ///< 128 + signal number when a signal ended it
  bool timedOut = false;
  std::string error, out, err;
};

/// Runs arguments[0], which is searched in PATH when it has no '/', with empty standard input. Kills it after
/// `timeoutSeconds`. `memoryBytes` limits its address space; 0: no own limit.
ProcessResult runProcess(const std::vector<std::string> &arguments, unsigned timeoutSeconds, uint64_t memoryBytes = 0);

/// A program to exchange requests and answers with: its standard input and output are pipes, its standard error is
/// that of this process.
class Conversation {
public:
  Conversation() = default;
  Conversation(const Conversation &) = delete;
  Conversation &operator=(const Conversation &) = delete;
  /// Kills the program if it is running and waits for it.
  ~Conversation();

  /// Starts the program; returns the error, empty on success.
  std::string start(const std::vector<std::string> &arguments);
  bool write(const void *data, size_t size);
  /// Reads a line without its line break; false when the program ended or was silent for `timeoutSeconds`.
  bool readLine(std::string &line, unsigned timeoutSeconds);
  bool read(void *data, size_t size, unsigned timeoutSeconds);
  /// Whether the output of the program is still open.
  bool open() const { return fromChild >= 0 && !ended; }

private:
  bool fill(unsigned timeoutSeconds);

  int pid = -1;
  int toChild = -1, fromChild = -1;
  std::string buffer; ///< bytes that were read from the pipe
  size_t taken = 0;
  bool ended = false; ///< its output has ended
};

/// The first executable file with this name in PATH; empty when there is none.
std::string findInPath(const std::string &name);
/// All executable files with this name in PATH, in its order, links resolved, without duplicates.
std::vector<std::string> findAllInPath(const std::string &name);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PROCESS_PROCESS_H

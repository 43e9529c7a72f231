// Runs another program and collects what it says.

#ifndef OPC_TOOLS_OPC_PROCESS_PROCESS_H
#define OPC_TOOLS_OPC_PROCESS_PROCESS_H

#include <cstdint>
#include <string>
#include <vector>

namespace opc::tool {

struct ProcessResult {
  bool started = false; ///< false: `error` says why
  int exitCode = -1;    ///< 128 + signal when a signal ended it
  bool timedOut = false;
  std::string error, out, err;
};

/// Runs arguments[0], looked up in PATH when it has no '/', with empty standard input. Past `timeoutSeconds` it is
/// killed. `memoryBytes` bounds its address space; 0: as ours.
ProcessResult runProcess(const std::vector<std::string> &arguments, unsigned timeoutSeconds, uint64_t memoryBytes = 0);

/// A program that answers: standard input and output are pipes, standard error is ours.
class Conversation {
public:
  Conversation() = default;
  Conversation(const Conversation &) = delete;
  Conversation &operator=(const Conversation &) = delete;
  /// Ends the program and waits for it.
  ~Conversation();

  /// Empty, or why the program cannot be started.
  std::string start(const std::vector<std::string> &arguments);
  bool write(const void *data, size_t size);
  /// Up to a line end, which is left out; false when the program ended or said nothing for `timeoutSeconds`.
  bool readLine(std::string &line, unsigned timeoutSeconds);
  bool read(void *data, size_t size, unsigned timeoutSeconds);
  /// Whether the program can still say something.
  bool open() const { return fromChild >= 0 && !ended; }

private:
  bool fill(unsigned timeoutSeconds);

  int pid = -1;
  int toChild = -1, fromChild = -1;
  std::string buffer; ///< read and not yet taken
  size_t taken = 0;
  bool ended = false; ///< its output is at an end
};

/// The first executable file of that name in PATH; empty when there is none.
std::string findInPath(const std::string &name);
/// Every executable file of that name in PATH, in its order, links resolved, each once.
std::vector<std::string> findAllInPath(const std::string &name);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PROCESS_PROCESS_H

// A child process that does a part of the work and answers in lines: the diagnostics of the part, and others. Its
// memory use, loaded libraries and crashes do not affect this process.
//
// This is not a sandbox: the child's code runs with the rights of the user.

#ifndef OPC_TOOLS_OPC_PROCESS_LINECHILD_H
#define OPC_TOOLS_OPC_PROCESS_LINECHILD_H

#include "runtime/diagnostic/Diagnostic.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace opc::tool {

class LineChild {
public:
  /// Sends one line, which must contain no line break; for the child.
  using Say = std::function<void(const std::string &line)>;
  /// The child's work; it reports to the diagnostics, which are sent after its lines.
  using Work = std::function<void(const Say &say, Diagnostics &found)>;
  /// Sends diagnostics before the work is done; for the child.
  static void report(const Say &say, const Diagnostics &found);
  /// How a child is ended early. A kernel is killed, and its crash makes no core file. Opc's own work gets SIGTERM,
  /// which it may defer, and its crash has the usual effects.
  enum class Kind { Kernel, OwnWork };

  /// Runs `work` in a child that ends with this process. Null, with E0901 in `diagnostics`, if the child cannot
  /// be created.
  static std::optional<LineChild> start(Kind kind, const Work &work, Diagnostics &diagnostics);

  LineChild(LineChild &&other) noexcept;
  LineChild &operator=(LineChild &&) = delete;
  ~LineChild(); ///< ends a child that still runs

  /// Reads the rest of the answer: passes each line other than a diagnostic to `take`, which returns whether the line
  /// is valid, and adds diagnostics to `diagnostics`. False if the child ended before its work was done, sent an
  /// invalid line, or was silent for `patience`, or if this process received a termination signal.
  bool listen(std::chrono::milliseconds patience, const std::function<bool(const std::string &)> &take,
              Diagnostics &diagnostics);
  /// Reads up to the line `last`, with which the child ends a part of its work, and adds diagnostics to `diagnostics`.
  /// False as for listen(), and if the child sent anything else.
  bool listenUpTo(std::string_view last, std::chrono::milliseconds patience, Diagnostics &diagnostics);
  bool isLate() const { return late; } ///< whether the child was silent for too long
  /// Ends the child unless it has answered, waits for it, and returns the status of waitpid.
  int end();

private:
  LineChild(Kind kind, pid_t pid, int fd) : kind(kind), pid(pid), fd(fd) {}
  std::optional<std::string> readLine(std::chrono::milliseconds patience);
  bool readUpTo(std::string_view last, std::chrono::milliseconds patience,
                const std::function<bool(const std::string &)> &take, Diagnostics &diagnostics);

  Kind kind;
  pid_t pid; ///< 0: it was waited for
  int fd;
  std::string buffer;
  bool late = false, done = false;
};

/// The end of a child by its status of waitpid: "signal 11 (Segmentation fault)", "exit status 1".
std::string endOf(int status);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PROCESS_LINECHILD_H

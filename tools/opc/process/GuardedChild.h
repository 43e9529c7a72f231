// Runs native code of a user in a child process: a kernel, or an operator's host functions.
//
// The code may crash, recurse or run forever. The child has limits on time, memory and stack; its answer is a memory
// file of parts, complete only with a final mark; a fault is described in a shared page. This is not a sandbox: the
// code runs with the rights of the user.

#ifndef OPC_TOOLS_OPC_PROCESS_GUARDEDCHILD_H
#define OPC_TOOLS_OPC_PROCESS_GUARDEDCHILD_H

#include "runtime/diagnostic/Diagnostic.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace opc::tool {

/// How a child ended abnormally.
struct ChildFault {
  int signal = 0;           ///< 0: none
  int64_t codeOffset = -1;  ///< in the guarded object; -1: elsewhere
  int64_t callers[8] = {};  ///< the calls in the guarded object that led there, the last one first; 0: no more
  uint64_t address = 0;     ///< of the access, for SIGSEGV and SIGBUS
  int64_t blockOffset = -1; ///< as the child's `describe` set it: the block of code that ran last
  bool onStack = false;     ///< the address is near the stack pointer
  uint32_t line = 0;        ///< as the child's `describe` set it; 0: unknown
  char file[512] = {};
};

/// The child's side; its functions may only be called in the child.
class ChildSide {
public:
  /// Loads a shared object, which is guarded from now on: a fault has its offset in this object. Null with the reason
  /// in `why`.
  void *load(const std::string &path, std::string &why);
  /// Sets the limits. `describe` may be null; the signal handler of a fault calls it.
  void guard(unsigned seconds, void (*describe)(ChildFault &));
  uintptr_t codeBegin() const;
  /// Writes the answer and ends the process; does nothing but end a process that the child forked.
  [[noreturn]] void answer(const std::vector<std::string> &parts);

private:
  friend struct ChildRun;
  int file = -1;
};

struct ChildRun {
  bool started = false;           ///< false: E0901 was reported
  bool answered = false;          ///< false: `fault` and `status` say how the child ended
  std::vector<std::string> parts; ///< of the answer
  ChildFault fault;
  int status = 0; ///< as waitpid gives it

  /// Runs `work` in a child for at most four times `seconds` plus 30 of real time. `work` ends with ChildSide::answer.
  static ChildRun run(unsigned seconds, const std::function<void(ChildSide &)> &work, Diagnostics &diagnostics);
};

/// Reports a child that did not answer as E0812, E0813 or E0821 at `place`. `who` is "kernel 'add'"; `accessFix` is the
/// advice for an access outside of all memory.
void tellFault(const ChildRun &run, const std::string &who, const Location &place, unsigned seconds,
               const std::string &accessFix, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PROCESS_GUARDEDCHILD_H

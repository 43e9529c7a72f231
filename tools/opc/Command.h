// What a command of `opc` is, and what the frame gives it.
//
// Each command is one file, tools/opc/<command>.cpp, that defines `const Command &<command>Command()` and has a line
// in Commands.def; the frame (CommandLine.cpp) does the rest: help, common options, usage errors with codes and
// nearest names, exit codes, exceptions. A command declares its arguments and returns the action to take when it is
// chosen. A command with commands of its own (`opc target list`) sets an action for each with `Declaration::on`.
//
//   static Action declare(Declaration &d) {
//     auto path = std::make_shared<std::string>();
//     d.arguments.option("contract", *path, "op_contract.yaml of the operator").required();
//     return [path](Context &context) { ... return ExitCode::Done; };
//   }
//
// Human text goes to stderr through the context, data to stdout. Errors are Diagnostics; `Context::finish` prints
// them and gives the exit code.

#ifndef OPC_TOOLS_OPC_COMMAND_H
#define OPC_TOOLS_OPC_COMMAND_H

#include "runtime/diagnostic/Diagnostic.h"
#include "tools/opc/Arguments.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace opc::tool {

enum class Format { Text, Json };
/// The vendor's levels; a message is shown when its level is not below the chosen one. `Null` shows nothing.
enum class LogLevel { Debug, Info, Warning, Error, Null };

/// What every action receives.
class Context {
public:
  Format format = Format::Text;
  LogLevel log = LogLevel::Info;
  bool json() const { return format == Format::Json; }

  /// One line of human text on stderr.
  void say(LogLevel level, const std::string &line) const;
  void info(const std::string &line) const { say(LogLevel::Info, line); }
  /// Prints every diagnostic as text on stderr and, under --format=json, as a record on stdout.
  void print(const Diagnostics &diagnostics) const;
  /// Prints, and returns the exit code of the first error, or Done.
  ExitCode finish(const Diagnostics &diagnostics) const;
  /// One error and its exit code.
  ExitCode fail(Code code, std::string message, std::string fix = {}, std::string rule = {}) const;
  /// Whether an error was printed: a command that told one is not done.
  bool toldError() const { return told; }

private:
  mutable bool told = false;
};

using Action = std::function<ExitCode(Context &)>;

/// Where a command declares its options.
struct Declaration {
  Arguments arguments;
  /// Actions of commands below this one, by what CLI11 has of them.
  std::map<const CLI::App *, Action> &actions;
  /// Adds `opc <command> <name>` with examples for its help.
  Arguments sub(const std::string &name, const std::string &help, const std::string &examples = {});
  void on(const Arguments &sub, Action action) { actions[sub.app] = std::move(action); }
};

struct Command {
  std::string name;
  std::string help;     ///< one line, lower case
  std::string examples; ///< lines of the help's end, each a command that works
  /// Declares options; the action when the command has none below it, else an empty one.
  Action (*declare)(Declaration &declaration);
};

/// In the order of Commands.def.
const std::vector<const Command *> &allCommands();

/// `--output`, `-o`: the same letter in every command.
Option addOutput(Arguments &arguments, std::string &value, const std::string &help);
/// `--seed`: 0 to 2^32 - 1.
Option addSeed(Arguments &arguments, uint64_t &value, const std::string &help);
/// `--input`: files of inputs, any number.
Option addInputs(Arguments &arguments, std::vector<std::string> &values);
/// `--attr`: attributes, any number.
Option addAttributes(Arguments &arguments, std::vector<std::string> &values);
/// `--input_shape`.
Option addInputShape(Arguments &arguments, std::string &value, const std::string &help);
/// `--python`: the interpreter for references.
Option addPython(Arguments &arguments, std::string &value);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMMAND_H

// The commands of `opc` and their interface to the frame.
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
// Text for users goes to stderr through the context, data to stdout. Errors are Diagnostics; `Context::finish` prints
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
/// The vendor's levels; messages below the selected level are not shown. `Null` shows nothing.
enum class LogLevel { Debug, Info, Warning, Error, Null };

/// The argument of every action.
class Context {
public:
  Format format = Format::Text;
  LogLevel log = LogLevel::Info;
  bool json() const { return format == Format::Json; }

  /// Prints a line on stderr.
  void say(LogLevel level, const std::string &line) const;
  void info(const std::string &line) const { say(LogLevel::Info, line); }
  /// Prints all diagnostics as text on stderr and, with --format=json, as records on stdout.
  void print(const Diagnostics &diagnostics) const;
  /// Prints all diagnostics and returns the exit code of the first error, or Done.
  ExitCode finish(const Diagnostics &diagnostics) const;
  /// Prints one error and returns its exit code.
  ExitCode fail(Code code, std::string message, std::string fix = {}, std::string rule = {}) const;
  /// Whether an error was printed; such a command must not return Done.
  bool toldError() const { return told; }

private:
  mutable bool told = false;
};

using Action = std::function<ExitCode(Context &)>;

/// A command's declaration of its options.
struct Declaration {
  Arguments arguments;
  /// Actions of subcommands, by their CLI11 app.
  std::map<const CLI::App *, Action> &actions;
  /// Adds `opc <command> <name>` with examples for its help.
  Arguments sub(const std::string &name, const std::string &help, const std::string &examples = {});
  void on(const Arguments &sub, Action action) { actions[sub.app] = std::move(action); }
};

struct Command {
  std::string name;
  std::string help;     ///< one line, lower case
  std::string examples; ///< lines at the end of the help, each a command that works
  /// Declares options; returns the action, or an empty one for a command with subcommands.
  Action (*declare)(Declaration &declaration);
};

/// All commands, in the order of Commands.def.
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
/// `--constant`: values of a model's inputs, any number.
Option addConstants(Arguments &arguments, std::vector<std::string> &values, const std::string &prefix = "");
/// `--python`: the interpreter for references.
Option addPython(Arguments &arguments, std::string &value);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMMAND_H

// The common parts of commands: what the context prints, the list of commands, options that are the
// same everywhere.

#include "tools/opc/Command.h"

#include <iostream>

namespace opc::tool {

#define OPC_COMMAND(NAME) const Command &NAME##Command();
#include "tools/opc/Commands.def"
#undef OPC_COMMAND

const std::vector<const Command *> &allCommands() {
  static const std::vector<const Command *> commands = {
#define OPC_COMMAND(NAME) &NAME##Command(),
#include "tools/opc/Commands.def"
#undef OPC_COMMAND
  };
  return commands;
}

void Context::say(LogLevel level, const std::string &line) const {
  if (level >= log && log != LogLevel::Null)
    std::cerr << line << '\n';
}

static LogLevel levelOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return LogLevel::Error;
  case Severity::Warning:
    return LogLevel::Warning;
  case Severity::Remark:
    return LogLevel::Info;
  }
  return LogLevel::Error;
}

void Context::print(const Diagnostics &diagnostics) const {
  for (const Diagnostic &diagnostic : diagnostics.all()) {
    if (levelOf(diagnostic.severity) >= log && log != LogLevel::Null)
      printText(std::cerr, diagnostic);
    if (json())
      printJson(std::cout, diagnostic);
  }
  std::cout.flush();
}

ExitCode Context::finish(const Diagnostics &diagnostics) const {
  print(diagnostics);
  return diagnostics.exitCode();
}

ExitCode Context::fail(Code code, std::string message, std::string fix, std::string rule) const {
  Diagnostics diagnostics;
  diagnostics.error(code, {}, std::move(message), std::move(rule), std::move(fix));
  return finish(diagnostics);
}

CLI::App &Declaration::sub(const std::string &name, const std::string &help,
                           const std::string &examples) {
  CLI::App *child = app.add_subcommand(name, help);
  if (!examples.empty())
    child->footer("\nExamples:\n" + examples);
  return *child;
}

CLI::Validator oneOf(const std::vector<std::string> &words) {
  auto check = [words](const std::string &found) -> std::string {
    std::string known, nearest = nearestName(found, words);
    for (const std::string &word : words) {
      if (word == found)
        return {};
      known += (known.empty() ? "" : word == words.back() ? " or " : ", ") + word;
    }
    // What follows the line end is the fix: see usageError.
    return "expects " + known + ", found '" + printable(found) + "'" +
           (nearest.empty() ? "" : "\ndid you mean '" + nearest + "'?");
  };
  return {check, ""};
}

CLI::Validator wholeNumber(int64_t least, int64_t most) {
  auto check = [least, most](const std::string &found) -> std::string {
    int64_t value = 0;
    // Signed, for CLI11 takes -1 for the largest unsigned number.
    if (CLI::detail::lexical_cast(found, value) && value >= least && value <= most)
      return {};
    return "expects a whole number from " + std::to_string(least) + " to " + std::to_string(most) +
           ", found '" + printable(found) + "'";
  };
  return {check, ""};
}

CLI::Option *addOutput(CLI::App &app, std::string &value, const std::string &help) {
  return app.add_option("-o,--output", value, help)->type_name("PATH");
}

CLI::Option *addSeed(CLI::App &app, uint64_t &value, const std::string &help) {
  return app.add_option("--seed", value, help)->type_name("N")->check(wholeNumber(0, UINT32_MAX));
}

CLI::Option *addInputs(CLI::App &app, std::vector<std::string> &values) {
  return app
      .add_option("--input", values,
                  "an input: NAME=@FILE.npy; ':bf16' after it takes u2 as bfloat16")
      ->type_name("NAME=@FILE")
      ->allow_extra_args(false);
}

CLI::Option *addAttributes(CLI::App &app, std::vector<std::string> &values) {
  return app.add_option("--attr", values, "an attribute: NAME=VALUE")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

CLI::Option *addInputShape(CLI::App &app, std::string &value, const std::string &help) {
  return app.add_option("--input_shape", value, help)->type_name("SHAPES");
}

CLI::Option *addPython(CLI::App &app, std::string &value) {
  return app
      .add_option(
          "--python", value,
          "Python interpreter for references; else OPC_PYTHON, else the one recorded when opc was "
          "configured, else python3")
      ->type_name("FILE");
}

} // namespace opc::tool

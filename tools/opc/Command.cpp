// The common parts of commands: output of the context, the list of commands, options that are the same in all commands.

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
  told |= diagnostics.hasErrors();
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

Option addOutput(Arguments &arguments, std::string &value, const std::string &help) {
  return arguments.option("-o,--output", value, help).typeName("PATH");
}

Option addSeed(Arguments &arguments, uint64_t &value, const std::string &help) {
  return arguments.option("--seed", value, help).typeName("N").check(wholeNumber(0, UINT32_MAX));
}

Option addInputs(Arguments &arguments, std::vector<std::string> &values) {
  return arguments.option("--input", values, "file of an input: NAME=@FILE.npy; a suffix ':bf16' reads u2 as bfloat16")
      .typeName("NAME=@FILE")
      .oneEach();
}

Option addConstants(Arguments &arguments, std::vector<std::string> &values, const std::string &prefix) {
  return arguments
      .option("--constant", values,
              prefix + "value of an input that no run gives: NAME=NUMBER, NAME=[NUMBER,NUMBER] or NAME=@FILE.npy")
      .typeName("NAME=VALUE")
      .oneEach();
}

Option addAttributes(Arguments &arguments, std::vector<std::string> &values) {
  return arguments.option("--attr", values, "value of an attribute: NAME=VALUE").typeName("NAME=VALUE").oneEach();
}

Option addInputShape(Arguments &arguments, std::string &value, const std::string &help) {
  return arguments.option("--input_shape", value, help).typeName("SHAPES");
}

Option addPython(Arguments &arguments, std::string &value) {
  return arguments
      .option("--python", value,
              "Python interpreter for references (default OPC_PYTHON, else the one recorded when opc was configured, "
              "else python3)")
      .typeName("FILE");
}

} // namespace opc::tool

// The frame: declares every command on one CLI11 app, parses, and turns all failures into errors with a code.
//
// CLI11 reports the first error that it finds, which for a misspelt option is often a consequence ("--output is
// required"). So parsing collects arguments that no option takes, and these are reported first, with the nearest
// name. No exception leaves this file: an exception in a command is an internal error, exit status 70.

#include "tools/opc/CommandLine.h"

#include "tools/opc/Command.h"
#include "tools/opc/Version.h"
#include "tools/opc/libraries/Exceptions.h"
#include "tools/opc/text/Words.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iostream>

namespace opc::tool {

/// All option names of a command, as typed.
static std::vector<std::string> optionNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::Option *option : app.get_options()) {
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
    for (const std::string &name : option->get_snames())
      names.push_back("-" + name);
  }
  return names;
}

static std::vector<std::string> subcommandNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::App *sub : app.get_subcommands([](const CLI::App *) { return true; }))
    names.push_back(sub->get_name());
  return names;
}

Arguments Declaration::sub(const std::string &name, const std::string &help, const std::string &examples) {
  CLI::App *child = arguments.app->add_subcommand(name, help);
  if (!examples.empty())
    child->footer("\nExamples:\n" + examples);
  return Arguments(*child);
}

/// "opc target list"
static std::string fullName(const CLI::App &app) {
  const CLI::App *parent = app.get_parent();
  return parent ? fullName(*parent) + " " + app.get_name() : app.get_name();
}

/// The command that the arguments selected: the innermost app that was parsed.
static CLI::App *chosenApp(CLI::App &app) {
  CLI::App *chosen = &app;
  while (!chosen->get_subcommands().empty())
    chosen = chosen->get_subcommands().front();
  return chosen;
}

static std::string nearestFix(const std::string &typed, const std::vector<std::string> &names, const CLI::App &app) {
  std::string nearest = nearestName(typed, names);
  if (!nearest.empty())
    return "did you mean '" + nearest + "'?";
  return "'" + fullName(app) + " --help' lists what there is";
}

/// Reports an argument that no option and no command takes.
static ExitCode unknownArgument(const Context &context, const CLI::App &app, const std::string &argument) {
  std::string shown = printable(argument);
  if (argument.size() > 1 && argument[0] == '-') {
    std::string name = argument.substr(0, argument.find('='));
    return context.fail(Code::E0102, "'" + fullName(app) + "' has no option '" + printable(name) + "'",
                        nearestFix(name, optionNames(app), app));
  }
  std::vector<std::string> commands = subcommandNames(app);
  if (!commands.empty())
    return context.fail(Code::E0101,
                        "'" + fullName(app) + "' has no command '" + shown + "'; it has " + joined(commands),
                        nearestFix(argument, commands, app));
  return context.fail(Code::E0100, "'" + fullName(app) + "' expects no argument '" + shown + "' here",
                      "'" + fullName(app) + " --help' lists what there is");
}

static ExitCode usageError(const Context &context, const CLI::App &app, const CLI::ParseError &error) {
  std::string help = "'" + fullName(app) + " --help' shows examples";
  std::string text = error.what();
  // Checks put the fix after a line break.
  if (size_t end = text.find('\n'); end != std::string::npos) {
    help = printable(text.substr(end + 1), 300);
    text.resize(end);
  }
  text = printable(text, 300);
  if (dynamic_cast<const CLI::RequiredError *>(&error))
    return context.fail(Code::E0103, "'" + fullName(app) + "' lacks something: " + text, help);
  if (dynamic_cast<const CLI::ValidationError *>(&error) || dynamic_cast<const CLI::ConversionError *>(&error))
    return context.fail(Code::E0104, text, help);
  if (dynamic_cast<const CLI::ArgumentMismatch *>(&error))
    return context.fail(Code::E0105, text, help);
  return context.fail(Code::E0100, text, help);
}

/// Adds --format and --log to every app without subcommands.
static void addCommonOptions(CLI::App &app, Context &context) {
  std::vector<CLI::App *> below = app.get_subcommands([](CLI::App *) { return true; });
  app.allow_extras();
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.get_formatter()->label("Subcommands", "Commands");
  if (!below.empty()) {
    // An argument after the command is never a second command: "opc run model" runs the folder "model".
    app.require_subcommand(0, 1);
    for (CLI::App *sub : below)
      addCommonOptions(*sub, context);
    return;
  }
  static const std::map<std::string, Format> formats = {{"text", Format::Text}, {"json", Format::Json}};
  static const std::map<std::string, LogLevel> levels = {{"debug", LogLevel::Debug},
                                                         {"info", LogLevel::Info},
                                                         {"warning", LogLevel::Warning},
                                                         {"error", LogLevel::Error},
                                                         {"null", LogLevel::Null}};
  Option(app.add_option_function<std::string>(
             "--format", [&context](const std::string &name) { context.format = formats.at(name); },
             "format of data and errors on stdout: text or json (default text)"))
      .typeName("text|json")
      .check(oneOf({"text", "json"}));
  Option(app.add_option_function<std::string>(
             "--log", [&context](const std::string &name) { context.log = levels.at(name); },
             "lowest level shown on stderr: debug, info, warning, error or null (default info)"))
      .typeName("LEVEL")
      .check(oneOf({"debug", "info", "warning", "error", "null"}));
}

/// The arguments after the program's name in reverse order, as CLI11 expects them. "--option=" becomes "--option" and
/// an empty value, since CLI11 would take the next argument as the value.
static std::vector<std::string> argumentsOf(int argc, char **argv) {
  std::vector<std::string> arguments;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    bool empty = argument.size() > 3 && argument.compare(0, 2, "--") == 0 && argument.find('=') == argument.size() - 1;
    if (empty)
      argument.pop_back();
    arguments.push_back(std::move(argument));
    if (empty)
      arguments.emplace_back();
  }
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

/// The name of an option that was given with an empty value; empty when there is none.
static std::string emptyOption(const CLI::App &app) {
  for (const CLI::Option *option : app.get_options())
    for (const std::string &value : option->results())
      if (value.empty() && option->nonpositional())
        return option->get_name();
  return {};
}

/// Flushes stdout and returns the status of a command: a full disk or a closed pipe must not look like success.
static ExitCode flushed(const Context &context, ExitCode status) {
  std::cout.flush();
  // Tables were flushed before, so the error may have occurred earlier.
  bool failed = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if ((!std::cout || failed) && status == ExitCode::Done)
    return context.fail(Code::E0601, "cannot write to standard output");
  return status;
}

/// The status of a command; reports an internal error when it printed an error and returned Done.
static ExitCode checked(const Context &context, ExitCode status) {
  if (status != ExitCode::Done || !context.toldError())
    return status;
  return context.fail(Code::E0900, "the command reported an error and ended with success");
}

static int run(int argc, char **argv, Context &context) {
  CLI::App app("opc: compiler and SDK for custom operators on Ascend 310B", "opc");
  app.set_version_flag("--version", versionText());
  app.footer("\nExamples:\n"
             "  opc compile op_contract.yaml --soc_version=Ascend310B --output=out\n"
             "  opc run out --device=sim --input x=@x.npy --output y=@y.npy\n"
             "  opc test op_contract.yaml --device=cpu,sim\n"
             "'opc COMMAND --help' explains a command, 'opc explain CODE' an error.");
  std::map<const CLI::App *, Action> actions;
  for (const Command *command : allCommands()) {
    CLI::App *sub = app.add_subcommand(command->name, command->help);
    if (!command->examples.empty())
      sub->footer("\nExamples:\n" + command->examples);
    Declaration declaration{Arguments(*sub), actions};
    Action action = command->declare(declaration);
    if (action)
      actions[sub] = std::move(action);
  }
  addCommonOptions(app, context);

  // Errors of parsing use the requested format too.
  for (int i = 1; i < argc; ++i)
    if (std::string(argv[i]) == "--format=json" ||
        (std::string(argv[i]) == "--format" && i + 1 < argc && std::string(argv[i + 1]) == "json"))
      context.format = Format::Json;

  try {
    app.parse(argumentsOf(argc, argv));
  } catch (const CLI::CallForVersion &) {
    std::cout << versionText() << '\n';
    return int(flushed(context, ExitCode::Done));
  } catch (const CLI::CallForHelp &) {
    std::cout << app.help();
    return int(flushed(context, ExitCode::Done));
  } catch (const CLI::ParseError &error) {
    CLI::App &chosen = *chosenApp(app);
    std::vector<std::string> rest = chosen.remaining();
    if (!rest.empty())
      return int(unknownArgument(context, chosen, rest.front()));
    return int(usageError(context, chosen, error));
  }

  CLI::App &chosen = *chosenApp(app);
  for (const CLI::App *above = &chosen; above; above = above->get_parent()) {
    std::vector<std::string> rest = above->remaining();
    if (!rest.empty())
      return int(unknownArgument(context, *above, rest.front()));
  }
  if (std::string option = emptyOption(chosen); !option.empty())
    return int(context.fail(Code::E0105, option + ": expects a value, found none",
                            "'" + fullName(chosen) + " --help' shows examples"));
  auto action = actions.find(&chosen);
  if (action == actions.end()) {
    std::cerr << app.help();
    return int(
        context.fail(Code::E0101, "'" + fullName(chosen) + "' expects a command: " + joined(subcommandNames(chosen))));
  }
  return int(flushed(context, checked(context, action->second(context))));
}

int runCommandLine(int argc, char **argv) {
  // Ignore the signal, so that exceeding the file size limit is reported as a write error.
  std::signal(SIGXFSZ, SIG_IGN);
  Context context;
  try {
    return run(argc, argv, context);
  } catch (...) {
    Diagnostics diagnostics;
    reportException(diagnostics);
    return int(context.finish(diagnostics));
  }
}

} // namespace opc::tool

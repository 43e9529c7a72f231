// Declarations of a command's arguments. The implementation uses CLI11; only Arguments.cpp and CommandLine.cpp
// include it, because compiling its headers takes seconds per file.

#ifndef OPC_TOOLS_OPC_ARGUMENTS_H
#define OPC_TOOLS_OPC_ARGUMENTS_H

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace opc::tool {

/// Returns why a value is refused, empty when it is accepted. Text after a line break is the fix.
using ValueCheck = std::function<std::string(const std::string &found)>;

/// Accepts one of these words; others give E0104 with the nearest word.
ValueCheck oneOf(const std::vector<std::string> &words);
/// Accepts a whole number from `least` to `most`.
ValueCheck wholeNumber(int64_t least, int64_t most);

/// A declared option or positional argument.
class Option {
public:
  explicit Option(CLI::Option *option) : option(option) {}

  Option &required();
  /// The name of the value in help: FILE.
  Option &typeName(const std::string &name);
  /// Reports E0104 for values that `check` refuses.
  Option &check(ValueCheck check);
  /// For lists: takes exactly this many values.
  Option &count(int values);
  /// For lists: each value needs the option's name before it, so that the next argument is not taken as a value.
  Option &oneEach();

private:
  CLI::Option *option;
};

/// The options and positional arguments of one command. The variables that receive the values must live until the
/// command is done.
class Arguments {
public:
  explicit Arguments(CLI::App &app) : app(&app) {}

  /// `names` are "-o,--output", or a word without dashes for a positional argument.
  Option option(const std::string &names, std::string &value, const std::string &help);
  Option option(const std::string &names, std::vector<std::string> &values, const std::string &help);
  Option option(const std::string &names, unsigned &value, const std::string &help);
  Option option(const std::string &names, uint64_t &value, const std::string &help);
  Option option(const std::string &names, int64_t &value, const std::string &help);
  Option option(const std::string &names, std::optional<uint64_t> &value, const std::string &help);
  Option option(const std::string &names, std::optional<int64_t> &value, const std::string &help);
  Option flag(const std::string &names, bool &value, const std::string &help);
  /// Whether the command has this option.
  bool declares(const std::string &name) const;
  /// Whether the option was given on the command line.
  bool given(const std::string &name) const;
  /// The first of these options that was given; empty when none was, or the command has none of them.
  std::string firstGiven(std::initializer_list<const char *> names) const;

private:
  friend struct Declaration;
  CLI::App *app;
};

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_ARGUMENTS_H

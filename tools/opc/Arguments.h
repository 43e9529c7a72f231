// What a command declares on its command line. CLI11 stands behind it and is seen by Arguments.cpp and the frame
// alone: its headers, all of them code, take seconds of each file that reads them.

#ifndef OPC_TOOLS_OPC_ARGUMENTS_H
#define OPC_TOOLS_OPC_ARGUMENTS_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace opc::tool {

/// Says what is wrong with a value, or nothing. What stands behind a line end is the fix.
using ValueCheck = std::function<std::string(const std::string &found)>;

/// One of these words: another one is E0104 with the nearest.
ValueCheck oneOf(const std::vector<std::string> &words);
/// A whole number from `least` to `most`.
ValueCheck wholeNumber(int64_t least, int64_t most);

/// An option or a positional argument that was declared.
class Option {
public:
  explicit Option(CLI::Option *option) : option(option) {}

  Option &required();
  /// What help calls the value, as FILE.
  Option &typeName(const std::string &name);
  /// E0104 for a value that it says something about.
  Option &check(ValueCheck check);
  /// Of a list: exactly this many values.
  Option &count(int values);
  /// Of a list: each value has the option's name in front of it, so that what follows is no value.
  Option &oneEach();

private:
  CLI::Option *option;
};

/// The options and positional arguments of one command. What the values are read into has to live until the
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
  Option flag(const std::string &names, bool &value, const std::string &help);
  /// Whether the option stood on the command line.
  bool given(const std::string &name) const;

private:
  friend struct Declaration;
  CLI::App *app;
};

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_ARGUMENTS_H

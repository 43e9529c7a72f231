#include "tools/opc/Arguments.h"

#include "runtime/diagnostic/Diagnostic.h"

#include <CLI/CLI.hpp>

namespace opc::tool {

ValueCheck oneOf(const std::vector<std::string> &words) {
  return [words](const std::string &found) -> std::string {
    std::string known, nearest = nearestName(found, words);
    for (const std::string &word : words) {
      if (word == found)
        return {};
      known += (known.empty() ? "" : word == words.back() ? " or " : ", ") + word;
    }
    return "expects " + known + ", found '" + printable(found) + "'" +
           (nearest.empty() ? "" : "\ndid you mean '" + nearest + "'?");
  };
}

ValueCheck wholeNumber(int64_t least, int64_t most) {
  return [least, most](const std::string &found) -> std::string {
    int64_t value = 0;
    // Signed, since CLI11 reads -1 as the largest unsigned number.
    if (CLI::detail::lexical_cast(found, value) && value >= least && value <= most)
      return {};
    return "expects a whole number from " + std::to_string(least) + " to " + std::to_string(most) + ", found '" +
           printable(found) + "'";
  };
}

Option &Option::required() {
  option->required();
  return *this;
}

Option &Option::typeName(const std::string &name) {
  option->type_name(name);
  return *this;
}

Option &Option::check(ValueCheck check) {
  option->check(CLI::Validator(std::move(check), ""));
  return *this;
}

Option &Option::count(int values) {
  option->expected(values);
  return *this;
}

Option &Option::oneEach() {
  option->allow_extra_args(false);
  return *this;
}

Option Arguments::option(const std::string &names, std::string &value, const std::string &help) {
  return Option(app->add_option(names, value, help));
}
Option Arguments::option(const std::string &names, std::vector<std::string> &values, const std::string &help) {
  return Option(app->add_option(names, values, help));
}
Option Arguments::option(const std::string &names, unsigned &value, const std::string &help) {
  return Option(app->add_option(names, value, help));
}
Option Arguments::option(const std::string &names, uint64_t &value, const std::string &help) {
  return Option(app->add_option(names, value, help));
}
Option Arguments::option(const std::string &names, int64_t &value, const std::string &help) {
  return Option(app->add_option(names, value, help));
}
Option Arguments::option(const std::string &names, std::optional<uint64_t> &value, const std::string &help) {
  return Option(app->add_option(names, value, help));
}
Option Arguments::option(const std::string &names, std::optional<int64_t> &value, const std::string &help) {
  return Option(app->add_option(names, value, help));
}
Option Arguments::flag(const std::string &names, bool &value, const std::string &help) {
  return Option(app->add_flag(names, value, help));
}

bool Arguments::declares(const std::string &name) const {
  return app->get_option_no_throw(name) != nullptr;
}

bool Arguments::given(const std::string &name) const {
  return app->count(name) > 0;
}

std::string Arguments::firstGiven(std::initializer_list<const char *> names) const {
  for (const char *name : names)
    if (declares(name) && given(name))
      return name;
  return {};
}

} // namespace opc::tool

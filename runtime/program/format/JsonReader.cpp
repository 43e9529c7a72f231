#include "runtime/program/format/JsonReader.h"

#include "runtime/program/format/JsonText.h"

#include <algorithm>

namespace opc {

static constexpr size_t kMaxListLength = 1u << 16;

bool JsonReader::object(const Json &json, const JsonPlace &where, std::initializer_list<std::string_view> required,
                        std::initializer_list<std::string_view> optional) {
  if (!json.is_object())
    return fail(where, std::string("expects an object, found ") + json.type_name());
  // Keys are unique, so equal counts mean that all required keys are present.
  const auto &entries = json.get_ref<const Json::object_t &>();
  auto among = [](std::initializer_list<std::string_view> names, const std::string &key) {
    return std::find(names.begin(), names.end(), key) != names.end();
  };
  size_t found = 0;
  for (const auto &[key, value] : entries)
    if (among(required, key))
      ++found;
    else if (!among(optional, key))
      return fail(where, "expects no key " + inQuotes(key));
  if (found == required.size())
    return true;
  for (std::string_view name : required)
    if (std::none_of(entries.begin(), entries.end(), [&](const auto &entry) { return entry.first == name; }))
      return fail(where, "expects a key " + inQuotes(name));
  return true;
}

bool JsonReader::text(const Json &json, const JsonPlace &where, std::string &value) {
  if (!json.is_string())
    return fail(where, std::string("expects a string, found ") + json.type_name());
  value = json.get<std::string>();
  if (value.size() > 4096 || value.find('\0') != std::string::npos)
    return fail(where, "expects at most 4096 bytes and no NUL");
  return true;
}

bool JsonReader::truth(const Json &json, const JsonPlace &where, bool &value) {
  if (!json.is_boolean())
    return fail(where, std::string("expects true or false, found ") + json.type_name());
  value = json.get<bool>();
  return true;
}

bool JsonReader::real(const Json &json, const JsonPlace &where, double &value) {
  if (json.is_number()) {
    value = json.get<double>();
    return true;
  }
  std::string word = json.is_string() ? json.get<std::string>() : std::string();
  if (word == "inf" || word == "-inf")
    value = (word[0] == '-' ? -1 : 1) * std::numeric_limits<double>::infinity();
  else if (word == "nan")
    value = std::numeric_limits<double>::quiet_NaN();
  else
    return fail(where, "expects a number, \"inf\", \"-inf\" or \"nan\"");
  return true;
}

bool JsonReader::texts(const Json &json, const JsonPlace &where, std::vector<std::string> &values) {
  return list(json, where, values, [this](const Json &element, const JsonPlace &at, std::string &value) {
    return text(element, at, value);
  });
}

bool JsonReader::isList(const Json &json, const JsonPlace &where) {
  if (!json.is_array())
    return fail(where, std::string("expects a list, found ") + json.type_name());
  if (json.size() > kMaxListLength)
    return fail(where, "expects at most " + std::to_string(kMaxListLength) + " elements");
  return true;
}

bool JsonReader::reals(const Json &json, const JsonPlace &where, std::vector<double> &values) {
  return list(json, where, values,
              [this](const Json &element, const JsonPlace &at, double &value) { return real(element, at, value); });
}

bool JsonReader::integers(const Json &json, const JsonPlace &where, std::vector<int64_t> &values) {
  return list(json, where, values,
              [this](const Json &element, const JsonPlace &at, int64_t &value) { return integer(element, at, value); });
}

bool JsonReader::truths(const Json &json, const JsonPlace &where, std::vector<bool> &values) {
  // std::vector<bool> has no references to its elements.
  std::vector<char> read;
  bool done = list(json, where, read, [this](const Json &element, const JsonPlace &at, char &value) {
    bool one = false;
    bool fine = truth(element, at, one);
    value = one;
    return fine;
  });
  values.assign(read.begin(), read.end());
  return done;
}

bool JsonReader::parse(const std::string &text, Json &json) {
  JsonProblem found;
  if (!parseJson(text, JsonLimits(), json, found))
    fail("", found.text());
  return problem.empty();
}

} // namespace opc

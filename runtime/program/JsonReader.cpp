#include "runtime/program/JsonReader.h"

namespace opc {

static constexpr size_t kMaxManifestBytes = 16u << 20;
static constexpr int kMaxManifestDepth = 16;
static constexpr size_t kMaxListLength = 1u << 16;
static constexpr size_t kMaxKeys = 64;

bool JsonReader::object(const Json &json, const std::string &where,
                        std::set<std::string_view> required,
                        const std::set<std::string_view> &optional) {
  if (!json.is_object())
    return fail(where, std::string("expects an object, found ") + json.type_name());
  for (const auto &[key, value] : json.items())
    if (required.erase(key) == 0 && optional.count(key) == 0)
      return fail(where, "expects no key " + inQuotes(key));
  if (!required.empty())
    return fail(where, "expects a key " + inQuotes(*required.begin()));
  return true;
}

bool JsonReader::text(const Json &json, const std::string &where, std::string &value) {
  if (!json.is_string())
    return fail(where, std::string("expects a string, found ") + json.type_name());
  value = json.get<std::string>();
  if (value.size() > 4096 || value.find('\0') != std::string::npos)
    return fail(where, "expects at most 4096 bytes and no NUL");
  return true;
}

bool JsonReader::truth(const Json &json, const std::string &where, bool &value) {
  if (!json.is_boolean())
    return fail(where, std::string("expects true or false, found ") + json.type_name());
  value = json.get<bool>();
  return true;
}

bool JsonReader::real(const Json &json, const std::string &where, double &value) {
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

bool JsonReader::texts(const Json &json, const std::string &where,
                       std::vector<std::string> &values) {
  return list(json, where, values,
              [this](const Json &element, const std::string &at, std::string &value) {
                return text(element, at, value);
              });
}

bool JsonReader::isList(const Json &json, const std::string &where) {
  if (!json.is_array())
    return fail(where, std::string("expects a list, found ") + json.type_name());
  if (json.size() > kMaxListLength)
    return fail(where, "expects at most " + std::to_string(kMaxListLength) + " elements");
  return true;
}

bool JsonReader::reals(const Json &json, const std::string &where, std::vector<double> &values) {
  return list(json, where, values,
              [this](const Json &element, const std::string &at, double &value) {
                return real(element, at, value);
              });
}

bool JsonReader::integers(const Json &json, const std::string &where,
                          std::vector<int64_t> &values) {
  return list(json, where, values,
              [this](const Json &element, const std::string &at, int64_t &value) {
                return integer(element, at, value);
              });
}

bool JsonReader::truths(const Json &json, const std::string &where, std::vector<bool> &values) {
  // std::vector<bool> has no elements to refer to.
  std::vector<char> read;
  bool done =
      list(json, where, read, [this](const Json &element, const std::string &at, char &value) {
        bool one = false;
        bool fine = truth(element, at, one);
        value = one;
        return fine;
      });
  values.assign(read.begin(), read.end());
  return done;
}

bool JsonReader::parse(const std::string &text, Json &json) {
  if (text.size() > kMaxManifestBytes)
    return fail("", "expects at most " + std::to_string(kMaxManifestBytes) + " bytes");
  std::vector<std::set<std::string>> keys;
  auto watch = [&](int depth, Json::parse_event_t event, Json &parsed) {
    // What is dropped costs no memory: a refused text is skimmed to its end.
    if (!problem.empty())
      return false;
    if (depth > kMaxManifestDepth)
      problem = "expects at most " + std::to_string(kMaxManifestDepth) + " levels";
    else if (event == Json::parse_event_t::object_start)
      keys.emplace_back();
    else if (event == Json::parse_event_t::object_end)
      keys.pop_back();
    else if (event == Json::parse_event_t::key) {
      auto key = parsed.get<std::string>();
      if (keys.back().size() == kMaxKeys)
        problem = "expects at most " + std::to_string(kMaxKeys) + " keys in an object";
      else if (!keys.back().insert(key).second)
        problem = "expects each key once, found " + inQuotes(key) + " twice";
    }
    return problem.empty();
  };
  json = Json::parse(text, watch, /*allow_exceptions=*/false);
  if (problem.empty() && json.is_discarded())
    fail("", "expects JSON");
  return problem.empty();
}

} // namespace opc

// Reads untrusted JSON: each value must have the expected type, each key must be known, and the reader keeps the
// first error with its position ("kernels[0].tiling.code[3]").
//
// The text of a position is only made for an error: making all of them would take a third of the time to read
// a manifest.

#ifndef OPC_RUNTIME_PROGRAM_FORMAT_JSONREADER_H
#define OPC_RUNTIME_PROGRAM_FORMAT_JSONREADER_H

#include "runtime/diagnostic/Diagnostic.h"

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace opc {

/// The position of a value: a name, or a name or index below another position. Keeps pointers to that position and to
/// the name, so pass it to a call and do not store it.
class JsonPlace {
public:
  JsonPlace(const char *name) : word(name) {}
  JsonPlace operator+(const char *name) const { return JsonPlace(this, name, kNoIndex); }
  JsonPlace operator[](size_t index) const { return JsonPlace(this, nullptr, index); }
  std::string text() const {
    std::string before = parent ? parent->text() : std::string();
    return before + (word ? std::string(word) : "[" + std::to_string(index) + "]");
  }

private:
  static constexpr size_t kNoIndex = SIZE_MAX;
  JsonPlace(const JsonPlace *parent, const char *word, size_t index) : parent(parent), word(word), index(index) {}
  const JsonPlace *parent = nullptr;
  const char *word;
  size_t index = kNoIndex;
};

/// Base class of readers. Every function returns whether there was no error, so that callers chain calls with `&&`;
/// only the first error is kept.
class JsonReader {
public:
  using Json = nlohmann::ordered_json;
  std::string problem;

  /// Parses a text. Refuses duplicate keys in an object, and texts that exceed the limits of a manifest (JsonText.h).
  bool parse(const std::string &text, Json &json);

protected:
  bool fail(const JsonPlace &place, const std::string &text) {
    if (problem.empty()) {
      const std::string where = place.text();
      problem = (where.empty() ? "" : where + ": ") + text;
    }
    return false;
  }
  static std::string inQuotes(std::string_view text) { return "'" + printable(text) + "'"; }

  /// An object with all of `required`, some of `optional` and no other keys.
  bool object(const Json &json, const JsonPlace &where, std::initializer_list<std::string_view> required,
              std::initializer_list<std::string_view> optional = {});
  bool text(const Json &json, const JsonPlace &where, std::string &value);
  bool truth(const Json &json, const JsonPlace &where, bool &value);
  bool real(const Json &json, const JsonPlace &where, double &value);
  template <typename T> bool integer(const Json &json, const JsonPlace &where, T &value);
  /// One of `names`; `value` is its position.
  template <typename Enum, size_t N>
  bool name(const Json &json, const JsonPlace &where, const std::string_view (&names)[N], Enum &value);
  template <typename T, typename ReadElement>
  bool list(const Json &json, const JsonPlace &where, std::vector<T> &values, ReadElement &&readElement);
  bool texts(const Json &json, const JsonPlace &where, std::vector<std::string> &values);
  bool reals(const Json &json, const JsonPlace &where, std::vector<double> &values);
  bool integers(const Json &json, const JsonPlace &where, std::vector<int64_t> &values);
  bool truths(const Json &json, const JsonPlace &where, std::vector<bool> &values);

private:
  bool isList(const Json &json, const JsonPlace &where);
};

template <typename T> bool JsonReader::integer(const Json &json, const JsonPlace &where, T &value) {
  if (json.is_number_unsigned()) {
    auto number = json.get<uint64_t>();
    if (number <= static_cast<uint64_t>(std::numeric_limits<T>::max())) {
      value = static_cast<T>(number);
      return true;
    }
  } else if (json.is_number_integer()) {
    auto number = json.get<int64_t>();
    if (std::is_signed_v<T> && number >= static_cast<int64_t>(std::numeric_limits<T>::min())) {
      value = static_cast<T>(number);
      return true;
    }
  }
  return fail(where, "expects a whole number from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
                         std::to_string(std::numeric_limits<T>::max()));
}

template <typename Enum, size_t N>
bool JsonReader::name(const Json &json, const JsonPlace &where, const std::string_view (&names)[N], Enum &value) {
  std::string word;
  if (!text(json, where, word))
    return false;
  for (size_t i = 0; i < N; ++i)
    if (names[i] == word) {
      value = static_cast<Enum>(i);
      return true;
    }
  std::string all;
  for (std::string_view each : names)
    all += (all.empty() ? "" : ", ") + std::string(each);
  return fail(where, "expects one of " + all + "; found " + inQuotes(word));
}

template <typename T, typename ReadElement>
bool JsonReader::list(const Json &json, const JsonPlace &where, std::vector<T> &values, ReadElement &&readElement) {
  if (!isList(json, where))
    return false;
  values.clear();
  for (size_t i = 0; i < json.size(); ++i)
    if (!readElement(json[i], where[i], values.emplace_back()))
      return false;
  return true;
}

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_FORMAT_JSONREADER_H

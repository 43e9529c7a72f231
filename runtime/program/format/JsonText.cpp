// `Builder` builds the document from the parser's events and checks limits while it does so: a second pass over the
// document, or the copy of each value that parse callbacks get, would cost as much as parsing.

#include "runtime/program/format/JsonText.h"

#include "runtime/diagnostic/Diagnostic.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace opc {

using Json = nlohmann::ordered_json;

namespace {

/// An iterator over a text that records how far the parser has read.
class Walk {
public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char *;
  using reference = const char &;

  Walk(const char *at, const char **reached) : at(at), reached(reached) {}
  reference operator*() const { return *at; }
  Walk &operator++() {
    *reached = ++at;
    return *this;
  }
  friend bool operator!=(const Walk &a, const Walk &b) { return a.at != b.at; }

private:
  const char *at, **reached;
};

/// Builds a document from the parser's events.
class Builder {
public:
  Builder(const JsonLimits &limits, Json &root) : limits(limits), root(root) {}
  std::string problem;
  std::string token; ///< the token that the parser did not expect

  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(Json::number_integer_t value) { return put(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return put(value); }
  bool number_float(Json::number_float_t value, const std::string &) { return put(value); }
  bool string(std::string &value) { return put(std::move(value)); }
  bool binary(Json::binary_t &) { return false; }
  bool start_object(size_t) { return open(Json::value_t::object); }
  bool start_array(size_t) { return open(Json::value_t::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string &name) {
    auto &object = containers.back()->get_ref<Json::object_t &>();
    if (object.size() == limits.keys)
      return fail("expects at most " + std::to_string(limits.keys) + " keys in an object");
    auto [entry, fresh] = object.emplace(name, Json());
    if (!fresh)
      return fail("expects each key once, found '" + printable(name) + "' twice");
    slot = &entry->second;
    return true;
  }
  bool parse_error(size_t, const std::string &last, const Json::exception &error) {
    token = last;
    // "[json...] parse error at line 1, column 2: syntax error while ...": drop the position, which the caller reports.
    std::string_view what = error.what(), mark = ": ";
    size_t start = what.find(mark);
    what.remove_prefix(start == std::string_view::npos ? 0 : start + mark.size());
    return fail("expects JSON: " + printable(what, 200));
  }

private:
  bool fail(std::string text) {
    if (problem.empty())
      problem = std::move(text);
    return false;
  }
  /// Stores a value in the open container.
  Json &place(Json &&value) {
    if (containers.empty())
      return root = std::move(value);
    if (!containers.back()->is_array())
      return *slot = std::move(value);
    auto &list = containers.back()->get_ref<Json::array_t &>();
    list.push_back(std::move(value));
    return list.back();
  }
  template <typename T> bool put(T &&value) {
    place(Json(std::forward<T>(value)));
    return true;
  }
  bool open(Json::value_t kind) {
    if (containers.size() == limits.levels)
      return fail("expects at most " + std::to_string(limits.levels) + " levels");
    containers.push_back(&place(Json(kind)));
    // Keys of an object cannot be moved when it grows: each growth would copy them.
    if (kind == Json::value_t::object)
      containers.back()->get_ref<Json::object_t &>().reserve(kUsualKeys);
    return true;
  }
  bool close() {
    containers.pop_back();
    return true;
  }

  static constexpr size_t kUsualKeys = 8;
  const JsonLimits limits;
  Json &root;
  std::vector<Json *> containers; ///< open containers; values are added to the innermost one only
  Json *slot = nullptr;           ///< of the last key
};

} // namespace

std::string JsonProblem::text() const {
  if (line == 0)
    return message;
  return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + message;
}

bool parseJson(std::string_view text, const JsonLimits &limits, Json &json, JsonProblem &problem) {
  problem = {};
  if (text.size() > limits.bytes) {
    problem.message =
        "expects at most " + std::to_string(limits.bytes) + " bytes, found " + std::to_string(text.size());
    return false;
  }
  json = nullptr;
  Builder builder(limits, json);
  const char *reached = text.data(), *end = text.data() + text.size();
  if (Json::sax_parse(Walk(text.data(), &reached), Walk(end, &reached), &builder))
    return true;
  problem.message = builder.problem.empty() ? "expects JSON" : std::move(builder.problem);
  // The start of an unexpected string, else the last character that was read: for other tokens the parser's text
  // begins before the token.
  std::string_view before = text.substr(0, size_t(reached - text.data()));
  const std::string_view token = builder.token;
  const bool whole = token.size() > 1 && token.front() == '"' && token.back() == '"' && before.size() >= token.size() &&
                     before.substr(before.size() - token.size()) == token;
  before.remove_suffix(whole ? token.size() : std::min<size_t>(before.size(), 1));
  size_t lineStart = before.rfind('\n');
  problem.line = 1 + unsigned(std::count(before.begin(), before.end(), '\n'));
  problem.column = 1 + unsigned(before.size() - (lineStart == std::string_view::npos ? 0 : lineStart + 1));
  return false;
}

std::string writeJson(const Json &json, int indent) {
  return json.dump(indent, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

} // namespace opc

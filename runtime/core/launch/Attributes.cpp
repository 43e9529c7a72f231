#include "runtime/core/launch/Attributes.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace opc {

using Value = ManifestValue;

static std::string_view typeText(ManifestAttribute::Type type) {
  switch (type) {
  case ManifestAttribute::Float:
    return "a float";
  case ManifestAttribute::Int:
    return "an integer";
  case ManifestAttribute::Bool:
    return "true or false";
  case ManifestAttribute::String:
    return "a string";
  case ManifestAttribute::ListFloat:
    return "floats with ',' between them";
  case ManifestAttribute::ListInt:
    return "integers with ',' between them";
  case ManifestAttribute::ListBool:
    return "true or false with ',' between them";
  case ManifestAttribute::ListString:
    return "strings with ',' between them";
  }
  return "a value";
}

static Value parseValue(ManifestAttribute::Type type, const std::string &text);

/// Parses a list of values of type `item`, with or without brackets.
template <typename Item> static Value parseList(ManifestAttribute::Type item, std::string text) {
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']')
    text = text.substr(1, text.size() - 2);
  std::vector<Item> items;
  for (size_t start = 0; !text.empty() && start <= text.size();) {
    size_t end = std::min(text.find(',', start), text.size());
    size_t first = std::min(text.find_first_not_of(' ', start), end);
    size_t last = end;
    while (last > first && text[last - 1] == ' ')
      --last;
    Value value = parseValue(item, text.substr(first, last - first));
    if (const Item *held = std::get_if<Item>(&value))
      items.push_back(*held);
    else
      return Value();
    start = end + 1;
  }
  return Value(std::move(items));
}

/// Parses the whole text as a value of the type; monostate on failure.
static Value parseValue(ManifestAttribute::Type type, const std::string &text) {
  char *end = nullptr;
  bool plain =
      !text.empty() && text.find_first_of(" \t\n\v\f\r") == std::string::npos && text.find('\0') == std::string::npos;
  switch (type) {
  case ManifestAttribute::Float: {
    double value = std::strtod(text.c_str(), &end);
    return plain && *end == '\0' ? Value(value) : Value();
  }
  case ManifestAttribute::Int: {
    errno = 0;
    long long value = std::strtoll(text.c_str(), &end, 10);
    return plain && *end == '\0' && errno == 0 ? Value(int64_t(value)) : Value();
  }
  case ManifestAttribute::Bool:
    if (text == "true" || text == "false" || text == "1" || text == "0")
      return Value(text == "true" || text == "1");
    return Value();
  case ManifestAttribute::String:
    return Value(text);
  case ManifestAttribute::ListFloat:
    return parseList<double>(ManifestAttribute::Float, text);
  case ManifestAttribute::ListInt:
    return parseList<int64_t>(ManifestAttribute::Int, text);
  case ManifestAttribute::ListBool:
    return parseList<bool>(ManifestAttribute::Bool, text);
  case ManifestAttribute::ListString:
    return parseList<std::string>(ManifestAttribute::String, text);
  }
  return Value();
}

static std::string rangeText(const ManifestAttribute &attribute) {
  // In full: 1048576, not 1.04858e+06. Bounds of floats may need an exponent.
  auto number = [](double value) {
    char text[400];
    const bool isPlain = value == 0 || (std::fabs(value) >= 1e-5 && std::fabs(value) < 1e19);
    const std::to_chars_result end = isPlain ? std::to_chars(text, text + sizeof text, value, std::chars_format::fixed)
                                             : std::to_chars(text, text + sizeof text, value);
    return std::string(text, end.ptr);
  };
  if (attribute.minimum && attribute.maximum)
    return number(*attribute.minimum) + " to " + number(*attribute.maximum);
  return attribute.minimum ? "at least " + number(*attribute.minimum) : "at most " + number(*attribute.maximum);
}

/// Whether a value is within the range. NaN is outside of every range with a bound.
static bool inRange(const ManifestAttribute &attribute, double value) {
  return (!attribute.minimum || value >= *attribute.minimum) && (!attribute.maximum || value <= *attribute.maximum);
}

static bool checkRange(const ManifestAttribute &attribute, const Value &value) {
  if (const double *number = std::get_if<double>(&value))
    return inRange(attribute, *number);
  if (const int64_t *number = std::get_if<int64_t>(&value))
    return inRange(attribute, double(*number));
  if (const auto *numbers = std::get_if<std::vector<double>>(&value))
    return std::all_of(numbers->begin(), numbers->end(), [&](double number) { return inRange(attribute, number); });
  if (const auto *numbers = std::get_if<std::vector<int64_t>>(&value))
    return std::all_of(numbers->begin(), numbers->end(),
                       [&](int64_t number) { return inRange(attribute, double(number)); });
  return true;
}

/// The slot of the tiling data; nullopt when the value does not fit.
static std::optional<int64_t> slot(const Value &value) {
  if (const double *number = std::get_if<double>(&value)) {
    float narrow = float(*number);
    if (std::isinf(narrow) && !std::isinf(*number))
      return std::nullopt;
    uint32_t bits = 0;
    std::memcpy(&bits, &narrow, sizeof bits);
    return int64_t(bits);
  }
  if (const int64_t *number = std::get_if<int64_t>(&value))
    return *number;
  if (const bool *flag = std::get_if<bool>(&value))
    return int64_t(*flag);
  return std::nullopt;
}

std::optional<BoundAttributes> bindAttributes(const Manifest &manifest, const std::vector<NamedValue> &given,
                                              Diagnostics &diagnostics) {
  size_t before = diagnostics.errorCount();
  std::vector<std::string> names;
  for (const ManifestAttribute &attribute : manifest.attributes)
    names.push_back(attribute.name);
  std::map<std::string, std::string> texts;
  for (const auto &[name, text] : given) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      std::string nearest = nearestName(name, names);
      diagnostics.error(Code::E0521, {}, "'" + manifest.opType + "' has no attribute '" + printable(name) + "'", {},
                        nearest.empty() ? "" : "did you mean '" + nearest + "'?");
    } else if (!texts.emplace(name, text).second) {
      diagnostics.error(Code::E0109, {}, "attribute '" + printable(name) + "' is given twice");
    }
  }
  BoundAttributes bound;
  for (const ManifestAttribute &attribute : manifest.attributes) {
    std::string who = "attribute '" + printable(attribute.name) + "'";
    auto text = texts.find(attribute.name);
    Value value = attribute.defaultValue;
    if (text != texts.end()) {
      value = parseValue(attribute.type, text->second);
      if (value.index() == 0) {
        diagnostics.error(Code::E0526, {},
                          who + " expects " + std::string(typeText(attribute.type)) + ": found '" +
                              printable(text->second) + "'",
                          "launch_c6");
        continue;
      }
    }
    if (value.index() == 0) {
      diagnostics.error(Code::E0525, {}, who + " has no default and is not given", "launch_c9",
                        "--attr " + attribute.name + "=VALUE");
      continue;
    }
    if (!checkRange(attribute, value)) {
      diagnostics.error(Code::E0526, {},
                        who + " expects " + rangeText(attribute) + ": found " +
                            (text == texts.end() ? "its default" : printable(text->second)),
                        "launch_c7");
      continue;
    }
    bound.values[attribute.name] = value;
    if (attribute.bind == ManifestAttribute::Shape)
      continue;
    if (attribute.bind == ManifestAttribute::Compile) {
      if (text != texts.end() && value != attribute.defaultValue)
        diagnostics.error(Code::E0526, {},
                          who + " was fixed when the operator was compiled: " + printable(text->second, 60) +
                              " is another value",
                          "launch_c7", "opc compile --attr " + attribute.name + "=" + printable(text->second, 60));
      continue;
    }
    if (std::optional<int64_t> bits = slot(value))
      bound.slots[attribute.name] = *bits;
    else
      diagnostics.error(Code::E0526, {}, who + " expects a value that float32 can hold", "launch_c7");
  }
  if (diagnostics.errorCount() != before)
    return std::nullopt;
  return bound;
}

} // namespace opc

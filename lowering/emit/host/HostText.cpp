#include "lowering/emit/host/HostText.h"

#include "lowering/emit/cpp/Names.h"

#include <charconv>
#include <cmath>

namespace opc::host {

std::string geType(ElementType type) {
  return "ge::" + frameworkTypeName(type);
}

std::string geFormat(const std::string &format) {
  return "ge::FORMAT_" + std::string(frameworkFormatOf(format));
}

std::string inComment(const std::string &text) {
  std::string result = text;
  for (char &c : result)
    if (c == '\\' || c == '\n' || c == '\r')
      c = '/';
  for (size_t at = result.find("*/"); at != std::string::npos; at = result.find("*/"))
    result.replace(at, 2, "* /");
  return result;
}

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    // "??=" would be a trigraph for old compilers.
    if (c == '?' && result.back() == '?')
      result += "\" \"";
    if (static_cast<unsigned char>(c) < 0x20)
      result += ' ';
    else
      result += c;
  }
  return result + "\"";
}

/// The shortest text that is read back as the same bits, with a point or an exponent.
static std::string finite(double value) {
  char digits[40];
  std::string text(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string cppReal(double value) {
  if (std::isnan(value))
    return "std::numeric_limits<double>::quiet_NaN()";
  if (std::isinf(value))
    return std::string(value < 0 ? "-" : "") + "std::numeric_limits<double>::infinity()";
  return finite(value);
}

std::string pythonReal(double value) {
  if (std::isfinite(value))
    return finite(value);
  return std::isnan(value) ? "float(\"nan\")" : value > 0 ? "float(\"inf\")" : "float(\"-inf\")";
}

namespace {

/// Prints a value for one language.
struct ValuePrinter {
  bool python;

  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(double value) const { return python ? pythonReal(value) : cppReal(value); }
  std::string operator()(int64_t value) const {
    // INT64_MIN has no literal in C++.
    if (!python && value == INT64_MIN)
      return "INT64_MIN";
    return std::to_string(value);
  }
  std::string operator()(bool value) const { return python ? (value ? "True" : "False") : (value ? "true" : "false"); }
  std::string operator()(const std::string &value) const { return quoted(value); }
  template <typename Item> std::string operator()(const std::vector<Item> &items) const {
    std::string text = joined(items, [this](const Item &item) { return (*this)(item); });
    return python ? "[" + text + "]" : "{" + text + "}";
  }
};

} // namespace

std::string cppValue(const AttributeValue &value) {
  return std::visit(ValuePrinter{false}, value);
}

std::string pythonValue(const AttributeValue &value) {
  return std::visit(ValuePrinter{true}, value);
}

bool hasDefault(const ContractAttribute &attribute) {
  return !std::holds_alternative<std::monostate>(attribute.defaultValue);
}

size_t attributeIndex(const Contract &contract, const std::string &name) {
  for (size_t i = 0; i < contract.attributes.size(); ++i)
    if (contract.attributes[i].name == name)
      return i;
  return 0;
}

} // namespace opc::host

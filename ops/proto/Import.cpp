// Converts the vendor's JSON to the text of a contract, which the contract's reader then checks against every rule.

#include "ops/proto/OperatorJson.h"

#include "ops/contract/read/Reader.h"
#include "ops/proto/Words.h"
#include "runtime/program/format/JsonText.h"
#include "runtime/target/ElementKind.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <set>

using namespace opc;
using Json = nlohmann::ordered_json;

static constexpr JsonLimits kLimits = {4u << 20, 16, 64};
static constexpr size_t kMaxOperators = 256;
static constexpr size_t kMaxItems = 64;

namespace {

/// Converts one operator; stops at the first problem.
class Importer {
public:
  Importer(const std::string &path, Diagnostics &diagnostics) : path(path), diagnostics(diagnostics) {}

  std::optional<ImportedContract> import(const Json &json, const std::string &where);
  bool fail(const std::string &rule, const std::string &where, const std::string &what, const std::string &fix = {}) {
    diagnostics.error(Code::E0280, {path}, where + ": " + what, rule, fix);
    return false;
  }

private:
  bool text(const Json &json, const char *key, const std::string &where, std::string &value);
  bool words(const Json &json, const char *key, const std::string &where, std::vector<std::string> &values);
  bool tensors(const Json &json, const char *key, const std::string &where, bool inputs);
  bool tensor(const Json &json, const std::string &where, bool input);
  bool attributes(const Json &json, const std::string &where);
  bool attribute(const Json &json, const std::string &where);
  bool defaultValue(const Json &value, AttributeType type, const std::string &where);
  void tolerances();
  void line(const std::string &content) { result.text += content + "\n"; }

  const std::string &path;
  Diagnostics &diagnostics;
  ImportedContract result;
  std::vector<ElementType> outputTypes; ///< each once
  bool floating = true;                 ///< all inputs and outputs are floating-point
};

} // namespace

/// Quotes a text for YAML.
static std::string quotedYaml(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + "\"";
}

static std::string shown(const Json &json) {
  return "'" + printable(writeJson(json)) + "'";
}

bool Importer::text(const Json &json, const char *key, const std::string &where, std::string &value) {
  auto found = json.find(key);
  if (found == json.end())
    return fail("proto_c2", where, std::string("expects a key '") + key + "'");
  if (!found->is_string() || found->get_ref<const std::string &>().size() > 256)
    return fail("proto_c2", where + "." + key, "expects a short text, found " + shown(*found));
  value = found->get<std::string>();
  return true;
}

bool Importer::words(const Json &json, const char *key, const std::string &where, std::vector<std::string> &values) {
  auto found = json.find(key);
  if (found == json.end())
    return fail("proto_c2", where, std::string("expects a key '") + key + "'");
  // A single word is read as a list of one.
  Json list = found->is_string() ? Json::array({*found}) : *found;
  if (!list.is_array() || list.empty() || list.size() > kMaxItems)
    return fail("proto_c2", where + "." + key, "expects a list of 1 to 64 words");
  for (const Json &item : list) {
    if (!item.is_string() || item.get_ref<const std::string &>().size() > 64)
      return fail("proto_c2", where + "." + key, "expects words, found " + shown(item));
    values.push_back(item.get<std::string>());
  }
  return true;
}

bool Importer::tensor(const Json &json, const std::string &where, bool input) {
  if (!json.is_object())
    return fail("proto_c2", where, "expects an object, found " + shown(json));
  std::string name, kind;
  std::vector<std::string> types, formats;
  if (!text(json, "name", where, name) || !text(json, "param_type", where, kind) ||
      !words(json, "type", where, types) || !words(json, "format", where, formats))
    return false;
  if (kind == "dynamic")
    return fail("proto_c4", where + ".param_type",
                "expects 'required' or 'optional': contracts have no dynamic inputs");
  if (kind != "required" && kind != "optional")
    return fail("proto_c2", where + ".param_type", "expects 'required' or 'optional', found '" + printable(kind) + "'");
  line("  - name: " + quotedYaml(name));
  line("    types:");
  for (const std::string &word : types) {
    std::optional<ElementType> type = parseVendorType(word);
    if (!type) {
      std::string nearest = nearestName(word, vendorTypeNames());
      return fail("proto_c3", where + ".type", "expects types of elements, found '" + printable(word) + "'",
                  nearest.empty() ? "" : "did you mean '" + nearest + "'?");
    }
    line("      - " + std::string(elementTypeName(*type)));
    floating &= isFloat(*type);
    bool known = false;
    for (ElementType other : outputTypes)
      known |= other == *type;
    if (!input && !known)
      outputTypes.push_back(*type);
  }
  // A single format applies to all rows.
  if (formats.size() == 1)
    line("    formats: " + quotedYaml(formats.front()));
  else
    line("    formats:");
  for (size_t i = 0; i < formats.size() && formats.size() > 1; ++i)
    line("      - " + quotedYaml(formats[i]));
  line("    shape:\n      - ...S");
  if (input && kind == "optional")
    line("    required: false");
  return true;
}

bool Importer::tensors(const Json &json, const char *key, const std::string &where, bool inputs) {
  auto found = json.find(key);
  if (found == json.end() || !found->is_array() || found->empty() || found->size() > kMaxItems)
    return fail("proto_c2", where, std::string("expects '") + key + "', a list of 1 to 64 tensors");
  line(inputs ? "\ninputs:" : "\noutputs:");
  for (size_t i = 0; i < found->size(); ++i)
    if (!tensor((*found)[i], where + "." + key + "[" + std::to_string(i) + "]", inputs))
      return false;
  return true;
}

/// A scalar of a type as YAML; nullopt when the value is of another type. Numbers and booleans may be quoted.
static std::optional<std::string> scalarYaml(const Json &value, AttributeType type) {
  std::string word = value.is_string() ? value.get<std::string>() : writeJson(value);
  switch (type) {
  case AttributeType::Bool:
  case AttributeType::ListBool:
    for (const char *yes : {"true", "True", "TRUE", "1"})
      if (word == yes)
        return "true";
    for (const char *no : {"false", "False", "FALSE", "0"})
      if (word == no)
        return "false";
    return std::nullopt;
  case AttributeType::Int:
  case AttributeType::ListInt: {
    int64_t number = 0;
    auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size())
      return std::nullopt;
    return std::to_string(number);
  }
  case AttributeType::Float:
  case AttributeType::ListFloat: {
    double number = 0;
    auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(number))
      return std::nullopt;
    char digits[40];
    std::string text(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
  }
  case AttributeType::String:
  case AttributeType::ListString:
    if (!value.is_string())
      return std::nullopt;
    return quotedYaml(word);
  }
  return std::nullopt;
}

bool Importer::defaultValue(const Json &value, AttributeType type, const std::string &where) {
  bool isList = type >= AttributeType::ListFloat;
  if (!isList) {
    std::optional<std::string> text = scalarYaml(value, type);
    if (!text)
      return fail("proto_c5", where + ".default_value",
                  "expects a value of the attribute's type, found " + shown(value));
    line("    default: " + *text);
    return true;
  }
  // A list may be written as text: "[1, 2]".
  Json list = value;
  if (value.is_string())
    list = Json::parse(value.get<std::string>(), nullptr, /*allow_exceptions=*/false);
  if (!list.is_array() || list.size() > 1024)
    return fail("proto_c5", where + ".default_value", "expects a list of values, found " + shown(value));
  std::string items;
  for (const Json &item : list) {
    std::optional<std::string> text = scalarYaml(item, type);
    if (!text)
      return fail("proto_c5", where + ".default_value", "expects values of the attribute's type, found " + shown(item));
    items += "\n      - " + *text;
  }
  line("    default:" + (items.empty() ? std::string(" []") : items));
  return true;
}

bool Importer::attribute(const Json &json, const std::string &where) {
  if (!json.is_object())
    return fail("proto_c2", where, "expects an object, found " + shown(json));
  std::string name, kind, word;
  if (!text(json, "name", where, name) || !text(json, "param_type", where, kind) || !text(json, "type", where, word))
    return false;
  std::optional<AttributeType> type = parseVendorAttribute(word);
  if (!type) {
    std::string nearest = nearestName(word, vendorAttributeNames());
    return fail("proto_c3", where + ".type", "expects a type of attributes, found '" + printable(word) + "'",
                nearest.empty() ? "" : "did you mean '" + nearest + "'?");
  }
  if (kind != "required" && kind != "optional")
    return fail("proto_c2", where + ".param_type", "expects 'required' or 'optional', found '" + printable(kind) + "'");
  line("  - name: " + quotedYaml(name));
  line("    type: " + std::string(attributeTypeName(*type)));
  bool launch = *type == AttributeType::Float || *type == AttributeType::Int || *type == AttributeType::Bool;
  // The vendor's form has no bindings: launch is assumed where it is possible.
  line(std::string("    bind: ") + (launch ? "launch" : "compile"));
  auto value = json.find("default_value");
  bool given = value != json.end() && !value->is_null() && (*type == AttributeType::String || *value != Json(""));
  if (kind == "required")
    return true;
  if (given)
    return defaultValue(*value, *type, where);
  line("    # Optional without a default: assumed.");
  static constexpr const char *zeros[] = {"0.0", "0", "false", "\"\"", "[]", "[]", "[]", "[]"};
  line(std::string("    default: ") + zeros[static_cast<size_t>(*type)]);
  return true;
}

bool Importer::attributes(const Json &json, const std::string &where) {
  auto found = json.find("attr");
  if (found == json.end() || (found->is_array() && found->empty()))
    return true;
  if (!found->is_array() || found->size() > kMaxItems)
    return fail("proto_c2", where, "expects 'attr', a list of at most 64 attributes");
  line("\nattributes:");
  for (size_t i = 0; i < found->size(); ++i)
    if (!attribute((*found)[i], where + ".attr[" + std::to_string(i) + "]"))
      return false;
  return true;
}

void Importer::tolerances() {
  if (!floating)
    line("\n# Integers neither overflow to infinity nor have a NaN: assumed to wrap.\nboundary:\n  "
         "overflow: wrap\n"
         "  nan: unspecified\n  infinity: unspecified");
  line("\n# Assumed: say how exact results are.\nprecision:\n  compute: storage\n  tolerance:");
  for (ElementType type : outputTypes) {
    line("    - type: " + std::string(elementTypeName(type)));
    line(std::string("      max_ulp: ") + (isFloat(type) ? "1" : "0"));
  }
}

std::optional<ImportedContract> Importer::import(const Json &json, const std::string &where) {
  if (!json.is_object()) {
    fail("proto_c2", where, "expects an operator, found " + shown(json));
    return std::nullopt;
  }
  if (!text(json, "op", where, result.opType))
    return std::nullopt;
  result.name = snakeCase(result.opType);
  line("# Imported from the vendor's operator JSON, which has no shapes, edges, precision or binding: those below\n# "
       "are assumed. Every tensor has the same shape ...S.");
  line("schema: 1");
  line("op_type: " + quotedYaml(result.opType));
  line("version: 1.0.0");
  line("summary: " + quotedYaml(result.opType + ", to be described"));
  if (!tensors(json, "input_desc", where, true) || !tensors(json, "output_desc", where, false) ||
      !attributes(json, where))
    return std::nullopt;
  tolerances();
  line("\nbodies:\n  - level: te\n    file: " + quotedYaml(result.name + ".mlir"));
  line("\nreference: reference.py");
  std::optional<Contract> contract = parseContract(result.text, path, diagnostics);
  if (!contract)
    return std::nullopt;
  result.name = contract->name;
  return result;
}

std::vector<ImportedContract> opc::importOperatorJson(const std::string &text, const std::string &path,
                                                      Diagnostics &diagnostics) {
  auto refuse = [&](const std::string &what, unsigned line = 0, unsigned column = 0) {
    diagnostics.error(Code::E0280, {path, line, column}, what, "proto_c1");
    return std::vector<ImportedContract>();
  };
  Json json;
  JsonProblem problem;
  if (!parseJson(text, kLimits, json, problem))
    return refuse(problem.message, problem.line, problem.column);
  Json list = json.is_array() ? json : Json::array({json});
  if (list.empty() || list.size() > kMaxOperators)
    return refuse("expects 1 to 256 operators, found " + std::to_string(list.size()));
  std::vector<ImportedContract> contracts;
  std::set<std::string> names;
  for (size_t i = 0; i < list.size(); ++i) {
    Importer importer(path, diagnostics);
    std::string where = "[" + std::to_string(i) + "]";
    std::optional<ImportedContract> contract = importer.import(list[i], where);
    if (contract && !names.insert(contract->name).second) {
      importer.fail("proto_c1", where, "expects operators of different names, found '" + contract->opType + "' again");
      continue;
    }
    if (contract)
      contracts.push_back(std::move(*contract));
  }
  return diagnostics.hasErrors() ? std::vector<ImportedContract>() : contracts;
}

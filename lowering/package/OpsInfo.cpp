// A JSON object: the operator's type, then tensors by position (input0, output0), attributes by name (attr_beta), and
// the names by which the framework finds the file and the function of the kernel.

#include "lowering/package/OpsInfo.h"

#include "runtime/program/format/JsonText.h"
#include "runtime/target/PackedForm.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>

using namespace opc;
using Json = nlohmann::ordered_json;

static std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : ",") + word;
  return text;
}

static Json tensorInfo(const ContractTensor &tensor) {
  std::vector<std::string> types, formats;
  for (ElementType type : tensor.types)
    types.emplace_back(elementTypeName(type));
  for (const std::string &format : tensor.formats)
    formats.emplace_back(frameworkFormatOf(format));
  return {{"name", tensor.name},
          {"dtype", joined(types)},
          {"format", joined(formats)},
          {"unknownshape_format", joined(formats)},
          {"paramType", tensor.required ? "required" : "optional"},
          {"shape", "all"}};
}

/// The shortest text that is read back as the same number, with a point or an exponent: "1.0".
static std::string realText(double value) {
  if (!std::isfinite(value))
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  char digits[32];
  std::string text(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

static std::string textOf(double value) {
  return realText(value);
}
static std::string textOf(int64_t value) {
  return std::to_string(value);
}
static std::string textOf(bool value) {
  return value ? "true" : "false";
}
static std::string textOf(const std::string &value) {
  return value;
}
static std::string textOf(std::monostate) {
  return {};
}
template <typename T> static std::string textOf(const std::vector<T> &values) {
  std::vector<std::string> words;
  for (const T &value : values)
    words.push_back(textOf(value));
  return "[" + joined(words) + "]";
}

static Json attributeInfo(const ContractAttribute &attribute) {
  static constexpr std::string_view names[] = {"float",     "int",     "bool",     "str",
                                               "listFloat", "listInt", "listBool", "listStr"};
  bool required = std::holds_alternative<std::monostate>(attribute.defaultValue);
  Json info = {{"paramType", required ? "required" : "optional"},
               {"type", std::string(names[static_cast<size_t>(attribute.type)])},
               {"value", "all"}};
  if (!required)
    info["defaultValue"] = std::visit([](const auto &value) { return textOf(value); }, attribute.defaultValue);
  return info;
}

static Json operatorInfo(const Contract &contract) {
  Json info = {{"dynamicCompileStatic", {{"flag", "true"}}}, {"dynamicFormat", {{"flag", "true"}}},
               {"dynamicRankSupport", {{"flag", "true"}}},   {"dynamicShapeSupport", {{"flag", "true"}}},
               {"needCheckSupport", {{"flag", "false"}}},    {"precision_reduce", {{"flag", "true"}}}};
  std::vector<std::string> attributes;
  for (const ContractAttribute &attribute : contract.attributes) {
    attributes.push_back(attribute.name);
    info["attr_" + attribute.name] = attributeInfo(attribute);
  }
  if (!attributes.empty())
    info["attr"] = {{"list", joined(attributes)}};
  for (size_t i = 0; i < contract.inputs.size(); ++i)
    info["input" + std::to_string(i)] = tensorInfo(contract.inputs[i]);
  for (size_t i = 0; i < contract.outputs.size(); ++i)
    info["output" + std::to_string(i)] = tensorInfo(contract.outputs[i]);
  info["opFile"] = {{"value", contract.name}};
  info["opInterface"] = {{"value", contract.name}};
  return info;
}

std::string opc::opsInfoJson(const std::vector<const Contract *> &contracts) {
  Json file = Json::object();
  for (const Contract *contract : contracts)
    file[contract->opType] = operatorInfo(*contract);
  return writeJson(file, 2) + "\n";
}

std::string opc::opsInfoJson(const Contract &contract) {
  return opsInfoJson(std::vector<const Contract *>{&contract});
}

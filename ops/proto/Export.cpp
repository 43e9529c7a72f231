#include "ops/proto/OperatorJson.h"

#include "ops/proto/Words.h"
#include "runtime/program/format/JsonText.h"

#include <nlohmann/json.hpp>

#include <cmath>

using namespace opc;
using Json = nlohmann::ordered_json;

static Json tensorJson(const ContractTensor &tensor) {
  Json types = Json::array();
  for (ElementType type : tensor.types)
    types.push_back(vendorTypeName(type));
  return {{"name", tensor.name},
          {"param_type", tensor.required ? "required" : "optional"},
          {"format", tensor.formats},
          {"type", std::move(types)}};
}

static Json real(double value) {
  if (std::isfinite(value))
    return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

namespace {
struct DefaultJson {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(double value) const { return real(value); }
  Json operator()(const std::vector<double> &values) const {
    Json list = Json::array();
    for (double value : values)
      list.push_back(real(value));
    return list;
  }
  template <typename T> Json operator()(const T &value) const { return value; }
};
} // namespace

static Json attributeJson(const ContractAttribute &attribute) {
  bool required = std::holds_alternative<std::monostate>(attribute.defaultValue);
  Json object = {{"name", attribute.name},
                 {"param_type", required ? "required" : "optional"},
                 {"type", vendorAttributeName(attribute.type)}};
  if (!required)
    object["default_value"] = std::visit(DefaultJson(), attribute.defaultValue);
  return object;
}

std::string opc::exportOperatorJson(const std::vector<const Contract *> &contracts) {
  Json list = Json::array();
  for (const Contract *contract : contracts) {
    Json inputs = Json::array(), outputs = Json::array(), attributes = Json::array();
    for (const ContractTensor &input : contract->inputs)
      inputs.push_back(tensorJson(input));
    for (const ContractTensor &output : contract->outputs)
      outputs.push_back(tensorJson(output));
    for (const ContractAttribute &attribute : contract->attributes)
      attributes.push_back(attributeJson(attribute));
    Json object = {{"op", contract->opType},
                   {"language", "cpp"},
                   {"input_desc", std::move(inputs)},
                   {"output_desc", std::move(outputs)}};
    if (!attributes.empty())
      object["attr"] = std::move(attributes);
    list.push_back(std::move(object));
  }
  return writeJson(list, 2) + "\n";
}
